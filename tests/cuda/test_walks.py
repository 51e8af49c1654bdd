"""The walks of the architecture page name files that the values of the options pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from tests.cuda.conftest import Engine

import popsnn
from tools import rooms

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
# Files that a value passes at most, of Python and C++.
MOST_FILES = {"max_activity": 8, "beta": 7}


def named(option: str, pattern: str) -> set[str]:
    """Return the files that the walk of an option names."""
    section = PAGE.read_text().split(f"## Walk of `{option}`")[1].split("\n## ")[0]
    result = set(re.findall(rf"`({pattern})`", section))
    assert result
    return result


def test_walk_of_max_activity() -> None:
    ipu = popsnn.backends()["ipu"]
    if not ipu.available:
        pytest.skip(f"engine ipu: {ipu.reason}")
    passed = rooms.max_activity("ipu")
    assert len(passed) + len(rooms.cpp_of_max_activity()) <= MOST_FILES["max_activity"]
    passed.update(rooms.max_activity("torch"))
    assert named("max_activity", r"python/popsnn/[\w/]+\.py") <= paths(passed)
    for file in named("max_activity", r"(?:cuda|poplib|codelets)/[\w/]+\.[ch]\w+"):
        assert re.search(r"\bcapacity\b", (ROOT / file).read_text()), file


def test_walk_of_beta(host_engine: Engine) -> None:
    passed = rooms.beta("auto")
    assert host_engine.launched
    assert len(passed) + len(rooms.cpp_of_beta()) <= MOST_FILES["beta"]
    assert named("beta", r"python/popsnn/[\w/]+\.py") <= paths(passed)
    assert named("beta", r"cuda/[\w/]+\.cuh") <= rooms.cpp_of_beta().keys()


def test_without_a_gpu_a_call_ends_at_the_launch(host_engine: Engine) -> None:
    expected = rooms.beta("auto")
    if not torch.cuda.is_available():
        assert rooms.beta("cuda") == expected


def paths(files: dict[str, list[str]]) -> set[str]:
    return {f"python/popsnn/{file}" for file in files}
