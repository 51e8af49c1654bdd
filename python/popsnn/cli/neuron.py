"""`popsnn neuron new`: the files of a custom neuron, which work as they are."""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from .._internal.files import whole_file
from ..extensions import starter

EXAMPLES = """examples:
  popsnn neuron new MyNeuron             my_neuron.py, test_my_neuron.py
  popsnn neuron new MyNeuron --dir lab   the same in the folder lab
  python -m pytest test_my_neuron.py     compares the engines with the step in torch
"""
FILES = ("{}.py", "test_{}.py")
# Modules that a file of the same name would hide from the test: what it and popsnn import.
TAKEN = {"copy", "popsnn", "pytest", "torch", *getattr(sys, "stdlib_module_names", ())}


def add(subparsers: Any) -> None:
    """Add the subcommand, under its earlier name too."""
    _add(subparsers, "neuron", help="write the files of a custom neuron").set_defaults(run=run)
    _add(subparsers, "codelet").set_defaults(run=_run_by_earlier_name)


def _add(subparsers: Any, name: str, **options: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = subparsers.add_parser(
        name,
        **options,
        description="Write the files of a custom neuron: its time step in torch, from which all "
        "engines are made, and a test that compares them with it. They work as they are.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("action", choices=["new"], metavar="new", help="write new files")
    command.add_argument("name", metavar="NAME", help="the class, in CamelCase", type=_class_name)
    command.add_argument("--dir", type=Path, default=Path(), help="folder (default: current)")
    return command


def _run_by_earlier_name(arguments: argparse.Namespace) -> int:
    print("popsnn: codelet new: expected its name of now, popsnn neuron new", file=sys.stderr)
    return run(arguments)


def run(arguments: argparse.Namespace) -> int:
    """Write the files, or none of them where one exists."""
    module = _module_name(arguments.name)
    texts = {
        arguments.dir / file.format(module): _starter(file.format("starter"))
        .replace("Starter", arguments.name)
        .replace("starter", module)
        for file in FILES
    }
    there = [path for path in texts if path.exists()]
    if there:
        raise ValueError(f"neuron new: expected no file {there[0]}, got one: it stays as it is")
    with ExitStack() as files:  # they get their names one after the other, at the end
        for path, text in texts.items():
            files.enter_context(whole_file("neuron new", path)).write_text(text, encoding="utf-8")
    print(*texts, sep="\n")
    return 0


def _starter(file: str) -> str:
    return (Path(starter.__path__[0]) / file).read_text(encoding="utf-8")


def _module_name(name: str) -> str:
    """Return a class's name in snake_case: LIFWithNoise gives lif_with_noise."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _class_name(text: str) -> str:
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", text) or keyword.iskeyword(text):
        raise argparse.ArgumentTypeError(f"expected a name such as MyNeuron, got {text!r}")
    module = _module_name(text)
    if keyword.iskeyword(module) or module in TAKEN or module in sys.builtin_module_names:
        raise argparse.ArgumentTypeError(
            f"expected a name such as MyNeuron, got {text!r}, whose module {module} Python has"
        )
    return text
