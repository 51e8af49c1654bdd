"""Trials: a run is killed and resumed until it is finished, and compared with one that was not."""

from __future__ import annotations

import os
import random
import shutil
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from tests.crash.compare import differences, unsound
from tests.crash.moments import Kill, Surroundings
from tests.crash.runs import RANKS, Outcome, forked, torchrun

COMMON = ("--hidden", "8", "--steps", "4", "--epochs", "3", "--batch-size", "120")
# Each asks a checkpoint for something else.
VARIANTS: Dict[str, Tuple[str, ...]] = {
    "drops": ("--max-activity", "0.2", "--grad-threshold", "0.5", "--save-seconds", "0"),
    "best epoch": ("--validation", "0.2", "--patience", "2", "--drop", "0.1", "--shift", "1"),
    "workers": ("--workers", "1", "--jitter", "0.5", "--save-seconds", "0.02"),
    "recurrent": ("--recurrent", "--learn-beta", "--warmup", "1", "--save-seconds", "0"),
    "pictures": ("--epochs", "1", "--pictures", "--weight-dtype", "float16"),
}
MOVING = ("--grad-threshold", "0.5", "--grad-threshold-start", "-1", "--grad-threshold-epochs", "2")


@dataclass(frozen=True)
class Setting:
    """Settings of runs: options of the engine, more variants, and what starts a run."""

    options: Tuple[str, ...]
    variants: Dict[str, Tuple[str, ...]]
    start: Callable[..., Outcome] = forked


SETTINGS: Dict[str, Setting] = {
    "torch": Setting(("--backend", "torch"), {"moving threshold": MOVING, "clip": ("--clip", "1")}),
    "ipu": Setting(
        ("--backend", "ipu"),
        {
            "moving threshold": MOVING,
            "device update": ("--device-update", "--save-seconds", "0"),
            "device drops": ("--device-update", "--max-activity", "0.2", "--save-seconds", "0"),
        },
    ),
    "cuda": Setting(("--backend", "cuda", "--capture"), {}),
    "torchrun": Setting(("--backend", "torch"), {"moving threshold": MOVING}, torchrun),
}


@dataclass
class Count:
    """Counts of a campaign so far."""

    kills: int = 0
    resumed: int = 0
    full_disks: int = 0
    read_only: int = 0
    jumping_clocks: int = 0
    trials: int = 0
    mismatches: List[str] = field(default_factory=list)


class Campaign:
    """Trials in a setting, drawn from a seed.

    Parameters
    ----------
    setting : str
    seed : int
    folder : Path
        Keeps the uninterrupted runs, and those of trials that failed.
    """

    def __init__(self, setting: str, seed: int, folder: Path) -> None:
        self.setting = SETTINGS[setting]
        self.draw = random.Random(seed)
        self.folder = folder
        self.count = Count()
        self._whole: Dict[str, Tuple[Path, Outcome]] = {}

    def run(self, kills: int, report: Callable[[Count], None]) -> Count:
        """Try until so many runs were killed."""
        while self.count.kills < kills:
            self._trial(kills - self.count.kills)
            report(self.count)
        return self.count

    def _options(self, variant: str) -> List[str]:
        more = {**VARIANTS, **self.setting.variants}[variant]
        pictures = () if "--pictures" in more else ("--no-pictures",)
        return ["train", "digits", *COMMON, *self.setting.options, *pictures, *more]

    def _uninterrupted(self, variant: str) -> Tuple[Path, Outcome]:
        if variant not in self._whole:
            out = self.folder / f"whole {variant}"
            outcome = self.setting.start([*self._options(variant), "--out", str(out)])
            if outcome.status != 0:
                raise RuntimeError(f"the uninterrupted run {variant!r} failed: {outcome.errors}")
            self._whole[variant] = out, outcome
        return self._whole[variant]

    def _trial(self, most: int) -> None:
        variant = self.draw.choice(sorted({**VARIANTS, **self.setting.variants}))
        whole, uninterrupted = self._uninterrupted(variant)
        number = self.count.trials
        self.count.trials += 1
        out = self.folder / f"trial {number}"
        left = self.draw.randint(1, min(4, most))
        wrong: List[str] = []
        history: List[str] = []
        finished = False
        while not finished and not wrong:
            command = self._command(variant, out)
            kill = self._kill(uninterrupted) if left else None
            around = self._surroundings(uninterrupted, killed=kill is not None)
            history.append(f"{' '.join(command)}  # {kill} {around}")
            before = self._protect(out) if around.permissions else None
            outcome = self.setting.start(command, kill, around)
            if before is not None:
                wrong += self._released(out, before)
            self.count.resumed += "--resume" in command
            self.count.jumping_clocks += around.clocks is not None
            finished = outcome.status == 0
            if outcome.killed:
                self.count.kills += 1
                left -= 1
                wrong += unsound(out) if out.is_dir() else []
            elif not finished:
                wrong += self._refusal(outcome, around, out)
        wrong = wrong or differences(out, whole)
        if wrong:
            self.count.mismatches += [f"trial {number} ({variant}): {fault}" for fault in wrong]
            (self.folder / f"trial {number}.txt").write_text("\n".join([*history, *wrong]) + "\n")
        else:
            shutil.rmtree(out)

    def _command(self, variant: str, out: Path) -> List[str]:
        where = ["--out", str(out)]
        if not (out / "checkpoint.pt").is_file():
            return [*self._options(variant), *where]
        if self.draw.random() < 0.5:  # the folder alone is enough
            return ["train", "--resume", *where]
        return [*self._options(variant), "--resume", *where]

    def _kill(self, uninterrupted: Outcome) -> Kill:
        group = self.draw.random() < 0.5
        if self.draw.random() < 0.5 and uninterrupted.calls:
            call = self.draw.randint(1, uninterrupted.calls)
            return Kill(call=call, after=self.draw.random() < 0.5, group=group)
        return Kill(seconds=self.draw.uniform(0, 1.1 * uninterrupted.seconds), group=group)

    def _surroundings(self, uninterrupted: Outcome, killed: bool) -> Surroundings:
        drawn = self.draw.random()
        if drawn < 0.25:
            return Surroundings(clocks=self.draw.getrandbits(32))
        if drawn < 0.3 and not killed:
            return Surroundings(room=int(10 ** self.draw.uniform(0, 5)))
        # permissions do not hold for root
        if drawn < 0.35 and not killed and os.geteuid() != 0:
            return Surroundings(permissions=True)
        return Surroundings()

    def _refusal(self, outcome: Outcome, around: Surroundings, out: Path) -> List[str]:
        """Return what is wrong with the end of a run that was not killed."""
        lines = [line for line in outcome.errors.splitlines() if line.startswith("popsnn: ")]
        lines = [line for line in lines if f"expected all {RANKS} processes" not in line]
        said = f"status {outcome.status}, {outcome.errors[-2000:]!r}"
        if around.room is None and not around.permissions:
            return [f"it failed: {said}"]
        self.count.full_disks += around.room is not None
        self.count.read_only += around.permissions
        if outcome.status != 1 or len(lines) != 1 or f"expected to write {out}" not in lines[0]:
            return [f"expected a sentence that names a file in {out}, got {said}"]
        return unsound(out) if out.is_dir() else []

    def _protect(self, out: Path) -> Dict[str, bytes]:
        """Make the folder read-only, and return its files."""
        place = out if out.is_dir() else out.parent
        place.chmod(place.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
        return held(out)

    def _released(self, out: Path, before: Dict[str, bytes]) -> List[str]:
        place = out if out.is_dir() else out.parent
        place.chmod(place.stat().st_mode | stat.S_IWUSR)
        return [] if held(out) == before else ["a folder that is read only has changed"]


def held(folder: Path) -> Dict[str, bytes]:
    """Return the files of a folder."""
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def campaign(
    settings: Sequence[str],
    kills: int,
    seed: int,
    folder: Path,
    report: Optional[Callable[[str, Count], None]] = None,
) -> Dict[str, Count]:
    """Run a campaign in each of the settings, and return what each did."""
    counts = {}
    for setting in settings:
        (folder / setting).mkdir(parents=True, exist_ok=True)
        trials = Campaign(setting, seed, folder / setting)
        counts[setting] = trials.run(
            kills,
            lambda count, name=setting: report and report(name, count),  # type: ignore[misc]
        )
    return counts
