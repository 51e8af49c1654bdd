from __future__ import annotations

import pickle

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from popsnn import SpikeTensor
from popsnn.data import SpikeLists


@st.composite
def dense_samples(draw: st.DrawFn) -> torch.Tensor:
    """Return spikes [T, M, N]."""
    shape = [draw(st.integers(1, 5)), draw(st.integers(1, 6)), draw(st.integers(1, 40))]
    share = draw(st.sampled_from([0.0, 0.1, 0.6, 1.0]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    return (torch.rand(*shape, generator=generator) < share).float()


def lists_of(x: torch.Tensor) -> SpikeLists:
    step, sample, neuron = (column.numpy() for column in x.nonzero(as_tuple=True))
    return SpikeLists.from_events(
        (sample, step, neuron), x.shape[1], x.shape[0], (1, 1, x.shape[2])
    )


@given(dense_samples(), st.integers(0, 3))
def test_batches_are_what_from_dense_gives(x: torch.Tensor, seed: int) -> None:
    lists = lists_of(x)
    everything = np.arange(x.shape[1])
    for capacity in {lists.longest, max(1, lists.longest // 2)}:
        got = lists.batch(everything, capacity, seed)
        expected = SpikeTensor.from_dense(x, capacity, seed=seed)
        for name in ("ids", "counts", "dropped", "values"):
            assert torch.equal(getattr(got, name), getattr(expected, name))
        # A sample loses the same spikes whatever its batch.
        index = everything[::-2].copy()
        part, whole = lists.batch(index, capacity, seed), got.select_batch(index)
        assert torch.equal(part.ids, whole.ids)
        assert torch.equal(part.dropped, whole.dropped)


@given(dense_samples())
def test_forms_of_lists(x: torch.Tensor) -> None:
    lists = lists_of(x)
    index = np.arange(x.shape[1])[::-1].copy()
    expected = x[:, index]
    step, position, neuron = (torch.from_numpy(c).long() for c in lists.events(index))
    assert bool((position.diff() >= 0).all())
    dense = torch.zeros_like(x)
    dense[step, position, neuron] = 1
    assert torch.equal(dense, expected)
    assert torch.equal(
        lists.select(index).batch(np.arange(len(index)), x.shape[2]).to_dense(), dense
    )
    twice = SpikeLists.joined([lists, lists.select(index)])
    both = twice.batch(np.arange(len(twice)), x.shape[2]).to_dense()
    assert torch.equal(both, torch.cat([x, expected], dim=1))
    again = SpikeLists.from_spikes(SpikeTensor.from_dense(x))
    np.testing.assert_array_equal(again.ids, lists.ids)
    np.testing.assert_array_equal(again.lengths, lists.lengths)


def test_events_that_meet_are_merged_and_counted() -> None:
    columns = (np.array([1, 1, 0, 1]), np.array([0, 0, 1, 0]), np.array([3, 3, 2, 1]))
    lists = SpikeLists.from_events(columns, 2, 2, (1, 1, 5), late=np.array([7, 0]))
    assert lists.merged.tolist() == [0, 1]
    assert lists.late.tolist() == [7, 0]
    assert lists.ids.tolist() == [2, 1, 3]
    assert lists.ids.dtype == np.uint16
    assert pickle.loads(pickle.dumps(lists)).lengths.tolist() == [[0, 1], [2, 0]]


def test_many_neurons_have_wide_ids() -> None:
    lists = SpikeLists.from_events(tuple(np.array([[0], [0], [70000]])), 1, 1, (1, 1, 70001))
    assert lists.ids.dtype == np.int32
    assert lists.batch(np.array([0]), 2).ids.tolist() == [[[70000, 0]]]


def test_gradient_entries_of_a_spike_tensor_are_no_spikes() -> None:
    spikes = SpikeTensor(torch.tensor([[[1, 4, 2]]]), torch.tensor([[[2, 3]]]), 6)
    assert SpikeLists.from_spikes(spikes).ids.tolist() == [1, 4]
