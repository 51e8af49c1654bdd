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
INPUTS, LONGEST = 40, 33
LOOPS = ("add_row_ahead", "scatter_row_ahead", "dot_row_ahead")
ROW_PAIRS = range(4, 25)
# Operands of the assembly that popsnn::ipu::PairOrder knows.
ORDER = {
    "strides": "kStrides",
    "first": "loads(0)",
    "second": "loads(1)",
    "third": "all(2)",
    "fourth": "all(3)",
    "fifth": "all(4)",
    "sixth": "all(5)",
    "turns": "kTurns",
    "left1": "kLeft > 0",
    "left2": "kLeft > 1",
    "left3": "kLeft > 2",
}


class Counted(NamedTuple):
    """Of rows of so many pairs."""

    order: Dict[str, int]
    bundles: Dict[str, List[int]]  # by loop, for 0, 1, 2 ... ids


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Dict[int, Counted]:
    """Return what the headers say, by pairs."""
    folder = tmp_path_factory.mktemp("ahead")
    values = [f"PairOrder<pairs>::{value}" for value in ORDER.values()]
    values.append("PairOrder<pairs>::move(pairs - 2)")
    prints = "".join(f'std::printf("%d ", int({value}));\n' for value in values)
    counts = "".join(f'std::printf("%d ", int({loop}(pairs, n)));\n' for loop in LOOPS)
    calls = "".join(f"print<{pairs}>();" for pairs in ROW_PAIRS)
    (folder / "count.cpp").write_text(
        '#include "common/cycles.hpp"\n#include "common/pair_order.hpp"\n#include <cstdio>\n'
        "using namespace popsnn::cycles;\nusing popsnn::ipu::PairOrder;\n"
        "template <unsigned pairs>\nvoid print() {\n"
        f"{prints}for (unsigned n = 0; n <= {LONGEST}; ++n) {{ {counts} }}\n"
        'std::printf("\\n");\n}\n'
        f"int main() {{ {calls} }}\n"
    )
    command = [CXX, "-std=c++17", f"-I{CODELETS}", "count.cpp", "-o", "count"]
    subprocess.run(command, cwd=folder, check=True)
    lines = subprocess.run([folder / "count"], check=True, stdout=subprocess.PIPE, text=True).stdout
    result = {}
    for pairs, line in zip(ROW_PAIRS, lines.splitlines()):
        numbers = [int(number) for number in line.split()]
        order = dict(zip([*ORDER, "final"], numbers))
        bundles = {loop: numbers[len(order) + k :: len(LOOPS)] for k, loop in enumerate(LOOPS)}
        result[pairs] = Counted(order, bundles)
    return result


class Case(NamedTuple):
    rows: Array  # [inputs, columns]
    ids: Array  # [count]
    steps: Array  # [inputs]
    step_rows: Array  # [1 + longest, batch, columns]
    sample: int
    arrays: Dict[str, Array]  # operands
    words: Dict[str, int]

    def of_sample(self) -> Array:
        """Return the sample's rows of the time steps: [1 + longest, columns], a view."""
        return self.step_rows[:, self.sample]


def draw_case(rng: np.random.Generator, pairs: int, count: int, order: Dict[str, int]) -> Case:
    longest, batch = int(rng.integers(0, 9)), int(rng.integers(1, 4))
    rows, step_rows = on_grid(rng, INPUTS, 2 * pairs), on_grid(rng, 1 + longest, batch, 2 * pairs)
    ids = rng.permutation(INPUTS)[:count].astype(np.uint16)
    steps = rng.integers(0, longest + 1, INPUTS).astype(np.uint32)
    sample = int(rng.integers(batch))
    from_sample = step_rows.reshape(-1)[sample * 2 * pairs :]
    arrays = {"rows": rows, "ids": ids, "steps": steps, "step_rows": from_sample}
    words = {"length": 8 * pairs, "stride": 8 * pairs * batch, **order}
    return Case(rows, ids, steps, step_rows, sample, arrays, words)


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(0, LONGEST), rng=generators)
def test_add(counted: Dict[int, Counted], pairs: int, count: int, rng: np.random.Generator) -> None:
    case = draw_case(rng, pairs, count, counted[pairs].order)
    expected, rows = case.step_rows.copy(), case.rows.copy()
    for id_ in case.ids:
        expected[case.steps[id_], case.sample] += rows[id_]
    words = {**case.words, "count": count, "last": pairs + 8}
    taken = run_kernel(HEADER, "add_row_ahead", case.arrays, words)
    np.testing.assert_array_equal(case.step_rows, expected)
    np.testing.assert_array_equal(case.rows, rows)
    assert taken == counted[pairs].bundles["add_row_ahead"][count]


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(0, LONGEST), rng=generators)
def test_scatter(
    counted: Dict[int, Counted], pairs: int, count: int, rng: np.random.Generator
) -> None:
    case = draw_case(rng, pairs, count, counted[pairs].order)
    expected, vectors = case.rows.copy(), case.step_rows.copy()
    expected[case.ids] += case.of_sample()[case.steps[case.ids]]
    words = {**case.words, "count": count, "last": pairs + 8}
    taken = run_kernel(HEADER, "scatter_row_ahead", case.arrays, words)
    np.testing.assert_array_equal(case.rows, expected)
    np.testing.assert_array_equal(case.step_rows, vectors)
    assert taken == counted[pairs].bundles["scatter_row_ahead"][count]


@given(pairs=st.sampled_from(ROW_PAIRS), count=st.integers(1, LONGEST), rng=generators)
def test_dots(
    counted: Dict[int, Counted], pairs: int, count: int, rng: np.random.Generator
) -> None:
    case = draw_case(rng, pairs, count, {})
    dots = np.full(count, np.nan, np.float32)
    words = {
        **case.words,
        "more": count - 1,
        "middle": pairs - 1,
        "last": pairs + 6,
        "clear": CLEAR,
    }
    taken = run_kernel(HEADER, "dot_row_ahead", {**case.arrays, "dots": dots}, words)
    vectors = case.of_sample()[case.steps[case.ids]]
    np.testing.assert_array_equal(dots, (case.rows[case.ids] * vectors).sum(1))
    assert taken == counted[pairs].bundles["dot_row_ahead"][count]


@pytest.mark.parametrize(("loop", "of_id"), [(LOOPS[0], 9), (LOOPS[1], 9), (LOOPS[2], 7)])
def test_bundles_an_id(counted: Dict[int, Counted], loop: str, of_id: int) -> None:
    for pairs in ROW_PAIRS:
        counts = counted[pairs].bundles[loop]
        assert counts[33] - counts[32] == of_id + pairs
