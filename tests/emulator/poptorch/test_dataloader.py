"""DataLoader: batches of a call, parts of processes, and loading ahead."""

from __future__ import annotations

from typing import Any, List

import pytest
import torch
from torch.utils.data import BatchSampler, IterableDataset, SequentialSampler, TensorDataset

DATA = TensorDataset(torch.arange(50))


def options(poptorch: Any, **processes: int) -> Any:
    made = poptorch.Options().deviceIterations(2).replicationFactor(3)
    made.Training.gradientAccumulation(2)
    if processes:
        made.Distributed.configureProcessId(**processes)
    return made


def values(loader: Any) -> List[List[int]]:
    return [batch[0].tolist() for batch in loader]


def test_a_batch_is_a_calls(poptorch: Any) -> None:
    loader = poptorch.DataLoader(options(poptorch), DATA, batch_size=2)
    assert loader.combinedBatchSize == 24
    assert len(loader) == 2
    assert values(loader) == [list(range(24)), list(range(24, 48))]
    with pytest.raises(AttributeError, match="frozen"):
        loader.options.deviceIterations(1)


def test_the_rest_is_kept_with_a_warning(poptorch: Any, caplog: pytest.LogCaptureFixture) -> None:
    loader = poptorch.DataLoader(options(poptorch), DATA, batch_size=2, drop_last=False)
    assert values(loader)[-1] == [48, 49]
    assert "is not divisible by the number of elements processed per step (24)" in caplog.text


@pytest.mark.parametrize("shuffle", [False, True])
def test_processes_share_a_dataset(poptorch: Any, shuffle: bool) -> None:
    epochs = []
    loaders = []
    for process in range(2):
        made = options(poptorch, process_id=process, num_processes=2).randomSeed(1)
        loaders.append(poptorch.DataLoader(made, DATA, batch_size=2, shuffle=shuffle))
    for _ in range(2):
        seen = [index for loader in loaders for batch in values(loader) for index in batch]
        assert len(set(seen)) == 48
        epochs.append(seen)
    assert (epochs[0] != epochs[1]) == shuffle
    assert (epochs[0] == list(range(48))) != shuffle


def test_loading_ahead(poptorch: Any) -> None:
    mode = poptorch.DataLoaderMode.Async
    loader = poptorch.DataLoader(options(poptorch), DATA, batch_size=2, mode=mode)
    for _ in range(2):
        assert values(loader) == [list(range(24)), list(range(24, 48))]
    next(iter(loader))  # and the rest is left
    loader.terminate()

    class Broken(IterableDataset):  # type: ignore[type-arg]
        def __iter__(self) -> Any:
            yield torch.ones(1)
            raise RuntimeError("no more")

    broken = poptorch.DataLoader(poptorch.Options(), Broken(), mode=mode)
    with pytest.raises(RuntimeError, match="no more"):
        list(broken)
    with pytest.raises(poptorch.Error, match="already uses an AsynchronousDataAccessor"):
        poptorch.AsynchronousDataAccessor(loader)


def test_a_batch_sampler_is_combined(poptorch: Any) -> None:
    sampler = BatchSampler(SequentialSampler(range(50)), 2, False)
    loader = poptorch.DataLoader(options(poptorch), DATA, batch_sampler=sampler)
    assert len(loader) == 2
    assert values(loader) == [list(range(24)), list(range(24, 48))]
    with pytest.raises(poptorch.Error, match="mutually exclusive"):
        poptorch.DataLoader(options(poptorch), DATA, batch_size=2, batch_sampler=sampler)


def test_what_is_refused(poptorch: Any) -> None:
    with pytest.raises(AssertionError, match=r"expected poptorch\.Options"):
        poptorch.DataLoader({}, DATA)
    made = options(poptorch, process_id=0, num_processes=2)
    with pytest.raises(AssertionError, match=r"must set poptorch.Options.randomSeed"):
        poptorch.DataLoader(made, DATA, shuffle=True)
