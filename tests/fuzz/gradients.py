"""The comparison of gradients, where terms may cancel."""

from __future__ import annotations

from typing import Callable, Dict, Mapping, Optional

from torch import Tensor

from .outcome import OK, TIE, Comparison, Outcome, relative
from .references.neuron import Undecided

SHAKES = 3  # of which one may by chance change a sum little
STEEP = 20  # times what some roundings do to the reference's own gradients


def compare_gradients(
    observed: Mapping[str, Optional[Tensor]],
    expected: Mapping[str, Tensor],
    tolerance: Callable[[str], float],
    shaken: Callable[[int], Dict[str, Tensor]],
) -> Outcome:
    """Compare gradients by their names.

    Parameters
    ----------
    observed : dict of Tensor or None, which stands for zeros
    tolerance : name -> float
        Relative to the largest element.
    shaken : int -> dict of Tensor
        Makes the reference's gradients for parameters that are off by some roundings, others for
        each number from 1 on: where those differ as much, the case is a tie.
    """
    floor = _floor(expected)
    difference = Comparison()
    for name, grad in expected.items():
        difference.near(name, observed.get(name), grad, tolerance(name), floor)
    if not difference.differences:
        return Outcome(OK)
    try:
        others = [shaken(number + 1) for number in range(SHAKES)]
    except Undecided:
        return Outcome(TIE, "a rounding decides on a drop or a gradient")
    beyond = Comparison()
    for name, grad in expected.items():
        steepness = STEEP * max(relative(other[name], grad, floor) for other in others)
        beyond.near(name, observed.get(name), grad, max(tolerance(name), steepness), floor)
    if not beyond.differences:
        return Outcome(TIE, "terms cancel in a gradient")
    return difference.outcome("gradients: ")


def _floor(grads: Mapping[str, Tensor]) -> float:
    """Return what is nothing next to these gradients: the terms of one may cancel to less."""
    largest = [float(grad.abs().max()) for grad in grads.values() if grad.numel()]
    return 1e-3 * max([1.0, *largest])
