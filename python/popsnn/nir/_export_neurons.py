"""Nodes of modules that are neurons."""

from __future__ import annotations

from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any, Mapping

import numpy as np
import torch
from torch import Tensor, nn

from .. import neurons
from .._internal.checks import PerNeuron
from ..nn import LIF, Delays, LeakyIntegrator, RecurrentSpiking, Spiking, SynapticLIF
from ..nn._options import in_unit_interval
from ..nn._parts import rounded
from ..nn._sparse_layer import SparseLayer
from ..nn.sparse_li import SparseLI
from ._discretization import NUMPY_TYPES, Discretization
from ._neurons import (
    NEUTRAL,
    Comparison,
    Feedback,
    VoltageCubaLI,
    VoltageCubaLIF,
    VoltageLI,
    VoltageLIF,
)
from ._values import Shape, Source, finite, of_option

DEFAULTS = {"beta": 1.0, **NEUTRAL}  # of neurons without them
KINDS = {  # with a decay, and without
    neurons.LI: ("LI", "I"),
    neurons.LIF: ("LIF", "IF"),
    neurons.IF: ("LIF", "IF"),
    neurons.PLIF: ("LIF", "IF"),
    neurons.SynapticLIF: ("CubaLIF", None),
    VoltageLI: ("LI", "I"),
    VoltageLIF: ("LIF", "IF"),
    VoltageCubaLI: ("CubaLI", None),
    VoltageCubaLIF: ("CubaLIF", None),
}


def neuron_node(
    where: str, module: Any, shape: Shape, discretization: Discretization, gain: float = 1.0
) -> Any:
    """Return the node of a module's neurons, without weights.

    Parameters
    ----------
    where : str
        What messages begin with.
    module : nn.Module
    shape : tuple of int
        [...] of x [T, B, ...].
    discretization : Discretization
    gain : float
        A factor of what enters the neurons.

    Raises
    ------
    ValueError
        Where they have no equal.
    """
    import nir

    neuron = module.neuron if not isinstance(module, LeakyIntegrator) else neurons.LI()
    values = _step(module)
    source = getattr(module, "nir_source", None)
    current = {name: of_option(value) for name, value in values.items()}
    if isinstance(neuron, Comparison):
        if source is not None and _same(source, "Threshold", discretization, current, shape):
            return nir.Threshold(**source.copies())
        least = _at(where, "threshold", values["threshold"], shape)
        return nir.Threshold(_threshold(values["threshold"], least, discretization))
    if type(neuron) not in KINDS:
        raise ValueError(f"{where}: expected neurons that NIR has, got {neuron}")
    reset = getattr(neuron, "reset", "zero")
    if reset != "zero":
        raise ValueError(f"{where}: reset: expected 'zero', the one that NIR has, got {reset!r}")
    kinds = KINDS[type(neuron)]
    if (
        source is not None
        and gain == 1
        and source.kind in kinds
        and _same(source, source.kind, discretization, current, shape)
        and not (discretization.unit_resistance and np.any(source.fields["r"] != 1))
    ):
        return getattr(nir, source.kind)(**source.copies())
    step = {
        name: _at(where, name, values.get(name, default), shape)
        for name, default in DEFAULTS.items()
    }
    step["gain"] = step["gain"] * gain
    for name in ("alpha", "threshold"):
        if name in values:
            step[name] = _at(where, name, values[name], shape)
    if "threshold" in values:
        step["v_threshold"] = _threshold(values["threshold"], step["threshold"], discretization)
    leaky, leakless = kinds
    without = leakless is not None and bool((step["beta"] == 1).all())
    kind = str(leakless if without else leaky)
    fields = (
        _without_decay(where, step, discretization)
        if without
        else _with_decay(where, step, discretization)
    )
    taken = [name for name in fields if name in _names(nir, kind)]
    return getattr(nir, kind)(**{name: fields[name] for name in taken})


def loop_nodes(
    where: str,
    module: Any,
    shape: Shape,
    discretization: Discretization,
    weights_name: str | None,
    delay_name: str,
) -> dict[str, Any]:
    """Return what feeds back a module's spikes, by name in the order of the edges.

    Parameters
    ----------
    where : str
        What messages begin with.
    module : nn.Module
    shape : tuple of int
    discretization : Discretization
    weights_name : str or None
        None: no weights, each neuron feeds itself.
    delay_name : str
        Of the node Delay, where there is one.

    Raises
    ------
    ValueError
        Where NIR has no such delays.
    """
    nodes = {} if weights_name is None else {weights_name: feedback_node(where, module)}
    sparse = isinstance(module, SparseLayer)
    option = "recurrent_delay" if sparse else "delay"
    delays = getattr(module, option)
    if delays is None:
        return nodes
    node = delays_node(where, option, delays, shape, discretization)
    if delays.kind == "axonal":
        return {delay_name: node, **nodes}
    bias = getattr(module, "recurrent_bias", None)
    if bias is not None and bool(bias.detach().any()):
        raise ValueError(
            f"{where}: recurrent_bias: expected none or zeros with dendritic Delays, which NIR's "
            "node behind an Affine node would delay too, got others"
        )
    return {**nodes, delay_name: node}


def delays_node(
    where: str, option: str, delays: Delays, shape: Shape, discretization: Discretization
) -> Any:
    """Return the node of axonal or dendritic delays; those learnt are rounded as in evaluation."""
    import nir

    if delays.kind == "synaptic":
        raise ValueError(
            f"{where}: {option}: expected axonal or dendritic Delays, of which NIR has a node, got "
            "synaptic Delays"
        )
    steps = delays.steps.detach().double().clamp(delays.minimum, delays.maximum).round()
    counts = finite(where, option, steps)
    source: Any = getattr(delays, "nir_source", None)
    if (
        source is not None
        and source.fits(shape)
        and source.still("Delay", discretization, {"steps": counts})
    ):
        return nir.Delay(**source.copies())
    return nir.Delay(counts * discretization.dt)


def recurrent_node(
    where: str, module: Any, shape: Shape, discretization: Discretization, gain: float = 1.0
) -> Any:
    """Return the graph of neurons and the weights between them; arguments as of `neuron_node`."""
    import nir

    neuron = neuron_node(where, module, shape, discretization, gain)
    loop = loop_nodes(where, module, shape, discretization, "w_rec", "delay")
    names = ["lif", *loop, "lif"]
    return nir.NIRGraph(
        nodes={
            "input": nir.Input(np.array(shape)),
            "lif": neuron,
            **loop,
            "output": nir.Output(np.array(shape)),
        },
        edges=[("input", "lif"), *zip(names, names[1:]), ("lif", "output")],
        metadata={},
        type_check=False,
    )


def feedback_node(where: str, module: Any) -> Any:
    """Return the node Linear or Affine of the weights between neurons."""
    import nir

    weight = module.recurrent_weight
    dtype = module.weight_dtype
    weight = weight.to(dtype).to(weight.dtype) if dtype is not None else weight
    bias = getattr(module, "recurrent_bias", None)
    matrix = finite(where, "recurrent_weight", weight)
    if bias is None:
        return nir.Linear(matrix)
    return nir.Affine(matrix, finite(where, "recurrent_bias", bias))


def feeds_itself(module: Feedback) -> bool:
    """Whether the weights between neurons are an edge of each to itself."""
    weight = module.recurrent_weight.detach()
    same = torch.eye(len(weight), dtype=weight.dtype, device=weight.device)
    return module.recurrent_bias is None and torch.equal(weight, same)


def _step(module: Any) -> dict[str, PerNeuron]:
    """Return what a module's neurons take as parameters, by name."""
    if isinstance(module, LIF):
        return {"beta": module.leak(), "threshold": module.threshold}
    if isinstance(module, (SparseLayer, SparseLI)):
        names = module.neuron.parameters
        values = dict(zip(names, module.neuron_parameters()))
    elif isinstance(module, Spiking):
        values = {name: module._used(name) for name in module.neuron.parameters}
    else:
        names = ("beta",) if isinstance(module, LeakyIntegrator) else ("alpha", "beta")
        values = {name: in_unit_interval(getattr(module, name)) for name in names}
        if isinstance(module, SynapticLIF):
            values["threshold"] = module.threshold
    if "w" in values:  # of neurons.PLIF
        weight = values.pop("w")
        known = isinstance(weight, Tensor)
        values["beta"] = torch.sigmoid(weight if known else torch.full((), weight, device="cpu"))
    return values


def _same(
    source: Source,
    kind: str,
    discretization: Discretization,
    current: Mapping[str, np.ndarray],
    shape: Shape,
) -> bool:
    known = set(source.step) <= set(current) and source.fits(shape)
    return known and source.still(kind, discretization, current)


def _at(where: str, name: str, value: PerNeuron, shape: Shape) -> np.ndarray:
    """Return a parameter in float64, for each neuron."""
    array = of_option(value)
    if not np.isfinite(array).all():
        raise ValueError(f"{where}: {name}: expected finite numbers, got NaN or infinity")
    try:
        return np.array(np.broadcast_to(array, shape))
    except ValueError:
        raise ValueError(
            f"{where}: {name}: expected shape {shape}, that of its inputs, got {array.shape}"
        ) from None


def _threshold(value: PerNeuron, array: np.ndarray, discretization: Discretization) -> np.ndarray:
    dtype = getattr(value, "dtype", discretization.dtype)
    if dtype in NUMPY_TYPES:
        discretization = replace(discretization, dtype=dtype)
    return discretization.threshold_of_node(array)


def _with_decay(
    where: str, step: Mapping[str, np.ndarray], discretization: Discretization
) -> dict[str, np.ndarray]:
    tau = discretization.time_constant(where, "beta", step["beta"])
    rate = 1 - step["beta"]
    fields = {**step, "tau": tau, "tau_mem": tau, "r": step["gain"] / rate}
    if discretization.unit_resistance:
        _unite(where, fields)
    if "alpha" in step:
        fields["tau_syn"] = discretization.time_constant(where, "alpha", step["alpha"])
        fields["w_in"] = step["w_in"] / (1 - step["alpha"])
    return fields


def _unite(where: str, fields: dict[str, np.ndarray]) -> None:
    """Measure voltages in units in which the resistance is 1; spikes stay the same."""
    resistance = fields["r"]
    if "v_threshold" not in fields and not np.allclose(resistance, 1, rtol=1e-12):
        raise ValueError(
            f"{where}: unit_resistance: expected a resistance of 1 where the membrane is the "
            f"output, got {float(resistance.flat[0]):g}"
        )
    if (resistance <= 0).any():
        raise ValueError(
            f"{where}: unit_resistance: expected positive resistances, got "
            f"{float(resistance.min()):g}"
        )
    for name in ("v_threshold", "v_reset", "v_leak"):
        if name in fields:
            fields[name] = fields[name] / resistance
    fields["r"] = np.ones_like(resistance)


def _without_decay(
    where: str, step: Mapping[str, np.ndarray], discretization: Discretization
) -> dict[str, np.ndarray]:
    begins = step["v_reset"]
    if (step["v_leak"] != begins).any():
        raise ValueError(
            f"{where}: v_leak: expected v_reset of neurons without a decay, got another voltage"
        )
    return {**step, "r": step["gain"] / discretization.dt}


def _names(nir: Any, kind: str) -> set[str]:
    return {each.name for each in fields_of(getattr(nir, kind))}


def weights(where: str, layer: Any) -> Any:
    """Return the node Linear or Affine of a layer's weights."""
    import nir

    weight = rounded(layer.weight, getattr(layer, "weight_dtype", None))
    matrix = finite(where, "weight", weight)
    if layer.bias is None:
        return nir.Linear(matrix)
    return nir.Affine(matrix, finite(where, "bias", layer.bias))


def recurrent(module: nn.Module) -> bool:
    """Whether a module's neurons have weights between them."""
    if isinstance(module, SparseLayer):
        return module.recurrent_weight is not None
    return isinstance(module, RecurrentSpiking)
