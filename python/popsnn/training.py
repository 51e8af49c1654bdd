"""The training loop: epochs, metrics, checkpoints, and a resumed run that gets the same numbers."""

from __future__ import annotations

import json
import math
import os
import platform
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Protocol

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from . import plot
from .data import SpikeDataset
from .engines import resolve
from .hashing import call_seed
from .nn import LI, SNN
from .spikes import SpikeTensor

CHECKPOINT = "checkpoint.pt"
METRICS = "metrics.jsonl"
SUMMARY = "summary.json"
RUN_FILES = (CHECKPOINT, METRICS, SUMMARY, "model.pt", "curves.png", "raster.png")
PICTURED_SAMPLES = 4


class Optimizer(Protocol):
    """What the loop asks of an optimizer, one of torch or one on the device."""

    param_groups: List[Dict[str, Any]]

    def zero_grad(self) -> None:
        """Forget the gradients."""

    def step(self) -> Any:
        """Update the weights."""

    def state_dict(self) -> Dict[str, Any]:
        """Return what `load_state_dict` takes."""

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        """Take a state back."""


@dataclass(frozen=True)
class EpochMetrics:
    """One row of metrics.jsonl. `activity` is the share of hidden (t, b, n) that fired."""

    epoch: int
    loss: float
    train_accuracy: float
    test_accuracy: float
    samples_per_second: float
    activity: float
    dropped_spikes: int
    dropped_gradients: int
    seconds: float


class Training:
    """A classifier's training in a folder that holds all that is needed to go on with it.

    The score of a class is the readout's membrane, averaged over the steps; the loss is the cross
    entropy of the scores. The learning rate falls from its first value to zero as half a cosine.

    Parameters
    ----------
    net : SNN
        Its last layer is an LI.
    optimizer : Optimizer
        Over the parameters of `net`.
    train, test : SpikeDataset
    out : Path
        Folder of the run; made where it is not there.
    settings : dict
        What the run was asked for, of plain values; a resumed run must be asked for the same.
    epochs, batch_size : int
        Of each epoch's random order only whole batches are taken.
    label_smoothing : float
    seed : int
        Draws the order of the samples.
    """

    def __init__(
        self,
        net: SNN,
        optimizer: Optimizer,
        train: SpikeDataset,
        test: SpikeDataset,
        out: Path,
        *,
        settings: Dict[str, Any],
        epochs: int,
        batch_size: int,
        label_smoothing: float = 0.0,
        seed: int = 0,
    ) -> None:
        if not 1 <= batch_size <= len(train):
            raise ValueError(f"Training: batch_size: expected 1..{len(train)}, got {batch_size}")
        if len(test) == 0:
            raise ValueError("Training: test: expected at least one sample, got none")
        if epochs < 1:
            raise ValueError(f"Training: epochs: expected at least 1, got {epochs}")
        if not isinstance(net.stack[-1], LI):
            last = type(net.stack[-1]).__name__
            raise ValueError(f"Training: net: expected an LI as its last layer, got {last}")
        self.net = net
        self.optimizer = optimizer
        self.train = train
        self.test = test
        self.out = out
        self.settings = settings
        self.epochs = epochs
        self.batch_size = batch_size
        self.label_smoothing = label_smoothing
        self.seed = seed
        self.rows: List[Dict[str, Any]] = []
        self.first_rates = [float(group["lr"]) for group in optimizer.param_groups]

    def resume(self) -> int:
        """Take back the last checkpoint and return the number of epochs that are done.

        Raises
        ------
        FileNotFoundError
            Where the folder has no checkpoint.
        ValueError
            Where it belongs to a run with other settings.
        """
        path = self.out / CHECKPOINT
        if not path.is_file():
            raise FileNotFoundError(f"resume: expected a checkpoint at {path}, got none")
        saved = torch.load(path, map_location="cpu", weights_only=True)
        for key in sorted({*saved["settings"], *self.settings}):
            was, now = saved["settings"].get(key), self.settings.get(key)
            if was != now:
                raise ValueError(f"resume: {key}: expected {was!r} as in {path}, got {now!r}")
        self.net.load_state_dict(saved["net"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.rows = saved["rows"]
        return len(self.rows)

    def start_over(self, overwrite: bool) -> None:
        """Clear the folder of an earlier run's files.

        Raises
        ------
        FileExistsError
            Where that run is not finished and `overwrite` is not set.
        """
        path = self.out / CHECKPOINT
        if path.is_file() and not (self.out / SUMMARY).is_file() and not overwrite:
            raise FileExistsError(
                f"train: out: expected a folder without an unfinished run, got {self.out}: "
                "--resume goes on with it, --overwrite drops it"
            )
        for name in RUN_FILES:
            if (self.out / name).is_file():
                (self.out / name).unlink()

    def run(self, report: Callable[[EpochMetrics], None], progress: bool = True) -> Dict[str, Any]:
        """Train up to the last epoch, write all files, and return the summary.

        Parameters
        ----------
        report : callable
            Gets the metrics of each epoch as it ends.
        progress : bool
            Whether to show a bar on standard error.
        """
        self.out.mkdir(parents=True, exist_ok=True)
        self._save()
        steps = (self.epochs - len(self.rows)) * (len(self.train) // self.batch_size)
        # A log file gets a line of the bar every few seconds, not ten a second.
        pause = 0.1 if sys.stderr.isatty() else 5.0
        with tqdm(
            total=steps, unit="step", disable=not progress, leave=False, mininterval=pause
        ) as bar:
            for epoch in range(len(self.rows), self.epochs):
                metrics = self._epoch(epoch, bar)
                self.rows.append(asdict(metrics))
                self._save()
                report(metrics)
        return self._finish()

    def _epoch(self, epoch: int, bar: Any) -> EpochMetrics:
        began = time.perf_counter()
        for group, rate in zip(self.optimizer.param_groups, self.first_rates):
            group["lr"] = rate * 0.5 * (1 + math.cos(math.pi * epoch / self.epochs))
        generator = torch.Generator().manual_seed(call_seed(self.seed, epoch))
        self.net.train()
        seen = right = fired = cells = dropped_spikes = dropped_gradients = 0
        total_loss = 0.0
        bar.set_description(f"epoch {epoch + 1}/{self.epochs}", refresh=False)
        for spikes, labels in self.train.batches(
            self.batch_size, shuffle=True, generator=generator, drop_last=True
        ):
            self.optimizer.zero_grad()
            scores = self._scores(spikes)
            loss = torch.nn.functional.cross_entropy(
                scores, labels, label_smoothing=self.label_smoothing
            )
            loss.backward()
            self.optimizer.step()
            seen += len(labels)
            right += int((scores.argmax(-1) == labels).sum())
            total_loss += float(loss.detach()) * len(labels)
            for layer in self.net.stats():
                fired += layer.spikes
                cells += layer.neurons * layer.samples * layer.steps
                dropped_spikes += layer.dropped_spikes
                dropped_gradients += layer.dropped_gradients
            bar.update()
        trained = time.perf_counter() - began
        test_accuracy = self._accuracy(self.test)
        return EpochMetrics(
            epoch=epoch + 1,
            loss=total_loss / seen,
            train_accuracy=right / seen,
            test_accuracy=test_accuracy,
            samples_per_second=seen / trained,
            activity=fired / max(1, cells),
            dropped_spikes=dropped_spikes,
            dropped_gradients=dropped_gradients,
            seconds=time.perf_counter() - began,
        )

    def _scores(self, spikes: SpikeTensor) -> Tensor:
        membrane = self.net(spikes)
        assert isinstance(membrane, Tensor)
        return membrane.mean(0).cpu()

    def _accuracy(self, dataset: SpikeDataset) -> float:
        self.net.eval()
        right = 0
        with torch.no_grad():
            for spikes, labels in dataset.batches(self.batch_size):
                right += int((self._scores(spikes).argmax(-1) == labels).sum())
        return right / len(dataset)

    def _save(self) -> None:
        state = {
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "rows": self.rows,
            "settings": self.settings,
        }
        _replace(self.out / CHECKPOINT, lambda path: torch.save(state, path))
        lines = "".join(json.dumps(row) + "\n" for row in self.rows)
        _replace(self.out / METRICS, lambda path: path.write_text(lines))

    def _finish(self) -> Dict[str, Any]:
        engine = self.net.engine
        last = self.rows[-1]
        summary = {
            "test_accuracy": last["test_accuracy"],
            "train_accuracy": last["train_accuracy"],
            "train_seconds": sum(row["seconds"] for row in self.rows),
            "epochs": len(self.rows),
            "samples_per_second": float(
                np.median([row["samples_per_second"] for row in self.rows])
            ),
            "activity": last["activity"],
            "dropped_spikes": sum(row["dropped_spikes"] for row in self.rows),
            "dropped_gradients": sum(row["dropped_gradients"] for row in self.rows),
            "engine": engine,
            "device": resolve(self.net.backend, self.net).device(self.net),
            "settings": self.settings,
            "versions": versions(),
        }
        model = {"state_dict": self.net.state_dict(), "settings": self.settings}
        _replace(self.out / "model.pt", lambda path: torch.save(model, path))
        _replace(self.out / "curves.png", lambda path: plot.curves(self.rows).savefig(path))
        _replace(self.out / "raster.png", self._draw_samples)
        text = json.dumps(summary, indent=2) + "\n"
        _replace(self.out / SUMMARY, lambda path: path.write_text(text))
        return summary

    def _draw_samples(self, path: Path) -> None:
        spikes, labels = next(self.test.batches(self.batch_size))
        self.net.eval()
        with torch.no_grad():
            out, traces = self.net(spikes, trace=True)
        layers = {"input": spikes}
        for index, trace in enumerate(traces):
            if trace.spikes is not None:
                layers[f"layer {index + 1}"] = trace.spikes
        shown = range(min(PICTURED_SAMPLES, len(labels)))
        answers = out.mean(0).argmax(-1).tolist()
        titles = [f"a {int(labels[i])}, read as {answers[i]}" for i in shown]
        plot.samples(titles, layers, out, [int(labels[i]) for i in shown]).savefig(path)


def versions() -> Dict[str, str]:
    """Return the versions that a result depends on."""
    from . import __version__

    return {
        "popsnn": __version__,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file so that a reader, or a run that is cut off, sees all of it or the one before."""
    partial = path.with_name(f".partial-{path.name}")
    write(partial)
    os.replace(partial, path)
