from __future__ import annotations

import collections
import re
from dataclasses import replace
from typing import Any, Dict, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.poplib.networks import ADJOINT, core, delayed, layer, network, runner, stacks


@st.composite
def planned(draw: st.DrawFn) -> Tuple[Any, Dict[str, Any]]:
    """Draw a network and what is asked of its plan."""
    carries_state = draw(st.booleans())
    adjoint = ADJOINT.saving_spikes() if carries_state else ADJOINT
    layers = [
        replace(
            layer,
            recurrent=layer.spikes and draw(st.booleans()),
            learns=draw(st.booleans()),
            model=draw(st.sampled_from((None, adjoint))),
        )
        for layer in draw(stacks())
    ]
    layers = draw(delayed(layers, carries_state))
    has_delays = [
        any((layer.dendritic, layer.recurrent_dendritic, layer.arrivals, layer.recurrent_arrivals))
        for layer in layers
    ]
    steps, batch = draw(st.integers(1, 20)), draw(st.integers(1, 13))
    spec = network(
        *layers,
        steps=steps,
        batch=batch,
        input_gradient=draw(st.booleans()),
        carries_state=carries_state,
        optimizer=draw(st.sampled_from(("none", "sgd", "adam"))),
    )
    return spec, {
        "tiles": draw(st.integers(4, 20)),
        "replicas": draw(st.integers(0, min(4, batch))),
        "segment": draw(st.integers(0, steps)),
        "sizes": draw(st.integers(0, 4)),
        "dense": tuple(
            "auto" if delays else draw(st.sampled_from(("auto", True, False)))
            for delays in has_delays
        ),
        "rows_ahead": draw(st.sampled_from(("auto", True, False))),
    }


@given(case=planned())
def test_error_of_a_full_tile_says_how_many_bytes_are_enough(
    case: Tuple[Any, Dict[str, Any]],
) -> None:
    spec, choices = case
    neurons = sum(layer.neurons for layer in spec.layers)
    sentence = (
        rf"plan: a network of {neurons} neurons, {spec.steps} steps and batch {spec.batch} needs "
        rf"(\d+) bytes on tile \d+, each of the device's {choices['tiles']} tiles holds 1$"
    )
    with pytest.raises(RuntimeError, match=sentence) as info:
        runner(spec, bytes_per_tile=1, **choices)
    needed = int(re.findall(r"needs (\d+)", str(info.value))[0])
    runner(spec, bytes_per_tile=needed, **choices)


@pytest.mark.parametrize(("optimizer", "replicas"), [("none", 1), ("sgd", 2), ("adam", 3)])
def test_weights_of_16_bits_take_half_of_the_room(optimizer: str, replicas: int) -> None:
    def needed(half_weights: bool) -> int:
        spec = network(
            layer(1000, 8, 4, half_weights=half_weights),
            batch=3,
            steps=3000,  # states need more than what has to lie in interleaved memory
            optimizer=optimizer,
        )
        with pytest.raises(RuntimeError) as info:
            runner(spec, tiles=replicas, replicas=replicas, bytes_per_tile=1)
        return int(re.findall(r"needs (\d+)", str(info.value))[0])

    # In addition to its state each replica saves what rounding took from its range.
    rest = 0 if optimizer == "none" else 2 / replicas
    # It has the code of two updates: that of its bias is of floats.
    names = {"sgd": "SgdUpdate<half>", "adam": "AdamUpdate<half>"}
    code = core.codelet_sizes()[names[optimizer]] if optimizer in names else 0
    assert needed(False) - needed(True) + code == pytest.approx(1000 * 8 * (2 - rest), rel=0.01)


def interleaved_bytes(layers: list[Any], made: Any) -> list[int]:
    """Return the bytes of weights and gradients of each tile that has any.

    Of rows ahead gradients alone lie in interleaved memory, with the states.
    """
    tiles: collections.Counter[int] = collections.Counter()
    for spec, plan, ahead in zip(layers, made.layers, made.rows_ahead):
        rows = spec.inputs + spec.recurrent * spec.neurons
        for tile in range(plan.tiles):
            neurons = min(plan.neurons_per_tile, spec.neurons - tile * plan.neurons_per_tile)
            tiles[plan.first_tile + tile] += (1 if ahead else 2) * 4 * rows * neurons
    return list(tiles.values())


@given(case=planned())
def test_estimate_of_memory_is_near_the_count(case: Tuple[Any, Dict[str, Any]]) -> None:
    spec, choices = case
    made = runner(spec, **choices)
    estimate, count = max(made.planned_bytes_per_tile), max(made.bytes_per_tile)
    # Weights and gradients lie in the two thirds of a tile that are interleaved.
    count = max(count, max(interleaved_bytes(spec.layers, made)) * 3 // 2)
    # Vertices' states are estimated high, and are much of a small network.
    few = 2048 * (1 + sum(2 if layer.recurrent else 1 for layer in spec.layers))
    # Sums over the patterns of eight samples may lie where states lay that are counted apart.
    few += max(4 * 256 * layer.neurons_per_tile * any(layer.dense) for layer in made.layers)
    assert 0.6 * count <= estimate <= 1.1 * count + few


def test_what_is_interleaved_does_not_outgrow_its_part_of_a_tile() -> None:
    layers = [layer(100, 100, 2), layer(100, 400, 8, delay=1), layer(400, 100, 2, delay=1)]
    spec = network(*layers, steps=20, batch=16, input_capacity=8)
    choices = {"tiles": 40, "replicas": 1, "segment": 20, "sizes": 1}
    with pytest.raises(RuntimeError, match="needs") as info:
        runner(spec, bytes_per_tile=1, **choices)
    needed = int(re.findall(r"needs (\d+)", str(info.value))[0])
    made = runner(spec, bytes_per_tile=needed, **choices)
    assert max(interleaved_bytes(layers, made)) <= needed * 2 / 3


def bytes_of_data(made: Any) -> Any:
    """Return the bytes of each tile but for code and stacks, by the emulator's count."""
    kinds = made.profile()["bytes_per_tile"]
    return sum(np.array(kinds[kind]) for kind in kinds if kind not in ("vertex code", "stacks"))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("neurons", [6000, 24000])
def test_blocks_of_masks_have_room_on_the_tiles_that_scan_them(neurons: int, late: bool) -> None:
    """Of a layer on many tiles, whose blocks need more than anything else on theirs."""
    delays = {"axonal": 3, "arrivals": 16, "undelayed": neurons} if late else {}
    spec = network(layer(4, neurons, 8), layer(neurons, 2, delay=1, **delays), batch=1)
    choices = {"replicas": 1, "sizes": 1, "segment": 3, "rows_ahead": False}
    made = runner(spec, tiles=1400, **choices, instrument=True)
    assert np.all(bytes_of_data(made) <= made.planned_bytes_per_tile)


def test_ids_of_masks_lie_where_a_backward_pass_has_copies_of_weights() -> None:
    spec = network(
        layer(40, 300, 10),
        layer(300, 300, 10, delay=1, observed=True),
        batch=4,
        steps=60,
        input_capacity=12,
    )
    choices = {"tiles": 62, "replicas": 1, "sizes": 1, "segment": 60, "instrument": True}
    made, together = runner(spec, **choices), runner(spec, **choices, remote_partials=False)
    (replica,) = made.replicas
    second = replica.layers[1]
    assert second.neurons_per_tile == together.layers[1].neurons_per_tile
    more = np.subtract(made.planned_bytes_per_tile, together.planned_bytes_per_tile)
    with_list = {tile for tile, _ in replica.lists[0].ranges} & set(second.partial_tiles)
    others = set(second.partial_tiles) - with_list
    ids = 4 * 300  # of a sample's blocks, at least
    assert max(more[tile] for tile in with_list) + ids <= max(more[tile] for tile in others)
    assert np.all(bytes_of_data(made) <= made.planned_bytes_per_tile)
