"""The host API as a user of the SDK meets it: headers, libraries and a C++ program."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import popsnn

PREFIX = Path(popsnn.emulator_prefix())
HEADERS = sorted(
    str(path.relative_to(PREFIX / "include"))
    for folder in (
        *("gccs", "gcl", "poplar", "poplin", "popnn", "popops", "popsparse", "poputil"),
        *("popfloat", "pva", "pvti"),
    )
    for path in (PREFIX / "include" / folder).rglob("*.hpp")
)
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]


def compile_text(compiler, text, *flags):
    command = [compiler, "-x", "c++", "-", f"-I{PREFIX / 'include'}", *STRICT, *flags]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("header", HEADERS)
def test_each_header_is_clean_cpp11(header):
    done = compile_text(COMPILERS[0], f"#include <{header}>\n", "-std=c++11", "-fsyntax-only")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
def test_all_headers_together(compiler, standard):
    text = "".join(f"#include <{h}>\n#include <{h}>\n" for h in HEADERS)
    done = compile_text(compiler, text, f"-std={standard}", "-fsyntax-only")
    assert done.returncode == 0, done.stderr


PROGRAM = """
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <popops/Fill.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>

#ifdef __POPC__
#include <poplar/Vertex.hpp>
template <typename T, bool negate>
class Scale : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<T>> data;
  const T by;
  bool compute() {
    for (T& x : data) x *= negate ? -by : by;
    return true;
  }
};
template class Scale<float, true>;
#else
using namespace poplar;
using namespace poplar::program;

int main() {
  IPUModel model;
  model.tilesPerIPU = 8;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  popops::addCodelets(graph);
  graph.addCodelets(__FILE__);
  Tensor v = graph.addVariable(FLOAT, {4, 2}, "v");
  poputil::mapTensorLinearly(graph, v, 1, 1);
  Tensor c = graph.addConstant<float>(FLOAT, {2}, {10, 20}, {"parent", "c"});
  graph.setTileMapping(c, 1);
  std::vector<Tensor> none{3};
  Sequence prog;
  popops::fill(graph, v, prog, 1.5f);
  prog.add(Copy(c, v[3]));
  ComputeSet cs = graph.addComputeSet("scale");
  for (unsigned i = 0; i < 4; ++i) {
    VertexRef vertex = graph.addVertex(cs, poputil::templateVertex("Scale", FLOAT, true),
                                       {{"data", v[i]}});
    graph.setInitialValue(vertex["by"], 2);
    graph.setTileMapping(vertex, i);
  }
  prog.add(Execute(cs));
  std::vector<Program> programs{Repeat(2, prog)};
  programs.push_back(PrintTensor("v", v));
  graph.createHostRead("v", v);
  Engine engine(compileGraph(std::move(graph), programs), {{"debug.instrument", "true"}});
  engine.load(device);
  engine.run(0);
  float out[8];
  engine.readTensor("v", out, out + 8);
  for (float x : out) std::cout << x << ' ';
  try {
    engine.run(2);
  } catch (const poplar_error& e) {
    std::cout << e.what() << std::endl;
  }
  return none.size() == 3 ? 0 : 1;
}
#endif
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_program_builds_and_runs_against_the_installed_folder(compiler, tmp_path):
    source = tmp_path / "program.cpp"
    source.write_text("#include <poplar/exceptions.hpp>\n" + PROGRAM)
    binary = tmp_path / "program"
    libraries = [f"-L{PREFIX / 'lib'}", "-lpoplar", "-lpoputil", "-lpopops"]
    command = [compiler, "-std=c++11", *STRICT, str(source), "-o", str(binary)]
    subprocess.run([*command, f"-I{PREFIX / 'include'}", *libraries], check=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(PREFIX / "lib")}
    done = subprocess.run([binary], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == (
        "-3 -3 -3 -3 -3 -3 -20 -40 Engine::run: expected a program below 2, got 2\n"
    )
