"""Estimates against the bundles that a code generator for the chip needed.

An audit of the codelets at f972f64 compiled them with an assembler and a code generator written
from public sources for the workers' instruction set, which agree with Graphcore's public tests of
its own assembler in 195 of 236 instructions, and ran them for six workers. Its counts are of the
slowest worker, from its start to its exit. `compiled` is its code as it is, `best` without the
branches and increments of inner loops of one block, which hardware loops and post-increments save.

At that commit ranges of workers took a division of 17 bundles. For three vertices the audit gives
counts with a product and a shift instead; from those of fetch_step and merge_lists, which find the
begin and the end of one range, 2 * (17 - 2) bundles are taken here. The vertices below have not
changed otherwise. One that changes leaves the table: its terms stay those of the others.
"""

from __future__ import annotations

from typing import Dict, Tuple

import pytest
from tests.codelets.test_cycles import evaluate

from popsnn.profiling.report import COMPUTE

WORKERS, SUPERVISOR = 6, 11
DIVISIONS = 2 * (17 - 2)  # saved where a call finds one range

TOLERANCE = 0.1  # of the code as compiled
TOGETHER = 0.05  # of all of them

# By expression: best and compiled bundles; compiled bundles with products instead of divisions.
AUDIT: Dict[str, Tuple[int, int, int]] = {
    "scatter_spike_grad(6, 72, 1)": (1578, 1722, 1442),
    "clear_spike_grad(6, 72)": (615, 831, 643),
    "fetch_step(8, 72, true)": (331, 523, 523 - DIVISIONS),
    "adam_update(7200)": (19985, 19985, 19985),
}
# Of a vertex of one worker, whose estimate has no supervisor.
ONE_WORKER = {"reduce_partials(82, 72)": (3439, 3439, 3439)}


@pytest.fixture(scope="module")
def estimates(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, float]:
    """Return the bundles of the slowest worker that the headers say."""
    cycles = evaluate([*AUDIT, *ONE_WORKER], tmp_path_factory.mktemp("audit"))
    return {
        text: float(count) if text in ONE_WORKER else (count - SUPERVISOR) / WORKERS
        for text, count in cycles.items()
    }


@pytest.mark.parametrize("vertex", sorted({**AUDIT, **ONE_WORKER}))
def test_an_estimate_is_what_a_compiler_needs(estimates: Dict[str, float], vertex: str) -> None:
    best, compiled, without_divisions = {**AUDIT, **ONE_WORKER}[vertex]
    assert estimates[vertex] == pytest.approx(without_divisions, rel=TOLERANCE)
    assert estimates[vertex] >= best - (compiled - without_divisions) - TOLERANCE * best


def test_estimates_together(estimates: Dict[str, float]) -> None:
    small = [text for text in AUDIT if not text.startswith("adam")]  # nearly all of it is a loop
    compiled = sum(AUDIT[text][2] for text in small)
    assert sum(estimates[text] for text in small) == pytest.approx(compiled, rel=TOGETHER)


def test_the_expected_range_of_compute(estimates: Dict[str, float]) -> None:
    small = {text: counts for text, counts in AUDIT.items() if not text.startswith("adam")}
    best = sum(best - (compiled - other) for best, compiled, other in small.values())
    least = best / sum(estimates[text] for text in small)
    most = max(other / estimates[text] for text, (_, _, other) in small.items())
    assert COMPUTE[0] <= least < COMPUTE[0] + 0.01
    assert COMPUTE[1] - 0.01 < most <= COMPUTE[1]
