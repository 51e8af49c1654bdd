"""popc: field tables, names, run thunks and diagnostics of codelets."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Optional

import numpy as np
import pytest
from tests.emulator.popc_tool import COMPILERS, HEADER, Popc, fields, locate_popc


@pytest.fixture
def tool(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Popc:
    return Popc(locate_popc(tmp_path_factory.getbasetemp()), tmp_path)


@pytest.fixture(params=COMPILERS)
def each_tool(request: pytest.FixtureRequest, tool: Popc) -> Popc:
    tool.environment["POPSNN_CXX"] = request.param
    return tool


RICH = (
    HEADER
    + """
namespace ns {
enum class E { A, B = 5 };
enum Old { X0, X1 };
namespace { float twice(float x) { return 2 * x; } }
template <typename T>
struct Base : public Vertex {
 protected:
  Input<Vector<T, VectorLayout::ONE_PTR, 16, true>> base_in;
  const unsigned base_n;
};
template <typename T, unsigned N, bool Flag, E e, int s, Old o>
class [[poplar::constraint("elem(*base_in) != elem(*out)")]] Rich : public Base<T> {
 public:
  Rich();
  static constexpr unsigned K = 4;
  static float* pointer;
 private:
  Output<Vector<T, VectorLayout::SHORT_SPAN>> out;
  InOut<T> acc;
  Vector<Input<Vector<T, VectorLayout::SCALED_PTR64, 8>>, VectorLayout::ONE_PTR> rows;
  Vector<Output<float>> scalars;
  Input<VectorList<unsigned short, VectorListLayout::DELTAN, 4>> lists;
  Vector<unsigned, VectorLayout::ONE_PTR> table;
  const bool flag;
  signed char small;
  long long large;
  half h;
  auto compute() -> bool { *acc = twice(float(rows[0][0])) + N + s; return true; }
};
template class Rich<float, 4u, true, E::B, -3, X1>;
template class Rich<half, 300u, false, E::A, 200, X0>;
}
template <typename T> class NeverInstantiated : public Vertex { T* bad; bool compute(); };
"""
)


def test_field_table(each_tool: Popc) -> None:
    library = each_tool.build(RICH)
    assert list(library) == [
        "ns::Rich<float,4,true,ns::E::B,-3,ns::Old::X1>",
        "ns::Rich<half,300,false,ns::E::A,200,ns::Old::X0>",
    ]
    for vertex, type_, natural in zip(library.values(), ("float", "half"), (4, 2)):
        assert fields(vertex) == [
            ("base_in", type_, 0, 1, 0, 3, 0, 16, 1),
            ("base_n", "unsigned int", 3, 0, 0, 0, 0, 4, 0),
            ("out", type_, 1, 1, 0, 2, 0, natural, 0),
            ("acc", type_, 2, 0, 0, 0, 0, natural, 0),
            ("rows", type_, 0, 2, 1, 5, 3, 8, 0),
            ("scalars", "float", 1, 2, 0, 0, 1, 4, 0),
            ("lists", "unsigned short", 0, 3, 0, 4, 0, 4, 0),
            ("table", "unsigned int", 3, 1, 0, 3, 0, 4, 0),
            ("flag", "bool", 3, 0, 0, 0, 0, 1, 0),
            ("small", "signed char", 3, 0, 0, 0, 0, 1, 0),
            ("large", "long long", 3, 0, 0, 0, 0, 8, 0),
            ("h", "half", 3, 0, 0, 0, 0, 2, 0),
        ]
        capacity = [(vertex.fields[i].offset, vertex.fields[i].size) for i in range(12)]
        assert [size for _, size in capacity] == [8, 4, 16, 8, 8, 16, 24, 8, 1, 1, 8, 2]
        assert all(a + size <= b for (a, size), (b, _) in zip(capacity, capacity[1:]))
        assert capacity[-1][0] + 2 <= vertex.size
        assert vertex.align == 8


ELEMENT_TYPES = [
    "bool",
    "char",
    "unsigned char",
    "signed char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "half",
    "float",
]


def test_every_element_type(each_tool: Popc) -> None:
    members = "".join(f"Input<Vector<{t}>> f{i};\n" for i, t in enumerate(ELEMENT_TYPES))
    vertex = each_tool.build(
        HEADER + f"class V : public Vertex {{ {members} void compute() {{}} }};"
    )
    assert [row[1] for row in fields(vertex["V"])] == ELEMENT_TYPES


@pytest.mark.parametrize(
    "layout", ["SPAN", "SHORT_SPAN", "ONE_PTR", "SCALED_PTR32", "SCALED_PTR128", "COMPACT_PTR"]
)
def test_every_vector_layout(tool: Popc, layout: str) -> None:
    vertex = tool.build(
        HEADER + f"class V : public Vertex {{ InOut<Vector<float, VectorLayout::{layout}>> x;"
        f"Vector<InOut<Vector<float>>, VectorLayout::{layout}> y; void compute() {{}} }};"
    )["V"]
    sized = layout in ("SPAN", "SHORT_SPAN")
    assert [vertex.fields[i].size for i in (0, 1)] == [16 if sized else 8] * 2
    assert fields(vertex)[0][5] == fields(vertex)[1][6] > 0


def test_fields_that_nobody_touches(each_tool: Popc) -> None:
    row = "Vector<{}, VectorLayout::ONE_PTR, 1>"
    member = row.format("InOut<" + row.format("T") + ">")
    text = (
        "template <typename T> class V : public SupervisorVertex {{ {} x; void compute() {{}} }};"
    )
    library = each_tool.build(HEADER + text.format(member) + "template class V<short>;")
    assert fields(library["V<short>"]) == [("x", "short", 2, 2, 1, 3, 3, 1, 0)]


def test_template_names(each_tool: Popc) -> None:
    library = each_tool.build(
        HEADER
        + """
namespace a { struct Tag {}; template <typename T, typename U> struct Pair {};
template <typename T, typename... Rest> struct Outer {
  template <bool b> class Inner : public Vertex { unsigned n; void compute() { ++n; } };
}; }
template <typename T> class Plain : public Vertex { T x; void compute() {} };
template class Plain<unsigned>;
template class Plain<unsigned long>;
template struct a::Outer<a::Pair<float, a::Tag>, int, unsigned char>;
template class a::Outer<a::Pair<float, a::Tag>, int, unsigned char>::Inner<false>;
"""
    )
    assert set(library) == {
        "Plain<unsigned int>",
        "Plain<unsigned long>",
        "a::Outer<a::Pair<float,a::Tag>,int,unsigned char>::Inner<false>",
    }


RUN = (
    HEADER
    + """
class Count : public Vertex { unsigned n; unsigned step; bool compute(); };
bool Count::compute() { __builtin_assume(step < 9); n += step; return true; }
struct Multi : MultiVertex { unsigned seen; void compute(unsigned worker) {
  static_assert(numWorkers() == 6, ""); seen = seen * 10 + worker; } };
class Super : public SupervisorVertex { Input<float> x; Output<Vector<float>> y;
  __attribute__((target("supervisor"))) bool compute() {
    for (unsigned i = 0; i < y.size(); ++i) y[i] = std::sqrt(float(x)) + i;
    return true;
  } };
namespace { struct Hidden : Count { unsigned extra; }; }
"""
)


def test_run_thunks(each_tool: Popc) -> None:
    library = each_tool.build(RUN)
    assert {name: vertex.kind for name, vertex in library.items()} == {
        "Count": 0,
        "Multi": 1,
        "Super": 2,
        "Hidden": 0,
    }
    counters = (ctypes.c_uint32 * 8)(0, 1, 10, 2, 20, 3, 30, 4)
    library["Count"].run(ctypes.addressof(counters), 3)  # the fourth object is left alone
    library["Count"].run(ctypes.addressof(counters), 1)
    assert list(counters) == [2, 1, 12, 2, 23, 3, 30, 4]

    hidden = (ctypes.c_uint32 * 6)(5, 1, 7, 6, 2, 8)
    library["Hidden"].run(ctypes.addressof(hidden), 2)
    assert list(hidden) == [6, 1, 7, 8, 2, 8]

    seen = (ctypes.c_uint32 * 2)(9, 0)
    library["Multi"].run(ctypes.addressof(seen), 2)
    assert list(seen) == [9543210, 543210]

    x, y = ctypes.c_float(9), (ctypes.c_float * 3)()
    vertex = (ctypes.c_uint64 * 3)(ctypes.addressof(x), ctypes.addressof(y), 3)
    library["Super"].run(ctypes.addressof(vertex), 1)
    assert list(y) == [3, 4, 5]


SUMS = (
    HEADER
    + """
class Sums : public Vertex {
  Input<Vector<float>> a; Input<Vector<float>> b; Output<Vector<float>> y;
  bool compute() {
    for (unsigned i = 0; i < y.size(); ++i) y[i] = 1.1f * a[i] + 1.3f * b[i];
    return true;
  } };
"""
)


def test_products_are_rounded_before_they_are_added(each_tool: Popc) -> None:
    vertex = each_tool.build(SUMS, flags=("-O3", "-march=native"))["Sums"]
    a, b = np.random.default_rng(0).normal(size=(2, 103)).astype(np.float32)
    y = np.empty_like(a)
    edges = [(array.ctypes.data, array.size) for array in (a, b, y)]
    fields = (ctypes.c_uint64 * 6)(*(number for edge in edges for number in edge))
    vertex.run(ctypes.addressof(fields), 1)
    assert np.array_equal(y, np.float32(1.1) * a + np.float32(1.3) * b)


def test_two_dimensional_edges(each_tool: Popc) -> None:
    library = each_tool.build(
        HEADER
        + """
class Edges : public Vertex { Vector<Input<Vector<int>>> rows; Output<int> sum; bool compute() {
  int s = 0; for (auto& row : rows) for (int x : row) s += x;
  *sum = s + rows[1].size(); return true; } };
class Lists : public Vertex { Input<VectorList<int>> rows; Output<int> sum; bool compute() {
  int s = 0; for (unsigned i = 0; i < rows.size(); ++i) {
    auto row = rows[i]; for (unsigned j = 0; j < row.size(); ++j) s += row[j]; }
  *sum = s + rows->size(); return true; } };
"""
    )
    data, total = (ctypes.c_int * 5)(1, 2, 3, 4, 5), ctypes.c_int()
    first, second, out = ctypes.addressof(data), ctypes.addressof(data) + 8, ctypes.addressof(total)
    edges = (ctypes.c_uint64 * 4)(first, 2, second, 3)
    vertex = (ctypes.c_uint64 * 3)(ctypes.addressof(edges), 2, out)
    library["Edges"].run(ctypes.addressof(vertex), 1)
    assert total.value == 15 + 3

    rows, sizes = (ctypes.c_uint64 * 2)(first, second), (ctypes.c_uint32 * 2)(2, 3)
    vertex = (ctypes.c_uint64 * 4)(ctypes.addressof(rows), ctypes.addressof(sizes), 2, out)
    library["Lists"].run(ctypes.addressof(vertex), 1)
    assert total.value == 15 + 2


@pytest.mark.parametrize(
    ("member", "name", "type_"),
    [
        ("Input<S> f;", "f", "S"),
        ("Input<Vector<S>> f;", "f", "poplar::Vector<S, poplar::VectorLayout::SPAN, 4, false>"),
        ("S f;", "f", "S"),
        ("Alias f;", "f", "Alias"),
        ("unsigned int f[100];", "f", "unsigned int [100]"),
        ("int f[2][3];", "f", "int [2][3]"),
        ("char *f;", "f", "char *"),
        ("const float *const *f;", "f", "const float *const *"),
        ("int &f;", "f", "int &"),
        ("Input<int *> f;", "f", "int *"),
        ("Scoped f;", "f", "Scoped"),
        ("double f;", "f", "double"),
        ("unsigned f : 3;", "f", "unsigned int"),
        ("union { int a; float b; } f;", "f", None),
        ("Vector<Vector<float>> f;", "f", None),
        ("Vector<Vector<Input<Vector<float>>>> f;", "f", None),
        ("Vector<Input<Vector<Vector<float>>>> f;", "f", None),
        ("Vector<Input<VectorList<float>>> f;", "f", None),
        ("VectorList<float> f;", "f", None),
    ],
)
def test_unsupported_field(each_tool: Popc, member: str, name: str, type_: Optional[str]) -> None:
    text = (
        HEADER
        + "struct S { int x; }; using Alias = struct { float a; int b; }; enum class Scoped { A };"
        + f"class V : public Vertex {{ public: V(); {member} unsigned fine; void compute() {{}} }};"
    )
    expected = f"Field 'V.{name}' has unsupported field type '{type_ or ''}"
    errors = each_tool.errors(text)
    assert expected + ("'" if type_ else "") in errors
    assert errors.count("has unsupported field type") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class V : public Vertex { virtual void compute() {} };", "has virtual functions"),
        ("class V : public MultiVertex { void compute() {} };", "compute(unsigned workerId)"),
        ("class V : public Vertex { void compute(unsigned) {} };", "expected compute()"),
        (
            "struct B { int x; }; class V : public virtual B, public Vertex { void compute() {} };",
            "Vertex 'V' has",
        ),
        ("void f() { class V : public Vertex { void compute() {} }; }", "local to a function"),
        ("class V : public Vertex { void compute() { missing(); } };", "codelet.cpp:4:"),
        ("extern int left; class V : public Vertex { void compute() { ++left; } };", "left"),
    ],
)
def test_bad_codelet(each_tool: Popc, text: str, expected: str) -> None:
    assert expected in each_tool.errors(HEADER + text)


def test_assembly_is_left_out(each_tool: Popc) -> None:
    each_tool.write(".globl __runCodelet_V\n", "fast.S")
    vertex = "class V : public Vertex {{ int n; void compute(){0} }};"
    each_tool.write(HEADER + vertex.format(" { n = 3; }"))
    assert each_tool.run("codelet.cpp", "fast.S", "-o", "x.gp").returncode == 0
    each_tool.write(HEADER + vertex.format(";"))
    done = each_tool.run("codelet.cpp", "fast.S", "-o", "x.gp")
    assert done.returncode == 1
    assert done.stderr == (
        "popc: vertex 'V': expected a compute() in C++, got none: assembly is not emulated\n"
    )


def test_all_bad_fields_are_told(tool: Popc) -> None:
    errors = tool.errors(HEADER + "struct V : Vertex { int* a; int* b; void compute() {} };")
    assert "'V.a'" in errors
    assert "'V.b'" in errors


def test_several_sources(tool: Popc) -> None:
    tool.write(
        "#include <poplar/Vertex.hpp>\ntemplate <typename T> class Shared : public "
        "poplar::Vertex { T n; void compute() { n += 1; } };\n"
        "template class Shared<float>;\n",
        "shared.hpp",
    )
    text = (
        '#include "shared.hpp"\nnamespace {{ int helper() {{ return {0}; }} }}\n'
        "class V{0} : public poplar::Vertex {{ int n; void compute() {{ n = helper(); }} }};\n"
    )
    library = tool.build(text.format(1), text.format(2), "int no_vertex_here;")
    assert set(library) == {"Shared<float>", "V1", "V2"}
    for value in (1, 2):
        n = ctypes.c_int(0)
        library[f"V{value}"].run(ctypes.addressof(n), 1)
        assert n.value == value


def test_no_vertex_gives_an_empty_library(tool: Popc) -> None:
    assert tool.build("int x;") == {}


def test_self_inclusion_and_flags(tool: Popc) -> None:
    (tool.folder / "inc").mkdir()
    tool.write("#define STEP 3\n", "inc/step.hpp")
    text = """
#ifdef __POPC__
#include <poplar/Vertex.hpp>
#include <poplar/VectorTypes.hpp>
#include <print.h>
#include <ipudef.h>
#include <ipu_builtins.h>
#include <ipu_intrinsics>
#include <ipu_memory_intrinsics>
#include <ipu_vector_math>
#include "step.hpp"
#ifdef __IPU__
#error codelets of a model are built without it
#endif
class V : public poplar::Vertex { int n; void compute() { n += STEP * FACTOR; } };
#else
int main() { return undeclared; }
#endif
"""
    flags = ("-O3", "-I", "inc", "-DFACTOR=7", "-target", "cpu", "-std=c++14")
    n = ctypes.c_int(0)
    tool.build(text, flags=flags)["V"].run(ctypes.addressof(n), 1)
    assert n.value == 21
