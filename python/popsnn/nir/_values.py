"""Numbers of nodes: checked arrays, and what a module takes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Tuple

import numpy as np
import torch
from torch import Tensor, nn

from .._internal.checks import PerNeuron
from ._discretization import Discretization

Shape = Tuple[int, ...]
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Source:
    """The numbers of the node that a module was made of, and what the module took of them."""

    kind: str
    fields: Arrays
    discretization: Tuple[Any, ...]
    step: Arrays

    def copies(self) -> dict[str, np.ndarray]:
        """Return the fields, which the caller may change; nir writes no arrays of no dimensions."""
        return {n: value.copy() if value.ndim else value[()] for n, value in self.fields.items()}

    def fits(self, shape: Shape) -> bool:
        """Whether the fields are those of neurons of the shape [...]."""
        return all(value.shape in ((), shape) for value in self.fields.values())

    def still(self, kind: str, discretization: Discretization, step: Arrays) -> bool:
        """Whether a module with the numbers `step` means what the node means."""
        return (
            kind == self.kind
            and discretization.same == self.discretization
            and all(np.array_equal(step[name], value) for name, value in self.step.items())
        )


def numbers(value: Any) -> np.ndarray:
    """Return a copy of a tensor, an array or a number, as an array of its own type."""
    if isinstance(value, Tensor):
        value = value.detach().cpu()
        value = value.float() if value.dtype == torch.bfloat16 else value
    return np.asarray(value).copy()


def finite(where: str, name: str, value: Any) -> np.ndarray:
    """Return a field of a node as an array of finite numbers, of its own type.

    Raises
    ------
    TypeError, ValueError
        Where it is none.
    """
    array = numbers(value)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{where}: {name}: expected numbers, got {type(value).__name__}")
    if not np.isfinite(array).all():
        raise ValueError(f"{where}: {name}: expected finite numbers, got NaN or infinity")
    return array


def per_neuron(where: str, node: Any, names: Sequence[str], shape: Shape) -> dict[str, np.ndarray]:
    """Return fields of a node by name, each of the shape [...] or ().

    Raises
    ------
    TypeError, ValueError
        Where a field is not there, or is none.
    """
    fields = {}
    for name in names:
        value = getattr(node, name, None)
        if value is None and name == "v_reset":  # of files before NIR 1.0
            value = np.zeros_like(numbers(node.v_threshold))
        array = finite(where, name, value)
        if array.shape not in ((), shape):
            raise ValueError(f"{where}: {name}: expected shape {shape}, got {array.shape}")
        fields[name] = array
    return fields


def tolerance(*arrays: np.ndarray) -> float:
    """Return how far products of a few numbers of these types may be off by rounding."""
    types = [array.dtype for array in arrays if array.dtype.kind == "f"]
    # A number of float16 is what it is: what it was rounded from differs in more than rounding.
    single = float(np.finfo(np.float32).eps)
    return 4 * max((min(float(np.finfo(each).eps), single) for each in types), default=0.0)


def made(value: np.ndarray, dtype: torch.dtype) -> Tensor:
    """Return the tensor that a module registers, on the default device."""
    return torch.tensor(value, dtype=dtype)


def option(value: np.ndarray, dtype: torch.dtype) -> PerNeuron:
    """Return what neurons take: a float where all values are equal, else a tensor [...]."""
    if value.size and (value == value.flat[0]).all():
        return float(value.flat[0])
    return made(value, dtype)


def of_option(value: PerNeuron) -> np.ndarray:
    """Return an option of neurons as a float64 array [...]."""
    return numbers(value).astype(np.float64)


def remember(module: nn.Module, source: Source) -> nn.Module:
    """Let a module know the node that it was made of."""
    module.nir_source = source  # type: ignore[assignment]
    return module
