"""From C++ to a cubin, by NVRTC; no GPU and no driver are needed."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

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
    from cuda.core.utils import make_program_cache_key

    options = _options(arch)
    if cache is None:
        return _compile(source, options)
    key = make_program_cache_key(
        code=source,
        code_type="c++",
        options=options,
        target_type="cubin",
        extra_digest=sources.digest(sources.include_path()),
    )
    cached = cache.get(key)
    if cached is not None:
        return Compiled(cached, "")
    compiled = _compile(source, options)
    cache.put(key, compiled.cubin)
    return compiled


def _options(arch: str) -> Any:
    from cuda.bindings import nvrtc
    from cuda.core import ProgramOptions

    _, *version = nvrtc.nvrtcVersion()
    # A cubin out of the cache that NVRTC has of its own, from 13.0 on, comes without a report.
    fresh = {"no_cache": True} if version >= [13, 0] else {}
    return ProgramOptions(
        std=STANDARD,
        arch=arch,
        include_path=[str(sources.include_path())],
        ptxas_options="-v",
        **fresh,
    )


def _compile(source: str, options: Any) -> Compiled:
    from cuda.core import Program

    logs = io.StringIO()
    try:
        code = Program(source, "c++", options=options).compile("cubin", logs=logs)
    except Exception as error:  # cuda.core's own types differ from version to version
        raise CompileError(
            f"compile_cubin: NVRTC refused the kernel for {options.arch}: {error}"
        ) from error
    return Compiled(bytes(code.code), logs.getvalue())
