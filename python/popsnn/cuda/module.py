"""Compiled kernels on a device, and their launch on the caller's stream."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import torch

from .cache import CubinCache, default_folder
from .compiler import compile_cubin


class Module:
    """The kernels of one source, loaded; made by `load`."""

    def __init__(self, source: str, arch: str) -> None:
        from cuda.bindings import driver
        from cuda.core import ObjectCode

        self._driver = driver
        self._code = ObjectCode.from_cubin(
            compile_cubin(source, arch, CubinCache(default_folder())).cubin
        )
        self._kernels: dict[tuple[str, int], Any] = {}

    def launch(
        self,
        name: str,
        blocks: int,
        threads: int,
        shared_bytes: int,
        arguments: ctypes.Structure,
        device: torch.device,
    ) -> None:
        """Launch a kernel of one struct argument on the device's current stream.

        Raises
        ------
        RuntimeError
            With the driver's own words where it refuses.
        """
        if device.index != torch.cuda.current_device():
            with torch.cuda.device(device):
                self.launch(name, blocks, threads, shared_bytes, arguments, device)
            return
        kernel = self._kernels.get((name, device.index))
        if kernel is None:
            kernel = self._kernels[name, device.index] = self._prepare(name, device.index)
        stream = torch.cuda.current_stream(device).cuda_stream
        pointer = ctypes.c_void_p(ctypes.addressof(arguments))
        (status,) = self._driver.cuLaunchKernel(
            kernel,
            *(blocks, 1, 1),
            *(threads, 1, 1),
            shared_bytes,
            stream,
            ctypes.addressof(pointer),
            0,
        )
        if status:
            self._refuse(name, status)

    def _prepare(self, name: str, index: int) -> Any:
        driver = self._driver
        with torch.cuda.device(index):
            torch.cuda.current_stream()  # makes the device's context
            handle = driver.CUkernel(int(self._code.get_kernel(name).handle))
            attribute = driver.CUfunction_attribute
            limit: int = torch.cuda.get_device_properties(index).shared_memory_per_block_optin  # type: ignore[attr-defined]
            wanted = {
                attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: limit,
                # The kernels read past L1, so all of it can be shared memory.
                attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: 100,
            }
            for key, value in wanted.items():
                (status,) = driver.cuKernelSetAttribute(key, value, handle, index)
                if status:
                    self._refuse(name, status)
        return handle

    def _refuse(self, name: str, status: Any) -> None:
        _, text = self._driver.cuGetErrorString(status)
        raise RuntimeError(f"{name}: the CUDA driver refused the launch: {text.decode()}")


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
                major, minor = torch.cuda.get_device_capability(device)
                module = _LOADED[key] = Module(source, f"sm_{major}{minor}")
    return module
