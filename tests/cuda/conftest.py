from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

import pytest
import torch
from tests.cuda.host_kernels import (
    HostLoader,
    cpu_operators,
    elementwise,
    host_folder,
    networks,
    recurrent,
)

import popsnn.cuda
from popsnn import functional
from popsnn.cuda.device.properties import has_copy_engine
from popsnn.cuda.recurrent.recurrent import OLDEST
from popsnn.engines import cuda_layers
from popsnn.functional import recurrent_scan

GPU_FIXTURES = {"gpu", "hopper", "cuda_engine"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--on-gpu", action="store_true", help="run only tests that use a GPU")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what runs without a GPU, where only the GPU is in question."""
    if not config.getoption("--on-gpu"):
        return
    config.hook.pytest_deselected(items=[item for item in items if not _uses_gpu(item)])
    items[:] = [item for item in items if _uses_gpu(item)]


def _uses_gpu(item: pytest.Item) -> bool:
    assert isinstance(item, pytest.Function)
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    # `engine`, `kernels` and others name their engine by a parameter.
    names = {parameter for parameter in parameters if isinstance(parameter, str)}
    if names & {"torch", "host"}:
        return False
    return "cuda" in names or not GPU_FIXTURES.isdisjoint(item.fixturenames)


@dataclass(frozen=True)
class Engine:
    """Engine of a test: the reference, the kernels on a CPU, or the kernels on a GPU."""

    name: str
    device: torch.device
    backend: str
    launched: list[str]

    @property
    def kernels(self) -> bool:
        return self.backend == "cuda"


@pytest.fixture(scope="session")
def host_loader() -> HostLoader:
    return HostLoader(host_folder())


@pytest.fixture(scope="session")
def _cpu_operators() -> Iterator[None]:
    library = cpu_operators()
    yield
    library._destroy()


@pytest.fixture
def host_engine(
    host_loader: HostLoader, _cpu_operators: None, monkeypatch: pytest.MonkeyPatch
) -> Engine:
    """The kernels compiled for a CPU, behind the operators that a GPU has."""
    elementwise(monkeypatch, host_loader)
    host_loader.launched.clear()
    return Engine("host", torch.device("cpu"), "cuda", host_loader.launched)


@pytest.fixture
def cuda_engine() -> Engine:
    reason = popsnn.cuda.unavailable()
    if reason is not None:
        pytest.skip(f"engine cuda: {reason}")
    return Engine("cuda", torch.device("cuda"), "cuda", [])


@pytest.fixture(params=["torch", "host", "cuda"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """The test runs once on each that is available here."""
    if request.param == "torch":
        return Engine("torch", torch.device("cpu"), "torch", [])
    result: Engine = request.getfixturevalue(f"{request.param}_engine")
    return result


@pytest.fixture(params=["host", "cuda"])
def kernels(request: pytest.FixtureRequest) -> Engine:
    """The kernels, on what is here."""
    result: Engine = request.getfixturevalue(f"{request.param}_engine")
    return result


@pytest.fixture(params=["host", "cuda"])
def layer_kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """The kernels of whole networks, on what is here."""
    result: Engine = request.getfixturevalue(f"{request.param}_engine")
    if result.name == "host":
        networks(monkeypatch)
        monkeypatch.setattr(functional, "recurrent_scan", _recurrent_scan)
        # tests/cuda/test_recurrent_capacity.py has these kernels on a CPU.
        monkeypatch.setattr(cuda_layers, "_on_capped_kernels", lambda *_: False)
    return result


@pytest.fixture
def recurrent_layer_kernels(
    request: pytest.FixtureRequest, layer_kernels: Engine, monkeypatch: pytest.MonkeyPatch
) -> Engine:
    """Those of networks whose recurrent layers are in one kernel, on what is here."""
    if layer_kernels.name == "host":
        recurrent(monkeypatch, request.getfixturevalue("host_loader"))
    else:
        request.getfixturevalue("gpu")
    return layer_kernels


def _recurrent_scan(*arguments: Any, **options: Any) -> functional.ScanOutput:
    """The reference: tests/cuda/recurrent/test_on_host.py has its kernels on a CPU."""
    return recurrent_scan(*arguments, **{**options, "backend": "torch"})


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POPSNN_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cubin"


@pytest.fixture
def gpu() -> torch.device:
    """A GPU that runs the recurrent kernels."""
    reason = popsnn.cuda.unavailable()
    if reason is None and torch.cuda.get_device_capability() < OLDEST:
        reason = "compute capability 8.0 or more is needed"
    if reason is not None:
        pytest.skip(f"engine cuda: {reason}")
    return torch.device("cuda")


@pytest.fixture
def hopper(gpu: torch.device) -> torch.device:
    """A GPU that runs the kernels of compute capability 9.0."""
    if not has_copy_engine(gpu):
        pytest.skip("engine cuda: compute capability 9.0 is needed")
    return gpu
