"""popops: expressions, named operations, broadcasting, in place, errors."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program

erf = np.vectorize(math.erf, otypes=[np.float64])
UNARY = {
    "ABSOLUTE": np.abs,
    "ASIN": np.arcsin,
    "BITWISE_NOT": np.invert,
    "CBRT": np.cbrt,
    "CEIL": np.ceil,
    "COS": np.cos,
    "COUNT_LEADING_ZEROS": None,
    "ERF": erf,
    "EXPONENT": np.exp,
    "EXPONENT_MINUS_ONE": np.expm1,
    "EXPONENT2": np.exp2,
    "FLOOR": np.floor,
    "GELU_ERF": lambda x: x * 0.5 * (1 + erf(x / np.sqrt(2))),
    "INVERSE": lambda x: 1 / x,
    "IS_FINITE": np.isfinite,
    "IS_INF": np.isinf,
    "IS_NAN": np.isnan,
    "LOGARITHM": np.log,
    "LOGARITHM_ONE_PLUS": np.log1p,
    "LOGICAL_NOT": np.logical_not,
    "NEGATE": np.negative,
    "NEARBY_INT": np.rint,
    "POPCOUNT": np.vectorize(lambda x: bin(int(x) & 0xFFFFFFFF).count("1")),
    "RELU": lambda x: np.maximum(x, 0),
    "SIGNUM": np.sign,
    "SIN": np.sin,
    "TAN": np.tan,
    "TANH": np.tanh,
    "ROUND": lambda x: np.trunc(x + np.copysign(0.5, x)),
    "SQRT": np.sqrt,
    "SQUARE": np.square,
    "SIGMOID": lambda x: 1 / (1 + np.exp(-x)),
    "RSQRT": lambda x: 1 / np.sqrt(x),
    "TRUNC": np.trunc,
}
BINARY = {
    "ADD": np.add,
    "ATAN2": np.arctan2,
    "BITWISE_AND": np.bitwise_and,
    "BITWISE_OR": np.bitwise_or,
    "BITWISE_XOR": np.bitwise_xor,
    "BITWISE_XNOR": lambda a, b: ~(a ^ b),
    "DIVIDE": None,
    "EQUAL": np.equal,
    "GREATER_THAN_EQUAL": np.greater_equal,
    "GREATER_THAN": np.greater,
    "INV_STD_DEV_TO_VARIANCE": lambda a, b: 1 / (a * a) - b,
    "LESS_THAN_EQUAL": np.less_equal,
    "LOGICAL_AND": np.logical_and,
    "LOGICAL_OR": np.logical_or,
    "LESS_THAN": np.less,
    "MAXIMUM": np.maximum,
    "MINIMUM": np.minimum,
    "MULTIPLY": np.multiply,
    "NOT_EQUAL": np.not_equal,
    "POWER": np.power,
    "REMAINDER": np.fmod,
    "SHIFT_LEFT": np.left_shift,
    "SHIFT_RIGHT": None,
    "SHIFT_RIGHT_SIGN_EXTEND": np.right_shift,
    "SUBTRACT": np.subtract,
    "VARIANCE_TO_INV_STD_DEV": lambda a, b: 1 / np.sqrt(a + b),
}


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popops/elementwise", program_folder)


def close(got: np.ndarray, expected: Any) -> None:
    expected = np.asarray(expected)
    assert got.shape == expected.shape
    if got.dtype == np.float16:
        # Computed in float and rounded once: within one unit in the last place.
        expected = expected.astype(np.float16).astype(np.float32)
        np.testing.assert_allclose(got.astype(np.float32), expected, rtol=1.1e-3, atol=1e-6)
    elif got.dtype == np.float32:
        np.testing.assert_allclose(got, expected, rtol=3e-6, atol=1e-6)
    else:
        np.testing.assert_array_equal(got, expected)


def wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64) if x.dtype.kind == "f" else x


@pytest.mark.parametrize("type_", ["float", "half", "int", "short", "bool"])
def test_unary(results: Results, type_: str) -> None:
    case = results[f"unary {type_}"]
    x = wide(case.pop("x"))
    assert case
    with np.errstate(all="ignore"):
        for op, got in case.items():
            name = list(UNARY)[int(op)]
            close(got, UNARY[name](x))


@pytest.mark.parametrize("type_", ["float", "half", "int", "unsigned int", "bool"])
def test_binary(results: Results, type_: str) -> None:
    case = results[f"binary {type_}"]
    a, b = wide(case.pop("x")), wide(case.pop("y"))
    assert case
    with np.errstate(all="ignore"):
        for op, got in case.items():
            name = list(BINARY)[int(op)]
            if name == "DIVIDE":
                expected = a / b if a.dtype.kind == "f" else np.trunc(a / b).astype(a.dtype)
            elif name == "SHIFT_RIGHT":
                expected = (a.astype(np.uint32) >> b.astype(np.uint32)).astype(a.dtype)
            else:
                expected = BINARY[name](a, b)
            close(got, expected)


def test_expressions(results: Results) -> None:
    c = results["expressions"]
    x, row, column, h, i, mask = (c[n] for n in ("x", "row", "column", "h", "i", "mask"))
    close(c["affine"], x * 2 + row)
    close(c["outer"], column * row)
    close(c["select"], np.where(mask, x, 0))
    close(c["clamp"], np.clip(h, -0.5, 0.5))
    close(c["cast"], x.astype(np.int32) + i)
    close(c["mixed"], h.astype(np.float32) * x - 1)
    close(c["compare"], (x > 0.25) & ~mask)
    close(c["repeated"], x * x + x)
    close(c["transposed"], x.T - column.ravel())
    close(c["named"], x + row)
    close(c["constant"], 1 - h)
    assert c["constant"].dtype == np.float16
    close(c["chosen"], np.where(mask, x, row))
    close(c["sum"], x + row)
    close(c["difference"], x - row)


def test_in_place_writes_values_not_halves_of_them(results: Results) -> None:
    c = results["in place"]
    x = c["x"] * 6
    close(c["x_after"], x + x[::-1])
    close(c["out_after"], c["y"] ** 2)
    y = c["y"].copy()
    y[:, :3] += 1
    close(c["y_after"], y)
    data = c["bytes"].copy()
    data[3:200] += 5
    close(c["bytes_after"], data)
    close(c["swap_after"], c["swap"][::-1])
    odd = np.full(1001, 2.0)
    odd[1:900] = 3
    odd[901:1000] = 5
    np.testing.assert_array_equal(c["odd_after"], odd)


def test_leading_dimensions_of_one_do_not_matter_to_an_output(results: Results) -> None:
    """As binaryOp(), mapInPlace() and mapWithOutput() of poplibs, lib/popops/ElementWise.cpp: they
    broadcast the operands, and copy a result to an output of as many elements."""
    c = results["leading ones"]
    close(c["scalar_after"], 5)
    close(c["row_after"], c["row"] * c["rows"][0, 0])
    close(c["out_after"], c["rows"][0] + 3)
    close(c["x_after"], [2])
    close(c["y_after"], 3)
    close(c["cell_after"], 4)
    close(c["copied_after"], c["row_after"].reshape(5, 1))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("grows", "mapInPlace: expected an output of the shape that the inputs broadcast to"),
        ("inner ones", "mapInPlace: expected an output of the shape that the inputs broadcast to"),
        ("cast", "cast: expected a destination of the source's shape {5}, got {1,5}"),
        ("cast set", "cast: expected a destination of the source's shape {5}, got {1,5}"),
        ("mixed", "map: expression ADD(_1, _2): expected operands of one type, got float and half"),
        ("constant", "add: expected a constant of type float next to the tensor"),
        ("undefined", "map: expression SQRT(_1): operation SQRT is not defined for int"),
        ("shapes", "broadcastToMatch: expected shapes that broadcast to each other"),
        ("placeholder", "map: expression _3: expected a placeholder of _1 to _2"),
        ("condition", "expected a condition of type bool, got int"),
        ("aliases", "mapInPlace: expected an output without aliases and constants"),
        ("type", "mapInPlace: expected an output of type bool, the expression's, got float"),
        ("output", "mapWithOutput: expected an output of the shape that the inputs broadcast to"),
        ("integral", "expected a constant of type int, got a floating-point one"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert text in str(results.errors[name])
