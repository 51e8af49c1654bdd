from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any, Dict

import pytest

from popsnn.cli.main import main
from popsnn.training import pictures

GUIDE = Path(__file__).resolve().parents[3] / "docs/how-to/train-on-a-dataset.md"


def test_the_guide_works_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pictures, "draw", lambda *_: None)  # which tests of the loop look at
    text = GUIDE.read_text()
    (config,) = re.findall(r"<<'END'\n(.*?)END\n", text, re.DOTALL)
    Path("mine.yaml").write_text(config)
    (command,) = re.findall(r"^popsnn (train --config mine.yaml .*)$", text, re.MULTILINE)
    assert main([*shlex.split(command), "--epochs", "1", "--no-pictures"]) == 0
    (command,) = re.findall(r"^popsnn (train --resume .*)$", text, re.MULTILINE)
    assert main(shlex.split(command)) == 0
    capsys.readouterr()
    names: Dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(example, names)
    printed = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"[\d.]+% on emulated IPU .*", printed[0])
    assert [line.split()[0] for line in printed[1:3]] == ["1", "2"]
    assert printed[3] == "True"  # fewer operations than a dense network has
    assert Path("mine.png").read_bytes().startswith(b"\x89PNG")
