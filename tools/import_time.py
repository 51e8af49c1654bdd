"""Print the wall time of `import popsnn` beyond that of torch: the median of runs.

python tools/import_time.py [--runs 10]

More than SECONDS of processor time are a failure: of an idle machine they are the wall time too.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from typing import List, Optional, Tuple

SECONDS = 0.15
# Torch takes seconds to import: each run is a fork of a process that has it, whose copies of pages
# add some 20 ms. Collecting torch's own objects, which torch 2.0 leaves due, takes 70 ms: the
# frozen ones are left out.
MEASURED = """
import gc, json, os, sys, time
import torch
gc.freeze()
for _ in range(int(sys.argv[1])):
    if not os.fork():
        wall, processor = time.perf_counter(), time.process_time()
        import popsnn
        seconds = time.perf_counter() - wall, time.process_time() - processor
        print(json.dumps(seconds), flush=True)
        os._exit(0)
    assert os.wait()[1] == 0
"""


def measure(runs: int) -> List[Tuple[float, float]]:
    """Return the seconds of each run, of wall time and of processor time.

    In one more run before these, Python compiles the modules of a new installation.
    """
    command = [sys.executable, "-c", MEASURED, str(runs + 1)]
    _, *lines = subprocess.check_output(command, text=True).splitlines()
    return [tuple(json.loads(line)) for line in lines]


def main(argv: Optional[List[str]] = None) -> int:
    """Measure, print and return the exit status."""
    parser = argparse.ArgumentParser(description="Measure the time of `import popsnn`.")
    parser.add_argument("--runs", type=int, default=10, help="how often (default: 10)")
    arguments = parser.parse_args(argv)
    measured = measure(arguments.runs)
    wall, processor = (statistics.median(seconds) for seconds in zip(*measured))
    print(
        f"import popsnn beyond torch: {wall:.3f} s, {processor:.3f} s of processors "
        f"(medians of {arguments.runs}; at most {SECONDS} s)"
    )
    return 1 if processor > SECONDS else 0


if __name__ == "__main__":
    sys.exit(main())
