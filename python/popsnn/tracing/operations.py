"""Torch's functions and tensors' methods as expressions, by their names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Union

from torch import Tensor

if TYPE_CHECKING:
    from .symbol import Symbol

Number = Union["Symbol", float, Tensor]
Handler = Callable[..., "Symbol"]
OPERATIONS: Dict[str, Handler] = {}
"""Torch's functions and tensors' methods, by name."""


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
for _name in ("exp", "log", "sqrt", "tanh", "sin", "cos", "log1p", "expm1", "atan", "erf"):
    _primitive(_name)
_primitive("sigmoid", "sigmoid", "expit", "special_expit")
_primitive("lt", "lt", "less")
_primitive("le", "le", "less_equal")
_primitive("gt", "gt", "greater")
_primitive("ge", "ge", "greater_equal")
_primitive("eq")
_primitive("ne", "ne", "not_equal")
_primitive("min", "min", "minimum")
_primitive("max", "max", "maximum")
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
    exponent = of.number(b)
    power = exponent.number if exponent.operation == "constant" else None
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


@_names("arctan")
def _arctan(of: Symbol, a: Number) -> Symbol:
    return of.apply("atan", a)


@_names("cosh")
def _cosh(of: Symbol, a: Number) -> Symbol:
    return of.apply(
        "mul", of.apply("add", of.apply("exp", a), of.apply("exp", of.apply("neg", a))), 0.5
    )


@_names("sinh")
def _sinh(of: Symbol, a: Number) -> Symbol:
    return of.apply(
        "mul", of.apply("sub", of.apply("exp", a), of.apply("exp", of.apply("neg", a))), 0.5
    )


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
    return of.new("where", of.truth(condition), of.number(a), of.number(b))


@_names("where_method")
def _where_method(of: Symbol, a: Number, condition: Any, b: Number) -> Symbol:
    return _where(of, condition, a, b)


@_names("masked_fill")
def _masked_fill(of: Symbol, a: Number, mask: Any, value: Number) -> Symbol:
    return _where(of, mask, value, a)


@_names("clamp", "clip")
def _clamp(
    of: Symbol,
    a: Number,
    min: Optional[Number] = None,
    max: Optional[Number] = None,
) -> Symbol:
    if min is None and max is None:
        raise TypeError
    value: Number = a
    if min is not None:
        value = _where(of, of.apply("lt", a, min), min, value)
    if max is not None:
        value = _where(of, of.apply("gt", a, max), max, value)
    return of.apply("add", value, 0.0)


@_names("hardtanh")
def _hardtanh(of: Symbol, a: Number, min_val: Number = -1.0, max_val: Number = 1.0) -> Symbol:
    inside = _where(of, of.apply("ge", a, max_val), max_val, a)  # without a gradient at the bounds
    return _where(of, of.apply("le", a, min_val), min_val, inside)


@_names("relu6")
def _relu6(of: Symbol, a: Number) -> Symbol:
    return _hardtanh(of, a, 0.0, 6.0)


@_names("leaky_relu")
def _leaky_relu(of: Symbol, a: Number, negative_slope: float = 0.01) -> Symbol:
    return _where(of, of.apply("gt", a, 0.0), a, of.apply("mul", a, negative_slope))


@_names("fmin")
def _fmin(of: Symbol, a: Number, b: Number) -> Symbol:
    return _where(of, _or(of, of.apply("le", a, b), of.apply("ne", b, b)), a, b)


@_names("fmax")
def _fmax(of: Symbol, a: Number, b: Number) -> Symbol:
    return _where(of, _or(of, of.apply("ge", a, b), of.apply("ne", b, b)), a, b)


@_names("clamp_min")
def _clamp_min(of: Symbol, a: Number, min: Number) -> Symbol:
    return _clamp(of, a, min=min)


@_names("clamp_max")
def _clamp_max(of: Symbol, a: Number, max: Number) -> Symbol:
    return _clamp(of, a, max=max)


@_names("detach")
def _detach(of: Symbol, a: Number) -> Symbol:
    return of.new("detach", of.number(a))


@_names("clone", "contiguous", "to", "type_as", "float", "double", "expand_as", "positive", "pos")
def _as_it_is(of: Symbol, a: Number, *_: Any, **__: Any) -> Symbol:
    return of.new("add", of.number(a), of.constant(0.0))


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
    return of.new("and", of.truth(a), of.truth(b))


@_names("logical_or", "bitwise_or", "or", "__ror__")
def _or(of: Symbol, a: Any, b: Any) -> Symbol:
    return of.new("or", of.truth(a), of.truth(b))


@_names("logical_xor", "bitwise_xor", "xor", "__rxor__")
def _xor(of: Symbol, a: Any, b: Any) -> Symbol:
    return of.new("xor", of.truth(a), of.truth(b))


@_names("logical_not", "bitwise_not", "invert")
def _not(of: Symbol, a: Any) -> Symbol:
    return of.new("not", of.truth(a))
