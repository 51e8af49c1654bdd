"""Import: modules of nodes, and the network of a graph."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any, Callable, Dict, Tuple

import numpy as np
import torch
from torch import nn

from ..nn import Delays, TimeDistributed
from ._import_neurons import FIELDS, Importing, neuron_module, threshold_module
from ._layers import Delay, Scale
from ._structure import kind, structure
from ._values import Shape, Source, finite, made, numbers, per_neuron, remember
from .graph import Graph

Made = Tuple[nn.Module, Shape]
WHOLE = 1e-6  # how far a delay may be from whole time steps, relative to them,
STEPS = 0.01  # and in time steps
LARGEST = 2**31  # above all sizes and delays


def graph_module(where: str, graph: Any, options: Importing, shape: Shape | None = None) -> Graph:
    """Return the network of a NIR graph.

    Parameters
    ----------
    where : str
        What messages begin with.
    graph : NIRGraph
    options : Importing
    shape : tuple of int, optional
        Of what enters a graph within another.

    Raises
    ------
    TypeError, ValueError
        Where a node has no equal, or does not fit what enters it.
    """
    nodes = dict(graph.nodes)
    checked = structure(where, nodes, [(str(a), str(b)) for a, b in graph.edges])
    modules: dict[str, nn.Module] = {}
    shapes: dict[str, Shape] = {}
    for name in checked.order:
        node, entering = nodes[name], [s for s, end in checked.edges if end == name]
        at = f"{where}: {name} ({kind(node)})"
        if kind(node) == "Input":
            after = [nodes[end] for start, end in checked.edges if start == name]
            shapes[name] = _input_shape(at, node, after, shape)
            continue
        found = {shapes[start] for start in entering}
        if len(found) > 1:
            raise ValueError(
                f"{at}: expected inputs of one shape, got {', '.join(map(str, sorted(found)))}"
            )
        before = found.pop()
        if kind(node) == "Output":
            shapes[name] = _output_shape(at, node, before)
        elif name in checked.loops:
            fed_by = checked.loops[name]
            feedback = "self" if fed_by is None else nodes[fed_by]
            module: Any = neuron_module(at, kind(node), node, before, options, feedback)
            if name in checked.loop_delays:
                delay = checked.loop_delays[name]
                bias = module.recurrent_bias
                if not delay.first and bias is not None and bool(bias.detach().any()):
                    raise ValueError(
                        f"{where}: {delay.node} (Delay): expected it before the Affine of its "
                        "loop, or a bias of zeros, since it would delay the bias too, got one"
                    )
                at_delay = f"{where}: {delay.node} (Delay)"
                module.delay = _loop_delays(
                    at_delay, nodes[delay.node], before, options, delay.first
                )
            modules[name] = module
            shapes[name] = before
        else:
            modules[name], shapes[name] = node_module(at, node, before, options)
    ends = {
        wanted: {name: shapes[name] for name in nodes if kind(nodes[name]) == wanted}
        for wanted in ("Input", "Output")
    }
    metadata = {"": graph.metadata, **{name: node.metadata for name, node in nodes.items()}}
    metadata = {name: deepcopy(value) for name, value in metadata.items() if value}
    return Graph(modules, checked, ends["Input"], ends["Output"], metadata)


def node_module(where: str, node: Any, shape: Shape, options: Importing) -> Made:
    """Return the module of a node for inputs [T, B, ...] of the shape [...], and its own shape."""
    if kind(node) in FIELDS:
        return neuron_module(where, kind(node), node, shape, options), shape
    if kind(node) == "NIRGraph":
        graph = graph_module(where, node, options, shape)
        if len(graph.inputs) > 1 or len(graph.outputs) > 1:
            raise ValueError(
                f"{where}: expected one Input and one Output of a graph within another, got "
                f"{len(graph.inputs)} and {len(graph.outputs)}"
            )
        return graph, next(iter(graph.outputs.values()))
    if kind(node) not in MAKERS:
        known = ", ".join([*FIELDS, *MAKERS, "Input", "Output", "NIRGraph"])
        raise ValueError(f"{where}: expected a node among {known}, got {kind(node)}")
    return MAKERS[kind(node)](where, node, shape, options)


def _declared(where: str, value: Any) -> Shape:
    sizes = np.atleast_1d(numbers(value))
    if sizes.ndim > 1 or sizes.dtype.kind not in "fiu" or not (np.rint(sizes) == sizes).all():
        raise ValueError(f"{where}: shape: expected whole numbers, got {value}")
    if sizes.size and not (0 < sizes.min() <= sizes.max() < LARGEST):
        raise ValueError(f"{where}: shape: expected sizes of at least 1, got {value}")
    return tuple(int(size) for size in sizes)


def _input_shape(where: str, node: Any, after: list[Any], shape: Shape | None) -> Shape:
    if node.input_type.get("input") is None:
        if shape is None:
            raise ValueError(f"{where}: expected a shape, got none")
        return shape
    declared = _declared(where, node.input_type["input"])
    # norse and snnTorch write the shape of a sample with its batch axis.
    if len(declared) > 1 and declared[0] == 1 and any(_fits(where, n, declared[1:]) for n in after):
        declared = declared[1:]
    if shape is not None and shape != declared:
        raise ValueError(f"{where}: expected shape {declared}, got {shape}")
    return declared


def _fits(where: str, node: Any, shape: Shape) -> bool:
    """Whether a node that knows its shape takes inputs of the shape [...]."""
    known = (node.input_type or {}).get("input")
    return known is not None and _declared(where, known) == shape


def _output_shape(where: str, node: Any, before: Shape) -> Shape:
    declared = (node.output_type or {}).get("output")
    if declared is None or _declared(where, declared) in (before, (1, *before)):
        return before
    raise ValueError(f"{where}: expected shape {_declared(where, declared)}, got {before}")


def _linear(where: str, node: Any, shape: Shape, options: Importing) -> Made:
    weight = _weight(where, node, 2, options)
    if shape != (weight.shape[1],):
        raise ValueError(f"{where}: expected inputs of shape {(weight.shape[1],)}, got {shape}")
    bias = _bias(where, node, len(weight), options) if kind(node) == "Affine" else None
    module = nn.Linear(weight.shape[1], len(weight), bias=bias is not None, dtype=options.dtype)
    _fill(module, weight, bias)
    return module, (len(weight),)


def _weight(where: str, node: Any, dimensions: int, options: Importing) -> torch.Tensor:
    weight = made(finite(where, "weight", node.weight), options.dtype)
    if weight.dim() != dimensions or not weight.numel():
        raise ValueError(
            f"{where}: weight: expected {dimensions} dimensions, got shape {tuple(weight.shape)}"
        )
    return weight


def _bias(where: str, node: Any, size: int, options: Importing) -> torch.Tensor:
    bias = made(finite(where, "bias", node.bias), options.dtype)
    if tuple(bias.shape) != (size,):
        raise ValueError(f"{where}: bias: expected shape {(size,)}, got {tuple(bias.shape)}")
    return bias


def _fill(module: Any, weight: torch.Tensor, bias: torch.Tensor | None) -> None:
    module.weight = nn.Parameter(weight)
    if bias is not None:
        module.bias = nn.Parameter(bias)


def _scale(where: str, node: Any, shape: Shape, options: Importing) -> Made:
    scale = per_neuron(where, node, ("scale",), shape)["scale"]
    return Scale(made(scale, options.dtype)), shape


def _loop_delays(where: str, node: Any, shape: Shape, options: Importing, first: bool) -> Delays:
    """Return the delays of a loop: of the neurons that fire, or of those that receive."""
    counts, source = _steps(where, node, shape, options)
    steps = np.broadcast_to(counts, shape)
    kind_of = "axonal" if first else "dendritic"
    delays = Delays(kind_of, max(1, int(steps.max())), made(steps, options.dtype))
    remember(delays, replace(source, step={"steps": steps.astype(np.float64)}))
    return delays


def _delay(where: str, node: Any, shape: Shape, options: Importing) -> Made:
    counts, source = _steps(where, node, shape, options)
    module = Delay(made(counts, torch.int64) if counts.ndim else int(counts))
    return remember(module, source), shape


def _steps(where: str, node: Any, shape: Shape, options: Importing) -> tuple[np.ndarray, Source]:
    """Return the whole steps of a node Delay, one where they are all equal, and its numbers."""
    fields = per_neuron(where, node, ("delay",), shape)
    delay = fields["delay"].astype(np.float64)
    if (delay < 0).any():
        raise ValueError(f"{where}: delay: expected no negative one, got {delay.min():g} s")
    steps = delay / options.discretization.dt
    whole = np.rint(steps)
    if (whole >= LARGEST).any():
        raise ValueError(
            f"{where}: delay: expected fewer than 2**31 time steps, got {delay.max():g} s"
        )
    off = np.abs(steps - whole) > np.minimum(WHOLE * np.maximum(whole, 1), STEPS)
    if off.any():
        raise ValueError(
            f"{where}: delay: expected whole time steps of dt = {options.discretization.dt:g} s, "
            f"got {float(delay[off].flat[0]):g} s"
        )
    counts = whole.astype(np.int64)
    alike = counts.size and (counts == counts.flat[0]).all()
    counts = counts.reshape(-1)[0] if alike else counts
    kept = {"steps": counts.astype(np.float64)}
    return counts, Source("Delay", fields, options.discretization.same, kept)


def _conv(where: str, node: Any, shape: Shape, options: Importing) -> Made:
    dimensions = 1 if kind(node) == "Conv1d" else 2
    weight = _weight(where, node, dimensions + 2, options)
    groups = int(_whole(where, "groups", node.groups, 1)[0])
    channels = weight.shape[1] * groups
    if len(shape) != dimensions + 1 or shape[0] != channels:
        axes = "L" if dimensions == 1 else "H, W"
        raise ValueError(f"{where}: expected inputs of shape ({channels}, {axes}), got {shape}")
    declared = getattr(node, "input_shape", None)
    if declared is not None and _declared(where, declared) != shape[1:]:
        raise ValueError(
            f"{where}: input_shape: expected {_declared(where, declared)}, got {shape[1:]}"
        )
    padding = node.padding.decode() if isinstance(node.padding, bytes) else node.padding
    if not isinstance(padding, str):
        padding = _whole(where, "padding", padding, dimensions)
    maker: Any = nn.Conv1d if dimensions == 1 else nn.Conv2d
    sizes: Dict[str, Any] = {
        name: _whole(where, name, getattr(node, name), dimensions)
        for name in ("stride", "dilation")
    }
    sizes.update(padding=padding, groups=groups, dtype=options.dtype)
    kernel = tuple(weight.shape[2:])
    module = _checked(where, lambda: maker(channels, len(weight), kernel, **sizes))
    _fill(module, weight, _bias(where, node, len(weight), options))
    return _over_time(where, module, shape, options)


def _pool(where: str, node: Any, shape: Shape, options: Importing) -> Made:
    if len(shape) != 3:
        raise ValueError(f"{where}: expected inputs of shape (C, H, W), got {shape}")
    fields: dict[str, Any] = {
        name: _whole(where, name, getattr(node, name), 2)
        for name in ("kernel_size", "stride", "padding")
    }
    divisor = 1 if kind(node) == "SumPool2d" else None
    pool = nn.AvgPool2d(divisor_override=divisor, **fields)
    remember(pool, _form(node, fields, options))
    return _over_time(where, pool, shape, options)


def _form(node: Any, step: dict[str, Any], options: Importing) -> Source:
    """Return the form in which a node writes whole numbers."""
    fields = {name: numbers(getattr(node, name)) for name in step}
    return Source(
        kind(node),
        fields,
        options.discretization.same,
        {name: np.asarray(value, np.float64) for name, value in step.items()},
    )


def _flatten(where: str, node: Any, shape: Shape, options: Importing) -> Made:
    declared = (node.input_type or {}).get("input")
    if declared is not None and _declared(where, declared) not in (shape, (1, *shape)):
        raise ValueError(
            f"{where}: expected inputs of shape {_declared(where, declared)}, got {shape}"
        )
    ends = [int(_whole(where, each, getattr(node, each), 1)[0]) for each in FLATTENING]
    for name, end in zip(FLATTENING, ends):
        if not -len(shape) <= end < len(shape):
            raise ValueError(f"{where}: {name}: expected a dimension of {shape}, got {end}")
    start, end = (each % len(shape) for each in ends)
    if start > end:
        raise ValueError(f"{where}: start_dim: expected none after end_dim, got {ends}")
    module = nn.Flatten(start + 2, end + 2)  # after time and batch
    step = {"start_dim": start, "end_dim": end}
    remember(module, _form(node, step, options))
    middle = int(np.prod(shape[start : end + 1]))
    return module, (*shape[:start], middle, *shape[end + 1 :])


FLATTENING = ("start_dim", "end_dim")
MAKERS: Dict[str, Callable[[str, Any, Shape, Importing], Made]] = {
    "Linear": _linear,
    "Affine": _linear,
    "Scale": _scale,
    "Threshold": lambda *args: (threshold_module(*args), args[2]),
    "Delay": _delay,
    "Conv1d": _conv,
    "Conv2d": _conv,
    "SumPool2d": _pool,
    "AvgPool2d": _pool,
    "Flatten": _flatten,
}


def _whole(where: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    """Return a whole number, or one for each of some dimensions."""
    array = finite(where, name, value)
    if array.size not in (1, count) or (array != np.rint(array)).any():
        raise ValueError(f"{where}: {name}: expected {count} whole numbers, got {value}")
    numbers_of = tuple(int(number) for number in array.reshape(-1))
    return numbers_of if len(numbers_of) == count else numbers_of * count


def _over_time(where: str, module: nn.Module, shape: Shape, options: Importing) -> Made:
    """Return a module over all time steps, and the shape that it makes of `shape`."""
    weight = next(module.parameters(), None)
    device = "cpu" if weight is None else weight.device

    def result_of_zeros() -> torch.Tensor:
        result: torch.Tensor = module(torch.zeros(1, *shape, dtype=options.dtype, device=device))
        return result

    with torch.no_grad():
        result = _checked(where, result_of_zeros)
    return TimeDistributed(module), tuple(result.shape[1:])


def _checked(where: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (RuntimeError, ValueError) as error:
        raise ValueError(f"{where}: expected what torch accepts, got: {error}") from None
