"""The tutorial `poptorch.md`: its scripts, with `import poptorch` as they have it."""

from __future__ import annotations

import importlib
import re
import runpy
import sys
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[2] / "docs/tutorial/poptorch.md"


def test_the_scripts_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    importlib.import_module("popsnn.poptorch")  # from here on a plain import finds it
    blocks = re.findall(r"```(\w+)\n(.*?)```", TUTORIAL.read_text(), re.DOTALL)
    script, lists = (text for kind, text in blocks if kind == "python")
    begun, resumed, shape = (text for kind, text in blocks if kind == "text")
    (tmp_path / "train_digits.py").write_text(script)
    (tmp_path / "lists.py").write_text(lists)
    monkeypatch.chdir(tmp_path)

    def run(*command: str) -> str:
        monkeypatch.setattr(sys, "argv", list(command))
        runpy.run_path(command[0], run_name="__main__")
        return capsys.readouterr().out

    def rough(text: str) -> str:
        """Leave out what rounding may change."""
        return re.sub(r"\d\.\d+|[\d,]+ modelled|[\d.]+%", "#", text)

    assert rough(run("train_digits.py", "2")) == rough(begun)
    output = run("train_digits.py", "4")
    assert rough(output) == rough(resumed)
    (accuracy,) = re.findall(r"test accuracy ([\d.]+)%", output)
    assert float(accuracy) > 92
    again = run("train_digits.py", "4")  # nothing is left to train
    assert again.splitlines() == [output.splitlines()[0], output.splitlines()[-1]]
    assert run("lists.py") == shape
