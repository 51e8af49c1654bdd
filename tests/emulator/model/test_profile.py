"""Counts of a profile, and its text."""

from __future__ import annotations

import re

import numpy as np
import pytest


@pytest.fixture
def b(bench):
    return bench(tiles=4).codelets()


def count(b, name, cycles=10):
    """A program that adds to a variable; returns both."""
    x = b.variable(b.poplar.INT, [4], 0, name)
    cs = b.graph.add_compute_set(name)
    b.graph.set_perf_estimate(b.vertex(cs, "Increment", x=x), cycles)
    return x, b.poplar.Execute(cs)


def runs(engine):
    return {s["name"]: s["runs"] for s in engine.profile()["steps"] if s["kind"] == "Execute"}


def test_steps_count_as_often_as_they_ran(poplar, b):
    programs = {name: count(b, name)[1] for name in ("thrice", "taken", "other", "loop", "called")}
    less = b.graph.add_compute_set("less")
    i, entry = count(b, "i")
    limit, more = b.constant(poplar.INT, 5), b.variable(poplar.BOOL, [])
    v = b.vertex(less, "Less", a=i[0], b=limit, out=more)
    b.graph.set_perf_estimate(v, 3)
    function = b.graph.add_function(programs["called"])
    body = poplar.Sequence([programs["loop"], entry])
    engine = b.engine(
        poplar.Sequence(
            [
                poplar.Repeat(3, programs["thrice"]),
                poplar.RepeatWhileTrue(poplar.Execute(less), more, body),
                poplar.If(more, programs["other"], programs["taken"]),
                poplar.Call(function),
                poplar.Call(function),
            ]
        )
    )
    assert set(runs(engine).values()) == {0}
    engine.run()
    once = {"thrice": 3, "less": 6, "loop": 5, "i": 5, "taken": 1, "other": 0, "called": 2}
    assert runs(engine) == once
    profile = engine.profile()
    assert profile["modelled"]
    branches = [s["runs"] for s in profile["steps"] if s["kind"] == "Branch"]
    assert branches == [6, 1]
    total = sum(s["runs"] * s["cycles"]["total"] for s in profile["steps"])
    assert profile["cycles"]["total"] == pytest.approx(total)

    engine.disable_execution_profiling()
    engine.run()
    assert runs(engine) == once
    engine.reset_execution_profile()
    engine.enable_execution_profiling()
    engine.run()
    assert runs(engine)["thrice"] == 3


def test_the_profile_outlives_the_graph(poplar, bench, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # for the report of autoReport.all

    def engine(**options):
        b = bench(tiles=2).codelets()
        out = b.engine(count(b, "x")[1], **options)
        out.run()
        return out

    assert runs(engine()) == {"x": 1}
    for option in ("debug_instrument", "autoReport_all", "debug_retainDebugInformation"):
        assert runs(engine(**{option: "true"})) == {"x": 1}
    with pytest.raises(poplar.profiling_disabled, match="got one that is gone or has changed"):
        engine(debug_retainDebugInformation="false").profile()


def test_the_profile_is_of_the_graph_as_it_was_compiled(poplar, b):
    x, program = count(b, "x")
    seen = b.engine(program)
    count(b, "y")  # what an Engine does not know changes nothing
    engines = [b.engine(program) for _ in range(2)]
    expected = b.engine(program).profile()
    dropped = b.engine(program, debug_retainDebugInformation="false")
    b.graph.set_tile_mapping(x, 3)
    grown = b.engine(program)
    cs = b.graph.add_compute_set("more")
    b.graph.set_perf_estimate(b.vertex(cs, "Increment", x=x), 10_000)
    assert [e.profile() for e in engines] == [expected] * 2
    assert seen.profile()["steps"] == expected["steps"]
    cost = [p["steps"][0]["cycles"]["total"] for p in (grown.profile(), expected)]
    assert cost[0] > cost[1]
    assert "Total cycles:" in engines[0].profile_summary()
    with pytest.raises(poplar.profiling_disabled, match="got one that is gone or has changed"):
        dropped.profile()


def test_a_cpu_has_no_profile(poplar, bench):
    b = bench(device=poplar.Device.create_cpu_device())
    with pytest.raises(poplar.profiling_disabled, match="an IPU or an IPUModel, got a CPU"):
        b.engine(poplar.Sequence()).profile()


def test_the_summary_has_its_sections(poplar, b):
    engine = b.engine(count(b, "x", 1000)[1])
    for _ in range(3):
        engine.run()
    text = engine.profile_summary({"showExecutionSteps": "true"})
    for title in ("Target:", "Graph:", "Memory Usage:", "Execution:", "Programs executed:"):
        assert re.search(f"^{title}$", text, re.M), title
    lines = [
        "Total cycles: +18,246 .approx 13.7 microseconds.",
        r"Tile average compute cycles \(including idle threads\): +4,500.0 \(24.7% of total\)",
        r"Tile average compute cycles \(excluding idle threads\): +750.0 \(4.1% of total\)",
        r"Tile average IPU exchange cycles: +0.0 \(0.0% of total\)",
        r"Tile average global exchange cycles: +0.0 \(0.0% of total\)",
        r"Tile average host exchange cycles: +0.0 \(0.0% of total\)",
        r"Tile average sync cycles: +13,746.0 \(75.3% of total\)",
        "Execute x: 3 runs, 6,082 cycles = 6,000 [+] 0 [+] 0 [+] 82",
        "Type: +IPU_MODEL, emulated: all figures are modelled",
    ]
    for line in lines:
        assert re.search(line, text), line
    assert "Execute x" not in engine.profile_summary()
    with pytest.raises(poplar.invalid_option, match="showSteps"):
        engine.profile_summary({"showSteps": "true"})


DOT = """
#include <poplar/Vertex.hpp>
using namespace poplar;
class Dot : public Vertex {
 public:
  Input<Vector<float>> a, b;
  Output<float> out;
  void compute() {
    float sum = 0;
    for (unsigned i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    *out = sum;
  }
};
"""


def test_the_documented_example(poplar, bench):
    """10000x1000 matrix times vector: columns in 7 ranges, each partial sum a vertex.

    Expected figures: README of tutorial 6 of graphcore/examples, and what its planner prints.
    """
    rows, cols, split = 10_000, 1000, 7
    model = poplar.IPUModel("ipu2")
    model.min_ipu_sync_delay = 0
    model.relative_sync_delay = poplar.RelativeSyncDelayType.NO_DELAY
    b = bench(device=model.create_device()).codelets()
    b.graph.add_codelet_text(DOT)
    g, tiles = b.graph, b.device.target.num_tiles
    matrix = g.add_variable(poplar.FLOAT, [rows, cols], "matrix")
    vector = g.add_variable(poplar.FLOAT, [cols], "vector")
    out = g.add_variable(poplar.FLOAT, [rows], "out")
    partials = g.add_variable(poplar.FLOAT, [rows, split], "partials")
    for i in range(cols):
        g.set_tile_mapping(vector[i], i * tiles // cols)
    dots, reduce = g.add_compute_set("dots"), g.add_compute_set("reduce")
    for i in range(split):
        begin, end = i * cols // split, (i + 1) * cols // split
        part = vector.slice(begin, end)
        for row in range(rows):
            a = matrix[row].slice(begin, end)
            p = partials[row][i]
            tile = (i * rows + row) * tiles // (split * rows)
            v = g.add_vertex(dots, "Dot", {"a": a, "b": part, "out": p})
            g.set_tile_mapping(v, tile)
            g.set_tile_mapping(a, tile)
            g.set_tile_mapping(p, tile)
            g.set_perf_estimate(v, 5 + (end - begin + 1) // 2)
    for row in range(rows):
        v = g.add_vertex(reduce, "Sum", {"in": partials[row], "out": out[row]})
        g.set_tile_mapping(v, row * tiles // rows)
        g.set_tile_mapping(out[row], row * tiles // rows)
        g.set_perf_estimate(v, 5 + (split + 1) // 2)
    streams = [
        g.add_host_to_device_fifo("v", poplar.FLOAT, cols),
        g.add_host_to_device_fifo("m", poplar.FLOAT, rows * cols),
    ]
    back = g.add_device_to_host_fifo("out", poplar.FLOAT, rows)
    program = poplar.Sequence(
        [
            poplar.Copy(streams[0], vector),
            poplar.Copy(streams[1], matrix),
            poplar.Execute(dots),
            poplar.Execute(reduce),
            poplar.Copy(out, back),
        ]
    )
    engine = b.engine(program)
    rng = np.random.default_rng(0)
    m, v = rng.random((rows, cols), np.float32), rng.random(cols, np.float32)
    result = np.empty(rows, np.float32)
    engine.connect_stream("m", m)
    engine.connect_stream("v", v)
    engine.connect_stream("out", result)
    engine.run()
    np.testing.assert_allclose(result, m @ v, rtol=1e-4)

    profile = engine.profile()
    cycles = profile["cycles"]
    assert cycles["compute"] == pytest.approx(3801.8, rel=0.01)
    assert cycles["compute_busy"] == pytest.approx(3717.6, rel=0.01)
    assert cycles["compute"] == pytest.approx(3786.0, abs=0.05)  # by hand
    assert cycles["compute_busy"] == pytest.approx(3716.0, abs=0.05)
    assert cycles["host_exchange"] == pytest.approx(6_663_550.8, rel=0.01)
    assert cycles["exchange"] == pytest.approx(8_697.4, rel=0.02)
    assert cycles["total"] == pytest.approx(6_681_766, rel=0.01)
    steps = {s["name"]: s["cycles"] for s in profile["steps"]}
    assert steps["dots"]["compute"] + steps["dots"]["wait"] == 3696
    assert steps["reduce"]["compute"] + steps["reduce"]["wait"] == 108


def test_programs_count_their_cycles(poplar, b):
    # Ten cycles of a worker are 60 of the tile, and each compute set takes 82 more.
    inner = poplar.Sequence([count(b, "x")[1]])
    counted = poplar.cycle_count(b.graph, inner, 1)
    program = poplar.Sequence([count(b, "y", 1000)[1], poplar.Repeat(3, inner)])
    stamp = poplar.cycle_stamp(b.graph, program, 2)
    b.graph.create_host_read("counted", counted)
    b.graph.create_host_read("stamp", stamp)
    engine = b.engine(program)

    def read(handle):
        return int(engine.read_tensor(handle, np.empty(2, np.uint32)).view(np.uint64)[0])

    engine.run()
    once, all_of_it = 60 + 82, 6000 + 82 + 3 * (60 + 82)
    assert (read("counted"), read("stamp")) == (once, all_of_it)
    engine.disable_execution_profiling()
    engine.run()
    assert (read("counted"), read("stamp")) == (once, 2 * all_of_it)
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Increment", x=b.variable(poplar.INT, [4]))
    with pytest.raises(poplar.missing_perf_estimate):
        b.engine(poplar.Sequence([program, poplar.Execute(cs)]))
