"""The package where an SDK is: its enable.sh sourced, or its libraries in the same process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from popsnn._internal.paths import emulator_prefix

LIBRARIES = ("poplar", "poputil", "popops", "popart", "poplin", "popnn", "poprand", "gcl", "pva")
NETWORK = """
import torch
from popsnn import nn
net = nn.SNN(nn.SparseLIF(6, 8), nn.LI(8, 3), backend="ipu")
print(tuple(net(torch.ones(4, 2, 6)).shape))
"""
# Before the package, as where a real PopTorch was imported first.
LOADED_FIRST = """
import ctypes, sys
for path in sys.argv[1:]:
    ctypes.CDLL(path)
"""

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is missing")


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of libraries with the SDK's names and SONAMEs, and nothing in them."""
    folder = tmp_path_factory.mktemp("sdk")
    source = folder / "empty.cpp"
    source.write_text("")
    for name in LIBRARIES:
        library = folder / f"lib{name}.so"
        command = ["g++", "-shared", "-fPIC", f"-Wl,-soname,{library.name}", str(source)]
        subprocess.run([*command, "-o", str(library)], check=True)
    return folder


def run(text: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", text, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_libraries_of_an_sdk_on_the_path_are_left_alone(sdk: Path) -> None:
    assert run(NETWORK, LD_LIBRARY_PATH=str(sdk)) == "(4, 2, 3)"


def test_libraries_of_an_sdk_in_the_process_are_left_alone(sdk: Path) -> None:
    paths = [str(sdk / f"lib{name}.so") for name in LIBRARIES]
    assert run(LOADED_FIRST + NETWORK, *paths) == "(4, 2, 3)"


def test_emulated_poptorch_with_an_sdk(sdk: Path) -> None:
    python = str(emulator_prefix() / "python")
    text = "import poptorch; print(poptorch.__version__)"
    assert "emulated" in run(text, LD_LIBRARY_PATH=str(sdk), PYTHONPATH=python)
