"""`step` of every module with a state: steps one by one have the bits of the sequence."""

from __future__ import annotations

import re
from typing import Any, Callable

import pytest
import torch
from torch import Tensor

from popsnn import SpikeTensor, functional, neurons, nn

SPIKING = [
    name
    for name in neurons.__all__
    if isinstance(getattr(neurons, name), type)
    and issubclass(getattr(neurons, name), neurons.Neuron)
    and name != "Neuron"
]
ELEMENTWISE: dict[str, Callable[[], Any]] = {
    "LIF": lambda: nn.LIF(reset="subtract", learn_beta=True),
    "IF": nn.IF,
    "PLIF": nn.PLIF,
    "AdaptiveLIF": nn.AdaptiveLIF,
    "SynapticLIF": nn.SynapticLIF,
    "LeakyIntegrator": nn.LeakyIntegrator,
    "RecurrentLIF": lambda: nn.RecurrentLIF(6),
    **{
        f"Spiking {name}": lambda name=name: nn.Spiking(getattr(neurons, name)())  # type: ignore[misc]
        for name in SPIKING
    },
    **{
        f"RecurrentSpiking {name}": lambda name=name: nn.RecurrentSpiking(  # type: ignore[misc]
            getattr(neurons, name)(), 6
        )
        for name in SPIKING
        if name != "LI"
    },
}


def one_by_one(module: Any, x: Any) -> tuple[list[Any], Any]:
    state, outs = None, []
    for step in x:
        out, state = module.step(step, state)
        outs.append(out)
    return outs, state


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_steps_of_neurons_are_the_sequence(name: str) -> None:
    module = ELEMENTWISE[name]()
    drive = 60 if name.endswith(("BRF", "Izhikevich")) else 10
    x: Any = drive * torch.randn(12, 3, 6)
    neuron = getattr(module, "neuron", neurons.LI())
    steps = list(x)
    if len(neuron.inputs) > 1:
        x = (x, x.flip(0))
        steps = list(zip(*x))
    expected, state = module(x, return_state=True)
    outs, after = one_by_one(module, steps)
    assert torch.equal(torch.stack(outs), expected)
    assert type(after) is type(state)
    states = (after,) if isinstance(after, Tensor) else after
    for mine, theirs in zip(states, (state,) if isinstance(state, Tensor) else state):
        assert torch.equal(mine, theirs)
    assert bool(expected.any())


def test_gradients_flow_from_step_to_step() -> None:
    module, x = nn.RecurrentLIF(6), 2 * torch.randn(12, 3, 6)
    grads = []
    for spikes in (module(x), torch.stack(one_by_one(module, x)[0])):
        weighted = spikes * torch.arange(6.0)
        grads.append(torch.autograd.grad(weighted.sum(), module.recurrent_weight)[0])
    torch.testing.assert_close(*grads)


def test_a_step_of_images() -> None:
    module, x = nn.LIF(), torch.rand(4, 2, 3, 8, 8)
    assert torch.equal(torch.stack(one_by_one(module, x)[0]), module(x))


def layers() -> dict[str, Any]:
    torch.manual_seed(3)
    capped: dict[str, Any] = {"max_activity": 0.3, "grad_threshold": 0.3}
    return {
        "SparseLIF": nn.SparseLIF(12, 20, recurrent=True, delay=1, **capped),
        "SparseNeurons": nn.SparseNeurons(12, 20, neurons.AdaptiveLIF()),
        "SparseLI": nn.SparseLI(12, 4, delay=1),
    }


@pytest.mark.parametrize("name", ["SparseLIF", "SparseNeurons", "SparseLI"])
@pytest.mark.parametrize("compacted", [False, True])
def test_steps_of_sparse_layers_are_the_sequence(name: str, compacted: bool) -> None:
    layer = layers()[name]
    x: Any = (torch.rand(8, 3, 12) < 0.4).float()
    expected, state = layer(x, return_state=True)
    steps = [SpikeTensor.from_dense(step[None]) for step in x] if compacted else x
    outs, after = one_by_one(layer, steps)
    if name == "SparseLI":
        assert torch.equal(torch.stack(outs), expected)
    else:
        joined = SpikeTensor.cat(outs)
        assert torch.equal(joined.to_dense(), expected.to_dense())
        assert torch.equal(joined.dropped, expected.dropped)
    assert after.step == state.step == 8
    assert torch.equal(after.v, state.v)


@pytest.mark.parametrize("readout", [False, True])
def test_steps_of_a_network_are_the_sequence(engine: str, readout: bool) -> None:
    made = layers()
    last = [nn.SparseLI(20, 3)] if readout else [nn.SparseLIF(20, 3)]
    net = nn.SNN(made["SparseLIF"], *last, backend=engine)
    x = (torch.rand(5, 3, 12) < 0.4).float()
    outs, state = one_by_one(net, x)
    net._calls.zero_()  # the same drop seed again
    expected, whole = net(x, return_state=True)
    if readout:
        assert outs[0].shape == (3, 3)
        torch.testing.assert_close(torch.stack(outs), expected)
    else:
        assert torch.equal(SpikeTensor.cat(outs).to_dense(), expected.to_dense())
    assert state.seed == whole.seed
    assert state.layers[0].step == whole.layers[0].step == 5


MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: nn.LIF().step(torch.rand(4)),
        "LIF.step: x: expected one step [B, N, ...], got shape (4,)",
    ),
    (lambda: nn.LIF().step([1.0]), "LIF.step: x: expected a tensor, got list"),  # type: ignore[arg-type]
    (
        lambda: nn.LIF().step(torch.rand(2, 4), functional.LIFState(*2 * [torch.zeros(2, 3)])),
        "LIF: state v: expected shape (2, 4), got (2, 3)",
    ),
    (
        lambda: nn.LeakyIntegrator().step(torch.rand(2, 4), (torch.rand(2, 4),)),  # type: ignore[arg-type]
        "LeakyIntegrator: state v: expected a tensor, got tuple",
    ),
    (
        lambda: nn.LeakyIntegrator().step(torch.rand(4)),
        "LeakyIntegrator.step: x: expected one step [B, N, ...], got shape (4,)",
    ),
    (
        lambda: nn.RecurrentLIF(4).step(torch.rand(3, 2, 4)),
        "RecurrentLIF.step: x: expected one step [B, N], got shape (3, 2, 4): a sequence goes to "
        "forward",
    ),
    (
        lambda: nn.Spiking(neurons.ConductanceLIF()).step((torch.rand(2, 4),)),
        "Spiking: current: expected a tuple of 2 tensors (excitatory, inhibitory), got 1",
    ),
    (
        lambda: nn.SparseLIF(4, 2).step(torch.ones(3, 2, 4)),
        "SparseLIF.step: x: expected one step [B, 4], got shape (3, 2, 4): a sequence goes to "
        "forward",
    ),
    (
        lambda: nn.SparseLI(4, 2).step(SpikeTensor.from_dense(torch.ones(3, 2, 4))),
        "SparseLI.step: x: expected spikes of one step, got 3 steps",
    ),
    (
        lambda: nn.SNN(nn.SparseLIF(4, 2)).step(torch.ones(4)),
        "SNN.step: x: expected one step [B, 4], got shape (4,)",
    ),
    (
        lambda: nn.SNN(nn.SparseLIF(4, 2)).step(torch.ones(3, 5)),
        "SNN.step: x: expected one step [B, 4], got shape (3, 5)",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_mistakes_get_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}$"):
        call()
