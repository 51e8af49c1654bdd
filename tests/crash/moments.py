"""Faults of a run from within: a kill at a call, clocks, a full disk, permissions."""

from __future__ import annotations

import ctypes
import os
import random
import resource
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, List, Optional

from popsnn.training import checkpoint

KILLED = "killed at a call"  # which a process says before it kills itself
CALLS = ("open", "fsync", "ftruncate", "mkdir", "replace", "unlink", "write")  # of `os`


@dataclass(frozen=True)
class Kill:
    """A moment at which a run is killed by SIGKILL.

    Either so many `seconds` after it began, or before or `after` one of the calls that change
    files, counted from 1. `group` kills its data workers too.
    """

    seconds: Optional[float] = None
    call: Optional[int] = None
    after: bool = False
    group: bool = False


@dataclass(frozen=True)
class Surroundings:
    """Environment of a run: clocks that jump by a seed, room for files in bytes, permissions."""

    clocks: Optional[int] = None
    room: Optional[int] = None
    permissions: bool = False

    def enter(self) -> None:
        """Let this process have them, for good."""
        if self.clocks is not None:
            _jump_clocks(random.Random(self.clocks))
        if self.permissions:
            _drop_capabilities()
        if self.room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.room, resource.RLIM_INFINITY))


def count_calls(kill: Kill, count: List[int]) -> None:
    """Let this process count its calls that change files in `count[0]`, and end at one of them.

    Whole states and texts are written in two halves, so that it may end between these.
    """

    say = os.write

    def die() -> None:
        say(2, KILLED.encode())
        if kill.group:
            os.killpg(0, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    def counted(act: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            count[0] += 1
            number = count[0]
            if number == kill.call and not kill.after:
                die()
            result = act(*arguments, **options)
            if number == kill.call:
                die()
            return result

        return call

    def in_halves(path: Path, *parts: Any) -> None:
        content = b"".join(parts)
        middle = len(content) // 2
        with counted(open)(path, "wb") as file:
            for half in (content[:middle], content[middle:]):
                file.write(half)
                counted(file.flush)()

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    checkpoint.write_bytes = in_halves
    Path.write_text = lambda path, text, *_, **__: in_halves(path, text.encode())  # type: ignore


def _jump_clocks(draw: random.Random) -> None:
    """Let the time of day jump in both directions, and the other clock forward, as a sleep does."""

    def jumping(clock: Callable[[], float], least: float, most: float) -> Callable[[], float]:
        moved = 0.0

        def now() -> float:
            nonlocal moved
            if draw.random() < 0.03:
                moved += draw.uniform(least, most)
            return clock() + moved

        return now

    time.time = jumping(time.time, -1e6, 1e6)
    time.perf_counter = jumping(time.perf_counter, 0.0, 1e4)


def _drop_capabilities() -> None:
    """Let the permissions of files hold for root too."""
    if os.geteuid() == 0:
        header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
        if ctypes.CDLL(None, use_errno=True).capset(header, data) != 0:
            raise OSError(ctypes.get_errno(), "capset")
