from __future__ import annotations

import collections
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.poplib.networks import core, layer, network, runner, stacks


@given(
    layers=stacks(),
    tiles=st.integers(4, 20),
    steps=st.integers(1, 20),
    batch=st.integers(1, 13),
    input_gradient=st.booleans(),
    optimizer=st.sampled_from(("none", "sgd", "adam")),
)
def test_error_of_a_full_tile_says_how_many_bytes_are_enough(
    layers: list[Any], tiles: int, steps: int, batch: int, input_gradient: bool, optimizer: str
) -> None:
    spec = network(
        *layers,
        steps=steps,
        batch=batch,
        input_gradient=input_gradient,
        optimizer=core.Optimizer.__members__[optimizer],
    )
    neurons = sum(one.neurons for one in layers)
    sentence = (
        rf"plan: a network of {neurons} neurons, {steps} steps and batch {batch} needs (\d+) bytes "
        rf"on tile \d+, each of the device's {tiles} tiles holds %d$"
    )
    with pytest.raises(RuntimeError, match=sentence % 1) as info:
        runner(spec, tiles=tiles, bytes_per_tile=1)
    needed = int(re.findall(r"needs (\d+)", str(info.value))[0])
    runner(spec, tiles=tiles, bytes_per_tile=needed)


@pytest.mark.parametrize(("optimizer", "replicas"), [("none", 1), ("sgd", 2), ("adam", 3)])
def test_weights_of_16_bits_take_half_of_the_room(optimizer: str, replicas: int) -> None:
    def needed(half_weights: bool) -> int:
        spec = network(
            layer(1000, 8, 4, half_weights=half_weights),
            batch=3,
            steps=3000,  # states need more than what has to lie in interleaved memory
            optimizer=core.Optimizer.__members__[optimizer],
        )
        with pytest.raises(RuntimeError) as info:
            runner(spec, tiles=replicas, replicas=replicas, bytes_per_tile=1)
        return int(re.findall(r"needs (\d+)", str(info.value))[0])

    # Beside the optimizer's state each replica keeps what rounding took from its stretch.
    rest = 0 if optimizer == "none" else 2 / replicas
    assert needed(False) - needed(True) == pytest.approx(1000 * 8 * (2 - rest), rel=0.01)


def interleaved_bytes(layers: list[Any], plans: list[Any]) -> list[int]:
    """Return the bytes of weights and gradients of each tile that has any."""
    tiles: collections.Counter[int] = collections.Counter()
    for spec, plan in zip(layers, plans):
        rows = spec.inputs + spec.recurrent * spec.neurons
        for tile in range(plan.tiles):
            neurons = min(plan.neurons_per_tile, spec.neurons - tile * plan.neurons_per_tile)
            tiles[plan.first_tile + tile] += 2 * 4 * rows * neurons
    return list(tiles.values())


@given(
    layers=stacks(),
    tiles=st.integers(4, 20),
    steps=st.integers(1, 20),
    batch=st.integers(1, 13),
    options=st.fixed_dictionaries(
        {name: st.booleans() for name in ("input_gradient", "carries_state")}
    ),
    optimizer=st.sampled_from(("none", "sgd", "adam")),
    data=st.data(),
)
def test_estimate_of_memory_is_near_the_count(
    layers: list[Any],
    tiles: int,
    steps: int,
    batch: int,
    options: dict[str, bool],
    optimizer: str,
    data: st.DataObject,
) -> None:
    for one in layers:
        one.recurrent = one.kind == core.LayerKind.SparseLif and data.draw(st.booleans())
        one.learns = data.draw(st.booleans())
    optimizer_kind = core.Optimizer.__members__[optimizer]
    spec = network(*layers, steps=steps, batch=batch, optimizer=optimizer_kind, **options)
    choices = {
        "tiles": tiles,
        "replicas": data.draw(st.integers(1, min(4, batch))),
        "segment": data.draw(st.integers(1, steps)),
        "sizes": data.draw(st.integers(1, 4)),
        "dense": tuple(data.draw(st.sampled_from(("auto", True, False))) for _ in layers),
    }
    with pytest.raises(RuntimeError, match="needs") as info:
        runner(spec, bytes_per_tile=1, **choices)
    estimate = int(re.findall(r"needs (\d+)", str(info.value))[0])
    made = runner(spec, **choices)
    count = max(made.engine.bytes_per_tile)
    # Weights and gradients lie in the two thirds of a tile that are interleaved.
    count = max(count, max(interleaved_bytes(layers, made.layers)) * 3 // 2)
    # Vertices' states are estimated high, and are much of a small network.
    few = 2048 * (1 + sum(2 if one.recurrent else 1 for one in layers))
    assert 0.6 * count <= estimate <= 1.1 * count + few


def test_what_is_interleaved_does_not_outgrow_its_part_of_a_tile() -> None:
    layers = [layer(100, 100, 2), layer(100, 400, 8, delay=1), layer(400, 100, 2, delay=1)]
    spec = network(*layers, steps=20, batch=16, input_capacity=8)
    choices = {"tiles": 40, "replicas": 1, "segment": 20, "sizes": 1}
    with pytest.raises(RuntimeError, match="needs") as info:
        runner(spec, bytes_per_tile=1, **choices)
    needed = int(re.findall(r"needs (\d+)", str(info.value))[0])
    plans = runner(spec, bytes_per_tile=needed, **choices).layers
    assert max(interleaved_bytes(layers, plans)) <= needed * 2 / 3
