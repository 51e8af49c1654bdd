"""Joules of calls on a GPU, by the total energy counter of NVML."""

from __future__ import annotations

import ctypes
import time
from typing import Any, Callable, NamedTuple

import torch

LIBRARY = "libnvidia-ml.so.1"  # of the driver
SECONDS = 2.5  # the counter moves every 20 to 100 milliseconds


class Energy(NamedTuple):
    """Energy and time of a call, on average."""

    joules: float
    seconds: float


class Counter:
    """Energy that a GPU has used since its driver was loaded.

    Parameters
    ----------
    uuid : str
        Of the GPU, as NVML has it: "GPU-...".
    library : optional
        Replacement of NVML for tests.

    Raises
    ------
    RuntimeError
        Where the driver's library is missing, or refuses.
    """

    def __init__(self, uuid: str, library: Any = None) -> None:
        if library is None:
            try:
                library = ctypes.CDLL(LIBRARY)
                library.nvmlErrorString.restype = ctypes.c_char_p
            except OSError as error:
                raise RuntimeError(
                    f"energy: {LIBRARY}: expected the library of NVIDIA's driver, got {error}"
                ) from None
        self._library = library
        self._device = ctypes.c_void_p()
        self._call("nvmlInit_v2")
        self._call("nvmlDeviceGetHandleByUUID", uuid.encode(), ctypes.byref(self._device))

    def joules(self) -> float:
        """Return the counter's joules.

        Raises
        ------
        RuntimeError
            Where the GPU has no such counter.
        """
        millijoules = ctypes.c_ulonglong()
        self._call("nvmlDeviceGetTotalEnergyConsumption", self._device, ctypes.byref(millijoules))
        return 1e-3 * millijoules.value

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            text = self._library.nvmlErrorString(status).decode()
            raise RuntimeError(f"energy: {name}: expected status 0, got {status} ({text})")


def of_this_gpu() -> Counter:
    """Return the counter of torch's current device."""
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    return Counter(f"GPU-{properties.uuid}")


def per_call(
    call: Callable[[], object],
    counter: Counter,
    seconds: float = SECONDS,
    finish: Callable[[], None] = torch.cuda.synchronize,
) -> Energy:
    """Return what a call takes on average, of calls one after the other for so many seconds."""
    first = _repeated(call, 1, finish)
    warmup = max(1, int(0.2 * seconds / first))  # until clocks and power are steady
    count = max(1, round(seconds * warmup / _repeated(call, warmup, finish)))
    before = counter.joules()
    taken = _repeated(call, count, finish)
    return Energy((counter.joules() - before) / count, taken / count)


def _repeated(call: Callable[[], object], count: int, finish: Callable[[], None]) -> float:
    """Return the seconds of so many calls."""
    finish()
    start = time.perf_counter()
    for _ in range(count):
        call()
    finish()
    return time.perf_counter() - start
