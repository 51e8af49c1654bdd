from __future__ import annotations

import importlib
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from popsnn import data, training
from popsnn.data import SpikeDataset, SpikeLists
from popsnn.training import checkpoint, run
from popsnn.training.run import chosen

files: Any = importlib.import_module("tests.python.data.tonic_files")
SMALL: dict[str, Any] = {
    "backend": "torch", "hidden": [16], "steps": 4, "epochs": 2, "pictures": False,
}  # fmt: skip


def test_the_folder_alone_is_enough_to_go_on(tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    whole = training.train("digits", progress=False, **SMALL, out=str(tmp_path / "whole"))

    def interrupt(_: training.EpochMetrics) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training.train("digits", report=interrupt, progress=False, **SMALL, out=out)
    seen: list[training.EpochMetrics] = []
    resumed = training.train(resume=True, report=seen.append, progress=False, out=out)
    assert [row.epoch for row in seen] == [2]
    assert resumed["test_accuracy"] == whole["test_accuracy"]
    assert resumed["settings"]["hidden"] == [16]
    with pytest.raises(ValueError, match=r"resume: lr: expected 0.01 as in .*, got 0.1"):
        training.train(resume=True, progress=False, out=out, lr=0.1)


def interrupted(out: Path) -> None:
    """Leave a run that is cut off after its first epoch."""

    def interrupt(_: training.EpochMetrics) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training.train("digits", report=interrupt, progress=False, **SMALL, out=str(out))


def test_a_resumed_run_is_as_its_checkpoint_says(tmp_path: Path) -> None:
    interrupted(tmp_path / "run")
    (tmp_path / "run" / "config.yaml").write_text("out: elsewhere\nhidden: [17]\n")
    (tmp_path / "run").rename(tmp_path / "moved")
    asked = chosen(None, None, {"out": str(tmp_path / "moved")}, resume=True)
    assert asked.hidden == (16,)
    assert asked.out == str(tmp_path / "moved")


def test_the_settings_of_another_training_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    state: dict[str, Any] = {"net": {}, "optimizer": {}, "rows": [], "epoch": {}}
    checkpoint.save(path, {**state, "settings": {"speed": 3}})
    with pytest.raises(
        ValueError, match=rf"^resume: {path}: expected an option of popsnn train, got 'speed'$"
    ):
        training.train(resume=True, out=str(tmp_path))
    checkpoint.save(path, {**state, "settings": {"dataset": "fsdd"}})
    with pytest.raises(
        ValueError, match=rf"^train: dataset: expected 'fsdd' as in {path}, got 'digits'$"
    ):
        training.train("digits", resume=True, out=str(tmp_path))


def test_each_process_resumes_on_its_own_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checkpoint is of the first process, whose GPU is another one."""
    network, first = run.build.network, {"device": "cuda:0"}
    monkeypatch.setattr(
        run.build, "network", lambda config, *rest: network(replace(config, device="host"), *rest)
    )
    monkeypatch.setattr(run, "started_by_torchrun", lambda: True)
    monkeypatch.setattr(run, "_for_this_process", lambda config: replace(config, **first))
    interrupted(tmp_path)
    first["device"] = "cuda:1"
    training.train(resume=True, progress=False, out=str(tmp_path))
    assert training.read(tmp_path / "config.yaml")["device"] == "host"


def test_a_part_is_kept_to_validate() -> None:
    config = training.merged("digits", None, {"steps": 4, "validation": 0.2, "drop": 0.1})
    parts = training.datasets(config)
    assert parts.validation is not None
    assert (len(parts.train), len(parts.validation), len(parts.test)) == (1150, 287, 360)
    assert parts.train.augment == data.Augment(drop=0.1)
    assert parts.validation.augment is None
    both = {*parts.train._numbers, *parts.validation._numbers}
    assert len(both) == 1437
    with pytest.raises(ValueError, match=r"train: validation: expected 1..1436 of 1437 samples"):
        training.datasets(training.merged("digits", None, {"steps": 4, "validation": 1e-5}))


def spoken(count: int) -> SpikeDataset:
    """Return samples of 700 channels over 5 steps: which 70 of them fire says the class."""
    sample, step, neuron = (axis.reshape(-1) for axis in np.indices((count, 5, 70), np.int32))
    columns = (sample, step, sample % 10 * 70 + neuron)
    labels = torch.from_numpy(np.arange(count) % 10)
    return SpikeDataset(SpikeLists.from_events(columns, count, 5, (1, 1, 700)), labels, 10)


def test_recurrent_layers_train_on_every_engine(engine: str, tmp_path: Path) -> None:
    with mock.patch.object(data, "fsdd", return_value=(spoken(60), spoken(20))) as fsdd:
        summary = training.train(
            "fsdd", progress=False, backend=engine, data="there.zip", held_out="theo", steps=5,
            hidden=[16], epochs=8, batch_size=20, out=str(tmp_path), lr=0.02, pictures=False,
            weight_dtype="float16", device_update=engine == "ipu", shift=0,
        )  # fmt: skip
    fsdd.assert_called_once_with(
        steps=5, path="there.zip", dt=0.02, downsample=1.0, workers=0, held_out="theo"
    )
    assert summary["engine"] == engine
    assert json.loads((tmp_path / "summary.json").read_text()) == summary
    assert summary["train_accuracy"] > 0.5
    asked = chosen(None, None, {"out": str(tmp_path)}, resume=True)
    assert asked.settings() == summary["settings"]  # also the dataset is the folder's


def camera(label: int, number: int) -> list[tuple[int, int, int, int]]:
    """Return events (us, x, y, p) in a row of the label."""
    return [(t, 3 * t % 32, 12 * label + number % 2, t % 2) for t in range(40)]


def write_small(name: str, folder: Path) -> None:
    """Write six recordings of two classes for each set that the dataset has, one for validation."""
    labels = [0, 1] * 3
    rows = [camera(label, number) for number, label in enumerate(labels)]
    classes = {0: rows[::2], 1: rows[1::2]}
    if name in ("shd", "ssc"):
        heard = [[(t, 10 * y) for t, _, y, _ in events] for events in rows]
        files.write_shd(folder, "train", heard, labels, name)
        files.write_shd(folder, "valid", heard[1:2], labels[1:2], name)
        files.write_shd(folder, "test", heard, labels, name)
    elif name == "nmnist":
        for split in ("train", "test"):
            files.write_nmnist(folder, split, classes)
    elif name == "dvsgesture":
        named = {f"user{number}_led/{label}": rows[number] for number, label in enumerate(labels)}
        for split in ("Train", "Test"):
            files.write_dvsgesture(folder, split, named)
    elif name == "ncaltech101":
        files.write_ncaltech101(folder, {f"class{label}": of for label, of in classes.items()})
    else:
        pytest.importorskip("aedat")
        kinds = {"cat": classes[0], "dog": classes[1]}
        files.write_cifar10dvs(folder, {kind: dict(enumerate(of)) for kind, of in kinds.items()})


@pytest.mark.parametrize(
    ("name", "classes", "samples"),
    [
        ("shd", 20, (6, None, 6)),
        ("ssc", 35, (6, 1, 6)),
        ("nmnist", 10, (6, None, 6)),
        ("ncaltech101", 101, (4, None, 2)),
        ("dvsgesture", 11, (6, None, 6)),
        ("cifar10dvs", 10, (4, None, 2)),
    ],
)
def test_datasets_of_tonic_train(
    name: str,
    classes: int,
    samples: tuple[Any, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("POPSNN_CACHE_DIR", str(tmp_path / "cache"))
    files.small_is_enough(monkeypatch)
    write_small(name, tmp_path)
    for read in (data.ncaltech101, data.cifar10dvs):  # a tenth of three recordings is none
        monkeypatch.setattr(data, read.__name__, partial(read, test_fraction=0.3))
    options = {
        **SMALL, "data": str(tmp_path), "out": str(tmp_path / "run"), "batch_size": 2, "warmup": 0,
        "downsample": 8,
    }  # fmt: skip
    parts = training.datasets(training.merged(name, None, options))
    assert tuple(part and len(part) for part in parts) == samples
    assert {part.classes for part in parts if part} == {classes}
    summary = training.train(name, progress=False, **options)
    assert summary["settings"]["dataset"] == name
    assert (summary["validation_accuracy"] is None) == (samples[1] is None)


def test_a_gpu_wants_an_engine_that_runs_there(tmp_path: Path) -> None:
    config = training.merged("digits", None, {"backend": "ipu", "device": "cuda:0"})
    with pytest.raises(ValueError, match=r"train: device: expected 'cuda:0' with the engine torch"):
        training.network(config, 64, 10)
