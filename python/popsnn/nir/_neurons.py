"""Neurons of NIR with a resistance or voltages, which no neuron of `popsnn.neurons` has.

With the factor rho = 1 - beta of a time step, r(v, s) = v_reset where s is 1, else v:

    v' = beta r(v, s) + rho v_leak + gain x        gain = rho R, or dt R without a decay
    i' = alpha i + w_in x                          of CubaLI and CubaLIF, whose x is then i'
    s' = v' >= threshold

"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn

from .._internal.checks import PerNeuron
from ..functional._scan import state_dtype
from ..neurons import Fire, Inputs, Neuron, States
from ..nn import DelayedState, RecurrentSpiking, Spiking

VOLTAGES = {"beta": 0.9, "gain": 1.0, "v_leak": 0.0}
NEUTRAL = {"gain": 1.0, "v_leak": 0.0, "v_reset": 0.0, "w_in": 1.0}  # of popsnn.neurons
FIRING = {"v_reset": 0.0, "threshold": 1.0}
SYNAPSE = {"alpha": 0.8, "w_in": 1.0}


@dataclass(frozen=True)
class VoltageLI(Neuron):
    """The leaky integrator LI of NIR, and without a decay I."""

    states = ("v",)
    parameters = VOLTAGES
    bounds = {"beta": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        return (_charged(p, state.v, x),)


@dataclass(frozen=True)
class VoltageLIF(Neuron):
    """The neurons LIF and, without a decay, IF of NIR."""

    detach_reset: bool = True
    states = ("v", "s")
    parameters = {**VOLTAGES, **FIRING}
    bounds = {"beta": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = _charged(p, _reset(p, state.v, self.reset_spikes(state.s)), x)
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class VoltageCubaLI(Neuron):
    """The leaky integrator CubaLI of NIR."""

    states = ("v", "i")
    parameters = {**VOLTAGES, **SYNAPSE}
    bounds = {"beta": (0.0, 1.0), "alpha": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        i = p.alpha * state.i + p.w_in * x
        return _charged(p, state.v, i), i


@dataclass(frozen=True)
class VoltageCubaLIF(Neuron):
    """The neuron CubaLIF of NIR."""

    detach_reset: bool = True
    states = ("v", "i", "s")
    parameters = {**VOLTAGES, **FIRING, **SYNAPSE}
    bounds = {"beta": (0.0, 1.0), "alpha": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        i = p.alpha * state.i + p.w_in * x
        v = _charged(p, _reset(p, state.v, self.reset_spikes(state.s)), i)
        return v, i, fire(v, p.threshold)


@dataclass(frozen=True)
class Comparison(Neuron):
    """The node Threshold of NIR: s' = x >= threshold, without a memory."""

    states = ("v", "s")
    parameters = {"threshold": 1.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        return x, fire(x, p.threshold)


def _charged(p: Any, v: Tensor, drive: Tensor) -> Tensor:
    voltage: Tensor = p.beta * v + (1 - p.beta) * p.v_leak + p.gain * drive
    return voltage


def _reset(p: Any, v: Tensor, s: Tensor) -> Tensor:
    voltage: Tensor = v * (1 - s) + p.v_reset * s
    return voltage


class Resting(Spiking):
    """Spiking neurons or integrators that begin at `v_leak`."""

    def forward(
        self, x: Inputs, state: States | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, States]:
        """Return the output [T, B, ...] of the current `x` [T, B, ...], and the state if asked."""
        if state is None and isinstance(x, Tensor) and x.dim() > 2:
            state = self._rest(x)
        return super().forward(x, state, return_state)

    def _rest(self, x: Tensor) -> States | None:
        rest: PerNeuron = getattr(self, "v_leak", 0.0)
        if not isinstance(rest, Tensor) and rest == 0:
            return None
        zeros = torch.zeros(x.shape[1:], dtype=state_dtype(x.dtype), device=x.device)
        states = self.neuron.states
        return tuple(zeros + rest if name == "v" else zeros.clone() for name in states)


class Feedback(Resting, RecurrentSpiking):
    """Spiking neurons over x [T, B, N] and a map of their own spikes of the time step before.

    Attributes
    ----------
    recurrent_weight : Parameter [N, N]
    recurrent_bias : Parameter [N] or None
        Added at every time step, also at the first.
    """

    recurrent_bias: nn.Parameter | None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register_parameter("recurrent_bias", None)

    def forward(
        self, x: Inputs, state: States | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, States]:
        """Return the spikes [T, B, N] of the current `x` [T, B, N], and the state if asked."""
        if self.recurrent_bias is not None and isinstance(x, Tensor):
            x = x + self.recurrent_bias
        return super().forward(x, state, return_state)

    def _rest(self, x: Tensor) -> States | None:
        rest = super()._rest(x)
        if rest is None or self.delay is None:
            return rest
        silent = x.new_zeros(self.delay.maximum, *x.shape[1:])
        return cast(States, DelayedState(rest, silent))
