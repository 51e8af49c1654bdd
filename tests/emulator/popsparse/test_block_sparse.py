"""popsparse::experimental: products and softmax of matrices of blocks against dense matrices."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("block_sparse", program_folder)


def unpacked(blocks: np.ndarray, mask: np.ndarray, fill: float = 0.0) -> np.ndarray:
    """Dense form of blocks [there, high, wide] by the mask [groups, rows, columns]."""
    groups, rows, columns = mask.shape
    _, high, wide = blocks.shape
    dense = np.full((groups, rows * high, columns * wide), fill)
    for (g, r, c), block in zip(np.argwhere(mask), blocks.astype(np.float64)):
        dense[g, r * high : (r + 1) * high, c * wide : (c + 1) * wide] = block
    return dense


def visible(mask: np.ndarray, high: int, wide: int, triangle: Optional[str]) -> np.ndarray:
    """Elements that are there and that the mask of a triangle leaves."""
    shape = (int(mask.sum()), high, wide)
    there = unpacked(np.ones(shape), mask) > 0
    if triangle == "upper":
        there &= np.tri(*there.shape[1:], dtype=bool)
    if triangle == "lower":
        there &= np.tri(*there.shape[1:], k=-1, dtype=bool) == 0
    return there


@pytest.mark.parametrize("name", ["float", "half", "transposed", "groups", "transposed groups"])
def test_products_with_a_sparse_operand(results: Results, name: str) -> None:
    c = results[f"dense {name}"]
    groups = 2 if "groups" in name else 1
    rows, columns, high, wide = (2, 3, 4, 3) if "transposed" in name else (3, 2, 3, 4)
    mask = c["mask"].reshape(groups, rows, columns)
    assert 0 < mask.sum() < mask.size
    rhs = unpacked(c["rhs"].reshape(-1, high, wide), mask)
    if "transposed" in name:
        rhs = rhs.transpose(0, 2, 1)
    expected = c["lhs"].reshape(groups, 4, 9).astype(np.float64) @ rhs
    assert c["out"].shape == (groups * 4, 8)
    tolerance = 2e-3 if c["out"].dtype == np.float16 else 1e-5
    np.testing.assert_allclose(c["out"].reshape(expected.shape), expected, 0, tolerance)


@pytest.mark.parametrize(
    ("name", "triangle"),
    [("plain", None), ("upper", "upper"), ("lower", "lower"), ("groups", "upper")],
)
def test_products_with_a_sparse_result(
    results: Results, name: str, triangle: Optional[str]
) -> None:
    c = results[f"sparse {name}"]
    groups = 2 if name == "groups" else 1
    mask = c["mask"].reshape(groups, 3, 2)
    product = c["lhs"].reshape(groups, 6, 8).astype(np.float64) @ c["rhs"].reshape(groups, 8, 6)
    expected = np.where(visible(mask, 2, 3, triangle), product, 0)
    got = unpacked(c["out"].reshape(-1, 2, 3), mask)
    np.testing.assert_allclose(got, expected, rtol=0, atol=2e-3)
    assert c["out"].dtype == np.float16


@pytest.mark.parametrize(
    ("name", "triangle"),
    [
        ("plain", None),
        ("half", "upper"),
        ("lower", "lower"),
        ("groups", "upper"),
        ("empty rows", "upper"),
    ],
)
def test_softmax(results: Results, name: str, triangle: Optional[str]) -> None:
    c = results[f"softmax {name}"]
    mask = c["mask"].reshape(2 if name == "groups" else 1, 3, 2)
    there = visible(mask, 2, 3, triangle)
    x = np.where(there, unpacked(c["in"].reshape(-1, 2, 3), mask), -np.inf)
    largest = x.max(-1, keepdims=True)
    powers = np.exp(x - np.where(np.isfinite(largest), largest, 0))
    sums = powers.sum(-1, keepdims=True)
    expected = np.divide(powers, sums, out=np.zeros_like(powers), where=sums > 0)
    got = unpacked(c["out"].reshape(-1, 2, 3), mask)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-3 if name == "half" else 1e-6)
    if (
        name == "empty rows"
    ):  # rows 2 of the matrix, of which only the diagonal's upper part is there
        assert (sums == 0).any()


@pytest.mark.parametrize("kind", ["float", "half"])
def test_gradient_of_softmax(results: Results, kind: str) -> None:
    c = results[f"gradient {kind}"]
    mask = c["mask"].reshape(1, 3, 2)
    y, dy = (unpacked(c[name].reshape(-1, 2, 3), mask) for name in ("out", "dout"))
    expected = y * (dy - (y * dy).sum(-1, keepdims=True))
    got = unpacked(c["din"].reshape(-1, 2, 3), mask)
    np.testing.assert_allclose(got, expected, rtol=0, atol=2e-3 if kind == "half" else 1e-6)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("size", "BSMatMulParams: dimension 2: expected a multiple of its block of 4, got 9"),
        ("mask", "expected a sparsity of 1 groups of 2 x 2 blocks, got 3 blocks"),
        ("groups", "expected a sparsity of 0 groups"),
        ("type", "expected types float or half, got int"),
        ("partials", "partialDataType: expected float with float, got half"),
        ("passes", "numberOfPass: expected 1 with groups, got 2"),
        ("shape", "rhsMatrix: expected 2 x 16 of float, got"),
        ("above", "bsMatMul: expected blocks of which the mask leaves something, got block 0, 1"),
        ("rows", "bsSoftmax: expected a tensor of float or half of 4 x 16, got"),
    ],
)
def test_refusals(results: Results, error: str, text: str) -> None:
    assert text in str(results.errors[error])
