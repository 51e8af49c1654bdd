"""Print the wall time of `import popsnn` beyond that of torch: the median of fresh processes.

python tools/import_time.py [--runs 10]

More than SECONDS are a failure.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from typing import List, Optional, Tuple

SECONDS = 0.15
MEASURED = """
import json, time
import torch
wall, processor = time.perf_counter(), time.process_time()
import popsnn
print(json.dumps([time.perf_counter() - wall, time.process_time() - processor]))
"""


def measure(python: str, runs: int) -> List[Tuple[float, float]]:
    """Return the seconds of each run, of wall time and of processor time.

    Python compiles the modules of a new installation in one more run before these.
    """
    command = [python, "-c", MEASURED]
    lines = [subprocess.check_output(command, text=True) for _ in range(runs + 1)]
    return [tuple(json.loads(line.splitlines()[-1])) for line in lines[1:]]


def main(argv: Optional[List[str]] = None) -> int:
    """Measure, print and return the exit status."""
    parser = argparse.ArgumentParser(description="Measure the time of `import popsnn`.")
    parser.add_argument("--runs", type=int, default=10, help="fresh processes (default: 10)")
    arguments = parser.parse_args(argv)
    measured = measure(sys.executable, arguments.runs)
    wall, processor = (statistics.median(seconds) for seconds in zip(*measured))
    print(
        f"import popsnn beyond torch: {wall:.3f} s, {processor:.3f} s of processors "
        f"(medians of {arguments.runs}; at most {SECONDS} s)"
    )
    return 1 if wall > SECONDS else 0


if __name__ == "__main__":
    sys.exit(main())
