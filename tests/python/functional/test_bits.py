from __future__ import annotations

import pytest
import torch

from popsnn.functional import bits


@pytest.mark.parametrize(
    ("shape", "channels_last"),
    [
        ((2, 3), False),
        ((3, 2, 5), False),
        ((0, 2, 3), False),
        ((4, 2, 3, 5, 7), False),
        ((4, 2, 3, 5, 7), True),
        ((2, 1, 8, 4, 4), True),
    ],
)
def test_bits_hold_the_spikes(shape: tuple[int, ...], channels_last: bool) -> None:
    spikes = (torch.rand(shape) < 0.5).float()
    if channels_last:
        spikes = spikes.permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)
        assert bits.is_channels_last(spikes)
    packed = bits.pack(spikes)
    assert packed.shape == (shape[0], -(-spikes[:1].numel() // 8) if shape[0] else 1)
    again = bits.unpack(packed, shape, torch.float32, channels_last)
    assert torch.equal(again, spikes)
    assert again.stride() == spikes.stride()


def test_bits_lie_in_the_order_of_memory() -> None:
    spikes = torch.tensor([[[1.0, 0, 0, 0, 0, 0, 0, 0, 1]], [[0, 1, 0, 0, 0, 0, 0, 1, 0]]])
    assert bits.pack(spikes).tolist() == [[1, 1], [130, 0]]
    planes = spikes[:, :, :8].reshape(2, 1, 2, 2, 2)  # step 1 has channel 0 of place 1 ...
    last = planes.permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)
    assert bits.pack(last).tolist() == [[1], [4 + 128]]


def test_other_orders_of_memory_are_refused() -> None:
    with pytest.raises(
        ValueError,
        match=r"bits.pack: spikes: expected contiguous or channels-last memory, "
        r"got strides \(6, 1, 2\) for shape \(2, 2, 3\)",
    ):
        bits.pack(torch.zeros(2, 3, 2).transpose(1, 2))
    copied = bits.with_bits(torch.ones(2, 3, 2).transpose(1, 2))
    assert copied.dense.is_contiguous()
    assert copied.bits.tolist() == [[63], [63]]
