"""Parts of a fuzzer: the strategy of its cases, and their check."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional

from hypothesis.strategies import SearchStrategy

from .outcome import Outcome

# In the order in which they run; each is a module of `targets` with a `TARGET`.
NAMES = (
    "layers",
    "networks",
    "scans",
    "delayed",
    "recurrent",
    "generated",
    "batch_norm",
    "optimizers",
    "views",
    "programs",
    "popart",
    "poptorch",
    "files",
)


@dataclass(frozen=True)
class Target:
    """A fuzzer.

    Parameters
    ----------
    cases : strategy of frozen dataclasses
    check : (case, rules) -> Outcome
        `rules` is what `rules` returns, or a mutation of it.
    rules : () -> Any
        Makes the reference that knows the documentation.
    mutations : dict of () -> Any, by name
        References with a small fault each, which the fuzzer has to detect.
    alike : (first, case) -> case, optional
        Gives a case the options of the first that its kernels are compiled for.
    """

    cases: SearchStrategy[Any]
    check: Callable[[Any, Any], Outcome]
    rules: Callable[[], Any]
    mutations: Dict[str, Callable[[], Any]] = field(default_factory=dict)
    alike: Optional[Callable[[Any, Any], Any]] = None


def load(name: str) -> Target:
    """Return the target of this name."""
    module = importlib.import_module(f"{__package__}.targets.{name}")
    target: Target = module.TARGET
    return target
