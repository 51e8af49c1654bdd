from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data, nn, optim
from popsnn.data import SpikeDataset
from popsnn.training import EpochMetrics, Training

EPOCHS = 3
SETTINGS = {"epochs": EPOCHS, "lr": 0.01}
MEASURED = ("samples_per_second", "seconds")


@pytest.fixture(scope="module")
def parts() -> tuple[SpikeDataset, SpikeDataset]:
    train, test = data.digits(steps=4)
    return (
        SpikeDataset(train.spikes.select_batch(slice(0, 130)), train.labels[:130], 10),
        SpikeDataset(test.spikes.select_batch(slice(0, 50)), test.labels[:50], 10),
    )


def training(
    parts: tuple[SpikeDataset, SpikeDataset],
    out: Path,
    engine: str,
    *,
    on_device: bool = False,
    **changes: Any,
) -> Training:
    torch.manual_seed(0)
    # Lists so short that spikes are dropped: a resumed run has to draw the same ones.
    net = nn.SNN(
        nn.SparseLIF(64, 32, max_activity=0.1, grad_threshold=0.5), nn.LI(32, 10), backend=engine
    )
    on_host = torch.optim.Adam(net.parameters(), lr=0.01)
    optimizer = optim.Adam(net, lr=0.01) if on_device else on_host
    settings = {**SETTINGS, **changes}
    return Training(
        net, optimizer, *parts, out, settings=settings, epochs=EPOCHS, batch_size=25, seed=5
    )


def comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in MEASURED} for row in rows]


class Interrupter:
    """Stands for a user who presses Ctrl-C after some epochs."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, metrics: EpochMetrics) -> None:
        if metrics.epoch == self.after:
            raise KeyboardInterrupt


@pytest.mark.parametrize("on_device", [False, True], ids=["host update", "device update"])
def test_an_interrupted_run_resumes_to_the_same_numbers(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, engine: str, on_device: bool
) -> None:
    if on_device and engine != "ipu":
        pytest.skip(f"engine {engine} has no optimizers of its own")
    whole = training(parts, tmp_path / "whole", engine, on_device=on_device)
    whole.run(lambda _: None, progress=False)
    assert whole.rows[0]["dropped_spikes"] > 0

    with pytest.raises(KeyboardInterrupt):
        training(parts, tmp_path / "cut", engine, on_device=on_device).run(
            Interrupter(after=2), progress=False
        )
    resumed = training(parts, tmp_path / "cut", engine, on_device=on_device)
    assert resumed.resume() == 2
    resumed.run(lambda _: None, progress=False)

    assert comparable(resumed.rows) == comparable(whole.rows)
    for name, value in whole.net.state_dict().items():
        assert torch.equal(resumed.net.state_dict()[name], value), name


def test_a_run_cut_off_in_its_first_epoch_can_be_resumed(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = training(parts, tmp_path, "torch")

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cut, "_epoch", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cut.run(lambda _: None, progress=False)
    assert training(parts, tmp_path, "torch").resume() == 0


def test_an_unfinished_run_is_not_lost_to_a_new_one(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        training(parts, tmp_path, "torch").run(Interrupter(after=1), progress=False)
    again = training(parts, tmp_path, "torch")
    with pytest.raises(FileExistsError, match=r"without an unfinished run, got .*--resume goes on"):
        again.start_over(overwrite=False)
    assert again.resume() == 1
    again.start_over(overwrite=True)
    assert list(tmp_path.iterdir()) == []


def test_a_finished_run_is_replaced(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    training(parts, tmp_path, "torch").run(lambda _: None, progress=False)
    training(parts, tmp_path, "torch").start_over(overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_files_of_a_run(parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path) -> None:
    seen: list[EpochMetrics] = []
    run = training(parts, tmp_path, "torch")
    summary = run.run(seen.append, progress=False)
    assert {path.name for path in tmp_path.iterdir()} == {
        "checkpoint.pt", "curves.png", "metrics.jsonl", "model.pt", "raster.png", "summary.json",
    }  # fmt: skip
    rows = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert rows == run.rows
    assert [row["epoch"] for row in rows] == [metrics.epoch for metrics in seen] == [1, 2, 3]
    assert json.loads((tmp_path / "summary.json").read_text()) == summary
    assert summary["test_accuracy"] == rows[-1]["test_accuracy"]
    assert summary["engine"] == "torch"
    assert summary["train_seconds"] == pytest.approx(sum(row["seconds"] for row in rows))
    assert set(summary["versions"]) == {"popsnn", "torch", "numpy", "python"}
    assert rows[-1]["loss"] < rows[0]["loss"]
    model = torch.load(tmp_path / "model.pt", weights_only=True)
    run.net.load_state_dict(model["state_dict"])


def test_only_the_same_run_can_be_resumed(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError, match=r"resume: expected a checkpoint at .*, got none"):
        training(parts, tmp_path, "torch").resume()
    training(parts, tmp_path, "torch").run(lambda _: None, progress=False)
    with pytest.raises(ValueError, match=r"resume: lr: expected 0.01 as in .*, got 0.1"):
        training(parts, tmp_path, "torch", lr=0.1).resume()


def test_batch_larger_than_the_dataset(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    net = nn.SNN(nn.SparseLIF(64, 4), nn.LI(4, 10), backend="torch")
    with pytest.raises(ValueError, match=r"Training: batch_size: expected 1..130, got 131"):
        Training(
            net, torch.optim.SGD(net.parameters(), lr=0.1), *parts, tmp_path,
            settings={}, epochs=1, batch_size=131,
        )  # fmt: skip
