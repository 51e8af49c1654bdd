from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WEIGHT_TYPES,
    InOut,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    history_row,
    id_types,
    random_lists,
    scalar,
    sizes,
    sums_ahead,
    weight_types,
    worker_counts,
)
from tests.codelets.delays.delay_cases import two_parts

STEPS = 3


@given(
    id_type=id_types,
    weight_type=weight_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    padded_capacity=st.integers(1, 20),
    step=st.integers(0, STEPS - 1),
    row=st.integers(0, STEPS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    late=st.booleans(),
    rng=generators,
)
def test_step(
    run_vertex: RunVertex,
    id_type: str,
    weight_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    padded_capacity: int,
    step: int,
    row: int,
    gain: float,
    late: bool,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (batch,), padded_capacity, inputs, ID_TYPES[id_type])
    parts = two_parts(rng, lists.ids, lists.counts[:, 0])
    weights = floats(rng, inputs, neurons).astype(WEIGHT_TYPES[weight_type])
    bias = floats(rng, neurons)
    beta = rng.random(neurons).astype(np.float32)
    membrane = floats(rng, 1 + STEPS, batch, neurons)
    now = history_row(step)
    membrane[now:] = np.nan
    after = run_vertex(
        f"{'LiStepLate' if late else 'LiStep'}<{id_type},{weight_type}>",
        {
            "ids": parts.ids if late else lists.ids,
            "counts": parts.counts if late else lists.counts,
            "row": scalar(row),
            "first_step": scalar(step - row),
            "weights": weights,
            "bias": bias,
            "parameters": beta[None],
            "states": InOut(membrane),
        },
        {
            "batch": batch,
            "padded_capacity": parts.ids.shape[1] if late else padded_capacity,
            "neurons": neurons,
            "gain": gain,
            **({"earlier": parts.earlier} if late else {}),
        },
    )["states"]
    expected = gain * (lists.fired @ weights.astype(np.float64) + bias)
    expected += beta.astype(np.float64) * membrane[now - 1]
    assert_close(after[now], expected, gain * weights, gain * bias)
    membrane[now] = after[now]
    np.testing.assert_array_equal(after, membrane)


@given(
    id_type=id_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    padded_capacity=st.integers(1, 20),
    step=st.integers(0, STEPS - 1),
    row=st.integers(0, STEPS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    workers=worker_counts,
    rng=generators,
)
def test_sums_of_later_steps(
    run_vertex: RunVertex,
    id_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    padded_capacity: int,
    step: int,
    row: int,
    gain: float,
    workers: int,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (batch,), padded_capacity, inputs, ID_TYPES[id_type])
    weights, bias = floats(rng, inputs, neurons), floats(rng, neurons)
    ahead = sums_ahead(rng, step == 0, lists, weights, bias)
    beta = rng.random(neurons).astype(np.float32)
    states = floats(rng, 1 + STEPS + ahead.longest_delay, batch, neurons)
    now = history_row(step)
    coming = slice(now + 1, now + 1 + ahead.longest_delay)
    states[now] = ahead.before[0]
    states[coming] = ahead.before[1:]
    after = run_vertex(
        f"LiStepAhead<{id_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "delays": ahead.delays,
            "row": scalar(row),
            "first_step": scalar(step - row),
            "weights": weights,
            "bias": bias,
            "parameters": beta[None],
            "states": InOut(states),
        },
        {
            "batch": batch,
            "padded_capacity": padded_capacity,
            "longest_delay": ahead.longest_delay,
            "neurons": neurons,
            "gain": gain,
        },
        workers=workers,
    )["states"]
    expected = gain * ahead.after[0] + beta.astype(np.float64) * states[now - 1]
    assert_close(after[now], expected, gain * weights, gain * bias, gain * ahead.terms)
    assert_close(after[coming], ahead.after[1:], weights, bias, ahead.terms)
    states[now], states[coming] = after[now], after[coming]
    np.testing.assert_array_equal(after, states)


def test_ids_use_all_their_bits(run_vertex: RunVertex) -> None:
    inputs = 65536
    weights = np.arange(inputs, dtype=np.float32)[:, None]
    after = run_vertex(
        "LiStep<unsigned short,float>",
        {
            "ids": np.array([[1, 32768, 65535, 7]], np.uint16),
            "counts": np.array([[3, 4]], np.uint32),
            "row": scalar(0),
            "first_step": scalar(0),
            "weights": weights,
            "bias": np.zeros(1, np.float32),
            "parameters": np.ones((1, 1), np.float32),
            "states": InOut(np.zeros((2, 1, 1), np.float32)),
        },
        {"batch": 1, "padded_capacity": 4, "neurons": 1, "gain": 1.0},
    )
    assert after["states"][1].item() == 1 + 32768 + 65535
