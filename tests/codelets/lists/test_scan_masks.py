from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    MASK_BITS,
    Array,
    Output,
    RunVertex,
    bit_masks,
    filler,
    generators,
    mask_bits,
    sizes,
)


def field(flags: Array, bits: int) -> Array:
    """Pack a sample's flags [tiles, neurons] to a half of each tile's field: [tiles] uint32."""
    return bit_masks(flags, 1)[:, 0] & np.uint32((1 << bits) - 1)


@given(
    tiles=st.integers(1, 5),
    neurons_per_tile=sizes,
    density=st.tuples(st.sampled_from((0, 0.1, 0.5, 1)), st.sampled_from((0, 0.1, 0.5, 1))),
    spare=st.integers(0, 3),
    readers=st.integers(0, 2),
    data=st.data(),
    rng=generators,
)
def test_ids_of_both_masks(
    run_vertex: RunVertex,
    tiles: int,
    neurons_per_tile: int,
    density: tuple[float, float],
    spare: int,
    readers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    neurons = tiles * neurons_per_tile
    first = data.draw(st.integers(0, 65536 - neurons))
    fired = rng.random((tiles, neurons_per_tile)) < density[0]
    subthreshold = (rng.random((tiles, neurons_per_tile)) < density[1]) & ~fired
    bits, shift = mask_bits(neurons_per_tile), 0
    if bits == MASK_BITS:
        half = (neurons_per_tile + 31) // 32
        masks = np.concatenate([bit_masks(fired, half), bit_masks(subthreshold, half)], 1)
    else:  # among the fields of other samples
        shift = 2 * bits * data.draw(st.integers(0, MASK_BITS // (2 * bits) - 1))
        ours = (field(fired, bits) | field(subthreshold, bits) << np.uint32(bits)).astype(np.uint64)
        others = rng.integers(0, 2**32, tiles, np.uint64)
        others &= np.uint64(~(((1 << 2 * bits) - 1) << shift) & 0xFFFFFFFF)
        masks = (ours << np.uint64(shift) | others).astype(np.uint32)[:, None]
    block_capacity = neurons + spare
    delays = [rng.integers(0, 3, neurons).astype(np.uint32) for _ in range(readers)]
    undelayed = [first + np.flatnonzero(fired.ravel() & (of == 0)) for of in delays]
    # The rows of all readers are as long as the longest needs, or a little longer.
    row = max(1, *map(len, undelayed)) + spare if readers else 0
    late = {
        "delays": delays,
        "undelayed_ids": [Output((row,), "uint32") for _ in delays],
        "undelayed": Output((2,), "uint32"),
    }
    after = run_vertex(
        "ScanLateMasks" if readers else "ScanMasks",
        {
            "masks": masks,
            "ids": Output((block_capacity,), "uint32"),
            "counts": Output((2,), "uint32"),
            **(late if readers else {}),
        },
        {
            "tiles": tiles,
            "words": masks.shape[1],
            "bits": bits,
            "shift": shift,
            "first_neuron": first,
            "neurons_per_tile": neurons_per_tile,
            "block_capacity": block_capacity,
            **({"usual_at_once": 0} if readers else {}),
        },
    )
    fired_ids, subthreshold_ids = (first + np.flatnonzero(flags) for flags in (fired, subthreshold))
    assert after["counts"].tolist() == [len(fired_ids), len(subthreshold_ids)]
    between = np.full(block_capacity - len(fired_ids) - len(subthreshold_ids), filler(np.uint32))
    expected = np.concatenate([subthreshold_ids[::-1], between, fired_ids])
    np.testing.assert_array_equal(after["ids"], expected)
    if not readers:
        return
    numbers = [len(ids) for ids in undelayed]
    assert after["undelayed"].tolist() == numbers + [0] * (2 - readers)
    for ids, written in zip(undelayed, after["undelayed_ids"]):
        rest = np.full(row - len(ids), filler(np.uint32))
        np.testing.assert_array_equal(written, np.concatenate([ids, rest]))
