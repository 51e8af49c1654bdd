from __future__ import annotations

from pathlib import Path

import pytest
import torch

from popsnn import SpikeTensor, plot


def test_raster_has_a_tick_a_spike() -> None:
    x = (torch.rand(6, 2, 9) < 0.4).float()
    for drawn in (plot.raster(SpikeTensor.from_dense(x), sample=1), plot.raster(x[:, 1])):
        ticks = drawn.collections[0].get_offsets()
        assert sorted(map(tuple, ticks.tolist())) == sorted(map(tuple, x[:, 1].nonzero().tolist()))
    with pytest.raises(ValueError, match=r"plot.raster: spikes: expected shape"):
        plot.raster(x)


def test_figures_can_be_saved(tmp_path: Path) -> None:
    x = SpikeTensor.from_dense((torch.rand(6, 2, 9) < 0.4).float())
    readout = torch.randn(6, 2, 4, requires_grad=True)
    plot.samples(["a", "b"], {"input": x, "hidden": x}, readout, [0, 3]).savefig(tmp_path / "s.png")
    row = {"epoch": 1, "loss": 1.0, "train_accuracy": 0.5, "test_accuracy": 0.4, "activity": 0.1}
    plot.curves([row, {**row, "epoch": 2}]).savefig(tmp_path / "c.png")
    for name in ("s.png", "c.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
