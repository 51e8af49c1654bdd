from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Iterator

import pytest
import torch
import torch.distributed as dist
from hypothesis import settings

import popsnn

ENGINES = ("torch", "ipu", "cuda")

# Networks of tests are too small for threads. Processes that tests start take the variable.
torch.set_num_threads(1)
os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("popsnn", deadline=None, max_examples=50)
settings.load_profile("popsnn")


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Iterator[None]:
    """Modules and items of tests stay: no garbage collection looks at them, then or later."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _same_numbers_every_time() -> None:
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this test run: one for all of its workers."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def gloo() -> None:
    """The backend of process groups on CPUs."""
    if not (dist.is_available() and dist.is_gloo_available()):
        pytest.skip("torch is built without gloo")


@pytest.fixture
def process_group(gloo: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A group of this process alone, which needs neither files nor the machine's name."""
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        yield
    finally:
        dist.destroy_process_group()


@pytest.fixture
def quick_codelets(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codelets compile without optimization: those of a neuron take 1 s in place of 6 s.

    Child processes that the test starts inherit this.
    """
    compiler = os.environ.get("POPSNN_CXX") or os.environ.get("CXX") or "c++"
    script = tmp_path_factory.mktemp("compiler") / "c++"
    script.write_text(f'#!/bin/sh\nexec {compiler} "$@" -O0\n')  # the last of several counts
    script.chmod(0o755)
    monkeypatch.setenv("POPSNN_CXX", str(script))


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Name of an engine; the test runs once on each that is available here.

    New tensors and parameters are where the engine takes them.
    """
    info = popsnn.backends()[request.param]
    if not info.available:
        pytest.skip(f"engine {request.param}: {info.reason}")
    if request.param == "cuda":
        torch.set_default_device("cuda")
    yield str(request.param)
    if request.param == "cuda":
        torch.set_default_device(None)
