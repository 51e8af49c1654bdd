"""The float64 reference of neurons: one method a rule of the documentation.

It is written from docs/explanation/compacted-spikes.md and the docstrings alone, without code of
`popsnn.functional`. A mutation (mutations.py) is a subclass that breaks one rule.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor

from .delays import DelayRules

Parameters = Dict[str, Tensor]
States = Dict[str, Tensor]

MASK = 0xFFFFFFFF
TIE = 3e-5  # of 1 + |v|: how near to a threshold a float32 rounding decides


class Undecided(Exception):
    """A rounding decides, and an engine's spikes do not tell how."""


class Options(NamedTuple):
    """A neuron's reset at a spike, and the surrogate with its slope or width and its scale."""

    kind: str  # "lif", "li", "alif" or "synaptic"
    reset: str = "zero"
    detach_reset: bool = True
    surrogate: str = "SuperSpike"
    slope: float = 10.0
    scale: float = 1.0
    grad_threshold: Optional[float] = None


class Kept(NamedTuple):
    """Masks [B, N] of the spikes and of the active set, and the drops [B, 2]."""

    fired: Tensor
    active: Tensor
    dropped: Tensor


class Followed(NamedTuple):
    """Masks [B, N] of an engine, which decide where a rounding may; None is not known."""

    fired: Optional[Tensor]
    active: Optional[Tensor]


UNKNOWN = Followed(None, None)  # nothing is known of an engine but its output


class _Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, u: Tensor, fired: Tensor, slopes: Tensor) -> Tensor:
        ctx.save_for_backward(slopes)
        return fired.to(u.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tuple[Tensor, None, None]:
        return grad * ctx.saved_tensors[0], None, None


class _Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weight: Tensor, dtype: torch.dtype) -> Tensor:
        return weight.float().to(dtype).to(weight.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tuple[Tensor, None]:
        return grad, None


class Reference(DelayRules):
    """The rules. Tensors are float64; a neuron's states and parameters go by their names."""

    # Weights, decays, currents

    def rounded(self, weight: Tensor, dtype: Optional[torch.dtype]) -> Tensor:
        """Round the weights where they are used; their gradient passes as it is."""
        return weight if dtype is None else _Rounded.apply(weight, dtype)

    def decay(self, beta: Tensor) -> Tensor:
        """Keep a learnt decay in [0, 1]."""
        return beta.clamp(0, 1)

    def delayed(self, x: Tensor, last: Tensor, delay: int) -> List[Tensor]:
        """Return the inputs [B, M] of all steps; `last` is that before the first."""
        return [last, *x[:-1]] if delay else list(x)

    def current(
        self, gain: float, from_input: Tensor, from_spikes: Optional[Tensor], bias: Optional[Tensor]
    ) -> Tensor:
        """Scale the sum of all that enters a neuron."""
        total = from_input
        total = total if from_spikes is None else total + from_spikes
        return gain * (total if bias is None else total + bias)

    def recurrence(self, s: Tensor, before: Tensor, weight: Tensor) -> Tensor:
        """Return V s[t-1]; `before` is s[t-2], for a mutation."""
        return s @ weight.t()

    # Neurons

    def after_reset(self, v: Tensor, s: Tensor, threshold: Tensor, reset: str) -> Tensor:
        """Return the membrane `v` after its reset, one step after the spike."""
        if reset == "zero":
            return v * (1 - s)
        return v - threshold * s if reset == "subtract" else v

    def reset_spike(self, s: Tensor, detach: bool) -> Tensor:
        """Return the spike that the reset sees."""
        return s.detach() if detach else s

    def leak(self, beta: Tensor, left: Tensor, current: Tensor) -> Tensor:
        """Return the membrane after its decay and its input."""
        return beta * left + current

    def membrane(
        self, beta: Tensor, v: Tensor, s: Tensor, threshold: Tensor, current: Tensor, reset: str
    ) -> Tensor:
        """Return the membrane of this step: a reset acts before or after decay and input."""
        if reset.endswith("_after"):
            kind = reset[: -len("_after")]
            return self.after_reset(self.leak(beta, v, current), s, threshold, kind)
        return self.leak(beta, self.after_reset(v, s, threshold, reset), current)

    def adaptation(self, rho: Tensor, a: Tensor, s: Tensor) -> Tensor:
        """Return the adaptation of an ALIF neuron: `s` are the spikes of the step before."""
        return rho * a + s

    def synapse(self, alpha: Tensor, i: Tensor, x: Tensor) -> Tuple[Tensor, Tensor]:
        """Return the synaptic current, and that which the membrane takes in this step."""
        i = alpha * i + x
        return i, i

    def step(
        self, options: Options, x: Tensor, states: States, parameters: Parameters
    ) -> Tuple[States, Tensor]:
        """Return the states of this step without its spikes, and the threshold that counts."""
        beta, v = parameters["beta"], states["v"]
        if options.kind == "li":
            return {"v": self.leak(beta, v, x)}, torch.full_like(v, math.inf)
        threshold, s = parameters["threshold"], states["s"]
        level, after = threshold, {}
        if options.kind == "alif":
            after["a"] = self.adaptation(parameters["rho"], states["a"], s)
            level = threshold + parameters["kappa"] * after["a"]
        if options.kind == "synaptic":
            after["i"], x = self.synapse(parameters["alpha"], states["i"], x)
        reset = self.reset_spike(s, options.detach_reset)
        after["v"] = self.membrane(beta, v, reset, threshold, x, options.reset)
        return after, level

    # Spikes

    def fires(self, v: Tensor, level: Tensor) -> Tensor:
        """Return which membranes reach their threshold."""
        return v >= level

    def takes_gradient(self, v: Tensor, grad_threshold: Optional[float]) -> Tensor:
        """Return which membranes reach the gradient threshold."""
        return (
            torch.ones_like(v, dtype=torch.bool) if grad_threshold is None else v >= grad_threshold
        )

    def derivative(self, options: Options, u: Tensor) -> Tensor:
        """Return the surrogate derivative at u = v - threshold, without its scale."""
        p, x = options.slope, u.abs()
        if options.surrogate == "SuperSpike":
            return 1 / (p * x + 1) ** 2
        if options.surrogate == "Sigmoid":
            return p * torch.sigmoid(p * u) * (1 - torch.sigmoid(p * u))
        if options.surrogate == "ATan":
            return p / 2 / (1 + (math.pi / 2 * p * u) ** 2)
        if options.surrogate == "Triangle":
            return torch.clamp(1 - x / p, min=0) / p
        assert options.surrogate == "Rectangle"
        return (x < p / 2).to(u.dtype) / p

    def scaled(self, options: Options, slopes: Tensor) -> Tensor:
        """Return the surrogate's derivatives times its scale."""
        return options.scale * slopes

    def spikes(self, options: Options, v: Tensor, level: Tensor, kept: Kept) -> Tensor:
        """Return the spikes; the surrogate's derivative is their gradient in the active set."""
        u = v - level
        slopes = self.scaled(options, self.derivative(options, u.detach())) * kept.active
        return _Spike.apply(u, kept.fired, slopes)

    def sent(self, s: Tensor, fired: Tensor) -> Tensor:
        """Return the spikes that reset and come back; `fired` has the dropped spikes too."""
        return s

    # Capacity

    def mix(self, h: int) -> int:
        """Mix 32 bits."""
        h ^= h >> 16
        h = h * 0x7FEB352D & MASK
        h ^= h >> 15
        h = h * 0x846CA68B & MASK
        return h ^ h >> 16

    def begin(self, seed: int, layer: int, step: int, sample: int, size: int) -> int:
        """Return where the cyclic order of a sample begins."""
        h = seed & MASK
        for part in (layer, step, sample):
            h = self.mix(h) ^ part
        return self.mix(h) * size >> 32

    def counted(self, first: int, step: int) -> int:
        """Return the number of a step in its sequence; `first` steps came before this pass."""
        return first + step

    def call_seed(self, seed: int, calls: int) -> int:
        """Return the seed of a pass after so many training passes."""
        return self.mix(seed ^ self.mix(calls))

    def keep(
        self, fired: Tensor, above: Tensor, capacity: int, order: Tuple[int, int, int]
    ) -> Kept:
        """Return which of disjoint masks [B, N] the capacity keeps; order = seed, layer, step."""
        kept_fired, kept_subthreshold = fired.clone(), above.clone()
        size = fired.shape[1]
        full = (fired | above).sum(1) > capacity
        # Without a look at the masks where there is room for all: on a GPU it would wait.
        for b in full.nonzero().flatten().tolist() if capacity < size else ():
            begin = self.begin(*order, b, size)
            cyclic = [*range(begin, size), *range(begin)]
            spikes = [n for n in cyclic if fired[b, n]]
            others = [n for n in cyclic if above[b, n]]
            kept_fired[b] = kept_subthreshold[b] = False
            kept_fired[b, spikes[:capacity]] = True
            kept_subthreshold[b, others[: self.left(capacity, len(spikes))]] = True
        dropped = [(fired & ~kept_fired).sum(1), (above & ~kept_subthreshold).sum(1)]
        return Kept(
            kept_fired, self.active(kept_fired, kept_subthreshold, fired), torch.stack(dropped, 1)
        )

    def left(self, capacity: int, spikes: int) -> int:
        """Return how many neurons that did not fire the capacity still keeps."""
        return max(0, capacity - spikes)

    def active(self, kept_fired: Tensor, kept_above: Tensor, fired: Tensor) -> Tensor:
        """Return the active set; `fired` has the dropped spikes too."""
        return kept_fired | kept_above

    def decide(
        self,
        options: Options,
        v: Tensor,
        level: Tensor,
        capacity: int,
        order: Tuple[int, int, int],
        followed: Optional[Followed],
    ) -> Tuple[Kept, Tensor]:
        """Return what the capacity keeps, and all that fired.

        Raises
        ------
        Undecided
            Where a capacity drops in a sample that a rounding decides in, or a rounding decides
            on a gradient and nobody knows how the engine did.
        """
        fired = self.fires(v, level)
        near = self.takes_gradient(v, options.grad_threshold)
        if followed is not None:
            unsure = TIE * (1 + v.abs())
            at_level = (v - level).abs() < unsure
            at_gradient = torch.zeros_like(fired)
            if options.grad_threshold is not None:
                at_gradient = (v - options.grad_threshold).abs() < unsure
            if followed.fired is not None:
                fired = torch.where(at_level, followed.fired, fired)
            elif bool(at_level.any()):
                raise Undecided
            if followed.active is not None:
                near = torch.where(at_gradient, followed.active, near)
            elif bool((at_gradient & ~fired).any()):
                raise Undecided
            full = (fired | near | at_level | at_gradient).sum(1) > capacity
            if capacity < v.shape[1] and bool((full & (at_level | at_gradient).any(1)).any()):
                raise Undecided
            edge = (v - level).abs() - options.slope / 2
            if options.surrogate == "Rectangle" and bool(((edge.abs() < unsure) & near).any()):
                raise Undecided
        return self.keep(fired, near & ~fired, capacity, order), fired
