from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
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


def test_no_number_is_taken_for_another_one(folder: Path) -> None:
    path = folder / "DVSGesture" / "ibmGestureTest" / "user24_led" / "0.npy"
    rows = np.array([[5, 6, 1, 0], [5, 6, 1, 0.25]])  # a time in ms may have a fraction
    np.save(path, rows)
    assert len(data.dvsgesture(folder, cache=folder / "cache")[1]) == 1
    for column, value, sentence in (
        (0, 2.7, "x of 2.7 in place of whole numbers in -32768..32767"),
        (1, 1e5, "y of 100000.0 in place of whole numbers in -32768..32767"),
        (2, 0.5, "p of 0.5 in place of whole numbers in 0..1"),
        (2, 2.0, "p of 2.0 in place of whole numbers in 0..1"),
        (3, np.nan, "t of nan in place of whole numbers in 0..4503599627370496"),
    ):
        changed = rows.copy()
        changed[1, column] = value
        np.save(path, changed)
        start = f"data.dvsgesture: {path}: expected a recording that can be read, got {sentence}"
        with pytest.raises(ValueError, match=f"^{re.escape(start)}$"):
            data.dvsgesture(folder, cache=folder / "another")
    np.save(path, rows[:, :3])
    with pytest.raises(ValueError, match=r"got float64 of shape \(2, 3\) in place of numbers"):
        data.dvsgesture(folder, cache=folder / "another")


def test_a_folder_that_was_not_unpacked_to_its_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("popsnn.data.dvsgesture")
    monkeypatch.setattr(module, "RECORDINGS", {"Train": 3, "Test": 1})
    with pytest.raises(ValueError, match=r"ibmGestureTrain.tar.gz: .* got 2 of 3 recordings"):
        data.dvsgesture(folder, cache=folder / "cache")
