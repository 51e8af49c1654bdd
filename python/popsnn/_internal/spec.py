"""Records that describe a layer and a network to an engine: what it compiles in.

Weights and the values of parameters are data and no part of a description. The native part reads
these records by their fields: `poplib/include/popsnn/network.hpp` has the same names in the same
order, and says what they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional, Tuple


@dataclass(frozen=True)
class ModelSpec:
    """A neuron model's C++ struct `type` in the header `codelet`, its sizes and its cycles.

    `adjoint`: the struct is that of `codelets/neurons/forward_model.hpp`, whose text the cuda
    engine takes too, and `grad` counts its adjoint; else that of `neuron_model.hpp`.
    """

    type: str
    codelet: str
    states: int
    parameters: int
    learnable: int
    step: int
    fires: int
    near: int
    grad: int
    membrane: int
    adjoint: bool = False

    def saving_spikes(self) -> ModelSpec:
        """Return the same neuron, of those with an adjoint, whose spike is its last saved state.

        A spike of the step before the first does not follow from the other states, since a
        capacity limit may have dropped it.
        """
        struct = f"popsnn::SavedSpike<{self.type}>"
        return replace(self, type=struct, states=self.states + 1, fires=1)


@dataclass(frozen=True)
class LayerSpec:
    """A linear map of spikes and its neurons.

    `kind` is "SparseLif" or "LeakyReadout". The fields from `capacity` to `learns` are its options,
    and attributes of PopART's operators. A `model` of None is LIF. The others say how an
    executable uses the layer, and which delays it has.
    """

    kind: str
    inputs: int
    neurons: int
    capacity: int = 0
    delay: int = 0
    recurrent: bool = False
    bias: bool = True
    gain: float = 1.0
    reset: str = "zero"
    detach_reset: bool = True
    surrogate: str = "SuperSpike"
    surrogate_parameter: float = 10.0
    half_weights: bool = False
    learns: bool = False
    model: Optional[ModelSpec] = None
    observed: bool = False
    learnt: int = 0
    lowest: Tuple[float, ...] = ()
    highest: Tuple[float, ...] = ()
    dendritic: int = 0
    recurrent_dendritic: int = 0
    synaptic: int = 0
    whole_delays: int = 0
    learnt_delays: int = 0
    axonal: int = 0
    recurrent_axonal: int = 0
    arrivals: int = 0
    recurrent_arrivals: int = 0
    straight_through: int = 0
    undelayed: int = 0
    recurrent_undelayed: int = 0
    early: int = 0

    @property
    def spikes(self) -> bool:
        """Whether its output is spikes; else it is the membrane."""
        return self.kind == "SparseLif"

    @property
    def dendrites(self) -> bool:
        """Whether the neurons delay currents, by taps or whole steps of a neuron."""
        longest = (self.dendritic, self.recurrent_dendritic)
        return any(
            delay > 0 and not self.synaptic >> source & 1 for source, delay in enumerate(longest)
        )

    @property
    def ring(self) -> int:
        """Steps after the current one whose currents the neurons' tiles already sum."""
        return max(self.dendritic, self.recurrent_dendritic, self.early)


@dataclass(frozen=True)
class NetworkSpec:
    """A stack of layers, and the shape of the work of an executable.

    `steps` T, `batch` B, `input_capacity` ids of an input list at most, `input_gradient` whether
    dL/dx is wanted, `optimizer` "none", "sgd" or "adam" on the device, `carries_state` whether
    states come in and go out, `traced` whether membranes of all steps are wanted.
    """

    layers: Tuple[LayerSpec, ...]
    steps: int
    batch: int
    input_capacity: int
    input_gradient: bool = False
    optimizer: str = "none"
    carries_state: bool = False
    traced: bool = False
