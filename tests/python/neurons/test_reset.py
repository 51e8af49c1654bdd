"""Resets before and after the decay: their C++, and those that a neuron lacks."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from tests.python.tracing.step_library import SLOPE, StepLibrary
from torch import Tensor

import popsnn
from popsnn import functional, neurons, nn, surrogate
from popsnn._internal.checks import RESETS
from popsnn.neurons import Neuron

KINDS = (neurons.IF, neurons.LIF, neurons.PLIF, neurons.SynapticLIF, neurons.AdaptiveLIF)
STEPS, NEURONS = 12, 32


class Sharp(Neuron):
    """A custom neuron that knows the resets before the decay alone."""

    states = ("v", "s")
    parameters = ("beta",)

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
        v = p.beta * self.after_reset(state.v, state.s, 1.0) + x
        return v, fire(v, 1.0)


def test_generated_code_has_every_reset(tmp_path: Path) -> None:
    """Numbers that float32 has exactly: it decides as float64 does."""
    made = [kind(*options) for kind, *options in product(KINDS, RESETS, (True, False))]
    library = StepLibrary(made, tmp_path)
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(-8, 24, (STEPS, NEURONS), generator=generator) / 16.0
    grads = torch.randint(-4, 5, (2, STEPS, NEURONS), generator=generator) / 4.0
    for number, neuron in enumerate(made):
        p = [torch.full((NEURONS,), round(4 * value) / 4) for value in neuron.defaults]
        leaves = [each.double().requires_grad_() for each in (x, *p)]
        out = functional.scan(
            "test", neuron, leaves[0].unsqueeze(1), None, dict(zip(neuron.parameters, leaves[1:])),
            surrogate=surrogate.SuperSpike(SLOPE), backend="torch",
        )  # fmt: skip
        assert out.spikes is not None
        assert out.membrane is not None
        loss = (out.spikes.squeeze(1) * grads[0] + out.membrane.squeeze(1) * grads[1]).sum()
        expected = [out.spikes, out.membrane, *torch.autograd.grad(loss, leaves)]
        for got, wanted in zip(library.run(number, x, p, *grads), expected):
            wanted = wanted.detach().reshape(got.shape).float()
            torch.testing.assert_close(got, wanted, rtol=1e-4, atol=1e-4, msg=str(neuron))


def test_a_reset_that_the_step_has_not_is_refused() -> None:
    sentence = "Sharp: reset: expected one of zero, subtract, none, got 'subtract_after'"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        functional.scan("test", Sharp("subtract_after"), torch.zeros(2, 1, 1), None, {"beta": 0.5})
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        print(Sharp("subtract_after").cuda_source)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: neurons.LIF("soft"),
            "LIF: reset: expected one of zero, subtract, none, subtract_after, zero_after, "
            "got 'soft'",
        ),
        (
            lambda: neurons.Alpha("subtract"),
            "Alpha: reset: expected one of zero_after, zero, none, got 'subtract'",
        ),
        (
            lambda: neurons.AdLIF(reset="zero_after"),
            "AdLIF: reset: expected one of zero, subtract, none, got 'zero_after'",
        ),
        (lambda: neurons.EIF(dt=0.0), "EIF: dt: expected a positive number, got 0.0"),
        (lambda: neurons.RefractoryLIF(0), "RefractoryLIF: period: expected at least 1, got 0"),
        (
            lambda: neurons.LIF("zero", detach_reset=2),  # type: ignore[arg-type]
            "LIF: detach_reset: expected True or False, got 2",
        ),
    ],
)
def test_options_out_of_range_get_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}$"):
        make()


@pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)
@pytest.mark.parametrize("reset", ["subtract_after", "zero_after"])
def test_engines_without_the_reset_name_those_that_they_have(reset: str) -> None:
    sentence = f"layer 0: reset: expected one of zero, subtract, none, got '{reset}'"
    with pytest.raises(ValueError, match=re.escape(sentence)):
        nn.SNN(nn.SparseLIF(3, 4, reset=reset), nn.SparseLI(4, 2), backend="ipu")


def test_networks_have_the_resets_on_torch() -> None:
    torch.manual_seed(0)
    layer = nn.SparseLIF(3, 4, reset="zero_after", bias=False)
    x = (torch.rand(20, 2, 3) < 0.7).float()
    spikes = nn.SNN(layer, backend="torch")(x)
    current = torch.nn.functional.linear(x, layer.weight)
    expected = functional.lif(current, beta=0.9, reset="zero_after").spikes
    assert torch.equal(spikes if isinstance(spikes, Tensor) else spikes.to_dense(), expected)
