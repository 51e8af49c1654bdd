"""The cycle model: estimates, workers, exchange, host."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from tests.emulator.library_tool import PROGRAMS, build

SET = 82  # of each compute set, in addition to its vertices

MULTI = """
#include <poplar/Vertex.hpp>
using namespace poplar;
class Fill : public MultiVertex {
 public:
  Output<Vector<int>> out;
  void compute(unsigned worker) { if (worker == 0) out[0] = 1; }
};
"""


@pytest.fixture
def b(bench):
    return bench(tiles=4).codelets()


def step(engine, kind="Execute", index=0):
    return [s for s in engine.profile()["steps"] if s["kind"] == kind][index]


def counts(b, estimates, tile=0):
    """One Count vertex for each estimate, on a tile; returns the compute set."""
    cs = b.graph.add_compute_set("counts")
    out = b.variable(b.poplar.INT, [len(estimates)], tile)
    for i, cycles in enumerate(estimates):
        b.graph.set_perf_estimate(b.vertex(cs, "Count", tile, out=out[i]), cycles, 2 * cycles)
    return cs


def test_workers_take_vertices_in_turn(poplar, b):
    cs = counts(b, [10, 20, 30, 40, 50, 60, 7], tile=1)
    engine = b.engine(poplar.Execute(cs))
    cost = step(engine)
    # The first worker has 10 + 7, the last one 60; the other three tiles wait.
    assert cost["name"] == "counts"
    assert cost["flops"] == 2 * 217
    assert cost["cycles"] == {
        "total": 360 + SET,
        "compute": 360 / 4,
        "compute_busy": 217 / 4,
        "wait": 270,
        "exchange": 0,
        "global_exchange": 0,
        "host_exchange": 0,
        "sync": SET,
    }


def test_vertices_that_use_all_workers_count_tile_cycles(poplar, b):
    b.graph.add_codelet_text(MULTI)
    cs = counts(b, [10])
    for k in range(2):
        v = b.vertex(cs, "Fill", 0, out=b.variable(poplar.INT, [4]))
        b.graph.set_perf_estimate(v, 100 + k)
    assert step(b.engine(poplar.Execute(cs)))["cycles"]["total"] == 60 + 201 + SET


def test_an_estimator_sees_the_fields(poplar, b):
    x = b.variable(poplar.FLOAT, [4, 6])
    out = b.variable(poplar.FLOAT, [5])
    seen = []

    def rows(vertex, target):
        seen.append((vertex.size("rows"), vertex.row_sizes("rows"), vertex.size("out")))
        return 3 * target.num_worker_contexts

    def affine(vertex, target):
        seen.append((vertex.size("in"), vertex.value("scale"), vertex.value("bias")))
        return 5

    def pick(vertex, target):
        seen.append(vertex.values("order"))
        return 1

    b.graph.register_perf_estimator("RowSums", rows)
    b.graph.register_perf_estimator("Affine<float>", affine)
    b.graph.register_perf_estimator("Pick", pick)
    cs = b.graph.add_compute_set()
    b.vertex(cs, "RowSums", rows=[x[0], x[1].slice(0, 2)], out=out.slice(0, 2))
    v = b.vertex(cs, "Affine<float>", out=x[2], **{"in": x[3]})
    b.graph.set_initial_value(v["scale"], 2.5)
    v = b.vertex(cs, "Pick", out=out.slice(2, 4), **{"in": x[3].slice(0, 2)})
    b.graph.set_initial_value(v["order"], np.array([1, 0], np.uint32))
    engine = b.engine(poplar.Execute(cs))
    assert seen == []  # nobody asked yet
    assert step(engine)["cycles"]["total"] == 6 * 18 + SET
    assert seen == [(2, [6, 2], 2), (6, 2.5, 0), [1, 0]]
    engine.profile()
    assert len(seen) == 3  # once is enough

    b.graph.register_perf_estimator("Sum", rows)
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Sum", out=out[0], **{"in": x[0]})
    engine = b.engine(poplar.Execute(cs))
    with pytest.raises(
        poplar.unknown_field, match=r"expected a field of 'Sum\(in, out\)', got 'rows'"
    ):
        engine.profile()


def test_a_set_estimate_wins(poplar, b):
    b.graph.register_perf_estimator("Count", lambda vertex, target: 1000)
    assert step(b.engine(poplar.Execute(counts(b, [10]))))["cycles"]["total"] == 60 + SET


def test_a_model_needs_estimates(poplar, b, bench, monkeypatch):
    cs = b.graph.add_compute_set("main")
    b.vertex(cs, "Count", out=b.variable(poplar.INT, []))
    engine = b.engine(poplar.Execute(cs))
    engine.run()
    sentence = "compute set 'main': expected an estimate for vertex 'Count' by .*, got none"
    with pytest.raises(poplar.missing_perf_estimate, match=sentence):
        engine.profile()
    with pytest.raises(poplar.missing_perf_estimate):
        b.engine(poplar.Execute(cs), debug_instrument="true")

    # A device measures; emulated, it says what is not counted.
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (device,) = poplar.DeviceManager().get_devices(poplar.TargetType.IPU, 1)
    device.attach()
    real = bench(device=device).codelets()
    cs = real.graph.add_compute_set()
    real.vertex(cs, "Count", out=real.variable(poplar.INT, []))
    engine = real.engine(poplar.Execute(cs))
    assert engine.profile()["vertices_without_estimate"] == 1
    assert "1 vertices have no estimate and count as 0 cycles" in engine.profile_summary()


def sums(b, reads):
    """A Sum vertex for each (tile, view); returns its compute set."""
    cs = b.graph.add_compute_set()
    b.graph.register_perf_estimator("Sum", lambda vertex, target: 0)
    for tile, view in reads:
        b.vertex(cs, "Sum", tile, out=b.variable(b.poplar.FLOAT, [], tile), **{"in": view})
    return cs


def exchange(b, reads):
    cost = step(b.engine(b.poplar.Execute(sums(b, reads))))
    return cost["cycles"]["exchange"], cost["exchange_bytes"], cost["cycles"]["sync"] - SET


def test_exchange_takes_as_long_as_the_busiest_tile(poplar, b):
    x = b.variable(poplar.FLOAT, [100], 0)
    y = b.variable(poplar.FLOAT, [60], 2)
    # MaxIPUSyncDelay of the default model is 15; 4 bytes move in a cycle.
    assert exchange(b, [(0, x)]) == (0, 0, 0)
    assert exchange(b, [(1, x)]) == (100, 400, 15)
    assert exchange(b, [(1, x), (1, x.slice(0, 50))]) == (100, 400, 15)  # arrives once
    assert exchange(b, [(1, x), (1, y)]) == (160, 640, 15)  # received by one tile
    assert exchange(b, [(1, x), (2, x)]) == (100, 800, 15)  # sent to both at once
    halves = [(1, x.slice(0, 50)), (2, x.slice(50, 100))]
    assert exchange(b, halves) == (100, 400, 15)  # sent by one tile


def fragments(b, words, sends):
    """Read 8 fragments of so many words of tile 1 on tile 0, which sends some to tile 2."""
    x = b.variable(b.poplar.FLOAT, [8, 2 * words], 1)
    y = b.variable(b.poplar.FLOAT, [sends], 0)
    reads = [(0, x[i].slice(0, words)) for i in range(8)]
    return exchange(b, reads + ([(2, y)] if sends else []))[0]


def test_changes_of_the_source_share_a_pipeline_with_sends(poplar, b):
    assert fragments(b, 2, 0) == 8 * 2  # a change while the words before it arrive
    assert fragments(b, 4, 2) == 8 * 4
    assert fragments(b, 1, 2) == 2 + 8  # after two words, and 8 changes
    assert (
        fragments(b, 1, 7) == 7 + 8 - 5
    )  # the third word of a fragment and each later one has a change
    assert fragments(b, 1, 20) == 20


def test_tiles_of_a_bus_share_what_both_receive(poplar, b):
    x = b.variable(poplar.FLOAT, [100], 0)
    assert exchange(b, [(2, x), (3, x)]) == (100, 800, 15)  # tile 0 still sends 400 bytes
    parts = [b.variable(poplar.FLOAT, [50], t) for t in (0, 1)]
    both = [(t, p) for t in (2, 3) for p in parts]
    assert exchange(b, both) == (50, 800, 15)
    assert exchange(b, both[:3]) == (75, 600, 15)


def test_remote_results_are_sent_after_the_vertices_ran(poplar, b):
    out = b.variable(poplar.FLOAT, [], 3)
    cs = b.graph.add_compute_set()
    v = b.vertex(cs, "Sum", 0, out=out, **{"in": b.variable(poplar.FLOAT, [8], 1)})
    b.graph.set_perf_estimate(v, 0)
    cycles = step(b.engine(poplar.Execute(cs)))["cycles"]
    assert cycles["exchange"] == 8 + 1
    assert cycles["sync"] == 2 * 15 + SET


def test_gathering_costs_copies_of_what_is_local(poplar, b):
    x = b.variable(poplar.FLOAT, [10, 10], 0)
    near = step(b.engine(poplar.Execute(sums(b, [(0, x.transpose()[0])]))))["cycles"]
    assert near["compute"] + near["wait"] == 10  # 40 bytes at 4 a cycle
    far = step(b.engine(poplar.Execute(sums(b, [(1, x.transpose()[0])]))))["cycles"]
    assert (far["compute"], far["exchange"]) == (0, 10)


def test_copies(poplar, b):
    x, y = b.variable(poplar.FLOAT, [100], 0), b.variable(poplar.FLOAT, [100], 0)
    far, wide = b.variable(poplar.FLOAT, [100], 1), b.variable(poplar.FLOAT, [4, 10])
    for t in range(4):
        b.graph.set_tile_mapping(wide[t], t)
    spread = poplar.Copy(x.slice(0, 10).reshape([1, 10]).broadcast(4, 0), wide)
    engine = b.engine(poplar.Sequence([poplar.Copy(x, y), poplar.Copy(x, far), spread]))
    local, remote, multicast = engine.profile()["steps"]
    assert (local["kind"], local["name"]) == ("Copy", "v -> v")
    assert local["cycles"]["total"] == local["cycles"]["compute"] + local["cycles"]["wait"] == 100
    assert (remote["cycles"]["exchange"], remote["cycles"]["sync"]) == (100, 15)
    assert remote["cycles"]["compute"] == 0
    assert (multicast["cycles"]["exchange"], multicast["exchange_bytes"]) == (10, 120)


def test_ipus_exchange_over_links(poplar, bench):
    model = poplar.IPUModel()
    model.num_ipus = 2
    model.tiles_per_ipu = 2
    b = bench(device=model.create_device()).codelets()
    n = 30_000
    x, y = b.variable(poplar.FLOAT, [n], 0), b.variable(poplar.FLOAT, [n], 3)
    cycles = b.engine(poplar.Copy(x, y)).profile()["steps"][0]["cycles"]
    assert cycles["exchange"] == n
    assert cycles["global_exchange"] == np.ceil(4 * n * 1.33e9 / 160e9)
    assert cycles["sync"] == model.global_sync_cycles


@pytest.mark.parametrize("ipus", [1, 2])
def test_a_branch_reaches_every_tile(poplar, bench, ipus):
    model = poplar.IPUModel()
    model.num_ipus = ipus
    model.tiles_per_ipu = 2
    b = bench(device=model.create_device()).codelets()
    x, y = b.variable(poplar.INT, [1]), b.variable(poplar.INT, [1])
    choice = b.constant(poplar.INT, np.array(1))
    engine = b.engine(poplar.Switch(choice, [(1, poplar.Copy(x, y))]))
    cycles = step(engine, "Branch")["cycles"]
    assert cycles["exchange"] == 1
    assert cycles["global_exchange"] == ipus - 1
    assert cycles["sync"] == (model.global_sync_cycles if ipus > 1 else 15)


def test_streams(poplar, b):
    n = 1000
    x = b.variable(poplar.FLOAT, [n, 2])
    for t in range(2):
        b.graph.set_tile_mapping(x.slice(t, t + 1, 1), t)
    plain = b.variable(poplar.FLOAT, [n])
    to = b.graph.add_host_to_device_fifo("to", poplar.FLOAT, 2 * n)
    more = b.graph.add_host_to_device_fifo("more", poplar.FLOAT, n)
    back = b.graph.add_device_to_host_fifo("back", poplar.FLOAT, n)
    copies = [poplar.Copy(to, x), poplar.Copy(more, plain), poplar.Copy(plain, back)]
    steps = b.engine(poplar.Sequence(copies)).profile()["steps"]
    assert [s["name"] for s in steps] == ["to -> v", "more -> v", "v -> back"]
    assert [s["kind"] for s in steps] == ["StreamCopy"] * 3
    host = [np.ceil(bytes_ * 1.33e9 / 8e9) for bytes_ in (8 * n, 4 * n, 4 * n)]
    assert [s["cycles"]["host_exchange"] for s in steps] == host
    # What interleaves tiles is rearranged; the second copy goes with the first.
    assert [s["cycles"]["exchange"] for s in steps] == [np.ceil(4 * n / 3.3), 0, 0]
    assert [s["cycles"]["sync"] for s in steps] == [500, 0, 500]


def test_estimators_of_cpp_libraries(tmp_path):
    program = build(PROGRAMS / "estimators.cpp", tmp_path / "estimators", [])
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    # 2 to unpack and 3 + 4 of `widths`, twice, 7 times a width of 2; six workers or the tile.
    scale = 6 * (9000 + 100 + 14) + SET
    lists = 20000 + 3000 + 500 + 30 + 1 + SET
    assert done.stdout == f"scale {scale} 4\nlists {lists} 0\n"
