"""Export: nodes of modules, and the graph of a network."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Callable, Dict, Mapping, Sequence, Tuple

import numpy as np
import torch
from torch import nn

from ..nn import (
    LIF,
    SNN,
    LeakyIntegrator,
    SpikeConv2d,
    Spiking,
    SynapticLIF,
    TimeDistributed,
)
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import Delays
from ..nn.sparse_li import SparseLI
from ._discretization import Discretization
from ._export_neurons import (
    delays_node,
    feeds_itself,
    loop_nodes,
    neuron_node,
    recurrent,
    recurrent_node,
    weights,
)
from ._layers import Delay, Scale
from ._neurons import Feedback
from ._values import Shape, finite, of_option
from .graph import Graph

Chain = Sequence[Tuple[str, Any]]
"""Names, or "" of one node alone, and nodes that follow each other."""

NEURONS = (LIF, SynapticLIF, LeakyIntegrator, Spiking)
SILENT = (nn.Identity, nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.AlphaDropout)
FOLDING = (nn.Conv1d, nn.Conv2d, nn.AvgPool2d, nn.LPPool2d)
OVER_TIME = 2  # axes in front of those of a node: time and batch
FOLDED = 1
KNOWN = ("torch.nn.modules.", "popsnn.nn.", "popsnn.nir.", "popsnn.convert.")
COMPUTING = ("__call__", "forward", "_conv_forward")


def chain(
    where: str, module: nn.Module, shape: Shape, options: Discretization, axes: int
) -> tuple[Chain, Shape]:
    """Return the nodes of a module that is no container of torch, and the shape that they make.

    Parameters
    ----------
    where : str
        What messages begin with.
    module : nn.Module
    shape : tuple of int
        [...] of what enters.
    options : Discretization
    axes : int
        In front of [...]: 2 over time, 1 where time is folded into the batch.

    Raises
    ------
    ValueError
        Where NIR has no equal.
    """
    plain(where, module)
    if isinstance(module, SILENT):
        return [], shape
    if isinstance(module, Graph):
        if list(module.inputs.values()) != [shape] or len(module.outputs) > 1:
            raise ValueError(
                f"{where}: expected one Input of shape {shape} and one Output, got "
                f"{list(module.inputs.values())} and {list(module.outputs.values())}"
            )
        return [("", graph_node(where, module, options))], next(iter(module.outputs.values()))
    if isinstance(module, SNN):
        return _each(where, dict(module.layers.named_children()), "layers.", shape, options, axes)
    if isinstance(module, (SparseLayer, SparseLI)):
        return _sparse(where, module, shape, options)
    if isinstance(module, NEURONS):
        make: Callable[..., Any] = recurrent_node if recurrent(module) else neuron_node
        if isinstance(module, Feedback) and module.delay is None and feeds_itself(module):
            make = _self_loop
        if axes != OVER_TIME:
            raise ValueError(
                f"{where}: expected neurons outside of nn.TimeDistributed, which has no time, got "
                f"{type(module).__name__}"
            )
        return [("", make(where, module, shape, options))], shape
    if isinstance(module, (TimeDistributed, nn.Sequential)):
        folded = axes if type(module) is nn.Sequential else FOLDED
        return _each(where, dict(module.named_children()), "", shape, options, folded)
    if isinstance(module, FOLDING) and not isinstance(module, SpikeConv2d) and axes == OVER_TIME:
        raise ValueError(
            f"{where}: expected it within nn.TimeDistributed, since x is [T, B, ...], got "
            f"{type(module).__name__} alone"
        )
    for kinds, maker in MAKERS.items():
        if isinstance(module, kinds):
            return [("", maker(where, module, shape, options, axes))], _after(
                where, module, shape, axes
            )
    name = type(module).__name__
    raise ValueError(f"{where}: expected a module that NIR has a node for, got {name}")


def plain(where: str, module: nn.Module) -> None:
    """Check that a module computes what the class of torch or popsnn does that it derives from.

    Raises
    ------
    ValueError
        Where a subclass or a hook changes it, or an option of `popsnn.convert` does.
    """
    kind = type(module)
    known: Any = next(each for each in kind.__mro__ if each.__module__.startswith(KNOWN))
    for method in COMPUTING:
        if known is not nn.Module and getattr(kind, method, None) != getattr(known, method, None):
            raise ValueError(
                f"{where}: {method}: expected that of {known.__name__}, got another of "
                f"{kind.__name__}"
            )
    unhooked(where, module)
    for option in ("start", "membrane", "bias") if isinstance(module, Spiking) else ():
        value = getattr(module, option, None)
        if isinstance(value, torch.Tensor) or value:
            raise ValueError(
                f"{where}: {option}: expected none, since NIR has none, got one of {kind.__name__}"
            )


def unhooked(where: str, module: nn.Module) -> None:
    """Check that a module computes what its own class does.

    Raises
    ------
    ValueError
        Where a hook or a method of this module alone changes it.
    """
    name = type(module).__name__
    if module._forward_hooks or module._forward_pre_hooks:
        raise ValueError(
            f"{where}: expected a module without forward hooks, which NIR has no node for, got "
            f"some of {name}"
        )
    replaced = [method for method in COMPUTING if method in vars(module)]
    if replaced:
        raise ValueError(f"{where}: {replaced[0]}: expected that of {name}, got another")


def _each(
    where: str,
    modules: Dict[str, nn.Module],
    prefix: str,
    shape: Shape,
    options: Discretization,
    axes: int,
) -> tuple[Chain, Shape]:
    nodes: list[tuple[str, Any]] = []
    for name, module in modules.items():
        own, shape = chain(f"{where}.{prefix}{name}", module, shape, options, axes)
        nodes += [(f"{prefix}{name}" + (f".{inner}" if inner else ""), node) for inner, node in own]
    return nodes, shape


def _after(where: str, module: nn.Module, shape: Shape, axes: int) -> Shape:
    """Return the shape that a module of torch makes of inputs of the shape [...]."""
    like = next(module.parameters(), torch.zeros((), device="cpu"))
    zeros = torch.zeros(*[1] * axes, *shape, dtype=like.dtype, device=like.device)
    try:
        with torch.no_grad():
            result = module(zeros)
    except (RuntimeError, ValueError, IndexError) as error:
        raise ValueError(f"{where}: expected inputs that it takes, got {shape}: {error}") from None
    return tuple(result.shape[axes:])


def _self_loop(where: str, module: Any, shape: Shape, options: Discretization) -> Any:
    import nir

    return nir.NIRGraph(
        nodes={
            "input": nir.Input(np.array(shape)),
            "lif": neuron_node(where, module, shape, options),
            "output": nir.Output(np.array(shape)),
        },
        edges=[("input", "lif"), ("lif", "lif"), ("lif", "output")],
        metadata={},
        type_check=False,
    )


def _sparse(where: str, layer: Any, shape: Shape, options: Discretization) -> tuple[Chain, Shape]:

    if shape != (layer.in_features,):
        raise ValueError(f"{where}: expected inputs of shape {(layer.in_features,)}, got {shape}")
    after = (layer.out_features,)
    if isinstance(layer, SparseLayer) and layer.capacity < layer.out_features:
        raise ValueError(
            f"{where}: max_activity: expected None, since NIR has no capacity, got "
            f"{layer.max_activity}"
        )
    linear: list[tuple[str, Any]] = [("linear", weights(where, layer))]
    nodes = _delayed(where, layer, linear, shape, options)
    make = recurrent_node if recurrent(layer) else neuron_node
    name = "li" if isinstance(layer, SparseLI) else "lif"
    nodes.append((name, make(where, layer, after, options, layer.gain)))
    return nodes, after


def _delayed(
    where: str, layer: Any, linear: list[tuple[str, Any]], shape: Shape, options: Discretization
) -> list[tuple[str, Any]]:
    """Return a layer's linear node with its delays; learnt delays are rounded as in evaluation."""
    import nir

    delay = layer.delay
    if not isinstance(delay, Delays):
        late = nir.Delay(np.full(shape, delay * options.dt))
        return [("delay", late), *linear] if delay else linear
    delayed = shape if delay.kind == "axonal" else (layer.out_features,)
    node = ("delay", delays_node(where, "delay", delay, delayed, options))
    if delay.kind == "axonal":
        return [node, *linear]
    if layer.bias is not None and bool(layer.bias.detach().any()):
        raise ValueError(
            f"{where}: bias: expected none or zeros with dendritic Delays, which NIR's node behind "
            "an Affine node would delay too, got others"
        )
    return [*linear, node]


def graph_node(where: str, graph: Graph, options: Discretization) -> Any:
    """Return the NIR graph of a network that `from_nir` made."""
    import nir

    shapes: dict[str, Shape] = dict(graph.inputs)
    nodes: dict[str, Any] = {
        name: nir.Input(np.array(shape)) for name, shape in graph.inputs.items()
    }
    edges = list(graph.edges)
    for name in graph.order:
        if name in graph.inputs:
            continue
        shape = shapes[next(start for start, end in graph.edges if end == name)]
        if name in graph.outputs:
            nodes[name] = nir.Output(np.array(shape))
            continue
        module: Any = graph[name]
        at = f"{where}: {name}"
        if name in graph.loops:
            plain(at, module)
            nodes[name], shapes[name] = neuron_node(at, module, shape, options), shape
            weights_name = graph.loops[name]
            if weights_name is not None or not feeds_itself(module):
                weights_name = _free(weights_name, name, "feedback", graph)
            known = graph.loop_delays.get(name)
            delay_name = _free(None if known is None else known.node, name, "delay", graph)
            loop = loop_nodes(at, module, shape, options, weights_name, delay_name)
            nodes.update(loop)
            names = [name, *loop, name]
            edges += zip(names, names[1:])
            continue
        own, shapes[name] = chain(at, module, shape, options, OVER_TIME)
        if len(own) != 1:
            raise ValueError(f"{at}: expected a module of one node, got {len(own)}")
        nodes[name] = own[0][1]
    for name, node in nodes.items():
        node.metadata = deepcopy(graph.metadata.get(name, {}))
    metadata = deepcopy(graph.metadata.get("", {}))
    return nir.NIRGraph(nodes=nodes, edges=edges, metadata=metadata, type_check=False)


def _free(known: str | None, neuron: str, part: str, graph: Graph) -> str:
    """Return the name of a part of a neuron's loop, which is none of the graph's modules."""
    while known is None or known in graph.modules_by_name():
        known = f"{known or neuron}_{part}"
    return known


def _linear(where: str, module: Any, shape: Shape, options: Discretization, axes: int) -> Any:
    if len(shape) != 1:
        raise ValueError(f"{where}: expected inputs of one dimension, got shape {shape}")
    return weights(where, module)


def _conv(where: str, module: Any, shape: Shape, options: Discretization, axes: int) -> Any:
    import nir

    if module.padding_mode != "zeros":
        raise ValueError(
            f"{where}: padding_mode: expected 'zeros', the one that NIR has, got "
            f"{module.padding_mode!r}"
        )
    one = isinstance(module, nn.Conv1d)
    weight = finite(where, "weight", module.weight)
    no_bias = np.zeros(len(weight), weight.dtype)
    bias = no_bias if module.bias is None else finite(where, "bias", module.bias)

    def sizes(value: Any) -> Any:
        return value if isinstance(value, str) else int(value[0]) if one else tuple(value)

    return (nir.Conv1d if one else nir.Conv2d)(
        input_shape=shape[1] if one else tuple(shape[1:]),
        weight=weight,
        stride=sizes(module.stride),
        padding=sizes(module.padding),
        dilation=sizes(module.dilation),
        groups=module.groups,
        bias=bias,
    )


def _pool(where: str, module: Any, shape: Shape, options: Discretization, axes: int) -> Any:
    import nir

    padding = _pair(module.padding)
    _check_images(where, shape)
    if module.ceil_mode:
        raise ValueError(f"{where}: ceil_mode: expected False, which NIR has, got True")
    counted = module.count_include_pad or not padding.any()
    if module.divisor_override not in (None, 1) or not (counted or module.divisor_override):
        raise ValueError(
            f"{where}: expected the mean of a window with its padding, or with "
            f"divisor_override=1 its sum, got divisor_override={module.divisor_override}, "
            f"count_include_pad={module.count_include_pad}"
        )
    kind = "SumPool2d" if module.divisor_override == 1 else "AvgPool2d"
    sizes = {
        "kernel_size": _pair(module.kernel_size),
        "stride": _pair(module.stride),
        "padding": padding,
    }
    return getattr(nir, kind)(**_as_read(module, kind, sizes, options))


def _norm_pool(where: str, module: Any, shape: Shape, options: Discretization, axes: int) -> Any:
    import nir

    _check_images(where, shape)
    if module.norm_type != 1 or module.ceil_mode:
        raise ValueError(
            f"{where}: expected norm_type=1 and ceil_mode=False, which make a sum, got "
            f"norm_type={module.norm_type}, ceil_mode={module.ceil_mode}"
        )
    stride = module.kernel_size if module.stride is None else module.stride
    return nir.SumPool2d(_pair(module.kernel_size), _pair(stride), _pair(0))


def _check_images(where: str, shape: Shape) -> None:
    if len(shape) != 3:
        raise ValueError(f"{where}: expected inputs of shape (C, H, W), got {shape}")


def _pair(value: Any) -> np.ndarray:
    return np.array(np.broadcast_to(np.asarray(value), (2,)))


def _flatten(where: str, module: Any, shape: Shape, options: Discretization, axes: int) -> Any:
    import nir

    rank = len(shape) + axes
    ends = [end % rank - axes for end in (module.start_dim, module.end_dim)]
    if min(ends) < 0:
        first = "time and batch" if axes == OVER_TIME else "the batch"
        raise ValueError(
            f"{where}: start_dim: expected {first} left as they are, got {module.start_dim}"
        )
    dims = dict(zip(("start_dim", "end_dim"), map(np.asarray, ends)))
    fields = _as_read(module, "Flatten", dims, options)
    return nir.Flatten(np.array(shape), **{name: int(value) for name, value in fields.items()})


def _as_read(
    module: Any, kind: str, fields: Dict[str, np.ndarray], options: Discretization
) -> Mapping[str, np.ndarray]:
    """Return fields in the form in which the module's node had them, where it had the same."""
    source = getattr(module, "nir_source", None)
    step = {name: value.astype(np.float64) for name, value in fields.items()}
    if source is not None and source.still(kind, options, step):
        return source.copies()
    return fields


def _scale(where: str, module: Any, shape: Shape, options: Discretization, axes: int) -> Any:
    import nir

    return nir.Scale(np.array(np.broadcast_to(finite(where, "scale", module.scale), shape)))


def _delay(where: str, module: Any, shape: Shape, options: Discretization, axes: int) -> Any:
    import nir

    steps = of_option(module.steps)
    source = getattr(module, "nir_source", None)
    if (
        source is not None
        and source.fits(shape)
        and source.still("Delay", options, {"steps": steps})
    ):
        return nir.Delay(**source.copies())
    return nir.Delay(np.array(np.broadcast_to(steps * options.dt, shape)))


MAKERS: Dict[Tuple[type, ...], Callable[[str, Any, Shape, Discretization, int], Any]] = {
    (nn.Linear,): _linear,
    (nn.Conv1d, nn.Conv2d, SpikeConv2d): _conv,
    (nn.AvgPool2d,): _pool,
    (nn.LPPool2d,): _norm_pool,
    (nn.Flatten,): _flatten,
    (Scale,): _scale,
    (Delay,): _delay,
}
