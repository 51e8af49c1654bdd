"""Builds and runs other people's Poplar programs as their users would, with the installed SDK.

They come from the folder that POPSNN_CONFORMANCE_REPOS names; without it the tests skip. Programs
that take much memory or time run where POPSNN_CONFORMANCE_HEAVY is set.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.emulator.conformance.programs import PROGRAMS, Program
from tests.emulator.conformance.repositories import missing_header, take
from tests.emulator.library_tool import prefix
from tests.emulator.popc_tool import CXX

HERE = Path(__file__).resolve().parent


def shell(command: str, folder: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    """Run a command with the SDK enabled and emulated IPUs as devices."""
    command = command.replace("{python}", sys.executable).replace("{here}", str(HERE))
    return subprocess.run(
        ["bash", "-c", f". {prefix()}/enable.sh && {command}"],
        cwd=folder,
        env={**os.environ, "POPSNN_EMULATE_IPU": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=seconds,
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=[p.id for p in PROGRAMS])
def test_program(program: Program, tmp_path: Path) -> None:
    take(program.source, program.paths, tmp_path)
    header = missing_header(program.headers, CXX)
    if header is not None:
        pytest.skip(f"expected the header {header}, which the program includes, got none")
    if program.heavy and not os.environ.get("POPSNN_CONFORMANCE_HEAVY"):
        pytest.skip(f"takes {program.heavy}: set POPSNN_CONFORMANCE_HEAVY to run it")
    folder = tmp_path / program.folder
    built = shell(program.build, folder, 300)
    assert built.returncode == 0, built.stdout
    ran = shell(program.run, folder / program.run_in, program.seconds)
    assert (ran.returncode != 0) == program.fails, ran.stdout
    for pattern in program.expect:
        assert re.search(pattern, ran.stdout), f"expected {pattern!r}, got {ran.stdout}"
