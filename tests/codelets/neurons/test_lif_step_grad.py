from __future__ import annotations

from typing import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    RESETS,
    Array,
    InOut,
    Output,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    history_row,
    in_window,
    on_grid,
    random_windows,
    scalar,
    sizes,
    worker_counts,
)

ROWS = 3


def sigmoid_derivative(x: Array, slope: float) -> Array:
    s = 1 / (1 + np.exp(-slope * x))
    return slope * s * (1 - s)


# In the order of popsnn::Surrogate; the parameters put values on the edges of Triangle's and
# Rectangle's support.
SURROGATES: dict[str, tuple[float, Callable[[Array, float], Array]]] = {
    "SuperSpike": (10.0, lambda x, slope: (slope * np.abs(x) + 1) ** -2),
    "Sigmoid": (4.0, sigmoid_derivative),
    "ATan": (2.0, lambda x, slope: slope / 2 / (1 + (np.pi / 2 * slope * x) ** 2)),
    "Triangle": (0.5, lambda x, width: np.maximum(0, 1 - np.abs(x) / width) / width),
    "Rectangle": (1.0, lambda x, width: (np.abs(x) < width / 2) / width),
}


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach_reset", [True, False])
@given(
    surrogate=st.sampled_from(tuple(SURROGATES)),
    batch=batches,
    neurons=sizes,
    others=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    row=st.integers(-1, ROWS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    learns=st.booleans(),
    ahead=st.one_of(st.none(), st.integers(0, 3)),
    workers=worker_counts,
    rng=generators,
)
def test_step_back(
    run_vertex: RunVertex,
    reset: str,
    detach_reset: bool,
    surrogate: str,
    batch: int,
    neurons: int,
    others: tuple[int, int],
    row: int,
    gain: float,
    learns: bool,
    ahead: int | None,
    workers: int,
    rng: np.random.Generator,
) -> None:
    first, layer_size = others[0], others[0] + neurons + others[1]
    parameter, derivative = SURROGATES[surrogate]
    window = random_windows(rng, batch, layer_size)
    beta = rng.random(neurons).astype(np.float32)
    threshold = on_grid(rng, neurons)
    grad_threshold = threshold - on_grid(rng, neurons)  # a learnt threshold may lie below it
    if rng.random() < 0.3:
        grad_threshold[:] = -np.inf
    membrane = on_grid(rng, 1 + ROWS, batch, neurons)
    learnt = floats(rng, batch, 2, neurons)
    spike_grad, membrane_grad = floats(rng, batch, neurons), floats(rng, batch, neurons)
    # Of a layer with rows ahead the vertex changes a row of a history.
    history = floats(rng, 1 + ROWS + (ahead or 0), batch, neurons)
    current_grad = Output((batch, neurons), "float32") if ahead is None else InOut(history)
    vertex = "NeuronStepGrad" if ahead is None else "NeuronStepGradAhead"
    after = run_vertex(
        f"{vertex}<popsnn::Lif,{list(SURROGATES).index(surrogate)}>",
        {
            "spike_grad": spike_grad,
            "window": window,
            "row": scalar(row),
            "states": membrane,
            "parameters": np.stack([beta, threshold, grad_threshold]),
            "state_grad": InOut(membrane_grad),
            "current_grad": current_grad,
            "parameter_grad": [InOut(learnt)] if learns else [],
        },
        {
            "batch": batch,
            "neurons": neurons,
            "learnt": int(learns),
            "first_neuron": first,
            "layer_size": layer_size,
            "reset": RESETS.index(reset),
            "detach_reset": int(detach_reset),
            "surrogate_parameter": parameter,
            "gain": gain,
        },
        workers=workers,
    )
    v = membrane[history_row(row)].astype(np.float64)
    fired, subthreshold = v >= threshold, (v >= grad_threshold) & (v < threshold)
    spikes = fired & in_window(first, neurons, layer_size, window[:, 0], window[:, 1])
    active = spikes | (
        subthreshold & in_window(first, neurons, layer_size, window[:, 0], window[:, 2])
    )
    to_kept = beta * membrane_grad.astype(np.float64)  # dL/dr
    to_spikes = spike_grad.astype(np.float64)
    if not detach_reset:
        to_spikes = to_spikes - to_kept * {"zero": v, "subtract": threshold, "none": 0}[reset]
    expected = to_kept * (1 - spikes if reset == "zero" else 1)
    slope = np.where(active, derivative(v - threshold, parameter), 0)
    expected = expected + slope * to_spikes
    terms = (to_kept, slope * spike_grad, slope * to_kept * v, slope * to_kept * threshold)
    assert_close(after["state_grad"], expected, *terms)
    written = after["current_grad"] if ahead is None else after["current_grad"][history_row(row)]
    assert_close(written, gain * expected, *(gain * term for term in terms))
    if ahead is not None:
        history[history_row(row)] = written
        np.testing.assert_array_equal(after["current_grad"], history)
    saved = {"zero": v * (1 - spikes), "subtract": v - threshold * spikes, "none": v}[reset]
    of_beta = membrane_grad * saved
    of_threshold = -slope * to_spikes - (to_kept * spikes if reset == "subtract" else 0)
    for summed in after["parameter_grad"]:
        for k, gradient in enumerate((of_beta, of_threshold)):
            assert_close(summed[:, k], learnt[:, k] + gradient, learnt, gradient, *terms)


def test_surrogates_far_from_the_threshold(run_vertex: RunVertex) -> None:
    membrane = np.array([[[-1e4, 1e4]]] * 2, np.float32)
    ones = np.ones(2, np.float32)
    for index in range(len(SURROGATES)):
        after = run_vertex(
            f"NeuronStepGrad<popsnn::Lif,{index}>",
            {
                "spike_grad": ones[None],
                "window": np.array([[0, 2, 2]], np.uint32),
                "row": scalar(0),
                "states": membrane,
                "parameters": np.stack([ones, ones, -np.inf * ones]),
                "state_grad": InOut(np.zeros((1, 2), np.float32)),
                "current_grad": Output((1, 2), "float32"),
                "parameter_grad": [],
            },
            {
                "batch": 1,
                "neurons": 2,
                "learnt": 0,
                "first_neuron": 0,
                "layer_size": 2,
                "reset": 0,
                "detach_reset": 1,
                "surrogate_parameter": 1.0,
                "gain": 1.0,
            },
        )
        assert np.all(np.abs(after["state_grad"]) < 1e-7)
