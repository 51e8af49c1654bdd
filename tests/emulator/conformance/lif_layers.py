"""Layers of leaky integrate-and-fire neurons with compacted spikes, in doubles.

After Finkbeiner and Neftci, AAAI 2024, arXiv 2311.04386:

    u[t] = d u[t-1] (1 - H(u[t-1] - theta)) + 10 (1 - d) s[t] W

where s[t] of a layer are the spikes of the layer before at t - 1. The operation's own are the gain
of 10, the slope of 10 below, and "above" for "at least".

The active set has the indices of the neurons above theta, which fire, then of those above the lower
threshold, up to its capacity. The surrogate gradient is 1 / (10 |u - theta| + 1)^2 in the active
set and 0 outside; the reset is a constant to the gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Sequence, Tuple

import numpy as np
import torch

GAIN, SLOPE = 10.0, 10.0


class Fire(torch.autograd.Function):
    """1 for the neurons that fire, with the surrogate gradient for the active set."""

    @staticmethod
    def forward(ctx: Any, above: torch.Tensor, spikes: torch.Tensor, active: torch.Tensor) -> Any:
        """Take u - theta, the spikes and the active set, each [batch, neurons]."""
        ctx.save_for_backward(above, active)
        return spikes

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        above, active = ctx.saved_tensors
        return grads[0] * active / (SLOPE * above.abs() + 1) ** 2, None, None


@dataclass
class Layers:
    """The network and its inputs; of layer l: [n] is its neurons, [m] the layer's before."""

    weights: List[np.ndarray]  # each [m, n]
    states: List[np.ndarray]  # each [batch, n]
    ids: List[np.ndarray]  # [steps, batch, capacity 0], then each [batch, capacity l]
    counts: List[np.ndarray]  # [steps, batch, 1], then each [batch, 1]
    decays: List[np.ndarray]  # each [n]
    thresholds: List[np.ndarray]  # each [2, n], the upper one first
    capacities: List[int]  # of the input, then of each layer

    @property
    def inputs(self) -> List[np.ndarray]:
        """In the order of the operation's arguments."""
        lists = (self.weights, self.states, self.ids, self.counts, self.decays, self.thresholds)
        return [array for arrays in lists for array in arrays]


def make(
    sizes: Sequence[int], capacities: Sequence[int], steps: int, batch: int, seed: int = 0
) -> Layers:
    """Random layers whose active sets are full at times; `sizes` begins with the input's."""
    rng = np.random.default_rng(seed)

    def single(x: np.ndarray) -> np.ndarray:
        return x.astype(np.float32)

    def indices(*shape: int, size: int, capacity: int) -> Tuple[np.ndarray, np.ndarray]:
        rows = [rng.permutation(size)[:capacity] for _ in range(int(np.prod(shape)))]
        counts = rng.integers(0, capacity + 1, (*shape, 1))
        return single(np.array(rows).reshape(*shape, capacity)), single(counts)

    def weights(m: int, n: int, capacity: int) -> np.ndarray:
        return single(rng.standard_normal((m, n)) * 2 / np.sqrt(capacity) + 1.5 / capacity)

    spikes = [indices(steps, batch, size=sizes[0], capacity=capacities[0])]
    spikes += [indices(batch, size=n, capacity=c) for n, c in list(zip(sizes, capacities))[1:-1]]
    upper = [rng.uniform(0.7, 1.2, n) for n in sizes[1:]]
    return Layers(
        [weights(m, n, c) for m, n, c in zip(sizes, sizes[1:], capacities)],
        [single(rng.uniform(-0.5, 1.5, (batch, n))) for n in sizes[1:]],
        [ids for ids, _ in spikes],
        [counts for _, counts in spikes],
        [single(rng.uniform(0.75, 0.95, n)) for n in sizes[1:]],
        [single(np.stack([u, u * rng.uniform(0.2, 0.8, len(u))])) for u in upper],
        list(capacities),
    )


def dense(ids: np.ndarray, counts: np.ndarray, size: int) -> torch.Tensor:
    """Spike indices [..., capacity] with counts [..., 1] as a dense array [..., size]."""
    out = np.zeros((*ids.shape[:-1], size))
    for at in np.ndindex(*ids.shape[:-1]):
        out[at][ids[at][: int(counts[at][0])].astype(int)] = 1
    return torch.from_numpy(out)


@dataclass
class Run:
    """The run of the layers, in doubles: for each layer and step."""

    states: List[np.ndarray]  # each [steps, batch, n], before the reset
    active: List[List[List[np.ndarray]]]  # indices, of layer, step and sample
    spikes: List[np.ndarray]  # each [steps, batch]: how many fire
    above: List[List[torch.Tensor]]  # spikes of layer and step, with gradients, [batch, n]
    weights: List[torch.Tensor]  # each [m, n]
    margin: float  # of the state nearest to a threshold

    def gradients(self, given: np.ndarray) -> List[np.ndarray]:
        """Those of the weights, for those of the last layer's indices [steps, batch, capacity]."""
        loss = torch.zeros((), dtype=torch.float64)
        for t, spikes in enumerate(self.above[-1]):
            for b, members in enumerate(self.active[-1][t]):
                loss = loss + spikes[b, members] @ torch.from_numpy(given[t, b, : len(members)])
        return [g.numpy() for g in torch.autograd.grad(loss, self.weights, retain_graph=True)]


def active_set(state: np.ndarray, thresholds: np.ndarray, capacity: int) -> Tuple[np.ndarray, int]:
    """The active set of a sample [n], and how many of it fire."""
    spiking = np.flatnonzero(state > thresholds[0])[:capacity]
    near = np.flatnonzero((state > thresholds[1]) & (state <= thresholds[0]))
    return np.concatenate([spiking, near])[:capacity], len(spiking)


def run(layers: Layers) -> Run:
    weights = [torch.from_numpy(w).double().requires_grad_() for w in layers.weights]
    decays = [torch.from_numpy(d).double() for d in layers.decays]
    thresholds = [t.astype(np.float64) for t in layers.thresholds]
    states = [torch.from_numpy(s).double() for s in layers.states]
    steps, batch, _ = layers.ids[0].shape
    depth = range(len(weights))
    out = Run([], [[] for _ in depth], [], [[] for _ in depth], weights, np.inf)
    history: List[List[np.ndarray]] = [[] for _ in depth]
    counts = np.zeros((len(weights), steps, batch), int)
    before = [
        dense(layers.ids[i], layers.counts[i], w.shape[0]) for i, w in enumerate(weights) if i
    ]
    for t in range(steps):
        after = []
        given = dense(layers.ids[0][t], layers.counts[0][t], weights[0].shape[0])
        for i, inputs in enumerate([given, *before]):
            theta = torch.from_numpy(thresholds[i][0])
            kept = states[i] - (states[i] * (states[i] > theta)).detach()
            states[i] = decays[i] * kept + GAIN * (1 - decays[i]) * (inputs @ weights[i])
            u = states[i].detach().numpy()
            rows = [active_set(row, thresholds[i], layers.capacities[i + 1]) for row in u]
            members, spikes = np.zeros(u.shape), np.zeros(u.shape)
            for b, (row, n) in enumerate(rows):
                members[b, row], spikes[b, row[:n]] = 1, 1
                counts[i, t, b] = n
            distance = np.abs(u[:, None] - thresholds[i])
            out.margin = min(out.margin, float(distance.min()))
            out.active[i].append([row for row, _ in rows])
            history[i].append(u)
            spiking: torch.Tensor = Fire.apply(
                states[i] - theta, torch.from_numpy(spikes), torch.from_numpy(members)
            )
            out.above[i].append(spiking)
            after.append(spiking)
        before = after[:-1]
    out.states, out.spikes = [np.stack(h) for h in history], list(counts)
    return out
