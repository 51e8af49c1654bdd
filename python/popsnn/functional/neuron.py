"""Neurons: the states that they carry, their parameters, and one time step in torch.

The step is the reference. Kernels are made from it by `popsnn.tracing`; a few neurons have a header
of their own in `cuda/popsnn/neurons/`.
"""

from __future__ import annotations

import keyword
import re
from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any, Callable, ClassVar, Mapping, Tuple

from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from ..spec import ModelSpec
from ..tracing.codelet import model_spec
from ..tracing.memory import constant, options_of, remembered
from ..tracing.source import neuron_source
from ..tracing.step import TracedStep, trace
from ..tracing.symbol import Untranslatable
from ._parts import after_reset

States = Tuple[Tensor, ...]
"""The states of a neuron, in the order of `Neuron.states`, each [B, ...]."""

Parameters = Tuple[PerNeuron, ...]
"""Values of the parameters, in the order of `Neuron.parameters`, each a number or a tensor [N]."""

Fire = Callable[[Tensor, PerNeuron], Tensor]
"""Spikes of a membrane [B, ...] and a threshold, with the surrogate as their derivative."""


MAX_STATES = 8
MAX_PARAMETERS = 16


class Neuron:
    """Base of neurons: one time step, as torch functions of one neuron's numbers.

    A subclass sets the class attributes below and writes `step`. Torch runs and differentiates it,
    and the kernels of other engines are made from it together with their derivative. It may use
    arithmetic, comparisons, `torch.where`, minimum and maximum, exp, log, sqrt, tanh, sigmoid, sin,
    cos, abs, powers and `detach`. It must not branch on values, change a tensor in place, or draw
    random numbers.

    Parameters
    ----------
    reset : {"zero", "subtract", "none"}
        What `after_reset` does.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.

    Attributes
    ----------
    states : tuple of str
        What is carried from step to step, at most 8. "v" is the membrane. A neuron that spikes has
        "s" as the last: what its one call of `fire` gives.
    parameters : tuple of str, or mapping of str to float
        Names, at most 16, or names and defaults.
    defaults : tuple of float
        Of the parameters, in their order, where they were given.
    bounds : mapping of str to (float, float)
        The least and the largest value of a parameter that is learnt.

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
    parameters: Any  # names, or names and defaults in a subclass's text
    defaults: ClassVar[tuple[float, ...]] = ()
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {}
    reset: str
    detach_reset: bool
    _State: ClassVar[Callable[..., Any]]
    _Parameters: ClassVar[Callable[..., Any]]

    def __init__(self, reset: str = "zero", detach_reset: bool = True) -> None:
        name = type(self).__name__
        checks.reset(name, reset)
        checks.flag(name, "detach_reset", detach_reset)
        self.reset, self.detach_reset = reset, detach_reset

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
        if isinstance(own.get("parameters"), (tuple, Mapping)):
            _check_names(cls.__name__, "parameters", cls.parameters, MAX_PARAMETERS)
            cls._Parameters = namedtuple("Parameters", cls.parameters)  # type: ignore[misc]

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

    @property
    def carried(self) -> int:
        """States that can have a gradient before a step, as the bits of a number.

        The cuda engine carries no other state from shard to shard of a long backward pass.
        """
        return self._carried()

    @property
    def added(self) -> int:
        """States that kernels save in addition, in front of the spikes, for their backward pass."""
        return self._added()

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        """Return the states after one time step, in the order of `states`.

        Parameters
        ----------
        x : Tensor [B, ...]
            The input current.
        state : named tuple of Tensor [B, ...]
            The states before the step.
        p : named tuple of float or Tensor
            The parameters.
        fire : callable (membrane, threshold) -> spikes
            Gives 1 where the membrane reaches the threshold, with the surrogate's derivative.
        """
        raise NotImplementedError

    def advance(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        """Return `step` of states and parameters in the order of their names."""
        return self.step(x, self._State(*state), self._Parameters(*parameters), fire)

    def after_reset(self, v: Tensor, s: Tensor, threshold: PerNeuron) -> Tensor:
        """Return what the reset leaves of the membrane `v` after the spikes `s`, both [B, ...]."""
        return after_reset(v, s.detach() if self.detach_reset else s, threshold, self.reset)

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
        return trace(name, self.states, self.parameters, self.advance)

    @property
    def _generated(self) -> bool:
        return type(self).cuda_source is Neuron.cuda_source

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
        return model_spec(self.traced(), type(self).__name__, "v", derivative)

    @constant
    def check(self) -> None:
        """Raise TypeError or ValueError where `step` is none; torch may have more operations."""
        if self._generated:
            try:
                self.traced()
            except Untranslatable:
                return

    @property
    def cuda_source(self) -> str | None:
        """C++ that declares the struct `Neuron`; None without CUDA.

        One line: torch.compile writes what operators are given into comments of its own code.

        Raises
        ------
        NotImplementedError
            Where an operation of torch has no translation.
        """
        return self._generated_source()

    @constant
    def _generated_source(self) -> str:
        return remembered(self, "source", lambda: neuron_source(self.traced(), "Neuron", "v"))

    @constant
    def _carried(self) -> int:
        return self.traced().carried if self._generated else (1 << len(self.states)) - 1

    @constant
    def _added(self) -> int:
        return len(self.traced().added) if self._generated else 0


def _check_names(neuron: str, argument: str, names: tuple[str, ...], most: int) -> None:
    if len(set(names)) < len(names):
        raise ValueError(f"{neuron}: {argument}: expected each name once, got {names}")
    if any(map(_no_name, names)):
        raise ValueError(f"{neuron}: {argument}: expected identifiers, got {names}")
    if len(names) > most:
        raise ValueError(f"{neuron}: {argument}: expected at most {most}, got {len(names)}")


def _no_name(name: str) -> bool:
    return not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name)


@dataclass(frozen=True)
class LIF(Neuron):
    """v' = beta r(v, s) + x, s' = v' >= threshold."""

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "s")
    parameters = ("beta", "threshold")

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, s = state
        beta, threshold = p
        v = beta * self.after_reset(v, s, threshold) + x
        return v, fire(v, threshold)


@dataclass(frozen=True)
class LI(Neuron):
    """v' = beta v + x."""

    states = ("v",)
    parameters = ("beta",)

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        return (p.beta * state.v + x,)


@dataclass(frozen=True)
class SynapticLIF(Neuron):
    """i' = alpha i + x, v' = beta r(v, s) + i', s' = v' >= threshold."""

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "i", "s")
    parameters = ("beta", "threshold", "alpha")

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, i, s = state
        beta, threshold, alpha = p
        i = alpha * i + x
        v = beta * self.after_reset(v, s, threshold) + i
        return v, i, fire(v, threshold)


@dataclass(frozen=True)
class AdaptiveLIF(Neuron):
    """a' = rho a + s, v' = beta r(v, s) + x, s' = v' >= threshold + kappa a'."""

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "a", "s")
    parameters = ("beta", "threshold", "rho", "kappa")

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, a, s = state
        beta, threshold, rho, kappa = p
        a = rho * a + s
        v = beta * self.after_reset(v, s, threshold) + x
        return v, a, fire(v, threshold + kappa * a)


_IDENTIFIER = re.compile(r"(?!(?:x|h|d_\w*|\w*_before)$)[A-Za-z]\w*")


RESETS = ("zero", "subtract", "none")
# Made once, so that each is translated once; torch.compile reads them as it reads any global.
LIFS, SYNAPTIC_LIFS, ADAPTIVE_LIFS = (
    {(reset, detach): kind(reset, detach) for reset in RESETS for detach in (True, False)}
    for kind in (LIF, SynapticLIF, AdaptiveLIF)
)


@dataclass(frozen=True)
class Custom(Neuron):
    """A custom neuron: its step in torch, and a few lines of CUDA for the cuda engine.

    The CUDA lines, statements without preprocessor directives, see states and parameters under
    their names, and

    - `forward`: the input `x`. They turn the states before the step into those after it.
    - `restore`: they set `s` from the other states after the step.
    - `backward`: the states after the step under their names and those before it as `v_before`
      and so on. `d_v` and so on hold the gradient of the states after the step and must end up as
      that of the states before it. `d_x` must be set, `d_<parameter>` added to.
      `h(v, threshold)` is the surrogate's derivative. All must be linear in the gradients that come
      in, as gradients are: few neurons have their backward pass in time shards, by maps.

    Parameters
    ----------
    states, parameters : tuple of str
        At most 4 of each; "v" is the membrane, and a neuron that spikes has "s" as its last state.
    function : (x, states, parameters, fire) -> states
        One step in torch.
    forward, backward : str, optional
        Without them the neuron is one of the torch engine alone.
    restore : str, optional
        Needed, in addition, where the neuron spikes.

    Raises
    ------
    ValueError
        Where names are missing, double or no identifiers.
    """

    states: tuple[str, ...]
    parameters: tuple[str, ...]
    function: Callable[[Tensor, States, Parameters, Fire], States]
    forward: str | None = None
    backward: str | None = None
    restore: str | None = None
    _source: str | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        names = (*self.states, *self.parameters)
        if "v" not in self.states or "s" in self.states[:-1]:
            raise ValueError(
                'Custom: states: expected "v" among them, and "s", where the neuron spikes, as '
                f"the last, got {self.states}"
            )
        if len(set(names)) < len(names) or not all(map(_IDENTIFIER.fullmatch, names)):
            raise ValueError(
                f"Custom: states, parameters: expected different identifiers, got {names}"
            )
        if max(len(self.states), len(self.parameters)) > 4:
            raise ValueError(f"Custom: states, parameters: expected at most 4 of each, got {names}")
        lines = (self.forward, self.backward, *((self.restore,) if self.spiking else ()))
        if any(lines) and not all(lines):
            wanted = "forward, backward and restore" if self.spiking else "forward and backward"
            raise ValueError(f"Custom: expected CUDA lines for {wanted} or for none of them")
        object.__setattr__(self, "_source", self._struct())

    def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        return self.function(x, state, parameters, fire)

    def advance(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        return self.step(x, state, parameters, fire)

    @property
    def cuda_source(self) -> str | None:
        return self._source

    def _struct(self) -> str | None:
        if self.forward is None:
            return None
        saved = len(self.states) - self.spiking
        after = _locals("float&", self.states, "state")
        constants = _locals("const float", self.parameters, "parameter")
        gradients = _locals("float&", [f"d_{name}" for name in self.states], "grad")
        sums = _locals("float&", [f"d_{name}" for name in self.parameters], "grad_parameter")
        parameter = "[[maybe_unused]] const float* parameter"
        before = _locals("const float", [f"{name}_before" for name in self.states], "before")
        # One parameter at least, which nothing reads: no array of the kernels can be empty.
        text = f"""struct Neuron {{
  static constexpr int kStates = {len(self.states)};
  static constexpr int kSaved = {saved};
  static constexpr int kParameters = {max(1, len(self.parameters))};
  static constexpr bool kSpiking = {str(self.spiking).lower()};
  static constexpr int kMembrane = {self.membrane};
  POPSNN_DEVICE static void step(float (&state)[kStates], {parameter}, float x) {{
    {after}{constants}
    {self.forward}
  }}
  POPSNN_DEVICE static void restore(float (&state)[kStates], {parameter}) {{
    {after}{constants}
    {self.restore or ""}
  }}
  template <class Gradient>
  POPSNN_DEVICE static float adjoint(const float (&before)[kStates], float (&state)[kStates],
                                  {parameter}, [[maybe_unused]] const Gradient& h,
                                  float (&grad)[kStates],
                                  [[maybe_unused]] float* grad_parameter) {{
    {after}{before}{constants}{gradients}{sums}
    float d_x = 0.0f;
    {self.backward}
    return d_x;
  }}
}};
"""
        return " ".join(re.sub(r"//.*", "", text).split())


def _locals(kind: str, names: list[str] | tuple[str, ...], array: str) -> str:
    return "".join(
        f"[[maybe_unused]] {kind} {name} = {array}[{index}]; " for index, name in enumerate(names)
    )
