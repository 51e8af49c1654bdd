from __future__ import annotations

import json
import re

import pytest
from bench.report.tables import TABLES
from tests.bench.recorded import ROWS, record

from bench import report


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0012345, "0.00123"),
        (1.0, "1"),
        (99.94, "99.9"),
        (999.4, "999"),
        (999.6, "1,000"),
        (12345.6, "12,346"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert report.number(value) == text


def test_labels() -> None:
    assert report.label("cap", 0.05) == "5 %"
    assert report.label("cap", None) == "none"
    assert report.label("neurons", 188284) == "188,284"
    assert report.label("subject", "norse") == "norse"


def test_markdown() -> None:
    text = report.markdown(report.make(ROWS), "python -m bench --report --out made")
    assert text.startswith("# Benchmarks\n\nMade by `python -m bench --report --out made` from")
    assert "\n| 4 | 0.25 (0.125 to 0.5) | 1 (0.5 to 2) | not measured | not measured | 4 |" in text
    assert "\n| 8 | not measured | 1,235 | not measured | not measured | not in one run |" in text
    assert (
        "| network | cap | T | batch | popsnn-cuda, ms | published log, ms | "
        "modelled: popsnn-ipu, Bow IPU, ms |"
    ) in text
    assert "| nmnist-h2 | 1 % | 100 | 48 | not measured | not published | 1.17 |" in text
    assert "| 5 % | 0.7 | none | 98.5 (98 to 99) | not measured" in text
    assert "\nFrom `python -m bench lif` at abc, a GPU.\n" in text
    assert (
        "Not measured yet: no row is recorded; `python -m bench --table accuracy` measures." in text
    )
    for table in TABLES.values():
        assert f"\n## {table.title}\n" in text


def test_a_line_of_a_table_has_all_columns() -> None:
    rows = [*ROWS, record(T=16, subject="a|b", part="elementwise")]
    tables = re.findall(r"(?:^\|.*\n)+", report.markdown(report.make(rows), "c"), re.MULTILINE)
    assert len(tables) == 4
    for table in tables:
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_json_has_none_where_nothing_was_measured() -> None:
    data = json.loads(json.dumps(report.as_data(report.make(ROWS))))
    assert list(data) == list(TABLES)
    sweep = data["fusion"]["sheets"][0]
    assert sweep["lines"][:2] == [[4], [8]]
    ours = sweep["columns"][0]
    assert (ours["head"], ours["kind"], ours["unit"]) == ("popsnn-cuda", "measured", "ms")
    assert ours["cells"][0] == {
        "median": 0.25,
        "min": 0.125,
        "max": 0.5,
        "subject": "popsnn-cuda",
        "machine": "a GPU",
        "command": "python -m bench lif",
        "commit": "abc",
    }
    assert ours["cells"][1] is None
    assert sweep["ratios"][0]["cells"][:2] == [4.0, None]
