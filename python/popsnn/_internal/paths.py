"""Paths of installed files and of the user's cache."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path


def cache_folder(name: str) -> Path:
    """Return `POPSNN_CACHE_DIR`, else `popsnn` in `XDG_CACHE_HOME` or `~/.cache`; in it `name`."""
    named = os.environ.get("POPSNN_CACHE_DIR")
    if named:
        return Path(named) / name
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "popsnn" / name


def emulator_prefix() -> Path:
    """Return the folder of the installed emulator, with `include`, `lib` and `bin` in it.

    Raises
    ------
    FileNotFoundError
        Where the package was installed without it.
    """
    return _installed("emulator_prefix", "emulator/include").parent


def poptorch_folder() -> Path:
    """Return the folder that has the emulated PopTorch in it, as a search path of Python.

    Raises
    ------
    FileNotFoundError
        Where the package was installed without it.
    """
    return _installed("poptorch_folder", "emulator/python/poptorch").parent


def codelets_path() -> Path:
    """Return the compiled codelets of the ipu engine.

    Raises
    ------
    FileNotFoundError
        Where the package was installed without them.
    """
    return _installed("codelets_path", "codelets/popsnn_codelets.gp")


def popart_ops_path(emulated: bool) -> Path:
    """Return the library of the package's PopART operators.

    Parameters
    ----------
    emulated : bool
        Whether it is the one made with the package, for the emulated PopART, or the one that was
        made against an SDK.

    Raises
    ------
    FileNotFoundError
        Where there is none.
    """
    folder = "codelets" if emulated or has_sdk() else "popart"
    return _installed("popart_ops_path", f"{folder}/libpopsnn_popart.so")


@lru_cache(maxsize=None)
def has_sdk() -> bool:
    """Return whether the package was built on a Poplar SDK, in place of the emulation."""
    folders = [Path(folder) for folder in sys.modules["popsnn"].__path__]
    return any((f / "codelets").is_dir() for f in folders) and not any(
        (f / "emulator").is_dir() for f in folders
    )


def _installed(operation: str, relative: str) -> Path:
    for folder in sys.modules["popsnn"].__path__:
        path = Path(folder) / relative
        if path.exists():
            return path
    raise FileNotFoundError(
        f"{operation}: expected popsnn/{relative} next to the package, got none: "
        "a wheel of popsnn for Linux has it"
    )
