"""Estimates of small vertices against counts by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Dict

import pytest
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[2] / "codelets"

# A MultiVertex that does nothing: the supervisor's 11, and 6 times entry and exit (6) and the
# worker's number (2).
EMPTY = 11 + 6 * (6 + 2)

# By expression: bundles of the slowest worker where the vertex is a MultiVertex.
BUNDLES = {
    # 6 samples are one a worker, 7 are two. 2 neurons walk 4 ids: 8 to choose the loop, 2 an id
    # and 5; then 29 a neuron, 8 a word of masks and 21 beside the prologue's 18.
    "lif_step(6, 4, 2, 1, true)": 18 + (21 + (8 + 13) + 58 + 8),
    "lif_step(7, 4, 2, 1, true)": 18 + 2 * (21 + (8 + 13) + 58 + 8),
    # 3 neurons have no loop in assembly: a block of 2 columns, then one of 1; a block is copied in
    # and out, an id costs 4 and each column 2.
    "lif_step(1, 4, 3, 1, true)": 18 + (21 + (4 + 2 + 4 * 8) + (2 + 2 + 4 * 6) + 87 + 8),
    "li_step(6, 4, 4, true)": 11 + (13 + (8 + 4 * 4 + 7) + 44),
    "li_step(6, 4, 4, false)": 11 + (13 + (8 + 2 + 4 * 12) + 44),
    # SuperSpike's derivative: fabs, mul, add, mul and a division of 3; ATan's as many.
    "lif_step_grad(6, 2, popsnn::Surrogate::SuperSpike)": 30 + (20 + 2 * (27 + 7)),
    "lif_step_grad(6, 2, popsnn::Surrogate::ATan)": 30 + (20 + 2 * (27 + 7)),
    "lif_step_grad(6, 2, popsnn::Surrogate::Sigmoid)": 30 + (20 + 2 * (27 + 10)),
    "li_step_grad(6, 2)": 8 + (10 + 18),
    "input_spike_grad(6, 4, 2, true)": 8 + (14 + 8 + 3 * 4 + 4),
    "input_spike_grad(6, 4, 4, true)": 8 + (14 + 8 + 5 * 4 + 7),
    "input_spike_grad(6, 4, 3, true)": 8 + (14 + 2 + 4 * (6 + 15)),
    # 12 entries are 2 a share; a worker has one of the biases.
    "weight_grad(5, 12, 2, true)": 8 + 5 * (13 + 8 + 6 + 4) + (5 * 5 + 4),
    "weight_grad(5, 6, 2, true)": 8 + 5 * (13 + 8 + 4 + 4) + (5 * 5 + 4),
    "fetch_step(6, 4, true)": 11 + (9 + 4 * 7),
    "fetch_step(6, 4, false)": 11 + (9 + 4 * 3),
    "list_shares(6, 4)": 11 + (9 + 7 * 6 + 4 * 6),
    # Four passes over 3 tiles of one word; an entry is found in 4 and stored twice.
    "compact_spikes(6, 4, 3, 1, true)": 18 + (37 + 265 + 4 * 3 * 12 + 4 * (4 + 5 + 9 + 5 + 4) + 20),
    "reduce_spike_grad(3, 6, 4, 10)": 14 + (14 + 20 + 3 * (5 + 24)),
    "reduce_input_grad(3, 6, 4)": 12 + (10 + 4 * (7 + 12)),
    "scatter_output_grad(6, 4, 10)": 12 + (10 + 20 + 16),
    "adam_update(12)": 19 + 2 * (22 + 4 + 3),
    "sgd_update(12)": 16 + 2 * 15,
}


@pytest.fixture(scope="module")
def cycles(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, int]:
    """Return what the headers say of every expression."""
    folder = tmp_path_factory.mktemp("cycles")
    expressions = [*BUNDLES, "set_step()"]
    headers = "".join(f'#include "{path.name}"\n' for path in sorted(CODELETS.glob("*.cycles.hpp")))
    prints = "".join(f'std::printf("%lld\\n", (long long)({text}));\n' for text in expressions)
    (folder / "count.cpp").write_text(
        f"{headers}#include <cstdio>\nusing namespace popsnn::cycles;\nint main() {{ {prints} }}\n"
    )
    command = [CXX, "-std=c++17", f"-I{CODELETS}", "count.cpp", "-o", "count"]
    subprocess.run(command, cwd=folder, check=True)
    lines = subprocess.run([folder / "count"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(zip(expressions, map(int, lines.split())))


@pytest.mark.parametrize("expression", sorted(BUNDLES))
def test_six_times_the_slowest_worker(cycles: Dict[str, int], expression: str) -> None:
    assert cycles[expression] == EMPTY + 6 * BUNDLES[expression]


def test_a_vertex_of_one_worker(cycles: Dict[str, int]) -> None:
    assert cycles["set_step()"] == 6 + 3 + 3  # entry and exit, three fields, ld32, add, st32


def test_every_codelet_has_an_estimator() -> None:
    codelets = {path.stem for path in CODELETS.glob("*.cpp")}
    estimated = {path.name[: -len(".cycles.hpp")] for path in CODELETS.glob("*.cycles.hpp")}
    assert codelets <= estimated
