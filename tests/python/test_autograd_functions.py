"""Second derivatives: right, or refused; never left out without a word."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch
from torch import Tensor

from popsnn import functional, nn
from popsnn.functional.batch_norm import moments
from popsnn.functional.bits import with_bits
from popsnn.surrogate import NAMED, spike

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "popsnn"
# Functions whose backward pass autograd may differentiate, each with its test below, or which
# raise where it would.
DIFFERENTIABLE = {
    "cuda/events/expand_spikes.py": {"_Expand", "_Gather"},  # tests/cuda/events
    "engines/ipu_engine.py": {"_Run", "_Observed"},
    "functional/_recurrent_scan.py": {"_Rounded"},
    "functional/batch_norm.py": {"_Moments"},
    "surrogate.py": {"_Spike"},
}


def names_in(node: ast.expr) -> set[str]:
    """Return the names and attributes of an expression."""
    named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return named | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def functions_without_the_mark(path: Path) -> set[str]:
    """Return the autograd functions whose backward lacks `once_differentiable`."""
    result = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ClassDef):
            continue
        if not any("Function" in names_in(base) for base in node.bases):
            continue
        (backward,) = (item for item in node.body if getattr(item, "name", None) == "backward")
        assert isinstance(backward, ast.FunctionDef)
        if not any("once_differentiable" in names_in(mark) for mark in backward.decorator_list):
            result.add(node.name)
    return result


def test_every_other_function_refuses_second_derivatives() -> None:
    result = {
        str(path.relative_to(PACKAGE)): names
        for path in sorted(PACKAGE.rglob("*.py"))
        for names in [functions_without_the_mark(path)]
        if names
    }
    assert result == DIFFERENTIABLE


def test_moments() -> None:
    x = torch.randn(3, 2, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda x: moments(x)[:2], x)


@pytest.mark.parametrize("kind", NAMED, ids=lambda kind: kind.__name__)
def test_surrogates(kind: type) -> None:
    x = torch.linspace(-0.9, 0.8, 7, dtype=torch.float64).requires_grad_()
    surrogate = kind()

    def slope(x: Tensor) -> Tensor:
        (grad,) = torch.autograd.grad(
            spike(x, x >= 0, surrogate=surrogate).sum(), x, create_graph=True
        )
        return grad

    assert torch.equal(slope(x), surrogate.derivative(x))
    assert torch.autograd.gradcheck(slope, x)


@pytest.mark.parametrize("layer", [nn.SpikeConv2d(2, 3, 3), nn.SpikeMaxPool2d(2, 2)], ids=str)
def test_layers_that_keep_bits_refuse(layer: torch.nn.Module) -> None:
    x = (torch.rand(2, 1, 2, 4, 4) < 0.5).float().requires_grad_()
    y = layer(with_bits(x))
    y = y if isinstance(y, Tensor) else y.dense
    (grad,) = torch.autograd.grad(y.square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        grad.sum().backward()


def test_rounded_recurrent_weights() -> None:
    weight = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
    x = torch.rand(2, 1, 3, dtype=torch.float64, requires_grad=True)
    out = functional.recurrent_lif(
        x, weight, weight_dtype=torch.bfloat16, surrogate=NAMED[0](), backend="torch"
    )
    grads = torch.autograd.grad(out.membrane.square().sum(), (x, weight), create_graph=True)
    assert all(grad.requires_grad for grad in grads)
