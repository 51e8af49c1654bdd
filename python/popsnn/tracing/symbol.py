"""Symbols, which a neuron's step gets in place of tensors while it is traced.

Torch hands its functions' calls to `Symbol.__torch_function__`. Each becomes expressions here, or
is refused with its name and the line of the step that calls it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Mapping, NoReturn, Optional, Sequence, Tuple

import torch
from torch import Tensor

from .expression import Expression, Expressions
from .operations import OPERATIONS

_HERE = str(Path(__file__).resolve().parent)
_TORCH = str(Path(torch.__file__).resolve().parent)


class Untranslatable(NotImplementedError):
    """A step does something that torch can compute and the other engines cannot."""


class Symbol:
    """One number of a neuron, in place of a tensor [B, ...] of them."""

    def __init__(self, expressions: Expressions, expression: Expression, operation: str) -> None:
        self._expressions = expressions
        self.expression = expression
        self._operation = operation

    dtype = torch.float32
    requires_grad = False

    @classmethod
    def __torch_function__(
        cls,
        function: Callable[..., Any],
        types: Sequence[type],
        arguments: Sequence[Any] = (),
        options: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        options = dict(options or {})
        owner = next(each for each in _flat(arguments, options) if isinstance(each, Symbol))
        name = function.__name__
        return owner._call(
            f"{name}_" if options.pop("inplace", False) else name, arguments, options
        )

    def _call(self, name: str, arguments: Sequence[Any], options: Mapping[str, Any]) -> Symbol:
        plain = name.strip("_") if name.startswith("__") else name
        handler = OPERATIONS.get(name) or OPERATIONS.get(plain)
        if handler is None:
            if name.endswith("_") and not name.endswith("__"):
                self._refuse(ValueError, "operations that change nothing in place", f"{name}()")
            self._refuse(Untranslatable, "operations that kernels have", f"{name}()")
        try:
            return handler(self, *arguments, **options)
        except TypeError:
            self._refuse(Untranslatable, f"numbers as arguments of {name}()", "others")

    def _refuse(self, kind: type, expected: str, got: str) -> NoReturn:
        raise kind(f"{self._operation}: {where()}: expected {expected}, got {got}")

    def _take(self, value: Any) -> Expression:
        """Return the expression of an argument."""
        if isinstance(value, Symbol):
            return value.expression
        if isinstance(value, Tensor) and value.dim() == 0:
            value = value.item()
        if isinstance(value, (bool, int, float)):
            return self._expressions.constant(float(value))
        if isinstance(value, Tensor):
            got = f"a tensor of shape {tuple(value.shape)}"
            self._refuse(ValueError, "numbers, states, parameters and the current", got)
        raise TypeError

    def number(self, value: Any) -> Expression:
        """Return the expression of an argument that is a number: a truth value is 0 or 1."""
        expression = self._take(value)
        if not expression.logical:
            return expression
        return self._expressions.make("where", expression, self.constant(1.0), self.constant(0.0))

    def truth(self, value: Any) -> Expression:
        """Return the expression of an argument that is true or false."""
        expression = self._take(value)
        if expression.logical:
            return expression
        return self._expressions.make("ne", expression, self.constant(0.0))

    def constant(self, number: float) -> Expression:
        """Return a number."""
        return self._expressions.constant(number)

    def new(self, operation: str, *arguments: Expression) -> Symbol:
        """Return an operation of `expression.py` on expressions."""
        made = self._expressions.make(operation, *arguments)
        return Symbol(self._expressions, made, self._operation)

    def apply(self, operation: str, *arguments: Any) -> Symbol:
        """Return an operation of `expression.py` on numbers."""
        return self.new(operation, *map(self.number, arguments))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("data", "grad", "shape", "device", "T"):
            self._refuse(Untranslatable, "the numbers of one time step alone", f".{name}")
        return lambda *arguments, **options: self._call(name, (self, *arguments), options)

    def size(self, *_: Any) -> NoReturn:
        self._refuse(Untranslatable, "the numbers of one time step alone", "size()")

    def __bool__(self) -> bool:
        self._refuse(ValueError, "torch.where in place of a branch on values", "if, and, or, while")

    def __float__(self) -> float:
        self._refuse(ValueError, "torch functions of states", "a conversion to a Python number")

    __int__ = __index__ = __float__

    def __len__(self) -> int:
        self._refuse(Untranslatable, "the numbers of one neuron", "len()")

    def __iter__(self) -> Any:
        self._refuse(Untranslatable, "the numbers of one neuron", "iteration")

    def __getitem__(self, _: Any) -> Any:
        self._refuse(Untranslatable, "the numbers of one neuron", "an index")

    def __setitem__(self, _: Any, __: Any) -> None:
        self._refuse(ValueError, "operations that change nothing in place", "an assignment")


def where() -> str:
    """Return the line of the caller outside of this package and torch: "line 3 of neuron.py"."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        file = frame.f_code.co_filename
        if not file.startswith((_HERE, _TORCH)):
            break
        frame = frame.f_back
    return f"line {frame.f_lineno} of {Path(frame.f_code.co_filename).name}"


def _flat(arguments: Sequence[Any], options: Mapping[str, Any]) -> Tuple[Any, ...]:
    both = (*arguments, *options.values())
    return tuple(x for each in both for x in (each if isinstance(each, (tuple, list)) else [each]))


def _operator(name: str) -> Callable[..., Symbol]:
    return lambda self, *others: self._call(name, (self, *others), {})


def _in_place(name: str) -> Callable[..., Symbol]:
    def refuse(self: Symbol, _: Any) -> NoReturn:
        self._refuse(ValueError, "operations that change nothing in place", f"{name}=")

    return refuse


for _name in ("neg", "pos", "abs", "invert", "lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Symbol, f"__{_name}__", _operator(_name))
for _name in ("add", "sub", "mul", "truediv", "pow", "and", "or", "xor"):
    setattr(Symbol, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(Symbol, f"__r{_name}__", _operator(f"__r{_name}__"))
for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}.items():
    setattr(Symbol, f"__i{_name}__", _in_place(_sign))
Symbol.where = _operator("where_method")  # type: ignore[attr-defined]
