from __future__ import annotations

import re
from typing import Any, Dict

import numpy as np
import pytest
from tests.poplib.networks import ADJOINT, core, layer, network, runner


def zeros(of: Any, program: str) -> Dict[str, np.ndarray]:
    return {name: np.zeros(shape, dtype) for name, (dtype, shape) in of.streams(program).items()}


@pytest.fixture(scope="module")
def small() -> Any:
    return runner(network(layer(20, 30, 10), layer(30, 5)), tiles=8)


def test_parameters_come_back(small: Any) -> None:
    rng = np.random.default_rng(0)
    written = {
        name: rng.standard_normal(array.shape).astype(array.dtype)
        for name, array in zeros(small, "write_parameters").items()
    }
    small.run("write_parameters", written)
    read = zeros(small, "read_parameters")
    small.run("read_parameters", read)
    for name, array in read.items():
        np.testing.assert_array_equal(array, written[name])


@pytest.mark.parametrize("replicas", [1, 2, 3])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_optimizer_state_comes_back(optimizer: str, replicas: int) -> None:
    spec = network(
        layer(20, 30, 10, recurrent=True),
        layer(30, 5, bias=False),
        batch=3,
        optimizer=optimizer,
    )
    device = runner(spec, tiles=8, replicas=replicas)
    rng = np.random.default_rng(0)
    written = {
        name: rng.standard_normal(array.shape).astype(array.dtype)
        for name, array in zeros(device, "write_optimizer").items()
    }
    states = {"sgd": 1, "adam": 2}[optimizer]
    trained = ("weights0", "recurrent_weights0", "bias0", "weights1")
    expected = [f"{name}_state{n}" for name in trained for n in range(states)]
    assert sorted(written) == sorted(expected)
    device.run("write_optimizer", written)
    read = zeros(device, "read_optimizer")
    device.run("read_optimizer", read)
    for name, array in read.items():
        np.testing.assert_array_equal(array, written[name])


def two_training_steps(spec: Any, tiles: int, rng: np.random.Generator) -> Dict[str, np.ndarray]:
    """Return how both have changed the weights."""
    device = runner(spec, tiles=tiles)

    def run(program: str, **values: np.ndarray) -> Dict[str, np.ndarray]:
        arrays = zeros(device, program)
        for name, value in values.items():
            arrays[name][...] = value
        device.run(program, arrays)
        return arrays

    def draws(program: str, prefix: str) -> Dict[str, np.ndarray]:
        shapes = {name: shape for name, (_, shape) in device.streams(program).items()}
        return {
            name: rng.standard_normal(shape).astype(np.float32)
            for name, shape in sorted(shapes.items())
            if name.startswith(prefix)
        }

    before = run("write_parameters", **draws("write_parameters", ""))
    parameters = np.array([0.8, 0.5, 0.1], np.float32)[:, None]
    run("write_neurons", **dict.fromkeys(zeros(device, "write_neurons"), parameters))
    run("write_optimizer")
    ids = zeros(device, "forward")["input_ids"]
    for row in ids.reshape(-1, ids.shape[-1]):
        row[:] = np.sort(rng.permutation(spec.layers[0].inputs)[: ids.shape[-1]])
    grads = draws("backward", "slot_grad")
    for _ in range(2):
        run("forward", input_ids=ids, input_counts=spec.input_capacity)
        run("backward", **grads)
        run("update", settings=0.5)
    assert run("read_counts")["counts0"].any()
    return {name: after - before[name] for name, after in run("read_parameters").items()}


@pytest.mark.parametrize("recurrent", [False, True])
@pytest.mark.parametrize("batch", [6, 12])
def test_shares_of_gradients_apart_from_the_neurons(batch: int, recurrent: bool) -> None:
    layers = [layer(400, 40, 20), layer(40, 40, 10, delay=1, recurrent=recurrent, observed=True)]
    choices = {"batch": batch, "steps": 5, "optimizer": "sgd"}
    spec = network(*layers, **choices)
    (_, apart), (_, others) = (runner(spec, tiles=tiles).layers for tiles in (32, 1))
    assert len(apart.partial_tiles) == apart.tiles
    assert others.partial_tiles == []
    got, expected = (two_training_steps(spec, n, np.random.default_rng(0)) for n in (32, 1))
    for name, change in expected.items():
        assert np.abs(change).max() > 0, name
        assert np.abs(got[name] - change).max() <= 1e-5 * np.abs(change).max(), name


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("recurrent", [False, True])
def test_rows_of_gradients_in_parts(delay: int, recurrent: bool) -> None:
    layers = [
        layer(40, 60, 20),
        layer(60, 60, 10, recurrent=recurrent),
        layer(60, 6, 4, delay=delay, observed=True),
    ]
    spec = network(*layers, batch=2, steps=5, optimizer="sgd")
    (many,), (few,) = (runner(spec, tiles=tiles).replicas for tiles in (60, 2))
    # Where a layer's spikes are read in two stages its rows are whole.
    whole = [False, recurrent and delay == 0, True]
    assert [not lists.row_tiles for lists in many.lists] == whole
    assert not any(lists.row_tiles for lists in few.lists)
    got, expected = (two_training_steps(spec, n, np.random.default_rng(0)) for n in (60, 2))
    for name, change in expected.items():
        assert np.abs(change).max() > 0, name
        assert np.abs(got[name] - change).max() <= 1e-5 * np.abs(change).max(), name


@pytest.mark.parametrize("segment", [0, 1])
def test_states_of_an_adjoint_come_and_go_with_their_spike(segment: int) -> None:
    carried = layer(3, 40, 40, model=ADJOINT.saving_spikes())
    device = runner(network(carried, steps=2, carries_state=True), segment=segment)
    rng = np.random.default_rng(0)
    beta, threshold = np.float32(0.5), np.float32(1.0)

    def run(program: str, **values: np.ndarray) -> Dict[str, np.ndarray]:
        arrays = zeros(device, program)
        for name, value in values.items():
            arrays[name][...] = value
        device.run(program, arrays)
        return arrays

    run("write_parameters")  # no input, no weights: the states decay
    run("write_neurons", parameters0=np.array([beta, threshold, -np.inf], np.float32)[:, None])
    v0 = rng.uniform(1.0, 4.0, (2, 40)).astype(np.float32)
    s0 = (rng.random((2, 40)) < 0.5).astype(np.float32)  # does not follow from v0
    grad = rng.standard_normal((2, 3, 40)).astype(np.float32)
    grad[:, 2] = 0  # of the spike, which is the same as the last that is saved
    run("forward", initial_state0=np.stack([v0, s0], 1))
    v1 = beta * (v0 - threshold * s0)
    s1 = v1 >= threshold
    v2 = beta * (v1 - threshold * s1)
    states = run("read_states")
    np.testing.assert_allclose(states["final_state0"][:, 0], v2, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(states["final_state0"][:, 1], v2 >= threshold)
    run("backward", final_grad0=grad)

    def through_spike(ds: np.ndarray, v: np.ndarray) -> np.ndarray:
        return ds / (10 * np.abs(v - threshold) + 1) ** 2

    d2 = grad[:, 0] + through_spike(grad[:, 1], v2)
    d1 = beta * d2 + through_spike(-beta * threshold * d2, v1)
    got = run("read_states")["initial_grad0"]
    np.testing.assert_allclose(got[:, 0], beta * d1, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got[:, 1], -beta * threshold * d1, rtol=1e-5, atol=1e-6)
    assert not got[:, 2].any()


@pytest.mark.parametrize("name", ["input_ids", "input_counts", "sequence", "output"])
def test_missing_buffer(small: Any, name: str) -> None:
    buffers = zeros(small, "forward")
    del buffers[name]
    with pytest.raises(ValueError, match=rf"^forward: expected a buffer '{name}', got none$"):
        small.run("forward", buffers)


@pytest.mark.parametrize(
    ("name", "array", "kind", "message"),
    [
        ("sequence", np.zeros(3, np.uint32), ValueError, "expected shape (2,), got (3,)"),
        (
            "input_ids",
            np.zeros((3, 2, 3), np.uint16),
            ValueError,
            "expected shape (3, 2, 4), got (3, 2, 3)",
        ),
        ("input_ids", np.zeros((3, 2, 4), np.uint32), TypeError, "expected uint16, got uint32"),
        ("sequence", np.zeros(2, np.int32), TypeError, "expected uint32, got int32"),
        ("output", np.zeros((3, 2, 5)), TypeError, "expected float32, got float64"),
        (
            "output",
            np.zeros((3, 2, 10), np.float32)[..., ::2],
            ValueError,
            "expected a contiguous row-major array, got strides",
        ),
    ],
)
def test_buffer_that_does_not_fit(
    small: Any, name: str, array: Any, kind: type[Exception], message: str
) -> None:
    sentence = f"forward: buffer '{name}': {message}"
    with pytest.raises(kind, match=f"^{re.escape(sentence)}$"):
        small.run("forward", {**zeros(small, "forward"), name: array})


def test_results_need_memory_that_can_be_written(small: Any) -> None:
    buffers = zeros(small, "forward")
    buffers["output"].flags.writeable = False
    with pytest.raises(
        ValueError,
        match=r"^forward: buffer 'output': expected an array to write to, got a read-only one$",
    ):
        small.run("forward", buffers)


def test_inputs_may_be_read_only(small: Any) -> None:
    buffers = zeros(small, "forward")
    buffers["input_ids"].flags.writeable = False
    small.run("forward", buffers)


def test_buffers_of_no_stream_are_left_alone(small: Any) -> None:
    other = np.full(3, 7.0)
    small.run("forward", {**zeros(small, "forward"), "other": other})
    assert other.tolist() == [7.0] * 3


@pytest.mark.parametrize("call", ["run", "streams"])
def test_unknown_program(small: Any, call: str) -> None:
    arguments = ("sideways", {}) if call == "run" else ("sideways",)
    with pytest.raises(
        ValueError, match=r"^Runner: program: expected a known name, got 'sideways'$"
    ):
        getattr(small, call)(*arguments)


def test_without_codelets() -> None:
    with pytest.raises(RuntimeError, match=r"nowhere\.gp.*expected a file"):
        core.Runner(network(layer(20, 30, 10)), "nowhere.gp", tiles=8)
