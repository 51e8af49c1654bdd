"""Estimates of small vertices against counts by hand."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Dict, Iterable

import pytest
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[2] / "codelets"

# Bundles that the sources do not show; test_audit.py says where they are from. Saved registers of
# a call, a turn of a loop in C++ and of a bisection, a sample's addresses without registers, the
# begin and end of a worker's range: two products and two quotients of 5.
FRAME, TURN, BISECTION, SPILLS, RANGE = 17, 3, 2, 8, 2 * (1 + 5)
# 9 to choose a loop over rows; a switch over rows' widths; a model's loop with ten operands of 2;
# 33 a chunk of neurons, 7 a half of it that is shifted; 9 a sample; of packed masks 20 and 6.
CHOICE, SWITCH, CALL = 9, 5, 20
CHUNK, HALF, PAIRS, PACKED = 33 + CALL, 7 + CALL, 9, 6 + 20 + CALL
TOTALS = 14 + 3 * 4  # of three blocks
BLOCK = 3 + 13 + 4 + SPILLS  # of mask blocks: the turn and both sections
LATE = 9 + SPILLS + 16  # of a block and a late reader: four rows, its ids' number, address, ends
# A sample's call with six captures, and the ranges of two sections of 12 entries.
PUT = 22 + SPILLS + FRAME + 12 + 2 * (1 + RANGE + 4 * (9 + BISECTION))
TAKE = 4 + RANGE + 4 + 11 + 10 + 18  # a section
ADAM, SGD = 44 + RANGE + 22, 15 + RANGE + 16  # eleven and eight captures
UNIT = 11 + 2 * TURN  # of a readout: its bias, its membrane
# A loop over rows ahead, three operands; the row of a history; a copy with two pointers.
AHEAD, HISTORY, COPY = CHOICE + SWITCH + 3 * 2, 4, 4 + 2 * 2 + 2

# A MultiVertex that does nothing: the supervisor's 11, and 6 times entry and exit (6), the worker's
# number (2) and its frame.
EMPTY = 11 + 6 * (6 + 2 + FRAME)

# By expression: bundles of the slowest worker where the vertex is a MultiVertex.
BUNDLES = {
    # 6 rows of masks are one a worker, 7 are two. 2 neurons walk 4 ids: 2 an id and 5; then 30 and
    # 12 a sample, a chunk and 8 to call LIF's loop and 11 for the pair.
    "neuron_step(kLif, 6, 1, gather_rows(2, true, 4), 1, 2, true)": (
        20 + 6 + (30 + 12 + CHOICE + 13 + PACKED + 8 + 11)
    ),
    "neuron_step(kLif, 7, 1, gather_rows(2, true, 4), 1, 2, true)": (
        20 + 2 * 6 + 2 * (30 + 12 + CHOICE + 13 + PACKED + 8 + 11)
    ),
    # 8 samples are in one row: one worker has them all.
    "neuron_step(kLif, 8, 8, 0, 1, 2, true)": 20 + 6 + 8 * (30 + 12 + PACKED + 8 + 11),
    # 4 for the second half; the loop takes 32 neurons at most, of 16 each where a spike does not
    # zero the membrane.
    "neuron_step(kLif, 1, 1, 0, 1, 18, true)": (20 + 6 + (30 + 12 + PAIRS + CHUNK + 12 + 9 * 11)),
    "neuron_step(kLif, 1, 1, 0, 1, 36, true)": (
        20 + 6 + (30 + 12 + PAIRS + 2 * CHUNK + 12 + 8 + 18 * 11)
    ),
    "neuron_step(kLif, 1, 1, 0, 1, 18, false)": (
        20 + 6 + (30 + 12 + PAIRS + 33 + 2 * (HALF + 3) + 9 * 20)
    ),
    # 3 neurons have no loop in assembly: a block of 2 columns, then one of 1; a block is copied in
    # and out, an id costs 4 and each column 2. A recurrent layer has two sources. A neuron costs
    # 15, its step 6, fires twice, near, its state twice, 3 parameters.
    "neuron_step(kLif, 1, 1, gather_rows(3, true, 4), 2, 3, true)": (
        20
        + 6
        + (30 + 24 + (4 + 2 + 4 * (8 + TURN)) + (2 + 2 + 4 * (6 + TURN)) + 3 * (29 + 2 * TURN))
    ),
    # Masks that are not packed read every neuron again.
    "neuron_step(kLif, 1, 1, 0, 1, 17, true)": 20 + 6 + (30 + 12 + 17 * (29 + 6 + 3 * TURN)),
    # Sums begin with the bias: an operand of loops in assembly, else a copy.
    "neuron_step(kLif, 1, 1, biased_sum(2, true), 1, 2, true)": (
        20 + 6 + (30 + 12 + 2 + PACKED + 8 + 11)
    ),
    "neuron_step(kLif, 1, 1, biased_sum(2, false), 1, 2, true)": (
        20 + 6 + (30 + 12 + 2 * (3 + TURN) + PACKED + 8 + 11)
    ),
    "li_step(6, 4, 4, true)": 11 + (12 + SPILLS + (CHOICE + 8 + 4 * 3 + 8) + 4 * UNIT),
    "li_step(6, 4, 4, false)": 11 + (12 + SPILLS + (8 + 2 + 4 * (12 + TURN)) + 4 * UNIT),
    # LIF's loop for SuperSpike: 12 and its call, 2, and 30 a pair; 4 and 20 without a reset.
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::SuperSpike, 0, false)": 18
    + (26 + 12 + CALL + 2 + 30),
    "neuron_step_grad(kLif, 6, 4, popsnn::Surrogate::SuperSpike, 0, true)": 18
    + (26 + 12 + CALL + 4 + 2 * 20),
    # SuperSpike's derivative: fabs, mul, add, mul and a division of 3; ATan's as many. A neuron
    # costs 35 in addition: 9, three for its state, 3 parameters, fires, near, grad 18; 3 more for
    # each parameter that learns.
    "neuron_step_grad(kLif, 6, 3, popsnn::Surrogate::SuperSpike, 0, true)": 18
    + (26 + 3 * (35 + TURN + 7)),
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::SuperSpike, 2, true)": 18
    + (26 + 2 * (35 + TURN + 7 + 6)),
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::ATan, 2, true)": 18
    + (26 + 2 * (35 + TURN + 7 + 6)),
    "neuron_step_grad(kLif, 6, 2, popsnn::Surrogate::Sigmoid, 0, true)": 18
    + (26 + 2 * (35 + TURN + 10)),
    # 9; the state after and before, the two gradients in and out; 3 parameters, fires twice with a
    # choice each, near, 2 for ds, grad 18, SuperSpike's derivative; 3 for each parameter that
    # learns.
    "neuron_adjoint(kLif, 6, 3, popsnn::Surrogate::SuperSpike, 0)": (
        17 + (34 + 3 * (9 + TURN + 2 + 4 + 3 + 4 + 1 + 2 + 18 + 7))
    ),
    "neuron_adjoint(kLif, 7, 1, popsnn::Surrogate::Sigmoid, 2)": (
        17 + 2 * (34 + (9 + TURN + 2 + 4 + 3 + 4 + 1 + 2 + 18 + 10 + 6))
    ),
    # 12 entries a range; rows of 8 to 48 columns have their own walk, which a switch finds.
    "weight_grad(5, 72, 50, true, false)": (
        10 + 5 * (13 + CHOICE + 12 * (8 + 12 * 6 + 4) + (8 + 6 * 8 + 4))
    ),
    "weight_grad(5, 72, 18, true, true)": (
        (10 + CHOICE + SWITCH + 7 * 2)
        + (2 + 5 * (9 + 12 * (7 + 9)))
        + (RANGE + (4 + 2 + 5 * (6 + TURN)) + (2 + 2 + 5 * (4 + TURN)))
    ),
    # Rows ahead: 10 an id and 1 a pair, of rows of 2 columns 7, of 4 columns 10, of products 7; the
    # bias is copied by pairs. Rows of 3 are in C++: an id 7, of products 9, and each column 5.
    "neuron_step(kLif, 6, 1, sum_ahead(8, true, 5), 1, 8, true)": (
        20 + 6 + (30 + 12 + 8 + (COPY + 4 * 2) + (AHEAD + 5 * (10 + 4) + 3) + PACKED + 8 + 4 * 11)
    ),
    "neuron_step(kLif, 6, 1, sum_ahead(2, true, 5), 1, 2, true)": (
        20 + 6 + (30 + 12 + 8 + (COPY + 2) + (AHEAD + 5 * 7 + 2) + PACKED + 8 + 11)
    ),
    "neuron_step(kLif, 6, 1, sum_ahead(4, true, 5), 1, 4, true)": (
        20 + 6 + (30 + 12 + 8 + (COPY + 2 * 2) + (AHEAD + 5 * 10 + 2) + PACKED + 8 + 2 * 11)
    ),
    "neuron_step(kLif, 1, 1, sum_ahead(3, true, 4), 1, 3, true)": (
        20 + 6 + (30 + 12 + 8 + (2 + 4 * (7 + TURN + 3 * (5 + TURN))) + 3 * (29 + 2 * TURN))
    ),
    "li_step_ahead(6, 3, 16, true)": (
        18 + (12 + SPILLS + 3 + (COPY + 8 * 2) + (AHEAD + 3 * (10 + 8) + 3) + 16 * (8 + TURN))
    ),
    "li_step_ahead(7, 3, 3, false)": (
        18
        + 2
        * (
            (12 + SPILLS + 3 + 3 * (3 + TURN))
            + (2 + 3 * (7 + TURN + 3 * (5 + TURN)))
            + 3 * (8 + TURN)
        )
    ),
    # 12 entries a range; a walk that is chosen once has 10, two operands and a turn by sample.
    "weight_grad_ahead(5, 72, 18, true, true)": (
        (12 + HISTORY + AHEAD + 5 * (10 + 4 + TURN + 12 * (10 + 9) + 3))
        + (RANGE + (4 + 2 + 5 * (6 + TURN)) + (2 + 2 + 5 * (4 + TURN)))
    ),
    "weight_grad_ahead(5, 72, 2, true, false)": (
        12 + HISTORY + AHEAD + 5 * (10 + 4 + TURN + 12 * 7 + 2)
    ),
    "weight_grad_ahead(5, 72, 6, true, false)": (
        12 + HISTORY + AHEAD + 5 * (10 + 4 + TURN + 12 * (10 + 3) + 3)
    ),
    "weight_grad_ahead(5, 72, 50, true, false)": (
        12 + HISTORY + 5 * (13 + 2 + 12 * (7 + TURN + 50 * (5 + TURN)))
    ),
    "weight_grad_ahead(5, 72, 18, false, false)": (
        12 + HISTORY + 5 * (13 + 2 + 12 * (7 + TURN + 18 * (5 + TURN)))
    ),
    "weight_grad_ahead(5, 24600, 18, true, false)": (
        12 + HISTORY + 5 * (13 + 2 + 4100 * (7 + TURN + 18 * (5 + TURN)))
    ),
    "input_spike_grad_ahead(6, 4, 8, true)": 12 + HISTORY + (20 + AHEAD + 4 * (7 + 4) + 5),
    "input_spike_grad_ahead(6, 0, 8, true)": 12 + HISTORY + (20 + AHEAD),
    "input_spike_grad_ahead(6, 4, 2, true)": 12 + HISTORY + (20 + AHEAD + 4 * (7 + 1) + 5),
    "input_spike_grad_ahead(6, 4, 3, true)": (
        12 + HISTORY + (20 + 2 + 4 * (9 + TURN + 3 * (5 + TURN)))
    ),
    "li_step_grad(6, 2, false)": 10 + (12 + 24 + 4 * TURN),
    "li_step_grad(6, 2, true)": 10 + (12 + 38 + 6 * TURN),
    # Rows of 25 pairs: 8 an id and one for each pair between the first and the last.
    "input_spike_grad(6, 4, 2, true)": 10 + (20 + CHOICE + 3 * 4 + 4),
    "input_spike_grad(6, 4, 4, true)": 10 + (20 + CHOICE + 5 * 4 + 7),
    "input_spike_grad(6, 4, 8, true)": 10 + (20 + CHOICE + SWITCH + 8 * 4 + 6),
    "input_spike_grad(6, 4, 50, true)": 10 + (20 + CHOICE + 31 * 4 + 5),
    # Blocks of 8 and 4, or of 8 and 10 columns, cost 8 each in addition to their walk.
    "li_step(6, 3, 8, true)": 11 + (12 + SPILLS + CHOICE + (8 + 4 * 3 + 11) + 8 * UNIT),
    "li_step(6, 3, 12, true)": 11
    + (12 + SPILLS + CHOICE + (8 + 4 * 3 + 11) + (8 + 3 * 3 + 8) + 12 * UNIT),
    "li_step(6, 3, 16, true)": 11 + (12 + SPILLS + CHOICE + (8 + 2 * (4 * 3 + 11)) + 16 * UNIT),
    "li_step(6, 3, 18, true)": (
        11 + (12 + SPILLS + CHOICE + (8 + 6 * 3 + 10) + (8 + 5 * 3 + 8 + 4 * 3 + 6) + 18 * UNIT)
    ),
    "input_spike_grad(6, 4, 3, true)": 10 + (20 + 2 + 4 * (6 + TURN + 3 * (5 + TURN))),
    # Of halves: 3 an id, 6, or 10 and 2 for each pair between the first and the last.
    "input_spike_grad(6, 4, 2, true, true)": 10 + (20 + CHOICE + 3 * 4 + 5),
    "input_spike_grad(6, 4, 4, true, true)": 10 + (20 + CHOICE + 6 * 4 + 6),
    "input_spike_grad(6, 4, 8, true, true)": 10 + (20 + CHOICE + 14 * 4 + 5),
    "input_spike_grad(6, 4, 3, true, true)": 10 + (20 + 2 + 4 * (6 + TURN + 3 * (6 + TURN))),
    # More than a repeat's 4094 pairs between the first and the last are left to C++.
    "input_spike_grad(6, 4, 8192, true, true)": 10 + (20 + CHOICE + 4 * (10 + 2 * 4094) + 5),
    "input_spike_grad(6, 4, 8194, true, true)": (
        10 + (20 + 2 + 4 * (6 + TURN + (6 + TURN) * 8194))
    ),
    # 2 columns, 4, 8 and 4, 8 and 6 as words, 8 and 2 as words.
    "li_step(6, 3, 2, true, true)": 11 + (12 + SPILLS + CHOICE + (2 * 3 + 8) + 2 * UNIT),
    "li_step(6, 3, 4, true, true)": 11 + (12 + SPILLS + CHOICE + (2 * 3 + 9) + 4 * UNIT),
    "li_step(6, 3, 12, true, true)": 11
    + (12 + SPILLS + CHOICE + (8 + 4 * 3 + 14) + (8 + 3 * 3 + 9) + 12 * UNIT),
    "li_step(6, 3, 14, true, true)": 11
    + (12 + SPILLS + CHOICE + (8 + 6 * 3 + 14) + (8 + 5 * 3 + 13) + 14 * UNIT),
    "li_step(6, 3, 10, true, true)": 11
    + (12 + SPILLS + CHOICE + (8 + 6 * 3 + 14) + (8 + 3 * 3 + 8) + 10 * UNIT),
    "li_step(6, 3, 3, true, true)": (
        11 + (12 + SPILLS + (2 * 2 + 2 + 3 * (10 + TURN) + 2 + 2 + 3 * (7 + TURN)) + 3 * UNIT)
    ),
    # 12 entries are 2 a range; a worker has one of the biases: a block in and out, then each sample
    # 2 and 2 a column.
    "weight_grad(5, 12, 2, true, true)": (
        10 + CHOICE + 7 * 2 + 5 * (10 + 2 * 4) + (RANGE + (2 + 2 + 5 * (4 + TURN)))
    ),
    "weight_grad(5, 6, 2, true, true)": (
        10 + CHOICE + 7 * 2 + 5 * (10 + 4) + (RANGE + (2 + 2 + 5 * (4 + TURN)))
    ),
    # 15 words are 3 of one worker, whose ids are 40 at most; 40 entries are halved 6 times.
    "list_bits(40, 15)": 10 + RANGE + 6 * (9 + BISECTION) + 3 * (8 + TURN) + 40 * (9 + TURN),
    # 9 samples are two groups; 7 words are two of one worker.
    "sample_patterns(9, 7)": 35 + RANGE + 2 * (7 + 2 * 10 + 9 * 10 + 12 * TURN),
    # 6 samples have 16 blocks, three of one worker, whose base has 4 of them; rows of 2 are one
    # pair, rows of 3 are in C++.
    "pattern_sums(6, 2)": (
        34 + 10 + 3 * (9 + 4 * (7 + TURN) + 2 * (2 + TURN) + (CHOICE + 13) + (11 + 2 + 6))
    ),
    "pattern_sums(1, 3)": 34 + 10 + (9 + 6 + 3 * TURN + (2 * 2 + 2 + 2 + 2) + 36 + 3 * TURN),
    # 26 inputs are 7 words, two of one worker: 8 inputs.
    "pattern_grad(6, 26, 2, false)": 44 + RANGE + (11 + CHOICE + 8 + 5 * 8 + 3),
    "pattern_grad(9, 26, 16, true)": (
        44 + RANGE + 2 * (11 + CHOICE + SWITCH + 8 * 16 + 3 + (8 + RANGE + 3 * (5 + TURN)))
    ),
    "pattern_grad(6, 3, 3, false)": 44 + RANGE + (11 + 3 * (4 + TURN + 3 * (5 + TURN))),
    # 14 ids are 7 words, two of one worker; 4 words are one a worker.
    "fetch_step(2, 14, true)": 11 + RANGE + 2 * (11 + SPILLS + 2 * (3 + TURN)),
    "fetch_step(2, 4, false)": 11 + RANGE + 2 * (11 + SPILLS + 3 + TURN),
    # 36 ids are 9 pairs of words, three of one of four workers, or 18; of few words the worker of
    # the counts takes longest.
    "fetch_list(2, 36, true, false)": 32 + 2 * (8 + 2 + 3 * 2),
    "fetch_list(2, 36, false, true)": 32 + 2 * (8 + 2 + 5 * 4),
    "fetch_list(9, 4, true, false)": 22 + 9 * 14,
    # 5 entries are halved 3 times, rounded down or up.
    "list_ranges(2, 5, false)": 11 + 2 * (11 + SPILLS + 11 + 3 * (9 + BISECTION)),
    "list_ranges(2, 5, true)": 11 + 2 * (11 + SPILLS + 11 + 6 + 7 + 3 * 7),
    # 7 samples of a list are two of one worker; two sizes may be too small.
    "list_sizes(3, 7, 2)": 8 + 3 * (6 + 2 * (5 + TURN) + 5) + 2 * 5,
    # 7 entries are two of one worker; 6 an entry and 5 for each of its sources.
    "scatter_spike_grad(2, 7, 3)": (15 + 2 * (18 + SPILLS + RANGE + 2 * (6 + 3 * 5 + 4 * TURN))),
    "scatter_spike_grad(2, 7, 1, 1)": (
        15 + 2 * (18 + SPILLS + RANGE + 2 * (6 + 5 + 2 * TURN) + (4 + 2 * (6 + TURN)))
    ),
    # 30 entries are 5 of one worker; twice a tenth of them, 6, are one of the part.
    "set_spike_grad(30, 10, 2, true)": 9 + 9 + 5 * 5 + (8 + 3 + 2 + 4),
    "set_spike_grad(30, 10, 2, false)": 9 + 5 * (5 + TURN) + (8 + 2 + 4),
    "set_spike_grad(7, 1, 1, true)": 9 + 9 + 2 * 5 + 2 * (8 + 3 + 1 + 4),
    # 80 ids are 27 of a block, 13 words and an id; of 12 blocks a worker has two. Of a list that is
    # read late 40 words are 8 for each of the 5 workers that write; next to a short list the other
    # worker takes longest.
    "merge_lists(3, 0, true)": 18 + TOTALS + 14 + 24 + BLOCK,
    "merge_lists(3, 80, true)": 18 + TOTALS + 14 + 24 + BLOCK + 29 + 23 + (13 * 4 + 3),
    "merge_lists(12, 80, true)": (
        18 + (14 + 12 * 4) + 14 + 24 + 2 * (BLOCK + 29 + 23 + (3 * 4 + 3)) + (14 + 6 * 4)
    ),
    "merge_lists(3, 80, false)": 18 + TOTALS + 14 + 24 + BLOCK + 29 + 27 * (6 + TURN),
    # Of lists that are read late: the numbers of the blocks before, and ids without a delay of each
    # reader: none; 30, of which a block has one pair and the next block another; 5 of three blocks.
    "merge_lists(3, 0, true, 1, 0)": (
        18 + TOTALS + 14 + 24 + BLOCK + 3 + (4 + 2 + 2 * 2) + LATE + 9 + 3 * (5 + TURN)
    ),
    "merge_lists(12, 80, true, 2, 30)": (
        (18 + (14 + 12 * 4) + 14 + 24 + 2 * (BLOCK + 29 + 23 + (3 * 4 + 3)) + (14 + 6 * 4))
        + (3 + 2 * 2 * (4 + 2 + 2 * 11 + (LATE + (8 + TURN) + 9 + (5 + TURN))))
    ),
    "merge_lists(3, 40, false, 1, 5)": (
        (18 + TOTALS + 14 + 24 + BLOCK + 29 + 14 * (6 + TURN))
        + (3 + (4 + 2 + 2 * 2) + LATE + 2 * (4 + TURN))
    ),
    "save_input_grad(2, 7, 3)": 11 + 2 * (16 + SPILLS + RANGE + 2 * (3 + 18 + 4 * TURN)),
    "clear_spike_grad(2, 7)": 8 + 2 * (16 + SPILLS + RANGE + 2 * (3 + TURN)),
    "copy_rows(12)": 7 + RANGE + 2 * (3 + TURN),
    # 8 steps are two of one worker.
    "import_spikes(3, 8, 5, true)": 9 + 3 * 2 * (21 + 5 * (8 + TURN)),
    "import_spikes(3, 8, 5, false)": 9 + 3 * 2 * (21 + 5 * (5 + TURN)),
    "export_spikes(3, 8, 5)": 8 + 3 * 2 * (15 + 5 * (8 + TURN)),
    "compact_spikes(7, 30, 4, false)": (
        15 + 7 * 6 + 2 * (53 + 4 * (5 + TURN) + (20 + 30 * (17 + 2 * TURN)))
    ),
    "compact_spikes(7, 30, 4, true)": (
        15 + 7 * 6 + 2 * (53 + 4 * (5 + TURN) + 2 * (20 + 30 * (17 + 2 * TURN)))
    ),
    "expand_spikes(7, 30, 4)": 7 + 2 * (14 + 30 * (2 + TURN) + 4 * (6 + TURN)),
    "gather_spikes(7, 4)": 7 + 2 * (14 + 4 * (8 + TURN)),
    # 18 neurons of 4 samples are 8 blocks, two of one worker, which are counted as full; LIF's
    # step is 6 and fires 1.
    "lif_scan(5, 4, 18)": 8 + 8 * 5 + 2 * (12 + (2 + TURN) * 16 + 5 * (4 + 16 * (19 + TURN))),
    "lif_scan(5, 4, 3)": 8 + 4 * 5 + (12 + (2 + TURN) * 3 + 5 * (4 + 3 * (19 + TURN))),
    # A neuron costs 14, fires, near and grad 20, SuperSpike's derivative 7.
    "lif_scan_grad(5, 4, 3, popsnn::Surrogate::SuperSpike)": (
        17 + 4 * 5 + (12 + (9 + TURN) * 3 + 5 * (10 + 3 * (41 + TURN)))
    ),
    # A prologue of 13 or 14 and the ring's row, 12. Three taps of 2 neurons, which are saved; whole
    # delays; none.
    "delay_currents(7, 2, delay_source(3, 2, 13, true))": (
        13
        + 12
        + 2
        * (
            (10 + SPILLS + 2 * (4 + TURN))
            + (20 + 2 * (2 + TURN) + 13)
            + (6 + 3 * (8 + TURN + 2 * (7 + TURN)))
            + (6 + 2 * (3 + TURN))
        )
    ),
    "delay_currents(6, 2, delay_source(popsnn::kWhole, 2, 13, false))": (
        13 + 12 + (10 + SPILLS + 20 + 13 + 6 + 2 * (4 + 2 + 13 + 3 * TURN))
    ),
    "delay_currents(6, 2, delay_source(popsnn::kUndelayed, 2, 13, false))": (
        13 + 12 + (10 + SPILLS + 20 + 13 + 6 + 2 * (4 + 2 + 5 + 3 * TURN))
    ),
    # 7 samples are two of one worker; 3 taps and 2 neurons are one a worker.
    "delay_grad(7, 2, collect(3, 2), 3, true)": (
        14
        + 12
        + 2
        * (10 + SPILLS + 2 * (3 + TURN) + (6 + 3 * (8 + TURN + 2 * (7 + TURN)) + 2 * (2 + TURN)))
        + (12 + 7 * (3 + TURN + 2 * (7 + TURN)))
        + (6 + (3 + TURN) * 7)
    ),
    "delay_grad(6, 2, collect(popsnn::kWhole, 2), 0, false)": (
        14 + 12 + (10 + SPILLS + 6 + 2 * (3 + 13 + 2 + 3 * TURN))
    ),
    "delay_currents(7, 2, synaptic_source(2, 5))": (
        13 + 12 + 2 * (10 + SPILLS + (4 + TURN) * 2 + 23 + 5 * (6 + TURN + 2 * (12 + TURN)))
    ),
    "synaptic_grad(7, 12, 2, true, true)": (
        15
        + 12
        + 7 * (8 + SPILLS + 2 * (8 + TURN + 2 * (36 + TURN)))
        + 2 * (8 + SPILLS + 12 * (9 + TURN + 2 * (12 + TURN)))
    ),
    "synaptic_grad(7, 12, 2, false, false)": (
        15 + 12 + 7 * (8 + SPILLS + 2 * (8 + TURN + 2 * (12 + TURN)))
    ),
    # 12 entries are two of one worker, 7 words too; a bisection takes 4 steps.
    "put_spikes(3, 12, true, false)": (
        17 + 3 * (PUT + 12 * (3 + TURN) + 8 + 3 + TURN + 2 * (26 + TURN))
    ),
    "put_spikes(3, 12, false, false)": (
        17 + 3 * (PUT + 12 * (3 + TURN) + 8 + 2 * (3 + TURN) + 2 * (26 + TURN))
    ),
    "put_spikes(3, 12, true, true)": (
        17 + 3 * (PUT + 18 * (3 + TURN) + 8 + 3 + TURN + 2 * (26 + TURN + 9 + 2 * 42))
    ),
    # 7 words are two of one worker, 12 entries two, and a word is empty before the next one. The
    # first worker has the records, but no range before its own in the first section.
    "take_spikes(3, 12, 7, 1, true, true)": (
        18 + 3 * (12 + SPILLS + 10 + 14 + 16 + 2 + 2 + TAKE + 6 + 6 + (9 + 13))
    ),
    "take_spikes(3, 12, 7, 1, true, false)": (
        18 + 3 * (12 + SPILLS + 10 + 14 + 16 + 2 + 2 + TAKE + 6 + 2 * (4 + TURN) + 2 * (11 + TURN))
    ),
    "take_spikes(3, 12, 7, 2, false, true)": (
        18
        + 3 * (12 + SPILLS + 16 + 14 + 14 + 6 * (3 + TURN) + 4 + 2 + 14)
        + 3 * 2 * (TAKE + 12 + 6 + (9 + 5))
    ),
    "take_spikes(3, 12, 7, 3, false, true)": (
        18  # learnt delays
        + 3 * (12 + SPILLS + 16 + 14 + 26 + 6 * (3 + TURN) + 4 + 6 + 26 + 2 + 14 + 26)
        + 3 * 3 * (TAKE + 12 + 6 + (9 + 5))
    ),
    "count_arrivals(7, 3)": 7 + 2 * (10 + TURN + 6 * (2 + TURN) + 3 * (5 + TURN)),
    # 12 entries are 6 words, one of each worker; 9 records two of one.
    "next_arrivals(3, 12, 9, true)": (7 + 3 * (13 + SPILLS + RANGE + 3 + TURN + 2 * (4 + TURN))),
    "next_arrivals(3, 12, 11, false)": (
        7 + 3 * (13 + SPILLS + RANGE + 2 * (3 + TURN) + 2 * (4 + TURN))
    ),
    # Of 72 entries, 12 of a worker, the fullest of 12 parts has 12; of 6, the only part all.
    "set_arrivals(72, 12, 2, true)": 17 + 9 + 12 * 5 + 2 * (17 + 3 + 2 + 4),
    "set_arrivals(6, 1, 1, false)": 17 + (5 + TURN) + (17 + 1 + 4),
    "store_arrivals(3, 12, 2)": (13 + 12 + 3 * (5 + SPILLS + RANGE + 2 * (5 + 2 * 5 + 3 * TURN))),
    "gather_arrivals(3, 12)": 15 + 12 + 3 * (10 + SPILLS + RANGE + 2 * (14 + TURN)),
    "steps_grad(3, 12)": 16 + 12 + 3 * (10 + SPILLS + RANGE + 2 * (28 + TURN)),
    "scatter_arrivals(3, 4, 12, 7, 2)": (
        19 + 3 * (13 + SPILLS + 2 * RANGE + 9 + TURN + 2 * (4 + TURN) + 2 * (3 + 2 * (5 + TURN)))
    ),
    "add_final_grad(6, 2, 3)": 7 + (13 + 3 * (10 + 4 + 3 * TURN)),
    # 24 elements are 12 pairs, two of one worker, in loops of 3 and of 33 bundles.
    "add_gradients(3, 24)": 8 + RANGE + 3 * (12 + FRAME + 8 + 2 * 3 + 3),
    "add_gradients(1, 1)": 8 + RANGE + 12 + FRAME + 8 + 5,
    "adam_update(24)": ADAM + 2 + 2 * 33,
    "adam_update(1)": ADAM + 2 + (22 + 4 + 3),
    "sgd_update(12)": SGD + 2 * (15 + TURN),
    # 40 weights of a worker are two calls of 23, 3 and 3, the second of Adam with a range and a
    # loop of its own; 13 a pair to and from floats.
    "adam_update(240, true)": ADAM + 2 + 20 * 33 + 2 * 29 + 20 * 13 + (6 + 2),
    "sgd_update(240, true)": SGD + 40 * (15 + TURN) + 2 * 29 + 20 * 13,
}


# Of vertices of one worker: entry and exit (6), and the bundles.
WORKER_BUNDLES = {
    # Two fields, ld32, add, st32.
    "count_step()": 2 + 3,
    "clamp_parameters(7)": 5 + 7 * (9 + TURN),
    "clamp_gradients(7)": 7 + 7 * (9 + TURN),
    "largest_size()": 4 + 5 + 1 + 6 * (5 + TURN),
    "largest_bucket(7)": 10 + 2 + 6 + 3,
    "largest_bucket(8)": 10 + 6 + 4,
    # Without a delay is one of the two ids; of two readers.
    "scan_late_masks(3, 1, 16, 2, 2, 1)": (
        FRAME + 32 + 3 * 4 + 2 * 6 + 2 * 6 + 6 + 2 * (14 + 4 * 2 + 1)
    ),
    # 7 neurons are three pairs, 2 bundles each, and one.
    "next_spike_grad(7)": 16 + 2 + 2 * 3 + 2,
    "next_spike_grad(8)": 16 + 2 + 2 * 4,
    "ring_slots()": 13 + 12,
    # An id takes 6. Two of 3 fields, and 3 of 3, are not empty.
    "scan_masks(3, 1, 4, 2)": FRAME + 32 + 3 * (7 + TURN) + 2 * 5 + 2 * 6,
    "scan_masks(3, 1, 4, 5)": FRAME + 32 + 3 * (7 + TURN) + 3 * 5 + 5 * 6,
    "scan_masks(3, 1, 16, 2)": FRAME + 32 + 3 * 4 + 2 * 6 + 2 * 6,
    "scan_masks(3, 2, 32, 2)": FRAME + 32 + 3 * 6 + 2 * 3 + 2 * 6,
    "scan_masks(3, 4, 32, 2)": FRAME + 32 + 3 * (4 + 2 * 8 + 3 * TURN) + 2 * 6,
    # Two entries at a time, or a block of 4 columns, 4 in and out, and one of 1: each row 2 and 2 a
    # column.
    "reduce_partials(10, 4)": 9 + 2 * (10 + 4 + 5 + 4),
    "reduce_partials(10, 5)": 9 + (8 + 2 + 10 * (10 + TURN)) + (2 + 2 + 10 * (4 + TURN)),
    "sum_samples(3, 4)": 4 + 8 + 4 * TURN + 3 * (3 + 20 + 4 * TURN),
}


@pytest.fixture(scope="module")
def cycles(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, int]:
    """Return what the headers say of every expression."""
    return evaluate([*BUNDLES, *WORKER_BUNDLES], tmp_path_factory.mktemp("cycles"))


def evaluate(expressions: Iterable[str], folder: Path) -> Dict[str, int]:
    """Compile the headers; return the value of each expression."""
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
