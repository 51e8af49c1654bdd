"""popc's answers to a public list of what a vertex's fields may be (row 11 of the table).

The file has several mistakes at once: each run keeps one of its fields that are refused.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Dict, List

import pytest
from tests.emulator.conformance.programs import COOKBOOK
from tests.emulator.conformance.repositories import take
from tests.emulator.library_tool import prefix

FOLDER = "complex-local-data-structures/src/codelets"
REFUSED = ["aComplexType", "moreThan2D", "someArray", "something", "buffer1"]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> List[str]:
    """The file, its mistyped struct and its missing namespace mended, without compute's body."""
    folder = tmp_path_factory.mktemp("fields")
    take(COOKBOOK, [FOLDER], folder)
    text = (folder / FOLDER / "WhatIsAllowed.cpp").read_text()
    text = text.replace("float a, int b", "float a; int b;")
    text = text.replace("using MyOwn", "using namespace poplar;\nusing MyOwn")
    text = text[: text.index("bool compute")] + "bool compute() { return true; }\n};"
    return text.splitlines()


def compile_with(lines: List[str], kept: str, folder: Path) -> subprocess.CompletedProcess[str]:
    dropped = [name for name in REFUSED if name != kept]
    field = re.compile(r"\b(" + "|".join(dropped) + r")\b(\[\d+\])?;")
    source = folder / "fields.cpp"
    source.write_text("\n".join(line for line in lines if not field.search(line)))
    command = [f"{prefix()}/bin/popc", str(source), "-o", str(folder / "fields.gp")]
    return subprocess.run(command, capture_output=True, text=True)


def stated(lines: List[str]) -> Dict[str, str]:
    """The message that the file states for a field."""
    result = re.findall(r"// Error: (Field 'WhatIsAllowedVertex\.(\w+)'.*)", "\n".join(lines))
    return {name: message for message, name in result}


def test_the_allowed_fields_compile(lines: List[str], tmp_path: Path) -> None:
    done = compile_with(lines, "", tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("field", REFUSED)
def test_a_refused_field(field: str, lines: List[str], tmp_path: Path) -> None:
    done = compile_with(lines, field, tmp_path)
    assert done.returncode != 0
    expected = stated(lines).get(field, f"Field 'WhatIsAllowedVertex.{field}' has unsupported")
    assert expected in done.stderr
