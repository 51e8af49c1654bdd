"""Runs the files of a public test suite, unchanged and whole, and counts their cases.

Each file runs in its own process, after `enable.sh` of the installed emulator. Skipped tests do not
count; a file that cannot be collected, or has not ended within its time, is one error more.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Tuple

from tests.conformance.attempt import Shell

import popsnn


class Case(NamedTuple):
    """One test: `passed`, `failed` or `skipped`, and the last line of its error."""

    file: str
    name: str
    result: str
    cause: str = ""


@dataclass(frozen=True)
class Suite:
    """The files of a public test suite.

    Parameters
    ----------
    root : str
        Folder of the checkout that is pytest's.
    folder : str
        Folder of the files, below `root`.
    patterns : tuple of str
        Names of the files.
    prepare : callable
        Builds what the tests load, in a copy of the checkout.
    """

    root: str
    folder: str
    patterns: Tuple[str, ...]
    prepare: Callable[[Shell, Path], None] = lambda shell, checkout: None

    def files(self, checkout: Path) -> List[str]:
        """Names of the files that define tests, sorted."""
        folder = checkout / self.root / self.folder
        found = {path for pattern in self.patterns for path in folder.glob(pattern)}
        return sorted(path.name for path in found if re.search(r"def test_", path.read_text()))


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
        rf"^(?:\S*/)?{re.escape(name)}::(.+?) (PASSED|SKIPPED)", output, re.MULTILINE
    )
    collected = re.search(r"collected (\d+) items?(?: / (\d+) deselected)?", output)
    count = 1 if collected is None else int(collected[1]) - int(collected[2] or 0)
    cases = [Case(name, case, result.lower()) for case, result in lines]
    return cases + [Case(name, "(not finished)", "failed", cause)] * max(count - len(cases), 1)


def run_file(suite: Suite, shell: Shell, checkout: Path, name: str) -> List[Case]:
    """Run one file; what hangs keeps the results of the tests before it."""
    report = checkout / f"{name}.xml"
    command = (
        f"{sys.executable} -m pytest -p no:cacheprovider -v -Wignore --tb=short "
        f"--rootdir={suite.root} --junitxml={report} {Path(suite.root, suite.folder, name)}"
    )
    # As in an activated environment: tests start `python3` too.
    status, output = shell(command, checkout, Path(sys.executable).parent)
    if report.is_file():
        return cases_of(name, report)
    return cases_before(name, output, f"ended by status {status}: {output[-300:]}")


def results_in(path: Path) -> Dict[str, List[Case]]:
    """The cases of each file that an earlier run has written."""
    known: Dict[str, List[Case]] = {}
    for entry in json.loads(path.read_text()) if path.is_file() else []:
        known.setdefault(entry["file"], []).append(Case(**entry))
    return known


def write_results(path: Path, results: Dict[str, List[Case]]) -> None:
    """Write the cases of all files, so that a run which is cut off can go on."""
    cases = [case._asdict() for name in sorted(results) for case in results[name]]
    path.write_text(json.dumps(cases, indent=1))


def row(name: str, cases: List[Case]) -> str:
    """Return the row of a table: file, passed, failed, skipped."""
    kinds = ("passed", "failed", "skipped")
    counts = [sum(case.result == kind for case in cases) for kind in kinds]
    return f"| {name} | {' | '.join(map(str, counts))} |"


def total(results: Dict[str, List[Case]]) -> str:
    """Return the sentence of the sum; skipped cases do not count."""
    cases = [case for found in results.values() for case in found if case.result != "skipped"]
    passed = sum(case.result == "passed" for case in cases)
    return f"{passed} of {len(cases)} pass: {100 * passed / max(len(cases), 1):.1f} %"


def main(suite: Suite, text: str) -> None:
    """Run the command of a suite, whose help is `text`."""
    parser = argparse.ArgumentParser(
        description=text, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("checkout", type=Path, help="the public repository")
    parser.add_argument("--only", default="", help="files whose name has this regular expression")
    parser.add_argument("--seconds", type=int, default=600, help="limit of a file")
    parser.add_argument("--jobs", type=int, default=1, help="files at the same time")
    parser.add_argument("--json", type=Path, help="write all cases here, after each file")
    parser.add_argument(
        "--resume", action="store_true", help="keep the results of the files in --json"
    )
    options = parser.parse_args()
    shell = Shell(popsnn.emulator_prefix().resolve(), options.seconds)
    results = results_in(options.json) if options.json else {}
    names = [name for name in suite.files(options.checkout) if re.search(options.only, name)]
    if options.resume:
        names = [name for name in names if name not in results]
    with tempfile.TemporaryDirectory() as scratch:
        checkout = Path(scratch) / options.checkout.name
        shutil.copytree(options.checkout, checkout, ignore=shutil.ignore_patterns(".*"))
        if names:
            suite.prepare(shell, checkout)
        print("| file | passed | failed | skipped |\n| --- | --- | --- | --- |")
        with ThreadPoolExecutor(options.jobs) as pool:
            ran = pool.map(lambda name: run_file(suite, shell, checkout, name), names)
            for name, cases in zip(names, ran):
                results[name] = cases
                if options.json:
                    write_results(options.json, results)
                print(row(name, cases), flush=True)
    print(f"\n{total(results)}")
