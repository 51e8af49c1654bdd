"""The cuda engine's elementwise neurons: what runs here, and why not."""

from __future__ import annotations

from .availability import unavailable
from .temporal_scan import scan, unsupported

__all__ = ["scan", "unavailable", "unsupported"]
