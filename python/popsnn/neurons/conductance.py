"""Neurons whose synapses change conductances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch

from .neuron import Fire, States
from .nonlinear import _Continuous


@dataclass(frozen=True, eq=False, repr=False)
class ConductanceLIF(_Continuous):
    """LIF with conductances of excitatory and inhibitory synapses, each an input.

        tau dv/dt = -v + g_e (reversal_e - v) + g_i (reversal_i - v),  s' = v' >= threshold
        g_e' = exp(-dt / tau_e) g_e + x.excitatory,  g_i' = exp(-dt / tau_i) g_i + x.inhibitory

    An input below 0 counts as 0. Source: Gerstner, Kistler, Naud and Paninski, 2014, "Neuronal
    Dynamics", section 3.1, relative to u_rest.

    Parameters
    ----------
    dt : float
        Time step, in the unit of `tau`, `tau_e` and `tau_i`.
    detach_reset : bool
        As in `Neuron`.

    Notes
    -----
    The implicit Euler method, which is stable for all conductances: v' = (r + dt / tau
    (g_e' reversal_e + g_i' reversal_i)) / (1 + dt / tau (1 + g_e' + g_i')). States: the membrane
    `v`, the conductances `g_e` and `g_i`, multiples of the membrane's own, and the spikes `s`.
    Parameters: the time constants `tau` of the membrane, `tau_e` and `tau_i` of the conductances,
    each at least 1; the membranes `reversal_e` and `reversal_i` at which the synaptic currents
    change sign; `threshold`; `v_reset`. The default reversals are 0 mV and -75 mV, of a rest of
    -65 mV and a threshold of -50 mV.
    """

    inputs = ("excitatory", "inhibitory")
    states = ("v", "g_e", "g_i", "s")
    parameters = {
        "tau": 10.0,
        "tau_e": 5.0,
        "tau_i": 5.0,
        "reversal_e": 4.33,
        "reversal_i": -0.67,
        "threshold": 1.0,
        "v_reset": 0.0,
    }
    bounds = {"tau": (1.0, math.inf), "tau_e": (1.0, math.inf), "tau_i": (1.0, math.inf)}

    def step(self, x: Any, state: Any, p: Any, fire: Fire) -> States:
        g_e = torch.exp(-self.dt / p.tau_e) * state.g_e + torch.relu(x.excitatory)
        g_i = torch.exp(-self.dt / p.tau_i) * state.g_i + torch.relu(x.inhibitory)
        r = self.after_spike(state.v, state.s, p.v_reset)
        rate = self.dt / p.tau
        driven = r + rate * (g_e * p.reversal_e + g_i * p.reversal_i)
        v = driven / (1 + rate * (1 + g_e + g_i))
        return v, g_e, g_i, fire(v, p.threshold)
