"""Random steps: what the generated C++ computes is what torch computes in float64."""

from __future__ import annotations

from pathlib import Path
from typing import List, Sequence

import pytest
import torch
from tests.fuzz.random_neuron import RandomNeuron, parameters_of
from torch import Tensor

from popsnn import functional
from popsnn.functional import Neuron
from popsnn.surrogate import SuperSpike

from .step_library import SLOPE, StepLibrary

STEPS, NEURONS = 8, 64
TOLERANCE = 1e-3


def in_torch(
    neuron: Neuron,
    x: Tensor,  # [inputs, T, N]
    parameters: Sequence[Tensor],  # of [N]
    grad_spikes: Tensor,  # [T, N]
    grad_membrane: Tensor,  # [T, N]
    dtype: torch.dtype,
) -> List[Tensor]:
    """Return what `StepLibrary.run` returns."""
    leaves = [tensor.to(dtype).requires_grad_() for tensor in (x, *parameters)]
    currents = leaves[0].unsqueeze(2)
    out = functional.scan(
        "test",
        neuron,
        tuple(currents) if len(currents) > 1 else currents[0],
        None,
        dict(zip(neuron.parameters, leaves[1:])),
        surrogate=SuperSpike(SLOPE),
        backend="torch",
    )
    loss = (out.membrane * grad_membrane.unsqueeze(1).to(dtype)).sum()
    spikes = torch.zeros(x.shape)
    if out.spikes is not None:
        loss = loss + (out.spikes * grad_spikes.unsqueeze(1).to(dtype)).sum()
        spikes = out.spikes.squeeze(1)
    grads = torch.autograd.grad(loss, leaves, allow_unused=True, materialize_grads=True)
    assert out.membrane is not None
    return [each.detach().double() for each in (spikes, out.membrane.squeeze(1), *grads)]


@pytest.mark.parametrize(("first", "inputs"), [(0, 1), (1000, 1), (2000, 2), (3000, 3)])
def test_generated_code_computes_what_torch_does(tmp_path: Path, first: int, inputs: int) -> None:
    """A neuron counts where float32 decides in torch as float64 does: most of them."""
    seeds = range(first, first + 50)
    library = StepLibrary([RandomNeuron(seed, inputs) for seed in seeds], tmp_path)
    decided = 0
    for number, seed in enumerate(seeds):
        neuron = RandomNeuron(seed, inputs)
        generator = torch.Generator().manual_seed(seed)
        first_x, *grads = torch.randn(3, STEPS, NEURONS, generator=generator)
        others = torch.randn(inputs - 1, STEPS, NEURONS, generator=generator)
        x = torch.cat([first_x[None], others])
        parameters = parameters_of(neuron, NEURONS, generator)
        arguments = (x, parameters, *grads)
        exact, rounded = (
            in_torch(neuron, *arguments, dtype) for dtype in (torch.float64, torch.float32)
        )
        got = library.run(number, *arguments)
        close = torch.ones(NEURONS, dtype=torch.bool)
        same = torch.ones(NEURONS, dtype=torch.bool)
        for expected, single, value in zip(exact, rounded, got):
            bound = TOLERANCE * (1 + expected.abs())
            close &= ((expected - single).abs() < 0.1 * bound).reshape(-1, NEURONS).all(0)
            same &= ((expected - value).abs() < bound).reshape(-1, NEURONS).all(0)
        wrong = (close & ~same).nonzero().flatten().tolist()
        assert not wrong, f"RandomNeuron({seed}, {inputs}): neurons {wrong} differ from float64"
        decided += int(close.sum())
    assert decided > 0.95 * len(seeds) * NEURONS
