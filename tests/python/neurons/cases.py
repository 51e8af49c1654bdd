"""Cases of the library of neurons: formulas, random inputs, and what float32 decides in them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import torch
from tests.python.neurons import formulas
from tests.python.tracing.step_library import SLOPE
from torch import Tensor

from popsnn import functional, neurons
from popsnn.neurons import Neuron
from popsnn.surrogate import SuperSpike


class Case(NamedTuple):
    """A neuron; its formula; the scale of random currents; a constant one, and how often it fires.

    The rates are the least and the most spikes a step.
    """

    neuron: Neuron
    formula: Any
    scale: float
    constant: float
    rates: Tuple[float, float]


CASES = {
    case.neuron.__class__.__name__ + label: case
    for label, case in (
        ("", Case(neurons.IF(), formulas.lif, 0.5, 0.2, (0.15, 0.25))),
        ("", Case(neurons.LIF(), formulas.lif, 0.6, 0.2, (0.1, 0.2))),
        ("", Case(neurons.PLIF(), formulas.plif, 1.0, 0.6, (0.2, 0.5))),
        ("", Case(neurons.RefractoryLIF(), formulas.refractory_lif, 1.0, 0.5, (0.1, 0.25))),
        ("", Case(neurons.SynapticLIF(), formulas.synaptic_lif, 0.3, 0.05, (0.05, 0.2))),
        ("", Case(neurons.Alpha(), formulas.alpha, 2.0, 0.5, (0.02, 0.4))),
        ("", Case(neurons.AdaptiveLIF(), formulas.adaptive_lif, 0.6, 0.3, (0.02, 0.2))),
        ("", Case(neurons.ALIF(), formulas.alif, 0.6, 0.2, (0.02, 0.2))),
        ("", Case(neurons.LSNN(), formulas.lsnn, 6.0, 3.0, (0.02, 0.2))),
        ("", Case(neurons.AdLIF(), formulas.adlif, 5.0, 2.0, (0.02, 0.1))),
        (" Euler", Case(neurons.AdLIF(False), formulas.adlif_euler, 5.0, 2.0, (0.02, 0.1))),
        ("", Case(neurons.SiLIF(), formulas.silif, 6.0, 5.0, (0.02, 0.5))),
        ("", Case(neurons.CSiLIF(), formulas.csilif, 1.0, 0.6, (0.1, 0.4))),
        ("", Case(neurons.ResonateAndFire(), formulas.resonate_and_fire, 1.0, 0.5, (0.02, 0.3))),
        ("", Case(neurons.BRF(), formulas.brf, 60.0, 40.0, (0.005, 0.2))),
        ("", Case(neurons.QIF(), formulas.qif, 4.0, 1.0, (0.02, 0.1))),
        ("", Case(neurons.EIF(), formulas.eif, 4.0, 1.5, (0.03, 0.2))),
        ("", Case(neurons.AdEx(), formulas.adex, 4.0, 1.5, (0.02, 0.15))),
        ("", Case(neurons.ConductanceLIF(), formulas.conductance_lif, 0.2, 0.3, (0.05, 0.3))),
        ("", Case(neurons.Izhikevich(), formulas.izhikevich, 40.0, 10.0, (0.005, 0.05))),
    )
}
STEPS, NEURONS = 40, 48


@lru_cache(maxsize=None)
def inputs(name: str) -> Tuple[Tensor, Dict[str, Tensor]]:
    """Return currents and parameters [N], each within 5 % of its default, in float64.

    Currents are [T, 1, N], or [inputs, T, 1, N] of a neuron of several inputs.
    """
    case = CASES[name]
    generator = torch.Generator().manual_seed(len(name))
    shape = current_shape(case.neuron, STEPS, 1, NEURONS)
    x = torch.randn(shape, generator=generator, dtype=torch.float64) + 0.4
    parameters = {}
    for parameter, default in zip(case.neuron.parameters, case.neuron.defaults):
        spread = 0.95 + 0.1 * torch.rand(NEURONS, generator=generator, dtype=torch.float64)
        parameters[parameter] = default * spread + (0.05 * (spread - 1) if default == 0 else 0)
        low, high = case.neuron.bounds.get(parameter, (-torch.inf, torch.inf))
        parameters[parameter] = parameters[parameter].clamp(low, min(high, 0.995 * high))
    return case.scale * x, parameters


def current_shape(neuron: Neuron, *shape: int) -> Tuple[int, ...]:
    """Return the shape [..., T, B, N] of one tensor of all currents of a neuron."""
    return shape if len(neuron.inputs) == 1 else (len(neuron.inputs), *shape)


def scan(neuron: Neuron, x: Tensor, parameters: Dict[str, Any], **options: Any) -> Any:
    options = {"surrogate": SuperSpike(SLOPE), "backend": "torch", **options}
    current = x if len(neuron.inputs) == 1 else tuple(x)
    return functional.scan("test", neuron, current, None, parameters, **options)


def outputs_of(
    name: str,
    grads: Tensor,
    backend: str = "torch",
    device: Any = "cpu",
    dtype: Any = torch.float64,
) -> List[Tensor]:
    """Return spikes, membranes, and the gradients of x and parameters, each [..., N], in float64.

    `grads` [2, T, N] are those of spikes and membranes.
    """
    x, parameters = inputs(name)
    leaves = [t.to(device, dtype).requires_grad_() for t in (x, *parameters.values())]
    out = scan(CASES[name].neuron, leaves[0], dict(zip(parameters, leaves[1:])), backend=backend)
    of_spikes, of_membrane = grads.to(device, dtype).unsqueeze(2)
    loss = (out.spikes * of_spikes).sum() + (out.membrane * of_membrane).sum()
    got = torch.autograd.grad(loss, leaves)
    return [t.detach().double().cpu() for t in (out.spikes, out.membrane, *got)]


def check(name: str, grads: Tensor, got: Sequence[Tensor]) -> None:
    """Compare neurons with float64, where float32 decides in torch as float64 does: in most."""
    exact, single = (outputs_of(name, grads, dtype=kind) for kind in (torch.float64, torch.float32))
    close = torch.ones(NEURONS, dtype=torch.bool)
    same = torch.ones(NEURONS, dtype=torch.bool)
    for columns in zip(exact, single, got):
        wanted, rounded, value = (each.double().reshape(-1, NEURONS) for each in columns)
        bound = 2e-3 * (1 + wanted.abs().amax(0))
        close &= ((wanted - rounded).abs() < 0.2 * bound).all(0)
        same &= ((wanted - value).abs() < bound).all(0)
    assert not (close & ~same).any()
    assert float(close.float().mean()) > 0.8
