from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    RESETS,
    InOut,
    Output,
    RunVertex,
    assert_close,
    batches,
    bit_masks,
    floats,
    generators,
    id_types,
    in_window,
    on_grid,
    random_lists,
    random_windows,
    scalar,
    sizes,
)

STEPS = 3


@pytest.mark.parametrize("reset", RESETS)
@given(
    id_type=id_types,
    batch=batches,
    neurons=sizes,
    others=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    inputs=sizes,
    slots=st.integers(1, 20),
    step=st.integers(0, STEPS - 1),
    spare_words=st.integers(0, 1),
    gain=st.sampled_from((1.0, 0.25)),
    rng=generators,
)
def test_step(
    run_vertex: RunVertex,
    reset: str,
    id_type: str,
    batch: int,
    neurons: int,
    others: tuple[int, int],
    inputs: int,
    slots: int,
    step: int,
    spare_words: int,
    gain: float,
    rng: np.random.Generator,
) -> None:
    first, layer_size = others[0], others[0] + neurons + others[1]
    words = (neurons + 31) // 32 + spare_words
    lists = random_lists(rng, (batch,), slots, inputs, ID_TYPES[id_type])
    window = random_windows(rng, batch, layer_size)
    weights, bias = floats(rng, inputs, neurons), floats(rng, neurons)
    beta = rng.random(neurons).astype(np.float32)
    threshold = on_grid(rng, neurons)
    grad_threshold = threshold - np.abs(on_grid(rng, neurons))
    if rng.random() < 0.3:
        grad_threshold[:] = -np.inf
    membrane = on_grid(rng, STEPS, batch, neurons)
    membrane[step:] = np.nan
    after = run_vertex(
        f"LifStep<{id_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "window": window,
            "step": scalar(step),
            "weights": weights,
            "bias": bias,
            "beta": beta,
            "threshold": threshold,
            "grad_threshold": grad_threshold,
            "membrane": InOut(membrane),
            "masks": Output((batch, 2, words), "uint32"),
        },
        {
            "batch": batch,
            "slots": slots,
            "neurons": neurons,
            "first_neuron": first,
            "layer_size": layer_size,
            "words": words,
            "reset": RESETS.index(reset),
            "gain": gain,
        },
    )
    expected = gain * (lists.fired @ weights.astype(np.float64) + bias)
    if step > 0:
        previous = membrane[step - 1].astype(np.float64)
        place = in_window(first, neurons, layer_size, window[:, 0], window[:, 1])
        spikes = (previous >= threshold) & place
        kept = {
            "zero": previous * (1 - spikes),
            "subtract": previous - threshold * spikes,
            "none": previous,
        }[reset]
        expected += beta * kept
    v = after["membrane"][step]
    assert_close(v, expected, gain * weights, gain * bias, membrane[:step])
    fired = v >= threshold
    np.testing.assert_array_equal(after["masks"][:, 0], bit_masks(fired, words))
    above = (v >= grad_threshold) & ~fired
    np.testing.assert_array_equal(after["masks"][:, 1], bit_masks(above, words))
    membrane[step] = v
    np.testing.assert_array_equal(after["membrane"], membrane)


def test_membrane_at_the_thresholds(run_vertex: RunVertex) -> None:
    one, half, zero = np.float32(1), np.float32(0.5), np.float32(0)
    after = run_vertex(
        "LifStep<unsigned int>",
        {
            "ids": np.zeros((1, 2), np.uint32),
            "counts": np.zeros((1, 2), np.uint32),
            "window": np.array([[0, 4, 4]], np.uint32),
            "step": scalar(0),
            "weights": np.zeros((1, 4), np.float32),
            "bias": np.array([one, np.nextafter(one, zero), half, np.nextafter(half, zero)]),
            "beta": np.ones(4, np.float32),
            "threshold": np.ones(4, np.float32),
            "grad_threshold": np.full(4, 0.5, np.float32),
            "membrane": InOut(np.zeros((1, 1, 4), np.float32)),
            "masks": Output((1, 2, 1), "uint32"),
        },
        {
            "batch": 1,
            "slots": 2,
            "neurons": 4,
            "first_neuron": 0,
            "layer_size": 4,
            "words": 1,
            "reset": 0,
            "gain": 1.0,
        },
    )
    assert after["masks"].ravel().tolist() == [0b0001, 0b0110]
