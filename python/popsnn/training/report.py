"""Reports of a run: rows of metrics, and their files."""

from __future__ import annotations

import csv
import io
import json
import platform
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Collection, Dict, List, Optional, Sequence

import numpy as np
import torch

from .._internal.extras import extra
from .._internal.files import named_errors
from .._internal.version import __version__
from ..engines import LayerStats
from ..nn.engine import fraction
from .checkpoint import replace

METRICS = "metrics.jsonl"
TABLE = "metrics.csv"
EVENTS = "tensorboard"


@dataclass(frozen=True)
class EpochMetrics:
    """One row of metrics.jsonl.

    `activity` is the fraction of (t, b, n) that fired, over all layers that spike. `capacities` are
    those of these layers at the end of the epoch. `spikes` and
    `active_set` were kept, the drops exceeded a capacity; fractions are of both together.
    """

    epoch: int
    loss: float
    train_accuracy: float
    validation_accuracy: Optional[float]
    test_accuracy: float
    learning_rate: float
    grad_threshold: Optional[float]
    samples_per_second: float
    activity: float
    layer_activity: List[float]
    capacities: List[int]
    spikes: int
    active_set: int
    dropped_spikes: int
    dropped_gradients: int
    dropped_spike_fraction: float
    dropped_gradient_fraction: float
    seconds: float


@dataclass
class Tally:
    """Counts of an epoch so far. Checkpoints hold them, so that an epoch can be resumed.

    `fired` and `cells` have one entry a layer that spikes: spikes, and (t, b, n) they are of.
    `labelled` are the answers of which so many were `right`: one a sample, or one a labelled step.
    """

    samples: int = 0
    labelled: int = 0
    right: int = 0
    loss: float = 0.0
    fired: List[int] = field(default_factory=list)
    cells: List[int] = field(default_factory=list)
    active_set: int = 0
    dropped_spikes: int = 0
    dropped_gradients: int = 0
    seconds: float = 0.0

    def add(
        self,
        samples: int,
        labelled: int,
        right: int,
        loss: float,
        layers: Sequence[LayerStats],
    ) -> None:
        """Count a step; `loss` is the mean over its samples, or their labelled steps."""
        self.samples += samples
        self.labelled += labelled
        self.right += right
        self.loss += loss * samples
        if not self.fired:
            self.fired, self.cells = [0] * len(layers), [0] * len(layers)
        for index, layer in enumerate(layers):
            self.fired[index] += layer.spikes
            self.cells[index] += layer.neurons * layer.samples * layer.steps
            self.active_set += layer.active
            self.dropped_spikes += layer.dropped_spikes
            self.dropped_gradients += layer.dropped_gradients

    def numbers(self) -> List[float]:
        """Return the counts in one list."""
        return [
            self.samples, self.labelled, self.right, self.loss,
            self.active_set, self.dropped_spikes, self.dropped_gradients,
            *self.fired, *self.cells,
        ]  # fmt: skip

    @classmethod
    def of(cls, numbers: Sequence[float], seconds: float) -> Tally:
        """Return the tally of what `numbers` returned, or of sums of that."""
        samples, labelled, right, loss, active, spikes, gradients, *layers = numbers
        half = len(layers) // 2
        counts = [int(count) for count in layers]
        return cls(
            int(samples), int(labelled), int(right), loss, counts[:half], counts[half:],
            int(active), int(spikes), int(gradients), seconds,
        )  # fmt: skip

    def empty(self) -> Tally:
        """Return a tally of nothing, of as many layers and the same time."""
        layers = len(self.fired)
        return Tally(fired=[0] * layers, cells=[0] * layers, seconds=self.seconds)

    @property
    def activity(self) -> float:
        """Fraction of (t, b, n) that fired, over all layers that spike."""
        return sum(self.fired) / max(1, sum(self.cells))

    def counts(self) -> Dict[str, Any]:
        """Return spikes, the active set, and their drops, as rows have them."""
        return drops(sum(self.fired), self.active_set, self.dropped_spikes, self.dropped_gradients)


def check_fields(path: Path, kind: type, found: Collection[str]) -> None:
    """Refuse a checkpoint whose rows or tally have other fields than this version's.

    Raises
    ------
    ValueError
        Where a field is missing or unknown.
    """
    names = {item.name for item in fields(kind)}
    other = sorted(names.symmetric_difference(found))
    if other:
        raise ValueError(
            f"resume: expected the metrics of this version of popsnn in {path}, got those of "
            f"another one ({', '.join(other)}): start a new run"
        )


def drops(
    spikes: int, active_set: int, dropped_spikes: int, dropped_gradients: int
) -> Dict[str, Any]:
    """Return counts of what capacities kept and dropped, and the fractions dropped, by name."""
    return {
        "spikes": spikes,
        "active_set": active_set,
        "dropped_spikes": dropped_spikes,
        "dropped_gradients": dropped_gradients,
        "dropped_spike_fraction": fraction(dropped_spikes, spikes),
        "dropped_gradient_fraction": fraction(dropped_gradients, active_set),
    }


def versions() -> Dict[str, str]:
    """Return the versions that a result depends on."""
    return {
        "popsnn": __version__,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def write_rows(folder: Path, rows: Sequence[Dict[str, Any]]) -> None:
    """Write the epochs' metrics as JSON lines and as a table."""
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    replace(folder / METRICS, lambda path: path.write_text(lines))
    table = io.StringIO()
    if rows:
        writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            flat = {k: " ".join(map(str, v)) if isinstance(v, list) else v for k, v in row.items()}
            writer.writerow(flat)
    replace(folder / TABLE, lambda path: path.write_text(table.getvalue()))


class Events:
    """Writes rows for TensorBoard, to a folder of the run.

    Raises
    ------
    ImportError
        Where tensorboard is not installed.
    """

    def __init__(self, folder: Path, done: int) -> None:
        with extra("train: tensorboard", "tensorboard", "tensorboard"):
            from torch.utils.tensorboard import SummaryWriter
        self.folder = folder / EVENTS
        # Events of epochs that a cut-off run had begun are hidden.
        with named_errors("train", self.folder):
            self.writer = SummaryWriter(str(self.folder), purge_step=done + 1)

    def add(self, metrics: EpochMetrics) -> None:
        """Write an epoch's numbers."""
        with named_errors("train", self.folder):
            self._add(metrics)

    def _add(self, metrics: EpochMetrics) -> None:
        for name, value in asdict(metrics).items():
            if isinstance(value, list):
                for index, leaf in enumerate(value):
                    self.writer.add_scalar(f"{name}/{index}", leaf, metrics.epoch)
            elif value is not None and name != "epoch":
                self.writer.add_scalar(name, value, metrics.epoch)
        self.writer.flush()
