"""Small networks as the native part describes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, List, Optional

from hypothesis import strategies as st
from tests.python.extensions.adjoint_neurons import AttachedLIF

from popsnn._internal.native import native
from popsnn._internal.paths import codelets_path
from popsnn._internal.spec import LayerSpec, NetworkSpec

core = native()  # with the profiles of the emulation

LIF, READOUT = (20, 30, 10), (30, 5)  # inputs, neurons, capacity
ADJOINT = AttachedLIF().spec()


def layer(inputs: int, neurons: int, capacity: Optional[int] = None, **choices: Any) -> LayerSpec:
    """Describe a SparseLif, or without a capacity a LeakyReadout."""
    if capacity is None:
        return LayerSpec("LeakyReadout", inputs, neurons, **choices)
    return LayerSpec("SparseLif", inputs, neurons, capacity, **choices)


def network(*layers: LayerSpec, **choices: Any) -> NetworkSpec:
    return NetworkSpec(layers, **{"steps": 3, "batch": 2, "input_capacity": 4, **choices})


def runner(spec: Any, **device: Any) -> Any:
    return core.Runner(spec, str(codelets_path()), **device)


@st.composite
def delayed(draw: st.DrawFn, layers: List[LayerSpec], carries_state: bool) -> List[LayerSpec]:
    """Give some of the layers delays of one kind or more, as engines describe them."""
    result = []
    for index, spec in enumerate(layers):
        fields: dict[str, int] = {}
        for source, prefix in enumerate(("", "recurrent_") if spec.recurrent else ("",)):
            kind = draw(st.sampled_from(("none", "none", "dendritic", "axonal")))
            late = kind == "axonal" and index + source > 0
            if kind == "none" or (kind == "axonal" and not late):
                continue
            fields[prefix + kind] = longest = draw(st.integers(1, 9))
            if late:
                fired = spec.capacity if source else layers[index - 1].capacity
                size = spec.neurons if source else spec.inputs  # each arrives once a step at most
                most = min(size, (longest + 1) * fired)
                fields[prefix + "arrivals"] = draw(st.integers(1, most))
                fields[prefix + "undelayed"] = draw(st.integers(0, size))
                learns = draw(st.booleans())
                fields["straight_through"] = fields.get("straight_through", 0) | learns << source
                fields["early"] = max(fields.get("early", 0), carries_state * (longest + source))
            elif draw(st.booleans()):
                fields["synaptic"] = fields.get("synaptic", 0) | 1 << source
                learns = draw(st.booleans())
                fields["straight_through"] = fields.get("straight_through", 0) | learns << source
            else:
                bits = draw(st.sampled_from(("whole_delays", "learnt_delays", "")))
                fields.update({bits: fields.get(bits, 0) | 1 << source} if bits else {})
        result.append(replace(spec, **fields))
    return result


@st.composite
def stacks(draw: st.DrawFn) -> List[LayerSpec]:
    """Draw layers that follow one another, the last of them perhaps a readout."""
    sizes = draw(st.lists(st.integers(1, 70), min_size=2, max_size=5))
    layers = []
    for inputs, neurons in zip(sizes, sizes[1:]):
        capacity = draw(st.integers(1, neurons))
        choices = {"delay": draw(st.integers(0, 1)), "half_weights": draw(st.booleans())}
        layers.append(layer(inputs, neurons, capacity, **choices))
    if draw(st.booleans()):
        layers[-1] = replace(layers[-1], kind="LeakyReadout")
    return layers
