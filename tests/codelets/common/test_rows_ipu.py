"""The loops in assembly compute what they say and take the bundles that their estimators count."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path
from typing import Dict, List

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Array, floats, generators, on_grid
from tests.codelets.worker_isa import CLEAR, run_kernel
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[3] / "codelets"
INPUTS = 40
LONGEST = 33

Bundles = Dict[str, List[int]]
NAMES = {
    "gather": (
        *("gather2", "gather6", "gather8", "gather10"),
        *("gather4_quad", "gather8_quads", "gather16_quads"),
    ),
    "half": ("gather_half2", "gather_half4", "gather_half_quad", "gather_half8"),
    "words": ("gather_words2", "gather_words6", "gather_words8"),
    "scatter": ("scatter2", "scatter_pair", "scatter4"),
    "dot": ("dot2", "dot4", "dot_half2", "dot_half4"),
    "sum": ("sum_pair",),
}
PAIRS = range(8)  # between the first and the last
OF_PAIRS = ("dot_pairs", "dot_half_pairs")
ROW_PAIRS = range(4, 25)  # of scatter_row and dot_row
HEADERS = ("common/cycles.hpp", "products/cycles.hpp")


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Bundles:
    """Return by function the bundles that cycles.hpp counts for 0, 1, 2 ... ids."""
    folder = tmp_path_factory.mktemp("rows")
    names = [name for loop in NAMES.values() for name in loop]
    prints = "".join(f"print(popsnn::cycles::{name});" for name in names)
    loops = ((OF_PAIRS, PAIRS), (("scatter_row", "dot_row"), ROW_PAIRS))
    for name, pairs in itertools.chain(*(itertools.product(*loop) for loop in loops)):
        names.append(f"{name}{pairs}")
        prints += f"print([](std::uint64_t n) {{ return popsnn::cycles::{name}({pairs}, n); }});"
    for pairs in range(1, max(ROW_PAIRS) + 1):  # of three lists
        names.append(f"scatter_lists{pairs}")
        of = f"popsnn::cycles::scatter_lists({2 * pairs}, 3, n)"
        prints += f"print([](std::uint64_t n) {{ return {of}; }});"
    (folder / "count.cpp").write_text(
        "".join(f'#include "{header}"\n' for header in HEADERS) + "#include <cstdio>\n"
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


@given(name=st.sampled_from(NAMES["gather"]), data=st.data(), rng=generators)
def test_gather(bundles: Bundles, name: str, data: st.DataObject, rng: np.random.Generator) -> None:
    columns, count = int(name[len("gather") :].split("_")[0]), data.draw(st.integers(0, LONGEST))
    more = 4 if "quad" in name else 2
    wider = columns if columns == 2 else columns + more * data.draw(st.integers(0, 3))
    rows, start, ids = on_grid(rng, INPUTS, wider), on_grid(rng, columns), some_ids(rng, count)
    total = np.full_like(start, np.nan)
    expected = start + rows[ids, :columns].sum(0)
    arrays = {"rows": rows, "ids": ids, "from": start, "sum": total}
    if name in ("gather10", "gather16_quads"):
        arrays["again"] = ids.copy()
    words = {"count": count, "stride": 4 * wider, "clear": CLEAR}
    taken = run_kernel(CODELETS / "common/gather_ipu.hpp", name, arrays, words)
    np.testing.assert_array_equal(total, expected)
    assert taken == bundles[name][count]


@given(name=st.sampled_from((*NAMES["half"], *NAMES["words"])), data=st.data(), rng=generators)
def test_gather_halves(
    bundles: Bundles, name: str, data: st.DataObject, rng: np.random.Generator
) -> None:
    columns = 4 if name.endswith("quad") else int(name[-1])
    count = data.draw(st.integers(0, LONGEST))
    wider = columns
    if name in NAMES["words"]:  # an odd number of words
        wider += 4 * data.draw(st.integers(0, 2)) + (2 if columns % 4 == 0 else 0)
    elif name not in ("gather_half2", "gather_half4"):
        wider += 4 * data.draw(st.integers(0, 2))
    rows, start = on_grid(rng, INPUTS, wider).astype(np.float16), on_grid(rng, columns)
    ids, total = some_ids(rng, count), np.full_like(start, np.nan)
    expected = start + rows[ids, :columns].astype(np.float32).sum(0)
    header = (
        "common/gather_words_ipu.hpp" if name in NAMES["words"] else "common/gather_half_ipu.hpp"
    )
    arrays = {"rows": rows, "ids": ids, "from": start, "sum": total}
    words = {"count": count, "stride": 2 * wider, "clear": CLEAR}
    taken = run_kernel(CODELETS / header, name, arrays, words)
    np.testing.assert_array_equal(total, expected)
    assert taken == bundles[name][count]


@given(name=st.sampled_from(NAMES["scatter"]), data=st.data(), rng=generators)
def test_scatter(
    bundles: Bundles, name: str, data: st.DataObject, rng: np.random.Generator
) -> None:
    columns, count = 4 if name == "scatter4" else 2, data.draw(st.integers(0, LONGEST))
    wider = columns if name == "scatter2" else columns + 2 * data.draw(st.integers(0, 3))
    rows, vector, ids = floats(rng, INPUTS, wider), floats(rng, columns), some_ids(rng, count)
    expected = rows.copy()
    expected[ids, :columns] += vector
    arrays = {"rows": rows, "ids": ids, "vector": vector}
    words = {"stride": 4 * wider, "count": count, "pairs": count // 2, "odd": count % 2}
    taken = run_kernel(CODELETS / "common/scatter_ipu.hpp", name, arrays, words)
    np.testing.assert_array_equal(rows, expected)
    assert taken == bundles[name][count]


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(0, LONGEST), rng=generators)
def test_scatter_row(bundles: Bundles, pairs: int, count: int, rng: np.random.Generator) -> None:
    rows, vector, ids = floats(rng, INPUTS, 2 * pairs), floats(rng, 2 * pairs), some_ids(rng, count)
    expected = rows.copy()
    expected[ids] += vector
    arrays = {"rows": rows, "ids": ids, "vector": vector}
    words = {"stride": 8 * pairs, "count": count, "middle": pairs - 3, "last": pairs + 6}
    taken = run_kernel(CODELETS / "common/scatter_ipu.hpp", "scatter_row", arrays, words)
    np.testing.assert_array_equal(rows, expected)
    assert taken == bundles[f"scatter_row{pairs}"][count]


@given(pairs=st.integers(1, max(ROW_PAIRS)), lists=st.integers(1, 4), rng=generators)
def test_scatter_lists(bundles: Bundles, pairs: int, lists: int, rng: np.random.Generator) -> None:
    ranges, padded = 6, 24
    rows, vectors = on_grid(rng, INPUTS, 2 * pairs), on_grid(rng, lists, 2 * pairs)
    ids = np.array([some_ids(rng, padded) for _ in range(lists)])
    bounds = np.sort(rng.integers(0, padded + 1, (lists, ranges + 1)), 1).astype(np.uint32)
    of = int(rng.integers(ranges))
    function = {1: "scatter_lists2", 2: "scatter_lists4"}.get(pairs, "scatter_lists_row")
    of_list, of_id = {1: (10, 4), 2: (11, 6)}.get(pairs, (9, 7 + pairs))
    expected, taken = rows.copy(), 2 if pairs > 2 else 0
    for list_, (begin, end), vector in zip(ids, bounds[:, of : of + 2], vectors):
        expected[list_[begin:end]] += vector
        taken += of_list + of_id * int(end - begin)
    arrays = {"rows": rows, "ids": ids, "bounds": bounds.ravel()[of:], "vectors": vectors}
    words = {
        "padded": 2 * padded,
        "stride": 8 * pairs,
        "more": lists - 1,
        "middle": pairs - 3,
        "last": pairs + 6,
    }
    header = CODELETS / "common/scatter_ipu.hpp"
    # An alignment is counted once, not for each list.
    assert run_kernel(header, function, arrays, words) + lists - 1 == taken
    np.testing.assert_array_equal(rows, expected)
    counted = bundles[f"scatter_lists{pairs}"][LONGEST] - (5 if pairs > 3 else 0)  # the switch
    assert counted == (2 if pairs > 2 else 0) + 3 * (of_list + of_id * LONGEST)


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(1, LONGEST), rng=generators)
def test_dot_row(bundles: Bundles, pairs: int, count: int, rng: np.random.Generator) -> None:
    rows, vector = on_grid(rng, INPUTS, 2 * pairs), on_grid(rng, 2 * pairs)
    ids, dots = some_ids(rng, count), np.full(count, np.nan, np.float32)
    arrays = {"rows": rows, "ids": ids, "vector": vector, "dots": dots}
    words = {
        "more": count - 1,
        "stride": 8 * pairs,
        "middle": pairs - 2,
        "last": pairs + 3,
        "back": 1 - pairs,
        "clear": CLEAR,
    }
    taken = run_kernel(CODELETS / "common/dot_ipu.hpp", "dot_row", arrays, words)
    np.testing.assert_array_equal(dots, rows[ids] @ vector)
    assert taken == bundles[f"dot_row{pairs}"][count]


@given(name=st.sampled_from((*NAMES["dot"], *OF_PAIRS)), data=st.data(), rng=generators)
def test_dots(bundles: Bundles, name: str, data: st.DataObject, rng: np.random.Generator) -> None:
    pairs, count = data.draw(st.sampled_from(PAIRS)), data.draw(st.integers(1, LONGEST))
    columns = 4 + 2 * pairs if name in OF_PAIRS else int(name[-1])
    rows, vector, ids = on_grid(rng, INPUTS, columns), on_grid(rng, columns), some_ids(rng, count)
    halves = "half" in name
    rows = rows.astype(np.float16) if halves else rows
    dots = np.full(count, np.nan, np.float32)
    arrays = {"rows": rows, "ids": ids, "vector": vector, "dots": dots}
    words = {
        "more": count - 1,
        "stride": rows.itemsize * columns,
        "pairs": pairs,
        "back": -pairs - 1,
        "clear": CLEAR,
    }
    header = "common/dot_half_ipu.hpp" if halves else "common/dot_ipu.hpp"
    taken = run_kernel(CODELETS / header, name, arrays, words)
    np.testing.assert_array_equal(dots, rows[ids].astype(np.float32) @ vector)
    assert taken == bundles[name + str(pairs) if name in OF_PAIRS else name][count]


@given(rows=st.integers(1, LONGEST), stride=st.integers(1, 4), rng=generators)
def test_sum(bundles: Bundles, rows: int, stride: int, rng: np.random.Generator) -> None:
    partials, total = on_grid(rng, rows, 2 * stride), np.full(2, np.nan, np.float32)
    arrays = {"rows": partials, "sum": total}
    words = {"stride": stride, "more": rows - 1}
    taken = run_kernel(CODELETS / "products/reduce_partials.cpp", "sum_pair", arrays, words)
    np.testing.assert_array_equal(total, partials[:, :2].sum(0))
    assert taken == bundles["sum_pair"][rows]


# What poplibs spends an id on the like loop (element-wise kernels of popsparse, multiUpdateAdd of
# popops, fp32, from their assembly and estimators), and the bundles that ours has more or fewer.
PUBLISHED = {
    "gather2": (2, {"load of the id, with the value's there": 0}),
    "gather4_quad": (3, {"id to byte offset": 1, "one load of 128 bits": -1}),
    "scatter2": (
        8,
        {"sub, cmpult and brz of the range": -3, "ld64 of the update": -1, "brnzdec": -1},
    ),
    "dot_pairs2": (
        14,
        {
            "ld32 of the sum before": -1,
            "brz of an odd column": -1,
            "the vector's pointer": -1,
            "brnzdec beside f32v2mac": -1,
        },
    ),
    "dot_row4": (
        14,
        {
            "ld32 of the sum before": -1,
            "brz of an odd column": -1,
            "the vector's pointer": -1,
            "brnzdec, which rpt over the ids replaces": -2,
            "rpt, as pairs are written out": -1,
        },
    ),
    "dot2": (4, {"ld32 of the sum before": -1}),
    "dot4": (5, {"ld32 of the sum before": -1, "id to byte offset": 1}),
}


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_bundles_an_id_against_poplibs(bundles: Bundles, name: str) -> None:
    published, differences = PUBLISHED[name]
    counts = bundles[name]
    assert (counts[32] - counts[2]) / 30 == published + sum(differences.values())
