"""`popsnn info`: every engine, whether it runs here, on what, and if not, why."""

from __future__ import annotations

import argparse
import importlib.util
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .. import backends, emulator_prefix
from .._internal.paths import poptorch_folder
from ..training import versions


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "info",
        help="list the engines and why any is not available",
        description="Print for every engine its device, or the reason why it is not available.",
    )
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON object")
    shown.add_argument(
        "--emulator-prefix",
        action="store_true",
        help="print the folder of the emulated Poplar SDK alone (include, lib, bin, enable.sh)",
    )
    shown.add_argument(
        "--poptorch-path",
        action="store_true",
        help="print the folder of the emulated PopTorch alone, for PYTHONPATH",
    )
    command.set_defaults(run=run)


def poptorch() -> str:
    """Say which PopTorch `popsnn.poptorch` gives."""
    spec = importlib.util.find_spec("poptorch")
    try:
        folder = poptorch_folder()
    except FileNotFoundError as error:
        return f"not available  {error}" if spec is None else f"installed      {spec.origin}"
    if spec is None or Path(str(spec.origin)).parent.parent == folder:
        return f"emulated       {folder}"
    return f"installed      {spec.origin}"


def run(arguments: argparse.Namespace) -> int:
    """Print the report."""
    if arguments.emulator_prefix:
        print(emulator_prefix())
        return 0
    if arguments.poptorch_path:
        print(poptorch_folder())
        return 0
    engines = backends()
    if arguments.json:
        backend_reports = {name: asdict(backend) for name, backend in engines.items()}
        which = poptorch().split()[0]
        report = {"versions": versions(), "backends": backend_reports, "poptorch": which}
        print(json.dumps(report, indent=2))
        return 0
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    for name, backend in engines.items():
        if backend.available:
            print(f"{name:<8} available      {backend.device}")
        else:
            print(f"{name:<8} not available  {backend.reason}")
    print(f"poptorch {poptorch()}")
    return 0
