"""The loops in assembly compute what they say and take the bundles that their estimators count."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Dict, List

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Array, floats, generators, on_grid
from tests.codelets.worker_isa import run_kernel
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[2] / "codelets"
HEADER = CODELETS / "rows_ipu.hpp"
INPUTS = 40
LONGEST = 33

Bundles = Dict[str, List[int]]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Bundles:
    """Return by function the bundles that rows.cycles.hpp counts for 0, 1, 2 ... ids."""
    folder = tmp_path_factory.mktemp("rows")
    names = [f"{loop}{columns}" for loop in ("gather", "scatter", "dot") for columns in (2, 4)]
    prints = "".join(f"print(popsnn::cycles::{name});" for name in names)
    (folder / "count.cpp").write_text(
        '#include "rows.cycles.hpp"\n#include <cstdio>\n'
        "static void print(std::uint64_t (*of)(std::uint64_t)) {\n"
        f'  for (unsigned n = 0; n < {LONGEST + 1}; ++n) std::printf("%d ", int(of(n)));\n'
        '  std::printf("\\n");\n}\n'
        f"int main() {{ {prints} }}\n"
    )
    command = [CXX, "-std=c++17", f"-I{CODELETS}", "count.cpp", "-o", "count"]
    subprocess.run(command, cwd=folder, check=True)
    lines = subprocess.run([folder / "count"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {name: [int(n) for n in line.split()] for name, line in zip(names, lines.splitlines())}


def some_ids(rng: np.random.Generator, count: int) -> Array:
    return rng.permutation(INPUTS)[:count].astype(np.uint16)


columns = st.sampled_from((2, 4))


@given(columns=columns, count=st.integers(0, LONGEST), rng=generators)
def test_gather(bundles: Bundles, columns: int, count: int, rng: np.random.Generator) -> None:
    rows, total, ids = on_grid(rng, INPUTS, columns), on_grid(rng, columns), some_ids(rng, count)
    expected = total + rows[ids].sum(0)
    arrays = {"rows": rows, "ids": ids, "sum": total}
    taken = run_kernel(HEADER, f"gather{columns}", arrays, {"count": count})
    np.testing.assert_array_equal(total, expected)
    assert taken == bundles[f"gather{columns}"][count]


@given(columns=columns, count=st.integers(0, LONGEST), rng=generators)
def test_scatter(bundles: Bundles, columns: int, count: int, rng: np.random.Generator) -> None:
    rows, vector, ids = floats(rng, INPUTS, columns), floats(rng, columns), some_ids(rng, count)
    expected = rows.copy()
    expected[ids] += vector
    arrays = {"rows": rows, "ids": ids, "vector": vector}
    words = {"pairs": count // 2, "odd": count % 2} if columns == 2 else {"count": count}
    taken = run_kernel(HEADER, f"scatter{columns}", arrays, words)
    np.testing.assert_array_equal(rows, expected)
    assert taken == bundles[f"scatter{columns}"][count]


@given(columns=columns, count=st.integers(1, LONGEST), rng=generators)
def test_dots(bundles: Bundles, columns: int, count: int, rng: np.random.Generator) -> None:
    rows, vector, ids = on_grid(rng, INPUTS, columns), on_grid(rng, columns), some_ids(rng, count)
    dots = np.full(count, np.nan, np.float32)
    arrays = {"rows": rows, "ids": ids, "vector": vector, "dots": dots}
    taken = run_kernel(HEADER, f"dot{columns}", arrays, {"more": count - 1})
    np.testing.assert_array_equal(dots, rows[ids] @ vector)
    assert taken == bundles[f"dot{columns}"][count]


# What poplibs spends an id on the like loop (element-wise kernels of popsparse, multiUpdateAdd of
# popops, fp32, from their assembly and estimators), and the bundles that ours has more or fewer.
PUBLISHED = {
    "gather2": (2, {"load of the id, with the value's there": 0}),
    "gather4": (3, {"id to byte offset": 1}),
    "scatter2": (
        8,
        {"sub, cmpult and brz of the range": -3, "ld64 of the update": -1, "brnzdec": -1},
    ),
    "dot2": (4, {"ld32 of the sum before": -1}),
    "dot4": (5, {"ld32 of the sum before": -1, "id to byte offset": 1}),
}


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_bundles_an_id_against_poplibs(bundles: Bundles, name: str) -> None:
    published, differences = PUBLISHED[name]
    counts = bundles[name]
    assert (counts[32] - counts[2]) / 30 == published + sum(differences.values())
