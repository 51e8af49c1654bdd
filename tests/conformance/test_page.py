"""The survey's page: what checkouts tell, how notes judge failures, and the counts."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Dict

import pytest
from tests.conformance.found import Program
from tests.conformance.page import NOTES, Row, counted, judged, page, read, unused
from tests.conformance.told import commit_of, day_of, sdk_of

ROOT = Path(__file__).resolve().parents[2]


def row(name: str, result: str, cause: str = "", sdk: str = "") -> Row:
    return Row(name, "abc1234", "2022-03-04", "make", sdk, result, cause)


ROWS = [
    row("owner+name/a", "passes", sdk="3.2"),
    row("owner+name/b", "fails", "x.cpp:1: error: 'y' was not declared"),
    row("graphcore+name/c", "fails", "status 1: no | data"),
    row("owner+name/d", "needs", "the package e"),
]
NOTE: Dict[str, Dict[str, str]] = {
    "owner+name/b": {"result": "own fault", "error": "'y' was not", "why": "y is nowhere"}
}


def test_a_note_judges_its_own_failure_alone() -> None:
    assert judged(ROWS[1], NOTE).result == "own fault"
    assert judged(ROWS[1], NOTE).cause == "y is nowhere"
    another = row("owner+name/b", "fails", "x.cpp:9: error: 'z' was not declared")
    assert judged(another, NOTE) is another
    assert unused([another], NOTE) == ["owner+name/b"]
    passing = row("owner+name/b", "passes")
    assert judged(passing, NOTE) is passing
    assert unused(ROWS, NOTE) == []


def test_counts_are_of_those_that_can_run_and_of_all() -> None:
    text = counted([judged(r, NOTE) for r in ROWS])
    assert text.startswith("1 of 2 programs that can run here pass unchanged (50 %).")
    assert "Of all 4 that were found it is 25 %: 1 have faults of their own, 1 need" in text


def test_page_has_a_row_for_each_program() -> None:
    text = page(ROWS, NOTE, {"a/b": "because"})
    assert "| owner/name | abc1234 | `./a` | 3.2 | passes |  |" in text
    assert "| owner/name | abc1234 | `./b` | (2022) | own fault | y is nowhere |" in text
    assert "| graphcore/name | abc1234 | `./c` | (2022) | fails | `status 1: no / data` |" in text
    assert "| a/b | because |" in text


def test_of_absolute_paths_the_name_is_left() -> None:
    cause = "No 'a' in 'pva' (/home/me/.venv/lib/pva/__init__.py) of src/ipu/b.c and ../c/d.h"
    assert "(__init__.py) of src/ipu/b.c and ../c/d.h" in row("owner+name/b", "fails", cause).cells


def test_later_outcomes_replace_earlier_ones(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_text(json.dumps([asdict(r) for r in ROWS]))
    second.write_text(json.dumps([asdict(row("owner+name/b", "passes"))]))
    rows = read([first, second])
    assert [r.program for r in rows] == sorted(r.program for r in ROWS)
    assert [r.result for r in rows] == ["fails", "passes", "passes", "needs"]
    out = tmp_path / "page.md"
    command = [sys.executable, "-m", "tests.conformance.survey", "--page", str(out), "--rows"]
    done = subprocess.run([*command, first, second], cwd=ROOT, capture_output=True, text=True)
    assert "2 of 3 programs that can run here pass unchanged" in done.stdout, done.stderr
    assert out.read_text().startswith("# Survey of public programs")


@pytest.mark.parametrize(
    ("text", "sdk"),
    [
        ("Tested with Poplar SDK 3.3.0+7857", "3.3"),
        ("source poplar_sdk-ubuntu_20_04-3.1.0-abc/enable", "3.1"),
        ("FROM graphcore/pytorch:2.6.0\nSDK v2.5", "2.6"),
        ("a program for IPUs, version 1.2", ""),
    ],
)
def test_sdk_that_the_nearest_text_tells(tmp_path: Path, text: str, sdk: str) -> None:
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    (tmp_path / "README.md").write_text(text)
    program = Program(tmp_path, inside / "Makefile", "make")
    assert sdk_of(program) == sdk
    (tmp_path / "a" / "Dockerfile").write_text("FROM graphcore/poplar:2.4")
    assert sdk_of(program) == "2.4"


def test_commit_and_its_day(tmp_path: Path) -> None:
    assert (commit_of(tmp_path), day_of(tmp_path)) == ("", "")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "a"], check=True)
    assert len(commit_of(tmp_path)) == 7
    assert day_of(tmp_path).startswith("20")


def test_notes_are_of_known_kinds() -> None:
    for note in json.loads(NOTES.read_text())["programs"].values():
        assert set(note) == {"result", "error", "why"}
        assert note["result"] in ("own fault", "needs", "SDK 1")
        assert note["error"]
