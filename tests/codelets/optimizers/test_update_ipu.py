"""The updates' loops in assembly compute what they say in the bundles that are counted."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import List

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import floats, generators
from tests.codelets.worker_isa import run_kernel
from tests.emulator.popc_tool import CXX

CODELETS = Path(__file__).resolve().parents[3] / "codelets"
MOST = 20  # pairs


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> List[List[int]]:
    """Return the bundles of the loops below for 0, 1, 2 ... pairs."""
    folder = tmp_path_factory.mktemp("update")
    prints = "".join(
        f'for (unsigned n = 0; n <= {MOST}; ++n) std::printf("%d ", int({of}));std::puts("");'
        for of in ("add_pairs(n)", "adam_pairs(n)", "widen_pairs(n)", "narrow_pairs(n)")
    )
    (folder / "count.cpp").write_text(
        '#include "optimizers/cycles.hpp"\n'
        '#include "optimizers/cycles.hpp"\n'
        "#include <cstdio>\nusing namespace popsnn::cycles;\n"
        f"int main() {{ {prints} }}\n"
    )
    command = [CXX, "-std=c++17", f"-I{CODELETS}", "count.cpp", "-o", "count"]
    subprocess.run(command, cwd=folder, check=True)
    lines = subprocess.run([folder / "count"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [[int(n) for n in line.split()] for line in lines.splitlines()]


@given(pairs=st.integers(1, MOST), rng=generators)
def test_add(counted: List[List[int]], pairs: int, rng: np.random.Generator) -> None:
    total, other = floats(rng, 2 * pairs), floats(rng, 2 * pairs)
    expected = total + other
    arrays = {"sum": total, "other": other}
    taken = run_kernel(
        CODELETS / "optimizers/add_gradients.cpp", "add_pairs", arrays, {"more": pairs - 1}
    )
    np.testing.assert_array_equal(total, expected)
    assert taken == counted[0][pairs]


@given(pairs=st.integers(0, MOST), rng=generators)
def test_adam(counted: List[List[int]], pairs: int, rng: np.random.Generator) -> None:
    n = 2 * pairs
    g, m, v, p = floats(rng, n), floats(rng, n), np.abs(floats(rng, n)), floats(rng, n)
    step, beta1, beta2, epsilon, root, decay, shrink = rng.uniform(0.1, 0.9, 7).astype(np.float32)
    unit = np.float32(1.0)

    g_all = g + decay * p
    first = beta1 * m + (unit - beta1) * g_all
    second = beta2 * v + (unit - beta2) * g_all * g_all
    parameter = shrink * p - step * first / (np.sqrt(second) * root + epsilon)

    settings = (decay, unit - beta1, beta1, unit - beta2, beta2, step, root, epsilon, shrink)
    arrays = {
        "settings": np.repeat(np.array(settings, np.float32), 2).reshape(9, 2),
        "gradient": g,
        "first": m,
        "second": v,
        "parameter": p,
    }
    taken = run_kernel(CODELETS / "optimizers/adam_ipu.hpp", "adam_pairs", arrays, {"pairs": pairs})
    np.testing.assert_array_equal(m, first)
    np.testing.assert_array_equal(v, second)
    np.testing.assert_array_equal(p, parameter)
    assert taken == counted[1][pairs]


@given(pairs=st.integers(0, MOST), rng=generators)
def test_masters(counted: List[List[int]], pairs: int, rng: np.random.Generator) -> None:
    weights = floats(rng, 2 * pairs) * np.float32(10.0) ** rng.integers(-9, 4, 2 * pairs)
    whole = weights.astype(np.float32)
    value, rest = np.empty(2 * pairs, np.float16), np.empty(2 * pairs, np.float16)
    header = CODELETS / "optimizers/masters_ipu.hpp"
    arrays = {"whole": whole, "scale": np.full(2, 2048, np.float32), "value": value, "rest": rest}
    taken = run_kernel(header, "narrow_pairs", arrays, {"pairs": pairs})
    assert taken == counted[3][pairs]
    np.testing.assert_array_equal(value, whole.astype(np.float16))
    left = (whole - value.astype(np.float32)) * np.float32(2048)
    np.testing.assert_array_equal(rest, left.astype(np.float16))

    again = np.empty(2 * pairs, np.float32)
    arrays = {**arrays, "scale": np.full(2, 1 / 2048, np.float32), "whole": again}
    assert run_kernel(header, "widen_pairs", arrays, {"pairs": pairs}) == counted[2][pairs]
    exact = value.astype(np.float64) + rest.astype(np.float64) / 2048
    np.testing.assert_array_equal(again, exact.astype(np.float32))
    assert (np.abs(exact - whole) <= np.maximum(np.abs(whole) * 2.0**-23, 2.0**-36)).all()
