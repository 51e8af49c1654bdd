"""Base of neurons: the states that they carry, their parameters, and one time step in torch.

The step is the reference. Kernels are made from it by `popsnn.tracing`.
"""

from __future__ import annotations

import keyword
import re
from collections import namedtuple
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from .._internal.spec import ModelSpec
from ..tracing.memory import PREFIX, Remembering, constant, options_of, remembered

if TYPE_CHECKING:
    from ..tracing.step import TracedStep

States = Tuple[Tensor, ...]
"""The states of a neuron, in the order of `Neuron.states`, each [B, ...]."""

Inputs = Union[Tensor, Tuple[Tensor, ...]]
"""The input current of a neuron, or the currents in the order of `Neuron.inputs`."""

Parameters = Tuple[PerNeuron, ...]
"""Values of the parameters, in the order of `Neuron.parameters`, each a number or a tensor [N]."""

Fire = Callable[[Tensor, PerNeuron], Tensor]
"""Spikes of a membrane [B, ...] and a threshold, with the surrogate as their derivative."""


MAX_INPUTS = 4
MAX_STATES = 8
MAX_PARAMETERS = 16
MAX_SAVED_STATES = 12  # kMaxStates of the kernels


def after_reset(v: Tensor, s: Tensor, threshold: PerNeuron, reset: str) -> Tensor:
    """Return what a reset before the decay leaves of `v` [B, ...] after the spikes `s` [B, ...]."""
    if reset == "zero":
        return v * (1 - s)
    if reset == "subtract":
        return v - threshold * s
    return v


def decayed(
    beta: PerNeuron, v: Tensor, s: Tensor, threshold: PerNeuron, drive: Tensor, reset: str
) -> Tensor:
    """Return the membrane after a decay by `beta`, the input `drive` and any reset, [B, ...]."""
    if reset == "subtract_after":
        return beta * v + drive - threshold * s
    if reset == "zero_after":
        return (beta * v + drive) * (1 - s)
    return beta * after_reset(v, s, threshold, reset) + drive


class Translation(NamedTuple):
    """A neuron as kernels have it."""

    source: Optional[str]  # C++ that declares the struct `Neuron`
    reason: Optional[str]  # why there is none
    carried: int
    """States that can have a gradient before a step, as the bits of a number.

    No other state is carried from shard to shard of a long backward pass.
    """
    added: int
    """States that kernels save in addition, in front of the spikes, for their backward pass."""
    generated: bool = False
    """Whether the source is made from the step, and not of lines that the author brings."""
    fires_on_membrane: bool = True
    """Whether the threshold is compared with the membrane after the step."""


class Neuron(Remembering):
    """Base of neurons: one time step, as torch functions of one neuron's numbers.

    A subclass sets the class attributes below and writes `step`. Torch runs and differentiates it,
    and the kernels of other engines are made from it together with their derivative. It may use
    arithmetic, comparisons, `torch.where`, minimum and maximum, exp, log, sqrt, tanh, sigmoid, sin,
    cos, abs, powers and `detach`. It must not branch on values, change a tensor in place, or draw
    random numbers. The kernels follow an attribute that is set anew; a change inside of one, such
    as an entry of a list, is not noticed.

    A text by hand takes the place of the generated one where a subclass overrides `cuda_source`, or
    `spec` for codelets.

    Parameters
    ----------
    reset : {"zero", "subtract", "none", "subtract_after", "zero_after"}
        What `decayed` does: the first three act on the membrane before the decay, and
        `after_reset` has them alone. The other two act after decay and input: they subtract the
        threshold, or set the membrane to 0 and drop the input of that step.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.

    Attributes
    ----------
    states : tuple of str
        What is carried from step to step, at most 8. "v" is the membrane. A neuron that spikes has
        "s" as the last: what its one call of `fire` gives.
    inputs : tuple of str
        The input currents, 1 to 4, each of which the step uses; default `("x",)`.
    parameters : tuple of str, or mapping of str to float
        Names, at most 16, or names and defaults.
    defaults : tuple of float
        Of the parameters, in their order, where they were given.
    resets : tuple of str
        The resets that the step has; default: all.
    bounds : mapping of str to (float, float)
        The least and the largest value of a parameter. One that is learnt is clamped to them where
        it is used, and has no gradient beyond them.

    Raises
    ------
    TypeError, ValueError
        Where an attribute or an option is out of range.

    Examples
    --------
    >>> class QuadraticLIF(popsnn.Neuron):
    ...     states = ("v", "s")
    ...     parameters = {"beta": 0.9, "kappa": 0.2, "threshold": 1.0}
    ...
    ...     def step(self, x, state, p, fire):
    ...         r = self.after_reset(state.v, state.s, p.threshold)
    ...         v = p.beta * r + p.kappa * r * r + x
    ...         return v, fire(v, p.threshold)
    """

    states: tuple[str, ...]
    inputs: ClassVar[tuple[str, ...]] = ("x",)
    parameters: Any  # names, or names and defaults in a subclass's text
    resets: ClassVar[tuple[str, ...]] = checks.RESETS
    defaults: ClassVar[tuple[float, ...]] = ()
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {}
    reset: str
    detach_reset: bool
    _State: ClassVar[Callable[..., Any]]
    _Inputs: ClassVar[Callable[..., Any]]
    _Parameters: ClassVar[Callable[..., Any]]

    def __init__(self, reset: str = "zero", detach_reset: bool = True) -> None:
        self.reset, self.detach_reset = reset, detach_reset
        self.__post_init__()

    def __post_init__(self) -> None:  # of dataclasses too
        name = type(self).__name__
        if "reset" in vars(self):
            checks.reset(name, self.reset, self.resets)
        if "detach_reset" in vars(self):
            checks.flag(name, "detach_reset", self.detach_reset)

    def __init_subclass__(cls, **options: object) -> None:
        """Take the names and the defaults of `parameters`, and check all names."""
        super().__init_subclass__(**options)
        own = vars(cls)
        parameters = own.get("parameters")
        if isinstance(parameters, Mapping):
            cls.defaults = tuple(map(float, parameters.values()))
            cls.parameters = tuple(parameters)
        if isinstance(own.get("states"), tuple):
            _check_names(cls.__name__, "states", cls.states, MAX_STATES)
            cls._State = namedtuple("State", cls.states)  # type: ignore[misc]
            # Where pickle finds it.
            cls._State.__module__, cls._State.__qualname__ = (
                cls.__module__,
                f"{cls.__qualname__}._State",
            )
        if "inputs" in own:
            _check_inputs(cls.__name__, cls.inputs)
            cls._Inputs = namedtuple("Inputs", cls.inputs)  # type: ignore[misc]
        if isinstance(own.get("parameters"), (tuple, Mapping)):
            _check_names(cls.__name__, "parameters", cls.parameters, MAX_PARAMETERS)
            cls._Parameters = namedtuple("Parameters", cls.parameters)  # type: ignore[misc]
        if "bounds" in own and isinstance(getattr(cls, "parameters", None), tuple):
            _check_bounds(cls.__name__, cls.bounds, cls.parameters)

    # The package's neurons are dataclasses with these: to generate others slows each import.

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in options_of(self).items())
        return f"{type(self).__name__}({options})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and options_of(other) == options_of(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __getstate__(self) -> dict[str, Any]:
        return options_of(self)

    @property
    def spiking(self) -> bool:
        """Whether the output is spikes; else it is the membrane."""
        return self.states[-1] == "s"

    @property
    def membrane(self) -> int:
        """Index of the membrane among the states."""
        return self.states.index("v")

    def step(self, x: Any, state: Any, p: Any, fire: Fire) -> States:
        """Return the states after one time step, in the order of `states`.

        Parameters
        ----------
        x : Tensor [B, ...], or named tuple of Tensor [B, ...]
            The input current, or the currents of several `inputs`.
        state : named tuple of Tensor [B, ...]
            The states before the step.
        p : named tuple of float or Tensor
            The parameters.
        fire : callable (membrane, threshold) -> spikes
            Gives 1 where the membrane reaches the threshold, with the surrogate's derivative.
        """
        raise NotImplementedError

    def named(self, states: States) -> States:
        """Return states in the order of their names as a named tuple."""
        named: States = self._State(*states)
        return named

    def advance(self, x: Inputs, state: States, parameters: Parameters, fire: Fire) -> States:
        """Return `step` of inputs, states and parameters in the order of their names."""
        if len(self.inputs) > 1:
            x = self._Inputs(*x)
        return self.step(x, self.named(state), self._Parameters(*parameters), fire)

    def after_reset(self, v: Tensor, s: Tensor, threshold: PerNeuron) -> Tensor:
        """Return what the reset leaves of the membrane `v` after the spikes `s`, both [B, ...].

        Raises
        ------
        ValueError
            Where the reset acts after the decay, as `decayed` does.
        """
        checks.reset(type(self).__name__, self.reset, checks.RESETS_BEFORE_DECAY)
        return after_reset(v, self.reset_spikes(s), threshold, self.reset)

    def decayed(
        self, beta: PerNeuron, v: Tensor, s: Tensor, threshold: PerNeuron, drive: Tensor
    ) -> Tensor:
        """Return the membrane `beta * v + drive`, with the reset of the spikes `s` [B, ...].

        Parameters
        ----------
        beta : float or Tensor
            The decay factor.
        v, s : Tensor [B, ...]
            The membrane and the spikes before the step.
        threshold : float or Tensor
            What "subtract" and "subtract_after" take.
        drive : Tensor [B, ...]
            What is added to the decayed membrane.
        """
        return decayed(beta, v, self.reset_spikes(s), threshold, drive, self.reset)

    def reset_spikes(self, s: Tensor) -> Tensor:
        """Return the spikes `s` [B, ...] as a reset takes them: detached, with `detach_reset`."""
        return s.detach() if self.detach_reset else s

    def traced(self) -> TracedStep:
        """Return the step's expressions and their derivatives, as options are now.

        Raises
        ------
        NotImplementedError
            Where an operation of torch has no translation.
        TypeError, ValueError
            Where `step` is none.
        """
        return remembered(self, "step", self._trace_step)

    def _trace_step(self) -> TracedStep:
        name = type(self).__name__
        for attribute in ("states", "parameters"):
            if not hasattr(self, attribute):
                raise TypeError(f"{name}: {attribute}: expected the class to set it, got none")
        if "v" not in self.states or "s" in self.states[:-1]:
            raise ValueError(
                f'{name}: states: expected "v" among them, and "s", where the neuron spikes, as '
                f"the last, got {self.states}"
            )
        from ..tracing.step import trace  # a first use needs it, an import does not

        return trace(name, self.states, self.parameters, self.advance, self.inputs)

    @property
    def codelet_by_hand(self) -> bool:
        """Whether `spec` describes another codelet than the one that is made from the step."""
        return type(self).spec is not Neuron.spec

    @property
    def decays(self) -> tuple[str, ...]:
        """The parameters that stay in [0, 1]."""
        return tuple(name for name, bounds in self.bounds.items() if tuple(bounds) == (0, 1))

    def spec(self, derivative: str | None = None) -> ModelSpec:
        """Return what the native part is told of the codelet, which is made here.

        Parameters
        ----------
        derivative : str, optional
            `Surrogate.codelet_source`.

        Raises
        ------
        NotImplementedError
            Where an operation of torch has no translation.
        OSError
            Where the codelet cannot be written to the user's cache.
        """
        from ..tracing.codelet import model_spec

        return model_spec(self.traced(), type(self).__name__, "v", derivative)

    @constant
    def translation(self) -> Translation:
        """Return the neuron as kernels have it, or why they have none.

        Raises
        ------
        TypeError, ValueError
            Where `step` is none.
        """
        found: Translation | None = vars(self).get(PREFIX + "kernel")  # each call of an operator
        return found or remembered(self, "kernel", self._translate)

    def _translate(self) -> Translation:
        try:
            source = self.cuda_source
        except NotImplementedError as error:  # torch has more operations
            return Translation(None, str(error), 0, 0)
        if type(self).cuda_source is Neuron.cuda_source:
            step = self.traced()
            fires_on_membrane = not self.spiking or step.fires_on("v")
            return Translation(source, None, step.carried, len(step.added), True, fires_on_membrane)
        reason = f"{type(self).__name__} has no CUDA lines" if source is None else None
        states = re.search(r"\bkStates = (\d+)\b", source or "")
        count = int(states[1]) if states else len(self.states)
        added = count - len(self.states)
        return Translation(
            source, reason, (1 << count) - 1, added, False, self._fires_on_membrane()
        )

    def _fires_on_membrane(self) -> bool:
        """Return whether a text by hand, which does as the step does, compares the membrane."""
        try:
            return not self.spiking or self.traced().fires_on("v")
        except (NotImplementedError, TypeError, ValueError):
            return False

    @property
    def cuda_source(self) -> str | None:
        """C++ that declares the struct `Neuron`; None without CUDA.

        One line: torch.compile writes what operators are given into comments of its own code.

        Raises
        ------
        NotImplementedError
            Where an operation of torch has no translation.
        """

        def source() -> str:
            from ..tracing.source import neuron_source

            step = self.traced()
            if len(step.states) > MAX_SAVED_STATES:
                raise NotImplementedError(
                    f"{type(self).__name__}: step: expected at most {MAX_SAVED_STATES} states with "
                    f"what the backward pass needs in addition, got {len(step.states)}"
                )
            return neuron_source(step, "Neuron", "v")

        return remembered(self, "source", source)


def _check_inputs(neuron: str, names: Any) -> None:
    if not isinstance(names, tuple) or not names:
        raise TypeError(f"{neuron}: inputs: expected a tuple of names, got {names!r}")
    _check_names(neuron, "inputs", names, MAX_INPUTS)


def _check_names(neuron: str, argument: str, names: tuple[str, ...], most: int) -> None:
    if len(set(names)) < len(names):
        raise ValueError(f"{neuron}: {argument}: expected each name once, got {names}")
    if any(map(_no_name, names)):
        raise ValueError(f"{neuron}: {argument}: expected identifiers, got {names}")
    if len(names) > most:
        raise ValueError(f"{neuron}: {argument}: expected at most {most}, got {len(names)}")


def _check_bounds(neuron: str, bounds: Mapping[str, Any], parameters: tuple[str, ...]) -> None:
    for name, limits in bounds.items():
        if name not in parameters:
            raise ValueError(f"{neuron}: bounds: expected names among {parameters}, got {name!r}")
        if len(limits) != 2 or not limits[0] <= limits[1]:
            raise ValueError(
                f"{neuron}: bounds: expected the least and the largest value of {name}, got "
                f"{limits}"
            )


def _no_name(name: str) -> bool:
    return not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name)
