"""The graph of one step: expressions, their values, and the modules that neurons become."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Union

from torch import Tensor, nn

from ..nn import Dropout


@dataclass(eq=False)
class Expression:
    """A computation of a network: one tensor, or one at each step.

    Parameters
    ----------
    kind : str
        "input", "attribute", "unknown", "module", "function", "neuron", "output" of a neuron,
        "steps" of a tensor along a dimension, or "whole": the steps of an expression in one tensor.
    target, name, args, kwargs
        What is called, its name in messages, and with what.
    example : Tensor or None
        The result in the recorded run, of one step where there are several.
    over_time : bool
        Whether there is one at each step.
    """

    kind: str
    target: Any
    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    example: Tensor | None = None
    over_time: bool = False
    seen: set[int] = field(default_factory=set)  # steps at which it was computed

    @property
    def sample(self) -> Tensor:
        """The example, of an expression of a recorded run."""
        assert self.example is not None
        return self.example


@dataclass(frozen=True)
class Whole:
    """The value of an expression without steps."""

    of: Expression


@dataclass(frozen=True)
class At:
    """The value of an expression at a step."""

    of: Expression
    step: int


@dataclass(frozen=True)
class Partial:
    """The sum of an expression up to a step, added to a start, if any."""

    of: Expression
    step: int
    start: Any = None


Value = Union[Whole, At, Partial]


@dataclass(frozen=True)
class SizeOf:
    """A size: of a value in a dimension, or an operator and its operands."""

    formula: tuple[Any, ...]


@dataclass
class Plan:
    """A recipe that makes a neuron of a library of ours.

    Parameters
    ----------
    make : Callable
        Returns the module over time; its argument is whether the membrane is returned too.
    roles : tuple of str
        Of the tensors that a call returns: "spikes", "membrane" or "state".
    sequence : bool
        Whether one call takes all steps, else one.
    hidden : bool
        Whether the module keeps its state, else it is an argument.
    before : torch.nn.Module, optional
        Applied to the input: its name is that of the neuron and "input".
    returns_state : bool
        Whether a call returns a pair of output and state.
    """

    make: Callable[[bool], nn.Module]
    roles: tuple[str, ...] = ("spikes",)
    sequence: bool = False
    hidden: bool = True
    before: nn.Module | None = None
    returns_state: bool = False


@dataclass
class Layer:
    """The layer of torch, or of ours, that a layer of a library without neurons is.

    Parameters
    ----------
    module : torch.nn.Module
    sequence : bool
        Whether one call takes all steps, else one.
    """

    module: nn.Module
    sequence: bool = False


@dataclass(eq=False)
class Chain:
    """The calls of one neuron, step after step."""

    name: str
    module: nn.Module
    plan: Plan
    neuron: Expression
    inputs: list[Tensor] = field(default_factory=list)
    results: list[tuple[Any, ...]] = field(default_factory=list)
    last: set[int] = field(default_factory=set)  # ids of the last call's results


def changes(module: Any) -> bool:
    """Return whether a module computes another result at each call: dropout, batch statistics."""
    if isinstance(module, (nn.modules.batchnorm._BatchNorm, Dropout)):
        return True
    return isinstance(module, nn.modules.dropout._DropoutNd) and module.p > 0
