"""The CUDA kernels: on a GPU, else compiled for the CPU as tests/cuda does."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

import pytest
import torch
from tests.cuda import host_kernels

from popsnn.cuda.device import sources

FOLDER = Path(__file__).resolve().parents[2] / "build" / "fuzz"  # of libraries for the CPU


ENGINE = "cuda" if torch.cuda.is_available() else "host"  # what runs the kernels here


def install() -> torch.device:
    """Return where tensors for the kernels lie; without a GPU, the CPU runs them from now on."""
    if ENGINE == "cuda":
        return torch.device("cuda")
    _install_on_host()
    return torch.device("cpu")


@lru_cache(maxsize=None)
def _install_on_host() -> torch.library.Library:
    patch = pytest.MonkeyPatch()
    loader = host_kernels.HostLoader(_folder())
    host_kernels.elementwise(patch, loader)
    host_kernels.networks(patch)
    host_kernels.recurrent(patch, loader)
    return host_kernels.cpu_operators()  # which are there as long as this lives


def _folder() -> Path:
    """Return the folder of libraries that were compiled from these sources."""
    digest = hashlib.sha256(os.environ.get("POPSNN_HOST_FLAGS", "").encode())
    for root in (Path(sources.include_path()), host_kernels.SHIM):
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            digest.update(path.read_bytes())
    folder = FOLDER / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder
