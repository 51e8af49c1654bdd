"""The float64 reference of stacks of layers: delays, recurrence, capacities, states in and out."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Sequence

import torch
from torch import Tensor

from ..description import Layer, Network
from .delays import Delayed
from .neuron import Followed, Options, Reference

EXTRA = {"lif": (), "li": (), "alif": ("a",)}  # states other than the membrane and the spikes
INPUT_LAYER = 0xFFFFFFFF  # in the hash, for an input's capacity


class State(NamedTuple):
    """State of a layer: `v`, `s` [B, N], the last input `x` [B, M], and the neuron's others.

    And with delays of up to D steps the last D inputs [D, B, M], or own spikes before `s`.
    """

    v: Tensor
    s: Tensor
    x: Tensor
    more: Dict[str, Tensor]
    inputs: Optional[Tensor] = None
    spikes: Optional[Tensor] = None


class LayerResult(NamedTuple):
    """Results of a layer: `spikes` and masks are None for a readout."""

    membrane: Tensor  # [T, B, N]
    end: State
    spikes: Optional[Tensor] = None  # [T, B, N]
    fired: Optional[Tensor] = None  # bool [T, B, N]
    active: Optional[Tensor] = None  # bool [T, B, N]
    dropped: Optional[Tensor] = None  # [T, B, 2]


class Line:
    """Rows of the steps so far, which arrive late."""

    def __init__(
        self, rules: Reference, delay: Delayed, before: Optional[Tensor], like: Tensor
    ) -> None:
        self.rules, self.delay, self.taps = rules, delay, rules.taps(delay)
        self.rows = rules.line(before, delay.maximum, torch.zeros_like(like))

    @classmethod
    def of(
        cls,
        rules: Reference,
        option: str,
        layer: Layer,
        named: Dict[str, Tensor],
        before: Optional[Tensor],  # [D, B, M]
        like: Tensor,  # [B, M]
        evaluates: bool,
    ) -> Optional[Line]:
        """Return that of a layer's option, or None where it has no such delays."""
        if option not in layer.lates:
            return None
        delay = layer.lates[option].rules(named[f"{option}.steps"])
        return cls(rules, rules.in_evaluation(delay) if evaluates else delay, before, like)

    def __call__(self, row: Tensor, weight: Tensor) -> Tensor:
        """Return what arrives [B, N] in the step whose own row is [B, M]."""
        self.rows = [*self.rows, row]
        return self.rules.arriving(self.delay.kind, self.taps, self.rows, weight)

    @property
    def last(self) -> Tensor:
        """The last D rows [D, B, M]."""
        return torch.stack(self.rows[len(self.rows) - self.delay.maximum :])


def at_rest(network: Network, batch: int) -> List[State]:
    """Return the states before the first step."""
    return [
        State(
            torch.zeros(batch, neurons, dtype=torch.float64),
            torch.zeros(batch, neurons, dtype=torch.float64),
            torch.zeros(batch, inputs, dtype=torch.float64),
            {name: torch.zeros(batch, neurons, dtype=torch.float64) for name in EXTRA[layer.kind]},
        )
        for layer, (inputs, neurons) in zip(network.layers, network.sizes())
    ]


def run(
    rules: Reference,
    network: Network,
    parameters: Sequence[Dict[str, Tensor]],
    x: Tensor,
    *,
    options: Sequence[Options],
    seed: int,
    states: Optional[Sequence[State]] = None,
    first_step: int = 0,
    first_layer: int = 0,
    followed: Optional[Sequence[Optional[Followed]]] = None,
    evaluates: bool = False,
) -> List[LayerResult]:
    """Run a network.

    Parameters
    ----------
    parameters
        As `description.parameters` has them.
    x : float64 Tensor [T, B, M] of 0 and 1
    options
        Of each layer as it was made: its gradient threshold stays where a threshold is learnt.
    seed : int
        Of the call: decides what a full capacity drops.
    states, first_step
        What the pass begins with.
    first_layer : int
        The first layer's number in the hash.
    followed : one pair of masks [T, B, N] a layer that spikes, optional
        An engine's, which decide where its rounding may.
    evaluates : bool
        Whether learnt delays are rounded.

    Raises
    ------
    Undecided
        See `Reference.decide`.
    """
    states = at_rest(network, x.shape[1]) if states is None else states
    results: List[LayerResult] = []
    for index, layer in enumerate(network.layers):
        named, state = parameters[index], states[index]
        weight = rules.rounded(named["weight"], layer.rounds_to)
        loops = named.get("recurrent_weight")
        loops = None if loops is None else rules.rounded(loops, layer.rounds_to)
        learnt = {**named, "beta": rules.decay(named["beta"])}
        carried = {"v": state.v, "s": state.s, **state.more}
        before = torch.zeros_like(state.s)
        membranes, spikes, kepts = [], [], []
        late = Line.of(rules, "delay", layer, named, state.inputs, state.x, evaluates)
        own = Line.of(rules, "recurrent_delay", layer, named, state.spikes, state.s, evaluates)
        for step, step_input in enumerate(rules.delayed(x, state.x, layer.delay)):
            entered = step_input @ weight.t() if late is None else late(step_input, weight)
            back = None if loops is None else rules.recurrence(carried["s"], before, loops)
            if own is not None and loops is not None:
                back = own(carried["s"], loops)
            current = rules.current(layer.gain, entered, back, named.get("bias"))
            after, level = rules.step(options[index], current, carried, learnt)
            membranes.append(after["v"])
            before = carried["s"]
            if not layer.spiking:
                carried = {**after, "s": carried["s"]}
                continue
            seen = None
            if followed is not None and followed[index] is not None:
                masks = followed[index]
                seen = Followed(*(None if mask is None else mask[step] for mask in masks))
            order = (seed, first_layer + index, rules.counted(first_step, step))
            saved, fired = rules.decide(
                options[index], after["v"].detach(), level.detach(), layer.capacity, order, seen
            )
            s = rules.spikes(options[index], after["v"], level, saved)
            carried = {**after, "s": rules.sent(s, fired)}
            spikes.append(s)
            kepts.append(saved)
        more = {name: carried[name] for name in EXTRA[layer.kind]}
        lines = (None if line is None else line.last for line in (late, own))
        end = State(carried["v"], spikes[-1] if spikes else carried["s"], x[-1], more, *lines)
        result = LayerResult(torch.stack(membranes), end)
        if layer.spiking:
            fired, active, dropped = (torch.stack(parts) for parts in zip(*kepts))
            every = torch.stack(spikes)
            result = LayerResult(result.membrane, end, every, fired, active, dropped)
            x = result.spikes
        results.append(result)
    return results
