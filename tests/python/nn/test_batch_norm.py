from __future__ import annotations

import pytest
import torch

from popsnn import nn
from popsnn.functional import BitSpikes


def test_takes_the_state_of_batch_norm_of_torch() -> None:
    theirs = torch.nn.BatchNorm2d(4, eps=1e-3, momentum=0.2)
    torch.nn.init.uniform_(theirs.weight)
    ours = nn.BatchNorm(4, eps=1e-3, momentum=0.2)
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(3, 2, 4, 5, 6)
    for training in (True, False):
        ours.train(training)
        theirs.train(training)
        torch.testing.assert_close(ours(x), theirs(x.flatten(0, 1)).unflatten(0, (3, 2)))
    for buffer, other in zip(ours.buffers(), theirs.buffers()):
        torch.testing.assert_close(buffer, other)


def test_spikes_are_those_of_the_two_layers() -> None:
    x = torch.randn(5, 2, 4, 3, 3)
    fused = nn.BatchNormLIF(4, 0.8, 0.6, reset="subtract")
    apart = torch.nn.Sequential(nn.BatchNorm(4), nn.LIF(0.8, 0.6, reset="subtract"))
    assert torch.equal(fused(x), apart(x))
    spikes, state = fused(x, return_state=True)
    assert state.v.shape == x.shape[1:]
    assert 0 < float(spikes.detach().mean()) < 1


def test_bits_come_where_they_are_asked_for() -> None:
    out = nn.BatchNormLIF(4, bits=True)(torch.randn(5, 2, 4, 3, 3))
    assert isinstance(out, BitSpikes)
    assert out.bits.shape == (5, 9)


def test_options_of_channels_are_saved() -> None:
    layer = nn.BatchNormLIF(2, torch.tensor([0.1, 0.9]), torch.tensor([0.5, 1.0]))
    assert {"beta", "threshold"} <= set(layer.state_dict())
    assert "reset='zero'" in repr(layer)


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ValueError, match="BatchNorm: num_features: expected at least 1, got 0"):
        nn.BatchNorm(0)
    with pytest.raises(ValueError, match="BatchNormLIF: reset: expected one of zero, subtract"):
        nn.BatchNormLIF(4, reset="soft")
    with pytest.raises(
        ValueError, match=r"BatchNormLIF: beta: expected a float or a tensor of shape \(4,\)"
    ):
        nn.BatchNormLIF(4, torch.tensor([0.5, 0.5]))
