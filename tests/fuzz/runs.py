"""Options of a network's run: its engine, its input, its state, its loss."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

import torch
from torch import Tensor

from popsnn.devices import Device

from .description import Layer, Network, Numbers

FIRST_STEP = 7  # of a sequence that goes on from a state
STATE_SEED = 5


@dataclass(frozen=True)
class Run:
    """A network and how it runs.

    Parameters
    ----------
    engine : str
        "torch", "ipu", "cuda" on a GPU, "host" for its kernels on the CPU, "alone" for one layer
        without a network.
    form : str
        Of the input.
    split : int
        Step before which a second chunk begins, or 0.
    trace : bool
        Whether the loss takes all layers' spikes; without it a second run finds them.
    passes : int
        Training passes that come before.
    backwards : int
        Backward passes through one graph.
    frozen : bool
        Whether biases have no gradient.
    number : int
        Of a layer alone in the hash.
    interval : int
        Time steps between checkpoints of the network, or 0.
    """

    network: Network
    engine: str = "torch"
    steps: int = 1
    batch: int = 1
    double: bool = False
    density: float = 0.3
    form: str = "dense"
    input_capacity: Optional[float] = None
    state: bool = False
    state_gradient: bool = False
    split: int = 0
    return_state: bool = False
    trace: bool = True
    training: bool = False
    passes: int = 0
    backwards: int = 1
    frozen: bool = False
    device: Optional[Device] = None
    number: int = 0
    interval: int = 0

    @property
    def dtype(self) -> torch.dtype:
        """The type of the parameters."""
        return torch.float64 if self.double else torch.float32

    @property
    def capacity(self) -> Optional[int]:
        """Entries of the input's lists."""
        if self.form != "lists" or self.input_capacity is None:
            return None
        return max(1, int(self.input_capacity * self.network.inputs))

    @property
    def pieces(self) -> List[slice]:
        """The steps of each chunk."""
        cuts = [0, self.split, self.steps] if self.split else [0, self.steps]
        return [slice(a, b) for a, b in zip(cuts, cuts[1:])]

    def spikes(self) -> Tensor:
        """Return the input, bool [T, B, M]."""
        numbers = Numbers(self.network.values + 1, self.network.exact)
        return numbers.chance(self.density, self.steps, self.batch, self.network.inputs)

    def weights(self, name: str, shape: Sequence[int]) -> Tensor:
        """Return the loss's weights of an output, float64."""
        numbers = Numbers(self.network.values ^ zlib.crc32(name.encode()), True)
        return numbers.between(-1, 1, 8, *shape)

    def states(self) -> List[Tuple[Tensor, Tensor, Tensor]]:
        """Return `v`, `s` and the last input of each layer before the first step, float64."""
        numbers = Numbers(self.network.values + 2, self.network.exact)
        below = numbers.chance(0.3, self.batch, self.network.inputs).double()
        result = []
        for layer in self.network.layers:
            v = numbers.between(-1, 1, 8, self.batch, layer.neurons)
            s = numbers.chance(0.3 if layer.spiking else 0.0, self.batch, layer.neurons).double()
            s = s * (s.cumsum(1) <= layer.capacity)
            result.append((v, s, below))
            below = s
        return result

    @property
    def carried(self) -> Optional[str]:
        """The type of 16 bits that kernels round the gradients to which enter products, if any."""
        if self.engine not in ("cuda", "host"):
            return None
        layers = self.network.layers
        if any(layer.weight_dtype == "bfloat16" for layer in layers):
            return "bfloat16"
        loops = [layer for layer in layers if layer.recurrent and layer.gain == 1.0]
        return "float16" if any(layer.weight_dtype == "float16" for layer in loops) else None

    @property
    def evaluates(self) -> bool:
        """Whether learnt delays are rounded: a layer alone is in training."""
        return not self.training and self.engine != "alone"

    def lines_of(self, layer: Layer) -> Dict[str, int]:
        """Return the fields of a layer's state that hold the steps before, and how many."""
        fields = {"delay": "inputs", "recurrent_delay": "spikes"}
        return {fields[option]: late.maximum for option, late in layer.lates.items()}

    def lines(self, index: int) -> Dict[str, Tensor]:
        """Return the inputs and own spikes of the steps before the first, oldest first, float64."""
        layer, (inputs, neurons) = self.network.layers[index], self.network.sizes()[index]
        numbers = Numbers(self.network.values + 100 + index, True)
        made = {}
        for name, maximum in self.lines_of(layer).items():
            size = inputs if name == "inputs" else neurons
            made[name] = numbers.chance(0.3, maximum, self.batch, size).double()
            if name == "inputs":
                made[name][-1] = self.states()[index][2]
        return made
