"""The emulated PopART: operators of a library of our own, each run by itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

import numpy as np
import pytest
from tests.emulator.library_tool import prefix
from tests.emulator.popc_tool import CXX

random = np.random.default_rng(0)
HEADERS = sorted(
    p.relative_to(prefix() / "include") for p in prefix().glob("include/popart/**/*.hpp")
)


@pytest.fixture
def make(popart: Any) -> Callable[..., Any]:
    def make_op(name: str, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        described = [x if x is None or isinstance(x, tuple) else info(x) for x in inputs]
        return popart.make("test.popsnn", name, 1, attributes, described, outputs)

    return make_op


def info(x: np.ndarray) -> Any:
    return (x.dtype.name, x.shape)


def normal(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype(np.float32)


def positive(*shape: int) -> np.ndarray:
    return random.uniform(0.5, 1.5, shape).astype(np.float32)


def test_headers_are_clean() -> None:
    text = "".join(f"#include <{h}>\n#include <{h}>\n" for h in HEADERS)
    command = [CXX, "-x", "c++", "-", f"-I{prefix()}/include", "-std=c++11", "-fsyntax-only"]
    command += ["-Wall", "-Wextra", "-pedantic", "-Werror"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_libraries_register_their_operators(popart: Any) -> None:
    assert ("test.popsnn", "Power", 1) in popart.operators()


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("shape", [(), (7,), (3, 5)])
def test_outputs(dtype: str, shape: Sequence[int], make: Any, small: Any) -> None:
    x, bias = positive(*shape).astype(dtype), positive(*shape).astype(dtype)
    op = make("Power", x, bias, outputs=2, exponent=3)
    assert op.inputs == [info(x), info(bias)]
    assert op.outputs == [info(x), info(x)]
    y, cube = op.run([x, bias], small)
    assert (y.dtype, y.shape) == (x.dtype, x.shape)
    rtol = 1e-5 if dtype == "float32" else 4e-3
    np.testing.assert_allclose(cube, x.astype(float) ** 3, rtol=rtol)
    np.testing.assert_allclose(y, x.astype(float) ** 3 + bias, rtol=rtol)


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int16", "uint16", "int8", "uint8", "bool"])
def test_types_of_the_device(dtype: str, make: Any, small: Any) -> None:
    x = random.integers(0, 2, (2, 3)).astype(dtype)
    (y,) = make("OnOneTile", x).run([x], small)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, x)


def test_an_optional_input_left_out(make: Any, small: Any) -> None:
    x = positive(4)
    op = make("Power", x, exponent=2)
    assert op.optional_inputs == [1]
    np.testing.assert_allclose(op.run([x], small)[0], x**2, rtol=1e-5)
    same = make("Power", x, None, exponent=2)
    np.testing.assert_allclose(same.run([x], small)[0], x**2, rtol=1e-5)


def test_gradient(make: Any, small: Any) -> None:
    x, bias, dy, dcube = positive(2, 3), positive(2, 3), normal(2, 3), normal(2, 3)
    op = make("Power", x, bias, outputs=2, exponent=3)
    (grad,) = op.gradients()
    assert grad.grad_inputs == [("grad_out", 0), ("grad_out", 1), ("in", 0), ("out", 1)]
    assert grad.grad_outputs == {0: 0, 1: 1}
    assert grad.inputs == [info(x)] * 4
    _, cube = op.run([x, bias], small)
    dx, dbias = grad.run([dy, dcube, x, cube], small)
    np.testing.assert_allclose(dx, 3.0 * x.astype(float) ** 2 * (dy + dcube), rtol=1e-4)
    np.testing.assert_array_equal(dbias, dy)


def test_gradient_of_an_input_left_out(make: Any) -> None:
    op = make("Power", ("float32", (4,)), outputs=2, exponent=3)
    (grad,) = op.gradients()
    assert grad.grad_outputs == {0: 0}
    assert len(grad.outputs) == 1


def test_codelets_of_the_op_are_there_for_its_gradient(make: Any, small: Any) -> None:
    x = normal(3, 7)
    op = make("Negate", x)
    (grad,) = op.gradients()
    np.testing.assert_array_equal(grad.run([x], small)[0], -x)
    np.testing.assert_array_equal(op.run([x], small)[0], -x)


def test_an_op_without_gradient(make: Any) -> None:
    assert make("Accumulate", ("float32", (4,)), ("float32", (4,))).gradients() == []


def test_an_input_written_in_place(make: Any, small: Any) -> None:
    state, x = normal(9), normal(9)
    before = state.copy()
    op = make("Accumulate", state, x)
    assert op.modifies == [0]
    assert op.aliases == [(0, 0)]
    for _ in range(2):  # what a run leaves on the device is not what the next one begins with
        (out,), modified = op.run_modified([state, x], small)
        np.testing.assert_array_equal(out, state + x)
        np.testing.assert_array_equal(modified[0], state + x)
    np.testing.assert_array_equal(state, before)


def test_a_seed_gives_forward_and_gradient_the_same_mask(make: Any, small: Any) -> None:
    x, dy = positive(64), positive(64)
    op = make("Drop", x)
    assert op.random
    assert op.inputs == [info(x)]
    masks = []
    for seed in (1, 2, 1, 2**40 + 1):
        mask = op.run([x], small, seed)[0] != 0
        assert 10 < mask.sum() < 54
        (grad,) = op.gradients()
        assert grad.random
        assert grad.grad_inputs == [("grad_out", 0)]
        np.testing.assert_array_equal(grad.run([dy], small, seed)[0], np.where(mask, dy, 0))
        masks.append(mask)
    np.testing.assert_array_equal(masks[0], masks[2])
    assert (masks[0] != masks[1]).any()
    assert (masks[0] != masks[3]).any()


def test_an_op_lays_its_input_out(make: Any, small: Any) -> None:
    x = normal(3)  # linearly mapped, it would not reach the third tile
    np.testing.assert_array_equal(make("OnOneTile", x).run([x], small)[0], x)


ATTRIBUTES: Dict[str, Any] = {
    "float": 0.5,
    "int": -3,
    "text": "a 'b' \"c\"",
    "floats": [1.0, 2.5],
    "ints": (1, 2),
    "texts": ["x", "y"],
}


def test_attributes(make: Any, small: Any) -> None:
    x = normal(2)
    np.testing.assert_array_equal(make("Attributed", x, **ATTRIBUTES).run([x], small)[0], x)


def test_the_same_arguments_give_the_same_op(popart: Any, make: Any) -> None:
    x = ("float32", (4,))
    assert make("Power", x, exponent=2) is make("Power", x, exponent=2)
    assert make("Power", x, exponent=2) is not make("Power", x, exponent=3)
    before = make("Power", x, exponent=2)
    popart.clear()
    assert make("Power", x, exponent=2) is not before


def test_attributes_that_print_alike_are_told_apart(make: Any) -> None:
    x = ("float32", (1,))
    a = make("Attributed", x, **ATTRIBUTES)
    assert a is not make("Attributed", x, **ATTRIBUTES, more=0.1)
    b = make("Attributed", x, **ATTRIBUTES, more=0.1)
    assert b is not make("Attributed", x, **ATTRIBUTES, more=0.10000001)
    assert b is not make("Attributed", x, **ATTRIBUTES, more=["0.1"])


def test_a_pattern_replaces_an_op(popart: Any, make: Any, small: Any) -> None:
    x = positive(5)
    op = make("Square", x)
    np.testing.assert_allclose(op.run([x], small)[0], x**2, rtol=1e-5)
    without = popart.Device(tiles_per_ipu=4, patterns={"SquareToPower": False})
    with pytest.raises(popart.popart_exception, match=r"expected an Opx for test.popsnn.Square:1"):
        op.run([x], without)


def test_devices_compile_apart(popart: Any, make: Any, small: Any) -> None:
    x = positive(4096)
    op = make("Power", x, exponent=2)
    with pytest.raises(popart.popart_exception, match="cycles: expected a run before"):
        _ = op.cycles
    op.run([x], small)
    few = op.cycles
    op.run([x])
    assert op.cycles < few
    assert small.tiles == 4
    assert popart.Device().tiles == 1472
    assert popart.Device(model="ipu21").clock > popart.Device().clock
    assert hash(small) == hash(popart.Device(tiles_per_ipu=4))
    assert small == popart.Device(tiles_per_ipu=4)


def test_aliasing_that_is_not_declared_is_found_where_asked(popart: Any, make: Any) -> None:
    x = normal(2)
    checking = popart.Device(tiles_per_ipu=4, opx_alias_checking=True)
    with pytest.raises(popart.popart_exception, match="claims input 0 -> output 0 do not contain"):
        make("Attributed", x, **ATTRIBUTES).run([x], checking)


VECTOR = ("float32", (4,))
WRONG: List[Any] = [
    ("Powers", [VECTOR], {}, 1, "expected a registered operator .loaded: .*test.popsnn.Power:1"),
    ("Power", [VECTOR], {}, 1, "expected an attribute 'exponent', got none"),
    ("Power", [VECTOR], {"exponent": 2.0}, 1, "'exponent': expected an integer, got a float"),
    ("Power", [VECTOR], {"exponent": [2]}, 1, "expected an integer, got a list of integers"),
    ("Power", [VECTOR], {"exponent": {}}, 1, "expected a float, an int, a str or a list of one"),
    ("Power", [VECTOR], {"exponent": [2, 1.0]}, 1, "expected a float, an int, a str or a list"),
    ("Power", [VECTOR] * 3, {"exponent": 2}, 1, "expected 1 to 2 inputs, got 3"),
    ("Power", [None, VECTOR], {"exponent": 2}, 1, "expected input 0, which is not optional"),
    ("Power", [("int64", (4,))], {"exponent": 2}, 1, "expected a type that the device has"),
    ("Power", [("complex", (4,))], {"exponent": 2}, 1, "expected the name of a type"),
    ("Power", [VECTOR], {"exponent": 2}, 3, "expected setup.. to set the type of output 2"),
    ("Power", [VECTOR], {"exponent": 2}, 0, "Power:1: TensorIndexMap: expected an index"),
    ("Attributed", [("float32", ())], ATTRIBUTES, 1, "expected a vector, got rank 0"),
]


@pytest.mark.parametrize(("name", "inputs", "attributes", "outputs", "sentence"), WRONG)
def test_wrong_ops(
    name: str, inputs: Any, attributes: Any, outputs: int, sentence: str, popart: Any
) -> None:
    with pytest.raises(popart.popart_exception, match=sentence):
        popart.make("test.popsnn", name, 1, attributes, inputs, outputs)


@pytest.mark.parametrize(
    ("array", "sentence"),
    [
        (np.zeros(3, np.float32), r"input 0: expected an array of FLOAT \[4\], got float32 \[3\]"),
        (np.zeros(4, np.float64), "got float64"),
        (np.zeros(4, np.int64), "got int64"),
        (np.zeros(8, np.float32)[::2], "expected a contiguous row-major array"),
        (None, "got NoneType"),
        ([0.0] * 4, "got list"),
    ],
)
def test_wrong_arrays(array: Any, sentence: str, popart: Any, make: Any) -> None:
    with pytest.raises(popart.popart_exception, match=sentence):
        make("Power", VECTOR, exponent=2).run([array])


def test_wrong_numbers_of_arrays(popart: Any, make: Any) -> None:
    with pytest.raises(popart.popart_exception, match="expected 1 inputs, got 2"):
        make("Power", VECTOR, exponent=2).run([np.zeros(4, np.float32)] * 2)


def test_a_library_that_does_not_load(popart: Any, tmp_path: Path) -> None:
    with pytest.raises(popart.popart_exception, match="expected a library of operators"):
        popart.load_library(str(tmp_path / "absent.so"))
    (tmp_path / "text.so").write_text("no library")
    with pytest.raises(popart.popart_exception, match=re.escape("text.so")):
        popart.load_library(str(tmp_path / "text.so"))
