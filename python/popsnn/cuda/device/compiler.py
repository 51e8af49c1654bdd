"""From C++ to a cubin, by NVRTC; no GPU and no driver are needed."""

from __future__ import annotations

import io
import os
import re
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from . import sources
from .cache import CubinCache
from .cuda_core import cuda_core

STANDARD = "c++17"
_KERNEL = re.compile(r"(?:POPSNN|PERSISTENT|COOPERATIVE|CLUSTER)_KERNEL\([^)]*\) (\w+)\(")


class CompileError(RuntimeError):
    """A kernel did not compile; the message ends with the compiler's own."""


class Compiled(NamedTuple):
    """A `cubin` and what ptxas said of it: `report`, empty where the cubin is from the cache."""

    cubin: bytes
    report: str


def compile_cubin(
    source: str, arch: str, cache: CubinCache | None = None, target: str = "cubin"
) -> Compiled:
    """Compile C++ for an architecture such as "sm_90", to machine code or to "ptx".

    Raises
    ------
    CompileError
        With what the compiler says.
    """
    options = _options(arch)
    if cache is None:
        return _compile(source, options, target)
    key = cuda_core().utils.make_program_cache_key(
        code=source,
        code_type="c++",
        options=options,
        target_type=target,
        extra_digest=sources.digest(sources.include_path()),
    )
    cached = cache.get(key)
    if cached is not None:
        return Compiled(cached, "")
    compiled = _compile(source, options, target)
    cache.put(key, compiled.cubin)
    return compiled


class Cubins:
    """Cubins of the kernels of a source by name, each compiled on a thread of its own.

    The first launch waits for its own kernel alone: of AdEx forward and backward that halves the
    time. The others are there when another shape needs them.
    """

    def __init__(
        self, source: str, arch: str, cache: CubinCache | None = None, target: str = "cubin"
    ) -> None:
        texts = separate(source)
        pool = ThreadPoolExecutor(min(len(texts), os.cpu_count() or 1))
        self._compiled: dict[str, Future[Compiled]] = {
            name: pool.submit(compile_cubin, text, arch, cache, target)
            for name, text in texts.items()
        }
        pool.shutdown(wait=False)

    def __getitem__(self, name: str) -> bytes:
        """Return the cubin that has a kernel.

        Raises
        ------
        CompileError
            With what the compiler says.
        """
        return self._compiled[name].result().cubin


def separate(source: str) -> dict[str, str]:
    """Return a source for each kernel of a source, by the kernel's name.

    It has the lines of all that is no kernel. A kernel takes one line, as `program.entry` has it.
    """
    lines = source.split("\n")
    kernels = {match[1]: i for i, line in enumerate(lines) if (match := _KERNEL.match(line))}
    return {
        name: "\n".join(
            line for i, line in enumerate(lines) if i == own or i not in kernels.values()
        )
        for name, own in kernels.items()
    }


def _options(arch: str) -> Any:
    from cuda.bindings import nvrtc

    _, *version = nvrtc.nvrtcVersion()
    # A cubin out of the cache that NVRTC has of its own, from 13.0 on, comes without a report.
    fresh = {"no_cache": True} if version >= [13, 0] else {}
    return cuda_core().ProgramOptions(
        std=STANDARD,
        arch=arch,
        include_path=[str(sources.include_path())],
        ptxas_options="-v",
        **fresh,
    )


def _compile(source: str, options: Any, target: str) -> Compiled:
    logs = io.StringIO()
    try:
        code = cuda_core().Program(source, "c++", options=options).compile(target, logs=logs)
    except Exception as error:  # cuda.core's own types differ from version to version
        raise CompileError(
            f"compile_cubin: NVRTC refused the kernel for {options.arch}: {error}"
        ) from error
    return Compiled(bytes(code.code), logs.getvalue())
