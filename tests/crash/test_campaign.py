from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
import torch
from tests.crash.campaign import SETTINGS, Campaign, Count, Setting
from tests.crash.compare import differences, unsound
from tests.crash.moments import Kill, Surroundings
from tests.crash.runs import Outcome, forked, torchrun

import popsnn
from popsnn.training import Training, checkpoint

ROOT = Path(__file__).resolve().parents[2]


def test_killed_runs_end_as_the_uninterrupted_one(tmp_path: Path) -> None:
    settings = [name for name in ("torch", "ipu") if popsnn.backends()[name].available]
    command = [sys.executable, "-m", "tests.crash", "--kills", "2", "--setting", *settings]
    done = subprocess.run(
        [*command, "--folder", str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    for name in settings:
        assert re.search(rf"^{name} 2 kills, \d+ resumed, ", done.stdout, re.MULTILINE), done.stdout


def tried(folder: Path, monkeypatch: pytest.MonkeyPatch, *more: int) -> List[Count]:
    """Return what single trials find: runs that are killed in their second epoch, or `more` later.

    All are compared with the same uninterrupted run.
    """
    later = 0
    whole: Dict[str, Any] = {}

    def late(self: Campaign, uninterrupted: Outcome) -> Kill:
        return Kill(call=uninterrupted.calls // 2 + later)

    monkeypatch.setattr(Campaign, "_kill", late)
    monkeypatch.setattr(Campaign, "_surroundings", lambda *_, **__: Surroundings())
    monkeypatch.setattr("tests.crash.campaign.VARIANTS", {})
    setting = Setting(("--backend", "torch"), {"each step": ("--save-seconds", "0")})
    monkeypatch.setitem(SETTINGS, "torch", setting)
    counts = []
    for later in more or (0,):
        trial = Campaign("torch", 1, folder / str(later))
        trial._whole = whole
        counts.append(trial.run(1, lambda _: None))
    return counts


def forget_the_optimizer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.optim.Adam, "load_state_dict", lambda *_: None)


def forget_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    resume = Training.resume

    def forgetful(self: Training, *arguments: Any) -> int:
        done = resume(self, *arguments)
        self._step = 0
        return done

    monkeypatch.setattr(Training, "resume", forgetful)


def write_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def whole_file(_: str, path: Path, __: Path) -> Iterator[Path]:
        yield path

    monkeypatch.setattr(checkpoint, "whole_file", whole_file)


@pytest.mark.parametrize("fault", [forget_the_optimizer, forget_the_step])
def test_a_fault_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Any) -> None:
    fault(monkeypatch)
    (count,) = tried(tmp_path, monkeypatch)
    assert count.kills == 1
    assert count.mismatches
    assert (tmp_path / "0" / "trial 0.txt").read_text().startswith("train digits ")
    assert (tmp_path / "0" / "trial 0").is_dir()  # to look at


def test_a_state_that_is_written_in_place_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_in_place(monkeypatch)  # which is a fault only while a half of the file is there
    counts = tried(tmp_path, monkeypatch, *range(6))
    assert all(count.kills == 1 for count in counts)
    torn = [count.mismatches[0] for count in counts if count.mismatches]
    assert torn
    assert all("is not whole" in fault for fault in torn)


def finished(folder: Path) -> Path:
    folder.mkdir()
    state = {"weight": torch.tensor([1.0, float("nan")]), "rows": [{"loss": 0.5, "seconds": 3.0}]}
    checkpoint.save(folder / "checkpoint.pt", state)
    (folder / "metrics.jsonl").write_text('{"loss": 0.5, "seconds": 3.0}\n')
    (folder / "metrics.csv").write_text("loss,seconds\n0.5,3.0\n")
    return folder


def test_folders_are_compared_bit_for_bit(tmp_path: Path) -> None:
    mine, other = finished(tmp_path / "a"), finished(tmp_path / "b")
    assert differences(mine, other) == []
    (mine / "metrics.csv").write_text("loss,seconds\n0.5,4.0\n")  # which is measured
    assert differences(mine, other) == []
    (mine / "metrics.jsonl").write_text('{"loss": 0.5000000000000001}\n')
    assert differences(mine, other) == ["metrics.jsonl.0.loss"]
    changed = {"weight": torch.tensor([1.0, -float("nan")]), "rows": [{"loss": 0.5}]}
    checkpoint.save(mine / "checkpoint.pt", changed)
    assert differences(mine, other)[0] == "checkpoint.pt.weight"
    (mine / "checkpoint.pt").write_bytes((mine / "checkpoint.pt").read_bytes()[:-1])
    assert unsound(mine)[0].startswith("checkpoint.pt is not whole: compare: expected a whole file")
    (mine / ".partial-model.pt").write_bytes(b"")
    assert "in place of" in differences(mine, other)[0]


def test_a_run_dies_where_it_is_told_to(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "run")]
    small = ["train", "digits", "--hidden", "8", "--steps", "4", "--epochs", "1", "--no-pictures"]
    command = [*small, "--backend", "torch", *out]
    whole = forked(command)
    assert (whole.status, whole.calls > 20) == (0, True)
    for kill in (Kill(call=1), Kill(call=whole.calls, after=True), Kill(seconds=0.0, group=True)):
        assert forked([*command, "--overwrite"], kill).status == -9
    late = forked([*command, "--overwrite"], Kill(call=1000), Surroundings(clocks=3))
    assert (late.status, late.killed) == (0, False)
    assert unsound(tmp_path / "run") == []


def test_a_rank_dies_where_it_is_told_to(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "run")]
    small = ["train", "digits", "--hidden", "8", "--steps", "4", "--epochs", "1", "--no-pictures"]
    whole = torchrun([*small, "--backend", "torch", *out])
    assert (whole.status, whole.killed, whole.calls > 20) == (0, False, True)
    for kill in (Kill(call=whole.calls // 2), Kill(seconds=0.0, group=True)):
        killed = torchrun([*small, "--backend", "torch", *out, "--overwrite"], kill)
        assert (killed.status, killed.killed) == (1, True)
        assert "SIGKILL" in killed.errors


@pytest.mark.parametrize(
    ("around", "reason"),
    [
        (Surroundings(room=100), "File too large"),
        (Surroundings(permissions=True), "Permission denied"),
    ],
)
def test_surroundings_of_a_run(tmp_path: Path, around: Surroundings, reason: str) -> None:
    tmp_path.chmod(0o555)
    command = ["train", "digits", "--backend", "torch", "--out", str(tmp_path / "run")]
    outcome = forked(command, around=around)
    tmp_path.chmod(0o755)
    assert outcome.status == 1
    assert f"expected to write {tmp_path / 'run'}" in outcome.errors
    assert reason in outcome.errors
