"""Files of a run that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable, Dict

import torch

CHECKPOINT = "checkpoint.pt"
PARTIAL = ".partial-"


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file so that a reader, or a run that is cut off, sees all of it or the one before."""
    partial = path.with_name(PARTIAL + path.name)
    write(partial)
    with open(partial, "rb+") as file:
        os.fsync(file.fileno())  # its name must not reach the disk before its content
    os.replace(partial, path)


def save(path: Path, state: Dict[str, Any]) -> None:
    """Write a checkpoint."""
    replace(path, lambda partial: torch.save(state, partial))


def load(path: Path) -> Dict[str, Any]:
    """Read a checkpoint.

    Raises
    ------
    FileNotFoundError
        Where there is none.
    ValueError
        Where the file is not one of a run.
    """
    if not path.is_file():
        raise FileNotFoundError(f"resume: expected a checkpoint at {path}, got none")
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
        wanted = {"net", "optimizer", "rows", "settings", "epoch"}
        if wanted <= set(saved):
            return dict(saved)
    except Exception as error:  # torch raises whatever its reader or the pickle raised
        raise ValueError(f"resume: expected a checkpoint at {path}, got another file") from error
    raise ValueError(f"resume: expected a checkpoint at {path}, got another file")
