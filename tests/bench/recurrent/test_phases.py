"""Phases of a step of layers that gather: what the stamps of the warps say."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch

from bench import gpu
from bench.recurrent import phases, work
from popsnn import functional


def test_a_table_follows_the_slowest_block() -> None:
    """Block 1 takes 5 us a step from the last message to its own, block 0 takes 3."""
    times = torch.zeros(phases.LAST, 2, 2, len(phases.PHASES))
    for step in range(phases.LAST):
        for block, scale in enumerate((0.6, 1.0)):
            # Warp 1 is the later one; a warp without rows has not passed two phases.
            times[step, block, 1] = 5 * step + scale * torch.tensor([0.0, 1.0, 3.0, 3.5, 4.0, 5.0])
            times[step, block, 0] = times[step, block, 1] - 0.1
            times[step, block, 0, 1:3] = 0.0
    rows = torch.tensor([4.0, 9.0]).expand(phases.LAST, 2)
    step, blocks = phases.table("backward", times, rows)
    assert "path 1.00, products 2.00, next copies 0.50, barrier 0.50, neurons 1.00" in step
    assert step.endswith("all 5.00")
    assert "slowest 5.00 us with 9.0 active neurons, mean 4.00 us with 6.5" in blocks


def test_active_neurons_are_counted_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    run = functional.recurrent_lif

    def reference(*arguments: Any, **options: Any) -> Any:
        return run(*arguments, **{**options, "backend": "torch"})

    monkeypatch.setattr(functional, "recurrent_lif", reference)
    torch.manual_seed(0)
    made = work.Work(50, 2, 0.5, device="cpu")
    layer = work.Layer(*made.leaves(torch.float32), taken_as=torch.float32)
    spikes = layer.forward().detach()
    forward = phases.active(layer, "forward", 4)
    assert forward.shape == (work.STEPS, 4)
    assert forward[3, 2] == (spikes[2] > 0).any(0).sum()
    backward = phases.active(layer, "backward", 4)
    near = (work.membranes(layer, spikes) >= work.GATE).any(1)
    assert backward[0].tolist() == [near[-1, 16 * i : 16 * i + 16].sum() for i in range(4)]


def test_nothing_is_measured_without_a_gpu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu, "here", lambda: False)
    monkeypatch.setattr(phases, "Work", partial(pytest.fail, "measured"))
    phases.main([])
    assert not capsys.readouterr().out
