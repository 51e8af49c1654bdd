"""Decorators of the package."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from popsnn import nn
from popsnn._internal.decorators import HAS_COMPILER, once_differentiable

compiled_by_torch = pytest.mark.skipif(
    not HAS_COMPILER, reason="torch has no torch.compiler.is_compiling"
)
pytestmark = pytest.mark.filterwarnings("default")  # torch's compiler raises some by itself


class _Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * grad


def test_a_backward_pass_is_differentiated_once() -> None:
    x = torch.tensor([3.0], requires_grad=True)
    (grad,) = torch.autograd.grad(_Square.apply(x).sum(), x)
    assert grad.item() == 6
    (recorded,) = torch.autograd.grad(_Square.apply(x).pow(2).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        recorded.sum().backward()


@compiled_by_torch
@pytest.mark.parametrize("compiler", ["eager", "inductor"])
def test_a_compiled_network_gives_what_it_gives_alone(engine: str, compiler: str) -> None:
    torch.manual_seed(0)
    net = nn.SNN(nn.SparseLIF(12, 20, recurrent=True), nn.LI(20, 4), backend=engine)
    x = (torch.rand(6, 5, 12) < 0.4).float()
    expected = net(x)
    torch._dynamo.reset()
    compiled = torch.compile(net, backend=compiler)
    out = compiled(x)
    torch.testing.assert_close(out, expected)
    out.square().sum().backward()
    assert all(float(p.grad.abs().sum()) > 0 for p in net.parameters())
    _, state = compiled(x[:2], return_state=True)
    torch.testing.assert_close(compiled(x[2:], state), expected[2:], rtol=1e-5, atol=1e-6)


@compiled_by_torch
def test_layers_and_networks_inside_of_a_compiled_module() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.hidden = nn.SparseLIF(12, 20)
            self.net = nn.SNN(nn.SparseLIF(20, 20), nn.LI(20, 4), backend="torch")
            self.score = torch.nn.Linear(4, 2)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.score(self.net(self.hidden(x)).mean(0))

    torch.manual_seed(0)
    model = Model()
    x = (torch.rand(6, 5, 12) < 0.4).float()
    expected = model(x)
    torch._dynamo.reset()
    torch.testing.assert_close(torch.compile(model, backend="eager")(x), expected)
