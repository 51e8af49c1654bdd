from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

import pytest

GUIDE = Path(__file__).resolve().parents[3] / "docs/how-to/use-your-own-data.md"


def test_the_guide_works_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: Dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL):
        exec(example, names)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("SpikeDataset(40 samples, 50 steps, 384 neurons, 2 classes) 0 ")
    assert printed[1].startswith("SpikeDataset(60 samples, 50 steps, 40 neurons, 2 classes)")
    assert float(printed[2].split("%")[0]) > 80
    assert 0 < float(printed[3]) < 0.2
    assert printed[4] == "(100, 8, 784) (500, 8, 24) (500, 8, 72)"
    assert printed[5] == "500 (500, 4, 24)"
    assert printed[6:8] == ["(500, 4, 24) torch.Size([4])"] * 2
    assert len(list((tmp_path / "cache").iterdir())) == 1
