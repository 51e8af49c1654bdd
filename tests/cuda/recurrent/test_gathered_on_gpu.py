"""Recurrent layers that gather the weights of active neurons, on a GPU."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.recurrent.runs import (
    compare,
    compare_narrow,
    error,
    gather_always,
    in_a_graph,
    run,
    same_twice,
)

from popsnn import functional
from popsnn.cuda.device.module import Module
from popsnn.cuda.device.properties import properties
from popsnn.cuda.recurrent import arguments, ops
from popsnn.cuda.recurrent.gathered import launch as gathered_launch
from popsnn.cuda.recurrent.gathered.plan import plan
from popsnn.neurons import Neuron

BF16, FP32 = torch.bfloat16, torch.float32
LAYERS = {"lif": functional.recurrent_lif, "adaptive": functional.recurrent_adaptive_lif}
FORWARD = "recurrent_gathered_forward"


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the kernels that are launched."""
    names: list[str] = []
    launch = Module.launch

    def named(module: Module, name: str, *rest: Any, **options: bool) -> None:
        names.append(name)
        launch(module, name, *rest, **options)

    monkeypatch.setattr(Module, "launch", named)
    return names


@pytest.fixture
def gathering(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """A GPU on which layers of all sizes gather, however many neurons are active."""
    gather_always(monkeypatch)
    return gpu


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("layer", LAYERS.values(), ids=LAYERS)
@pytest.mark.parametrize(
    ("batch", "gathers"), [(1, True), (8, True), (13, True), (48, True), (97, False), (200, False)]
)
@pytest.mark.parametrize(("neurons", "steps"), [(17, 5), (301, 40), (1500, 5), (3100, 5)])
def test_states_in_and_out(
    gathering: torch.device,
    launched: list[str],
    neurons: int,
    steps: int,
    batch: int,
    gathers: bool,
    layer: Any,
    weight_dtype: torch.dtype,
) -> None:
    """Of the kernels that gather, and of batches that are too large for them."""
    options = {"weight": FP32, "weight_dtype": weight_dtype, "layer": layer, "grad_threshold": 0.3}
    compare(run(gathering, steps, batch, neurons, state=True, learn=True, **options))
    have, size = properties(gathering), torch.finfo(weight_dtype).bits // 8
    for direction in ("forward", "backward"):  # small GPUs have no room for some backward
        laid = gathers and plan(
            direction, neurons, size, have.multiprocessors, batch, have.shared_bytes
        )
        assert (f"recurrent_gathered_{direction}" in launched) == bool(laid)


@pytest.mark.parametrize("limit", [0, 40, 400])
@pytest.mark.parametrize("batch", [1, 8, 40])
def test_layers_that_leave_after_some_steps(
    gathering: torch.device, monkeypatch: pytest.MonkeyPatch, batch: int, limit: int
) -> None:
    monkeypatch.setattr(gathered_launch, "limit", lambda *_: limit)
    for weight_dtype in (BF16, FP32):
        options = {"weight": FP32, "weight_dtype": weight_dtype, "grad_threshold": 0.3}
        compare(run(gathering, 20, batch, 1300, state=True, learn=True, **options))


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random_layers(gathering: torch.device, data: st.DataObject) -> None:
    """Random sizes, activities, layouts, resets and states."""
    options: dict[str, Any] = {
        "weight_dtype": data.draw(st.sampled_from([BF16, FP32])),
        "threshold": data.draw(st.sampled_from([0.2, 1.0, 2.0])),
        "grad_threshold": data.draw(st.sampled_from([None, -1.0, 0.3, 0.9])),
        "reset": data.draw(st.sampled_from(["zero", "subtract", "none"])),
        "state": data.draw(st.booleans()),
        "columns": data.draw(st.booleans()),
    }
    steps, batch = data.draw(st.integers(4, 20)), data.draw(st.integers(1, 48))
    compare(run(gathering, steps, batch, data.draw(st.integers(1, 900)), weight=FP32, **options))


@pytest.mark.parametrize("dtype", [BF16, torch.float16], ids=str)
@pytest.mark.parametrize(("batch", "neurons"), [(1, 3200), (18, 333)])
def test_narrow_tensors_have_wide_states(
    gathering: torch.device, dtype: torch.dtype, batch: int, neurons: int
) -> None:
    options = {"dtype": dtype, "learn": True, "grad_threshold": 0.3}
    compare_narrow(run(gathering, 6, batch, neurons, **options))


class Own(Neuron):
    """A custom neuron, which a slow variable inhibits."""

    states = ("v", "w", "s")
    parameters = ("beta", "gamma")

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        w = 0.5 * state.w + state.s.detach()
        v = p.beta * (state.v * (1 - state.s.detach())) + x - p.gamma * w
        return v, w, fire(v, 1.0)


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
def test_a_neuron_of_ones_own(
    gathering: torch.device,
    launched: list[str],
    monkeypatch: pytest.MonkeyPatch,
    weight_dtype: torch.dtype,
) -> None:
    """With three states it has the numbers of the kernels that stream."""
    made = run(gathering, 9, 20, 600, weight=FP32)
    grad = torch.randn_like(made.x)

    def results() -> list[torch.Tensor]:
        gamma = torch.full((600,), 0.2, device=gathering, requires_grad=True)
        out = functional.recurrent_scan(
            "own", Own(), made.x, made.weight, None, {"beta": 0.9, "gamma": gamma},
            weight_dtype=weight_dtype, grad_threshold=0.3, backend="cuda",
        )  # fmt: skip
        grads = torch.autograd.grad(out.spikes, (made.x, made.weight, gamma), grad)
        return [out.membrane, *grads]

    gathered = results()
    assert launched.count(FORWARD) == 2
    monkeypatch.setattr(ops, "gathers", lambda *_: False)
    for mine, streamed in zip(gathered, results()):
        assert error(mine, streamed.double()) < 1e-5
    assert launched.count(FORWARD) == 2


@pytest.mark.parametrize("batch", [1, 9])
def test_kernels_wait_in_vain(
    gathering: torch.device, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """A block is left out, and the others wait for its list; the next call says so."""
    monkeypatch.setattr(arguments, "TIMEOUT", 1_000_000)
    launch = Module.launch

    def fewer(module: Module, name: str, blocks: int, *rest: Any, **options: bool) -> None:
        launch(module, name, blocks - (name == FORWARD), *rest, **options)

    monkeypatch.setattr(Module, "launch", fewer)

    def waits() -> None:
        run(gathering, 6, batch, 3300)  # its own later launch says so where the host is late
        torch.cuda.synchronize()
        run(gathering, 1, 1, 8)

    with pytest.raises(RuntimeError, match="an earlier call timed out: expected every block's"):
        waits()
    monkeypatch.undo()
    compare(run(gathering, 3, 4, 40))


def test_the_same_numbers_as_streamed(
    gathering: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathered = run(gathering, 10, 20, 512, weight_dtype=FP32, grad_threshold=0.5)
    monkeypatch.setattr(ops, "gathers", lambda *_: False)
    streamed = run(gathering, 10, 20, 512, weight_dtype=FP32, grad_threshold=0.5)
    assert error(gathered.out.membrane, streamed.out.membrane.double()) < 1e-6


def test_the_same_bits_in_every_run(gathering: torch.device) -> None:
    same_twice(gathering, 20, 8, 4096, grad_threshold=0.9)


@pytest.mark.parametrize("batch", [1, 20])
def test_replays_of_a_graph(gathering: torch.device, batch: int) -> None:
    in_a_graph(gathering, 6, 700, batch)
