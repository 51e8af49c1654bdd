"""poplin: triangular systems and factorisations, against NumPy in double precision."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("poplin/solve", program_folder)


def cases(results: Results, prefix: str, count: int) -> list:
    found = [name for name in results.cases if name.startswith(prefix)]
    assert len(found) == count
    return found


def close(got: np.ndarray, expected: np.ndarray, half: bool) -> None:
    tolerance = 1e-2 if half else 1e-4
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def test_triangular_systems(results: Results) -> None:
    for name in cases(results, "solve ", 10):
        got = results[name]
        a = got["a"].astype(np.float64)
        triangle = np.tril(a) if "lower" in name else np.triu(a)
        if "unit" in name:
            diagonal = np.arange(a.shape[-1])
            triangle[..., diagonal, diagonal] = 1
        np.testing.assert_array_equal(got["mask"], triangle)
        assert got["x"].dtype == got["b"].dtype
        b, x = got["b"].astype(np.float64), got["x"].astype(np.float64)
        if "left" in name:
            expected = np.linalg.solve(triangle, b)
        else:
            expected = np.swapaxes(
                np.linalg.solve(np.swapaxes(triangle, -1, -2), np.swapaxes(b, -1, -2)), -1, -2
            )
        # Systems with a unit diagonal are worse conditioned: solutions grow.
        scale = np.abs(expected).max()
        close(x / scale, expected / scale, "half" in name)


def test_cholesky(results: Results) -> None:
    for name in cases(results, "cholesky ", 3):
        got = results[name]
        expected = np.linalg.cholesky(got["a"].astype(np.float64))
        if "upper" in name:
            expected = np.swapaxes(expected, -1, -2)
        for factor in (got["factor"], got["in_place"]):
            assert factor.dtype == got["a"].dtype
            close(factor, expected, "half" in name)
            assert not factor[expected == 0].any()


def test_lu(results: Results) -> None:
    for name in cases(results, "lu ", 4):
        got = results[name]
        lower, upper = got["l"], got["u"]
        assert lower.dtype == upper.dtype == np.float32
        np.testing.assert_array_equal(lower, np.tril(lower))
        np.testing.assert_array_equal(np.diag(lower), 1)
        np.testing.assert_array_equal(upper, np.triu(upper))
        close(lower.astype(np.float64) @ upper, got["a"], half=False)


def test_qr(results: Results) -> None:
    for name in cases(results, "qr ", 3):
        got = results[name]
        q, r = got["q"].astype(np.float64), got["r"].astype(np.float64)
        np.testing.assert_array_equal(r, np.triu(r))
        np.testing.assert_allclose(q @ r, got["a"], atol=2e-6)
        np.testing.assert_allclose(q.T @ q, np.eye(len(q)), atol=2e-6)


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    errors = results.errors
    assert errors["square"] == (
        "2 minor dimension of tensor A must have the same size, got 4 and 3"
    )
    assert errors["left"] == (
        "mismatched shape for triangular solver. For A [..., N, N], B must have shape of "
        "[..., K, N]"
    )
    assert errors["ranks"] == "ranks of tensors A and B must match, got 3 and 2"
    assert errors["block"] == "triangularSolve: blockSize must be greater than zero, got 0"
    assert errors["cholesky"] == errors["square"]
    assert errors["cholesky type"] == (
        "createCholeskyInput: expected a tensor of type float or half, got int"
    )
    assert errors["lu"] == "LUFactorization: expected a matrix [M,N], got {2,4,4}"
    assert errors["qr"] == (
        "number of matrix A rows must be greater or equal to the number of columns, got 3 and 4"
    )
