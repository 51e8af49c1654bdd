"""Tensors in nested tuples, lists, dictionaries and types that a parser is registered for."""

from __future__ import annotations

import abc
import copy
from typing import Any, Iterable, Iterator

import torch

from ._errors import Error


class ICustomArgParser(abc.ABC):
    """Takes a type apart into tensors and makes it of tensors again."""

    @abc.abstractmethod
    def yieldTensors(self, struct: Any) -> Iterable[torch.Tensor]:
        """Yield the tensors of an object, always in the same order."""

    @abc.abstractmethod
    def reconstruct(self, original_structure: Any, tensor_iterator: Iterator[torch.Tensor]) -> Any:
        """Return an object as the original, of the next tensors."""


_parsers: dict[type, ICustomArgParser] = {}


def registerCustomArgParser(arg_data_type: type, arg_parser: ICustomArgParser | None) -> None:
    """Let models take and return this type; None takes the parser back.

    Raises
    ------
    Error
        Where the parser is none.
    """
    if arg_parser is None:
        _parsers.pop(arg_data_type, None)
    elif not isinstance(arg_parser, ICustomArgParser):
        raise Error("arg_parser must inherit from ICustomArgParser")
    else:
        _parsers[arg_data_type] = arg_parser


def parser(value: Any) -> ICustomArgParser | None:
    """Return what is registered for the type of `value`."""
    if type(value) in _parsers:
        return _parsers[type(value)]
    return next((convert for kind, convert in _parsers.items() if isinstance(value, kind)), None)


def tensors(structure: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors in a structure."""
    own = parser(structure)
    if own is not None:
        yield from own.yieldTensors(structure)
    elif isinstance(structure, torch.Tensor):
        yield structure
    elif isinstance(structure, dict):
        for value in structure.values():
            yield from tensors(value)
    elif isinstance(structure, (list, tuple)):
        for value in structure:
            yield from tensors(value)


def rebuilt(structure: Any, values: Iterator[torch.Tensor]) -> Any:
    """Return the structure with other tensors in the order of `tensors`."""
    own = parser(structure)
    if own is not None:
        return own.reconstruct(structure, values)
    if isinstance(structure, torch.Tensor):
        return next(values)
    if isinstance(structure, dict):
        made = copy.copy(structure)
        made.update((key, rebuilt(value, values)) for key, value in structure.items())
        return made
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*(rebuilt(value, values) for value in structure))
    if isinstance(structure, (list, tuple)):
        return type(structure)(rebuilt(value, values) for value in structure)
    return structure
