"""Executables that are written and read again, and graphs as text."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.emulator.library_tool import PROGRAMS, build


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("executables")
    build(PROGRAMS / "executables.cpp", out / "executables", [])
    environment = {**os.environ, "POPSNN_CACHE_DIR": str(out / "cache")}
    done = subprocess.run(
        ["./executables"], cwd=out, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    (out / "output").write_text(done.stdout)
    return out


def test_a_read_executable_does_what_the_written_one_did(folder: Path) -> None:
    lines = (folder / "output").read_text().splitlines()
    assert lines[:5] == lines[5:10]
    assert lines[0] == "seen 4"
    assert lines[1] == "one: [1 2 3 4 5 6]"
    # x.T is 1 4 2 5 3 6; twice: times the factors, plus the number of the call.
    assert lines[2] == lines[3] == lines[4] == "4 13 7 16 8 28 "


def test_what_is_read_is_written_alike_and_damage_is_refused(folder: Path) -> None:
    lines = (folder / "output").read_text().splitlines()[10:]
    refused = "Executable::deserialize: expected what Executable::serialize wrote here, got other"
    assert lines[0] == "same bytes: 1"
    cut = r"Executable::deserialize: expected \d+ bytes more of the executable, got \d+"
    assert re.fullmatch(cut, lines[1])
    assert lines[2] == f"{refused} bytes"
    # Every flipped bit, and every missing end.
    assert lines[3:7] == [
        "taken: 0",
        "Executable::deserialize: expected # bytes more of the executable, got #",
        "Executable::deserialize: expected the bytes that Executable::serialize wrote, got other "
        "ones than their checksum tells",
        f"{refused} bytes",
    ]
    assert lines[7:] == [
        "Executable::serialize: expected a stream that takes all bytes, got one that failed",
        "Executable::serialize: expected an executable for an IPU, got one for IPU_MODEL",
    ]


def test_graphs_as_text(folder: Path) -> None:
    graph = json.loads((folder / "graph.json").read_text())
    assert {"name": "x", "type": "int", "elements": 6, "constant": False} in graph["variables"]
    assert graph["computeSets"] == [
        {"name": "scale", "vertices": [{"type": "Scale", "tile": 2}]},
    ]
    for name in ("compute.dot", "vertices.dot"):
        text = (folder / name).read_text()
        assert text.startswith("digraph")
        assert "->" in text
