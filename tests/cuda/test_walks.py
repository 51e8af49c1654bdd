"""The walks of the architecture page name files that the values of the options pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cuda.conftest import Engine

import popsnn
from tools import rooms

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
# Files of the package that a value passes at most.
MOST_FILES = {"max_activity": 8, "beta": 12}


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
    assert len(passed) <= MOST_FILES["max_activity"]
    passed.update(rooms.max_activity("torch"))
    assert named("max_activity", r"python/popsnn/[\w/]+\.py") <= paths(passed)
    for file in named("max_activity", r"(?:cuda|poplib|codelets)/[\w/]+\.[ch]\w+"):
        assert re.search(r"\bcapacity\b", (ROOT / file).read_text()), file


def test_walk_of_beta(host_engine: Engine) -> None:
    passed = rooms.beta("torch")
    assert host_engine.launched
    assert len(passed) <= MOST_FILES["beta"]
    assert named("beta", r"python/popsnn/[\w/]+\.py") <= paths(passed)
    for file in named("beta", r"cuda/[\w/]+\.cuh"):
        assert re.search(r"\bkBeta\b", (ROOT / file).read_text()), file


def paths(files: dict[str, list[str]]) -> set[str]:
    return {f"python/popsnn/{file}" for file in files}
