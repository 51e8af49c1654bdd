"""Ctrl-C while the command is still being imported, which takes seconds."""

from __future__ import annotations

# Nothing else: until the block below is entered, Ctrl-C prints where Python was.
import os
import signal
import sys

INTERRUPTED = 130  # the exit status of a shell whose command was interrupted
LINE = "popsnn: interrupted\n"


class EndsAtOnce:
    """Within the block, Ctrl-C ends the `popsnn` command with one line and the status 130.

    The imports of libraries raise whatever they make of a KeyboardInterrupt, and have nothing to
    save. Any other program keeps its own handler.
    """

    def __enter__(self) -> None:
        self._entered = False
        if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                signal.signal(signal.SIGINT, _end)
                self._entered = True
            except ValueError:  # another thread than the main one imports, which gets no signals
                pass

    def __exit__(self, *_: object) -> None:
        if self._entered:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    os.write(2, LINE.encode())
    os._exit(INTERRUPTED)


def is_command() -> bool:
    """Return whether this process is `popsnn` or `python -m popsnn`."""
    folder, name = os.path.split(sys.argv[0] if getattr(sys, "argv", None) else "")
    if name == "-m":  # until the module is found; Python 3.10 and newer tell its name
        return "popsnn" in getattr(sys, "orig_argv", ["popsnn"])
    return name == "popsnn" or (os.path.basename(folder), name) == ("popsnn", "__main__.py")
