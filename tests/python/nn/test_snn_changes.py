"""In-place changes, shared memory and dropped references, on every engine."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.python.nn.changes import (
    USES,
    assert_no_shared_memory,
    assert_right_or_refused,
    begin,
    elementwise,
    every_change,
    lists,
    net_of,
    remains_of_a_network,
    tensors_of,
    unchecked_tensors,
)

from popsnn import SpikeTensor, functional, nn
from popsnn.functional import SparseState
from popsnn.neurons import AdaptiveLIF, Neuron


@every_change
@pytest.mark.parametrize("again", [False, True], ids=["", "after another pass"])
def test_gradients_are_those_of_the_forward_pass(engine: str, change: str, again: bool) -> None:
    assert_right_or_refused(engine, change, again)


def test_functions_save_tensors_for_backward_only_through_autograd(engine: str) -> None:
    net = net_of(engine)
    out, end, traces = net(lists(1), begin(net), return_state=True, trace=True)
    assert not unchecked_tensors(
        out, *(layer.v for layer in end.layers), *(trace.spikes.values for trace in traces[:-1])
    )


def test_so_do_functions_of_elementwise_layers() -> None:
    assert not unchecked_tensors(*elementwise(torch.device("cpu"), "torch"))


def test_tensors_of_an_initial_state_share_no_memory(engine: str) -> None:
    layer = nn.SparseNeurons(6, 8, AdaptiveLIF())
    net = nn.SNN(layer, nn.SparseLIF(8, 5), nn.LI(5, 3), backend=engine)
    state = net.initial_state(4)
    assert len(state.layers[0].more) == 1
    assert_no_shared_memory(tensors_of(state=state.layers))


@pytest.mark.parametrize("readout", [True, False])
def test_inputs_and_outputs_share_no_memory(engine: str, readout: bool) -> None:
    net = net_of(engine)
    net = net if readout else nn.SNN(*net.stack[:2], backend=engine).eval()
    x, state = lists(1), begin(net)
    out, end, traces = net(x, state, return_state=True, trace=True)
    stored = {"parameters": dict(net.named_parameters()), "buffers": dict(net.named_buffers())}
    assert_no_shared_memory(
        tensors_of(x=x, state=state.layers, out=out, end=end.layers, traces=traces, **stored)
    )


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("given", [False, True], ids=["at rest", "from a state"])
def test_states_of_functions_share_no_memory(steps: int, given: bool) -> None:
    x, weight = lists(1), torch.randn(8, 6)
    x = SpikeTensor(x.ids[:steps], x.counts[:steps], 6)
    state = SparseState.at_rest(weight, 4) if given else None
    for run in (functional.sparse_lif, functional.sparse_li):
        out = run(x, weight, None, state)
        assert_no_shared_memory(tensors_of(state=state, weight=weight, out=out))
    current, loops = torch.randn(steps, 4, 8), torch.randn(8, 8)
    for run in (
        functional.lif,
        functional.synaptic_lif,
        functional.adaptive_lif,
        lambda *args: functional.recurrent_lif(args[0], loops, *args[1:]),
        lambda *args: functional.recurrent_adaptive_lif(args[0], loops, *args[1:]),
    ):
        before = None
        if given:
            before = type(run(current).state)(*torch.zeros(len(run(current).state), 4, 8).unbind())
        assert_no_shared_memory(tensors_of(current=current, state=before, out=run(current, before)))
    before = torch.zeros(4, 8) if given else None
    assert_no_shared_memory(
        tensors_of(current=current, state=before, out=functional.li(current, before))
    )


def test_a_state_that_a_neuron_returns_unchanged_is_copied() -> None:
    class Unchanged(Neuron):
        states = ("v", "a", "s")
        parameters = ()

        def step(self, x: torch.Tensor, state: Any, p: Any, fire: Any) -> Any:
            return x, state.a, fire(x, 1.0)

    neuron = Unchanged()
    before = tuple(torch.zeros(3, 2, 4).unbind())
    for steps in (1, 3):
        out = functional.scan("test", neuron, torch.randn(steps, 2, 4), before, {})
        assert_no_shared_memory(tensors_of(state=before, out=out))


@pytest.mark.parametrize("use", USES)
def test_a_network_goes_with_the_last_reference(engine: str, use: str) -> None:
    assert not remains_of_a_network(engine, use)
