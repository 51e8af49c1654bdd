"""Modelled bytes per tile, by kind."""

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
    b.variable(poplar.FLOAT, [10], 1)
    b.variable(poplar.HALF, [10], 2)
    b.constant(poplar.FLOAT, np.zeros(3, np.float32), 2)
    kinds = by_kind(b, poplar.Sequence())
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
    b.variable(poplar.FLOAT, [10_000], 1)
    with pytest.raises(poplar.graph_memory_allocation_error, match="on tile 1"):
        b.engine(sums(b, (1, x)))
