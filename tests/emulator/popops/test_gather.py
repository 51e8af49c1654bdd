"""popops: gather and scatter as XLA defines them, and padding, against NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popops/gather", program_folder)


def test_gather_along_an_axis(results: Results) -> None:
    c = results["gathers"]
    np.testing.assert_array_equal(c["rows"], c["x"][:, c["at"]])
    np.testing.assert_array_equal(c["grid_rows"], c["made"][c["grid"].ravel()])


def test_gather_of_slices(results: Results) -> None:
    c = results["gathers"]
    x, expected = c["x"], np.empty((2, 2, 3, 5), np.float32)  # batch, offset, batch, offset
    for a in range(2):
        for b in range(3):
            i, j = c["places"][a, b]
            expected[a, :, b] = x[i, j : j + 2]
    np.testing.assert_array_equal(c["slices"], expected)
    np.testing.assert_array_equal(c["columns"], c["flat"][:3, c["scalars"]])


def test_scatter(results: Results) -> None:
    c = results["scatters"]
    x, y, z = c["x"].copy(), c["y"].copy(), np.zeros((5, 4))
    for i, row in zip(c["at"], c["rows"]):
        x[i] = row
        y[i] += row
    for n, (i, j) in enumerate(c["places"]):
        z[i : i + 2, j : j + 2] = c["blocks"][..., n]
    np.testing.assert_array_equal(c["x_after"], x)
    np.testing.assert_array_equal(c["y_after"], y)
    np.testing.assert_array_equal(c["z_after"], z)


def test_pad(results: Results) -> None:
    c = results["pads"]
    x, i = c["x"], c["i"]
    np.testing.assert_array_equal(c["zeros"], np.pad(x, ((1, 2), (0, 3))))
    cut = np.pad(x[1:, :1], ((0, 0), (2, 0)), constant_values=1.5)
    np.testing.assert_array_equal(c["cut"], cut)
    np.testing.assert_array_equal(c["ints"], np.pad(i, (2, 1), constant_values=-3))
    np.testing.assert_array_equal(c["tensor"], np.pad(i, (1, 2), constant_values=7))
    np.testing.assert_array_equal(c["edge"], np.pad(x, ((2, 1), (1, 2)), "edge"))
    np.testing.assert_array_equal(c["reflect"], np.pad(x, ((2, 1), (1, 3)), "reflect"))
    np.testing.assert_array_equal(c["mapped_later"], np.pad(i, (1, 0)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sizes", "gather: expected a slice size, and an offset or collapsed dimension, for each"),
        ("vectors", "gather: expected indices with 2 elements along dimension 1, got {2,3,2}"),
        ("window", "scatter: expected a window or inserted dimension for each dimension of {5,4}"),
        ("rank", "pad: expected a padding for each dimension of {3,4}, got 1 and 1"),
        ("cut", "pad: expected a dimension of {3,4} with as many elements as are taken away"),
        ("reflect", "pad: expected fewer elements to reflect than the 3 along dimension 0, got 3"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
