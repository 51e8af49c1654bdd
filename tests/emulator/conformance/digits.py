"""Writes the files of handwritten digits that a program reads, with made-up digits.

Each class has a random pattern, each image its pattern under noise: what a linear model learns.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np

SIDE = 28


def write(folder: Path, kind: str, count: int, patterns: np.ndarray) -> None:
    random = np.random.default_rng(count)
    labels = random.integers(0, 10, count, dtype=np.uint8)
    noise = random.integers(0, 256, (count, SIDE * SIDE), dtype=np.uint8)
    images = np.where(noise < 26, noise[:, ::-1], patterns[labels])
    header = struct.pack(">IIII", 2051, count, SIDE, SIDE)
    (folder / f"{kind}-images-idx3-ubyte").write_bytes(header + images.tobytes())
    header = struct.pack(">II", 2049, count)
    (folder / f"{kind}-labels-idx1-ubyte").write_bytes(header + labels.tobytes())


def main() -> None:
    folder = Path(sys.argv[1]) / "data"
    folder.mkdir()
    bright = np.random.default_rng(0).random((10, SIDE * SIDE)) < 0.2
    patterns = np.where(bright, 255, 0).astype(np.uint8)
    write(folder, "train", 60000, patterns)
    write(folder, "t10k", 10000, patterns)


if __name__ == "__main__":
    main()
