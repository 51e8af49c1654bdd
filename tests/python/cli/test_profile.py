from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.full_disk import full_disk

import popsnn
from popsnn.cli.main import main

needs_ipu = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason="the ipu engine is not available"
)
SMALL = ["--device", "bow:tiles=64,bytes_per_tile=20000000", "--batch", "2", "--steps", "2"]


@needs_ipu
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "nmnist-h5", *SMALL, "--max-activity", "0.01", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["modelled"] is True
    assert report["model_inputs"]["clock_hz"] == 1.85e9
    for key in ("cycles_per_timestep", "phases_per_timestep", "tile_bytes_max", "step_ms"):
        assert report[key] > 0
    assert report["samples_per_s"] == pytest.approx(2000 / report["step_ms"])
    assert report["published_ms"] is None  # of another batch
    assert [layer["neurons"] for layer in report["layers"]] == [588, 586, 586, 586, 586, 10]


@needs_ipu
def test_text_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    command = ["profile", "shd-h5", *SMALL, "--natural-activity", "--weights", "half"]
    assert main([*command, "--html", str(path)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("shd-h5, weights torch.float16 on ipu21, 64 tiles")
    assert "modelled, not measured" in text
    assert "cycles a time step" in text
    assert path.read_text().startswith("<!DOCTYPE html>")
    assert [stored.name for stored in tmp_path.iterdir()] == ["page.html"]
    with full_disk(100):
        assert main([*command, "--html", str(path)]) == 1
    error = capsys.readouterr().err
    assert f"popsnn: profile: expected to write {path}, got File too large\n" in error
    assert path.read_text().endswith("</html>\n")


@needs_ipu
def test_the_model_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = ["train", "digits", "--hidden", "16", "--steps", "4", "--epochs", "1"]
    assert main([*train, "--backend", "torch", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    model = str(tmp_path / "model.pt")
    assert main(["profile", model, "--device", "bow:tiles=8", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["steps"], report["batch"]) == (4, 60)
    assert [layer["neurons"] for layer in report["layers"]] == [16, 10]
    assert main(["profile", model, "--max-activity", "0.1"]) == 1
    assert "max-activity: expected it with a preset alone" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (
            ["nmnist-h9"],
            1,
            "popsnn: profile: MODEL: expected a file or one of nmnist-h2, nmnist-h3",
        ),
        (
            ["README.md"],
            1,
            "popsnn: profile: MODEL: expected the model.pt of a run at README.md, got another",
        ),
        (["shd-h2", "--max-activity", "2"], 2, "expected a number in (0, 1], got '2'"),
        (["shd-h2", "--batch", "0"], 2, "expected a whole number from 1 on, got '0'"),
        (["shd-h2", "--fixed-activity", "--natural-activity"], 2, "not allowed with argument"),
        (
            ["shd-h2", "--device", "tpu"],
            1,
            "device: expected one of host, ipu2, bow, hardware, got 'tpu'",
        ),
    ],
)
def test_wrong_usage(
    arguments: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if status == 2:
        with pytest.raises(SystemExit) as stop:
            main(["profile", *arguments])
        assert stop.value.code == status
    else:
        assert main(["profile", *arguments]) == status
    assert sentence in capsys.readouterr().err
