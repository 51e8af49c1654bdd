"""popops: variances, rearrangements, images, tensors for the host and slices of sequences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("layouts", program_folder)


def test_variances_change_type(results: Results) -> None:
    """As lib/popops/VarianceToOrFromInvStdDev.cpp of poplibs."""
    c = results["variances"]
    x, h = c["x"].astype(np.float64), c["h"].astype(np.float64)
    expected = 1 / np.sqrt(x + 0.125)
    assert c["half"].dtype == np.float16
    assert c["float"].dtype == np.float32
    np.testing.assert_allclose(c["half"], expected, rtol=2**-11)
    np.testing.assert_allclose(c["float"], expected, rtol=1e-6)
    np.testing.assert_allclose(c["back"], 1 / h**2 - 0.125, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(c["same"], 1 / x**2 - 0.125, rtol=1e-5, atol=1e-6)
    assert c["within"].item()
    assert not c["beyond"].item()
    np.testing.assert_array_equal(c["castx"], c["x"].astype(np.float16))


def test_transposed_matrices(results: Results) -> None:
    c = results["rearranged"]
    np.testing.assert_array_equal(c["transposed"], c["x"].transpose(0, 2, 1))


def test_regrouped_tensors_keep_their_numbers(results: Results) -> None:
    c = results["regrouped"]
    for name in ("rows", "like", "back", "four"):
        np.testing.assert_array_equal(c[name], c["x"])


REGROUPING = {
    "from": "expected the grouping 'from' to divide a dimension of {64,16}, got groups of 3",
    "to": "expected the grouping 'to' to divide a dimension of {64,16}, got groups of 2 in",
    "reference": "expected a reference of the shape {64,16}, got {1,16}",
    "preferred": "divides the last dimension of {64,16}, got 5",
}


@pytest.mark.parametrize("case", REGROUPING)
def test_regrouping_refuses(results: Results, case: str) -> None:
    text = results.errors[case]
    assert text is not None
    assert REGROUPING[case] in text


@pytest.mark.parametrize("name", ["unsigned char", "half", "float"])
def test_images_are_normalised(results: Results, name: str) -> None:
    c = results["images"]
    image, out = c[name].astype(np.float64), c[name + " out"]
    offsets, scales = (c[f"{name} {what}"].astype(np.float64) for what in ("offsets", "scales"))
    assert out.dtype == (np.float32 if name == "float" else np.float16)
    expected = (image / 256 - offsets) * scales
    np.testing.assert_allclose(out[..., :3], expected, atol=1e-5 if name == "float" else 1e-2)
    assert not out[..., 3].any()


def test_slices_of_sequences(results: Results) -> None:
    c = results["sequences"]
    x = c["x"].reshape(10, 10)
    kept, zeroed = c["kept"].copy(), np.zeros_like(c["zeroed"])
    for out in (kept, zeroed):
        out[1:4] = x[7:10]
        out[5:7] = x[0:2]
        out[0] = x[4]  # entries go on after one of length 0
    np.testing.assert_array_equal(c["kept_after"], kept)
    np.testing.assert_array_equal(c["zeroed_after"], zeroed)
    short = np.zeros((5, 3), np.float16)
    short[4] = c["h"][4]
    np.testing.assert_array_equal(c["short_after"], short)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("variance", "varianceToInvStdDev: expected a type of half, got float"),
        ("accuracy", "checkAccuracyWhenCast: expected one float or half and such an output type"),
        ("codelet", "outputGeneratedCodelet: generated codelets are not emulated, got ADD("),
        ("operation", "Operation: expected the name of an operation, got 'SUM'"),
        ("matrix", "partialTranspose: expected at least two dimensions, got {8}"),
        ("scale", "normaliseImage: expected an inScale other than 0, got 0"),
        ("offsets", "normaliseImage: expected offsets and scales {3} of float, got {2,5,7,3}"),
        ("channels", "createNormaliseImageInput: expected at least two dimensions, the last one"),
        ("rank", "createHostSliceableTensor: expected a shape of rank 2, got rank 1"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
