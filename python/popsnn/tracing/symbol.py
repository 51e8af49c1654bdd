"""Symbols: what a neuron's step gets in place of tensors while it is traced.

Torch hands its functions' calls to `Symbol.__torch_function__`. Each becomes expressions here, or
is refused with its name and the line of the step that calls it.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, NoReturn, Optional, Sequence, Tuple, Union

import torch
from torch import Tensor

from .expression import Expression, Expressions

Number = Union["Symbol", float, Tensor]
_HERE = str(Path(__file__).resolve().parent)
_TORCH = str(Path(torch.__file__).resolve().parent)


class Untranslatable(NotImplementedError):
    """What a step does that torch can compute and the other engines cannot."""


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
        owner = next(each for each in _flat(arguments, options or {}) if isinstance(each, Symbol))
        return owner._call(function.__name__, arguments, options or {})

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

    def _number(self, value: Any) -> Expression:
        """Return the expression of an argument that is a number: a truth value is 0 or 1."""
        expression = self._take(value)
        if not expression.logical:
            return expression
        zero, one = self._expressions.constant(0.0), self._expressions.constant(1.0)
        return self._expressions.make("where", expression, one, zero)

    def _truth(self, value: Any) -> Expression:
        expression = self._take(value)
        if expression.logical:
            return expression
        return self._expressions.make("ne", expression, self._expressions.constant(0.0))

    def _new(self, operation: str, *arguments: Expression) -> Symbol:
        made = self._expressions.make(operation, *arguments)
        return Symbol(self._expressions, made, self._operation)

    def apply(self, operation: str, *arguments: Any) -> Symbol:
        """Return an operation of `expression.py` on numbers."""
        return self._new(operation, *map(self._number, arguments))

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

    __int__ = __index__ = __float__  # type: ignore[assignment]

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
    return tuple(
        x for each in both for x in (each if isinstance(each, (tuple, list)) else [each])
    )


Handler = Callable[..., Symbol]
OPERATIONS: Dict[str, Handler] = {}
"""What Torch's functions and tensors' methods are, by name."""


def _names(*names: str) -> Callable[[Handler], Handler]:
    def add(handler: Handler) -> Handler:
        OPERATIONS.update(dict.fromkeys(names, handler))
        return handler

    return add


def _primitive(operation: str, *names: str) -> None:
    OPERATIONS.update(
        dict.fromkeys(names or (operation,), lambda of, *numbers: of.apply(operation, *numbers))
    )


def _swapped(operation: str, *names: str) -> None:
    OPERATIONS.update(dict.fromkeys(names, lambda of, a, b: of.apply(operation, b, a)))


_primitive("mul", "mul", "multiply", "__rmul__")
_primitive("neg", "neg", "negative")
_primitive("abs", "abs", "absolute")
_primitive("floor", "floor")
_primitive("sign", "sign", "sgn")
for _name in ("exp", "log", "sqrt", "tanh", "sin", "cos"):
    _primitive(_name)
_primitive("sigmoid", "sigmoid", "expit", "special_expit")
_primitive("lt", "lt", "less")
_primitive("le", "le", "less_equal")
_primitive("gt", "gt", "greater")
_primitive("ge", "ge", "greater_equal")
_primitive("eq")
_primitive("ne", "ne", "not_equal")
_primitive("min", "min", "minimum", "fmin")
_primitive("max", "max", "maximum", "fmax")
_swapped("sub", "rsub", "__rsub__")
_swapped("pow", "__rpow__")
_swapped("div", "__rtruediv__", "__rdiv__")


@_names("add", "__radd__")
def _add(of: Symbol, a: Number, b: Number, *, alpha: float = 1) -> Symbol:
    return of.apply("add", a, of.apply("mul", b, alpha))


@_names("sub", "subtract")
def _sub(of: Symbol, a: Number, b: Number, *, alpha: float = 1) -> Symbol:
    return of.apply("sub", a, of.apply("mul", b, alpha))


@_names("div", "divide", "true_divide", "truediv")
def _div(of: Symbol, a: Number, b: Number, *, rounding_mode: Optional[str] = None) -> Symbol:
    if rounding_mode == "trunc":
        raise TypeError
    quotient = of.apply("div", a, b)
    return quotient if rounding_mode is None else of.apply("floor", quotient)


@_names("pow", "float_power")
def _pow(of: Symbol, a: Number, b: Number) -> Symbol:
    if not isinstance(b, Symbol):
        power = of._number(b).number
        if power == 2:
            return of.apply("mul", a, a)
        if power == 3:
            return of.apply("mul", of.apply("mul", a, a), a)
        if power == 0.5:
            return of.apply("sqrt", a)
        if power == -1:
            return of.apply("div", 1.0, a)
    return of.apply("pow", a, b)


@_names("square")
def _square(of: Symbol, a: Number) -> Symbol:
    return of.apply("mul", a, a)


@_names("reciprocal")
def _reciprocal(of: Symbol, a: Number) -> Symbol:
    return of.apply("div", 1.0, a)


@_names("rsqrt")
def _rsqrt(of: Symbol, a: Number) -> Symbol:
    return of.apply("div", 1.0, of.apply("sqrt", a))


@_names("exp2")
def _exp2(of: Symbol, a: Number) -> Symbol:
    return of.apply("exp", of.apply("mul", a, math.log(2)))


@_names("log2")
def _log2(of: Symbol, a: Number) -> Symbol:
    return of.apply("mul", of.apply("log", a), 1 / math.log(2))


@_names("log10")
def _log10(of: Symbol, a: Number) -> Symbol:
    return of.apply("mul", of.apply("log", a), 1 / math.log(10))


@_names("tan")
def _tan(of: Symbol, a: Number) -> Symbol:
    return of.apply("div", of.apply("sin", a), of.apply("cos", a))


@_names("silu")
def _silu(of: Symbol, a: Number) -> Symbol:
    return of.apply("mul", a, of.apply("sigmoid", a))


@_names("relu")
def _relu(of: Symbol, a: Number) -> Symbol:
    return _where(of, of.apply("gt", a, 0.0), a, 0.0)


@_names("softplus")
def _softplus(of: Symbol, a: Number, beta: float = 1.0, threshold: float = 20.0) -> Symbol:
    scaled = of.apply("mul", a, beta)
    smooth = of.apply("div", of.apply("softplus", scaled), beta)
    return _where(of, of.apply("gt", scaled, threshold), a, smooth)


@_names("lerp")
def _lerp(of: Symbol, start: Number, end: Number, weight: Number) -> Symbol:
    return of.apply("add", start, of.apply("mul", weight, of.apply("sub", end, start)))


@_names("addcmul")
def _addcmul(of: Symbol, a: Number, b: Number, c: Number, *, value: float = 1) -> Symbol:
    return of.apply("add", a, of.apply("mul", of.apply("mul", b, c), value))


@_names("addcdiv")
def _addcdiv(of: Symbol, a: Number, b: Number, c: Number, *, value: float = 1) -> Symbol:
    return of.apply("add", a, of.apply("mul", of.apply("div", b, c), value))


@_names("where")
def _where(of: Symbol, condition: Any, a: Number, b: Number) -> Symbol:
    return of._new("where", of._truth(condition), of._number(a), of._number(b))


def _where_method(of: Symbol, a: Number, condition: Any, b: Number) -> Symbol:
    return _where(of, condition, a, b)


@_names("masked_fill")
def _masked_fill(of: Symbol, a: Number, mask: Any, value: Number) -> Symbol:
    return _where(of, mask, value, a)


@_names("heaviside")
def _heaviside(of: Symbol, a: Number, at_zero: Number) -> Symbol:
    positive = _where(of, of.apply("gt", a, 0.0), 1.0, 0.0)
    return _where(of, of.apply("eq", a, 0.0), at_zero, positive)


@_names("clamp", "clip", "hardtanh")
def _clamp(
    of: Symbol,
    a: Number,
    min: Optional[Number] = None,
    max: Optional[Number] = None,
    min_val: Optional[Number] = None,
    max_val: Optional[Number] = None,
) -> Symbol:
    low = min if min is not None else min_val
    high = max if max is not None else max_val
    if low is None and high is None:
        raise TypeError
    # The gradient passes at the bounds themselves, as in torch.
    value: Number = a
    if low is not None:
        value = _where(of, of.apply("lt", a, low), low, value)
    if high is not None:
        value = _where(of, of.apply("gt", a, high), high, value)
    return value if isinstance(value, Symbol) else of.apply("add", value, 0.0)


@_names("clamp_min")
def _clamp_min(of: Symbol, a: Number, min: Number) -> Symbol:
    return _clamp(of, a, min=min)


@_names("clamp_max")
def _clamp_max(of: Symbol, a: Number, max: Number) -> Symbol:
    return _clamp(of, a, max=max)


@_names("detach")
def _detach(of: Symbol, a: Number) -> Symbol:
    return of._new("detach", of._number(a))


@_names("clone", "contiguous", "to", "type_as", "float", "double", "expand_as", "positive", "pos")
def _as_it_is(of: Symbol, a: Number, *_: Any, **__: Any) -> Symbol:
    return of._new("add", of._number(a), of._expressions.constant(0.0))


@_names("zeros_like")
def _zeros_like(of: Symbol, *_: Any, **__: Any) -> Symbol:
    return of.apply("add", 0.0, 0.0)


@_names("ones_like")
def _ones_like(of: Symbol, *_: Any, **__: Any) -> Symbol:
    return of.apply("add", 1.0, 0.0)


@_names("full_like")
def _full_like(of: Symbol, _: Number, value: Number, **__: Any) -> Symbol:
    return of.apply("add", value, 0.0)


@_names("logical_and", "bitwise_and", "and", "__rand__")
def _and(of: Symbol, a: Any, b: Any) -> Symbol:
    return of._new("and", of._truth(a), of._truth(b))


@_names("logical_or", "bitwise_or", "or", "__ror__")
def _or(of: Symbol, a: Any, b: Any) -> Symbol:
    return of._new("or", of._truth(a), of._truth(b))


@_names("logical_xor", "bitwise_xor", "xor", "__rxor__")
def _xor(of: Symbol, a: Any, b: Any) -> Symbol:
    return of._new("xor", of._truth(a), of._truth(b))


@_names("logical_not", "bitwise_not", "invert")
def _not(of: Symbol, a: Any) -> Symbol:
    return of._new("not", of._truth(a))


def _operator(name: str) -> Callable[..., Symbol]:
    return lambda self, *others: self._call(name, (self, *others), {})


def _in_place(name: str) -> Callable[..., Symbol]:
    def refuse(self: Symbol, _: Any) -> NoReturn:
        self._refuse(ValueError, "operations that change nothing in place", f"{name}=")

    return refuse


for _name in "add sub mul truediv pow rpow radd rsub rmul rtruediv and or xor rand ror rxor".split():
    setattr(Symbol, f"__{_name}__", _operator(f"__{_name}__"))
for _name in "neg pos abs invert lt le gt ge eq ne".split():
    setattr(Symbol, f"__{_name}__", _operator(_name))
for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}.items():
    setattr(Symbol, f"__i{_name}__", _in_place(_sign))
Symbol.where = _operator("_where")  # type: ignore[attr-defined]
OPERATIONS["_where"] = _where_method
