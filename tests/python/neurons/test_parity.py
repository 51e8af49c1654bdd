"""Neurons of snnTorch, SpikingJelly and norse next to ours: the same spikes and gradients.

Each package is optional. A case has the parameters and the state that make ours equal to theirs.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Dict, NamedTuple

import pytest
import torch
from tests.python.neurons.peers import (
    Run,
    norse,
    norse_izhikevich,
    norse_subtract,
    snntorch,
    spikingjelly,
)
from torch import Tensor

from popsnn import functional, neurons, surrogate
from popsnn.neurons import Neuron

STEPS, BATCH, NEURONS = 60, 4, 32
ATAN = surrogate.ATan(2.0)
NORSE = surrogate.SuperSpike(1.0)  # norse's "super" is 1 / (|x| + 1)^2, whatever its alpha is


class Case(NamedTuple):
    """A neuron of a package and ours, the scale of random currents, and the error of gradients.

    snnTorch's spikes are float32 whatever the membrane is, which rounds gradients.
    """

    package: str
    theirs: Callable[[], Run]
    ours: Run
    gain: float = 0.6
    error: float = 1e-9
    dtype: torch.dtype = torch.float64
    recurrent: bool = False


def scan(neuron: Neuron, shape: Any = ATAN, state: Any = None, **parameters: Any) -> Run:
    """Run a neuron, its first states the numbers in `state`."""

    def run(x: Tensor, _: Tensor) -> Tensor:
        first = None if state is None else tuple(torch.full_like(x[0], each) for each in state)
        values: Dict[str, Any] = {**dict(zip(neuron.parameters, neuron.defaults)), **parameters}
        values = {k: v.to(x.dtype) if isinstance(v, Tensor) else v for k, v in values.items()}
        spikes = functional.scan("test", neuron, x, first, values, surrogate=shape).spikes
        assert spikes is not None
        return spikes

    return run


def of(factor: float, run: Run, offset: float = 0.0) -> Run:
    """Run on a scaled current."""
    return lambda x, weight: run(factor * (x + offset), weight)


def filtered(run: Run, delay: int = 0) -> Run:
    """Run on what a synapse makes of the current, after some steps."""

    def through(x: Tensor, weight: Tensor) -> Tensor:
        current = functional.li(x, beta=0.8).membrane
        return run(torch.cat([torch.zeros_like(x[:delay]), current[: len(x) - delay]]), weight)

    return through


def recurrent(neuron: Neuron, shape: Any = ATAN, **parameters: float) -> Run:
    return lambda x, weight: (
        functional.recurrent_scan(
            "test", neuron, x, weight, None, parameters, surrogate=shape
        ).spikes
    )


LEAKY, SYNAPTIC, RLEAKY, ALPHA = (
    partial(snntorch, name, *decays)
    for name, decays in (
        ("Leaky", (0.9,)),
        ("Synaptic", (0.8, 0.9)),
        ("RLeaky", (0.9,)),
        ("Alpha", (0.9, 0.8)),
    )
)
BETAS = torch.linspace(0.5, 0.99, NEURONS, dtype=torch.float64)
Torch = partial(Case, "snntorch", error=1e-6)
Looped = partial(Torch, gain=0.25, error=2e-5, dtype=torch.float32, recurrent=True)
Jelly = partial(Case, "spikingjelly")
Norse = partial(Case, "norse")
NONLINEAR = {"tau": 2.0, "threshold": 1.0, "v_reset": -0.1}

CASES = {
    "Leaky subtract": Torch(LEAKY(), scan(neurons.LIF("subtract_after"))),
    "Leaky zero": Torch(LEAKY(reset_mechanism="zero"), scan(neurons.LIF())),
    "Leaky none": Torch(LEAKY(reset_mechanism="none"), scan(neurons.LIF("none"))),
    "Leaky zero at once": Torch(
        LEAKY(reset_mechanism="zero", reset_delay=False), scan(neurons.LIF("zero", False))
    ),
    "Leaky subtract at once": Torch(  # above 2 thresholds snnTorch resets once more
        LEAKY(reset_delay=False), scan(neurons.LIF("subtract", False)), gain=0.25
    ),
    "fast_sigmoid": Torch(
        LEAKY(reset_mechanism="zero", grad=("fast_sigmoid", 25.0)),
        scan(neurons.LIF(), surrogate.SuperSpike(25.0)),
    ),
    "sigmoid, a decay a neuron": Torch(
        snntorch("Leaky", BETAS, reset_mechanism="zero", grad=("sigmoid", 4.0)),
        scan(neurons.LIF(), surrogate.Sigmoid(4.0), beta=BETAS),
    ),
    "Synaptic subtract": Torch(SYNAPTIC(), scan(neurons.SynapticLIF("subtract_after")), 0.3),
    "Synaptic zero": Torch(
        SYNAPTIC(reset_mechanism="zero"), scan(neurons.SynapticLIF("zero_after")), 0.3
    ),
    "Synaptic none": Torch(
        SYNAPTIC(reset_mechanism="none"), scan(neurons.SynapticLIF("none")), 0.2
    ),
    "Synaptic zero at once": Torch(
        SYNAPTIC(reset_mechanism="zero", reset_delay=False),
        scan(neurons.SynapticLIF("zero", False)),
        0.3,
    ),
    "Alpha zero": Torch(ALPHA(reset_mechanism="zero"), scan(neurons.Alpha()), 2.0),
    "Alpha none": Torch(ALPHA(reset_mechanism="none"), scan(neurons.Alpha("none")), 2.0),
    "RLeaky subtract": Looped(
        RLEAKY(linear_features=NEURONS),
        recurrent(neurons.LIF("subtract_after"), beta=0.9, threshold=1.0),
    ),
    "RLeaky zero": Looped(
        RLEAKY(linear_features=NEURONS, reset_mechanism="zero"),
        recurrent(neurons.LIF("zero_after"), beta=0.9, threshold=1.0),
    ),
    "RLeaky none": Looped(
        RLEAKY(linear_features=NEURONS, reset_mechanism="none"),
        recurrent(neurons.LIF("none"), beta=0.9, threshold=1.0),
    ),
    "RLeaky zero at once": Looped(
        RLEAKY(linear_features=NEURONS, reset_mechanism="zero", reset_delay=False),
        recurrent(neurons.LIF("zero", False), beta=0.9, threshold=1.0),
    ),
    "LIFNode v_reset": Jelly(
        spikingjelly("LIFNode", tau=2.0, v_reset=-0.3, v_threshold=0.8, detach_reset=True),
        of(0.5, scan(neurons.LIF(), beta=0.5, threshold=1.1)),
        1.5,
    ),
    "ParametricLIFNode": Jelly(
        spikingjelly("ParametricLIFNode", 2.0, decay_input=False, detach_reset=True),
        scan(neurons.PLIF(), w=0.0),
        1.5,
    ),
    "CUBALIFNode": Jelly(
        spikingjelly("CUBALIFNode", 0.5, 0.75),
        scan(neurons.SynapticLIF("zero", False), alpha=0.5, beta=0.75, threshold=0.5),
        0.3,
    ),
    "QIFNode": Jelly(
        spikingjelly("QIFNode"),
        scan(
            neurons.QIF(detach_reset=False), state=(-0.1, 0), steepness=1.0, v_critical=0.8,
            **NONLINEAR,
        ),
    ),
    "EIFNode": Jelly(
        spikingjelly("EIFNode"),
        scan(
            neurons.EIF(detach_reset=False), state=(-0.1, 0), delta=1.0, v_rheobase=0.8,
            **NONLINEAR,
        ),
    ),
    "LIFBoxCell": Norse(
        norse("LIFBoxCell", "LIFBoxParameters"),
        of(0.1, scan(neurons.LIF("zero", False), NORSE)),
        6.0,
    ),
    "LIFBoxCell subtract": Norse(
        norse_subtract, of(0.1, scan(neurons.LIF("subtract", False), NORSE)), 6.0
    ),
    "LIFBoxCell v_leak": Norse(  # starts at v_leak
        norse("LIFBoxCell", "LIFBoxParameters", v_leak=0.1, v_reset=-0.2),
        of(0.1, scan(neurons.LIF("zero", False), NORSE, state=(0.3, 0), threshold=1.2), 0.3),
        6.0,
    ),
    "LIFCell": Norse(
        norse("LIFCell", "LIFParameters"),
        of(0.1, scan(neurons.SynapticLIF("zero", False), NORSE)),
        2.0,
    ),
    "LIFRecurrentCell": Norse(  # detaches the reset, which LIFCell does not
        norse("LIFRecurrentCell", "LIFParameters"),
        lambda x, weight: recurrent(
            neurons.SynapticLIF(), NORSE, beta=0.9, threshold=1.0, alpha=0.8
        )(0.1 * x, 0.1 * weight),
        2.0,
        recurrent=True,
    ),
    "LSNNCell": Norse(
        norse("LSNNCell", "LSNNParameters", tau_adapt_inv=20.0, beta=0.3),
        filtered(of(0.1, scan(
            neurons.AdaptiveLIF("zero", False), NORSE, rho=0.98, kappa=0.98 * 0.3
        )), delay=1),
        3.0,
    ),
    "LIFAdExCell": Norse(
        norse(
            "LIFAdExCell", "LIFAdExParameters", adaptation_current=0.5, adaptation_spike=0.1,
            tau_ada_inv=50.0,
        ),
        filtered(scan(
            neurons.AdEx(detach_reset=False), NORSE, tau=10.0, delta=0.5, v_rheobase=1.0,
            threshold=1.0, v_reset=0.0, tau_w=20.0, a=0.5, b=0.1,
        )),
        3.0,
    ),
    "Izhikevich": Norse(
        norse_izhikevich, scan(neurons.Izhikevich(dt=0.25, detach_reset=False), NORSE, d=6.0), 60.0
    ),
}  # fmt: skip
for _hard in (True, False):
    for _detach in (True, False):
        _reset = "zero" if _hard else "subtract"
        _options = {"v_reset": 0.0 if _hard else None, "detach_reset": _detach}
        CASES.update({
            f"IFNode {_reset} {_detach}": Jelly(
                spikingjelly("IFNode", **_options), scan(neurons.IF(_reset, _detach)), 0.4
            ),
            f"LIFNode {_reset} {_detach}": Jelly(
                spikingjelly("LIFNode", tau=2.0, **_options),
                of(0.5, scan(neurons.LIF(_reset, _detach), beta=0.5)),
                1.5,
            ),
            f"LIFNode whole input {_reset} {_detach}": Jelly(
                spikingjelly("LIFNode", tau=10.0, decay_input=False, **_options),
                scan(neurons.LIF(_reset, _detach)),
            ),
        })  # fmt: skip
for _name, _shape in (
    ("Sigmoid", surrogate.Sigmoid(4.0)),
    ("PiecewiseQuadratic", surrogate.Triangle(4.0)),
    ("SoftSign", surrogate.SuperSpike(4.0, scale=2.0)),
):
    _value = 0.25 if _name == "PiecewiseQuadratic" else 4.0
    CASES[_name] = Jelly(
        spikingjelly("IFNode", grad=(_name, _value), detach_reset=True), scan(neurons.IF(), _shape)
    )


@pytest.mark.parametrize("name", CASES)
def test_spikes_and_gradients_are_those_of_the_other_library(name: str) -> None:
    case = CASES[name]
    pytest.importorskip(case.package)
    generator = torch.Generator().manual_seed(0)
    x, grads = torch.randn(2, STEPS, BATCH, NEURONS, generator=generator, dtype=torch.float64)
    weight = 0.3 / NEURONS**0.5 * torch.randn(NEURONS, NEURONS, generator=generator)
    x = case.gain * (x + 0.3)
    results = []
    for run in (case.theirs(), case.ours):
        leaves = [torch.nn.Parameter(each.to(case.dtype)) for each in (x, weight)]
        spikes = run(*leaves)
        wanted = leaves if case.recurrent else leaves[:1]
        of_leaves = torch.autograd.grad((spikes * grads.to(case.dtype)).sum(), wanted)
        results.append((spikes.detach(), of_leaves))
    (expected, expected_grads), (got, got_grads) = results
    assert torch.equal(got, expected)
    assert 0.01 < float(got.mean()) < 0.8
    for one, other in zip(got_grads, expected_grads):
        assert float((one - other).norm() / other.norm()) < case.error
