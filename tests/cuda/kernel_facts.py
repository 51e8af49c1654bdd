"""What tests ask of the kernels' sources: numbers of their headers, and what they spill."""

from __future__ import annotations

import re

import pytest

from popsnn.cuda.compiler import compile_cubin
from popsnn.cuda.sources import include_path


def header(*names: str) -> str:
    """Return the text of headers of `cuda/popsnn`."""
    return "".join((include_path() / "popsnn" / f"{name}.cuh").read_text() for name in names)


def constants(text: str) -> dict[str, int]:
    """Return the constants of a header that are one number."""
    return {name: int(n) for name, n in re.findall(r"constexpr int (k\w+) = (\d+);", text)}


def most_spilt(source: str, arch: str) -> int:
    """Return the bytes a thread that the worst of a source's kernels spills."""
    pytest.importorskip("cuda.core")
    report = compile_cubin(source, arch).report
    return max(int(n) for n in re.findall(r"(\d+) bytes spill stores", report))
