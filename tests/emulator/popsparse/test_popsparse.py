"""popsparse: partitioners on the host, and products with sparse matrices against dense products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popsparse", program_folder)


def close(got: np.ndarray, expected: np.ndarray, name: str) -> None:
    tolerance = 1e-2 if "half" in name else 2e-5
    assert got.shape == expected.shape
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", ["elements", "half", "blocks", "oblong", "buckets"])
def test_dynamic_products(results: Results, name: str) -> None:
    c = results[f"dynamic {name}"]
    dense = c["dense"].astype(np.float64)
    assert 0.1 < (dense != 0).mean() <= 0.5
    close(c["out"][0], dense @ c["rhs"][0], name)
    close(c["transposed"][0], dense.T @ c["other"][0].T, name)


@pytest.mark.parametrize("name", ["elements", "half blocks", "buckets"])
def test_fully_connected_layers(results: Results, name: str) -> None:
    c = results[f"layer {name}"]
    w = c["dense"].astype(np.float64)
    x, gradient = c["x"].astype(np.float64), c["gradient"].astype(np.float64)
    close(c["out"], x @ w.T, name)
    close(c["dx"], gradient @ w, name)
    high, wide = (2, 4) if "blocks" in name else (1, 1)
    buckets = c["meta"].reshape(-1, int(c["capacity"]))
    assert len(buckets) == (2 if name == "buckets" else 1)
    capacity = buckets.shape[1] // 2
    dw = c["dw"].reshape(len(buckets), capacity, high, wide)
    expected, seen = gradient.T @ x, np.zeros(w.shape, bool)
    for bucket, values in zip(buckets, dw):
        count = int(bucket[0])
        assert not values[count:].any()
        for i in range(count):
            r, column = int(bucket[1 + i]) * high, int(bucket[1 + capacity + i]) * wide
            at = (slice(r, r + high), slice(column, column + wide))
            close(values[i], expected[at], name)
            seen[at] = True
    np.testing.assert_array_equal(seen, w != 0)


@pytest.mark.parametrize("name", ["elements", "half", "blocks"])
def test_static_products(results: Results, name: str) -> None:
    c = results[f"static {name}"]
    dense = c["dense"].astype(np.float64)
    close(c["out"][0], dense @ c["rhs"][0], name)
    close(c["product"][0], c["left"][0] @ dense, name)


@pytest.mark.parametrize(("name", "high", "wide"), [("elements", 1, 1), ("blocks", 4, 2)])
def test_formats_of_the_host(results: Results, name: str, high: int, wide: int) -> None:
    c = results[f"formats {name}"]
    assert c["same"].tolist() == [1, 1, 1, 1]
    assert c["static"] == [1]
    values, at = [], [0]
    rows = []
    for column in range(0, 8, wide):
        for row in range(0, 12, high):
            block = c["dense"][row : row + high, column : column + wide]
            if block.any():
                rows.append(row)
                values.extend(block.T.reshape(-1))  # column by column, as poplibs converts it
        at.append(len(values))
    np.testing.assert_array_equal(c["csc rows"], rows)
    np.testing.assert_array_equal(c["csc columns"], at)
    np.testing.assert_allclose(c["csc values"], values)


def test_parameters(results: Results) -> None:
    assert results.errors["parameters"] == (
        "37 50 110 {type: Block, structure: Unstructured, block dimensions: [4,2] }"
    )
    assert "must be in range [0.0,1.0] but is not" in str(results.errors["ratio"])
    assert "(201) exceeds maximum possible" in str(results.errors["values"])


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    for name, sentence in {
        "room": "Partitioner: expected 13 blocks at most",
        "bound": "CSR Validation failed: column indices :8 at index 2 exceeds bound",
        "offsets": "CSR Validation failed: number of row indices must be equal to 1 more than",
        "blocks": "popsparse: expected blocks that divide a matrix {12,8}, got {5,1}",
        "groups": "popsparse: expected one group, got 2, which are not emulated",
        "operand": "sparseDenseMatMul: expected a dense operand of float or half with 8 rows",
        "bare": "sparseDenseMatMul: expected a sparse tensor of a create function",
        "transposed": "expected a sparse operand that is not transposed",
        "kind": "expected parameters of one group, created for dense times sparse",
        "embedding": "popsparse::createSliceTensor: sparse embeddings are not emulated",
    }.items():
        assert sentence in str(results.errors[name])
