"""Joules of calls: the counter, and its sentences."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import pytest

from bench.recurrent import energy


class Library:
    """NVML with a GPU that takes 50 W."""

    def __init__(self, **statuses: int) -> None:
        self.statuses = statuses

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> int:
            if name == "nvmlDeviceGetTotalEnergyConsumption":
                arguments[1]._obj.value = int(50e3 * time.perf_counter())
            return self.statuses.get(name, 0)

        return call

    def nvmlErrorString(self, status: int) -> bytes:
        return {3: b"Not Supported"}[status]


def test_joules_of_a_call() -> None:
    counter = energy.Counter("GPU-1", Library())
    used = energy.per_call(lambda: time.sleep(0.01), counter, 0.2, finish=lambda: None)
    assert used.seconds == pytest.approx(0.01, rel=0.3)
    assert used.joules == pytest.approx(50 * used.seconds, rel=0.1)


def test_a_gpu_without_the_counter_is_refused() -> None:
    library = Library(nvmlDeviceGetTotalEnergyConsumption=3)
    with pytest.raises(
        RuntimeError,
        match=r"^energy: nvmlDeviceGetTotalEnergyConsumption: expected status 0, got 3 \(Not Supp",
    ):
        energy.Counter("GPU-1", library).joules()


def test_a_machine_without_the_driver_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    expected = r"energy: libnvidia-ml.so.1: expected the library of NVIDIA's driver, got libnv"
    with pytest.raises(RuntimeError, match=expected):
        energy.Counter("GPU-1")
