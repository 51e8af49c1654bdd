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


def test_axes_of_ones_own_are_drawn_on() -> None:
    x = SpikeTensor.from_dense((torch.rand(6, 2, 9) < 0.4).float())
    membrane = torch.randn(6, 3, requires_grad=True)
    rows = [{"epoch": 1, "test_accuracy": 0.5}, {"epoch": 2, "test_accuracy": 0.75}]
    axes = plot.figure(8, 8).subplots(2, 2).ravel()
    drawn = [
        plot.membranes(membrane, axes[0], threshold=torch.ones(3), grad_threshold=0.5),
        plot.activity({"input": x, "hidden": x}, axes[1]),
        plot.learning_curves({"one": rows, "two": rows[:1]}, axes[2]),
        plot.sparse_and_dense({"dense": [0.9, 0.95], "5 %": [0.8, 0.92]}, axes[3]),
    ]
    assert drawn == list(axes)
    traces = [line.get_ydata() for line in axes[0].get_lines()]
    assert len(traces) == 5  # three neurons and two thresholds
    assert list(traces[0]) == pytest.approx(membrane[:, 0].tolist())
    fractions = 100 * x.to_dense().mean((1, 2))
    assert list(axes[1].get_lines()[0].get_ydata()) == pytest.approx(fractions.tolist(), rel=1e-5)
    assert list(axes[2].get_lines()[0].get_ydata()) == [50.0, 75.0]
    means = [line.get_ydata() for line in axes[3].get_lines()[1::2]]
    assert [mean[0] for mean in means] == pytest.approx([92.5, 86.0])
    with pytest.raises(ValueError, match=r"plot.membranes: membrane: expected shape \[T, N\]"):
        plot.membranes(membrane[0])


def test_axes_are_made_where_none_are_given() -> None:
    assert plot.membranes(torch.zeros(4, 2)).get_legend() is None
    assert plot.learning_curves({"one": []}).get_ylabel() == "test accuracy, %"
