"""Trainings on the cuda engine: as a graph, interrupted, and on two GPUs, next to plain runs."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from tests.cuda.conftest import Engine
from torch.nn.functional import cross_entropy

import popsnn.cuda
from popsnn import data, nn, training
from popsnn.cuda import Adam, AdamW
from popsnn.cuda.device import graph
from popsnn.cuda.optim import adam
from popsnn.data import SpikeDataset
from popsnn.engines.cuda_engine import CudaEngine
from popsnn.neurons import AdaptiveLIF
from popsnn.nn._auto_capacity import paused_capacities
from popsnn.training import Recipe, Training, loop
from popsnn.training.step import CapturedTrainStep, check_captured

RECIPE = Recipe(
    epochs=2, batch_size=20, warmup=1, clip=1.0, activity_weight=1.0, activity_target=0.01,
    pictures=False, capture=True,
)  # fmt: skip


class OnHost:
    """Stands for a graph where there is no GPU: calls before the capture, then replays."""

    def __init__(self, step: Callable[..., Any], *examples: Any) -> None:
        self.step = step
        for _ in range(graph.WARMUP):
            step(*examples)

    def __call__(self, *inputs: Any) -> Any:
        with paused_capacities():  # a replay runs no Python, which would count the pass twice
            return self.step(*inputs)


@pytest.fixture
def parts() -> tuple[SpikeDataset, SpikeDataset]:
    train, test = data.digits(steps=4)
    return train.subset(range(105)), test.subset(range(30))


@pytest.fixture
def make(
    parts: tuple[SpikeDataset, SpikeDataset],
    layer_kernels: Engine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Training]:
    if layer_kernels.name == "host":
        monkeypatch.setattr(popsnn.cuda, "CapturedStep", OnHost)
        monkeypatch.setattr(CudaEngine, "device", lambda engine, net: "host")
        monkeypatch.setattr(adam, "takes", lambda tensor: True)

    def made(
        name: str,
        recipe: Recipe,
        own: bool = False,
        max_activity: Any = 0.1,
        **optimizer: Any,
    ) -> Training:
        torch.manual_seed(0)
        hidden = nn.SparseLIF(64, 24, max_activity=max_activity, grad_threshold=0.5)
        net = nn.SNN(hidden, nn.LI(24, 10), backend="cuda").to(layer_kernels.device)
        rate = torch.tensor(0.01, device=layer_kernels.device)
        options = {"lr": rate, "fused": True, "capturable": True, **optimizer}
        kind: Any = torch.optim.AdamW
        if own:
            kind, options = AdamW, {"lr": rate}
        return Training(net, kind(net.parameters(), **options), *parts, tmp_path / name, recipe)

    return made


def run(training: Training, report: Callable[[Any], None] = lambda _: None) -> list[dict[str, Any]]:
    training.run(report, progress=False)
    return training.rows


def test_a_captured_training_is_the_training(make: Callable[..., Training]) -> None:
    """By the package's own optimizer, compared with torch's."""
    captured = run(make("captured", RECIPE, own=True))
    eager = run(make("eager", replace(RECIPE, capture=False)))
    assert captured[0]["dropped_spikes"] > 0
    for mine, expected in zip(captured, eager):
        assert mine["loss"] == pytest.approx(expected["loss"], rel=1e-3)
        assert mine["learning_rate"] == expected["learning_rate"]
        assert mine["activity"] == pytest.approx(expected["activity"], rel=2e-2)
        assert mine["train_accuracy"] == pytest.approx(expected["train_accuracy"], abs=0.03)


def test_a_graph_is_captured_anew_where_a_capacity_changes(
    make: Callable[..., Training], monkeypatch: pytest.MonkeyPatch
) -> None:
    captures = []

    class Counted(CapturedTrainStep):
        def __init__(self, step: Any, *batch: Any) -> None:
            captures.append(step.net.stack[0].capacity)
            super().__init__(step, *batch)

    monkeypatch.setattr(loop, "CapturedTrainStep", Counted)
    recipe = replace(RECIPE, epochs=8, activity_epochs=3, activity_weight=20.0)
    captured = run(make("captured", recipe, own=True, max_activity="auto"))
    eager = run(make("eager", replace(recipe, capture=False), max_activity="auto"))
    capacities = [row["capacities"] for row in captured]
    assert capacities == [row["capacities"] for row in eager]
    assert capacities[0] == [24]
    assert captures[0] == 24
    assert captures[-1] == capacities[-1][0] < 24
    for mine, expected in zip(captured, eager):
        assert mine["loss"] == pytest.approx(expected["loss"], rel=1e-2)


def test_a_captured_training_resumes_to_the_same_numbers(make: Callable[..., Training]) -> None:
    whole = run(make("whole", RECIPE))

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(make("cut", RECIPE), interrupt)
    cut = make("cut", RECIPE)
    assert cut.resume() == 1
    for mine, expected in zip(run(cut), whole):
        assert mine["loss"] == pytest.approx(expected["loss"], rel=1e-5)
        assert mine["dropped_spikes"] == expected["dropped_spikes"]


def test_a_graph_goes_with_its_training(make: Callable[..., Training]) -> None:
    made = make("captured", replace(RECIPE, epochs=1, warmup=0))
    run(made)
    stored = weakref.ref(made._captured)
    gc.disable()
    try:
        del made
        assert stored() is None
    finally:
        gc.enable()


def test_what_cannot_be_captured(
    make: Callable[..., Training],
    parts: tuple[SpikeDataset, SpikeDataset],
    tmp_path: Path,
) -> None:
    with pytest.raises(
        ValueError,
        match=r"Training: optimizer: expected one with capturable=True and the learning rate in a "
        r"tensor on the GPU, .*got the rate 0.01 and capturable=True",
    ):
        make("rate", RECIPE, lr=0.01)
    run = make("elsewhere", RECIPE)
    run.optimizer.param_groups[0]["lr"] = torch.zeros((), device="meta")
    with pytest.raises(
        ValueError, match=r"tensor on the GPU, .*got the rate tensor\(.*device='meta'"
    ):
        check_captured(run.net, run.optimizer, 1)
    with pytest.raises(ValueError, match=r"capture: expected a constant gradient threshold"):
        make("moving", replace(RECIPE, grad_threshold=0.5, grad_threshold_start=0.0))
    net = nn.SNN(nn.SparseLIF(64, 4), nn.LI(4, 10), backend="torch")
    with pytest.raises(
        ValueError, match=re.escape("Training: capture: expected the engine cuda, got 'torch'")
    ):
        Training(net, torch.optim.Adam(net.parameters()), *parts, tmp_path, RECIPE)
    with pytest.raises(ValueError, match=r"train: capture: expected the engine cuda \(backend\)"):
        training.merged("digits", None, {"capture": True})


def test_an_interrupted_training_goes_on_from_a_file(gpu: torch.device, tmp_path: Path) -> None:
    """In objects of its own, with recurrent layers and drops."""

    def made() -> tuple[nn.SNN, torch.optim.Optimizer]:
        torch.manual_seed(3)
        recurrent = {"recurrent": True, "grad_threshold": 0.5, "weight_dtype": torch.bfloat16}
        net = nn.SNN(
            nn.SparseLIF(20, 300, max_activity=0.2, grad_threshold=0.5),
            nn.SparseLIF(300, 200, **recurrent),
            nn.SparseNeurons(200, 100, AdaptiveLIF(), **recurrent),
            nn.LI(100, 4),
            backend="cuda",
        ).to(gpu)
        return net, Adam(net.parameters(), lr=1e-2)

    def train(net: nn.SNN, optimizer: torch.optim.Optimizer, seeds: range) -> None:
        for seed in seeds:
            generator = torch.Generator().manual_seed(seed)
            x = (torch.rand(12, 6, 20, generator=generator) < 0.3).float().to(gpu)
            labels = torch.randint(4, (6,), generator=generator).to(gpu)
            optimizer.zero_grad()
            cross_entropy(net(x).mean(0), labels).backward()
            optimizer.step()

    whole, optimizer = made()
    train(whole, optimizer, range(6))
    first, optimizer = made()
    train(first, optimizer, range(3))
    torch.save((first.state_dict(), optimizer.state_dict()), tmp_path / "checkpoint.pt")
    second, optimizer = made()
    states = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    second.load_state_dict(states[0])
    optimizer.load_state_dict(states[1])
    train(second, optimizer, range(3, 6))
    for parameter, other in zip(second.parameters(), whole.parameters()):
        assert torch.equal(parameter, other)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="two GPUs are needed")
def test_two_gpus_train_as_one(tmp_path: Path) -> None:
    result = []
    for count in (1, 2):
        folder = tmp_path / str(count)
        started = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)]
        options = [
            "--backend", "cuda", "--epochs", "2", "--max-activity", "none", "--no-pictures",
            "--out", str(folder),
        ]  # fmt: skip
        command = [sys.executable, *started, "-m", "popsnn", "train", "digits", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        rows = (folder / "metrics.jsonl").read_text().splitlines()
        result.append([json.loads(row) for row in rows])
        summary = json.loads((folder / "summary.json").read_text())
        assert (summary["engine"], summary["processes"]) == ("cuda", count)
    # Without a capacity nothing is drawn by a sample's place in its batch: only rounding differs.
    for alone, together in zip(*result):
        assert together["loss"] == pytest.approx(alone["loss"], rel=1e-3)
        assert together["activity"] == pytest.approx(alone["activity"], rel=1e-2)
        assert together["test_accuracy"] == pytest.approx(alone["test_accuracy"], abs=0.02)
