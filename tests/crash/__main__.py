"""`python -m tests.crash`: kills runs of `popsnn train`, and compares what becomes of them.

A run is killed at random moments, some of them before or after a call that changes a file, and
resumed until it is finished; its files must then be those of an uninterrupted run, bit for bit.
Between kills clocks jump, disks are full and folders are read only.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from tests.crash.campaign import SETTINGS, Count, campaign


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--setting", nargs="+", choices=[*SETTINGS], help="default: torch and ipu")
    parser.add_argument("--kills", type=int, default=20, help="in each setting (default: 20)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the time")
    parser.add_argument("--folder", type=Path, help="for the runs (default: a new one)")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="popsnn-crash-"))
    print(f"seed {arguments.seed}, folder {folder}", flush=True)
    began = time.monotonic()

    def report(setting: str, count: Count) -> None:
        done = f"{count.kills} kills, {count.resumed} resumed, {len(count.mismatches)} mismatches"
        print(f"{setting}: {done}, {time.monotonic() - began:.0f} s", flush=True)

    counts = campaign(
        arguments.setting or ["torch", "ipu"], arguments.kills, arguments.seed, folder, report
    )
    for setting, count in counts.items():
        figures = {key: value for key, value in asdict(count).items() if key != "mismatches"}
        print(setting, ", ".join(f"{value} {key}" for key, value in figures.items()))
        for mismatch in count.mismatches:
            print(f"  {mismatch}")
    return int(any(count.mismatches for count in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
