from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any, Dict, List

import pytest
from tests.poplib.networks import LIF, READOUT, layer, network, runner

from popsnn._internal.spec import LayerSpec, ModelSpec, NetworkSpec


class Read:
    """A record that notes which of its fields somebody reads."""

    def __init__(self, record: Any, read: Dict[str, List[str]]) -> None:
        self._record, self._read = record, read.setdefault(type(record).__name__, [])
        self._all = read

    def __getattr__(self, name: str) -> Any:
        self._read.append(name)
        value = getattr(self._record, name)
        if isinstance(value, tuple):
            return tuple(Read(each, self._all) for each in value)
        return Read(value, self._all) if hasattr(value, "__dataclass_fields__") else value


def test_python_and_native_part_describe_a_network_by_the_same_fields() -> None:
    model = ModelSpec("popsnn::Lif", "", 1, 3, 2, 10, 11, 12, 13, 0)
    spec = network(replace(layer(*LIF), model=model))
    read: Dict[str, List[str]] = {}
    runner(Read(spec, read), tiles=8)
    for record in (NetworkSpec, LayerSpec, ModelSpec):
        assert read[record.__name__] == [field.name for field in fields(record)]


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        ({"reset": "half"}, ValueError, "reset: expected one of zero, subtract, none, got 'half'"),
        ({"kind": "LIF"}, ValueError, "kind: expected one of SparseLif, LeakyReadout, got 'LIF'"),
        ({"inputs": -1}, TypeError, "inputs: expected a number of its range, got -1"),
        ({"gain": "1"}, TypeError, "gain: expected a number of its range, got '1'"),
        ({"reset": 0}, TypeError, "reset: expected a string, got 0"),
    ],
)
def test_fields_that_cannot_be(
    change: Dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=f"^LayerSpec: {re.escape(sentence)}$"):
        runner(network(replace(layer(*LIF), **change)), tiles=8)


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


@pytest.mark.parametrize(
    ("delays", "sentence"),
    [
        (
            {"recurrent_dendritic": 3},
            "recurrent_dendritic: expected 0 without recurrent weights, got 3",
        ),
        ({"recurrent_axonal": 3}, "recurrent_axonal: expected 0 without recurrent weights, got 3"),
        ({"axonal": 3, "arrivals": 4}, "axonal: expected 0 of the network's input, got 3"),
        (
            {"arrivals": 4},
            "arrivals: expected some exactly where a source has axonal delays, got 4 of source 0",
        ),
        (
            {"recurrent": True, "recurrent_axonal": 3, "recurrent_arrivals": 31},
            "arrivals: expected at most the 30 neurons of a source, got 31 of source 1",
        ),
        (
            {"straight_through": 1},
            "straight_through: expected sources with axonal or synaptic delays, got source 0 "
            "without",
        ),
        ({"synaptic": 1}, "synaptic: expected sources with delays, got source 0 without"),
        (
            {"dendritic": 2, "synaptic": 1, "whole_delays": 1},
            "whole_delays, learnt_delays: expected one of them where a source has dendritic "
            "delays, got source 0 with 1",
        ),
        (
            {"whole_delays": 1},
            "whole_delays, learnt_delays: expected one of them where a source has dendritic "
            "delays, got source 0 with 1",
        ),
        (
            {"dendritic": 2, "whole_delays": 1, "learnt_delays": 1},
            "whole_delays, learnt_delays: expected one of them where a source has dendritic "
            "delays, got source 0 with 2",
        ),
    ],
)
def test_delays_that_cannot_be(delays: Dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^network: layer 0: {re.escape(sentence)}$"):
        runner(network(layer(*LIF, **delays)), tiles=8)


def test_samples_of_a_layer_with_a_ring_have_ids_of_16_bits() -> None:
    sentence = "network: layer 0: delays: expected a batch of at most 65536, got 65537"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        runner(network(layer(*LIF, dendritic=2, whole_delays=1), batch=65537), tiles=8)


def test_what_is_learnt_has_bounds() -> None:
    sentence = (
        "network: layer 0: lowest, highest: expected bounds of the 1 parameters that the optimizer "
        "learns, got 2 and 1"
    )
    learns = layer(*LIF, learnt=2, lowest=(0.0, 0.0), highest=(1.0,))
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        runner(network(learns), tiles=8)


def test_a_readout_is_not_recurrent() -> None:
    sentence = "network: layer 1: a leaky readout sends no spikes: expected it not recurrent"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        runner(network(layer(*LIF), layer(*READOUT, recurrent=True)), tiles=8)
