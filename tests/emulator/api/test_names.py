"""Names of the host API that libraries and tools count on (what C++ can check, it checks)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("names", program_folder)


def test_constants_by_bits_and_by_traits(results: Results) -> None:
    c = results["values"]
    bits = np.array([0x3C00, 0xC000, 0x0001], np.uint16).view(np.float16)
    np.testing.assert_array_equal(c["halves"], bits)
    np.testing.assert_array_equal(c["variable"], bits)
    np.testing.assert_array_equal(c["all"], bits[:2])
    assert c["traits"].tolist() == [2.5] * 4


def quarter(x: np.ndarray, mantissa: int, bias: int, nanoo: bool) -> np.ndarray:
    """The nearest number of the format, ties to even, as arXiv:2206.02915 defines it."""
    code = np.arange(128)
    exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
    normal = (exponent != 0) * (1 << mantissa)
    grid = (fraction + normal) * 2.0 ** (np.maximum(exponent, 1) - bias - mantissa)
    out = np.empty(x.size)
    for i, value in enumerate(x):
        distance = np.abs(grid - abs(value))
        nearest = np.flatnonzero(distance == distance.min())
        best = grid[nearest[nearest % 2 == 0][0] if nearest.size == 2 else nearest[0]]
        step = grid[-1] - grid[-2]
        beyond = nanoo and abs(value) >= grid[-1] + step / 2
        out[i] = np.nan if beyond or not np.isfinite(value) else np.copysign(best, value)
    return out


@pytest.mark.parametrize(("name", "mantissa", "bias"), [("143", 3, 8), ("152", 2, 16)])
def test_numbers_of_8_bits(results: Results, name: str, mantissa: int, bias: int) -> None:
    x = [0, 1, -1.0625, 240, 248, 1e4, 2**-10, 1e-4, 0.8125, 0.84375, -0.875, np.inf]
    for nanoo, suffix in ((False, "s"), (True, "n")):
        expected = quarter(np.array(x), mantissa, bias, nanoo)
        np.testing.assert_allclose(results["quarters"][name + suffix], expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("limits", "type_error: Target::getTypeLimitsMaxAs: expected an integral type, got float"),
        ("not half", "type_error: Graph::addConstantHalf: expected type half, got float"),
        (
            "metadata",
            "type_error: Graph::clone: metadata: expected one element of quarter_metadata",
        ),
        ("dimension", "field 'Fields.few' expected a dimension below 1, got 1"),
        ("real", "Graph::getMaxVertexFieldValue: expected an integral type, got float"),
        ("vertex", "unknown_vertex_type: Graph::getMaxFieldDim: expected a vertex type of"),
        ("record", "initializeStreamer: expected a file that can be written, got 'no such folder"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
