"""Small faults of the reference of delays: what does not see them would not see an engine's."""

from __future__ import annotations

from typing import List, Optional

from torch import Tensor

from . import named
from .delays import Delayed
from .neuron import Reference


class DelayIsOneStepOff(Reference):
    """Delays by one step more, and the longest delay by none."""

    def taps(self, delay: Delayed) -> List[Tensor]:
        *others, last = super().taps(delay)
        return [last, *others]


class BeforeIsIgnored(Reference):
    """Begins with rows of zeros, whatever came before."""

    def line(self, before: Optional[Tensor], maximum: int, like: Tensor) -> List[Tensor]:
        return super().line(None if before is None else 0 * before, maximum, like)


class BeforeIsReversed(Reference):
    """Takes the rows before the first with the newest first."""

    def line(self, before: Optional[Tensor], maximum: int, like: Tensor) -> List[Tensor]:
        return super().line(before, maximum, like)[::-1]


class DelayGradientHasWrongSign(Reference):
    """Moves learnt delays away from where they gain."""

    def in_range(self, delay: Delayed) -> Tensor:
        d = super().in_range(delay)
        return 2 * d.detach() - d


class DelayLearnsBeyondRange(Reference):
    """Gives a delay that is clamped the gradient of one that is not."""

    def in_range(self, delay: Delayed) -> Tensor:
        d = super().in_range(delay).detach()
        return d if delay.spread == "none" else d + delay.steps - delay.steps.detach()


class HalvesRoundUp(Reference):
    """Rounds a half up."""

    def whole(self, d: Tensor) -> Tensor:
        return (d + 0.5).floor()


class StraightThroughIsOneSided(Reference):
    """Takes the slope of linear interpolation to the step above."""

    def slope_of_whole(self, at: Tensor) -> Tensor:
        return (at == 1).double() - (at == 0).double()


class TapsDoNotSumToOne(Reference):
    """Leaves the taps of a triangle or a Gaussian as high as they are."""

    def summing_to_one(self, delay: Delayed, every: List[Tensor]) -> List[Tensor]:
        return every


class WidthIsIgnored(Reference):
    """Takes every triangle for linear interpolation, every Gaussian for one of 1/2."""

    def taps(self, delay: Delayed) -> List[Tensor]:
        width = 0.5 if delay.spread == "gaussian" else 0.0
        return super().taps(delay._replace(width=width))


class DelayedGradientStopsBefore(Reference):
    """Cuts the gradient of the rows before the first."""

    def line(self, before: Optional[Tensor], maximum: int, like: Tensor) -> List[Tensor]:
        return super().line(None if before is None else before.detach(), maximum, like)


DELAYS = named(
    DelayIsOneStepOff,
    BeforeIsIgnored,
    BeforeIsReversed,
    DelayGradientHasWrongSign,
    DelayLearnsBeyondRange,
    HalvesRoundUp,
    StraightThroughIsOneSided,
    TapsDoNotSumToOne,
    WidthIsIgnored,
    DelayedGradientStopsBefore,
)
# What shows without states, and in few cases.
FROM_REST = named(DelayIsOneStepOff, DelayGradientHasWrongSign)
