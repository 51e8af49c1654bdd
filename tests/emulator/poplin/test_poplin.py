"""poplin: matrix products on few and many tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("poplin", program_folder)


def close(got: np.ndarray, expected: np.ndarray) -> None:
    tolerance = 2e-3 if got.dtype == np.float16 else 2e-5
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * 5)


def test_products(results: Results) -> None:
    products = [case for name, case in results.cases.items() if name.startswith("product")]
    assert len(products) == 18
    for case in products:
        a = case["a"].astype(np.float64)
        b = case["b"] if "b" in case else case["bt"].T
        assert case["out"].shape == (a.shape[0], b.shape[1])
        close(case["out"], a @ b.astype(np.float64))


def test_long_sums_round_little(results: Results) -> None:
    """One product after another would be off by 2e-5; sixteen at a time are by 1.2e-6."""
    np.testing.assert_allclose(results["sums"]["out"], 2048 * float(np.float32(0.1)), rtol=2e-6)


def test_accumulation_groups_and_created_operands(results: Results) -> None:
    c = results["rest"]
    product = c["a"].astype(np.float64) @ c["b"]
    close(c["sum"], 1 - 0.5 * product)
    close(c["out_after"], product)
    assert c["groups"].dtype == np.float32
    close(c["groups"], c["x"].astype(np.float64) @ c["y"].astype(np.float64))


def test_groups(results: Results) -> None:
    c = results["groups"]
    a, b = c["a"].astype(np.float64), c["b"].astype(np.float64)
    close(c["out"], a @ b)
    close(c["sum_after"], 1 - 2 * (a @ b))
    close(c["arranged"], a[0] @ b[1])
    np.testing.assert_array_equal(c["arranged_groups"], c["b"])


def test_lines_and_grids(results: Results) -> None:
    c = results["groups"]
    np.testing.assert_array_equal(c["line"], np.linspace(-1, 2, 7).astype(np.float32))
    x, y = np.meshgrid(c["line"], [5, 5])
    np.testing.assert_array_equal(c["grid_x"], x)
    np.testing.assert_array_equal(c["grid_y"], y)


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    assert "matMul: expected [M,K] and [K,N], got {9,200}" in str(results.errors["shapes"])
    assert "expected operands of one type, float or half" in str(results.errors["types"])
    assert results.errors["output"] == (
        "matMulGroupedWithOutput: expected an output of {2,7,5}, got {130,5}"
    )
    assert results.errors["groups"] == (
        "createMatMulGroupedOutput: expected shapes [G,M,K] and [G,K,N]"
    )
