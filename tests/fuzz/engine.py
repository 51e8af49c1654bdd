"""A network of `popsnn.nn` from its description, one run of it, and all that the run left."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
from torch import Tensor

from popsnn import SpikeTensor, surrogate
from popsnn.engines import LayerTrace
from popsnn.functional import SparseState
from popsnn.neurons import AdaptiveLIF
from popsnn.nn import SNN, SNNState, SparseLI, SparseLIF, SparseNeurons

from . import kernels
from .description import Layer, parameters
from .references.network import EXTRA
from .references.neuron import Followed
from .runs import FIRST_STEP, STATE_SEED, Run


@dataclass
class Observed:
    """Results of a run: tensors of layers [T, B, N], and gradients by name."""

    out: Tensor
    membranes: List[Tensor]
    masks: List[Optional[Followed]]
    dropped: List[Optional[Tensor]]
    stats: Optional[List[Tuple[int, int, int]]] = None  # spikes and drops, in the last chunk
    end: Optional[SNNState] = None
    grads: Dict[str, Optional[Tensor]] = field(default_factory=dict)
    differs: bool = False  # the traced run, in its output


def build_layer(layer: Layer, inputs: int, named: Dict[str, Tensor]) -> Any:
    """Return a layer with these parameters."""
    neurons = layer.neurons
    options: Dict[str, Any] = {
        "bias": layer.bias,
        "delay": layer.delay,
        "gain": layer.gain,
        "weight_dtype": layer.rounds_to,
    }
    learnt = {"beta": layer.learn_beta}
    if layer.spiking:
        learnt["threshold"] = layer.learn_threshold
        options.update(
            recurrent=layer.recurrent,
            surrogate=getattr(surrogate, layer.surrogate[0])(*layer.surrogate[1:]),
            grad_threshold=layer.options(named).grad_threshold,
            max_activity=layer.max_activity,
        )
    values = {
        name: float(value) if value.dim() == 0 else value.float()
        for name, value in named.items()
        if name in ("beta", "threshold", "rho", "kappa")
    }
    options.update(
        (option, late.of_layer(option, named[f"{option}.steps"]))
        for option, late in layer.lates.items()
    )
    starts = {**values, "beta": _legal(values["beta"])}
    if layer.kind == "alif":
        learn = ("beta", "threshold", "rho", "kappa") if layer.learn_beta else ()
        model = AdaptiveLIF(layer.reset, layer.detach_reset)
        made: Any = SparseNeurons(inputs, neurons, model, parameters=starts, learn=learn, **options)
    else:
        options.update({f"learn_{name}": learn for name, learn in learnt.items()})
        if layer.spiking:
            options.update(reset=layer.reset, detach_reset=layer.detach_reset)
        made = (SparseLIF if layer.spiking else SparseLI)(inputs, neurons, **starts, **options)
    with torch.no_grad():
        for name, value in named.items():
            stored = attrgetter(name)(made)
            if isinstance(stored, Tensor):
                stored.copy_(value.expand(stored.shape))
    return made


def _legal(beta: Any) -> Any:
    """Return a decay that a layer may begin with: a learnt one may come to lie elsewhere."""
    return beta.clamp(0, 1) if isinstance(beta, Tensor) else beta


def build(run: Run) -> SNN:
    """Return the network with its numbers, where its engine takes it."""
    network = run.network
    layers = _layers(run)
    options: Dict[str, Any] = {} if run.device is None else {"device": run.device}
    options["checkpoint_interval"] = run.interval or None
    on_kernels = run.engine in ("cuda", "host")
    device = kernels.install() if on_kernels else torch.device("cpu")
    net = SNN(*layers, backend="torch", seed=network.seed, **options)
    net.to(device, run.dtype).train(run.training)
    net.backend = "cuda" if on_kernels else run.engine
    return net


def _layers(run: Run) -> List[Any]:
    network = run.network
    layers = [
        build_layer(layer, inputs, named)
        for layer, (inputs, _), named in zip(network.layers, network.sizes(), parameters(network))
    ]
    if run.frozen:
        for layer in layers:
            if layer.bias is not None:
                layer.bias.requires_grad_(False)
    return layers


def observe(run: Run) -> Observed:
    """Run the network as it says."""
    if run.engine == "alone":
        return _observe_alone(run)
    net = build(run)
    where = next(net.parameters()).device
    with torch.no_grad():
        for _ in range(run.passes):
            net(torch.zeros(1, run.batch, run.network.inputs, dtype=run.dtype, device=where))
    before = {name: value.clone() for name, value in net.state_dict().items()}
    observed = _observe(run, net, net, run.trace)
    observed.stats = [
        (int(layer.spikes), int(layer.dropped_spikes), int(layer.dropped_gradients))
        for layer in net.stats()
    ]
    if run.trace:
        return observed
    net.load_state_dict(before)
    traced = _observe(run, net, net, True)
    observed.membranes, observed.masks = traced.membranes, traced.masks
    observed.dropped = traced.dropped
    observed.differs = not torch.equal(observed.out, traced.out)
    return observed


def _observe_alone(run: Run) -> Observed:
    """Run the only layer without a network, on the torch engine."""
    layers = torch.nn.ModuleList(_layers(run)).to(run.dtype)
    layer: Any = layers[0]
    options = {"seed": run.network.seed, "layer": run.number} if hasattr(layer, "capacity") else {}

    def call(x: Any, state: Optional[SNNState], return_state: bool, trace: bool) -> Any:
        lists = x if isinstance(x, SpikeTensor) else SpikeTensor.from_dense(x)
        out = layer.run(lists, None if state is None else state.layers[0], **options)
        spikes = out.spikes if options else None
        end = SNNState((out.state,), run.network.seed)
        return out.membrane if spikes is None else spikes, end, [LayerTrace(spikes, out.membrane)]

    observed = _observe(run, call, layers, True)
    observed.grads = {
        name if name.startswith(("state", "x")) else f"layers.{name}": grad
        for name, grad in observed.grads.items()
    }
    return observed


def _observe(run: Run, call: Callable[..., Any], module: torch.nn.Module, trace: bool) -> Observed:
    where = next(module.parameters()).device
    leaves: Dict[str, Tensor] = {}
    state = _first_state(run, where, leaves)
    chunks = [input_of(run, chunk, where, leaves) for chunk in run.pieces]
    carries = run.return_state or len(chunks) > 1
    outs, traces, end = [], [], state
    for x in chunks:
        result = call(x, end, return_state=carries, trace=trace)
        out, *more = result if isinstance(result, tuple) else (result,)
        outs.append(dense_of(out, run.dtype))
        end = more[0] if carries else end
        traces.append(more[-1] if trace else [])
    out = torch.cat(outs)
    loss = _loss(run, out, traces, end)
    for index in range(run.backwards if loss.requires_grad else 0):
        loss.backward(retain_graph=index + 1 < run.backwards)
    observed = _traced(run, traces) if trace else Observed(out.detach(), [], [], [])
    observed.out = out.detach().cpu()
    observed.end = end if run.return_state else None
    tensors = {**dict(module.named_parameters()), **leaves}
    observed.grads = {
        name: None if leaf.grad is None else leaf.grad.cpu() / run.backwards
        for name, leaf in tensors.items()
        if leaf.requires_grad
    }
    _lists_as_dense(run, chunks, observed)
    for leaf in tensors.values():
        leaf.grad = None
    return observed


def _loss(run: Run, out: Tensor, traces: Sequence[Any], end: Optional[SNNState]) -> Tensor:
    def term(name: str, values: Tensor) -> Tensor:
        return (values * run.weights(name, values.shape).to(values)).sum()

    loss = term("out", out)
    if run.trace:
        for index, layer in enumerate(run.network.layers):
            if layer.spiking:
                dense = [dense_of(chunk[index].spikes, run.dtype) for chunk in traces]
                loss = loss + term(f"spikes {index}", torch.cat(dense))
            if run.engine == "alone":
                membrane = torch.cat([chunk[index].membrane for chunk in traces])
                loss = loss + term(f"membrane {index}", membrane)
    if run.return_state:
        assert end is not None
        for index, (last, layer) in enumerate(zip(end.layers, run.network.layers)):
            loss = loss + term(f"v {index}", last.v)
            if layer.spiking:
                loss = loss + term(f"s {index}", last.s)
            for name in run.lines_of(layer):
                loss = loss + term(f"{name} {index}", getattr(last, name))
    return loss


def _first_state(run: Run, where: torch.device, leaves: Dict[str, Tensor]) -> Optional[SNNState]:
    """Return the state to begin with; a layer's `x` is the `s` of the layer below."""
    if not run.state:
        return None
    layers: List[SparseState] = []
    for index, (layer, tensors) in enumerate(zip(run.network.layers, run.states())):
        v, s, x = (tensor.to(where, run.dtype) for tensor in tensors)
        x = layers[-1].s if layers else x
        if run.state_gradient:
            own = {"v": v, "s": s} if layer.spiking else {"v": v}
            own = own if index else {**own, "x": x}
            for name, tensor in own.items():
                leaves[f"state {index} {name}"] = tensor.requires_grad_()
        more = tuple(torch.zeros_like(v) for _ in EXTRA[layer.kind])
        lines = {name: line.to(where, run.dtype) for name, line in run.lines(index).items()}
        if run.state_gradient:
            for name, line in lines.items():
                leaves[f"state {index} {name}"] = line.requires_grad_()
        layers.append(SparseState(v, s, x, FIRST_STEP, more, **lines))
    return SNNState(tuple(layers), STATE_SEED)


def input_of(run: Run, piece: slice, where: torch.device, leaves: Dict[str, Tensor]) -> Any:
    """Return the input of a time chunk in its form, on the device."""
    spikes = run.spikes()[piece]
    x = spikes.to(where, run.dtype)
    if run.form.startswith("dense"):
        if run.form == "dense with gradient":
            leaves[f"x {piece.start}"] = x.requires_grad_()
        return x
    if run.form == "events":
        return SpikeTensor.from_events(spikes.nonzero(), tuple(spikes.shape)).to(where)
    lists = SpikeTensor.from_dense(x, run.capacity, seed=run.network.seed)
    if run.form == "lists":
        return lists
    values = lists.values.detach().clone().requires_grad_()
    leaves[f"x {piece.start}"] = values
    return SpikeTensor(lists.ids, lists.counts, lists.size, values=values)


def _lists_as_dense(run: Run, pieces: Sequence[Any], observed: Observed) -> None:
    """Scatter gradients of lists to dense gradients [T, B, M], and join those of the chunks."""
    grads: List[Tensor] = []
    for chunk, x in zip(run.pieces, pieces):
        grad = observed.grads.pop(f"x {chunk.start}", None)
        if grad is None:
            return
        if isinstance(x, SpikeTensor):
            capacity = torch.arange(x.capacity) < x.counts[..., 1:].cpu()
            dense = torch.zeros(x.shape, dtype=grad.dtype)
            grad = dense.scatter_add(-1, x.ids.cpu().long(), grad * capacity)
        grads.append(grad)
    observed.grads["x"] = torch.cat(grads)


def _traced(run: Run, traces: Sequence[Sequence[Any]]) -> Observed:
    """Return what the traces of the chunks hold."""
    membranes, masks, dropped = [], [], []
    for index, layer in enumerate(run.network.layers):
        own = [chunk[index] for chunk in traces]
        membranes.append(torch.cat([trace.membrane.detach().cpu() for trace in own]))
        if not layer.spiking:
            masks.append(None)
            dropped.append(None)
            continue
        masks.append(masks_of([trace.spikes for trace in own]))
        dropped.append(torch.cat([trace.spikes.dropped.cpu() for trace in own]))
    return Observed(torch.zeros(0), membranes, masks, dropped)


def masks_of(pieces: Sequence[Optional[SpikeTensor]]) -> Optional[Followed]:
    """Return the masks [T, B, N] that lists hold, chunk after chunk; None where there are none."""
    if pieces[0] is None:
        return None
    lists = [chunk.detach().to("cpu") for chunk in pieces]
    return Followed(*(torch.cat([_mask(chunk, part) for chunk in lists]) for part in (0, 1)))


def _mask(spikes: SpikeTensor, part: int) -> Tensor:
    """Return which neurons the lists' first part (0), or the whole lists (1) hold."""
    capacity = torch.arange(spikes.capacity) < spikes.counts[..., part : part + 1]
    counts = torch.zeros(spikes.shape, dtype=torch.int32)
    return counts.scatter_add(-1, spikes.ids.long(), capacity.int()) > 0


def dense_of(out: Any, dtype: torch.dtype) -> Tensor:
    """Return an output as a dense tensor."""
    return out.to_dense(dtype) if isinstance(out, SpikeTensor) else out
