"""Compiled kernels on a device, and their launch on the caller's stream."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import torch

from .cache import CubinCache, default_folder
from .compiler import compile_cubin

PERSISTENT = "PERSISTENT_KERNEL"  # what declares kernels that are launched `together`


class Module:
    """The kernels of one source, loaded for one device; made by `load`."""

    def __init__(self, source: str, device: torch.device) -> None:
        from cuda.bindings import driver
        from cuda.core import ObjectCode

        self._driver = driver
        major, minor = torch.cuda.get_device_capability(device)
        arch = f"sm_{major}{minor}"
        if PERSISTENT in source:
            arch += "a"  # they use what other GPUs do not have, older or newer
        compiled = compile_cubin(source, arch, CubinCache(default_folder()))
        self._code = ObjectCode.from_cubin(compiled.cubin)
        self._device = device
        self._context = self._try("load", driver.cuDevicePrimaryCtxRetain(device.index))
        self._kernels: dict[str, Any] = {}
        self._rooms: dict[tuple[str, int], int] = {}  # blocks that run at once

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
        """Launch a kernel of one struct argument on the device's current stream.

        Where its blocks wait for each other, `together`, all of them run at once or none does.

        Raises
        ------
        RuntimeError
            With the driver's own words where it refuses; where the GPU has no room for all blocks
            together.
        """
        driver = self._driver
        # The thread that autograd goes back in may never have used the device.
        _, current = driver.cuCtxGetCurrent()
        elsewhere = int(current) != int(self._context)
        if elsewhere:
            driver.cuCtxPushCurrent(self._context)
        try:
            kernel = self._kernels.get(name)
            if kernel is None:
                kernel = self._kernels[name] = self._prepare(name)
            # What Inductor and Triton call too; a torch.cuda.Stream takes 10 microseconds to make.
            stream = torch._C._cuda_getCurrentRawStream(self._device.index)
            pointer = ctypes.c_void_p(ctypes.addressof(arguments))
            grid, block = (blocks, 1, 1), (threads, 1, 1)
            call = (kernel, *grid, *block, shared_bytes, stream, ctypes.addressof(pointer))
            if together:
                self._check_room(name, kernel, blocks, threads, shared_bytes)
                result = driver.cuLaunchCooperativeKernel(*call)
            else:
                result = driver.cuLaunchKernel(*call, 0)
            self._try(name, result)
        finally:
            if elsewhere:
                driver.cuCtxPopCurrent()

    def _check_room(
        self, name: str, kernel: Any, blocks: int, threads: int, shared_bytes: int
    ) -> None:
        """Raise where not all blocks run at once."""
        key = (name, shared_bytes)
        if key not in self._rooms:
            count = self._driver.cuOccupancyMaxActiveBlocksPerMultiprocessor
            each = self._try(name, count(kernel, threads, shared_bytes))
            properties = torch.cuda.get_device_properties(self._device)
            self._rooms[key] = int(each) * properties.multi_processor_count
        if blocks > self._rooms[key]:
            raise RuntimeError(
                f"{name}: blocks: expected at most {self._rooms[key]}, as many as this GPU runs "
                f"at once, got {blocks}"
            )

    def _prepare(self, name: str) -> Any:
        driver = self._driver
        handle = driver.CUkernel(int(self._code.get_kernel(name).handle))
        attribute = driver.CUfunction_attribute
        properties = torch.cuda.get_device_properties(self._device)
        limit: int = properties.shared_memory_per_block_optin  # type: ignore[attr-defined]
        wanted = {
            attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: limit,
            # The kernels read past L1, so all of it can be shared memory.
            attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: 100,
        }
        for key, value in wanted.items():
            self._try(name, driver.cuKernelSetAttribute(key, value, handle, self._device.index))
        # A kernel is of no context, and a launch would have to look up that of this one.
        return self._try(name, driver.cuKernelGetFunction(handle))

    def _try(self, name: str, result: tuple[Any, ...]) -> Any:
        """Return what a call of the driver returned behind its status."""
        status, *values = result
        if status:
            _, text = self._driver.cuGetErrorString(status)
            raise RuntimeError(f"{name}: the CUDA driver refused: {text.decode()}")
        return values[0] if values else None


_LOADED: dict[tuple[str, torch.device], Module] = {}
_LOCK = threading.Lock()


def load(source: str, device: torch.device) -> Module:
    """Return the kernels of `source` for a device; compiled at most once a process."""
    key = (source, device)
    module = _LOADED.get(key)
    if module is None:
        with _LOCK:
            module = _LOADED.get(key)
            if module is None:
                module = _LOADED[key] = Module(source, device)
    return module
