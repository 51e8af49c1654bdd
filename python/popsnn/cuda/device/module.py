"""Compiled kernels on a device, and their launch on the caller's stream."""

from __future__ import annotations

import ctypes
import threading
from functools import lru_cache
from typing import Any, NamedTuple

import torch

from . import properties
from .cache import cache_in, default_folder
from .compiler import Cubins
from .cuda_core import cuda_core
from .program import THREADS

# What declares kernels that take what only GPUs of one compute capability have, and clusters.
PERSISTENT, CLUSTER = "PERSISTENT_KERNEL", "CLUSTER_KERNEL"
EARLY_LAUNCHES = (9, 0)  # the oldest compute capability that has them


class Module:
    """The kernels of one source, loaded for one device; made by `load`."""

    def __init__(self, source: str, device: torch.device) -> None:
        from cuda.bindings import driver

        self._driver = driver
        have = properties.capability(device)
        arch = "sm_{}{}".format(*have)
        self._clusters = CLUSTER in source
        self._launches_early = have >= EARLY_LAUNCHES
        if PERSISTENT in source or self._clusters:
            arch += "a"  # they use what other GPUs do not have, older or newer
        # The driver translates PTX of an older GPU, whose machine code this GPU does not run.
        self._target = "cubin" if have == properties.actual(device).capability else "ptx"
        self._cubins = Cubins(source, arch, cache_in(default_folder()), self._target)
        self._codes: list[Any] = []  # what is loaded: the driver unloads it with the object
        self._device = device
        self._context = self._try("load", driver.cuDevicePrimaryCtxRetain(device.index))
        self._context_address = int(self._context)  # which each launch compares
        self._kernels: dict[str, Any] = {}
        self._active_blocks: dict[tuple[str, int], int] = {}  # blocks that run at once

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
        """Launch a kernel of one struct argument on the device's current stream.

        Where its blocks wait for each other, `together`, all of them run at once or none does. One
        that waits for the earlier kernel of the stream itself may be launched `early`, before that
        has ended; GPUs older than compute capability 9.0 launch it as any other.

        Raises
        ------
        RuntimeError
            With the driver's own words where it refuses; where the GPU has no room for all blocks
            together.
        """
        driver = self._driver
        pushed = self._push()
        try:
            kernel = self._kernel(name)
            # What Inductor and Triton call too; a torch.cuda.Stream takes 10 microseconds to make.
            stream = torch._C._cuda_getCurrentRawStream(self._device.index)
            pointer = ctypes.c_void_p(ctypes.addressof(arguments))
            grid, block = (blocks, 1, 1), (threads, 1, 1)
            call = (kernel, *grid, *block, shared_bytes, stream, ctypes.addressof(pointer))
            if together:
                active_blocks = self.active_blocks(name, threads, shared_bytes)
                if blocks > active_blocks:
                    raise RuntimeError(
                        f"{name}: blocks: expected at most {active_blocks}, as many as this GPU "
                        f"runs at once, got {blocks}"
                    )
                result = driver.cuLaunchCooperativeKernel(*call)
            elif early and self._launches_early:
                config = driver.CUlaunchConfig()
                config.gridDimX, config.gridDimY, config.gridDimZ = grid
                config.blockDimX, config.blockDimY, config.blockDimZ = block
                config.sharedMemBytes, config.hStream = shared_bytes, stream
                config.attrs, config.numAttrs = [_early(driver)], 1
                result = driver.cuLaunchKernelEx(config, kernel, ctypes.addressof(pointer), 0)
            else:
                result = driver.cuLaunchKernel(*call, 0)
            self._try(name, result)
        finally:
            if pushed:
                driver.cuCtxPopCurrent()

    def active_blocks(self, name: str, threads: int, shared_bytes: int) -> int:
        """Return how many blocks of a kernel run at once; of clusters, those of whole clusters."""
        key = (name, shared_bytes)
        if key not in self._active_blocks:
            pushed = self._push()
            try:
                self._active_blocks[key] = self._count(name, threads, shared_bytes)
            finally:
                if pushed:
                    self._driver.cuCtxPopCurrent()
        return self._active_blocks[key]

    def _count(self, name: str, threads: int, shared_bytes: int) -> int:
        driver, kernel = self._driver, self._kernel(name)
        width = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH
        size = int(self._try(name, driver.cuFuncGetAttribute(width, kernel)))
        if size:
            config = driver.CUlaunchConfig()
            config.gridDimX, config.gridDimY, config.gridDimZ = size, 1, 1
            config.blockDimX, config.blockDimY, config.blockDimZ = threads, 1, 1
            config.sharedMemBytes = shared_bytes
            return size * int(self._try(name, driver.cuOccupancyMaxActiveClusters(kernel, config)))
        count = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor
        each = self._try(name, count(kernel, threads, shared_bytes))
        return int(each) * properties.multiprocessors(self._device)

    def _push(self) -> bool:
        """Make the device's context current, and return whether another one was.

        The thread of autograd's backward pass may never have used a device, and then has none; it
        keeps this context, as after a call of CUDA's runtime, which torch's products expect.
        """
        driver = self._driver
        _, current = driver.cuCtxGetCurrent()
        address = int(current)
        if address == self._context_address:
            return False
        if not address:
            driver.cuCtxSetCurrent(self._context)
            return False
        driver.cuCtxPushCurrent(self._context)
        return True

    def _kernel(self, name: str) -> Any:
        kernel = self._kernels.get(name)
        if kernel is None:
            kernel = self._kernels[name] = self._prepare(name)
        return kernel

    def _prepare(self, name: str) -> Any:
        driver = self._driver
        code_of = cuda_core().ObjectCode
        make = code_of.from_cubin if self._target == "cubin" else code_of.from_ptx
        code = make(self._cubins[name])
        self._codes.append(code)
        handle = driver.CUkernel(int(code.get_kernel(name).handle))
        attribute = driver.CUfunction_attribute
        limit = properties.shared_bytes(self._device)
        wanted = {
            attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: limit,
            # The kernels read past L1, so all of it can be shared memory.
            attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: 100,
        }
        if self._clusters:
            wanted[attribute.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] = 1
        for key, value in wanted.items():
            self._try(name, driver.cuKernelSetAttribute(key, value, handle, self._device.index))
        # A kernel is of no context, and a launch would have to look up that of this device.
        return self._try(name, driver.cuKernelGetFunction(handle))

    def _try(self, name: str, result: tuple[Any, ...]) -> Any:
        """Return what a call of the driver returned behind its status."""
        status, *values = result
        if status:
            _, text = self._driver.cuGetErrorString(status)
            raise RuntimeError(f"{name}: the CUDA driver refused: {text.decode()}")
        return values[0] if values else None


@lru_cache(maxsize=None)
def _early(driver: Any) -> Any:
    """Return the launch attribute of a kernel that waits for the earlier one itself."""
    attribute = driver.CUlaunchAttribute()
    names = driver.CUlaunchAttributeID
    attribute.id = names.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
    attribute.value.programmaticStreamSerializationAllowed = 1
    return attribute


class Call(NamedTuple):
    """A kernel, and all of its launch that no tensor decides."""

    kernels: Module
    name: str
    blocks: int
    shared_bytes: int
    template: bytes  # of its arguments, without pointers

    def launch(self, arguments: ctypes.Structure) -> None:
        """Launch the kernel with arguments that are made from the template."""
        self.kernels.launch(self.name, self.blocks, THREADS, self.shared_bytes, arguments)


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
