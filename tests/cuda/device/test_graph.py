from __future__ import annotations

import copy
import gc
import re
import threading
import time
import weakref

import pytest
import torch
from tests.cuda.conftest import Engine
from torch.nn.functional import cross_entropy

from popsnn import SpikeTensor
from popsnn.cuda import Adam, CapturedStep
from popsnn.cuda.device import graph, side_stream
from popsnn.cuda.layer import overlapped
from popsnn.nn import LI, SNN, SparseLIF

STEPS = 12


def batch(seed: int) -> tuple[SpikeTensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    x = (torch.rand(STEPS, 6, 20, generator=generator) < 0.3).float()
    labels = torch.randint(4, (6,), generator=generator)
    return SpikeTensor.from_dense(x, capacity=20).to("cuda"), labels.to("cuda")


def network(recurrent: bool = False) -> SNN:
    hidden = SparseLIF(20, 40, delay=1, max_activity=0.1, grad_threshold=0.5, learn_beta=True)
    second = SparseLIF(40, 40, recurrent=recurrent, max_activity=None if recurrent else 0.2)
    net = SNN(hidden, second, LI(40, 4), backend="cuda", check_input=False).to("cuda")
    with torch.no_grad():
        for layer in net.stack[:2]:
            layer.weight.mul_(3)
    return net


class Trainer:
    """A network in training, and its step."""

    def __init__(self, net: SNN) -> None:
        self.net, self.optimizer = net, Adam(net.parameters(), lr=1e-2)

    def __call__(self, x: SpikeTensor, labels: torch.Tensor) -> torch.Tensor:
        self.optimizer.zero_grad()
        loss = cross_entropy(self.net(x).mean(0), labels)
        loss.backward()
        self.optimizer.step()
        return loss.detach()


@pytest.fixture
def several_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlapped, "CHUNK_STEPS", STEPS // 3)


@pytest.mark.usefixtures("several_chunks")
def test_a_captured_training_step_is_the_step(cuda_engine: Engine) -> None:
    step = Trainer(network())
    expected = Trainer(copy.deepcopy(step.net))
    captured = CapturedStep(step, *batch(0))
    for _ in range(3):
        expected(*batch(0))
    for seed in range(1, 5):
        loss = captured(*batch(seed))
        torch.testing.assert_close(loss, expected(*batch(seed)), rtol=1e-4, atol=1e-5)
        assert step.net.stats() == expected.net.stats()
    assert step.net.stats()[0].dropped_spikes > 0
    for mine, of_other in zip(step.net.parameters(), expected.net.parameters()):
        torch.testing.assert_close(mine, of_other, rtol=1e-3, atol=1e-4)


def test_values_cannot_be_checked_while_a_graph_is_captured(cuda_engine: Engine) -> None:
    net = SNN(SparseLIF(20, 40), LI(40, 4), backend="cuda").to("cuda")
    x = torch.zeros(STEPS, 6, 20, device="cuda")
    with pytest.raises(ValueError, match=r"SNN: x: expected no check of its values .*, got one"):
        CapturedStep(net, x)
    assert torch.isfinite(net(x)).all()


@pytest.mark.parametrize("learning", [False, True])
@pytest.mark.parametrize("weight_dtype", [None, torch.float16, torch.bfloat16])
def test_a_captured_forward_pass(
    cuda_engine: Engine, weight_dtype: torch.dtype | None, learning: bool
) -> None:
    """Of lists so short that weights are added up, and padded lists of the layer not read."""
    layers = (SparseLIF(900, 40, weight_dtype=weight_dtype), LI(40, 4, weight_dtype=weight_dtype))
    net = SNN(*layers, backend="cuda", check_input=False).to("cuda")
    dense = (torch.rand(STEPS, 6, 900, generator=torch.Generator().manual_seed(0)) < 0.01).float()
    x = SpikeTensor.from_dense(dense, capacity=14).to("cuda")
    with torch.set_grad_enabled(learning):
        expected = net(x).detach()
        captured = CapturedStep(net, x)
        got = [captured(x).detach().clone() for _ in range(3)]
    for tensor in got:
        torch.testing.assert_close(tensor, expected)


def test_gradients_add_up_and_hooks_see_whole_ones(
    cuda_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gradients(net: SNN) -> list[torch.Tensor]:
        seen: list[torch.Tensor] = []
        hooks = [
            parameter.register_hook(lambda g: seen.append(g * 1)) for parameter in net.parameters()
        ]
        for _ in range(2):
            net._calls.zero_()
            cross_entropy(net(batch(0)[0]).mean(0), batch(0)[1]).backward()
        for hook in hooks:
            hook.remove()
        torch.cuda.synchronize()
        return [
            *seen,
            *(parameter.grad for parameter in net.parameters() if parameter.grad is not None),
        ]

    net = network()
    other = copy.deepcopy(net)
    expected = gradients(net)
    monkeypatch.setattr(side_stream, "recording", lambda device: True)
    monkeypatch.setattr(overlapped, "recording", lambda device: True)
    torch.testing.assert_close(gradients(other), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("recurrent", [False, True])
def test_two_networks_on_two_streams(cuda_engine: Engine, recurrent: bool) -> None:
    alone, together = [], []
    start = [network(recurrent) for _ in range(2)]
    for losses in (alone, together):
        streams = [torch.cuda.Stream() for _ in range(2)]
        captured = [CapturedStep(Trainer(copy.deepcopy(net)), *batch(0)) for net in start]
        torch.cuda.synchronize()
        for seed in range(20):
            inputs = batch(seed)
            torch.cuda.synchronize()
            for stream, step in zip(streams, captured):
                with torch.cuda.stream(stream):
                    losses.append(step(*inputs).clone())
                if losses is alone:
                    torch.cuda.synchronize()
        torch.cuda.synchronize()
    assert torch.equal(torch.stack(alone), torch.stack(together))


def test_a_training_goes_on_from_what_was_saved(cuda_engine: Engine) -> None:
    first = Trainer(network())
    captured = CapturedStep(first, *batch(0))
    for seed in range(3):
        captured(*batch(seed))
    saved = copy.deepcopy((first.net.state_dict(), first.optimizer.state_dict()))
    expected = [captured(*batch(seed)).clone() for seed in range(3, 6)]
    second = Trainer(network())
    captured = CapturedStep(second, *batch(9))  # which trains, before all is loaded
    second.net.load_state_dict(saved[0])
    second.optimizer.load_state_dict(saved[1])
    got = [captured(*batch(seed)).clone() for seed in range(3, 6)]
    assert torch.equal(torch.stack(got), torch.stack(expected))


def test_inputs_that_do_not_fit_and_examples_on_the_cpu() -> None:
    x = torch.zeros(2, 3, 4)
    lists = SpikeTensor.from_dense(x, capacity=3)
    wider = SpikeTensor.from_dense(torch.zeros(2, 3, 5), capacity=3)
    graph._check_alike(0, lists, SpikeTensor.from_dense(x + 1, capacity=3))
    with pytest.raises(ValueError, match="input 1: expected spikes of 4 neurons as the example, g"):
        graph._check_alike(1, lists, wider)
    with pytest.raises(
        ValueError, match="examples: expected tensors on a CUDA device, got one on "
    ):
        CapturedStep(lambda x: x, x)


def test_inputs_that_are_not_as_the_examples(cuda_engine: Engine) -> None:
    captured = CapturedStep(lambda x: 2 * x, torch.zeros(3, device="cuda"))
    assert float(captured(torch.ones(3, device="cuda")).sum()) == 6.0
    with pytest.raises(ValueError, match="CapturedStep: inputs: expected 1 as of the examples"):
        captured()
    with pytest.raises(
        ValueError,
        match=re.escape("input 0: expected torch.float32 of shape (3,) as the example, got"),
    ):
        captured(torch.ones(4, device="cuda"))
    with pytest.raises(TypeError, match="input 0: expected a Tensor as the example, got SpikeT"):
        captured(batch(0)[0])


def test_no_collection() -> None:
    class Held:
        def __init__(self) -> None:
            self.me = self

    garbage = weakref.ref(Held())
    with graph.no_collection():
        assert garbage() is None
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with pytest.raises(ZeroDivisionError), graph.no_collection():
            raise ZeroDivisionError
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_earlier_graphs_that_nobody_holds(cuda_engine: Engine) -> None:
    """They are in cycles, and go whenever Python collects those."""

    class Holder:
        def __init__(self, captured: CapturedStep[torch.Tensor]) -> None:
            self.captured, self.me = captured, self

    trainer = Trainer(network(recurrent=True))
    stored = [Holder(CapturedStep(Trainer(network()), *batch(0)))]
    collected = []

    def step(x: SpikeTensor, labels: torch.Tensor) -> torch.Tensor:
        collected.append(gc.isenabled())
        if len(collected) > graph.WARMUP:
            stored.clear()
        if gc.isenabled():
            gc.collect()
        return trainer(x, labels)

    captured = CapturedStep(step, *batch(0))
    assert collected == [True] * graph.WARMUP + [False]
    assert bool(captured(*batch(1)).isfinite())


def test_another_thread_meanwhile(cuda_engine: Engine) -> None:
    """As a loader does, it asks for pinned memory and whether copies are done."""
    stop = threading.Event()

    def load() -> None:
        stream = torch.cuda.Stream()
        while not stop.is_set():
            with torch.cuda.stream(stream):
                torch.empty(1 << 16).pin_memory().to("cuda", non_blocking=True)
                stream.query()

    def step(x: torch.Tensor) -> torch.Tensor:
        time.sleep(0.02)
        return 2 * x

    other = threading.Thread(target=load)
    other.start()
    try:
        captured = CapturedStep(step, torch.ones(3, device="cuda"))
    finally:
        stop.set()
        other.join()
    assert float(captured(torch.ones(3, device="cuda")).sum()) == 6.0


def test_what_cannot_be_recorded(cuda_engine: Engine) -> None:
    """The first error is the one that is raised, and the next step is recorded as ever."""
    x = torch.ones(3, device="cuda")
    calls = []

    def waits(x: torch.Tensor) -> torch.Tensor:
        calls.append(x)
        if len(calls) > graph.WARMUP:
            float(x.sum())
        return x

    def raises(x: torch.Tensor) -> torch.Tensor:
        if torch.cuda.is_current_stream_capturing():
            raise KeyError("first")
        return x

    with pytest.raises(RuntimeError, match="not permitted when stream is capturing"):
        CapturedStep(waits, x)
    with pytest.raises(KeyError, match="first"):
        CapturedStep(raises, x)
    assert gc.isenabled()
    assert float(CapturedStep(lambda x: 2 * x, x)(x).sum()) == 6.0
