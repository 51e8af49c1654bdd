"""List the files that the value of an option passes, and its names there.

python tools/rooms.py [max_activity] [beta]

A network with the option runs, `max_activity` on the ipu engine, or on the torch engine where that
is not available, and `beta` on the cuda engine, without a GPU up to the launch. A file of Python
counts where a function has the value in a variable, or in a record, list or dict that is in one.

C++ is searched. For `max_activity` the files are what reads Python's records, the record, what
gives its field to the vertex `MergeLists`, and that vertex. What plans by the number is not on that
way. For `beta` they are headers of the kernel's program that have the parameters of neurons in a
variable. The neuron's own text is generated from its step in Python, whose file counts.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import re
import sys
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple

import torch

import popsnn
from popsnn import cuda
from popsnn.cuda.device import launch
from popsnn.cuda.device.program import forward_source
from popsnn.cuda.scan import scan
from popsnn.functional import neuron
from popsnn.nn import LIF, SNN, SparseLI, SparseLIF

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(popsnn.__file__).parent
DEPTH = 3  # of records in records
LONGEST = 64  # list that is searched
MAX_ACTIVITY, BETA, NEURONS = 0.5517, 0.8317, 97  # numbers that nothing else has
CAPACITY = math.ceil(MAX_ACTIVITY * NEURONS)

Rooms = Dict[str, List[str]]  # names of the variables, by files in the order of the calls


def entries(value: Any) -> Iterable[Any]:
    """Return what a list, a dict or a record consists of."""
    if isinstance(value, (list, tuple, ctypes.Array)):
        return value[:LONGEST]
    if isinstance(value, dict):
        return list(value.values())[:LONGEST]
    if isinstance(value, ctypes.Structure):
        return [getattr(value, field[0]) for field in value._fields_]
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name, None) for field in fields(value)]
    return ()


def holds(value: Any, wanted: Tuple[float, ...], depth: int = DEPTH) -> bool:
    """Return whether a value is one of the wanted numbers, or has one in it."""
    if type(value) in (int, float):
        return value in wanted
    return depth > 0 and any(holds(entry, wanted, depth - 1) for entry in entries(value))


def traced(run: Callable[[], object], wanted: Tuple[float, ...]) -> Rooms:
    """Return where a call has one of the wanted numbers.

    Parameters
    ----------
    run : callable
    wanted : tuple of float
        Forms of one value; a number that equals one of them counts.
    """
    rooms: Rooms = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event not in ("call", "return") or PACKAGE not in file.parents:
            return
        for name, value in list(frame.f_locals.items()):
            if name != "self" and holds(value, wanted):
                names = rooms.setdefault(str(file.relative_to(PACKAGE)), [])
                if name not in names:
                    names.append(name)

    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(None)
    return rooms


def max_activity(backend: str) -> Rooms:
    """Trace `max_activity` of a layer and the capacity that follows from it."""
    spikes = popsnn.SpikeTensor.from_dense(torch.zeros(2, 1, 5))

    def run() -> object:
        hidden = SparseLIF(5, NEURONS, max_activity=MAX_ACTIVITY, grad_threshold=0.5)
        return SNN(hidden, SparseLI(NEURONS, 2), backend=backend)(spikes)

    return traced(run, (MAX_ACTIVITY, CAPACITY))


class NoKernels:
    """Replacement of loaded kernels that launches none."""

    def launch(self, *launched: object) -> None:
        """Do nothing."""


@contextmanager
def without_gpu() -> Iterator[None]:
    """Let calls reach the launch of their kernels, and no further, where there is no GPU."""
    unsupported, load = cuda.unsupported, launch.load
    cuda.unsupported = lambda *call: None
    launch.load = lambda source, device: NoKernels()  # type: ignore[assignment]
    scan._forward_call.cache_clear()
    try:
        yield
    finally:
        cuda.unsupported, launch.load = unsupported, load
        scan._forward_call.cache_clear()


def beta(backend: str) -> Rooms:
    """Trace `beta` of a layer, also as a number of 32 bits, to the step of its neuron."""
    wanted = (BETA, torch.tensor(BETA).item())
    if backend == "cuda" and not torch.cuda.is_available():
        with without_gpu():
            rooms = traced(lambda: LIF(beta=BETA)(torch.zeros(2, 1, 5)), wanted)
    else:
        current = torch.zeros(2, 1, 5, device="cuda" if backend == "cuda" else "cpu")
        rooms = traced(lambda: LIF(beta=BETA, backend=backend)(current), wanted)
    step = neuron.LIF.step.__code__  # what kernels have is generated from it
    names = [name for name in step.co_varnames if name == "beta"]
    rooms.setdefault(str(Path(step.co_filename).relative_to(PACKAGE)), names)
    return rooms


def code(path: Path) -> str:
    """Return the text of a file of C++ without its comments."""
    return re.sub(r"//.*", "", path.read_text())


def found(paths: Iterable[Path], *patterns: str) -> Rooms:
    """Return the files that have all patterns, each with what its last pattern matches there."""
    rooms: Rooms = {}
    for path in paths:
        text = code(path)
        if all(re.search(pattern, text) for pattern in patterns):
            names = re.findall(patterns[-1], text)
            rooms[str(path.relative_to(ROOT))] = list(dict.fromkeys(names))
    return rooms


def in_folder(folder: str) -> List[Path]:
    """Return the files of C++ in a folder of the repository."""
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))


def cpp_of_max_activity() -> Rooms:
    """Find the way of the capacity from a record of Python to the vertex that keeps to it."""
    return {
        **found(in_folder("python/bindings"), r"\beach_field\(", r"\bvalue\b"),
        **found(in_folder("poplib/include"), r"\beach_option\(", r'"(capacity)"'),
        **found(in_folder("poplib/src"), r"add_vertex\(", r'"popsnn::MergeLists"', r'"(capacity)"'),
        **found(in_folder("codelets"), r"class MergeLists\b", r"\bcapacity\b"),
    }


def cpp_of_beta() -> Rooms:
    """Find the headers that have the parameters of LIF neurons in a variable."""
    headers: List[Path] = []

    def include(text: str) -> None:
        for name in re.findall(r"#include <(popsnn/[\w/]+\.cuh)>", text):
            path = ROOT / "cuda" / name
            if path not in headers:
                headers.append(path)
                include(path.read_text())

    include(forward_source(str(neuron.LIF().cuda_source), torch.float32, 0, "float", False))
    return found(headers, r"\b(?:scalar(?=\[i)|parameter(?=\[j\]))")


OPTIONS = {
    "max_activity": (max_activity, cpp_of_max_activity, "ipu"),
    "beta": (beta, cpp_of_beta, "cuda"),
}


def main(argv: Optional[List[str]] = None) -> int:
    """Print the files, and return the exit status."""
    parser = argparse.ArgumentParser(description="List the files that an option's value passes.")
    parser.add_argument("options", metavar="OPTION", nargs="*", help=f"of {', '.join(OPTIONS)}")
    for option in parser.parse_args(argv).options or OPTIONS:
        if option not in OPTIONS:
            parser.error(f"OPTION: expected one of {', '.join(OPTIONS)}, got {option!r}")
        trace, search, engine = OPTIONS[option]
        native = engine == "cuda" or popsnn.backends()[engine].available
        backend = engine if native else "torch"
        rooms, cpp = trace(backend), search() if native else {}
        print(
            f"{option} on the {backend} engine: {len(rooms) + len(cpp)} files, "
            f"{len(rooms)} of Python and {len(cpp)} of C++"
        )
        for file, names in {**rooms, **cpp}.items():
            print(f"  {file}: {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
