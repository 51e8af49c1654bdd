"""Changes that a caller may make between a forward and a backward pass, on any engine."""

from __future__ import annotations

import gc
import re
import weakref
from dataclasses import is_dataclass
from typing import Any, Callable, NamedTuple

import pytest
import torch
from torch import Tensor
from torch.autograd.function import BackwardCFunction

from popsnn import SpikeTensor, functional, nn
from popsnn.functional import BitSpikes
from popsnn.functional.bits import with_bits
from popsnn.nn import SNN, SNNState

REFUSED = re.compile("modified (by an )?inplace")  # every sentence of autograd about it


class Pass(NamedTuple):
    """A forward pass: what went in, and what came out."""

    net: SNN
    x: SpikeTensor
    state: SNNState
    out: Tensor
    end: SNNState
    traces: Any


def net_of(engine: str) -> SNN:
    """Return a late recurrent layer, a second one, and a readout, all with learnt neurons."""
    torch.manual_seed(0)
    net = SNN(
        nn.SparseLIF(6, 8, recurrent=True, delay=1, learn_beta=True, reset="none"),
        nn.SparseLIF(8, 5, delay=1, learn_threshold=True, reset="subtract"),
        nn.LI(5, 3, learn_beta=True),
        backend=engine,
    )
    with torch.no_grad():
        for layer in net.stack:
            layer.weight.normal_(0.2, 0.5)
    return net.eval()


def lists(seed: int) -> SpikeTensor:
    """Return spikes (5, 4, 6), 3 in every list: other ids go with the same counts."""
    generator = torch.Generator().manual_seed(seed)
    order = torch.rand(5, 4, 6, generator=generator, device="cpu").argsort(-1)
    ids = order[..., :3].sort(-1).values.to(torch.int32)
    counts = torch.full((5, 4, 2), 3, dtype=torch.int32, device="cpu")
    return SpikeTensor(ids, counts, 6).to(torch.empty(0).device)


def begin(net: SNN) -> SNNState:
    """Return a state that some steps could have left; membranes have a gradient."""
    generator = torch.Generator().manual_seed(2)
    layers = []
    below = None
    for layer, rest in zip(net.stack, net.initial_state(4).layers):
        v, s, x = (torch.rand(part.shape, generator=generator, device="cpu") for part in rest[:3])
        s = (s < 0.4) * (0.0 if isinstance(layer, nn.LI) else 1.0)
        x = (x < 0.4).float() if below is None else below
        v, s, x = (part.to(rest.v) for part in (v, s, x))
        layers.append(rest._replace(v=v.requires_grad_(), s=s, x=x.clone(), step=3))
        below = s
    return SNNState(tuple(layers), 7)


def _replace_weight(done: Pass) -> None:
    for layer in done.net.stack:
        layer.weight = torch.nn.Parameter(torch.zeros_like(layer.weight))


CHANGES: dict[str, Callable[[Pass], Any]] = {
    "nothing": lambda done: None,
    "ids": lambda done: done.x.ids.copy_(lists(3).ids),
    "counts": lambda done: done.x.counts.fill_(1),
    "dropped": lambda done: done.x.dropped.fill_(1),
    "values": lambda done: done.x.values.fill_(0),
    "membrane before": lambda done: [layer.v.fill_(-2) for layer in done.state.layers],
    "spikes before": lambda done: [layer.s.fill_(0) for layer in done.state.layers],
    "input before": lambda done: [layer.x.fill_(0) for layer in done.state.layers],
    "membrane after": lambda done: [layer.v.fill_(-2) for layer in done.end.layers],
    "spikes after": lambda done: [layer.s.fill_(0) for layer in done.end.layers],
    "input after": lambda done: [layer.x.fill_(0) for layer in done.end.layers],
    "output": lambda done: done.out.fill_(0),
    "traced membranes": lambda done: [trace.membrane.fill_(0) for trace in done.traces[:-1]],
    "traced ids": lambda done: [trace.spikes.ids.fill_(0) for trace in done.traces[:-1]],
    "traced counts": lambda done: [trace.spikes.counts.fill_(0) for trace in done.traces[:-1]],
    "weights": lambda done: [layer.weight.zero_() for layer in done.net.stack],
    "recurrent weights": lambda done: done.net.layers[0].recurrent_weight.zero_(),
    "biases": lambda done: [layer.bias.fill_(9) for layer in done.net.stack],
    "leaks": lambda done: done.net.layers[0].beta.fill_(0.1),
    "thresholds": lambda done: done.net.layers[1].threshold.fill_(3),
    "another weight": _replace_weight,
    "options": lambda done: [setattr(layer, "gain", 3.0) for layer in done.net.stack],
}


def gradients(engine: str, change: str, again: bool) -> dict[str, Tensor]:
    """Return the gradients of a pass between whose two halves something was changed.

    With `again` another pass of the same shape comes in between too.
    """
    net = net_of(engine)
    x, state = lists(1), begin(net)
    parameters = dict(net.named_parameters())
    out, end, traces = net(x, state, return_state=True, trace=True)
    loss = out.square().sum() + sum(layer.v.square().sum() for layer in end.layers)
    loss = loss + sum(trace.spikes.values.sum() for trace in traces[:-1])
    if again:
        with torch.no_grad():
            net(lists(4), begin(net), return_state=True, trace=True)
    with torch.no_grad():
        CHANGES[change](Pass(net, x, state, out, end, traces))
    loss.backward()
    of_states = {f"state {i}": layer.v.grad for i, layer in enumerate(state.layers)}
    return {**of_states, **{name: parameter.grad for name, parameter in parameters.items()}}


def assert_right_or_refused(engine: str, change: str, again: bool) -> None:
    """Assert that a change alters no gradient, or that autograd's own sentence says so."""
    expected = gradients(engine, "nothing", False)
    assert all(float(gradient.abs().max()) > 0 for gradient in expected.values())
    try:
        got = gradients(engine, change, again)
    except RuntimeError as error:
        if change == "nothing" or not REFUSED.search(str(error)):
            raise
        return
    for name, gradient in expected.items():
        torch.testing.assert_close(
            got[name], gradient, msg=lambda text, name=name: f"{name}: {text}"
        )


def tensors_of(**values: Any) -> dict[str, Tensor]:
    """Return every tensor of the values that a caller has, by a unique name."""
    tensors: dict[str, Tensor] = {}
    for name, value in values.items():
        if isinstance(value, Tensor):
            tensors[name] = value
        elif isinstance(value, dict):
            tensors.update(tensors_of(**{f"{name}.{key}": item for key, item in value.items()}))
        elif isinstance(value, SpikeTensor):
            parts = {key: getattr(value, key) for key in ("ids", "counts", "dropped", "values")}
            tensors.update(tensors_of(**{name: parts}))
        elif isinstance(value, (list, tuple)):
            tensors.update(tensors_of(**{name: dict(enumerate(value))}))
        elif is_dataclass(value):
            tensors.update(tensors_of(**{name: vars(value)}))
    return tensors


def assert_no_shared_memory(tensors: dict[str, Tensor]) -> None:
    """Assert that all elements of all tensors have different addresses."""
    names: dict[int, str] = {}
    for name, tensor in tensors.items():
        start = tensor.untyped_storage().data_ptr()
        size = tensor.element_size()
        numbers = torch.arange(tensor.untyped_storage().nbytes() // size, device="cpu")
        offsets = numbers.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
        for offset in offsets.flatten().tolist():
            address = start + offset * size
            assert address not in names, f"{name} and {names[address]} share memory"
            names[address] = name


every_change = pytest.mark.parametrize("change", CHANGES)


def elementwise(device: torch.device, backend: str) -> list[Tensor]:
    """Return outputs of elementwise layers for an input with a gradient."""
    x = torch.randn(3, 2, 4, 6, 6, device=device).requires_grad_()
    norm = nn.BatchNormLIF(4, bits=True, backend=backend).to(device)
    conv = nn.SpikeConv2d(4, 3, 3).to(device)
    spikes = norm(x, with_bits((x.detach() > 0).float()))
    assert isinstance(spikes, BitSpikes)
    pooled = nn.SpikeMaxPool2d(2, 2)(with_bits(nn.LIF(backend=backend)(conv(spikes))))
    assert isinstance(pooled, BitSpikes)
    state = functional.LIFState(x[0].detach().requires_grad_(), torch.zeros_like(x[0]))
    beta = torch.rand(6, device=device).requires_grad_()
    out = functional.lif(x, state, beta=beta, backend=backend)
    loss = out.membrane.flatten(2).mean()
    return [pooled.dense, spikes.dense, out.spikes, out.state.v, loss]


def unchecked_tensors(*outs: Tensor) -> set[str]:
    """Return the attributes of autograd functions behind `outs` that contain tensors.

    Autograd notices in-place changes only of tensors from `save_for_backward`.
    """
    attributes: set[str] = set()
    nodes: list[Any] = [out.grad_fn for out in outs]
    seen = set(nodes)
    for node in nodes:
        for name, value in vars(node).items() if isinstance(node, BackwardCFunction) else ():
            if any(tensor.numel() for tensor in _tensors_in(value)):
                attributes.add(f"{type(node).__name__}.{name}")
        following = {after for after, _ in node.next_functions if after is not None} - seen
        seen |= following
        nodes += following
    return attributes


def _tensors_in(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (dict, SpikeTensor)) or is_dataclass(value):
        value = (value if isinstance(value, dict) else vars(value)).values()
    elif not isinstance(value, (list, tuple, set)):
        return []
    return [tensor for part in value for tensor in _tensors_in(part)]


USES = ["forward", "backward", "saved output", "saved state and traces"]


def remains_of_a_network(engine: str, use: str) -> list[Any]:
    """Return the objects of a network that exist after its last reference, without `gc`."""
    net = net_of(engine)
    out, state, traces = net(lists(1), return_state=True, trace=True)
    if use == "backward":
        out.sum().backward()
    elif use == "saved output":
        net.saved = out
    elif use == "saved state and traces":
        net.saved = state, traces
    references = [weakref.ref(x) for x in (net, *net.parameters(), *net.engine_state.values())]
    gc.collect()
    gc.disable()
    try:
        del net, out, state, traces
        return [reference() for reference in references if reference() is not None]
    finally:
        gc.enable()
