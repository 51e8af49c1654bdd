"""Small networks as the native part describes them."""

from __future__ import annotations

import importlib
from typing import Any, Optional

from popsnn._paths import codelets_path

core = importlib.import_module("popsnn._core")


def layer(inputs: int, neurons: int, capacity: Optional[int] = None, **choices: Any) -> Any:
    """Describe a SparseLif, or without a capacity a LeakyReadout."""
    spec = core.LayerSpec()
    spec.inputs, spec.neurons = inputs, neurons
    if capacity is None:
        spec.kind = core.LayerKind.LeakyReadout
    else:
        spec.capacity = capacity
    for name, value in choices.items():
        setattr(spec, name, value)
    return spec


def network(*layers: Any, **choices: Any) -> Any:
    spec = core.NetworkSpec()
    spec.layers = list(layers)
    for name, value in {"steps": 3, "batch": 2, "input_capacity": 4, **choices}.items():
        setattr(spec, name, value)
    return spec


def runner(spec: Any, **device: Any) -> Any:
    return core.Runner(spec, str(codelets_path()), **device)
