"""Count the cycles of published networks' training steps on a device, next to those of another.

python tools/cycles.py [--device hardware] [--steps 8] [--write FILE] [--compare FILE]

The device counts them itself, with streams from the host, without those that bring results to it
at the end: those of an IPU are measured, those of a model
(`--device bow`) modelled, and labelled so. `--compare` prints what an earlier call wrote in a
column of its own, with the ratio.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from popsnn.profiling.counted import Counted, count_preset

NETWORKS = (("nmnist-h2", 0.05), ("nmnist-h2", 0.01), ("shd-h2", 0.05))


def kind(counted: Counted) -> str:
    """Return "measured" or "modelled"."""
    return "measured" if counted.measured else "modelled"


def main() -> None:
    """Count, print a table, and write it where asked."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--device", default="hardware", help="default: %(default)s")
    made.add_argument("--steps", type=int, default=8, help="time steps (default: %(default)s)")
    made.add_argument("--write", type=Path, help="file of JSON to write")
    made.add_argument("--compare", type=Path, help="file that an earlier call wrote")
    options = made.parse_args()
    earlier = json.loads(options.compare.read_text()) if options.compare else []
    by_row = {(row["network"], row["max_activity"], row["program"]): row for row in earlier}
    rows = []
    for name, activity in NETWORKS:
        counted = count_preset(name, options.device, max_activity=activity, steps=options.steps)
        for program, cycles in counted.cycles.items():
            row = {
                "network": name,
                "max_activity": activity,
                "program": program,
                "steps": counted.steps,
                "cycles": cycles,
                "kind": kind(counted),
                "device": counted.device,
            }
            rows.append(row)
            line = f"{name} {activity:>5.0%} {program:<9} {cycles:>12,} {row['kind']}"
            other = by_row.get((name, activity, program))
            if other is not None:
                line += f"  {other['cycles']:>12,} {other['kind']}"
                line += f"  ratio {cycles / max(1, other['cycles']):.2f}"
            print(line, flush=True)
    if options.write is not None:
        options.write.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
