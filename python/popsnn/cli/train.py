"""`popsnn train`: train a preset on a dataset."""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Callable, Dict, List

import torch
from tqdm import tqdm

from .. import data, nn, optim
from ..surrogate import SuperSpike
from ..training import CHECKPOINT, EpochMetrics, Optimizer, Training

EXAMPLES = """examples:
  popsnn train digits
  popsnn train digits --backend torch --hidden 128 128 --epochs 30
  popsnn train digits --out runs/mine --resume

writes to the folder of the run:
  metrics.jsonl  one row an epoch         curves.png     loss, accuracy and activity
  summary.json   result and versions      raster.png     spikes of four test samples
  model.pt       the trained weights      checkpoint.pt  what --resume goes on from
"""

COLUMNS = "epoch    loss   train %   test %   samples/s   activity %   dropped spikes"


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "train",
        help="train a network on a dataset",
        description="Train SparseLIF layers and a leaky readout on a dataset.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = command.add_argument
    option("dataset", choices=["digits"], help="8 x 8 scans that scikit-learn ships, 10 classes")
    option("--backend", default="auto", help="auto, torch or ipu (default: %(default)s)")
    option(
        "--epochs",
        metavar="N",
        type=_count,
        default=20,
        help="passes over the training set (default: %(default)s)",
    )
    option(
        "--batch-size",
        metavar="N",
        type=_count,
        default=60,
        help="samples a step (default: %(default)s)",
    )
    option(
        "--lr",
        metavar="X",
        type=_positive,
        default=0.01,
        help="first learning rate (default: %(default)s)",
    )
    option(
        "--hidden",
        metavar="N",
        type=_count,
        nargs="+",
        default=[256],
        help="neurons of each hidden layer (default: 256)",
    )
    option(
        "--steps",
        metavar="N",
        type=_count,
        default=8,
        help="time steps a sample (default: %(default)s)",
    )
    option(
        "--seed",
        metavar="N",
        type=_seed,
        default=0,
        help="weights, order, drops (default: %(default)s)",
    )
    option("--device", default="host", help="what the ipu engine runs on (default: %(default)s)")
    option("--out", type=Path, default="runs/digits", help="folder (default: %(default)s)")
    option("--resume", action="store_true", help="go on from the checkpoint in the folder")
    option("--overwrite", action="store_true", help="drop an unfinished run in the folder")
    option("--device-update", action="store_true", help="let the device update the weights")
    option("--json", action="store_true", help="print JSON lines: epochs, then the summary")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train, and print a table or JSON lines."""
    settings = _settings(arguments)
    training = _digits(arguments, settings)
    if training.net.engine == "ipu":
        # The host does the loss alone: its threads would wait for cores that the device's hold
        # (2.4 against 34 ms a step where something else keeps a core busy).
        torch.set_num_threads(1)
    done = 0
    if arguments.resume:
        done = training.resume()
    else:
        training.start_over(arguments.overwrite)
    if not arguments.json:
        print(f"engine {training.net.engine}, folder {arguments.out}", end="")
        print(f", {done} of {arguments.epochs} epochs done" if done else "")
        print(COLUMNS)
    try:
        summary = training.run(_print_json if arguments.json else _print_row)
    except KeyboardInterrupt:
        print(
            f"popsnn: interrupted after {len(training.rows)} epochs, the same command with "
            f"--resume goes on from {arguments.out / CHECKPOINT}",
            file=sys.stderr,
        )
        return 130
    if arguments.json:
        print(json.dumps(summary))
    else:
        print(
            f"test accuracy {100 * summary['test_accuracy']:.2f} % after "
            f"{summary['train_seconds']:.1f} s of training on {summary['device']}"
        )
        print(
            f"see {arguments.out}/: summary.json, metrics.jsonl, curves.png, raster.png, model.pt"
        )
    return 0


def digits_network(
    hidden: List[int], *, backend: str = "auto", seed: int = 0, device: str = "host"
) -> nn.SNN:
    """Return the network of the digits preset: SparseLIF layers of `hidden` neurons, LI readout."""
    layers: List[Any] = []
    size = 64
    for width in hidden:
        layers.append(
            nn.SparseLIF(
                size,
                width,
                max_activity=0.25,
                grad_threshold=0.7,
                beta=0.95,
                surrogate=SuperSpike(slope=5.0),
            )
        )
        size = width
    layers.append(nn.LI(size, 10, beta=1.0))
    return nn.SNN(*layers, backend=backend, seed=seed, device=device)


def _digits(arguments: argparse.Namespace, settings: Dict[str, Any]) -> Training:
    torch.manual_seed(arguments.seed)
    net = digits_network(
        arguments.hidden, backend=arguments.backend, seed=arguments.seed, device=arguments.device
    )
    train, test = data.digits(steps=arguments.steps)
    return Training(
        net,
        _optimizer(net, arguments),
        train,
        test,
        arguments.out,
        settings=settings,
        epochs=arguments.epochs,
        batch_size=arguments.batch_size,
        label_smoothing=0.1,
        seed=arguments.seed,
    )


def _optimizer(net: nn.SNN, arguments: argparse.Namespace) -> Optimizer:
    if not arguments.device_update:
        return torch.optim.Adam(net.parameters(), lr=arguments.lr)
    return optim.Adam(net, lr=arguments.lr)


def _settings(arguments: argparse.Namespace) -> Dict[str, Any]:
    names = (
        "dataset", "backend", "epochs", "batch_size", "lr", "hidden", "steps", "seed", "device",
        "device_update",
    )  # fmt: skip
    return {name: getattr(arguments, name) for name in names}


def _print_row(row: EpochMetrics) -> None:
    tqdm.write(
        f"{row.epoch:>5}  {row.loss:>6.4f}  {100 * row.train_accuracy:>8.2f} "
        f"{100 * row.test_accuracy:>8.2f} {row.samples_per_second:>11.0f} "
        f"{100 * row.activity:>12.2f} {row.dropped_spikes:>16}",
        file=sys.stdout,
    )


def _print_json(row: EpochMetrics) -> None:
    tqdm.write(json.dumps(asdict(row)), file=sys.stdout)


def _number(text: str, kind: Callable[[str], Any], least: float, wanted: str) -> Any:
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not least <= value < math.inf:
        raise argparse.ArgumentTypeError(f"expected {wanted}, got {text!r}")
    return value


def _count(text: str) -> int:
    return int(_number(text, int, 1, "a whole number from 1 on"))


def _seed(text: str) -> int:
    return int(_number(text, int, 0, "a whole number from 0 on"))


def _positive(text: str) -> float:
    return float(_number(text, float, 1e-12, "a positive number"))
