"""Parts of PopART in C++ that other people's operators, patterns and arrays build on."""

from __future__ import annotations

import subprocess
from typing import Any, List

import numpy as np
import pytest
from tests.emulator.library_tool import PROGRAMS, build

ABSENT = "expected a part of PopART that the emulation has, got one that it does not have"


@pytest.fixture(scope="module")
def lines(tmp_path_factory: Any) -> List[str]:
    folder = tmp_path_factory.mktemp("parts")
    libraries = ["popart", "popops", "poputil"]
    program = build(PROGRAMS / "popart/parts.cpp", folder / "parts", libraries, "-std=c++14")
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_elementwise_operators_in_arrays_of_a_framework(lines: List[str]) -> None:
    x = np.array([4, 0.25, 1, 16])
    got = np.array([float(word) for word in lines[0].strip("{}").split(",")])
    np.testing.assert_allclose(got, 1 / np.sqrt(x) - x, rtol=1e-6)
    assert lines[1] == (
        "refused StepIOGeneric: expected an array of 'none' in the inputs, got none"
    )


def test_constraints_order_ops(lines: List[str]) -> None:
    """c before a; then c before b, as b takes the place of a; then a last of all."""
    order, _, sentence = lines[2].partition("refused ")
    assert order.split() == ["abc", "bca", "11", "acb", "0", "cba"]
    assert sentence.startswith("TopoCons::insert: expected an order that can be kept, got ")
    assert lines[3] == "ca 1"


def test_values(lines: List[str]) -> None:
    assert lines[4] == "applied to 0 ops"
    assert lines[5] == "2031 0.25 0.5 2 1"


def test_a_call_of_what_is_absent_says_so(lines: List[str]) -> None:
    assert lines[6:] == [
        f"refused popart::popx::MatMulOpx: {ABSENT}",
        f"refused popart::popx::MatMulOpx::onnxShapeToPoplar: {ABSENT}",
        f"refused popart::SumToAddPattern::matches: {ABSENT}",
        f"refused popart::Prune::getId: {ABSENT}",
        f"refused popart::Adam: {ABSENT}",
        "refused EwbComputex::getInplaceArgInIndex: expected a computation in place, "
        "got one that writes neither tensor",
        "refused SessionOptions: enablePipelining: expected its default, as the emulation has it "
        "in Python alone, got another value",
    ]
