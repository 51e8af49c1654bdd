"""Plot and table of the recorded accuracies: ``python -m bench.accuracy.page``.

Reads the newest row of each case, engine and metric in ``bench/results/accuracy-*.jsonl``, and
writes ``docs/images/accuracy.svg`` and the table in ``docs/benchmarks/accuracy.md``.
"""

from __future__ import annotations

import json
from typing import Any, Dict, Mapping, Optional, Tuple

from bench.accuracy import PARTS, digits, fsdd, fsdd_quiet, study
from bench.rows import RESULTS
from popsnn import plot
from popsnn.plot import style

PICTURE = RESULTS.parents[1] / "docs" / "images" / "accuracy.svg"
DRAWN = (digits.PARTS, (*fsdd.PARTS, *fsdd_quiet.PARTS))
ENGINE = "ipu"  # of the picture
PAGE = PICTURE.parents[1] / "benchmarks" / "accuracy.md"
BEGINS = "| data, network |"
HEAD = (
    f"{BEGINS} seeds | cap | gradient threshold | activity penalty | "
    + "".join(f"test accuracy, %, {engine} | " for engine in study.ENGINES)
    + "highest, % | epoch of the highest | activity, % | spikes dropped, % |"
)
QUIET = "#2f7d4f"

Metrics = Mapping[str, Dict[str, Any]]
Rows = Dict[Tuple[str, str], Dict[str, Dict[str, Any]]]


def read() -> Rows:
    """Return the newest rows by engine and case, and by metric."""
    rows_of: Rows = {}
    for path in sorted(RESULTS.glob("accuracy-*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            case = {name: value for name, value in row["case"].items() if name != "target"}
            engine = row["subject"].replace("popsnn-", "")
            rows_of.setdefault((engine, _key(case)), {})[row["metric"]] = row
    return rows_of


def _key(case: Mapping[str, Any]) -> str:
    return json.dumps(case, sort_keys=True)


def table(rows: Rows) -> str:
    """Return one line a case, with the accuracy on each engine."""
    lines = [HEAD, "|" + " --- |" * (HEAD.count("|") - 1)]
    for setting, cases in study.settings(PARTS):
        for case in cases:
            engines = {engine: rows.get((engine, _key(case))) for engine in study.ENGINES}
            if any(engines.values()):
                lines.append(_line(study.title(setting), case, engines))
    return "\n".join(lines)


def _line(named: str, case: Mapping[str, Any], engines: Mapping[str, Optional[Metrics]]) -> str:
    metrics = next(rows_of for rows_of in engines.values() if rows_of is not None)
    epochs = metrics["epochs_to_highest"]
    cap, second = case["max_activity"], case["grad_threshold"]
    weight = case.get("activity_weight")
    cells = [
        named,
        str(metrics["accuracy"]["runs"]),
        _cap(cap, metrics.get("capacity")),
        "none" if second is None else f"{second:g}",
        "none" if weight is None else f"{weight:g}",
        *("-" if row is None else _interval(row["mean_accuracy"]) for row in engines.values()),
        _interval(metrics["mean_highest_accuracy"]),
        f"{epochs['median']:g} ({epochs['min']:g} to {epochs['max']:g})",
        f"{100 * metrics['activity']['median']:.1f}",
        f"{100 * metrics['dropped']['median']:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _cap(cap: Any, reached: Optional[Dict[str, Any]]) -> str:
    if cap is None:
        return "none"
    if cap != "auto" or reached is None:
        return "auto" if cap == "auto" else f"{100 * cap:g} %"
    least, most = (100 * reached[end] for end in ("min", "max"))
    return f"auto: {least:.0f} %" if least == most else f"auto: {least:.0f} to {most:.0f} %"


def replaced(page: str, new: str) -> str:
    """Return the page with another table in place of its own."""
    lines = page.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(BEGINS))
    end = next(i for i in range(begin, len(lines)) if not lines[i].startswith("|"))
    return "\n".join([*lines[:begin], new, *lines[end:]]) + "\n"


def _interval(row: Dict[str, Any]) -> str:
    return f"{100 * row['median']:.2f} ± {100 * (row['max'] - row['median']):.2f}"


def draw(rows: Rows) -> None:
    """Draw the means with their intervals, that of the dense network as a band."""
    networks = tuple(study.NETWORKS)
    figure = plot.figure(9, 5.4)
    axes: Any = figure.subplots(len(DRAWN), len(networks), sharex=True, sharey="row")
    for axes_row, parts in zip(axes, DRAWN):
        for ax, (setting, cases) in zip(axes_row, study.settings(parts)):
            rows_of = [
                (case, metrics["mean_accuracy"])
                for case in cases
                for metrics in [rows.get((ENGINE, _key(case)))]
                if metrics is not None
            ]
            for case, row in rows_of:
                _point(ax, case, row)
            ax.set_title(
                f"{setting['dataset']}, {setting['steps']} steps, {setting['network']}",
                color=style.INK, fontsize=10,
            )  # fmt: skip
            caps = ["no cap" if cap is None else f"{100 * cap:g} %" for cap in study.CAPS]
            ax.set_xticks(range(len(caps)), caps)
            ax.spines[["top", "right"]].set_visible(False)
        axes_row[0].set_ylabel("test accuracy, %", color=style.INK)
    series = dict(zip(*reversed(axes[-1][-1].get_legend_handles_labels())))
    axes[0][0].legend(series.values(), series, frameon=False, fontsize=8, loc="lower left")
    figure.savefig(PICTURE, metadata={"Date": None})


def _point(ax: Any, case: Mapping[str, Any], row: Mapping[str, float]) -> None:
    """Draw one case; that without anything is a band as well."""
    cap, second = case["max_activity"], case["grad_threshold"]
    cost = case.get("activity_weight")
    if (cap, second, cost) == (None, None, None):
        ax.axhspan(100 * row["min"], 100 * row["max"], color=style.MUTED, alpha=0.25, linewidth=0)
    side, color, label = _series(second, cost)
    ax.errorbar(
        [study.CAPS.index(cap) + 0.2 * side],
        [100 * row["median"]],
        yerr=[100 * (row["max"] - row["median"])],
        fmt="o",
        color=color,
        capsize=3,
        label=label,
    )


def _series(second: Optional[float], cost: Optional[float]) -> Tuple[int, str, str]:
    """Return place, color and name."""
    if cost is not None:
        return 1, QUIET, f"gradient threshold {second:g}, an activity penalty"
    if second is not None:
        return 0, style.INPUT, f"gradient threshold {second:g}"
    return -1, style.HIDDEN, "no gradient threshold"


if __name__ == "__main__":
    recorded = read()
    draw(recorded)
    PAGE.write_text(replaced(PAGE.read_text(), table(recorded)))
