from __future__ import annotations

import errno
import fcntl
import gc
import logging
import os
import signal
import socket
from pathlib import Path
from typing import Any, Callable

import pytest
from tests.full_disk import full_disk

from popsnn import training
from popsnn.training.lock import FolderLock

locks: Any = []


def process(act: Callable[[], object]) -> int:
    """Run `act` in a process that then stays; return its number when `act` is done."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            act()
            os.write(write, b"done")
            os.close(write)
            signal.pause()
        finally:
            os._exit(1)
    os.close(write)
    with open(read, "rb") as answer:
        assert answer.read(4) == b"done"
    return child


def kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_another_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    child = process(lambda: locks.append(FolderLock(folder)) or locks[0].take())
    sentence = (
        rf"^train: out: expected a folder that no other training writes to, got {folder}, "
        rf"which process {child} on {socket.gethostname()} trains in$"
    )
    with pytest.raises(RuntimeError, match=sentence):
        FolderLock(folder).take()
    kill(child)
    assert [stored.name for stored in folder.iterdir()] == [".lock"]
    lock = FolderLock(folder)
    lock.take()
    assert (folder / ".lock").read_text() == f"process {os.getpid()} on {socket.gethostname()}"
    lock.release()
    assert list(folder.iterdir()) == []


def test_a_process_that_outlives_a_killed_run_does_not_keep_its_lock(tmp_path: Path) -> None:
    forked = tmp_path / "forked"

    def run() -> None:
        locks.append(FolderLock(tmp_path))
        locks[-1].take()
        forked.write_text(str(process(lambda: None)))

    kill(process(run))
    worker = int(forked.read_text())
    os.kill(worker, 0)  # it lives on
    try:
        lock = FolderLock(tmp_path)
        lock.take()
        lock.release()
    finally:
        os.kill(worker, signal.SIGKILL)


def test_a_forked_process_does_not_release_the_lock(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    lock.take()
    kill(process(lock.release))
    assert (tmp_path / ".lock").is_file()
    with pytest.raises(RuntimeError, match="expected a folder that no other training writes to"):
        FolderLock(tmp_path).take()
    lock.release()


def test_a_lock_goes_with_its_owner(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    lock.take()
    lock.take()  # is no second one
    with pytest.raises(RuntimeError, match="expected a folder that no other training writes to"):
        FolderLock(tmp_path).take()
    with lock.held():
        pass
    with pytest.raises(RuntimeError, match="expected a folder that no other training writes to"):
        FolderLock(tmp_path).take()
    del lock
    gc.collect()
    other = FolderLock(tmp_path)
    with other.held():
        assert (tmp_path / ".lock").is_file()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_is_removed_while_another_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (FolderLock(tmp_path) for _ in range(3))
    first.take()
    flock = fcntl.flock
    calls = 0

    def late(handle: int, operation: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:  # the second has opened the file
            first.release()
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    second.take()
    assert calls == 2
    with pytest.raises(RuntimeError, match="expected a folder that no other training writes to"):
        third.take()
    second.release()


def test_file_systems_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with caplog.at_level(logging.WARNING, "popsnn"), FolderLock(tmp_path).held():
        assert f"{tmp_path / '.lock'}: the file system has no locks" in caplog.text


def test_folders_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    path = tmp_path / "file" / ".lock"
    with pytest.raises(OSError, match=rf"^train: expected to write {path}, got File exists: "):
        FolderLock(path.parent).take()
    with full_disk(), pytest.raises(
        OSError, match=rf"^train: expected to write {tmp_path / '.lock'}, got File too large$"
    ):
        FolderLock(tmp_path).take()


OPTIONS: Any = {
    "backend": "torch", "hidden": [8], "steps": 4, "epochs": 2, "pictures": False,
}  # fmt: skip


def test_a_second_training_into_a_folder_is_refused(tmp_path: Path) -> None:
    refused = []

    def second(_: training.EpochMetrics) -> None:
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        for more in ({"overwrite": True, "seed": 1}, {"resume": True}, {"seed": 1}):
            with pytest.raises(RuntimeError, match=r"no other training writes to, got .*process"):
                training.train("digits", **OPTIONS, **more, progress=False, out=str(tmp_path))
            refused.append(more)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

    training.train("digits", **OPTIONS, progress=False, out=str(tmp_path), report=second)
    assert len(refused) == 6
    assert not (tmp_path / ".lock").exists()
    training.train("digits", **OPTIONS, progress=False, resume=True, out=str(tmp_path))


def test_a_training_that_cannot_begin_gives_the_lock_back(tmp_path: Path) -> None:
    options: Any = {**OPTIONS, "out": str(tmp_path)}
    first = training.prepare(training.merged("digits", None, options))
    with pytest.raises(RuntimeError, match="expected a folder that no other training writes to"):
        training.prepare(training.merged("digits", None, options))
    with pytest.raises(KeyboardInterrupt):
        first.run(interrupt, progress=False)
    assert not (tmp_path / ".lock").exists()
    for changes, resume in (({}, False), ({"lr": 0.5}, True)):
        with pytest.raises((FileExistsError, ValueError), match="expected") as caught:
            training.prepare(training.merged("digits", None, {**options, **changes}), resume=resume)
        assert not (tmp_path / ".lock").exists(), caught


def interrupt(_: training.EpochMetrics) -> None:
    raise KeyboardInterrupt
