"""The package's extension, imported where it is first needed: torch alone does without."""

from __future__ import annotations

from typing import Any


def native() -> Any:
    """Return the extension `popsnn._core`.

    Raises
    ------
    ImportError
        Where the package was installed without it.
    """
    import popsnn._core as core

    return core
