from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch import nn as torch_nn

from popsnn import nn
from popsnn.functional import BitSpikes
from popsnn.functional.bits import with_bits


def some_spikes(channels_last: bool = False, dtype: torch.dtype = torch.float64) -> Tensor:
    spikes = (torch.rand(3, 2, 4, 7, 6) < 0.4).to(dtype)
    if channels_last:
        spikes = spikes.permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)
    return spikes.requires_grad_()


def kept_bytes(y: Tensor) -> int:
    """Bytes that the graph behind `y` keeps, weights left out."""
    node = y.grad_fn.next_functions[0][0]  # type: ignore[union-attr]  # behind unflatten, or itself
    node = y.grad_fn if "Convolution" in type(y.grad_fn).__name__ else node
    return sum(t.nbytes for t in node.saved_tensors if t.dtype == torch.uint8)  # type: ignore[union-attr]


@pytest.mark.parametrize("channels_last", [False, True])
@pytest.mark.parametrize("form", ["bits", "counts", "dense"])
def test_convolves_every_step(form: str, channels_last: bool) -> None:
    x = some_spikes(channels_last)
    conv = nn.SpikeConv2d(4, 6, 3, stride=2, padding=1, groups=2, counts=form == "counts").double()
    y = conv(with_bits(x) if form == "bits" else x)
    expected = torch.stack(
        [torch_nn.functional.conv2d(step, conv.weight, None, 2, 1, 1, 2) for step in x]
    )
    torch.testing.assert_close(y, expected)
    grad = torch.randn_like(y)
    ours = torch.autograd.grad(y, (x, conv.weight), grad, retain_graph=True)
    for tensor, other in zip(ours, torch.autograd.grad(expected, (x, conv.weight), grad)):
        torch.testing.assert_close(tensor, other)
    if form != "dense":
        assert kept_bytes(y) == (3 * 2 * 4 * 7 * 6) // (8 if form == "bits" else 1)


@pytest.mark.filterwarnings("ignore:In CPU autocast")
def test_follows_autocast() -> None:
    x = some_spikes(dtype=torch.float32)
    conv = nn.SpikeConv2d(4, 6, 3)
    with torch.autocast("cpu", torch.bfloat16):
        y = conv(with_bits(x))
        assert torch.equal(y, conv(x))
    assert y.dtype == torch.bfloat16
    y.float().sum().backward()
    assert conv.weight.grad is not None
    assert conv.weight.grad.dtype == torch.float32


@pytest.mark.parametrize("channels_last", [False, True])
def test_pools_spikes(channels_last: bool) -> None:
    x = some_spikes(channels_last)
    assert nn.SpikeMaxPool2d(2).stride == 2  # as torch's
    pool = nn.SpikeMaxPool2d(3, 2, 1)
    y = pool(with_bits(x))
    expected = torch.stack([torch_nn.functional.max_pool2d(step, 3, 2, 1) for step in x])
    assert isinstance(y, BitSpikes)
    assert torch.equal(y.dense, expected)
    assert torch.equal(pool(x), expected)
    grad = torch.randn_like(expected)
    (ours,) = torch.autograd.grad(y.dense, x, grad)
    (theirs,) = torch.autograd.grad(expected, x, grad)
    torch.testing.assert_close(ours, theirs)


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(
        ValueError,
        match=r"SpikeConv2d: x: expected shape \[T, B, C, H, W\], got \(2, 4, 7, 6\)",
    ):
        nn.SpikeConv2d(4, 6, 3)(torch.zeros(2, 4, 7, 6))
    with pytest.raises(TypeError, match="SpikeConv2d: counts: expected True or False, got 1"):
        nn.SpikeConv2d(4, 6, 3, counts=1)
    with pytest.raises(ValueError, match="SpikeMaxPool2d: stride: expected at least 1, got 0"):
        nn.SpikeMaxPool2d(3, 0)
