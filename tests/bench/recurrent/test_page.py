"""Tables and picture of large recurrent layers, of rows as `bench.recurrent.large` writes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.recurrent.large import ACTIVITIES, CHOSEN, STREAMED
from tests.bench.recorded import record, write

from bench.recurrent import page

CASE = {"T": 100, "neurons": 8192, "batch": 1, "spikes": 0.011, "suite": "recurrent"}
UNIONS = {"union_forward": 0.011, "union_backward": 0.022, "max_rel_error": 2e-3}
LIMIT = "unions of the samples ...: forward rows 0.3 + forward hops 0.2 = 0.500 ms"
ROWS = [
    record(9.0, **CASE, activity="1.1 %", subject=CHOSEN),  # of bench.recurrent: no unions
    record(2.0, **CASE, **UNIONS, activity="1.1 %", subject=CHOSEN, limit=LIMIT),
    record(1.0, **CASE, **UNIONS, activity="1.1 %", subject=CHOSEN, limit=LIMIT),
    record(0.5, **CASE, **UNIONS, activity="1.1 %", subject=CHOSEN, metric="fwd_ms"),
    record(1.5, **CASE, **UNIONS, activity="1 %", subject=CHOSEN),
    record(6.0, **CASE, activity="1 %", subject=STREAMED),
    record(20.0, **CASE, activity="1 %", subject="torch-2.11.0+cu130-graph"),
    record(0.3, **CASE, activity="1.1 %", subject=CHOSEN, metric="joules"),
    record(7.0, **CASE, activity="5 %", subject=CHOSEN),
]


def test_tables_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(ROWS, tmp_path / "recurrent-a-gpu.jsonl")
    picture = tmp_path / "picture.svg"
    page.main(tmp_path, picture)
    limits, sweep, peers, joules = capsys.readouterr().out.strip().split("\n\n")
    assert limits.splitlines()[2:] == [
        "| 8192, 1, 1.1 % | 1.1 %, 2.2 % | 0.5 | 1 | 0.5 | 2.00 | 2.0e-03 |"
    ]
    nothing = ["- / -"] * (len(ACTIVITIES) - 2)
    cells = " | ".join(["- / -", "1.5 / 6", *nothing])
    assert f"| 8192, 1 | {cells} |" in sweep.splitlines()
    assert peers.splitlines() == [
        "| neurons, samples, spikes | popsnn-cuda-graph, both | torch-graph, both "
        "| popsnn-cuda-graph, forward |",
        "| --- | --- | --- | --- |",
        "| 8192, 1, 1 % | 1.5 | 20 | - |",
    ]
    assert "| 8192, 1, 1.1 % | - | - | 300 | - |" in joules.splitlines()
    text = picture.read_text()
    assert "8,192 neurons, by spikes" in text
    page.main(tmp_path, picture)
    assert picture.read_text() == text


def test_a_folder_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"expected rows of recurrent\.large, got none"):
        page.read(tmp_path)
