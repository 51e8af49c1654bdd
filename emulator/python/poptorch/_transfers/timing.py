"""Times of the transfers of a run, as the emulation makes them on the host."""

from __future__ import annotations

import time
from typing import Callable, Iterable

_EVENTS = ("input", "input_complete", "output", "output_complete")


class Timestamps:
    """Notes when each tensor of each micro-batch begins and ends to cross."""

    def __init__(self) -> None:
        self._steps: dict[str, list[list[float]]] = {event: [] for event in _EVENTS}
        self._tensors = dict.fromkeys(_EVENTS, 1)

    def note(self, event: str, tensors: int) -> None:
        """Note the event of one micro-batch, for so many tensors, at the present time."""
        self._tensors[event] = tensors
        self._steps[event].append([time.perf_counter()] * tensors)

    def keep_outputs(self, steps: Iterable[int]) -> None:
        """Forget the outputs of all micro-batches but these, since only these cross."""
        kept = list(steps)
        for event in ("output", "output_complete"):
            self._steps[event] = [self._steps[event][step] for step in kept]

    def clear(self) -> None:
        """Forget everything, as where nothing crosses."""
        self._steps = {event: [] for event in _EVENTS}

    def counters(self) -> dict[str, list[list[float]]]:
        """Return the seconds of each event by tensor and micro-batch."""
        return {
            event: [list(column) for column in zip(*steps)] or [[] for _ in range(count)]
            for (event, steps), count in zip(self._steps.items(), self._tensors.values())
        }

    def latency(
        self,
        start: str,
        reduce_start: Callable[..., float],
        end: str,
        reduce_end: Callable[..., float],
    ) -> tuple[float, float, float]:
        """Return least, greatest and mean seconds from one event to another.

        Where fewer outputs than inputs cross, each is compared with the last input before it.
        """
        starts, ends = self._steps[start], self._steps[end]
        if not starts or not ends or not starts[0] or not ends[0]:
            return (0.0, 0.0, 0.0)
        ratio = len(starts) // len(ends) or 1
        chosen = starts[ratio - 1 :: ratio]
        spans = [reduce_end(b) - reduce_start(a) for a, b in zip(chosen, ends)]
        return (min(spans), max(spans), sum(spans) / len(spans))
