"""Modules of nodes that are neurons."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional

import numpy as np
import torch
from torch import nn

from .._internal.checks import PerNeuron
from ..neurons import IF, LIF, Neuron, SynapticLIF
from ..nn import IF as IFLayer
from ..nn import LIF as LIFLayer
from ..nn import LeakyIntegrator, Spiking
from ..nn import SynapticLIF as SynapticLIFLayer
from ..surrogate import Surrogate
from ._discretization import Discretization, snapped
from ._neurons import (
    NEUTRAL,
    Comparison,
    Feedback,
    Resting,
    VoltageCubaLI,
    VoltageCubaLIF,
    VoltageLI,
    VoltageLIF,
)
from ._values import Shape, Source, finite, made, of_option, option, per_neuron, remember, tolerance

FIELDS = {
    "LI": ("tau", "r", "v_leak"),
    "LIF": ("tau", "r", "v_leak", "v_threshold", "v_reset"),
    "I": ("r",),
    "IF": ("r", "v_threshold", "v_reset"),
    "CubaLI": ("tau_syn", "tau_mem", "r", "v_leak", "w_in"),
    "CubaLIF": ("tau_syn", "tau_mem", "r", "v_leak", "w_in", "v_threshold", "v_reset"),
}
VOLTAGE = {
    "LI": VoltageLI,
    "LIF": VoltageLIF,
    "I": VoltageLI,
    "IF": VoltageLIF,
    "CubaLI": VoltageCubaLI,
    "CubaLIF": VoltageCubaLIF,
}


class Importing(NamedTuple):
    """Options of an import."""

    discretization: Discretization
    surrogate: Optional[Surrogate]
    backend: str

    @property
    def dtype(self) -> torch.dtype:
        """The type of parameters."""
        return self.discretization.dtype


def neuron_module(
    where: str, kind: str, node: Any, shape: Shape, options: Importing, feedback: Any = None
) -> nn.Module:
    """Return the module of a neuron, with `feedback` of one that has a loop.

    Parameters
    ----------
    where : str
        What messages begin with.
    kind : str
        The node's type.
    node : NIRNode
    shape : tuple of int
        Of what enters the node.
    options : Importing
    feedback : NIRNode or "self", optional
        The node that feeds the spikes back.

    Raises
    ------
    TypeError, ValueError
        Where numbers do not fit.
    """
    fields = per_neuron(where, node, FIELDS[kind], shape)
    step = _step(where, kind, fields, options.discretization)
    values = {name: option(value, options.dtype) for name, value in step.items()}
    plain = all(not np.any(step[n] != value) for n, value in NEUTRAL.items() if n in step)
    if feedback is None:
        module = _alone(kind, values, plain, options)
    else:
        module = _feedback(where, kind, values, plain, feedback, shape, options)
    kept = {name: of_option(getattr(module, name)) for name in values if hasattr(module, name)}
    return remember(module, Source(kind, fields, options.discretization.same, kept))


def threshold_module(where: str, node: Any, shape: Shape, options: Importing) -> nn.Module:
    """Return the module of a node Threshold."""
    fields = per_neuron(where, node, ("threshold",), shape)
    step = options.discretization.threshold_of_step(fields["threshold"])
    threshold = option(step, options.dtype)
    module = Spiking(
        Comparison(),
        parameters={"threshold": threshold},
        surrogate=options.surrogate,
        backend=options.backend,
    )
    kept = {"threshold": of_option(threshold)}
    return remember(module, Source("Threshold", fields, options.discretization.same, kept))


def _step(
    where: str, kind: str, fields: Mapping[str, np.ndarray], discretization: Discretization
) -> dict[str, np.ndarray]:
    """Return the numbers of one time step, in float64."""
    exact = {name: value.astype(np.float64) for name, value in fields.items()}
    step: dict[str, np.ndarray] = {}
    if kind in ("I", "IF"):
        slack = tolerance(fields["r"])
        step["beta"] = np.ones(())
        step["gain"] = snapped(discretization.dt * exact["r"], slack)
        step["v_leak"] = exact.get("v_reset", np.zeros(()))  # where it begins
    else:
        tau = "tau" if "tau" in fields else "tau_mem"
        slack = tolerance(fields[tau], fields["r"])
        rate = discretization.rate(where, tau, exact[tau], slack)
        step["beta"] = 1 - rate
        step["gain"] = snapped(rate * exact["r"], slack)
        step["v_leak"] = exact["v_leak"]
    if "tau_syn" in fields:
        slack = tolerance(fields["tau_syn"], fields["w_in"])
        rate = discretization.rate(where, "tau_syn", exact["tau_syn"], slack)
        step["alpha"] = 1 - rate
        step["w_in"] = snapped(rate * exact["w_in"], slack)
    if "v_threshold" in fields:
        step["v_reset"] = exact["v_reset"]
        step["threshold"] = discretization.threshold_of_step(fields["v_threshold"])
    return step


def _alone(
    kind: str, values: Mapping[str, PerNeuron], plain: bool, options: Importing
) -> nn.Module:
    backend, surrogate = options.backend, options.surrogate
    if plain and kind in ("LI", "I"):
        return LeakyIntegrator(values["beta"], backend=backend)
    if plain and kind == "LIF":
        return LIFLayer(values["beta"], values["threshold"], surrogate=surrogate, backend=backend)
    if plain and kind == "IF":
        return IFLayer(values["threshold"], surrogate=surrogate, backend=backend)
    if plain and kind == "CubaLIF":
        return SynapticLIFLayer(
            values["alpha"],
            values["beta"],
            values["threshold"],
            surrogate=surrogate,
            backend=backend,
        )
    return Resting(VOLTAGE[kind](), parameters=values, surrogate=surrogate, backend=backend)


def _feedback(
    where: str,
    kind: str,
    values: Mapping[str, PerNeuron],
    plain: bool,
    feedback: Any,
    shape: Shape,
    options: Importing,
) -> Feedback:
    if len(shape) != 1:
        raise ValueError(f"{where}: expected neurons of one dimension in a loop, got shape {shape}")
    neuron: Neuron = VOLTAGE[kind]()
    if plain:
        neuron = {"LIF": LIF(), "IF": IF(), "CubaLIF": SynapticLIF()}[kind]
    (size,) = shape
    module = Feedback(
        neuron,
        size,
        parameters={name: values[name] for name in neuron.parameters},
        surrogate=options.surrogate,
        backend=options.backend,
    )
    weight, bias = np.eye(size), None
    if feedback != "self":
        weight = finite(where, "weight of its loop", feedback.weight)
        bias = getattr(feedback, "bias", None)
    if weight.shape != (size, size):
        raise ValueError(
            f"{where}: expected weights of shape {(size, size)} in its loop, got {weight.shape}"
        )
    module.recurrent_weight = nn.Parameter(
        made(weight, options.dtype), requires_grad=feedback != "self"
    )
    if bias is not None:
        values_of_bias = finite(where, "bias of its loop", bias)
        if values_of_bias.shape != shape:
            raise ValueError(
                f"{where}: expected a bias of shape {shape} in its loop, got {values_of_bias.shape}"
            )
        module.recurrent_bias = nn.Parameter(made(values_of_bias, options.dtype))
    return module
