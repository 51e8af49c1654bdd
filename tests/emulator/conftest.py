"""The emulated Poplar API of the installed package, and codelets for its tests."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, List, Optional, Sequence

import numpy as np
import pytest
from tests.emulator.library_tool import PROGRAMS, prefix
from tests.emulator.popc_tool import CXX

CODELETS = """
#include <poplar/Vertex.hpp>
using namespace poplar;

class Sum : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<float> out;
  void compute() {
    float sum = 0;
    for (float x : in) sum += x;
    *out = sum;
  }
};

// out = scale * in + bias
template <typename T>
class Affine : public Vertex {
 public:
  Input<Vector<T>> in;
  Output<Vector<T>> out;
  const T scale;
  T bias;
  void compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = scale * in[i] + bias;
  }
};
template class Affine<float>;
template class Affine<int>;
template class Affine<unsigned short>;

class Increment : public Vertex {
 public:
  InOut<Vector<int, VectorLayout::SPAN, 8>> x;
  void compute() {
    for (int& v : x) ++v;
  }
};

class Count : public Vertex {
 public:
  Output<int> out;
  int calls;
  void compute() { *out = ++calls; }
};

class Less : public Vertex {
 public:
  Input<int> a, b;
  Output<bool> out;
  void compute() { *out = *a < *b; }
};

class RowSums : public Vertex {
 public:
  Vector<Input<Vector<float>>> rows;
  Output<Vector<float>> out;
  void compute() {
    for (unsigned r = 0; r < rows.size(); ++r) {
      out[r] = 0;
      for (float x : rows[r]) out[r] += x;
    }
  }
};

class ListSum : public Vertex {
 public:
  Input<VectorList<float>> rows;
  Output<float> out;
  void compute() {
    float sum = 0;
    for (unsigned r = 0; r < rows.size(); ++r)
      for (unsigned i = 0; i < rows[r].size(); ++i) sum += rows[r][i];
    *out = sum;
  }
};

class Pick : public Vertex {
 public:
  Vector<Input<float>> in;
  Vector<unsigned> order;
  Output<Vector<float>> out;
  void compute() {
    for (unsigned i = 0; i < order.size(); ++i) out[i] = in[order[i]];
  }
};

class WorkerIds : public MultiVertex {
 public:
  Output<Vector<int>> out;
  void compute(unsigned worker) {
    for (unsigned i = worker; i < out.size(); i += numWorkers()) out[i] = worker;
  }
};

class Short : public Vertex {
 public:
  Input<Vector<float, VectorLayout::SHORT_SPAN>> in;
  Output<float> out;
  void compute() { *out = in[0]; }
};
"""


@pytest.fixture(scope="session")
def poplar() -> ModuleType:
    return importlib.import_module("popsnn_test_poplar")


class Bench:
    """A graph on a small model, with what most tests need around it."""

    def __init__(self, poplar: Any, tiles: int = 4, device: Optional[Any] = None) -> None:
        self.poplar = poplar
        if device is None:
            model = poplar.IPUModel()
            model.tiles_per_ipu = tiles
            device = model.create_device()
        self.device = device
        self.graph = poplar.Graph(device.target)
        self.reads: List[str] = []

    def codelets(self) -> Bench:
        self.graph.add_codelet_text(CODELETS)
        return self

    def variable(self, type_: Any, shape: Sequence[int], tile: int = 0, name: str = "v") -> Any:
        """A variable of zeros: its first contents are only defined where they are given."""
        t = self.graph.add_variable(type_, list(shape), name)
        self.graph.set_tile_mapping(t, tile)
        self.graph.set_initial_value(t, np.zeros(shape))
        return t

    def constant(self, type_: Any, values: Any, tile: int = 0) -> Any:
        values = np.asarray(values)
        t = self.graph.add_constant(type_, list(values.shape), values.ravel())
        self.graph.set_tile_mapping(t, tile)
        return t

    def vertex(self, cs: Any, type_: str, tile: int = 0, **fields: Any) -> Any:
        v = self.graph.add_vertex(cs, type_, fields)
        self.graph.set_tile_mapping(v, tile)
        return v

    def engine(self, *programs: Any, **options: str) -> Any:
        names = {k.replace("_", "."): v for k, v in options.items()}
        engine = self.poplar.Engine(self.graph, list(programs), names)
        engine.load(self.device)
        return engine

    def evaluate(self, tensor: Any, dtype: Any, *programs: Any) -> np.ndarray:
        """Run the programs one after another; return the contents of `tensor`."""
        self.graph.create_host_read("result", tensor)
        engine = self.engine(*(programs or (self.poplar.Sequence(),)))
        for i in range(len(programs)):
            engine.run(i)
        return engine.read_tensor("result", np.empty(tensor.shape, dtype))


@pytest.fixture(scope="session")
def bench(poplar: Any) -> Callable[..., Bench]:
    def make(**kwargs: Any) -> Bench:
        return Bench(poplar, **kwargs)

    return make


@pytest.fixture(scope="session")
def program_folder(shared_folder: Path) -> Path:
    """The compiled programs of libraries, one folder for all workers of a test run."""
    folder = shared_folder / "programs"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def popart(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module of PopART's operators, with those of `popart/ops.cpp` registered."""
    library = tmp_path_factory.mktemp("popart") / "ops.so"
    at = prefix()
    command = [CXX, "-std=c++14", "-O0", "-Wall", "-Wextra", "-pedantic", "-Werror", "-shared"]
    command += ["-fPIC", str(PROGRAMS / "popart/ops.cpp"), "-o", str(library)]
    command += [f"-I{at}/include", f"-L{at}/lib", "-lpopart"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    module = importlib.import_module("popsnn._popart")
    module.load_library(str(library))
    return module


@pytest.fixture
def small(popart: Any) -> Any:
    """A device of four tiles."""
    return popart.Device(tiles_per_ipu=4)
