"""Pictures of a run: its curves, and the network on test samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

import torch
from torch import Tensor

from .. import plot
from .._internal.extras import extra
from ..data import SpikeDataset
from ..data.whole import IGNORED
from ..nn import SNN, SparseLI
from ..plot.spikes import busiest
from .checkpoint import replace
from .objective import scores

PICTURES = (
    "curves.png", "raster.png", "activity.png", "membranes.png", "confusion.png", "weights.png",
)  # fmt: skip
SAMPLES = 4  # side by side in the raster, each of another class
NEURONS = 6  # whose membranes are drawn


def check_installed() -> None:
    """Raise ImportError where there is no package to draw with."""
    with extra("train: pictures", "matplotlib", "plot"):
        import matplotlib.figure  # noqa: F401


def draw(
    folder: Path,
    net: SNN,
    test: SpikeDataset,
    rows: Sequence[Mapping[str, Any]],
    confusion: Tensor,
    readout: str,
    batch: int,
) -> None:
    """Write the pictures.

    Parameters
    ----------
    folder : Path
    net : SNN
    test : SpikeDataset
    rows : the epochs' metrics
    confusion : int64 Tensor [C, C]
        Test samples, or labelled steps, of class c that were read as class k.
    readout : str
        As in `objective.scores`.
    batch : int
        Samples whose activity is averaged.
    """
    chosen = list(range(min(batch, len(test))))
    if not test.step_labels:
        chosen = one_of_each_class(test.labels, batch)
    spikes, labels = next(test.subset(chosen).batches(len(chosen)))
    net.eval()
    with torch.no_grad():
        out, traces = net(spikes, trace=True)
    layers = {"input": spikes}
    for index, trace in enumerate(traces):
        if trace.spikes is not None:
            layers[f"layer {index + 1}"] = trace.spikes
    read = scores(out, readout).argmax(-1).cpu()
    shown: List[Optional[int]] = labels[:SAMPLES].tolist()
    answers: Optional[List[int]] = None
    if readout == "step":
        right = (read == labels)[..., :SAMPLES].sum(0)
        counted = (labels.expand(read.shape) != IGNORED)[..., :SAMPLES].sum(0).clamp_min(1)
        titles = [f"{each:.0f} % of the steps right" for each in (100 * right / counted).tolist()]
        shown = [None] * len(titles)
        name = "a sample"
    else:
        answers = read[:SAMPLES].tolist()
        titles = [f"class {label}, read as {answer}" for label, answer in zip(shown, answers)]
        name = f"a sample of class {shown[0]}"
    figures = {
        "curves.png": plot.curves(rows),
        "raster.png": plot.samples(titles, layers, traces[-1].membrane, shown, answers),
        "activity.png": plot.activity(layers, _axes(6, 3.2)).figure,
        "membranes.png": _membranes(net, traces, name),
        "confusion.png": plot.confusion(confusion, _axes(4.5, 4.5)).figure,
        "weights.png": _weights(net),
    }
    for name, made in figures.items():
        replace(folder / name, lambda path, made=made: made.savefig(path))  # type: ignore[misc]


def one_of_each_class(labels: Tensor, most: int) -> List[int]:
    """Return samples [m], at most `most`: the first of each class in turn, then the second, ...

    Parameters
    ----------
    labels : int64 Tensor [M]
    most : int
    """
    seen: Dict[int, int] = {}
    turns = []
    for index, label in enumerate(labels.tolist()):
        turns.append((seen.get(label, 0), label, index))
        seen[label] = seen.get(label, 0) + 1
    return [index for _, _, index in sorted(turns)[:most]]


def _axes(width: float, height: float) -> Any:
    return plot.figure(width, height).add_subplot()


def _membranes(net: SNN, traces: Any, name: str) -> Any:
    """Draw the first sample's membranes of the neurons that fire most often in each layer."""
    hidden = [(i, layer) for i, layer in enumerate(net.stack) if not isinstance(layer, SparseLI)]
    made = plot.figure(7, 1.2 + 2.4 * len(hidden))
    grid: Any = made.subplots(len(hidden), 1, squeeze=False, sharex=True)
    for (ax,), (index, layer) in zip(grid, hidden):
        chosen = busiest(traces[index].spikes, 0, NEURONS)
        plot.membranes(
            traces[index].membrane[:, 0, chosen],
            threshold=getattr(layer, "threshold", None),
            grad_threshold=layer.grad_threshold,
            neurons=chosen,
            ax=ax,
        )
        title = f"layer {index + 1}, {name}: neurons that fire most"
        ax.set_title(title, fontsize=9, loc="left", pad=20)
    return made


def _weights(net: SNN) -> Any:
    """Draw the weights of each layer, and below them the recurrent weights where there are any."""
    named = [
        (f"layer {index + 1}, {title}", weight)
        for index, layer in enumerate(net.stack)
        for title, weight in (
            ("input", getattr(layer, "weight", None)),
            ("recurrent", getattr(layer, "recurrent_weight", None)),
        )
        if isinstance(weight, Tensor)
    ]
    columns = min(3, len(named))
    lines = -(-len(named) // columns)
    made = plot.figure(3.6 * columns, 3.0 * lines)
    grid: Any = made.subplots(lines, columns, squeeze=False).ravel()
    for ax, (title, weight) in zip(grid, named):
        plot.weights(weight, ax)
        ax.set_title(title, fontsize=9)
    for ax in grid[len(named) :]:
        ax.set_visible(False)
    return made
