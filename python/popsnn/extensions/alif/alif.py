"""ALIF: leaky integrate-and-fire with an adaptive threshold."""

from __future__ import annotations

from torch import Tensor

from ...functional.neuron import AdaptiveLIF, Fire, Parameters, States
from ...nn import NeuronCycles, NeuronModel


class ALIF(NeuronModel):
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
    parameters = ("beta", "threshold", "rho", "kappa")
    defaults = (0.9, 1.0, 0.97, 0.2)
    decays = ("beta", "rho")
    codelet = "alif.hpp"
    struct = "popsnn::Alif"
    # step: the adaptation's f32mul, select and f32add 3; the reset's choice 2, f32sub, select,
    # f32mul, f32add. fires: f32mul, f32add, f32cmp. near: f32cmp.
    # grad: the threshold 2; carry 1; what the spike takes 2; to_spike 4; v - threshold, f32mul and
    # select 3; the parameters' 10; the membrane's gradient 3, the adaptation's 3.
    cycles = NeuronCycles(step=9, fires=3, near=1, grad=28)

    def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        """Return the states [B, N] after the step whose current is x [B, N]."""
        v, a, s = state
        beta, threshold, rho, kappa = parameters
        a = rho * a + s
        v = beta * self.after_reset(v, s, threshold) + x
        return v, a, fire(v, threshold + kappa * a)

    @property
    def cuda_source(self) -> str | None:
        """The elementwise neuron's."""
        return AdaptiveLIF(self.reset, self.detach_reset).cuda_source
