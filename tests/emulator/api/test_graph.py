"""Variables, constants, tile mappings, clones, virtual graphs, targets and devices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


def test_ipu_models_have_their_shapes(poplar):
    tiles = {"ipu1": 1216, "ipu2": 1472, "ipu21": 1472}
    for version, n in tiles.items():
        target = poplar.IPUModel(version).create_device().target
        assert (target.num_tiles, target.num_worker_contexts) == (n, 6)
        assert target.target_type == poplar.TargetType.IPU_MODEL
    assert poplar.IPUModel().create_device().target.bytes_per_tile == 624 * 1024
    assert poplar.Target.create_cpu_target().num_tiles == 1
    with pytest.raises(poplar.invalid_machine_model, match="'ipu21', got 'ipu9'"):
        poplar.IPUModel("ipu9")
    model = poplar.IPUModel()
    model.tiles_per_ipu = 0
    with pytest.raises(poplar.invalid_machine_model, match="at least one IPU, tile and worker"):
        model.create_device()


def test_emulated_ipus_are_offered_where_asked_for(poplar, monkeypatch):
    manager = poplar.DeviceManager()
    monkeypatch.delenv("POPSNN_EMULATE_IPU", raising=False)
    assert manager.get_devices(poplar.TargetType.IPU, 1) == []
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (device,) = manager.get_devices(poplar.TargetType.IPU, 2)
    assert device.target.num_tiles == 2 * 1472
    assert device.attach()
    assert not device.attach()
    device.detach()
    assert device.attach()
    assert device.create_virtual_device(8).target.num_tiles == 16
    # As gc-info counts: the ids of IPUs begin at 0.
    assert manager.get_device(0).target.target_type == poplar.TargetType.IPU
    with pytest.raises(poplar.poplar_error, match="expected an id below"):
        manager.get_device(99)


def test_an_ipu_must_be_attached(poplar, bench, monkeypatch):
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (device,) = poplar.DeviceManager().get_devices(poplar.TargetType.IPU, 1)
    b = bench(device=device)
    with pytest.raises(poplar.poplar_error, match="expected an attached device"):
        b.engine(poplar.Sequence())
    device.attach()
    b.engine(poplar.Sequence()).run()


@pytest.mark.parametrize("name", ["FLOAT", "HALF", "INT", "UNSIGNED_SHORT", "BOOL", "LONGLONG"])
def test_constants_hold_their_values(poplar, bench, name):
    dtypes = {"FLOAT": "f4", "HALF": "f2", "INT": "i4", "UNSIGNED_SHORT": "u2", "BOOL": "?"}
    dtype = np.dtype(dtypes.get(name, "i8"))
    values = np.array([[0, 1, 2], [3, 1, 0]], dtype)
    b = bench()
    t = b.graph.add_constant(getattr(poplar, name), [2, 3], values.ravel())
    fill = b.graph.add_constant(getattr(poplar, name), [3], 1)
    b.graph.set_tile_mapping(t, 0)
    b.graph.set_tile_mapping(fill, 0)
    assert t.contains_constant()
    assert not t.is_parallel_writeable()
    b.graph.create_host_read("fill", fill)
    np.testing.assert_array_equal(b.evaluate(t, dtype), values)


def test_constants_need_as_many_values(poplar, bench):
    with pytest.raises(poplar.tensor_creation_error, match="expected 6 values, got 2"):
        bench().graph.add_constant(poplar.FLOAT, [2, 3], [1.0, 2.0])


def test_variables_start_as_zero_or_as_set(poplar, bench):
    b = bench()
    t = b.variable(poplar.INT, [2, 3])
    b.graph.set_initial_value(t[1], [7, 8, 9])
    b.graph.set_initial_value(t[0][0], 5)
    np.testing.assert_array_equal(b.evaluate(t, np.int32), [[5, 0, 0], [7, 8, 9]])


@st.composite
def mappings(draw):
    n = draw(st.integers(1, 40))
    calls = []
    for _ in range(draw(st.integers(0, 12))):
        b = draw(st.integers(0, n))
        calls.append((b, draw(st.integers(b, n)), draw(st.integers(0, 3))))
    return n, calls


@given(mappings(), st.booleans())
def test_the_last_mapping_wins(poplar, bench, case, reverse):
    n, calls = case
    b = bench()
    t = b.graph.add_variable(poplar.FLOAT, [n])
    tiles = np.full(n, -1)
    for begin, end, tile in calls:
        b.graph.set_tile_mapping(t.slice(begin, end), tile)
        tiles[begin:end] = tile
    view = t.reverse(0) if reverse else t
    tiles = tiles[::-1] if reverse else tiles
    mapping = b.graph.get_tile_mapping(view, False)
    assert len(mapping) == 4
    got = np.full(n, -1)
    for tile, intervals in enumerate(mapping):
        for lo, hi in intervals:
            got[lo:hi] = tile
        assert all(a[1] < c[0] for a, c in zip(intervals, intervals[1:]))
    np.testing.assert_array_equal(got, tiles)
    if (tiles < 0).any():
        with pytest.raises(poplar.invalid_tile_mapping, match="every element of the tensor"):
            b.graph.get_tile_mapping(view)


def test_mapping_from_lists(poplar, bench):
    b = bench()
    t = b.graph.add_variable(poplar.FLOAT, [2, 4])
    b.graph.set_tile_mapping(t.transpose(), [[(0, 4)], [], [(4, 8)]])
    assert b.graph.get_tile_mapping(t.transpose()) == [[(0, 4)], [], [(4, 8)], []]
    linear = b.graph.add_variable(poplar.FLOAT, [6], "x", poplar.VariableMappingMethod.LINEAR)
    assert b.graph.get_tile_mapping(linear) == [[(0, 2)], [(2, 4)], [(4, 6)], []]
    poplar.map_tensor_linearly(b.graph, t, 3, 2)
    assert b.graph.get_tile_mapping(t) == [[(0, 4)], [(4, 8)], [], []]


def test_tiles_beyond_the_target(poplar, bench):
    b = bench()
    t = b.graph.add_variable(poplar.FLOAT, [2])
    with pytest.raises(poplar.invalid_tile_mapping, match="expected a tile below 4, got 4"):
        b.graph.set_tile_mapping(t, 4)


def test_virtual_graphs_see_their_tiles(poplar, bench):
    b = bench(tiles=8)
    odd = b.graph.create_virtual_graph([1, 3, 5])
    assert odd.target.num_tiles == 3
    t = odd.add_variable(poplar.FLOAT, [2])
    odd.set_tile_mapping(t, 2)
    assert b.graph.get_tile_mapping(t)[5] == [(0, 2)]
    assert odd.get_tile_mapping(t) == [[], [], [(0, 2)]]
    inner = odd.create_virtual_graph(1, 3)
    assert inner.get_tile_mapping(t) == [[], [(0, 2)]]
    with pytest.raises(poplar.invalid_tile_mapping, match="expected a tile below 3, got 3"):
        odd.set_tile_mapping(t, 3)
    with pytest.raises(poplar.poplar_error, match="one tile or more of 8"):
        b.graph.create_virtual_graph(4, 4)


METHODS = [
    "PRESERVE_ORDER_AND_ALIASES",
    "CREATE_NEW_ORDER",
    "PRESERVE_ORDER_UNLESS_ALIASES",
    "GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES",
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("aliased", [False, True])
def test_clones(poplar, bench, method, aliased):
    b = bench()
    t = b.graph.add_variable(poplar.FLOAT, [3, 4])
    for i in range(4):
        b.graph.set_tile_mapping(t.slice(i, i + 1, 1), 3 - i)
    view = t.transpose().slice(1, 4)
    view = poplar.concat([view, view.slice(0, 1)]) if aliased else view
    clone = b.graph.clone(view, "clone", getattr(poplar.TensorCloneMethod, method))
    assert clone.shape == view.shape
    assert clone.element_type == view.element_type
    assert b.graph.get_tile_mapping(clone) == b.graph.get_tile_mapping(view)
    keeps_aliases = method.endswith("_ALIASES") and "UNLESS" not in method
    assert clone.contains_aliases() == (aliased and keeps_aliases)
    assert clone.var_regions()[0][0] != t.var_regions()[0][0]
    if method == "CREATE_NEW_ORDER":
        assert clone.is_contiguous()
    if method == "PRESERVE_ORDER_UNLESS_ALIASES" and not aliased:
        assert clone.transpose().flatten().is_contiguous()


def test_clone_n(poplar, bench):
    b = bench()
    t = b.variable(poplar.HALF, [2, 3], tile=2)
    clones = b.graph.clone_n(t, 3)
    assert clones.shape == [3, 2, 3]
    assert not clones.contains_aliases()
    assert b.graph.get_tile_mapping(clones)[2] == [(0, 18)]
    with pytest.raises(poplar.poplar_error, match="one clone or more"):
        b.graph.clone_n(t, 0)


def test_sorted_contiguous_regions(poplar, bench):
    b = bench()
    t = b.graph.add_variable(poplar.FLOAT, [3, 4])
    columns = t.transpose()
    regions = b.graph.get_sorted_contiguous_regions(columns, [(0, 6)])
    # Columns 0 and 1: pairs of neighbours in each row, in memory order.
    assert regions == [[(0, 1), (3, 4)], [(1, 2), (4, 5)], [(2, 3), (5, 6)]]
    twice = poplar.concat([t[0], t[0]])
    assert b.graph.get_sorted_contiguous_regions(twice, [(0, 8)], True) == [[(0, 4)]]
    assert len(b.graph.get_sorted_contiguous_regions(twice, [(0, 8)], False)) == 2


# Wrong reads and writes of such memory are seen by `make sanitize` alone.
def test_values_at_odd_addresses(poplar, bench):
    def odd(values, dtype):
        buffer = np.zeros(1 + 8 * len(values), np.uint8)
        out = np.ndarray(len(values), dtype, buffer=buffer.data, offset=1)
        out[...] = values
        return out

    b = bench().codelets()
    graph = b.graph
    graph.add_codelet_text(
        "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n"
        "class Odd : public Vertex {\n public:\n  Vector<bool> flags;\n  Vector<long long> state;\n"
        "  Output<Vector<long long>> out;\n"
        "  void compute() { for (unsigned i = 0; i < 2; ++i) out[i] = state[i] + flags[i]; }\n};\n"
    )
    x = b.variable(poplar.FLOAT, [3])
    graph.set_initial_value(x, odd([1, 2, 3], np.float64))
    y = b.variable(poplar.LONGLONG, [2])
    cs = graph.add_compute_set()
    v = b.vertex(cs, "Odd", out=y)
    graph.set_initial_value(v["flags"], np.array([1, 0, 1]))
    graph.set_initial_value(v["state"], odd([5, 6], np.int64))  # three bytes after the flags
    assert b.evaluate(x, np.float32).tolist() == [1, 2, 3]
    graph.create_host_read("y", y)
    engine = b.engine(poplar.Execute(cs))
    engine.run()
    assert engine.read_tensor("y", np.empty(2, np.int64)).tolist() == [6, 6]
