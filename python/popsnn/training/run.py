"""From a configuration to a training, and through it."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Union

import torch

from . import build, checkpoint, finished
from .config import CONFIG_FILE, Config, merged, resumed, write
from .loop import Training
from .ranks import local_device, started_by_torchrun
from .report import EpochMetrics

FREE = tuple(field.name for field in fields(Config) if field.metadata["free"])


def train(
    dataset: Optional[str] = None,
    *,
    config: Union[str, Path, None] = None,
    resume: bool = False,
    overwrite: bool = False,
    report: Optional[Callable[[EpochMetrics], None]] = None,
    progress: bool = True,
    **options: Any,
) -> Dict[str, Any]:
    """Train on one of popsnn's datasets, as `popsnn train` does, and return the summary.

    Parameters
    ----------
    dataset : str, optional
        digits, randman, fsdd, shd, ssc, nmnist, ncaltech101, dvsgesture or cifar10dvs; default:
        that of `config`, else digits.
    config : str or Path, optional
        YAML file of options, or the name of one that comes with popsnn (`training.shipped()`).
        What it leaves out is as in the dataset's own.
    resume : bool
        Whether to go on from the checkpoint in the folder of the run. `epochs` may be more than it
        had: the learning rate then follows the schedule of so many epochs from there on.
    overwrite : bool
        Whether to replace an earlier run in that folder, finished or not.
    report : callable, optional
        Gets the metrics of each epoch as it ends.
    progress : bool
        Whether to show a bar on standard error where that is a terminal.
    **options
        Those of `training.Config`, over those of `config`.

    Raises
    ------
    FileNotFoundError, FileExistsError, ValueError, RuntimeError, ImportError
        Where something is missing or does not fit; one sentence each.
    KeyboardInterrupt, FloatingPointError
        As in `Training.run`.
    """
    made = chosen(dataset, config, options, resume)
    training = prepare(made, resume=resume, overwrite=overwrite)
    return training.run(report or (lambda _: None), progress)


def chosen(
    dataset: Optional[str],
    source: Union[str, Path, None],
    options: Dict[str, Any],
    resume: bool,
) -> Config:
    """Return the configuration that is asked for; of a resumed run its checkpoint's, changed."""
    if resume and source is None:
        asked = merged(dataset, None, options) if dataset or "out" not in options else None
        folder = Path(options["out"] if asked is None else asked.out)
        path = folder / checkpoint.CHECKPOINT
        settings = checkpoint.load(path)["settings"]
        return resumed(dataset, settings, path, {**options, "out": str(folder)})
    return merged(dataset, source, options)


def prepare(config: Config, *, resume: bool = False, overwrite: bool = False) -> Training:
    """Return the training of a configuration, its folder ready to begin or to go on."""
    asked = config
    if started_by_torchrun():
        config = _for_this_process(config)
    out = Path(config.out)
    if resume:
        checkpoint.load(out / checkpoint.CHECKPOINT)  # before the data, which may take minutes
    elif config.init is not None:
        finished.check_model(config.init)
    datasets = build.datasets(config)
    net = build.network(config, datasets.train.lists.size, datasets.train.classes)
    if config.init is not None and not resume:
        finished.initialise(net, config.init)
    if net.engine == "ipu":
        # The host does the loss alone: its threads would wait for cores that the device's hold
        # (2.4 against 34 ms a step where something else keeps a core busy).
        torch.set_num_threads(1)
    training = Training(
        net,
        build.optimizer(config, net),
        datasets.train,
        datasets.test,
        out,
        config,
        validation=datasets.validation,
        settings=asked.settings(),
    )
    training.hold()
    try:
        with training.ranks.complete():
            if resume:
                training.resume(FREE)
            else:
                training.start_over(overwrite)
        if training.ranks.first:
            checkpoint.replace(out / CONFIG_FILE, lambda path: write(asked, path))
    except BaseException:
        training.release()
        raise
    return training


def _for_this_process(config: Config) -> Config:
    """Return the configuration with this process' GPU, where the engine runs on one."""
    if config.backend not in ("cuda", "torch"):
        raise ValueError(
            "train: backend: expected cuda or torch where torchrun starts the processes (the ipu "
            f"engine has replicas: device host:replicas=2), got {config.backend!r}"
        )
    if config.backend == "cuda" or config.device.startswith("cuda"):
        return replace(config, device=str(local_device()))
    return config
