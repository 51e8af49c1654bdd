"""Finds the Poplar programs below a folder: what a user would build and run as one."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, List, Set

SOURCES = (".cpp", ".cc", ".cxx", ".C")
HEADERS = (".hpp", ".h", ".hh")
HOST = re.compile(r"#\s*include\s*[<\"](poplar/(?!Vertex)|pop(lin|nn|ops|rand|util|art|sparse)/)")
MAIN = re.compile(r"(^|\s)(int|auto)\s+main\s*\(")
BOOST_TEST = re.compile(r"#\s*define\s+BOOST_TEST_MODULE")
VERTEX = re.compile(r"#\s*include\s*[<\"](poplar/)?Vertex\.hpp")
PYTHON = re.compile(r"^\s*(import|from)\s+(popart|poptorch|pva)\b", re.MULTILINE)
# A script runs something when it is read: a model outside of functions, or a main part.
SCRIPT = re.compile(
    r"__main__|^\S.*\b(poptorch\.(training|inference)Model|popart\.(Training|Inference)Session)\(",
    re.MULTILINE,
)
SKIPPED = {
    ".git",
    ".ipynb_checkpoints",
    "build",
    "external",
    "extern",
    "third_party",
    "node_modules",
}


@dataclass(frozen=True)
class Program:
    """One row of the survey: a folder with a build file, or one source without.

    `kind` is `cmake`, `make`, `source` (a C++ program), `boost` (a test of Boost.Test),
    `codelets` or `python`; `path` is the build file or the source, below `root`.
    """

    root: Path
    path: Path
    kind: str

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def name(self) -> str:
        relative = self.path.relative_to(self.root)
        named = relative.parent if self.kind in ("cmake", "make") else relative
        return f"{self.root.name}/{named}" if str(named) != "." else self.root.name


def text_of(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(files):
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


def uses_poplar(folder: Path) -> bool:
    return any(
        HOST.search(text_of(path)) or VERTEX.search(text_of(path))
        for path in files_below(folder)
        if path.suffix in SOURCES + HEADERS
    )


def is_build_file(path: Path) -> bool:
    if path.name == "CMakeLists.txt":
        return bool(re.search(r"^\s*project\s*\(", text_of(path), re.MULTILINE | re.IGNORECASE))
    if path.name in ("Makefile", "makefile"):
        return bool(re.search(r"-lpop|popc", text_of(path)))
    return False


def find_in(root: Path) -> List[Program]:
    """The programs of one checkout. A folder's build file stands for all sources below it."""
    built: Set[Path] = set()
    programs = []
    files = list(files_below(root))
    for path in sorted(files, key=lambda file: (len(file.parts), file.name != "CMakeLists.txt")):
        below_built = path.name == "CMakeLists.txt" and any(
            folder in path.parents for folder in built
        )
        if not below_built and is_build_file(path) and uses_poplar(path.parent):
            kind = "cmake" if path.name == "CMakeLists.txt" else "make"
            programs.append(Program(root, path, kind))
            # A Makefile builds its own folder; those below often have Makefiles of their own.
            if kind == "cmake" or path.parent == root:
                built.add(path.parent)
    made = {program.folder for program in programs if program.kind == "make"}
    for path in files:
        if any(folder in path.parents for folder in built) or path.parent in made:
            continue
        text = text_of(path) if path.suffix in (*SOURCES, ".py") else ""
        kind = ""
        if path.suffix == ".py":
            kind = "python" if PYTHON.search(text) and SCRIPT.search(text) else ""
        elif BOOST_TEST.search(text) and HOST.search(text):
            kind = "boost"
        elif MAIN.search(text) and HOST.search(text):
            kind = "source"
        elif VERTEX.search(text) and not HOST.search(text):
            kind = "codelets"
        if kind:
            programs.append(Program(root, path, kind))
    return sorted(programs, key=lambda program: program.name)


def find(folder: Path) -> List[Program]:
    """The programs of every checkout in `folder`, or of `folder` where it is one."""
    if (folder / ".git").exists():
        return find_in(folder)
    programs = []
    for root in sorted(path for path in folder.iterdir() if path.is_dir()):
        programs += find_in(root)
    return programs
