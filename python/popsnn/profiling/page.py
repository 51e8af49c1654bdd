"""A profile as one HTML page that needs nothing else."""

from __future__ import annotations

import html
from typing import List, NamedTuple, Sequence, Tuple

from .report import ASSUMPTIONS, Report

WIDTH, ROW = 900, 22
CHARACTER = 6.6  # pixels of an average character at 12 pixels
PARTS = (("compute", "#3b6ea8"), ("exchange", "#d98a2b"), ("sync", "#999999"), ("host", "#5a9a68"))

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 960px; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; }
svg { display: block; } svg text { font-size: 12px; fill: #222; }
.wide { overflow-x: auto; }
.key span { display: inline-block; width: .8rem; height: .8rem; margin: 0 .3rem 0 1rem; }
"""


class Bar(NamedTuple):
    """A row of a chart: what it is, its parts as (value, colour), and the text at its end."""

    label: str
    parts: Sequence[Tuple[float, str]]
    text: str


def page(report: Report) -> str:
    """Return the page."""
    title = f"{report.title} on {report.device}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{_text(title)}</title><style>{STYLE}</style></head>\n<body>\n"
        f"<h1>{_text(title)}</h1>\n{body(report)}\n</body></html>\n"
    )


def body(report: Report) -> str:
    """Return what is below the heading of the page."""
    return "\n".join(
        [
            f"<p>Modelled, not measured: T={report.steps}, B={report.measured.batch}, "
            f"{_text(report.activity)} activity, {report.measured.clock_hz / 1e9:.3g} GHz.</p>",
            _summary(report),
            "<h3>Cycles of a time step, by phase</h3>",
            _key(),
            chart([_phase_bar(report, index) for index in range(len(report.looped))]),
            "<h3>Cycles of a training step that time steps do not repeat</h3>",
            chart(
                [
                    Bar(
                        p.name,
                        [(getattr(p, part), colour) for part, colour in PARTS],
                        f"{p.cycles:,.0f}",
                    )
                    for p in report.once
                ]
            ),
            "<h3>Compute cycles of a time step, on the slowest tile of each layer</h3>",
            _layers(report),
            "<h3>Tiles by bytes</h3>",
            chart(
                [
                    Bar(
                        f"{part['from']:,} to {part['to']:,}",
                        [(part["tiles"], PARTS[0][1])],
                        f"{part['tiles']}",
                    )
                    for part in report.histogram()
                ]
            ),
            "<h3>Assumptions of the model</h3>",
            "<ul>" + "".join(f"<li>{_text(line)}</li>" for line in ASSUMPTIONS) + "</ul>",
        ]
    )


def chart(bars: Sequence[Bar]) -> str:
    """Return horizontal stacked bars as SVG, the longest as wide as there is room.

    Labels are as wide as the longest of them, so that none is cut.
    """
    left = 16 + round(CHARACTER * max((len(bar.label) for bar in bars), default=0))
    longest = max((sum(value for value, _ in bar.parts) for bar in bars), default=0.0) or 1.0
    plot_width = max(200, WIDTH - left - 90)
    width = left + plot_width + 90
    rows: List[str] = []
    for index, bar in enumerate(bars):
        x, y = float(left), index * ROW
        rows.append(
            f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{_text(bar.label)}</text>'
        )
        for value, colour in bar.parts:
            length = plot_width * value / longest
            rows.append(
                f'<rect x="{x:.1f}" y="{y + 3}" width="{length:.1f}" height="{ROW - 6}" '
                f'fill="{colour}"/>'
            )
            x += length
        rows.append(f'<text x="{x + 6:.1f}" y="{y + 15}">{_text(bar.text)}</text>')
    height = ROW * len(bars)
    return (
        f'<div class="wide"><svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}">{"".join(rows)}</svg></div>'
    )


def _phase_bar(report: Report, index: int) -> Bar:
    phase = report.looped[index]
    times = phase.runs / report.measured.steps
    parts = [(getattr(phase, part) * times, colour) for part, colour in PARTS]
    return Bar(phase.name, parts, f"{phase.cycles * times:,.0f}")


def _summary(report: Report) -> str:
    rows = [
        ("cycles a time step", f"{report.cycles_per_timestep:,.0f}"),
        ("cycles a time step expected on hardware", report.expected_text),
        ("BSP phases a time step", f"{report.phases_per_timestep:,.0f}"),
        ("bytes exchanged a time step", f"{report.exchange_bytes_per_timestep:,.0f}"),
        ("bytes of the fullest tile", f"{report.tile_bytes_max:,}"),
        ("training step", f"{report.step_ms:,.3f} ms"),
        ("samples a second", f"{report.samples_per_s:,.0f}"),
    ]
    if report.published_ms is not None:
        rows.append(("training step of the published log, measured", f"{report.published_ms} ms"))
    cells = "".join(f"<tr><td>{_text(name)}</td><td>{value}</td></tr>" for name, value in rows)
    return f'<div class="wide"><table>{cells}</table></div>'


def _layers(report: Report) -> str:
    heads = "".join(f"<th>{_text(phase.name)}</th>" for phase in report.looped)
    rows = []
    for index, layer in enumerate(report.measured.layers):
        cells = "".join(f"<td>{phase.by_layer[index]:,}</td>" for phase in report.looped)
        name = f"layer {index}: {layer.neurons:,} neurons on {layer.tiles:,} tiles"
        rows.append(f"<tr><td>{name}</td>{cells}</tr>")
    return f'<div class="wide"><table><tr><td></td>{heads}</tr>{"".join(rows)}</table></div>'


def _key() -> str:
    spans = (f'<span style="background: {colour}"></span>{part}' for part, colour in PARTS)
    return f'<p class="key">{"".join(spans)}</p>'


def _text(text: str) -> str:
    return html.escape(text)
