from __future__ import annotations

import importlib
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data

files: Any = importlib.import_module("tests.python.data.tonic_files")
ROWS = [(0, 7, 5, 1), (2999, 246, 5, 0), (3000, 7, 184, 0), (301_000, 8, 6, 1)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files.small_is_enough(monkeypatch)
    one = [ROWS[:1]]
    files.write_ncaltech101(tmp_path, {"ant": one * 5, "BACKGROUND_Google": one * 4 + [ROWS]})
    other = tmp_path / "NCALTECH101" / "Caltech101_annotations" / "ant" / "annotation_0001.bin"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"\0" * 7)
    return tmp_path


def made(folder: Path, **options: Any) -> Any:
    return data.ncaltech101(
        folder, cache=folder / "cache", downsample=1, test_fraction=0.2, **options
    )


def test_events_come_through_tonic(folder: Path) -> None:
    train, test = made(folder)
    assert repr(train) == "SpikeDataset(8 samples, 100 steps, 86400 neurons, 101 classes)"
    assert train.labels.tolist() == [0] * 4 + [1] * 4
    assert test.labels.tolist() == [0, 1]
    assert torch.nonzero(test.spikes.to_dense()).tolist() == [
        [0, 0, 239],
        [0, 0, 240 * 180],
        [0, 1, 240 * 180],
        [1, 0, 179 * 240],
    ]
    assert test.late == 1


def test_an_inner_archive_is_unpacked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, _ = made(folder)
    home = folder / "NCALTECH101"
    shutil.make_archive(str(home / "Caltech101"), "zip", home, "Caltech101")
    shutil.rmtree(home / "Caltech101")
    shutil.rmtree(home / "Caltech101_annotations")
    shutil.rmtree(folder / "cache")
    module = importlib.import_module("popsnn.data.ncaltech101")
    with monkeypatch.context() as patched:
        patched.setattr(module, "UNPACKED", 10)
        with pytest.raises(
            ValueError,
            match=r"^data.ncaltech101: .*got Caltech101.zip of \d+ bytes unpacked, which",
        ):
            made(folder)
    train, _ = made(folder)
    assert torch.equal(train.labels, expected.labels)
    assert torch.equal(train.spikes.ids, expected.spikes.ids)


def test_bad_files_get_one_sentence(folder: Path) -> None:
    (path,) = files.write_ncaltech101(folder, {"ant": [[(5, 3, 3, 0), (4, 3, 3, 0)]]})
    start = re.escape(f"data.ncaltech101: {path}: ")
    with pytest.raises(
        ValueError, match=rf"^{start}expected ascending times, got 4 us after 5 us$"
    ):
        made(folder)
    path.write_bytes(b"\0" * 7)
    with pytest.raises(ValueError, match=rf"^{start}expected a recording .* got 7 bytes, which"):
        made(folder)


def test_a_folder_that_was_not_unpacked_to_its_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("popsnn.data.ncaltech101")
    monkeypatch.setattr(module, "RECORDINGS", 8709)
    with pytest.raises(ValueError, match=r"^data.ncaltech101: .* got 10 of 8709 recordings"):
        made(folder)
