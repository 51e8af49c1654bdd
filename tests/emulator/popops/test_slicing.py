"""popops: dynamic and multiple slices, loops, circular buffers, top k and sorting."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popops/slicing", program_folder)


def test_dynamic_slices(results: Results) -> None:
    c = results["dynamic"]
    x = c["x"]
    np.testing.assert_array_equal(c["middle"], x[:, 4:5])
    np.testing.assert_array_equal(c["wrapped"], x[[4, 5, 0]])
    np.testing.assert_array_equal(c["two_dims"], x[2:4, :, 3:7])
    np.testing.assert_array_equal(c["bools"], c["bytes"][4:6])
    np.testing.assert_array_equal(c["out_after"], x[:, 4:5])


def test_dynamic_updates(results: Results) -> None:
    c = results["dynamic"]
    x, sliceable = c["x"].copy(), c["sliceable"].copy()
    sliceable[4:6] = c["part"]
    np.testing.assert_array_equal(c["sliceable_after"], sliceable)
    x[2:4, :, 3:7] = c["block"]
    np.testing.assert_array_equal(c["x_after"], x)
    assert c["from_slice"].shape == (8, 20, 3)


def test_multiple_slices(results: Results) -> None:
    c = results["multi"]
    x, at, s = c["x"], c["at"][:, 0], c["s"][:, 0]
    expected = np.stack([x[i] if i < 10 else np.zeros(33, np.float32) for i in at])
    np.testing.assert_array_equal(c["slices"][:, 0], expected)
    np.testing.assert_array_equal(c["constant"][..., 0], x[:, [2, 2, 8]].T)
    added, written, ints = x.copy(), np.zeros_like(x), c["ints"].copy()
    for i, row in zip(at, s):
        if i < 10:
            added[i] += np.float32(0.5) * row
            written[i] = row
    np.testing.assert_allclose(c["added"], added, rtol=1e-6)
    np.testing.assert_array_equal(c["y_after"], written)
    ints[3] = np.maximum(ints[3], c["values"].max(0)[0])
    np.testing.assert_array_equal(c["ints_after"], ints)


def test_groups_of_slices(results: Results) -> None:
    c = results["groups"]
    at, s = c["at"][..., 0], c["s"][:, :, 0]
    added = c["t"].copy()
    for g in range(2):
        slices = [c["t"][g, i] if i < 5 else np.zeros(7, np.float16) for i in at[g]]
        np.testing.assert_array_equal(c["slices"][g, :, 0], slices)
        for i, row in zip(at[g], s[g]):
            if i < 5:
                added[g, i] += row
    np.testing.assert_array_equal(c["added"], added)
    multiplied, written = c["added"].copy(), c["multiplied"].copy()
    for g in range(2):
        for i, row in zip(at[g], s[g]):
            if i < 5:
                multiplied[g, i] *= row
                written[g, i] = row
    np.testing.assert_array_equal(c["multiplied"], multiplied)
    np.testing.assert_array_equal(c["written"], written)


def test_slices_of_pieces_and_blocks(results: Results) -> None:
    c = results["groups"]
    odd = c["odd"].copy()
    np.testing.assert_array_equal(c["odd_slices"][:, 0], odd[[3, 1]])
    np.testing.assert_array_equal(c["blocks"], [odd[1:3, 2:4], odd[0:2, 3:5]])
    odd[1:3, 2:4] = c["block"][0]
    odd[0:2, 3:5] = c["block"][1]
    np.testing.assert_array_equal(c["odd_after"], odd)


def test_loops_and_circular_buffers(results: Results) -> None:
    c = results["loops"]
    assert c["sum_after"] == [3 + 7 + 11]
    assert c["runs_after"] == [-3 - 5 - 7 - 9]
    x = c["x"]
    for _ in range(2):
        x = x + np.float32(1)
    oldest = x
    for _ in range(2):
        x = x + np.float32(1)
    np.testing.assert_array_equal(c["newest"], x)
    np.testing.assert_array_equal(c["oldest"], oldest)
    assert c["index"] == [5 % 3]


def test_top_k_and_sort(results: Results) -> None:
    c = results["order"]
    x, i = c["x"], c["i"]
    down = np.argsort(-x, axis=-1, kind="stable")
    np.testing.assert_array_equal(c["indices"], down[..., :5])
    np.testing.assert_array_equal(c["values"], -np.sort(-x, axis=-1)[..., :5])
    np.testing.assert_array_equal(c["smallest"], np.sort(x, axis=-1)[..., :2][..., ::-1])
    np.testing.assert_array_equal(c["pairs"], np.sort(i, axis=-1)[:, -3:])
    np.testing.assert_array_equal(c["sorted"], np.sort(x, axis=1))
    np.testing.assert_array_equal(c["stable"], np.argsort(i, axis=1, kind="stable"))
    np.testing.assert_array_equal(c["i_after"], np.sort(i, axis=0))


def test_offsets_beyond_the_end_are_what_options_say(results: Results) -> None:
    c = results["beyond"]
    t, s = c["t"], c["s"]
    zero = np.zeros(3, np.float32)
    np.testing.assert_array_equal(c["zeros"][:, 0], [t[8], zero, t[1], zero])
    for name in ("remap", "static"):
        np.testing.assert_array_equal(c[name][:, 0], [t[8], t[0], t[1], t[0]])
    np.testing.assert_array_equal(c["padding"][:, 0], [t[8], zero])
    np.testing.assert_array_equal(c["one"], t[:2])
    np.testing.assert_array_equal(c["none"], [zero, zero])
    expected = t.copy()
    expected[8], expected[1], expected[0] = s[0, 0], s[2, 0], s[3, 0]
    np.testing.assert_array_equal(c["updated"], expected)
    scaled = c["h"].astype(np.float32)
    scaled[[3, 7]] += c["scale"] * c["more"][:, 0]  # a scale of float32 sums there
    np.testing.assert_array_equal(c["scaled"], scaled.astype(np.float16))
    text = "multiSlice: expected offsets below the size 20 of dimension 0, got 20"
    assert results.errors["static"] == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("slice size", "dynamicSlice: expected sizes of slices that fit into the tensor, got 6"),
        ("offset", "dynamicSlice: expected 1 offsets of unsigned int, got {2} of int"),
        ("update", "dynamicUpdate: expected a slice of the shape and type of one of {6,5,9}"),
        ("many dims", "multiUpdateMax: expected slices of size 1 along one dimension of {1,10,33}"),
        ("columns", "multiSlice: expected 12 offsets of unsigned int, got {1,6,1} of unsigned int"),
        ("step", "countedLoop: expected a step above 0, got 0"),
        ("age", "CircBuf::prev: expected an age below the size 3, got 3"),
        ("k", "topK: expected k of at most the last dimension of {5,6}, got 7"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
