"""Runs of the `popsnn` command: forks of this process, or two ranks that torchrun starts."""

from __future__ import annotations

import fcntl
import importlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List, NoReturn, Optional, Sequence

import torch
from tests.crash.moments import Kill, Surroundings, count_calls

from popsnn.cli.main import main

# What a run imports as it goes; done once, a fork begins where a run has begun to train.
for name in ("matplotlib.backends.backend_agg", "sklearn.model_selection", "torch._dynamo"):
    importlib.import_module(name)

LONGEST = 600.0  # seconds that a run may take
OUTPUT = 1 << 20  # bytes that a pipe holds, so that nobody has to read it meanwhile
RANKS = 2


@dataclass(frozen=True)
class Outcome:
    """End of a run: its exit status, -9 where it was killed, and what it said of errors.

    `seconds` is how long it took; `calls` counts those that change files, where it was not killed.
    """

    status: int
    errors: str
    seconds: float
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
    read, write = os.pipe()
    fcntl.fcntl(write, getattr(fcntl, "F_SETPIPE_SZ", 1031), OUTPUT)
    child = os.fork()
    if child == 0:
        _be_the_command(arguments, kill or Kill(), around or Surroundings(), write)
    os.close(write)
    os.set_blocking(read, False)  # a data worker may have the other end for some seconds more
    due = LONGEST if kill is None or kill.seconds is None else kill.seconds
    ended, status = os.waitpid(child, os.WNOHANG)
    lasted = Lasted()
    while not ended:
        if lasted.seconds() > due:
            _end(child, kill is not None and kill.group)
            ended, status = os.waitpid(child, 0)
        else:
            time.sleep(0.002)
            ended, status = os.waitpid(child, os.WNOHANG)
    with open(read, "rb") as output:
        errors, _, calls = (output.read() or b"").decode(errors="replace").partition("\0")
    return Outcome(_exit_status(status), errors, lasted.seconds(), int(calls or 0))


def _be_the_command(
    arguments: Sequence[str], kill: Kill, around: Surroundings, errors: int
) -> NoReturn:
    """Never return."""
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(errors, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", 1)  # not those of a test
        torch.set_num_threads(1)
        count = [0]
        write = os.write
        count_calls(kill, count)
        around.enter()
        status = main(arguments)
        sys.stderr.flush()
        write(errors, b"\0%d" % count[0])
        os._exit(status)
    finally:
        os._exit(70)


def _exit_status(status: int) -> int:
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)


def _end(process: int, group: bool) -> None:
    try:
        (os.killpg if group else os.kill)(process, signal.SIGKILL)
    except ProcessLookupError:  # it has no group of its own yet
        os.kill(process, signal.SIGKILL)


def torchrun(
    arguments: Sequence[str], kill: Optional[Kill] = None, around: Optional[Surroundings] = None
) -> Outcome:
    """Run `popsnn` in the processes of torchrun; one of them, drawn, is what is killed.

    The seconds of the kill begin with the lock of the run's folder: until then all is import.
    """
    assert around in (None, Surroundings()), "only a fork has surroundings of its own"
    lock = Path(arguments[list(arguments).index("--out") + 1]) / ".lock"
    before = _text(lock)  # which a rank that was killed has left
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += [f"--nproc-per-node={RANKS}", "-m", "popsnn", *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    with tempfile.TemporaryFile() as errors, subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
    ) as agent:
        try:
            _wait(agent, lambda: _text(lock) not in ("", before))
            lasted = Lasted()
            if kill is not None and kill.seconds is not None:
                due = kill.seconds
                ranks = _children(agent.pid)
                if _wait(agent, lambda: lasted.seconds() > due) and ranks:
                    _end(random.Random(due).choice(ranks), False)
            _wait(agent, lambda: False)
        finally:
            for rank in _children(agent.pid):
                _end(rank, False)
            if agent.poll() is None:
                agent.kill()
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    return Outcome(agent.returncode, said, lasted.seconds())


def _wait(agent: subprocess.Popen[bytes], ready: Callable[[], bool]) -> bool:
    """Wait until it is ready; return whether it was before the end of all processes."""
    lasted = Lasted()
    while not ready():
        if agent.poll() is not None or lasted.seconds() > LONGEST:
            return False
        time.sleep(0.005)
    return True


def _text(path: Path) -> str:
    return path.read_text() if path.is_file() else ""


def _children(process: int) -> List[int]:
    result = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in result.read_text().split()] if result.exists() else []
