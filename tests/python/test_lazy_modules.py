from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["devices", "parallel", "poptorch", "profiling", "training"])
def test_an_attribute_of_the_package_imports_the_module(module: str) -> None:
    code = f"import popsnn; print(popsnn.{module}.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == (f"popsnn.{module}\n", "")
