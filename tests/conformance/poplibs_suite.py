"""Builds and runs poplibs' own tests, unchanged and whole, and prints what came of each file.

    python -m tests.conformance.poplibs_suite ~/repos/graphcore+poplibs --json poplibs.json

A file is a program of Boost.Test, with Boost's own main, below the checkout's `tests`. It is
compiled against the emulator's headers and libraries, with poplibs' public support for tests, and
runs on an IPU model. Files are private that include headers of poplibs' `lib` folder, call what no
public header of poplibs declares, or lie in a folder `codelets`, which adds poplibs' vertices by
name: they test how poplibs is made. Needs the headers and libraries of Boost, spdlog and fmt.
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
from typing import Dict, List, Optional

from tests.conformance.attempt import Shell, first_error, libraries
from tests.conformance.found import BOOST_TEST, MAIN, text_of
from tests.emulator.conformance.programs import POPLIBS_FLAGS, POPLIBS_LIBRARIES

import popsnn

SHIMS = Path(__file__).resolve().parent.parent / "emulator/conformance"
# Those of headers of packages that are not public come last: poplibs' own are whole.
FLAGS = POPLIBS_FLAGS.replace("-O1", "-O0").replace("{here}/shim", str(SHIMS / "closed"))
INCLUDE = re.compile(r"^#\s*include\s*[\"<]([^\">]+)", re.MULTILINE)
SUPPORT = ("poplibs_support", "poplibs_test")
UNDEFINED = re.compile(r"undefined reference to `([\w:]+)")


@dataclass(frozen=True)
class Outcome:
    """Result of a file: `passes`, `fails` or `private`."""

    file: str
    result: str
    cause: str = ""


def private_header(file: Path, checkout: Path) -> Optional[str]:
    """Return the first header of poplibs' `lib` folder that a test includes."""
    inside = {str(path) for path in (checkout / "lib").rglob("*.h*")}
    for header in INCLUDE.findall(text_of(file)):
        end = "/" + header.split("../")[-1]
        is_public = ".." not in header and (checkout / "include" / header).exists()
        if not is_public and any(path.endswith(end) for path in inside):
            return header
    return None


def private_name(output: str, checkout: Path) -> Optional[str]:
    """Return the first name that a linker misses and no public header of poplibs has."""
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
    header = private_header(file, checkout)
    if header is not None:
        return Outcome(name, "private", header)
    with tempfile.TemporaryDirectory() as folder:
        build = (
            f"g++ {FLAGS} -DTEST_WITH_TARGET -idirafter {checkout}/include "
            f"-idirafter {SHIMS}/shim -I{checkout}/tests {file} "
            f"{objects}/support.a {libraries(shell.prefix)} "
            f"{POPLIBS_LIBRARIES} -lboost_filesystem -lboost_system -o test"
        )
        status, output = shell(build, Path(folder))
        if status != 0:
            inside = private_name(output, checkout)
            if inside is not None:
                return Outcome(name, "private", inside)
            return Outcome(name, "fails", first_error(output))
        if not re.search(r"TEST_CASE|TEST_SUITE", text_of(file)):
            return Outcome(name, "passes", "compiles")
        status, output = shell("./test -- --device-type IpuModel2", Path(folder))
    if status == 0 and "No errors detected" in output:
        return Outcome(name, "passes")
    cause = "did not end in time" if status == 124 else first_error(output)
    return Outcome(name, "fails", cause)


def build_support(checkout: Path, objects: Path, shell: Shell) -> None:
    """Make `support.a` of poplibs' support for tests; what needs poplibs' inside stays out."""
    command = f"g++ {FLAGS} -idirafter {checkout}/include -idirafter {SHIMS}/shim -c"
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
    parser.add_argument(
        "--json", type=Path, help="write the outcomes to this file, and keep others of it"
    )
    options = parser.parse_args()
    checkout = options.checkout.resolve()
    every = [
        path
        for path in sorted((checkout / "tests").rglob("*.cpp"))
        if BOOST_TEST.search(text_of(path)) and not MAIN.search(text_of(path))
    ]
    files = [path for path in every if re.search(options.only, str(path))]
    shell = Shell(popsnn.emulator_prefix().resolve(), options.seconds)
    outcomes: Dict[str, Outcome] = {}
    if options.json and options.json.exists():  # those of files that are not tried now
        names = {str(path.relative_to(checkout / "tests")) for path in every}
        rows = [Outcome(**row) for row in json.loads(options.json.read_text())]
        outcomes = {row.file: row for row in rows if row.file in names}
    with tempfile.TemporaryDirectory() as objects:
        build_support(checkout, Path(objects), shell)
        print("| file | result | cause |\n" + "| --- " * 3 + "|")
        with ThreadPoolExecutor(options.workers) as pool:
            for each in pool.map(lambda file: outcome(file, checkout, Path(objects), shell), files):
                outcomes[each.file] = each
                print(f"| {each.file} | {each.result} | `{each.cause[:160]}` |", flush=True)
                if options.json:
                    tried = [asdict(outcomes[name]) for name in sorted(outcomes)]
                    options.json.write_text(json.dumps(tried, indent=1))
    print(f"\n{counted(list(outcomes.values()))}")


if __name__ == "__main__":
    main()
