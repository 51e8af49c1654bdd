"""Weights that stay in registers and shared memory of any GPU since compute capability 8.0."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.cuda.host_kernels import HostLoader, recurrent
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.recurrent.runs import RESETS, compare, run

from popsnn import functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent import arguments, ops
from popsnn.cuda.recurrent.portable import launch as portable
from popsnn.cuda.recurrent.portable import plan as planned
from popsnn.cuda.recurrent.portable.plan import GROUP, launches_of, plan
from popsnn.functional import neuron

BF16, FP32 = torch.bfloat16, torch.float32
KERNELS = ["recurrent_portable_forward", "recurrent_portable_backward"]
ADAPTIVE = {"layer": functional.recurrent_adaptive_lif, "state": True, "learn": True}
MOST_SPILT = 48  # bytes a thread


@pytest.fixture
def host(host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch) -> HostLoader:
    """A CPU of 8 multiprocessors without a copy engine."""
    recurrent(monkeypatch, host_loader)
    host_loader.launched.clear()
    monkeypatch.setattr(ops, "has_copy_engine", lambda _: False)
    monkeypatch.setattr(portable, "multiprocessors", lambda _: 8)
    return host_loader


@pytest.mark.parametrize(
    ("batch", "neurons", "options"),
    [
        (21, 40, {}),  # blocks beyond the neurons, several groups of samples
        (5, 38, {"state": True, "learn": True}),  # a single group
        (9, 141, {"state": True, "learn": True, "reset": "subtract"}),  # two tiles a block
        (17, 52, ADAPTIVE),
        (3, 150, ADAPTIVE),
    ],
)
def test_layers(host: HostLoader, batch: int, neurons: int, options: dict[str, Any]) -> None:
    compare(run(torch.device("cpu"), 4, batch, neurons, weight=FP32, **options))
    assert host.launched == KERNELS


@pytest.mark.parametrize("batch", [5, 20])
@pytest.mark.parametrize("count", [1, 2])
def test_weights_in_shared_memory(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, count: int, batch: int
) -> None:
    """Registers have those of a single unit, and units take turns in the slots of messages."""
    monkeypatch.setitem(planned.REGISTERS, "forward", 0)
    monkeypatch.setitem(planned.REGISTERS, "backward", 0)
    for user in (ops, portable):
        monkeypatch.setattr(user, "multiprocessors", lambda _: 68 // count)
    planned.plan.cache_clear()
    compare(run(torch.device("cpu"), 3, batch, 1085 if count == 1 else 530, weight=FP32))
    planned.plan.cache_clear()
    assert host.launched == KERNELS
