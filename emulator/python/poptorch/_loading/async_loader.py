"""Loading ahead of a model, in a thread of this process."""

from __future__ import annotations

import atexit
import queue
import threading
import traceback
import weakref
from typing import Any, Callable, Iterable, Iterator

from .._errors import Error
from ..enums import SharingStrategy

_PAUSE = 0.05  # seconds after which a waiting thread looks whether it is to end


class _Epoch:
    """One pass over a dataset, loaded by a thread.

    Parameters
    ----------
    batches : iterator
        Made by the caller's thread, from which a loader forks its workers.
    size : int
        Batches that are loaded ahead.
    at_once : bool
        Whether more than the first are loaded before they are asked for.
    """

    def __init__(self, batches: Iterator[Any], size: int, at_once: bool) -> None:
        self._batches = batches
        self._loaded: queue.Queue[tuple[str, Any]] = queue.Queue(max(size, 1))
        self._stop, self._go, self._started = (threading.Event() for _ in range(3))
        self.failure: BaseException | None = None
        self.begun = False
        if at_once:
            self._go.set()
        self._thread = threading.Thread(target=self._load, daemon=True)
        self._thread.start()
        _epochs.add(self)

    def wait_for_first(self) -> None:
        """Wait until there is a batch, or an error instead."""
        self._started.wait()

    def _load(self) -> None:
        try:
            for batch in self._batches:
                self._put(("batch", batch))
                self._started.set()
                while not self._stop.is_set() and not self._go.wait(_PAUSE):
                    pass
                if self._stop.is_set():
                    return
            self._put(("end", None))
        except Exception as error:  # raised where the batch is asked for
            if not self._started.is_set():
                self.failure = error
            self._put(("error", error))
        finally:
            self._started.set()

    def _put(self, item: tuple[str, Any]) -> None:
        while not self._stop.is_set():
            try:
                self._loaded.put(item, timeout=_PAUSE)
                return
            except queue.Full:
                continue

    def __iter__(self) -> Iterator[Any]:
        self.begun = True
        self._go.set()
        while not self._stop.is_set():
            kind, value = self._loaded.get()
            if kind == "error":
                raise value
            if kind == "end":
                return
            yield value

    def close(self) -> None:
        """End the thread, then the workers of a loader that are not to stay."""
        self._stop.set()
        self._thread.join()

    def end_workers(self) -> None:
        """End the processes that load for it, which would wait for this process at its end."""
        source = getattr(self._batches, "source", self._batches)
        end = getattr(source, "_shutdown_workers", None)
        if end is not None:
            end()


_epochs: weakref.WeakSet[_Epoch] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for epoch in list(_epochs):
        epoch.close()
        epoch.end_workers()


class AsynchronousDataAccessor:
    """Loads ahead of the model, in a thread of this process.

    The first batch is loaded when it is made, so that a dataset that fails is known then.

    Parameters
    ----------
    dataset : iterable
        A DataLoader or anything that yields batches.
    buffer_size : int
        Batches that it loads ahead.
    early_preload : bool
        Whether it fills this buffer before the first batch is asked for.
    miss_sleep_time_in_ms, load_indefinitely, sharing_strategy, rebatched_size
        PopTorch's arguments of the process that it starts instead; held.

    Raises
    ------
    Error
        Where the loader has an accessor of its own, or the first batch cannot be loaded.
    """

    def __init__(
        self,
        dataset: Iterable[Any],
        buffer_size: int = 3,
        miss_sleep_time_in_ms: float = 0.1,
        load_indefinitely: bool = True,
        early_preload: bool = False,
        sharing_strategy: SharingStrategy = SharingStrategy.ForkServer,
        rebatched_size: int | None = None,
    ) -> None:
        if getattr(dataset, "_accessor", None) is not None:
            raise Error(
                "The DataLoader already uses an AsynchronousDataAccessor internally. Either use "
                "the existing one or set mode='poptorch.DataLoaderMode.Sync' in the DataLoader."
            )
        self._dataset = dataset
        self._size = buffer_size
        make: Callable[[], Iterator[Any]] | None = getattr(dataset, "_epoch", None)
        self._make = (lambda: iter(dataset)) if make is None else make
        self._now = [_Epoch(self._make(), buffer_size, early_preload)]
        own = getattr(dataset, "_loads_ahead", False)  # else others may use the loader's workers
        weakref.finalize(self, _close, self._now, own).atexit = False  # _close_all does it then
        epoch = self._now[0]
        epoch.wait_for_first()
        if epoch.failure is not None:
            failure = epoch.failure
            epoch.close()
            epoch.end_workers()
            traceback.print_exception(type(failure), failure, failure.__traceback__)
            raise Error(
                "AsynchronousDataAccessor worker thread failed to start (Check above for details)"
            ) from failure

    def __len__(self) -> int:
        return len(self._dataset)  # type: ignore[arg-type]

    def terminate(self) -> None:
        """End the thread."""
        self._now[0].close()
        self._now[0].begun = True

    def __iter__(self) -> Iterator[Any]:
        if self._now[0].begun:  # of this epoch something is gone, so another begins
            self._now[0].close()
            self._now[0] = _Epoch(self._make(), self._size, True)
        return iter(self._now[0])


def _close(now: list[_Epoch], workers: bool) -> None:
    now[0].close()
    if workers:
        now[0].end_workers()
