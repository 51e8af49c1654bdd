"""popfloat: casts against the list of all numbers of a format, and how often noise rounds down."""

from __future__ import annotations

from math import erf, exp, log, sqrt
from pathlib import Path
from typing import Callable, Dict

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program

MODES = ["RZ", "RN", "RA", "RU", "RD"]
FORMATS = [
    "float_5_10_15_11",
    "float_4_11_13_01",
    "float_4_11_13_10",
    "float_8_7_127_11",
    "float_3_4_3_11",
    "half_3_4_3_11",
    "half_3_4_3_10",
    "half_5_2_15_11",
    "half_5_2_17_10",
    "half_4_7_5_11",
    "half_0_6_2_10",
]


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popops/popfloat", program_folder)


class Format:
    """A format of the name calculation_exponent_mantissa_bias_denormals-and-infinities."""

    def __init__(self, name: str) -> None:
        calculation, *sizes, flags = name.split("_")
        self.half = calculation == "half"
        self.exponent, self.mantissa, self.bias = (int(size) for size in sizes)
        self.denormals, self.infinities = flags[0] == "1", flags[1] == "1"

    def numbers(self, denormals: bool) -> np.ndarray:
        """All numbers from 0 up: (N,)."""
        m = np.arange(2**self.mantissa) / 2.0**self.mantissa
        low = [m * 2.0 ** (1 - self.bias)] if denormals else [np.zeros(1)]
        fields = range(1, 2**self.exponent - self.infinities)
        return np.concatenate(low + [(1 + m) * 2.0 ** (e - self.bias) for e in fields])

    def decode(self, code: int, bits: int) -> float:
        """The number that `bits` bits stand for: sign, exponent, mantissa and zeros after it."""
        sign = -1.0 if code >> (bits - 1) & 1 else 1.0
        mantissa = bits - 1 - self.exponent
        e, m = code >> mantissa & (2**self.exponent - 1), code & (2**mantissa - 1)
        if self.infinities and e == 2**self.exponent - 1:
            return np.nan if m else sign * np.inf
        fraction = m / 2.0**mantissa + (e > 0)
        return float(sign * fraction * 2.0 ** (max(e, 1) - self.bias))


def rounded(x: float, f: Format, mode: str, nanoo: bool) -> float:
    """The number of the format for `x`, searched for among all of them."""
    if np.isnan(x):
        return np.nan
    grid = f.numbers(denormals=True)
    magnitude, largest = abs(x), grid[-1]
    if f.half:
        scale = 2.0 ** (f.bias - (16 if f.exponent == 5 and not f.infinities else 15))
        stop = np.float16(65504)
        magnitude = float(np.float16(min(magnitude * scale, stop))) / scale
        if f.exponent == 5:  # half stops at the largest number rather than overflow
            magnitude = min(magnitude, largest)
    if magnitude < grid[1] / 2:
        return 0.0
    at = int(np.searchsorted(grid, magnitude, side="right")) - 1
    # Beyond the last number the grid goes on in equal steps.
    step = (grid[at + 1] if at + 1 < grid.size else 2 * grid[-1] - grid[-2]) - grid[at]
    part = (magnitude - grid[at]) / step
    even = at % 2 == 0
    up: Dict[str, bool] = {
        "RZ": False,
        "RN": part > 0.5 or (part == 0.5 and not even),
        "RA": part >= 0.5,
        "RU": part > 0 and x > 0,
        "RD": part > 0 and x < 0,
    }
    result = grid[at] + step * up[mode] if part < 1 else 2 * largest
    if result > largest:
        if nanoo and f.infinities:
            return np.nan
        result = largest
    smallest = 2.0 ** (1 - f.bias)
    if (not f.denormals and result < smallest) or result < 2.0**-126:
        return 0.0
    return float(result if x > 0 else -result)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FORMATS)
def test_cast(results: Results, name: str, mode: str) -> None:
    c, f = results[f"{name}_{mode}"], Format(name)
    x = c["x"].astype(np.float64)
    nanoo = name.endswith(("11", "01"))
    want = np.array([rounded(v, f, mode, nanoo) for v in x])
    y = c["y"]
    if y.dtype.kind == "f":
        np.testing.assert_array_equal(y, want.astype(y.dtype))
        assert not np.signbit(y[y == 0]).any()
        if "same" in c:
            np.testing.assert_array_equal(c["same"], want.astype(c["same"].dtype))
        return
    bits = 8 * y.itemsize
    got = np.array([f.decode(int(code), bits) for code in y])
    if f.half:  # numbers to be packed are kept as half before
        want = want.astype(np.float16).astype(np.float64)
    finite = ~np.isnan(want)
    np.testing.assert_array_equal(got[finite], want[finite])
    ones = (2**f.exponent - 1) << (bits - 1 - f.exponent)
    assert all(int(code) & ones == ones for code in y[~finite])
    if f.infinities:
        np.testing.assert_array_equal(c["z"], want.astype(c["z"].dtype))
    else:
        np.testing.assert_array_equal(c["z"][finite], want[finite])


def test_tests_overflow_and_underflow(results: Results) -> None:
    c = results["half_3_4_3_11_RN"]
    assert np.isnan(c["y"]).sum() > 100
    assert (c["y"] == 0).sum() > 100
    assert np.unique(c["y"][c["y"] > 0]).size > 60


def normal_cdf(x: float) -> float:
    return 0.5 * (1 + erf((x - 0.1) / (0.3 * sqrt(2))))


def laplace_cdf(x: float) -> float:
    z = (x - 0.1) / 0.2
    return 0.5 * exp(z) if z < 0 else 1 - 0.5 * exp(-z)


def logistic_cdf(x: float) -> float:
    return 1 / (1 + exp(-(x - 0.1) / 0.2))


def logit_cdf(x: float) -> float:
    return 0.5 * (1 + erf((log(x / (1 - x)) - 0.2) / (0.7 * sqrt(2))))


def between(cdf: Callable[[float], float], x: float, low: float, high: float) -> float:
    return (cdf(x) - cdf(low)) / (cdf(high) - cdf(low))


def test_noise_rounds_down_as_often_as_its_density_says(results: Results) -> None:
    c = results["stochastic"]
    x, down, up = float(np.float32(1.1)), 1.0625, 1.125
    # Rounded down where the noise, in units of the last bit, is below this.
    n = 1 - (x - down) / (up - down)
    want = {
        "SR": n,
        "one_bit": 0.5,  # 0 or one half is added to 0.6
        "uniform": (n - 0.3) / 0.5,
        "normal": normal_cdf(n - 0.5),
        "truncated_normal": between(normal_cdf, n - 0.5, -0.3, 0.5),
        "bernoulli": 0.3,
        "laplace": laplace_cdf(n - 0.5),
        "truncated_laplace": between(laplace_cdf, n - 0.5, -0.2, 0.5),
        "logistic": logistic_cdf(n - 0.5),
        "truncated_logistic": between(logistic_cdf, n - 0.5, -0.2, 0.5),
        "logit_normal": logit_cdf(n),
        "truncated_logit_normal": between(logit_cdf, n, 0.2, 0.9),
    }
    for name, p in want.items():
        y = c[name]
        assert set(np.unique(y)) == {down, up}, name
        assert abs(np.mean(y == down) - p) < 5 * sqrt(p * (1 - p) / y.size), name


ERRORS = {
    "too_wide": "at most 23 bits of mantissa and 8 of exponent, got 24 bits",
    "not_half": "a format smaller than half to calculate as FP16, got 11 bits of mantissa and 4",
    "no_numbers": "got a format without numbers",
    "noise": "the density UNIFORM in [0.000000, 1.000000], got [0.000000, 2.000000]",
    "unset": "expected createCastOpParamsTensor to be called before",
    "no_mode": "expected a rounding mode, got INV",
    "storage": "got short calculated as half",
    "input": "got int to half calculated as half",
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(results: Results, case: str) -> None:
    text = results.errors[case]
    assert text is not None
    assert ERRORS[case] in text
