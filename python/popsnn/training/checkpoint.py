"""Files of a run: each is there whole or not at all, and what is read again has a checksum."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any, Callable, Dict

import torch

from .._internal.files import check_seal, seal, whole_file

CHECKPOINT = "checkpoint.pt"
PARTIAL = ".partial-"


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file so that a reader, or a run that is cut off, sees all of it or the one before.

    Raises
    ------
    OSError
        Where it cannot be written; the sentence names it.
    """
    with whole_file("train", path, path.with_name(PARTIAL + path.name)) as partial:
        write(partial)


def save(path: Path, state: Dict[str, Any]) -> None:
    """Write a state, with a checksum over every byte; `torch.load` reads it too."""
    buffer = io.BytesIO()  # torch reports a full disk without the error of the system
    torch.save(state, buffer)
    content = buffer.getbuffer()
    replace(path, lambda partial: write_bytes(partial, content, seal(content)))


def write_bytes(path: Path, *parts: Any) -> None:
    """Write these bytes one after the other."""
    with open(path, "wb") as file:
        for block in parts:
            file.write(block)


def read(path: Path, wanted: str) -> Dict[str, Any]:
    """Read a state that `save` wrote.

    Parameters
    ----------
    path : Path
    wanted : str
        How messages name it, as in "resume: expected a checkpoint".

    Raises
    ------
    FileNotFoundError
        Where there is none.
    ValueError
        Where a bit is another than was written, or it is another file.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{wanted} at {path}, got none")
    content = path.read_bytes()
    check_seal(content, wanted, path)
    file = io.BytesIO(content)
    try:
        with zipfile.ZipFile(file) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > len(content):  # torch packs nothing: this was made to fill the memory
            raise ValueError(f"{len(content)} bytes that unpack to {unpacked}")
        file.seek(0)
        saved = torch.load(file, map_location="cpu", weights_only=True)
        if isinstance(saved, dict):
            return saved
    except Exception as error:  # torch raises whatever its reader or the pickle raised
        raise ValueError(f"{wanted} at {path}, got another file: {_line(error)}") from error
    raise ValueError(f"{wanted} at {path}, got another file: {type(saved).__name__}")


def _line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]


def load(path: Path) -> Dict[str, Any]:
    """Read a checkpoint.

    Raises
    ------
    FileNotFoundError
        Where there is none.
    ValueError
        Where the file is not one of a run, or has changed.
    """
    saved = read(path, "resume: expected a checkpoint")
    if {"net", "optimizer", "rows", "settings", "epoch"} <= set(saved):
        return saved
    raise ValueError(f"resume: expected a checkpoint at {path}, got another file")
