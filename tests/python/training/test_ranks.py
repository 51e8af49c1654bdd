from __future__ import annotations

import json
import os
import signal
import socket
from pathlib import Path
from typing import Any, Callable, List
from unittest import mock

import pytest
import torch

from popsnn import training
from popsnn.nn._auto_capacity import reported_capacities
from popsnn.training import Training, ranks


def in_two_processes(act: Callable[[], object]) -> None:
    """Run `act` in each of two processes, with what torchrun tells them."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    children = []
    for rank in range(2):
        child = os.fork()
        if child == 0:
            os.environ.update(
                RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", MASTER_ADDR="localhost",
                MASTER_PORT=str(port),
            )  # fmt: skip
            try:
                act()
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.skipif(
    torch.cuda.is_available(), reason="a process that has used a GPU cannot be forked"
)
def test_two_processes_train_as_one_and_go_on_in_the_middle(tmp_path: Path) -> None:
    def train(name: str, **options: Any) -> None:
        training.train(
            "digits", progress=False, backend="torch", hidden=[16], steps=4, epochs=2,
            pictures=False, max_activity=None, out=str(tmp_path / name), **options,
        )  # fmt: skip

    def cut_off(**options: Any) -> None:
        train_step = Training._train_step

        def counted(self: Training, *arguments: Any) -> None:
            train_step(self, *arguments)
            last = len(self.train) // self.recipe.batch_size
            # The second alone is told.
            if (self.done, self.step, self.ranks.rank) in ((0, 3, 1), (1, last, 1)):
                os.kill(os.getpid(), signal.SIGTERM)

        with mock.patch.object(Training, "_train_step", counted), pytest.raises(KeyboardInterrupt):
            train("cut", **options)

    train("one")
    in_two_processes(lambda: train("two"))
    in_two_processes(cut_off)
    in_two_processes(lambda: cut_off(resume=True))
    in_two_processes(lambda: train("cut", resume=True))
    single, two, cut = (rows_of(tmp_path / name) for name in ("one", "two", "cut"))
    # Without a capacity nothing is drawn by a sample's place in its batch: only rounding differs.
    for alone, together, resumed in zip(single, two, cut):
        assert together["loss"] == pytest.approx(alone["loss"], rel=1e-3)
        assert together["activity"] == pytest.approx(alone["activity"], rel=1e-2)
        assert together["test_accuracy"] == pytest.approx(alone["test_accuracy"], abs=0.02)
        for name in ("loss", "activity", "train_accuracy", "test_accuracy"):
            assert resumed[name] == together[name]
    summary = json.loads((tmp_path / "cut" / "summary.json").read_text())
    assert summary["processes"] == 2


@pytest.mark.skipif(
    torch.cuda.is_available(), reason="a process that has used a GPU cannot be forked"
)
def test_processes_agree_on_an_automatic_capacity(tmp_path: Path) -> None:
    def train(name: str) -> None:
        lines: List[str] = []
        with reported_capacities(lines.append):
            training.train(
                "digits", progress=False, backend="torch", hidden=[32], steps=4, epochs=2,
                pictures=False, max_activity="auto", out=str(tmp_path / name),
            )  # fmt: skip
        rank = os.environ.get("RANK", "0")
        (tmp_path / f"{name}{rank}.json").write_text(json.dumps(lines))
        capacities = rows_of(tmp_path / name)[-1]["capacities"]
        assert capacities[0] < 32

    train("one")
    in_two_processes(lambda: train("two"))
    single, two = (rows_of(tmp_path / name) for name in ("one", "two"))
    assert [row["capacities"] for row in single] == [row["capacities"] for row in two]
    lines = json.loads((tmp_path / "one0.json").read_text())
    assert len(lines) == 1
    assert json.loads((tmp_path / "two0.json").read_text()) == lines
    assert json.loads((tmp_path / "two1.json").read_text()) == []  # the first process speaks


@pytest.mark.skipif(
    torch.cuda.is_available(), reason="a process that has used a GPU cannot be forked"
)
@pytest.mark.parametrize("step", [0, 2])
def test_a_process_that_ends_is_one_sentence_of_the_others(tmp_path: Path, step: int) -> None:
    def train() -> None:
        train_step = Training._train_step

        def ending(self: Training, *arguments: Any) -> None:
            if self.ranks.rank == 1 and self.step == step:
                os._exit(0)
            train_step(self, *arguments)

        with mock.patch.object(Training, "_train_step", ending), pytest.raises(
            RuntimeError,
            match=r"^train: process 0: expected all 2 processes to train to the end, "
            r"got (?!.*\.cc)[^\n]*(peer|reset|closed)[^\n]*$",  # an address has points too
        ):
            training.train(
                "digits", progress=False, backend="torch", hidden=[8], steps=4, pictures=False,
                out=str(tmp_path / "run"),
            )  # fmt: skip

    in_two_processes(train)


def test_other_errors_are_those_of_one_process() -> None:
    alone = ranks.Ranks(torch.device("cpu"))
    with pytest.raises(RuntimeError, match=r"^a \[sic\] sentence$"), alone.complete():
        raise RuntimeError("a [sic] sentence")


def test_batches_that_processes_cannot_share(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "7")
    monkeypatch.setattr(ranks.Ranks, "__init__", lambda self, device: setattr(self, "world", 7))
    with pytest.raises(ValueError, match=r"batch_size: expected a multiple of the 7 processes"):
        training.train("digits", backend="torch", out=str(tmp_path))


def test_the_ipu_engine_has_replicas_in_place_of_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert ranks.started_by_torchrun()
    with pytest.raises(ValueError, match=r"train: backend: expected cuda or torch where torchrun"):
        training.train("digits", backend="ipu", out=str(tmp_path))
