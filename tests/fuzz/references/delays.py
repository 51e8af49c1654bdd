"""The float64 reference of delays, from the docstrings of `functional.delay_taps` and its module.

A mutation (mutations.py) is a subclass of `Reference` that breaks one of these rules.
"""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Sequence

import torch
from torch import Tensor


class Delayed(NamedTuple):
    """Delays of M sources to N targets: `steps` are [M] axonal, [N] dendritic, [N, M] synaptic."""

    kind: str
    steps: Tensor
    maximum: int
    minimum: int
    spread: str
    width: float


class DelayRules:
    """The rules of delays. Tensors are float64."""

    def in_range(self, delay: Delayed) -> Tensor:
        """Clamp delays to their range, beyond which they have no gradient; "none" are whole."""
        d = delay.steps
        if delay.spread == "none":
            return d.detach()
        below, above = d < delay.minimum, d > delay.maximum
        kept = torch.where(below, torch.full_like(d, delay.minimum), d)
        return torch.where(above, torch.full_like(d, delay.maximum), kept)

    def whole(self, d: Tensor) -> Tensor:
        """Round to whole steps, a half to the even neighbour."""
        below = d.floor()
        over = d - below
        return below + ((over > 0.5) | ((over == 0.5) & (below % 2 == 1))).to(d.dtype)

    def moved(self, value: Tensor, slope: Tensor, d: Tensor) -> Tensor:
        """Return a value whose derivative in the delay is the slope."""
        return value.detach() + slope.detach() * (d - d.detach())

    def weighed(self, delay: Delayed, d: Tensor, k: int) -> Tensor:
        """Return what step k weighs before the sum of all becomes 1."""
        u = (k - d).detach()
        if delay.spread == "gaussian":
            return torch.exp(-(((k - d) / delay.width) ** 2) / 2)
        if delay.spread == "triangle":
            height = 1 - u.abs() / (1 + delay.width)
            side = torch.where(height == 0, 0.5, 1.0) * (height >= 0)
            return self.moved(height.clamp(min=0), side * u.sign() / (1 + delay.width), d)
        if delay.spread == "straight_through":
            at = k - self.whole(d.detach())
            return self.moved((at == 0).to(d.dtype), self.slope_of_whole(at), d)
        return (u == 0).to(d.dtype)

    def slope_of_whole(self, at: Tensor) -> Tensor:
        """Return the derivative of the tap `at` steps above a whole delay, straight through."""
        return ((at == 1).double() - (at == -1).double()) / 2

    def taps(self, delay: Delayed) -> List[Tensor]:
        """Return the taps of 0..D steps, each of the shape of the steps."""
        d = self.in_range(delay)
        every = [self.weighed(delay, d, k) for k in range(delay.maximum + 1)]
        return self.summing_to_one(delay, every)

    def summing_to_one(self, delay: Delayed, every: List[Tensor]) -> List[Tensor]:
        """Divide by the sum where a spread has several taps."""
        if delay.spread in ("none", "straight_through"):
            return every
        total = torch.stack(every).sum(0)
        return [tap / total for tap in every]

    def in_evaluation(self, delay: Delayed) -> Delayed:
        """Return a layer's delays in evaluation, where those that are learnt are rounded."""
        steps = self.whole(self.in_range(delay).detach())
        return delay._replace(steps=steps, spread="none")

    def line(self, before: Optional[Tensor], maximum: int, like: Tensor) -> List[Tensor]:
        """Return the D rows before the first, oldest first; without `before` they are zeros."""
        return [torch.zeros_like(like)] * maximum if before is None else list(before)

    def arriving(
        self, kind: str, taps: Sequence[Tensor], rows: Sequence[Tensor], weight: Tensor
    ) -> Tensor:
        """Return what arrives [B, N] of rows [B, M], the last of which is the present one."""
        total = rows[-1].new_zeros(len(rows[-1]), len(weight))
        for k, tap in enumerate(taps):
            row = rows[-1 - k]
            if kind == "axonal":
                total = total + (row * tap) @ weight.t()
            elif kind == "dendritic":
                total = total + (row @ weight.t()) * tap
            else:
                total = total + row @ (weight * tap).t()
        return total

    def features(self, taps: Sequence[Tensor], rows: Sequence[Tensor]) -> Tensor:
        """Return a sequence's step [B, F], each feature delayed by its own steps."""
        return torch.stack([tap * rows[-1 - k] for k, tap in enumerate(taps)]).sum(0)
