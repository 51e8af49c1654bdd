"""The CUDA kernels compiled for a CPU, in place of those of a GPU."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import shutil
import struct
import subprocess
import time
from functools import lru_cache
from pathlib import Path

import pytest
import torch

import popsnn.cuda
from popsnn._internal import locks
from popsnn.cuda.batch_norm import ops as batch_norm_ops
from popsnn.cuda.device import launch, module, products, sources
from popsnn.cuda.recurrent import arguments as recurrent_arguments
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent import scaling
from popsnn.cuda.recurrent.gathered import launch as gathered_launch
from popsnn.cuda.recurrent.portable import launch as portable
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.resident import pair
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.cuda.recurrent.streamed import streamed, taps
from popsnn.cuda.scan import ops as scan_ops
from popsnn.functional import Neuron
from popsnn.surrogate import Surrogate

SHIM = Path(__file__).parent / "host"
FOLDER = Path(__file__).resolve().parents[2] / "build" / "host_kernels"
KEPT_DAYS = 7  # since libraries of other sources were used
FLAGS = (
    *("-std=c++17", "-fPIC", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"),
    f"-I{SHIM}",
)
KERNEL_FLAGS = (
    *("-O0", "-Wno-unknown-pragmas", "-Wno-maybe-uninitialized"),
    f"-I{sources.include_path()}",
)
# In place of those of C++, which take longer to link with.
LIBRARIES = ("-nodefaultlibs", "-lm", "-lc", "-lgcc")
RUN = {
    "POPSNN": "run",
    "PERSISTENT": "run_together",
    "COOPERATIVE": "run_together",
    "CLUSTER": "run_together",
}
CLUSTERS = 2  # that run at once, as far as a launcher knows
_unsupported = popsnn.cuda.unsupported


def unsupported(
    neuron: Neuron, current: torch.Tensor, surrogate: Surrogate, smooth: bool = False
) -> str | None:
    """Replacement of `popsnn.cuda.unsupported`, of tensors on the CPU too."""
    reason = _unsupported(neuron, current, surrogate, smooth)
    return None if reason is None or "not on a CUDA device" in reason else reason


def matrix_map(matrix: torch.Tensor, columns: int, box: tuple[int, int]) -> bytes:
    """Return what `popsnn::MatrixMap` is in tests/cuda/host."""
    rows, pitch = matrix.shape
    sizes = (matrix.element_size(), rows, columns, pitch, *box)
    return struct.pack("=Q6i", matrix.data_ptr(), *sizes).ljust(128, b"\0")


def _compile(out: Path, options: tuple[str, ...], *inputs: str | Path, text: str = "") -> str:
    """Compile to `out` where it is not there yet, once for all processes that use its folder.

    `text` is written to the first input, if there is any.
    """
    with out.with_suffix(".lock").open("w") as handle:
        locks.lock(handle.fileno(), wait=True)
        if not out.exists():
            if text:
                Path(inputs[0]).write_text(text)
            partial = out.with_suffix(".partial")
            command = ["c++", *FLAGS, *options, *map(str, inputs), "-o", str(partial), *_flags()]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            os.replace(partial, out)
    return str(out)


def _machine(folder: Path) -> str:
    """Return the library that runs kernels, which is optimized, as kernels are not."""
    return _compile(folder / "machine.so", ("-O2", "-shared"), *sorted(SHIM.glob("*.cpp")))


def _flags() -> list[str]:
    return os.environ.get("POPSNN_HOST_FLAGS", "").split()


@lru_cache(maxsize=None)
def host_folder() -> Path:
    """Return the folder of libraries of these headers, this compiler and these flags.

    All test runs use it. The name of a library is a hash of the rest of its source.
    """
    digest = hashlib.sha256(repr((FLAGS, KERNEL_FLAGS, LIBRARIES, _flags())).encode())
    digest.update(subprocess.run(["c++", "-v"], check=True, capture_output=True).stderr)
    for root in (sources.include_path(), SHIM):
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            digest.update(f"{path.relative_to(root)} {path.stat().st_size} ".encode())
            digest.update(path.read_bytes())
    folder = FOLDER / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for other in FOLDER.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            if other.stat().st_mtime < time.time() - KEPT_DAYS * 24 * 3600:
                shutil.rmtree(other, ignore_errors=True)
    return folder


class HostModule:
    """Replacement of `popsnn.cuda.module.Module`."""

    def __init__(self, source: str, folder: Path) -> None:
        kernels = re.findall(
            r"^(POPSNN|PERSISTENT|COOPERATIVE|CLUSTER)_KERNEL\(.*?(?:, (\d+))?\) (\w+)"
            r"\(POPSNN_ARGUMENT ([\w:]+) ",
            source,
            re.MULTILINE,
        )
        runs = "\n".join(
            f'extern "C" const char* run_{name}(const void* a, long long blocks, int threads, '
            f"int bytes) {{ return popsnn::host::{RUN[kind]}(popsnn::host::call<{arguments}>, "
            f"reinterpret_cast<const void*>({name}), a, blocks, threads, bytes, {size or 1}); }}"
            for kind, size, name, arguments in kernels
        )
        self._clusters = {name: int(size) for _, size, name, _ in kernels if size}
        prelude = "device" if all(kind == "POPSNN" for kind, *_ in kernels) else "hopper"
        stem = folder / hashlib.sha256(source.encode()).hexdigest()[:16]
        library = _compile(
            stem.with_suffix(".so"),
            (*KERNEL_FLAGS, "-shared"),
            stem.with_suffix(".cpp"),
            _machine(folder),
            *LIBRARIES,
            text=f"#include <popsnn/device/{prelude}.cuh>\n{source}\n{runs}\n",
        )
        self._library = ctypes.CDLL(library)
        self.launched: list[str] = []

    def active_blocks(self, name: str, threads: int, shared_bytes: int) -> int:
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
        early: bool = False,
    ) -> None:
        run = getattr(self._library, f"run_{name}")
        run.argtypes = [ctypes.c_void_p, ctypes.c_longlong, ctypes.c_int, ctypes.c_int]
        run.restype = ctypes.c_char_p
        race = run(ctypes.addressof(arguments), blocks, threads, shared_bytes)
        assert race is None, f"{name}: {race.decode()}"
        self.launched.append(name)


def lose_messages(patch: pytest.MonkeyPatch, loader: HostLoader) -> None:
    """Let messages of a cluster's second block never arrive."""
    library = ctypes.CDLL(_machine(loader.folder))
    patch.setattr(ctypes.c_int.in_dll(library, "popsnn_host_loses"), "value", 1)


class HostLoader:
    """Replacement of `popsnn.cuda.module.load`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._module = lru_cache(maxsize=None)(lambda source: HostModule(source, folder))
        self.launched: list[str] = []

    def __call__(self, source: str, device: torch.device) -> HostModule:
        module: HostModule = self._module(source)
        module.launched = self.launched
        return module


def cpu_operators() -> torch.library.Library:
    """Register the operators of elementwise kernels for the CPU, while the library lives."""
    library = torch.library.Library("popsnn", "IMPL")
    for name, (run, _) in {**scan_ops.OPERATORS, **batch_norm_ops.OPERATORS}.items():
        library.impl(name, run, "CPU")
    return library


def elementwise(patch: pytest.MonkeyPatch, loader: HostLoader) -> None:
    """Let the elementwise kernels run on a CPU, whose operators `cpu_operators` registers."""
    patch.setattr(popsnn.cuda, "unsupported", unsupported)
    patch.setattr(launch, "load", loader)


def networks(patch: pytest.MonkeyPatch) -> None:
    """Let the cuda engine take networks on a CPU."""
    patch.setattr("popsnn.engines.CudaEngine.unavailable", lambda engine: None)
    patch.setattr("popsnn.engines.cuda_engine._device", lambda net: torch.device("cpu"))
    patch.setattr(products, "multiply", _multiply)
    patch.setattr(products, "multiply_each", multiply_each)


def recurrent(patch: pytest.MonkeyPatch, loader: HostLoader) -> None:
    """Let the recurrent kernels run on a CPU of 8 multiprocessors."""
    patch.setattr(popsnn.cuda, "recurrent_unsupported", lambda *_: None)
    patch.setattr(module, "load", loader)
    patch.setattr(launch, "load", loader)
    patch.setattr(products, "multiply", _multiply)
    status = torch.zeros(1, dtype=torch.int32)
    patch.setattr(recurrent_arguments, "check", lambda _: status)
    users = (recurrent_ops, resident, pair, portable, streamed_launch, gathered_launch, scaling)
    for user in users:
        patch.setattr(user, "multiprocessors", lambda _: 8)
    for user in (recurrent_ops, streamed):
        patch.setattr(user, "outer", _outer)
    patch.setattr(taps, "outer_of_each", _outer_of_each)
    patch.setattr(streamed_launch, "matrix_map", matrix_map)


def _multiply(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor, add: bool = False) -> None:
    """The product in float32 that torch has of 16 bits on GPUs alone."""
    product = a.float() @ b.float()
    out.copy_(out + product if add else product)


def multiply_each(a: torch.Tensor, b: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The products in float32 that torch has of 16 bits on GPUs alone."""
    return (a.float() @ b.float()).to(dtype)


def _outer(grad: torch.Tensor, spikes: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A product of two types, which torch has on GPUs alone."""
    return torch.mm(grad.flatten(0, 1).float().t(), spikes.flatten(0, 1).float()).to(dtype)


def _outer_of_each(
    grad: torch.Tensor, spikes: torch.Tensor, shifts: int, dtype: torch.dtype
) -> torch.Tensor:
    each = [spikes[shift : shift + len(grad)] for shift in range(shifts)]
    return torch.stack([_outer(grad, rows, dtype) for rows in each])
