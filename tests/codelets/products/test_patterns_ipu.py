"""The loops over patterns in assembly do what they say, in the bundles that are counted."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Dict, List

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import floats, generators, on_grid
from tests.codelets.worker_isa import run_kernel
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[3] / "codelets"
HEADER = CODELETS / "products/pattern_loops_ipu.hpp"
LONGEST = 9
ROW_PAIRS = range(4, 25)  # of add_sums_row

Bundles = Dict[str, List[int]]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Bundles:
    """Return by function the bundles that cycles.hpp counts for 0, 1, 2 ... turns."""
    folder = tmp_path_factory.mktemp("patterns")
    calls = {name: f"{name}(n)" for name in ("sum_pairs", "add_sums2", "add_sums4")}
    calls.update({f"add_sums_row{pairs}": f"add_sums_row({pairs}, n)" for pairs in ROW_PAIRS})
    prints = "".join(
        f'for (int n = 0; n <= {LONGEST}; ++n) std::printf("%d ", int(popsnn::cycles::{call}));\n'
        'std::printf("\\n");\n'
        for call in calls.values()
    )
    (folder / "count.cpp").write_text(
        f'#include "products/cycles.hpp"\n#include <cstdio>\nint main() {{ {prints} }}\n'
    )
    command = [CXX, "-std=c++17", f"-I{CODELETS}", "count.cpp", "-o", "count"]
    subprocess.run(command, cwd=folder, check=True)
    lines = subprocess.run([folder / "count"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {name: [int(n) for n in line.split()] for name, line in zip(calls, lines.splitlines())}


@given(pairs=st.integers(0, LONGEST), rng=generators)
def test_sum_pairs(bundles: Bundles, pairs: int, rng: np.random.Generator) -> None:
    names = ("first", "second", "base", "with_first", "with_second", "with_both")
    arrays = {name: on_grid(rng, 2 * pairs) for name in names}
    first, second, base = (arrays[name].copy() for name in names[:3])
    taken = run_kernel(HEADER, "sum_pairs", arrays, {"pairs": pairs})
    np.testing.assert_array_equal(arrays["with_first"], base + first)
    np.testing.assert_array_equal(arrays["with_second"], base + second)
    np.testing.assert_array_equal(arrays["with_both"], base + second + first)
    assert taken == bundles["sum_pairs"][pairs]


@given(
    columns=st.sampled_from((2, 4)),
    wider=st.integers(0, 3),
    count=st.integers(1, LONGEST),
    rng=generators,
)
def test_add_sums(
    bundles: Bundles, columns: int, wider: int, count: int, rng: np.random.Generator
) -> None:
    width = columns + 2 * wider
    rows, sums = floats(rng, count, width), floats(rng, 16, width)
    patterns = rng.integers(0, 16, count).astype(np.uint8)
    expected = rows.copy()
    expected[:, :columns] += sums[patterns, :columns]
    arrays = {"rows": rows, "sums": sums, "patterns": patterns}
    words = {"stride": 4 * width, "step": width // 2, "more": count - 1}
    taken = run_kernel(HEADER, f"add_sums{columns}", arrays, words)
    np.testing.assert_array_equal(rows, expected)
    assert taken == bundles[f"add_sums{columns}"][count]


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(0, LONGEST), rng=generators)
def test_add_sums_row(bundles: Bundles, pairs: int, count: int, rng: np.random.Generator) -> None:
    rows, sums = floats(rng, count, 2 * pairs), floats(rng, 16, 2 * pairs)
    patterns = rng.integers(0, 16, count).astype(np.uint8)
    expected = rows + sums[patterns]
    arrays = {"rows": rows, "sums": sums, "patterns": patterns}
    words = {"stride": 8 * pairs, "count": count, "middle": pairs - 3, "last": pairs + 7}
    taken = run_kernel(HEADER, "add_sums_row", arrays, words)
    np.testing.assert_array_equal(rows, expected)
    assert taken == bundles[f"add_sums_row{pairs}"][count]
