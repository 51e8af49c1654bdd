"""Tests of poplibs: which of them test how poplibs is made."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import pytest
from tests.conformance.attempt import Shell
from tests.conformance.poplibs_suite import Outcome, counted, outcome, private

MISSING = "a.cpp:3:10: fatal error: {}: No such file or directory"
UNDEFINED = "a.cpp:(.text+0x1): undefined reference to `{}(poplar::Graph&)'"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, text in {
        "include/popops/Sort.hpp": "namespace popops { struct Plan; void sort(Plan&); }",
        "lib/popops/Inside.hpp": "",
        "tests/popops/codelets/VertexTest.cpp": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("output", "inside"),
    [
        (MISSING.format("popops/Inside.hpp"), "popops/Inside.hpp"),
        (MISSING.format("popops/Other.hpp"), None),
        (UNDEFINED.format("popops::sortInside"), "popops::sortInside"),
        (UNDEFINED.format("popops::sort"), None),
        (UNDEFINED.format("popops::Planner::sort"), "popops::Planner::sort"),
        ("a.cpp:1:1: error: no", None),
    ],
)
def test_private_tests_use_what_no_public_header_has(
    checkout: Path, output: str, inside: Optional[str]
) -> None:
    assert private(output, checkout) == inside


def test_tests_of_vertices_are_private(checkout: Path) -> None:
    file = checkout / "tests/popops/codelets/VertexTest.cpp"
    result = outcome(file, checkout, checkout, Shell(Path("none"), 1))
    assert result == Outcome("popops/codelets/VertexTest.cpp", "private", "vertices by name")


def test_private_files_do_not_count() -> None:
    outcomes = [Outcome("a", "passes"), Outcome("b", "fails", "why"), Outcome("c", "private")]
    assert counted(outcomes) == "1 of 2 files pass whole; 1 test how poplibs is made."
