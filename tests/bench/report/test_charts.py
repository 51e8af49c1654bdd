from __future__ import annotations

import re
from xml.etree import ElementTree

from bench.report.tables.sheet import Plot, Sheet, Wanted, sheet
from tests.bench.recorded import record

from bench.report import charts

ROWS = [
    record(median, T=steps, name=f"case {steps}", subject=subject)
    for steps, fast, slow in ((4, 1.0, 2.0), (8, 3.0, 2.5), (16, 4.0, 30.0))
    for subject, median in (("fast", fast), ("slow", slow))
]


def made(index: dict[str, str], how: Plot, *, modelled: bool = False) -> Sheet:
    columns = [Wanted("", {"suite": "lif"}, by=("subject",))]
    rows = list(ROWS)
    if modelled:
        columns.append(Wanted("a model", {"suite": "lif"}, "modelled", by=()))
        rows += [record(0.1, T=steps, modelled=True) for steps in (4, 8, 16)]
    return sheet(rows, "A & B", index, columns, plot=how)


def texts(svg: str) -> list[str]:
    found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()) for text in found]


def test_a_sentence_names_the_measured_column_that_is_lowest_most_often() -> None:
    how = Plot(("T",))
    expected = "Lower is better (ms by T); of the measured, fast is lowest in 2 of 3 cases."
    assert charts.sentence(made({"T": "T"}, how), how) == expected
    assert charts.sentence(made({"T": "T"}, how, modelled=True), how) == expected
    of_one = sheet(ROWS, "", {"T": "T"}, [Wanted("", {"subject": "fast"}, by=("subject",))])
    assert charts.sentence(of_one, how) == "Lower is better (ms by T)."


def test_lines_are_numbered_as_in_the_legend() -> None:
    how = Plot(("T",), log_x=True, log_y=True)
    svg = charts.svg(made({"T": "T"}, how), how, "salt")
    assert {"1", "2", "1  fast, ms", "2  slow, ms"} <= set(texts(svg))
    assert svg.startswith('<svg role="img" aria-label="A &amp; B: Lower is better')


def test_lines_that_end_together_have_one_label() -> None:
    rows = [*ROWS[:4], record(4.0, T=16, subject="fast"), record(4.01, T=16, subject="slow")]
    how = Plot(("T",))
    both = sheet(rows, "", {"T": "T"}, [Wanted("", {"suite": "lif"}, by=("subject",))])
    assert "1, 2" in texts(charts.svg(both, how, "salt"))


def test_cases_are_rows_and_the_legend_is_below_them() -> None:
    how = Plot(("name",), log_y=True)
    svg = charts.svg(made({"name": "name"}, how), how, "salt")
    shown = texts(svg)
    assert {"case 4", "case 8", "case 16", "fast, ms", "slow, ms", "ms", "name"} <= set(shown)
    root = ElementTree.fromstring(svg)
    height = float(root.attrib["viewBox"].split()[3])
    above = [
        float(found.group(1))
        for text in re.findall(r"<text[^>]*>fast, ms<", svg)
        if (found := re.search(r'\by="([\d.]+)"', text) or re.search(r"[ ,]([\d.]+)\)", text))
    ]
    assert above
    assert all(0.7 * height < y < height for y in above)
