"""A new option of SparseLIF needs four files: it is added to a copy of the sources, and arrives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import popsnn

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("codelets", "cuda", "poplib", "python/popsnn")

# The recipe of CONTRIBUTING.md for an option `offset`, which is added to the membrane: texts of
# each file, and what replaces them.
EDITS = {
    "python/popsnn/neurons/lif.py": [
        (
            ' "threshold": 1.0}\n    bounds = {"beta": (0.0, 1.0)}\n\n    def step(',
            ' "threshold": 1.0}\n    offset: float = 0.0\n\n    def step(',
        ),
        (
            "        v = self.decayed(beta, v, s, threshold, x)\n",
            "        v = self.decayed(beta, v, s, threshold, x) + self.offset\n",
        ),
    ],
    "python/popsnn/nn/sparse_lif.py": [
        (
            "    CHECKS: ClassVar[Mapping[str, Check]] = {\n",
            "    CHECKS: ClassVar[Mapping[str, Check]] = {\n"
            '        "offset": lambda _, name, value: checks.finite(name, "offset", value),\n',
        ),
        (
            "        detach_reset: bool = True,\n",
            "        detach_reset: bool = True,\n        offset: float = 0.0,\n",
        ),
        (
            "        self.detach_reset = detach_reset\n",
            "        self.detach_reset = detach_reset\n        self.offset = offset\n",
        ),
        ("from ..functional.neuron import LIFS\n", "from ..functional.neuron import LIF\n"),
        ("LIFS[self.reset, self.detach_reset]", "LIF(self.reset, self.detach_reset, self.offset)"),
        ("=self.detach_reset,\n", "=self.detach_reset,\n            offset=self.offset,\n"),
    ],
    "python/popsnn/_internal/spec.py": [
        (
            "    half_weights: bool = False\n",
            "    half_weights: bool = False\n    offset: float = 0.0\n",
        ),
    ],
    "poplib/include/popsnn/network.hpp": [
        ("  bool half_weights = false;", "  float offset = 0.0f;\n  bool half_weights = false;"),
        (
            '    visit("half_weights", self.half_weights);\n',
            '    visit("half_weights", self.half_weights);\n    visit("offset", self.offset);\n',
        ),
    ],
}

# What the package makes of the option: fields, PopART's attributes, spikes and an error.
PYTHON = """
import json
from dataclasses import fields
import torch
from popsnn.engines.poptorch_ops import _attributes
from popsnn.nn import SparseLIF
from popsnn._internal.spec import LayerSpec

layer = SparseLIF(3, 2, bias=False, offset=2.5)
try:
    layer.offset = "high"
except TypeError as error:
    refused = str(error)
print(json.dumps({
    "fields": [field.name for field in fields(LayerSpec)],
    "attributes": _attributes([layer.spec()]),
    "spikes": layer(torch.zeros(1, 1, 3)).to_dense().tolist(),
    "refused": refused,
}))
"""
# What the native part makes of those attributes.
CPP = """
#include <iostream>

#include "network_attributes.hpp"

int main() {
  const std::map<std::string, popart::any> values = {ATTRIBUTES};
  const popart::Attributes attributes(values);
  const auto read = popsnn::ops::NetworkAttributes::of("SparseNetwork", attributes);
  popsnn::LayerSpec::each_field(read.layers[0], [](const char* name, const auto&) {
    std::cout << name << ' ';
  });
  std::cout << read.layers[0].offset;
}
"""
KINDS = {int: "Ints", float: "Floats", str: "Strings"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with the option."""
    result = tmp_path_factory.mktemp("option")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, result / folder)
    for name, edits in EDITS.items():
        text = (result / name).read_text()
        for old, new in edits:
            assert text.count(old) == 1, f"{name}: {old}"
            text = text.replace(old, new)
        (result / name).write_text(text)
    return result


def output(*command: object, **environment: str) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(
        words, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_option_of_a_layer_arrives_with_four_files(tree: Path) -> None:
    assert len(EDITS) == 4
    text = output(sys.executable, "-c", PYTHON, PYTHONPATH=str(tree / "python"))
    arrived = json.loads(text.splitlines()[-1])
    assert arrived["spikes"] == [[[1.0, 1.0]]]  # 2.5 is above the threshold
    assert arrived["refused"].startswith("SparseLIF: offset: expected a number")
    assert arrived["attributes"]["offset"] == [2.5]

    values = (
        f'{{"{name}", popart::Attributes::{KINDS[type(entries[0])]}{{{json.dumps(entries[0])}}}}}'
        for name, entries in arrived["attributes"].items()
    )
    (tree / "main.cpp").write_text(CPP.replace("ATTRIBUTES", ", ".join(values)))
    emulator = popsnn.emulator_prefix()
    folders = [tree / "poplib" / name for name in ("popart", "include", "src")]
    includes = [f"-I{path}" for path in (*folders, tree / "codelets", emulator / "include")]
    files = [
        tree / name
        for name in (
            "main.cpp",
            "poplib/popart/network_attributes.cpp",
            "poplib/src/plan/network.cpp",
        )
    ]
    program, libraries = tree / "main", emulator / "lib"
    output("c++", "-std=c++17", *includes, *files, f"-L{libraries}", "-lpopart", "-o", program)
    *names, offset = output(program, LD_LIBRARY_PATH=str(libraries)).split()
    assert names == arrived["fields"]
    assert offset == "2.5"
