"""The loops of set_spike_grad in assembly: a part's entries and sums, in the bundles counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import generators, on_grid
from tests.codelets.worker_isa import Worker, run_kernel
from tests.codelets.worker_text import parse, read_kernel

HEADER = Path(__file__).resolve().parents[3] / "codelets" / "common" / "part_ipu.hpp"


@given(
    entries=st.integers(1, 12), first=st.integers(0, 30), size=st.integers(1, 30), rng=generators
)
def test_next_of_part(entries: int, first: int, size: int, rng: np.random.Generator) -> None:
    program = parse(read_kernel(HEADER, "next_of_part"), {})
    ids = np.sort(rng.permutation(80)[: 6 * entries - 5]).astype(np.uint16)
    worker = Worker()
    worker.place("entry", ids)
    start = worker.m["entry"]
    worker.m.update(more=entries - 1, first=first, size=size)
    found = []
    while True:
        worker.run(program)
        if worker.m["at"] >= size:
            break
        found.append((worker.m["entry"] - start) // 12 - 1)
        assert worker.m["at"] == ids[6 * found[-1]] - first
        if worker.m["more"] == 0:
            break
        worker.m["more"] -= 1
    own = ids[::6].astype(int) - first
    assert found == np.flatnonzero((own >= 0) & (own < size)).tolist()
    assert worker.issued == 5 * entries - len(found)


@given(sources=st.integers(1, 5), stride=st.integers(1, 4), rng=generators)
def test_sum_of_the_sources(sources: int, stride: int, rng: np.random.Generator) -> None:
    sums, total = on_grid(rng, sources, stride), np.full(1, np.nan, np.float32)
    words = {"stride": stride, "more": sources - 1}
    taken = run_kernel(HEADER, "sum_sources", {"entry": sums, "sum": total}, words)
    assert total[0] == sums[:, 0].sum()
    assert taken == sources + 4
