"""Runs PopTorch's own tests, unchanged and whole, and prints what came of each file.

    python -m tests.conformance.poptorch_suite ~/repos/poptorch

Each file of the checkout's `tests` folder runs in its own process, after `enable.sh` of the
installed emulator, with its libraries of custom operators built. Skipped tests do not count; a file
that cannot be collected, or has not ended within its time, is one error more.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, NamedTuple

from tests.conformance.attempt import Shell

import popsnn


class Case(NamedTuple):
    """One test: `passed`, `failed` or `skipped`, and the last line of its error."""

    file: str
    name: str
    result: str
    cause: str = ""


def cases_of(file: str, report: Path) -> List[Case]:
    """The cases of a report in JUnit's form."""
    cases = []
    for case in ElementTree.parse(report).iter("testcase"):
        bad = [entry for kind in ("failure", "error") for entry in case.findall(kind)]
        skipped = case.find("skipped") is not None
        result = "failed" if bad else "skipped" if skipped else "passed"
        cause = bad[0].get("message", "") if bad else ""
        cases.append(Case(file, case.get("name", ""), result, cause))
    return cases


def cases_before(name: str, output: str, cause: str) -> List[Case]:
    """The cases of a run without a report, from pytest's lines: what has no result has failed."""
    lines = re.findall(
        rf"^(?:tests/)?{re.escape(name)}::(.+?) (PASSED|SKIPPED)", output, re.MULTILINE
    )
    collected = re.search(r"collected (\d+) items?(?: / (\d+) deselected)?", output)
    count = 1 if collected is None else int(collected[1]) - int(collected[2] or 0)
    cases = [Case(name, case, result.lower()) for case, result in lines]
    return cases + [Case(name, "(not finished)", "failed", cause)] * max(count - len(cases), 1)


def run_file(shell: Shell, checkout: Path, name: str) -> List[Case]:
    """Run one file; what hangs keeps the results of the tests before it."""
    report = checkout / f"{name}.xml"
    command = (
        f"{sys.executable} -m pytest -p no:cacheprovider -v -Wignore --tb=short "
        f"--rootdir=tests --junitxml={report} tests/{name}"
    )
    status, output = shell(command, checkout)
    if report.is_file():
        return cases_of(name, report)
    return cases_before(name, output, f"ended by status {status}: {output[-300:]}")


def build_libraries(shell: Shell, tests: Path) -> None:
    """Build each source of `custom_ops` into `the folder, from which tests load them."""
    for source in sorted(tests.glob("custom_ops/*.cpp")):
        command = f"c++ -std=c++14 -O1 -shared -fPIC {source} -lpopart -lpopops -lpoplar"
        status, output = shell(f"{command} -o {tests}/lib{source.stem}.so", tests)
        if status != 0:
            raise SystemExit(f"{source.name}: expected it to compile, got: {output}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("checkout", type=Path, help="graphcore/poptorch")
    parser.add_argument("--only", default="", help="files whose name has this regular expression")
    parser.add_argument("--seconds", type=int, default=600, help="limit of a file")
    parser.add_argument("--jobs", type=int, default=1, help="files at the same time")
    parser.add_argument("--json", type=Path, help="write all cases to this file too")
    options = parser.parse_args()
    shell = Shell(popsnn.emulator_prefix().resolve(), options.seconds)
    with tempfile.TemporaryDirectory() as scratch:
        checkout = Path(scratch) / "poptorch"
        tests = checkout / "tests"
        ignored = shutil.ignore_patterns(".*")
        shutil.copytree(options.checkout, checkout, ignore=ignored)
        build_libraries(shell, tests)
        found = [*tests.glob("*_test.py"), *tests.glob("test_*.py")]
        names = sorted(file.name for file in found if re.search(options.only, file.name))
        with ThreadPoolExecutor(options.jobs) as pool:
            cases = []
            print("| file | passed | failed | skipped |\n| --- | --- | --- | --- |")
            for name, outcome in zip(
                names, pool.map(lambda name: run_file(shell, checkout, name), names)
            ):
                count: Dict[str, int] = {"passed": 0, "failed": 0, "skipped": 0}
                for case in outcome:
                    count[case.result] += 1
                cases += outcome
                print(f"| {name} | {' | '.join(map(str, count.values()))} |", flush=True)
    passed = sum(case.result == "passed" for case in cases)
    total = sum(case.result != "skipped" for case in cases)
    print(f"\n{passed} of {total} pass: {100 * passed / max(total, 1):.1f} %")
    if options.json:
        options.json.write_text(json.dumps([case._asdict() for case in cases], indent=1))


if __name__ == "__main__":
    main()
