from __future__ import annotations

import pytest
from tests.poplib.networks import ADJOINT, LIF, READOUT, layer, network, runner


@pytest.mark.parametrize(("neurons", "dtype"), [(65536, "uint16"), (65537, "uint32")])
def test_width_of_ids_follows_the_largest_layer(neurons: int, dtype: str) -> None:
    streams = runner(network(layer(1, neurons, 1), steps=1, batch=1)).streams
    assert streams("forward")["input_ids"] == (dtype, (1, 1, 4))
    assert streams("read_spikes")["ids0"] == (dtype, (1, 1, 4))


def test_streams_have_the_shapes_of_the_network() -> None:
    spec = network(
        layer(*LIF, recurrent=True, learns=True, observed=True),
        layer(*READOUT, learns=True),
        input_gradient=True,
        input_capacity=5,
        carries_state=True,
    )
    streams = runner(spec, tiles=8).streams
    assert streams("forward") == {
        "input_ids": ("uint16", (3, 2, 8)),  # whole words
        "input_counts": ("uint32", (3, 2, 2)),
        "initial_input_ids": ("uint16", (2, 8)),
        "initial_input_counts": ("uint32", (2, 2)),
        "sequence": ("uint32", (2,)),
        "initial_state0": ("float32", (2, 1, 30)),
        "initial_ids0": ("uint16", (2, 12)),
        "initial_counts0": ("uint32", (2, 2)),
        "initial_state1": ("float32", (2, 1, 5)),
        "output": ("float32", (3, 2, 5)),
    }
    assert streams("backward") == {
        "output_grad": ("float32", (3, 2, 5)),
        "slot_grad0": ("float32", (3, 2, 12)),
        "final_grad0": ("float32", (2, 1, 30)),
        "final_grad1": ("float32", (2, 1, 5)),
        "first_current_grad0": ("float32", (2, 30)),
        "input_grad": ("float32", (3, 2, 8)),
    }
    assert streams("read_states") == {
        "final_state0": ("float32", (2, 1, 30)),
        "initial_grad0": ("float32", (2, 1, 30)),
        "final_state1": ("float32", (2, 1, 5)),
        "initial_grad1": ("float32", (2, 1, 5)),
    }
    assert streams("write_parameters") == {
        "weights0": ("float32", (20, 30)),
        "recurrent_weights0": ("float32", (30, 30)),
        "bias0": ("float32", (1, 30)),
        "weights1": ("float32", (30, 5)),
        "bias1": ("float32", (1, 5)),
    }
    assert streams("write_neurons") == {
        "parameters0": ("float32", (3, 30)),
        "parameters1": ("float32", (1, 5)),
    }
    assert streams("read_gradients") == {
        **streams("write_parameters"),
        "parameters0": ("float32", (2, 30)),
        "parameters1": ("float32", (1, 5)),
    }


def test_streams_of_what_nobody_wants_are_not_there() -> None:
    streams = runner(network(layer(*LIF), layer(*READOUT)), tiles=8).streams
    assert set(streams("forward")) == {"input_ids", "input_counts", "sequence", "output"}
    assert set(streams("backward")) == {"output_grad"}
    assert streams("read_states") == {}


def test_states_have_the_spike_where_there_is_an_adjoint() -> None:
    model = ADJOINT.saving_spikes()
    spec = network(layer(*LIF, model=model), layer(*READOUT), carries_state=True)
    streams = runner(spec, tiles=8).streams
    assert streams("forward")["initial_state0"] == ("float32", (2, 2, 30))
    assert streams("backward")["final_grad0"] == ("float32", (2, 3, 30))
    assert streams("read_states")["final_state0"] == ("float32", (2, 2, 30))
    assert streams("read_states")["initial_grad0"] == ("float32", (2, 3, 30))
