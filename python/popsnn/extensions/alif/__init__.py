"""Leaky integrate-and-fire whose threshold rises with its own spikes, for sparse layers."""

from __future__ import annotations

from .alif import ALIF

__all__ = ["ALIF"]
