"""The CUDA kernels: on a GPU, else compiled for the CPU as tests/cuda does."""

from __future__ import annotations

from functools import lru_cache

import pytest
import torch
from tests.cuda import host_kernels

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
    loader = host_kernels.HostLoader(host_kernels.host_folder())
    host_kernels.elementwise(patch, loader)
    host_kernels.networks(patch)
    host_kernels.recurrent(patch, loader)
    return host_kernels.cpu_operators()  # which are there as long as this lives
