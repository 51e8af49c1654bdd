"""LIF's loops over pairs of neurons compute what lif.hpp says, in the bundles that are counted."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import List

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Array, floats, generators
from tests.codelets.worker_isa import run_kernel
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[3] / "codelets"
HEADER = CODELETS / "neurons/lif_ipu.hpp"
ZEROES = CODELETS / "neurons/lif_zero_ipu.hpp"
ZERO, SUBTRACT, NONE = range(3)
MOST = 8  # pairs of a call
CHUNK = 16  # of one where a spike zeroes the membrane

resets = st.sampled_from((ZERO, SUBTRACT, NONE))


def tables(function: str, shape: str) -> Array:
    """Return the header's table of masks of one of the functions of Pairs<Lif>."""
    text = HEADER.read_text()
    text = text[text.index(f"static {function}(") :]
    body = text[text.index(f"kMasks{shape}") + len("kMasks" + shape) :]
    body = body[: body.index(";")]
    names = {"kSign": 1 << 31, "kOne": 0x3F800000, "~0u": 0xFFFFFFFF, "0": 0}
    words: List[int] = []
    for word in re.findall(r"kSign|kOne|~0u|1u << \d+|\b0\b", body):
        words.append(names[word] if word in names else 1 << int(word.split()[-1]))
    return np.array(words, np.uint32).reshape([int(n) for n in re.findall(r"\d+", shape)])


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> List[List[int]]:
    """Return the bundles of the loops for 0, 1, 2 ... pairs: step, gradient; zeroing."""
    folder = tmp_path_factory.mktemp("lif")
    prints = "".join(
        f'for (unsigned n = 0; n <= {CHUNK}; ++n) std::printf("%d ", int({of}));std::printf("\\n");'
        for of in (
            "kLif.step_loop(n)",
            "kLif.grad_loop(n)",
            "kLif.step_loop_zero(n)",
            "kLif.grad_loop_zero(n)",
        )
    )
    (folder / "count.cpp").write_text(
        '#include "neurons/cycles.hpp"\n#include <cstdio>\nusing namespace popsnn::cycles;\n'
        f"int main() {{ {prints} }}\n"
    )
    command = [CXX, "-std=c++17", f"-I{CODELETS}", "count.cpp", "-o", "count"]
    subprocess.run(command, cwd=folder, check=True)
    lines = subprocess.run([folder / "count"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [[int(n) for n in line.split()] for line in lines.splitlines()]


def after_reset(reset: int, v: Array, threshold: Array) -> Array:
    left = {ZERO: np.zeros_like(v), SUBTRACT: v - threshold, NONE: v}[reset]
    return np.where(v >= threshold, left, v)


def some_membranes(rng: np.random.Generator, threshold: Array, grad_threshold: Array) -> Array:
    """Return membranes on both sides of their thresholds, at them, and no numbers."""
    v = (threshold + floats(rng, threshold.size)).astype(np.float32)
    kind = rng.integers(0, 8, threshold.size)
    return np.where(kind == 0, threshold, np.where(kind == 1, grad_threshold, v)).astype(np.float32)


@given(pairs=st.integers(1, MOST), reset=resets, rng=generators)
def test_step(counted: List[List[int]], pairs: int, reset: int, rng: np.random.Generator) -> None:
    n = 2 * pairs
    threshold, beta, total = 1.0 + np.abs(floats(rng, n)), floats(rng, n), floats(rng, n)
    grad_threshold = threshold - np.abs(floats(rng, n))
    before, gain = some_membranes(rng, threshold, grad_threshold), np.float32(rng.uniform(0.1, 2.0))
    if rng.integers(2):
        before[rng.integers(n)] = np.nan
    expected = beta * after_reset(reset, before, threshold) + gain * total
    after = total.copy()
    words = {"pairs": pairs, "word": 0}
    arrays = {
        "before": before,
        "after": after,
        "beta": beta,
        "threshold": threshold,
        "grad_threshold": grad_threshold,
        "masks": tables("ChunkBits step", "[3][4][2]")[reset],
        "gain": np.full(1, gain),
    }
    taken = run_kernel(HEADER, "lif_step", arrays, words)
    np.testing.assert_array_equal(after, expected)
    bits = np.unpackbits(np.array([words["word"]], "<u4").view(np.uint8), bitorder="little")
    np.testing.assert_array_equal(bits[16 - n : 16], expected >= threshold)
    np.testing.assert_array_equal(bits[32 - n :], ~(expected < grad_threshold))
    assert bits[: 16 - n].sum() == 0
    assert taken == counted[0][pairs]


def with_next(values: Array) -> Array:
    """Return the values and a pair after them that may be loaded, and not used."""
    return np.append(values, np.full(2, np.nan, np.float32))


@given(pairs=st.integers(1, CHUNK), rng=generators)
def test_step_that_zeroes(counted: List[List[int]], pairs: int, rng: np.random.Generator) -> None:
    n = 2 * pairs
    threshold, beta, total = 1.0 + np.abs(floats(rng, n)), floats(rng, n), floats(rng, n)
    grad_threshold = threshold - np.abs(floats(rng, n))
    before, gain = some_membranes(rng, threshold, grad_threshold), np.float32(rng.uniform(0.1, 2.0))
    if rng.integers(2):
        before[rng.integers(n)] = np.nan
    expected = beta * after_reset(ZERO, before, threshold) + gain * total
    after = total.copy()
    first = min(pairs, MOST)
    words = {"pairs": first, "more": pairs - first}
    shifts = 2 * np.arange(MOST)[:, None, None] + [[0, 1], [16, 17]]
    arrays = {
        "before": with_next(before),
        "after": after,
        "beta": beta,
        "threshold": with_next(threshold),
        "grad_threshold": grad_threshold,
        "bits": (np.uint32(1) << shifts.astype(np.uint32)).astype(np.uint32),
        "gain": np.full(1, gain),
    }
    taken = run_kernel(ZEROES, "lif_step_zero", arrays, words)
    np.testing.assert_array_equal(after, expected)
    halves = np.array([words["pairs"], words["more"]], "<u4")
    bits = np.unpackbits(halves.view(np.uint8), bitorder="little").reshape(2, 2, 16)
    fired, near = bits[:, 0].ravel(), bits[:, 1].ravel()
    np.testing.assert_array_equal(fired[:n], expected >= threshold)
    np.testing.assert_array_equal(near[:n], ~(expected < grad_threshold))
    assert fired[n:].sum() == near[n:].sum() == 0
    assert taken == counted[2][pairs]


@given(pairs=st.integers(1, MOST), reset=resets, attached=st.booleans(), rng=generators)
def test_grad(
    counted: List[List[int]], pairs: int, reset: int, attached: bool, rng: np.random.Generator
) -> None:
    n = 2 * pairs
    threshold, beta = 1.0 + np.abs(floats(rng, n)), floats(rng, n)
    grad_threshold = threshold - floats(rng, n)  # above the threshold too
    v, ds, after = some_membranes(rng, threshold, grad_threshold), floats(rng, n), floats(rng, n)
    slope, gain = np.float32(rng.uniform(0.5, 20.0)), np.float32(rng.uniform(0.1, 2.0))
    unit = np.float32(1.0)

    carry = beta * after
    spiked, active = v >= threshold, (v >= threshold) | ~(v < grad_threshold)
    by_spike = {ZERO: v, SUBTRACT: threshold, NONE: np.zeros_like(v)}[reset]
    to_spike = ds - carry * by_spike if attached else ds
    width = slope * np.abs(v - threshold) + unit
    through_spike = np.where(active, unit / (width * width) * to_spike, np.float32(0.0))
    expected = np.where(spiked & (reset == ZERO), np.float32(0.0), carry) + through_spike

    d, di = after.copy(), np.full(n, np.nan, np.float32)
    arrays = {
        "state": v,
        "beta": beta,
        "threshold": threshold,
        "grad_threshold": grad_threshold,
        "ds": ds,
        "d": d,
        "di": di,
        "masks": tables("void grad", "[2][3][5][2]")[int(attached)][reset],
        "scalars": np.array([slope, slope, gain, gain], np.float32),
    }
    taken = run_kernel(HEADER, "lif_grad", arrays, {"pairs": pairs})
    np.testing.assert_array_equal(d, expected)
    np.testing.assert_array_equal(di, gain * expected)
    assert taken == counted[1][pairs]
    if reset != ZERO or attached:
        return

    d, di = after.copy(), np.full(n, np.nan, np.float32)
    arrays.update(d=d, di=di, threshold=with_next(threshold))
    del arrays["masks"]
    arrays["scalars"] = np.array([slope, slope, gain, gain, unit, unit], np.float32)
    taken = run_kernel(ZEROES, "lif_grad_zero", arrays, {"more": pairs - 1})
    np.testing.assert_array_equal(d, expected)
    np.testing.assert_array_equal(di, gain * expected)
    assert taken == counted[3][pairs]
