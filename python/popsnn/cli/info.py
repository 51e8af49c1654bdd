"""`popsnn info`: every engine, whether it runs here, on what, and if not, why."""

from __future__ import annotations

import argparse
import importlib.util
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, List

import torch

from .. import backends, emulator_prefix
from .._internal.paths import poptorch_folder
from ..backends import BackendInfo
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
    shown.add_argument(
        "--recurrent",
        type=positive,
        metavar="N",
        help="print how the GPU runs a recurrent layer of N neurons, and why",
    )
    command.set_defaults(run=run)


def positive(text: str) -> int:
    """Return a number of neurons."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of neurons, got {text!r}")
    return int(text)


def recurrent(neurons: int, backend: BackendInfo) -> List[str]:
    """Say how the cuda engine runs recurrent layers of LIF neurons."""
    name = f"recurrent layer of {neurons:,} LIF neurons"
    if not backend.available:
        return [f"{name}: the cuda engine is not available: {backend.reason}"]
    from ..cuda.device.properties import properties
    from ..cuda.recurrent import recurrent as kernels
    from ..cuda.recurrent.strategy import explanation, with_capacity

    have = properties(torch.device("cuda"))
    if have.capability < kernels.OLDEST:
        return [f"{name}: {kernels.too_old(have.capability)}"]
    return [
        f"{name}, {weights} weights: {explanation(have, neurons, weights == 'float32')}; "
        f"with a capacity: {with_capacity(have, neurons, weights == 'float32')}"
        for weights in ("bfloat16", "float16", "float32")
    ]


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
    if arguments.recurrent:
        print("\n".join(recurrent(arguments.recurrent, engines["cuda"])))
        return 0
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
