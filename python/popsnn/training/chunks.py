"""Time chunks of a sequence: truncated backpropagation through time, and evaluation in chunks."""

from __future__ import annotations

from dataclasses import fields
from typing import Iterator, List, NamedTuple, Optional, Sequence, Union

from torch import Tensor

from ..engines import LayerStats, PendingStats
from ..spikes import SpikeTensor

Stats = Sequence[Union[LayerStats, PendingStats]]


class Chunk(NamedTuple):
    """Some steps of a batch: its `spikes`, its `labels` [B] or [K, B], whether it is the `last`."""

    spikes: SpikeTensor
    labels: Tensor
    last: bool


def chunks(spikes: SpikeTensor, labels: Tensor, truncate: Optional[int]) -> Iterator[Chunk]:
    """Yield the chunks of `truncate` steps of a batch, the last of the steps that are left.

    Parameters
    ----------
    spikes : SpikeTensor (T, B, N)
    labels : int64 Tensor [B], or of each step [T, B]
    truncate : int, optional
        K; None, or T and more, is the batch itself.
    """
    steps = len(spikes)
    if truncate is None or truncate >= steps:
        yield Chunk(spikes, labels, True)
        return
    for begin in range(0, steps, truncate):
        end = min(begin + truncate, steps)
        own = labels if labels.dim() == 1 else labels[begin:end]
        yield Chunk(spikes[begin:end], own, end == steps)


def total(stats: Sequence[Stats]) -> List[LayerStats]:
    """Return the counts of each layer over all chunks; waits for a device that has them still."""
    layers = [[layer.read() for layer in chunk] for chunk in stats]
    return [_sum(chunks_of_layer) for chunks_of_layer in zip(*layers)]


def _sum(chunks_of_layer: Sequence[LayerStats]) -> LayerStats:
    first = chunks_of_layer[0]
    sums = {
        field.name: sum(getattr(chunk, field.name) for chunk in chunks_of_layer)
        for field in fields(LayerStats)
    }
    return LayerStats(**{**sums, "neurons": first.neurons, "samples": first.samples})
