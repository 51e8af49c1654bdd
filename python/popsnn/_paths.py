"""Where installed files lie."""

from __future__ import annotations

import importlib
from pathlib import Path


def emulator_prefix() -> Path:
    """Return the folder of the installed emulator, with `include`, `lib` and `bin` in it.

    Raises
    ------
    FileNotFoundError
        Where the package was installed without it.
    """
    for folder in importlib.import_module("popsnn").__path__:
        prefix = Path(folder) / "emulator"
        if (prefix / "include").is_dir():
            return prefix
    raise FileNotFoundError(
        "emulator_prefix: expected the folder popsnn/emulator beside the package, got none: "
        "install popsnn with its native part"
    )


def codelets_path() -> Path:
    """Return the compiled codelets of the ipu engine.

    Raises
    ------
    FileNotFoundError
        Where the package was installed without them.
    """
    for folder in importlib.import_module("popsnn").__path__:
        path = Path(folder) / "codelets" / "popsnn_codelets.gp"
        if path.is_file():
            return path
    raise FileNotFoundError(
        "codelets_path: expected popsnn/codelets/popsnn_codelets.gp beside the package, got none: "
        "install popsnn with its native part"
    )
