"""Streams that take no work but know what comes behind what, for networks on the tests' CPU."""

from __future__ import annotations

import bisect
import ctypes
from collections import Counter
from contextlib import contextmanager
from typing import Any, Iterator

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode


class Stream:
    """A stand-in of `torch.cuda.Stream`: for each, how much of its work is done before what comes.

    `number` names it; the work that it has been given counts under that number too.
    """

    def __init__(self, number: int) -> None:
        self.cuda_stream = self.number = number
        self.device = torch.device("cpu")
        self.done: Counter[int] = Counter()

    def record_event(self) -> Counter[int]:
        return self.done.copy()

    def wait_event(self, event: Counter[int]) -> None:
        self.done |= event

    def wait_stream(self, other: Stream) -> None:
        self.done |= other.done


class Order(TorchDispatchMode):
    """Looks, at each operation and launch, whether what it touches was written before.

    What launches touch for the first time they write; who reads and who writes is not known of the
    later operations. Work that is not ordered behind the write of what it touches is in `races`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.streams: list[Stream] = []
        self.current = self.stream()
        self.races: list[str] = []
        self._starts: list[int] = []
        self._storages: dict[int, torch.UntypedStorage] = {}  # kept, so that none comes again
        self._written: dict[int, tuple[int, int]] = {}  # stream, and how much of its work

    def stream(self, *_: Any, **__: Any) -> Stream:
        self.streams.append(Stream(len(self.streams)))
        return self.streams[-1]

    def given(self, *tensors: Tensor) -> None:
        """Take these as written before all."""
        for tensor in tensors:
            self._written[self._start_of(tensor)] = 0, 0

    @contextmanager
    def on(self, stream: Stream) -> Iterator[None]:
        before, self.current = self.current, stream
        try:
            yield
        finally:
            self.current = before

    def launched(self, name: str, arguments: ctypes.Structure) -> None:
        self.current.done[self.current.number] += 1
        for pointer in _pointers(arguments):
            at = bisect.bisect_right(self._starts, pointer) - 1
            start = self._starts[at] if at >= 0 else 0
            if at >= 0 and pointer < start + self._storages[start].nbytes():
                self._touch(name, start, first=True)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if func.is_view or "empty" in str(func):  # which touches no memory
            for tensor in _tensors(out):
                self._start_of(tensor)
            return out
        self.current.done[self.current.number] += 1
        for argument, value in zip(func._schema.arguments, args):
            is_written = argument.alias_info is not None and argument.alias_info.is_write
            for tensor in _tensors(value):
                self._touch(str(func), self._start_of(tensor), write=is_written)
        for tensor in _tensors([out, *kwargs.values()]):
            self._touch(str(func), self._start_of(tensor), write=True)
        return out

    def _start_of(self, tensor: Tensor) -> int:
        storage = tensor.untyped_storage()
        start = storage.data_ptr()
        if start not in self._storages:
            bisect.insort(self._starts, start)
            self._storages[start] = storage
        return start

    def _touch(self, name: str, start: int, write: bool = False, first: bool = False) -> None:
        stream = self.current
        written = self._written.get(start)
        if written is not None and stream.done[written[0]] < written[1]:
            self.races.append(f"{name} in stream {stream.number} beside work of {written[0]}")
        if write or (first and written is None):
            self._written[start] = stream.number, stream.done[stream.number]


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    parts = value if isinstance(value, (list, tuple)) else []
    return [tensor for part in parts for tensor in _tensors(part)]


def _pointers(arguments: Any) -> Iterator[int]:
    for name, kind, *_ in arguments._fields_:
        value = getattr(arguments, name)
        if kind is ctypes.c_void_p:
            yield value or 0
        elif isinstance(value, ctypes.Array) and value._type_ is ctypes.c_void_p:
            yield from (tensor or 0 for tensor in value)
