from __future__ import annotations

import re

import pytest
import torch

from popsnn import surrogate
from popsnn.surrogate import Surrogate, resolve, spike

ALL = [
    surrogate.SuperSpike(),
    surrogate.SuperSpike(slope=3.0),
    surrogate.Sigmoid(),
    surrogate.ATan(),
    surrogate.Triangle(),
    surrogate.Triangle(width=0.4),
    surrogate.Rectangle(),
    surrogate.Rectangle(width=2.0),
    surrogate.Custom(torch.tanh, lambda x: 1 - torch.tanh(x) ** 2),
]


@pytest.mark.parametrize("curve", ALL, ids=lambda curve: type(curve).__name__)
def test_derivative_is_that_of_the_primitive(curve: Surrogate) -> None:
    x = torch.linspace(-3, 3.1, 999, dtype=torch.float64).requires_grad_()
    (expected,) = torch.autograd.grad(curve.primitive(x).sum(), x)
    torch.testing.assert_close(curve.derivative(x), expected)


def test_derivatives_at_the_threshold() -> None:
    zero = torch.zeros(())
    for curve in (surrogate.SuperSpike(), surrogate.Sigmoid(), surrogate.ATan()):
        assert float(curve.derivative(zero)) == 1.0, curve
    assert float(surrogate.Triangle(width=0.5).derivative(zero)) == 2.0


def test_gradient_passes_only_where_listed() -> None:
    x = torch.tensor([-0.5, -0.1, 0.2], requires_grad=True)
    active = torch.tensor([False, True, True])
    curve = surrogate.SuperSpike()
    out = spike(x, x.detach() >= 0, active, surrogate=curve)
    assert out.tolist() == [0.0, 0.0, 1.0]
    out.backward(torch.tensor([3.0, 3.0, 3.0]))
    assert x.grad is not None
    torch.testing.assert_close(x.grad, 3.0 * curve.derivative(x.detach()) * active)


def test_names() -> None:
    assert resolve(None) == surrogate.SuperSpike(slope=10.0)
    assert resolve("atan") == surrogate.ATan()
    assert [curve.parameter for curve in ALL[:3]] == [10.0, 3.0, 4.0]


def test_a_whole_number_as_scale_is_a_number_of_cpp_too() -> None:
    assert "return 2.0f * " in str(surrogate.ATan(4.0, scale=2).codelet_source)
    by_hand = surrogate.Custom(torch.tanh, cuda="1.0f / (1.0f + u * u)", scale=2)
    assert "return 2.0f * (" in str(by_hand.cuda_source)


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ValueError, match="surrogate: expected a Surrogate or one of superspike"):
        resolve("steep")
    with pytest.raises(
        ValueError, match=re.escape("SuperSpike: slope: expected a positive number")
    ):
        surrogate.SuperSpike(slope=0.0)
    with pytest.raises(ValueError, match="Triangle: width: expected a positive number, got nan"):
        surrogate.Triangle(width=float("nan"))
    with pytest.raises(TypeError, match="a custom surrogate has none"):
        _ = ALL[-1].parameter
