"""Folder of the kernels' headers: in the installed package, or in a source tree's `cuda/`."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=None)
def include_path() -> Path:
    """Return the folder that has `popsnn/*.cuh` in it.

    Raises
    ------
    FileNotFoundError
        Where neither folder has them.
    """
    installed = Path(__file__).parents[1] / "include"
    source_tree = Path(__file__).parents[4] / "cuda"
    for folder in (installed, source_tree):
        if (folder / "popsnn" / "device" / "device.cuh").is_file():
            return folder
    raise FileNotFoundError(
        f"include_path: expected the kernels' headers in {installed} or {source_tree}, got none"
    )


@lru_cache(maxsize=None)
def digest(folder: Path) -> bytes:
    """Return a hash over the names and the text of all headers of `folder`."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*.cuh")):
        total.update(str(path.relative_to(folder)).encode())
        total.update(path.read_bytes())
    return total.digest()
