"""Tests of poplibs: which of them test how poplibs is made."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import pytest
from tests.conformance.attempt import Shell
from tests.conformance.poplibs_suite import (
    Outcome,
    counted,
    outcome,
    private_header,
    private_name,
)

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
        (UNDEFINED.format("popops::sortInside"), "popops::sortInside"),
        (UNDEFINED.format("popops::sort"), None),
        (UNDEFINED.format("popops::Planner::sort"), "popops::Planner::sort"),
        ("a.cpp:1:1: error: no", None),
    ],
)
def test_tests_are_private_that_call_what_no_public_header_has(
    checkout: Path, output: str, inside: Optional[str]
) -> None:
    assert private_name(output, checkout) == inside


@pytest.mark.parametrize(
    ("header", "is_private"),
    [
        ("<popops/Sort.hpp>", False),
        ('"popops/Inside.hpp"', True),
        ('"../lib/popops/Inside.hpp"', True),
        ("<vector>", False),
    ],
)
def test_tests_are_private_that_include_headers_of_lib(
    checkout: Path, header: str, is_private: bool
) -> None:
    file = checkout / "tests/popops/Test.cpp"
    file.write_text(f"#include <popops/Sort.hpp>\n#include {header}\n")
    assert private_header(file, checkout) == (header[1:-1] if is_private else None)


def test_tests_of_vertices_are_private(checkout: Path) -> None:
    file = checkout / "tests/popops/codelets/VertexTest.cpp"
    result = outcome(file, checkout, checkout, Shell(Path("none"), 1))
    assert result == Outcome("popops/codelets/VertexTest.cpp", "private", "vertices by name")


def test_private_files_do_not_count() -> None:
    outcomes = [Outcome("a", "passes"), Outcome("b", "fails", "why"), Outcome("c", "private")]
    assert counted(outcomes) == "1 of 2 files pass whole; 1 test how poplibs is made."
