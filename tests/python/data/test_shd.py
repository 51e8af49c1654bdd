from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
import torch

from popsnn import data

files: Any = importlib.import_module("tests.python.data.tonic_files")
ROWS = [[(0, 699), (15, 3), (15, 2), (29, 5)], [(700, 0), (1300, 9), (1500, 1)], []]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files.small_is_enough(monkeypatch)
    files.write_shd(tmp_path, "train", ROWS, [3, 19, 0])
    files.write_shd(tmp_path, "test", ROWS[:1], [7])
    return tmp_path


def test_events_come_through_tonic(folder: Path) -> None:
    train, test = data.shd(folder, cache=folder / "cache")
    assert repr(train) == "SpikeDataset(3 samples, 100 steps, 700 neurons, 20 classes)"
    assert train.labels.tolist() == [3, 19, 0]
    assert test.labels.tolist() == [7]
    fired = torch.nonzero(train.spikes.to_dense()).tolist()
    assert fired == [[0, 0, 699], [1, 0, 2], [1, 0, 3], [2, 0, 5], [50, 1, 0], [92, 1, 9]]
    assert (train.late, test.late) == (1, 0)
    assert train.capacity == test.capacity == 2


def test_the_cache_serves_without_tonic(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = data.shd(folder, cache=folder / "cache", capacity=5)
    monkeypatch.setitem(sys.modules, "tonic", None)
    again, _ = data.shd(folder, cache=folder / "cache", capacity=5)
    assert torch.equal(first.spikes.ids, again.spikes.ids)
    with pytest.raises(ImportError, match=r"^data.shd: expected the package tonic, got none"):
        data.shd(folder, cache=folder / "cache", dt=0.01)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([(1, 700)], "expected x in 0..699, got 700"),
        ([(8, 1), (4, 1)], "expected ascending times, got 4001 us after 8003 us"),
    ],
)
@pytest.mark.parametrize("workers", [0, 1])
def test_bad_events_name_the_file(folder: Path, rows: Any, sentence: str, workers: int) -> None:
    path = files.write_shd(folder, "test", [ROWS[0], rows], [0, 1])
    with pytest.raises(ValueError, match=f"^{re.escape(f'data.shd: {path}[1]: {sentence}')}$"):
        data.shd(folder, cache=folder / "cache", workers=workers)


def test_bad_files_get_one_sentence(folder: Path) -> None:
    h5py = importlib.import_module("h5py")
    path = folder / "SHD" / "shd_train.h5"
    whole = path.read_bytes()

    def without(key: str) -> bytes:
        copy = folder / "copy.h5"
        copy.write_bytes(whole)
        with h5py.File(copy, "a") as file:
            del file[key]
        return copy.read_bytes()

    unreadable = ": expected what tonic can read, got "
    for content, sentence in (
        (whole[: len(whole) // 2], rf"{unreadable}.*truncated"),
        (without("extra"), rf"{unreadable}no extra/keys$"),
        (without("spikes/units"), rf"{unreadable}no spikes/units$"),
        (without("labels"), rf"{unreadable}no labels$"),
    ):
        path.unlink()  # h5py may hold the one before
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"^{re.escape(f'data.shd: {path}')}{sentence}"):
            data.shd(folder, cache=folder / "cache")


def test_a_download_that_fails_gets_one_sentence(folder: Path) -> None:
    (folder / "SHD" / "shd_test.h5.zip").unlink()
    with pytest.raises(ValueError, match=r"^data.shd: .*shd_test.h5: .* got no network for https"):
        data.shd(folder, cache=folder / "cache")


def test_labels_and_events_that_do_not_match(folder: Path) -> None:
    h5py = importlib.import_module("h5py")
    path = folder / "SHD" / "shd_train.h5"

    def refused(change: Any, sentence: str) -> None:
        files.write_shd(folder, "train", ROWS, [3, 19, 0])
        with h5py.File(path, "a") as file:
            change(file)
        with pytest.raises(ValueError, match=f"^{re.escape(f'data.shd: {path}')}{sentence}$"):
            data.shd(folder, cache=folder / "cache")

    def labels(values: Any) -> Any:
        def change(file: Any) -> None:
            del file["labels"]
            file["labels"] = values

        return change

    def unit(file: Any) -> None:
        file["spikes/units"][1] = [5]

    unreadable = ": expected what tonic can read, got "
    refused(labels([3, 19]), rf"{unreadable}3 spikes/times, 3 spikes/units, 2 labels")
    refused(labels([3.7, 19.0, 0.0]), rf"{unreadable}labels of float64, which are no integers")
    refused(unit, r"\[1\]: expected a recording that can be read, got 1 units of 3 times")


def test_a_network_that_is_not_there_gets_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "SHD" / "shd_test.h5"
    (folder / "SHD" / "shd_test.h5.zip").unlink()

    def refuse(self: Any) -> None:
        raise URLError("Name or service not known")

    monkeypatch.setattr(importlib.import_module("tonic").Dataset, "download", refuse)
    sentence = (
        f"data.shd: {path}: expected the file, or to download it, got Name or service not known"
    )
    with pytest.raises(ConnectionError, match=f"^{re.escape(sentence)}$"):
        data.shd(folder, cache=folder / "cache")
