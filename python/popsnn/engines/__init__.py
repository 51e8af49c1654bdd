"""Engines: what runs a network. Each module `<name>_engine` has an `ENGINE`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from ..backends import backends
from . import cuda_operators
from .types import (
    Engine,
    EngineResult,
    EngineState,
    LayerStats,
    LayerTrace,
    PendingStats,
)

if TYPE_CHECKING:
    from ..nn.snn import SNN

__all__ = [
    "Engine",
    "EngineResult",
    "EngineState",
    "LayerStats",
    "LayerTrace",
    "PendingStats",
    "resolve",
]

cuda_operators.register()

AUTO_ORDER = ("ipu", "cuda", "torch")


def _load(name: str) -> Engine:
    engine = importlib.import_module(f"{__name__}.{name}_engine").ENGINE
    assert isinstance(engine, Engine)
    return engine


def resolve(backend: str, net: SNN) -> Engine:
    """Return the engine that runs `net`.

    Parameters
    ----------
    backend : str
        The name of an engine, or "auto" for the first of `AUTO_ORDER` that is available and
        supports the network.
    net : SNN

    Raises
    ------
    ValueError
        Where no engine has that name, or the named one does not support the network.
    RuntimeError
        Where the named one is not available here.
    """
    known = backends()
    if backend == "auto":
        usable = (_load(name) for name in AUTO_ORDER if known[name].available)
        return next(
            engine for engine in usable if engine.suits(net) and engine.unsupported(net) is None
        )
    if backend not in known:
        raise ValueError(f"SNN: backend: expected auto, {', '.join(known)}, got {backend!r}")
    if not known[backend].available:
        raise RuntimeError(f"SNN: backend {backend!r} is not available: {known[backend].reason}")
    engine = _load(backend)
    reason = engine.unsupported(net)
    if reason is not None:
        raise ValueError(f"SNN: backend {backend!r} cannot run this network: {reason}")
    return engine
