"""Delays: the delays of a layer's spikes, fixed or learnt."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, Sequence

import torch
from torch import Tensor, nn

from .._internal import checks
from ..functional import DelaySteps, SparseState, last_steps
from ..functional._delays import KINDS, SPREADS, check_steps, check_width, delay_shape
from ._options import Check, Options, register, shown


class Delays(Options):
    """Delays of spikes in whole time steps, or real numbers that training learns.

    The option `delay` or `recurrent_delay` of a layer takes them and makes them part of it. Learnt
    delays are spread over neighbouring time steps in training. In evaluation they are rounded.

    Parameters
    ----------
    kind : {"axonal", "dendritic", "synaptic"}
        A delay for each source neuron, for each target neuron, or for each weight.
    maximum : int
        D, the largest delay in time steps, at least 1.
    steps : float or Tensor, optional
        The delays, one number or a tensor of the kind's shape: [M], [N] or [N, M]. Fixed delays are
        whole numbers. Default where they are learnt: drawn uniformly from `minimum` to `maximum`.
    minimum : int
        The smallest delay; a learnt one is clamped to the range where it is used.
    learn : bool
        Whether `steps` is a parameter.
    spread : {"triangle", "gaussian", "straight_through"}
        How a learnt delay is spread over time steps in training, as in
        `functional.delay_taps`. "straight_through" rounds it and has a gradient nevertheless.
    width : float, optional
        Of the triangle or of the Gaussian in time steps. A schedule may set it: wide at first, so
        that a delay sees time steps far from it, then narrower. Default: 0 for the triangle, which
        is linear interpolation, and 0.5 for the Gaussian.

    Attributes
    ----------
    steps : Parameter where learnt, else buffer
        Of the kind's shape once a layer has the delays.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "kind": lambda _, name, value: checks.choice(name, "kind", value, KINDS),
        "maximum": lambda _, name, value: checks.integer(name, "maximum", value, 1),
        "minimum": lambda delays, name, value: checks.integer(
            name, "minimum", value, 0, delays.maximum
        ),
        "learn": lambda _, name, value: checks.flag(name, "learn", value),
        "spread": lambda delays, name, value: _spread(delays, name, value),
        "width": lambda delays, name, value: _width(delays, name, value),
    }
    FIXED: ClassVar[tuple[str, ...]] = ("kind", "maximum", "minimum", "learn")

    steps: Any
    width: float

    def __init__(
        self,
        kind: str,
        maximum: int,
        steps: float | Tensor | None = None,
        *,
        minimum: int = 0,
        learn: bool = False,
        spread: str = "triangle",
        width: float | None = None,
    ) -> None:
        super().__init__()
        self.kind = kind
        self.maximum = maximum
        self.minimum = minimum
        self.learn = learn
        self.spread = spread
        if width is None:
            width = 0.5 if spread == "gaussian" else 0.0
        self.width = width
        if steps is None and not learn:
            raise ValueError("Delays: steps: expected whole time steps where learn=False, got None")
        initial = None if steps is None else _initial(steps)
        if initial is not None:
            self._check_values(initial, fixed=not learn)
        self._shape: tuple[int, ...] | None = None
        self._used: tuple[tuple[int, int], list[int]] | None = None
        self.register_buffer("steps", initial)  # of the kind's shape once a layer has them

    def _check_values(self, steps: Tensor, fixed: bool) -> None:
        check_steps("Delays", "steps", steps, self.minimum if fixed else None, self.maximum)
        low, high = self.minimum, self.maximum
        wrong = (steps < low) | (steps > high)
        if bool(wrong.any()):
            got = steps[wrong].flatten()[0].item()
            raise ValueError(f"Delays: steps: expected delays in {low}..{high}, got {got:g}")

    def attach(self, operation: str, option: str, inputs: int, neurons: int) -> Delays:
        """Become the delays of weights [neurons, inputs], as a layer's constructor asks for.

        Raises
        ------
        ValueError
            Where `steps` has another shape, or another layer has these delays.
        """
        shape = delay_shape(self.kind, inputs, neurons)
        if self._shape is not None:
            raise ValueError(
                f"{operation}: {option}: expected Delays of no other layer, got those of one"
            )
        steps = self.steps
        if steps is None:
            steps = torch.empty(shape).uniform_(self.minimum, self.maximum)
        elif steps.dim() == 0:
            steps = steps.expand(shape)
        elif tuple(steps.shape) != shape:
            raise ValueError(
                f"{operation}: {option}: expected steps of shape {shape} of {self.kind} delays, "
                f"got {tuple(steps.shape)}"
            )
        self._shape = shape
        del self.steps
        register(self, "steps", steps, self.learn)
        return self

    def now(self) -> DelaySteps:
        """Return the delays as this pass uses them: those learnt are rounded in evaluation."""
        steps, low, high = self.steps, self.minimum, self.maximum
        if not self.learn:
            return DelaySteps(self.kind, steps, high, low)
        if self.training:
            return DelaySteps(self.kind, steps, high, low, self.spread, self.width)
        return DelaySteps(self.kind, steps.detach().clamp(low, high).round(), high, low)

    def taps_in_use(self) -> Sequence[int]:
        """Return the time steps k whose taps may be other than 0, in rising order.

        Those of fixed delays are read once, which waits for their device.
        """
        if self.learn:
            return range(self.maximum + 1)
        key = (self.steps.data_ptr(), self.steps._version)
        if self._used is None or self._used[0] != key:
            self._used = (key, [int(k) for k in self.steps.unique().tolist()])
        return self._used[1]

    @torch.no_grad()
    def round_(self) -> Delays:
        """Round the delays to whole time steps of the range for good, and return them."""
        self.steps.clamp_(self.minimum, self.maximum).round_()
        return self

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return describe(self)


def describe(delays: Delays) -> str:
    """Return the options of delays in words, as `print` shows them."""
    options = f"{delays.kind}, maximum={delays.maximum}"
    if delays.minimum:
        options += f", minimum={delays.minimum}"
    if delays.steps is not None:
        options += f", {shown(delays, 'steps')}"
    if not delays.learn:
        return options
    return f"{options}, spread={delays.spread!r}, width={delays.width:g}"


def as_delay(layer: nn.Module, option: str, value: Any, inputs: int, neurons: int) -> Any:
    """Return an option of a layer that says how late spikes are.

    Parameters
    ----------
    layer : Module
        Which has weights [neurons, inputs].
    option : str
    value : int or Delays
        A number from 2 on makes axonal delays of as many steps.
    inputs, neurons : int

    Returns
    -------
    int or Delays
        0 or 1, or delays of this layer.
    """
    name = type(layer).__name__
    if isinstance(value, Delays):
        return value if _own(layer, option, value) else value.attach(name, option, inputs, neurons)
    try:
        number = checks.integer(name, option, value, 0)
    except TypeError:
        got = type(value).__name__
        raise TypeError(f"{name}: {option}: expected an integer or Delays, got {got}") from None
    if number < 2:
        return number
    fixed = Delays("axonal", number, number, minimum=number)
    return fixed.attach(name, option, inputs, neurons)


def as_recurrent_delay(layer: nn.Module, value: Any, neurons: int) -> Delays | None:
    """Return the delays of a recurrent layer's own spikes, or None."""
    if value is None:
        return None
    name, option = type(layer).__name__, "recurrent_delay"
    if isinstance(value, Delays) and not getattr(layer, "recurrent", False):
        raise ValueError(f"{name}: {option}: expected None where recurrent=False, got Delays")
    return delays_of_loop(layer, option, value, neurons)


def delays_of_loop(layer: nn.Module, option: str, value: Any, neurons: int) -> Delays | None:
    """Return an option of a layer that delays its own spikes: Delays of weights [N, N] or None."""
    name = type(layer).__name__
    if value is None:
        return None
    if not isinstance(value, Delays):
        got = type(value).__name__
        raise TypeError(f"{name}: {option}: expected Delays or None, got {got}")
    return value if _own(layer, option, value) else value.attach(name, option, neurons, neurons)


def _own(layer: nn.Module, option: str, value: Delays) -> bool:
    return layer._modules.get(option) is value


def delay_now(value: Any) -> Any:
    """Return what `functional` takes of a layer's option: an int, `DelaySteps` or None."""
    return value.now() if isinstance(value, Delays) else value


def longest(value: Any) -> int:
    """Return the D steps that a state carries for an option; 0 without Delays."""
    return value.maximum if isinstance(value, Delays) else 0


def has_delays(layer: nn.Module) -> bool:
    """Return whether a layer's input or its own spikes have Delays."""
    options = ("delay", "recurrent_delay")
    return any(isinstance(getattr(layer, option, None), Delays) for option in options)


def lines_after(
    layer: nn.Module,
    state: SparseState | None,
    below: Tensor | None,  # [T, B, M]
    own: Tensor | None,  # [T, B, N]
) -> tuple[Tensor | None, Tensor | None]:
    """Return `inputs` and `spikes` of a layer's state after the last step; None without Delays.

    Spikes of the input and of the layer itself are those of all steps, or of the last D + 1.
    """
    delay, recurrent_delay = layer.delay, getattr(layer, "recurrent_delay", None)
    inputs = spikes = None
    if isinstance(delay, Delays):
        assert below is not None
        inputs = last_steps(below, None if state is None else state.inputs, delay.maximum)
    if isinstance(recurrent_delay, Delays):
        assert own is not None
        first = torch.zeros_like(own[:1]) if state is None else state.s.unsqueeze(0)
        before = None if state is None else state.spikes
        spikes = last_steps(torch.cat([first, own[:-1]]), before, recurrent_delay.maximum)
    return inputs, spikes


def shown_delay(option: str, value: Any) -> str:
    """Return what `print` shows of an option in a layer's own line; Delays have their own."""
    return "" if value is None or isinstance(value, Delays) else f"{option}={value}, "


def undelayed(layer: nn.Module, option: str) -> int:
    """Return a layer's delay of 0 or 1 step; 0 with Delays, which an engine adds."""
    value = getattr(layer, option)
    return 0 if isinstance(value, Delays) else int(value)


def _initial(steps: float | Tensor) -> Tensor:
    if isinstance(steps, Tensor):
        if steps.dtype == torch.bool or steps.is_complex():
            raise TypeError(f"Delays: steps: expected a tensor of numbers, got {steps.dtype}")
        return steps.detach().to(torch.get_default_dtype()).clone()
    return torch.tensor(checks.finite("Delays", "steps", steps))


def _spread(delays: Delays, operation: str, value: str) -> str:
    value = checks.choice(operation, "spread", value, SPREADS[1:])
    width = vars(delays).get("width")
    if width is not None:
        check_width(operation, "width", value, width)
    return value


def _width(delays: Delays, operation: str, value: float) -> float:
    check_width(operation, "width", delays.spread, value)
    return float(value)
