from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from popsnn._internal import locks

HOLDER = """
import sys
from popsnn._internal import locks
file = open(sys.argv[1], "rb+")
locks.lock(file.fileno(), wait=False)
print("locked", flush=True)
sys.stdin.readline()
locks.unlock(file.fileno())
print("unlocked", flush=True)
sys.stdin.readline()
"""


def test_one_process_has_a_lock_until_it_unlocks(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with holder, open(path, "rb+") as file:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(BlockingIOError):
            locks.lock(file.fileno(), wait=False)
        assert file.read() == b"content"
        holder.stdin.write("\n")
        holder.stdin.flush()
        locks.lock(file.fileno(), wait=True)
        assert holder.stdout.readline() == "unlocked\n"


def test_a_platform_without_locks_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "_HAS_FCNTL", False)
    with open(tmp_path / "file", "wb") as file, pytest.raises(OSError, match="has no locks"):
        locks.lock(file.fileno(), wait=True)


def test_a_lock_without_fcntl_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([False, False, True])
    pauses: list[float] = []
    monkeypatch.setattr(locks, "_HAS_FCNTL", False)
    monkeypatch.setattr(locks, "_lock_byte", lambda handle: next(answers))
    monkeypatch.setattr(time, "sleep", pauses.append)
    locks.lock(0, wait=True)
    assert len(pauses) == 2
    monkeypatch.setattr(locks, "_lock_byte", lambda handle: False)
    with pytest.raises(BlockingIOError):
        locks.lock(0, wait=False)
