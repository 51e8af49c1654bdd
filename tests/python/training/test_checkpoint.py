from __future__ import annotations

import io
import os
import signal
import zipfile
from pathlib import Path
from typing import Any, Callable
from unittest import mock

import pytest
import torch

from popsnn import training
from popsnn._internal.files import seal
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


def half_a_file(path: Path, *parts: Any) -> None:
    content = b"".join(parts)
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
            monkeypatch.setattr(checkpoint, "write_bytes", half_a_file)
        elif moment == "before its name":
            monkeypatch.setattr(os, "replace", die)
        checkpoint.save(path, saved(2))
        die()

    killed_while(overwrite)
    expected = 2 if moment == "after its name" else 1
    assert bool((checkpoint.load(path)["number"] == expected).all())
    checkpoint.save(path, saved(3))  # files of the killed run do no harm
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


def small(path: Path) -> bytes:
    """Write a checkpoint of every kind of value that it may have; return its bytes."""
    optimizer = {
        "state": {0: {"step": torch.tensor(3.0), "exp_avg": torch.randn(4, 3)}},
        "param_groups": [{"lr": 0.01, "betas": (0.9, 0.999), "amsgrad": False, "params": [0]}],
    }
    epoch = {"step": 2, "tally": {"samples": 120, "loss": 0.1, "fired": [3, 4]}}
    state = {
        "net": {"weight": torch.randn(4, 3), "calls": torch.tensor(7)},
        "optimizer": optimizer,
        "rows": [{"epoch": 1, "loss": 0.25, "validation_accuracy": None}],
        "settings": {"hidden": [16], "out": "runs/digits"},
        "epoch": epoch,
    }
    checkpoint.save(path, state)
    return path.read_bytes()


def refusal(path: Path, content: bytes) -> str:
    """Return the sentence that refuses a file of this content."""
    path.write_bytes(content)
    try:
        checkpoint.load(path)
    except ValueError as error:
        return str(error)
    raise AssertionError("it was loaded")


def test_no_flipped_bit_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    whole = small(path)
    checkpoint.load(path)
    for bit in range(0, 8 * len(whole), 41):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        assert refusal(path, changed).startswith(f"resume: expected a checkpoint at {path}")


def test_no_cut_off_or_longer_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    whole = small(path)
    for length in range(0, len(whole), 5):
        assert f" its {length} bytes do not end in a checksum " in refusal(path, whole[:length])
    for more in (b"\0", whole):
        assert refusal(path, whole + more).startswith("resume: expected a checkpoint at")


def test_the_sentence_has_both_checksums(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    whole = bytearray(small(path))
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)
    with pytest.raises(
        ValueError,
        match=rf"^resume: expected a checkpoint at {path} with the SHA-256 {whole[-32:].hex()}, "
        r"got [0-9a-f]{64}: the file has changed since it was written$",
    ):
        checkpoint.load(path)


def test_a_checkpoint_without_a_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    torch.save(saved(1), path)  # as earlier versions wrote them
    with pytest.raises(ValueError, match=r"do not end in a checksum \(.*of an older popsnn\)$"):
        checkpoint.load(path)


def test_a_file_that_unpacks_to_more_is_not_read(tmp_path: Path) -> None:
    path, packed = tmp_path / "checkpoint.pt", io.BytesIO()
    torch.save(saved(1), path)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(packed, "w", 8) as bomb:
        for member in archive.infolist():
            bomb.writestr(member.filename, archive.read(member) + b"\0" * 1_000_000)
    content = packed.getvalue()
    path.write_bytes(content + seal(content))
    with pytest.raises(
        ValueError, match=r"^resume: .* got another file: \d+ bytes that unpack to "
    ):
        checkpoint.load(path)


@pytest.mark.parametrize("name", ["checkpoint.pt", "best.pt"])
def test_a_run_does_not_go_on_from_a_changed_file(tmp_path: Path, name: str) -> None:
    options: Any = {
        "backend": "torch", "hidden": [8], "steps": 4, "epochs": 3, "pictures": False,
        "validation": 0.1, "progress": False, "out": str(tmp_path),
    }  # fmt: skip
    with mock.patch.object(training.Training, "best_row", lambda self: self.rows[0]):
        training.train("digits", **options)
        changed = bytearray((tmp_path / name).read_bytes())
        changed[len(changed) // 2] ^= 4
        (tmp_path / name).write_bytes(changed)
        with pytest.raises(ValueError, match=rf"expected .* at {tmp_path / name} with the SHA-256"):
            training.train("digits", resume=True, **options)
