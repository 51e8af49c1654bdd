"""A run as one HTML page that needs nothing else: `popsnn view`."""

from __future__ import annotations

import base64
import html
import io
import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .. import plot
from ..plot.curves import accuracy, activity, drops, loss
from .pictures import PICTURES
from .report import METRICS

PAGE = "view.html"
Rows = Sequence[Mapping[str, Any]]

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 1200px;
  color: #1f2933; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
main > section > div { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 280px), 1fr)); }
figure { margin: 0; } figcaption { color: #52606d; font-size: .9rem; }
figure svg, figure img { width: 100%; max-width: 900px; height: auto; display: block; }
.wide { overflow-x: auto; } .wide img, .wide > svg { min-width: 640px; width: 100%; height: auto; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; text-align: left;
  border-bottom: 1px solid #e4e7eb; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
"""

# Functions that draw, and the metrics that they need.
CHARTS: Sequence[Tuple[Callable[[Rows, Any], str], Tuple[str, ...]]] = (
    (loss, ("loss",)),
    (accuracy, ()),
    (activity, ("activity",)),
    (drops, ("dropped_spike_fraction", "dropped_gradient_fraction")),
)
WIDE = ("raster.png", "weights.png")  # too wide for a phone: they scroll
CAPTIONS = {
    "raster.png": "Test samples, one for each of the first classes: spikes of the input and of "
    "each layer, and the readout's membranes. The thick line is the right class where a sample has "
    "one label.",
    "membranes.png": "Membranes of the neurons that fire most often in one test sample.",
    "activity.png": "Neurons that fire at each time step, averaged over test samples.",
    "weights.png": "Weights of each layer: red is positive, blue negative.",
}


def page(folder: Path, profile: Optional[str] = None) -> str:
    """Return the page of a run.

    Parameters
    ----------
    folder : Path
        Of the run; one that is not finished has no summary and no pictures yet.
    profile : str, optional
        HTML of the modelled profile, below the other sections.

    Raises
    ------
    FileNotFoundError
        Where the folder has no metrics of a run.
    ValueError
        Where a file of the run cannot be read.
    """
    rows = _rows(folder)
    summary = _summary(folder)
    title = f"{_dataset(summary, folder)}: {_result(summary, rows)}"
    sections = [
        ("Training", f"<div>{''.join(_charts(rows))}</div>"),
        ("Test samples", "".join(_pictures(folder, ("raster.png",)))),
        ("Network", "".join(_pictures(folder, ("membranes.png", "activity.png", "weights.png")))),
        ("Confusion", _confusion(summary)),
        ("Profile", profile or ""),
        ("Result", _table(_numbers(summary))),
        ("Options", _table(summary.get("settings", {}))),
        ("Versions", _table(summary.get("versions", {}))),
    ]
    body = "".join(
        f"<section><h2>{name}</h2>{content}</section>\n"
        for name, content in sections
        if content not in ("", "<div></div>")
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{_text(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main><h1>{_text(title)}</h1>\n{body}</main></body></html>\n"
    )


def _rows(folder: Path) -> List[Dict[str, Any]]:
    path = folder / METRICS
    if not path.is_file():
        raise FileNotFoundError(
            f"view: RUN: expected the folder of a run with {METRICS}, got {str(folder)!r}"
        )
    rows = [_json(path, line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if "epoch" not in row:
            raise ValueError(f"view: RUN: expected an epoch in each row of {path}, got {row}")
    return rows


def _summary(folder: Path) -> Dict[str, Any]:
    path = folder / "summary.json"
    return _json(path, path.read_text(encoding="utf-8")) if path.is_file() else {}


def _json(path: Path, text: str) -> Dict[str, Any]:
    try:
        record = json.loads(text)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise ValueError(f"view: RUN: expected a JSON object in {path}, got {text[:40]!r}")
    return record


def _dataset(summary: Mapping[str, Any], folder: Path) -> str:
    return str(summary.get("settings", {}).get("dataset") or folder.name)


def _result(summary: Mapping[str, Any], rows: Rows) -> str:
    if "test_accuracy" in summary:
        return f"{100 * summary['test_accuracy']:.2f} % test accuracy"
    return f"not finished, {len(rows)} epochs so far"


def _charts(rows: Rows) -> List[str]:
    """Return a figure for each metric over the epochs."""
    if not rows:
        return []
    made = []
    for draw, names in CHARTS:
        if not all(name in row for row in rows for name in names):
            continue  # of an earlier version, which did not measure it
        ax = plot.figure(4.2, 2.8).add_subplot()
        title = draw(rows, ax)
        made.append(_figure(_svg(ax.figure), title))
    return made


def _confusion(summary: Mapping[str, Any]) -> str:
    counts = summary.get("confusion")
    if counts is None:
        return ""
    ax = plot.figure(4.5, 4.5).add_subplot()
    plot.confusion(counts, ax)
    caption = (
        "Rows are classes, columns the network's answers; numbers count test samples, or their "
        "labelled steps."
    )
    return f"<div>{_figure(_svg(ax.figure), caption)}</div>"


def _pictures(folder: Path, names: Sequence[str]) -> List[str]:
    assert set(names) <= set(PICTURES)
    made = []
    for name in names:
        if (folder / name).is_file():
            data = base64.b64encode((folder / name).read_bytes()).decode()
            caption = CAPTIONS[name]
            image = f'<img src="data:image/png;base64,{data}" alt="{_text(caption)}"/>'
            wide = name in WIDE
            made.append(_figure(f'<div class="wide">{image}</div>' if wide else image, caption))
    return made


def _figure(content: str, caption: str) -> str:
    return f"<figure>{content}<figcaption>{_text(caption)}</figcaption></figure>"


def _svg(figure: Any) -> str:
    """Return the figure as SVG with texts as texts."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "popsnn"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def _numbers(summary: Mapping[str, Any]) -> Dict[str, Any]:
    return {
        name: value
        for name, value in summary.items()
        if name not in ("settings", "versions", "confusion")
    }


def _table(values: Mapping[str, Any]) -> str:
    if not values:
        return ""
    rows: List[Tuple[str, str]] = []
    for name, value in values.items():
        shown = f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)
        rows.append((name.replace("_", " "), shown))
    cells = "".join(
        f'<tr><th scope="row">{_text(name)}</th><td>{_text(value)}</td></tr>'
        for name, value in rows
    )
    return f'<div class="wide"><table>{cells}</table></div>'


def _text(text: str) -> str:
    return html.escape(text)
