from __future__ import annotations

import json
from pathlib import Path

import pytest

from popsnn.cli.main import main

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def clone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder of the repository."""
    monkeypatch.chdir(ROOT / "docs")
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.usefixtures("clone")
def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--list", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == [
        "activity",
        "scaling",
        "fusion",
        "accuracy",
    ]


@pytest.mark.usefixtures("clone")
def test_report_names_what_is_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = ["bench", "report", "--out", str(tmp_path / "out"), "--results", str(tmp_path)]
    assert main(report) == 1
    assert "popsnn: bench report: results: expected a folder with" in capsys.readouterr().err
    (tmp_path / "lif-a.jsonl").write_text('{"suite":')
    assert main(report) == 1
    assert capsys.readouterr().err == (
        "popsnn: bench report: lif-a.jsonl line 1: expected a row as one JSON object, "
        'got {"suite":\n'
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "one of the arguments TABLE --list is required"),
        (["speed"], "invalid choice: 'speed'"),
        (["activity", "--list"], "not allowed with argument"),
    ],
)
def test_wrong_usage(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["bench", *arguments])
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "got"),
    [
        (["activity", "--out", "a"], "out: {} activity"),
        (["--list", "--results", "a"], "results: {} --list"),
    ],
)
def test_folders_are_the_reports(
    arguments: list[str], got: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *arguments]) == 1
    expected = got.format("expected it with report alone, got it with")
    assert capsys.readouterr().err == f"popsnn: bench: {expected}\n"


def test_outside_of_a_clone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "report"]) == 1
    assert capsys.readouterr().err == (
        "popsnn: bench: folder: expected a clone of popsnn's repository, whose folder bench has "
        f"the suites, here or above, got {str(tmp_path)!r}\n"
    )
