from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Output, RunVertex, generators, sizes, worker_counts

from popsnn._internal.compaction import begins, keep, write_lists


@given(
    shape=st.tuples(st.integers(1, 4), st.integers(1, 5)),
    first=st.integers(0, 9),
    size=sizes,
    fraction=st.floats(0, 1),
    capacity_fraction=st.floats(0, 1),
    silent=st.booleans(),
    seeds=st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)),
    workers=worker_counts,
    rng=generators,
)
def test_lists_of_rows(
    run_vertex: RunVertex,
    shape: tuple[int, int],
    first: int,
    size: int,
    fraction: float,
    capacity_fraction: float,
    silent: bool,
    seeds: tuple[int, int],
    workers: int,
    rng: np.random.Generator,
) -> None:
    steps, batch = shape
    capacity = max(1, round(capacity_fraction * size))
    first = first % (steps * batch)  # rows of the tile: from the middle of a step on
    rows = steps * batch - first
    dense = (rng.random((steps, batch, size)) < fraction).astype(np.float32)
    after = run_vertex(
        "CompactSpikes",
        {
            "dense": dense.reshape(-1, size)[first:],
            "ids": Output((rows, capacity), "int32"),
            "counts": Output((rows, 2), "int32"),
            "values": Output((rows, capacity), "float32"),
            "drops": Output((rows, 2), "int32"),
        },
        {
            "rows": rows,
            "size": size,
            "capacity": capacity,
            "batch": batch,
            "step": first // batch,
            "sample": first % batch,
            "silent": int(silent),
            "seed": seeds[0],
            "layer": seeds[1],
        },
        workers=workers,
    )
    fired = torch.from_numpy(dense) != 0
    subthreshold = ~fired if silent else torch.zeros_like(fired)
    kept = keep(fired, subthreshold, capacity, begins(*seeds, 0, steps, batch, size))
    ids, counts = write_lists(kept.fired, kept.subthreshold, capacity)
    expected = {
        "ids": ids,
        "counts": counts,
        "drops": kept.dropped,
        "values": torch.arange(capacity) < counts[..., :1],
    }
    for name, tensor in expected.items():
        np.testing.assert_array_equal(after[name], tensor.flatten(0, 1)[first:], name)
