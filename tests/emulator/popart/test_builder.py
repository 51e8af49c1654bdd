"""PopART's elementwise operators in C++, against torch, and what the builder refuses."""

from __future__ import annotations

import subprocess
from typing import Any, Callable, Dict, List

import numpy as np
import pytest
import torch
from tests.emulator.library_tool import PROGRAMS, build

A = [[0.5, 1.5, 2.0], [0.75, 1.25, 3.0]]
B = [1.5, 0.5, 2.0]
UNARY: Dict[str, Callable[..., Any]] = {
    "abs": torch.abs,
    "cos": torch.cos,
    "erf": torch.erf,
    "exp": torch.exp,
    "log": torch.log,
    "neg": torch.neg,
    "reciprocal": torch.reciprocal,
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "sin": torch.sin,
    "softplus": torch.nn.functional.softplus,
    "softsign": torch.nn.functional.softsign,
    "sqrt": torch.sqrt,
    "tanh": torch.tanh,
}
BINARY: Dict[str, Callable[..., Any]] = {
    "add": torch.add,
    "div": torch.div,
    "mul": torch.mul,
    "pow": torch.pow,
    "sub": torch.sub,
}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: Any) -> List[str]:
    folder = tmp_path_factory.mktemp("builder")
    program = build(PROGRAMS / "popart/builder.cpp", folder / "builder", ["popart"])
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_values_and_gradients(name: str, lines: List[str]) -> None:
    words = next(line for line in lines if line.startswith(f"{name} ")).split()
    got = [
        [float(word) for word in words[words.index(key) + 1 :][:count]]
        for key, count in (("y", 6), ("da", 6), ("db", 3))
    ]
    a = torch.tensor(A, dtype=torch.float64, requires_grad=True)
    b = torch.tensor(B, dtype=torch.float64, requires_grad=True)
    y = UNARY[name](a) * b if name in UNARY else BINARY[name](a, b)
    y.abs().sum().backward()
    assert a.grad is not None
    assert b.grad is not None
    for value, expected in zip(got, (y.detach(), a.grad, b.grad)):
        np.testing.assert_allclose(value, expected.reshape(-1).numpy(), rtol=2e-5, atol=2e-6)


def test_classes_and_groups(lines: List[str]) -> None:
    """Patterns find operators by class; replica 5 of groups of 2, 2 apart, is in group 3."""
    assert "relus 1" in lines
    assert "grouping 307 ReplicaGrouping(numReplicas=8, stride=2, groupSize=4)" in lines


def test_refusals(lines: List[str]) -> None:
    refusals = [line for line in lines if line.startswith("refused")]
    expected = [
        "aiOnnx.conv: expected an operator that the emulation has in C++, got ai.onnx.Conv:1",
        "aiOnnx.loop: expected an operator that the emulation has in C++, got another",
        "aiGraphcore.gelu: expected an operator that the emulation has in C++, got another",
        "popart::ConvOp: expected a part of PopART that the emulation has, "
        "got one that it does not have",
        "ReplicaGrouping: expected a group size times a stride that divides 8 replicas, "
        "got 2 times 3",
    ]
    assert refusals == [f"refused {sentence}" for sentence in expected]
