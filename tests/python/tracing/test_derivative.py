"""Values and derivatives of each operation, at kinks too, as torch has them."""

from __future__ import annotations

from typing import Any, Callable, Dict

import pytest
import torch
from torch import Tensor

from popsnn.tracing import expression
from popsnn.tracing.expression import Expression, in_order
from popsnn.tracing.step import derivative_of, trace_function

F = torch.nn.functional
EVALUATED: Dict[str, Callable[..., Any]] = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "neg": torch.neg,
    "min": torch.minimum, "max": torch.maximum, "pow": torch.pow, "where": torch.where,
    "and": torch.logical_and, "or": torch.logical_or, "xor": torch.logical_xor,
    "not": torch.logical_not, "softplus": F.softplus,
}  # fmt: skip
FUNCTIONS: Dict[str, Callable[[Tensor], Tensor]] = {
    "arithmetic": lambda u: (2 - u) / (3 + u * u) - 0.5 * u + (-u) * 1.0,
    "abs": torch.abs,
    "powers": lambda u: u**2 + u**3 + (1.5 + u.abs()) ** 0.7 + 2.0**u + 1 / (2.5 + u) ** -1,
    "exp": lambda u: torch.exp(u) + torch.exp2(u) + torch.expm1(u) + torch.sinh(u) + torch.cosh(u),
    "log": lambda u: torch.log(4 + u) + torch.log2(4 + u) + torch.log10(4 + u) + torch.log1p(u * u),
    "sqrt": lambda u: torch.sqrt(4 + u) + torch.rsqrt(4 + u) + torch.reciprocal(4 + u),
    "sigmoid": lambda u: torch.sigmoid(u) + torch.tanh(u) + F.silu(u) + F.softplus(3 * u),
    "softplus": lambda u: F.softplus(u, beta=2.0, threshold=1.0),
    "trigonometry": lambda u: torch.sin(u) + torch.cos(2 * u) + torch.tan(u / 4) + torch.atan(u),
    "erf": torch.erf,
    "relu": lambda u: torch.relu(u) + F.relu(u - 1) + u.relu(),
    "clamp": lambda u: u.clamp(-1, 1) + torch.clamp(u, max=0.5) + u.clamp_min(0),
    "bounded": lambda u: F.hardtanh(u) + F.relu6(4 * u) + F.leaky_relu(u, 0.1) + u.clip(max=2),
    "extremes": lambda u: (
        torch.minimum(u, 1 - u) + torch.maximum(u, -u) + torch.fmax(u, u * u) - torch.fmin(u, 2 * u)
    ),
    "where": lambda u: torch.where(u > 0, u * u, -u) + u.where(u <= 0.5, 2 * u),
    "logic": lambda u: torch.where(((u > 0) & (u < 1)) | ~(u >= -1) ^ (u == 0.25), u, 3 * u),
    "comparisons": lambda u: (u > 0) * u + (u != 0.5).float() * u + torch.sign(u) * u,
    "detached": lambda u: u * u.detach() + torch.floor(u).detach(),
    "masked": lambda u: u.masked_fill(u < 0, 0.25),
    "fused": lambda u: torch.lerp(u, u * u, 0.3) + torch.addcmul(u, u, u, value=0.5),
    "constants": lambda u: torch.ones_like(u) * u + torch.full_like(u, 2.0) - torch.zeros_like(u),
    "twice": lambda u: (u * u + 1) * (u * u + 1) / (u * u + 1),
}


def evaluated(output: Expression, u: Tensor) -> Tensor:
    values: Dict[Expression, Any] = {}
    for each in in_order([output]):
        arguments = [values[argument] for argument in each.arguments]
        if each.operation == "value":
            values[each] = u
        elif each.operation == "constant":
            values[each] = torch.full_like(u, each.number)
        else:
            function = EVALUATED.get(each.operation) or getattr(torch, each.operation)
            values[each] = function(*arguments)
    result: Tensor = values[output]
    return result


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives(name: str) -> None:
    kinks = torch.tensor([-1.0, 0.0, 0.25, 0.5, 1.0, 2.0], dtype=torch.float64)
    generator = torch.Generator().manual_seed(0)
    u = torch.cat([kinks, torch.randn(200, generator=generator, dtype=torch.float64)])
    made, function = trace_function("test", FUNCTIONS[name])
    leaf = u.clone().requires_grad_()
    expected = FUNCTIONS[name](leaf)
    (slope,) = torch.autograd.grad(expected.sum(), leaf)
    torch.testing.assert_close(evaluated(function, u), expected.detach(), rtol=1e-12, atol=1e-12)
    if name != "detached":  # a value that is detached is what it was
        _, derivative = derivative_of(made, function)
        torch.testing.assert_close(evaluated(derivative, u), slope, rtol=1e-10, atol=1e-10)


def test_every_function_is_evaluated() -> None:
    used = {
        each.operation
        for function in FUNCTIONS.values()
        for each in in_order([trace_function("test", function)[1]])
    }
    assert set(expression.FUNCTIONS) <= used
