"""popops: B-spline functions at the coordinates of edges, and sums weighted by them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program

EDGES, OUTPUTS = 7, 5


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popops/splines", program_folder)


def cox_de_boor(degree: int, x: float) -> np.ndarray:
    """The functions of a uniform B-spline that are not zero at x in [0, 1), by their recursion."""
    values = np.array([1.0])
    for p in range(1, degree + 1):
        left = (np.arange(p) + x)[::-1] / p  # of function i, on its support
        grown = np.zeros(p + 1)
        grown[:-1] += (1 - left) * values
        grown[1:] += left * values
        values = grown
    return values


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("name", ["float", "half"])
def test_splines(results: Results, name: str, degree: int) -> None:
    c = results[f"{name} {degree}"]
    tolerance = 1e-5 if name == "float" else 4e-3
    size, opened = (5, 4), (1, 0)
    splines = (degree + 1) ** 2
    basis, index = np.zeros((EDGES, splines)), np.zeros((EDGES, splines), int)
    for e in range(EDGES):
        at = [np.float32(c["pseudo"][e, d]) * (size[d] - degree * opened[d]) for d in (0, 1)]
        values = [cox_de_boor(degree, float(v) - np.floor(float(v))) for v in at]
        for s in range(splines):
            k = (s % (degree + 1), s // (degree + 1))
            basis[e, s] = values[0][k[0]] * values[1][k[1]]
            cells = [(int(at[d]) + k[d]) % size[d] for d in (0, 1)]
            index[e, s] = cells[0] + 5 * cells[1]
    np.testing.assert_allclose(basis.sum(1), 1)
    np.testing.assert_allclose(c["basis_after"], basis, atol=tolerance)
    np.testing.assert_array_equal(c["index_after"], index)
    x, w = c["x"].astype(np.float64), c["w"].astype(np.float64)
    b = c["basis_after"].astype(np.float64)
    expected = np.einsum("es,ei,esio->eo", b, x, w[index])
    assert c["out"].shape == (EDGES, OUTPUTS)
    np.testing.assert_allclose(c["out"], expected, atol=tolerance)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("degree", "splineBasis: expected a degree of 1, 2 or 3, got 4"),
        ("kernel", "splineBasis: kernelSize: expected {2} of int, got {2} of unsigned char"),
        ("weight", "splineWeighting: weight: expected rank 3, got {7,3}"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert results.errors[name] == text
