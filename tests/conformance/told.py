"""Facts that a checkout has of a program: its commit, the day of that, and its SDK."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Iterator, List

from tests.conformance.found import Program, text_of

SDK = re.compile(
    r"\bSDK[\s:=-]*v?(\d\.\d)\b"
    r"|poplar[-_]sdk[-_a-z0-9]*?[-_](\d\.\d)\.\d"
    r"|graphcore/[a-z-]+:(\d\.\d)"
    r"|poptorch(?:==|~=|>=)(\d\.\d)",
    re.IGNORECASE,
)
TELLING = ("README*", "readme*", "*.md", "Dockerfile*", "requirements*.txt", "*.sh", "*.yml")


def git(root: Path, *arguments: str) -> str:
    """Return what a command of git prints; empty where the folder is no checkout."""
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def commit_of(root: Path) -> str:
    """The commit of a checkout, shortened."""
    return git(root, "rev-parse", "--short=7", "HEAD")


def day_of(root: Path) -> str:
    """The day of that commit, such as 2023-06-22."""
    return git(root, "log", "-1", "--format=%cs")


def _folders(program: Program) -> Iterator[Path]:
    """The folder of a program, then those above it in the checkout."""
    folder = program.folder
    while True:
        yield folder
        if folder == program.root or folder == folder.parent:
            return
        folder = folder.parent


def sdk_of(program: Program) -> str:
    """The SDK that the nearest text names, the newest of several; empty where none does."""
    for folder in _folders(program):
        told: List[str] = []
        for pattern in TELLING:
            for path in folder.glob(pattern):
                if path.is_file():
                    told += ["".join(groups) for groups in SDK.findall(text_of(path))]
        if told:
            return max(told)
    return ""
