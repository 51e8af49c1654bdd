from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from popsnn import nn
from popsnn.parallel import GradientSums, Pipeline, TimeSplit, gradients, split_time

WORKER = Path(__file__).with_name("time_parallel_worker.py")
CASES = re.findall(r"@case\ndef (\w+)", WORKER.read_text())


@pytest.fixture(scope="module", params=[2, 4])
def outcomes(
    gloo: None, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, object]]:
    """Of each rank, by case: how far it is from one process alone, or the text of its error."""
    folder = tmp_path_factory.mktemp("ranks")
    package = str(Path(nn.__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": package, "GLOO_SOCKET_IFNAME": "lo"}
    done = subprocess.run(
        [sys.executable, str(WORKER), str(request.param), str(folder)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(request.param)]


@pytest.mark.parametrize("case", CASES)
def test_ranks_along_time_give_the_same_numbers(
    outcomes: list[dict[str, object]], case: str
) -> None:
    for outcome in outcomes:
        assert isinstance(outcome[case], float), outcome[case]
        assert outcome[case] < 1e-12


@pytest.fixture
def split(process_group: None) -> TimeSplit:
    """One rank alone, in this process."""
    return TimeSplit()


def test_one_rank_is_the_network_itself(split: TimeSplit) -> None:
    net = nn.LIF(0.8)
    x = torch.rand(6, 2, 3)
    expected = net(x)
    split_time(net, split)
    assert torch.equal(net(split.segment(x)), expected)


def test_a_parameter_without_a_gradient_is_named(split: TimeSplit) -> None:
    net = torch.nn.Linear(3, 3)
    sums = GradientSums(net, split)
    net.weight.sum().backward()
    with pytest.raises(
        RuntimeError,
        match="GradientSums: wait: expected a backward pass that gives every parameter a gradient, "
        "got 1 without one",
    ):
        sums.wait()


def test_gradients_of_several_passes_do_not_stand_for_missing_ones(
    split: TimeSplit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradients, "BUCKET_BYTES", 1)
    net = torch.nn.Linear(3, 3)
    sums = GradientSums(net, split)
    for _ in range(2):
        net.weight.sum().backward()
    with pytest.raises(RuntimeError, match="got 1 without one"):
        sums.wait()
    net.bias.sum().backward()
    with pytest.raises(
        RuntimeError, match="GradientSums: wait: expected one backward pass since the last, got se"
    ):
        sums.wait()


def test_layers_with_other_states_are_refused(split: TimeSplit) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(3, 3), nn.SparseLIF(3, 4))
    with pytest.raises(
        TypeError,
        match=r"split_time: 1: expected elementwise neurons and popsnn.nn.BatchNorm, "
        r"got SparseLIF, which cannot be split over time",
    ):
        split_time(net, split)
    with pytest.raises(TypeError, match="got BatchNorm2d, which cannot be split over time"):
        split_time(torch.nn.BatchNorm2d(3), split)


def test_a_state_of_ones_own_is_refused(split: TimeSplit) -> None:
    net = nn.LIF()
    split_time(net, split)
    with pytest.raises(
        ValueError, match="LIF: state: expected none where time is split over ranks"
    ):
        net(torch.rand(3, 2, 4), return_state=True)


def test_every_rank_needs_a_step(split: TimeSplit) -> None:
    with pytest.raises(
        ValueError, match="TimeSplit: steps: expected at least one for each of 1 ranks, got 0"
    ):
        split.bounds(0)


def test_needs_a_process_group() -> None:
    with pytest.raises(
        RuntimeError, match=r"TimeSplit: group: expected torch.distributed to be initialised"
    ):
        TimeSplit()


def test_messages_are_what_the_ranks_can_have(split: TimeSplit) -> None:
    assert split.messages == "group"
    assert TimeSplit(messages="group").messages == "group"
    with pytest.raises(
        RuntimeError,
        match="TimeSplit: messages: expected what the ranks have, got 'peer': "
        "the group's backend is gloo, not nccl",
    ):
        TimeSplit(messages="peer")
    with pytest.raises(ValueError, match="TimeSplit: messages: expected"):
        TimeSplit(messages="pigeon")


def test_the_model_of_the_pipeline() -> None:
    paper = Pipeline(compute=64.0, scan=0.0, hop=1.0)
    assert paper.best == 8
    assert paper.time(8) == 64 / 8 + 7
    assert min(range(1, 65), key=paper.time) == 8
    whole = Pipeline(compute=12.0, scan=2.0, hop=0.5, update=4.0, sums=3.0)
    assert whole.time(1) == 12
    assert whole.time(2) == 4 + 8 / 2 + (2 / 2 + 0.5) + 3
    deep = Pipeline(compute=12.0, scan=2.0, hop=0.5, update=4.0, sums=3.0, layers=6)
    assert deep.time(2) == whole.time(2) + 6 * 0.5
    alone = Pipeline(compute=1.0, scan=1.0, hop=0.1)  # nothing but one layer's neurons
    assert alone.best == 1
    assert alone.speedup(4) < 1
    assert math.isinf(Pipeline(1.0, 0.1, 0.0).best)
    with pytest.raises(ValueError, match=r"Pipeline: hop: expected a time of at least 0, got -1.0"):
        Pipeline(1.0, 0.5, -1.0)
