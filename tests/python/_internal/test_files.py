from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from popsnn._internal.files import check_seal, named_errors, seal, whole_file


def test_content_and_name_are_on_the_disk_in_this_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = []
    fsync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        order.append(Path(os.readlink(f"/proc/self/fd/{handle}")))
        fsync(handle)

    def replaced(old: Any, new: Any) -> None:
        order.append("replace")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    with whole_file("test", tmp_path / "new" / "file") as partial:
        partial.write_text("whole")
    assert order == [partial, "replace", tmp_path / "new"]
    assert (tmp_path / "new" / "file").read_text() == "whole"


def test_a_file_system_that_does_not_sync_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    with whole_file("test", tmp_path / "file") as partial:
        partial.write_text("whole")
    assert (tmp_path / "file").read_text() == "whole"


@pytest.mark.parametrize("call", ["open", "fsync", "replace"])
@pytest.mark.parametrize("named", [False, True], ids=["any name", "one name"])
def test_a_full_disk_leaves_the_file_before_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, named: bool
) -> None:
    path = tmp_path / "file"
    path.write_text("before")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if call != "open":
        monkeypatch.setattr(os, call, full)

    def write() -> None:
        with whole_file("test", path, tmp_path / ".partial" if named else None) as partial:
            partial.write_text("after")
            if call == "open":
                full()

    with pytest.raises(
        OSError, match=rf"^test: expected to write {path}, got No space left on device$"
    ) as caught:
        write()
    assert caught.value.errno == errno.ENOSPC
    assert [stored.name for stored in tmp_path.iterdir()] == ["file"]
    assert path.read_text() == "before"


def test_the_class_of_the_error_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    path = tmp_path / "file" / "more"
    with pytest.raises(
        FileExistsError,
        match=rf"^test: expected to write {path}, got File exists: {path.parent}$",
    ), whole_file("test", path):
        raise AssertionError("not reached")
    with pytest.raises(ConnectionError, match=r"^it has a sentence of its own$"), named_errors(
        "test", path
    ):
        raise ConnectionError("it has a sentence of its own")


def test_a_seal_is_of_all_bytes(tmp_path: Path) -> None:
    for content in (b"", b"content"):
        stored = content + seal(content)
        check_seal(stored, "test: expected a file", tmp_path)
        for changed in (
            stored[:-1],
            stored[1:],
            stored + b"x",
            stored[:-20] + b"x" + stored[-19:],
            b"",
        ):
            with pytest.raises(ValueError, match=rf"^test: expected a file at {tmp_path}"):
                check_seal(changed, "test: expected a file", tmp_path)
