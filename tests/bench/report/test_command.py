from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import pytest
from bench.__main__ import main
from bench.report.reading import read
from bench.report.tables import TABLES, Suite
from tests.bench.recorded import ROWS, record, write

from bench import rows
from bench.report import command
from popsnn.backends import BackendInfo


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> dict[str, BackendInfo]:
    """Engines of this machine; a test changes them."""
    result = {
        "cuda": BackendInfo(False, None, "no CUDA device"),
        "ipu": BackendInfo(True, "a host", None),
    }
    monkeypatch.setattr(command, "backends", lambda: result)
    return result


@pytest.fixture
def suites(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Suites that measure nothing, and a folder for their rows."""
    monkeypatch.setattr(rows, "FOLDER", [tmp_path / "rows"])
    for name in ("network", "modelled", "sparse_step"):
        module = ModuleType(name)

        def run(name: str = name) -> list[rows.Row]:
            print(f"  {name} speaks")
            inputs = {"dtype": "float32", "metric": "train_step_ms", **rows.spread([1.0, 2.0], 1.0)}
            return [rows.Row(suite=name, case={}, subject="a", **inputs)]

        module.run = run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, f"bench.{name}", module)


def test_a_list_says_what_runs_here_and_why_not(
    machine: dict[str, BackendInfo], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.show(as_json=True) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == list(TABLES)
    assert result["activity"]["suites"] == {
        "network": "no CUDA device",
        "modelled": None,
        "sparse_step": None,
    }
    assert command.show(as_json=False) == 0
    text = capsys.readouterr().out
    assert "  network          not here: no CUDA device\n  modelled         runs here\n" in text


def test_several_gpus_are_counted(
    machine: dict[str, BackendInfo], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine["cuda"] = BackendInfo(True, "a GPU", None)
    for count, reason in ((1, "it needs 2 CUDA devices and there is 1"), (2, None)):
        monkeypatch.setattr(command.torch.cuda, "device_count", lambda count=count: count)
        assert command.why_not(Suite("time_parallel", "cuda", 2)) == reason


@pytest.mark.usefixtures("machine", "suites")
def test_a_table_measures_what_this_machine_can(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.measure("activity", as_json=False) == 0
    text = capsys.readouterr().out
    assert "\nnetwork: not measured: no CUDA device\n" in text
    assert "\nmodelled\n  modelled speaks\n" in text
    assert "\n1 rows in " in text
    result = read(rows.FOLDER[0])
    assert [row.suite for row in result] == ["modelled", "sparse_step"]


@pytest.mark.usefixtures("machine", "suites")
def test_rows_are_all_of_stdout_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.measure("activity", as_json=True) == 0
    captured = capsys.readouterr()
    inputs = [json.loads(line) for line in captured.out.splitlines()]
    assert inputs == [asdict(row) for row in read(rows.FOLDER[0])]
    assert "modelled speaks" in captured.err


def test_a_machine_without_its_engine_is_told(machine: dict[str, BackendInfo]) -> None:
    with pytest.raises(RuntimeError) as caught:
        command.measure("fusion", as_json=False)
    assert str(caught.value) == (
        "bench fusion: expected a machine for one of its suites, got lif.monolayer: no CUDA "
        "device; lif.elementwise: no CUDA device; resnet: no CUDA device"
    )


def test_several_gpus_run_under_torchrun(
    machine: dict[str, BackendInfo],
    suites: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    machine["cuda"] = BackendInfo(True, "a GPU", None)
    monkeypatch.setattr(command.torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(command.sys, "executable", "false")
    with pytest.raises(RuntimeError) as caught:
        command.measure("scaling", as_json=False)
    assert str(caught.value) == "bench time_parallel: expected torchrun to exit with 0, got 1"
    assert [row.suite for row in read(rows.FOLDER[0])] == ["network"]


def test_a_report_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, out = tmp_path / "results", tmp_path / "made" / "here"
    results.mkdir()
    write([*ROWS, record(7.5, T=16, part="monolayer")], results / "lif-a.jsonl")
    assert command.write_report(out, results, as_json=True) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == list(TABLES)
    text = (out / "report.md").read_text()
    assert f"`python -m bench --report --out {out} --results {results}`" in text
    assert "| 16 | 7.5 (3.75 to 15) |" in text
    assert (out / "report.html").read_text().startswith("<!DOCTYPE html>")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run `python -m bench` with these arguments."""
    monkeypatch.setattr(sys, "argv", ["bench", *arguments])
    return main()


@pytest.mark.usefixtures("suites")
@pytest.mark.parametrize("record", [False, True])
def test_rows_are_recorded_where_that_is_asked_for(
    record: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rows, "RESULTS", tmp_path / "results")
    assert run(monkeypatch, "sparse_step", *(["--record"] if record else [])) == 0
    folders = {path.parent.name for path in tmp_path.rglob("*.jsonl")}
    assert folders == ({"results"} if record else {"rows"})
    (row,) = read(rows.FOLDER[0])
    assert row.command == "python -m bench sparse_step" + " --record" * record


def test_rows_of_a_users_machine_are_not_tracked() -> None:
    root = rows.RESULTS.parents[1]
    assert rows.FOLDER == [rows.MEASURED]
    assert rows.MEASURED.relative_to(root).parts[0] == "runs"
    assert "/runs/" in (root / ".gitignore").read_text().splitlines()


def test_an_unknown_suite_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, "speed")
    assert "unknown suite speed: expected emulator, " in capsys.readouterr().err


def test_a_report_names_what_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    report = ("--report", "--out", str(tmp_path / "out"), "--results", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="results: expected a folder with"):
        run(monkeypatch, *report)
    (tmp_path / "lif-a.jsonl").write_text('{"suite":')
    with pytest.raises(ValueError, match=r"lif-a\.jsonl line 1: expected a row as one JSON object"):
        run(monkeypatch, *report)
    assert not (tmp_path / "out").exists()
