"""The table of snnTorch."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor, nn

from .. import surrogate as ours
from ..surrogate import Surrogate
from . import surrogates
from .graph import Layer, Plan
from .library import Library, Unequal
from .neurons import snntorch as neurons
from .values import made_of, number

STATES = ("mem", "syn", "syn_exc", "syn_inh", "spk")
ROLES = {  # what a call returns
    "Leaky": ("spikes", "membrane"),
    "RLeaky": ("spikes", "membrane"),
    "Lapicque": ("spikes", "membrane"),
    "Synaptic": ("spikes", "state", "membrane"),
    "RSynaptic": ("spikes", "state", "membrane"),
    "Alpha": ("spikes", "state", "state", "membrane"),
}
SURROGATES: dict[str, Callable[..., Surrogate]] = {
    "atan": lambda alpha: ours.ATan(float(alpha)),
    "fast_sigmoid": lambda slope: ours.SuperSpike(float(slope)),
    "sigmoid": lambda slope: ours.Sigmoid(float(slope)),
    "triangular": lambda threshold: surrogates.Sided(float(threshold)),
    "straight_through_estimator": surrogates.StraightThrough,
    "heaviside": surrogates.Heaviside,
    "spike_rate_escape": lambda beta, slope: surrogates.Exponential(float(slope), float(beta), 1.0),
}


def plan(module: nn.Module) -> Plan | None:
    """Return how a neuron of snnTorch is made of ours, or None where it is no such neuron."""
    kind = type(module)
    if not kind.__module__.startswith("snntorch._neurons") or kind.__name__ not in ROLES:
        return None
    neuron: Any = module
    _refuse_options(neuron)
    shape = _surrogate(neuron)
    hidden = bool(neuron.init_hidden)
    roles = ROLES[kind.__name__] if neuron.output or not hidden else ("spikes",)

    def make(membrane: bool) -> nn.Module:
        return MAKERS[kind.__name__](neuron, {"surrogate": shape, "membrane": membrane})

    return Plan(make, roles, hidden=hidden)


def _refuse_options(neuron: Any) -> None:
    kind = type(neuron).__name__
    if neuron.inhibition:
        raise Unequal("inhibition=False", "inhibition=True, which has no equal")
    if neuron.state_quant:
        raise Unequal("state_quant=False", "a quantised state, which has no equal")
    factor = neuron.graded_spikes_factor
    if isinstance(factor, nn.Parameter) or bool((factor != 1).any()):
        raise Unequal("graded_spikes_factor=1.0", "graded spikes, which have no equal")
    if kind == "RSynaptic" and not neuron.reset_delay and neuron.reset_mechanism != "none":
        raise Unequal("reset_delay=True", "reset_delay=False, which RSynaptic does not run")
    recurrent = getattr(neuron, "recurrent", None)
    if isinstance(recurrent, nn.Conv2d):
        raise Unequal("recurrent weights of a linear layer", "those of a convolution")
    if recurrent is not None and neuron.all_to_all and not neuron.reset_delay:
        raise Unequal("reset_delay=True of a recurrent layer", "reset_delay=False")


def _surrogate(neuron: Any) -> Surrogate:
    if neuron.surrogate_disable:
        return surrogates.NoGradient()
    function = neuron.spike_grad
    name = getattr(function, "__qualname__", type(function).__name__)
    made, _, rest = name.partition(".<locals>.")
    known = getattr(function, "__module__", None) == "snntorch.surrogate" and rest == "inner"
    if not known or made not in SURROGATES:
        raise Unequal(f"a surrogate among {', '.join(SURROGATES)}", made)
    names = function.__code__.co_freevars
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    return SURROGATES[made](**dict(zip(names, values)))


def _leaky(neuron: Any, options: Any) -> nn.Module:
    kind = neurons.Leaky(neuron.reset_mechanism, bool(neuron.reset_delay))
    return made_of(kind, {"beta": neuron.beta, "threshold": neuron.threshold}, **options)


def _rleaky(neuron: Any, options: Any) -> nn.Module:
    reset = {"zero": "zero_after"}.get(neuron.reset_mechanism, neuron.reset_mechanism)
    values = {"beta": neuron.beta, "threshold": neuron.threshold}
    if not neuron.all_to_all:
        values["V"] = neuron.recurrent.V
        return made_of(neurons.LeakyToItself(reset, bool(neuron.reset_delay)), values, **options)
    return made_of(
        neurons.Leaky(reset), values, weight=neuron.recurrent.weight, bias=neuron.recurrent.bias,
        **options,
    )  # fmt: skip


def _synaptic(neuron: Any, options: Any) -> nn.Module:
    kind = neurons.Synaptic(neuron.reset_mechanism, bool(neuron.reset_delay))
    return made_of(kind, _synaptic_values(neuron), **options)


def _rsynaptic(neuron: Any, options: Any) -> nn.Module:
    values = _synaptic_values(neuron)
    if not neuron.all_to_all:
        values["V"] = neuron.recurrent.V
        return made_of(neurons.SynapticToItself(neuron.reset_mechanism), values, **options)
    return made_of(
        neurons.Synaptic(neuron.reset_mechanism), values, weight=neuron.recurrent.weight,
        bias=neuron.recurrent.bias, **options,
    )  # fmt: skip


def _synaptic_values(neuron: Any) -> dict[str, Any]:
    return {name: getattr(neuron, name) for name in ("alpha", "beta", "threshold")}


def _alpha(neuron: Any, options: Any) -> nn.Module:
    return made_of(neurons.Alpha(neuron.reset_mechanism), _synaptic_values(neuron), **options)


def _lapicque(neuron: Any, options: Any) -> nn.Module:
    rate = 1 / (neuron.R * neuron.C)
    values = {
        "R": number(neuron.R),
        "rate": number(rate),
        "time_step": number(neuron.time_step),
        "decay": number(1 - neuron.time_step / (neuron.R * neuron.C)),
        "threshold": neuron.threshold,
    }
    return made_of(neurons.Lapicque(neuron.reset_mechanism), values, **options)


MAKERS = {
    "Leaky": _leaky,
    "RLeaky": _rleaky,
    "Synaptic": _synaptic,
    "RSynaptic": _rsynaptic,
    "Alpha": _alpha,
    "Lapicque": _lapicque,
}


def layer(module: nn.Module) -> Layer | None:
    """Return None: snnTorch's layers without neurons have no equal, and its models use torch's."""
    return None


def container(module: nn.Module) -> str | None:
    """Return None: snnTorch has no containers."""
    return None


def reset(module: nn.Module) -> Callable[[], None]:
    """Forget the state of a neuron, and return what brings it back."""
    saved = {name: module._buffers[name] for name in STATES if name in module._buffers}
    for name, state in saved.items():
        device = state.device if isinstance(state, Tensor) else None
        module._buffers[name] = torch.zeros(0, device=device)

    def restore() -> None:
        module._buffers.update(saved)

    return restore


def states(module: nn.Module) -> list[Any]:
    """Return the states that a neuron keeps itself."""
    if not getattr(module, "init_hidden", False):
        return []
    return [module._buffers[name] for name in STATES if name in module._buffers]


LIBRARY = Library(
    "from_snntorch", "snntorch", "snntorch.models", plan, layer, container, reset, states
)
