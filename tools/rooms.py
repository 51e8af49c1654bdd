"""List the files of the package that the value of an option passes, and its names there.

python tools/rooms.py [max_activity] [beta]

A network with the option runs, `max_activity` on the ipu engine and `beta` on the cuda engine where
those are available, and else on the torch engine. A file counts where a function has the value in a
variable, or in a record, list or dict that is in one.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

import torch

import popsnn
from popsnn.nn import LIF, SNN, SparseLI, SparseLIF

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


def beta(backend: str) -> Rooms:
    """Trace `beta` of a layer, also as a number of 32 bits."""
    current = torch.zeros(2, 1, 5, device="cuda" if backend == "cuda" else "cpu")
    return traced(lambda: LIF(beta=BETA)(current), (BETA, torch.tensor(BETA).item()))


OPTIONS = {"max_activity": (max_activity, "ipu"), "beta": (beta, "cuda")}


def main(argv: Optional[List[str]] = None) -> int:
    """Print the files, and return the exit status."""
    parser = argparse.ArgumentParser(description="List the files that an option's value passes.")
    parser.add_argument("options", metavar="OPTION", nargs="*", help=f"of {', '.join(OPTIONS)}")
    for option in parser.parse_args(argv).options or OPTIONS:
        if option not in OPTIONS:
            parser.error(f"OPTION: expected one of {', '.join(OPTIONS)}, got {option!r}")
        trace, engine = OPTIONS[option]
        backend = engine if popsnn.backends()[engine].available else "torch"
        rooms = trace(backend)
        print(f"{option} on the {backend} engine: {len(rooms)} files")
        for file, names in rooms.items():
            print(f"  {file}: {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
