from __future__ import annotations

from html.parser import HTMLParser

from tests.bench.recorded import ROWS, record

from bench import report
from bench.report import charts, page


class Reader(HTMLParser):
    """Collects the tags that are open, the ids, and what a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.plots = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.handle_startendtag(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.plots += tag == "svg"
        self.ids += [str(value) for name, value in attrs if name == "id"]
        links = ("href", "src", "xlink:href")
        self.references += [str(value) for name, value in attrs if name in links]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else() -> None:
    made = report.make(ROWS)
    text = page.page(made, "python -m bench --report")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert reader.plots == 3
    # A plot's parts refer to each other by names that no other plot has.
    assert {reference[0] for reference in reader.references} == {"#"}
    assert {reader.ids.count(reference[1:]) for reference in reader.references} == {1}
    assert "url(http" not in text
    assert '<th class="modelled">modelled: popsnn-ipu, Bow IPU, ms</th>' in text
    assert '<td class="modelled missing">not modelled</td>' in text
    source = "`python -m bench lif` at abc, a GPU"
    assert f'<td class="measured" title="{source}">0.25 (0.125 to 0.5)</td>' in text


def test_the_same_rows_give_the_same_plot() -> None:
    sweep = report.make(ROWS)["fusion"][0]
    assert sweep.plot is not None
    first, second = (charts.svg(sweep, sweep.plot, "salt") for _ in range(2))
    assert first == second
    assert first.startswith("<svg")
    assert "popsnn-cuda, ms" in first
    assert "torch-loop-one-thread" not in first  # it has no row


def test_text_of_rows_is_escaped() -> None:
    rows = [record(T=16, part="elementwise", subject="<b>")]
    text = page.page(report.make(rows), "c")
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
