from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

import pytest

from popsnn.training import pictures

GUIDE = Path(__file__).resolve().parents[3] / "docs/how-to/label-every-step.md"


def test_the_guide_reaches_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pictures, "draw", lambda *_: None)  # which tests of the loop look at
    text = GUIDE.read_text(encoding="utf-8")
    names: Dict[str, Any] = {}
    for example in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        exec(example, names)
    *_, printed = capsys.readouterr().out.splitlines()
    right, majority = (float(number) for number in re.findall(r"([\d.]+)%", printed))
    (said,) = re.findall(r"seconds, (\d+) % of the labelled test steps are right", text)
    (of_majority,) = re.findall(r"between the waves, has\s+(\d+) % of them", text)
    assert right == pytest.approx(float(said), abs=1.5)
    assert round(majority) == int(of_majority)
    net, test = names["net"], names["test"]
    with_labels = int((test.labels != -100).sum())
    assert sum(map(sum, names["result"]["confusion"])) == with_labels
    assert net.training
