"""`popsnn profile`: what a training step would cost on an IPU, modelled."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import torch

from .. import training
from .._internal.files import whole_file
from ..training import checkpoint

if TYPE_CHECKING:
    from ..profiling import Report

WEIGHTS = {"float": None, "half": torch.float16}

EXAMPLES = """examples:
  popsnn profile nmnist-h2
  popsnn profile nmnist-h2 --device bow --max-activity 0.01 --json
  popsnn profile shd-h3 --natural-activity --html shd-h3.html
  popsnn profile dvsgesture-h2 --weights half
  popsnn profile runs/digits/model.pt --device ipu2

presets are the published networks: nmnist-h2 to -h5, shd-h2 to -h5, dvsgesture-h2.
"""


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "profile",
        help="model the cost of a training step on an IPU",
        description="Model the cost of a training step on an IPU: cycles by phase and layer, "
        "exchange, memory, time. The emulated device models it; nothing is measured.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = command.add_argument
    option("model", metavar="MODEL", help="a preset, or the model.pt of a run")
    option(
        "--device",
        default="bow",
        help="ipu2, bow, host, with changes after a colon: bow:ipus=4 (default: %(default)s)",
    )
    option(
        "--max-activity",
        metavar="X",
        type=_fraction,
        help="fraction of a layer's neurons that may spike; presets only (default: 0.05)",
    )
    option("--batch", metavar="N", type=_count, help="samples a step (default: 48)")
    option(
        "--steps",
        metavar="N",
        type=_count,
        default=8,
        help="time steps on the emulated device (default: %(default)s)",
    )
    activity = command.add_mutually_exclusive_group()
    activity.add_argument(
        "--fixed-activity",
        dest="activity",
        action="store_const",
        const="fixed",
        help="every list is full; presets only (default)",
    )
    activity.add_argument(
        "--natural-activity",
        dest="activity",
        action="store_const",
        const="natural",
        help="weights are as the published programs draw them; presets only",
    )
    option(
        "--weights",
        choices=sorted(WEIGHTS),
        help="type of the weights; presets only (default: float)",
    )
    option("--html", metavar="FILE", type=Path, help="write a page with charts")
    option("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Profile, and print the report."""
    from ..profiling.page import page

    report = _report(arguments)
    if arguments.html is not None:
        with whole_file("profile", arguments.html) as partial:
            partial.write_text(page(report), encoding="utf-8")
    if arguments.json:
        print(json.dumps(report.as_dict(), indent=2))
    else:
        print(report.as_text())
    return 0


def _report(arguments: argparse.Namespace) -> Report:
    from .. import profiling

    name = arguments.model
    if name in profiling.PRESETS:
        return profiling.profile_preset(
            name,
            arguments.device,
            max_activity=arguments.max_activity or 0.05,
            activity=arguments.activity or "fixed",
            batch=arguments.batch,
            emulated_steps=arguments.steps,
            weight_dtype=WEIGHTS[arguments.weights or "float"],
        )
    if not Path(name).is_file():
        presets = ", ".join(profiling.PRESETS)
        raise ValueError(f"profile: MODEL: expected a file or one of {presets}, got {name!r}")
    for option in ("max_activity", "activity", "weights"):
        if getattr(arguments, option) is not None:
            raise ValueError(
                f"profile: {option.replace('_', '-')}: expected it with a preset alone, "
                f"got it with {name!r}"
            )
    return profile_run(Path(name), arguments.device, arguments.steps, arguments.batch)


def profile_run(
    model: Path, device: str, emulated_steps: int = 8, batch: Optional[int] = None
) -> Report:
    """Return the profile of a run's network, from its model.pt.

    Raises
    ------
    FileNotFoundError, ValueError
        Where there is no such file, or it is another one.
    """
    from .. import profiling

    saved = _load(model)
    config = training.Config(**saved["settings"])
    train = training.datasets(config).train
    host = replace(config, backend="torch", device="host")
    net = training.network(host, train.lists.size, train.classes)
    net.load_state_dict(saved["state_dict"])
    return profiling.profile(
        net,
        device,
        steps=config.steps,
        batch=batch or config.batch_size,
        input_capacity=train.capacity,
        emulated_steps=emulated_steps,
        title=str(model),
    )


def _load(name: Path) -> Any:
    saved = checkpoint.read(name, "profile: MODEL: expected the model.pt of a run")
    if {"state_dict", "settings"} <= set(saved):
        return saved
    raise ValueError(f"profile: MODEL: expected the model.pt of a run at {name}, got another file")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got {text!r}")
    return int(text)


def _fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a number in (0, 1], got {text!r}")
    return value
