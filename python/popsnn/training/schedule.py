"""Schedules of a training: learning rate, gradient threshold, activity penalty, delays' width."""

from __future__ import annotations

import math
from typing import Optional

from ..nn import SNN
from ..nn.delays import Delays
from ..nn.sparse_lif import SparseLIF
from .config import Recipe
from .objective import activity_cost

WIDE = 0.5  # fraction of the epochs over which the width of delays falls to 0


def rate_factor(recipe: Recipe, epoch: int) -> float:
    """Return the fraction of the highest learning rate in an epoch, counted from 0.

    It rises in equal parts over the warm-up, so that the first epoch has 1 / (warmup + 1), and
    falls from 1 as half a cosine to what would be zero one epoch after the last.
    """
    if epoch < recipe.warmup:
        return (epoch + 1) / (recipe.warmup + 1)
    progress = (epoch - recipe.warmup) / (recipe.epochs - recipe.warmup)
    return 0.5 * (1 + math.cos(math.pi * progress))


def grad_threshold(recipe: Recipe, epoch: int, step: int, steps: int) -> Optional[float]:
    """Return the gradient threshold in a step of an epoch; None where it does not move."""
    start, end = recipe.grad_threshold_start, recipe.grad_threshold
    if start is None or end is None:
        return None
    progress = min(1.0, (epoch + step / steps) / recipe.grad_threshold_epochs)
    return end if progress == 1.0 else start + (end - start) * progress


def activity_factor(recipe: Recipe, epoch: int, step: int, steps: int) -> float:
    """Return which fraction of its weight the activity penalty has in a step of an epoch."""
    return activity_cost(recipe).factor(epoch + step / steps)


def set_grad_threshold(net: SNN, value: Optional[float]) -> None:
    """Give all layers this gradient threshold, unless it is None."""
    if value is not None:
        for layer in net.stack:
            if isinstance(layer, SparseLIF):
                layer.grad_threshold = value


def delay_width(recipe: Recipe, epoch: int, step: int, steps: int) -> Optional[float]:
    """Return the width of learnt delays in a step of an epoch; None where it does not move."""
    if recipe.delay_width is None:
        return None
    progress = (epoch + step / steps) / (WIDE * recipe.epochs)
    return recipe.delay_width * max(0.0, 1 - progress)


def set_delay_width(net: SNN, value: Optional[float]) -> None:
    """Give learnt delays a triangle of this width, unless it is None; with 0 round them.

    The weights then learn with the whole time steps that evaluation has.
    """
    if value is not None:
        for delays in net.modules():
            if isinstance(delays, Delays) and delays.learn:
                delays.spread = "triangle" if value > 0 else "straight_through"
                delays.width = value
