"""poputil: mappings by use and orders of tiles (C++ checks them)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("tile_mapping", program_folder)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("no tiles", "chooseMappingOffset: expected a number of tiles above 0, got 0"),
        ("tile", "TensorUseTracker::add: expected a tile below 4, got 4"),
        ("trackers", "TensorUseTracker::add: expected a tracker of 4 tiles, got one of 3"),
        ("operand", "createBroadcastOperand: expected a dimension below 2, got 2"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert results.errors[name] == text
