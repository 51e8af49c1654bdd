"""popops: reductions, casts, scaled additions, filling."""

from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, library_program

OPERATIONS = {
    "ADD": np.sum,
    "MUL": np.prod,
    "MIN": np.min,
    "MAX": np.max,
    "LOGICAL_AND": np.all,
    "LOGICAL_OR": np.any,
    "SQUARE_ADD": lambda x, axis: np.sum(np.square(x), axis=axis),
    "LOG_ADD": lambda x, axis: np.log(np.sum(np.exp(x), axis=axis)),
}


@pytest.fixture(scope="module")
def printed(program_folder: Path) -> str:
    program = library_program("popops/reduce", program_folder)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def results(printed: str) -> Results:
    return Results("\n".join(row for row in printed.splitlines() if '"reduce"' not in row))


def test_every_operation_along_every_set_of_dimensions(printed: str, results: Results) -> None:
    rows = [json.loads(row) for row in printed.splitlines() if '"reduce"' in row]
    assert len(rows) > 100
    for row in rows:
        case = results[row["reduce"]]
        x = case["x"].T if row["transposed"] else case["x"]
        wide = x.astype(np.float64) if x.dtype.kind == "f" else x
        expected = np.asarray(OPERATIONS[row["operation"]](wide, axis=tuple(row["dims"])))
        got = case["out"]
        assert got.shape == expected.shape, row
        if got.dtype.kind == "f":
            tolerance = 1e-3 if got.dtype == np.float16 else 1e-5
            np.testing.assert_allclose(
                got, expected, rtol=tolerance, atol=tolerance, err_msg=str(row)
            )
        else:
            np.testing.assert_array_equal(got, expected, err_msg=str(row))


def test_output_update_and_scale(results: Results) -> None:
    c = results["with output"]
    x = c["x"].astype(np.float64)
    np.testing.assert_allclose(c["out_after"], c["out"] + 0.25 * x.sum(0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(c["plain_after"], x.sum(1), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(c["all"], x.sum(), rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(c["maxima"], c["x"].max(1).astype(np.float16))
    np.testing.assert_array_equal(c["minima"], c["x"].min(0))


def test_dimensions_of_one_do_not_matter_to_an_output(results: Results) -> None:
    """The rules of analyzeReduction(), reduceWithMap() and createOutputWhenNotMapOrReduction() in
    poplibs, lib/popops/reduction/Reduction.cpp."""
    c = results["singletons"]
    x = c["x"].astype(np.float64)[:, 0]
    close = functools.partial(np.testing.assert_allclose, rtol=1e-5, atol=1e-6)
    close(c["kept_after"], x.sum(0).reshape(1, 6, 1))
    close(c["scalar_after"], [x.sum()])
    np.testing.assert_array_equal(c["columns_after"], c["x"].max((0, 1)))
    close(c["many_after"], x.sum(1).reshape(1, 1, 4))
    np.testing.assert_array_equal(c["copied"], c["x"][:, 0])
    np.testing.assert_array_equal(c["empty"], np.ones((4, 3)))


def test_logarithms_are_scaled_and_updated_as_logarithms(results: Results) -> None:
    """As the documentation of popops::reduce in poplibs, include/popops/Reduce.hpp."""
    c = results["singletons"]
    x, logs = c["x"].astype(np.float64), c["logs"].astype(np.float64)
    expected = np.logaddexp(logs, np.log(np.exp(x).sum((0, 1))) + 0.75)
    np.testing.assert_allclose(c["logs_after"], expected, rtol=1e-3)


def test_one_row_a_tile_is_read_where_it_lies(results: Results) -> None:
    c = results["large rows"]
    np.testing.assert_allclose(c["sums"], c["x"].astype(np.float64).sum(0), atol=1e-6)
    np.testing.assert_array_equal(c["copy"], c["row"][0])
    expected = c["y"].astype(np.float64)
    expected[1] = expected.sum(0)
    np.testing.assert_allclose(c["y_after"], expected, rtol=1e-6)


def test_the_rest(results: Results) -> None:
    c = results["rest"]
    assert c["all_true"] == np.bool_(True)
    assert c["all_true"].shape == ()
    assert c["not_all_true"] == np.bool_(False)
    np.testing.assert_array_equal(c["half"], c["a"].astype(np.float16))
    np.testing.assert_array_equal(c["bool"], c["i"] != 0)
    np.testing.assert_array_equal(c["saturated"], [2**31 - 1, -(2**31), 3, -3])
    np.testing.assert_array_equal(c["byte"], [255, 0, 3, 0])
    np.testing.assert_array_equal(c["set"], c["i"].astype(np.float32))
    b = c["b"].astype(np.float32)
    np.testing.assert_allclose(c["a_after"], c["a"] + 2 * b, rtol=1e-6)
    np.testing.assert_array_equal(c["b_after"], (b + np.float32(0.5) * b).astype(np.float16))
    np.testing.assert_array_equal(c["i_after"], 4 * c["i"])
    np.testing.assert_array_equal(c["x_after"], np.full(50, 1 + 0.5 * 1 - 0.5 * 2))
    filled = np.full((5, 13), 1.5)
    filled[:, :2] = -1
    np.testing.assert_array_equal(c["filled_after"], filled)
    np.testing.assert_array_equal(c["z_after"], [3, 3, 0, 0, 0, 3, 0, 3, 3])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("logical", "reduce: operation LOGICAL_AND is not defined for float"),
        ("dims", "reduce: expected dimensions below the rank 2, got 2"),
        ("result", "reduce: expected a result of type float, got int"),
        ("shape", "reduceWithOutput: expected an output of the dimensions that are kept"),
        ("ranks", "reduceWithOutput: expected an output of the dimensions that are kept"),
        ("update of", "reduce: expected ADD, SQUARE_ADD or LOG_ADD to update an output, got MAX"),
        ("scale of", "reduce: expected ADD, SQUARE_ADD or LOG_ADD with a scale, got MIN"),
        ("update", "reduce: expected an output to update; use reduceWithOutput"),
        ("scaled shape", "scaledAddTo: expected tensors of one shape"),
        ("scaled type", "scaledAddTo: expected tensors of one type, got int and float"),
        ("bools", "allTrue: expected a tensor of type bool, got int"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
