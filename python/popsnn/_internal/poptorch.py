"""Whether code runs inside of a PopTorch model, asked without importing PopTorch."""

from __future__ import annotations

import sys
from typing import Any


def running() -> Any:
    """Return the PopTorch module whose model's forward() this is, or None outside of one."""
    poptorch = sys.modules.get("poptorch")
    is_running = getattr(poptorch, "isRunningOnIpu", None)  # none while it is being imported
    return poptorch if is_running is not None and is_running() else None


def refuse(operation: str, **options: object) -> None:
    """Raise where something was asked for that layers inside of PopTorch do not have."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise ValueError(
                f"{operation}: {name}: expected none inside of a PopTorch model, whose layers "
                f"begin at rest and return their output alone, got {type(value).__name__}"
            )
