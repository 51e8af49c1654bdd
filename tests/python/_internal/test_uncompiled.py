from __future__ import annotations

import pytest
import torch

from popsnn import nn
from popsnn._internal.uncompiled import HAS_COMPILER

pytestmark = [
    pytest.mark.skipif(not HAS_COMPILER, reason="torch has no torch.compiler.is_compiling"),
    pytest.mark.filterwarnings("default"),  # torch's compiler raises some by itself
]


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
