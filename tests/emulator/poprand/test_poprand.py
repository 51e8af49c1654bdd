"""poprand: the moments and ends of distributions, what decides a number, and the generator."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("poprand", program_folder)


def mean_is(x: np.ndarray, mean: float, deviation: float) -> None:
    """Within five standard errors."""
    assert abs(x.astype(np.float64).mean() - mean) < 5 * deviation / np.sqrt(x.size)


def test_uniform(results: Results) -> None:
    c = results["distributions"]
    x = c["uniform"]
    assert x.min() >= -2
    assert x.max() < 3
    mean_is(x, 0.5, 5 / np.sqrt(12))
    mean_is((x - 0.5) ** 2, 25 / 12, 25 / np.sqrt(180))
    assert np.unique(x).size > 1990
    half = c["uniform_half"]
    assert half.min() >= 0
    assert half.max() < 1
    mean_is(half, 0.5, 1 / np.sqrt(12))


def test_ints(results: Results) -> None:
    c = results["distributions"]
    values, counts = np.unique(c["uniform_int"], return_counts=True)
    assert values.tolist() == [-2, -1, 0, 1, 2]
    assert np.all(np.abs(counts - 400) < 5 * np.sqrt(2000 * 0.2 * 0.8))
    wide = c["all_ints"].astype(np.float64)
    mean_is(wide, 0, 2**32 / np.sqrt(12))
    assert wide.min() < -(2**31) * 0.99
    assert wide.max() > 2**31 * 0.99


def test_log_uniform(results: Results) -> None:
    x = np.log(results["distributions"]["log_uniform"].astype(np.float64))
    assert x.min() >= 0
    assert x.max() <= np.log(1000) + 1e-6
    mean_is(x, np.log(1000) / 2, np.log(1000) / np.sqrt(12))


def test_bernoulli(results: Results) -> None:
    c = results["distributions"]
    assert set(np.unique(c["bernoulli"])) == {0, 1}
    mean_is(c["bernoulli"], 0.25, np.sqrt(0.25 * 0.75))
    np.testing.assert_array_equal(c["bernoulli_int"], c["bernoulli"].astype(np.int32))


@pytest.mark.parametrize("name", ["normal", "normal_half"])
def test_normal(results: Results, name: str) -> None:
    x = results["distributions"][name].astype(np.float64)
    mean_is(x, 1, 2)
    z = (x - 1) / 2
    mean_is(z**2, 1, np.sqrt(2))
    mean_is(z**4, 3, np.sqrt(96))
    mean_is(np.abs(z) < 1, 0.6827, 0.4655)


def test_truncated_normal(results: Results) -> None:
    z = (results["distributions"]["truncated"].astype(np.float64) - 1) / 2
    assert np.abs(z).max() <= 1.5
    assert np.abs(z).max() > 1.45
    mean_is(z, 0, 1)
    mean_is(np.abs(z) < 1, 0.6827 / 0.8664, 0.5)


def test_what_decides_a_number(results: Results) -> None:
    c = results["distributions"]
    np.testing.assert_array_equal(c["uniform_here"], c["uniform"])
    assert np.mean(c["uniform_other"] == c["uniform"]) < 0.01


def test_dropout(results: Results) -> None:
    c = results["distributions"]
    saved = c["dropped"] != 0
    np.testing.assert_array_equal(c["dropped"], np.where(saved, c["x"] * np.float32(4), 0))
    mean_is(saved, 0.75, np.sqrt(0.75 * 0.25))
    rows = c["rows_dropped"] != 0
    assert np.all(rows == rows[:, :1])
    assert 5 < rows[:, 0].sum() < 35
    np.testing.assert_array_equal(c["rows_dropped"], np.where(rows, c["x"] * np.float32(2), 0))


def test_the_generator_goes_on(results: Results) -> None:
    c = results["generator"]
    draws = [c[n] for n in ("first", "second", "before", "after", "seeded", "seeded_otherwise")]
    for i, a in enumerate(draws):
        for b in draws[:i]:
            assert np.mean(a == b) < 0.1
    np.testing.assert_array_equal(c["seeded_again"], c["seeded"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("interval", "uniform: expected a minVal below the maxVal"),
        ("type", "normal: expected a result of type float or half"),
        ("seed", "uniform: expected a seed {2} of unsigned int"),
        ("shape", "dropout: expected a reference of the input's shape"),
        ("probability", "bernoulli: expected a probability between 0 and 1"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert results.errors[name] == text
