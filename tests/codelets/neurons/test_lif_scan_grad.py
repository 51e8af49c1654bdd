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
    assert_close,
    floats,
    generators,
    on_grid,
    worker_counts,
)

from popsnn import functional, surrogate

SURROGATES = [kind() for kind in surrogate.NAMED]


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach_reset", [True, False])
@settings(max_examples=20)
@given(
    kind=st.sampled_from(SURROGATES),
    steps=st.integers(1, 6),
    batch=st.integers(1, 4),
    neurons=st.integers(1, 40),
    below=st.sampled_from((None, 0.25)),
    workers=worker_counts,
    rng=generators,
)
def test_all_steps_back(
    run_vertex: RunVertex,
    reset: str,
    detach_reset: bool,
    kind: surrogate.Surrogate,
    steps: int,
    batch: int,
    neurons: int,
    below: float | None,
    workers: int,
    rng: np.random.Generator,
) -> None:
    shape = (steps, batch, neurons)
    current = torch.from_numpy(on_grid(rng, *shape)).double().requires_grad_()
    beta = torch.from_numpy(rng.integers(0, 3, neurons) / 2).requires_grad_()
    threshold = torch.full((neurons,), 0.5, dtype=torch.float64, requires_grad=True)
    out = functional.lif(
        current,
        beta=beta,
        threshold=threshold,
        reset=reset,
        detach_reset=detach_reset,
        surrogate=kind,
        grad_threshold=below,
    )
    spike_grad = floats(rng, *shape)
    (out.spikes * torch.from_numpy(spike_grad)).sum().backward()
    rows = [beta, threshold, torch.full((neurons,), -np.inf if below is None else below)]
    after = run_vertex(
        "LifScanGrad",
        {
            "spike_grad": spike_grad,
            "membrane": out.membrane.detach().float().numpy(),
            "parameters": torch.stack([row.detach().float() for row in rows]).numpy(),
            "current_grad": Output(shape, "float32"),
            "parameter_grad": Output((batch, 2, neurons), "float32"),
        },
        {
            "steps": steps,
            "batch": batch,
            "neurons": neurons,
            "reset": RESETS.index(reset),
            "detach_reset": int(detach_reset),
            "surrogate": SURROGATES.index(kind),
            "surrogate_parameter": kind.parameter,
        },
        workers=workers,
    )
    assert current.grad is not None
    assert beta.grad is not None
    assert threshold.grad is not None
    assert_close(after["current_grad"], current.grad.numpy())
    sums = after["parameter_grad"].sum(0, dtype=np.float64)
    # Terms of the sums: one for each step and sample.
    largest = np.abs(current.grad.numpy()).max() * steps * batch
    assert_close(sums[0], beta.grad.numpy(), largest)
    assert_close(sums[1], threshold.grad.numpy(), largest)
