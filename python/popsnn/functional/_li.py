"""LI: a leaky integrator."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from .._internal.checks import PerNeuron
from . import neuron
from ._scan import scan


class LIOutput(NamedTuple):
    """`membrane` [T, B, ...], and the `state` [B, ...] to go on from."""

    membrane: Tensor
    state: Tensor


def li(
    current: Tensor,
    state: Tensor | None = None,
    *,
    beta: PerNeuron = 0.9,
    backend: str = "auto",
) -> LIOutput:
    """Run leaky integrators: v[t] = beta v[t-1] + current[t].

    Parameters
    ----------
    current : float Tensor [T, B, ...]
    state : Tensor [B, ...], optional
        Default: at rest.
    beta : float or Tensor
        Must broadcast to [B, ...].
    backend
        As in `scan`.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, ...] or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    before = None if state is None else (state,)
    out = scan(
        "functional.li", neuron.LEAKY_INTEGRATOR, current, before, {"beta": beta}, backend=backend
    )
    return LIOutput(out.membrane, *out.state)  # type: ignore[arg-type]
