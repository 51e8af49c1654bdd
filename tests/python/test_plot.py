from __future__ import annotations

from pathlib import Path

import pytest
import torch
from PIL import Image

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
    drawn = plot.samples(["a", "b"], {"input": x, "hidden": x}, readout, [0, 3], [0, 1])
    drawn.savefig(tmp_path / "s.png")
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


def test_layers_have_colours_of_their_own() -> None:
    x = SpikeTensor.from_dense(torch.zeros(2, 1, 3))
    drawn = plot.activity(dict.fromkeys(("input", "1", "2", "3", "4", "5"), x))
    assert len({line.get_color() for line in drawn.get_lines()}) == 6


def test_axes_are_made_where_none_are_given() -> None:
    assert plot.membranes(torch.zeros(4, 2)).get_legend() is None
    assert plot.learning_curves({"one": []}).get_ylabel() == "test accuracy, %"


def test_ticks_fit_the_neurons() -> None:
    few, many = (plot.raster(torch.ones(5, size)).collections[0] for size in (10, 1000))
    assert float(few.get_sizes()[0]) > 50 * float(many.get_sizes()[0])


def test_names_of_lines_are_apart() -> None:
    ax = plot.membranes(torch.zeros(4, 3), neurons=[7, 1, 2])
    heights = sorted(text.xy[1] for text in ax.texts)
    low, high = ax.get_ylim()
    assert [text.get_text() for text in ax.texts] == ["7", "1", "2"]
    assert min(b - a for a, b in zip(heights, heights[1:])) >= 0.049 * (high - low)
    with pytest.raises(ValueError, match=r"plot.membranes: neurons: expected 3 numbers, got 1"):
        plot.membranes(torch.zeros(4, 3), neurons=[7])


def test_confusion_shows_counts() -> None:
    ax = plot.confusion([[3, 1], [0, 2]], names=["cat", "dog"])
    assert {(text.get_position(), text.get_text()) for text in ax.texts} == {
        ((0, 0), "3"),
        ((1, 0), "1"),
        ((1, 1), "2"),
    }
    assert ax.images[0].get_array().tolist() == [[0.75, 0.25], [0.0, 1.0]]
    with pytest.raises(ValueError, match=r"plot.confusion: counts: expected shape \[C, C\], got"):
        plot.confusion([[1, 2]])
    with pytest.raises(ValueError, match=r"plot.confusion: names: expected 2 names, got 1"):
        plot.confusion([[1, 0], [0, 1]], names=["cat"])


def test_weights_have_zero_in_white() -> None:
    image = plot.weights(torch.tensor([[1.0, -2.0], [0.0, 0.5]])).images[0]
    low, high = image.get_clim()
    assert low == -high
    assert image.get_array().shape == (2, 2)
    with pytest.raises(ValueError, match=r"plot.weights: weight: expected shape \[N, M\], got"):
        plot.weights(torch.zeros(3))


def test_an_animation_has_a_frame_a_step(tmp_path: Path) -> None:
    x = (torch.rand(6, 2, 9) < 0.4).float()
    spikes = SpikeTensor.from_dense(x)
    plot.animated_raster({"input": spikes, "hidden": spikes}).save(tmp_path / "raster.gif")
    with Image.open(tmp_path / "raster.gif") as image:
        assert image.n_frames == 6
    with pytest.raises(ValueError, match=r"plot.animated_raster: layers: expected at least one"):
        plot.animated_raster({"input": spikes, "cut": SpikeTensor.from_dense(x[:3])})
