"""The CUDA kernels compiled for a CPU, in place of those of a GPU."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import struct
import subprocess
from functools import lru_cache
from pathlib import Path

import torch

import popsnn.cuda
from popsnn.cuda.device import sources
from popsnn.functional import Neuron
from popsnn.surrogate import Surrogate

SHIM = Path(__file__).parent / "host"
RUN = {"POPSNN": "run", "PERSISTENT": "run_together", "CLUSTER": "run_together"}
CLUSTERS = 2  # that run at once, as far as a launcher knows
_unsupported = popsnn.cuda.unsupported


def unsupported(neuron: Neuron, current: torch.Tensor, surrogate: Surrogate) -> str | None:
    """What `popsnn.cuda.unsupported` is, of tensors on the CPU too."""
    reason = _unsupported(neuron, current, surrogate)
    return None if reason is None or "not on a CUDA device" in reason else reason


def matrix_map(matrix: torch.Tensor, columns: int, box: tuple[int, int]) -> bytes:
    """Return what `popsnn::MatrixMap` is in tests/cuda/host."""
    rows, pitch = matrix.shape
    sizes = (matrix.element_size(), rows, columns, pitch, *box)
    return struct.pack("=Q6i", matrix.data_ptr(), *sizes).ljust(128, b"\0")


def _compile(*options: str) -> None:
    flags = os.environ.get("POPSNN_HOST_FLAGS", "").split()
    command = ["c++", "-std=c++17", "-fPIC", "-Wall", "-Wextra", "-Werror", f"-I{SHIM}", *options]
    done = subprocess.run([*command, *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@lru_cache(maxsize=None)
def _races(folder: Path) -> str:
    """Return what finds races, compiled once."""
    _compile("-O2", "-c", str(SHIM / "races.cpp"), "-o", str(folder / "races.o"))
    return str(folder / "races.o")


class HostModule:
    """What `popsnn.cuda.module.Module` is."""

    def __init__(self, source: str, folder: Path) -> None:
        kernels = re.findall(
            r"^(POPSNN|PERSISTENT|CLUSTER)_KERNEL\(.*?(?:, (\d+))?\) (\w+)"
            r"\(POPSNN_ARGUMENT ([\w:]+) ",
            source,
            re.MULTILINE,
        )
        runs = "\n".join(
            f'extern "C" const char* run_{name}(const {arguments}* a, long long blocks, '
            f"int threads, int bytes) "
            f"{{ {'' if kind == 'POPSNN' else 'return '}"
            f"popsnn::host::{RUN[kind]}({name}, *a, blocks, threads, bytes"
            f"{f', {size}' if kind == 'CLUSTER' else ''});"
            f"{' return nullptr;' if kind == 'POPSNN' else ''} }}"
            for kind, size, name, arguments in kernels
        )
        self._clusters = {name: int(size) for _, size, name, _ in kernels if size}
        stem = folder / hashlib.sha256(source.encode()).hexdigest()[:16]
        stem.with_suffix(".cpp").write_text(f"{source}\n{runs}\n")
        _compile(
            "-O0", "-shared", "-ffp-contract=off", "-Wno-unknown-pragmas",
            "-Wno-maybe-uninitialized", f"-I{sources.include_path()}",
            str(stem.with_suffix(".cpp")), _races(folder), "-o", str(stem.with_suffix(".so")),
        )  # fmt: skip
        self._library = ctypes.CDLL(str(stem.with_suffix(".so")))
        self.launched: list[str] = []

    def room(self, name: str, threads: int, shared_bytes: int) -> int:
        return CLUSTERS * self._clusters[name]

    def launch(
        self,
        name: str,
        blocks: int,
        threads: int,
        shared_bytes: int,
        arguments: ctypes.Structure,
        *,
        together: bool = False,
    ) -> None:
        run = getattr(self._library, f"run_{name}")
        run.argtypes = [ctypes.c_void_p, ctypes.c_longlong, ctypes.c_int, ctypes.c_int]
        run.restype = ctypes.c_char_p
        race = run(ctypes.addressof(arguments), blocks, threads, shared_bytes)
        assert race is None, f"{name}: {race.decode()}"
        self.launched.append(name)


class HostLoader:
    """What `popsnn.cuda.module.load` is."""

    def __init__(self, folder: Path) -> None:
        self._module = lru_cache(maxsize=None)(lambda source: HostModule(source, folder))
        self.launched: list[str] = []

    def __call__(self, source: str, device: torch.device) -> HostModule:
        module: HostModule = self._module(source)
        module.launched = self.launched
        return module
