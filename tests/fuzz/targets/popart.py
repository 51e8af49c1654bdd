"""Random networks, neurons and lists through the PopART operators, each run at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Dict, Optional, Union

import torch
from hypothesis import strategies as st
from tests.python.engines.direct_popart import Direct, inside
from torch import Tensor

from popsnn import SpikeTensor, nn
from popsnn.engines import poptorch_ops

from ..description import Numbers, networks, neurons_of_ipus
from ..engine import Observed, build, dense_of, input_of
from ..expect import compare as compare_run
from ..neurons import Currents, Output, compare, leaf, loss_of
from ..outcome import REFUSALS, Comparison, Outcome, refused
from ..references.delay_mutations import FROM_REST
from ..references.mutations import CAPACITIES, NEURONS
from ..references.neuron import UNKNOWN, Reference
from ..runs import Run
from ..target import Target
from .networks import FORMS, SMALL, delayable, devices


@dataclass(frozen=True)
class Lists:
    """Dense spikes [steps, batch, neurons] to lists of a capacity and back."""

    steps: int
    batch: int
    neurons: int
    capacity: Optional[int]
    gradient: bool
    seed: int = 0
    density: float = 0.3
    values: int = 0


Case = Union[Run, Currents, Lists]


@st.composite
def runs(draw: Any) -> Run:
    """Draw a network as one operator, or a layer as one."""
    alone = draw(st.booleans())
    depths = (1,) if alone else (1, 2, 3)
    network = draw(networks(SMALL, depths, weight_dtypes=(None, None, "float16")))
    batch = draw(st.sampled_from((1, 2, 3, 5, 8)))
    steps = draw(st.sampled_from((1, 2, 3, 5, 9)))
    return Run(
        network,
        engine="operator of a layer" if alone else "operator",
        steps=steps,
        batch=batch,
        density=draw(st.sampled_from((0.3, 0.7, 0.0, 1.0))),
        form=draw(st.sampled_from(FORMS)),
        trace=False,
        training=draw(st.booleans()),
        passes=0 if alone else draw(st.sampled_from((0, 0, 1))),
        device=delayable(draw(devices(batch, len(network.layers))), network),
    )


@st.composite
def neurons(draw: Any) -> Currents:
    """Draw elementwise LIF neurons."""
    exact = draw(st.booleans())
    neuron = draw(neurons_of_ipus((1.0,)))
    forms = tuple(draw(st.sampled_from(("number", "last"))) for _ in ("beta", "threshold"))
    return Currents(
        kind="lif",
        neuron=neuron,
        shape=draw(st.sampled_from(((1, 1), (2, 5), (3, 17), (2, 3, 4)))),
        steps=draw(st.sampled_from((1, 2, 3, 5, 8) if exact else (1, 2, 7, 20))),
        backend="operator",
        forms=forms,
        margin=draw(st.sampled_from((None, 0.0, 0.5))),
        membrane=False,
        return_state=False,
        values=draw(st.integers(0, 2**31 - 1)),
        exact=exact,
    )


@st.composite
def lists(draw: Any) -> Lists:
    """Draw spikes and a capacity."""
    size = draw(st.sampled_from((1, 2, 5, 17, 64, 100)))
    return Lists(
        steps=draw(st.integers(1, 5)),
        batch=draw(st.integers(1, 5)),
        neurons=size,
        capacity=draw(st.sampled_from((None, 1, size, -(-size // 2)))),
        gradient=draw(st.booleans()),
        seed=draw(st.sampled_from((0, 7, 0x7FFFFFFF))),
        density=draw(st.sampled_from((0.3, 0.0, 1.0, 0.6))),
        values=draw(st.integers(0, 2**31 - 1)),
    )


def observe_run(run: Run) -> Observed:
    """Run a network, or its only layer, as an operator."""
    assert run.device is not None
    net = build(replace(run, engine="torch"))
    net.device = replace(run.device, tiles=0)  # what is chosen counts for whole devices alone
    leaves: Dict[str, Tensor] = {}
    with inside(Direct(ipus=run.device.ipus, tiles_per_ipu=run.device.tiles)):
        if run.engine == "operator":
            for _ in range(run.passes):
                net(torch.zeros(1, run.batch, run.network.inputs))
        x = input_of(run, slice(0, run.steps), torch.device("cpu"), leaves)
        if run.engine == "operator":
            out = net(x)
        elif run.network.layers[0].spiking:
            out = net.stack[0](x, seed=run.network.seed)
        else:
            out = net.stack[0](x)
        dense = dense_of(out, torch.float32)
        loss = (dense * run.weights("out", dense.shape).float()).sum()
        if loss.requires_grad:
            loss.backward()
    unknown = [UNKNOWN if layer.spiking else None for layer in run.network.layers]
    observed = Observed(dense.detach(), [], unknown, [None] * len(unknown))
    if run.engine == "operator":
        observed.stats = [
            (int(layer.spikes), int(layer.dropped_spikes), int(layer.dropped_gradients))
            for layer in net.stats()
        ]
    named = dict(net.named_parameters())
    observed.grads = {name: value.grad for name, value in named.items()}
    observed.grads.update(input_gradient(run, x, leaves))
    return observed


def input_gradient(run: Run, x: Any, leaves: Dict[str, Tensor]) -> Dict[str, Optional[Tensor]]:
    """Return the input's gradient as a dense one."""
    grad = leaves["x 0"].grad if "x 0" in leaves else None
    if grad is None:
        return {}
    if isinstance(x, SpikeTensor):
        capacity = torch.arange(x.capacity) < x.counts[..., 1:]
        grad = torch.zeros(x.shape).scatter_add(-1, x.ids.long(), grad * capacity)
    return {"x": grad}


def observe_neurons(case: Currents) -> Output:
    """Run LIF neurons as an operator."""
    parameters = case.parameters()
    neuron, options = case.neuron, case.options(parameters)
    values = {
        name: float(value) if value.dim() == 0 else value.float()
        for name, value in parameters.items()
    }
    layer = nn.LIF(
        **values,
        reset=neuron.reset,
        detach_reset=neuron.detach_reset,
        surrogate=case.made_surrogate,
        grad_threshold=options.grad_threshold,
        learn_beta=neuron.learn_beta,
        learn_threshold=neuron.learn_threshold,
    )
    leaves: Dict[str, Tensor] = {}
    x = leaf(leaves, "x", case.currents(), torch.device("cpu"), torch.float32)
    with inside(Direct(tiles_per_ipu=8)):
        spikes = layer(x)
        loss_of(case, spikes, None, None).backward()
    grads = {"x": x.grad, **{name: parameter.grad for name, parameter in layer.named_parameters()}}
    return Output(spikes, None, None, grads)


def check_lists(case: Lists, rules: Reference) -> Outcome:
    """Compare the lists of dense spikes, and their gradient, with the reference's."""
    numbers = Numbers(case.values, True)
    spikes = numbers.chance(case.density, case.steps, case.batch, case.neurons)
    weights = numbers.between(-1, 1, 8, *spikes.shape)
    x = spikes.float().requires_grad_(case.gradient)
    with inside(Direct(tiles_per_ipu=8)):
        made = SpikeTensor.from_dense(x, case.capacity, seed=case.seed, layer=2)
        dense = made.to_dense()
        if case.gradient:
            (dense * weights.float()).sum().backward()
    capacity = case.neurons if case.capacity is None else case.capacity
    kept = [
        rules.keep(
            fired,
            ~fired if case.gradient else torch.zeros_like(fired),
            capacity,
            (case.seed, 2, step),
        )
        for step, fired in enumerate(spikes)
    ]
    fired, active, dropped = (torch.stack(parts) for parts in zip(*kept))
    difference = Comparison()
    difference.same("dense", dense, fired.double())
    difference.same("counts", made.counts, torch.stack([fired.sum(-1), active.sum(-1)], -1))
    difference.same("dropped", made.dropped, dropped)
    if case.gradient:
        difference.same("gradient", x.grad, weights * active)
    return difference.outcome()


def check(case: Case, rules: Reference) -> Outcome:
    """Compare what the operators give with the reference's."""
    poptorch_ops.load(True)
    try:
        if isinstance(case, Lists):
            return check_lists(case, rules)
        if isinstance(case, Currents):
            return compare(case, rules, observe_neurons(case))
        return compare_run(case, rules, observe_run(case))
    except REFUSALS as error:
        return refused(error)


TARGET = Target(
    st.one_of(runs(), runs(), neurons(), lists()),
    check,
    Reference,
    {**NEURONS, **CAPACITIES, **FROM_REST},
)
