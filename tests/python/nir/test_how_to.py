"""The page exchange-networks.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

import pytest

pytest.importorskip("nir")

GUIDE = Path(__file__).resolve().parents[3] / "docs/how-to/exchange-networks.md"


def test_the_guide_works_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = GUIDE.read_text(encoding="utf-8")
    names: Dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(example, names)
    assert capsys.readouterr().out == "".join(re.findall(r"```text\n(.*?)```", text, re.DOTALL))
