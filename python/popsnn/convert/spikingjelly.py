"""The table of SpikingJelly."""

from __future__ import annotations

import math
from typing import Any, Callable

from torch import Tensor, nn

from .. import surrogate as ours
from ..neurons import Neuron
from ..nn import Dropout
from ..surrogate import Surrogate
from . import surrogates
from .graph import Layer, Plan
from .library import Library, Unequal
from .modules import Voting, recast
from .neurons import spikingjelly as neurons
from .values import made_of

PACKAGE = "spikingjelly.activation_based"
TABLE: dict[str, tuple[type[Neuron], tuple[str, ...], tuple[str, ...]]] = {
    # our neuron, its options, and the attributes that are its parameters
    "IFNode": (neurons.IFNode, (), ()),
    "LIFNode": (neurons.LIFNode, ("decay_input",), ("tau",)),
    "ParametricLIFNode": (neurons.ParametricLIFNode, ("decay_input",), ("w",)),
    "KLIFNode": (neurons.KLIFNode, ("decay_input", "scale_reset"), ("k", "tau")),
    "CUBALIFNode": (neurons.CUBALIFNode, (), ("c_decay", "v_decay")),
    "QIFNode": (neurons.QIFNode, (), ("tau", "v_c", "a0", "v_rest")),
    "EIFNode": (neurons.EIFNode, (), ("tau", "delta_T", "theta_rh", "v_rest")),
    "IzhikevichNode": (
        neurons.IzhikevichNode, (), ("tau", "v_c", "a0", "v_rest", "tau_w", "a", "b"),
    ),
}  # fmt: skip
SURROGATES: dict[str, Callable[..., Surrogate]] = {
    "Sigmoid": lambda alpha: ours.Sigmoid(float(alpha)),
    "ATan": lambda alpha: ours.ATan(float(alpha)),
    "PiecewiseQuadratic": lambda alpha: ours.Triangle(1 / alpha),
    "SoftSign": lambda alpha: ours.SuperSpike(float(alpha), scale=alpha / 2),
    "SuperSpike": lambda alpha: ours.SuperSpike(1.0, scale=float(alpha)),
    "Rect": lambda alpha: ours.Rectangle(1 / alpha),
    "PiecewiseExp": lambda alpha: surrogates.Exponential(alpha / 2, float(alpha)),
    "NonzeroSignLogAbs": lambda alpha: surrogates.Hyperbola(float(alpha)),
    "Erf": lambda alpha: surrogates.Gauss(alpha / math.sqrt(math.pi), float(alpha)),
    "PiecewiseLeakyReLU": lambda w, c: surrogates.Step(float(w), float(c)),
}


def plan(module: nn.Module) -> Plan | None:
    """Return how a neuron of SpikingJelly is made of ours, or None where it is no such neuron."""
    kind = type(module)
    if not kind.__module__.startswith(f"{PACKAGE}.neuron") or kind.__name__ not in TABLE:
        return None
    node: Any = module
    ours_of, flags, attributes = TABLE[kind.__name__]
    if node._neuron_precision is not None:
        raise Unequal("neurons of the input's precision", f"{node._neuron_precision}")
    shape = _surrogate(node.surrogate_function)
    soft = node.v_reset is None
    values = {name: getattr(node, name) for name in attributes}
    values.update(threshold=node.v_threshold, v_reset=0.0 if soft else node.v_reset)
    options = {name: bool(getattr(node, name)) for name in flags}
    neuron = ours_of("subtract" if soft else "zero", bool(node.detach_reset), **options)
    start = {"v": values["v_reset"], "w": getattr(node, "w_rest", 0.0)}
    start = {name: value for name, value in start.items() if value and name in neuron.states}

    def make(membrane: bool) -> nn.Module:
        return made_of(neuron, values, start=start, surrogate=shape, membrane=membrane)

    return Plan(make, sequence=node.step_mode == "m")


def _surrogate(function: Any) -> Surrogate:
    name = type(function).__name__
    known = type(function).__module__ == f"{PACKAGE}.surrogate"
    if not known or name not in SURROGATES:
        raise Unequal(f"a surrogate among {', '.join(SURROGATES)}", name)
    if not function.spiking:
        raise Unequal("a surrogate that spikes", "spiking=False")
    return SURROGATES[name](**function._sg_params)


def layer(module: nn.Module) -> Layer | None:
    """Return the layer of torch that a layer of SpikingJelly is, or None."""
    kind = type(module)
    if not kind.__module__.startswith(f"{PACKAGE}.layer"):
        return None
    name, sequence = kind.__name__, getattr(module, "step_mode", "s") == "m"
    if name in ("Dropout", "Dropout2d"):
        return Layer(Dropout(float(module.p), channels=name == "Dropout2d"), sequence)  # type: ignore[arg-type]
    if name == "VotingLayer":
        return Layer(Voting(int(module.voting_size)), sequence)  # type: ignore[arg-type]
    name = name.replace("ThresholdDependent", "")  # which sets the first weights alone
    for base in kind.__mro__:
        if base.__module__.startswith("torch.nn.") and base.__name__ == name:
            return Layer(recast(module, base), sequence)
    if name != kind.__name__ and hasattr(nn, name):
        return Layer(recast(module, getattr(nn, name)), sequence)
    return None


def container(module: nn.Module) -> str | None:
    """Return how a container of SpikingJelly calls its children, or None."""
    kind = type(module)
    if kind.__module__.startswith(f"{PACKAGE}.surrogate"):
        return "never"  # of a neuron that is refused where it stands
    if kind.__module__ != f"{PACKAGE}.layer.container":
        return None
    if kind.__name__ == "StepModeContainer":
        box: Any = module
        if box.step_mode == "s":
            return "in order"
        return "at each step" if box.stateful else "folded"
    return {"MultiStepContainer": "at each step", "SeqToANNContainer": "folded"}.get(kind.__name__)


def reset(module: nn.Module) -> Callable[[], None]:
    """Forget the state of a neuron, and return what brings it back."""
    memories: dict[str, Any] = getattr(module, "_memories", {})
    saved = dict(memories)
    if memories:
        module.reset()  # type: ignore[operator]

    def restore() -> None:
        memories.update(saved)

    return restore


def states(module: nn.Module) -> list[Any]:
    """Return the states that a neuron keeps itself; before the first call they are numbers."""
    memories: dict[str, Any] = getattr(module, "_memories", {})
    return [each for each in memories.values() if isinstance(each, Tensor)]


LIBRARY = Library(
    "from_spikingjelly", "spikingjelly", f"{PACKAGE}.model", plan, layer, container, reset, states
)
