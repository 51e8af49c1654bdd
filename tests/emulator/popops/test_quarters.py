"""Casts from and to numbers of 8 bits, against the format's definition in float64."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popops/quarters", program_folder)


def numbers(mantissa: int, bias: int, scale: int) -> np.ndarray:
    """All 256 numbers, as arXiv:2206.02915 defines them: minus zero is the only NaN."""
    code = np.arange(128)
    exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
    normal = (exponent != 0) * (1 << mantissa)
    half = (fraction + normal) * 2.0 ** (np.maximum(exponent, 1) - bias - mantissa + scale)
    out = np.concatenate((half, -half))
    out[128] = np.nan
    return out


@pytest.mark.parametrize(
    ("case", "mantissa", "bias", "scale"),
    [("F143", 3, 8, -5), ("F152", 2, 16, 31), ("F143 half", 3, 8, 8)],
)
def test_every_number(results: Results, case: str, mantissa: int, bias: int, scale: int) -> None:
    got = results[case]["numbers"]
    np.testing.assert_array_equal(got, numbers(mantissa, bias, scale).astype(np.float32))


def test_chars_drop_the_fraction_and_saturate(results: Results) -> None:
    expected = np.nan_to_num(np.clip(np.trunc(numbers(3, 8, 0)), -128, 127))
    np.testing.assert_array_equal(results["chars"]["numbers"], expected)


def test_casts_round_to_nearest_even(results: Results) -> None:
    c = results["to quarter"]
    # 248 lies between 240 and what there is no number for: not a number, as on a model.
    narrow = [0, 1, -1, 240, np.nan, np.nan, 2.0**-10, 0, -0.875]
    np.testing.assert_array_equal(c["narrow"], np.array(narrow, np.float32))
    assert c["bytes"].tolist()[:2] == [0, 0x40]
    wide = [0, 1, -1, 256, np.nan, np.nan, 2.0**-10, 0, -0.875]
    np.testing.assert_array_equal(c["wide"], np.array(wide, np.float32))
    np.testing.assert_array_equal(c["from half"], np.array([0, 1, -1, 256], np.float32))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("none", "cast: metadata: expected a tensor for a cast to quarter, got none"),
        ("another", "Graph::clone: metadata: expected one element of quarter_metadata for type"),
        ("needless", "Graph::clone: expected a type with metadata, got int"),
        ("integer", "cast: expected float, half, a char type or quarter on the other side of"),
        ("constant", "Graph::addConstant: constants of type quarter are not emulated"),
        ("several", "Tensor::getMetadata: expected elements that share their metadata"),
        ("associate", "Tensor::associateMetadata: expected a tensor of type quarter, got float"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
