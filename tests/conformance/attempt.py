"""Builds and runs one program in a copy of its checkout, and says what came of it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from tests.conformance.found import Program

BOOST = "-DBOOST_TEST_DYN_LINK -lboost_unit_test_framework -lboost_program_options"
# Headers of the SDK: one that is missing is ours to answer for, any other is the machine's.
SDK = re.compile(r"^(poplar|poplibs?|pop\w+|gcl|gccs|pva|pvti|ipu\w*|print\.h|Vertex|StackSize)")
MISSING = re.compile(r"fatal error: '?([^':\s]+)'?(?: file not found|: No such file)")
ERRORS = (  # in this order: a linker's summary says less than the line before it
    r"error: (?!ld returned|linker command)",
    r"undefined reference",
    r"cannot find|CMake Error|No rule to make|protoc: No such file",
)
PACKAGE = re.compile(
    r'(?:By not providing "|package configuration file provided by "?)(?:Find)?(\w+)'
    r"|(CMake [\d.]+ or higher)|(download)ing '|The source directory\s+(\S+)\s+does not contain"
    r"|include could not find requested file:\s+(\S+)"
    r"|Failed to (clone) repository"
)
# Modules of the SDK for Python; another that is missing is a package of the machine's.
MODULES = ("popart", "popdist", "poptorch", "popxl", "pva", "libpvti", "pvti")
OTHER_VERSION = (  # what packages say that are not of the program's time
    (re.compile(r"operator torchvision::"), "a torchvision for this torch"),
    (
        re.compile(r"from 'pytorch_lightning|invalid accelerator name: .accelerator=.ipu"),
        "pytorch_lightning with IPUs, before version 2.1",
    ),
)
LATE = "did not end in time"
USAGE = re.compile(r"\busage\b|required but missing|Missing (mandatory|argument)|--help", re.I)


@dataclass(frozen=True)
class Outcome:
    """Outcome of a program: `passes`, `fails`, or `needs` (what this machine does not have)."""

    result: str
    cause: str = ""


@dataclass(frozen=True)
class Shell:
    """Runs commands as after `source enable.sh` of the emulator, with a limit of time."""

    prefix: Path
    seconds: int
    older: str = ""  # version of another g++, for programs that the newest refuses

    def environment(self) -> Dict[str, str]:
        done = subprocess.run(
            ["bash", "-c", f". {self.prefix}/enable.sh && env -0"], capture_output=True, check=True
        )
        pairs = (entry.split("=", 1) for entry in done.stdout.decode().split("\0") if entry)
        return dict(pair for pair in pairs)  # type: ignore[misc]

    def __call__(self, command: str, folder: Path, tools: Optional[Path] = None) -> Tuple[int, str]:
        """Exit status and output, both streams together; 124 where the time was over.

        `tools` is a folder of commands that come before those of the machine.
        """
        environment = {**self.environment(), "POPSNN_EMULATE_IPU": "1"}
        if tools:
            environment["PATH"] = f"{tools}:{environment['PATH']}"
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=self.seconds)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            status = 124
        return status, output.decode(errors="replace")


def first_error(output: str) -> str:
    """The line that says why: a compiler's first error, or the last line of a program."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for pattern in ERRORS:
        for index, line in enumerate(lines):
            if re.search(pattern, line):
                more = (
                    lines[index + 1]
                    if line.startswith("CMake Error") and index + 1 < len(lines)
                    else ""
                )
                return f"{line} {more}".strip()
    for line in lines:
        if line.startswith("popc: "):
            return line
    for line in reversed(lines):
        if re.search(r"what\(\)|exception|error|Error|assert", line):
            return line
    return lines[-1] if lines else "no output"


def executables(folder: Path) -> List[Path]:
    """Programs below a folder: ELF files that may be executed and are no libraries."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or not os.access(path, os.X_OK):
            continue
        if ".so" in path.name or path.suffix in (".o", ".gp") or "CMakeFiles" in path.parts:
            continue
        if path.read_bytes()[:4] == b"\x7fELF":
            found.append(path)
    return found


def libraries(prefix: Path) -> str:
    """Options that link every library of the installed SDK."""
    names = sorted(path.name[3:-3] for path in (prefix / "lib").glob("lib*.so"))
    return " ".join(f"-l{name}" for name in names)


def build_command(program: Program, prefix: Path, options: str = "") -> str:
    """Return the command that builds it, in the folder of its build file or source.

    `options` are those of make: variables and targets that the program's own text names.
    """
    source = program.path.name
    if program.kind == "cmake":
        return "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j2 -- -k"
    if program.kind == "make":
        return f"make -k {options}".strip()
    if program.kind == "codelets":
        return f"popc {source} -o {source}.gp"
    boost = BOOST if program.kind == "boost" else ""
    return (
        f"g++ -std=c++17 -O1 -I. -I.. {source} -o {program.path.stem} {boost} {libraries(prefix)}"
    )


def older_tools(version: str, to: Path) -> Path:
    """Return a folder where the names of the compilers are those of another version."""
    folder = to / f"g++-{version}"
    folder.mkdir(exist_ok=True)
    for name, program in (("g++", "g++"), ("c++", "g++"), ("gcc", "gcc"), ("cc", "gcc")):
        found = shutil.which(f"{program}-{version}")
        if found and not (folder / name).exists():
            (folder / name).symlink_to(found)
    return folder


def failed_build(output: str) -> Outcome:
    """Return what the machine lacks, or the fault, as a failed build says."""
    output = re.sub(r"\x1b\[[0-9;]*[mK]", "", output)  # colours
    missing = MISSING.search(output)
    if missing and not SDK.match(missing.group(1)):
        return Outcome("needs", missing.group(1))
    package = PACKAGE.search(output)
    if package:
        return Outcome("needs", next(name for name in package.groups() if name))
    return Outcome("fails", first_error(output))


def attempt(program: Program, copy: Path, shell: Shell, arguments: Dict[str, str]) -> Outcome:
    """Build and run `program`, whose checkout is copied to `copy`; paths are told below that."""
    outcome = built_and_run(program, copy, shell, arguments)
    return replace(outcome, cause=outcome.cause.replace(f"{copy}/", ""))


def built_and_run(program: Program, copy: Path, shell: Shell, arguments: Dict[str, str]) -> Outcome:
    """Build and run `program` below `copy`.

    `arguments` has, by the program's name, those of its executables; with `build` behind the name
    the options of its make, with `before` a command that makes the files that it reads.
    """
    folder = copy / program.folder.relative_to(program.root)
    if program.kind == "python":
        command = f"{sys.executable} {program.path.name} {arguments.get(program.name, '')}"
        return outcome_of(*shell(f"PYTHONPATH={copy}:$PYTHONPATH {command}", folder))
    for path in [*executables(folder), *folder.rglob("*.gp"), *folder.rglob("*.o")]:
        path.unlink()  # of the author's machine, as make clean does
    if f"{program.name} before" in arguments:
        shell(arguments[f"{program.name} before"], folder)
    build = build_command(program, shell.prefix, arguments.get(f"{program.name} build", ""))
    status, output = shell(build, folder)
    if status not in (0, 124) and shell.older and failed_build(output).result == "fails":
        # The newest g++ refuses code that those of the SDK's time accepted.
        shutil.rmtree(folder / "build", ignore_errors=True)
        status, output = shell(build, folder, older_tools(shell.older, copy.parent))
    if status != 0:
        return (
            Outcome("fails", f"building took over {shell.seconds} s")
            if status == 124
            else failed_build(output)
        )
    if program.kind == "codelets":
        return Outcome("passes", "compiles")
    # In the order of their build: one may read what the one before it writes.
    fresh = sorted(executables(folder), key=lambda path: path.stat().st_mtime_ns)
    for path in fresh:
        given = arguments.get(f"{program.name}/{path.name}", arguments.get(program.name, ""))
        if given == "skip":
            continue
        outcome = ran(path, given, folder, shell)
        if outcome.result != "passes":
            return Outcome(outcome.result, f"{path.name}: {outcome.cause}")
    return Outcome("passes", "" if fresh else "builds")


def ran(path: Path, arguments: str, folder: Path, shell: Shell) -> Outcome:
    """Run an executable from the program's folder, or else where it finds the files it names.

    That may be its own folder, that of its source, or `src`.
    """
    first = outcome_of(*shell(f"{path} {arguments}", folder))
    others = [path.parent, folder / "src"]
    if folder / "build" in path.parents:
        others.append(folder / path.parent.relative_to(folder / "build"))
    for other in others:
        if first.result == "passes" or first.cause == LATE or other == folder:
            continue
        if not other.is_dir():
            continue
        outcome = outcome_of(*shell(f"{path} {arguments}", other))
        if outcome.result == "passes":
            return outcome
    return first


def outcome_of(status: int, output: str) -> Outcome:
    if status == 0:
        return Outcome("passes")
    if status == 124:
        return Outcome("fails", LATE)
    missing = re.search(r"No module named '(\w+)", output)
    if missing and missing.group(1) not in MODULES:
        return Outcome("needs", f"the package {missing.group(1)}")
    for pattern, package in OTHER_VERSION:
        if pattern.search(output):
            return Outcome("needs", package)
    if USAGE.search(output):
        return Outcome("needs", f"arguments: {first_error(output)}")
    return Outcome("fails", f"status {status}: {first_error(output)}")


def copy_of(root: Path, to: Path) -> Path:
    """A copy of a checkout, without its history."""
    target: Optional[Path] = to / root.name
    assert target is not None
    shutil.copytree(root, target, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    return target
