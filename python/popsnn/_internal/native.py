"""The package's extension, imported where it is first needed: torch alone does without."""

from __future__ import annotations

from typing import Any

from .paths import has_sdk

MISSING = (
    "this installation of popsnn has no native part, which its wheels for Linux have, and which "
    "pip builds on Linux from popsnn's source with a C++17 compiler"
)


def native() -> Any:
    """Return the extension `popsnn._core`; on the emulated IPU its runs look for signals.

    Raises
    ------
    ImportError
        Where the package was installed without it, or where it does not load.
    """
    try:
        import popsnn._core as core

        if not has_sdk():
            import popsnn._emulator  # noqa: F401  # signals end its runs, and runners have profiles
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "popsnn._core":
            raise ImportError(MISSING) from None
        raise ImportError(f"the extension popsnn._core does not load ({error})") from error
    return core


def emulation(operation: str) -> Any:
    """Return the extension `popsnn._emulator`, which gives runners modelled costs.

    Raises
    ------
    ImportError
        As `native`.
    RuntimeError
        Where the package was built on an SDK.
    """
    native()
    if has_sdk():
        raise RuntimeError(
            f"{operation}: expected the emulated IPU, whose costs are modelled, got popsnn built "
            "on a Poplar SDK, which has tools of its own"
        )
    import popsnn._emulator as emulator

    return emulator
