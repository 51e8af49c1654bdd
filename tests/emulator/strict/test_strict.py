"""The strict mode: each rule broken once, and what keeps to the rules runs as without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import library_program, run_program

CODELETS = """
#include <poplar/Vertex.hpp>
using namespace poplar;

// Writes every other element and leaves the others.
class Sparse : public Vertex {
 public:
  Output<Vector<float>> out;
  void compute() {
    for (unsigned i = 0; i < out.size(); i += 2) out[i] = 1;
  }
};

class WritesInput : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<float> out;
  void compute() {
    const_cast<float&>(in[1]) = 7;
    *out = in[0];
  }
};

// out[i] += in[i], where out may be in
class Accumulate : public Vertex {
 public:
  Input<Vector<float>> in;
  InOut<Vector<float>> out;
  void compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] += in[i];
  }
};

// Of T: worker w writes elements [w * step, w * step + width).
template <typename T>
class Workers : public MultiVertex {
 public:
  Output<Vector<T>> out;
  const unsigned step, width;
  void compute(unsigned worker) {
    for (unsigned i = 0; i < width; ++i) out[worker * step + i] = 40 + i;
  }
};
template class Workers<float>;
template class Workers<unsigned short>;
template class Workers<unsigned char>;

class Chain : public MultiVertex {
 public:
  InOut<Vector<int>> x;  // [7]
  void compute(unsigned worker) { x[worker + 1] = x[worker] + 1; }
};

// Worker 0, or the last one, adds up what the others wrote, when they have.
template <bool First>
class Gathers : public MultiVertex {
 public:
  Output<Vector<int>> out;  // [7]
  InOut<Vector<int>> done;  // [6]
  void compute(unsigned worker) {
    volatile int* const flags = &done[0];
    volatile int* const values = &out[0];
    const unsigned last = First ? 0 : 5;
    values[worker] = 1 << worker;
    if (worker != last) {
      flags[worker] = 1;
      return;
    }
    int sum = 0;
    for (unsigned w = 0; w < 6; ++w) {
      while (w != last && flags[w] == 0) {
      }
      sum += values[w];
    }
    values[6] = sum;
  }
};
template class Gathers<true>;
template class Gathers<false>;

class SharedState : public MultiVertex {
 public:
  Output<Vector<int>> out;  // [6]
  int count;
  void compute(unsigned worker) { out[worker] = ++count; }
};

class Bytes : public Vertex {
 public:
  Output<Vector<unsigned char>> out;
  void compute() {
    for (unsigned char& x : out) x = 1;
  }
};
"""
OF_LIBRARIES = [
    "popops/elementwise",
    "popops/encoding",
    "popops/gather",
    "popops/reduce",
    "popops/slicing",
    "poplin",
    "poplin/norms",
    "poplin/plans",
    "poplin/solve",
    "popnn",
    "popnn/ctc",
    "popnn/pooling",
    "popnn/recurrent",
    "poprand",
    "block_sparse",
    "popsparse",
]
STRICT, LENIENT = {"emulator_strict": "true"}, {"emulator_strict": "false"}


@pytest.fixture
def b(bench):
    out = bench().codelets()
    out.graph.add_codelet_text(CODELETS)
    return out


def run(b, cs, tensor=None, dtype=np.float32):
    """Run the compute set in strict mode; return the contents of `tensor`."""
    if tensor is not None:
        b.graph.create_host_read("result", tensor)
    engine = b.engine(b.poplar.Execute(cs), **STRICT)
    engine.run()
    if tensor is not None:
        return engine.read_tensor("result", np.empty(tensor.shape, dtype))


def undefined(b, type_, shape):
    """A variable that nothing is written to."""
    x = b.graph.add_variable(type_, shape)
    b.graph.set_tile_mapping(x, 0)
    return x


def poisoned(values):
    return np.ascontiguousarray(values).view(np.uint8) == 0xDB


def test_variables_start_poisoned(poplar, b):
    x = undefined(b, poplar.FLOAT, [4])
    b.graph.set_initial_value(x.slice(0, 2), np.array([1, 2], np.float32))
    c = b.constant(poplar.FLOAT, np.array([3, 4], np.float32))
    everything = poplar.concat([x, c])
    b.graph.create_host_read("all", everything)
    for options, strict in ((STRICT, True), (LENIENT, False)):
        engine = b.engine(poplar.Sequence(), **options)
        for _ in range(2):
            engine.load(b.device)
            got = engine.read_tensor("all", np.empty(6, np.float32))
            np.testing.assert_array_equal(got[[0, 1, 4, 5]], [1, 2, 3, 4])
            assert poisoned(got[2:4]).all() == strict
            assert strict or not got[2:4].any()


def test_an_output_to_another_tile_starts_poisoned(poplar, b):
    x = b.variable(poplar.FLOAT, [8], 0)
    b.graph.set_tile_mapping(x.slice(4, 8), 1)
    b.graph.set_initial_value(x, np.full(8, 5, np.float32))
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Sparse", 0, out=x)
    sizes = [b.engine(poplar.Execute(cs), **o).bytes_per_tile for o in (LENIENT, STRICT)]
    assert sizes[0] == sizes[1]
    got = run(b, cs, x)
    np.testing.assert_array_equal(got[[0, 2, 4, 6]], 1)
    np.testing.assert_array_equal(got[[1, 3]], 5)
    assert poisoned(got[[5, 7]]).all()


def test_an_inout_to_another_tile_keeps_its_values(poplar, b):
    x = b.variable(poplar.INT, [4], 1)
    b.graph.set_initial_value(x, np.arange(4, dtype=np.int32))
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Increment", 0, x=x)
    np.testing.assert_array_equal(run(b, cs, x, np.int32), [1, 2, 3, 4])


@pytest.mark.parametrize("tile", [2, 0])
def test_inputs_stay_as_they_are(poplar, b, tile):
    x, out = b.variable(poplar.FLOAT, [3], 0), b.variable(poplar.FLOAT, [], tile)
    cs = b.graph.add_compute_set("cs")
    b.vertex(cs, "WritesInput", tile, out=out, **{"in": x})
    sentence = (
        "compute set 'cs': field 'WritesInput.in' expected the vertex to leave its input, "
        f"got element 1 changed on tile {tile}"
    )
    with pytest.raises(poplar.application_runtime_error, match=sentence):
        run(b, cs)


def test_an_input_may_be_an_output(poplar, b):
    x = b.variable(poplar.FLOAT, [3])
    b.graph.set_initial_value(x, np.array([1, 2, 3], np.float32))
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Accumulate", out=x, **{"in": x})
    np.testing.assert_array_equal(run(b, cs, x), [2, 4, 6])


def workers(b, type_, name, step, width, n, view=None):
    x = b.variable(type_, [n])
    cs = b.graph.add_compute_set("cs")
    v = b.vertex(cs, f"Workers<{name}>", 3, out=x if view is None else view(x))
    b.graph.set_initial_value(v["step"], step)
    b.graph.set_initial_value(v["width"], width)
    return cs


def test_workers_write_elements_of_their_own(poplar, b):
    run(b, workers(b, poplar.FLOAT, "float", 2, 2, 12))
    sentence = (
        "compute set 'cs': field 'Workers<float>.out' expected each element to be written by one "
        "worker, got element 2 written by workers 0 and 1 on tile 3"
    )
    with pytest.raises(poplar.application_runtime_error, match=sentence):
        run(b, workers(b, poplar.FLOAT, "float", 2, 3, 13))
    with pytest.raises(
        poplar.application_runtime_error, match="element 0 written by workers 0 and 5"
    ):
        run(b, workers(b, poplar.FLOAT, "float", 0, 1, 1))


def test_workers_write_words_of_their_own(poplar, b):
    run(b, workers(b, poplar.UNSIGNED_SHORT, "unsigned short", 2, 2, 12))
    sentence = (
        "compute set 'cs': field 'Workers<unsigned short>.out' expected each 32-bit word to be "
        "written by one worker, got the word of element 2 written in part by workers 0 and 1 on"
    )
    with pytest.raises(poplar.application_runtime_error, match=sentence):
        run(b, workers(b, poplar.UNSIGNED_SHORT, "unsigned short", 3, 3, 18))
    with pytest.raises(
        poplar.application_runtime_error, match=r"element 0 .* workers 0, 1, 2 and 3"
    ):
        run(b, workers(b, poplar.UNSIGNED_CHAR, "unsigned char", 1, 1, 6))


def test_workers_read_nothing_of_each_other(poplar, b):
    x = b.variable(poplar.INT, [7])
    cs = b.graph.add_compute_set("cs")
    b.vertex(cs, "Chain", 0, x=x)
    sentence = (
        "compute set 'cs': field 'Chain.x' expected no worker to read what another writes, got "
        "another value in element 2 on tile 0 when the workers ran in another order"
    )
    b.graph.set_initial_value(x, np.zeros(7, np.int32))
    with pytest.raises(poplar.application_runtime_error, match=sentence):
        run(b, cs)


@pytest.mark.parametrize("first", ["true", "false"])
def test_a_worker_may_wait_for_the_others(poplar, b, first):
    out, done = b.variable(poplar.INT, [7]), b.variable(poplar.INT, [6])
    cs = b.graph.add_compute_set("cs")
    b.vertex(cs, f"Gathers<{first}>", 0, out=out, done=done)
    np.testing.assert_array_equal(run(b, cs, out, np.int32), [1, 2, 4, 8, 16, 32, 63])


def test_workers_share_state_too(poplar, b):
    out = b.variable(poplar.INT, [6])
    cs = b.graph.add_compute_set()
    b.vertex(cs, "SharedState", out=out)
    with pytest.raises(
        poplar.application_runtime_error, match=r"'SharedState.count' expected each"
    ):
        run(b, cs)


def test_vertices_of_a_tile_share_no_word(poplar, b):
    x = b.variable(poplar.UNSIGNED_CHAR, [16], 0, "x")
    b.graph.set_tile_mapping(x.slice(6, 16), 1)

    def build(cut, tiles, **options):
        cs = b.graph.add_compute_set("cs")
        b.vertex(cs, "Bytes", tiles[0], out=x.slice(6, cut))
        b.vertex(cs, "Bytes", tiles[1], out=x.slice(cut, 16))
        return b.engine(poplar.Execute(cs), **options)

    # Tile 1 holds element 6 at the begin of a word.
    build(10, (1, 1), **STRICT).run()
    build(9, (1, 2), **STRICT).run()
    build(9, (1, 1), **LENIENT).run()
    sentence = (
        "compute set 'cs': expected the 32-bit words that a vertex of tile 1 writes to be no other "
        "vertex's, got that of element 9 of variable 'x' written in part by Bytes and in part by"
    )
    with pytest.raises(poplar.graph_connection_error, match=sentence):
        build(9, (1, 1), **STRICT)


def test_the_option_and_the_variable(poplar, b, monkeypatch):
    x = undefined(b, poplar.INT, [])
    b.graph.create_host_read("x", x)

    def value(**options):
        return int(b.engine(poplar.Sequence(), **options).read_tensor("x", np.empty([], np.int32)))

    monkeypatch.delenv("POPSNN_STRICT", raising=False)
    assert value() == 0
    monkeypatch.setenv("POPSNN_STRICT", "1")
    assert value() != 0
    assert value(emulator_strict="false") == 0
    monkeypatch.setenv("POPSNN_STRICT", "yes")
    with pytest.raises(poplar.invalid_option, match="'0' or '1' for 'POPSNN_STRICT', got 'yes'"):
        value()


def test_write_undef_and_executables(tmp_path):
    printed = run_program("strict", tmp_path).errors
    assert printed["undefined"] == "7 dbdbdbdb 7"
    assert printed["normal"] == "7 7 7"
    assert printed["executable"] == (
        "Engine: expected an executable that was compiled with 'emulator.strict', got one without"
    )


@pytest.mark.parametrize("name", OF_LIBRARIES)
def test_the_library_keeps_to_the_rules(name, program_folder):
    program = library_program(name, program_folder)
    outputs = []
    for strict in "01":
        environment = {**os.environ, "POPSNN_STRICT": strict}
        command = [str(program)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]


NETWORK = """
import sys
import torch
from popsnn.nn import LI, SNN, SparseLIF

torch.manual_seed(0)
results = []
for last in (LI(10, 5), SparseLIF(10, 5, reset="subtract")):
    net = SNN(SparseLIF(30, 20, max_activity=0.5), SparseLIF(20, 10, beta=0.8), last, backend="ipu")
    x = (torch.rand(6, 4, 30) < 0.3).float()
    for _ in range(2):
        out = net(x)
        out = out if torch.is_tensor(out) else out.to_dense()
        (out * torch.rand_like(out)).sum().backward()
        results.append(out.detach())
    results += [p.grad for p in net.parameters()]
torch.save(results, sys.argv[1])
"""


def test_networks_keep_to_the_rules(tmp_path: Path):
    import torch

    results = []
    for strict in "01":
        path = tmp_path / f"results{strict}.pt"
        command = [sys.executable, "-c", NETWORK, str(path)]
        environment = {**os.environ, "POPSNN_STRICT": strict}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
        assert done.returncode == 0, done.stderr
        results.append(torch.load(path))
    assert len(results[0]) == len(results[1]) > 8
    for normal, strict in zip(*results):
        assert torch.equal(normal, strict)
