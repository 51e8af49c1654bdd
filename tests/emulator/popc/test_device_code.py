"""Code for devices: vectors, builtins and intrinsics, under every compiler, against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest
from tests.emulator.popc_tool import COMPILERS, Popc, VertexType, locate_popc

IPU = ("-O2", "-target", "ipu2")


@pytest.fixture(params=COMPILERS)
def tool(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> Popc:
    popc = Popc(locate_popc(tmp_path_factory.getbasetemp()), tmp_path)
    popc.environment["POPSNN_CXX"] = request.param
    return popc


def vertex(statements: str, element: str = "float", head: str = "") -> str:
    """A vertex with the pointers `x`, `y` and `z` to 16 elements each."""
    field = "poplar::VectorLayout::ONE_PTR, 16"
    return (
        "#include <poplar/Vertex.hpp>\n#include <ipu_vector_math>\n"
        f"#include <ipu_memory_intrinsics>\n{head}\n"
        "class V : public poplar::Vertex {\n public:\n"
        f"  poplar::InOut<poplar::Vector<{element}, {field}>> a, b, c;\n"
        f"  void compute() {{ {element} *x = &a[0], *y = &b[0], *z = &c[0]; {statements} }}\n}};\n"
    )


def aligned(values: Any, dtype: Any) -> np.ndarray:
    raw = np.zeros(256, np.uint8)
    start = -raw.ctypes.data % 64
    out = raw[start : start + 16 * np.dtype(dtype).itemsize].view(dtype)
    out[: len(values)] = values
    return out


def run(types: Dict[str, VertexType], *arrays: np.ndarray) -> None:
    """Run vertex V on the arrays; its context, where it has one, is tile 5."""
    v = types["V"]
    memory = (ctypes.c_uint64 * (v.size // 8 + 2))()
    for i, array in enumerate(arrays):
        memory[v.fields[i].offset // 8] = array.ctypes.data
    if v.context:
        memory[v.context // 8] = 5
        memory[v.context // 8 + 1] = 77
    v.run(ctypes.addressof(memory), 1)


def test_float_vectors(tool: Popc) -> None:
    types = tool.build(
        vertex("""
        static_assert(sizeof(float2) == 8 && alignof(float4) == 16 && sizeof(long2) == 8, "");
        const float2* p = reinterpret_cast<const float2*>(x);
        float2* q = reinterpret_cast<float2*>(z);
        const float2 u = ipu::load_postinc(&p, 2), v = ipu::load_postinc(&p, 1);
        float2 w = u * v + 2.0f;
        w[1] -= y[0];
        ipu::store_postinc(&q, w, 1);
        ipu::store_postinc(&q, u < v ? u : v, 1);
        const int2 less = u < v;
        *q++ = float2{float(less[0]), float(less[1])};
        const uint2 bits = uint2{3u, 5u} >> 1;
        *q++ = float2{float(bits[0]), float(bits[1])};
        *reinterpret_cast<float4*>(q) = float4{1, 2, 3} / 2.0f;
        """),
        flags=IPU,
    )
    x, y = aligned([1, 2, 9, 9, 3, 1], np.float32), aligned([10], np.float32)
    z = aligned([], np.float32)
    run(types, x, y, z)
    assert z[:12].tolist() == [5, -6, 1, 1, -1, 0, 1, 2, 0.5, 1, 1.5, 0]


def test_half_vectors_round_every_operation(tool: Popc) -> None:
    types = tool.build(
        vertex(
            """
        static_assert(sizeof(half2) == 4 && alignof(half4) == 8 && sizeof(half8) == 16, "");
        static constexpr half4 ones = {1.0f, 1.0f, 1.0f, 1.0f};
        const half4* p = reinterpret_cast<const half4*>(x);
        const half4* r = reinterpret_cast<const half4*>(y);
        half4* q = reinterpret_cast<half4*>(z);
        q[0] = p[0] * r[0] + p[0];
        q[1] = ones - 0.5_h * p[0];
        q[1] /= r[0];
        const short4 less = p[0] < r[0];
        q[2] = half4{less[0], less[1], less[2], less[3]};
        half2 last = {0.25};
        last[1] = x[0];
        q[3] = half4{last[0], last[1], last[1] == x[0], 7};
        """,
            "half",
        ),
        flags=IPU,
    )
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=4).astype(np.float16) for _ in range(2))
    x, y, z = aligned(a, np.float16), aligned(b, np.float16), aligned([], np.float16)
    run(types, x, y, z)
    np.testing.assert_array_equal(z[:4], a * b + a)
    np.testing.assert_array_equal(z[4:8], (np.float16(1) - np.float16(0.5) * a) / b)
    assert z[8:12].tolist() == [-1.0 if less else 0.0 for less in a < b]
    assert z[12:].tolist() == [0.25, a[0], 1, 7]


def test_vectors_share_memory_with_other_types(tool: Popc) -> None:
    head = "template <class T, class V> T as(V v) { return *reinterpret_cast<T*>(&v); }"
    types = tool.build(
        vertex(
            """
        half4* q = reinterpret_cast<half4*>(z);
        const half2 u = *reinterpret_cast<half2*>(x);
        q[0] = as<half4>(float2{as<float>(u), static_cast<float>(u)});
        const unsigned both = __builtin_ipu_shuf8x8lo(0x04030201u, 0x08070605u);
        q[1] = as<half4>(uint2{both, __builtin_ipu_sort8x8hi(0x04030201u, 0x08070605u)});
        """,
            "half",
            head,
        ),
        flags=IPU,
    )
    x, z = aligned([1.5, -2], np.float16), aligned([], np.float16)
    run(types, x, x, z)
    assert z[:4].tolist() == [1.5, -2, 1.5, -2]
    assert z.view(np.uint8)[8:16].tolist() == [1, 5, 2, 6, 2, 4, 6, 8]


UNARY = {
    "ceil": np.ceil,
    "cos": np.cos,
    "exp": np.exp,
    "fabs": np.abs,
    "floor": np.floor,
    "log": lambda x: np.log(np.abs(x)),
    "rint": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(np.abs(x)),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sqrt": lambda x: np.sqrt(np.abs(x)),
    "tanh": np.tanh,
    "trunc": np.trunc,
}
POSITIVE = ("log", "rsqrt", "sqrt")


@pytest.mark.parametrize("element", ["float", "half"])
def test_unary_functions(tool: Popc, element: str) -> None:
    """Check each as a scalar's, a pair's and a quadruple's, within the rounding of the result."""
    dtype = np.float32 if element == "float" else np.float16
    rng = np.random.default_rng(1)
    values = (rng.normal(size=4) * 3).astype(dtype)
    blocks = "".join(
        f"""
        case {i}: {{
          const {element} s = x[0];
          const auto v = *reinterpret_cast<{element}2*>(x);
          const auto w = *reinterpret_cast<{element}4*>(x);
          z[0] = ipu::{name}({"ipu::fabs(s)" if name in POSITIVE else "s"});
          *reinterpret_cast<{element}2*>(z + 2) =
              ipu::{name}({"ipu::fabs(v)" if name in POSITIVE else "v"});
          *reinterpret_cast<{element}4*>(z + 4) =
              {element}4_{name}({"ipu::fabs(w)" if name in POSITIVE else "w"});
          break;
        }}"""
        for i, name in enumerate(UNARY)
    )
    types = tool.build(vertex(f"switch (int(y[0])) {{ {blocks} }}", element), flags=IPU)
    for i, (name, function) in enumerate(UNARY.items()):
        x, y, z = aligned(values, dtype), aligned([i], dtype), aligned([], dtype)
        run(types, x, y, z)
        expected = function(values.astype(np.float64))
        eps = np.finfo(dtype).eps
        np.testing.assert_allclose(z[4:8], expected, rtol=2 * eps, atol=2 * eps, err_msg=name)
        assert z[[0, 2, 3]].tolist() == z[[4, 4, 5]].tolist(), name


def test_builtins_of_floats(tool: Popc) -> None:
    types = tool.build(
        vertex("""
        float2* q = reinterpret_cast<float2*>(z);
        const float2 u = {x[0], x[1]}, v = {y[0], y[1]};
        *q++ = __builtin_ipu_max(u, v);
        *q++ = __builtin_ipu_f32v2min(u, v);
        *q++ = ipu::clamp(float2{-9, 9}, float2{-1, 2});
        *q++ = ipu::absadd(u, v);
        *q++ = __builtin_ipu_andc(u, __builtin_ipu_cmplt(u, v));
        z[10] = ipu::clamp(5.0f, float2{-1, 2});
        z[11] = ipu::sum(half2{1.5, 2});
        z[12] = __builtin_ipu_isnan(x[1]) + 2 * __builtin_ipu_isfinite(x[0]);
        z[13] = __builtin_ipu_exp(1.0f);
        z[14] = float(__builtin_ipu_bitrev8(0x01020304u) == 0x8040c020u);
        z[15] = float(__builtin_ipu_swap8(0x01020304u) == 0x02010403u);
        """),
        flags=IPU,
    )
    x, y = aligned([-3, np.nan], np.float32), aligned([2, 4], np.float32)
    z = aligned([], np.float32)
    run(types, x, y, z)
    # The operand that is no NaN wins; a comparison with a NaN is false.
    assert z[:7].tolist() == [2, 4, -3, 4, -1, 2, 5]
    assert np.isnan(z[7])
    assert z[8] == 0
    assert np.isnan(z[9])
    np.testing.assert_allclose(z[10:], [2, 3.5, 3, np.e, 1, 1], rtol=2e-7)


def test_accumulators(tool: Popc) -> None:
    """FP_CLR zeroes them, axpy returns the result before, and gina moves them up."""
    types = tool.build(
        vertex(
            """
        float2* q = reinterpret_cast<float2*>(z);
        const float2 u = {x[0], x[1]}, v = {y[0], y[1]};
        __builtin_ipu_uput(1u << CSR_W_FP_CLR__ZAACC__SHIFT, CSR_W_FP_CLR__INDEX & 0xff);
        __builtin_ipu_uputf(2.0f, CSR_W_TAS__INDEX & 0xff);
        *q++ = __builtin_ipu_f32v2axpy(v, u);
        *q++ = __builtin_ipu_f32v2axpy(v, u);
        __builtin_ipu_uput(8u, CSR_W_FP_CLR__INDEX & 0xff);
        __builtin_ipu_f32v2aop(u, v, 0);
        *q++ = __builtin_ipu_gina(float2{0, 0}, 0);
        *q++ = __builtin_ipu_gina(float2{0, 0}, 0);
        *q++ = __builtin_ipu_gina(float2{0, 0}, 0);
        """,
            head="#include <poplar/TileConstants.hpp>",
        ),
        flags=IPU,
    )
    x, y, z = aligned([3, 5], np.float32), aligned([7, 11], np.float32), aligned([], np.float32)
    run(types, x, y, z)
    assert z[:10].tolist() == [0, 0, 13, 21, 21, 35, 33, 55, 0, 0]


def test_tile_and_random_numbers(tool: Popc) -> None:
    text = vertex("""
        z[0] = __builtin_ipu_get_tile_id();
        z[1] = float(__builtin_ipu_get_vertex_base() == this);
        for (int i = 0; i < 6; ++i) z[4 + i] = __builtin_ipu_urand_f32();
        *reinterpret_cast<float2*>(z + 10) = ipu::f32v2grand();
        z[2] = ipu::get_worker_id();
        """)
    types = tool.build(text, flags=IPU)
    first, again = aligned([], np.float32), aligned([], np.float32)
    run(types, first, first, first)
    run(types, again, again, again)
    assert first[:3].tolist() == [5, 1, 0]
    assert len(set(first[4:12].tolist())) == 8
    assert (np.abs(first[4:10]) <= 0.5).all()
    np.testing.assert_array_equal(first, again)


def test_vectors_name_vertices(tool: Popc) -> None:
    text = (
        "#include <ipudef.h>\n#include <poplar/Vertex.hpp>\n"
        "template <typename T, typename V> class K : public poplar::Vertex {\n"
        " public: poplar::InOut<poplar::Vector<T>> x; void compute() { x[0] = V{3}[0]; } };\n"
        "template class K<float, float2>; template class K<half, half4>;\n"
        "template class K<unsigned, uint2>;\n"
    )
    assert list(tool.build(text, flags=IPU)) == [
        "K<float,float2>",
        "K<half,half4>",
        "K<unsigned int,uint2>",
    ]


@pytest.mark.parametrize("header", ["Vertex.hpp", "StackSizeDefs.hpp", "poplar/Loops.hpp"])
def test_headers_by_every_name(tool: Popc, header: str) -> None:
    text = f"#include <{header}>\n#include <poplar/Vertex.hpp>\n"
    text += "class V : public poplar::Vertex { poplar::Input<int> n; void compute() {} };\n"
    assert list(tool.build(text)) == ["V"]
