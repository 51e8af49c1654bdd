"""Where installed files lie."""

from __future__ import annotations

import importlib
import os
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


def codelets_path() -> Path:
    """Return the compiled codelets of the ipu engine.

    Raises
    ------
    FileNotFoundError
        Where the package was installed without them.
    """
    return _installed("codelets_path", "codelets/popsnn_codelets.gp")


def _installed(operation: str, relative: str) -> Path:
    for folder in importlib.import_module("popsnn").__path__:
        path = Path(folder) / relative
        if path.exists():
            return path
    raise FileNotFoundError(
        f"{operation}: expected popsnn/{relative} beside the package, got none: "
        "install popsnn with its native part"
    )
