"""Modelled bytes per tile, by kind; variables as they are live."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def b(bench):
    return bench(tiles=4).codelets()


def by_kind(b, *programs):
    b.graph.register_perf_estimator("Sum", lambda vertex, target: 0)
    engine = b.engine(*programs)
    out = engine.profile()["bytes_per_tile"]
    assert [sum(tile) for tile in zip(*out.values())] == engine.bytes_per_tile
    return out


def sums(b, *reads):
    cs = b.graph.add_compute_set()
    for tile, view in reads:
        b.vertex(cs, "Sum", tile, out=b.variable(b.poplar.FLOAT, [], tile), **{"in": view})
    return b.poplar.Execute(cs)


def test_variables_and_constants(poplar, b):
    x, y = b.variable(poplar.FLOAT, [10], 1), b.variable(poplar.HALF, [10], 2)
    for handle, t in (("x", x), ("y", y)):
        b.graph.create_host_read(handle, t)
    c = b.constant(poplar.FLOAT, np.zeros(3, np.float32), 2)
    b.constant(poplar.FLOAT, np.zeros(5, np.float32), 2)  # which nothing uses
    kinds = by_kind(b, poplar.Copy(c, x.slice(0, 3)))
    assert kinds.pop("variables") == [0, 40, 20, 0]
    assert kinds.pop("constants") == [0, 0, 12, 0]
    assert not any(map(any, kinds.values()))


def test_vertices(poplar, b):
    x = b.variable(poplar.FLOAT, [8], 2)
    kinds = by_kind(b, sums(b, (2, x.slice(0, 4)), (2, x.slice(4, 8))))
    # SPAN takes 8 bytes and a scalar edge 4; code is there once for a type.
    assert kinds["vertex state"] == [0, 0, 24, 0]
    code = 128 + 2 * 16
    assert kinds["vertex code"] == [0, 0, code, 0]
    assert kinds["stacks"] == [0, 0, 512 + 6 * 256, 0]
    assert kinds["exchange buffers"] == kinds["rearrangement"] == [0] * 4


def test_edges_to_other_tiles_need_buffers(poplar, b):
    x = b.variable(poplar.FLOAT, [100], 0)
    kinds = by_kind(b, sums(b, (1, x), (1, x.slice(0, 50)), (2, x.slice(90, 100))))
    assert kinds["exchange buffers"] == [0, 400, 40, 0]

    cs = b.graph.add_compute_set()
    v = b.vertex(cs, "Sum", 3, out=x[0], **{"in": b.variable(poplar.FLOAT, [2], 3)})
    b.graph.set_perf_estimate(v, 0)
    assert by_kind(b, poplar.Execute(cs))["exchange buffers"] == [0, 0, 0, 4]


def test_compute_sets_share_buffers(poplar, b):
    x = b.variable(poplar.FLOAT, [10, 10], 0)
    first, second = sums(b, (1, x[0])), sums(b, (1, x[0]), (1, x.transpose()[1]))
    assert by_kind(b, first)["exchange buffers"][1] == 40
    kinds = by_kind(b, poplar.Sequence([first, second]))
    assert kinds["exchange buffers"][1] == 40
    assert kinds["rearrangement"][1] == 40


def test_buffers_count_against_the_limit(poplar, bench, monkeypatch):
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (device,) = poplar.DeviceManager().get_devices(poplar.TargetType.IPU, 1)
    device.attach()
    b = bench(device=device).codelets()
    x = b.variable(poplar.FLOAT, [150_000], 0)
    b.engine(sums(b, (1, x)))
    b.graph.create_host_read("y", b.variable(poplar.FLOAT, [10_000], 1))
    with pytest.raises(poplar.graph_memory_allocation_error, match="on tile 1"):
        b.engine(sums(b, (1, x)))


class Life:
    """Programs over variables of `SIZE` elements on tile 0, and what they hold at most."""

    SIZE = 100

    def __init__(self, b) -> None:
        self.b, self.poplar = b, b.poplar
        self.kept = self.temporary("kept")
        b.graph.create_host_write("in", self.kept)
        b.graph.create_host_read("out", self.kept)

    def temporary(self, name="t"):
        return self.b.variable(self.poplar.FLOAT, [self.SIZE], 0, name)

    def copy(self, *tensors):
        """Copies the first to the second, that to the third, and so on."""
        pairs = zip(tensors, tensors[1:])
        return self.poplar.Sequence([self.poplar.Copy(a, c) for a, c in pairs])

    def through(self, *temporaries):
        return self.copy(self.kept, *temporaries, self.kept)

    def bytes(self, *programs):
        """Variables on tile 0 in units of one: (always live, not always live)."""
        kinds = by_kind(self.b, *programs)
        return kinds["variables"][0] / (4 * self.SIZE), kinds["temporaries"][0] / (4 * self.SIZE)


@pytest.fixture
def life(b):
    return Life(b)


def test_a_variable_that_nothing_uses_costs_nothing(life):
    for _ in range(3):
        life.temporary()
    assert life.bytes(life.poplar.Sequence()) == (1, 0)


def test_temporaries_in_sequence_share_memory(poplar, life):
    a, c, d = (life.temporary() for _ in range(3))
    assert life.bytes(life.through(a)) == (1, 1)
    assert life.bytes(poplar.Sequence([life.through(x) for x in (a, c, d)])) == (1, 1)
    # The source of a copy and its destination are live together.
    assert life.bytes(life.through(a, c, d)) == (1, 2)
    assert life.bytes(
        poplar.Sequence([life.copy(life.kept, a), life.through(c), life.copy(a, d)])
    ) == (
        1,
        2,
    )


def test_what_is_read_before_it_is_written_is_always_live(poplar, life):
    a = life.temporary()
    read, write = life.copy(a, life.kept), life.copy(life.kept, a)
    half = life.copy(life.kept.slice(0, 50), a.slice(0, 50))
    rest = life.copy(life.kept.slice(50, 100), a.slice(50, 100))
    assert life.bytes(read) == (2, 0)
    assert life.bytes(poplar.Sequence([read, write])) == (2, 0)
    assert life.bytes(poplar.Sequence([half, read])) == (2, 0)
    assert life.bytes(poplar.Sequence([rest, half, read])) == (1, 1)
    assert life.bytes(poplar.Sequence([poplar.WriteUndef(a), half, read])) == (1, 1)
    increment = life.b.variable(poplar.INT, [life.SIZE], 0)
    cs = life.b.graph.add_compute_set()
    life.b.vertex(cs, "Increment", 0, x=increment)
    life.b.graph.register_perf_estimator("Increment", lambda vertex, target: 0)
    assert life.bytes(poplar.Execute(cs)) == (2, 0)


def test_loops(poplar, life):
    a, c = life.temporary(), life.temporary()
    local = poplar.Sequence([life.through(a), life.through(c)])
    assert life.bytes(poplar.Repeat(5, local)) == (1, 1)
    # Carried round the loop: from before it to its end.
    carried = poplar.Sequence([life.copy(a, life.kept), life.through(c), life.copy(life.kept, a)])
    assert life.bytes(poplar.Sequence([life.copy(life.kept, a), poplar.Repeat(5, carried)])) == (
        1,
        2,
    )
    assert life.bytes(poplar.Repeat(5, carried)) == (2, 1)
    # Read in the loop, written before it: not free within.
    late = poplar.Sequence([life.copy(a, life.kept), life.through(c)])
    assert life.bytes(poplar.Sequence([life.copy(life.kept, a), poplar.Repeat(5, late)])) == (1, 2)
    once = poplar.Sequence([life.copy(life.kept, a), late])
    assert life.bytes(once) == (1, 1)


def test_bodies_that_may_not_run_write_nothing_for_sure(poplar, life):
    b = life.b
    a = life.temporary()
    flag = b.variable(poplar.BOOL, [], 1)
    b.graph.create_host_write("flag", flag)
    write, read, none = life.copy(life.kept, a), life.copy(a, life.kept), poplar.Sequence()
    assert life.bytes(poplar.Sequence([poplar.If(flag, write, none), read])) == (2, 0)
    assert life.bytes(poplar.Sequence([poplar.If(flag, write, write), read])) == (1, 1)
    assert life.bytes(poplar.If(flag, poplar.Sequence([write, read]), none)) == (1, 1)
    loop = poplar.RepeatWhileTrue
    assert life.bytes(poplar.Sequence([loop(none, flag, write), read])) == (2, 0)
    assert life.bytes(poplar.Sequence([loop(write, flag, none), read])) == (1, 1)
    cases = [(1, write), (2, write)]
    number = b.variable(poplar.INT, [], 1)
    b.graph.create_host_write("number", number)
    assert life.bytes(poplar.Sequence([poplar.Switch(number, cases), read])) == (2, 0)
    assert life.bytes(poplar.Sequence([poplar.Switch(number, cases, write), read])) == (1, 1)


def test_programs_run_in_any_order(life):
    a, c = life.temporary(), life.temporary()
    assert life.bytes(life.through(a), life.through(c)) == (1, 1)
    assert life.bytes(life.copy(life.kept, a), life.copy(a, life.kept)) == (2, 0)


def test_functions(poplar, life):
    graph = life.b.graph
    a, c, shared = life.temporary(), life.temporary(), life.temporary()
    inner = graph.add_function(life.through(a, c))
    outer = graph.add_function(
        poplar.Sequence([poplar.Call(inner), life.through(life.temporary())])
    )
    twice = poplar.Sequence([poplar.Call(outer), poplar.Call(inner)])
    assert life.bytes(twice) == (1, 2)
    # What the caller needs again is live throughout the call.
    around = poplar.Sequence([life.copy(life.kept, shared), twice, life.copy(shared, life.kept)])
    assert life.bytes(around) == (1, 3)
    # A function that keeps a value from call to call.
    keeps = graph.add_function(poplar.Sequence([life.copy(shared, life.kept, shared)]))
    assert life.bytes(poplar.Repeat(2, poplar.Call(keeps))) == (2, 0)
    # Arguments: written by the caller, read by the function.
    reads = graph.add_function(life.copy(shared, life.kept))
    calls = poplar.Sequence([life.copy(life.kept, shared), poplar.Call(reads)])
    assert life.bytes(calls) == (1, 1)


def test_temporaries_count_against_the_limit_as_they_are_live(poplar, bench, monkeypatch):
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (device,) = poplar.DeviceManager().get_devices(poplar.TargetType.IPU, 1)
    device.attach()
    b = bench(device=device).codelets()
    saved = b.variable(poplar.FLOAT, [100_000], 1)
    b.graph.create_host_read("kept", saved)
    big = [b.variable(poplar.FLOAT, [100_000], 0) for _ in range(2)]
    pairs = [[poplar.Copy(saved, x), poplar.Copy(x, saved)] for x in big]
    b.engine(poplar.Sequence([*pairs[0], *pairs[1]]))
    with pytest.raises(poplar.graph_memory_allocation_error, match="got 800000 on tile 0"):
        b.engine(poplar.Sequence([pairs[0][0], *pairs[1], pairs[0][1]]))


def test_the_profile_tells_both_kinds(life):
    engine = life.b.engine(life.through(life.temporary()))
    profile = engine.profile()
    assert profile["always_live_bytes_per_tile"] == [400, 0, 0, 0]
    assert profile["not_always_live_bytes_per_tile"] == [400, 0, 0, 0]
    text = engine.profile_summary()
    assert "  Always live:                 400 B, 400 B\n" in text
    assert "  Not always live:             400 B, 400 B\n" in text


def test_a_model_without_the_code_of_an_ipu_has_no_limit(poplar):
    def run(compile_ipu_code, options):
        model = poplar.IPUModel("ipu2")
        model.tiles_per_ipu = 1
        model.compile_ipu_code = compile_ipu_code
        device = model.create_device()
        graph = poplar.Graph(device.target)
        x = graph.add_variable(poplar.FLOAT, [200_000])  # 0.8 MB; a tile has 0.6
        graph.set_tile_mapping(x, 0)
        graph.create_host_read("x", x)
        return poplar.Engine(graph, [poplar.Sequence([])], options)

    with pytest.raises(poplar.graph_memory_allocation_error, match="Out of memory"):
        run(True, {})
    for engine in (run(False, {}), run(True, {"debug.allowOutOfMemory": "true"})):
        assert engine.bytes_per_tile == [800_000]
    assert poplar.IPUModel("ipu2").compile_ipu_code
