"""Expressions of one neuron's numbers: what a traced step consists of.

Equal expressions are one object, so nothing is computed twice. Constants are folded, and so are the
operations with 0 and 1 that change nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Dict, Iterable, Mapping, Optional, Tuple

COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
LOGIC = ("and", "or", "xor", "not")
FUNCTIONS = {
    "abs": math.fabs,
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x)),
    "softplus": lambda x: max(x, 0.0) + math.log1p(math.exp(-abs(x))),
    "log1p": math.log1p,
    "expm1": math.expm1,
    "atan": math.atan,
    "erf": math.erf,
    "sin": math.sin,
    "cos": math.cos,
    "floor": math.floor,
    "sign": lambda x: float((x > 0) - (x < 0)),
}
"""Functions of one number, and what they give for constants."""

_FOLDED: Dict[str, Callable[..., float]] = {
    **FUNCTIONS,
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "min": min,
    "max": max,
    "pow": lambda a, b: a**b,
}


@dataclass(frozen=True, eq=False)  # equality is identity: see `Expressions`
class Expression:
    """An operation on other expressions, a constant or a named value.

    Attributes
    ----------
    operation : str
        "constant", "value" (which has a name), "detach", "fire" (of a membrane and a threshold: 1
        where it is reached), "slope" (the surrogate's derivative there), "where" (of a condition
        and two choices), or a key of `FUNCTIONS`, `COMPARISONS`, `LOGIC` or arithmetic.
    arguments : tuple of Expression
    name : str
        Of a value.
    number : float
        Of a constant.
    binary : bool
        Whether it is a number that is 0 or 1.
    """

    operation: str
    arguments: Tuple[Expression, ...] = ()
    name: str = ""
    number: float = 0.0
    binary: bool = False

    @property
    def logical(self) -> bool:
        """Whether it is true or false and no number."""
        return self.operation in COMPARISONS or self.operation in LOGIC


class Expressions:
    """Makes expressions, each of them once."""

    def __init__(self) -> None:
        self._known: Dict[Tuple[object, ...], Expression] = {}

    def _one(self, expression: Expression) -> Expression:
        parts = tuple(map(id, expression.arguments))
        number = (expression.number, math.copysign(1.0, expression.number))
        key = (expression.operation, parts, expression.name, number)
        return self._known.setdefault(key, expression)

    def value(self, name: str, binary: bool = False) -> Expression:
        """Return a value that the kernel has: a state, a parameter or the input."""
        return self._one(Expression("value", name=name, binary=binary))

    def constant(self, number: float) -> Expression:
        """Return a number."""
        return self._one(Expression("constant", number=float(number)))

    def make(self, operation: str, *arguments: Expression) -> Expression:
        """Return an operation on expressions, or what it is equal to."""
        numbers = [each.number for each in arguments if each.operation == "constant"]
        if len(numbers) == len(arguments) and operation in _FOLDED:
            folded = _fold(operation, numbers)
            if folded is not None:
                return self.constant(folded)
        same = _unchanged(operation, arguments)
        if same is not None:
            return same
        if operation == "sub" and _is(arguments[0], 0.0):
            return self.make("neg", arguments[1])
        if operation == "mul" and any(_is(each, -1.0) for each in arguments):
            return self.make("neg", arguments[_is(arguments[0], -1.0)])
        return self._one(Expression(operation, arguments, binary=operation == "fire"))

    def rewritten(
        self,
        expression: Expression,
        known: Mapping[Expression, Expression],
        memory: Optional[Dict[Expression, Expression]] = None,
    ) -> Expression:
        """Return an expression with others in place of some that it consists of.

        Parameters
        ----------
        expression : Expression
        known : mapping
            Replacements by what they replace.
        memory : dict, optional
            Results, shared by calls with the same `known`.
        """
        memory = {} if memory is None else memory
        for each in in_order([expression]):
            if each in memory:
                continue
            if each in known:
                memory[each] = known[each]
            elif each.arguments:
                memory[each] = self.make(each.operation, *(memory[a] for a in each.arguments))
            else:
                memory[each] = each
        return memory[expression]


def in_order(outputs: Iterable[Expression]) -> Tuple[Expression, ...]:
    """Return all that expressions consist of, each behind its arguments, each once."""
    found: Dict[Expression, None] = {}
    stack = [(output, False) for output in reversed(list(outputs))]
    while stack:
        each, done = stack.pop()
        if each in found:
            continue
        if done or not each.arguments:
            found[each] = None
        else:
            stack.append((each, True))
            stack.extend((argument, False) for argument in reversed(each.arguments))
    return tuple(found)


def _is(expression: Expression, number: float) -> bool:
    return expression.operation == "constant" and expression.number == number


def _fold(operation: str, numbers: Iterable[float]) -> Optional[float]:
    try:
        folded = _FOLDED[operation](*numbers)
    except (ArithmeticError, ValueError):  # as 1 / 0, which the kernel computes
        return None
    return folded if isinstance(folded, (int, float)) and math.isfinite(folded) else None


def _unchanged(operation: str, arguments: Tuple[Expression, ...]) -> Optional[Expression]:
    """Return the argument that an operation gives as it is, if it does."""
    first = arguments[0]
    last = arguments[-1]
    if operation == "add":
        return last if _is(first, 0.0) else first if _is(last, 0.0) else None
    if operation == "sub":
        return first if _is(last, 0.0) else None
    if operation == "mul":
        return last if _is(first, 1.0) else first if _is(last, 1.0) else None
    if operation in ("div", "pow"):
        return first if _is(last, 1.0) else None
    if operation in ("neg", "not") and first.operation == operation:
        return first.arguments[0]
    if operation == "detach" and (first.operation in ("detach", "constant")):
        return first
    if operation == "where" and arguments[1] is last:
        return last
    if operation in ("and", "or", "min", "max") and first is last:
        return first
    return None
