"""The installed emulator as the how-to shows it: enable.sh with g++, and find_package."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.emulator.library_tool import prefix

HOW_TO = Path(__file__).resolve().parents[2] / "docs/how-to/run-a-poplar-program.md"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The how-to's files: its first two C++ blocks and its CMake block."""
    blocks = re.findall(r"```(cpp|cmake)\n(.*?)```", HOW_TO.read_text(), re.DOTALL)
    for name, (_, text) in zip(("axpy.cpp", "main.cpp", "CMakeLists.txt"), blocks):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(command: str, folder: Path) -> str:
    done = subprocess.run(
        ["bash", "-c", f'. "{prefix()}/enable.sh" && {command}'],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_enable_sh(program: Path) -> None:
    headers_alone = "-lpoprithms -lpvti"
    output = run(f"g++ -std=c++17 main.cpp -lpoplar {headers_alone} -o axpy && ./axpy", program)
    assert output.splitlines()[-1] == "y[0] = 9, y[999] = 9"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is missing")
def test_find_package(program: Path) -> None:
    scripts = (prefix() / "lib").glob("libpop*.so")
    libraries = [path.stem[3:] for path in scripts if "-" not in path.stem]
    text = (program / "CMakeLists.txt").read_text()
    assert "find_package(poplar REQUIRED)" in text
    (program / "CMakeLists.txt").write_text(
        f"{text}\nfind_package(popart REQUIRED COMPONENTS popart-only)\n"
        f"target_link_libraries(axpy popart-only {' '.join(sorted(libraries))})\n"
    )
    output = run("cmake -S . -B build && cmake --build build && ./build/axpy", program)
    assert output.splitlines()[-1] == "y[0] = 9, y[999] = 9"
