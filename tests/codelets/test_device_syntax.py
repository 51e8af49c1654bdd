"""The codelets' code for devices, which no emulator runs, as a compiler for 32 bits reads it.

clang checks every statement but the assembly's text, of which `worker_isa.py` runs what it can. It
knows no register of the IPU and says so for each that a statement names: these alone are errors
that a codelet may have.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import List, Optional

import pytest
from tests.codelets.worker_text import read_pieces

ROOT = Path(__file__).resolve().parents[2]
CODELETS, HEADERS = ROOT / "codelets", ROOT / "emulator" / "include"
FLAGS = ("--target=riscv32", "-std=c++17", "-D__POPC__", "-D__IPU__", "-D__IPU_ARCH_VERSION__=21")
REGISTERS = r"\$(m\d|m1[01]|a[0-7]|a0:[13]|a2:3|a4:[57]|a6:7)"  # that a statement may change
REGISTER = re.compile(rf"error: unknown register name '{REGISTERS}' in asm")
MOST_BODY = 255  # popsnn::ipu::kMostBody


def tidy() -> Optional[str]:
    """Return clang-tidy of the development tools, which has the compiler's checks in it."""
    spec = importlib.util.find_spec("clang_tidy")
    found = [] if spec is None else list(spec.submodule_search_locations or [])
    program = Path(found[0], "data", "bin", "clang-tidy") if found else None
    return str(program) if program is not None and program.is_file() else None


def system_headers(folder: Path) -> List[str]:
    """Return flags for the headers of this machine's g++, as those of a machine of 32 bits."""
    listed = subprocess.run(
        ["g++", "-E", "-v", "-x", "c++", "/dev/null", "-o", "/dev/null"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr.split("search starts here:")[-1]
    folders = [line.strip() for line in listed.splitlines() if line.startswith(" /")]
    stubs = folder / "gnu" / "stubs-32.h"  # glibc's, which a machine of 64 bits may lack
    stubs.parent.mkdir()
    stubs.touch()
    # Not gcc's own: clang has its stddef.h.
    kept = [path for path in folders if not re.search(r"/lib/gcc/[^/]+/[^/]+/include$", path)]
    return [flag for path in [str(folder), *kept] for flag in ("-isystem", path)]


def errors(sources: List[Path], folder: Path) -> List[str]:
    """Return the errors of sources as code for a device, those of registers left out."""
    compiler, checker = shutil.which("clang++"), tidy()
    if shutil.which("g++") is None or (compiler is None and checker is None):
        pytest.skip("expected g++, and clang++ or clang-tidy, got none")
    flags = [*FLAGS, "-ferror-limit=0", *system_headers(folder), f"-I{HEADERS}", f"-I{CODELETS}"]
    if compiler is not None:
        command = [compiler, "-fsyntax-only", *flags, *map(str, sources)]
    else:  # clang-tidy runs no less than one check: this has nothing to say of codelets
        checks = "--checks=-*,misc-static-assert"
        command = [str(checker), "--quiet", checks, *map(str, sources), "--", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "error:" in line]
    return [line for line in lines if not REGISTER.search(line)]


def test_every_codelet_compiles_for_devices(tmp_path: Path) -> None:
    sources = sorted(CODELETS.glob("*/*.cpp"))
    assert len(sources) > 40
    assert errors(sources, tmp_path) == []


def test_an_error_of_the_device_alone_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "wrong.cpp"
    source.write_text(
        '#include "common/rows_ipu.hpp"\n'
        'static_assert(sizeof(void*) == 4, "32 bits");\n'
        "#ifdef __IPU__\n"
        "inline void step(float* row) { row += undeclared; }\n"
        '#endif\ninline void clear() { asm volatile("" : : : "$b3"); }\n'
    )
    found = errors([source], tmp_path)
    assert len(found) == 2, found
    assert "undeclared" in found[0]
    assert "$b3" in found[1]


def test_statements_change_registers_of_a_worker() -> None:
    """A compiler stops at the first register of a statement that it does not know."""
    texts = [path.read_text() for path in CODELETS.glob("*/*") if path.is_file()]
    changed = {name for text in texts for name in re.findall(r'"(\$[^"\n]+)"', text)}
    assert "$m0" in changed
    assert all(re.fullmatch(REGISTERS, name) for name in changed), changed


def test_bodies_of_repeats_fit_their_operand() -> None:
    """An operand that a template gives has to be asserted where the statement is."""
    literals, templates = 0, 0
    pieces = read_pieces(CODELETS / "common" / "assembly_ipu.hpp")
    headers = [path for path in sorted(CODELETS.glob("*/*")) if path.suffix in (".hpp", ".cpp")]
    for text in [*(path.read_text() for path in headers), *pieces.values()]:
        for match in re.finditer(r"\brpt\s+%[^,\n]+,\s*(\S+)", text):
            operand = match.group(1)
            if operand.isdigit():
                literals += 1
                assert int(operand) <= MOST_BODY
                continue
            name = re.fullmatch(r"%\[(\w+)\]", operand)
            assert name is not None, operand
            end = text.index(");", match.end())
            value = re.search(rf'\[{name.group(1)}\] "i"\(([^()]+)\)', text[match.end() : end + 1])
            assert value is not None, operand
            function = text[text.rindex("inline void", 0, match.start()) : match.start()]
            assert f"static_assert({value.group(1)} <= kMostBody" in function
            templates += 1
    assert literals > 20
    assert templates == 6
