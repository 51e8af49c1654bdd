"""Codelet headers: clean C++11, layouts and access of edges, half against numpy.float16."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Tuple

import numpy as np
import pytest

INCLUDE = Path(__file__).resolve().parents[3] / "emulator" / "include"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
HEADERS = [
    "poplar/Vertex.hpp",
    "poplar/VectorTypes.hpp",
    "poplar/VectorLayout.hpp",
    "poplar/HalfFloat.hpp",
    "poplar/AvailableVTypes.h",
    "poplar/InOutTypes.hpp",
    "poplar/Loops.hpp",
    "poplar/QuarterFloat.hpp",
    "poplar/TileConstants.hpp",
    "poplar/VectorListTypes.hpp",
    "print.h",
    "ipudef.h",
    "ipu_builtins.h",
    "ipu_intrinsics",
    "ipu_memory_intrinsics",
    "ipu_vector_math",
]
# As popc compiles codelets, which is in C++17 unless they ask for another standard.
DEVICE_HEADERS = [
    "ipu_builtins.h",
    "ipu_intrinsics",
    "ipu_memory_intrinsics",
    "ipu_vector_math",
    "ipuvectormath",
    "arch/gc_tile_defines.h",
    "tilearch.h",
    "tileimplconsts.h",
]
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{INCLUDE}"]


def compile_text(compiler: str, text: str, *flags: str) -> Tuple[int, str]:
    done = subprocess.run(
        [compiler, *STRICT, *flags, "-x", "c++", "-"],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("header", HEADERS)
def test_header_is_clean_cpp11(compiler: str, header: str) -> None:
    text = f"#include <{header}>\n#include <{header}>\n"
    assert compile_text(compiler, text, "-std=c++11", "-fsyntax-only") == (0, "")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("target", ["-U__IPU__", "-D__IPU__"])
def test_headers_of_codelets_are_clean(compiler: str, target: str) -> None:
    text = "".join(f"#include <{h}>\n" for h in [*DEVICE_HEADERS, *HEADERS, *DEVICE_HEADERS])
    flags = ("-std=c++17", "-fsyntax-only", "-D__POPC__", target)
    assert compile_text(compiler, text, *flags) == (0, "")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_host_may_have_names_of_device_types(compiler: str) -> None:
    host = ["poplar/Engine.hpp", "poplar/IeeeHalf.hpp", "poplar/TypeTraits.hpp", "popart/half.hpp"]
    text = "".join(f"#include <{h}>\n" for h in [*DEVICE_HEADERS[:4], *HEADERS, *host])
    text += "struct half {}; struct half2 {}; struct float2 {}; namespace ipu { struct max {}; }\n"
    assert compile_text(compiler, text, "-std=c++11", "-fsyntax-only") == (0, "")


USES = """
#include <poplar/Vertex.hpp>
#include <cmath>
using namespace poplar;
static_assert(sizeof(Input<float>) == 8, "");
static_assert(sizeof(Input<Vector<float>>) == 16, "");
static_assert(sizeof(Vector<half, VectorLayout::COMPACT_PTR>) == 8, "");
static_assert(sizeof(Vector<Input<Vector<int>>, VectorLayout::ONE_PTR>) == 8, "");
static_assert(sizeof(InOut<VectorList<half>>) == 24, "");
static_assert(std::is_trivial<half>::value && sizeof(half) == 2, "");
static_assert(std::is_same<decltype(half() + half()), half>::value, "");
static_assert(std::is_same<decltype(half() * 2), half>::value, "");
static_assert(std::is_same<decltype(half() * 2.0f), float>::value, "");
static_assert(std::is_same<decltype(2.0 / half()), double>::value, "");
static_assert(std::is_base_of<SupervisorVertex, SupervisorVertexIf<true>>::value, "");
template <typename T> using Element = decltype(std::declval<T&>()[0]);
static_assert(std::is_same<Element<Input<Vector<int>>>, const int&>::value, "");
static_assert(std::is_same<Element<Output<Vector<int>>>, int&>::value, "");
struct V : Vertex {
  Input<half> a;
  InOut<Vector<half>> b;
  Vector<Output<float>> c;
  Input<VectorList<int, VectorListLayout::DELTAN>> d;
  bool compute() {
    for (auto& x : b) x += a;
    half* p = &b[0];
    *c[0] = std::sqrt(float(*p)) + b->size() + (*b).size() + std::fabs(*a);
    *c[1] = c[0] + d[1][2] + (*a > 1 ? -*p : 2 * *a);
    return b.begin() != b.end();
  }
};
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
def test_edges_and_layouts(compiler: str, standard: str) -> None:
    flags = (f"-std={standard}", "-fsyntax-only", "-D__POPC__")
    assert compile_text(compiler, USES, *flags) == (0, "")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "statement", ["*v.a = half(1);", "v.e[0] = 1;", "*v.e.begin() = 1;", "v.d[0][0] = 1;"]
)
def test_inputs_are_read_only(compiler: str, statement: str) -> None:
    text = USES + "struct W : V { Input<Vector<int>> e; };" + f"void f(W& v) {{ {statement} }}"
    status, message = compile_text(compiler, text, "-std=c++11", "-fsyntax-only", "-D__POPC__")
    assert status != 0
    assert "const" in message or "read-only" in message


# half and edges of it as a type of the language would behave.
EXPRESSIONS = """
#include <poplar/Vertex.hpp>
#include <cmath>
using namespace poplar;
constexpr half one = 1.0f, two = one + one;
static_assert(float(two) == 2 && half(65504.0f).bits() == 0x7bff, "");
static_assert(half(-0.0f).bits() == 0x8000 && half(0.1f).bits() == 0x2e66, "");
static_assert(half(65519.9f).bits() == 0x7bff && half(65520).bits() == 0x7c00, "");
static_assert(half(2047.5f / 2048).bits() == 0x3c00 && half(5.9604644775390625e-8).bits() == 1, "");
struct V : Vertex {
  Input<half> a;
  Input<float> f;
  Input<int> n;
  InOut<half> io;
  Output<Vector<half>> o;
  Vector<Input<float>> in;
  Vector<Output<half>> out;
  Vector<InOut<int>> list;
  static_assert(std::is_same<decltype(a * f), float>::value, "");
  static_assert(std::is_same<decltype(f - half()), float>::value, "");
  static_assert(std::is_same<decltype(a * a), half>::value, "");
  static_assert(std::is_same<decltype(n + a), half>::value, "");
  static_assert(std::is_same<decltype(a < 1.0), bool>::value, "");
  bool compute() {
    o[0] = in[1];
    *out[0] = in[0];
    list[0] = list[0] + n;
    out[1] = half(1);
    io = half(2);
    half x = f, y{a}, z(f);
    float g = a;
    double d = a;
    x += f;
    x *= a;
    x -= n;
    *io = *io * f + a;
    if (a) x = std::sqrt(-x) + std::fabs(a) + std::exp(*a);
    return a > 1 && x < a && a == y && z != 0 && f > x && 1 <= a && g < d;
  }
};
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("standard", ["c++14", "c++17", "c++20"])
def test_half_is_an_arithmetic_type(compiler: str, standard: str) -> None:
    flags = (f"-std={standard}", "-fsyntax-only", "-D__POPC__")
    assert compile_text(compiler, EXPRESSIONS, *flags) == (0, "")


HALF = """
#include <poplar/HalfFloat.hpp>
extern "C" {
void widen(const half* x, float* y, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i) y[i] = x[i];
}
void narrow(const float* x, half* y, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i) y[i] = x[i];
}
void fused(const half* x, half* y, unsigned long n) {  // two roundings
  for (unsigned long i = 0; i < n; ++i) y[i] = x[i] * y[i] + x[i];
}
unsigned short limit(int i) {
  using L = std::numeric_limits<half>;
  const half all[] = {L::min(), L::max(), L::lowest(), L::epsilon(), L::denorm_min()};
  return all[i].bits();
}
}
"""


@pytest.fixture(
    params=[(c, f) for c in COMPILERS for f in ("-O0", "-O3", "-march=native")], ids=str
)
def half_library(request: pytest.FixtureRequest, tmp_path: Path) -> ctypes.CDLL:
    compiler, flag = request.param
    out = tmp_path / "half.so"
    status, message = compile_text(
        compiler, HALF, "-std=c++11", "-D__POPC__", flag, "-shared", "-fPIC", "-o", str(out)
    )
    assert (status, message) == (0, "")
    return ctypes.CDLL(str(out))


def call(function: object, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    function(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data), ctypes.c_ulong(x.size))
    return y


def test_half_matches_numpy(half_library: ctypes.CDLL) -> None:
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    wide = call(half_library.widen, every, np.empty(65536, np.float32))
    np.testing.assert_array_equal(wide, every.astype(np.float32))

    rng = np.random.default_rng(0)
    any_bits = rng.integers(0, 2**32, 200_000, dtype=np.uint32).view(np.float32)
    exponents = rng.integers(-27, 17, 200_000)
    in_range = (rng.uniform(-2, 2, 200_000) * 2.0**exponents).astype(np.float32)
    finite = every[np.isfinite(every)].astype(np.float64)
    ties = ((finite[:-1] + finite[1:]) / 2).astype(np.float32)
    edges = np.array([65504, 65519.996, 65520, 2**-24, 2**-25, 2**-25 * 1.0001, 0, -0.0, np.inf])
    floats = np.concatenate([any_bits, in_range, ties, -ties, edges.astype(np.float32)])
    floats = floats[~np.isnan(floats)]
    narrow = call(half_library.narrow, floats, np.empty(floats.size, np.float16))
    with np.errstate(over="ignore"):
        expected = floats.astype(np.float16)
    np.testing.assert_array_equal(narrow.view(np.uint16), expected.view(np.uint16))
    nan = call(half_library.narrow, np.array([np.nan], np.float32), np.empty(1, np.float16))
    assert np.isnan(nan).all()


def test_half_arithmetic_rounds_every_operation(half_library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(1)
    x, y = (rng.normal(size=10_000).astype(np.float16) for _ in range(2))
    product = (x.astype(np.float32) * y.astype(np.float32)).astype(np.float16)
    expected = (product.astype(np.float32) + x.astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(call(half_library.fused, x, y.copy()), expected)


def test_half_limits(half_library: ctypes.CDLL) -> None:
    half_library.limit.restype = ctypes.c_ushort
    info = np.finfo(np.float16)
    got = np.array([half_library.limit(i) for i in range(5)], np.uint16).view(np.float16)
    expected = [info.tiny, info.max, info.min, info.eps, info.smallest_subnormal]
    np.testing.assert_array_equal(got, np.array(expected, np.float16))
