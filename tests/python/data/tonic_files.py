"""Small files in the very formats that tonic reads, and the events that they hold."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pytest

Rows = List[Tuple[int, ...]]


def small_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tonic take folders with fewer files than the datasets have, and download nothing."""
    dataset = pytest.importorskip("tonic").Dataset
    monkeypatch.setattr(dataset, "_folder_contains_at_least_n_files_of_type", lambda *_: True)
    for name, splits in (("nmnist", ("train", "test")), ("dvsgesture", ("Train", "Test"))):
        module = importlib.import_module(f"popsnn.data.{name}")
        monkeypatch.setattr(module, "RECORDINGS", dict.fromkeys(splits))

    def refuse(self: Any) -> None:
        raise OSError(f"no network for {self.url}")

    monkeypatch.setattr(dataset, "download", refuse)


def write_shd(
    folder: Path, split: str, recordings: List[Rows], labels: List[int], name: str = "shd"
) -> Path:
    """Write rows (milliseconds, channel) of SHD or SSC; return the file."""
    h5py = pytest.importorskip("h5py")
    folder = folder / name.upper()
    folder.mkdir(exist_ok=True)
    (folder / f"{name}_{split}.h5.zip").write_bytes(b"")  # tonic only looks whether it is there
    path = folder / f"{name}_{split}.h5"
    with h5py.File(path, "w") as file:
        for name, kind, column, unit in (("times", "f2", 0, 1e-3), ("units", "u2", 1, 1)):
            stored = file.create_dataset(
                f"spikes/{name}", len(recordings), h5py.vlen_dtype(np.dtype(kind))
            )
            for index, rows in enumerate(recordings):
                stored[index] = np.array([row[column] * unit for row in rows], kind)
        file["labels"] = np.array(labels, "u2")
        file["extra/keys"] = np.array([b"zero", b"one"])
        file["extra/speaker"] = np.zeros(len(labels), "u2")
    return path


def write_nmnist(folder: Path, split: str, recordings: Dict[int, List[Rows]]) -> List[Path]:
    """Write rows (us, x, y, p) of recordings by label; return the files."""
    paths = []
    (folder / "NMNIST").mkdir(exist_ok=True)
    (folder / "NMNIST" / f"{split}.zip").write_bytes(b"")
    for label, of_label in recordings.items():
        for index, rows in enumerate(of_label):
            path = folder / "NMNIST" / split.capitalize() / str(label) / f"{index:05d}.bin"
            path.parent.mkdir(parents=True, exist_ok=True)
            data = [
                [x, y, (p << 7) | (t >> 16 & 127), t >> 8 & 255, t & 255] for t, x, y, p in rows
            ]
            path.write_bytes(np.array(data, np.uint8).tobytes())
            paths.append(path)
    return paths


def write_dvsgesture(folder: Path, split: str, recordings: Dict[str, Rows]) -> List[Path]:
    """Write rows (ms, x, y, p) of recordings by name, as in user01_led/3; return the files."""
    paths = []
    (folder / "DVSGesture").mkdir(exist_ok=True)
    (folder / "DVSGesture" / f"ibmGesture{split}.tar.gz").write_bytes(b"")
    for name, rows in recordings.items():
        path = folder / "DVSGesture" / f"ibmGesture{split}" / f"{name}.npy"
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, np.array([(x, y, p, t) for t, x, y, p in rows], np.int64))
        paths.append(path)
    return paths
