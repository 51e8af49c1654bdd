"""popops: one-hot rows, ascending numbers, scalars of rows, histograms, tests for NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program

MASKED = 2**32 - 1


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popops/encoding", program_folder)


def test_one_hot(results: Results) -> None:
    c = results["encodings"]
    columns = np.arange(7)
    np.testing.assert_array_equal(c["hot_after"], c["at"][:, None] == columns)
    expected = np.where(c["signs"][:, None] == columns, -4, 9)
    np.testing.assert_array_equal(c["ints_after"], expected)


def test_iota(results: Results) -> None:
    c = results["encodings"]
    np.testing.assert_array_equal(c["up_after"], np.arange(7, 107))
    np.testing.assert_array_equal(c["down_after"], np.arange(-4, 5))


def test_scalars_of_rows(results: Results) -> None:
    c = results["encodings"]
    selected, y = [], c["y"].copy()
    for row, i in enumerate(c["at"]):
        if i == MASKED:
            selected.append(0)
        elif i >= 7:
            selected.append(np.nan)
            y[row] = np.nan
        else:
            selected.append(c["x"][row, i])
            y[row, i] -= 1
    np.testing.assert_array_equal(c["selected"], np.array(selected, np.float32))
    np.testing.assert_array_equal(c["y_after"], y)


def test_histograms(results: Results) -> None:
    c = results["statistics"]
    edges = np.concatenate([[-np.inf], c["levels"], [np.inf]])
    counts = np.histogram(c["x"], edges)[0]
    assert counts.min() > 0
    np.testing.assert_array_equal(c["counts"], counts)
    np.testing.assert_array_equal(c["sums_after"], counts + 10)
    np.testing.assert_array_equal(c["column_after"], (counts + 2).reshape(5, 1))
    np.testing.assert_array_equal(c["absolute"], np.histogram(np.abs(c["x"]), edges)[0])
    assert c["absolute"].dtype == np.float32


def test_nan(results: Results) -> None:
    c = results["statistics"]
    names = ("finite", "nan", "infinite")
    assert [bool(c[f"{n}_has"]) for n in names] == [False, True, False]
    assert [bool(c[f"{n}_has_either"]) for n in names] == [False, True, True]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rank", "encodeOneHot: expected an index [N] for each row [N, C], got {6} and {100}"),
        ("type", "encodeOneHot: expected indices of type unsigned int or int, got float"),
        ("start", "iota: expected a tensor of rank 1 or 0 of int, got {100} of unsigned int"),
        ("levels", "histogram: expected levels [L] of the input's type, got {50} of half"),
        ("counts", "histogram: expected an output {3} of unsigned int, got {5} of unsigned int"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert results.errors[name] == text
