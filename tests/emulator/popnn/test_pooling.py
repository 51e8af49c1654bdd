"""popnn: pooling of fields of any rank, with padding and truncation, and its gradients."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Iterator, List, NamedTuple, Sequence, Tuple

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


class Window(NamedTuple):
    """A pooling: field, kernel, stride, padding (or truncation) below and above."""

    field: Sequence[int]
    kernel: Sequence[int]
    stride: Sequence[int]
    lower: Sequence[int]
    upper: Sequence[int]

    def output(self) -> Tuple[int, ...]:
        each = zip(self.field, self.lower, self.upper, self.kernel, self.stride)
        return tuple((n + lo + up - k) // s + 1 for n, lo, up, k, s in each)

    def covered(self, out: Sequence[int]) -> List[Tuple[int, ...]]:
        """The positions of the field in the window of the position `out`."""
        along = []
        for d, o in enumerate(out):
            first, last = max(-self.lower[d], 0), self.field[d] + min(self.upper[d], 0)
            at = (o * self.stride[d] + k - self.lower[d] for k in range(self.kernel[d]))
            along.append([i for i in at if first <= i < last])
        return list(product(*along))


CASES = {
    "plain": Window([6, 8], [2, 2], [2, 2], [0, 0], [0, 0]),
    "overlap": Window([7, 5], [3, 2], [2, 1], [1, 0], [1, 1]),
    "truncated": Window([9, 7], [3, 3], [1, 2], [-2, 1], [1, -1]),
    "line": Window([11], [3], [3], [0], [1]),
    "volume": Window([4, 5, 3], [2, 3, 2], [1, 2, 1], [0, 1, 0], [1, 0, 0]),
    "whole": Window([4, 4], [4, 4], [1, 1], [0, 0], [0, 0]),
    "padding alone": Window([2], [2], [1], [3], [0]),
}
NAMED = [
    (name, kind, type_)
    for name in CASES
    for kind in ("max", "avg", "sum")
    for type_ in (("float", "half") if name in ("plain", "overlap") else ("float",))
]


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popnn/pooling", program_folder)


@pytest.mark.parametrize(("name", "kind", "type_"), NAMED)
def test_pooling_and_gradients(results: Results, name: str, kind: str, type_: str) -> None:
    window, c = CASES[name], results[f"{name} {kind} {type_}"]
    x, gradient = c["x"].astype(np.float64), c["gradient"].astype(np.float64)
    y, dx, scaled = np.zeros(gradient.shape), np.zeros(x.shape), np.zeros(x.shape)
    flops = 0
    for out in np.ndindex(*window.output()):
        at = (slice(None), slice(None), *out)
        positions = window.covered(out)
        if not positions:
            continue
        flops += len(positions) + (kind == "avg")
        values = np.stack([x[(slice(None), slice(None), *p)] for p in positions])
        y[at] = {"max": values.max(0), "avg": values.mean(0), "sum": values.sum(0)}[kind]
        weights = np.full(values.shape, 1 / len(positions) if kind == "avg" else 1.0)
        if kind == "max":
            weights = (values == y[at]).astype(np.float64)
        for p, weight in zip(positions, weights):
            dx[(slice(None), slice(None), *p)] += weight * gradient[at]
            scaled[(slice(None), slice(None), *p)] += weight / weights.sum(0) * gradient[at]
    tolerance = 2e-3 if type_ == "half" else 1e-6
    assert c["y"].shape == gradient.shape == (*x.shape[:2], *window.output())
    np.testing.assert_allclose(c["y"], y, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(c["dx"], dx, rtol=tolerance, atol=8 * tolerance)
    if kind == "max":
        np.testing.assert_allclose(c["scaled"], scaled, rtol=tolerance, atol=8 * tolerance)
    else:
        np.testing.assert_allclose(c["dx alone"], c["dx"])
    assert c["flops"] == flops * x.shape[0] * x.shape[1]


def samples(
    roi: np.ndarray, aligned: bool, scale: float
) -> Iterator[Tuple[int, int, int, int, float]]:
    """Yield bin and pixel of each bilinear weight of a region: 3 x 4 bins of 2 x 2 samples."""
    left, top, right, bottom = roi * scale - 0.5 * aligned
    least = 0.0 if aligned else 1.0
    width, height = max(right - left, least), max(bottom - top, least)
    for row, column in np.ndindex(6, 8):
        y, x = top + (row + 0.5) * height / 6, left + (column + 0.5) * width / 8
        if y > 7 or x > 6:
            continue
        y, x = min(max(y, 0), 6), min(max(x, 0), 5)
        for i, j in product({int(y), min(int(y) + 1, 6)}, {int(x), min(int(x) + 1, 5)}):
            weight = (1 - abs(y - i)) * (1 - abs(x - j)) / 4
            yield row // 2, column // 2, i, j, weight


@pytest.mark.parametrize("name", ["float", "half", "aligned"])
def test_roi_align(results: Results, name: str) -> None:
    c = results[f"roi align {name}"]
    x, gradient = c["x"].astype(np.float64), c["gradient"].astype(np.float64)
    y, dx = np.zeros(gradient.shape), np.zeros(x.shape)
    for r, (roi, image) in enumerate(zip(c["rois"].astype(np.float64), c["images"])):
        for h, w, i, j, weight in samples(
            roi, name == "aligned", 0.75 if name == "aligned" else 0.5
        ):
            y[r, :, h, w] += weight * x[image, :, i, j]
            dx[image, :, i, j] += weight * gradient[r, :, h, w]
    tolerance = 3e-3 if name == "half" else 1e-5
    np.testing.assert_allclose(c["y"], y, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(c["dx"], dx, rtol=tolerance, atol=tolerance)
    assert results.errors["rois"] == "bottomRois must be a 2-dimensional tensor"


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    assert results.errors["dims"] == "Mismatched window dimensions on poplibs pool operation"
    assert "expected a kernel of 1 to 4" in str(results.errors["kernel"])
    assert "pool: expected an input of shape {2,3,4,4}" in str(results.errors["shape"])
    assert "expected the input and output of a maximum pooling" in str(results.errors["maximum"])
