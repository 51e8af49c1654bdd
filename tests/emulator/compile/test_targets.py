"""Vertices for a device are compiled with __IPU__, those for a model without."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
from tests.emulator.popc_tool import Popc, locate_popc

TEXT = """
#include <poplar/Vertex.hpp>
using namespace poplar;
class Target : public Vertex {
 public:
  Output<Vector<float>> out;
  void compute() {
#ifdef __IPU__
    out[0] = __builtin_ipu_get_tile_id();
    for (unsigned i = 1; i < out.size(); ++i) out[i] = __builtin_ipu_urand_f32();
#else
    for (float& x : out) x = -1;
#endif
  }
};
#ifdef __IPU__
template <typename T, typename V>
class Squares : public MultiVertex {
 public:
  InOut<Vector<T, VectorLayout::ONE_PTR, 8>> x;
  unsigned n;
  void compute(unsigned worker) {
    V* v = reinterpret_cast<V*>(&x[0]);
    for (rptsize_t i = worker; i < n; i += numWorkers()) v[i] *= v[i];
  }
};
template class Squares<float, float2>;
#endif
"""

ASSEMBLY = """
#include <poplar/Vertex.hpp>
using namespace poplar;
#ifdef __IPU__
static inline float addOne(float x) {
  asm volatile(R"(
      f32add %[x], %[x], 1.0
  )" : [x] "+r"(x));
  return x;
}
class Assembly : public Vertex {
 public:
  InOut<float> x;
  bool once;
  void compute() {
    if (once) *x = addOne(*x);
  }
};
#else
static inline float addOne(float x) { return x + 1; }
#endif
class Plain : public Vertex {
 public:
  InOut<float> x;
  void compute() { *x = addOne(*x); }
};
"""


@pytest.fixture
def device(poplar: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (device,) = poplar.DeviceManager().get_devices(poplar.TargetType.IPU, 1)
    assert device.attach()
    return device


def run_target(b: Any, poplar: Any) -> np.ndarray:
    out = b.variable(poplar.FLOAT, [6], tile=3)
    cs = b.graph.add_compute_set("cs")
    b.vertex(cs, "Target", tile=3, out=out)
    return b.evaluate(out, np.float32, poplar.Execute(cs))


def test_each_target_has_its_code(poplar: Any, bench: Callable[..., Any], device: Any) -> None:
    model, ipu = bench(), bench(device=device)
    for b in (model, ipu):
        b.graph.add_codelet_text(TEXT)
    assert run_target(model, poplar).tolist() == [-1.0] * 6
    values = run_target(ipu, poplar)
    assert values[0] == 3
    assert len(set(values[1:].tolist())) == 5
    assert (np.abs(values[1:]) <= 0.5).all()
    with pytest.raises(RuntimeError, match="got 'Squares<float,float2>'"):
        model.vertex(model.graph.add_compute_set("s"), "Squares<float,float2>")
    ipu = bench(device=device)
    ipu.graph.add_codelet_text(TEXT)
    x = ipu.variable(poplar.FLOAT, [8])
    ipu.graph.set_initial_value(x, np.arange(8, dtype=np.float32))
    cs = ipu.graph.add_compute_set("s")
    ipu.graph.set_initial_value(ipu.vertex(cs, "Squares<float,float2>", x=x)["n"], 4)
    assert ipu.evaluate(x, np.float32, poplar.Execute(cs)).tolist() == [i * i for i in range(8)]


@pytest.mark.parametrize("targets", ["cpu,ipu2", "ipu2,cpu", None])
def test_one_file_serves_both(
    poplar: Any,
    bench: Callable[..., Any],
    device: Any,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    targets: Any,
) -> None:
    tool = Popc(locate_popc(tmp_path_factory.getbasetemp()), tmp_path)
    flags = () if targets is None else ("-target", targets)
    done = tool.run(*flags, tool.write(TEXT), "-o", "both.gp")
    assert done.returncode == 0, done.stderr
    model, ipu = bench(), bench(device=device)
    for b in (model, ipu):
        b.graph.add_codelets(str(tmp_path / "both.gp"))
    assert run_target(model, poplar).tolist() == [-1.0] * 6
    assert run_target(ipu, poplar)[0] == 3


@pytest.mark.parametrize("strict", [False, True])
def test_assembly_is_refused_where_it_is_run(
    poplar: Any, bench: Callable[..., Any], device: Any, strict: bool
) -> None:
    def plain(b: Any) -> float:
        b.graph.add_codelet_text(ASSEMBLY)
        x = b.variable(poplar.FLOAT, [1])
        cs = b.graph.add_compute_set("cs")
        b.vertex(cs, "Plain", x=x[0])
        return float(b.evaluate(x, np.float32, poplar.Execute(cs))[0])

    ipu = bench(device=device)
    assert plain(bench()) == plain(ipu) == 1
    for once in (False, True):
        x = ipu.variable(poplar.FLOAT, [1])
        cs = ipu.graph.add_compute_set(f"assembly {once}")
        ipu.graph.set_initial_value(ipu.vertex(cs, "Assembly", x=x[0])["once"], once)
        engine = ipu.engine(poplar.Execute(cs), emulator_strict=str(strict).lower())
        if not once:
            engine.run(0)
            continue
        message = (
            "Engine::run: compute set 'assembly True' of vertices of type 'Assembly': inline "
            "assembly is not emulated: expected C\\+\\+ without it"
        )
        with pytest.raises(RuntimeError, match=message):
            engine.run(0)


def test_assembly_without_a_guard(
    poplar: Any,
    bench: Callable[..., Any],
    device: Any,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The code is the same for a model, which popc is not asked for: the device has it."""
    tool = Popc(locate_popc(tmp_path_factory.getbasetemp()), tmp_path)
    source = tool.write(ASSEMBLY.replace("#ifdef __IPU__", "#if 1"))
    done = tool.run("-target=ipu2", source, "-o", "unguarded.gp")
    assert done.returncode == 0, done.stderr
    b = bench(device=device)
    b.graph.add_codelets(str(tmp_path / "unguarded.gp"))
    x = b.variable(poplar.FLOAT, [1])
    cs = b.graph.add_compute_set("cs")
    b.graph.set_initial_value(b.vertex(cs, "Assembly", x=x[0])["once"], False)
    b.engine(poplar.Execute(cs)).run(0)


def test_draws_are_those_of_the_vertex(poplar: Any, device: Any, bench: Callable[..., Any]) -> None:
    """Not of its thread, and from run to run they go on."""
    text = TEXT.replace("class Target", "class Draw").replace("__builtin_ipu_get_tile_id()", "0")
    rows = []
    for threads in ("1", "4"):
        b = bench(device=device)
        b.graph.add_codelet_text(text)
        out = b.variable(poplar.FLOAT, [64, 4])
        cs = b.graph.add_compute_set("cs")
        for i in range(64):
            b.vertex(cs, "Draw", tile=i % 7, out=out[i])
        b.graph.create_host_read("out", out)
        engine = b.engine(poplar.Execute(cs), emulator_threads=threads)
        for _ in range(2):
            engine.run(0)
            rows.append(engine.read_tensor("out", np.empty((64, 4), np.float32)).copy())
    np.testing.assert_array_equal(rows[0], rows[2])
    np.testing.assert_array_equal(rows[1], rows[3])
    assert len(np.unique(rows[0][:, 1:])) == 192
    assert not np.intersect1d(rows[0][:, 1:], rows[1][:, 1:]).size
