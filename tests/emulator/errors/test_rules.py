"""Each rule, broken once: the exception and its sentence."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from tests.emulator.popc_tool import locate_popc


@pytest.fixture
def b(bench):
    return bench().codelets()


def build(b, cs):
    return b.engine(b.poplar.Execute(cs))


def test_every_element_has_a_tile(poplar, b):
    x = b.graph.add_variable(poplar.FLOAT, [4], "x")
    b.graph.set_tile_mapping(x.slice(0, 3), 0)
    y = b.variable(poplar.FLOAT, [4])
    out = b.variable(poplar.FLOAT, [])
    cs = b.graph.add_compute_set("cs")
    b.vertex(cs, "Sum", out=out, **{"in": x.slice(1, 4)})
    sentence = (
        "field 'Sum.in': expected every element to have a tile, got element 3 of variable 'x'"
    )
    with pytest.raises(poplar.invalid_tile_mapping, match=sentence):
        build(b, cs)
    for program in (poplar.Copy(x, y), poplar.Copy(y, x), poplar.PrintTensor(x)):
        with pytest.raises(poplar.invalid_tile_mapping, match="every element to have a tile"):
            b.engine(program)
    b.engine(poplar.Copy(x.slice(0, 3), y.slice(0, 3)))
    b.graph.create_host_read("x", x)
    with pytest.raises(poplar.invalid_tile_mapping, match=r"Graph::createHostRead: .* a tile"):
        b.engine()


def test_every_vertex_has_a_tile(poplar, b):
    cs = b.graph.add_compute_set("cs")
    b.graph.add_vertex(cs, "Increment", {"x": b.variable(poplar.INT, [2])})
    sentence = "compute set 'cs': expected every vertex to have a tile, got a 'Increment'"
    with pytest.raises(poplar.invalid_tile_mapping, match=sentence):
        build(b, cs)


def test_every_edge_is_connected_once(poplar, b):
    x, out = b.variable(poplar.FLOAT, [4]), b.variable(poplar.FLOAT, [4])
    cs = b.graph.add_compute_set("cs")
    v = b.vertex(cs, "Sum", out=out[0])
    with pytest.raises(poplar.graph_connection_error, match=r"'Sum.in' expected a connection, got"):
        build(b, cs)
    b.graph.connect(v["in"], x)
    b.graph.connect(v["out"], out[1])
    with pytest.raises(poplar.graph_connection_error, match=r"'Sum.out' expected one connection"):
        build(b, cs)


def test_every_row_is_connected_once(poplar, b):
    m, out = b.variable(poplar.FLOAT, [2, 4]), b.variable(poplar.FLOAT, [8])
    cs = b.graph.add_compute_set("cs")
    v = b.vertex(cs, "RowSums", out=out.slice(0, 2))
    with pytest.raises(
        poplar.graph_connection_error, match=r"'RowSums.rows' expected a connection"
    ):
        build(b, cs)
    b.graph.set_field_size(v["rows"], 2)
    b.graph.connect(v["rows"][1], m[0])
    with pytest.raises(poplar.graph_connection_error, match="for each element, got none for 0"):
        build(b, cs)
    b.graph.connect(v["rows"][0], m[0])
    build(b, cs)
    b.graph.connect(v["rows"][1], m[1])
    with pytest.raises(poplar.graph_connection_error, match=r"'RowSums.rows' expected one conn"):
        build(b, cs)


def test_names_must_exist(poplar, b):
    cs = b.graph.add_compute_set()
    with pytest.raises(poplar.unknown_vertex_type, match="got 'Sum<float>'"):
        b.graph.add_vertex(cs, "Sum<float>")
    with pytest.raises(
        poplar.unknown_field, match=r"expected a field of 'Sum\(in, out\)', got 'input'"
    ):
        b.graph.add_vertex(cs, "Sum")["input"]


def test_types_sizes_and_ranks_fit(poplar, b):
    f, i = b.variable(poplar.FLOAT, [2, 3]), b.variable(poplar.INT, [3])
    cs = b.graph.add_compute_set()
    v, rows, count = (b.graph.add_vertex(cs, n) for n in ("Sum", "RowSums", "Count"))
    cases = [
        (v["in"], i, "type_error", "'Sum.in' expected a tensor of type float, got int"),
        (v["in"], f, "graph_connection_error", "'Sum.in' expected a tensor of rank 1, got rank 2"),
        (v["in"], [f[0]], "graph_connection_error", "'Sum.in' expected one tensor, got a list"),
        (v["out"], f[0], "graph_connection_error", "'Sum.out' expected one element, got 3"),
        (rows["rows"], f[0], "graph_connection_error", "expected a tensor of rank 2, got rank 1"),
        (count["calls"], i[0], "graph_connection_error", "'Count.calls' expected an initial value"),
    ]
    for field, t, error, sentence in cases:
        with pytest.raises(getattr(poplar, error), match=sentence):
            b.graph.connect(field, t)
    with pytest.raises(
        poplar.graph_connection_error, match=r"'Sum.in' expected a connection as it"
    ):
        b.graph.set_initial_value(v["in"], [1.0])
    with pytest.raises(poplar.graph_connection_error, match=r"elements of its own, got 'Sum.in'"):
        v["in"][0]
    with pytest.raises(
        poplar.graph_connection_error, match=r"elements of its own, got 'Count.call"
    ):
        b.graph.set_field_size(count["calls"], 2)


def test_state_vectors_hold_their_size(poplar, b):
    f = b.variable(poplar.FLOAT, [4])
    cs = b.graph.add_compute_set()
    v = b.vertex(cs, "Pick", out=f.slice(2, 4), **{"in": f.slice(0, 2)})
    b.graph.set_field_size(v["order"], 2)
    b.graph.set_initial_value(v["order"][2], 1)
    with pytest.raises(poplar.graph_connection_error, match="below its size 2, got one for elem"):
        build(b, cs)


def test_outputs_are_writeable(poplar, b):
    x, c = b.variable(poplar.INT, [2]), b.constant(poplar.INT, np.zeros(4))
    for t, what in ((c, "a constant"), (poplar.concat([x, x]), "aliases")):
        cs = b.graph.add_compute_set()
        b.vertex(cs, "Increment", x=t)
        with pytest.raises(poplar.graph_connection_error, match=f"writeable tensor, got .* {what}"):
            build(b, cs)
    with pytest.raises(poplar.poplar_error, match=r"Graph::createHostWrite: .* a constant"):
        b.graph.create_host_write("c", c)


@pytest.mark.parametrize("other", ["Sum", "Affine<float>", "RowSums"])
def test_no_element_is_raced_for(poplar, b, other):
    x, y = b.variable(poplar.FLOAT, [8], name="x"), b.variable(poplar.FLOAT, [8])
    cs = b.graph.add_compute_set("cs")
    b.vertex(cs, "Affine<float>", 1, out=x.slice(2, 6), **{"in": y.slice(0, 4)})
    if other == "Sum":
        b.vertex(cs, "Sum", 2, out=y[7], **{"in": x.slice(5, 8)})
        how = "read by Sum on tile 2"
    elif other == "RowSums":
        b.vertex(cs, "RowSums", 2, out=y.slice(6, 8), rows=x.reshape([2, 4]).transpose())
        how = "read by RowSums on tile 2"
    else:
        b.vertex(cs, other, 2, out=x.reverse(0).slice(1, 4), **{"in": y.slice(4, 7)})
        how = "also written by Affine<float> on tile 2"
    with pytest.raises(poplar.graph_connection_error, match=f"compute set 'cs'.*'x' {how}"):
        build(b, cs)


def test_multi_vertices_race_as_others_do(poplar, b):
    x = b.variable(poplar.INT, [8], name="x")
    cs = b.graph.add_compute_set()
    b.vertex(cs, "WorkerIds", 0, out=x.slice(0, 5))
    b.vertex(cs, "Increment", 1, x=x.slice(4, 8))
    with pytest.raises(poplar.graph_connection_error, match="got element 4 of variable 'x'"):
        build(b, cs)


def test_one_vertex_may_read_what_it_writes(poplar, b):
    x, y = b.variable(poplar.FLOAT, [8]), b.variable(poplar.FLOAT, [4])
    cs = b.graph.add_compute_set()
    for k in range(2):
        part = x.slice(4 * k, 4 * k + 4)
        v = b.vertex(cs, "Affine<float>", out=part, **{"in": part})
        b.graph.set_initial_value(v["bias"], k + 1)
    b.vertex(cs, "Affine<float>", out=y, **{"in": y.reverse(0)})
    out = b.evaluate(x, np.float32, poplar.Execute(cs))
    np.testing.assert_array_equal(out, [1] * 4 + [2] * 4)


def test_short_spans_count_in_eleven_bits(poplar, b):
    x, out = b.variable(poplar.FLOAT, [2048]), b.variable(poplar.FLOAT, [])
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Short", out=out, **{"in": x})
    with pytest.raises(poplar.graph_connection_error, match=r"at most 2047 elements .* got 2048"):
        build(b, cs)


def test_tiles_have_a_limit(poplar, bench, monkeypatch):
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    (device,) = poplar.DeviceManager().get_devices(poplar.TargetType.IPU, 1)
    device.attach()
    sentence = (
        "^Out of memory: Cannot fit all variable data onto one or more tiles, "
        "expected at most 638976 bytes on each, got 638980 on tile 3$"
    )
    allow = {"debug_allowOutOfMemory": "true"}
    for b in (bench(tiles=4), bench(device=device)):
        b.graph.create_host_read("x", b.variable(poplar.FLOAT, [159_744], 3))
        assert b.engine().fits_memory
        b.graph.create_host_read("y", b.variable(poplar.FLOAT, [1], 3))
        with pytest.raises(poplar.graph_memory_allocation_error, match=sentence):
            b.engine()
        if b.device is not device:  # a model has the host's memory
            engine = b.engine(poplar.Sequence(), **allow)
            assert not engine.fits_memory
            assert engine.bytes_per_tile == [0, 0, 0, 638_980]
            engine.run()
            continue
        executable = poplar.compile_graph(
            b.graph, [poplar.Sequence()], {"debug.allowOutOfMemory": "true"}
        )
        assert not executable.fits_memory
        engine = poplar.Engine(executable)
        with pytest.raises(poplar.graph_memory_allocation_error, match=sentence):
            engine.load(device)


def test_gather_buffers_count_as_memory(poplar, b):
    x, out = b.variable(poplar.FLOAT, [10, 10], 0), b.variable(poplar.FLOAT, [2], 0)
    sizes = []
    for view in (x[0], x.transpose()[0]):
        cs = b.graph.add_compute_set()
        b.vertex(cs, "Sum", 0, out=out[0], **{"in": view})
        sizes.append(build(b, cs).bytes_per_tile)
    assert sizes[1][0] - sizes[0][0] == 40


def test_host_handles(poplar, b):
    x = b.variable(poplar.FLOAT, [4])
    b.graph.create_host_write("w", x)
    b.graph.create_host_read("r", x)
    b.graph.create_host_read("w2", x)
    with pytest.raises(poplar.poplar_error, match="expected a new handle, got 'w' again"):
        b.graph.create_host_write("w", x)
    engine = poplar.Engine(b.graph, [poplar.Sequence()])
    four = np.zeros(4, np.float32)
    with pytest.raises(poplar.poplar_error, match="Engine::run: expected an Engine loaded onto a"):
        engine.run()
    with pytest.raises(poplar.poplar_error, match=r"Engine::writeTensor: .* loaded"):
        engine.write_tensor("w", four)
    engine.load(b.device)
    for handle, operation in (("r", engine.write_tensor), ("w", engine.read_tensor)):
        with pytest.raises(poplar.stream_connection_error, match="a handle of the graph, got"):
            operation(handle, four)
    with pytest.raises(
        poplar.tensor_io_state_error, match="expected at least 16 bytes for 'w', got 12"
    ):
        engine.write_tensor("w", four[:3])
    with pytest.raises(
        poplar.tensor_io_state_error, match="expected at least 16 bytes for 'r', go"
    ):
        engine.read_tensor("r", np.zeros(3, np.float32))
    # Public programs pass the whole of a longer buffer; its end is left alone.
    engine.write_tensor("w", np.arange(7, dtype=np.float32))
    longer = np.full(6, -1, np.float32)
    engine.read_tensor("w2", longer)
    np.testing.assert_array_equal(longer, [0, 1, 2, 3, -1, -1])
    with pytest.raises(ValueError, match="C-contiguous"):
        engine.read_tensor("r", np.zeros(8, np.float32)[::2])


def test_streams(poplar, b):
    x = b.variable(poplar.FLOAT, [4])
    stream = b.graph.add_host_to_device_fifo("in", poplar.FLOAT, 4)
    with pytest.raises(poplar.poplar_error, match="expected a new handle, got 'in' again"):
        b.graph.add_device_to_host_fifo("in", poplar.FLOAT, 4)
    engine = b.engine(poplar.Copy(stream, x))
    with pytest.raises(poplar.stream_connection_error, match="stream 'in' to be connected"):
        engine.run()
    with pytest.raises(poplar.stream_connection_error, match="a handle of the graph, got 'out'"):
        engine.connect_stream("out", np.zeros(4, np.float32))
    with pytest.raises(poplar.stream_connection_error, match=r"a multiple of 16 bytes .* got 24"):
        engine.connect_stream("in", np.zeros(6, np.float32))


def test_engine_options(poplar, b, monkeypatch):
    def make(options):
        return poplar.Engine(b.graph, [poplar.Sequence()], options)

    make({"debug.instrument": "true", "autoReport.directory": "x", "emulator.threads": "2"})
    cases = [
        ({"debug.instrumnet": "true"}, "expected an option that it has, got 'debug.instrumnet'"),
        (
            {"debug.instrument": "yes"},
            "expected 'true' or 'false' for 'debug.instrument', got 'yes'",
        ),
        ({"emulator.threads": "0"}, "expected 1 to 1024 threads"),
        ({"emulator.threads": "two"}, "expected a whole number for 'emulator.threads', got 'two'"),
    ]
    for options, sentence in cases:
        with pytest.raises(poplar.invalid_option, match=sentence):
            make(options)
    monkeypatch.setenv("POPSNN_THREADS", "many")
    with pytest.raises(poplar.invalid_option, match="number of threads for 'POPSNN_THREADS'"):
        make({})


def test_predicates(poplar, b):
    two, f = b.variable(poplar.INT, [2]), b.variable(poplar.FLOAT, [])
    empty = poplar.Sequence()
    with pytest.raises(poplar.control_program_error, match=r"If: .* one element, got shape \{2\}"):
        poplar.If(two, empty, empty)
    with pytest.raises(poplar.control_program_error, match=r"If: .* integral type, got float"):
        b.engine(poplar.If(f, empty, empty))
    with pytest.raises(poplar.control_program_error, match="type int or unsigned int, got float"):
        poplar.Switch(f, [])
    with pytest.raises(poplar.control_program_error, match="a new case, got 3 again"):
        poplar.Switch(two[0], [(3, empty), (3, empty)])


def test_the_device_fits_the_graph(poplar, b, bench):
    engine = poplar.Engine(b.graph, [poplar.Sequence()])
    with pytest.raises(poplar.poplar_error, match=r"IPU_MODEL, 4 tiles\), got IPU_MODEL, 3 tiles"):
        engine.load(bench(tiles=3).device)


def test_codelet_files(poplar, b, tmp_path):
    with pytest.raises(poplar.file_load_error, match=r"a .gp or a source file, got 'x.txt'"):
        b.graph.add_codelets("x.txt")
    with pytest.raises(poplar.file_load_error):
        b.graph.add_codelets(str(tmp_path / "absent.gp"))
    with pytest.raises(poplar.graph_program_compilation_error):
        b.graph.add_codelet_text("class X {")
    source = tmp_path / "twice.cpp"
    source.write_text(
        "#include <poplar/Vertex.hpp>\n"
        "class Twice : public poplar::Vertex {\n public:\n"
        "  poplar::InOut<float> x;\n  void compute() { *x *= FACTOR; }\n};\n"
    )
    assert b.graph.add_codelets(str(source), "-DFACTOR=2")
    assert b.graph.has_codelet("Twice")
    assert not b.graph.has_codelet("Thrice")
    x = b.variable(poplar.FLOAT, [])
    b.graph.set_initial_value(x, 21.0)
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Twice", x=x)
    assert b.evaluate(x, np.float32, poplar.Execute(cs)) == 42


def test_damaged_codelet_files(poplar, b, tmp_path):
    source, whole, path = (tmp_path / name for name in ("a.cpp", "whole.gp", "damaged.gp"))
    source.write_text(SCALE % ("Whole", 2))
    subprocess.run([locate_popc(tmp_path), source, "-o", whole], check=True)
    contents = whole.read_bytes()
    assert b.graph.add_codelets(str(whole))

    def check(damaged):
        path.write_bytes(damaged)
        sentence = "a library made by popc, whose checksum ends it, got other bytes: compile it"
        with pytest.raises(poplar.file_load_error, match=sentence):
            b.graph.add_codelets(str(path))

    for bit in range(0, 8 * len(contents), 397):
        flipped = bytearray(contents)
        flipped[bit // 8] ^= 1 << bit % 8
        check(flipped)
    for size in range(0, len(contents), 997):
        check(contents[:size])
    check(contents + b"\n")


def test_host_writes_to_aliases(poplar, b):
    x = b.variable(poplar.INT, [2])
    with pytest.raises(RuntimeError, match=r"Graph::createHostWrite.*alias"):
        b.graph.create_host_write("x", x.broadcast(2, 0))


SCALE = """
#include <poplar/Vertex.hpp>
class %s : public poplar::Vertex {
 public:
  poplar::InOut<float> x;
  void compute() { *x *= %d; }
};
"""


def test_a_vertex_type_has_one_definition(poplar, b, tmp_path):
    graph = b.graph
    graph.add_codelet_text(SCALE % ("Scale", 2))
    graph.add_codelet_text(SCALE % ("Scale", 2))
    both = SCALE % ("Other", 3) + SCALE % ("Scale", 3)
    sentence = (
        "^Graph::addCodelets: expected a new vertex type, got 'Scale' of '[^']+', "
        "which '[^']+' defined before$"
    )
    with pytest.raises(poplar.graph_object_creation_error, match=sentence):
        graph.add_codelet_text(both)
    assert not graph.has_codelet("Other")
    # A copy of the file is the same definition.
    source = tmp_path / "scale.cpp"
    source.write_text(SCALE % ("Fourth", 4))
    first, second = tmp_path / "first.gp", tmp_path / "second.gp"
    subprocess.run([locate_popc(tmp_path), source, "-o", first], check=True)
    second.write_bytes(first.read_bytes())
    assert graph.add_codelets(str(first))
    assert not graph.add_codelets(str(second))
