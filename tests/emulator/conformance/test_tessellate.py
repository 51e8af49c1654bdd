"""The vertices of tessellate-ipu, run as its JAX primitives run them (row 14 of the table)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, Optional

import numpy as np
import pytest
from tests.emulator.conformance.programs import TESSELLATE
from tests.emulator.conformance.repositories import take

VERTICES = "tessellate_ipu/core/vertex"
SOURCES = {
    "arange": "tests/core/custom_arange_vertex.cpp",
    "demo": "examples/demo/demo_vertex.cpp",
    "prim": f"{VERTICES}/tile_prim_vertex.cpp",
    "hw": f"{VERTICES}/hw_vertex.cpp",
    "dot": f"{VERTICES}/tile_small_dot.cpp",
    "qr": f"{VERTICES}/tile_qr_vertex.cpp",
}
WORKERS = 6
random = np.random.default_rng(0)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tessellate")
    take(TESSELLATE, [VERTICES, SOURCES["arange"], SOURCES["demo"]], folder)
    return folder


@pytest.fixture
def run(bench: Callable[..., Any], sources: Path) -> Callable[..., Dict[str, np.ndarray]]:
    """Run one vertex on arrays; give what its fields hold afterwards."""

    def run_vertex(
        source: str, vertex: str, fields: Dict[str, Any], state: Optional[Dict[str, Any]] = None
    ) -> Dict[str, np.ndarray]:
        b = bench()
        p = b.poplar
        b.graph.add_codelets(str(sources / SOURCES[source]), f"-O3 -I {sources / VERTICES}")
        types = {"f": p.FLOAT, "i": p.INT, "I": p.UNSIGNED_INT, "H": p.UNSIGNED_SHORT}
        tensors = {}
        for name, array in fields.items():
            t = b.variable(types[array.dtype.char], array.shape, name=name)
            b.graph.set_initial_value(t, array.ravel().tolist())
            b.graph.create_host_read(name, t)
            tensors[name] = t
        cs = b.graph.add_compute_set("cs")
        v = b.graph.add_vertex(cs, vertex, tensors)
        b.graph.set_tile_mapping(v, 0)
        for name, value in (state or {}).items():
            b.graph.set_initial_value(v[name], value)
        engine = b.engine(p.Execute(cs))
        engine.run(0)
        return {n: engine.read_tensor(n, np.empty_like(a)) for n, a in fields.items()}

    return run_vertex


def normal(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype(np.float32)


def shares(n: int) -> np.ndarray:
    """First pairs of n floats of each worker."""
    return (np.arange(WORKERS + 1) * (n // 2) // WORKERS).astype(np.uint16)


def test_rows_of_inputs(run: Callable[..., Any]) -> None:
    fields = {
        "scales": normal(2, 9),
        "global_scale": np.array(1.5, np.float32),
        "out": normal(9),
    }
    out = run("arange", "CustomArangeVertex<float>", fields)["out"]
    expected = np.arange(9) * fields["scales"][0] * fields["scales"][1] * 1.5
    np.testing.assert_allclose(out, expected, rtol=1e-6)


def test_one_output(run: Callable[..., Any]) -> None:
    x = random.integers(-9, 9, 7).astype(np.int32)
    got = run("arange", "CustomSingleOutVertex<int>", {"input": x, "output": np.zeros_like(x)})
    np.testing.assert_array_equal(got["output"], -x)


def test_in_place(run: Callable[..., Any]) -> None:
    x = normal(5)
    np.testing.assert_array_equal(
        run("arange", "CustomInplaceVertex", {"inout": x})["inout"], x * 2
    )


def test_several_outputs(run: Callable[..., Any]) -> None:
    x, scale = normal(6), normal(1)
    fields = {
        "input": x,
        "constant_scale": scale,
        **{n: np.zeros_like(x) for n in ("out0", "out1", "mytmp")},
    }
    got = run("arange", "CustomMultiOutVertex<float>", fields, {"scale_value": 3.0})
    np.testing.assert_allclose(got["out0"], x * scale * 3, rtol=1e-6)
    np.testing.assert_array_equal(got["out1"], -got["out0"])


def test_demo(run: Callable[..., Any]) -> None:
    x, scale = normal(8), normal(1)
    fields = {
        "x": x,
        "constant_scale": scale,
        "out0": np.zeros(4, np.float32),
        "out1": np.zeros(4, np.float32),
        "tmp": np.zeros(8, np.float32),
    }
    got = run("demo", "DemoVertex<float>", fields, {"scale_value": -2.0})
    np.testing.assert_allclose(got["tmp"], x * scale * -2, rtol=1e-6)
    np.testing.assert_array_equal(got["out0"], got["tmp"][1::2])
    np.testing.assert_array_equal(got["out1"], -got["tmp"][1::2])


def test_supervisor_leaves_data(run: Callable[..., Any]) -> None:
    x = normal(2, 4)
    np.testing.assert_array_equal(
        run("prim", "TileDataBarrierVertex<float>", {"data": x})["data"], x
    )


def test_copy_by_one_worker(run: Callable[..., Any]) -> None:
    x = normal(10)
    got = run("prim", "TileMemcpyVertex<float>", {"in": x, "out": np.zeros_like(x)})
    np.testing.assert_array_equal(got["out"], x)


def test_cycle_counter(run: Callable[..., Any]) -> None:
    fields = {"data": normal(3), "out": np.ones(2, np.uint32)}
    got = run("hw", "CycleCountBarrier<float>", fields)
    np.testing.assert_array_equal(got["out"], 0)
    np.testing.assert_array_equal(got["data"], fields["data"])


def test_rotation(run: Callable[..., Any]) -> None:
    n, angle = 28, 0.3
    cs = np.array([np.cos(angle), np.sin(angle)], np.float32)
    rows = {"inrow0": normal(n), "inrow1": normal(n)}
    fields = {
        "cs": cs,
        **rows,
        "worker_offsets": shares(n),
        "outrow0": np.zeros(n, np.float32),
        "outrow1": np.zeros(n, np.float32),
    }
    got = run("dot", "Rotation2dVertex", fields)
    c, s = cs
    np.testing.assert_allclose(
        got["outrow0"], c * rows["inrow0"] - s * rows["inrow1"], rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        got["outrow1"], s * rows["inrow0"] + c * rows["inrow1"], rtol=1e-5, atol=1e-6
    )


def test_dot_product(run: Callable[..., Any]) -> None:
    x, y = normal(26), normal(26)
    fields = {"x": x, "y": y, "worker_offsets": shares(26), "partials": normal(12)}
    got = run("qr", "DotProduct1dVertex", fields)
    np.testing.assert_allclose(got["partials"].sum(), x @ y, rtol=1e-4)


@pytest.mark.parametrize("column", [0, 1, 5, 12])
def test_correction_vector(column: int, run: Callable[..., Any]) -> None:
    r, sign = normal(24), np.sign(normal(24))
    fields = {"Rcol": r, "sdiag": sign, "v": normal(24), "vrescale": normal(1)}
    got = run("qr", "QRCorrectionVectorVertex", fields, {"col_idx": column})
    v = np.where(np.arange(24) < column, 0, r)
    v[column] -= np.linalg.norm(r[column:]) * sign[column]
    np.testing.assert_allclose(got["v"], v, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got["vrescale"], 2 / (v @ v), rtol=1e-5)


def test_householder_update(run: Callable[..., Any]) -> None:
    x, v, scale1, scale2 = normal(32), normal(24), normal(1), normal(1)
    fields = {"x": x, "v": v, "scale1": scale1, "scale2": scale2, "worker_offsets": shares(24)}
    got = run("qr", "QRHouseholderRowUpdateVertex", fields, {"start_idx": 8})
    expected = x.copy()
    expected[8:] -= scale1 * scale2 * v
    np.testing.assert_allclose(got["x"], expected, rtol=1e-5, atol=1e-6)
