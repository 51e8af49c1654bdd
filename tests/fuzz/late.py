"""Descriptions of delays, how hypothesis draws them, and their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Tuple

from hypothesis import strategies as st
from torch import Tensor

from popsnn.functional import DelaySteps
from popsnn.nn import Delays

from .random_numbers import Numbers
from .references.delays import Delayed

KINDS = ("axonal", "dendritic", "synaptic")
WHOLE = ("none", "straight_through")
SPREADS = (*WHOLE, "triangle", "gaussian")
WIDTHS = {"triangle": (0.0, 0.5, 1.0, 2.3), "gaussian": (0.5, 0.3, 1.5)}
MAXIMA = (1, 2, 3, 4, 5, 7, 8, 9)


@dataclass(frozen=True)
class Late:
    """Delays, the sizes apart.

    Parameters
    ----------
    before : bool
        Whether there are rows before the first.
    learn : bool
        Whether the steps ask for a gradient; those of spread "none" have zeros.
    """

    kind: str
    maximum: int
    minimum: int = 0
    spread: str = "none"
    width: float = 0.0
    before: bool = False
    learn: bool = True

    @property
    def exact(self) -> bool:
        """Whether float32 has the taps of delays that are exact numbers."""
        return self.spread in WHOLE or (self.spread == "triangle" and self.width == 0)

    @property
    def number(self) -> bool:
        """Whether a layer takes it as one number."""
        one = self.minimum == self.maximum >= 2
        return one and self.kind == "axonal" and self.spread == "none"

    def shape(self, inputs: int, neurons: int) -> Tuple[int, ...]:
        """Return the shape of the steps of weights [neurons, inputs]."""
        if self.kind == "synaptic":
            return (neurons, inputs)
        return (inputs,) if self.kind == "axonal" else (neurons,)

    def steps(self, seed: int, exact: bool, device: str, *shape: int) -> Tensor:
        """Return steps, float64 that float32 holds: whole, or of those that learn, beyond them."""
        if self.spread == "none":
            return Numbers(seed, True, device).between(self.minimum, self.maximum, 1, *shape)
        numbers = Numbers(seed, exact, device)
        return numbers.between(self.minimum - 1, self.maximum + 1, 4, *shape)

    def of(self, steps: Tensor) -> DelaySteps:
        """Return the delays of popsnn."""
        return DelaySteps(self.kind, steps, self.maximum, self.minimum, self.spread, self.width)

    def of_layer(self, option: str, steps: Tensor) -> Any:
        """Return a layer's option; that of its own spikes takes no number."""
        if self.number and option == "delay":
            return self.maximum
        kept = steps.float().clamp(self.minimum, self.maximum)  # training leads beyond that alone
        if self.spread == "none":
            return Delays(self.kind, self.maximum, kept, minimum=self.minimum)
        return Delays(
            self.kind,
            self.maximum,
            kept,
            minimum=self.minimum,
            learn=True,
            spread=self.spread,
            width=self.width,
        )

    def rules(self, steps: Tensor) -> Delayed:
        """Return the delays of the reference."""
        return Delayed(self.kind, steps, self.maximum, self.minimum, self.spread, self.width)


@st.composite
def lates(
    draw: Any,
    exact: bool,
    kinds: Tuple[str, ...] = KINDS,
    spreads: Tuple[str, ...] = SPREADS,
    maxima: Tuple[int, ...] = MAXIMA,
) -> Late:
    """Draw delays; those of exact numbers have exact taps."""
    spread = draw(st.sampled_from([s for s in spreads if not (exact and s == "gaussian")]))
    widths = WIDTHS.get(spread, (0.0,))
    maximum = draw(st.sampled_from(maxima))
    minimum = draw(st.sampled_from((0, 0, 0, 1, maximum)))
    return Late(
        draw(st.sampled_from(kinds)),
        maximum,
        minimum,
        spread,
        draw(st.sampled_from(widths[:1] if exact else widths)),
        draw(st.booleans()),
        draw(st.sampled_from((True, True, True, False))),
    )
