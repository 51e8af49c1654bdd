"""Estimates of small vertices against counts by hand."""

from __future__ import annotations

import re
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
    # 6 rows of masks are one a worker, 7 are two. 2 neurons walk 4 ids: 9 to choose the loop, 2 an
    # id and 5; then 30 and 12 a sample, 4 to copy the bias, 28 and 3 to call LIF's loop and 20 for
    # the pair.
    "neuron_step(kLif, 6, 1, gather_rows(2, true, 4), 1, 2)": (
        20 + 6 + (30 + 12 + 9 + 13 + 4 + 28 + 3 + 20)
    ),
    "neuron_step(kLif, 7, 1, gather_rows(2, true, 4), 1, 2)": (
        20 + 2 * 6 + 2 * (30 + 12 + 9 + 13 + 4 + 28 + 3 + 20)
    ),
    # 8 samples are in one row: one worker has them all.
    "neuron_step(kLif, 8, 8, 0, 1, 2)": 20 + 6 + 8 * (30 + 12 + 4 + 28 + 3 + 20),
    # The loop takes 16 neurons at most.
    "neuron_step(kLif, 1, 1, 0, 1, 18)": 20 + 6 + (30 + 12 + 2 + 18 + 2 * (28 + 3) + 9 * 20),
    # 3 neurons have no loop in assembly: a block of 2 columns, then one of 1; a block is copied in
    # and out, an id costs 4 and each column 2. A recurrent layer has two sources. A neuron costs
    # 15, its step 6, fires twice, near, its state twice, 3 parameters.
    "neuron_step(kLif, 1, 1, gather_rows(3, true, 4), 2, 3)": (
        20 + 6 + (30 + 24 + (4 + 2 + 4 * 8) + (2 + 2 + 4 * 6) + 3 * 29)
    ),
    # Masks that are not packed read every neuron again.
    "neuron_step(kLif, 1, 1, 0, 1, 17)": 20 + 6 + (30 + 12 + 17 * (29 + 6)),
    "li_step(6, 4, 4, true)": 11 + (12 + (9 + 8 + 4 * 3 + 8) + 44),
    "li_step(6, 4, 4, false)": 11 + (12 + (8 + 2 + 4 * 12) + 44),
    # LIF's loop for SuperSpike: 12 to call it, 2, and 30 a pair.
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::SuperSpike, 0)": 23 + (26 + 12 + 2 + 30),
    # SuperSpike's derivative: fabs, mul, add, mul and a division of 3; ATan's as many. A neuron
    # costs 35 in addition: 9, three for its state, 3 parameters, fires, near, grad 18; 3 more for
    # each parameter that learns.
    "neuron_step_grad(kLif, 6, 3, popsnn::Surrogate::SuperSpike, 0)": 23 + (26 + 3 * (35 + 7)),
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::SuperSpike, 2)": 23 + (26 + 2 * (35 + 7 + 6)),
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::ATan, 2)": 23 + (26 + 2 * (35 + 7 + 6)),
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::Sigmoid, 0)": 23 + (26 + 2 * (35 + 10)),
    # 9; the state after and before, the two gradients in and out; 3 parameters, fires twice with a
    # choice each, near, 2 for ds, grad 18, SuperSpike's derivative; 3 for each parameter that learns.
    "neuron_adjoint(kLif, 6, 3, popsnn::Surrogate::SuperSpike, 0)": (
        17 + (34 + 3 * (9 + 2 + 4 + 3 + 4 + 1 + 2 + 18 + 7))
    ),
    "neuron_adjoint(kLif, 7, 1, popsnn::Surrogate::Sigmoid, 2)": (
        17 + 2 * (34 + (9 + 2 + 4 + 3 + 4 + 1 + 2 + 18 + 10 + 6))
    ),
    # 12 entries a range; rows of 8 to 48 columns have their own walk, which 5 find.
    "weight_grad(5, 72, 50, true, false)": (
        10 + 5 * (13 + 9 + 12 * (8 + 12 * 6 + 4) + (8 + 6 * 8 + 4))
    ),
    "weight_grad(5, 72, 18, true, true)": (
        10 + 5 * (13 + 9 + 5 + 12 * (7 + 9) + 3) + (8 + (4 + 2 + 5 * 6) + (2 + 2 + 5 * 4))
    ),
    "li_step_grad(6, 2, false)": 10 + (12 + 24),
    "li_step_grad(6, 2, true)": 10 + (12 + 38),
    # Rows of 25 pairs: 8 an id and one for each pair between the first and the last.
    "input_spike_grad(6, 4, 2, true)": 8 + (14 + 9 + 3 * 4 + 4),
    "input_spike_grad(6, 4, 4, true)": 8 + (14 + 9 + 5 * 4 + 7),
    "input_spike_grad(6, 4, 8, true)": 8 + (14 + 9 + 5 + 8 * 4 + 6),
    "input_spike_grad(6, 4, 50, true)": 8 + (14 + 9 + 31 * 4 + 5),
    # Blocks of 8, or of 8, 6 and 4 columns, cost 8 each in addition to their walk.
    "li_step(6, 3, 8, true)": 11 + (12 + 9 + (8 + 4 * 3 + 11) + 8 * 11),
    "li_step(6, 3, 12, true)": 11 + (12 + 9 + (8 + 4 * 3 + 11) + (8 + 3 * 3 + 8) + 12 * 11),
    "li_step(6, 3, 18, true)": (
        11 + (12 + 9 + (8 + 6 * 3 + 10) + (8 + 5 * 3 + 8) + (8 + 4 * 3 + 6) + 18 * 11)
    ),
    "input_spike_grad(6, 4, 3, true)": 8 + (14 + 2 + 4 * (6 + 15)),
    # Of halves: 3 an id, 6, or 10 and 2 for each pair between the first and the last.
    "input_spike_grad(6, 4, 2, true, true)": 8 + (14 + 9 + 3 * 4 + 5),
    "input_spike_grad(6, 4, 4, true, true)": 8 + (14 + 9 + 6 * 4 + 6),
    "input_spike_grad(6, 4, 8, true, true)": 8 + (14 + 9 + 14 * 4 + 5),
    "input_spike_grad(6, 4, 3, true, true)": 8 + (14 + 2 + 4 * (6 + 18)),
    # More than a repeat's 4094 pairs between the first and the last are left to C++.
    "input_spike_grad(6, 4, 8192, true, true)": 8 + (14 + 9 + 4 * (10 + 2 * 4094) + 5),
    "input_spike_grad(6, 4, 8194, true, true)": 8 + (14 + 2 + 4 * (6 + 6 * 8194)),
    # 2 columns, 4, 8 and 4, 8 and 6 as words, 8 and 2 as words.
    "li_step(6, 3, 2, true, true)": 11 + (12 + 9 + (2 * 3 + 8) + 2 * 11),
    "li_step(6, 3, 4, true, true)": 11 + (12 + 9 + (2 * 3 + 9) + 4 * 11),
    "li_step(6, 3, 12, true, true)": 11 + (12 + 9 + (8 + 4 * 3 + 14) + (8 + 3 * 3 + 9) + 12 * 11),
    "li_step(6, 3, 14, true, true)": 11 + (12 + 9 + (8 + 6 * 3 + 14) + (8 + 5 * 3 + 13) + 14 * 11),
    "li_step(6, 3, 10, true, true)": 11 + (12 + 9 + (8 + 6 * 3 + 14) + (8 + 3 * 3 + 8) + 10 * 11),
    "li_step(6, 3, 3, true, true)": 11 + (12 + (2 * 2 + 2 + 3 * 10 + 2 + 2 + 3 * 7) + 3 * 11),
    # 12 entries are 2 a range; a worker has one of the biases: a block in and out, then each sample
    # 2 and 2 a column.
    "weight_grad(5, 12, 2, true, true)": 10 + 5 * (13 + 9 + 6 + 4) + (8 + (2 + 2 + 5 * 4)),
    "weight_grad(5, 6, 2, true, true)": 10 + 5 * (13 + 9 + 4 + 4) + (8 + (2 + 2 + 5 * 4)),
    # 15 words are 3 of one worker, whose ids are 40 at most; 40 entries are halved 6 times.
    "list_bits(40, 15)": 16 + 6 * 9 + 3 * 8 + 40 * 9,
    # 9 samples are two groups; 7 words are two of one worker.
    "sample_patterns(9, 7)": 41 + 2 * (7 + 2 * 10 + 9 * 10),
    # 6 samples have 16 blocks, three of one worker, whose base has 4 of them; rows of 2 are one
    # pair, rows of 3 are in C++.
    "pattern_sums(6, 2)": 34 + 10 + 3 * (9 + 4 * 7 + 4 + (9 + 13) + (11 + 2 + 6)),
    "pattern_sums(1, 3)": 34 + 10 + (9 + 6 + (2 * 2 + 2 + 2 + 2) + 36),
    # 26 inputs are 7 words, two of one worker: 8 inputs.
    "pattern_grad(6, 26, 2, false)": 50 + (11 + 9 + 8 + 5 * 8 + 3),
    "pattern_grad(9, 26, 16, true)": 50 + 2 * (11 + 9 + 5 + 8 * 16 + 3 + (16 + 3 * 5)),
    "pattern_grad(6, 3, 3, false)": 50 + (11 + 3 * (4 + 15)),
    # 14 ids are 7 words, two of one worker; 4 words are one a worker.
    "fetch_step(2, 14, true)": 17 + 2 * (11 + 2 * 3),
    "fetch_step(2, 4, false)": 17 + 2 * (11 + 3),
    # 14 ids are 7 words, two of one worker.
    "fetch_list(2, 14, true, false)": 23 + 2 * (34 + 2 * 3),
    "fetch_list(2, 14, false, true)": 23 + 2 * (34 + 3 * 5 + 4),
    # 4 entries are halved 3 times.
    "list_ranges(2, 4)": 11 + 2 * (11 + 8 + 3 * 9),
    # 7 samples of a list are two of one worker; two sizes may be too small.
    "list_sizes(3, 7, 2)": 8 + 3 * (6 + 2 * 5 + 5) + 2 * 5,
    # 7 entries are two of one worker; 6 an entry and 5 for each of its sources.
    "scatter_spike_grad(2, 7, 3)": 15 + 2 * (24 + 2 * (6 + 3 * 5)),
    "scatter_spike_grad(2, 7, 1, 1)": 15 + 2 * (24 + 2 * (6 + 5) + (4 + 2 * 6)),
    # 30 entries are 5 of one worker; twice a tenth of them, 6, are one of the part.
    "set_spike_grad(30, 10, 2)": 8 + 5 * 7 + (4 + 2 * 5),
    "set_spike_grad(7, 1, 1)": 8 + 2 * 7 + 2 * (4 + 5),
    # 40 words are 8 for each of the 5 workers that write; next to a short list the other worker
    # takes longest.
    "merge_lists(3, 0, true)": 18 + 56 + 22 + 3 * 10 + 40,
    "merge_lists(3, 80, true)": 18 + 22 + 3 * 15 + 22 + 28 + 8 * (2 * 6 + 4),
    "merge_lists(3, 80, true, 2)": (
        18 + 22 + 3 * 15 + 22 + 28 + 8 * (2 * 6 + 4) + 2 * (8 + 8 * 2 * 4)
    ),
    "merge_lists(3, 40, false)": 18 + 22 + 3 * 15 + 22 + 28 + 8 * (6 + 4),
    "save_input_grad(2, 7, 3)": 11 + 2 * (22 + 2 * (3 + 18)),
    "clear_spike_grad(2, 7)": 8 + 2 * (22 + 2 * 3),
    "copy_rows(12)": 13 + 2 * 3,
    # 8 steps are two of one worker.
    "import_spikes(3, 8, 5, true)": 9 + 3 * 2 * (21 + 5 * 8),
    "import_spikes(3, 8, 5, false)": 9 + 3 * 2 * (21 + 5 * 5),
    "export_spikes(3, 8, 5)": 8 + 3 * 2 * (15 + 5 * 8),
    "compact_spikes(7, 30, 4, false)": 15 + 7 * 6 + 2 * (53 + 4 * 5 + (20 + 30 * 17)),
    "compact_spikes(7, 30, 4, true)": 15 + 7 * 6 + 2 * (53 + 4 * 5 + 2 * (20 + 30 * 17)),
    "expand_spikes(7, 30, 4)": 7 + 2 * (14 + 30 * 2 + 4 * 6),
    "gather_spikes(7, 4)": 7 + 2 * (14 + 4 * 8),
    # 18 neurons of 4 samples are 8 blocks, two of one worker, which are counted as full; LIF's
    # step is 6 and fires 1.
    "lif_scan(5, 4, 18)": 8 + 8 * 5 + 2 * (12 + 2 * 16 + 5 * (4 + 16 * 19)),
    "lif_scan(5, 4, 3)": 8 + 4 * 5 + (12 + 2 * 3 + 5 * (4 + 3 * 19)),
    # A neuron costs 14, fires, near and grad 20, SuperSpike's derivative 7.
    "lif_scan_grad(5, 4, 3, popsnn::Surrogate::SuperSpike)": (
        17 + 4 * 5 + (12 + 9 * 3 + 5 * (10 + 3 * 41))
    ),
    # A prologue of 12 or 14 and the ring's row, 12. Three taps of 2 neurons, which are saved; whole
    # delays; none.
    "delay_currents(7, 2, delay_source(3, 2, 13, true))": (
        12 + 12 + 2 * (10 + 2 * 4 + (12 + 2 * 2 + 13) + (6 + 3 * (8 + 2 * 7)) + (6 + 2 * 3))
    ),
    "delay_currents(6, 2, delay_source(popsnn::kWhole, 2, 13, false))": (
        12 + 12 + (10 + 2 * 4 + (12 + 2 * 2 + 13) + (6 + 2 * 13))
    ),
    "delay_currents(6, 2, delay_source(popsnn::kUndelayed, 2, 13, false))": (
        12 + 12 + (10 + 2 * 4 + (12 + 2 * 2 + 13) + (6 + 2 * 5))
    ),
    # 7 samples are two of one worker; 3 taps and 2 neurons are one a worker.
    "delay_grad(7, 2, collect(3, 2), 3, true)": (
        14
        + 12
        + 2 * (10 + 2 * 3 + (6 + 3 * (8 + 2 * 7) + 2 * 2))
        + (12 + 7 * (3 + 2 * 7))
        + (6 + 3 * 7)
    ),
    "delay_grad(6, 2, collect(popsnn::kWhole, 2), 0, false)": (
        14 + 12 + (10 + 2 * 3 + (6 + 2 * 13 + 2 * 2))
    ),
    "delay_currents(7, 2, synaptic_source(2, 5))": (
        12 + 12 + 2 * (10 + 4 * 2 + 15 + 5 * (6 + 2 * 12))
    ),
    "synaptic_grad(7, 12, 2, true, true)": (
        15 + 12 + 7 * (8 + 2 * (8 + 2 * 36)) + 2 * (8 + 12 * (9 + 2 * 12))
    ),
    "synaptic_grad(7, 12, 2, false, false)": 15 + 12 + 7 * (8 + 2 * (8 + 2 * 12)),
    # 12 entries are two of one worker, 7 words too; a bisection takes 4 steps.
    "put_spikes(3, 12, true, false)": 16 + 3 * (22 + 3 + 2 * (9 + 36) + 2 * 26),
    "put_spikes(3, 12, false, false)": 16 + 3 * (22 + 2 * 3 + 2 * (9 + 36) + 2 * 26),
    "put_spikes(3, 12, true, true)": 16 + 3 * (22 + 3 + 2 * (9 + 36) + 2 * (26 + 9 + 2 * 42)),
    "take_spikes(3, 12, 7, 1, 2)": 17 + 3 * (12 + 2 * 18 + 70 + (8 + 2 * 3) + 2 * 11),
    "take_spikes(3, 12, 7, 2, 2)": 17 + 3 * (12 + 2 * 36 + 70 + 2 * (8 + 2 * 3) + 2 * 11),
    "take_spikes(3, 12, 7, 3, 3)": (
        17 + 3 * (12 + 2 * 54 + 88 + 38 + 3 * (8 + 2 * 3) + 2 * 11)  # learnt delays
    ),
    "append_spikes(3, 12, 7)": 10 + 3 * (22 + 5 * 3 + 3 * 4 + 2 * 10),
    "store_arrivals(3, 12, 2)": 13 + 12 + 3 * (11 + 2 * (5 + 2 * 5)),
    "gather_arrivals(3, 12)": 15 + 12 + 3 * (16 + 2 * 14),
    "steps_grad(3, 12)": 16 + 12 + 3 * (16 + 2 * 28),
    "scatter_arrivals(3, 4, 12, 7, 2)": 19 + 3 * (25 + 9 + 2 * 4 + 2 * (3 + 2 * 5)),
    "add_final_grad(6, 2, 3)": 7 + (13 + 3 * (10 + 4)),
    # 24 elements are 12 pairs, two of one worker, in loops of 3 and of 33 bundles.
    "add_gradients(3, 24)": 14 + 3 * (12 + 2 * 3 + 3),
    "add_gradients(1, 1)": 14 + 12 + 5,
    "adam_update(24)": 50 + 2 + 2 * 33,
    "adam_update(1)": 50 + 2 + (22 + 4 + 3),
    "sgd_update(12)": 21 + 2 * 15,
    # 40 weights of a worker are two calls of 23, 3 and 3, the second of Adam with a range and a
    # loop of its own; 13 a pair to and from floats.
    "adam_update(240, true)": 50 + 2 + 20 * 33 + 2 * 29 + 20 * 13 + (6 + 2),
    "sgd_update(240, true)": 21 + 40 * 15 + 2 * 29 + 20 * 13,
}


# Of vertices of one worker: entry and exit (6), and the bundles.
WORKER_BUNDLES = {
    # Two fields, ld32, add, st32.
    "count_step()": 2 + 3,
    "clamp_parameters(7)": 5 + 7 * 9,
    "clamp_gradients(7)": 7 + 7 * 9,
    "largest_size()": 4 + 5 + 1 + 6 * 5,
    # An id takes 8.
    # Two of 3 fields, and 3 of 3, are not empty.
    "scan_masks(3, 1, 4, 2)": 16 + 3 * 7 + 2 * 5 + 2 * 8,
    "scan_masks(3, 1, 4, 5)": 16 + 3 * 7 + 3 * 5 + 5 * 8,
    "scan_masks(3, 4, 32, 2)": 16 + 3 * (4 + 2 * 8) + 2 * 8,
    # Two entries at a time, or a block of 4 columns, 4 in and out, and one of 1: each row 2 and 2 a
    # column.
    "reduce_partials(10, 4)": 9 + 2 * (10 + 4 + 5),
    "reduce_partials(10, 5)": 9 + (8 + 2 + 10 * 10) + (2 + 2 + 10 * 4),
    "sum_samples(3, 4)": 4 + 8 + 3 * (3 + 20),
}


@pytest.fixture(scope="module")
def cycles(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, int]:
    """Return what the headers say of every expression."""
    folder = tmp_path_factory.mktemp("cycles")
    expressions = [*BUNDLES, *WORKER_BUNDLES]
    headers = "".join(
        f'#include "{path.relative_to(CODELETS)}"\n'
        for path in sorted(CODELETS.glob("*/cycles.hpp"))
    )
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


@pytest.mark.parametrize("expression", sorted(WORKER_BUNDLES))
def test_a_vertex_of_one_worker(cycles: Dict[str, int], expression: str) -> None:
    assert cycles[expression] == 6 + WORKER_BUNDLES[expression]


@pytest.mark.parametrize("family", ["delays", "neurons", "lists", "products", "optimizers"])
def test_every_codelet_has_an_estimator(family: str) -> None:
    header = (CODELETS / family / "cycles.hpp").read_text()
    estimated = set(re.findall(r"^constexpr std::uint64_t (\w+)\(", header, re.MULTILINE))
    # The vertices of LIF are those of any neuron model.
    codelets = {
        re.sub("^lif_step", "neuron_step", path.stem) for path in CODELETS.glob(f"{family}/*.cpp")
    }
    assert codelets
    assert codelets <= estimated
