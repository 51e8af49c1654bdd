"""The float64 reference of neurons over their input currents, with or without recurrence."""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional

import torch
from torch import Tensor

from .delays import Delayed
from .neuron import Followed, Options, Parameters, Reference, States

STATES = {"li": ("v",), "lif": ("v", "s"), "alif": ("v", "a", "s"), "synaptic": ("v", "i", "s")}
PARAMETERS = {
    "li": ("beta",),
    "lif": ("beta", "threshold"),
    "alif": ("beta", "threshold", "rho", "kappa"),
    "synaptic": ("beta", "threshold", "alpha"),
}


class ScanResult(NamedTuple):
    """Spikes and membranes [T, B, ...], and the states at the end; a readout has no spikes."""

    spikes: Optional[Tensor]
    membrane: Tensor
    end: States


def run(
    rules: Reference,
    options: Options,
    x: Tensor,
    states: States,
    parameters: Parameters,
    *,
    weight: Optional[Tensor] = None,
    delay: Optional[Delayed] = None,
    line: Optional[Tensor] = None,
    followed: Optional[Tensor] = None,
    carried: Optional[Callable[[Tensor], Tensor]] = None,
) -> ScanResult:
    """Run neurons over x [T, B, ...].

    Parameters
    ----------
    states : dict of Tensor [B, ...]
    parameters : dict of Tensor that broadcasts to [B, ...]
    weight : Tensor [N, N], optional
        From the neurons' own spikes of the step before; x is [T, B, N].
    delay : Delayed, optional
        Of those spikes.
    line : Tensor [D, B, N], optional
        The spikes before those of the states, oldest first.
    followed : bool Tensor [T, B, ...], optional
        The spikes of an engine, which decide where its rounding may.
    carried : Tensor [B, N] -> Tensor [B, N], optional
        Rounds the gradient that passes through the weight.

    Raises
    ------
    Undecided
        Where a rounding decides what has a gradient.
    """
    membranes: List[Tensor] = []
    spikes: List[Tensor] = []
    before = torch.zeros_like(states["v"])
    every = {name: value.expand(x.shape[1:]) for name, value in parameters.items()}
    taps = None if delay is None else rules.taps(delay)
    rows = [] if delay is None else rules.line(line, delay.maximum, before)
    for step, current in enumerate(x):
        if weight is not None:
            if delay is None or taps is None:
                from_spikes = rules.recurrence(states["s"], before, weight)
            else:
                rows = [*rows, states["s"]]
                from_spikes = rules.arriving(delay.kind, taps, rows, weight)
            if carried is not None and from_spikes.requires_grad:
                from_spikes.register_hook(carried)
            current = current + from_spikes
        after, level = rules.step(options, current, states, every)
        membranes.append(after["v"])
        if "s" not in states:
            states = after
            continue
        v = after["v"].detach()
        seen = None if followed is None else Followed(_row(followed[step]), None)
        order = (0, 0, step)
        saved, _ = rules.decide(options, _row(v), _row(level.detach()), v.numel(), order, seen)
        masks = (mask.reshape(v.shape) for mask in saved[:2])
        before = states["s"]
        s = rules.spikes(
            options, after["v"], level, saved._replace(**dict(zip(saved._fields, masks)))
        )
        spikes.append(s)
        states = {**after, "s": s}
    return ScanResult(torch.stack(spikes) if spikes else None, torch.stack(membranes), states)


def _row(values: Tensor) -> Tensor:
    return values.reshape(1, -1)


def rest(kind: str, shape: List[int], device: str = "cpu") -> Dict[str, Tensor]:
    """Return the states before the first step."""
    return {name: torch.zeros(shape, dtype=torch.float64, device=device) for name in STATES[kind]}
