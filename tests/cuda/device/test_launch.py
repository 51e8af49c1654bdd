"""Helpers of all launches."""

from __future__ import annotations

import pytest
import torch

from popsnn.cuda.device import launch, properties

DEVICE = torch.device("cuda", 0)


@pytest.mark.parametrize(
    ("neurons", "size", "vector"),
    [
        (1 << 20, 2, 8),
        (1 << 16, 2, 4),
        (1 << 14, 2, 2),  # 128 threads a multiprocessor, if each took the 2 bytes of one neuron
        (1 << 14, 4, 1),
        (64, 2, 2),
        (63, 2, 1),
        (1 << 20, 4, 4),
    ],
)
def test_threads_take_few_neurons_where_there_are_few(
    monkeypatch: pytest.MonkeyPatch, neurons: int, size: int, vector: int
) -> None:
    """But no less than the 4 bytes that an asynchronous copy moves, where rows allow."""
    monkeypatch.setattr(properties, "multiprocessors", lambda device: 132)
    assert launch.vector(neurons, size, 0, DEVICE) == vector
