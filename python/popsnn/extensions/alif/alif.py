"""ALIF: leaky integrate-and-fire with an adaptive threshold."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from ...functional.neuron import Fire, Neuron, States


class ALIF(Neuron):
    """Leaky integrate-and-fire whose spikes raise its threshold (Bellec et al., 2018).

        a[t] = rho a[t-1] + s[t-1]
        v[t] = beta r(v[t-1], s[t-1]) + current[t],  s[t] = v[t] >= threshold + kappa a[t]

    For `popsnn.nn.SparseNeurons`; `popsnn.nn.AdaptiveLIF` is the same neuron over dense tensors.

    Parameters
    ----------
    reset : {"zero", "subtract", "none"}
        "subtract" takes the threshold without the adaptation.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset; the gradient through
        the adaptation is never cut.
    """

    states = ("v", "a", "s")
    parameters = {"beta": 0.9, "threshold": 1.0, "rho": 0.97, "kappa": 0.2}  # noqa: RUF012
    bounds = {"beta": (0, 1), "rho": (0, 1)}  # noqa: RUF012

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        """Return the states [B, N] after the step whose current is x [B, N]."""
        a = p.rho * state.a + state.s
        v = p.beta * self.after_reset(state.v, state.s, p.threshold) + x
        return v, a, fire(v, p.threshold + p.kappa * a)
