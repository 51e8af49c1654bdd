"""libpopsnn and the PopART operators against the public headers of poplibs and PopART.

Poplar itself, ONNX and poprithms have no public headers, or are packages of their own: theirs are
the emulator's. The others come from the repositories that `POPSNN_CONFORMANCE_REPOS` names.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import List

import pytest
from tests.emulator.conformance.repositories import take
from tests.emulator.popc_tool import CXX

ROOT = Path(__file__).resolve().parents[2]
POPLIBS = ("graphcore/poplibs", "7eac0f2")
POPART = ("graphcore/popart", "d2f20d7")
SOURCES = sorted(
    path.relative_to(ROOT)
    for folder in ("poplib/src", "poplib/popart")
    for path in (ROOT / folder).rglob("*.cpp")
)
EMULATED = ("poplar", "gccs", "onnx", "poprithms")


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> List[str]:
    folder = tmp_path_factory.mktemp("public")
    take(POPLIBS, ["include"], folder)
    take(POPART, ["willow/include"], folder)
    for name in EMULATED:
        (folder / "emulated" / name).parent.mkdir(exist_ok=True)
        (folder / "emulated" / name).symlink_to(ROOT / "emulator" / "include" / name)
    public = [folder / "include", folder / "willow" / "include", folder / "emulated"]
    own = [ROOT / path for path in ("poplib/include", "poplib/src", "poplib/popart", "codelets")]
    return [
        *(f"-I{path}" for path in own),
        *(flag for path in public for flag in ("-isystem", str(path))),
        "-DONNX_NAMESPACE=onnx",
        '-DPOPSNN_CODELET_FLAGS=""',
    ]


def errors(source: Path, flags: List[str]) -> str:
    command = [CXX, "-std=c++17", "-fsyntax-only", *flags, str(source)]
    return subprocess.run(command, capture_output=True, text=True).stderr


def test_there_are_sources() -> None:
    assert len(SOURCES) > 30


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_a_source_compiles_against_public_headers(source: Path, flags: List[str]) -> None:
    assert errors(ROOT / source, flags) == ""


def test_headers_of_the_emulator_do_not_stand_in(flags: List[str], tmp_path: Path) -> None:
    """A call that PopART does not have is an error, and its public headers are those in use."""
    source = tmp_path / "wrong.cpp"
    source.write_text(
        "#include <popart/op.hpp>\n#include <popops/Zero.hpp>\n"
        "int call(popart::Op& op) { return op.nothingOfTheKind(); }\n"
    )
    assert "nothingOfTheKind" in errors(source, flags)
    listed = subprocess.run(
        [CXX, "-std=c++17", "-M", *flags, str(source)], capture_output=True, text=True
    ).stdout
    assert "willow/include/popart/op.hpp" in listed
    assert "emulator/include/popart" not in listed
