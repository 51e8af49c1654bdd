"""Native listing of events against its definition in torch."""

from __future__ import annotations

import importlib
from typing import Any, List, Tuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from popsnn import SpikeTensor, events

HAS_NATIVE = events._native() is not None
needs_native = pytest.mark.skipif(not HAS_NATIVE, reason="popsnn._core is not built")

Shape = Tuple[int, int, int]


@st.composite
def lists_of_events(draw: st.DrawFn) -> Tuple[List[np.ndarray], Shape]:
    shape = (draw(st.integers(1, 6)), draw(st.integers(1, 5)), draw(st.integers(1, 3000)))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.sampled_from([0, 1, 10, 300, 4000]))
    dtype = draw(st.sampled_from([np.int32, np.int64]))
    columns = [generator.integers(0, bound, count).astype(dtype) for bound in shape]
    if draw(st.booleans()):  # every list ascends already
        order = np.lexsort(columns[::-1])
        columns = [column[order] for column in columns]
    if draw(st.booleans()):  # columns of a table
        columns = list(np.stack(columns, axis=1).T)
    return columns, shape


@needs_native
@given(lists_of_events())
def test_native_sort_is_the_reference(case: Tuple[List[np.ndarray], Shape]) -> None:
    columns, shape = case
    expected = events._sort_in_torch(columns, shape, True)
    for got, wanted in zip(events.sort_events(columns, shape, merge=True), expected):
        assert got.dtype == wanted.dtype == np.int32
        np.testing.assert_array_equal(got, wanted)


def at_an_odd_address(array: np.ndarray) -> np.ndarray:
    buffer = np.zeros(array.nbytes + 1, np.uint8)
    out: np.ndarray = np.ndarray(array.shape, array.dtype, buffer=buffer.data, offset=1)
    out[...] = array
    assert out.size == 0 or not out.flags.aligned
    return out


# Wrong reads of such memory are seen by `make sanitize` alone.
@pytest.mark.parametrize("rows", [1, 7])
@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_events_at_an_odd_address(rows: int, dtype: Any) -> None:
    table = np.array([(i % 2, i % 3, 5 * i) for i in range(rows)], dtype)
    expected = SpikeTensor.from_events(table, (2, 3, 64))
    columns = tuple(at_an_odd_address(column) for column in table.T)
    for form in (at_an_odd_address(table), columns):
        got = SpikeTensor.from_events(form, (2, 3, 64))
        assert torch.equal(got.ids, expected.ids)
        assert torch.equal(got.counts, expected.counts)


@needs_native
def test_lists_at_odd_addresses_or_with_strides_are_padded() -> None:
    ids, first = np.array([3, 5, 7, 2, 9], np.int32), np.array([0, 3])
    lengths, begin = np.array([3, 2], np.int32), np.array([4, 0])
    expected = events._pad_in_torch(ids, first, lengths, begin, 2)
    for arrays in (
        [at_an_odd_address(a) for a in (ids, first, lengths, begin)],
        [np.stack([a, a], axis=1)[:, 0] for a in (ids, first, lengths, begin)],
    ):
        if not arrays[0].flags.c_contiguous:
            arrays[0] = ids  # whose type chooses the kernel, and must be as it is
        for got, wanted in zip(events.pad_lists(*arrays, 2), expected):
            np.testing.assert_array_equal(got, wanted)


@needs_native
@pytest.mark.parametrize("shape", [(2**40, 2**40, 4), (2**32, 2**32, 4), (1, 1, 2**31)])
def test_shapes_that_no_list_can_have(shape: Shape) -> None:
    with pytest.raises(ValueError, match="from_events: shape: expected at most 2147483647, got"):
        SpikeTensor.from_events(np.zeros((1, 3), np.int64), shape, capacity=1)


@needs_native
@given(lists_of_events(), st.integers(1, 40), st.sampled_from([np.int32, np.uint16]))
def test_native_rows_are_the_reference(
    case: Tuple[List[np.ndarray], Shape], places: int, dtype: Any
) -> None:
    columns, shape = case
    lengths, ids = events.sort_events(columns, shape, merge=True)
    begin = np.random.default_rng(places).integers(0, shape[2], len(lengths))
    first = np.cumsum(lengths, dtype=np.int64) - lengths
    order = np.random.default_rng(places).permutation(len(lengths))  # lists in any order
    arguments = (ids.astype(dtype), first[order], lengths[order], begin[order], places)
    expected = events._pad_in_torch(*arguments)
    for got, wanted in zip(events.pad_lists(*arguments), expected):
        assert got.dtype == wanted.dtype == np.int32
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("threads", [1, 2, 3])
@needs_native
def test_threads_change_nothing(threads: int) -> None:
    # Enough events for three threads, in lists of all lengths and in no order.
    generator = np.random.default_rng(0)
    shape = (7, 11, 20000)
    step = (generator.random(300_000) ** 4 * shape[0]).astype(np.int32)
    columns = [step] + [generator.integers(0, n, len(step), dtype=np.int32) for n in shape[1:]]
    core = importlib.import_module("popsnn._core")
    got = core.sort_events(*columns, *shape, True, threads)
    for array, wanted in zip(got, events._sort_in_torch(columns, shape, True)):
        np.testing.assert_array_equal(array, wanted)


def mistakes() -> List[Any]:
    far = np.zeros(200_000, np.int64)
    far[150_000] = -3
    far[190_000] = -4
    return [
        ((np.array([0, 5]), np.array([0, 0]), np.array([0, 0])), "expected t in 0..3, got 5"),
        ((np.array([0, 1]), np.array([2, 2]), np.array([0, 0])), "expected b in 0..1, got 2"),
        ((far * 0, far * 0, far), "expected n in 0..49, got -3"),
        (
            (np.array([3, 1, 3] * 9), np.array([1, 0, 1] * 9), np.arange(27) // 2),
            "expected each (t, b, n) once, got (3, 1, 1) twice",
        ),
        (
            (np.array([0]), np.array([0]), np.array([2**63 + 7], np.uint64)),
            "expected integers of 64 bits, got 9223372036854775815",
        ),
    ]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(("columns", "sentence"), mistakes())
def test_mistakes_get_the_same_sentence(
    columns: Any, sentence: str, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not native:
        monkeypatch.setattr(events, "_native", lambda: None)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the whole sentence is compared below
        SpikeTensor.from_events(columns, (4, 2, 50))
    assert str(caught.value) == f"SpikeTensor.from_events: events: {sentence}"


def test_events_of_every_layout() -> None:
    packed = np.zeros(3, np.dtype([("t", np.int16), ("on", bool), ("x", np.int64)]))
    packed["t"], packed["x"] = [1, 0, 1], [2, 4, 0]
    zeros = np.zeros(3, np.uint8)
    expected = [[[0, 2]], [[4, 0]]][::-1]
    for columns in (
        (packed["t"], zeros, packed["x"]),
        (packed["t"][::-1], zeros, packed["x"][::-1]),
        (torch.tensor([1, 0, 1]), torch.zeros(3, dtype=torch.int32), [2, 4, 0]),
    ):
        assert SpikeTensor.from_events(columns, (2, 1, 5)).ids.tolist() == expected


def test_without_the_native_part_the_lists_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    x = (torch.rand(4, 5, 60) < 0.4).nonzero()
    with_native = SpikeTensor.from_events(x, (4, 5, 60), 11, seed=3)
    monkeypatch.setattr(events, "_native", lambda: None)
    without = SpikeTensor.from_events(x, (4, 5, 60), 11, seed=3)
    assert torch.equal(with_native.ids, without.ids)
    assert torch.equal(with_native.counts, without.counts)
    assert torch.equal(with_native.dropped, without.dropped)


@pytest.mark.parametrize(
    "shape", [(2**31, 1, 1), (1, 1, 2**31), (2**16, 2**16, 4), (2**40, 2**40, 4)]
)
def test_shapes_beyond_32_bits(shape: Shape) -> None:
    with pytest.raises(
        ValueError, match=r"^SpikeTensor.from_events: shape: expected at most 2147483647, got \d+$"
    ):
        SpikeTensor.from_events(np.zeros((1, 3), int), shape)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5])
def test_seeds_that_a_hash_takes_whole(seed: Any) -> None:
    for make in (
        lambda: SpikeTensor.from_events(np.zeros((1, 3), int), (1, 1, 1), seed=seed),
        lambda: SpikeTensor.from_dense(torch.zeros(1, 1, 1), seed=seed),
    ):
        with pytest.raises((ValueError, TypeError), match=r"from_\w+: seed: expected .*, got "):
            make()
