"""The table of norse."""

from __future__ import annotations

import math
from typing import Any, Callable

import torch
from torch import Tensor, nn

from .. import surrogate as ours
from ..neurons import Neuron
from ..surrogate import Surrogate
from . import surrogates
from .graph import Layer, Plan
from .library import Library, Unequal
from .modules import ConstantCurrent
from .neurons import norse as neurons
from .values import made_of, number, parameter

TABLE: dict[str, tuple[type[Neuron], dict[str, str], dict[str, str]]] = {
    # our neuron, its parameters that are a time step times one of norse's, and the others
    "LIF": (
        neurons.LIFCell,
        {"c_mem": "tau_mem_inv", "c_syn": "tau_syn_inv"},
        {"v_leak": "v_leak", "threshold": "v_th", "v_reset": "v_reset"},
    ),
    "LIFEx": (
        neurons.LIFExCell,
        {"c_mem": "tau_mem_inv", "c_syn": "tau_syn_inv"},
        {"v_leak": "v_leak", "threshold": "v_th", "v_reset": "v_reset", "delta": "delta_T"},
    ),
    "LIFAdEx": (
        neurons.LIFAdExCell,
        {"c_mem": "tau_mem_inv", "c_syn": "tau_syn_inv", "c_ada": "tau_ada_inv"},
        {
            "v_leak": "v_leak", "threshold": "v_th", "v_reset": "v_reset", "delta": "delta_T",
            "current": "adaptation_current", "jump": "adaptation_spike",
        },
    ),
    "LSNN": (
        neurons.LSNNCell,
        {"c_mem": "tau_mem_inv", "c_syn": "tau_syn_inv", "c_adapt": "tau_adapt_inv"},
        {"v_leak": "v_leak", "threshold": "v_th", "v_reset": "v_reset", "jump": "beta"},
    ),
    "LIFBox": (
        neurons.LIFBoxCell,
        {"c_mem": "tau_mem_inv"},
        {"v_leak": "v_leak", "threshold": "v_th", "v_reset": "v_reset"},
    ),
    "IAF": (neurons.IAFCell, {}, {"threshold": "v_th", "v_reset": "v_reset"}),
    "Izhikevich": (
        neurons.IzhikevichCell,
        {"rate": "tau_inv"},
        {
            "a": "a", "b": "b", "v_reset": "c", "jump": "d", "square": "sq", "slope": "mn",
            "bias": "bias", "threshold": "v_th",
        },
    ),
    "LI": (
        neurons.LICell,
        {"c_mem": "tau_mem_inv", "c_syn": "tau_syn_inv"},
        {"v_leak": "v_leak"},
    ),
    "LIBox": (neurons.LIBoxCell, {"c_mem": "tau_mem_inv"}, {"v_leak": "v_leak"}),
}  # fmt: skip
DETACHED = ("LIF", "LSNN")  # whose recurrent form detaches the reset
ROOT_OF_PI = float(
    torch.tensor(math.pi, dtype=torch.float32, device="cpu").sqrt()
)  # as norse has it
SURROGATES: dict[str, Callable[[float], Surrogate]] = {
    "super": lambda alpha: ours.SuperSpike(1.0),
    "heaviside": lambda alpha: surrogates.NoGradient(),
    "triangle": lambda alpha: ours.Triangle(1.0, scale=alpha),
    "tanh": surrogates.Tanh,
    "circ": surrogates.Circle,
    "heavi_erfc": lambda alpha: surrogates.Gauss(2 / ROOT_OF_PI, alpha),
}


def plan(module: nn.Module) -> Plan | None:
    """Return how a neuron of norse is made of ours, or None where it is no such neuron."""
    kind = type(module)
    if not kind.__module__.startswith("norse.torch.module"):
        return None
    name, sequence = kind.__name__, not kind.__name__.endswith("Cell")
    name = name[: None if sequence else -4]
    linear, recurrent = name == "LILinear", name.endswith("Recurrent")
    name = "LI" if linear else name.replace("Recurrent", "")
    if name not in TABLE:
        return None
    cell: Any = module
    _refuse_options(cell)
    ours_of, _, _ = TABLE[name]
    options: dict[str, Any] = {}
    flags: dict[str, Any] = {"detach_reset": True} if recurrent and name in DETACHED else {}
    if name == "LIFBox":
        flags["subtract"] = _subtracts(cell.p.reset_method)
    neuron = ours_of(**flags)
    if neuron.spiking:
        options["surrogate"] = _surrogate(cell.p)
    values, options["start"] = _values(name, cell), _start(name, cell)
    if recurrent:
        options["weight"] = cell.recurrent_weights
        options["autapses"] = bool(cell.autapses)
    before = _linear(cell.input_weights) if recurrent or linear else None

    def make(membrane: bool) -> nn.Module:
        return made_of(neuron, values, membrane=membrane, **options)

    role = "spikes" if neuron.spiking else "membrane"
    return Plan(make, (role, *["state"] * 5), sequence, False, before, True)


def _refuse_options(cell: Any) -> None:
    if getattr(cell, "record_states", False):
        raise Unequal("record_states=False", "record_states=True, whose states have no equal")
    activation = getattr(cell, "activation", None)
    if "adjoint" in getattr(activation, "__name__", "") or getattr(cell.p, "method", "") == (
        "adjoint"
    ):
        raise Unequal("gradients by backpropagation", "those of the adjoint method")
    # A first state of IAF is norse's default v_reset itself, which then requires a gradient.
    defaults = type(cell.p)._field_defaults
    for name, value in cell.p._asdict().items():
        learnt = isinstance(value, Tensor) and value.requires_grad
        if learnt and value is not defaults.get(name):
            raise Unequal("parameters that are not learnt", f"{name}, which is")


def _subtracts(reset: Any) -> bool:
    name = getattr(reset, "__name__", str(reset))
    if name not in ("reset_value", "reset_subtract"):
        raise Unequal("reset_value or reset_subtract", name)
    return name == "reset_subtract"


def _surrogate(p: Any) -> Surrogate:
    if p.method not in SURROGATES:
        raise Unequal(f"a method among {', '.join(SURROGATES)}", str(p.method))
    return SURROGATES[p.method](float(p.alpha))


def _values(name: str, cell: Any) -> dict[str, Any]:
    _, rates, others = TABLE[name]
    values = {ours_: number(cell.dt * getattr(cell.p, its)) for ours_, its in rates.items()}
    values.update({ours_: number(getattr(cell.p, its)) for ours_, its in others.items()})
    return values


def _start(name: str, cell: Any) -> dict[str, Any]:
    p = cell.p
    if name == "Izhikevich":
        state = cell.spiking_method.s
        return {"v": number(state.v.detach()), "u": number(state.u)}
    start = {"v": number(p.v_reset if name == "IAF" else p.v_leak)}
    if name == "LSNN":
        start["b"] = number(p.v_th)
    zero = {key for key, value in start.items() if not isinstance(value, Tensor) and value == 0}
    return {key: value for key, value in start.items() if key not in zero}


def _linear(weight: Tensor) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    made.weight = parameter(weight)
    return made


def layer(module: nn.Module) -> Layer | None:
    """Return the module of ours that an encoder of norse is, or None."""
    kind = type(module)
    if not kind.__module__.startswith("norse.torch.module"):
        return None
    if kind.__name__ != "ConstantCurrentLIFEncoder":
        return None
    encoder: Any = module
    p = encoder.p
    values = {
        "c_mem": number(encoder.dt * p.tau_mem_inv),
        "v_leak": number(p.v_leak),
        "threshold": number(p.v_th),
        "v_reset": number(p.v_reset),
    }
    neuron = made_of(neurons.CurrentEncoder(), values, surrogate=_surrogate(p))
    return Layer(ConstantCurrent(neuron, int(encoder.seq_length)))


def container(module: nn.Module) -> str | None:
    """Return how a container of norse calls its children, or None."""
    kind = type(module)
    if not kind.__module__.startswith("norse.torch.module"):
        return None
    return {"SequentialState": "in order", "Lift": "at each step"}.get(kind.__name__)


def reset(module: nn.Module) -> Callable[[], None]:
    """Return nothing to do: norse's modules have no state."""
    return lambda: None


def states(module: nn.Module) -> list[Any]:
    """Return nothing: norse's modules keep no state."""
    return []


def pairs(module: nn.Module) -> bool:
    """Return whether a container returns a pair of its result and its children's states."""
    return type(module).__name__ == "SequentialState" and container(module) is not None


LIBRARY = Library(
    "from_norse", "norse", "norse.torch.models", plan, layer, container, reset, states, pairs
)
