"""The training loop: epochs, metrics, checkpoints, and a resumed run that gets the same numbers."""

from __future__ import annotations

import json
import math
import time
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Protocol, Tuple

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from .._internal.files import named_errors
from .._internal.hashing import call_seed
from ..data import SpikeDataset
from ..engines import resolve
from ..nn import SNN
from ..nn._sparse_layer import SparseLayer
from ..optim import DeviceOptimizer
from ..spikes import SpikeTensor
from . import checkpoint, faults, objective, pictures, report, schedule
from .checkpoint import CHECKPOINT, PARTIAL
from .config import CONFIG_FILE, Recipe, check_recipe
from .evaluate import accuracy, answers
from .finished import MODEL
from .lock import FolderLock
from .options import differing
from .ranks import Ranks
from .report import EpochMetrics, Tally
from .signals import StopRequest
from .step import CapturedTrainStep, StepResult, TrainStep, check_captured

SUMMARY = "summary.json"
BEST = "best.pt"
RUN_FILES = (
    CHECKPOINT, report.METRICS, report.TABLE, SUMMARY, BEST, MODEL, CONFIG_FILE, *pictures.PICTURES,
)  # fmt: skip
PARTIAL_FILES = tuple(PARTIAL + name for name in RUN_FILES)


class Optimizer(Protocol):
    """Interface of an optimizer to the loop, of torch or on the device."""

    param_groups: List[Dict[str, Any]]

    def zero_grad(self) -> None:
        """Forget the gradients."""

    def step(self) -> Any:
        """Update the weights."""

    def state_dict(self) -> Dict[str, Any]:
        """Return what `load_state_dict` takes."""

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        """Take a state back."""


class Training:
    """A classifier's training in a folder that holds all that is needed to go on with it.

    Parameters
    ----------
    net : SNN
        Its last layer is a SparseLI, or spikes where the recipe's readout is "rate". A network on
        the ipu engine whose sequences are truncated has layers that carry states.
    optimizer : Optimizer
        Over the parameters of `net`.
    train, test : SpikeDataset
        With a label a sample; or a label a step, for which the recipe's readout is "step".
    out : Path
        Folder of the run; made where it is not there.
    recipe : Recipe
        Of each epoch's random order only whole batches are taken.
    validation : SpikeDataset, optional
        Where there is one, the result is that of the epoch that did best on it.
    settings : dict, optional
        What the run was asked for, of plain values; a resumed run must be asked for the same.
        Default: the recipe.

    Raises
    ------
    ValueError
        Where these do not fit each other.
    """

    def __init__(
        self,
        net: SNN,
        optimizer: Optimizer,
        train: SpikeDataset,
        test: SpikeDataset,
        out: Path,
        recipe: Recipe,
        *,
        validation: Optional[SpikeDataset] = None,
        settings: Optional[Dict[str, Any]] = None,
    ) -> None:
        check_recipe(recipe)
        if not 1 <= recipe.batch_size <= len(train):
            raise ValueError(
                f"Training: batch_size: expected 1..{len(train)}, got {recipe.batch_size}"
            )
        if len(test) == 0:
            raise ValueError("Training: test: expected at least one sample, got none")
        if recipe.patience is not None and validation is None:
            raise ValueError("Training: patience: expected a validation set, got none")
        objective.check_readout(net, recipe.readout)
        for name, dataset in (("train", train), ("test", test), ("validation", validation)):
            if dataset is not None:
                objective.check_labels(name, dataset, net, recipe.readout)
        if isinstance(optimizer, DeviceOptimizer) and recipe.truncate and not recipe.update_chunks:
            raise ValueError(
                "Training: truncate: expected update_chunks=True with an optimizer of the device, "
                "which adds up no gradients, got False"
            )
        self.net = net
        self.optimizer = optimizer
        self.train = train
        self.validation = validation
        self.test = test
        self.out = Path(out)
        self.recipe = recipe
        self.settings = recipe.settings() if settings is None else settings
        self.rows: List[Dict[str, Any]] = []
        self.ranks = Ranks(next(net.parameters()).device)
        if recipe.batch_size % self.ranks.world:
            raise ValueError(
                f"Training: batch_size: expected a multiple of the {self.ranks.world} processes, "
                f"got {recipe.batch_size}"
            )
        if recipe.pictures and self.ranks.first:
            pictures.check_installed()
        if recipe.capture:
            check_captured(net, optimizer, self.ranks.world)
        self._trainer = TrainStep(net, self.ranks.wrap(net), optimizer, recipe, self.ranks)
        self._captured: Optional[CapturedTrainStep] = None
        self._first_rates = [float(group["lr"]) for group in optimizer.param_groups]
        self._step = 0  # of the present epoch
        self._tally = Tally()
        self._saved_at = 0.0
        self._lock = FolderLock(self.out)
        self._begun = False  # whether the folder is this run's

    @property
    def done(self) -> int:
        """Whole epochs that are done."""
        return len(self.rows)

    @property
    def step(self) -> int:
        """Steps of the current epoch that are done."""
        return self._step

    def hold(self) -> None:
        """Keep other trainings out of the folder until `run` ends, or `release` is called.

        Raises
        ------
        RuntimeError
            Where another one writes to it.
        """
        if self.ranks.first:
            self._lock.take()

    def release(self) -> None:
        """Let other trainings write to the folder."""
        self._lock.release()

    def resume(self, free: Tuple[str, ...] = ()) -> int:
        """Take back the last checkpoint and return the number of whole epochs that are done.

        A finished run goes on where the setting `epochs` is more than it was: the learning rate
        follows the schedule of the new number from there on, which raises it again.

        Parameters
        ----------
        free : names of settings that may differ

        Raises
        ------
        FileNotFoundError
            Where the folder has no checkpoint.
        ValueError
            Where it belongs to a run with other settings, or with more epochs.
        """
        path = self.out / CHECKPOINT
        saved = checkpoint.load(path)
        for row in saved["rows"]:
            report.check_fields(path, report.EpochMetrics, row)
        report.check_fields(path, Tally, saved["epoch"]["tally"])
        more = _more_epochs(path, saved["settings"], self.settings)
        other = differing(saved["settings"], self.settings, (*free, "epochs") if more else free)
        if other is not None:
            name, was, now = other
            raise ValueError(f"resume: {name}: expected {was!r} as in {path}, got {now!r}")
        self.rows = saved["rows"]
        if more and self._out_of_patience():
            raise ValueError(
                f"resume: epochs: expected a run that goes on, got {path}, which stopped after "
                f"{self.done} epochs without a better one: --init starts from its weights"
            )
        self.net.load_state_dict(saved["net"])
        rates = [group["lr"] for group in self.optimizer.param_groups]
        self.optimizer.load_state_dict(saved["optimizer"])
        for group, rate in zip(self.optimizer.param_groups, rates):
            was = float(group["lr"])
            group["lr"] = rate  # a tensor stays the one on its device
            _set_rate(group, was)
        # The rates of this optimizer may be the last of a schedule.
        self._first_rates = saved.get("rates", self._first_rates)
        self._step = saved["epoch"]["step"]
        tally = Tally(**saved["epoch"]["tally"])
        # It is that of all processes together.
        self._tally = tally if self.ranks.first else tally.empty()
        self._begun = True
        return self.done

    def start_over(self, overwrite: bool) -> None:
        """Clear the folder of an earlier run's files.

        Raises
        ------
        FileExistsError
            Where there is one, finished or not, and `overwrite` is not set.
        RuntimeError
            Where another training writes to the folder.
        """
        finished = (self.out / SUMMARY).is_file()
        if (finished or (self.out / CHECKPOINT).is_file()) and not overwrite:
            run = "a finished" if finished else "an unfinished"
            way = "" if finished else "--resume goes on with it, "
            raise FileExistsError(
                f"train: out: expected a folder without an earlier run, got {self.out} with {run} "
                f"one: {way}--overwrite replaces it"
            )
        self.ranks.wait()  # all have looked
        if self.ranks.first and self.out.is_dir():
            with self._lock.held():
                self._remove(RUN_FILES)
                self._remove(PARTIAL_FILES)
        self._begun = True

    def _remove(self, names: Tuple[str, ...]) -> None:
        for path in (self.out / name for name in names):
            if path.is_file():
                with named_errors("train", path):
                    path.unlink()

    def run(
        self, report_epoch: Callable[[EpochMetrics], None], progress: bool = True
    ) -> Dict[str, Any]:
        """Train up to the last epoch, write all files, and return the summary.

        Parameters
        ----------
        report_epoch : callable
            Gets the metrics of each epoch as it ends; in the first process alone.
        progress : bool
            Whether to show a bar on standard error where that is a terminal.

        Raises
        ------
        KeyboardInterrupt
            After SIGINT or SIGTERM, with a checkpoint of the last step.
        FloatingPointError
            Where the loss is not finite; the checkpoint is one before.
        FileExistsError
            Where the folder has an earlier run, and neither `resume` nor `start_over` was called.
        RuntimeError
            Where another training writes to the folder, or another rank of this training has ended.
        OSError
            Where a file cannot be written; the last checkpoint stays as it was.
        """
        self.hold()
        try:
            with self.ranks.complete():
                if not self._begun:
                    self.start_over(overwrite=False)
                return self._run(report_epoch, progress)
        finally:
            self.release()

    def _run(self, report_epoch: Callable[[EpochMetrics], None], progress: bool) -> Dict[str, Any]:
        if self.ranks.first:
            self._remove(PARTIAL_FILES)  # which a killed run was writing
            if self.done < self.recipe.epochs and not self._out_of_patience():
                # Of a finished run that goes on: they are no more those of its weights.
                self._remove((SUMMARY, MODEL, *pictures.PICTURES))
        events = None
        if self.recipe.tensorboard and self.ranks.first:
            events = report.Events(self.out, self.done)
        self._save()
        steps = len(self.train) // self.recipe.batch_size
        with _unchecked(self.net), StopRequest() as stop, tqdm(
            total=self.recipe.epochs * steps,
            initial=self.done * steps + self._step,
            unit="step",
            disable=None if progress and self.ranks.first else True,  # None: of a file it is
            leave=False,
        ) as bar:
            while self.done < self.recipe.epochs and not self._out_of_patience():
                metrics = self._epoch(bar, stop)
                self.rows.append(asdict(metrics))
                self._step, self._tally = 0, Tally()
                self._keep_best()
                self._save()
                if self.ranks.first:
                    if events is not None:
                        events.add(metrics)
                    report_epoch(metrics)
        return self._finish()

    def _epoch(self, bar: Any, stop: StopRequest) -> EpochMetrics:
        began = time.perf_counter()
        epoch, recipe = self.done, self.recipe
        rate = schedule.rate_factor(recipe, epoch)
        for group, first in zip(self.optimizer.param_groups, self._first_rates):
            _set_rate(group, first * rate)
        self._move_schedules(epoch, max(0, self._step - 1))  # no step may be left to do it
        self.net.train()
        bar.set_description(f"epoch {epoch + 1}/{recipe.epochs}", refresh=False)
        for spikes, labels in self._batches(epoch):
            self._train_step(epoch, spikes, labels)
            now = time.perf_counter()
            self._tally.seconds += now - began
            began = now
            self._show(bar)
            due = now - self._saved_at > recipe.save_seconds
            asked, due = self.ranks.any(stop.asked, due)
            if asked or due:
                self._save()
            if asked:
                raise KeyboardInterrupt
        total = self._total()
        validation = None if self.validation is None else self._accuracy(self.validation)
        test = self._accuracy(self.test)
        layers = [fired / max(1, cells) for fired, cells in zip(total.fired, total.cells)]
        return EpochMetrics(
            epoch=epoch + 1,
            loss=total.loss / total.samples,
            train_accuracy=total.right / max(1, total.labelled),
            validation_accuracy=validation,
            test_accuracy=test,
            learning_rate=self._first_rates[0] * rate,
            grad_threshold=getattr(self.net.stack[0], "grad_threshold", None),
            samples_per_second=total.samples / total.seconds,
            activity=total.activity,
            layer_activity=layers,
            capacities=[x.capacity for x in self.net.stack if isinstance(x, SparseLayer)],
            **total.counts(),
            seconds=total.seconds + time.perf_counter() - began,
        )

    def _move_schedules(self, epoch: int, step: int) -> None:
        steps = len(self.train) // self.recipe.batch_size
        value = schedule.grad_threshold(self.recipe, epoch, step, steps)
        schedule.set_grad_threshold(self.net, value)
        width = schedule.delay_width(self.recipe, epoch, step, steps)
        schedule.set_delay_width(self.net, width)
        self._trainer.set_activity(schedule.activity_factor(self.recipe, epoch, step, steps))

    def _batches(self, epoch: int) -> Iterator[Tuple[SpikeTensor, Tensor]]:
        """Yield this process' shard of the batches that the epoch still has."""
        return self.train.batches(
            self.recipe.batch_size,
            shuffle=True,
            generator=torch.Generator().manual_seed(call_seed(self.recipe.seed, epoch)),
            drop_last=True,
            workers=self.recipe.workers,
            skip=self._step,
            shard=(self.ranks.rank, self.ranks.world),
        )

    def _train_step(self, epoch: int, spikes: SpikeTensor, labels: Tensor) -> None:
        def check(loss: Tensor) -> None:
            value = float(loss.detach())
            if not math.isfinite(value):
                raise FloatingPointError(
                    f"train: epoch {epoch + 1}, step {self._step + 1}: expected a finite loss, "
                    f"got {value}: {faults.bad_layer(self.net, spikes)}"
                )

        self._move_schedules(epoch, self._step)
        result = self._advance(spikes, labels, check)
        self._step += 1
        steps, samples, _ = spikes.shape
        labelled = objective.labelled(labels, steps, self.recipe.readout)
        value = float(result.loss.detach())
        self._tally.add(samples, labelled, int(result.right), value, result.stats())

    def _advance(
        self, spikes: SpikeTensor, labels: Tensor, check: Callable[[Tensor], None]
    ) -> StepResult:
        """Train on a batch, by launches or as a graph, which is checked after its update."""
        if not self.recipe.capture:
            return self._trainer.run(spikes, labels, check)
        if self._captured is not None and self.net.plan_capacities():
            self._captured = None  # the graph holds the capacities
        if self._captured is None:
            self._captured = CapturedTrainStep(self._trainer, spikes, labels)
        result = self._captured(spikes, labels)
        check(result.loss)
        return result

    def _total(self) -> Tally:
        return Tally.of(self.ranks.sums(self._tally.numbers()), self._tally.seconds)

    def _show(self, bar: Any) -> None:
        tally = self._tally
        bar.set_postfix_str(
            f"{self.ranks.world * tally.samples / tally.seconds:.0f} samples/s, "
            f"activity {100 * tally.activity:.2f} %, "
            f"dropped {100 * tally.counts()['dropped_spike_fraction']:.2f} %",
            refresh=False,
        )
        bar.update()

    def _accuracy(self, dataset: SpikeDataset) -> float:
        """Return the fraction of samples, or of labelled steps, whose class is read correctly."""
        return accuracy(self._confusion(dataset))

    def _confusion(self, dataset: SpikeDataset) -> Tensor:
        """Return how many samples or steps of class c are read as class k, [C, C].

        Every process reads some of the samples.
        """
        local = dataset.subset(np.arange(self.ranks.rank, len(dataset), self.ranks.world))
        batch = max(1, self.recipe.batch_size // self.ranks.world)
        counts = answers(self.net, local, self.recipe, batch).confusion
        total = torch.tensor(self.ranks.sums(counts.flatten().tolist()), device="cpu")
        return total.to(torch.int64).reshape(counts.shape)

    def best_row(self) -> Dict[str, Any]:
        """Return the metrics of the epoch that is the result.

        The first that did best on the validation set; the last where there is none.
        """
        if self.validation is None:
            return self.rows[-1]
        return max(self.rows, key=lambda row: (row["validation_accuracy"], -row["epoch"]))

    def _out_of_patience(self) -> bool:
        if self.recipe.patience is None or not self.rows:
            return False
        return self.done - int(self.best_row()["epoch"]) >= self.recipe.patience

    def _keep_best(self) -> None:
        if self.validation is not None and self.best_row() is self.rows[-1] and self.ranks.first:
            checkpoint.save(self.out / BEST, self.net.state_dict())

    def _save(self) -> None:
        self._saved_at = time.perf_counter()
        total = self._total()
        if not self.ranks.first:
            return
        state = self.net.state_dict()
        fault = faults.bad_parameter(self.net)
        if fault is not None:
            raise FloatingPointError(
                f"train: epoch {self.done + bool(self._step)}, step {self._step}: expected finite "
                f"parameters to save, got others: {fault}"
            )
        checkpoint.save(
            self.out / CHECKPOINT,
            {
                "net": state,
                "optimizer": self.optimizer.state_dict(),
                "rows": self.rows,
                "settings": self.settings,
                "epoch": {"step": self._step, "tally": asdict(total)},
                "rates": self._first_rates,
            },
        )
        report.write_rows(self.out, self.rows)

    def _finish(self) -> Dict[str, Any]:
        result = self.best_row()
        if self.validation is not None and result is not self.rows[-1]:
            self.ranks.wait()
            best = checkpoint.read(self.out / BEST, "train: expected the best epoch's weights")
            self.net.load_state_dict(best)
        confusion = self._confusion(self.test)
        speeds = [row["samples_per_second"] for row in self.rows]
        highest = max(self.rows, key=lambda row: (row["test_accuracy"], -row["epoch"]))
        summary = {
            "test_accuracy": result["test_accuracy"],
            "train_accuracy": result["train_accuracy"],
            "validation_accuracy": result["validation_accuracy"],
            "epoch": result["epoch"],
            "highest_test_accuracy": highest["test_accuracy"],
            "highest_test_epoch": highest["epoch"],
            "train_seconds": sum(row["seconds"] for row in self.rows),
            "epochs": self.done,
            "samples_per_second": float(np.median(speeds)),
            "activity": result["activity"],
            **report.drops(
                *(
                    sum(row[name] for row in self.rows)
                    for name in ("spikes", "active_set", "dropped_spikes", "dropped_gradients")
                )
            ),
            "parameters": sum(p.numel() for p in self.net.parameters()),
            "engine": self.net.engine,
            "device": resolve(self.net.backend, self.net).device(self.net),
            "processes": self.ranks.world,
            "confusion": confusion.tolist(),
            "settings": self.settings,
            "versions": report.versions(),
        }
        model = {"state_dict": self.net.state_dict(), "settings": self.settings}
        if not self.ranks.first:
            return summary
        checkpoint.save(self.out / MODEL, model)
        if self.recipe.pictures:
            batch, readout = self.recipe.batch_size, self.recipe.readout
            if self.recipe.truncate:  # their trace is of whole sequences
                batch = min(batch, pictures.SAMPLES)
            pictures.draw(self.out, self.net, self.test, self.rows, confusion, readout, batch)
        text = json.dumps(summary, indent=2) + "\n"
        checkpoint.replace(self.out / SUMMARY, lambda path: path.write_text(text))
        return summary


@contextmanager
def _unchecked(net: SNN) -> Iterator[None]:
    """Let the loop alone look for what is not finite: it knows the step, and waits for no GPU."""
    checked, net.check_input = net.check_input, False
    try:
        yield
    finally:
        net.check_input = checked


def _more_epochs(path: Path, was: Dict[str, Any], now: Dict[str, Any]) -> bool:
    """Return whether more epochs are asked for than a checkpoint's run had; fewer are refused."""
    before, after = was.get("epochs"), now.get("epochs")
    if not isinstance(before, int) or not isinstance(after, int) or before == after:
        return False
    if after < before:
        raise ValueError(f"resume: epochs: expected at least {before} as in {path}, got {after}")
    return True


def _set_rate(group: Dict[str, Any], rate: float) -> None:
    """Set the learning rate of a group of parameters; a tensor's in place, where graphs read it."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(rate)
    else:
        group["lr"] = rate
