from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data

files: Any = importlib.import_module("tests.python.data.tonic_files")
ROWS = [(10, 0, 0, 1), (15, 127, 127, 0), (19, 64, 3, 1)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("aedat")
    files.small_is_enough(monkeypatch)
    of_class = {number: [(0, number, 0, 0), (9, number, 1, 1)] for number in (0, 1, 2, 10)}
    files.write_cifar10dvs(tmp_path, {"truck": of_class, "airplane": {**of_class, 3: ROWS}})
    return tmp_path


def made(folder: Path, **options: Any) -> Any:
    return data.cifar10dvs(
        folder, cache=folder / "cache", steps=10, downsample=1, test_fraction=0.3, **options
    )


def test_events_come_through_tonic(folder: Path) -> None:
    train, test = made(folder)
    assert repr(train) == "SpikeDataset(6 samples, 10 steps, 32768 neurons, 10 classes)"
    # Of each class the highest numbers, 10 of five and of four, are in the test set.
    assert train.labels.tolist() == [0, 0, 0, 9, 9, 9]
    assert test.labels.tolist() == [0, 0, 9]
    pixels = [x for t, _, x in torch.nonzero(train.spikes.to_dense()).tolist() if t == 0]
    assert pixels == [0, 1, 2, 0, 1, 2]
    fired = torch.nonzero(test.spikes.to_dense()).tolist()
    assert [(t, b, n) for t, b, n in fired if b == 0] == [
        (0, 0, 128 * 128),
        (5, 0, 128 * 128 - 1),
        (9, 0, 128 * 128 + 3 * 128 + 64),
    ]
    assert [n for t, b, n in fired if b == 2] == [10, 128 * 128 + 128 + 10]


def test_bad_files_get_one_sentence(folder: Path) -> None:
    (path,) = files.write_cifar10dvs(folder, {"cat": {7: [(5, 3, 128, 0)]}})
    start = re.escape(f"data.cifar10dvs: {path}: ")
    with pytest.raises(ValueError, match=rf"^{start}expected y in 0..127, got 128$"):
        made(folder)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match=rf"^{start}expected a recording that can be read, got "):
        made(folder)


def test_a_split_that_leaves_nothing_is_refused(folder: Path) -> None:
    for fraction in (0.0, 0.1, 1.0):
        with pytest.raises(ValueError, match=r"^data.cifar10dvs: test_fraction: expected a number"):
            data.cifar10dvs(folder, cache=folder / "cache", test_fraction=fraction)


def test_a_missing_reader_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aedat", None)
    with pytest.raises(ImportError, match=r"^data.cifar10dvs: expected the package aedat, got"):
        made(folder)
