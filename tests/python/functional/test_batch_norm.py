from __future__ import annotations

import pytest
import torch
from torch import Tensor

from popsnn import functional
from popsnn.functional import BitSpikes, LIFState
from popsnn.functional.batch_norm import moments
from popsnn.surrogate import Sigmoid


def values(*shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(shape, dtype=dtype, requires_grad=True)


@pytest.mark.parametrize("shape", [(3, 4, 5), (3, 2, 4, 5), (2, 3, 4, 5, 6)])
@pytest.mark.parametrize("training", [True, False])
def test_is_the_batch_norm_of_torch(shape: tuple[int, ...], training: bool) -> None:
    x, weight, bias = values(*shape), values(shape[2]), values(shape[2])
    own = torch.rand(shape[2]).double(), torch.rand(shape[2]).double()
    other = own[0].clone(), own[1].clone()
    y = functional.batch_norm(x, weight, bias, own, training=training, momentum=0.3, eps=0.01)
    expected = torch.nn.functional.batch_norm(
        x.flatten(0, 1), *other, weight, bias, training, 0.3, 0.01
    ).unflatten(0, shape[:2])
    torch.testing.assert_close(y, expected)
    for ours, theirs in zip(own, other):
        torch.testing.assert_close(ours, theirs)
    grad = torch.randn_like(y)
    for ours, theirs in zip(
        torch.autograd.grad(y, (x, weight, bias), grad),
        torch.autograd.grad(expected, (x, weight, bias), grad),
    ):
        torch.testing.assert_close(ours, theirs)


def test_large_means_lose_no_variance() -> None:
    x = torch.randn(4, 8, 3, 16) + 4096
    _, var, count = moments(x)
    exact = x.double().var((0, 1, 3), correction=0)
    torch.testing.assert_close(var.double(), exact, rtol=1e-3, atol=0)
    assert count.item() == 4 * 8 * 16


@pytest.mark.parametrize("with_residual", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_normalises_then_fires(with_residual: bool, training: bool) -> None:
    x, weight, bias = values(4, 2, 3, 5, 5), values(3), values(3)
    residual = (
        (torch.rand(4, 2, 3, 5, 5) < 0.3).double().requires_grad_() if with_residual else None
    )
    running = torch.zeros(3).double(), torch.ones(3).double()
    state = LIFState(torch.rand(2, 3, 5, 5).double(), torch.zeros(2, 3, 5, 5).double())
    beta, threshold = torch.tensor([0.5, 0.7, 0.9]).double(), torch.tensor([0.4, 0.5, 0.6]).double()
    options = {"reset": "subtract", "surrogate": Sigmoid(), "grad_threshold": 0.1}
    out = functional.batch_norm_lif(
        x, weight, bias, running, state, residual=residual, training=training, beta=beta,
        threshold=threshold, **options,
    )  # fmt: skip
    again = torch.zeros(3).double(), torch.ones(3).double()
    u = functional.batch_norm(x, weight, bias, again, training=training)
    u = u if residual is None else u + residual
    expected = functional.lif(
        u, state, beta=beta.view(3, 1, 1), threshold=threshold.view(3, 1, 1), **options
    )
    assert torch.equal(out.spikes, expected.spikes)
    assert 0 < float(out.spikes.detach().mean()) < 1
    torch.testing.assert_close(out.state.v, expected.state.v)
    sources = (x, weight, bias) if residual is None else (x, weight, bias, residual)
    grad = torch.randn_like(x)
    for ours, theirs in zip(
        torch.autograd.grad(out.spikes, sources, grad),
        torch.autograd.grad(expected.spikes, sources, grad),
    ):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_16_bits_are_rounded_once(dtype: torch.dtype) -> None:
    x = torch.randn(4, 2, 3, 5, 5).to(dtype)
    out = functional.batch_norm_lif(x)
    wide = functional.batch_norm_lif(x.float())
    assert out.spikes.dtype == dtype
    assert torch.equal(out.spikes.float(), wide.spikes)
    assert out.state.v.dtype == torch.float32
    assert functional.batch_norm(x).dtype == dtype


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("fires", [False, True])
def test_gradients_of_16_bits_are_rounded_once(dtype: torch.dtype, fires: bool) -> None:
    """Through the statistics and past them, two values nearly cancel in a batch of two."""
    first, more = torch.randn(50), 1 + torch.rand(50)
    x = torch.stack([first, first + more])[None].to(dtype)
    weights = torch.randn(x.shape).to(dtype)
    grads = []
    for wide in (dtype, torch.float64):
        leaf = x.to(wide, copy=True).requires_grad_()
        if fires:
            out = functional.batch_norm_lif(leaf, surrogate=Sigmoid(), backend="torch").spikes
        else:
            out = functional.batch_norm(leaf)
        (out * weights.to(wide)).sum().backward()
        assert leaf.grad is not None
        grads.append(leaf.grad.double())
    got, exact = grads
    bound = torch.finfo(dtype).eps * exact.abs() + 1e-5
    assert bool(((got - exact).abs() <= bound).all())


def test_spikes_come_with_their_bits_and_add_as_such() -> None:
    x, residual = torch.randn(3, 2, 4, 2, 2), (torch.rand(3, 2, 4, 2, 2) < 0.5).float()
    packed = BitSpikes(residual, functional.pack_bits(residual))
    out = functional.batch_norm_lif(x, residual=packed, bits=True).spikes
    assert isinstance(out, BitSpikes)
    assert torch.equal(out.dense, functional.batch_norm_lif(x, residual=residual).spikes)
    assert torch.equal(out.bits, functional.pack_bits(out.dense))


def test_mistakes_get_one_sentence() -> None:
    x = torch.randn(2, 3, 4)
    with pytest.raises(
        ValueError, match=r"functional.batch_norm: weight: expected shape \(4,\), got \(3,\)"
    ):
        functional.batch_norm(x, torch.ones(3))
    with pytest.raises(
        ValueError, match=r"functional.batch_norm: x: expected shape \[T, B, C, ...\], got \(3, 4\)"
    ):
        functional.batch_norm(x[0])
    with pytest.raises(
        TypeError, match=r"functional.batch_norm_lif: x: expected a float tensor, got torch.int64"
    ):
        functional.batch_norm_lif(x.long())
    with pytest.raises(
        ValueError,
        match=r"functional.batch_norm_lif: residual: expected the shape of x \(2, 3, 4\), "
        r"got \(3, 4\)",
    ):
        functional.batch_norm_lif(x, residual=x[0])
    with pytest.raises(
        ValueError,
        match=r"functional.batch_norm: x: expected more than one value a channel to train on, "
        r"got \(1, 1, 4\)",
    ):
        functional.batch_norm(x[:1, :1])
