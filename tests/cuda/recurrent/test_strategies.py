"""Recurrent layers as users run them: by the strategy that their size leads to, on a GPU."""

from __future__ import annotations

from typing import Any, Callable

import pytest
import torch
from tests.cuda.recurrent.runs import compare, run

from popsnn import functional

LAYERS = {"lif": functional.recurrent_lif, "adaptive": functional.recurrent_adaptive_lif}


@pytest.mark.parametrize("weight_dtype", [torch.bfloat16, torch.float16, torch.float32], ids=str)
@pytest.mark.parametrize("layer", LAYERS.values(), ids=LAYERS)
@pytest.mark.parametrize("batch", [1, 8, 9, 48, 96, 97, 130, 200, 300])
@pytest.mark.parametrize(
    ("neurons", "steps"), [(17, 3), (300, 40), (300, 1), (1500, 3), (1500, 1), (3100, 3)]
)
def test_states_in_and_out(
    gpu: torch.device,
    neurons: int,
    steps: int,
    batch: int,
    layer: Callable[..., Any],
    weight_dtype: torch.dtype,
) -> None:
    """Batches of several launches too: each begins with the states of its own samples."""
    options = {"weight": torch.float32, "weight_dtype": weight_dtype, "layer": layer}
    compare(run(gpu, steps, batch, neurons, state=True, learn=True, **options))


@pytest.mark.parametrize("batch", [1, 5, 100])
@pytest.mark.parametrize("neurons", [300, 3100])
@pytest.mark.parametrize("weight_dtype", [torch.bfloat16, torch.float16], ids=str)
def test_a_step_of_weights_by_columns(
    gpu: torch.device, weight_dtype: torch.dtype, neurons: int, batch: int
) -> None:
    options = {"weight_dtype": weight_dtype, "columns": True, "state": True}
    for weight in (torch.float32, weight_dtype):
        compare(run(gpu, 1, batch, neurons, weight=weight, **options))
