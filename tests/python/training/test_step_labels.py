"""A training with labels at every step: metrics, chunks, processes, and a resumed run."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Optional

import pytest
import torch
from tests.python.training.test_ranks import in_two_processes

from popsnn import SpikeTensor, neurons, nn, optim
from popsnn.data import SpikeDataset
from popsnn.training import EpochMetrics, Recipe, Training

T, N, CLASSES = 12, 12, 3
RECIPE = Recipe(epochs=2, batch_size=8, readout="step", truncate=5, seed=2, pictures=False)
MEASURED = ("samples_per_second", "seconds")


def signals(samples: int, seed: int) -> SpikeDataset:
    """Return samples whose class, a third of the neurons, changes at a random step."""
    generator = torch.Generator().manual_seed(seed)
    with torch.device("cpu"):
        before, after = torch.randint(0, CLASSES, (2, samples, 1), generator=generator)
        change = torch.randint(1, T, (samples, 1), generator=generator)
        labels = torch.where(torch.arange(T) < change, before, after)
        rate = torch.where(torch.arange(N) // 4 == labels[..., None], 0.6, 0.05)
        x = torch.rand(rate.shape, generator=generator) < rate
        # Samples end at different steps, so that processes have different numbers of labels.
        end = torch.randint(3, T + 1, (samples, 1), generator=generator)
        labels = labels.masked_fill(torch.arange(T) >= end, -100)
        return SpikeDataset(SpikeTensor.from_dense(x.transpose(0, 1).float()), labels, CLASSES)


def training(
    out: Path, engine: str, recipe: Recipe = RECIPE, *, on_device: bool = False
) -> Training:
    torch.manual_seed(0)
    hidden = nn.SparseNeurons(
        N, 16, neurons.AdaptiveLIF(), recurrent=True, max_activity=0.5, grad_threshold=0.3
    )
    net = nn.SNN(hidden, nn.SparseLI(16, CLASSES, beta=0.7), backend=engine)
    on_host = torch.optim.Adam(net.parameters(), lr=0.03)
    optimizer = optim.Adam(net, lr=0.03) if on_device else on_host
    return Training(net, optimizer, signals(40, 0), signals(13, 1), out, recipe)


def comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in MEASURED} for row in rows]


@pytest.mark.parametrize("on_device", [False, True])
def test_chunks_without_a_label_change_no_weight(
    tmp_path: Path, engine: str, on_device: bool
) -> None:
    """Momentum would, though their gradient is 0."""
    if on_device and engine != "ipu":
        pytest.skip(f"engine {engine} has no optimizers of its own")
    weights: list[list[torch.Tensor]] = []
    for end in (5, T):
        recipe = replace(RECIPE, epochs=1, batch_size=40, update_chunks=True)
        made = training(tmp_path / str(end), engine, recipe, on_device=on_device)
        every = torch.arange(T, device="cpu")
        labels = made.train.labels.clamp_min(0).masked_fill(every >= 5, -100)
        spikes = made.train.spikes if end == T else made.train.spikes[:end]
        labels = labels[:, :end]
        made.train = SpikeDataset(spikes, labels, CLASSES)
        made.run(lambda _: None, progress=False)
        weights.append([p.detach().clone() for p in made.net.parameters()])
    assert all(map(torch.equal, *weights))


@pytest.mark.parametrize("kind", ["one update", "an update a chunk", "the device's updates"])
def test_a_cut_off_training_goes_on_to_the_same_numbers(
    tmp_path: Path, engine: str, kind: str
) -> None:
    on_device = kind == "the device's updates"
    if on_device and engine != "ipu":
        pytest.skip(f"engine {engine} has no optimizers of its own")
    recipe = replace(RECIPE, update_chunks=kind != "one update")
    whole = training(tmp_path / "whole", engine, recipe, on_device=on_device)
    summary = whole.run(lambda _: None, progress=False)

    def interrupt(row: EpochMetrics) -> None:
        if row.epoch == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training(tmp_path / "cut", engine, recipe, on_device=on_device).run(interrupt, False)
    resumed = training(tmp_path / "cut", engine, recipe, on_device=on_device)
    assert resumed.resume() == 1
    resumed.run(lambda _: None, progress=False)
    assert comparable(resumed.rows) == comparable(whole.rows)
    for name, value in whole.net.state_dict().items():
        assert torch.equal(resumed.net.state_dict()[name], value), name
    assert whole.rows[-1]["loss"] < whole.rows[0]["loss"]
    assert sum(map(sum, summary["confusion"])) == whole.test.labelled


def test_accuracies_are_fractions_of_the_labelled_steps(tmp_path: Path, engine: str) -> None:
    run = training(tmp_path, engine, replace(RECIPE, epochs=8, truncate=6))
    summary = run.run(lambda _: None, progress=False)
    net = copy.deepcopy(run.net).eval()
    net.backend = "torch"
    right = counted = 0
    confusion = [[0] * CLASSES for _ in range(CLASSES)]
    for sample in range(len(run.test)):
        spikes, labels = run.test[sample]
        with torch.no_grad():
            answers = net.cpu()(spikes)[:, 0].argmax(-1).tolist()
        for label, answer in zip(torch.as_tensor(labels)[:, 0].tolist(), answers):
            if label != -100:
                counted += 1
                right += label == answer
                confusion[label][answer] += 1
    # The dropped spikes of a sample depend on its number in the batch, which is 0 here.
    assert summary["test_accuracy"] == pytest.approx(right / counted, abs=0.03)
    total = sum(map(sum, summary["confusion"]))
    assert (total, counted) == (run.test.labelled, run.test.labelled)
    of_classes = [sum(row) for row in confusion]
    assert [sum(row) for row in summary["confusion"]] == of_classes
    assert summary["test_accuracy"] > 0.15 + max(of_classes) / total
    assert run.rows[-1]["train_accuracy"] > 0.6


def test_evaluation_in_chunks_is_that_of_the_whole(tmp_path: Path, engine: str) -> None:
    run = training(tmp_path, engine)
    chunked = run._confusion(run.test)
    run.recipe = replace(RECIPE, truncate=None)
    assert torch.equal(run._confusion(run.test), chunked)


def weights_of(out: Path, **options: Any) -> dict[str, Any]:
    run = training(out, "torch", replace(RECIPE, epochs=1, **options))
    # Without a capacity a sample's number in its batch has no effect.
    for layer in run.net.stack[:-1]:
        layer.max_activity = None
    run.optimizer = run._trainer.optimizer = torch.optim.SGD(run.net.parameters(), lr=0.1)
    run.run(lambda _: None, progress=False)
    rows = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    return {
        "weights": [value.tolist() for value in run.net.parameters()],
        **{name: rows[0][name] for name in ("loss", "train_accuracy", "test_accuracy")},
    }


@pytest.mark.skipif(
    torch.cuda.is_available(), reason="a process that has used a GPU cannot be forked"
)
@pytest.mark.parametrize("truncate", [None, 5])
@pytest.mark.parametrize("update_chunks", [False, True])
def test_two_processes_with_other_numbers_of_labels_train_as_one(
    tmp_path: Path, truncate: Optional[int], update_chunks: bool
) -> None:
    if truncate is None and update_chunks:
        pytest.skip("no chunks")
    options = {"truncate": truncate, "update_chunks": update_chunks}
    alone = weights_of(tmp_path / "one", **options)

    def train() -> None:
        together = weights_of(tmp_path / "two", **options)
        for value, other in zip(together["weights"], alone["weights"]):
            torch.testing.assert_close(torch.tensor(value), torch.tensor(other), rtol=0, atol=1e-6)
        assert together["loss"] == pytest.approx(alone["loss"], rel=1e-6)
        assert together["train_accuracy"] == alone["train_accuracy"]
        assert together["test_accuracy"] == alone["test_accuracy"]

    in_two_processes(train)


def test_files_and_pictures_of_a_run(tmp_path: Path) -> None:
    run = training(tmp_path, "torch", replace(RECIPE, epochs=1, pictures=True))
    run.run(lambda _: None, progress=False)
    assert (tmp_path / "raster.png").is_file()
    assert (tmp_path / "membranes.png").is_file()


def test_readouts_and_labels_that_do_not_fit(tmp_path: Path) -> None:
    run = training(tmp_path, "torch")
    net, optimizer, train, test = run.net, run.optimizer, run.train, run.test
    sentence = "Training: readout: expected 'step' for train with a label at every step, got 'mean'"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Training(net, optimizer, train, test, tmp_path, Recipe(batch_size=8))
    labels = torch.full((len(test), T), -100)
    none = SpikeDataset(test.spikes, labels, CLASSES)
    sentence = "Training: test: expected a step with a label, got -100 at all"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Training(net, optimizer, train, none, tmp_path, RECIPE)
    on_device = training(tmp_path, "ipu", replace(RECIPE, update_chunks=True), on_device=True)
    sentence = (
        "Training: truncate: expected update_chunks=True with an optimizer of the device, which "
        "adds up no gradients, got False"
    )
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Training(on_device.net, on_device.optimizer, train, test, tmp_path, RECIPE)
    few = nn.SNN(nn.SparseLIF(N, 4), nn.SparseLI(4, 2), backend="torch")
    sentence = "Training: net: expected an output for each of the 3 classes of train, got 2"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Training(few, optimizer, train, test, tmp_path, RECIPE)
    spiking = nn.SNN(nn.SparseLIF(N, CLASSES), backend="torch")
    with pytest.raises(ValueError, match="net: expected a SparseLI as its last layer for the rea"):
        Training(spiking, optimizer, train, test, tmp_path, RECIPE)
