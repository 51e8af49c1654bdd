"""`popsnn eval`: a finished run on its test set."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from pathlib import Path
from typing import Any, Dict

from .. import training
from ..training.finished import CHANGED
from .train import add_option

EXAMPLES = """examples:
  popsnn eval runs/digits
  popsnn eval runs/digits --backend torch --json
  popsnn eval runs/shd --data data --steps 200 --dt 0.005
"""

HELP = {"dataset": "another dataset to test on", "batch_size": "samples of a batch"}


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "eval",
        help="evaluate a finished run on its test set",
        description="Evaluate the network of a finished run on its test set: accuracy, spikes, "
        "drops. Options are as in the run unless they are given here.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("run_folder", metavar="RUN", type=Path, help="folder of the run")
    known = {field.name: field for field in fields(training.Config)}
    for name in CHANGED:
        add_option(command, known[name], HELP.get(name))
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate, and print the results."""
    asked = vars(arguments)
    changes = {name: asked[name] for name in CHANGED if name in asked}
    result = training.evaluate(arguments.run_folder, **changes)
    print(json.dumps(result) if arguments.json else _text(result))
    return 0


def _text(result: Dict[str, Any]) -> str:
    """Return the results in lines."""
    layers = ", ".join(f"{100 * activity:.2f}" for activity in result["layer_activity"])
    dropped = 100 * result["dropped_spike_fraction"]
    lines = {
        "run": f"{result['run']}, on {result['device']} (engine {result['engine']})",
        "test set": f"{result['samples']} samples of {result['dataset']}",
        "test accuracy": f"{100 * result['test_accuracy']:.2f} %",
        "spikes": f"{result['spikes_per_sample']:.1f} a sample",
        "activity": f"{100 * result['activity']:.2f} % (by layer: {layers})",
        "dropped": f"{result['dropped_spikes']} spikes ({dropped:.2f} %)",
    }
    return "\n".join(f"{name:<14} {value}" for name, value in lines.items())
