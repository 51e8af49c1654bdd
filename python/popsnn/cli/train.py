"""`popsnn train`: train on a dataset."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, fields
from typing import Any, Dict, Optional, Sequence

from tqdm import tqdm

from .. import training
from ..nn._auto_capacity import reported_capacities
from ..training.checkpoint import CHECKPOINT
from ..training.config import DATASETS
from ..training.options import FLAG, parser_of
from ..training.run import chosen

EXAMPLES = """examples:
  popsnn train digits
  popsnn train digits --backend torch --hidden 128 128 --epochs 30
  popsnn train --dataset fsdd --data fsdd.zip
  popsnn train --config mine.yaml --lr 0.001
  popsnn train fsdd --print-config        defaults of a dataset
  popsnn train digits --out runs/mine --resume
  popsnn train digits --resume --epochs 40        20 epochs more
  popsnn train digits --init runs/digits --out runs/finer --lr 0.001
  torchrun --nproc-per-node 4 -m popsnn train shd --data data --backend cuda

configurations that come with popsnn: {shipped}.

writes to the folder of the run:
  metrics.jsonl  one row an epoch, metrics.csv too
  summary.json   result and versions
  model.pt       the trained weights
  config.yaml    all options
  checkpoint.pt  what --resume goes on from
  curves.png     loss, accuracy and activity      activity.png   activity of each layer by step
  raster.png     spikes of four test samples      membranes.png  membranes of some neurons
"""

# Options of a configuration, as the help groups them.
GROUPS = {
    "data": "dataset data held_out steps dt downsample validation shift drop jitter offset workers",
    "network": "hidden recurrent max_activity max_drops grad_threshold grad_threshold_start "
    "grad_threshold_epochs beta learn_beta learn_threshold homeostasis homeostasis_rate delay "
    "delay_width delay_rate slope readout readout_beta weight_dtype init",
    "engine": "backend device device_update checkpoint_interval precision capture",
    "training": "epochs batch_size lr warmup weight_decay label_smoothing clip activity_weight "
    "activity_target activity_epochs activity_schedule patience truncate update_chunks seed",
    "files": "out save_seconds tensorboard pictures",
}

# Head and width of the columns of the table.
COLUMNS = (
    ("epoch", 5),
    ("loss", 8),
    ("train %", 10),
    ("valid %", 10),
    ("test %", 9),
    ("samples/s", 12),
    ("activity %", 13),
    ("dropped: spikes %", 20),
    ("gradients %", 14),
)


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "train",
        help="train a network on a dataset",
        description="Train SparseLIF layers and a readout on a dataset. Each dataset has a "
        "configuration. The file of --config changes it, and options change both. "
        "The word none sets an option to none. Your own recordings train in Python: data.compact "
        "and training.Training.",
        epilog=EXAMPLES.format(shipped=", ".join(training.shipped())),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "name", metavar="dataset", nargs="?", choices=DATASETS, help=", ".join(DATASETS)
    )
    command.add_argument("--config", metavar="FILE", help="YAML file of options, or a shipped one")
    known = {field.name: field for field in fields(training.Config)}
    for title, names in GROUPS.items():
        group = command.add_argument_group(title)
        for name in names.split():
            add_option(group, known[name])
    command.add_argument(
        "--resume",
        action="store_true",
        help="continue from the checkpoint in the folder; with more --epochs, beyond its end",
    )
    command.add_argument(
        "--overwrite", action="store_true", help="replace an earlier run in the folder"
    )
    command.add_argument(
        "--no-progress", action="store_true", help="no bar; log files never have one"
    )
    command.add_argument(
        "--print-config",
        action="store_true",
        help="print all options with their values, as YAML that --config takes, and do not train",
    )
    command.add_argument(
        "--json", action="store_true", help="print JSON lines: epochs, then the summary"
    )
    command.set_defaults(run=run)


def add_option(group: Any, option: Any, text: Optional[str] = None) -> None:
    """Add an option of a configuration to a command or a group of its options."""
    flag, kind = "--" + option.name.replace("_", "-"), option.metadata["kind"]
    if kind is FLAG:
        switch = group.add_mutually_exclusive_group()
        named: Dict[str, Any] = {"dest": option.name, "default": argparse.SUPPRESS}
        switch.add_argument(flag, action="store_true", help=option.metadata["text"], **named)
        switch.add_argument(
            "--no-" + flag[2:], action="store_false", help="disable " + flag, **named
        )
        return
    group.add_argument(
        flag,
        type=_typed(option.metadata),
        metavar=kind.short,
        nargs=(kind.length or "+") if kind.several else None,
        default=argparse.SUPPRESS,
        help=text or option.metadata["text"],
    )


def run(arguments: argparse.Namespace) -> int:
    """Train, and print a table or JSON lines."""
    asked = vars(arguments)
    names = [field.name for field in fields(training.Config)]
    options = {name: asked[name] for name in names if name in asked}
    named = options.pop("dataset", None)
    if arguments.name is not None and named not in (None, arguments.name):
        raise ValueError(
            f"train: dataset: expected one of them, got {arguments.name!r} and {named!r}"
        )
    config = chosen(arguments.name or named, arguments.config, options, arguments.resume)
    if arguments.print_config:
        print(training.as_yaml(config), end="")
        return 0
    made = training.prepare(config, resume=arguments.resume, overwrite=arguments.overwrite)
    speaks = made.ranks.first
    if speaks and not arguments.json:
        done = f", {made.done} of {config.epochs} epochs done" if made.done else ""
        print(f"engine {made.net.engine}, folder {config.out}{done}")
        _print_columns([head for head, _ in COLUMNS], made.validation is not None)
    try:
        with reported_capacities(_print_json_line if arguments.json else _print_line):
            summary = made.run(
                _print_json if arguments.json else _print_row, progress=not arguments.no_progress
            )
    except KeyboardInterrupt:
        if speaks:
            print(
                f"popsnn: interrupted after {made.done} epochs and {made.step} steps, the same "
                f"command with --resume continues from {made.out / CHECKPOINT}",
                file=sys.stderr,
            )
        return 130
    if speaks and arguments.json:
        print(json.dumps(summary))
    elif speaks:
        validated = summary["validation_accuracy"]
        best = "" if validated is None else f", the best in validation ({100 * validated:.2f} %)"
        print(
            f"test accuracy {100 * summary['test_accuracy']:.2f} % in epoch {summary['epoch']}"
            f"{best}, {summary['train_seconds']:.1f} s of training on {summary['device']}"
        )
        pictures = ", curves.png, raster.png" if config.pictures else ""
        print(f"see {config.out}/: summary.json, metrics.jsonl, model.pt{pictures}")
    return 0


def _typed(metadata: Any) -> Any:
    parse = parser_of(metadata)

    def convert(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def _print_row(row: training.EpochMetrics) -> None:
    validated = row.validation_accuracy
    cells = [
        str(row.epoch),
        f"{row.loss:.4f}",
        f"{100 * row.train_accuracy:.2f}",
        "" if validated is None else f"{100 * validated:.2f}",
        f"{100 * row.test_accuracy:.2f}",
        f"{row.samples_per_second:.0f}",
        f"{100 * row.activity:.2f}",
        _percent(row.dropped_spike_fraction),
        _percent(row.dropped_gradient_fraction),
    ]
    _print_columns(cells, validated is not None)


def _print_columns(cells: Sequence[str], validated: bool) -> None:
    """Print a row of the table; without a validation set it has no column of that."""
    shown = (
        f"{cell:>{width}}"
        for cell, (head, width) in zip(cells, COLUMNS)
        if validated or head != "valid %"
    )
    tqdm.write("".join(shown), file=sys.stdout)


def _print_line(line: str) -> None:
    tqdm.write(line, file=sys.stdout)


def _print_json_line(line: str) -> None:
    tqdm.write(line, file=sys.stderr)


def _percent(fraction: float) -> str:
    """Return a fraction in percent, of which the smallest is not shown as none."""
    return "<0.01" if 0.0 < fraction < 5e-5 else f"{100 * fraction:.2f}"


def _print_json(row: training.EpochMetrics) -> None:
    tqdm.write(json.dumps(asdict(row)), file=sys.stdout)
