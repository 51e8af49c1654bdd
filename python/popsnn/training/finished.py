"""A finished run: its network, its weights for another one, and its evaluation."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Dict, Mapping, NamedTuple, Union

from torch import Tensor

from ..engines import resolve
from ..nn import SNN
from ..nn._sparse_layer import CAPACITY, RATE, THRESHOLD
from . import build, checkpoint, report
from .config import Config, resumed
from .evaluate import accuracy, answers

MODEL = "model.pt"
CALLS = "_calls"  # of a network, which its drop seed hashes
Run = Union[str, Path]

# Options that an evaluation may change: what is read, and what runs it.
OF_DATA = ("data", "held_out", "steps", "dt", "downsample")
CHANGED = ("dataset", *OF_DATA, "workers", "batch_size", "backend", "device")


class Saved(NamedTuple):
    """A run's file, its weights and its options."""

    path: Path
    weights: Dict[str, Tensor]
    settings: Dict[str, Any]


def load(run: Run, *, backend: str = "auto", device: str = "host") -> SNN:
    """Return the network of a finished run of `popsnn train`, with its weights.

    Parameters
    ----------
    run : str or Path
        Its folder, or its model.pt.
    backend, device : str
        As of `training.Config`; those of the run do not count.

    Raises
    ------
    FileNotFoundError
        Where the run has no model.pt, as one that is not finished.
    ValueError
        Where the file is another one, or is of a `Training` whose network a script made.
    """
    saved = _saved("load", run)
    return _network("load", saved, _config("load", saved, {"backend": backend, "device": device}))


def evaluate(run: Run, **changes: Any) -> Dict[str, Any]:
    """Return the results of a finished run of `popsnn train` on its test set.

    Parameters
    ----------
    run : str or Path
        Its folder, or its model.pt.
    **changes
        Options of `training.Config` that differ: dataset, data, held_out, steps, dt, downsample,
        workers, batch_size, backend or device. Of another dataset the options of data that are not
        named are its own; with a `backend` the `device` is "host" by default. A capacity drops
        spikes by a sample's place in its batch, so that another `batch_size` may drop others.

    Raises
    ------
    FileNotFoundError, ValueError
        As of `load`, and where the dataset does not fit the network.
    """
    for name in changes:
        if name not in CHANGED:
            raise ValueError(f"eval: expected options among {', '.join(CHANGED)}, got {name!r}")
    saved = _saved("eval", run)
    if "backend" in changes:
        changes = {"device": "host", **changes}
    config = _config("eval", saved, changes)
    net = _network("eval", saved, config)
    test = build.datasets(config).test
    for what, wanted, got in (
        ("neurons", net.in_features, test.lists.size),
        ("classes", net.out_features, test.classes),
    ):
        if wanted != got:
            raise ValueError(
                f"eval: dataset: expected {wanted} {what} as in {saved.path}, got {config.dataset} "
                f"with {got}"
            )
    result = answers(net, test, config, config.batch_size)
    tally = result.tally
    return {
        "run": str(run),
        "dataset": config.dataset,
        "samples": tally.samples,
        "test_accuracy": accuracy(result.confusion),
        "activity": tally.activity,
        "layer_activity": [fired / max(1, of) for fired, of in zip(tally.fired, tally.cells)],
        "spikes_per_sample": sum(tally.fired) / max(1, tally.samples),
        **tally.counts(),
        "engine": net.engine,
        "device": resolve(net.backend, net).device(net),
        "confusion": result.confusion.tolist(),
        "versions": report.versions(),
    }


def initialise(net: SNN, run: Run) -> None:
    """Give a network the weights of a finished run, and every other learnt parameter.

    Thresholds that homeostasis moves begin with the network's own where the run has none.

    Parameters
    ----------
    net : SNN
    run : str or Path
        Its folder, or its model.pt; of a `Training` too.

    Raises
    ------
    FileNotFoundError
        Where the run has no model.pt.
    ValueError
        Where a name or a shape differs.
    """
    saved = check_model(run)
    _check_fit("train: init", net, saved)
    weights = {name: value for name, value in saved.weights.items() if not _own(name)}
    net.load_state_dict(weights)  # it counts its own calls


def check_model(run: Run) -> Saved:
    """Return what `initialise` takes, or raise what it raises without a network."""
    return _saved("train: init", run)


def _saved(operation: str, run: Run) -> Saved:
    path = Path(run)
    wanted = f"{operation}: expected the {MODEL} of a finished run"
    if not path.exists():
        raise FileNotFoundError(f"{operation}: expected the folder of a run, got '{run}'")
    if path.is_dir():
        path = path / MODEL
    saved = checkpoint.read(path, wanted)
    if not {"state_dict", "settings"} <= set(saved):
        raise ValueError(f"{wanted} at {path}, got another file")
    return Saved(path, saved["state_dict"], saved["settings"])


def _config(operation: str, saved: Saved, changes: Mapping[str, Any]) -> Config:
    """Return a run's options, changed; those of training alone do not count."""
    settings = dict(saved.settings)
    if "dataset" not in settings:
        raise ValueError(
            f"{operation}: expected a run of popsnn train, got {saved.path} of training.Training, "
            f"whose network a script made: torch.load(...)['state_dict'] has its weights"
        )
    dataset = changes.get("dataset", settings["dataset"])
    if dataset != settings["dataset"]:
        settings = {
            name: value
            for name, value in settings.items()
            if name not in (*OF_DATA, "validation", "patience")
        }
    settings.update(dataset=dataset, capture=False, device_update=False, init=None)
    known = {field.name for field in fields(Config)}
    other = sorted(set(settings) - known)
    if other:
        raise ValueError(
            f"{operation}: expected options of this version of popsnn in {saved.path}, got "
            f"{', '.join(other)}"
        )
    return resumed(dataset, settings, saved.path, changes)


def _network(operation: str, saved: Saved, config: Config) -> SNN:
    shapes = [tuple(value.shape) for name, value in saved.weights.items() if _is_weight(name)]
    if not shapes or any(len(shape) != 2 for shape in shapes):
        raise ValueError(f"{operation}: expected weights of layers in {saved.path}, got others")
    net = build.network(config, shapes[0][1], shapes[-1][0])
    _check_fit(operation, net, saved)
    net.load_state_dict(saved.weights)
    return net.eval()


def _own(name: str) -> bool:
    """Return whether an entry is of the network that trained alone: calls, capacities, rates."""
    return name == CALLS or name.endswith((f".{CAPACITY}", f".{RATE}"))


def _is_weight(name: str) -> bool:
    return name.startswith("layers.") and name.endswith(".weight")


def _check_fit(operation: str, net: SNN, saved: Saved) -> None:
    """Raise where weights are not those of a network, name by name and shape by shape."""
    own = net.state_dict()
    begun = {  # those of a run without homeostasis are one number, which no state dict has
        f"layers.{index}.{THRESHOLD}"
        for index, layer in enumerate(net.stack)
        if getattr(layer, "homeostasis", None) is not None
    } - set(saved.weights)
    for name in sorted(name for name in {*own, *saved.weights} - begun if not _own(name)):
        shapes = [
            str(tuple(values[name].shape)) if name in values else "none"
            for values in (own, saved.weights)
        ]
        if shapes[0] != shapes[1]:
            raise ValueError(
                f"{operation}: {name}: expected shape {shapes[0]} as the network has it, got "
                f"{shapes[1]} in {saved.path}"
            )
