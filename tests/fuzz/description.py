"""Frozen descriptions of networks, how hypothesis draws them, and the numbers in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Optional, Tuple

import torch
from hypothesis import strategies as st
from torch import Tensor

from .late import KINDS, SPREADS, WHOLE, Late, lates
from .random_numbers import Numbers
from .references.neuron import Options

SURROGATES = {
    "SuperSpike": (10.0, 1.0, 4.0),
    "Sigmoid": (4.0, 1.0),
    "ATan": (2.0, 0.5),
    "Triangle": (1.0, 0.5, 3.0),
    "Rectangle": (1.0, 2.0, 0.5),
}
SCALES = (1.0, 1.0, 0.5, 2.0)  # of a surrogate
LAYERS_MAXIMA = (1, 2, 3, 5, 8)  # of delays
# Of delays that are not dendritic: IPUs have two of these in training.
SPREADS_OF_IPUS = (*5 * WHOLE, "triangle", "gaussian")
RESETS_BEFORE_DECAY = ("zero", "subtract", "none")
RESETS = (*RESETS_BEFORE_DECAY, "subtract_after", "zero_after")


@dataclass(frozen=True)
class Layer:
    """A layer of a network, the input's size apart."""

    kind: str  # "lif", "li" or "alif"
    neurons: int
    bias: bool = False
    recurrent: bool = False
    delay: int = 0
    beta: Optional[float] = 0.5  # None: one a neuron
    threshold: Optional[float] = 1.0  # None: one a neuron
    learn_beta: bool = False
    learn_threshold: bool = False
    gain: float = 1.0
    reset: str = "zero"
    detach_reset: bool = True
    surrogate: Tuple[str, float, float] = ("SuperSpike", 10.0, 1.0)  # name, slope, scale
    margin: Optional[float] = None  # of the gradient threshold below the lowest threshold
    max_activity: Optional[float] = None
    weight_dtype: Optional[str] = None
    late: Optional[Late] = None
    recurrent_late: Optional[Late] = None

    @property
    def lates(self) -> Dict[str, Late]:
        """The delays by their option; `delay` itself is one of a step at most."""
        named = {"delay": self.late, "recurrent_delay": self.recurrent_late}
        return {name: late for name, late in named.items() if late is not None}

    @property
    def spiking(self) -> bool:
        """Whether the output is spikes."""
        return self.kind != "li"

    @property
    def capacity(self) -> int:
        """Entries of a list, as docs/explanation/compacted-spikes.md has it."""
        if self.max_activity is None:
            return self.neurons
        return min(self.neurons, max(1, math.ceil(self.max_activity * self.neurons)))

    @property
    def rounds_to(self) -> Optional[torch.dtype]:
        """The type that weights are rounded to."""
        return None if self.weight_dtype is None else getattr(torch, self.weight_dtype)

    def options(self, parameters: Dict[str, Tensor]) -> Options:
        """Return what the reference takes."""
        grad_threshold = None
        if self.margin is not None:
            grad_threshold = lowest(parameters["threshold"]) - self.margin
        return Options(
            self.kind, self.reset, self.detach_reset, *self.surrogate, grad_threshold=grad_threshold
        )


@dataclass(frozen=True)
class Network:
    """Layers, and the numbers in them: `exact` numbers add up without a rounding in float32."""

    inputs: int
    layers: Tuple[Layer, ...]
    seed: int = 0  # decides what a full capacity drops
    values: int = 0  # decides weights and inputs
    exact: bool = True

    def sizes(self) -> List[Tuple[int, int]]:
        """Return inputs and neurons of each layer."""
        widths = [self.inputs, *(layer.neurons for layer in self.layers)]
        return list(zip(widths, widths[1:]))


def lowest(values: Tensor) -> float:
    """Return the least element."""
    return float(values.detach().min())


def parameters(network: Network) -> List[Dict[str, Tensor]]:
    """Return weights and the neurons' parameters of each layer, float64 that float32 holds."""
    numbers = Numbers(network.values, network.exact)
    exact = network.exact
    result = []
    for layer, (inputs, neurons) in zip(network.layers, network.sizes()):
        spread = 0.4 if exact else 1.5 / max(1.0, 0.3 * inputs) ** 0.5
        loops = 0.25 if exact else 1.0 / max(1.0, 0.3 * neurons) ** 0.5
        named = {"weight": numbers.normal(0.125, spread, 16, neurons, inputs)}
        if layer.recurrent:
            named["recurrent_weight"] = numbers.normal(0.0, loops, 16, neurons, neurons)
        if layer.bias:
            named["bias"] = numbers.normal(0.125, 0.3, 16, neurons)
        low, high = (-0.5, 1.5) if layer.learn_beta and layer.beta is None else (0.0, 1.0)
        named["beta"] = _neurons(numbers, layer.beta, neurons, low, high, 2)
        if layer.spiking:
            named["threshold"] = _neurons(numbers, layer.threshold, neurons, 0.25, 1.5, 8)
        if layer.kind == "alif":
            named["rho"] = _neurons(numbers, 0.5, neurons, 0, 1, 2)
            named["kappa"] = _neurons(numbers, 0.25, neurons, 0, 1, 2)
        for option, late in layer.lates.items():
            sources = neurons if option == "recurrent_delay" else inputs
            seed = network.values + 7 * len(result) + len(named)
            shape = late.shape(sources, neurons)
            named[f"{option}.steps"] = late.steps(seed, exact, "cpu", *shape)
        result.append(named)
    return result


def options_of(network: Network) -> List[Options]:
    """Return what the reference takes of each layer."""
    return [layer.options(named) for layer, named in zip(network.layers, parameters(network))]


def _neurons(
    numbers: Numbers, value: Optional[float], size: int, low: float, high: float, q: int
) -> Tensor:
    """Return a parameter [N], or [] where all neurons have the same."""
    if value is None:
        return numbers.between(low, high, q, size)
    return torch.tensor(value, dtype=torch.float32).double()


@dataclass(frozen=True)
class Neuron:
    """Options that the kernels of a neuron are compiled for."""

    reset: str
    detach_reset: bool
    surrogate: Tuple[str, float, float]  # name, slope, scale
    learn_beta: bool
    learn_threshold: bool


@st.composite
def any_neuron(
    draw: Any, resets: Tuple[str, ...] = RESETS, scales: Tuple[float, ...] = SCALES
) -> Neuron:
    """Draw from all there are."""
    surrogate = draw(st.sampled_from(tuple(SURROGATES)))
    return Neuron(
        draw(st.sampled_from(resets)),
        draw(st.booleans()),
        (surrogate, draw(st.sampled_from(SURROGATES[surrogate])), draw(st.sampled_from(scales))),
        draw(st.booleans()),
        draw(st.booleans()),
    )


@st.composite
def neurons_of_ipus(draw: Any, scales: Tuple[float, ...] = SCALES) -> Neuron:
    """Draw what an IPU has, and in a few cases one that it may refuse: any reset and scale."""
    if draw(st.sampled_from((True,) + 19 * (False,))):
        return draw(any_neuron())
    return draw(any_neuron(RESETS_BEFORE_DECAY, scales))


# All options, in few kernels: a CPU compiles each of them for three seconds.
FEW_NEURONS = (
    Neuron("zero", True, ("SuperSpike", 10.0, 1.0), False, False),
    Neuron("subtract_after", False, ("Sigmoid", 4.0, 1.0), True, True),
    Neuron("zero_after", True, ("Triangle", 1.0, 0.5), False, True),
    Neuron("subtract", False, ("SuperSpike", 4.0, 2.0), True, True),
    Neuron("none", False, ("ATan", 2.0, 1.0), True, False),
    Neuron("zero", False, ("Rectangle", 1.0, 2.0), False, False),
    Neuron("subtract", True, ("Sigmoid", 1.0, 0.5), False, False),
    Neuron("zero_after", False, ("ATan", 0.5, 1.0), False, True),
)


@st.composite
def delays(draw: Any, exact: bool, spreads: Tuple[str, ...]) -> Late:
    """Draw delays of a layer: those of a spread are learnt."""
    kind = draw(st.sampled_from(KINDS))
    late = draw(lates(exact, (kind,), SPREADS if kind == "dendritic" else spreads, LAYERS_MAXIMA))
    return replace(late, before=False, learn=late.spread != "none")


@st.composite
def layers(
    draw: Any,
    widths: Tuple[int, ...],
    kinds: Tuple[str, ...],
    exact: bool,
    neurons: Any,
    weight_dtypes: Tuple[Optional[str], ...],
    spreads: Tuple[str, ...] = (),
) -> Layer:
    """Draw a layer; `neurons` is a strategy of `Neuron`.

    Few layers have delays, if there are `spreads` of those that are not dendritic.
    """
    kind = draw(st.sampled_from(kinds))
    betas = (0.5, 0.0, 1.0, None) if exact else (0.9, 0.3, 1.0, 0.0, None)
    gains = (1.0, 1.0, 0.5, 2.0, -1.0) if exact else (1.0, 1.0, 0.7, 1.9)
    neuron = draw(neurons)
    layer: Dict[str, Any] = {
        "kind": kind,
        "neurons": draw(st.sampled_from(widths)),
        "bias": draw(st.booleans()),
        "delay": draw(st.sampled_from((0, 0, 1))),
        "beta": draw(st.sampled_from(betas)),
        "learn_beta": neuron.learn_beta,
        "gain": draw(st.sampled_from(gains)),
        "weight_dtype": draw(st.sampled_from(weight_dtypes)),
    }
    if spreads and draw(st.sampled_from((False, False, True))):
        layer.update(delay=0, late=draw(delays(exact, spreads)))
    if kind == "li":
        return Layer(**layer)
    thresholds = (1.0, 0.5, 0.25, None) if exact else (1.0, 0.3, 0.77, None)
    layer["recurrent"] = draw(st.booleans())
    if spreads and layer["recurrent"] and draw(st.sampled_from((False, False, True))):
        layer["recurrent_late"] = draw(delays(exact, spreads))
    return Layer(
        **layer,
        threshold=draw(st.sampled_from(thresholds)),
        learn_threshold=neuron.learn_threshold,
        reset=neuron.reset if kind == "lif" else neuron.reset.replace("_after", ""),
        detach_reset=neuron.detach_reset,
        surrogate=neuron.surrogate,
        margin=draw(st.sampled_from((None, 0.0, 0.5, 1.0))),
        max_activity=draw(st.sampled_from((None, None, 1.0, 0.5, 0.1, 0.02))),
    )


@st.composite
def networks(
    draw: Any,
    widths: Tuple[int, ...],
    depths: Tuple[int, ...] = (1, 2, 3, 4),
    kinds: Tuple[str, ...] = ("lif", "lif", "lif", "lif", "alif"),
    neurons: Any = None,
    weight_dtypes: Tuple[Optional[str], ...] = (None, None, None, "float16"),
    exact: Optional[bool] = None,
    spreads: Tuple[str, ...] = SPREADS_OF_IPUS,
) -> Network:
    """Draw a network whose last layer is a readout as often as not."""
    neurons = neurons_of_ipus() if neurons is None else neurons
    depth = draw(st.sampled_from(depths))
    exact = draw(st.booleans()) if exact is None else exact
    readout = draw(st.booleans())
    stack = []
    for index in range(depth):
        of_layer = ("li",) if readout and index == depth - 1 else kinds
        stack.append(draw(layers(widths, of_layer, exact, neurons, weight_dtypes, spreads)))
    return Network(
        draw(st.sampled_from(widths)),
        tuple(stack),
        draw(st.sampled_from((0, 1, 12345, 0xFFFFFFFF))),
        draw(st.integers(0, 2**31 - 1)),
        exact,
    )
