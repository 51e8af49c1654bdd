"""Builds and runs poplibs' own tests, unchanged and whole, and prints what came of each file.

    python -m tests.conformance.poplibs_suite ~/repos/graphcore+poplibs --json poplibs.json

A file is a program of Boost.Test below the checkout's `tests`, compiled against the emulator's
headers and libraries with poplibs' public support for tests, and run on an IPU model. Files are
private that include headers of poplibs' `lib` folder, call what no public header of poplibs
declares, or lie in a folder `codelets`, which adds poplibs' vertices by name: they test how poplibs
is made. Needs the headers and libraries of Boost, spdlog and fmt.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import List, Optional

from tests.conformance.attempt import MISSING, Shell, first_error, libraries
from tests.conformance.found import BOOST_TEST, text_of
from tests.emulator.conformance.programs import POPLIBS_FLAGS, POPLIBS_LIBRARIES

import popsnn

SHIMS = Path(__file__).parent.parent / "emulator/conformance/closed"
FLAGS = POPLIBS_FLAGS.replace("-O1", "-O0").replace("{here}/shim", str(SHIMS))
SUPPORT = ("poplibs_support", "poplibs_test")
UNDEFINED = re.compile(r"undefined reference to `([\w:]+)")


@dataclass(frozen=True)
class Outcome:
    """Result of a file: `passes`, `fails` or `private`."""

    file: str
    result: str
    cause: str = ""


def private(output: str, checkout: Path) -> Optional[str]:
    """Return what a file that was not built has of poplibs' inside; None where it has none."""
    missing = MISSING.search(output)
    if missing and any((checkout / "lib").rglob(Path(missing.group(1)).name)):
        return missing.group(1)
    public = "\n".join(text_of(path) for path in (checkout / "include").rglob("*.hpp"))
    for name in UNDEFINED.findall(output):
        if not all(re.search(rf"\b{part}\b", public) for part in name.split("::")):
            return name
    return None


def outcome(file: Path, checkout: Path, objects: Path, shell: Shell) -> Outcome:
    """Build and run one file."""
    name = str(file.relative_to(checkout / "tests"))
    if "codelets" in file.relative_to(checkout).parts:
        return Outcome(name, "private", "vertices by name")
    with tempfile.TemporaryDirectory() as folder:
        build = (
            f"g++ {FLAGS} -DTEST_WITH_TARGET -idirafter {checkout}/include -I{checkout}/lib "
            f"-I{checkout}/tests {file} {objects}/support.a {libraries(shell.prefix)} "
            f"{POPLIBS_LIBRARIES} -lboost_filesystem -lboost_system -o test"
        )
        status, output = shell(build, Path(folder))
        if status != 0:
            inside = private(output, checkout)
            if inside is not None:
                return Outcome(name, "private", inside)
            return Outcome(name, "fails", first_error(output))
        status, output = shell("./test -- --device-type IpuModel2", Path(folder))
    if status == 0 and "No errors detected" in output:
        return Outcome(name, "passes")
    cause = "did not end in time" if status == 124 else first_error(output)
    return Outcome(name, "fails", cause)


def build_support(checkout: Path, objects: Path, shell: Shell) -> None:
    """Make `support.a` of poplibs' support for tests; what needs poplibs' inside stays out."""
    command = f"g++ {FLAGS} -idirafter {checkout}/include -c"
    for folder in SUPPORT:
        for source in sorted((checkout / "lib" / folder).glob("*.cpp")):
            status, output = shell(f"{command} {source}", objects)
            if status != 0:
                print(f"{folder}/{source.name} stays out: {first_error(output)}", flush=True)
    shell("ar rc support.a *.o", objects)


def counted(outcomes: List[Outcome]) -> str:
    """Return the sentence with the counts."""
    counts = Counter(each.result for each in outcomes)
    return (
        f"{counts['passes']} of {counts['passes'] + counts['fails']} files pass whole; "
        f"{counts['private']} test how poplibs is made."
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("checkout", type=Path, help="a checkout of graphcore/poplibs")
    parser.add_argument("--only", default="", help="files whose name matches this")
    parser.add_argument("--seconds", type=int, default=300, help="limit of a build and of a run")
    parser.add_argument("--workers", type=int, default=1, help="files at a time")
    parser.add_argument("--json", type=Path, help="write the outcomes to this file too")
    options = parser.parse_args()
    checkout = options.checkout.resolve()
    files = [
        path
        for path in sorted((checkout / "tests").rglob("*.cpp"))
        if BOOST_TEST.search(text_of(path)) and re.search(options.only, str(path))
    ]
    shell = Shell(popsnn.emulator_prefix().resolve(), options.seconds)
    outcomes: List[Outcome] = []
    with tempfile.TemporaryDirectory() as objects:
        build_support(checkout, Path(objects), shell)
        print("| file | result | cause |\n" + "| --- " * 3 + "|")
        with ThreadPoolExecutor(options.workers) as pool:
            for each in pool.map(lambda file: outcome(file, checkout, Path(objects), shell), files):
                outcomes.append(each)
                print(f"| {each.file} | {each.result} | `{each.cause[:160]}` |", flush=True)
                if options.json:
                    rows = [asdict(row) for row in outcomes]
                    options.json.write_text(json.dumps(rows, indent=1))
    print(f"\n{counted(outcomes)}")


if __name__ == "__main__":
    main()
