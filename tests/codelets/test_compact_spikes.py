from __future__ import annotations

from typing import Any

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
    batches,
    bit_masks,
    even,
    filler,
    generators,
    id_types,
    scalar,
    sizes,
)

from popsnn import compaction

STEPS = 3


def tile_masks(flags: Array, tiles: int, neurons_per_tile: int, words: int) -> Array:
    """Pack flags [samples, layer_size] to [tiles, samples, words] uint32."""
    starts = range(0, tiles * neurons_per_tile, neurons_per_tile)
    return np.stack([bit_masks(flags[:, n : n + neurons_per_tile], words) for n in starts])


def window_span(kept: Array, lost: int, begin: int) -> int:
    """Return the length of the cyclic interval from `begin` that holds who kept a place."""
    size = kept.size
    if lost == 0:
        return int(size)
    return int(max(((np.flatnonzero(kept) - begin) % size) + 1, default=0))


def compact(
    run_vertex: RunVertex, id_type: str, fired: Array, above: Array, **given_state: int
) -> Any:
    """Run the vertex on masks [samples, layer_size]; histories are full of `filler` before."""
    samples, layer_size = fired.shape
    step, seed = given_state.pop("step"), given_state.pop("seed")
    tiles, per_tile = given_state["tiles"], given_state["neurons_per_tile"]
    slots, words = given_state["slots"], given_state["words"]
    masks = [tile_masks(flags, tiles, per_tile, words) for flags in (fired, above)]
    dtype = np.dtype(ID_TYPES[id_type])

    def history(row: int, dtype: Any) -> InOut:
        return InOut(np.full((samples, STEPS, row), filler(dtype), dtype))

    return run_vertex(
        f"CompactSpikes<{id_type}>",
        {
            "masks": np.stack(masks, 2),
            "seed": np.array(seed, np.uint32),
            "step": scalar(step),
            "ids": Output((samples, slots), dtype),
            "counts": Output((samples, 2), "uint32"),
            "window": Output((samples, 3), "uint32"),
            "ids_history": history(slots, dtype),
            "counts_history": history(2, np.uint32),
            "window_history": history(3, np.uint32),
            "drop_history": history(2, np.uint32),
        },
        {"samples": samples, "steps": STEPS, "layer_size": layer_size, **given_state},
    )


@given(
    id_type=id_types,
    samples=batches,
    first_sample=st.integers(0, 9),
    tiles=st.integers(1, 4),
    neurons_per_tile=sizes,
    spare_words=st.integers(0, 1),
    step=st.integers(0, STEPS - 1),
    layer=st.integers(0, 3),
    seed=st.integers(0, 2**32 - 1),
    density=st.tuples(st.sampled_from((0, 0.1, 0.5, 1)), st.sampled_from((0, 0.1, 0.5, 1))),
    data=st.data(),
    rng=generators,
)
def test_lists_windows_and_drops(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    first_sample: int,
    tiles: int,
    neurons_per_tile: int,
    spare_words: int,
    step: int,
    layer: int,
    seed: int,
    density: tuple[float, float],
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    on_last_tile = data.draw(st.integers(1, neurons_per_tile))
    layer_size = (tiles - 1) * neurons_per_tile + on_last_tile
    capacity = data.draw(st.one_of(st.just(layer_size), st.integers(1, layer_size)))
    fired = rng.random((samples, layer_size)) < density[0]
    above = (rng.random((samples, layer_size)) < density[1]) & ~fired
    after = compact(
        run_vertex,
        id_type,
        fired,
        above,
        step=step,
        seed=seed,
        first_sample=first_sample,
        slots=even(capacity) + 2 * spare_words,
        capacity=capacity,
        layer=layer,
        tiles=tiles,
        neurons_per_tile=neurons_per_tile,
        words=(neurons_per_tile + 31) // 32,
    )

    begins = compaction.begins(seed, layer, step, 1, first_sample + samples, layer_size)
    begin = begins[0, first_sample:]
    kept = compaction.keep(torch.from_numpy(fired), torch.from_numpy(above), capacity, begin)
    ids, counts = compaction.write_lists(kept.fired, kept.above, capacity)
    np.testing.assert_array_equal(after["counts"], counts.numpy())
    np.testing.assert_array_equal(after["drop_history"][:, step], kept.dropped.numpy())
    for b in range(samples):
        fired_lost, above_lost = kept.dropped[b].tolist()
        at = int(begin[b])
        assert after["window"][b].tolist() == [
            at,
            window_span(kept.fired[b].numpy(), fired_lost, at),
            window_span(kept.above[b].numpy(), above_lost, at),
        ]
        listed = int(counts[b, 1])
        assert after["ids"][b, :listed].tolist() == ids[b, :listed].tolist()
        assert np.all(after["ids"][b, listed:] == filler(np.uint32))

    for current in ("ids", "counts", "window"):
        np.testing.assert_array_equal(after[f"{current}_history"][:, step], after[current])
    others = np.arange(STEPS) != step
    for name in ("ids", "counts", "window", "drop"):
        assert np.all(after[f"{name}_history"][:, others] == filler(np.uint32))


@given(
    neurons_per_tile=sizes,
    density=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    data=st.data(),
    rng=generators,
)
def test_window_tells_who_was_listed(
    run_vertex: RunVertex,
    neurons_per_tile: int,
    density: tuple[float, float],
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    capacity = data.draw(st.integers(1, neurons_per_tile))
    fired = rng.random((2, neurons_per_tile)) < density[0]
    above = (rng.random((2, neurons_per_tile)) < density[1]) & ~fired
    after = compact(
        run_vertex,
        "unsigned int",
        fired,
        above,
        step=1,
        seed=int(rng.integers(2**32)),
        first_sample=0,
        slots=even(capacity),
        capacity=capacity,
        layer=0,
        tiles=1,
        neurons_per_tile=neurons_per_tile,
        words=(neurons_per_tile + 31) // 32,
    )
    for b in range(2):
        begin, fired_span, above_span = after["window"][b].astype(np.int64)
        place = (np.arange(neurons_per_tile) - begin) % neurons_per_tile
        n_fired, n_listed = after["counts"][b]
        kept_fired, kept_above = np.split(after["ids"][b, :n_listed], [n_fired])
        np.testing.assert_array_equal(np.flatnonzero(fired[b] & (place < fired_span)), kept_fired)
        np.testing.assert_array_equal(np.flatnonzero(above[b] & (place < above_span)), kept_above)


def test_largest_short_ids(run_vertex: RunVertex) -> None:
    fired = np.zeros((1, 65536), bool)
    fired[0, [0, 32768, 65535]] = True
    above = np.zeros_like(fired)
    above[0, 65534] = True
    after = compact(
        run_vertex,
        "unsigned short",
        fired,
        above,
        step=0,
        seed=1,
        first_sample=0,
        slots=4,
        capacity=4,
        layer=0,
        tiles=2,
        neurons_per_tile=32768,
        words=1024,
    )
    assert after["ids"].tolist() == [[0, 32768, 65535, 65534]]
    assert after["window"][0, 1:].tolist() == [65536, 65536]
