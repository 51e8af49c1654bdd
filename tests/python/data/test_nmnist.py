from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data

files: Any = importlib.import_module("tests.python.data.tonic_files")
ROWS = [(0, 33, 0, 1), (2999, 5, 7, 0), (3000, 5, 7, 0), (110_000, 0, 33, 1), (301_000, 1, 1, 1)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files.small_is_enough(monkeypatch)
    files.write_nmnist(tmp_path, "train", {0: [ROWS, ROWS[1:2]], 7: [ROWS[3:]]})
    files.write_nmnist(tmp_path, "test", {9: [ROWS[:1]]})
    return tmp_path


def neuron(x: int, y: int, p: int) -> int:
    return (p * 34 + y) * 34 + x


def test_events_come_through_tonic(folder: Path) -> None:
    train, test = data.nmnist(folder, cache=folder / "cache", workers=1)
    assert repr(train) == "SpikeDataset(3 samples, 100 steps, 2312 neurons, 10 classes)"
    assert train.labels.tolist() == [0, 0, 7]
    assert test.labels.tolist() == [9]
    assert torch.nonzero(train.spikes.to_dense()).tolist() == [
        [0, 0, neuron(5, 7, 0)],
        [0, 0, neuron(33, 0, 1)],
        [0, 1, neuron(5, 7, 0)],
        [1, 0, neuron(5, 7, 0)],
        [36, 0, neuron(0, 33, 1)],
        [36, 2, neuron(0, 33, 1)],
    ]
    assert train.late == 2


def test_the_first_saccade_alone(folder: Path) -> None:
    options: Any = {"cache": folder / "cache", "steps": 10, "dt": None, "downsample": 2}
    whole, _ = data.nmnist(folder, **options)
    first, _ = data.nmnist(folder, first_saccade_only=True, **options)
    assert first.lists.size == 17 * 17 * 2
    assert first.lists.lengths.sum(1).tolist() == [2, 1, 0]
    assert whole.lists.lengths.sum(1).tolist() == [4, 1, 2]
    assert (first.merged, whole.merged) == (1, 1)


def test_bad_files_get_one_sentence(folder: Path) -> None:
    (path,) = files.write_nmnist(folder, "train", {7: [[(5, 3, 34, 0)]]})
    start = re.escape(f"data.nmnist: {path}: ")
    with pytest.raises(ValueError, match=rf"^{start}expected y in 0..33, got 34$"):
        data.nmnist(folder, cache=folder / "cache")
    files.write_nmnist(folder, "train", {7: [[(5, 3, 3, 0), (4, 3, 3, 0)]]})
    with pytest.raises(
        ValueError, match=rf"^{start}expected ascending times, got 4 us after 5 us$"
    ):
        data.nmnist(folder, cache=folder / "cache")
    path.write_bytes(b"\0" * 7)
    with pytest.raises(ValueError, match=rf"^{start}expected a recording .* got 7 bytes, which"):
        data.nmnist(folder, cache=folder / "cache")


def test_a_folder_that_was_not_unpacked_to_its_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("popsnn.data.nmnist")
    monkeypatch.setattr(module, "RECORDINGS", {"train": 4, "test": 1})
    archive = re.escape(str(folder / "NMNIST" / "train.zip"))
    with pytest.raises(
        ValueError, match=rf"^data.nmnist: {archive}: expected .* got 3 of 4 recordings unpacked"
    ):
        data.nmnist(folder, cache=folder / "cache")
