"""From C++ to a cubin, by NVRTC; no GPU and no driver are needed."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass

from . import sources
from .cache import CubinCache

STANDARD = "c++17"


class CompileError(RuntimeError):
    """A kernel did not compile; the message ends with the compiler's own."""


@dataclass(frozen=True)
class Compiled:
    """A `cubin` and what ptxas said of it: `report`, empty where the cubin is from the cache."""

    cubin: bytes
    report: str


def compile_cubin(source: str, arch: str, cache: CubinCache | None = None) -> Compiled:
    """Compile C++ for an architecture such as "sm_90".

    Raises
    ------
    CompileError
        With what the compiler says.
    """
    from cuda.bindings import nvrtc

    _, major, minor = nvrtc.nvrtcVersion()
    headers = sources.digest(sources.include_path())
    text = "\0".join([source, headers, arch, STANDARD, f"nvrtc {major}.{minor}"])
    key = hashlib.sha256(text.encode()).hexdigest()
    cached = None if cache is None else cache.get(key)
    if cached is not None:
        return Compiled(cached, "")
    compiled = _compile(source, arch, (major, minor))
    if cache is not None:
        cache.put(key, compiled.cubin)
    return compiled


def _compile(source: str, arch: str, version: tuple[int, int]) -> Compiled:
    from cuda.core import Program, ProgramOptions

    logs = io.StringIO()
    # A cubin out of the cache that NVRTC has of its own, from 13.0 on, comes without a report.
    fresh = {"no_cache": True} if version >= (13, 0) else {}
    try:
        options = ProgramOptions(
            std=STANDARD,
            arch=arch,
            include_path=[str(sources.include_path())],
            ptxas_options="-v",
            **fresh,
        )
        code = Program(source, "c++", options=options).compile("cubin", logs=logs)
    except Exception as error:  # cuda.core's own types differ from version to version
        raise CompileError(
            f"compile_cubin: NVRTC refused the kernel for {arch}: {error}"
        ) from error
    return Compiled(bytes(code.code), logs.getvalue())
