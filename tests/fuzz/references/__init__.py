"""The documentation, computed in float64, and small faults of it."""

from __future__ import annotations

from typing import Any, Callable, Dict


def named(*kinds: Callable[[], Any]) -> Dict[str, Callable[[], Any]]:
    """Return faults by the names of their classes."""
    return {kind.__name__: kind for kind in kinds}  # type: ignore[attr-defined]
