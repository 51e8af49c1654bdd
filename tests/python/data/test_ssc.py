from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data

files: Any = importlib.import_module("tests.python.data.tonic_files")
ROWS = [[(0, 699), (15, 3), (15, 2)], [(700, 0), (1500, 1)], []]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files.small_is_enough(monkeypatch)
    files.write_shd(tmp_path, "train", ROWS, [3, 34, 0], "ssc")
    files.write_shd(tmp_path, "valid", ROWS[1:], [20, 21], "ssc")
    files.write_shd(tmp_path, "test", ROWS[:1], [7], "ssc")
    return tmp_path


def test_events_come_through_tonic(folder: Path) -> None:
    made = data.ssc(folder, cache=folder / "cache")
    train, validation, test = made
    assert repr(train) == "SpikeDataset(3 samples, 100 steps, 700 neurons, 35 classes)"
    assert train.labels.tolist() == [3, 34, 0]
    assert validation.labels.tolist() == [20, 21]
    assert made.test.labels.tolist() == [7]
    fired = torch.nonzero(train.spikes.to_dense()).tolist()
    assert fired == [[0, 0, 699], [1, 0, 2], [1, 0, 3], [50, 1, 0]]
    assert torch.nonzero(validation.spikes.to_dense()).tolist() == [[50, 0, 0]]
    assert torch.nonzero(test.spikes.to_dense()).tolist() == [row for row in fired if row[1] == 0]
    assert (train.late, validation.late, test.late) == (1, 1, 0)
    assert train.capacity == validation.capacity == test.capacity == 2


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_bad_files_get_one_sentence(folder: Path, split: str) -> None:
    path = files.write_shd(folder, split, [[(8, 1), (4, 700)]], [34], "ssc")
    with pytest.raises(ValueError, match=f"^{re.escape(f'data.ssc: {path}[0]: expected ')}"):
        data.ssc(folder, cache=folder / "cache")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(
        ValueError, match=f"^{re.escape(f'data.ssc: {path}: expected what tonic can read, got ')}"
    ):
        data.ssc(folder, cache=folder / "cache")
