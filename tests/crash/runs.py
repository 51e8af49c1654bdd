"""Runs of the `popsnn` command: forks of this process, or of two ranks that torchrun starts."""

from __future__ import annotations

import fcntl
import importlib
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List, Optional, Sequence

import torch
from tests.crash.moments import KILLED, Kill, Surroundings, count_calls
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.launcher.api import LaunchConfig, elastic_launch

from popsnn.cli.main import main

# What a run imports as it goes; done once, a fork begins where a run has begun to train.
for name in ("matplotlib.backends.backend_agg", "sklearn.model_selection", "torch._dynamo"):
    importlib.import_module(name)

LONGEST = 600.0  # seconds that a run may take
OUTPUT = 1 << 20  # bytes that a pipe holds, so that it need not be read meanwhile
RANKS = 2


@dataclass(frozen=True)
class Outcome:
    """End of a run: its exit status, whether it was killed, and what it said of errors.

    `seconds` is how long it took; `calls` counts those that change files, where it was not killed.
    """

    status: int
    errors: str
    seconds: float
    killed: bool = False
    calls: int = 0


class Lasted:
    """Seconds since it was made, but for those in which this process itself was stopped."""

    def __init__(self) -> None:
        self._seconds, self._last = 0.0, time.monotonic()

    def seconds(self) -> float:
        """Return them; to be asked every few milliseconds."""
        now = time.monotonic()
        self._seconds += min(now - self._last, 1.0)
        self._last = now
        return self._seconds


def forked(
    arguments: Sequence[str], kill: Optional[Kill] = None, around: Optional[Surroundings] = None
) -> Outcome:
    """Run `popsnn` in a fork of this process, which has everything imported."""
    kill = kill or Kill()

    def victim(child: int) -> int:
        return child

    return _watched(
        lambda: _command(arguments, kill, around or Surroundings(), first=True), kill, victim
    )


def torchrun(
    arguments: Sequence[str], kill: Optional[Kill] = None, around: Optional[Surroundings] = None
) -> Outcome:
    """Run `popsnn` in two ranks, forks of a process in which torchrun's agent works.

    The first rank dies at a call of its own; which one dies at a moment is drawn.
    """
    kill = kill or Kill()

    def launch() -> int:
        os.environ["GLOO_SOCKET_IFNAME"] = "lo"
        with tempfile.TemporaryDirectory() as logs:
            tempfile.tempdir = logs  # where torchrun leaves a folder
            agent = elastic_launch(_standalone(), _rank)
            try:
                agent(arguments, kill, around or Surroundings())
            except ChildFailedError as error:
                print(error, file=sys.stderr)
                return 1
        return 0

    def victim(agent: int) -> Optional[int]:
        ranks = _children(agent)
        return random.Random(kill.seconds).choice(ranks) if len(ranks) == RANKS else None

    return _watched(launch, kill, victim)


def _standalone() -> LaunchConfig:
    """Return what `torchrun --standalone` asks for."""
    return LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=RANKS,
        run_id="crash",
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        max_restarts=0,
        monitor_interval=0.1,
        start_method="fork",
    )


def _rank(arguments: Sequence[str], kill: Kill, around: Surroundings) -> None:
    os.setpgid(0, 0)
    # A fork has the agent's handler, which a wait for a dead rank never runs. torchrun's own
    # processes have the default.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    status = _command(arguments, kill, around, first=os.environ["RANK"] == "0")
    if status != 0:
        sys.stderr.flush()
        os._exit(status)


def _command(arguments: Sequence[str], kill: Kill, around: Surroundings, first: bool) -> int:
    """Run it here, and write the number of calls that changed files; return the status."""
    torch.set_num_threads(1)
    count = [0]
    write = os.write
    if first:
        count_calls(kill, count)
    around.enter()
    status = main(arguments)
    sys.stderr.flush()
    if first:
        write(2, b"\0%d\0" % count[0])
    return status


def _watched(run: Callable[[], int], kill: Kill, victim: Callable[[int], Optional[int]]) -> Outcome:
    """Run in a fork, and kill the victim at its moment."""
    read, write = os.pipe()
    fcntl.fcntl(write, getattr(fcntl, "F_SETPIPE_SZ", 1031), OUTPUT)
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(write, 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", 1)  # not a test's
            os._exit(run())
        finally:
            os._exit(70)
    os.close(write)
    os.set_blocking(read, False)  # a data worker may have the other end for some seconds more
    killed, late = False, ""
    ended, status = os.waitpid(child, os.WNOHANG)
    lasted = Lasted()
    while not ended:
        if kill.seconds is not None and not killed and lasted.seconds() > kill.seconds:
            process = victim(child)
            if process is not None:
                _end(process, kill.group)
                killed = True
        if lasted.seconds() > LONGEST and not late:
            late = f"no end in {LONGEST:g} s: "
            for process in (*_children(child), child):
                _end(process, False)
        time.sleep(0.002)
        ended, status = os.waitpid(child, os.WNOHANG)
    with open(read, "rb") as output:
        said = (output.read() or b"").decode(errors="replace")
    errors, _, rest = said.partition("\0")
    calls, _, more = rest.partition("\0")
    return Outcome(
        _exit_status(status),
        late + errors + more,
        lasted.seconds(),
        (killed or KILLED in said) and status != 0,
        int(calls or 0),
    )


def _exit_status(status: int) -> int:
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)


def _end(process: int, group: bool) -> None:
    with suppress(ProcessLookupError):
        try:
            (os.killpg if group else os.kill)(process, signal.SIGKILL)
        except ProcessLookupError:  # it has no group of its own yet
            os.kill(process, signal.SIGKILL)


def _children(process: int) -> List[int]:
    result = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in result.read_text().split()] if result.exists() else []
