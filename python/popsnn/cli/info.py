"""`popsnn info`: every engine, whether it runs here, on what, and if not, why."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from .. import backends, emulator_prefix
from ..training import versions


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "info",
        help="what runs here, and why not",
        description="Say for every engine whether it is available, on what device, or why not.",
    )
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON object")
    shown.add_argument(
        "--emulator-prefix",
        action="store_true",
        help="print the folder of the emulated Poplar SDK alone (include, lib, bin, enable.sh)",
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the report."""
    if arguments.emulator_prefix:
        print(emulator_prefix())
        return 0
    found = backends()
    if arguments.json:
        report = {name: asdict(backend) for name, backend in found.items()}
        print(json.dumps({"versions": versions(), "backends": report}, indent=2))
        return 0
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    for name, backend in found.items():
        if backend.available:
            print(f"{name:<6} available      {backend.device}")
        else:
            print(f"{name:<6} not available  {backend.reason}")
    return 0
