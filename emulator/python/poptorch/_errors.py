"""The exceptions of PopTorch, with the attributes that it documents."""

from __future__ import annotations


class Error(Exception):
    """A program or an input that the device cannot take.

    Attributes
    ----------
    message : str
        The sentence alone.
    type : str
        Which part said so: "poptorch_py_error", or the exception of PopART or Poplar.
    location : str
        What PopTorch was doing; empty where the message says it all.
    """

    def __init__(
        self, message: str = "", kind: str = "poptorch_py_error", location: str = ""
    ) -> None:
        shown = f"In {location}: '{kind}': {message}" if location else f"'{kind}': {message}"
        super().__init__(shown)
        self.message = message
        self.type = kind
        self.location = location

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.message, self.type, self.location)


class RecoverableError(Error):
    """An error of the machine that goes away; never raised here, for scripts that catch it.

    Attributes
    ----------
    recovery_action : str
        What to reset.
    """

    recovery_action = ""


class UnrecoverableError(Error):
    """An error of the machine that stays; never raised here, for scripts that catch it."""
