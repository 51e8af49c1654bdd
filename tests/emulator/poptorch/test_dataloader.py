"""DataLoader: batches of a call, parts of processes, and loading ahead."""

from __future__ import annotations

import subprocess
import sys
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


class Halves(IterableDataset):  # type: ignore[type-arg]
    """Each of two workers loads one half of ten numbers."""

    def __iter__(self) -> Any:
        info = torch.utils.data.get_worker_info()
        assert info is not None
        return iter(torch.arange(5) + 5 * info.id)


def test_batches_are_put_together_across_workers(poptorch: Any) -> None:
    mode = poptorch.DataLoaderMode.AsyncRebatched
    loader = poptorch.DataLoader(
        poptorch.Options(), Halves(), 4, num_workers=2, mode=mode, rebatched_worker_size=3
    )
    for _ in range(2):
        batches = [batch.tolist() for batch in loader]
        assert [len(batch) for batch in batches] == [4, 4]
        assert len({value for batch in batches for value in batch}) == 8
    loader.terminate()
    rest = poptorch.DataLoader(options(poptorch), DATA, 2, drop_last=False, mode=mode)
    assert [len(batch) for batch in values(rest)] == [24, 24, 2]
    assert len(rest) == 3
    with pytest.raises(AssertionError, match="expected 1 to the 4 samples of a call, got 5"):
        poptorch.DataLoader(
            poptorch.Options(), Halves(), 4, mode=mode, rebatched_worker_size=5, num_workers=2
        )


def test_each_batch_of_a_sampler_is_collated_by_itself(poptorch: Any) -> None:
    def padded(samples: Any) -> Any:
        return torch.nn.functional.pad(torch.stack([s[0] for s in samples]), (0, 3 - len(samples)))

    made = poptorch.Options().deviceIterations(2)
    loader = poptorch.DataLoader(
        made, DATA, batch_sampler=[[0, 1, 2], [3], [4, 5], [6]], collate_fn=padded
    )
    assert [batch.tolist() for batch in loader] == [[0, 1, 2, 3, 0, 0], [4, 5, 0, 6, 0, 0]]


def test_a_dataset_that_fails_is_known_at_once(poptorch: Any) -> None:
    with pytest.raises(poptorch.Error, match="worker thread failed to start"):
        poptorch.AsynchronousDataAccessor(1 // x for x in [0])


def test_a_loader_outlives_an_accessor_of_it(poptorch: Any) -> None:
    loader = poptorch.DataLoader(options(poptorch), DATA, batch_size=2, num_workers=1)
    for _ in range(2):
        accessor = poptorch.AsynchronousDataAccessor(loader)
        assert values(accessor) == [list(range(24)), list(range(24, 48))]
        accessor.terminate()
        del accessor
    assert values(loader) == [list(range(24)), list(range(24, 48))]


SCRIPT = """
import torch
from popsnn import poptorch
data = torch.utils.data.TensorDataset(torch.arange(50))
loader = poptorch.DataLoader(
    poptorch.Options(), data, num_workers=2, mode=poptorch.DataLoaderMode.Async
)
print(len(list(loader)))
next(iter(loader))
"""


def test_a_script_ends_with_its_workers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "50\n"), done.stderr
