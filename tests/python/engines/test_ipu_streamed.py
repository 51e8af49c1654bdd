"""Checkpoints in Streaming Memory leave what checkpoints on the tiles leave, to the last bit.

Weight gradients are sparse in both: dense sums have another order, and need memory that few tiles
do not have.
"""

from __future__ import annotations

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import popsnn
from popsnn.engines.ipu_engine import session_of
from popsnn.nn import LI, SNN, Delays, SparseLIF

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


def network(device: str, readout: bool = True, kind: str | None = None) -> SNN:
    """Return a network, with delays of a kind of its spikes that layers read."""
    torch.manual_seed(0)
    own = delays(kind, 20, 20) if kind else None
    hidden = SparseLIF(
        6, 20, recurrent=True, recurrent_delay=own, max_activity=0.5, learn_beta=True
    )
    late = delays(kind, 20, 3 if readout else 5) if kind else 1 - readout
    last = LI(20, 3, delay=late) if readout else SparseLIF(20, 5, delay=late, reset="subtract")
    with torch.no_grad():
        hidden.weight.normal_(0.3, 0.8)
        last.weight.normal_(0.2, 0.5)
    return SNN(hidden, last, backend="ipu", device=device)


def delays(kind: str, inputs: int, neurons: int) -> Delays:
    if kind == "dendritic":
        return Delays(kind, 3, learn=True)
    return Delays(kind, 3, torch.arange(inputs) % 4)


def streams(net: SNN) -> bool:
    (executable,) = session_of(net).executables.values()
    return bool(executable.runner.streamed)


def run(net: SNN, x: torch.Tensor) -> list[torch.Tensor]:
    out = net(x)
    dense = out if isinstance(out, torch.Tensor) else out.to_dense()
    weights = torch.randn(dense.shape, generator=torch.Generator().manual_seed(1))
    (dense * weights).sum().backward()
    return [dense.detach(), *(p.grad for p in net.parameters() if p.grad is not None)]


def least_bytes(device: str, readout: bool, x: torch.Tensor, kind: str | None = None) -> int:
    """Return what the network needs of a tile where its checkpoints are streamed."""
    with pytest.raises(RuntimeError) as info:
        network(device + ",bytes_per_tile=1", readout, kind)(x)
    return int(re.findall(r"needs (\d+) bytes", str(info.value))[0])


@given(
    steps=st.integers(3, 40),
    segment=st.integers(1, 4),
    replicas=st.integers(1, 2),
    readout=st.booleans(),
    kind=st.sampled_from([None, "dendritic", "axonal"]),
    seed=st.integers(0, 2**16),
)
def test_streamed_checkpoints(
    steps: int, segment: int, replicas: int, readout: bool, kind: str | None, seed: int
) -> None:
    segment = min(segment, steps - 1)
    generator = torch.Generator().manual_seed(seed)
    x = (torch.rand(steps, 12, 6, generator=generator) < 0.3).float()
    device = f"host:tiles=4,replicas={replicas},checkpoint_interval={segment},dense=never"
    on_tiles = network(device, readout, kind)
    expected = run(on_tiles, x)
    assert not streams(on_tiles)
    least = least_bytes(device, readout, x, kind)
    small = network(f"{device},bytes_per_tile={least}", readout, kind)
    got = run(small, x)
    assert streams(small)
    assert len(got) == len(expected)
    assert all(torch.equal(tensor, other) for tensor, other in zip(got, expected))


def test_segments_grow_short_where_tiles_are_small() -> None:
    x = (torch.rand(60, 12, 6) < 0.3).float()
    device = "host:tiles=4,replicas=1,dense=never"
    everything = network(device)
    expected = run(everything, x)
    small = network(f"{device},bytes_per_tile={least_bytes(device, True, x)}")
    assert all(torch.equal(fewer, other) for fewer, other in zip(run(small, x), expected))
    (executable,) = session_of(small).executables.values()
    assert streams(small)
    assert executable.runner.segment == 1
