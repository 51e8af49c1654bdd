"""Builds and runs the C++ test programs of the libraries; reads what they print."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Dict, List, Optional, Sequence

import numpy as np
from tests.emulator.popc_tool import CXX

import popsnn
from popsnn._internal import locks

PROGRAMS = Path(__file__).resolve().parent / "programs"
# What programs are linked with, in addition to Poplar itself.
LIBRARIES = {
    "popnn/ctc": ("popnn", "popops", "poputil"),
    "popops/elementwise": ("popops", "poputil"),
    "popops/encoding": ("popops", "poputil"),
    "popops/gather": ("popops", "poputil"),
    "block_sparse": ("popsparse", "popops", "poputil"),
    "debug_info": ("popfloat", "popops", "poputil"),
    "gcl": ("gcl", "popops", "poputil"),
    "layouts": ("popops", "poputil"),
    "names": ("poputil",),
    "poplin": ("poplin", "popops", "poputil"),
    "popnn/pooling": ("popnn", "popops", "poputil"),
    "popnn/recurrent": ("popnn", "poplin", "popops", "poputil"),
    "popnn": ("popnn", "poplin", "popops", "poputil"),
    "poplin/convolution": ("poplin", "popops", "poputil"),
    "poplin/norms": ("popnn", "poplin", "popops", "poputil"),
    "poplin/plans": ("poplin", "popops", "poputil"),
    "poplin/solve": ("poplin", "popops", "poputil"),
    "popops/quarters": ("popops", "poputil"),
    "popops/popfloat": ("popfloat", "popops", "poputil"),
    "poprand": ("poprand", "poputil"),
    "popsparse": ("popsparse", "popops", "poputil"),
    "poputil": ("popops", "poputil"),
    "blocks": ("pva", "popops", "poputil"),
    "pva": ("pva", "popops", "poputil"),
    "popops/reduce": ("popops", "poputil"),
    "popops/slicing": ("popops", "poputil"),
    "popops/splines": ("popops", "poputil"),
    "tile_mapping": ("poputil",),
}
DTYPES = {
    "float": np.float32,
    "half": np.float16,
    "int": np.int32,
    "unsigned int": np.uint32,
    "short": np.int16,
    "unsigned short": np.uint16,
    "unsigned char": np.uint8,
    "signed char": np.int8,
    "bool": np.bool_,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}


class Results:
    """The arrays of each case, and the message of each expected error."""

    def __init__(self, text: str) -> None:
        self.cases: Dict[str, Dict[str, np.ndarray]] = {}
        self.errors: Dict[str, Optional[str]] = {}
        for line in text.splitlines():
            row = json.loads(line)
            if "error" in row:
                self.errors[row["error"]] = row["text"]
                continue
            values = np.array(row["values"], dtype=np.float64).astype(DTYPES[row["type"]])
            arrays = self.cases.setdefault(row["case"], {})
            arrays[row["name"]] = values.reshape(row["shape"])

    def __getitem__(self, case: str) -> Dict[str, np.ndarray]:
        return self.cases[case]


def prefix() -> Path:
    return Path(os.environ.get("POPSNN_TEST_PREFIX") or popsnn.emulator_prefix())


def build(source: Path, out: Path, libraries: Sequence[str], *flags: str) -> Path:
    """Compile a program as a user of the SDK would."""
    at = prefix()
    command: List[str] = [CXX, "-std=c++11", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    command += [*flags, str(source), "-o", str(out), f"-I{at}/include", f"-L{at}/lib"]
    command += [f"-Wl,-rpath,{at}/lib", *(f"-l{name}" for name in libraries), "-lpoplar"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


def library_program(name: str, folder: Path) -> Path:
    """Compile a program of `PROGRAMS` once for all processes that use the folder."""
    file = name.replace("/", "-")
    with (folder / f"{file}.lock").open("w") as handle:
        locks.lock(handle.fileno(), wait=True)
        out = folder / file
        if not out.exists():
            build(PROGRAMS / f"{name}.cpp", folder / f"{file}.partial", LIBRARIES.get(name, ()))
            (folder / f"{file}.partial").replace(out)
    return out


def run_program(name: str, folder: Path, text: str = "") -> Results:
    """Run a program with `text` as its standard input."""
    program = library_program(name, folder)
    done = subprocess.run([str(program)], input=text, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return Results(done.stdout)
