"""popc: its command line, its cache, its temporary files, and the loader that runs it."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path
from typing import List, Optional

import pytest
from tests.emulator.popc_tool import COMPILERS, CXX, EMULATOR, HEADER, Popc, load, locate_popc


@pytest.fixture
def tool(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Popc:
    return Popc(locate_popc(tmp_path_factory.getbasetemp()), tmp_path)


def test_dependency_file(tool: Popc) -> None:
    tool.write("\n", "local.hpp")
    tool.build('#include "local.hpp"\n' + HEADER, flags=("-MF", "deps"))
    target, _, files = (tool.folder / "deps").read_text().partition(":")
    assert target == "out.gp"
    assert {"codelet0.cpp", "local.hpp", "Vertex.hpp"} <= {Path(f).name for f in files.split()}
    assert "popc_abi.h" not in files


def test_command_line(tool: Popc) -> None:
    assert tool.run("--version").stdout.splitlines()[0].split()[2][0].isdigit()
    assert tool.run("--list-targets").stdout.split() == ["cpu", "ipu1", "ipu2", "ipu21"]
    assert "usage: popc" in tool.run("--help").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "expected a source file, got none"),
        (["codelet.cpp"], "expected one of -o FILE and --cache-dir DIR"),
        (["codelet.cpp", "-o"], "option '-o' expects a value, got none"),
        (["codelet.cpp", "-o", "x.gp", "-target", "cpu,tpu"], "unknown target 'tpu'"),
        (["codelet.cpp", "-o", "x.gp", "--fast"], "unknown option '--fast'"),
        (["absent.cpp", "-o", "x.gp"], "cannot read 'absent.cpp': no such file"),
        (["codelet.f90", "-o", "x.gp"], "cannot compile 'codelet.f90' for the host"),
        (["codelet.S", "-o", "x.gp"], "next to assembly, which is not emulated, got 'codelet.S'"),
    ],
)
def test_bad_command_line(tool: Popc, arguments: List[str], sentence: str) -> None:
    tool.write(HEADER)
    done = tool.run(*arguments)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_compiler(tool: Popc) -> None:
    tool.write(HEADER)
    tool.environment["POPSNN_CXX"] = "no-such-compiler"
    assert "cannot run 'no-such-compiler'" in tool.run("codelet.cpp", "-o", "x.gp").stderr
    for name in ("POPSNN_CXX", "CXX"):
        tool.environment.pop(name, None)
    tool.environment["PATH"] = str(tool.folder)
    assert "found no C++ compiler" in tool.run("codelet.cpp", "-o", "x.gp").stderr


CLANG_VECTORS = """#include <poplar/Vertex.hpp>
typedef float float2 __attribute__((ext_vector_type(2)));
class Sum : public poplar::Vertex {
public:
  poplar::InOut<poplar::Vector<float>> x;
  bool compute() {
    float2 pair = {x[0], x[1]};
    x[0] = pair.x + pair.y;
    return true;
  }
};
"""


def test_clang_vectors_are_refused_by_another_compiler(tool: Popc) -> None:
    tool.environment["POPSNN_CXX"] = "g++"
    source = tool.write(CLANG_VECTORS)
    done = tool.run(source, "-o", "out.gp")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"popc: {source}: ext_vector_type: expected clang++, on PATH or named by POPSNN_CXX, "
        "got g++\n"
    )


@pytest.mark.parametrize("compiler", COMPILERS)
def test_loops_unrolled_by_a_macro(tool: Popc, compiler: str) -> None:
    """Compilers expand macros in these pragmas when they compile, from the text with its #define
    lines; clang++ has `unroll`, g++ `GCC unroll`, and both skip a pragma that they do not know."""
    tool.environment["POPSNN_CXX"] = compiler
    pragma = "unroll" if compiler == "clang++" else "GCC unroll"
    loop = "for (unsigned i = 0; i < x.size(); ++i) x[i] += 1;\n"
    text = (
        "#warning seen once\n#define HALF_OF(n) n / 2\n#define TIMES 4\n#define COUNT (TIMES)\n"
        "class V : public Vertex { public: InOut<Vector<float>> x; bool compute() {\n"
        f"#pragma {pragma} COUNT\n{loop}"
        f"#undef TIMES\n#define TIMES 6\n#pragma {pragma} TIMES\n{loop}"
        f'constexpr unsigned n = 2;\n_Pragma("{pragma} n")\n{loop}'
        "return true; } };\n"
    )
    done = tool.run(tool.write(HEADER + text), "-o", "out.gp", "-g", "-Wno-unknown-pragmas")
    assert done.returncode == 0, done.stderr
    assert len(re.findall("warning: (?:#warning )?seen once", done.stderr)) == 1
    assert list(load(tool.folder / "out.gp")) == ["V"]


@pytest.mark.skipif("clang++" not in COMPILERS, reason="no clang++ on PATH")
def test_clang_vectors_are_for_clang(tool: Popc) -> None:
    for variable in ("CXX", "POPSNN_CXX"):
        tool.environment.pop(variable, None)
    done = tool.run(tool.write(CLANG_VECTORS), "-o", "out.gp")
    assert (done.returncode, done.stderr) == (0, "")
    assert list(load(tool.folder / "out.gp")) == ["Sum"]


def test_missing_headers(tool: Popc) -> None:
    tool.environment["POPSNN_EMULATOR_INCLUDE"] = str(tool.folder)
    assert "set POPSNN_EMULATOR_INCLUDE" in tool.errors(HEADER)


def test_cache(tool: Popc) -> None:
    def cached(*arguments: object, text: Optional[str] = None) -> Path:
        done = tool.run("--cache-dir", "cache", *arguments, text=text)
        assert done.returncode == 0, done.stderr
        return tool.folder / done.stdout.strip()

    text = HEADER + "class V : public Vertex { int n; void compute() { ++n; } };\n"
    first = cached(tool.write(text))
    made = first.stat().st_mtime_ns
    assert set(load(first)) == {"V"}
    assert cached(tool.write(text, "elsewhere.cpp")) == first
    assert cached("-", text=text) == first
    assert first.stat().st_mtime_ns == made
    assert cached(tool.write(text), "-O1") != first
    assert cached(tool.write(text + "int more;")) != first
    assert all(path.suffix == ".gp" for path in (tool.folder / "cache").iterdir())
    # A library that was damaged since is made again.
    damaged = bytearray(first.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    first.unlink()  # this process has mapped it
    first.write_bytes(damaged)
    assert cached(tool.write(text)) == first
    assert first.read_bytes() != damaged
    assert set(load(first)) == {"V"}


def test_interrupted_run_leaves_nothing(tool: Popc) -> None:
    slow = tool.write("#!/bin/sh\nsleep 30\n", "slow-compiler")
    slow.chmod(0o755)
    tool.environment["POPSNN_CXX"] = str(slow)
    command = [str(tool.popc), str(tool.write(HEADER)), "-o", str(tool.folder / "out.gp")]
    with subprocess.Popen(command, env=tool.environment, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 20
        while not list(tool.temporary.glob("*/*/0.err")) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) != 0
    assert list(tool.temporary.iterdir()) == []
    assert not (tool.folder / "out.gp").exists()


def test_reader_that_goes_away(tool: Popc) -> None:
    script = f"{tool.popc} {tool.write('int f( {')} -o out.gp 2>&1 | true"
    subprocess.run(["sh", "-c", script], env=tool.environment, cwd=str(tool.folder), check=True)
    deadline = time.monotonic() + 20
    while list(tool.temporary.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert list(tool.temporary.iterdir()) == []


LOADER = r"""
#include <cstdio>
#include <poplar/exceptions.hpp>
#include "compile/codelet_library.hpp"
using namespace poplar::emulator;
int main(int, char** argv) {
  const std::string path = compileCodeletText(argv[1], "-O1 '-DNAME=V' \"-I.\"", false);
  const CodeletLibrary& library = CodeletLibrary::load(path, false);
  if (&library != &CodeletLibrary::load(path, false)) return 1;
  if (compileCodelets({argv[2]}, "-O1 -DNAME=V -I.", false) != path) return 2;
  if (!library.find("V") || library.find("W") || library.vertices().size() != 1) return 3;
  try {
    compileCodeletText("int f(", "", false);
    return 4;
  } catch (const poplar::graph_program_compilation_error& error) {
    std::puts(error.what());
  }
  for (const std::string bad : {"absent.gp", "codelet.cpp"}) {
    try {
      CodeletLibrary::load(bad, false);
      return 5;
    } catch (const poplar::file_load_error& error) {
      std::puts(error.what());
    }
  }
  return 0;
}
"""


def test_loader(tool: Popc) -> None:
    text = HEADER + "class NAME : public Vertex { int n; void compute() { ++n; } };\n"
    source, program = tool.write(text), tool.folder / "loader"
    flags = ["-std=c++17", f"-I{EMULATOR / 'src'}", f"-I{EMULATOR / 'include'}"]
    library = EMULATOR / "src" / "compile" / "codelet_library.cpp"
    files = [str(tool.write(LOADER, "loader.cpp")), str(library)]
    subprocess.run([CXX, *flags, *files, "-o", str(program), "-ldl", "-pthread"], check=True)
    environment = {
        **tool.environment,
        "POPSNN_POPC": str(tool.popc),
        "POPSNN_CACHE_DIR": str(tool.folder / "cache"),
    }
    done = subprocess.run(
        [str(program), text, str(source)],
        env=environment,
        cwd=str(tool.folder),
        stdout=subprocess.PIPE,
        check=True,
    )
    lines = done.stdout.decode().splitlines()
    assert "<stdin>:1:" in "".join(lines)
    assert lines[-2] == "addCodelets: cannot load 'absent.gp': expected a file, found none"
    assert "expected a library made by popc" in lines[-1]
