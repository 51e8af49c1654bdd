from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.codelets.cases import (
    RESETS,
    Output,
    RunVertex,
    generators,
    on_grid,
    worker_counts,
)

from popsnn import functional


@pytest.mark.parametrize("reset", RESETS)
@settings(max_examples=20)
@given(
    steps=st.integers(1, 6),
    batch=st.integers(1, 4),
    neurons=st.integers(1, 40),
    workers=worker_counts,
    rng=generators,
)
def test_all_steps(
    run_vertex: RunVertex,
    reset: str,
    steps: int,
    batch: int,
    neurons: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    current = on_grid(rng, steps, batch, neurons)
    beta = (rng.integers(0, 3, neurons) / 2).astype(np.float32)  # all numbers are exact
    threshold = on_grid(rng, neurons)
    shape = (steps, batch, neurons)
    after = run_vertex(
        "LifScan",
        {
            "current": current,
            "parameters": np.stack([beta, threshold, threshold]),
            "membrane": Output(shape, "float32"),
            "spikes": Output(shape, "float32"),
        },
        {"steps": steps, "batch": batch, "neurons": neurons, "reset": RESETS.index(reset)},
        workers=workers,
    )
    expected = functional.lif(
        torch.from_numpy(current).double(),
        beta=torch.from_numpy(beta),
        threshold=torch.from_numpy(threshold),
        reset=reset,
    )
    np.testing.assert_array_equal(after["membrane"], expected.membrane)
    np.testing.assert_array_equal(after["spikes"], expected.spikes)
