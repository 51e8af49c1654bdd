"""Plot and tables of `bench.recurrent.large`: ``python -m bench.recurrent.page [FOLDER]``.

Reads the newest row of each case, subject and metric in the folder's ``recurrent-*.jsonl``, by
default ``bench/results``. Writes ``docs/images/recurrent-activity.svg``, and prints the tables of
``docs/benchmarks/recurrent.md``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from bench.rows import RESULTS
from popsnn import plot
from popsnn.plot import style

from .large import ACTIVITIES, BARS, CHOSEN, CURRENTS, ENERGY, SIZES, STREAMED
from .work import STEPS

PICTURE = RESULTS.parents[1] / "docs" / "images" / "recurrent-activity.svg"
BOTH, FORWARD = "fwd_bwd_ms", "fwd_ms"
DRAWN = 1  # samples of the picture's layers
SALT = "recurrent-activity"  # the same rows give the same bytes

# By neurons, samples, activity, subject without its version, and metric.
Key = Tuple[int, int, str, str, str]
Rows = Dict[Key, Dict[str, Any]]


def read(folder: Path) -> Rows:
    """Return the newest rows of large layers.

    Raises
    ------
    FileNotFoundError
        Where the folder has none.
    """
    found: Rows = {}
    for path in sorted(folder.glob("recurrent-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            case, subject = row["case"], row["subject"]
            ours = subject == CHOSEN
            # The same layers of `bench.recurrent` itself have no unions.
            if ours and row["metric"] in (BOTH, FORWARD) and "union_forward" not in case:
                continue
            if case["T"] != STEPS or case.get("activity") not in CURRENTS:
                continue
            name, _, rest = subject.partition("-")
            if not subject.startswith("popsnn"):
                subject = "-".join([name, *rest.split("-")[1:]])  # without the version
            size = (case["neurons"], case["batch"], case["activity"])
            found[(*size, subject, row["metric"])] = row
    if not found:
        raise FileNotFoundError(
            f"bench.recurrent.page: {folder}: expected rows of recurrent.large, got none"
        )
    return found


def _cell(row: Optional[Dict[str, Any]], scale: float = 1.0) -> str:
    """Return a figure with three digits."""
    if row is None:
        return "-"
    value = scale * row["median"]
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _table(head: List[str], lines: List[List[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def limits(rows: Rows) -> str:
    """Return the table of named cases next to their limits."""
    lines = []
    for neurons, batch, activity, _ in BARS:
        size = (neurons, batch, activity)
        both = rows.get((*size, CHOSEN, BOTH))
        if both is None:
            continue
        case = both["case"]
        least = float(both["limit"].rpartition(" = ")[2].split()[0])
        lines.append(
            [
                f"{neurons}, {batch}, {100 * case['spikes']:.1f} %",
                f"{100 * case['union_forward']:.1f} %, {100 * case['union_backward']:.1f} %",
                _cell(rows.get((*size, CHOSEN, FORWARD))),
                _cell(both),
                f"{least:.3g}",
                f"{both['median'] / least:.2f}",
                f"{both['max_rel_error']:.1e}",
            ]
        )
    head = [
        "neurons, samples, spikes",
        "unions forward, backward",
        "forward",
        "forward and backward",
    ]
    return _table([*head, "limit", "ratio", "deviation of gradients"], lines)


def sweep(rows: Rows) -> str:
    """Return the table over the activity: as the kernels choose, and with all weights read."""
    lines = []
    for neurons, batch in SIZES:
        cells = [
            [_cell(rows.get((neurons, batch, activity, name, BOTH))) for name in (CHOSEN, STREAMED)]
            for activity in ACTIVITIES
        ]
        lines.append([f"{neurons}, {batch}", *(" / ".join(pair) for pair in cells)])
    return _table(["neurons, samples", *ACTIVITIES], lines)


def peers(rows: Rows) -> str:
    """Return the table of loops, next to the kernels at the same activity."""
    names = sorted({key[3] for key in rows if not key[3].startswith("popsnn")})
    columns = [(name, metric) for metric in (BOTH, FORWARD) for name in (CHOSEN, *names)]
    columns = [each for each in columns if any(key[3:] == each for key in rows)]
    lines = []
    for neurons, batch, activity in sorted({key[:3] for key in rows if key[3] in names}):
        cells = [_cell(rows.get((neurons, batch, activity, *each))) for each in columns]
        lines.append([f"{neurons}, {batch}, {activity}", *cells])
    named = [f"{name}, {'forward' if metric == FORWARD else 'both'}" for name, metric in columns]
    return _table(["neurons, samples, spikes", *named], lines)


def joules(rows: Rows) -> str:
    """Return the table of energy: millijoules and milliseconds of a training step."""
    lines = []
    for size in ENERGY:
        cells = [f"{size[0]}, {size[1]}, {size[2]}"]
        for name in (STREAMED, CHOSEN):
            cells.append(_cell(rows.get((*size, name, "joules")), 1e3))
            cells.append(_cell(rows.get((*size, name, "energy_ms"))))
        lines.append(cells)
    ours = ["by spikes, mJ", "ms"]
    return _table(["neurons, samples, spikes", "all weights read, mJ", "ms", *ours], lines)


def draw(rows: Rows, path: Path) -> None:
    """Draw time over activity, as the kernels choose and with all weights read."""
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": SALT}):
        figure = plot.figure(8, 4.6)
        ax: Any = figure.add_subplot()
        sizes = [neurons for neurons, batch in SIZES if batch == DRAWN]
        for neurons, color in zip(sizes, style.LINES):
            for name, dash, what in (
                (CHOSEN, "-", f"{neurons:,} neurons, by spikes"),
                (STREAMED, "--", f"{neurons:,} neurons, all weights read"),
            ):
                found = [rows.get((neurons, DRAWN, each, name, BOTH)) for each in ACTIVITIES]
                points = [(row["case"]["spikes"], row["median"]) for row in found if row]
                if points:
                    x, y = zip(*((100 * spikes, median) for spikes, median in points))
                    ax.plot(x, y, dash, color=color, marker="o", markersize=4, label=what)
        ax.set_xscale("log")
        ax.set_yscale("log")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:g}")
        ax.set_xlabel("neurons that fire at a time step, %", color=style.INK)
        ax.set_ylabel(f"forward and backward, {STEPS} steps, ms", color=style.INK)
        style.plain(ax)
        ax.grid(color="#e5e8eb")
        figure.legend(frameon=False, fontsize=8, ncol=2, loc="outside lower center")
        figure.savefig(path, metadata={"Date": None, "Creator": None})


def main(folder: Path = RESULTS, picture: Path = PICTURE) -> None:
    """Write the picture and print the tables."""
    rows = read(folder)
    draw(rows, picture)
    print("\n\n".join(table(rows) for table in (limits, sweep, peers, joules)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
