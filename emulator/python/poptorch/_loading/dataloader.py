"""DataLoader: torch's, with as many samples at a time as one call of a model takes."""

from __future__ import annotations

import math
from typing import Any, Iterator

import torch
from torch.utils.data import Dataset, IterableDataset

from .._errors import Error
from .._logging import logger
from ..enums import DataLoaderMode
from ..options import Options
from .async_loader import AsynchronousDataAccessor
from .batches import ByBatches, CollateEach, Combined, Rebatched, Shard


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
        `Async` loads ahead in a thread of this process; `AsyncRebatched` also lets its workers
        load smaller batches, which are then put together across workers.
    async_options : dict, optional
        Arguments of `AsynchronousDataAccessor`.
    rebatched_worker_size : int, optional
        Samples of the batches that workers load for `AsyncRebatched`; default: those of a call.
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
            dataset = Shard(dataset, options, self._combined_batch_size, drop_last, bool(shuffle))
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
            kwargs["batch_sampler"] = Combined(batch_sampler, self._batches, drop_last)
            kwargs["collate_fn"] = CollateEach(kwargs.get("collate_fn"))
            dataset = ByBatches(dataset)
        else:
            kwargs.update(batch_size=self._combined_batch_size)
            if batch_size is not None:
                kwargs.update(drop_last=drop_last)
            if not iterable:
                kwargs.update(shuffle=bool(shuffle))
        self._rebatched = False
        self._loads_ahead = mode != DataLoaderMode.Sync
        self._drop_last = drop_last
        if mode == DataLoaderMode.AsyncRebatched and batch_sampler is None and batch_size:
            self._rebatched = True
            kwargs.update(batch_size=self._worker_batch(rebatched_worker_size), drop_last=False)
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

    def _worker_batch(self, size: int | None) -> int:
        """Return how many samples a worker loads at a time, to be put together."""
        whole = self._combined_batch_size or 1
        if size is not None and not 0 < size <= whole:
            raise AssertionError(
                f"rebatched_worker_size: expected 1 to the {whole} samples of a call, got {size}"
            )
        return whole if size is None else size

    def __len__(self) -> int:
        if not self._rebatched or self._combined_batch_size is None:
            return super().__len__()
        count = len(self.dataset) / self._combined_batch_size  # type: ignore[arg-type]
        return math.floor(count) if self._drop_last else math.ceil(count)

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
        return self._epoch() if self._accessor is None else iter(self._accessor)

    def _epoch(self) -> Iterator[Any]:
        """Begin a pass over the dataset, without loading ahead."""
        if isinstance(self.dataset, Shard):
            self.dataset.next_epoch()
        batches = super().__iter__()
        if not self._rebatched or self._combined_batch_size is None:
            return batches
        return Rebatched(batches, self._combined_batch_size, self._drop_last)
