from __future__ import annotations

import json
from pathlib import Path

import pytest

from popsnn.cli.main import main

SMALL = ["train", "digits", "--hidden", "16", "--steps", "4", "--epochs", "2", "--no-pictures"]


def test_a_run_is_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(tmp_path / "run")
    command = [*SMALL, "--backend", "torch", "--out", run, "--no-progress"]
    assert main([*command, "--max-activity", "none"]) == 0
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    capsys.readouterr()
    assert main(["eval", run, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["confusion"] == summary["confusion"]
    assert main(["eval", run]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["run"] == f"{run}, on cpu (engine torch)"
    assert lines["spikes"] == f"{result['spikes_per_sample']:.1f} a sample"
    assert lines["dropped"].startswith(f"{result['dropped_spikes']} spikes (")
    assert f"{100 * result['activity']:.2f} %" in lines["activity"]
    accuracy = f"{100 * summary['test_accuracy']:.2f} %"
    assert main(["eval", run, "--batch-size", "7"]) == 0
    assert f"test accuracy  {accuracy}" in capsys.readouterr().out


def test_what_cannot_be_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", str(tmp_path)]) == 1
    sentence = f"popsnn: eval: expected the model.pt of a finished run at {tmp_path}/model.pt, got"
    assert capsys.readouterr().err == f"{sentence} none\n"
    with pytest.raises(SystemExit) as ended:
        main(["eval", str(tmp_path), "--batch-size", "0"])
    assert ended.value.code == 2
    assert "--batch-size: expected a whole number from 1 on, got '0'" in capsys.readouterr().err
