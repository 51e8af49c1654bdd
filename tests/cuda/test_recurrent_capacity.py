"""Recurrent layers with a capacity in networks: one kernel, the loop over steps, the reference."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.host_kernels import HostLoader, networks, recurrent
from tests.cuda.layer.test_custom_neurons import CASES, TOLERANCE, assert_same
from tests.cuda.test_cuda_engine import HIDDEN, compare, error

from bench.recurrent import capacity as bench
from popsnn.cuda import CapturedStep
from popsnn.cuda.device.module import Module
from popsnn.cuda.recurrent import capped
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.streamed import launch as streamed
from popsnn.engines import cuda_layers
from popsnn.nn import SNN, SparseLI, SparseLIF
from popsnn.surrogate import SuperSpike

BF16 = torch.bfloat16


@pytest.fixture(params=["host", "cuda"])
def kernels(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, host_loader: HostLoader
) -> Engine:
    """All kernels of networks, on what is here; clusters take few steps too."""
    engine: Engine = request.getfixturevalue(f"{request.param}_engine")
    if engine.name == "host":
        networks(monkeypatch)
        recurrent(monkeypatch, host_loader)
    else:
        request.getfixturevalue("gpu")
        launch = Module.launch

        def named(module: Module, name: str, *rest: Any, **options: bool) -> None:
            engine.launched.append(name)
            launch(module, name, *rest, **options)

        monkeypatch.setattr(Module, "launch", named)
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    return engine


def of_loops(kernels: Engine) -> set[str]:
    """Return the kernels of recurrent layers that were launched."""
    return {name for name in kernels.launched if name.startswith("recurrent")}


@pytest.mark.parametrize(
    ("name", "options", "tolerance", "strategy"),
    [
        ("resets at once", {}, TOLERANCE, "streamed"),
        ("fires elsewhere, no capacity", {}, TOLERANCE, "streamed"),
        ("saves its input", {"weight_dtype": BF16, "gain": 0.5, "delay": 1}, 2e-2, "cluster"),
    ],
)
def test_layers_are_their_definition(
    kernels: Engine, name: str, options: dict[str, Any], tolerance: float, strategy: str
) -> None:
    """States in and out, learnt parameters, lists, drops and gradients."""
    if strategy == "cluster" and not recurrent_ops.has_copy_engine(kernels.device):
        strategy = "streamed"
    assert_same(kernels, CASES[name], True, tolerance, **options)
    directions = {f"recurrent_{strategy}_{direction}" for direction in ("forward", "backward")}
    assert of_loops(kernels) == {*directions, "recurrent_active_set"}


def test_a_network_in_chunks(kernels: Engine) -> None:
    hidden = {**HIDDEN, "recurrent": True, "delay": 1, "gain": 1.7, "detach_reset": False}
    spec = {
        "sizes": [11, 23, 17, 5], "layers": [{**hidden, "learn_beta": True}, hidden, {"delay": 1}],
        "steps": 7, "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3,
        "hidden": True,
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, kernels) for seed in range(9))
    assert "recurrent_active_set" in kernels.launched


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    ("weight_dtype", "sizes", "steps", "tolerance"),
    [
        (None, [23, 17], 7, None),
        (BF16, [23, 17], 7, 2e-2),
        (BF16, [24, 16], 7, 2e-2),  # without padding, spikes are of 16 bits
        (BF16, [24, 16], 12, 2e-2),
    ],
)
def test_layers_take_products_as_they_are(
    kernels: Engine,
    monkeypatch: pytest.MonkeyPatch,
    bias: bool,
    weight_dtype: torch.dtype | None,
    sizes: list[int],
    steps: int,
    tolerance: float | None,
) -> None:
    taken: set[tuple[bool, bool]] = set()
    run = capped.recurrent_capped

    def noted(*arguments: Any, **options: Any) -> Any:
        taken.add((options["bias"] is not None, options["of_current"] is not None))
        return run(*arguments, **options)

    monkeypatch.setattr(capped, "recurrent_capped", noted)
    options = {"weight_dtype": weight_dtype, "delay": 1}
    hidden = {**HIDDEN, **options, "recurrent": True, "bias": bias}
    spec = {
        "sizes": [11, *sizes, 5], "layers": [{**hidden, "learn_beta": True}, hidden, options],
        "steps": steps, "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3,
        "hidden": True,
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, kernels, tolerance) for seed in range(9))
    assert taken == {(bias, sizes == [24, 16])}


def net_of(weight_dtype: torch.dtype | None, device: torch.device, **options: Any) -> SNN:
    torch.manual_seed(5)
    options = {"grad_threshold": 0.3, "gain": 4.0, "max_activity": 0.2, **options}
    layer = SparseLIF(12, 50, recurrent=True, weight_dtype=weight_dtype, **options)
    return SNN(layer, SparseLI(50, 4), backend="cuda", check_input=False).to(device)


@pytest.mark.parametrize("weight_dtype", [BF16, None], ids=str)
def test_one_kernel_is_the_loop_over_steps(
    kernels: Engine, monkeypatch: pytest.MonkeyPatch, weight_dtype: torch.dtype | None
) -> None:
    x = (torch.rand(8, 5, 12, device=kernels.device) < 0.4).float()
    results = []
    for in_one in (True, False):
        kernels.launched.clear()
        if not in_one:
            monkeypatch.setattr(cuda_layers, "_on_capped_kernels", lambda *_: False)
        net = net_of(weight_dtype, kernels.device)
        out, traces = net(x, trace=True)
        spikes = traces[0].spikes
        assert spikes is not None
        loss = out.square().sum() + (traces[0].rate() * torch.linspace(-1, 1, 50).to(x)).sum()
        loss.backward()
        grads = [parameter.grad for parameter in net.parameters()]
        results.append(((spikes.ids, spikes.counts, spikes.dropped), out, grads, net.stats()))
        assert bool(of_loops(kernels)) == in_one
    (lists, out, grads, stats), (expected, other, wanted, counted) = results
    assert all(map(torch.equal, lists, expected))
    assert stats == counted
    assert stats[0].dropped_spikes > 0
    assert error(out, other.cpu()) <= 1e-5
    for mine, reference in zip(grads, wanted):
        assert mine is not None
        assert reference is not None
        assert error(mine, reference.cpu()) <= (1e-2 if weight_dtype == BF16 else 1e-4)


def test_an_automatic_capacity_changes_no_kernel(
    kernels: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernels take it as a number."""
    net = net_of(BF16, kernels.device, max_activity="auto")
    layer = net.stack[0]
    x = (torch.rand(6, 3, 12, device=kernels.device) < 0.4).float()
    net(x).sum().backward()
    sources: list[str] = []
    launcher: Any = cluster if recurrent_ops.has_copy_engine(kernels.device) else streamed
    load = launcher.source

    def noted(*of: Any, **options: Any) -> str:
        sources.append(load(*of, **options))
        return sources[-1]

    monkeypatch.setattr(launcher, "source", noted)
    for capacity in (20, 10, 3):
        vars(layer).update(capacity=capacity)
        net(x).sum().backward()
    assert len(sources) == 6
    assert len(set(sources)) == 2


def test_evaluation_has_the_outputs_of_training(kernels: Engine) -> None:
    net = net_of(None, kernels.device)
    x = (torch.rand(6, 3, 12, device=kernels.device) < 0.4).float()
    with torch.no_grad():
        out = net(x)
    net._calls.zero_()
    assert torch.equal(net(x).detach(), out)


@pytest.mark.parametrize("dtype", [BF16, torch.float32], ids=str)
def test_the_deviation_of_the_bench(
    kernels: Engine, monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype
) -> None:
    """It is small, and along another surrogate's derivative it is not."""
    net = bench.network(50, dtype, 0.1, str(kernels.device))
    x = (torch.rand(6, 3, bench.INPUTS, device=kernels.device) < bench.ON).float()
    assert bench.deviation(net, x) < (1e-2 if dtype == BF16 else 1e-5)
    assert net.stats()[0].dropped_spikes > 0
    monkeypatch.setattr(bench, "SHAPE", SuperSpike(9.0))
    assert bench.deviation(net, x) > 1e-2


def test_replays_of_a_graph_drop_others(cuda_engine: Engine, gpu: torch.device) -> None:
    """The kernels read the count of calls on the GPU."""
    net, twin = net_of(BF16, gpu), net_of(BF16, gpu)
    x = (torch.rand(20, 5, 12, device=gpu) < 0.4).float()

    def step(of: SNN) -> torch.Tensor:
        of.zero_grad()
        out = of(x)
        out.square().sum().backward()
        return out.detach()

    captured = CapturedStep(lambda: step(net))
    twin._calls.copy_(net._calls)
    outs = []
    for _ in range(3):
        outs.append(captured().clone())
        assert error(outs[-1], step(twin).cpu()) <= 1e-5
        assert net.stats() == twin.stats()
    assert not torch.equal(outs[0], outs[1])
