"""Small files in the very formats that tonic reads, and the events that they hold."""

from __future__ import annotations

import importlib
import struct
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
    for name in ("cifar10dvs", "ncaltech101"):
        monkeypatch.setattr(importlib.import_module(f"popsnn.data.{name}"), "RECORDINGS", None)

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
            path.write_bytes(five_bytes(rows))
            paths.append(path)
    return paths


def five_bytes(rows: Rows) -> bytes:
    """Return rows (us, x, y, p) as N-MNIST and N-Caltech101 store them."""
    data = [[x, y, (p << 7) | (t >> 16 & 127), t >> 8 & 255, t & 255] for t, x, y, p in rows]
    return np.array(data, np.uint8).tobytes()


def write_ncaltech101(folder: Path, recordings: Dict[str, List[Rows]]) -> List[Path]:
    """Write rows (us, x, y, p) of recordings by class; return the files."""
    paths = []
    (folder / "NCALTECH101").mkdir(exist_ok=True)
    (folder / "NCALTECH101" / "N-Caltech101-archive.zip").write_bytes(b"")
    for name, of_class in recordings.items():
        for index, rows in enumerate(of_class, 1):
            path = folder / "NCALTECH101" / "Caltech101" / name / f"image_{index:04d}.bin"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(five_bytes(rows))
            paths.append(path)
    return paths


def write_cifar10dvs(folder: Path, recordings: Dict[str, Dict[int, Rows]]) -> List[Path]:
    """Write rows (us, x, y, p) of recordings by class and number; return the files."""
    paths = []
    (folder / "CIFAR10DVS").mkdir(exist_ok=True)
    (folder / "CIFAR10DVS" / "CIFAR10DVS.zip").write_bytes(b"")
    for name, of_class in recordings.items():
        for number, rows in of_class.items():
            path = folder / "CIFAR10DVS" / name / f"cifar10_{name}_{number}.aedat4"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(aedat4(rows))
            paths.append(path)
    return paths


# One stream of events, as in the header of an AEDAT 4 file.
STREAM = """<dv version="2.0"><node name="outInfo" path="/mainloop/Recorder/outInfo/">
<node name="0" path="/mainloop/Recorder/outInfo/0/">
<attr key="compression" type="string">NONE</attr>
<attr key="typeIdentifier" type="string">EVTS</attr>
<node name="info" path="/mainloop/Recorder/outInfo/0/info/">
<attr key="sizeX" type="int">128</attr><attr key="sizeY" type="int">128</attr>
</node></node></node></dv>"""


def aedat4(rows: Rows) -> bytes:
    """Return an AEDAT 4 file of rows (us, x, y, p): a header and a packet, as FlatBuffers."""

    def sized(buffer: bytes) -> bytes:
        return struct.pack("<i", len(buffer)) + buffer

    # A buffer: offset of the root table, identifier, offsets of the table's fields, the table.
    text = STREAM.encode()
    fields = struct.pack("<5H2x", 10, 24, 4, 8, 16)  # compression, position of a table, text
    table = struct.pack("<iiqII", 12, 0, -1, 8, 0)
    content = struct.pack("<I", len(text)) + text + b"\0"
    header = struct.pack("<I4s", 20, b"IOHE") + fields + table + content
    events = b"".join(struct.pack("<qhhB3x", t, x, y, p) for t, x, y, p in rows)
    fields = struct.pack("<3H2x", 6, 8, 4)  # events
    table = struct.pack("<iI4x", 8, 8)
    packet = struct.pack("<I4s", 16, b"EVTS") + fields + table + struct.pack("<I", len(rows))
    packet = sized(packet + events)
    return b"#!AER-DAT4.0\r\n" + sized(header) + struct.pack("<ii", 0, len(packet)) + packet


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
