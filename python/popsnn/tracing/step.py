"""A neuron's step and its adjoint as expressions, from one call of its function with symbols."""

from __future__ import annotations

import sys
import traceback
from collections import namedtuple
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
from torch.overrides import TorchFunctionMode

from .derivative import Derivatives
from .expression import Expression, Expressions, in_order
from .symbol import Symbol, Untranslatable, where

RANDOM = frozenset(
    (
        *("bernoulli", "cauchy_", "dropout", "empty", "exponential_", "geometric_", "log_normal_"),
        *("multinomial", "normal", "normal_", "poisson", "rand", "rand_like", "randint", "random_"),
        *("randint_like", "randn", "randn_like", "rrelu", "uniform_"),
    )
)
"""Torch functions whose results differ from call to call."""


@dataclass(frozen=True)
class TracedStep:
    """A step: what each state is after it, and the gradients of all that is before it.

    The values of the expressions are "x", "before.v" and "after.v" of a state v, "p.beta" of a
    parameter beta, and "grad.v", the gradient of the state v after the step.

    Attributes
    ----------
    states : tuple of str
        The neuron's, with what backward needs in addition in front of "s".
    added : tuple of str
        Those in addition.
    parameters : tuple of str
    spiking : bool
    after : tuple of Expression
        The states after the step, of x, parameters and states before it.
    fires : tuple of Expression, optional
        The membrane and the threshold that it is compared with, of states after the step.
    grad_states, grad_parameters : tuple of Expression, optional
        Gradients of the states before the step and of parameters, of the states around it; None
        where they are 0.
    grad_x : Expression, optional
    expressions : Expressions
    """

    states: Tuple[str, ...]
    added: Tuple[str, ...]
    parameters: Tuple[str, ...]
    spiking: bool
    after: Tuple[Expression, ...]
    fires: Optional[Tuple[Expression, Expression]]
    grad_states: Tuple[Optional[Expression], ...]
    grad_parameters: Tuple[Optional[Expression], ...]
    grad_x: Optional[Expression]
    expressions: Expressions

    @property
    def uses_own_spike(self) -> bool:
        """Whether a state depends on the spike of the same step, as after a reset at once."""
        states = self.after[:-1] if self.spiking else self.after
        return any(each.operation == "fire" for each in in_order(states))

    def fires_on(self, state: str) -> bool:
        """Return whether the threshold is compared with a state after the step."""
        return self.fires is not None and self.fires[0].name == f"after.{state}"

    @property
    def carried(self) -> int:
        """States that can have a gradient before a step, as the bits of a number."""
        return sum(1 << k for k, grad in enumerate(self.grad_states) if grad is not None)


def trace(
    operation: str,
    states: Sequence[str],
    parameters: Sequence[str],
    step: Callable[..., Any],
) -> TracedStep:
    """Return what one step of a neuron does.

    Parameters
    ----------
    operation : str
        Name for error messages.
    states, parameters : sequence of str
    step : callable (x, states, parameters, fire) -> states

    Raises
    ------
    Untranslatable
        Where an operation of torch has no translation.
    ValueError, TypeError
        Where the function is no step: it branches on values, changes them in place, draws random
        numbers, or returns something other than the states.
    """
    made = Expressions()
    spiking = states[-1] == "s"
    fired: List[Expression] = []

    def fire(membrane: Any, threshold: Any) -> Symbol:
        owner = membrane if isinstance(membrane, Symbol) else x
        fired.append(made.make("fire", owner.number(membrane), owner.number(threshold)))
        return Symbol(made, fired[-1], operation)

    x = Symbol(made, made.value("x"), operation)
    before = [made.value(f"before.{name}", binary=name == "s") for name in states]
    constants = [made.value(f"p.{name}") for name in parameters]
    State = namedtuple("State", states)  # type: ignore[misc]
    Parameters = namedtuple("Parameters", parameters)  # type: ignore[misc]
    got = _called(
        operation,
        step,
        x,
        State(*(Symbol(made, each, operation) for each in before)),
        Parameters(*(Symbol(made, each, operation) for each in constants)),
        fire,
    )
    after = _returned(operation, states, x, got)
    if spiking and (len(fired) != 1 or after[-1] is not fired[0]):
        calls = f"{len(fired)} calls" if len(fired) != 1 else "another value"
        raise ValueError(
            f'{operation}: step: expected the state "s" to be what one call of fire() returns, '
            f"got {calls}"
        )
    return _with_adjoint(made, tuple(states), tuple(parameters), spiking, after)


def trace_function(operation: str, function: Callable[..., Any]) -> Tuple[Expressions, Expression]:
    """Return a function of the number "u", as torch computes it, as an expression.

    Raises
    ------
    Untranslatable, TypeError, ValueError
        As `trace`.
    """
    made = Expressions()
    u = Symbol(made, made.value("u"), operation)
    got = _called(operation, function, u)
    if not isinstance(got, (Symbol, int, float)):
        raise TypeError(f"{operation}: expected a tensor as its result, got {type(got).__name__}")
    return made, _undetached(made, u.number(got), {})


def derivative_of(made: Expressions, function: Expression) -> Tuple[Expressions, Expression]:
    """Return the derivative of a function of "u", with what made it."""
    derivatives = Derivatives(made, [(function, made.constant(1.0))])
    return made, derivatives.of(made.value("u")) or made.constant(0.0)


class _NoRandomNumbers(TorchFunctionMode):
    def __init__(self, operation: str) -> None:
        super().__init__()
        self._operation = operation

    def __torch_function__(
        self, function: Any, types: Any, arguments: Any = (), options: Any = None
    ) -> Any:
        name = getattr(function, "__name__", "")
        if name in RANDOM:
            raise ValueError(
                f"{self._operation}: {where()}: expected the same result at every call, got "
                f"random numbers of {name}()"
            )
        return function(*arguments, **(options or {}))


def _called(operation: str, step: Callable[..., Any], *arguments: Any) -> Any:
    try:
        with _NoRandomNumbers(operation), torch.no_grad():
            return step(*arguments)
    except Exception as error:
        if str(error).startswith(f"{operation}: "):
            raise
        line = traceback.extract_tb(sys.exc_info()[2])[-1].lineno
        text = f"{type(error).__name__}: {error}"
        raise Untranslatable(
            f"{operation}: line {line}: expected torch functions of one time step's numbers, got "
            f"{text}"
        ) from error


def _returned(operation: str, states: Sequence[str], x: Symbol, got: Any) -> Tuple[Expression, ...]:
    wanted = f"a tuple of {len(states)} states ({', '.join(states)})"
    if not isinstance(got, (tuple, list)):
        raise TypeError(f"{operation}: step: expected {wanted}, got {type(got).__name__}")
    if len(got) != len(states):
        raise ValueError(f"{operation}: step: expected {wanted}, got {len(got)}")
    for name, each in zip(states, got):
        if not isinstance(each, (Symbol, int, float)):
            raise TypeError(
                f"{operation}: step: expected a tensor as the state {name}, got "
                f"{type(each).__name__}"
            )
    return tuple(x.number(each) for each in got)


def _with_adjoint(
    made: Expressions,
    states: Tuple[str, ...],
    parameters: Tuple[str, ...],
    spiking: bool,
    after: Tuple[Expression, ...],
) -> TracedStep:
    """Differentiate a step; save in additional states what follows from no others."""
    added: Dict[str, Expression] = {}
    plain: Dict[Expression, Expression] = {}

    def seen_afterwards(expression: Expression) -> Expression:
        """Return an expression of states after the step, where it can be one."""
        known = {
            _undetached(made, each, plain): made.value(f"after.{name}", binary=name == "s")
            for name, each in reversed([*zip(states, after), *added.items()])
            if _undetached(made, each, plain).operation != "constant"
            and not _undetached(made, each, plain).name.startswith("p.")
        }
        return made.rewritten(_undetached(made, expression, plain), known)

    fires = None
    if spiking:
        for name, each in zip(("fired_membrane", "fired_threshold"), after[-1].arguments):
            if not _only(seen_afterwards(each), ("after.", "p.")):
                added[name] = _undetached(made, each, plain)
        membrane, threshold = after[-1].arguments
        fires = (seen_afterwards(membrane), seen_afterwards(threshold))

    grads = [(each, made.value(f"grad.{name}")) for name, each in zip(states, after)]
    derivatives = Derivatives(made, grads)
    of = [derivatives.of(made.value(f"before.{name}", binary=name == "s")) for name in states]
    of += [derivatives.of(made.value(f"p.{name}")) for name in parameters]
    of.append(derivatives.of(made.value("x")))
    found = [None if each is None else seen_afterwards(each) for each in of]
    if any(each is not None and "x" in _names(each) for each in found):
        added["input"] = made.value("x")
        found = [None if each is None else seen_afterwards(each) for each in of]

    at = len(states) - spiking
    steps = tuple(_undetached(made, each, plain) for each in after)
    return TracedStep(
        states=(*states[:at], *added, *states[at:]),
        added=tuple(added),
        parameters=parameters,
        spiking=spiking,
        after=(*steps[:at], *added.values(), *steps[at:]),
        fires=fires,
        grad_states=(*found[:at], *(None for _ in added), *found[at : len(states)]),
        grad_parameters=tuple(found[len(states) : -1]),
        grad_x=found[-1],
        expressions=made,
    )


def _undetached(
    made: Expressions, expression: Expression, memory: Dict[Expression, Expression]
) -> Expression:
    """Return an expression in which the argument of each `detach` replaces it."""
    for each in in_order([expression]):
        if each in memory:
            continue
        arguments = [memory[argument] for argument in each.arguments]
        if each.operation == "detach":
            memory[each] = arguments[0]
        else:
            memory[each] = made.make(each.operation, *arguments) if arguments else each
    return memory[expression]


def _names(expression: Expression) -> Tuple[str, ...]:
    return tuple(each.name for each in in_order([expression]) if each.operation == "value")


def _only(expression: Expression, beginnings: Tuple[str, ...]) -> bool:
    return all(name.startswith(beginnings) for name in _names(expression))
