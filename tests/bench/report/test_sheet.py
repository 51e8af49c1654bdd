from __future__ import annotations

from bench.report.tables.sheet import (
    MEASURED,
    MODELLED,
    PUBLISHED,
    Wanted,
    kind_of,
    machines,
    ratio,
    sheet,
)
from hypothesis import given
from hypothesis import strategies as st
from tests.bench.recorded import record

INDEX = {"T": "T"}


def test_the_newest_row_of_a_case_is_shown() -> None:
    made = sheet([record(1.0, T=4), record(2.0, T=4)], "t", INDEX, [Wanted("a", {})])
    (column,) = made.columns
    assert column.head == "popsnn-cuda, float32, a GPU"
    assert [(cell.value, cell.low, cell.high) for cell in column.cells if cell] == [(2.0, 1.0, 4.0)]


def test_what_has_no_row_is_none() -> None:
    made = sheet([record(T=8)], "t", INDEX, [Wanted("a", {}), Wanted("b", {"T": 9})], lines=[(4,)])
    assert made.lines == ((4,), (8,))
    first, second = made.columns
    assert [cell is None for cell in first.cells] == [True, False]
    assert (second.head, second.cells) == ("b", (None, None))


def test_kinds_do_not_mix_and_measured_columns_come_first() -> None:
    rows = [
        record(1.0, T=4, modelled=True),
        record(2.0, T=4, subject="published log, 2022-09-12"),
        record(3.0, T=4),
    ]
    kinds = (MODELLED, PUBLISHED, MEASURED)
    assert tuple(map(kind_of, rows)) == kinds
    made = sheet(rows, "t", INDEX, [Wanted("", {}, kind) for kind in kinds])
    values = {column.kind: column.cells[0].value for column in made.columns if column.cells[0]}
    assert list(values.items()) == [(MEASURED, 3.0), (PUBLISHED, 2.0), (MODELLED, 1.0)]


def test_subjects_types_and_machines_have_columns_of_their_own() -> None:
    rows = [record(T=4, subject="a"), record(T=4, subject="b"), record(T=4, machine="m")]
    made = sheet([*rows, record(T=4, dtype="d")], "t", INDEX, [Wanted("", {})])
    assert len(made.columns) == 4
    by_machine = sheet(rows, "t", {"subject": "subject"}, [Wanted("", {}, by=("machine",))])
    assert [column.head for column in by_machine.columns] == ["a GPU", "m"]
    assert machines(rows, Wanted("", {})) == ["a GPU", "m"]
    assert machines(rows, Wanted("", {"T": 8})) == [None]


def test_memory_has_no_spread_and_no_cell_where_it_is_unknown() -> None:
    memory = Wanted("", {}, value="peak_bytes", unit="GB", scale=1e-9)
    made = sheet([record(T=4, peak_bytes=2 * 10**9), record(T=8)], "t", INDEX, [memory])
    assert made.lines == ((4,),)
    (cell,) = made.columns[0].cells
    assert cell is not None
    assert (cell.value, cell.low, cell.high) == (2.0, None, None)


def test_ratios_are_of_one_run() -> None:
    rows = [
        record(8.0, T=4, subject="loop"),
        record(2.0, T=4),
        record(8.0, T=8, subject="loop", commit="other"),
        record(2.0, T=8),
        record(2.0, T=16),
        record(0.0, T=32),
        record(1.0, T=32, subject="loop"),
    ]
    subjects = ("loop", "popsnn-cuda")
    made = sheet(rows, "t", INDEX, [Wanted(name, {"subject": name}, by=()) for name in subjects])
    assert ratio("r", *made.columns).cells == (4.0, None, None, None)


CASES = st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.booleans(), st.floats(0.1, 1e6))


@given(st.lists(CASES, max_size=20))
def test_every_cell_is_the_newest_row_of_its_line_and_column(
    cases: list[tuple[str, int, bool, float]],
) -> None:
    rows = [
        record(value, subject=subject, T=steps, modelled=modelled)
        for subject, steps, modelled, value in cases
    ]
    made = sheet(rows, "t", INDEX, [Wanted("", {}), Wanted("", {}, MODELLED)])
    shown = {
        (column.head.split(",")[0], line[0], column.kind == MODELLED): cell.value
        for column in made.columns
        for line, cell in zip(made.lines, column.cells)
        if cell is not None
    }
    assert shown == {(subject, steps, modelled): v for subject, steps, modelled, v in cases}
