"""Inputs of a session: their shapes where a model leaves them open, and their values."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._native import popart_exception
from .._settings.enums import SyntheticDataMode
from .._settings.tensorinfo import TYPES, TensorInfo, to_torch
from .stepio import IStepIO


class InputShapeInfo:
    """Types and shapes of inputs that a model leaves open."""

    def __init__(self) -> None:
        self._infos: dict[str, TensorInfo] = {}

    def add(self, name: str, info: TensorInfo) -> None:
        """Set those of an input."""
        self._infos[name] = info

    def get(self, name: str) -> TensorInfo:
        """Return those of an input."""
        return self._infos[name]

    def has(self, name: str) -> bool:
        """Whether those of an input are set."""
        return name in self._infos

    def all(self) -> dict[str, TensorInfo]:
        """Return all."""
        return dict(self._infos)


def read_input(io: IStepIO, name: str, info: TensorInfo, count: int) -> Tensor:
    """Return the next micro-batch of an input.

    Parameters
    ----------
    io : IStepIO
    name : str
    info : TensorInfo
        Of one micro-batch.
    count : int
        Micro-batches of a step.

    Raises
    ------
    popart_exception
        Where the data are of another type; 64-bit integers and floats are narrowed.
    """
    array = io.give(name, info.nelms(), count)
    if array.dtype != info.dtype:
        wider = {np.dtype(np.int64): np.int32, np.dtype(np.float64): np.float32}
        if wider.get(array.dtype) != info.dtype:
            raise popart_exception(
                f"Session::run: input '{name}': expected {info.data_type_lcase()}, got "
                f"{array.dtype}"
            )
        array = array.astype(info.dtype)
    return to_torch(array.reshape(info.shape()), info.data_type())


def synthetic(info: TensorInfo, mode: Any) -> Tensor:
    """Return data of the device's own: zeros, or random floats."""
    kind, shape = TYPES[info.data_type()][1], info.shape()
    if mode == SyntheticDataMode.Zeros or not kind.is_floating_point:
        return torch.zeros(shape, dtype=kind)
    normal = mode == SyntheticDataMode.RandomNormal
    return (torch.randn(shape) if normal else torch.rand(shape)).to(kind)
