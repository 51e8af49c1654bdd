"""TensorInfo: type and shape of a tensor, by PopART's names of types."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import torch

from .._native import popart_exception
from .enums import DataType

TYPES: dict[str, tuple[Any, torch.dtype]] = {
    "FLOAT": (np.float32, torch.float32),
    "FLOAT16": (np.float16, torch.float16),
    "DOUBLE": (np.float64, torch.float64),
    "INT8": (np.int8, torch.int8),
    "INT16": (np.int16, torch.int16),
    "INT32": (np.int32, torch.int32),
    "INT64": (np.int64, torch.int64),
    "UINT8": (np.uint8, torch.uint8),
    # torch 2.0 has no unsigned types above 8 bits: the next wider one has all of their values.
    "UINT16": (np.uint16, torch.int32),
    "UINT32": (np.uint32, torch.int64),
    "UINT64": (np.uint64, torch.int64),
    "BOOL": (np.bool_, torch.bool),
}
"""Types of PopART, as NumPy and torch hold them."""
WIDER = ("UINT16", "UINT32", "UINT64")
"""Types that torch holds in a wider one."""

_BY_NUMPY = {np.dtype(numpy): name for name, (numpy, _) in TYPES.items()}


def type_name(kind: Any) -> str:
    """Return PopART's name of a type of NumPy or Python, or of such a name in any case.

    Raises
    ------
    popart_exception
        Where there is no such type.
    """
    if isinstance(kind, DataType):
        kind = kind.name
    if isinstance(kind, str) and kind.upper() in TYPES:
        return kind.upper()
    if isinstance(kind, str) and kind == "half":
        return "FLOAT16"
    try:
        return _BY_NUMPY[np.dtype(kind)]
    except (KeyError, TypeError) as error:
        raise popart_exception(f"TensorInfo: expected a type of PopART, got {kind!r}") from error


class TensorInfo:
    """Type and shape.

    Parameters
    ----------
    *args : array, or a type and a shape
        A type is a name such as "FLOAT", or a type of NumPy.

    Raises
    ------
    TypeError
        Where it is neither.
    """

    def __init__(self, *args: Any) -> None:
        if len(args) == 1 and isinstance(args[0], np.ndarray):
            args = (args[0].dtype, args[0].shape)
        if len(args) != 2:
            raise TypeError(f"Can not create TensorInfo with args {args}")
        self._type = type_name(args[0])
        self._shape = [int(size) for size in args[1]]

    def shape(self) -> list[int]:
        """Return the shape."""
        return list(self._shape)

    def rank(self) -> int:
        """Return the number of dimensions."""
        return len(self._shape)

    def nelms(self) -> int:
        """Return the number of elements."""
        return int(np.prod(self._shape, dtype=np.int64))

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self.nelms() * self.dtype.itemsize

    def data_type(self) -> str:
        """Return the type, as "FLOAT"."""
        return self._type

    def data_type_lcase(self) -> str:
        """Return the type by NumPy's name, as "float32"."""
        return str(self.dtype)

    def dataType(self) -> Any:
        """Return the type as a `DataType`."""
        return DataType[self._type]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of NumPy."""
        return np.dtype(TYPES[self._type][0])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorInfo) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"TensorInfo({self._type}, {self._shape})"


def to_torch(array: Any, name: str) -> torch.Tensor:
    """Return an array of a type of PopART as the tensor that holds it."""
    kind = TYPES[name][1]
    values = np.ascontiguousarray(array).reshape(np.shape(array))
    if values.dtype in (np.dtype(np.uint16), np.dtype(np.uint32), np.dtype(np.uint64)):
        values = values.astype(np.int64)
    return torch.tensor(values).to(kind)


def info_of(tensor: torch.Tensor, types: Sequence[str] = tuple(TYPES)) -> TensorInfo:
    """Return type and shape of a tensor on the device."""
    name = next(name for name in types if TYPES[name][1] == tensor.dtype)
    return TensorInfo(name, list(tensor.shape))
