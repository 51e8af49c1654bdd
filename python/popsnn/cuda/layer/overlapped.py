"""Layers that work on different steps at once, each on time chunks in streams of its own.

With a capacity a sample has one block, so that a layer's neurons leave most multiprocessors of a
GPU idle. Meanwhile the next layer's product of the steps that are done runs there, and its neurons.
That takes more launches, so it is done only while a graph records them.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from types import TracebackType
from typing import Iterator

import torch
from torch import Tensor

from ..device import properties
from ..device.side_stream import recording

CHUNKS = 2  # of all steps; each takes a few microseconds to begin
CHUNK_STEPS = 16  # at least
BUSY = 0.5  # fraction of the multiprocessors from which on neurons leave too few idle
STREAMS = 4  # of products, and as many of neurons, in which layers take turns


class OverlappedLayers:
    """A context whose work is done before the caller's stream continues."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.stages = 0
        self.last: Stage | None = None
        self.saved: list[Tensor] = []  # until all is done: in use by streams other than their own

    def __enter__(self) -> OverlappedLayers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.wait()
        self.saved.clear()

    def wait(self) -> None:
        """Make the current stream wait for all layers so far."""
        if self.last is not None:
            self.last.wait()

    def stage(self, steps: int, blocks: int) -> Stage:
        """Begin a layer, whose neurons have so many blocks; its input is the layer's before."""
        self.last = Stage(self, steps, chunk_count(self.device, steps, blocks))
        self.stages += 1
        return self.last


class Stage:
    """A layer's time `chunks`, each from a first step on to the one behind its last."""

    def __init__(self, overlapped: OverlappedLayers, steps: int, chunks: int) -> None:
        cuts = [steps * i // chunks for i in range(chunks + 1)]
        self.chunks = list(zip(cuts, cuts[1:]))
        self.ready: list[torch.cuda.Event] = []  # after each chunk; none where there is only one
        self._overlapped = overlapped
        self._before = overlapped.last
        self._streams: tuple[torch.cuda.Stream, torch.cuda.Stream] | None = None
        if chunks > 1 and overlapped.device.type == "cuda":
            current = torch.cuda.current_stream(overlapped.device)
            index = overlapped.stages % STREAMS
            self._streams = _streams(overlapped.device, current.cuda_stream, index)

    def begin(self, *used: Tensor | None) -> None:
        """Begin behind what the current stream has been given; `used` is used until all is done."""
        if self._streams is None:
            if self._before is not None:
                self._before.wait()
            return
        self._overlapped.saved += [tensor for tensor in used if tensor is not None]
        current = torch.cuda.current_stream(self._overlapped.device)
        for stream in self._streams:
            stream.wait_stream(current)

    @contextmanager
    def product(self, chunk: int) -> Iterator[None]:
        """Let the work of this context wait for the input of a time chunk."""
        if self._streams is None:
            yield
            return
        stream = self._streams[0]
        if self._before is not None and self._before.ready:
            stream.wait_event(self._before.ready[chunk])
        with torch.cuda.stream(stream):
            yield

    @contextmanager
    def neurons(self) -> Iterator[None]:
        """Let the work of this context wait for the chunk's product; it ends the chunk."""
        if self._streams is None:
            yield
            return
        products, stream = self._streams
        stream.wait_stream(products)
        with torch.cuda.stream(stream):
            yield
        self.ready.append(stream.record_event())

    def wait(self) -> None:
        """Make the current stream wait for all time chunks."""
        if self.ready:
            torch.cuda.current_stream(self._overlapped.device).wait_event(self.ready[-1])


def chunk_count(device: torch.device, steps: int, blocks: int) -> int:
    """Return the number of time chunks of a layer whose neurons have so many blocks."""
    if not recording(device) or blocks > BUSY * properties.multiprocessors(device):
        return 1
    return max(1, min(CHUNKS, steps // CHUNK_STEPS))


@lru_cache(maxsize=None)
def _streams(
    device: torch.device, stream: int, index: int
) -> tuple[torch.cuda.Stream, torch.cuda.Stream]:
    """Return the streams of products and of neurons, which are slow and go first.

    Each of the caller's streams has its own, by `index` of the layers that take turns.
    """
    return torch.cuda.Stream(device, priority=-1), torch.cuda.Stream(device, priority=-2)
