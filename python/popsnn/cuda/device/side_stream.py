"""A second stream, for work that the kernels of the caller's stream need not wait for.

A layer's weight gradient is needed by nobody before the backward pass has ended, while the next
kernels of the pass, bound by memory or by few samples, leave multiprocessors idle. What autograd
records in a side stream it also differentiates in there: it makes each stream wait where a gradient
crosses from one to the other, and at the end of the pass the caller's wait for all.

That is for steps that a graph records. A step that is launched kernel by kernel waits for the CPU,
which changes of streams would only slow down: it has all in one stream.
"""

from __future__ import annotations

from functools import lru_cache
from types import TracebackType

import torch
from torch import Tensor


class SideStream:
    """A context whose work begins after the work that the device's current stream has by now.

    Of each `index` there is one for each stream of the caller, so that networks on two streams do
    not wait for each other. It is the caller's own unless a graph is being recorded.
    """

    def __init__(self, device: torch.device, index: int = 0) -> None:
        self._stream: torch.cuda.Stream | None = None
        if recording(device):
            current = torch.cuda.current_stream(device)
            self._stream = _side_stream(device, current.cuda_stream, index)
            self._stream.wait_stream(current)
        self._entered: list[torch.cuda.StreamContext] = []

    def __enter__(self) -> None:
        if self._stream is not None:
            self._entered.append(torch.cuda.stream(self._stream))
            self._entered[-1].__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._stream is not None:
            self._entered.pop().__exit__(kind, error, traceback)

    def join(self) -> None:
        """Make the current stream wait until what it has been given by now is done."""
        if self._stream is not None:
            torch.cuda.current_stream(self._stream.device).wait_stream(self._stream)

    def done(self) -> torch.cuda.Event | None:
        """Return the point to wait for until what it has been given by now is done."""
        return None if self._stream is None else self._stream.record_event()


def recording(device: torch.device) -> bool:
    """Return whether a graph records what the device's current stream is given."""
    if device.type != "cuda":
        return False
    if device.index in (None, torch.cuda.current_device()):  # a switch takes 10 microseconds
        return bool(torch.cuda.is_current_stream_capturing())
    with torch.cuda.device(device):
        return bool(torch.cuda.is_current_stream_capturing())


def wait_for(point: torch.cuda.Event | None, made: Tensor) -> None:
    """Make the current stream wait until it may read what was `made` in the side stream."""
    if point is not None:
        torch.cuda.current_stream(made.device).wait_event(point)
        keep_for_current(made)


def keep_for_current(tensor: Tensor) -> None:
    """Keep the memory of a tensor, made in another stream, until the current one has used it."""
    if tensor.is_cuda:
        tensor.record_stream(torch.cuda.current_stream(tensor.device))


@lru_cache(maxsize=None)
def _side_stream(device: torch.device, stream: int, index: int) -> torch.cuda.Stream:
    return torch.cuda.Stream(device)
