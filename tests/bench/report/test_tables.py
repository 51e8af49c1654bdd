from __future__ import annotations

from importlib.util import find_spec

import pytest
from bench.__main__ import SUITES
from bench.report.reading import Record, read
from bench.report.tables import TABLES
from bench.report.tables.sheet import PUBLISHED, Sheet, kind_of
from tests.bench.recorded import record

from bench import rows


@pytest.fixture(scope="module")
def recorded() -> list[Record]:
    return read(rows.RESULTS)


def cells(sheet: Sheet) -> list[tuple[str, Record]]:
    return [(column.kind, cell.row) for column in sheet.columns for cell in column.cells if cell]


def test_suites_are_modules_that_bench_runs() -> None:
    for table in TABLES.values():
        for suite in table.suites:
            assert find_spec(f"bench.{suite.name}") is not None
            if suite.devices == 1:
                assert suite.name.split(".")[0] in SUITES


@pytest.mark.parametrize("name", TABLES)
def test_without_rows_every_cell_is_none(name: str) -> None:
    made = TABLES[name].sheets([])
    assert made
    assert [cells(sheet) for sheet in made] == [[]] * len(made)
    assert all(sheet.columns for sheet in made)
    assert all(set(ratio.cells) <= {None} for sheet in made for ratio in sheet.ratios)


@pytest.mark.parametrize("name", TABLES)
def test_rows_stand_in_columns_of_their_kind(name: str, recorded: list[Record]) -> None:
    for sheet in TABLES[name].sheets(recorded):
        for kind, row in cells(sheet):
            assert kind == kind_of(row)
            assert row.suite in TABLES[name].recorded


def test_figures_are_those_of_the_rows(recorded: list[Record]) -> None:
    (sweep, *_) = TABLES["fusion"].sheets(recorded)
    assert sweep.lines == tuple((1 << power,) for power in range(2, 13))
    assert all(cell is not None and cell.value > 0 for cell in sweep.columns[0].cells)
    published = TABLES["activity"].sheets(recorded)[0]
    log = next(column for column in published.columns if column.kind == PUBLISHED)
    assert [cell.value for cell in log.cells if cell][:4] == [6.06, 5.15, 5.06, 4.18]
    assert len(log.cells) == len(published.lines) == 17


def test_accuracies_of_other_steps_and_engines_stand_apart() -> None:
    case = {"dataset": "fsdd", "network": "recurrent", "max_activity": None, "grad_threshold": 0.7}
    case.update(hidden=[256], epochs=15)
    rows = [
        record(value, suite="accuracy", metric="mean_accuracy", steps=steps, subject=ours, **case)
        for steps, ours, value in (
            (50, "popsnn-ipu", 0.96), (25, "popsnn-ipu", 0.94), (25, "popsnn-cuda", 0.95),
        )
    ]  # fmt: skip
    result = {
        sheet.title: [cell.value for cell in sheet.columns[0].cells if cell]
        for sheet in TABLES["accuracy"].sheets(rows)
        if "a GPU" in sheet.title
    }
    assert result == {
        "fsdd, recurrent, 256 neurons, 25 steps, 15 epochs, popsnn-ipu, a GPU": [94.0],
        "fsdd, recurrent, 256 neurons, 25 steps, 15 epochs, popsnn-cuda, a GPU": [95.0],
        "fsdd, recurrent, 256 neurons, 50 steps, 15 epochs, popsnn-ipu, a GPU": [96.0],
    }


def test_speed_ups_over_ranks_are_over_the_faster_single_one() -> None:
    case = {"layers": 8, "width": 2048, "batch": 4, "steps": 4096}
    rows = [
        record(value, suite="time_parallel", metric="train_step_ms", ranks=n, subject=ours, **case)
        for ours, n, value in (
            ("popsnn-time-parallel", 1, 8.0), ("popsnn-time-parallel", 4, 4.0),
            ("popsnn-time-parallel-bf16-weights", 1, 6.0),
            ("popsnn-time-parallel-bf16-weights", 4, 2.0),
        )
    ]  # fmt: skip
    (result,) = (sheet for sheet in TABLES["scaling"].sheets(rows) if "along time" in sheet.title)
    ratios = {ratio.head: ratio.cells for ratio in result.ratios}
    assert ratios == {"speed-up on 4": (1.5,), "speed-up on 4, bf16 weights": (3.0,)}
