"""The survey finds programs as users keep them, and says of each what came of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.conformance.attempt import (
    Shell,
    built_and_run,
    failed_build,
    first_error,
    outcome_of,
    ran,
)
from tests.conformance.found import Program, find

PROGRAM = """
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
int main() {
  poplar::IPUModel model;
  std::cout << model.createDevice().getTarget().getNumTiles() << std::endl;
  return %d;
}
"""


def checkout(folder: Path) -> Path:
    """Two programs with a Makefile, of which one fails, one without, and a library's source."""
    made = folder / "owner+name" / "made"
    made.mkdir(parents=True)
    for name, status in (("good", 0), ("bad", 3)):
        (made / f"{name}.cpp").write_text(PROGRAM % status)
    rule = "good bad: %: %.cpp\n\tg++ -std=c++17 $< -lpoplar -o $@\n"
    (made / "Makefile").write_text("all: good bad\n" + rule)
    (folder / "owner+name" / "alone.cpp").write_text(PROGRAM % 0)
    (folder / "owner+name" / "needs.cpp").write_text("#include <no_such.h>\n" + PROGRAM % 0)
    (folder / "owner+name" / "other.cpp").write_text("int other() { return 1; }\n")
    return folder


def test_finds_build_files_and_sources(tmp_path: Path) -> None:
    programs = find(checkout(tmp_path))
    assert [(program.name, program.kind) for program in programs] == [
        ("owner+name/alone.cpp", "source"),
        ("owner+name/made", "make"),
        ("owner+name/needs.cpp", "source"),
    ]


def test_builds_and_runs_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.conformance.survey", str(checkout(tmp_path))]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert "| owner/name |  | `./alone.cpp` |  | passes |  |" in done.stdout
    assert "| owner/name |  | `./made` |  | fails | `bad: status 3: 1472` |" in done.stdout
    assert "| owner/name |  | `./needs.cpp` |  | needs | `no_such.h` |" in done.stdout
    assert "1 of 2 programs that can run here pass unchanged (50 %). Of all 3" in done.stdout


def test_runs_where_a_program_finds_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "build" / "src"
    folder.mkdir(parents=True)
    (folder / "data").touch()
    program = folder / "program"
    program.write_text("#!/bin/sh\necho popc: cannot read data\ntest -e data && test $1 = a")
    program.chmod(0o755)
    (tmp_path / "enable.sh").touch()
    shell = Shell(tmp_path, 20)
    assert ran(program, "a", tmp_path, shell).result == "passes"
    assert ran(program, "b", tmp_path, shell).cause == "status 1: popc: cannot read data"
    beside = tmp_path / "build" / "part" / "program"  # of a source in `part`
    beside.parent.mkdir()
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "data").touch()
    program.rename(beside)
    assert ran(beside, "a", tmp_path, shell).result == "passes"


def test_runs_in_the_order_of_the_build(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(
        "#include <cstdlib>\nint main() { return std::system(COMMAND) != 0; }\n"
    )
    rule = "\tg++ main.cpp -DCOMMAND='\"%s\"' -o %s\n"
    made = rule % ("touch file", "second") + rule % ("test -e file", "first")
    (tmp_path / "Makefile").write_text(f"all:\n{made}")
    (tmp_path / "enable.sh").touch()
    program = Program(tmp_path, tmp_path / "Makefile", "make")
    assert built_and_run(program, tmp_path, Shell(tmp_path, 60), {}).result == "passes"


def test_says_why() -> None:
    missing = failed_build("x.cpp:1:10: fatal error: poplar/Absent.hpp: No such file or directory")
    assert missing.result == "fails"
    assert failed_build('By not providing "FindOpenCV.cmake" in').cause == "OpenCV"
    assert failed_build("Failed to clone repository: x").cause == "clone"
    assert failed_build("ld returned\nx.o: undefined reference to `f'").cause.endswith("to `f'")
    assert outcome_of(1, "ModuleNotFoundError: No module named 'wandb'").result == "needs"
    assert outcome_of(1, "ModuleNotFoundError: No module named 'libpvti'").result == "fails"
    other = outcome_of(1, "RuntimeError: operator torchvision::nms does not exist")
    assert (other.result, other.cause) == ("needs", "a torchvision for this torch")
    assert outcome_of(124, "").cause == "did not end in time"
    assert (
        outcome_of(-6, "terminate\n  what():  of memory\n").cause == "status -6: what():  of memory"
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["x.cpp:1: error: no y", "collect2: error: ld returned 1 exit status"], 0),
        (["ld: cannot find -lomp: No such file", "clang: error: linker command failed"], 0),
        (["g++ x.cpp", "make: protoc: No such file or directory", "make: *** Error 127"], 1),
        (["all done", "ValueError: no x"], 1),
    ],
)
def test_the_line_that_says_why(lines: list[str], expected: int) -> None:
    assert first_error("\n".join(lines)) == lines[expected]
