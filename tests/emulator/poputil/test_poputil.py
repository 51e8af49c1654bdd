"""poputil: mappings, regions, names, options and functions (what C++ can check, it checks)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("poputil", program_folder)


def test_functions_copy_their_arguments(results: Results) -> None:
    c = results["functions"]
    x = c["x"]
    np.testing.assert_allclose(c["sum_after"], 2 * x.sum(0), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(c["twice"], 2 * x[1])
    after = np.stack([x[0], x[1], -x[2]])
    np.testing.assert_array_equal(c["x_after"], after)
    np.testing.assert_array_equal(c["copied"], after)


def test_clones_with_aliases_are_filled_without_them(results: Results) -> None:
    """As duplicate() and createIpuCopy() of poplibs, lib/poputil/Util.cpp and TileMapping.cpp."""
    c = results["functions"]
    copies = [name for name in c if name.isupper() or name.startswith("to ipu ")]
    assert len(copies) == 8
    for name in copies:
        np.testing.assert_array_equal(c[name], c["x_after"][[2, 2, 0]], err_msg=name)


def test_factored_dimensions(results: Results) -> None:
    c = results["functions"]
    after = c["x_after"]
    np.testing.assert_array_equal(c["factored"], after.reshape(1, 3, 4, 2).transpose(0, 2, 1, 3))
    np.testing.assert_array_equal(c["unfactored"], after)


def test_structure_of_variables(results: Results) -> None:
    c = results["structure"]
    t = c["t"]
    for i, (row, column) in enumerate(((0, 0), (0, 3), (2, 0), (2, 3))):
        np.testing.assert_array_equal(c[f"part{i}"], t[row : row + 2, column : column + 3])
    # Innermost 3; then 3 of dimension 1 and 2 of dimension 0.
    assert c["groupings"].tolist() == [3, 1, 3, 0, 2]
    assert c["sizes"].tolist() == [2, 2, 1, 0]


def test_places_on_other_ipus_and_graphs(results: Results) -> None:
    c = results["places"]
    for i in range(3):
        assert c[str(i)].tolist() == [5, 5, 7, 7, 7, 7]
    assert c["3"].tolist() == [3, 3, 5, 5, 5, 5]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ipu", "cloneToIpu: expected an IPU below 2, got 2"),
        ("tile", "cloneToGraph: expected a tensor on tiles below 3, got one on tile 3"),
        ("partitions", "createPartitionableTensor: expected a number of partitions above 0 for"),
        ("scalar", "detectInnermostGrouping: expected a tensor of rank 1 or more, got {}"),
        ("grain", "calcLinearTileMapping: expected a grainSize above 0, got 0"),
        ("grains", "splitRegions: expected a grain size and a number of partitions above 0"),
        ("arguments", "VoidFunction: expected 1 arguments, got 0"),
        ("factors", "factorDims: expected factors of the dimensions of {3,8}, got 2"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
