"""Small faults of the reference of neurons: what does not see them would not see an engine's."""

from __future__ import annotations

import math
from typing import List, Optional, Tuple

import torch
from torch import Tensor

from . import named
from .neuron import Kept, Options, Parameters, Reference, States


class ResetAfterDecay(Reference):
    """Subtracts the threshold from the membrane that has decayed."""

    def step(
        self, options: Options, x: Tensor, states: States, parameters: Parameters
    ) -> Tuple[States, Tensor]:
        after, level = super().step(options, x, states, parameters)
        if options.reset == "subtract":
            spike = self.reset_spike(states["s"], options.detach_reset)
            after["v"] = after["v"] + (parameters["beta"] - 1) * parameters["threshold"] * spike
        return after, level


class ResetIsNotDetached(Reference):
    """Lets the gradient through the spike of a detached reset."""

    def reset_spike(self, s: Tensor, detach: bool) -> Tensor:
        return s


class ResetIsDetached(Reference):
    """Cuts the gradient through the spike of any reset."""

    def reset_spike(self, s: Tensor, detach: bool) -> Tensor:
        return s.detach()


class ResetForgetsThreshold(Reference):
    """Cuts the gradient of the threshold that a reset subtracts."""

    def after_reset(self, v: Tensor, s: Tensor, threshold: Tensor, reset: str) -> Tensor:
        return super().after_reset(v, s, threshold.detach(), reset)


class ResetsBeforeDecay(Reference):
    """Takes resets after the decay for those before it."""

    def membrane(
        self, beta: Tensor, v: Tensor, s: Tensor, threshold: Tensor, current: Tensor, reset: str
    ) -> Tensor:
        return super().membrane(beta, v, s, threshold, current, reset.replace("_after", ""))


class ZeroAfterKeepsInput(Reference):
    """Keeps the input of the step whose membrane is set to zero after the decay."""

    def membrane(
        self, beta: Tensor, v: Tensor, s: Tensor, threshold: Tensor, current: Tensor, reset: str
    ) -> Tensor:
        if reset == "zero_after":
            return super().membrane(beta, v, s, threshold, 0 * current, reset) + current
        return super().membrane(beta, v, s, threshold, current, reset)


class ResetInSameStep(Reference):
    """Resets to zero without the gradient of the membrane that stays."""

    def after_reset(self, v: Tensor, s: Tensor, threshold: Tensor, reset: str) -> Tensor:
        return (
            v - v.detach() * s if reset == "zero" else super().after_reset(v, s, threshold, reset)
        )


class FiresAboveThreshold(Reference):
    """Fires above the threshold, not at it."""

    def fires(self, v: Tensor, level: Tensor) -> Tensor:
        return v > level


class ActiveAboveGradThreshold(Reference):
    """Passes gradients above the gradient threshold, not at it."""

    def takes_gradient(self, v: Tensor, grad_threshold: Optional[float]) -> Tensor:
        return super().takes_gradient(v, grad_threshold) & (
            torch.ones_like(v, dtype=torch.bool) if grad_threshold is None else v != grad_threshold
        )


class NoGradThreshold(Reference):
    """Ignores the gradient threshold."""

    def takes_gradient(self, v: Tensor, grad_threshold: Optional[float]) -> Tensor:
        return torch.ones_like(v, dtype=torch.bool)


class NoDelay(Reference):
    """Ignores the delay."""

    def delayed(self, x: Tensor, last: Tensor, delay: int) -> List[Tensor]:
        return list(x)


class DelayForgetsLast(Reference):
    """Begins with no input, whatever the state's last one was."""

    def delayed(self, x: Tensor, last: Tensor, delay: int) -> List[Tensor]:
        return super().delayed(x, torch.zeros_like(last), delay)


class GainWithoutBias(Reference):
    """Leave the bias unscaled."""

    def current(
        self, gain: float, from_input: Tensor, from_spikes: Optional[Tensor], bias: Optional[Tensor]
    ) -> Tensor:
        total = super().current(gain, from_input, from_spikes, None)
        return total if bias is None else total + bias


class GainWithoutRecurrence(Reference):
    """Leave the recurrent input unscaled."""

    def current(
        self, gain: float, from_input: Tensor, from_spikes: Optional[Tensor], bias: Optional[Tensor]
    ) -> Tensor:
        total = super().current(gain, from_input, None, bias)
        return total if from_spikes is None else total + from_spikes


class RecurrentGradientOneStepOff(Reference):
    """Gives recurrent weights the gradient of the spikes of another step."""

    def recurrence(self, s: Tensor, before: Tensor, weight: Tensor) -> Tensor:
        wrong = before.detach() @ weight.t()
        return s @ weight.detach().t() + wrong - wrong.detach()


class RecurrenceTransposed(Reference):
    """Takes recurrent weights to neuron i from neuron j at [j, i]."""

    def recurrence(self, s: Tensor, before: Tensor, weight: Tensor) -> Tensor:
        return s @ weight


class DroppedSpikesReset(Reference):
    """Resets neurons whose spike is dropped, and sends the spike back."""

    def sent(self, s: Tensor, fired: Tensor) -> Tensor:
        return s + (fired.to(s.dtype) - s).detach()


class DroppedSpikesPassGradients(Reference):
    """Passes gradients through spikes that are dropped."""

    def active(self, kept_fired: Tensor, kept_above: Tensor, fired: Tensor) -> Tensor:
        return kept_fired | kept_above | fired


class DropsFromFirstNeuron(Reference):
    """Begins the cyclic order at neuron 0."""

    def begin(self, seed: int, layer: int, step: int, sample: int, size: int) -> int:
        return 0


class HashForgetsLayer(Reference):
    """Drops the same in all layers."""

    def begin(self, seed: int, layer: int, step: int, sample: int, size: int) -> int:
        return super().begin(seed, 0, step, sample, size)


class HashForgetsSample(Reference):
    """Drops the same in all samples."""

    def begin(self, seed: int, layer: int, step: int, sample: int, size: int) -> int:
        return super().begin(seed, layer, step, 0, size)


class StepsBeginAnew(Reference):
    """Counts the steps of the hash from 0 in a sequence that goes on."""

    def counted(self, first: int, step: int) -> int:
        return step


class CallsDropAlike(Reference):
    """Takes the network's seed for that of every call."""

    def call_seed(self, seed: int, calls: int) -> int:
        return self.mix(seed ^ self.mix(0))


class ActiveSetHasAllPlaces(Reference):
    """Gives neurons that did not fire all of the capacity."""

    def left(self, capacity: int, spikes: int) -> int:
        return capacity if spikes < capacity else 0


class DecayIsNotClamped(Reference):
    """Takes a learnt decay beyond [0, 1] as it is."""

    def decay(self, beta: Tensor) -> Tensor:
        return beta


class WeightsAreNotRounded(Reference):
    """Takes weights that are to be rounded as they are."""

    def rounded(self, weight: Tensor, dtype: Optional[torch.dtype]) -> Tensor:
        return weight


class SurrogateOfMembrane(Reference):
    """Takes the surrogate's derivative at v."""

    def spikes(self, options: Options, v: Tensor, level: Tensor, kept: Kept) -> Tensor:
        shifted = v + level.detach() if math.isfinite(float(level.detach().max())) else v
        return super().spikes(options, shifted, level, kept)


class ThresholdHasNoGradient(Reference):
    """Gives the threshold of a spike no gradient."""

    def spikes(self, options: Options, v: Tensor, level: Tensor, kept: Kept) -> Tensor:
        return super().spikes(options, v, level.detach(), kept)


class SurrogateHasNoScale(Reference):
    """Ignores the surrogate's scale."""

    def scaled(self, options: Options, slopes: Tensor) -> Tensor:
        return slopes


class RectangleIsClosed(Reference):
    """Has the rectangle's derivative at its edges too."""

    def derivative(self, options: Options, u: Tensor) -> Tensor:
        if options.surrogate == "Rectangle":
            return (u.abs() <= options.slope / 2).to(u.dtype) / options.slope
        return super().derivative(options, u)


class SuperSpikeHasOneSlope(Reference):
    """Ignores SuperSpike's slope."""

    def derivative(self, options: Options, u: Tensor) -> Tensor:
        slope = 10.0 if options.surrogate == "SuperSpike" else options.slope
        return super().derivative(options._replace(slope=slope), u)


class AdaptationIsLate(Reference):
    """Adds a spike to the adaptation before its decay."""

    def adaptation(self, rho: Tensor, a: Tensor, s: Tensor) -> Tensor:
        return rho * (a + s)


class AdaptationIsDetached(Reference):
    """Cuts the gradient of the spike in the adaptation."""

    def adaptation(self, rho: Tensor, a: Tensor, s: Tensor) -> Tensor:
        return rho * a + s.detach()


class SynapseIsLate(Reference):
    """Lets an input reach the membrane one step late."""

    def synapse(self, alpha: Tensor, i: Tensor, x: Tensor) -> Tuple[Tensor, Tensor]:
        after, _ = super().synapse(alpha, i, x)
        return after, i


NEURONS = named(
    ResetAfterDecay,
    ResetIsNotDetached,
    ResetIsDetached,
    ResetForgetsThreshold,
    ResetInSameStep,
    FiresAboveThreshold,
    ActiveAboveGradThreshold,
    NoGradThreshold,
    SurrogateOfMembrane,
    ThresholdHasNoGradient,
    RectangleIsClosed,
    SuperSpikeHasOneSlope,
    SurrogateHasNoScale,
)
AFTER_DECAY = named(ResetsBeforeDecay, ZeroAfterKeepsInput)
CAPACITIES = named(
    DroppedSpikesReset,
    DroppedSpikesPassGradients,
    DropsFromFirstNeuron,
    HashForgetsSample,
    ActiveSetHasAllPlaces,
)
LAYERS = {
    **NEURONS,
    **AFTER_DECAY,
    **CAPACITIES,
    **named(
        NoDelay,
        DelayForgetsLast,
        GainWithoutBias,
        GainWithoutRecurrence,
        RecurrentGradientOneStepOff,
        RecurrenceTransposed,
        StepsBeginAnew,
        DecayIsNotClamped,
        WeightsAreNotRounded,
        AdaptationIsLate,
        AdaptationIsDetached,
    ),
}
NETWORKS = {**LAYERS, **named(HashForgetsLayer, CallsDropAlike)}
SCANS = {**NEURONS, **AFTER_DECAY, **named(AdaptationIsLate, AdaptationIsDetached, SynapseIsLate)}
RECURRENT = {
    **NEURONS,
    **AFTER_DECAY,
    **named(RecurrentGradientOneStepOff, RecurrenceTransposed, AdaptationIsLate),
}
