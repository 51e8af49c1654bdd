from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Callable

import pytest
import torch

from popsnn.training import checkpoint


def killed_while(act: Callable[[], None]) -> None:
    """Run `act` in a process of its own, which must be killed in it."""
    child = os.fork()
    if child == 0:
        act()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def half_a_file(state: Any, path: Path) -> None:
    whole = path.with_suffix(".whole")
    torch.serialization.save(state, whole)
    content = whole.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    die()


def saved(number: int) -> dict[str, Any]:
    keys = ("net", "optimizer", "rows", "settings", "epoch")
    return {**{key: {} for key in keys}, "number": torch.full((1000,), number)}


@pytest.mark.parametrize("moment", ["half is written", "before its name", "after its name"])
def test_killed_while_writing_leaves_a_whole_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    path = tmp_path / "checkpoint.pt"
    checkpoint.save(path, saved(1))

    def overwrite() -> None:
        if moment == "half is written":
            monkeypatch.setattr(torch, "save", half_a_file)
        elif moment == "before its name":
            monkeypatch.setattr(os, "replace", die)
        checkpoint.save(path, saved(2))
        die()

    killed_while(overwrite)
    expected = 2 if moment == "after its name" else 1
    assert bool((checkpoint.load(path)["number"] == expected).all())
    checkpoint.save(path, saved(3))  # what the killed one left is in nobody's way
    assert bool((checkpoint.load(path)["number"] == 3).all())


def test_other_files_are_no_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    with pytest.raises(FileNotFoundError, match=r"resume: expected a checkpoint at .*, got none"):
        checkpoint.load(path)
    path.write_text("none")
    with pytest.raises(ValueError, match=r"resume: expected a checkpoint at .*, got another file"):
        checkpoint.load(path)
    torch.save({"net": {}}, path)
    with pytest.raises(ValueError, match=r"resume: expected a checkpoint at .*, got another file"):
        checkpoint.load(path)
