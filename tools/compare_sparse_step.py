"""Compare a training step of `bench sparse_step` on the host device with that of another tree.

python tools/compare_sparse_step.py TREE [--activity 0.05] [--pairs 60] [--threads 1]
    [--devices host host]

TREE is a checkout in whose .venv the package of that checkout is installed, as `make bench` leaves
it; so is this one. A process of each has the network on its tiles, and they take steps in turn, so
that whatever else the machine does meets both alike. Printed are quartiles of the seconds of both,
by the clock and of the processor, and the median of the pairs' ratios. The ratio is what counts:
on a machine with other work the seconds of one tree change by half within minutes. `--devices`
names the emulated device of TREE and that of this tree. With `.` as TREE it compares two devices.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[1]
CHILD = "--steps"
WARMUP = 3

Seconds = Tuple[float, float]  # of the clock, of the processor


def steps(activity: float, threads: int, device: str) -> None:
    """Train a step for each line of the standard input, and print its seconds."""
    import torch

    from bench import sparse_step

    generator = torch.Generator().manual_seed(0)
    x = sparse_step.input_lists(generator)
    scaled_on = x.to_dense()[:, : sparse_step.SCALED_ON]
    net = sparse_step.network(activity, scaled_on, generator)
    preset = sparse_step.PRESET
    labels = torch.randint(preset.classes, (preset.batch,), generator=generator)
    on_tiles, adam = sparse_step.on_ipu(net, device)
    for step in range(-WARMUP, sys.maxsize):
        if step == 0:
            print("ready", flush=True)
        if step >= 0 and not sys.stdin.readline():
            return
        begin, used = time.perf_counter(), time.process_time()
        sparse_step._step_with(threads, on_tiles, x, labels, adam)
        if step >= 0:
            print(time.perf_counter() - begin, time.process_time() - used, flush=True)


class Stepper:
    """A process of a tree that trains a step whenever it is asked."""

    def __init__(self, tree: Path, activity: float, threads: int, device: str) -> None:
        self.tree = tree
        command = [str(tree / ".venv/bin/python"), __file__, str(tree), CHILD]
        self.process = subprocess.Popen(
            [
                *command,
                *("--activity", str(activity), "--threads", str(threads)),
                *("--devices", device, device),
            ],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.expect("ready")

    def expect(self, what: str) -> str:
        """Return the process's next line that begins so.

        Raises
        ------
        SystemExit
            Where it ends instead.
        """
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(what):
                return line
        raise SystemExit(f"compare_sparse_step: {self.tree}: expected steps, got an end")

    def step(self) -> Seconds:
        """Train a step; return its seconds."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        clock, processor = map(float, self.expect("").split())
        return clock, processor


def table(other: List[Seconds], here: List[Seconds]) -> str:
    """Return quartiles of both trees and the medians of the pairs' ratios."""
    lines = []
    for column, name in enumerate(("clock", "processor")):
        pairs = [(a[column], b[column]) for a, b in zip(other, here)]
        for tree, values in (("other", [a for a, _ in pairs]), ("here", [b for _, b in pairs])):
            low, median, high = statistics.quantiles(values, n=4)
            lines.append(
                f"{name:<10} {tree:<6} least {min(values):.4f} s, quartiles {low:.4f} "
                f"{median:.4f} {high:.4f}"
            )
        lines.append(f"{name:<10} ratio  {statistics.median(b / a for a, b in pairs):.3f}")
    return "\n".join(lines)


def main(argv: Optional[List[str]] = None) -> None:
    """Measure both trees and print the table."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("tree", metavar="TREE", type=Path, help="a checkout with its own .venv")
    made.add_argument("--activity", type=float, default=0.05, help="largest activity: %(default)s")
    made.add_argument("--pairs", type=int, default=60, help="of steps: %(default)s")
    made.add_argument("--threads", type=int, default=1, help="of torch: %(default)s")
    made.add_argument(
        "--devices",
        nargs=2,
        default=["host", "host"],
        metavar=("OTHER", "HERE"),
        help="of TREE and of this tree: %(default)s",
    )
    made.add_argument(CHILD, action="store_true", help=argparse.SUPPRESS)
    options = made.parse_args(argv)
    if options.steps:
        steps(options.activity, options.threads, options.devices[0])
        return
    for tree in (options.tree, ROOT):
        if not (tree / ".venv/bin/python").is_file():
            raise SystemExit(f"compare_sparse_step: {tree}: expected .venv/bin/python, got none")
    trees = [
        Stepper(tree.resolve(), options.activity, options.threads, device)
        for tree, device in zip((options.tree, ROOT), options.devices)
    ]
    taken: Tuple[List[Seconds], List[Seconds]] = ([], [])
    for pair in range(options.pairs):
        for which in (0, 1) if pair % 2 == 0 else (1, 0):
            taken[which].append(trees[which].step())
    print(table(*taken))


if __name__ == "__main__":
    main()
