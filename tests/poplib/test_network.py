from __future__ import annotations

import re

import pytest
from tests.poplib.networks import LIF, READOUT, layer, network, runner


@pytest.mark.parametrize(
    ("layers", "choices", "message"),
    [
        ([], {}, "network: expected at least one layer, got none"),
        (
            [LIF],
            {"steps": 0},
            "network: expected at least one step and one sample, got steps=0 and batch=2",
        ),
        (
            [LIF],
            {"batch": 0},
            "network: expected at least one step and one sample, got steps=3 and batch=0",
        ),
        ([LIF], {"input_capacity": 0}, "network: input_capacity: expected at least 1, got 0"),
        (
            [(0, 30, 10)],
            {},
            "network: layer 0: expected at least one input and one neuron, got 0 and 30",
        ),
        (
            [LIF, (30, 0)],
            {},
            "network: layer 1: expected at least one input and one neuron, got 30 and 0",
        ),
        (
            [LIF, (31, 5)],
            {},
            "network: layer 1: inputs: expected the 30 neurons of the layer before, got 31",
        ),
        (
            [(5, 5), (5, 5)],
            {},
            "network: layer 0: a leaky readout sends no spikes: expected it last",
        ),
        ([(20, 30, 0)], {}, "network: layer 0: capacity: expected 1 to 30, got 0"),
        ([(20, 30, 31)], {}, "network: layer 0: capacity: expected 1 to 30, got 31"),
    ],
)
def test_networks_that_cannot_be(
    layers: list[tuple[int, ...]], choices: dict[str, int], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        runner(network(*(layer(*sizes) for sizes in layers), **choices), tiles=8)


def test_delay_is_a_step_at_most() -> None:
    with pytest.raises(ValueError, match=r"^network: layer 0: delay: expected 0 or 1, got 2$"):
        runner(network(layer(*LIF, delay=2)), tiles=8)


def test_a_readout_is_not_recurrent() -> None:
    sentence = "network: layer 1: a leaky readout sends no spikes: expected it not recurrent"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        runner(network(layer(*LIF), layer(*READOUT, recurrent=True)), tiles=8)
