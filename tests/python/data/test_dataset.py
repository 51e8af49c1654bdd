from __future__ import annotations

import multiprocessing
import os
import re
import signal
from typing import Any

import pytest
import torch

from popsnn import SpikeTensor
from popsnn.data import Augment, SpikeDataset


def dataset(samples: int = 10) -> SpikeDataset:
    # Sample m fires neuron m alone, at every step.
    x = torch.eye(samples).expand(3, samples, samples)
    return SpikeDataset(SpikeTensor.from_dense(x), torch.arange(samples), samples)


def test_samples() -> None:
    spikes, label = dataset()[-1]
    assert label == 9
    assert spikes.shape == (3, 1, 10)
    assert spikes.to_dense()[:, 0, 9].tolist() == [1.0, 1.0, 1.0]
    assert len(dataset()) == 10
    assert repr(dataset()) == "SpikeDataset(10 samples, 3 steps, 10 neurons, 10 classes)"
    with pytest.raises(IndexError):
        dataset()[10]


@pytest.mark.parametrize(("drop_last", "sizes"), [(False, [4, 4, 2]), (True, [4, 4])])
@pytest.mark.parametrize("shuffle", [False, True])
def test_batches(shuffle: bool, drop_last: bool, sizes: list[int]) -> None:
    batches = list(dataset().batches(4, shuffle=shuffle, drop_last=drop_last))
    assert [len(labels) for _, labels in batches] == sizes
    for spikes, labels in batches:
        assert torch.equal(spikes.to_dense()[0].argmax(-1), labels)
    seen = torch.cat([labels for _, labels in batches])
    assert seen.unique().numel() == sum(sizes)
    if not shuffle:
        assert seen.tolist() == list(range(sum(sizes)))


def test_order_comes_from_the_generator() -> None:
    def order(seed: int) -> list[int]:
        generator = torch.Generator().manual_seed(seed)
        batches = dataset().batches(3, shuffle=True, generator=generator)
        return torch.cat([labels for _, labels in batches]).tolist()

    assert order(1) == order(1)
    assert order(1) != order(2)


def dense_epoch(
    part: SpikeDataset, batch_size: int, workers: int = 0, seed: int = 5
) -> dict[int, torch.Tensor]:
    """Return the spikes [T, N] of every sample of a shuffled epoch, by label."""
    generator = torch.Generator().manual_seed(seed)
    batches = part.batches(batch_size, shuffle=True, generator=generator, workers=workers)
    return {
        int(label): spikes.to_dense()[:, b]
        for spikes, labels in batches
        for b, label in enumerate(labels)
    }


@pytest.mark.parametrize("augment", [None, Augment(shift=2, drop=0.2, jitter=0.7)])
def test_workers_and_batches_change_nothing(augment: Augment | None) -> None:
    x = (torch.rand(8, 20, 30) < 0.3).float()
    spikes = SpikeTensor.from_dense(x)
    part = SpikeDataset(spikes, torch.arange(20), 20, capacity=9, augment=augment, seed=3)
    expected = dense_epoch(part, 4)
    for batch_size, workers in ((7, 0), (4, 1), (7, 2)):
        got = dense_epoch(part, batch_size, workers)
        assert got.keys() == expected.keys()
        assert all(torch.equal(got[label], expected[label]) for label in got)
    changed = [not torch.equal(expected[label], part[label][0].to_dense()[:, 0]) for label in got]
    assert all(changed) if augment else not any(changed)
    other = dense_epoch(part, 4, seed=6)
    assert (augment is None) == all(torch.equal(other[i], expected[i]) for i in other)


@pytest.mark.parametrize("augment", [None, Augment(shift=2, drop=0.2)])
def test_what_is_skipped_and_split_is_that_of_the_whole_epoch(augment: Augment | None) -> None:
    part = dataset().augmented(augment)

    def epoch(**options: Any) -> list[tuple[SpikeTensor, torch.Tensor]]:
        generator = torch.Generator().manual_seed(1)
        return list(part.batches(4, shuffle=True, generator=generator, **options))

    whole = epoch()
    for number in (0, 1):
        rest = epoch(skip=1, shard=(number, 2))
        assert len(rest) == 2
        for (spikes, labels), (all_spikes, all_labels) in zip(rest, whole[1:]):
            assert torch.equal(labels, all_labels[number::2])
            assert torch.equal(spikes.to_dense(), all_spikes.to_dense()[:, number::2])
    assert epoch(skip=3) == []
    with pytest.raises(ValueError, match=r"batches: shard: expected 0..1, got 2"):
        epoch(shard=(2, 2))


def test_batches_stay_on_the_cpu_whatever_the_default_device_is() -> None:
    generator = torch.Generator().manual_seed(1)
    part = dataset().augmented(Augment(drop=0.2))
    torch.set_default_device("meta")
    try:
        batches = list(part.batches(4, shuffle=True, generator=generator))
    finally:
        torch.set_default_device(None)
    assert {labels.device.type for _, labels in batches} == {"cpu"}
    assert {spikes.ids.device.type for spikes, _ in batches} == {"cpu"}


def test_workers_leave_signals_to_who_wants_their_batches() -> None:
    batches = dataset().batches(1, workers=1)
    seen = [int(next(batches)[1])]
    (worker,) = multiprocessing.active_children()
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(int(worker.pid or 0), number)
    seen += [int(labels) for _, labels in batches]
    assert seen == list(range(10))


def test_workers_leave_the_global_generator_alone() -> None:
    drawn = []
    for workers in (0, 1):
        torch.manual_seed(1)
        list(dataset().batches(5, workers=workers))
        drawn.append(int(torch.randint(1000, ())))
    assert drawn[0] == drawn[1]


def test_capacity_counts_drops() -> None:
    x = torch.ones(3, 4, 10)
    part = SpikeDataset(SpikeTensor.from_dense(x), torch.arange(4), 4, capacity=6)
    (batch,) = part.batches(4)
    assert batch[0].capacity == 6
    assert int(batch[0].dropped.sum()) == 3 * 4 * 4
    augmented = part.augmented(Augment(jitter=0.01))
    (batch,) = augmented.batches(4)
    assert int(batch[0].dropped.sum()) == 3 * 4 * 4
    assert torch.equal(batch[0].ids, part.spikes.ids)
    assert part.augment is None


def test_a_subset_keeps_lists_capacity_and_drops() -> None:
    whole = SpikeDataset(dataset().spikes, torch.arange(10), 10, capacity=1)
    part = whole.subset([7, 1, 4])
    assert part.lists is whole.lists
    assert part.labels.tolist() == [7, 1, 4]
    assert torch.equal(part.spikes.ids, whole.spikes.select_batch([7, 1, 4]).ids)
    assert part.subset(torch.tensor([2])).labels.tolist() == [4]
    assert part[1][1] == 1
    assert len(part) == 3


def test_mistakes_get_one_sentence() -> None:
    spikes = dataset().spikes
    wanted = "labels: expected shape (10,), or (10, 3) for a label at every step"
    for labels in (torch.arange(9), torch.zeros(3, 10).long(), torch.zeros(10, 3, 1).long()):
        sentence = f"SpikeDataset: {wanted}, got {tuple(labels.shape)}"
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            SpikeDataset(spikes, labels, 10)
    every = torch.tensor([0, -100, 9]).expand(10, 3)
    sentence = "SpikeDataset: labels: expected 0..8, or -100 for none, got 0..9"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        SpikeDataset(spikes, every, 9)
    with pytest.raises(ValueError, match=re.escape("expected 0..9, got -100..9")):
        SpikeDataset(spikes, torch.arange(10).where(torch.arange(10) > 0, torch.tensor(-100)), 10)
    with pytest.raises(ValueError, match=re.escape("labels: expected 0..8, got 0..9")):
        SpikeDataset(spikes, torch.arange(10), 9)
    with pytest.raises(ValueError, match="batch_size: expected at least 1, got 0"):
        next(dataset().batches(0))
    with pytest.raises(ValueError, match="workers: expected at least 0, got -1"):
        next(dataset().batches(1, workers=-1))
    with pytest.raises(ValueError, match=re.escape("capacity: expected 1..10, got 11")):
        SpikeDataset(spikes, torch.arange(10), 10, capacity=11)


def test_numbers_that_are_no_integers() -> None:
    spikes, labels = dataset().spikes, torch.arange(10)
    for wrong in (labels + 0.7, labels * float("nan"), labels.tolist()):
        with pytest.raises(
            TypeError, match=r"^SpikeDataset: labels: expected an integer tensor, got"
        ):
            SpikeDataset(spikes, wrong, 10)
    with pytest.raises(TypeError, match=r"^SpikeDataset: classes: expected an integer, got float"):
        SpikeDataset(spikes, labels, 10.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^SpikeDataset: seed: expected 0..4294967295, got -1"):
        SpikeDataset(spikes, labels, 10, seed=-1)
    narrow = SpikeDataset(spikes, labels.to(torch.uint8), 10)
    assert narrow.labels.dtype == torch.int64


@pytest.mark.parametrize("wrong", [[1.7], [True] * 10, torch.tensor([0.5]), torch.ones(10) > 0])
def test_a_subset_wants_integers(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^SpikeDataset.subset: index: expected integers, got"):
        dataset().subset(wrong)


def with_step_labels() -> SpikeDataset:
    """Return ten samples of five steps; the label of step t of sample m is (m + t) % 7."""
    x = torch.eye(10).expand(5, 10, 10)
    labels = (torch.arange(10)[:, None] + torch.arange(5)) % 7
    return SpikeDataset(SpikeTensor.from_dense(x), labels, 7)


@pytest.mark.parametrize("workers", [0, 1])
def test_labels_of_steps(workers: int) -> None:
    dataset = with_step_labels()
    assert dataset.step_labels
    assert repr(dataset).endswith("7 classes, a label a step)")
    for spikes, labels in dataset.subset([3, 1, 9, 4]).batches(3, shuffle=True, workers=workers):
        assert (labels.dtype, type(labels)) == (torch.int64, torch.Tensor)
        assert labels.shape == spikes.shape[:2]
        sample = spikes.to_dense()[0].argmax(-1)
        assert torch.equal(labels, (sample + torch.arange(5)[:, None]) % 7)
    _, label = dataset[4]
    assert torch.equal(label, torch.tensor([[4], [5], [6], [0], [1]]))


def test_steps_without_a_label_are_not_counted() -> None:
    x = torch.eye(4).expand(5, 4, 4)
    labels = torch.full((4, 5), -100)
    labels[1, 2], labels[3, :2] = 2, 1
    dataset = SpikeDataset(SpikeTensor.from_dense(x), labels, 3)
    assert dataset.labelled == 3
    assert SpikeDataset(dataset.spikes, torch.arange(4) % 3, 3).labelled == 4


@pytest.mark.parametrize("workers", [0, 1])
def test_the_loader_of_torch_makes_batches_of_step_labels(workers: int) -> None:
    dataset = with_step_labels()
    loader = torch.utils.data.DataLoader(
        dataset,
        batch_size=4,
        num_workers=workers,
        multiprocessing_context="fork" if workers else None,
    )  # type: ignore[type-var]
    for (spikes, labels), (other, expected) in zip(loader, dataset.batches(4)):
        assert torch.equal(spikes.ids, other.ids)
        assert type(labels) is torch.Tensor
        assert torch.equal(labels, expected)


def test_labels_of_steps_move_in_time_with_their_sample() -> None:
    # Neuron t fires at step t alone, which has the label t: wherever it moves to, they are alike.
    x = torch.eye(6)[:, None].expand(6, 8, 6)
    labels = torch.arange(6).expand(8, 6)
    dataset = SpikeDataset(SpikeTensor.from_dense(x), labels, 6).augmented(Augment(offset=3))
    moved = set()
    for _ in range(4):
        ((spikes, got),) = dataset.batches(8)
        dense = spikes.to_dense()
        fired = dense.sum(-1) > 0
        assert torch.equal(got, dense.argmax(-1).masked_fill(~fired, -100))
        moved.update((got == 0).int().argmax(0)[(got == 0).any(0)].tolist())
    assert len(moved) > 2


def test_a_subset_wants_samples_that_are_there() -> None:
    assert dataset().subset([]).labels.tolist() == []
    assert dataset().subset([-1]).labels.tolist() == [9]
    for wrong in (10, -11):
        with pytest.raises(
            IndexError, match=f"^SpikeDataset.subset: index: expected 0..9, got {wrong}$"
        ):
            dataset().subset([0, wrong])
