"""Executables in files: which model, options and session they are of, and weights.

The emulation interprets the model, so there is no compiled program in them.
"""

from __future__ import annotations

import hashlib
import io
import os
from typing import Any, Mapping

import numpy as np

from .._native import onnx, popart_exception

_MAGIC = b"popsnn executable 1\n"


def key_of(model: Any, *settings: str) -> str:
    """Return a hash of a model without the values of its weights, and of settings."""
    copy = onnx().ModelProto()
    copy.CopyFrom(model)
    described = [(t.name, t.data_type, tuple(t.dims)) for t in copy.graph.initializer]
    del copy.graph.initializer[:]
    text = copy.SerializeToString(deterministic=True) + repr((described, settings)).encode()
    return hashlib.sha256(text).hexdigest()


def check_device(device: Any) -> None:
    """Refuse a device that has no executables.

    Raises
    ------
    popart_exception
        Where it is a CPU.
    """
    kind = str(device.type).split(".")[-1]
    if kind == "Cpu":
        raise popart_exception(f"Executables for device type {kind} cannot be saved")


def save(path: str, key: str, weights: Mapping[str, Any]) -> None:
    """Write an executable, and the folders of its path."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    content = io.BytesIO()
    names = np.array(list(weights), dtype=str)
    arrays = {str(i): np.asarray(value) for i, value in enumerate(weights.values())}
    np.savez(content, allow_pickle=False, names=names, **arrays)
    body = content.getvalue()
    heading = f"{key} {hashlib.sha256(body).hexdigest()}\n".encode()
    with open(path, "wb") as file:
        file.write(_MAGIC + heading + body)


def load(path: str, key: str) -> dict[str, Any]:
    """Return the weights of an executable.

    Raises
    ------
    popart_exception
        Where the file is no whole executable, or one of another model.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise popart_exception(f"Could not open file {path}") from error
    begin = len(_MAGIC) + 130
    fields = data[len(_MAGIC) : begin].decode("latin-1").split()
    whole = data.startswith(_MAGIC) and len(fields) == 2
    if not whole or hashlib.sha256(data[begin:]).hexdigest() != fields[1]:
        raise popart_exception(
            f"loadExecutable: '{path}': expected a file of saveExecutable, got {len(data)} other "
            "bytes"
        )
    if fields[0] != key:
        raise popart_exception(
            f"loadExecutable: '{path}': expected an executable of this session's model and "
            "options, got another's"
        )
    with np.load(io.BytesIO(data[begin:]), allow_pickle=False) as content:
        return {str(name): content[str(i)] for i, name in enumerate(content["names"])}
