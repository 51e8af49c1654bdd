from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data

files: Any = importlib.import_module("tests.python.data.tonic_files")
ROWS = [(0, 127, 0, 1), (10, 8, 7, 0), (990, 0, 127, 1)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files.small_is_enough(monkeypatch)
    files.write_dvsgesture(tmp_path, "Train", {"user02_led/4": ROWS, "user01_lab/10": ROWS[1:]})
    files.write_dvsgesture(tmp_path, "Test", {"user24_led/0": ROWS[:1]})
    return tmp_path


def test_events_come_through_tonic(folder: Path) -> None:
    train, test = data.dvsgesture(folder, cache=folder / "cache")
    assert repr(train) == "SpikeDataset(2 samples, 50 steps, 4608 neurons, 11 classes)"
    assert train.labels.tolist() == [10, 4]  # in the order of the files' names
    assert test.labels.tolist() == [0]
    assert torch.nonzero(train.spikes.to_dense()).tolist() == [
        [0, 0, 2 * 48 + 3],
        [0, 1, 2 * 48 + 3],
        [0, 1, 48 * 48 + 47],
        [49, 0, 48 * 48 + 47 * 48],
        [49, 1, 48 * 48 + 47 * 48],
    ]


def test_steps_of_dt(folder: Path) -> None:
    options: Any = {"dt": 0.01, "downsample": 1, "cache": folder / "cache"}
    train, _ = data.dvsgesture(folder, **options)
    assert train.lists.size == 128 * 128 * 2
    assert train.lists.lengths.sum(1).tolist() == [1, 2]
    assert train.late == 2


def test_bad_files_get_one_sentence(folder: Path) -> None:
    (path,) = files.write_dvsgesture(folder, "Test", {"user24_led/0": [(0, 128, 1, 0)]})
    start = re.escape(f"data.dvsgesture: {path}: ")
    with pytest.raises(ValueError, match=rf"^{start}expected x in 0..127, got 128$"):
        data.dvsgesture(folder, cache=folder / "cache")
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(ValueError, match=rf"^{start}expected a recording that can be read, got "):
        data.dvsgesture(folder, cache=folder / "cache")
