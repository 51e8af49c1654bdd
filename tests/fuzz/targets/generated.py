"""Random neurons from steps in torch, on kernels made from them, against torch in float64.

float32 decides otherwise than float64 where a membrane is near its threshold. Such neurons are left
out: those for which torch itself differs between the two. A capacity couples all neurons of a
layer: with a single such neuron the case is a tie.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch
from hypothesis import strategies as st
from torch import Tensor

from popsnn import functional
from popsnn.nn import SNN, SNNState, SparseLI, SparseNeurons
from popsnn.surrogate import NAMED

from .. import kernels
from ..outcome import BAD, OK, REFUSALS, TIE, Outcome, refused
from ..random_neuron import RandomNeuron, parameters_of
from ..target import Target

TOLERANCE = 1e-3
DECIDED = 0.5  # of the neurons at least, or the case is a tie


@dataclass(frozen=True)
class Case:
    """A neuron by its seed, and what it runs on."""

    seed: int
    steps: int
    neurons: int
    recurrent: bool
    surrogate: int
    scale: float
    states: bool
    backend: str
    layer: bool = False
    max_activity: Optional[float] = None
    grad_threshold: Optional[float] = None

    @property
    def pieces(self) -> List[slice]:
        """The steps of each call of a network, on kernels two with a state."""
        cut = self.steps // 2 if self.states and self.backend != "ipu" else 0
        return [slice(0, cut), slice(cut, self.steps)] if cut else [slice(0, self.steps)]


def _as_it_is(neuron: RandomNeuron) -> RandomNeuron:
    return neuron


@st.composite
def cases(draw: Any) -> Case:
    """Draw a case."""
    backend = draw(st.sampled_from((kernels.ENGINE, "ipu")))
    layer = backend == "ipu" or draw(st.booleans())
    return Case(
        seed=draw(st.integers(0, 2**31 - 1)),
        steps=draw(st.sampled_from((1, 3, 8, 12))),
        neurons=draw(st.sampled_from((5, 64, 128))),
        recurrent=draw(st.sampled_from((False, False, False, True))),
        surrogate=draw(st.integers(0, len(NAMED) - 1)),
        scale=draw(st.sampled_from((1.0, 0.5))),
        states=draw(st.booleans()),
        backend=backend,
        layer=layer,
        max_activity=draw(st.sampled_from((None, 0.25))) if layer else None,
        grad_threshold=draw(st.sampled_from((None, 0.2))) if layer else None,
    )


def observe(case: Case, neuron: RandomNeuron, backend: str, to: Any) -> List[Tensor]:
    """Return outputs and gradients, the neurons last, as float64 on the CPU."""
    if case.layer:
        return _of_network(case, neuron, backend, to)
    generator = torch.Generator().manual_seed(case.seed)
    shape = (case.steps, 2, case.neurons)
    x, *weights = 1.2 * torch.randn(4, *shape, generator=generator)
    named = dict(zip(neuron.parameters, parameters_of(neuron, case.neurons, generator)))
    leaves: Dict[str, Tensor] = {"x": x, **named}
    if case.states:
        for name in neuron.states:
            value = 0.5 * torch.randn(shape[1:], generator=generator)
            leaves[f"state {name}"] = (value > 0.3).float() if name == "s" else value
    if case.recurrent:
        # Diagonal: a neuron whose spike float32 decides otherwise changes no other neuron.
        leaves["weight"] = torch.diag(torch.randn(case.neurons, generator=generator))
    leaves = {name: value.to(*to).requires_grad_() for name, value in leaves.items()}
    state = tuple(leaves[f"state {name}"] for name in neuron.states) if case.states else None
    values = {name: leaves[name] for name in neuron.parameters}
    options = {"surrogate": NAMED[case.surrogate](scale=case.scale), "backend": backend}
    if case.recurrent:
        out = functional.recurrent_scan(
            "fuzz", neuron, leaves["x"], leaves["weight"], state, values, **options
        )
    else:
        out = functional.scan("fuzz", neuron, leaves["x"], state, values, **options)
    outputs = [each for each in (out.spikes, out.membrane) if each is not None]
    loss = sum((each * weight.to(each)).sum() for each, weight in zip(outputs, weights))
    for index, each in enumerate(out.state):
        outputs.append(each)
        loss = loss + (each * weights[2][index % case.steps].to(each)).sum()
    grads = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
    for (name, leaf), grad in zip(leaves.items(), grads):
        grad = torch.zeros_like(leaf) if grad is None else grad
        outputs.append(grad.diagonal() if name == "weight" else grad)
    return [each.detach().double().cpu() for each in outputs]


def _of_network(case: Case, neuron: RandomNeuron, backend: str, to: Any) -> List[Tensor]:
    """Observe a layer of the neurons and a readout, whose weights connect no two neurons."""
    generator = torch.Generator().manual_seed(case.seed)
    size = case.neurons
    layer = SparseNeurons(
        size,
        size,
        neuron,
        parameters=dict(zip(neuron.parameters, parameters_of(neuron, size, generator))),
        learn=neuron.parameters,
        recurrent=case.recurrent,
        surrogate=NAMED[case.surrogate](scale=case.scale),
        max_activity=case.max_activity,
        grad_threshold=case.grad_threshold,
    )
    net = SNN(layer, SparseLI(size, size), backend=backend)
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name.endswith("weight"):
                parameter.copy_(torch.diag(1.5 * torch.randn(size, generator=generator)))
            elif name.endswith("bias"):
                parameter.copy_(0.5 * torch.randn(size, generator=generator))
    x = (torch.rand(case.steps, 2, size, generator=generator) < 0.4).to(*to).requires_grad_()
    weights = torch.randn(2 + len(neuron.states), case.steps, 2, size, generator=generator).to(*to)
    net = net.to(*to)
    state, leaves = _begin(net, generator) if case.states else (None, [])
    outs, membranes, lists = [], [], []
    for piece in case.pieces:
        out, *ends, traces = net(x[piece], state, return_state=case.states, trace=True)
        state = ends[0] if ends else None
        outs.append(out)
        membranes.append(traces[0].membrane)
        lists.append(traces[0].spikes)
    outputs = [torch.cat(outs), torch.cat(membranes)]
    if state is not None:
        outputs += [state.layers[0].v, state.layers[0].s, *state.layers[0].more]
    loss = (outputs[0] * weights[0]).sum()
    if case.backend != "ipu":  # whose losses have no membranes of all steps
        loss = loss + (outputs[1] * weights[1]).sum()
    for each, weight in zip(outputs[2:], weights[2:, 0]):
        loss = loss + (each * weight).sum()
    loss.backward()
    dropped = sum(spikes.dropped.sum((0, 1)) for spikes in lists)
    outputs += [spikes.to_dense(to[-1]) for spikes in lists]
    outputs += [count.expand(size) for count in dropped]
    for name, leaf in [("x", x), *(("state", leaf) for leaf in leaves), *net.named_parameters()]:
        grad = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        outputs.append(grad.diagonal() if name.endswith("weight") else grad)
    return [each.detach().double().cpu() for each in outputs]


def _begin(net: SNN, generator: torch.Generator) -> Tuple[SNNState, List[Tensor]]:
    """Return a state of two samples, and its leaves."""
    layer, readout = net.initial_state(2).layers
    drawn = 0.5 * torch.randn(2 + len(layer.more), *layer.v.shape, generator=generator)
    drawn[1] = (drawn[1] > 0.3).float()
    v, s, *more = leaves = [value.to(layer.v).requires_grad_() for value in drawn]
    return SNNState((layer._replace(v=v, s=s, more=tuple(more)), readout)), leaves


def check(case: Case, rules: Callable[[RandomNeuron], RandomNeuron]) -> Outcome:
    """Compare kernels with torch in float64."""
    neuron = RandomNeuron(case.seed)
    if not neuron.spiking:
        backend = kernels.ENGINE if case.backend == "ipu" else case.backend
        case = replace(case, recurrent=False, backend=backend, layer=False)
    if case.backend == "ipu" and neuron.effect in ("subtract", "zero"):
        case = replace(case, max_activity=None)
    cpu = torch.device("cpu")
    on_ipu = case.backend == "ipu"
    device = cpu if on_ipu else kernels.install()
    try:
        got = observe(case, neuron, "ipu" if on_ipu else "cuda", (device, torch.float32))
    except REFUSALS as error:
        return refused(error)
    expected = rules(RandomNeuron(case.seed))
    exact, rounded = (
        observe(case, expected, "torch", (cpu, dtype)) for dtype in (torch.float64, torch.float32)
    )
    decided = torch.ones(case.neurons, dtype=torch.bool)
    same = torch.ones(case.neurons, dtype=torch.bool)
    for wanted, single, value in zip(exact, rounded, got):
        bound = TOLERANCE * (1 + wanted.abs())
        decided &= ((wanted - single).abs() < 0.1 * bound).reshape(-1, case.neurons).all(0)
        same &= ((wanted - value).abs() < bound).reshape(-1, case.neurons).all(0)
    if case.layer and case.max_activity is not None and not bool(decided.all()):
        return Outcome(TIE)
    wrong = (decided & ~same).nonzero().flatten().tolist()
    if wrong:
        return Outcome(BAD, f"neurons {wrong[:5]} of {case.neurons} differ")
    return Outcome(OK if float(decided.float().mean()) >= DECIDED else TIE)


def _with(**changes: Any) -> Callable[[], Callable[[RandomNeuron], RandomNeuron]]:
    def change(neuron: RandomNeuron) -> RandomNeuron:
        for name, value in changes.items():
            setattr(neuron, name, value)
        return neuron

    return lambda: change


def _lighter(neuron: RandomNeuron) -> RandomNeuron:
    neuron.weight_of_x = [0.95 * weight for weight in neuron.weight_of_x]
    return neuron


def _attached(neuron: RandomNeuron) -> RandomNeuron:
    neuron.detach_reset = not neuron.detach_reset
    return neuron


MUTATIONS: Dict[str, Callable[[], Callable[[RandomNeuron], RandomNeuron]]] = {
    "generated: a spike keeps the membrane": _with(effect="keeps"),
    "generated: the threshold is the parameter alone": _with(in_threshold=None),
    "generated: the membrane fires alone": _with(in_membrane=None),
    "generated: no reset": _with(reset="none"),
    "generated: less of the input": lambda: _lighter,
    "generated: the reset's gradient": lambda: _attached,
}

TARGET = Target(cases(), check, lambda: _as_it_is, MUTATIONS)
