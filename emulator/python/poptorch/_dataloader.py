"""DataLoader: torch's, with as many samples at a time as one call of a model takes."""

from __future__ import annotations

import queue
import threading
from typing import Any, Iterable, Iterator

import torch
from torch.utils.data import Dataset, IterableDataset

from ._errors import Error
from ._logging import logger
from .enums import DataLoaderMode, SharingStrategy
from .options import Options


class DataLoader(torch.utils.data.DataLoader):  # type: ignore[type-arg]
    """Loads `batch_size` samples for each micro-batch of a call.

    Parameters
    ----------
    options : Options
        Of the model; say how many micro-batches a call takes.
    dataset : Dataset
    batch_size : int
        Samples that an operation of the model sees at a time; None: samples as they are.
    shuffle : bool
    num_workers : int
    drop_last : bool
        Whether what does not fill a call is left out (default).
    persistent_workers : bool, optional
        Default: where there are workers.
    auto_distributed_partitioning : bool
        Whether each of several processes loads its part.
    mode : DataLoaderMode
        `Async` loads ahead in a thread of this process.
    async_options : dict, optional
        Arguments of `AsynchronousDataAccessor`.
    rebatched_worker_size : int, optional
        Held; loading ahead happens in whole calls here.
    batch_sampler : Sampler, optional
        Not with `batch_size` or `shuffle`; a call takes several of its batches.
    **kwargs : Any
        As in torch.
    """

    def __init__(
        self,
        options: Options,
        dataset: Dataset[Any],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        num_workers: int = 0,
        drop_last: bool = True,
        persistent_workers: bool | None = None,
        auto_distributed_partitioning: bool = True,
        mode: DataLoaderMode = DataLoaderMode.Sync,
        async_options: dict[str, Any] | None = None,
        rebatched_worker_size: int | None = None,
        batch_sampler: Any = None,
        **kwargs: Any,
    ) -> None:
        if not isinstance(options, Options):
            raise AssertionError(f"DataLoader: expected poptorch.Options, got {type(options)}")
        if batch_sampler is not None and (batch_size != 1 or shuffle):
            raise Error("`batch_sampler` option is mutually exclusive with batch_size, shuffle.")
        options._freeze()
        self._accessor: AsynchronousDataAccessor | None = None
        self._options = options
        groups = options.replication_factor // options.input_group_size
        self._batches = options.device_iterations * groups * options.Training.gradient_accumulation
        if batch_sampler is not None:
            batch_size = getattr(batch_sampler, "batch_size", batch_size)
        self._combined_batch_size = None if batch_size is None else batch_size * self._batches
        iterable = isinstance(dataset, IterableDataset)
        processes = options.Distributed.numProcesses
        if processes > 1 and auto_distributed_partitioning:
            if iterable or batch_sampler is not None or self._combined_batch_size is None:
                raise AssertionError(
                    "auto_distributed_partitioning: expected a dataset with indices and a "
                    "batch_size, and no batch_sampler"
                )
            dataset = _Shard(dataset, options, self._combined_batch_size, drop_last, bool(shuffle))
            shuffle = False
        if not iterable and not drop_last and self._combined_batch_size:
            rest = len(dataset) % self._combined_batch_size  # type: ignore[arg-type]
            if rest and batch_sampler is None:
                logger.warning(
                    "The number of elements in the dataset (%d) is not divisible by the number of "
                    "elements processed per step (%d) and drop_last=False. The last tensor will "
                    "have a batch size of %d. To avoid having to handle this special case switch "
                    "to drop_last=True",
                    len(dataset),  # type: ignore[arg-type]
                    self._combined_batch_size,
                    rest,
                )
        if batch_sampler is not None:
            kwargs["batch_sampler"] = _Combined(batch_sampler, self._batches, drop_last)
        else:
            kwargs.update(batch_size=self._combined_batch_size)
            if batch_size is not None:
                kwargs.update(drop_last=drop_last)
            if not iterable:
                kwargs.update(shuffle=bool(shuffle))
        super().__init__(
            dataset,
            num_workers=num_workers,
            persistent_workers=num_workers > 0
            if persistent_workers is None
            else persistent_workers,
            **kwargs,
        )
        if mode != DataLoaderMode.Sync:
            self._accessor = AsynchronousDataAccessor(self, **(async_options or {}))

    @property
    def combinedBatchSize(self) -> int | None:
        """Number of samples of a call of the model."""
        return self._combined_batch_size

    @property
    def options(self) -> Options:
        """The options that it was made with."""
        return self._options

    def terminate(self) -> None:
        """End the thread that loads ahead, where there is one."""
        if self._accessor is not None:
            self._accessor.terminate()

    def __iter__(self) -> Any:
        if isinstance(self.dataset, _Shard):
            self.dataset.next_epoch()
        if self._accessor is not None:
            return iter(self._accessor)
        return super().__iter__()


class _Combined:
    """Draws several batches of a sampler as one.

    Parameters
    ----------
    sampler : iterable of lists of indices
    count : int
    drop_last : bool
    """

    def __init__(self, sampler: Any, count: int, drop_last: bool) -> None:
        self.sampler = sampler
        self.count = count
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        batches: list[Any] = []
        drawn = 0
        for batch in self.sampler:
            batches += batch
            drawn += 1
            if drawn == self.count:
                yield batches
                batches, drawn = [], 0
        if batches and not self.drop_last:
            yield batches

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.count)
        return whole + (1 if rest and not self.drop_last else 0)


class _Shard(Dataset[Any]):
    """One process's part of a dataset: a range of it, shuffled as a whole each epoch.

    Parameters
    ----------
    dataset : Dataset
    options : Options
    step : int
        Samples of a call.
    drop_last : bool
    shuffle : bool

    Raises
    ------
    AssertionError
        Where it is to be shuffled and no seed makes all processes agree.
    """

    def __init__(
        self, dataset: Any, options: Options, step: int, drop_last: bool, shuffle: bool
    ) -> None:
        processes, own = options.Distributed.numProcesses, options.Distributed.processId
        if shuffle and not options.exists("random_seed"):
            raise AssertionError(
                "When using auto_distributed_partitioning you must set "
                "poptorch.Options.randomSeed() to ensure that tensors are in the same order in "
                "all processes."
            )
        self.dataset = dataset
        total = len(dataset)
        if drop_last:
            size = step * (total // (step * processes))
            self.begin, self.size = own * size, size
        else:
            sizes = [total // processes + (total % processes > i) for i in range(processes)]
            self.begin, self.size = sum(sizes[:own]), sizes[own]
        self._order: torch.Tensor | None = None
        self._generator = None
        if shuffle:
            self._generator = torch.Generator().manual_seed(options.random_seed)
            # Shared, so that the workers' indices are shuffled too.
            self._order = torch.arange(total).share_memory_()

    def next_epoch(self) -> None:
        """Draw another order, the same in all processes."""
        if self._order is not None and self._generator is not None:
            self._order.copy_(torch.randperm(len(self._order), generator=self._generator))

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Any:
        number = index + self.begin
        return self.dataset[number if self._order is None else int(self._order[number])]


class AsynchronousDataAccessor:
    """Loads ahead of the model, in a thread of this process.

    Parameters
    ----------
    dataset : iterable
        A DataLoader or anything that yields batches.
    buffer_size : int
        Batches that it loads ahead.
    miss_sleep_time_in_ms, load_indefinitely, early_preload, sharing_strategy, rebatched_size
        PopTorch's arguments of the process that it starts instead; held.
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
        if isinstance(dataset, DataLoader) and dataset._accessor is not None:
            raise Error(
                "The DataLoader already uses an AsynchronousDataAccessor internally. Either use "
                "the existing one or set mode='poptorch.DataLoaderMode.Sync' in the DataLoader."
            )
        self._dataset = dataset
        self._size = buffer_size
        self._stop = threading.Event()

    def __len__(self) -> int:
        return len(self._dataset)  # type: ignore[arg-type]

    def terminate(self) -> None:
        """End the thread."""
        self._stop.set()

    def __iter__(self) -> Iterator[Any]:
        self.terminate()  # of an epoch that was left early
        self._stop = stop = threading.Event()
        loaded: queue.Queue[tuple[str, Any]] = queue.Queue(self._size)
        dataset = self._dataset
        batches = (
            torch.utils.data.DataLoader.__iter__(dataset)
            if isinstance(dataset, DataLoader)
            else iter(dataset)
        )

        def put(item: tuple[str, Any]) -> None:
            while not stop.is_set():
                try:
                    loaded.put(item, timeout=0.1)
                    return
                except queue.Full:
                    continue

        def load() -> None:
            try:
                for batch in batches:
                    put(("batch", batch))
                    if stop.is_set():
                        return
                put(("end", None))
            except Exception as error:  # raised where the batch is asked for
                put(("error", error))

        threading.Thread(target=load, daemon=True).start()
        while True:
            kind, value = loaded.get()
            if kind == "error":
                raise value
            if kind == "end":
                return
            yield value
