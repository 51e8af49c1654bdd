"""Derivatives of expressions, by the chain rule from outputs to inputs.

Where a function has a kink, its derivative is the one that torch's autograd takes there.
"""

from __future__ import annotations

import math
from typing import Callable, Dict, Optional, Sequence, Tuple

from .expression import Expression, Expressions, in_order

Grads = Tuple[Optional[Expression], ...]


class Derivatives:
    """Gradients of a sum of outputs, each times its own gradient.

    Parameters
    ----------
    expressions : Expressions
    outputs : sequence of (Expression, Expression)
        Outputs and their gradients.
    """

    def __init__(
        self, expressions: Expressions, outputs: Sequence[Tuple[Expression, Expression]]
    ) -> None:
        self._expressions = expressions
        self._grads: Dict[Expression, Expression] = {}
        for output, grad in outputs:
            self._add(output, grad)
        for each in reversed(in_order(output for output, _ in outputs)):
            if each in self._grads and each.operation in _RULES:
                rule = _RULES[each.operation]
                grads = rule(expressions.make, expressions.constant, each, self._grads[each])
                for argument, of_argument in zip(each.arguments, grads):
                    if of_argument is not None and not argument.logical:
                        self._add(argument, of_argument)

    def of(self, value: Expression) -> Optional[Expression]:
        """Return the gradient of a value, None where no output depends on it."""
        return self._grads.get(value)

    def _add(self, argument: Expression, grad: Expression) -> None:
        if argument.operation == "constant":
            return
        so_far = self._grads.get(argument)
        total = grad if so_far is None else self._expressions.make("add", so_far, grad)
        self._grads[argument] = total


Make = Callable[..., Expression]
Rule = Callable[
    [Make, Callable[[float], Expression], Expression, Expression], Sequence[Optional[Expression]]
]
_RULES: Dict[str, Rule] = {}


def _rule(operation: str) -> Callable[[Rule], Rule]:
    def add(rule: Rule) -> Rule:
        _RULES[operation] = rule
        return rule

    return add


_RULES["add"] = lambda make, number, of, g: (g, g)
_RULES["sub"] = lambda make, number, of, g: (g, make("neg", g))
_RULES["neg"] = lambda make, number, of, g: (make("neg", g),)
_RULES["exp"] = lambda make, number, of, g: (make("mul", g, of),)
_RULES["log"] = lambda make, number, of, g: (make("div", g, of.arguments[0]),)


@_rule("mul")
def _mul(make: Make, number: Callable[[float], Expression], of: Expression, g: Expression) -> Grads:
    a, b = of.arguments
    return make("mul", g, b), make("mul", g, a)


@_rule("div")
def _div(make: Make, number: Callable[[float], Expression], of: Expression, g: Expression) -> Grads:
    _, b = of.arguments
    to_a = make("div", g, b)
    return to_a, make("neg", make("mul", to_a, of))


@_rule("abs")
def _abs(make: Make, number: Callable[[float], Expression], of: Expression, g: Expression) -> Grads:
    return (make("mul", g, make("sign", of.arguments[0])),)


@_rule("sqrt")
def _sqrt(
    make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
) -> Grads:
    return (make("div", make("mul", number(0.5), g), of),)


@_rule("tanh")
def _tanh(
    make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
) -> Grads:
    return (make("mul", g, make("sub", number(1.0), make("mul", of, of))),)


@_rule("sigmoid")
def _sigmoid(
    make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
) -> Grads:
    return (make("mul", g, make("mul", of, make("sub", number(1.0), of))),)


@_rule("softplus")
def _softplus(
    make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
) -> Grads:
    return (make("mul", g, make("sigmoid", of.arguments[0])),)


_RULES["log1p"] = lambda make, number, of, g: (
    make("div", g, make("add", number(1.0), of.arguments[0])),
)
_RULES["expm1"] = lambda make, number, of, g: (make("mul", g, make("add", of, number(1.0))),)


@_rule("atan")
def _atan(
    make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
) -> Grads:
    (a,) = of.arguments
    return (make("div", g, make("add", make("mul", a, a), number(1.0))),)


@_rule("erf")
def _erf(make: Make, number: Callable[[float], Expression], of: Expression, g: Expression) -> Grads:
    (a,) = of.arguments
    bell = make("exp", make("neg", make("mul", a, a)))
    return (make("mul", g, make("mul", number(2 / math.sqrt(math.pi)), bell)),)


@_rule("sin")
def _sin(make: Make, number: Callable[[float], Expression], of: Expression, g: Expression) -> Grads:
    return (make("mul", g, make("cos", of.arguments[0])),)


@_rule("cos")
def _cos(make: Make, number: Callable[[float], Expression], of: Expression, g: Expression) -> Grads:
    return (make("neg", make("mul", g, make("sin", of.arguments[0]))),)


@_rule("pow")
def _pow(make: Make, number: Callable[[float], Expression], of: Expression, g: Expression) -> Grads:
    a, b = of.arguments
    lower = make("mul", b, make("pow", a, make("sub", b, number(1.0))))
    # Neither 0 * 0^-1 nor 0 * log 0 is a number, and torch takes 0 for both.
    to_a = make("where", make("eq", b, number(0.0)), number(0.0), make("mul", g, lower))
    if b.operation == "constant":
        return (make("mul", g, lower) if b.number else None), None
    at_zero = make("and", make("eq", a, number(0.0)), make("ge", b, number(0.0)))
    to_b = make("where", at_zero, number(0.0), make("mul", g, make("mul", of, make("log", a))))
    return to_a, to_b


def _extreme(wins: str) -> Rule:
    def rule(
        make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
    ) -> Grads:
        a, b = of.arguments
        zero, half = number(0.0), make("mul", number(0.5), g)
        tie = make("eq", a, b)
        first = make("where", tie, half, make("where", make(wins, a, b), g, zero))
        last = make("where", tie, half, make("where", make(wins, a, b), zero, g))
        return first, last

    return rule


_RULES["min"], _RULES["max"] = _extreme("lt"), _extreme("gt")


@_rule("where")
def _where(
    make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
) -> Grads:
    condition, _, _ = of.arguments
    zero = number(0.0)
    return None, make("where", condition, g, zero), make("where", condition, zero, g)


@_rule("fire")
def _fire(
    make: Make, number: Callable[[float], Expression], of: Expression, g: Expression
) -> Grads:
    to_v = make("mul", g, make("slope", *of.arguments))
    return to_v, make("neg", to_v)
