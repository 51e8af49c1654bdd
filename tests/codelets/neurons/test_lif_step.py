from __future__ import annotations

from typing import Any, Dict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    MASK_BITS,
    RESETS,
    WEIGHT_TYPES,
    Array,
    InOut,
    Output,
    RunVertex,
    assert_close,
    batches,
    bit_masks,
    floats,
    generators,
    history_row,
    id_types,
    in_window,
    mask_bits,
    on_grid,
    packed_masks,
    random_lists,
    random_windows,
    scalar,
    sizes,
    sums_ahead,
    weight_types,
    worker_counts,
)
from tests.codelets.delays.delay_cases import two_parts

ROWS = 3


@st.composite
def layouts(draw: st.DrawFn, neurons: int) -> Dict[str, int]:
    """Draw how a layer's masks are packed, of whose tiles the present tile may be the smallest."""
    bits = mask_bits(neurons + draw(st.integers(0, 2)))
    if bits == MASK_BITS:
        halves = (neurons + 31) // 32 + draw(st.integers(0, 1))
        return {"bits": bits, "words": 2 * halves, "samples_per_row": 1}
    most = (MASK_BITS // (2 * bits)).bit_length()
    return {"bits": bits, "words": 1, "samples_per_row": 1 << draw(st.integers(0, most - 1))}


def expected_masks(fired: Array, above: Array, layout: Dict[str, int]) -> Array:
    """Return the masks [rows, words] that tell of flags [batch, neurons]."""
    if layout["bits"] < MASK_BITS:
        return packed_masks(fired, above, layout["bits"], layout["samples_per_row"])
    half = layout["words"] // 2
    return np.concatenate([bit_masks(fired, half), bit_masks(above, half)], 1)


@pytest.mark.parametrize("reset", RESETS)
@given(
    id_type=id_types,
    weight_type=weight_types,
    batch=batches,
    neurons=sizes,
    others=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    inputs=st.lists(sizes, min_size=1, max_size=2),
    row=st.integers(0, ROWS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    late=st.booleans(),
    data=st.data(),
    rng=generators,
)
def test_step(
    run_vertex: RunVertex,
    reset: str,
    id_type: str,
    weight_type: str,
    batch: int,
    neurons: int,
    others: tuple[int, int],
    inputs: list[int],
    row: int,
    gain: float,
    late: bool,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    first, layer_size = others[0], others[0] + neurons + others[1]
    layout = data.draw(layouts(neurons))
    padded_capacity = [data.draw(st.integers(1, 20)) for _ in inputs]
    sources = [
        random_lists(rng, (batch,), of_list, size, ID_TYPES[id_type])
        for of_list, size in zip(padded_capacity, inputs)
    ]
    # Of a layer that reads spikes late, a source may be read at once.
    read = [(lists.ids, lists.counts) for lists in sources]
    rooms = [[capacity] for capacity in padded_capacity]
    for source, lists in enumerate(sources if late else []):
        rooms[source].append(0)
        if rng.random() < 0.7:
            parts = two_parts(rng, lists.ids, lists.counts[:, 0])
            read[source], rooms[source] = parts[:2], [parts.ids.shape[1], parts.earlier]
    model = "popsnn::LateModel<popsnn::Lif>" if late else "popsnn::Lif"
    window = random_windows(rng, batch, layer_size)
    weights = [floats(rng, n, neurons).astype(WEIGHT_TYPES[weight_type]) for n in inputs]
    bias = floats(rng, neurons)
    beta = rng.random(neurons).astype(np.float32)
    threshold = on_grid(rng, neurons)
    grad_threshold = threshold - on_grid(rng, neurons)  # a learnt threshold may lie below it
    if rng.random() < 0.3:
        grad_threshold[:] = -np.inf
    membrane = on_grid(rng, 1 + ROWS, batch, neurons)
    now = history_row(row)
    membrane[now:] = np.nan
    rows = -(-batch // layout["samples_per_row"])
    after = run_vertex(
        f"NeuronStep<{model},{id_type},{weight_type}>",
        {
            "ids": [ids for ids, _ in read],
            "counts": [counts for _, counts in read],
            "weights": weights,
            "window": window,
            "row": scalar(row),
            "bias": bias,
            "parameters": np.stack([beta, threshold, grad_threshold]),
            "states": InOut(membrane),
            "masks": Output((rows, layout["words"]), "uint32"),
        },
        {
            "padded_capacity": np.array(rooms, np.uint32).ravel(),
            "batch": batch,
            "neurons": neurons,
            "first_neuron": first,
            "layer_size": layer_size,
            "reset": RESETS.index(reset),
            "gain": gain,
            **layout,
        },
    )
    products = [lists.fired @ matrix.astype(np.float64) for lists, matrix in zip(sources, weights)]
    previous = membrane[now - 1].astype(np.float64)
    place = in_window(first, neurons, layer_size, window[:, 0], window[:, 1])
    spikes = (previous >= threshold) & place
    saved = {
        "zero": previous * (1 - spikes),
        "subtract": previous - threshold * spikes,
        "none": previous,
    }[reset]
    expected = gain * (sum(products) + bias) + beta * saved
    v = after["states"][now]
    assert_close(v, expected, gain * bias, membrane[:now], *(gain * weight for weight in weights))
    fired = v >= threshold
    subthreshold = (v >= grad_threshold) & ~fired
    np.testing.assert_array_equal(after["masks"], expected_masks(fired, subthreshold, layout))
    membrane[now] = v
    np.testing.assert_array_equal(after["states"], membrane)


@pytest.mark.parametrize("reset", RESETS)
@given(
    id_type=id_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    padded_capacity=st.integers(1, 20),
    row=st.integers(0, ROWS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_sums_of_later_steps(
    run_vertex: RunVertex,
    reset: str,
    id_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    padded_capacity: int,
    row: int,
    gain: float,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    layout = data.draw(layouts(neurons))
    lists = random_lists(rng, (batch,), padded_capacity, inputs, ID_TYPES[id_type])
    weights, bias = floats(rng, inputs, neurons), floats(rng, neurons)
    ahead = sums_ahead(rng, row == 0, lists, weights, bias)
    window = random_windows(rng, batch, neurons)
    beta, threshold = rng.random(neurons).astype(np.float32), on_grid(rng, neurons)
    grad_threshold = threshold - np.abs(on_grid(rng, neurons))
    states = on_grid(rng, 1 + ROWS + ahead.longest_delay, batch, neurons)
    now = history_row(row)
    coming = slice(now + 1, now + 1 + ahead.longest_delay)
    states[now] = ahead.before[0]
    states[coming] = ahead.before[1:]
    rows = -(-batch // layout["samples_per_row"])
    after = run_vertex(
        f"NeuronStepAhead<popsnn::Lif,{id_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "delays": ahead.delays,
            "weights": weights,
            "window": window,
            "row": scalar(row),
            "bias": bias,
            "parameters": np.stack([beta, threshold, grad_threshold]),
            "states": InOut(states),
            "masks": Output((rows, layout["words"]), "uint32"),
        },
        {
            "padded_capacity": padded_capacity,
            "longest_delay": ahead.longest_delay,
            "batch": batch,
            "neurons": neurons,
            "first_neuron": 0,
            "layer_size": neurons,
            "reset": RESETS.index(reset),
            "gain": gain,
            **layout,
        },
        workers=workers,
    )
    previous = states[now - 1].astype(np.float64)
    place = in_window(0, neurons, neurons, window[:, 0], window[:, 1])
    spikes = (previous >= threshold) & place
    saved = {
        "zero": previous * (1 - spikes),
        "subtract": previous - threshold * spikes,
        "none": previous,
    }[reset]
    v, sums = after["states"][now], after["states"][coming]
    expected = gain * ahead.after[0] + beta * saved
    assert_close(v, expected, gain * bias, states[now - 1], gain * weights, gain * ahead.terms)
    assert_close(sums, ahead.after[1:], weights, bias, ahead.terms)
    fired = v >= threshold
    subthreshold = (v >= grad_threshold) & ~fired
    np.testing.assert_array_equal(after["masks"], expected_masks(fired, subthreshold, layout))
    states[now], states[coming] = v, sums
    np.testing.assert_array_equal(after["states"], states)


def run_four_neurons(run_vertex: RunVertex, currents: Array) -> Any:
    """Return the masks of four neurons of threshold 1 and a second one of a half."""
    ones = np.ones(4, np.float32)
    after = run_vertex(
        "NeuronStep<popsnn::Lif,unsigned int,float>",
        {
            "ids": [np.zeros((1, 2), np.uint32)],
            "counts": [np.zeros((1, 2), np.uint32)],
            "weights": [np.zeros((1, 4), np.float32)],
            "window": np.array([[0, 4, 4]], np.uint32),
            "row": scalar(0),
            "bias": currents,
            "parameters": np.stack([ones, ones, ones / 2]),
            "states": InOut(np.zeros((2, 1, 4), np.float32)),
            "masks": Output((1, 1), "uint32"),
        },
        {
            "padded_capacity": np.array([2], np.uint32),
            "batch": 1,
            "neurons": 4,
            "first_neuron": 0,
            "layer_size": 4,
            "bits": 4,
            "words": 1,
            "samples_per_row": 4,
            "reset": 0,
            "gain": 1.0,
        },
    )
    return after["masks"].item()


def test_membrane_at_the_thresholds(run_vertex: RunVertex) -> None:
    unit, half, zero = np.float32(1), np.float32(0.5), np.float32(0)
    below_one, below_half = np.nextafter(unit, zero), np.nextafter(half, zero)
    masks = run_four_neurons(run_vertex, np.array([unit, below_one, half, below_half]))
    assert masks == 0b0001 | 0b0110 << 4


def test_membranes_that_are_no_numbers_are_listed_for_their_gradient(
    run_vertex: RunVertex,
) -> None:
    currents = np.array([np.nan, 0, 2, -np.nan], np.float32)
    assert run_four_neurons(run_vertex, currents) == 0b0100 | 0b1001 << 4
