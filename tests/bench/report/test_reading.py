from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from bench.report.reading import Record, read
from tests.bench.recorded import record, write

from bench import rows


def test_rows_come_back(tmp_path: Path) -> None:
    inputs = [record(1.0, T=4), record(2.0, suite="resnet", min=None, max=None, runs=None)]
    write(inputs, tmp_path / "lif-a.jsonl")
    assert read(tmp_path) == inputs


def test_the_fields_are_those_that_are_written() -> None:
    assert {field.name for field in fields(Record)} == {field.name for field in fields(rows.Row)}


def test_all_rows_of_the_repository_are_read() -> None:
    result = read(rows.RESULTS)
    assert len(result) == sum(
        len(path.read_text().splitlines()) for path in rows.RESULTS.glob("*.jsonl")
    )


def test_a_value_is_of_the_case_or_of_the_row() -> None:
    row = record(T=4)
    assert (row.get("T"), row.get("subject"), row.get("ranks")) == (4, "popsnn-cuda", None)


def test_runs_differ_by_machine_commit_and_command() -> None:
    row = record()
    assert row.same_run(record(2.0, T=8))
    for change in ({"machine": "b"}, {"commit": None}, {"command": "c"}):
        assert not row.same_run(record(**change))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "expected a row as one JSON object, got {"),
        ("", "expected a row as one JSON object, got an empty line"),
        ("[1]", "expected a row as one JSON object, got [1]"),
        ('{"suite": "lif"}', "expected a row as one JSON object with 'case', got none"),
        ({"median": "fast"}, "with int or float as 'median', got 'fast'"),
        ({"median": True}, "with int or float as 'median', got True"),
        ({"runs": 1.5}, "with int or null as 'runs', got 1.5"),
        ({"subject": None}, "with str as 'subject', got None"),
        ({"min": 1.5}, "with min <= median <= max, all finite, got 1.5, 1.0 and 2.0"),
        ({"max": float("inf")}, "all finite, got 0.5, 1.0 and inf"),
        ({"median": float("nan")}, "all finite, got 0.5, nan and 2.0"),
        ({"case": "x" * 80}, "with dict as 'case', got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: object, sentence: str) -> None:
    if isinstance(line, dict):
        line = json.dumps({**asdict(record()), **line})
    good = json.dumps(asdict(record()))
    (tmp_path / "lif-a.jsonl").write_text(f"{good}\n{line}\n")
    with pytest.raises(ValueError, match=r"^bench report: lif-a\.jsonl line 2: ") as caught:
        read(tmp_path)
    assert str(caught.value).endswith(sentence)


def test_missing_results_are_named(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(FileNotFoundError) as caught:
            read(folder)
        assert str(caught.value) == (
            f"bench report: results: expected a folder with *.jsonl files, got {str(folder)!r}"
        )
