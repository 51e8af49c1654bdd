"""A child process that runs cases, so that a crash or an endless loop is one case's."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, Dict, Optional, Tuple, Union

from .outcome import CRASHED, Outcome, raised
from .target import load

# Not forked from what has imported popsnn: CUDA cannot be initialized in a fork of its user.
CONTEXT = multiprocessing.get_context("spawn")


class Here:
    """Runs cases in this process, for debuggers and sanitizers: a crash ends it."""

    def __init__(self) -> None:
        self._rules: Dict[Tuple[str, Optional[str]], Any] = {}

    def run(self, target: str, case: Any, mutation: Optional[str] = None) -> Outcome:
        """Return the outcome of a case; `mutation` breaks a rule of the reference."""
        try:
            loaded = load(target)
            if (target, mutation) not in self._rules:
                make = loaded.rules if mutation is None else loaded.mutations[mutation]
                self._rules[target, mutation] = make()
            return loaded.check(case, self._rules[target, mutation])
        except Exception as error:
            return raised(error)

    def close(self) -> None:
        """Leave this process as it is."""


class Worker:
    """Runs cases one after another in a child; a dead child is replaced with the next case.

    Parameters
    ----------
    timeout : float
        Seconds that a case may take.
    """

    def __init__(self, timeout: float = 120.0) -> None:
        self.timeout = timeout
        self._process: Any = None
        self._pipe: Any = None
        self._log: Optional[Path] = None

    def run(self, target: str, case: Any, mutation: Optional[str] = None) -> Outcome:
        """Return the outcome of a case; `mutation` breaks a rule of the reference."""
        if self._process is None or not self._process.is_alive():
            self._start()
        self._pipe.send((target, case, mutation))
        deadline = time.monotonic() + self.timeout
        while time.monotonic() < deadline:
            if self._pipe.poll(0.05 if self._process.is_alive() else 0):
                try:
                    outcome: Outcome = self._pipe.recv()
                    return outcome
                except EOFError:
                    break
            elif not self._process.is_alive():
                break
        else:
            self.close()
            return Outcome(CRASHED, f"no answer in {self.timeout:g} s")
        self._process.join()
        return Outcome(CRASHED, f"{_ending(self._process.exitcode)}{self._traceback()}")

    def close(self) -> None:
        """End the child."""
        if self._process is not None and self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process = None
        if self._log is not None:
            self._log.unlink()
            self._log = None

    def _start(self) -> None:
        self.close()
        # For a crash's trace. A named temporary file would be removed by forks of this process too.
        descriptor, name = tempfile.mkstemp(suffix=".log")
        os.close(descriptor)
        self._log = Path(name)
        self._pipe, other = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_serve, args=(other, name), daemon=True)
        self._process.start()
        other.close()

    def _traceback(self) -> str:
        """Return the innermost Python frames of the crash."""
        assert self._log is not None
        lines = [line.strip() for line in self._log.read_text().splitlines()]
        frames = [line for line in lines if line.startswith("File")]
        return f" in {'; '.join(frames[:2])}" if frames else ""


Runner = Union[Here, Worker]


def _ending(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"


def _serve(pipe: Any, log: str) -> None:
    """Answer a pipe's cases until it is closed."""
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    here = Here()
    with open(log, "w") as file:
        faulthandler.enable(file)
        while True:
            try:
                name, case, mutation = pipe.recv()
            except EOFError:
                return
            pipe.send(here.run(name, case, mutation))
