"""Plot and table of the recorded accuracies: ``python -m bench.accuracy.page``.

Reads the newest row of each case and metric in ``bench/results/accuracy-*.jsonl``, writes
``docs/images/accuracy.svg`` and prints the table in Markdown.
"""

from __future__ import annotations

import json
from typing import Any, Dict, Tuple

from bench.accuracy.study import CAPS, SECOND_THRESHOLD
from bench.rows import RESULTS
from popsnn import plot

PICTURE = RESULTS.parents[1] / "docs" / "images" / "accuracy.svg"
STUDIES = (("digits", 8), ("fsdd", 25), ("fsdd", 50))  # datasets and steps
DRAWN = STUDIES[:2]
NETWORKS = ("feed-forward", "recurrent")

Key = Tuple[Any, ...]


def read() -> Dict[Key, Dict[str, Dict[str, Any]]]:
    """Return the newest rows by dataset, steps, network, cap, second threshold, and by metric."""
    found: Dict[Key, Dict[str, Dict[str, Any]]] = {}
    for path in sorted(RESULTS.glob("accuracy-*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            case = row["case"]
            names = ("dataset", "steps", "network", "max_activity", "grad_threshold")
            found.setdefault(tuple(case[name] for name in names), {})[row["metric"]] = row
    return found


def table(rows: Dict[Key, Dict[str, Dict[str, Any]]]) -> str:
    """Return one line a case."""
    lines = [
        "| data, network | seeds | cap | second threshold | test accuracy, % | highest, % | "
        "its epoch | activity, % | spikes dropped, % |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for dataset, steps in STUDIES:
        for network in NETWORKS:
            for cap in CAPS:
                for second in (None, SECOND_THRESHOLD):
                    metrics = rows.get((dataset, steps, network, cap, second))
                    if metrics is not None:
                        named = f"{dataset}, {steps} steps, {network}"
                        lines.append(_line(named, cap, second, metrics))
    return "\n".join(lines)


def _line(named: str, cap: Any, second: Any, metrics: Dict[str, Dict[str, Any]]) -> str:
    epochs = metrics["epochs_to_highest"]
    cells = [
        named,
        str(metrics["accuracy"]["runs"]),
        "none" if cap is None else f"{100 * cap:g} %",
        "none" if second is None else f"{second:g}",
        _interval(metrics["mean_accuracy"]),
        _interval(metrics["mean_highest_accuracy"]),
        f"{epochs['median']:g} ({epochs['min']:g} to {epochs['max']:g})",
        f"{100 * metrics['activity']['median']:.1f}",
        f"{100 * metrics['dropped']['median']:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _interval(row: Dict[str, Any]) -> str:
    return f"{100 * row['median']:.2f} ± {100 * (row['max'] - row['median']):.2f}"


def draw(rows: Dict[Key, Dict[str, Dict[str, Any]]]) -> None:
    """Draw the means with their intervals, the dense one's as a band."""
    figure = plot.figure(9, 5.4)
    axes: Any = figure.subplots(len(DRAWN), len(NETWORKS), sharex=True, sharey="row")
    for axes_row, (dataset, steps) in zip(axes, DRAWN):
        for ax, network in zip(axes_row, NETWORKS):
            dense = rows.get((dataset, steps, network, None, None))
            if dense is not None:
                band = dense["mean_accuracy"]
                ax.axhspan(
                    100 * band["min"], 100 * band["max"], color=plot.MUTED, alpha=0.25, linewidth=0
                )
            for side, (second, color) in enumerate(
                ((None, plot.HIDDEN), (SECOND_THRESHOLD, plot.INPUT))
            ):
                for position, cap in enumerate(CAPS):
                    metrics = rows.get((dataset, steps, network, cap, second))
                    if metrics is not None:
                        row = metrics["mean_accuracy"]
                        ax.errorbar(
                            [position + 0.16 * (2 * side - 1)],
                            [100 * row["median"]],
                            yerr=[100 * (row["max"] - row["median"])],
                            fmt="o",
                            color=color,
                            capsize=3,
                            label=_name(second) if position == 0 else None,
                        )
            ax.set_title(f"{dataset}, {steps} steps, {network}", color=plot.INK, fontsize=10)
            ax.set_xticks(
                range(len(CAPS)), ["no cap" if cap is None else f"{100 * cap:g} %" for cap in CAPS]
            )
            ax.spines[["top", "right"]].set_visible(False)
        axes_row[0].set_ylabel("test accuracy, %", color=plot.INK)
    axes[0][0].legend(frameon=False, fontsize=8, loc="lower left")
    figure.savefig(PICTURE, metadata={"Date": None})


def _name(second: Any) -> str:
    return "no second threshold" if second is None else f"second threshold {second:g}"


if __name__ == "__main__":
    recorded = read()
    draw(recorded)
    print(table(recorded))
