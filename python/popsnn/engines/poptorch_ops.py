"""The package's PopART operators, as layers inside of PopTorch models call them.

Each function works out an operator's attributes and the types and shapes of its outputs, and calls
`custom_op` of the PopTorch module that it is given, the real one or the emulated one.
docs/reference/popart-ops.md lists the operators.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import astuple, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Sequence, Tuple, Union

import torch
from torch import Tensor

from .._internal.checks import PerNeuron
from .._internal.hashing import call_seed
from .._internal.paths import popart_ops_path
from .._internal.spec import LayerSpec, ModelSpec
from ..functional._scan import check_current
from ..nn._sparse_layer import SparseLayer
from ..nn.engine import PendingStats
from ..nn.sparse_li import SparseLI
from ..spikes import SpikeTensor
from .ipu_delays import delays_of, layer_delay_steps, layer_taps
from .ipu_executable import network_spec, unsupported_options, unsupported_reset

if TYPE_CHECKING:
    from ..devices import Device
    from ..nn.lif import LIF
    from ..nn.snn import SNN

Attributes = Dict[str, Union[int, float, str, List[int], List[float], List[str]]]

DOMAIN, VERSION = "popsnn", 1


@lru_cache(maxsize=None)
def load(emulated: bool) -> None:
    """Load the library of the operators, which registers them.

    Parameters
    ----------
    emulated : bool
        Whether they are to run on the emulated PopART.

    Raises
    ------
    FileNotFoundError
        Where the package was installed without it.
    RuntimeError
        Where it does not load.
    """
    path = popart_ops_path(emulated)
    try:
        ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise RuntimeError(
            f"popart operators: expected a library that loads at {path}, got: {error}"
        ) from error


def compact(poptorch: Any, x: Tensor, capacity: int, seed: int, layer: int) -> SpikeTensor:
    """Compact dense spikes as `SpikeTensor.from_dense` does; values other than 0 are spikes.

    Parameters
    ----------
    poptorch : module
    x : Tensor [T, B, N], bool, integer or float
    capacity, seed, layer
        As in `SpikeTensor.from_dense`.
    """
    steps, batch, size = x.shape
    attributes: Attributes = {
        "capacity": capacity,
        "silent": int(x.requires_grad),
        "seed": seed,
        "layer": layer,
    }
    values, ids, counts, drops = _call(
        poptorch,
        "CompactSpikes",
        [x.float()],
        [
            _like((steps, batch, capacity), grad=x.requires_grad),
            _like((steps, batch, capacity), torch.int32),
            _like((steps, batch, 2), torch.int32),
            _like((steps, batch, 2), torch.int32),
        ],
        attributes,
    )
    return SpikeTensor(ids, counts, size, dropped=drops, values=values, check=False)


def expand(poptorch: Any, spikes: SpikeTensor) -> Tensor:
    """Return dense float32 spikes [T, B, N], differentiable in the values."""
    positions = torch.arange(spikes.capacity, dtype=torch.int32)
    values = positions < spikes.counts[..., :1] if spikes._values is None else spikes.values
    inputs = [_int32(spikes.ids), _int32(spikes.counts), values.float()]
    example = _like(spikes.shape, grad=spikes.requires_grad)
    return _call(poptorch, "ExpandSpikes", inputs, [example], {"size": spikes.size})[0]


def lif(poptorch: Any, layer: LIF, current: Tensor) -> Tensor:
    """Return the spikes of LIF neurons, from rest.

    Parameters
    ----------
    poptorch : module
    layer : LIF
    current : Tensor [T, B, ...]

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, N, ...], or a decay factor or a threshold has an
        entry for each sample.
    """
    check_current(layer.name, current)
    shape = tuple(current.shape)
    below = -math.inf if layer.grad_threshold is None else layer.grad_threshold
    rows: list[Tensor] = []
    for name, value in (("beta", layer.leak()), ("threshold", layer.threshold), ("below", below)):
        if isinstance(value, Tensor) and value.dim() > len(shape) - 2:
            raise ValueError(
                f"{layer.name}: {name}: expected one that fits {shape[2:]} inside of PopTorch, "
                f"got shape {tuple(value.shape)}"
            )
        rows.append(_row(value, shape[2:]).reshape(-1))
    reason = unsupported_reset(layer)
    if reason is not None:
        raise ValueError(f"{layer.name}: {reason}")
    if layer.surrogate.codelet_source is not None:
        raise ValueError(
            f"{layer.name}: surrogate: expected a named one of scale 1 inside of PopTorch, got "
            f"{layer.surrogate}"
        )
    flat = current.float().reshape(shape[0], shape[1], -1)
    attributes: Attributes = {
        "reset": layer.reset,
        "detach_reset": int(layer.detach_reset),
        "surrogate": type(layer.surrogate).__name__,
        "surrogate_parameter": float(layer.surrogate.parameter),
    }
    every = tuple(flat.shape)
    examples = [_like(every, grad=True), _like(every, torch.int32)]
    spikes, _ = _call(poptorch, "Lif", [flat, torch.stack(rows)], examples, attributes)
    return spikes.reshape(shape).to(current.dtype)


def sparse_layer(poptorch: Any, layer: SparseLayer, x: SpikeTensor, seed: int) -> SpikeTensor:
    """Return the output spikes of one layer, from rest."""
    sequence = torch.tensor([_signed(seed), 0], dtype=torch.int32)
    out = _network(poptorch, "SparseLayer", [layer], x, sequence, None).out
    assert isinstance(out, SpikeTensor)
    return out


def readout(poptorch: Any, layer: SparseLI, x: SpikeTensor) -> Tensor:
    """Return the membranes [T, B, C] of one readout, from rest."""
    sequence = torch.zeros(2, dtype=torch.int32)
    out = _network(poptorch, "SparseLayer", [layer], x, sequence, None).out
    assert isinstance(out, Tensor)
    return out


class NetworkResult(NamedTuple):
    """The output of a network, and the counts of each layer that spikes."""

    out: Tensor | SpikeTensor
    stats: list[PendingStats]


def network(poptorch: Any, net: SNN, x: SpikeTensor, counted: bool) -> NetworkResult:
    """Run a network, from rest.

    Parameters
    ----------
    poptorch : module
    net : SNN
    x : SpikeTensor (T, B, N)
    counted : bool
        Whether the spikes that a capacity keeps depend on the number of the call. It is
        decided as in the `torch` engine in the network's first call; later calls count on in steps,
        as the number is one of the device's.
    """
    seed = _signed(call_seed(net.seed, 0))
    if counted:
        first = (net._calls * x.shape[0]).to(torch.int32)
        sequence = torch.stack([torch.full_like(first, seed), first])
    else:
        sequence = torch.tensor([seed, 0], dtype=torch.int32)
    # What a device of few and large tiles is told, as "host" is, says nothing of PopTorch's.
    device = net.device if net.device.tiles == 0 else None
    return _network(poptorch, "SparseNetwork", net.stack, x, sequence, device)


class _Outputs(NamedTuple):
    """Examples of an operator's outputs: what it returns, what it keeps, and what was lost."""

    results: list[Tensor]
    kept: list[Tensor]
    counts: list[int]  # which of those kept are the counts of layers that spike
    drops: list[Tensor]


def _network(
    poptorch: Any,
    name: str,
    layers: Sequence[SparseLayer | SparseLI],
    x: SpikeTensor,
    sequence: Tensor,
    device: Device | None,
) -> NetworkResult:
    last = layers[-1]
    for index, layer in enumerate(layers):
        reason = unsupported_options(layer)
        if reason is not None:
            name_of = f"SNN: layer {index}" if name == "SparseNetwork" else type(layer).__name__
            raise ValueError(f"{name_of}: {reason}")
    x = _late_input(poptorch, layers[0], x)
    specs = network_spec(layers, x.shape[0], x.shape[1], x.capacity, of_any_delays=True).layers
    attributes = _attributes(specs)
    attributes["input_gradient"] = int(x.requires_grad)
    interval = min(device.checkpoint_interval, x.shape[0]) if device is not None else 0
    if device is not None:
        attributes.update(segment=interval, replicas=device.replicas, sizes=device.sizes)
        attributes["dense"] = list(device.dense_by_number)
        attributes["remote_partials"] = int(device.remote_partials)
    values = torch.zeros(x.ids.shape) if x._values is None else x.values.float()
    inputs = [_int32(x.ids), _int32(x.counts), values, sequence]
    for index, layer in enumerate(layers):
        loops = layer.recurrent_weight if isinstance(layer, SparseLayer) else None
        tensors = (layer.weight, loops, layer.bias)
        inputs += [tensor.float() for tensor in tensors if tensor is not None]
        inputs.append(_parameters(layer))
        taps = layer_taps(index, layer)
        inputs += [*([] if taps is None else [taps]), *layer_delay_steps(index, layer)]
    # A readout stores all of its states, so one alone has no checkpoints.
    examples = _examples(specs, x, (specs[0].spikes and interval) or x.shape[0])
    outputs = _call(
        poptorch, name, inputs, [*examples.results, *examples.kept, *examples.drops], attributes
    )
    results = outputs[: len(examples.results)]
    saved = outputs[len(results) :]
    drops = outputs[len(outputs) - len(examples.drops) :]
    sizes = [spec.neurons for spec in specs if spec.spikes]
    stats = [
        PendingStats(saved[index][1:], dropped, size)  # the first row is that before the first step
        for index, dropped, size in zip(examples.counts, drops, sizes)
    ]
    if isinstance(last, SparseLI):
        return NetworkResult(results[0].to(last.weight.dtype), stats)
    values, ids, counts = results
    spikes = SpikeTensor(
        ids, counts, last.out_features, dropped=drops[-1], values=values, check=False
    )
    return NetworkResult(spikes, stats)


def _late_input(poptorch: Any, layer: SparseLayer | SparseLI, x: SpikeTensor) -> SpikeTensor:
    """Return the network's input as it arrives, of a first layer with axonal delays."""
    delay = delays_of(layer)[0]
    if delay is None or delay.kind != "axonal":
        return x
    dense = expand(poptorch, x)  # [T, B, M]
    late = torch.zeros_like(dense)
    for k, tap in enumerate(delay.taps(torch.float32)[: len(dense)]):
        silent = torch.zeros(k, *dense.shape[1:])
        late = late + tap * torch.cat([silent, dense[: len(dense) - k]])
    most = x.capacity * (delay.maximum - delay.minimum + 1)
    return compact(poptorch, late, x.size if late.requires_grad else min(most, x.size), 0, 0)


# Fields of a `LayerSpec` that are no attributes: what inputs and other attributes tell, and what an
# optimizer on the device needs.
NO_ATTRIBUTES = ("kind", "inputs", "neurons", "model", "observed", "learnt", "lowest", "highest")
# Attributes of networks with delays alone.
DELAY_ATTRIBUTES = (
    *("dendritic", "recurrent_dendritic", "synaptic", "whole_delays", "learnt_delays"),
    *("axonal", "recurrent_axonal", "arrivals", "recurrent_arrivals", "early"),
    *("straight_through", "undelayed", "recurrent_undelayed"),
)


def _attributes(specs: Sequence[LayerSpec]) -> Attributes:
    """Return the layers' options, each a list with one entry a layer."""
    attributes: Attributes = {
        field.name: [_attribute(getattr(spec, field.name)) for spec in specs]
        for field in fields(LayerSpec)
        if field.name not in (*NO_ATTRIBUTES, *DELAY_ATTRIBUTES)
    }
    for name in DELAY_ATTRIBUTES:
        values = [int(getattr(spec, name)) for spec in specs]
        if any(values):
            attributes[name] = values
    models = [_LIF if spec.model is None else astuple(spec.model) for spec in specs]
    if models != [_LIF] * len(models):
        attributes["model"] = [model[0] for model in models]
        attributes["codelet"] = [model[1] for model in models]
        attributes["model_numbers"] = [int(number) for model in models for number in model[2:]]
    return attributes


_LIF: Tuple[Any, ...] = (
    "",
    "",
    *[0] * (len(fields(ModelSpec)) - 2),
)  # LIF is no codelet of its own


def _attribute(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _examples(specs: Sequence[LayerSpec], x: SpikeTensor, segment: int) -> _Outputs:
    """Return what poplib's `saved_tensors` lists, next to the results and drops."""
    steps, batch, _ = x.shape
    short = all(max(spec.inputs, spec.neurons) <= 65536 for spec in specs)

    def lists(capacity: int) -> list[Tensor]:
        padded_capacity = -(-capacity // 4) * 4
        ids = _like((1 + steps, batch, padded_capacity), torch.int16 if short else torch.int32)
        return [ids, _like((1 + steps, batch, 2), torch.int32)]

    saved = lists(x.capacity)
    counts: list[int] = []
    drops: list[Tensor] = []
    checkpoints = (steps - 1) // segment
    for index, spec in enumerate(specs):
        if not spec.spikes:
            saved.append(_like((1 + steps, batch, 1, spec.neurons), torch.int32))
        else:
            states = 1 if spec.model is None else spec.model.states
            counts.append(len(saved) + 1)
            saved += lists(spec.capacity)
            saved.append(_like((1 + steps, batch, 3), torch.int32))
            saved.append(_like((1 + segment, batch, states, spec.neurons), torch.int32))
            if checkpoints:
                saved.append(_like((checkpoints, batch, states, spec.neurons), torch.int32))
            drops.append(_like((steps, batch, 2), torch.int32))
        for _ in range(bin(spec.learnt_delays).count("1")):
            saved.append(_like((segment, batch, 1, spec.neurons), torch.int32))
        if spec.ring and checkpoints:
            rows = checkpoints * (1 + spec.ring)
            saved.append(_like((rows, batch, 1, spec.neurons), torch.int32))
        for source, longest in enumerate((spec.axonal, spec.recurrent_axonal)):
            if longest == 0:
                continue
            size = spec.neurons if source else spec.inputs
            fired = lists((spec if source else specs[index - 1]).capacity)
            # Of each section (sections.hpp): bits by 32 neurons, and kWorkerRanges ranges of words.
            sections = 3 if spec.straight_through >> source & 1 else 2
            saved += [
                _like((steps, batch, sections * row), torch.int32) for row in (-(-size // 32), 6)
            ]
            saved.append(_like((1 + steps, batch, 2), torch.int32))
            saved += [ids_or_counts[1:] for ids_or_counts in fired]
    last = specs[-1]
    if not last.spikes:
        membranes = _like((steps, batch, last.neurons), grad=True)
        return _Outputs([membranes], saved, counts, drops)
    ids = (steps, batch, last.capacity)
    pairs = (steps, batch, 2)
    results = [_like(ids, grad=True), _like(ids, torch.int32), _like(pairs, torch.int32)]
    return _Outputs(results, saved, counts, drops)


def _call(
    poptorch: Any,
    name: str,
    inputs: list[Tensor],
    examples: list[Tensor],
    attributes: Attributes,
) -> list[Tensor]:
    load(getattr(poptorch, "is_emulated", False))
    outputs = poptorch.custom_op(
        inputs, name, DOMAIN, VERSION, example_outputs=examples, attributes=attributes
    )
    return list(outputs)


def _parameters(layer: SparseLayer | SparseLI) -> Tensor:
    """Return the rows [P, N] of a layer's neurons: of those that spike the last is theta_grad."""
    rows = list(layer.neuron_parameters())
    if isinstance(layer, SparseLayer):
        rows.append(-math.inf if layer.grad_threshold is None else layer.grad_threshold)
    return torch.stack([_row(row, (layer.out_features,)) for row in rows])


def _row(value: PerNeuron, shape: tuple[int, ...]) -> Tensor:
    """Return a parameter of this shape; a tensor of the host's would be none of the graph's."""
    if isinstance(value, Tensor):
        return value.float().expand(shape)
    return torch.full(shape, float(value), dtype=torch.float32)


def _like(shape: tuple[int, ...], dtype: torch.dtype = torch.float32, grad: bool = False) -> Tensor:
    """Return an example of an output; PopTorch takes its type, its shape and `requires_grad`."""
    return torch.zeros(shape, dtype=dtype, requires_grad=grad and torch.is_grad_enabled())


def _int32(x: Tensor) -> Tensor:
    return x if x.dtype == torch.int32 else x.to(torch.int32)


def _signed(seed: int) -> int:
    """Return the int32 of the same bits."""
    return seed - 2**32 if seed >= 2**31 else seed
