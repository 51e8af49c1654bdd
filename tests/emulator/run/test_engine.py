"""Programs, vertices, streams and host access on the Engine."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def b(bench):
    return bench().codelets()


def add_sums(b, inputs, outputs):
    cs = b.graph.add_compute_set("sums")
    for i, (x, y) in enumerate(zip(inputs, outputs)):
        b.vertex(cs, "Sum", i % 4, **{"in": x, "out": y})
    return b.poplar.Execute(cs)


def increment(b, t):
    cs = b.graph.add_compute_set("increment")
    b.vertex(cs, "Increment", x=t.flatten())
    return b.poplar.Execute(cs)


def test_variables_and_copies(poplar, b, capfd):
    """Constants into slices, a printed tensor, a stream read in chunks."""
    v1 = b.variable(poplar.FLOAT, [4], name="v1")
    for i in range(4):
        b.graph.set_tile_mapping(v1[i], i)
    c1 = b.constant(poplar.FLOAT, np.array([1.0, 1.5, 2.0, 2.5], np.float32))
    v3 = b.variable(poplar.FLOAT, [4, 4], 1)
    v4 = b.variable(poplar.INT, [10])
    stream = b.graph.add_host_to_device_fifo("v4-input", poplar.INT, 10)
    b.graph.create_host_write("v3-write", v3)
    b.graph.create_host_read("v3-read", v3)
    p = poplar.Sequence([poplar.Copy(c1, v1), poplar.PrintTensor("v1-debug", v1)])
    p.add(poplar.Copy(v1, v3.slice([1, 0], [2, 4]).squeeze([0])))
    p.add(poplar.Copy(stream, v4))
    p.add(poplar.PrintTensor("v4-0", v4))
    p.add(poplar.Copy(stream, v4))
    p.add(poplar.PrintTensor("v4-1", v4))
    engine = b.engine(p)
    engine.write_tensor("v3-write", np.zeros((4, 4), np.float32))
    engine.connect_stream("v4-input", np.arange(30, dtype=np.int32))
    engine.run()
    out = engine.read_tensor("v3-read", np.empty((4, 4), np.float32))
    np.testing.assert_array_equal(out[1], [1.0, 1.5, 2.0, 2.5])
    assert not out[[0, 2, 3]].any()
    assert capfd.readouterr().err == (
        "v1-debug: [1.0000000 1.5000000 2.0000000 2.5000000]\n"
        "v4-0: [0 1 2 3 4 5 6 7 8 9]\n"
        "v4-1: [10 11 12 13 14 15 16 17 18 19]\n"
    )


def test_vertices_sum_slices(poplar, b, capfd):
    v1, v2 = b.variable(poplar.FLOAT, [4]), b.variable(poplar.FLOAT, [4])
    c1 = b.constant(poplar.FLOAT, np.array([1.0, 1.5, 2.0, 2.5], np.float32))
    execute = add_sums(b, [v1.slice(i, 4) for i in range(4)], [v2[i] for i in range(4)])
    b.engine(poplar.Sequence([poplar.Copy(c1, v1), execute, poplar.PrintTensor("v2", v2)])).run()
    assert capfd.readouterr().err == "v2: [7.0000000 6.0000000 4.5000000 2.5000000]\n"


def test_print_of_other_shapes_and_types(poplar, b, capfd):
    m = b.constant(poplar.HALF, np.array([[5, 4.5], [4, 3.5]], np.float32))
    s = b.constant(poplar.BOOL, np.array(True))
    e = b.constant(poplar.INT, np.zeros((0,), np.int32))
    prints = [poplar.PrintTensor("m", m), poplar.PrintTensor("s", s), poplar.PrintTensor("e", e)]
    b.engine(poplar.Sequence([*prints, poplar.PrintTensor(s)])).run()
    assert capfd.readouterr().err == (
        "m: [\n [5.0000000 4.5000000]\n [4.0000000 3.5000000]\n]\ns: 1\ne: []\n1\n"
    )


def test_edges_that_are_not_contiguous(poplar, b):
    m = b.variable(poplar.FLOAT, [3, 4])
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    b.graph.set_initial_value(m, values.ravel())
    sums = b.variable(poplar.FLOAT, [4])
    columns = add_sums(b, [m.transpose()[i] for i in range(4)], [sums[i] for i in range(4)])
    np.testing.assert_array_equal(b.evaluate(sums, np.float32, columns), values.sum(0))


def test_outputs_that_are_not_contiguous_are_scattered(poplar, b):
    m = b.variable(poplar.INT, [4, 3])
    x = b.constant(poplar.INT, np.arange(4))
    cs = b.graph.add_compute_set()
    v = b.vertex(cs, "Affine<int>", out=m.transpose()[1])
    b.graph.connect(v["in"], x)
    b.graph.set_initial_value(v["scale"], 10)
    b.graph.set_initial_value(v["bias"], -1)
    b.vertex(cs, "Increment", x=m.slice(0, 1, 1).flatten())
    out = b.evaluate(m, np.int32, poplar.Repeat(2, poplar.Execute(cs)))
    np.testing.assert_array_equal(out, [[2, -1, 0], [2, 9, 0], [2, 19, 0], [2, 29, 0]])


def test_misaligned_edges_are_rearranged(poplar, b):
    x = b.variable(poplar.INT, [7])
    b.graph.set_initial_value(x, np.arange(7))
    out = b.evaluate(x, np.int32, increment(b, x.slice(1, 4)))
    np.testing.assert_array_equal(out, [0, 2, 3, 4, 4, 5, 6])


def test_rows_lists_scalars_and_state(poplar, b):
    m = b.constant(poplar.FLOAT, np.arange(6, dtype=np.float32).reshape(2, 3))
    out = b.variable(poplar.FLOAT, [11])
    cs = b.graph.add_compute_set()
    b.vertex(cs, "RowSums", rows=m, out=out.slice(0, 2))
    v = b.vertex(cs, "RowSums", out=out.slice(2, 4))
    b.graph.set_field_size(v["rows"], 2)
    b.graph.connect(v["rows"][1], m[0])
    b.graph.connect(v["rows"][0], m.transpose()[2])
    b.vertex(cs, "RowSums", rows=[m[1].slice(0, 2), m[0].slice(0, 0)], out=out.slice(4, 6))
    b.vertex(cs, "ListSum", rows=[m[0].slice(1, 3), m[1]], out=out[6])
    p = b.vertex(cs, "Pick", out=out.slice(7, 9), **{"in": m.flatten()})
    b.graph.set_initial_value(p["order"], [5, 1])
    q = b.vertex(cs, "Pick", out=out.slice(9, 11), **{"in": m[1]})
    b.graph.set_field_size(q["order"], 2)
    b.graph.set_initial_value(q["order"][0], 2)
    got = b.evaluate(out, np.float32, poplar.Execute(cs))
    np.testing.assert_array_equal(got, [3, 12, 7, 3, 7, 0, 15, 5, 1, 5, 3])


def test_scalars_connect_as_constants(poplar, b):
    out = [b.variable(poplar.BOOL, [1]) for _ in range(2)]
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Less", a=3, b=4, out=out[0][0])
    b.vertex(cs, "Less", a=4, b=3, out=out[1][0])
    got = b.evaluate(poplar.concat(out), bool, poplar.Execute(cs))
    np.testing.assert_array_equal(got, [True, False])


def test_six_workers_share_a_multi_vertex(poplar, b):
    out = b.variable(poplar.INT, [8])
    cs = b.graph.add_compute_set()
    b.vertex(cs, "WorkerIds", out=out)
    got = b.evaluate(out, np.int32, poplar.Execute(cs))
    np.testing.assert_array_equal(got, [0, 1, 2, 3, 4, 5, 0, 1])


def test_vertex_state_persists_until_the_next_load(poplar, b):
    out = b.variable(poplar.INT, [])
    cs = b.graph.add_compute_set()
    v = b.vertex(cs, "Count", out=out)
    b.graph.set_initial_value(v["calls"], 10)
    b.graph.create_host_read("out", out)
    engine = b.engine(poplar.Repeat(3, poplar.Execute(cs)), poplar.Execute(cs))
    read = np.empty((), np.int32)
    for program, expected in ((0, 13), (1, 14)):
        engine.run(program)
        assert engine.read_tensor("out", read) == expected
    engine.load(b.device)
    assert engine.read_tensor("out", read) == 0
    engine.run(1)
    assert engine.read_tensor("out", read) == 11


def test_the_graph_is_frozen_once_the_engine_is_built(poplar, b):
    x = b.variable(poplar.INT, [2])
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Increment", x=x)
    b.graph.create_host_read("x", x)
    engine = b.engine(poplar.Execute(cs))
    b.graph.add_vertex(cs, "Increment")
    b.graph.add_variable(poplar.FLOAT, [1000])
    engine.run()
    np.testing.assert_array_equal(engine.read_tensor("x", np.empty(2, np.int32)), [1, 1])


def test_loops_nest(poplar, b):
    x, y = b.variable(poplar.INT, [2]), b.variable(poplar.INT, [2])
    inner = poplar.Sequence([increment(b, x), poplar.Repeat(0, increment(b, y))])
    outer = poplar.Repeat(3, poplar.Sequence([poplar.Repeat(4, inner), increment(b, y)]))
    b.graph.create_host_read("y", y)
    np.testing.assert_array_equal(
        b.evaluate(poplar.concat([x, y]), np.int32, outer), [12, 12, 3, 3]
    )


@pytest.mark.parametrize("until", [False, True])
def test_while_loops_test_after_the_condition(poplar, b, until):
    x, limit = b.variable(poplar.INT, []), b.constant(poplar.INT, np.array(5))
    test, rounds = b.variable(poplar.BOOL, []), b.variable(poplar.INT, [])
    cs = b.graph.add_compute_set()
    below = {"a": limit, "b": x} if until else {"a": x, "b": limit}
    b.vertex(cs, "Less", out=test, **below)
    loop = poplar.RepeatWhileFalse if until else poplar.RepeatWhileTrue
    body = poplar.Sequence([increment(b, x), increment(b, rounds)])
    both = poplar.concat([x.flatten(), rounds.flatten()])
    n = 6 if until else 5
    np.testing.assert_array_equal(
        b.evaluate(both, np.int32, loop(poplar.Execute(cs), test, body)), [n, n]
    )


def test_branches(poplar, b):
    x = b.variable(poplar.INT, [4])
    yes, no = b.constant(poplar.BOOL, np.array(True)), b.constant(poplar.BOOL, np.array(False))
    inc = [increment(b, x[i]) for i in range(4)]
    p = poplar.Sequence(
        [
            poplar.If(yes, inc[0], inc[1]),
            poplar.If(no, inc[1], inc[2]),
            poplar.Switch(b.constant(poplar.INT, np.array(7)), [(3, inc[1]), (7, inc[3])], inc[1]),
            poplar.Switch(b.constant(poplar.INT, np.array(-1)), [(3, inc[1])], inc[3]),
            poplar.Switch(b.constant(poplar.INT, np.array(-1)), [(3, inc[1])]),
            poplar.Sync(poplar.SyncType.INTERNAL),
            poplar.WriteUndef(x[1]),
        ]
    )
    got = b.evaluate(x, np.int32, p)
    np.testing.assert_array_equal(got[[0, 2, 3]], [1, 1, 2])


def test_functions_call_functions(poplar, b):
    x = b.variable(poplar.INT, [1])
    inner = b.graph.add_function(poplar.Repeat(2, increment(b, x)))
    outer = b.graph.add_function(poplar.Repeat(3, poplar.Call(inner)))
    p = poplar.Sequence([poplar.Call(outer), poplar.Repeat(5, poplar.Call(inner))])
    assert b.evaluate(x, np.int32, p) == [16]


def test_programs_are_values(poplar, b):
    x = b.variable(poplar.INT, [1])
    once = poplar.Sequence([increment(b, x)])
    loop = poplar.Repeat(10, once)
    once.add(increment(b, x))
    once.add(once)
    b.graph.create_host_read("x", x)
    engine = b.engine(loop, once)
    engine.run(0)
    assert engine.read_tensor("x", np.empty(1, np.int32)) == 10
    engine.run(1)
    assert engine.read_tensor("x", np.empty(1, np.int32)) == 14
    with pytest.raises(poplar.control_program_error, match="a program below 2, got 2"):
        engine.run(2)


def test_streams_both_ways(poplar, b):
    x = b.variable(poplar.INT, [2, 3])
    into = b.graph.add_host_to_device_fifo("in", poplar.INT, 6)
    out = b.graph.add_device_to_host_fifo("out", poplar.INT, 6)
    step = [poplar.Copy(into, x.transpose()), increment(b, x), poplar.Copy(x, out)]
    engine = b.engine(poplar.Repeat(3, poplar.Sequence(step)))
    source, sink = np.arange(12, dtype=np.int32), np.zeros(18, np.int32)
    engine.connect_stream("in", source)
    engine.connect_stream("out", sink)
    engine.run()
    first, second = (s.reshape(3, 2).T.ravel() + 1 for s in np.split(source, 2))
    np.testing.assert_array_equal(sink, np.concatenate([first, second, first]))
    engine.connect_stream("in", source, circular=False)
    engine.run()
    np.testing.assert_array_equal(sink, np.tile(first, 3))


def test_streams_to_callbacks(poplar, b):
    x = b.variable(poplar.FLOAT, [2])
    into = b.graph.add_host_to_device_fifo("in", poplar.FLOAT, 2)
    out = b.graph.add_device_to_host_fifo("out", poplar.FLOAT, 2)
    engine = b.engine(
        poplar.Repeat(2, poplar.Sequence([poplar.Copy(into, x), poplar.Copy(x, out)]))
    )
    seen = []

    def fill(buffer):
        np.frombuffer(buffer, np.float32)[:] = [len(seen), 0.5]

    engine.connect_stream_to_callback(into, fill)
    engine.connect_stream_to_callback(
        out, lambda buffer: seen.append(np.frombuffer(buffer, np.float32).tolist())
    )
    engine.run()
    assert seen == [[0.0, 0.5], [1.0, 0.5]]


def test_aborts(poplar, b):
    yes, no = b.constant(poplar.BOOL, np.array(True)), b.constant(poplar.BOOL, np.array(False))
    engine = b.engine(
        poplar.AbortOnCondition(no, "never"),
        poplar.AbortOnCondition(yes, "a bad step"),
        poplar.Abort("gave up"),
        poplar.Abort(),
        poplar.ErrorProgram("wrong state", yes),
    )
    engine.run(0)
    for program, message in ((1, "a bad step"), (2, "gave up"), (3, "Abort"), (4, "wrong state")):
        with pytest.raises(poplar.application_runtime_error, match=message):
            engine.run(program)
    assert issubclass(poplar.application_runtime_error, poplar.runtime_error)
    assert issubclass(poplar.runtime_error, poplar.poplar_error)
    assert issubclass(poplar.poplar_error, RuntimeError)


def test_executables(poplar, b):
    x = b.variable(poplar.INT, [6], 2)
    executable = poplar.compile_graph(b.graph, [increment(b, x)])
    assert executable.fits_memory
    assert executable.bytes_per_tile[0] > 0
    assert executable.bytes_per_tile[2] == 24
    engine = poplar.Engine(executable, {"emulator.threads": "1"})
    engine.load(b.device)
    engine.run()
    for reuse in (lambda: poplar.Engine(executable), lambda: executable.fits_memory):
        with pytest.raises(poplar.poplar_error, match="got an empty one, or one that an"):
            reuse()


def test_fill_and_zero(poplar, b):
    poplar.popops_add_codelets(b.graph)
    t = b.graph.add_variable(poplar.HALF, [5, 7])
    u = b.graph.add_variable(poplar.UNSIGNED_SHORT, [9])
    for v in (t, u):
        poplar.map_tensor_linearly(b.graph, v, 1, 1)
    b.graph.create_host_read("u", u)
    p = poplar.Sequence()
    poplar.fill(b.graph, t, p, 2.5)
    poplar.fill(b.graph, u, p, 9)
    poplar.zero(b.graph, t.slice(1, 3, 1), p)
    out = b.evaluate(t, np.float16, p)
    assert (out[:, [0, 3, 4, 5, 6]] == 2.5).all()
    assert (out[:, 1:3] == 0).all()


def test_the_run_lets_other_python_threads_go_on(poplar, b):
    import threading

    x = b.variable(poplar.INT, [1])
    engine = b.engine(poplar.Repeat(2_000_000, increment(b, x)))
    seen = []
    thread = threading.Thread(target=lambda: (engine.run(), seen.append("run")))
    thread.start()
    seen.append("main")
    thread.join()
    assert seen == ["main", "run"]
