"""PopTorch's log: messages of a level and above go to standard error."""

from __future__ import annotations

import logging
import os
import sys

logger = logging.getLogger("poptorch::python")

_LEVELS = {
    "TRACE": (0, logging.DEBUG),
    "DEBUG": (1, logging.DEBUG),
    "INFO": (2, logging.INFO),
    "WARN": (3, logging.WARNING),
    "ERR": (4, logging.ERROR),
    "OFF": (6, logging.CRITICAL),
}


def setLogLevel(level: str | int) -> None:
    """Show messages of this level and above.

    Parameters
    ----------
    level : {"TRACE", "DEBUG", "INFO", "WARN", "ERR", "OFF"} or its number (0 to 4, and 6)
        At the start: the environment variable POPTORCH_LOG_LEVEL, else "WARN".

    Raises
    ------
    ValueError
        Where there is no such level.
    """
    if isinstance(level, int):
        names = [name for name, (number, _) in _LEVELS.items() if number == level]
        if not names:
            raise ValueError("Invalid log level integer")
        level = names[0]
    if level not in _LEVELS:
        *some, last = sorted(_LEVELS)
        raise ValueError(
            f"Unknown log level: {level}. Valid values are {', '.join(some)} and {last}"
        )
    logger.setLevel(_LEVELS[level][1])


def setPopartLogLevel(level: str) -> None:
    """Check a level of PopART's log, which the emulated PopART does not write.

    Raises
    ------
    ValueError
        Where there is no such level.
    """
    if level not in _LEVELS:
        raise ValueError(f"Level must be one of {', '.join(_LEVELS)}, got {level!r}")


class _Console(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to what standard error is at the moment, which a test may have replaced."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def _to_console() -> None:
    console = _Console()
    console.setFormatter(
        logging.Formatter("[%(asctime)s] [%(name)s] [%(levelname)s] %(message)s", "%H:%M:%S")
    )
    logger.addHandler(console)
    setLogLevel(os.environ.get("POPTORCH_LOG_LEVEL", "WARN"))


_to_console()
