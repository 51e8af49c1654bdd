"""Finished runs: evaluated, loaded, started from, and gone on with."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data, nn, training
from popsnn.training import Recipe, Training, checkpoint

# Capacities so small that spikes are dropped: who is dropped depends on the calls so far.
SMALL: dict[str, Any] = {
    "backend": "torch", "hidden": [16], "steps": 4, "epochs": 3, "pictures": False,
    "max_activity": 0.2, "validation": 0.2,
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "digits"
    training.train("digits", progress=False, out=str(out), **SMALL)
    return out


def summary_of(out: Path) -> Any:
    return json.loads((out / "summary.json").read_text())


def test_an_evaluation_gives_the_run_s_numbers(run: Path) -> None:
    summary = summary_of(run)
    result = training.evaluate(run)
    assert result["test_accuracy"] == summary["test_accuracy"]
    assert result["confusion"] == summary["confusion"]
    assert (result["samples"], result["dataset"]) == (360, "digits")
    assert result["dropped_spikes"] > 0
    assert result["spikes_per_sample"] == result["spikes"] / 360
    assert result["activity"] == pytest.approx(result["spikes"] / (360 * 4 * 16))
    assert training.evaluate(run / "model.pt")["confusion"] == summary["confusion"]


def test_an_evaluation_on_another_engine(run: Path, engine: str) -> None:
    result = training.evaluate(str(run), backend=engine)
    assert result["engine"] == engine
    assert result["test_accuracy"] == pytest.approx(summary_of(run)["test_accuracy"], abs=0.01)


def test_a_loaded_network_is_the_trained_one(run: Path, engine: str) -> None:
    net = training.load(run, backend=engine)
    assert net.engine == engine
    assert not net.training
    saved = checkpoint.read(run / "model.pt", "model")
    for name, value in net.state_dict().items():
        assert torch.equal(value.cpu(), saved["state_dict"][name]), name
    assert training.load(run).state_dict().keys() == saved["state_dict"].keys()


def test_a_run_starts_from_another_one_s_weights(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "finer"
    options = {**SMALL, "out": str(out), "init": str(run), "seed": 7, "lr": 1e-4}
    config = training.merged("digits", None, options)
    made = training.prepare(config)
    saved = checkpoint.read(run / "model.pt", "model")["state_dict"]
    for name, value in made.net.state_dict().items():
        assert torch.equal(value, saved[name]) == (name != "_calls"), name
    assert int(made.net._calls) == 0
    summary = made.run(lambda _: None, progress=False)
    first = json.loads((out / "metrics.jsonl").read_text().splitlines()[0])
    assert first["train_accuracy"] > 0.5
    assert summary["settings"]["init"] == str(run)
    # What it began with is not needed to go on with it.
    more = {**options, "init": str(run), "epochs": 4}
    assert training.train("digits", progress=False, resume=True, **more)["epochs"] == 4


def test_a_run_with_homeostasis_starts_from_one_without(run: Path, tmp_path: Path) -> None:
    options = {**SMALL, "out": str(tmp_path), "init": str(run), "homeostasis": 0.05}
    made = training.prepare(training.merged("digits", None, options))
    saved = checkpoint.read(run / "model.pt", "model")["state_dict"]
    assert torch.equal(made.net.stack[0].weight, saved["layers.0.weight"])
    assert torch.equal(made.net.state_dict()["layers.0.threshold"], torch.ones(16))


def test_more_epochs_go_on_by_their_schedule(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = {**SMALL, "validation": 0.0, "out": str(out)}
    training.train("digits", progress=False, **options)
    (out / "raster.png").touch()
    weights = checkpoint.load(out / "checkpoint.pt")["net"]
    before = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    rows: list[training.EpochMetrics] = []

    def report(row: training.EpochMetrics) -> None:
        for name in ("summary.json", "model.pt", "raster.png"):  # of the run that had ended
            assert not (out / name).exists()
        rows.append(row)

    config = training.run.chosen(None, None, {"out": str(out), "epochs": 6}, True)
    made = training.prepare(config, resume=True)
    for name, value in made.net.state_dict().items():
        assert torch.equal(value, weights[name]), name
    summary = made.run(report, progress=False)
    assert [row.epoch for row in rows] == [4, 5, 6]
    assert [row.learning_rate for row in rows] == pytest.approx([0.005, 0.0025, 0.01 * 0.0669873])
    assert made.rows[:3] == before
    assert (summary["epochs"], summary["settings"]["epochs"]) == (6, 6)
    assert training.read(out / "config.yaml")["epochs"] == 6
    path = out / "checkpoint.pt"
    sentence = f"resume: epochs: expected at least 6 as in {path}, got 5"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        training.train(resume=True, progress=False, out=str(out), epochs=5)
    again = training.train(resume=True, progress=False, out=str(out))
    assert again["test_accuracy"] == summary["test_accuracy"]


def test_more_epochs_of_the_same_objects_begin_at_the_first_rates(
    run: Path, tmp_path: Path
) -> None:
    train, test = data.digits(steps=2)
    net = nn.SNN(nn.SparseLIF(64, 8), nn.SparseLI(8, 10), backend="torch")
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    recipe = Recipe(epochs=2, batch_size=300, pictures=False)
    Training(net, optimizer, train, test, tmp_path, recipe).run(lambda _: None, progress=False)
    rates: list[float] = []
    more = Training(net, optimizer, train, test, tmp_path, replace(recipe, epochs=4))
    assert more.resume() == 2
    more.run(lambda row: rates.append(row.learning_rate), progress=False)
    assert rates == pytest.approx([0.005, 0.00146447], rel=1e-4)


def test_a_run_that_ran_out_of_patience_takes_no_more_epochs(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = {**SMALL, "lr": 1e-12, "patience": 1, "epochs": 30, "out": str(out)}
    done = training.train("digits", progress=False, **options)["epochs"]
    assert done < 30
    path = out / "checkpoint.pt"
    sentence = (
        f"resume: epochs: expected a run that goes on, got {path}, which stopped after {done} "
        "epochs without a better one: --init starts from its weights"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        training.train(resume=True, progress=False, out=str(out), epochs=40)
    assert training.train(resume=True, progress=False, out=str(out))["epochs"] == done


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_gets_one_sentence(run: Path) -> None:
    with pytest.raises(
        RuntimeError,
        match=r"^train: device: expected a GPU that torch can use for 'cuda:0', got none$",
    ):
        training.load(run, backend="torch", device="cuda:0")


def test_what_is_no_finished_run_gets_one_sentence(run: Path, tmp_path: Path) -> None:
    def refused(kind: Any, sentence: str, call: Any) -> None:
        with pytest.raises(kind, match=f"^{re.escape(sentence)}$"):
            call()

    nowhere, empty = tmp_path / "nowhere", tmp_path / "empty"
    empty.mkdir()
    for name, call in (
        ("eval", training.evaluate),
        ("load", training.load),
        ("train: init", lambda path: training.train(init=str(path), out=str(tmp_path / "new"))),
    ):
        sentence = f"{name}: expected the folder of a run, got '{nowhere}'"
        refused(FileNotFoundError, sentence, lambda call=call: call(nowhere))
        sentence = f"{name}: expected the model.pt of a finished run at {empty}/model.pt, got none"
        refused(FileNotFoundError, sentence, lambda call=call: call(empty))
    path = run / "model.pt"
    small = {**SMALL, "hidden": [17], "out": str(tmp_path / "new"), "init": str(run)}
    refused(
        ValueError,
        "train: init: layers.0.bias: expected shape (17,) as the network has it, got (16,) in "
        f"{path}",
        lambda: training.train("digits", **small),
    )
    assert not (tmp_path / "new").exists()
    small.update(hidden=[16, 16])
    refused(
        ValueError,
        "train: init: layers.1.bias: expected shape (16,) as the network has it, got (10,) in "
        f"{path}",
        lambda: training.train("digits", **small),
    )
    refused(
        ValueError,
        f"eval: dataset: expected 64 neurons as in {path}, got randman with 20",
        lambda: training.evaluate(run, dataset="randman"),
    )
    refused(
        ValueError,
        "eval: expected options among dataset, data, held_out, steps, dt, downsample, workers, "
        "batch_size, backend, device, got 'hidden'",
        lambda: training.evaluate(run, hidden=[3]),
    )


def test_a_network_of_a_script_is_that_script_s(tmp_path: Path) -> None:
    train, test = training.datasets(training.merged("digits", None, {"steps": 4}))[::2]
    net = nn.SNN(nn.SparseLIF(64, 16), nn.SparseLI(16, 10), backend="torch")
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    recipe = Recipe(epochs=1, batch_size=100, pictures=False)
    Training(net, optimizer, train, test, tmp_path, recipe).run(lambda _: None, progress=False)
    sentence = (
        f"load: expected a run of popsnn train, got {tmp_path}/model.pt of training.Training, "
        "whose network a script made: torch.load(...)['state_dict'] has its weights"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        training.load(tmp_path)
    # Another run starts from them where they fit.
    options = {**SMALL, "epochs": 1, "out": str(tmp_path / "next"), "init": str(tmp_path)}
    assert training.train("digits", progress=False, **options)["epochs"] == 1


def test_a_run_with_options_of_another_version(run: Path, tmp_path: Path) -> None:
    saved = checkpoint.read(run / "model.pt", "model")
    changed = {**saved, "settings": {**saved["settings"], "speed": 3}}
    checkpoint.save(tmp_path / "model.pt", changed)
    sentence = f"load: expected options of this version of popsnn in {tmp_path}/model.pt, got speed"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        training.load(tmp_path)
    checkpoint.save(tmp_path / "model.pt", {"state_dict": saved["state_dict"]})
    sentence = f"eval: expected the model.pt of a finished run at {tmp_path}/model.pt, got another"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)} file$"):
        training.evaluate(tmp_path)
    empty = {**saved, "state_dict": {}}
    checkpoint.save(tmp_path / "model.pt", empty)
    with pytest.raises(ValueError, match=r"^load: expected weights of layers in .*, got others$"):
        training.load(tmp_path)
    # Options that came later have the values of the dataset's configuration.
    settings = {name: value for name, value in saved["settings"].items() if name != "truncate"}
    checkpoint.save(tmp_path / "model.pt", {**saved, "settings": settings})
    assert training.evaluate(tmp_path)["confusion"] == summary_of(run)["confusion"]
