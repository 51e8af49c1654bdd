"""The loops over rows ahead in assembly: what they compute and the bundles that they take."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Dict, List, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Array, generators, on_grid
from tests.codelets.worker_isa import CLEAR, run_kernel
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[3] / "codelets"
HEADER = CODELETS / "common/ahead_ipu.hpp"
INPUTS, LONGEST_LIST = 40, 33
LOOPS = ("sum_row_ahead", "dot_row_ahead")
ROW_PAIRS = range(1, 25)
SUMS = {1: "sum2_ahead", 2: "sum4_ahead"}  # by pairs of a row; of more sum_pairs_ahead
# By pairs and loop: the bundles for 0, 1, 2 ... ids.
Bundles = Dict[int, Dict[str, List[int]]]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Bundles:
    """Return what cycles.hpp says."""
    folder = tmp_path_factory.mktemp("ahead")
    counts = "".join(f'std::printf("%d ", int({loop}(pairs, n)));\n' for loop in LOOPS)
    calls = "".join(f"print({pairs});" for pairs in ROW_PAIRS)
    (folder / "count.cpp").write_text(
        '#include "common/cycles.hpp"\n#include <cstdio>\n'
        "using namespace popsnn::cycles;\n"
        "void print(unsigned pairs) {\n"
        f"for (unsigned n = 0; n <= {LONGEST_LIST}; ++n) {{ {counts} }}\n"
        'std::printf("\\n");\n}\n'
        f"int main() {{ {calls} }}\n"
    )
    command = [CXX, "-std=c++17", f"-I{CODELETS}", "count.cpp", "-o", "count"]
    subprocess.run(command, cwd=folder, check=True)
    lines = subprocess.run([folder / "count"], check=True, stdout=subprocess.PIPE, text=True).stdout
    result = {}
    for pairs, line in zip(ROW_PAIRS, lines.splitlines()):
        numbers = [int(number) for number in line.split()]
        result[pairs] = {loop: numbers[k :: len(LOOPS)] for k, loop in enumerate(LOOPS)}
    return result


class Case(NamedTuple):
    rows: Array  # [inputs, columns]
    ids: Array  # [count]
    delays: Array  # [inputs]
    step_rows: Array  # [1 + longest_delay, batch, columns]
    sample: int
    arrays: Dict[str, Array]  # operands
    words: Dict[str, int]

    def of_sample(self) -> Array:
        """Return the sample's rows of the time steps: [1 + longest_delay, columns], a view."""
        return self.step_rows[:, self.sample]


def draw_case(rng: np.random.Generator, pairs: int, count: int) -> Case:
    longest_delay, batch = int(rng.integers(0, 9)), int(rng.integers(1, 4))
    rows = on_grid(rng, INPUTS, 2 * pairs)
    step_rows = on_grid(rng, 1 + longest_delay, batch, 2 * pairs)
    ids = rng.permutation(INPUTS)[:count].astype(np.uint16)
    delays = rng.integers(0, longest_delay + 1, INPUTS).astype(np.uint32)
    sample = int(rng.integers(batch))
    from_sample = step_rows.reshape(-1)[sample * 2 * pairs :]
    arrays = {"rows": rows, "ids": ids, "delays": delays, "step_rows": from_sample}
    words = {"length": 8 * pairs, "stride": 8 * pairs * batch}
    return Case(rows, ids, delays, step_rows, sample, arrays, words)


def run_sum(case: Case, pairs: int, to_step: bool) -> int:
    operands = {"id": len(case.ids), "to_step": to_step, "middle": pairs - 3, "last": pairs + 9}
    function = SUMS.get(pairs, "sum_pairs_ahead")
    return run_kernel(HEADER, function, case.arrays, {**case.words, **operands})


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(0, LONGEST_LIST), rng=generators)
def test_add(bundles: Bundles, pairs: int, count: int, rng: np.random.Generator) -> None:
    case = draw_case(rng, pairs, count)
    expected, rows = case.step_rows.copy(), case.rows.copy()
    for id_ in case.ids:
        expected[case.delays[id_], case.sample] += rows[id_]
    taken = run_sum(case, pairs, to_step=True)
    np.testing.assert_array_equal(case.step_rows, expected)
    np.testing.assert_array_equal(case.rows, rows)
    assert taken == bundles[pairs]["sum_row_ahead"][count]


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(0, LONGEST_LIST), rng=generators)
def test_scatter(bundles: Bundles, pairs: int, count: int, rng: np.random.Generator) -> None:
    case = draw_case(rng, pairs, count)
    expected, vectors = case.rows.copy(), case.step_rows.copy()
    expected[case.ids] += case.of_sample()[case.delays[case.ids]]
    taken = run_sum(case, pairs, to_step=False)
    np.testing.assert_array_equal(case.rows, expected)
    np.testing.assert_array_equal(case.step_rows, vectors)
    assert taken == bundles[pairs]["sum_row_ahead"][count]


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(1, LONGEST_LIST), rng=generators)
def test_dots(bundles: Bundles, pairs: int, count: int, rng: np.random.Generator) -> None:
    case = draw_case(rng, pairs, count)
    dots = np.full(count, np.nan, np.float32)
    words = {
        **case.words,
        "more": count - 1,
        "middle": pairs - 1,
        "last": pairs + 6,
        "clear": CLEAR,
    }
    taken = run_kernel(HEADER, "dot_row_ahead", {**case.arrays, "dots": dots}, words)
    vectors = case.of_sample()[case.delays[case.ids]]
    np.testing.assert_array_equal(dots, (case.rows[case.ids] * vectors).sum(1))
    assert taken == bundles[pairs]["dot_row_ahead"][count]


def test_bundles_an_id(bundles: Bundles) -> None:
    for pairs in ROW_PAIRS:
        of_id = {loop: counts[33] - counts[32] for loop, counts in bundles[pairs].items()}
        sums = {1: 7, 2: 10}.get(pairs, 10 + pairs)
        assert of_id == dict(zip(LOOPS, (sums, 7 + pairs)))
