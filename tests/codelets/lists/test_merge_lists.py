from __future__ import annotations

from typing import Any, Dict, Sequence, Tuple

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    Array,
    InOut,
    Output,
    RunVertex,
    even,
    filler,
    generators,
    history_row,
    id_types,
    scalar,
    worker_counts,
)

from popsnn._internal import compaction

STEPS = 3


def blocks_of(fired: Array, subthreshold: Array, bounds: Any, capacity: int) -> Tuple:
    """Return ids [blocks, capacity] and counts [blocks, 2] of flags [size] cut at `bounds`."""
    ids = np.full((len(bounds) - 1, capacity), filler(np.uint32), np.uint32)
    counts = np.zeros((len(bounds) - 1, 2), np.uint32)
    for block, (begin, end) in enumerate(zip(bounds, bounds[1:])):
        first, last = (begin + np.flatnonzero(flags[begin:end]) for flags in (fired, subthreshold))
        ids[block, capacity - len(first) :] = first
        ids[block, : len(last)] = last[::-1]
        counts[block] = len(first), len(last)
    return ids, counts


def merge(
    run_vertex: RunVertex,
    id_type: str,
    fired: Array,  # [size]
    subthreshold: Array,  # [size]
    bounds: Any,  # [blocks + 1]
    workers: int = 6,
    delays: Sequence[Array] = (),  # of readers [size]
    **choices: int,
) -> Dict[str, Array]:
    """Run the vertex on a sample's flags; histories are full of `filler` before."""
    dtype = ID_TYPES[id_type]
    spare = choices.pop("spare", 0)
    block_capacity = max(np.diff(bounds)) + spare
    block_ids, counts = blocks_of(fired, subthreshold, bounds, block_capacity)
    # What scan_late_masks lists of each block, in rows as long as the longest needs or longer.
    of_blocks = [
        [begin + np.flatnonzero((fired & (of == 0))[begin:end]) for of in delays]
        for begin, end in zip(bounds, bounds[1:])
    ]
    row = max([1, *(len(ids) for readers in of_blocks for ids in readers)]) + spare
    undelayed = np.zeros((len(counts), 2), np.uint32)
    undelayed_ids = [np.full((len(counts), row), filler(np.uint32), np.uint32) for _ in delays]
    for block, readers in enumerate(of_blocks):
        for reader, ids in enumerate(readers):
            undelayed_ids[reader][block, : len(ids)] = ids
            undelayed[block, reader] = len(ids)
    rooms = [min(int((of == 0).sum()), choices["capacity"]) for of in delays]  # as in a network
    seed, first_step, step = (choices.pop(name) for name in ("seed", "first_step", "step"))

    def history(rows: int, row: int, dtype: Any = np.uint32) -> InOut:
        return InOut(np.full((rows, row), filler(dtype), dtype))

    return run_vertex(
        f"MergeLists<{id_type}>",
        {
            "block_ids": block_ids,
            "block_counts": counts,
            "sequence": np.array([seed, first_step], np.uint32),
            "step": scalar(step),
            "ids": Output((choices["padded_capacity"],), dtype),
            "counts": Output((2,), "uint32"),
            "window": Output((3,), "uint32"),
            "ids_history": history(1 + STEPS, choices["padded_capacity"], dtype),
            "counts_history": history(1 + STEPS, 2),
            "window_history": history(1 + STEPS, 3),
            "drop_history": history(STEPS, 2),
            "delays": [each.astype(np.uint32) for each in delays],
            "undelayed_ids": undelayed_ids,
            "undelayed": [undelayed] if delays else [],
            "at_once": [Output((even(max(1, room)),), dtype) for room in rooms],
            "at_once_counts": [Output((1,), "uint32") for _ in delays],
        },
        {
            "readers": len(delays),
            "undelayed_capacity": row,
            "usual_at_once": 0,
            "blocks": len(counts),
            "block_capacity": block_capacity,
            "layer_size": fired.size,
            **choices,
        },
        workers=workers,
    )


def window_span(kept: Array, dropped: int, begin: int) -> int:
    """Return the length of the cyclic interval from `begin` that has the neurons kept."""
    size = kept.size
    if dropped == 0:
        return int(size)
    return int(max(((np.flatnonzero(kept) - begin) % size) + 1, default=0))


@given(
    id_type=id_types,
    layer_size=st.one_of(st.integers(1, 130), st.sampled_from((1, 31, 33, 64))),
    cuts=st.lists(st.integers(0, 130), max_size=6),
    spare=st.integers(0, 3),
    spare_entries=st.integers(0, 3),
    density=st.tuples(st.sampled_from((0, 0.1, 0.5, 1)), st.sampled_from((0, 0.1, 0.5, 1))),
    step=st.integers(0, STEPS - 1),
    first_step=st.one_of(st.integers(0, 100), st.just(2**32 - 1)),
    seed=st.integers(0, 2**32 - 1),
    layer=st.integers(0, 3),
    sample=st.integers(0, 9),
    readers=st.integers(0, 2),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_lists_windows_and_drops(
    run_vertex: RunVertex,
    id_type: str,
    layer_size: int,
    cuts: list[int],
    spare: int,
    spare_entries: int,
    density: tuple[float, float],
    step: int,
    first_step: int,
    seed: int,
    layer: int,
    sample: int,
    readers: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    capacity = data.draw(st.one_of(st.just(layer_size), st.integers(1, layer_size)))
    delays = [rng.integers(0, 3, layer_size) for _ in range(readers)]
    fired = rng.random(layer_size) < density[0]
    subthreshold = (rng.random(layer_size) < density[1]) & ~fired
    after = merge(
        run_vertex,
        id_type,
        fired,
        subthreshold,
        [0, *sorted(min(cut, layer_size) for cut in cuts), layer_size],
        spare=spare,
        workers=workers,
        delays=delays,
        padded_capacity=even(capacity + spare_entries),
        capacity=capacity,
        seed=seed,
        first_step=first_step,
        step=step,
        layer=layer,
        sample=sample,
    )
    t = (first_step + step) % 2**32
    begin = compaction.begins(seed, layer, t, 1, sample + 1, layer_size)[0, sample:]
    flags = (torch.from_numpy(flags[None]) for flags in (fired, subthreshold))
    kept = compaction.keep(*flags, capacity, begin)
    ids, counts = compaction.write_lists(kept.fired, kept.subthreshold, capacity)
    assert after["counts"].tolist() == counts[0].tolist()
    fired_dropped, subthreshold_dropped = kept.dropped[0].tolist()
    assert after["window"].tolist() == [
        int(begin) if kept.dropped.any() else 0,
        window_span(kept.fired[0].numpy(), fired_dropped, int(begin)),
        window_span(kept.subthreshold[0].numpy(), subthreshold_dropped, int(begin)),
    ]
    active = int(counts[0, 1])
    assert after["ids"][:active].tolist() == ids[0, :active].tolist()
    written = even(active) if id_type == "unsigned short" else active  # whole words
    assert np.all(after["ids"][written:] == filler(np.uint32))

    for reader in range(readers):
        expected = after["ids"][: int(counts[0, 0])]
        expected = expected[delays[reader][expected] == 0]
        assert after["at_once_counts"][reader].tolist() == [len(expected)]
        np.testing.assert_array_equal(after["at_once"][reader][: len(expected)], expected)
        written = even(len(expected)) if id_type == "unsigned short" else len(expected)
        assert np.all(after["at_once"][reader][written:] == filler(after["at_once"][reader].dtype))

    now = history_row(step)
    for current in ("ids", "counts", "window"):
        np.testing.assert_array_equal(after[f"{current}_history"][now], after[current])
        others = np.delete(after[f"{current}_history"], now, 0)
        assert np.all(others == filler(np.uint32))
    assert after["drop_history"][step].tolist() == [fired_dropped, subthreshold_dropped]
    assert np.all(np.delete(after["drop_history"], step, 0) == filler(np.uint32))


@given(
    layer_size=st.integers(1, 70),
    density=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    data=st.data(),
    rng=generators,
)
def test_window_tells_which_neurons_were_kept(
    run_vertex: RunVertex,
    layer_size: int,
    density: tuple[float, float],
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    capacity = data.draw(st.integers(1, layer_size))
    fired = rng.random(layer_size) < density[0]
    subthreshold = (rng.random(layer_size) < density[1]) & ~fired
    after = merge(
        run_vertex,
        "unsigned int",
        fired,
        subthreshold,
        [0, layer_size // 2, layer_size],
        padded_capacity=capacity,
        capacity=capacity,
        seed=int(rng.integers(2**32)),
        first_step=0,
        step=1,
        layer=0,
        sample=0,
    )
    begin, fired_span, subthreshold_span = after["window"].astype(np.int64)
    position = (np.arange(layer_size) - begin) % layer_size
    kept_fired, kept_subthreshold = np.split(
        after["ids"][: after["counts"][1]], [int(after["counts"][0])]
    )
    # The window alone identifies the neurons kept; their order is the list's.
    np.testing.assert_array_equal(
        np.flatnonzero(fired & (position < fired_span)), np.sort(kept_fired)
    )
    np.testing.assert_array_equal(
        np.flatnonzero(subthreshold & (position < subthreshold_span)), np.sort(kept_subthreshold)
    )
    assert np.all(np.diff(kept_fired.astype(np.int64)) > 0)
    assert np.all(np.diff(kept_subthreshold.astype(np.int64)) > 0)


def test_largest_short_ids(run_vertex: RunVertex) -> None:
    fired = np.zeros(65536, bool)
    fired[[0, 32768, 65535]] = True
    subthreshold = np.zeros_like(fired)
    subthreshold[65534] = True
    after = merge(
        run_vertex,
        "unsigned short",
        fired,
        subthreshold,
        [0, 40000, 65536],
        padded_capacity=4,
        capacity=4,
        seed=1,
        first_step=0,
        step=0,
        layer=0,
        sample=0,
    )
    assert after["ids"].tolist() == [0, 32768, 65535, 65534]
    assert after["window"][1:].tolist() == [65536, 65536]
