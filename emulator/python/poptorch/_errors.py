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
        Always empty here: the emulation has no file of its own to name.
    """

    def __init__(self, message: str = "", kind: str = "poptorch_py_error") -> None:
        super().__init__(f"'{kind}': {message}")
        self.message = message
        self.type = kind
        self.location = ""

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.message, self.type)


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
