from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from popsnn import SpikeTensor
from popsnn.data import SpikeLists


@st.composite
def dense_samples(draw: st.DrawFn) -> torch.Tensor:
    """Return spikes [T, M, N]."""
    shape = [draw(st.integers(1, 5)), draw(st.integers(1, 6)), draw(st.integers(1, 40))]
    fraction = draw(st.sampled_from([0.0, 0.1, 0.6, 1.0]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    return (torch.rand(*shape, generator=generator) < fraction).float()


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


def test_events_that_are_no_integers_of_their_size() -> None:
    def listed(*columns: Any, **changes: Any) -> SpikeLists:
        arguments = {"samples": 2, "steps": 2, "grid": (1, 1, 5), **changes}
        return SpikeLists.from_events(tuple(map(np.array, columns)), **arguments)

    assert listed([0, 1], [1, 0], [4, 2]).ids.tolist() == [4, 2]
    for columns, changes, kind, sentence in (
        (([0], [0], [2.7]), {}, TypeError, "events: expected integers, got float64"),
        (([0], [0], [np.nan]), {}, TypeError, "events: expected integers, got float64"),
        (([0], [0], [2**32 + 3]), {}, ValueError, "events: expected n in 0..4, got 4294967299"),
        (([0], [0, 1], [3, 3]), {}, ValueError, "events: expected three arrays of one length"),
        (([], [], []), {"grid": (1, 2.5, 5)}, TypeError, "grid: expected an integer, got float"),
        (([], [], []), {"grid": (2**16, 2**16, 1)}, ValueError, "grid: expected at most 21474836"),
        (([], [], []), {"steps": 2**31}, ValueError, "steps: expected at most 2147483647, got"),
        (
            ([], [], []), {"samples": 2**16, "steps": 2**16}, ValueError,
            "samples times steps: expected at most 2147483647, got 4294967296",
        ),
    ):  # fmt: skip
        with pytest.raises(kind, match=f"^(SpikeLists.from_events: )?{re.escape(sentence)}"):
            listed(*columns, **changes)


def test_lists_that_do_not_match_get_one_sentence() -> None:
    right: Any = {
        "ids": np.array([1, 4, 0]), "lengths": np.array([[2, 0], [0, 1]]), "grid": (1, 1, 5),
        "late": np.array([0, 7]),
    }  # fmt: skip
    lists = SpikeLists(**right)
    assert (lists.ids.dtype, lists.lengths.dtype) == (np.uint16, np.int32)
    assert lists.batch(np.arange(2), 2).to_dense().nonzero().tolist() == [
        [0, 0, 1], [0, 0, 4], [1, 1, 0],
    ]  # fmt: skip
    for changes, sentence in (
        ({"ids": np.array([1, 4])}, "ids: expected 3 as the lengths say, got 2"),
        ({"ids": np.array([1, 4, 5])}, "ids: expected 0..4, got 5"),
        ({"ids": np.array([1, 4, -1])}, "ids: expected 0..4, got -1"),
        ({"ids": np.array([1, 4, 0.5])}, "ids: expected integers of 1 dimensions, got float64"),
        ({"ids": np.array([4, 1, 0])}, "ids: expected ascending ids in each list, got 4 before 1"),
        ({"ids": np.array([4, 4, 0])}, "ids: expected ascending ids in each list, got 4 before 4"),
        ({"lengths": np.array([2, 1])}, "lengths: expected integers of 2 dimensions, got int64"),
        ({"lengths": np.array([[2, -1], [1, 1]])}, "lengths: expected 0..5, got -1"),
        ({"lengths": np.array([[2**32, 0], [0, 3]])}, "lengths: expected 0..5, got 4294967296"),
        ({"grid": (1, 5)}, "grid: expected (P, H, W), got (1, 5)"),
        ({"late": np.array([7])}, "late: expected integers of shape (2,), got int64 of shape (1,)"),
        ({"merged": np.zeros(2)}, "merged: expected integers of shape (2,), got float64 of shape"),
    ):
        with pytest.raises(ValueError, match=f"^SpikeLists: {re.escape(sentence)}"):
            SpikeLists(**{**right, **changes})
