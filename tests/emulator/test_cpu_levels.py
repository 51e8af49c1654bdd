"""Choice of the codelet file of a CPU level, of those that are compiled for x86-64 CPUs."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.emulator.popc_tool import locate_popc

LEVELS = ("x86-64", "x86-64-v3", "x86-64-v4")
FEATURES = {"x86-64": set(), "x86-64-v3": {"avx2", "bmi1", "bmi2", "fma"}}
FEATURES["x86-64-v4"] = FEATURES["x86-64-v3"] | {
    "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl",
}  # fmt: skip
SOURCE = """
#include <poplar/Vertex.hpp>
class Level : public poplar::Vertex {
 public:
  poplar::Output<int> number;
  void compute() { *number = NUMBER; }
};
"""

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="levels of x86-64")


def of_this_cpu() -> list[str]:
    """Return the levels of this CPU, as Linux says."""
    (line, *_) = re.findall(r"^flags\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return [level for level in LEVELS if FEATURES[level] <= set(line.split())]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Libraries whose vertex tells the number of their level."""
    folder = tmp_path_factory.mktemp("levels")
    (folder / "level.cpp").write_text(SOURCE)
    for number, level in enumerate(LEVELS):
        name = "level.gp" if level == "x86-64" else f"level.{level}.gp"
        flags = (f"-march={level}", f"-DNUMBER={number}", "-o", folder / name)
        subprocess.run([locate_popc(folder), folder / "level.cpp", *flags], check=True)
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    """A copy: one file is loaded once."""
    for path in made.glob("*.gp"):
        shutil.copy(path, tmp_path)
    return tmp_path / "level.gp"


def loaded(poplar, bench, path: Path) -> str:
    b = bench()
    assert b.graph.add_codelets(str(path))
    number = b.variable(poplar.INT, [])
    cs = b.graph.add_compute_set()
    b.vertex(cs, "Level", number=number)
    return LEVELS[int(b.evaluate(number, np.int32, poplar.Execute(cs)))]


@pytest.mark.parametrize("missing", [False, True])
def test_the_highest_level_of_the_cpu_is_loaded(poplar, bench, library, missing, monkeypatch):
    monkeypatch.delenv("POPSNN_CPU_LEVEL", raising=False)
    *_, lower, highest = ["x86-64", *of_this_cpu()]
    if missing:
        library.with_suffix(f".{highest}.gp").unlink(missing_ok=True)
    assert loaded(poplar, bench, library) == (lower if missing else highest)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_can_be_named(poplar, bench, library, level, monkeypatch):
    monkeypatch.setenv("POPSNN_CPU_LEVEL", level)
    if level in of_this_cpu():
        assert loaded(poplar, bench, library) == level
    else:
        sentence = f"expected a level of this CPU, got '{level}'"
        with pytest.raises(poplar.file_load_error, match=sentence):
            loaded(poplar, bench, library)


def test_other_levels_are_refused(poplar, bench, library, monkeypatch):
    monkeypatch.setenv("POPSNN_CPU_LEVEL", "x86-64-v2")
    sentence = (
        "addCodelets: POPSNN_CPU_LEVEL: expected x86-64, x86-64-v3 or x86-64-v4, got 'x86-64-v2'"
    )
    with pytest.raises(poplar.file_load_error, match=sentence):
        loaded(poplar, bench, library)
