"""Facts about kernels: numbers of their headers, what they spill, how they were compiled."""

from __future__ import annotations

import os
import re
import struct
from functools import lru_cache
from pathlib import Path

import pytest
from tools.compare_kernels import instructions

from popsnn.cuda.device import compiler, cuda_core
from popsnn.cuda.device.cache import CubinCache
from popsnn.cuda.device.compiler import Compiled
from popsnn.cuda.device.sources import digest, include_path

FOLDER = Path(__file__).resolve().parents[2] / "build" / "compiled_kernels"
LENGTH = struct.Struct("<Q")  # of a report, which its cubin follows


def header(*names: str) -> str:
    """Return the text of headers of `cuda/popsnn`."""
    return "".join((include_path() / "popsnn" / f"{name}.cuh").read_text() for name in names)


def constants(text: str) -> dict[str, int]:
    """Return the constants of a header that are one number."""
    return {name: int(n) for name, n in re.findall(r"constexpr int (k\w+) = (\d+);", text)}


def compiled(source: str, arch: str) -> Compiled:
    """Return what `compile_cubin` does, from an earlier test or an earlier run where it is there.

    That is what the same compiler made of the same source, headers and options. All are compiled
    again where POPSNN_COMPILE_AGAIN is set.
    """
    if os.environ.get("POPSNN_COMPILE_AGAIN"):
        return compiler.compile_cubin(source, arch)
    options = compiler._options(arch)
    key = cuda_core.cuda_core().utils.make_program_cache_key(
        code=source,
        code_type="c++",
        options=options,
        target_type="cubin",
        extra_digest=digest(include_path()) + _compiler().encode(),
    )
    cache = _cache()
    saved = cache.get(key)
    if saved is None:
        result = compiler.compile_cubin(source, arch)
        report = result.report.encode()
        cache.put(key, LENGTH.pack(len(report)) + report + result.cubin)
        return result
    end = LENGTH.size + LENGTH.unpack_from(saved)[0]
    return Compiled(saved[end:], saved[LENGTH.size : end].decode())


@lru_cache(maxsize=None)
def _cache() -> CubinCache:
    return CubinCache(FOLDER)


@lru_cache(maxsize=None)
def _compiler() -> str:
    """Return what tells builds of NVRTC apart, and versions of what calls it."""
    from cuda.pathfinder import load_nvidia_dynamic_lib

    path = load_nvidia_dynamic_lib("nvrtc").abs_path
    status = os.stat(path)
    caller = Path(compiler.__file__).read_text(encoding="utf-8")
    return f"{path} {status.st_size} {status.st_mtime_ns} {caller}"


def most_spilt(source: str, arch: str) -> int:
    """Return the bytes a thread that the worst of a source's kernels spills.

    None of them may read a zero too soon.
    """
    pytest.importorskip("cuda.core")
    result = compiled(source, arch)
    assert not zeros_read_too_soon(result.cubin)
    return max(int(n) for n in re.findall(r"(\d+) bytes spill stores", result.report))


ZERO, WIDE_PRODUCT = 0x805, 0x025  # CS2R's opcode, and the lowest 9 bits of those of IMAD.WIDE
ALWAYS = 7  # the predicate of instructions that have none
SOON = 2  # cycles


def zeros_read_too_soon(cubin: bytes) -> list[str]:
    """Return where a product of 64 bits is to replace a zero, if a predicate holds, too soon.

    ptxas of NVRTC 13.0.88 compiles `there ? a * b : 0` to a zero, and the product instead where
    the predicate holds, and what reads either. Where the product follows the zero by 2 cycles, and
    the reader the product by 3, an H200 reads what the register had before where the predicate does
    not hold. In all other kernels there are 3 and 4, 13.5 leaves 4 and more.
    """
    result = []
    for name, code in instructions(cubin).items():
        words = struct.unpack(f"<{len(code) // 8}Q", code)
        pairs = list(zip(words[::2], words[1::2]))
        for place, (low, high) in enumerate(pairs):
            if low & 0xFFF != ZERO:
                continue
            passed = high >> 41 & 15  # cycles until the next instruction
            for other, control in pairs[place + 1 :]:
                if passed > SOON:
                    break
                same = low >> 16 & 255 == other >> 16 & 255
                if same and other & 0x1FF == WIDE_PRODUCT and other >> 12 & 7 != ALWAYS:
                    result.append(f"{name}+{16 * place:#x}")
                passed += control >> 41 & 15
    return result


LOAD_MATRICES, ARRIVE = 0x83B, 0x9A7  # opcodes of LDSM and of SYNCS.ARRIVE
NO_COUNTER = 7


def arrivals_before_loads(cubin: bytes) -> list[str]:
    """Return where an arrival at a barrier may overtake a load of matrices before it.

    ptxas lets arrivals pass loads whose results nothing has waited for. On a busy H200 such a load
    came so late that the copy engine, which the arrival let go on, had overwritten what it reads.
    """
    result = []
    for name, code in instructions(cubin).items():
        words = struct.unpack(f"<{len(code) // 8}Q", code)
        uncounted, waited_by = False, set()  # loads complete in order: the next counter counts them
        for place, (low, high) in enumerate(zip(words[::2], words[1::2])):
            waited_by = {counter for counter in waited_by if not high >> 52 & 1 << counter}
            if low & 0xFFF == LOAD_MATRICES:
                counter = high >> 46 & 7
                uncounted = counter == NO_COUNTER
                if not uncounted:
                    waited_by.add(counter)
            elif low & 0xFFF == ARRIVE and (waited_by or uncounted):
                result.append(f"{name}+{16 * place:#x}")
    return result
