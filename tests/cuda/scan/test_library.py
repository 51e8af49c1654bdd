"""Neurons of the library on the kernels made from them: forward and all gradients in float64."""

from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.python.neurons.cases import CASES, NEURONS, STEPS, check, outputs_of

# Compiled for a CPU, each takes seconds: one of each family.
REPRESENTATIVE = ("Alpha", "AdLIF", "AdEx", "CSiLIF", "RefractoryLIF", "ConductanceLIF")


def compare(engine: Engine, name: str) -> None:
    grads = torch.randn(2, STEPS, NEURONS, generator=torch.Generator().manual_seed(7))
    check(name, grads, outputs_of(name, grads, engine.backend, engine.device, torch.float32))


@pytest.mark.parametrize("name", REPRESENTATIVE)
def test_forward_and_gradients(engine: Engine, name: str) -> None:
    compare(engine, name)


@pytest.mark.parametrize("name", [name for name in CASES if name not in REPRESENTATIVE])
def test_forward_and_gradients_of_the_others(cuda_engine: Engine, name: str) -> None:
    compare(cuda_engine, name)
