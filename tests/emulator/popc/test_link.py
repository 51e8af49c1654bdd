"""Libraries that popc links, and calls of functions that no C++ source defines.

Public programs compile codelets and the functions that these call in separate runs of popc, and
link both: `popc vertices.gp format.gp -o codelets.gp` (jndean/IPUjpeg, `IPresentU/Makefile`).
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import List, Tuple

import pytest
from tests.emulator.library_tool import build, prefix

VERTEX = """
#include <poplar/Vertex.hpp>
#include "twice.h"
#ifndef SCALE
#define SCALE 1
#endif
struct Twice : poplar::Vertex {
  poplar::InOut<float> x;
  bool compute() { x = twice(*x) * SCALE; return true; }
};
"""
HEADER = "#pragma once\nfloat twice(float);\n"
HEADER_OF_C = """#pragma once
#ifdef __cplusplus
extern "C" {
#endif
float twice(float);
#ifdef __cplusplus
}
#endif
"""
PLAIN = '#include "twice.h"\nfloat twice(float x) { return 2 * x * FACTOR; }\n'
HOST = """
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>
using namespace poplar;
int main(int, char** argv) {
  try {
    Device device = IPUModel().createDevice();
    Graph graph(device);
    graph.addCodelets(argv[1]);
    Tensor x = graph.addVariable(FLOAT, {}, "x");
    graph.setTileMapping(x, 0);
    graph.setInitialValue(x, 3.0f);
    ComputeSet cs = graph.addComputeSet("doubling");
    VertexRef v = graph.addVertex(cs, "Twice");
    graph.connect(v["x"], x);
    graph.setTileMapping(v, 0);
    graph.createHostRead("x", x);
    Engine engine(graph, program::Execute(cs));
    engine.load(device);
    engine.run();
    float value = 0;
    engine.readTensor("x", &value, &value + 1);
    std::cout << value << std::endl;
  } catch (const poplar_error& e) {
    std::cout << e.what() << std::endl;
  }
}
"""


def popc(folder: Path, *arguments: str) -> Tuple[int, str]:
    command: List[str] = [str(prefix() / "bin/popc"), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host")
    (folder / "host.cpp").write_text(HOST)
    return build(folder / "host.cpp", folder / "host", ())


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "include").mkdir()
    (tmp_path / "include/twice.h").write_text(HEADER)
    (tmp_path / "src/vertex.cpp").write_text(VERTEX)
    (tmp_path / "src/plain.cpp").write_text(PLAIN)
    return tmp_path


def said(host: Path, library: Path) -> str:
    return subprocess.run([str(host), str(library)], capture_output=True, text=True).stdout.strip()


def test_libraries_are_linked_with_the_flags_of_each(sources: Path, host: Path) -> None:
    status, messages = popc(sources, "src/vertex.cpp", "-I", "include", "-o", "v.gp")
    assert status == 0
    assert "no C++ source defines 'twice(float)': a run that calls it is refused" in messages
    assert popc(sources, "src/plain.cpp", "-Iinclude", "-DFACTOR=5", "-o", "p.gp") == (0, "")
    (sources / "out").mkdir()
    assert popc(sources / "out", "../v.gp", "../p.gp", "-DSCALE=2", "-o", "all.gp") == (0, "")
    assert said(host, sources / "out/all.gp") == "60"
    assert popc(sources, "out/all.gp", "-o", "again.gp")[0] == 0
    assert said(host, sources / "again.gp") == "60"


C_SOURCE = """#include <stdlib.h>
#include "twice.h"
float twice(float x) {
  int unused;
  float *class = malloc(sizeof *class);
  if (x < 0) goto done;
  float copy = 2 * x;
  *class = copy;
  x = *class;
done:
  free(class);
  return x;
}
"""


@pytest.mark.parametrize("sources_of_popc", [("vertex.cpp", "plain.c"), ("plain.c", "vertex.cpp")])
def test_c_is_compiled_as_c_and_warnings_are_no_errors(
    sources: Path, host: Path, sources_of_popc: Tuple[str, str]
) -> None:
    """As jndean/IPUDOOM has it: jumps past declarations, words of C++, C's linkage."""
    (sources / "include/twice.h").write_text(HEADER_OF_C)
    (sources / "src/plain.c").write_text(C_SOURCE)
    files = [f"src/{name}" for name in sources_of_popc]
    flags = ("-std=c++17", "-Iinclude", "-Wall", "-Werror", "-o", "v.gp")
    status, messages = popc(sources, *files, *flags)
    assert (status, "unused" in messages) == (0, True)
    assert said(host, sources / "v.gp") == "6"


def test_libraries_of_c_are_linked(sources: Path, host: Path) -> None:
    (sources / "include/twice.h").write_text(HEADER_OF_C)
    (sources / "src/plain.c").write_text(C_SOURCE)
    assert popc(sources, "src/plain.c", "-Iinclude", "-o", "p.gp")[0] == 0
    assert popc(sources, "src/vertex.cpp", "-Iinclude", "-o", "v.gp")[0] == 0
    assert popc(sources, "v.gp", "p.gp", "-o", "all.gp")[0] == 0
    assert said(host, sources / "all.gp") == "6"


def test_assembly_in_c_is_refused_where_it_is_run(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (sources / "include/twice.h").write_text(HEADER_OF_C)
    (sources / "src/plain.c").write_text(
        '#include "twice.h"\nfloat twice(float x) { asm volatile("trap 0"); return x; }\n'
    )
    (sources / "host.cpp").write_text(
        HOST.replace(
            "IPUModel().createDevice()", "std::move(manager.getDevices(TargetType::IPU, 1)[0])"
        )
        .replace("  try {", "  DeviceManager manager;\n  try {", 1)
        .replace("    Graph graph", "    device.attach();\n    Graph graph", 1)
        .replace("<poplar/IPUModel.hpp>", "<poplar/DeviceManager.hpp>")
    )
    device = build(sources / "host.cpp", sources / "host", ())
    files = ("src/vertex.cpp", "src/plain.c")
    assert popc(sources, *files, "-target=ipu2", "-Iinclude", "-o", "v.gp") == (0, "")
    assert "inline assembly is not emulated" in said(device, sources / "v.gp")


def test_c_with_a_vertex_is_compiled_as_cpp(sources: Path, host: Path) -> None:
    (sources / "src/vertex.c").write_text(VERTEX)
    assert popc(
        sources, "src/vertex.c", "src/plain.cpp", "-Iinclude", "-DFACTOR=1", "-o", "v.gp"
    ) == (
        0,
        "",
    )
    assert said(host, sources / "v.gp") == "6"


def test_a_call_of_what_no_source_defines_is_refused_where_it_is_run(
    sources: Path, host: Path
) -> None:
    (sources / "src/twice.S").write_text(".globl _Z5twicef\n")
    status, messages = popc(sources, "src/vertex.cpp", "src/twice.S", "-Iinclude", "-o", "v.gp")
    assert status == 0
    assert messages.count("'twice(float)'") == 1
    assert said(host, sources / "v.gp").endswith(
        ": a call of 'twice(float)', which no C++ source defines, is not emulated: "
        "expected C++ without it"
    )


def test_a_variable_that_no_source_defines_is_an_error(sources: Path) -> None:
    (sources / "src/vertex.cpp").write_text(
        VERTEX.replace("twice(*x)", "factor").replace("struct", "extern float factor;\nstruct", 1)
    )
    status, messages = popc(sources, "src/vertex.cpp", "-Iinclude", "-o", "v.gp")
    assert status == 1
    assert "factor" in messages


def test_what_cannot_be_linked(sources: Path) -> None:
    (sources / "other.gp").write_text("other")
    for arguments, message in (
        (["other.gp"], "popc: cannot link 'other.gp': expected a library that popc -o made of"),
        (["none.gp"], "none.gp"),
    ):
        status, messages = popc(sources, *arguments, "-o", "v.gp")
        assert (status, message in messages) == (1, True), messages
    assert popc(sources, "src/plain.cpp", "-Iinclude", "-DFACTOR=1", "-o", "p.gp")[0] == 0
    (sources / "src/plain.cpp").unlink()
    status, messages = popc(sources, "p.gp", "-o", "v.gp")
    assert status == 1
    assert "plain.cpp': no such file" in messages
