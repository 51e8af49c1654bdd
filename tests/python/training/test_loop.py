from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import sys
import types
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.full_disk import full_disk

from popsnn import data, nn, optim
from popsnn.data import SpikeDataset
from popsnn.devices import parse
from popsnn.training import EpochMetrics, Recipe, Training, checkpoint

EPOCHS = 3
SETTINGS = {"epochs": EPOCHS, "lr": 0.01}
RECIPE = Recipe(epochs=EPOCHS, batch_size=25, seed=5, pictures=False)
MEASURED = ("samples_per_second", "seconds")


@pytest.fixture(scope="module")
def parts() -> tuple[SpikeDataset, SpikeDataset]:
    train, test = data.digits(steps=4)
    return (
        SpikeDataset(train.spikes.select_batch(slice(0, 130)), train.labels[:130], 10),
        SpikeDataset(test.spikes.select_batch(slice(0, 50)), test.labels[:50], 10),
    )


def training(
    parts: tuple[SpikeDataset, SpikeDataset],
    out: Path,
    engine: str,
    *,
    on_device: bool = False,
    recipe: Recipe = RECIPE,
    validation: bool = False,
    max_activity: Any = 0.1,
    homeostasis: Any = None,
    **changes: Any,
) -> Training:
    torch.manual_seed(0)
    # Lists so short that spikes are dropped: a resumed run has to drop the same spikes.
    options: Any = {"max_activity": max_activity, "homeostasis": homeostasis}
    net = nn.SNN(
        nn.SparseLIF(64, 32, grad_threshold=0.5, **options),
        nn.LI(32, 10),
        backend=engine,
    )
    on_host = torch.optim.Adam(net.parameters(), lr=0.01)
    optimizer = optim.Adam(net, lr=0.01) if on_device else on_host
    settings = {**SETTINGS, **changes}
    train, test = parts
    saved = None
    if validation:
        saved, train = train.subset(range(30)), train.subset(range(30, 130))
    return Training(net, optimizer, train, test, out, recipe, validation=saved, settings=settings)


def comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in MEASURED} for row in rows]


class Interrupter:
    """Stands for a user who presses Ctrl-C after some epochs."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, metrics: EpochMetrics) -> None:
        if metrics.epoch == self.after:
            raise KeyboardInterrupt


@pytest.mark.parametrize("on_device", [False, True], ids=["host update", "device update"])
def test_an_interrupted_run_resumes_to_the_same_numbers(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, engine: str, on_device: bool
) -> None:
    if on_device and engine != "ipu":
        pytest.skip(f"engine {engine} has no optimizers of its own")
    whole = training(parts, tmp_path / "whole", engine, on_device=on_device)
    whole.run(lambda _: None, progress=False)
    assert whole.rows[0]["dropped_spikes"] > 0

    with pytest.raises(KeyboardInterrupt):
        training(parts, tmp_path / "cut", engine, on_device=on_device).run(
            Interrupter(after=2), progress=False
        )
    resumed = training(parts, tmp_path / "cut", engine, on_device=on_device)
    assert resumed.resume() == 2
    resumed.run(lambda _: None, progress=False)

    assert comparable(resumed.rows) == comparable(whole.rows)
    for name, value in whole.net.state_dict().items():
        assert torch.equal(resumed.net.state_dict()[name], value), name


@pytest.mark.parametrize(
    ("cut", "rule"), [(2, None), (10, None), (17, None), (10, nn.Homeostasis(0.02))]
)
def test_an_automatic_capacity_goes_on_with_the_run(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, cut: int, rule: Any
) -> None:
    recipe = replace(RECIPE, epochs=20, activity_weight=30.0, activity_target=0.01)
    options: Any = {"recipe": recipe, "max_activity": "auto", "homeostasis": rule}
    whole = training(parts, tmp_path / "whole", "torch", **options)
    whole.run(lambda _: None, progress=False)
    assert whole.rows[0]["capacities"] == [32]
    assert whole.rows[-1]["capacities"][0] < 32
    with pytest.raises(KeyboardInterrupt):
        training(parts, tmp_path / "cut", "torch", **options).run(
            Interrupter(after=cut), progress=False
        )
    resumed = training(parts, tmp_path / "cut", "torch", **options)
    assert resumed.resume() == cut
    resumed.run(lambda _: None, progress=False)
    assert comparable(resumed.rows) == comparable(whole.rows)
    for name, value in whole.net.state_dict().items():
        assert torch.equal(resumed.net.state_dict()[name], value), name


def test_a_run_that_is_resumed_at_its_end_leaves_the_same_checkpoint(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    training(parts, tmp_path, "torch").run(lambda _: None, progress=False)
    whole = checkpoint.load(tmp_path / "checkpoint.pt")
    resumed = training(parts, tmp_path, "torch")
    resumed.resume()
    resumed.run(lambda _: None, progress=False)
    again = checkpoint.load(tmp_path / "checkpoint.pt")
    (group,), same = whole["optimizer"]["param_groups"], again["optimizer"]["param_groups"]
    assert same == [group]
    assert 0 < group["lr"] < 0.01  # of the last epoch


def test_batches_by_workers_are_the_same(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    train, test = parts
    train = train.augmented(data.Augment(drop=0.2))
    runs = []
    for workers in (0, 1):
        recipe = replace(RECIPE, epochs=1, workers=workers)
        run = training((train, test), tmp_path / str(workers), "torch", recipe=recipe)
        run.run(lambda _: None, progress=False)
        runs.append(comparable(run.rows))
    assert runs[0] == runs[1]


def test_a_run_cut_off_in_its_first_epoch_can_be_resumed(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = training(parts, tmp_path, "torch")

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cut, "_epoch", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cut.run(lambda _: None, progress=False)
    assert training(parts, tmp_path, "torch").resume() == 0


@pytest.mark.parametrize(
    ("number", "signalled", "step"),
    [
        pytest.param(signal.SIGINT, 8, 3, id="in the second epoch"),
        pytest.param(signal.SIGTERM, 10, 5, id="in its last step"),
    ],
)
def test_a_signal_saves_the_step_and_the_run_goes_on_from_there(
    parts: tuple[SpikeDataset, SpikeDataset],
    tmp_path: Path,
    engine: str,
    number: signal.Signals,
    signalled: int,
    step: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = replace(RECIPE, grad_threshold=0.5, grad_threshold_start=-1.0, grad_threshold_epochs=2)
    whole = training(parts, tmp_path / "whole", engine, recipe=recipe)
    whole.run(lambda _: None, progress=False)

    cut = training(parts, tmp_path / "cut", engine, recipe=recipe)
    steps = 0
    train_step = Training._train_step

    def counted(self: Training, *arguments: Any) -> None:
        nonlocal steps
        steps += 1
        if steps == signalled:
            os.kill(os.getpid(), number)
        train_step(self, *arguments)

    monkeypatch.setattr(Training, "_train_step", counted)
    with pytest.raises(KeyboardInterrupt):
        cut.run(lambda _: None, progress=False)
    assert (cut.done, cut.step) == (1, step)

    resumed = training(parts, tmp_path / "cut", engine, recipe=recipe)
    assert resumed.resume() == 1
    assert resumed.step == step
    resumed.run(lambda _: None, progress=False)
    assert steps == 15
    assert comparable(resumed.rows) == comparable(whole.rows)
    for name, value in whole.net.state_dict().items():
        assert torch.equal(resumed.net.state_dict()[name], value), name


def test_the_best_epoch_on_the_validation_set_is_the_result(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = replace(RECIPE, epochs=8, patience=2)
    run = training(parts, tmp_path, "torch", recipe=recipe, validation=True)
    weights: list[torch.Tensor] = []
    told = iter([0.1, 0.2, 0.4, 0.4, 0.3])
    accuracy = Training._accuracy

    def given(self: Training, dataset: SpikeDataset) -> float:
        return next(told) if dataset is self.validation else accuracy(self, dataset)

    monkeypatch.setattr(Training, "_accuracy", given)
    summary = run.run(
        lambda _: weights.append(run.net.state_dict()["layers.0.weight"].clone()), progress=False
    )
    assert (summary["epochs"], summary["epoch"]) == (5, 3)
    assert summary["validation_accuracy"] == 0.4
    assert summary["test_accuracy"] == run.rows[2]["test_accuracy"]
    assert torch.equal(run.net.state_dict()["layers.0.weight"], weights[2])
    assert not torch.equal(weights[2], weights[4])


@pytest.mark.parametrize("what", ["weight", "bias"])
def test_a_loss_that_is_not_finite_stops_with_step_and_layer(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, what: str
) -> None:
    run = training(parts, tmp_path, "torch")

    def spoil(_: EpochMetrics) -> None:
        with torch.no_grad():
            getattr(run.net.stack[1], what)[3] = float("nan")

    with pytest.raises(
        FloatingPointError,
        match=rf"train: epoch 2, step 1: expected a finite loss, got nan: layer 1 \(SparseLI\): "
        rf"\d+ of \d+ values of {what} are not finite",
    ):
        run.run(spoil, progress=False)
    assert training(parts, tmp_path, "torch").resume() == 1


def test_parameters_that_are_not_finite_are_not_saved(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = training(parts, tmp_path, "torch")
    train_step = Training._train_step

    def spoiled(self: Training, epoch: int, *arguments: Any) -> None:
        train_step(self, epoch, *arguments)
        if (epoch, self.step) == (1, 5):
            with torch.no_grad():
                self.net.stack[0].weight.fill_(float("inf"))

    monkeypatch.setattr(Training, "_train_step", spoiled)
    with pytest.raises(
        FloatingPointError, match=r"expected finite parameters to save, got others: layer 0"
    ):
        run.run(lambda _: None, progress=False)
    assert training(parts, tmp_path, "torch").resume() == 1


def test_gradients_are_clipped(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, engine: str
) -> None:
    train, test = parts
    net = nn.SNN(nn.SparseLIF(64, 16), nn.LI(16, 10), backend=engine)
    before = {name: value.clone() for name, value in net.state_dict().items()}
    recipe = Recipe(epochs=1, batch_size=130, clip=1e-3, pictures=False)
    Training(net, torch.optim.SGD(net.parameters(), lr=1.0), train, test, tmp_path, recipe).run(
        lambda _: None, progress=False
    )
    moved = [value - before[name] for name, value in net.state_dict().items()]
    norm = torch.cat([part.reshape(-1).float() for part in moved[1:]]).norm()
    assert float(norm) == pytest.approx(1e-3, rel=1e-3)


def test_activity_that_costs_falls(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, engine: str
) -> None:
    train, test = parts
    activities = []
    for weight in (0.0, 100.0):
        torch.manual_seed(0)
        net = nn.SNN(nn.SparseLIF(64, 32), nn.LI(32, 10), backend=engine)
        recipe = replace(RECIPE, activity_weight=weight, activity_target=0.01)
        out = tmp_path / str(weight)
        run = Training(net, torch.optim.Adam(net.parameters(), lr=0.01), train, test, out, recipe)
        run.run(lambda _: None, progress=False)
        activities.append(run.rows[-1]["activity"])
    assert activities[1] < 0.7 * activities[0]


@pytest.mark.parametrize("readout", ["max", "rate"])
def test_readouts_learn(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, engine: str, readout: str
) -> None:
    train, test = parts
    torch.manual_seed(0)
    last = nn.SparseLIF(32, 10) if readout == "rate" else nn.LI(32, 10)
    net = nn.SNN(nn.SparseLIF(64, 32), last, backend=engine)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.03)
    run = Training(
        net, optimizer, train, test, tmp_path, replace(RECIPE, epochs=6, readout=readout)
    )
    run.run(lambda _: None, progress=False)
    assert run.rows[-1]["train_accuracy"] > 0.4
    with pytest.raises(ValueError, match=r"Training: net: expected .* got (SparseLI|SparseLIF)"):
        Training(
            net, optimizer, train, test, tmp_path,
            replace(RECIPE, readout="mean" if readout == "rate" else "rate"),
        )  # fmt: skip


def test_events_for_tensorboard(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, float, int]] = []

    class Writer:
        def __init__(self, folder: str, purge_step: int) -> None:
            assert (folder, purge_step) == (str(tmp_path / "tensorboard"), 1)

        def add_scalar(self, name: str, value: float, epoch: int) -> None:
            written.append((name, value, epoch))

        def flush(self) -> None:
            pass

    module = types.ModuleType("torch.utils.tensorboard")
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", module)
    run = training(parts, tmp_path, "torch", recipe=replace(RECIPE, tensorboard=True))
    with pytest.raises(ImportError, match=r"train: tensorboard: expected the package tensorboard"):
        run.run(lambda _: None, progress=False)
    module.SummaryWriter = Writer  # type: ignore[attr-defined]
    run.run(lambda _: None, progress=False)
    for row in run.rows:
        assert ("loss", row["loss"], row["epoch"]) in written

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Writer, "flush", full)
    again = training(parts, tmp_path, "torch", recipe=replace(RECIPE, tensorboard=True))
    again.start_over(overwrite=True)
    with pytest.raises(
        OSError, match=rf"^train: expected to write {tmp_path / 'tensorboard'}, got No space left"
    ):
        again.run(lambda _: None, progress=False)
    for row in run.rows:
        assert ("layer_activity/0", row["layer_activity"][0], row["epoch"]) in written


def test_an_unfinished_run_is_not_lost_to_a_new_one(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        training(parts, tmp_path, "torch").run(Interrupter(after=1), progress=False)
    again = training(parts, tmp_path, "torch")
    with pytest.raises(
        FileExistsError, match=r"an earlier run, got .* an unfinished one: --resume goes on"
    ):
        again.start_over(overwrite=False)
    assert again.resume() == 1
    again.start_over(overwrite=True)
    assert list(tmp_path.iterdir()) == []


def test_a_finished_run_is_replaced_on_demand_alone(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    training(parts, tmp_path, "torch").run(lambda _: None, progress=False)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    sentence = (
        f"train: out: expected a folder without an earlier run, got {tmp_path} with a finished "
        "one: --overwrite replaces it"
    )
    again = training(parts, tmp_path, "torch")
    with pytest.raises(FileExistsError, match=f"^{re.escape(sentence)}$"):
        again.start_over(overwrite=False)
    with pytest.raises(FileExistsError, match=f"^{re.escape(sentence)}$"):
        again.run(lambda _: None, progress=False)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    again.start_over(overwrite=True)
    assert list(tmp_path.iterdir()) == []
    again.run(lambda _: None, progress=False)


def test_drops_are_counted_and_fractions_of_what_there_was(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    run = training(parts, tmp_path, "torch")
    summary = run.run(lambda _: None, progress=False)
    for row in (*run.rows, summary):
        for kept, dropped, share in (
            ("spikes", "dropped_spikes", "dropped_spike_fraction"),
            ("active_set", "dropped_gradients", "dropped_gradient_fraction"),
        ):
            assert row[dropped] > 0
            assert row[share] == row[dropped] / (row[dropped] + row[kept])
    for name in ("spikes", "active_set", "dropped_spikes", "dropped_gradients"):
        assert summary[name] == sum(row[name] for row in run.rows)
    header = (tmp_path / "metrics.csv").read_text().split("\n")[0].split(",")
    assert {"dropped_spike_fraction", "dropped_gradient_fraction"} <= set(header)


def test_the_bar_is_for_terminals(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stream(io.StringIO):
        def __init__(self, terminal: bool) -> None:
            super().__init__()
            self.terminal = terminal

        def isatty(self) -> bool:
            return self.terminal

    for terminal, progress in ((True, True), (True, False), (False, True)):
        shown = Stream(terminal)
        monkeypatch.setattr("sys.stderr", shown)
        run = training(parts, tmp_path / f"{terminal}{progress}", "torch")
        run.run(lambda _: None, progress=progress)
        assert ("step/s" in shown.getvalue()) == (terminal and progress)


def test_files_of_a_run(parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path) -> None:
    seen: list[EpochMetrics] = []
    run = training(parts, tmp_path, "torch", recipe=replace(RECIPE, pictures=True))
    summary = run.run(seen.append, progress=False)
    assert {path.name for path in tmp_path.iterdir()} == {
        "activity.png", "checkpoint.pt", "confusion.png", "curves.png", "membranes.png",
        "metrics.csv", "metrics.jsonl", "model.pt", "raster.png", "summary.json", "weights.png",
    }  # fmt: skip
    rows = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert rows == run.rows
    assert [row["epoch"] for row in rows] == [metrics.epoch for metrics in seen] == [1, 2, 3]
    assert json.loads((tmp_path / "summary.json").read_text()) == summary
    assert summary["test_accuracy"] == rows[-1]["test_accuracy"]
    assert summary["engine"] == "torch"
    confusion = torch.tensor(summary["confusion"])
    assert confusion.sum(1).tolist() == torch.bincount(parts[1].labels).tolist()
    assert int(confusion.trace()) == round(summary["test_accuracy"] * len(parts[1]))
    assert summary["train_seconds"] == pytest.approx(sum(row["seconds"] for row in rows))
    assert set(summary["versions"]) == {"popsnn", "torch", "numpy", "python"}
    assert rows[-1]["loss"] < rows[0]["loss"]
    model = torch.load(tmp_path / "model.pt", weights_only=True)
    run.net.load_state_dict(model["state_dict"])


@pytest.mark.parametrize("room", [0, 100, 4000])
def test_a_full_disk_leaves_the_last_checkpoint(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, room: int
) -> None:
    whole = training(parts, tmp_path / "whole", "torch")
    whole.run(lambda _: None, progress=False)
    out = tmp_path / "cut"
    with ExitStack() as disk:

        def fill(metrics: EpochMetrics) -> None:
            if metrics.epoch == 1:
                disk.enter_context(full_disk(room))

        with pytest.raises(
            OSError,
            match=rf"^train: expected to write {out / 'checkpoint.pt'}, got File too large$",
        ):
            training(parts, out, "torch").run(fill, progress=False)
    assert {path.name for path in out.iterdir()} == {
        "checkpoint.pt", "metrics.csv", "metrics.jsonl",
    }  # fmt: skip
    resumed = training(parts, out, "torch")
    assert resumed.resume() == 1
    resumed.run(lambda _: None, progress=False)
    assert comparable(resumed.rows) == comparable(whole.rows)
    for name, value in whole.net.state_dict().items():
        assert torch.equal(resumed.net.state_dict()[name], value), name


@pytest.mark.parametrize(
    "name", ["best.pt", "metrics.jsonl", "metrics.csv", "model.pt", "curves.png", "summary.json"]
)
def test_each_file_that_cannot_be_written_is_named(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, name: str
) -> None:
    (tmp_path / name / "in the way").mkdir(parents=True)
    run = training(
        parts, tmp_path, "torch", recipe=replace(RECIPE, epochs=1, pictures=True), validation=True
    )
    with pytest.raises(
        OSError, match=rf"^train: expected to write {tmp_path / name}, got Is a directory: "
    ):
        run.run(lambda _: None, progress=False)


def test_what_a_killed_run_had_half_written_is_removed(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        training(parts, tmp_path, "torch").run(Interrupter(after=1), progress=False)
    for name in ("best.pt", "model.pt", "checkpoint.pt", "config.yaml"):
        (tmp_path / f".partial-{name}").write_bytes(b"half of it")
    (tmp_path / ".partial-mine").write_bytes(b"of somebody else")
    resumed = training(parts, tmp_path, "torch")
    resumed.resume()
    resumed.run(lambda _: None, progress=False)
    assert [path.name for path in tmp_path.glob(".*")] == [".partial-mine"]


def test_only_the_same_run_can_be_resumed(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError, match=r"resume: expected a checkpoint at .*, got none"):
        training(parts, tmp_path, "torch").resume()
    training(parts, tmp_path, "torch").run(lambda _: None, progress=False)
    with pytest.raises(ValueError, match=r"resume: lr: expected 0.01 as in .*, got 0.1"):
        training(parts, tmp_path, "torch", lr=0.1).resume()


@pytest.mark.parametrize("place", ["rows", "tally"])
def test_a_checkpoint_with_the_metrics_of_another_version_is_refused(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path, place: str
) -> None:
    training(parts, tmp_path, "torch").run(lambda _: None, progress=False)
    path = tmp_path / checkpoint.CHECKPOINT
    saved = checkpoint.load(path)
    saved["settings"].pop("lr")  # another version has other options too
    for fields in saved["rows"] if place == "rows" else [saved["epoch"]["tally"]]:
        fields["gradients"] = fields.pop("dropped_gradients")
    checkpoint.save(path, saved)
    sentence = (
        f"resume: expected the metrics of this version of popsnn in {path}, got those of another "
        "one (dropped_gradients, gradients): start a new run"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        training(parts, tmp_path, "torch").resume()


def test_a_last_test_batch_may_be_smaller_than_the_replicas(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    train, test = parts
    test = test.subset(range(26))  # a batch of 25, and one sample for four replicas
    run = training((train, test), tmp_path, "ipu")
    run.net.device = parse("host:replicas=4")
    got = run.run(lambda _: None, False)
    assert got["epochs"] == EPOCHS
    run.net.backend = "torch"
    assert got["test_accuracy"] == pytest.approx(run._accuracy(test), abs=1.5 / 26)


def test_batch_larger_than_the_dataset(
    parts: tuple[SpikeDataset, SpikeDataset], tmp_path: Path
) -> None:
    net = nn.SNN(nn.SparseLIF(64, 4), nn.LI(4, 10), backend="torch")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    with pytest.raises(ValueError, match=r"Training: batch_size: expected 1..130, got 131"):
        Training(net, optimizer, *parts, tmp_path, Recipe(epochs=1, batch_size=131))
