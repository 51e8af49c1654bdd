"""Finds the public repositories and takes files of one commit out of them."""

from __future__ import annotations

import os
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Optional, Sequence

import pytest

VARIABLE = "POPSNN_CONFORMANCE_REPOS"


def git_dir(repository: str) -> Path:
    """The git directory of `owner/name`: a checkout or a bare repository, named owner+name."""
    root = os.environ.get(VARIABLE)
    if not root:
        pytest.skip(f"set {VARIABLE} to a folder with the public repositories")
    folder = Path(root) / repository.replace("/", "+")
    for candidate in (folder / ".git", folder / "repo", folder):
        if (candidate / "HEAD").is_file():
            return candidate
    pytest.skip(f"expected a git repository of {repository} in {folder}, got none")


def take(source: Sequence[str], paths: Sequence[str], to: Path) -> None:
    """Write the files under `paths`, as of the commit, to the folder `to`."""
    repository, commit = source
    command = ["git", f"--git-dir={git_dir(repository)}", "archive", commit, *paths]
    done = subprocess.run(command, capture_output=True)
    if done.returncode != 0:
        reason = done.stderr.decode().strip()
        pytest.skip(f"expected {repository} to have {commit}, got: {reason}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(to)


def missing_header(headers: Sequence[str], compiler: str) -> Optional[str]:
    """The first header that the compiler does not find."""
    for header in headers:
        command = [compiler, "-x", "c++", "-fsyntax-only", "-"]
        done = subprocess.run(command, input=f"#include <{header}>\n".encode(), capture_output=True)
        if done.returncode != 0:
            return header
    return None
