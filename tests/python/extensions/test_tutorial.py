"""The tutorial `your-own-neuron.md`, as its reader does it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import popsnn

TUTORIAL = Path(__file__).parents[3] / "docs/tutorial/your-own-neuron.md"


@pytest.mark.usefixtures("quick_codelets")
@pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)
def test_each_step_leaves_what_it_says(tmp_path: Path) -> None:
    blocks = re.findall(r"```(\w+)\n(.*?)```", TUTORIAL.read_text(), re.DOTALL)
    first, change = (text for kind, text in blocks if kind in ("sh", "diff"))
    before, after = (text.strip() for kind, text in blocks if kind == "text")
    program = "".join(text for kind, text in blocks if kind == "python")
    environment = {**os.environ, "POPSNN_CACHE_DIR": str(tmp_path / "cache")}

    def shell(*command: str, text: str = "") -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, input=text, capture_output=True, text=True,
            timeout=300,
        )  # fmt: skip
        return done.stdout + done.stderr

    for command in first.splitlines():
        command = command.replace("popsnn", "python -m popsnn", 1) if "new" in command else command
        output = shell(sys.executable, *command.split()[1:])
    assert before in output
    assert shell("git", "apply", "-p0", text=change) == ""
    assert after in shell(sys.executable, "-m", "pytest", "-q", "test_quadratic_lif.py")
    (tmp_path / "use.py").write_text(program)
    assert shell(sys.executable, "use.py") == "loss below 1: True, kappa moved: True\n"
