from __future__ import annotations

import pytest
import torch

from popsnn import SpikeTensor, functional, nn


def test_li_is_linear_and_leaky() -> None:
    layer = nn.SparseLI(10, 4, beta=torch.rand(4), gain=0.5, delay=1)
    x = (torch.rand(5, 3, 10) < 0.4).float()
    late = torch.cat([torch.zeros_like(x[:1]), x[:-1]])
    current = 0.5 * torch.nn.functional.linear(late, layer.weight, layer.bias)
    expected = functional.li(current, beta=layer.beta).membrane
    torch.testing.assert_close(layer(x), expected)
    torch.testing.assert_close(layer(SpikeTensor.from_dense(x)), expected)


def test_a_learnt_leak() -> None:
    layer = nn.SparseLI(10, 2, beta=0.8, learn_beta=True)
    assert isinstance(layer.beta, torch.nn.Parameter)
    assert tuple(layer.beta.shape) == (2,)
    x = (torch.rand(5, 3, 10) < 0.4).float()
    layer(x).sum().backward()
    assert layer.beta.grad is not None
    assert float(layer.beta.grad.abs().min()) > 0
    with torch.no_grad():
        layer.beta.copy_(torch.tensor([-0.5, 1.5]))
        got = layer(x)
        layer.beta.copy_(torch.tensor([0.0, 1.0]))
        assert torch.equal(got, layer(x))


def test_weights_of_16_bits() -> None:
    layer, nearest = nn.SparseLI(10, 4, weight_dtype=torch.float16), nn.SparseLI(10, 4)
    nearest.load_state_dict({name: v.half().float() for name, v in layer.state_dict().items()})
    x = (torch.rand(5, 3, 10) < 0.4).float()
    assert torch.equal(layer(x), nearest(x))


def test_state_goes_on() -> None:
    layer = nn.SparseLI(10, 4, delay=1)
    x = (torch.rand(6, 2, 10) < 0.4).float()
    first, state = layer(x[:3], return_state=True)
    assert torch.equal(layer(x), torch.cat([first, layer(x[3:], state)]))


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"SparseLI: beta: expected values in \[0, 1\], got 2$"):
        nn.SparseLI(3, 4, beta=2.0)
    with pytest.raises(TypeError, match="SparseLI: learn_beta: expected True or False, got 1"):
        nn.SparseLI(3, 4, learn_beta=1)  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"weight_dtype: expected None, torch.float16 or torch.bfloat16, got 2"
    ):
        nn.SparseLI(3, 4, weight_dtype=2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"SparseLI: delay: expected at least 0, got -1"):
        nn.SparseLI(3, 4, delay=-1)


def test_its_earlier_name_is_the_same_class() -> None:
    assert nn.LI is nn.SparseLI
    assert repr(nn.LI(3, 2)).startswith("SparseLI(3, 2")
