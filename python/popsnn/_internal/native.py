"""The package's extension, imported where it is first needed: torch alone does without."""

from __future__ import annotations

from typing import Any

MISSING = (
    "this installation of popsnn has no native part, which its wheels for Linux have, and which "
    "pip builds on Linux from popsnn's source with a C++17 compiler"
)


def native() -> Any:
    """Return the extension `popsnn._core`.

    Raises
    ------
    ImportError
        Where the package was installed without it, or where it does not load.
    """
    try:
        import popsnn._core as core
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "popsnn._core":
            raise ImportError(MISSING) from None
        raise ImportError(f"the extension popsnn._core does not load ({error})") from error
    return core
