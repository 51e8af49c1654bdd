"""Small networks as the native part describes them."""

from __future__ import annotations

import importlib
from typing import Any, List, Optional

from hypothesis import strategies as st

from popsnn._paths import codelets_path

core = importlib.import_module("popsnn._core")

LIF, READOUT = (20, 30, 10), (30, 5)  # inputs, neurons, capacity


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


@st.composite
def stacks(draw: st.DrawFn) -> List[Any]:
    """Draw layers that follow one another, the last of them perhaps a readout."""
    sizes = draw(st.lists(st.integers(1, 70), min_size=2, max_size=5))
    layers = []
    for inputs, neurons in zip(sizes, sizes[1:]):
        capacity = draw(st.integers(1, neurons))
        choices = {"delay": draw(st.integers(0, 1)), "half_weights": draw(st.booleans())}
        layers.append(layer(inputs, neurons, capacity, **choices))
    if draw(st.booleans()):
        layers[-1].kind = core.LayerKind.LeakyReadout
    return layers
