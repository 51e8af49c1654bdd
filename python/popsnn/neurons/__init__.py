"""Neurons: each a function of one time step in torch, from which all kernels are made.

Every class has the equation of one neuron and its source. `popsnn.nn.Spiking` and `functional.scan`
run them, and `Neuron` is the base of custom neurons. r(v, s) is the membrane after a reset, and v'
the membrane after the step. All states are 0 in the beginning.

A membrane, the input x and the threshold have one unit, in which the default threshold is 1, unless
the class names another. Decay factors have none: `exp(-dt / tau)` is the exact decay over a time
step dt of a time constant tau. An equation of v' is what runs; one of dv/dt is followed by the
method that integrates it. "Source" names where the equation is from, and what differs there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from .adaptive import ALIF, LSNN, AdaptiveLIF, AdLIF, SiLIF
from .lif import IF, LI, LIF, PLIF, RefractoryLIF
from .neuron import Fire, Inputs, Neuron, Parameters, States
from .synaptic import Alpha, SynapticLIF

if TYPE_CHECKING:
    from .conductance import ConductanceLIF
    from .nonlinear import EIF, QIF, AdEx, Izhikevich
    from .resonate import BRF, CSiLIF, ResonateAndFire

__all__ = [
    "ALIF",
    "BRF",
    "EIF",
    "IF",
    "LI",
    "LIF",
    "LSNN",
    "PLIF",
    "QIF",
    "AdEx",
    "AdLIF",
    "AdaptiveLIF",
    "Alpha",
    "CSiLIF",
    "ConductanceLIF",
    "Fire",
    "Inputs",
    "Izhikevich",
    "Neuron",
    "Parameters",
    "RefractoryLIF",
    "ResonateAndFire",
    "SiLIF",
    "States",
    "SynapticLIF",
]


def __getattr__(name: str) -> object:
    # Files of neurons that nothing else uses are imported on first use.
    if name == "ConductanceLIF":
        from . import conductance

        return getattr(conductance, name)
    if name in ("EIF", "QIF", "AdEx", "Izhikevich"):
        from . import nonlinear

        return getattr(nonlinear, name)
    if name in ("BRF", "CSiLIF", "ResonateAndFire"):
        from . import resonate

        return getattr(resonate, name)
    raise AttributeError(f"module 'popsnn.neurons' has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
