from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any, List, Tuple

import pytest

import popsnn
from popsnn import training
from popsnn.backends import BackendInfo
from popsnn.cli import info as info_command
from popsnn.cli.main import main
from popsnn.cli.train import GROUPS
from popsnn.cuda.device.properties import Properties

SMALL = ["train", "digits", "--hidden", "16", "--steps", "4", "--epochs", "2", "--no-pictures"]


def test_info_names_every_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in popsnn.backends())
    for info in popsnn.backends().values():
        assert str(info.device or info.reason) in text


@pytest.mark.parametrize(
    ("capability", "lines"),
    [
        ((7, 5), [": compute capability 8.0 or more is needed, this GPU has 7.5"]),
        (
            (9, 0),
            [
                *(f", {name} weights: cluster: 16 blocks" for name in ("bfloat16", "float16")),
                ", float32 weights: portable: ",
            ],
        ),
    ],
)
def test_info_explains_how_a_recurrent_layer_runs(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    capability: Tuple[int, int],
    lines: List[str],
) -> None:
    cuda = BackendInfo(True, "GPU", None)
    monkeypatch.setattr(info_command, "backends", lambda: {"cuda": cuda})
    found = Properties(capability, 132, 232448)
    monkeypatch.setattr("popsnn.cuda.device.properties.properties", lambda _: found)
    assert main(["info", "--recurrent", "1024"]) == 0
    got = capsys.readouterr().out.splitlines()
    assert len(got) == len(lines)
    for line, start in zip(got, lines):
        assert line.startswith(f"recurrent layer of 1,024 LIF neurons{start}")
        assert ("; with a capacity: " in line) == (capability >= (8, 0))


def test_info_without_a_gpu_says_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda = BackendInfo(False, None, "no GPU")
    monkeypatch.setattr(info_command, "backends", lambda: {"cuda": cuda})
    assert main(["info", "--recurrent", "7"]) == 0
    expected = "recurrent layer of 7 LIF neurons: the cuda engine is not available: no GPU\n"
    assert capsys.readouterr().out == expected
    with pytest.raises(SystemExit, match="2"):
        main(["info", "--recurrent", "0"])
    assert "argument --recurrent: expected a number of neurons, got '0'" in capsys.readouterr().err


def test_info_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["backends"]["torch"]["available"] is True
    assert report["versions"]["popsnn"] == popsnn.__version__


def test_train_prints_a_table(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SMALL, "--backend", engine, "--out", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"engine {engine}, folder {tmp_path}"
    assert lines[1].split("  ")[0] == "epoch"
    assert [line.split()[0] for line in lines[2:4]] == ["1", "2"]
    assert lines[4].startswith("test accuracy ")
    assert " % in epoch 2, " in lines[4]
    files = lines[5].split(": ")[1].split(", ")
    assert all((tmp_path / name).is_file() for name in files)


def test_the_table_shows_validation_and_fractions_of_drops(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*SMALL, "--backend", "torch", "--validation", "0.2", "--max-activity", "0.1"]
    assert main([*command, "--out", str(tmp_path)]) == 0
    done = capsys.readouterr()
    _, head, *rows, last, _ = done.out.splitlines()
    assert head == (
        "epoch    loss   train %   valid %   test %   samples/s   activity %   dropped: spikes %   "
        "gradients %"
    )
    kept = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    for row, metrics in zip(rows, kept):
        cells = row.split()
        assert len(row) == len(head)
        assert cells[3] == f"{100 * metrics['validation_accuracy']:.2f}"
        assert cells[4] == f"{100 * metrics['test_accuracy']:.2f}"
        assert cells[7] == f"{100 * metrics['dropped_spike_fraction']:.2f}" != "0.00"
        assert cells[8] == f"{100 * metrics['dropped_gradient_fraction']:.2f}" != "0.00"
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert last.startswith(
        f"test accuracy {100 * summary['test_accuracy']:.2f} % in epoch {summary['epoch']}, the "
        f"best in validation ({100 * summary['validation_accuracy']:.2f} %), "
    )
    assert done.err == ""  # no bar in a file


def test_configurations_that_come_with_popsnn_drop_no_gradient_without_a_word() -> None:
    for name in training.shipped():
        config = training.merged(None, name, {})
        assert config.max_activity is None or config.grad_threshold is not None, name


def test_the_merged_configuration_can_be_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "fsdd", "--lr", "0.5", "--print-config"]) == 0
    Path("all.yaml").write_text(capsys.readouterr().out)
    assert training.merged(None, "all.yaml", {}) == training.merged("fsdd", None, {"lr": 0.5})
    assert list(tmp_path.iterdir()) == [tmp_path / "all.yaml"]


def test_the_preset_reads_digits(engine: str, tmp_path: Path) -> None:
    command = ["train", "digits", "--epochs", "5", "--backend", engine, "--no-pictures"]
    assert main([*command, "--out", str(tmp_path)]) == 0
    assert json.loads((tmp_path / "summary.json").read_text())["test_accuracy"] >= 0.95


def test_train_as_json_and_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [*SMALL, "--backend", "torch", "--out", str(tmp_path), "--json"]
    assert main(command) == 0
    *rows, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["epoch"] for row in rows] == [1, 2]
    assert summary["engine"] == "torch"
    assert main([*command, "--resume"]) == 0  # nothing is left to do
    (again,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert again == summary


def test_updates_on_the_device(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*SMALL, "--backend", engine, "--out", str(tmp_path), "--device-update"]
    if engine == "torch":
        assert main(command) == 1
        assert "expected a network on the ipu engine" in capsys.readouterr().err
    else:
        assert main(command) == 0
        assert main([*command, "--resume"]) == 0


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["fly"], 2, "popsnn: argument COMMAND: invalid choice: 'fly'"),
        (["train", "mnist"], 2, "popsnn train: argument dataset: invalid choice: 'mnist'"),
        (
            ["train", "digits", "--epochs", "0"],
            2,
            "--epochs: expected a whole number from 1 on, got '0'",
        ),
        (["train", "digits", "--lr", "fast"], 2, "--lr: expected a positive number, got 'fast'"),
        (
            ["train", "digits", "--backend", "cuda"],
            1,
            "popsnn: SNN: backend 'cuda' is not available",
        ),
        (
            ["train", "digits", "--steps", "1"],
            1,
            "popsnn: data.digits: steps: expected at least 2, got 1",
        ),
        (["train", "digits", "--lr", "inf"], 2, "expected a positive number, got 'inf'"),
        (
            ["train", "digits", "--resume", "--out", "nowhere"],
            1,
            "popsnn: resume: expected a checkpoint at nowhere",
        ),
    ],
)
def test_mistakes_get_one_line(
    arguments: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        got = main(arguments)
    except SystemExit as stop:
        got = int(stop.code or 0)
    error = capsys.readouterr().err
    assert got == status
    assert sentence in error
    assert error.count("\n") == 1


def test_train_has_every_option_of_a_configuration_once() -> None:
    named = [name for names in GROUPS.values() for name in names.split()]
    assert sorted(named) == sorted(field.name for field in fields(training.Config))


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"]])
def test_help_has_examples(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert "popsnn train digits" in text


IMPORTS = "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(5)"


def interrupted_import(tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the import of torch gets the signal of Ctrl-C."""
    (tmp_path / "torch.py").write_text(IMPORTS)
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_ctrl_c_while_the_command_is_imported_gets_one_line(tmp_path: Path) -> None:
    script = str(Path(sys.executable).with_name("popsnn"))
    for command in (["-m", "popsnn", "info"], [script, "info"]):
        done = interrupted_import(tmp_path, *command)
        assert (done.returncode, done.stderr) == (130, "popsnn: interrupted\n")


def test_other_programs_get_their_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "try:\n    import popsnn\nexcept KeyboardInterrupt:\n    print('mine')\n"
    )
    for command in ([str(tmp_path / "mine.py")], ["-m", "mine"]):
        done = interrupted_import(tmp_path, *command)
        assert (done.returncode, done.stdout) == (0, "mine\n")


def test_ctrl_c_before_a_run_begins_gets_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "prepare", interrupt)
    assert main(SMALL) == 130
    assert capsys.readouterr().err == "popsnn: interrupted\n"


@pytest.mark.parametrize("command", [["info"], SMALL])
def test_output_that_cannot_be_written_gets_one_line(tmp_path: Path, command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "popsnn", *command],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("popsnn")]
    assert line == "popsnn: expected to write to standard output, got No space left on device"
    assert "Traceback" not in done.stderr


def test_ctrl_c_leaves_a_run_that_can_go_on(tmp_path: Path) -> None:
    command = [
        sys.executable, "-m", "popsnn", "train", "digits", "--backend", "torch", "--json",
        "--no-pictures", "--epochs", "500", "--hidden", "16", "--steps", "4",
        "--out", str(tmp_path),
    ]  # fmt: skip
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background may have them ignore the signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as run:
        assert run.stdout is not None
        run.stdout.readline()  # the first epoch is done
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "popsnn: interrupted after" in errors
    assert "--resume" in errors
    assert (tmp_path / "checkpoint.pt").is_file()
    assert (tmp_path / "metrics.jsonl").read_text()
