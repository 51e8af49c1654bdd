from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import torch

from popsnn import data, nn, training
from popsnn.cuda import Adam, AdamW
from popsnn.data import Binning
from popsnn.nn.engine import PRECISIONS
from popsnn.training.config import CONFIGS, DATA_OPTIONS, write

SENSORS = {
    "fsdd": (700, 1, 1), "shd": (700, 1, 1), "ssc": (700, 1, 1), "nmnist": (34, 34, 2),
    "ncaltech101": (240, 180, 2), "dvsgesture": (128, 128, 2), "cifar10dvs": (128, 128, 2),
}  # fmt: skip
CLASSES = {
    "digits": 10, "randman": 10, "fsdd": 10, "shd": 20, "ssc": 35, "nmnist": 10,
    "ncaltech101": 101, "dvsgesture": 11, "cifar10dvs": 10,
}  # fmt: skip
PUBLISHED = {
    "nmnist-published": [2312, 1466, 1466, 10],
    "shd-published": [700, 1462, 1460, 20],
    "dvsgesture-published": [4608, 1466, 1464, 11],
}


def inputs_of(config: training.Config) -> int:
    if config.dataset in SENSORS:
        binning = Binning(config.steps, config.dt, config.downsample or 1)
        planes, height, width = binning.grid(SENSORS[config.dataset])
        return planes * height * width
    return {"digits": 64, "randman": 20}[config.dataset]


@pytest.mark.parametrize("name", training.shipped())
def test_shipped_configurations_make_their_networks(name: str) -> None:
    config = training.merged(None, name, {"backend": "torch"})
    assert hasattr(data, config.dataset)
    net = training.network(config, inputs_of(config), CLASSES[config.dataset])
    sizes = [net.in_features, *(layer.out_features for layer in net.stack)]
    assert sizes[1:-1] == list(config.hidden)
    assert sizes == PUBLISHED.get(name, sizes)
    assert isinstance(net.stack[-1], nn.LI) == (config.readout != "rate")
    training.optimizer(config, net)
    assert config.out == f"runs/{name}"


def test_a_captured_step_has_an_optimizer_that_reads_its_rate() -> None:
    net = nn.SNN(nn.SparseLIF(3, 4), nn.LI(4, 2))
    for decay, kind in ((0.0, Adam), (0.1, AdamW)):
        options = {"backend": "cuda", "capture": True, "weight_decay": decay, "lr": 0.25}
        made = training.optimizer(training.merged("digits", None, options), net)
        (group,) = made.param_groups
        assert type(made) is kind
        assert group["capturable"]
        assert torch.equal(group["lr"], torch.tensor(0.25))
        assert group["weight_decay"] == decay


def test_every_dataset_has_a_configuration() -> None:
    for name in DATA_OPTIONS:
        assert training.merged(name, None, {}).dataset == name


def test_a_file_goes_over_the_shipped_one_and_options_over_both(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("dataset: digits\nlr: 1e-3\nepochs: 7\nhidden: [8, 9]\n")
    config = training.merged(None, path, {"epochs": 3})
    assert (config.lr, config.epochs, config.hidden) == (1e-3, 3, (8, 9))
    assert config.batch_size == 60  # of the shipped one
    write(config, path)
    assert training.merged(None, path, {}) == config


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"epochs": 0}, r"train: epochs: expected a whole number from 1 on, got 0"),
        ({"epochs": 1.5}, r"train: epochs: expected a whole number from 1 on, got 1.5"),
        ({"lr": "fast"}, r"train: lr: expected a positive number, got 'fast'"),
        ({"lr": float("nan")}, r"train: lr: expected a positive number, got nan"),
        ({"hidden": []}, r"train: hidden: expected whole numbers from 1 on, got \[\]"),
        ({"recurrent": 1}, r"train: recurrent: expected true or false, got 1"),
        ({"readout": "sum"}, r"train: readout: expected one of mean, max, rate, step, got 'sum'"),
        ({"truncate": 4}, r"^train: truncate: expected the readout step, whose .*, got 'mean'$"),
        ({"truncate": 0}, r"^train: truncate: expected a whole number from 1 on or none, got 0$"),
        ({"update_chunks": True}, r"^train: update_chunks: expected truncate, the steps of a chu"),
        (
            {"truncate": 4, "readout": "step", "capture": True, "backend": "cuda"},
            r"^train: capture: expected no truncate, since a graph holds one chunk, got 4$",
        ),
        (
            {"truncate": 4, "readout": "step", "device_update": True},
            r"^train: truncate: expected update_chunks while the device updates the weights, which "
            r"adds up no gradients$",
        ),
        (
            {"max_activity": 0},
            r"train: max_activity: expected a number in \(0, 1\] or auto or none, got 0",
        ),
        (
            {"max_activity": "car"},
            r"train: max_activity: expected a number in \(0, 1\] or auto or none, got 'car'",
        ),
        ({"max_drops": [0.1]}, r"train: max_drops: expected two numbers in \[0, 1\) or none, got"),
        (
            {"max_activity": 0.1, "max_drops": [0.1, 0.2]},
            r"train: max_drops: expected none where max_activity is not auto, got \[0.1, 0.2\]",
        ),
        ({"dt": 0.1}, r"train: dt: expected none for the dataset digits, got 0.1"),
        ({"warmup": 20}, r"train: warmup: expected fewer than the 20 epochs, got 20"),
        ({"grad_threshold_start": 0.8}, r"train: grad_threshold_start: expected at most .* 0.7, "),
        (
            {"homeostasis": 1.0},
            r"^train: homeostasis: expected a number in \(0, 1\) or none, got 1.0$",
        ),
        (
            {"homeostasis": 0.02, "learn_threshold": True},
            r"^train: homeostasis: expected none where thresholds are learnt \(learn_threshold\), "
            r"got 0.02$",
        ),
        ({"activity_schedule": "step"}, r"^train: activity_schedule: expected one of linear, cos"),
        ({"patience": 3}, r"train: patience: expected a validation set .*, got none"),
        ({"device_update": True, "clip": 1.0}, r"train: clip: expected none while the device "),
    ],
)
def test_options_out_of_range(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        training.merged("digits", None, options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"truncate": -5}, "truncate: expected a whole number from 1 on or none, got -5"),
        ({"truncate": 2.5}, "truncate: expected a whole number from 1 on or none, got 2.5"),
        ({"readout": "steps"}, "readout: expected one of mean, max, rate, step, got 'steps'"),
        ({"batch_size": True}, "batch_size: expected a whole number from 1 on, got True"),
    ],
)
def test_options_of_a_recipe_out_of_range(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^train: {sentence}$"):
        training.Recipe(**options)


def test_a_dataset_with_a_validation_set_holds_none_back() -> None:
    assert training.merged("ssc", None, {"patience": 3}).validation == 0
    with pytest.raises(
        ValueError,
        match=r"^train: validation: expected 0 for the dataset ssc, which has a validation set, "
        r"got 0.1$",
    ):
        training.merged("ssc", None, {"validation": 0.1})


def test_files_that_are_no_configurations(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"train: config: expected a file or one of .*fsdd"):
        training.read("nowhere.yaml")
    path = tmp_path / "mine.yaml"
    for text, sentence in (
        ("a: [", r"train: config: .*mine.yaml: expected YAML, got while parsing"),
        ("- 1", r"train: config: .*mine.yaml: expected a mapping of options, got \[1\]"),
        (
            "speed: 3",
            r"train: config: .*mine.yaml: expected an option of popsnn train, got 'speed'",
        ),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=sentence):
            training.read(path)
    path.write_text("dataset: fsdd")
    with pytest.raises(ValueError, match=r"train: dataset: expected 'fsdd' as in .*, got 'digits'"):
        training.merged("digits", path, {})
    with pytest.raises(
        ValueError, match=r"train: dataset: expected one of digits, .*, got 'mnist'"
    ):
        training.merged("mnist", None, {})
    with pytest.raises(ValueError, match=r"train: data: expected the folder .* shd, got none"):
        training.merged("shd", None, {"data": None})


def test_shipped_files_hold_options_alone() -> None:
    names = {field.name for field in fields(training.Config)}
    for path in CONFIGS.glob("*.yaml"):
        assert set(training.read(path)) <= names


def test_a_network_has_the_precision_of_its_configuration() -> None:
    for precision in PRECISIONS:
        config = training.merged("digits", None, {"precision": precision})
        assert training.network(config, 4, 2).precision == precision
    sentence = "train: precision: expected one of float32, tf32, got 'half'"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        training.merged("digits", None, {"precision": "half"})
