from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.poplib.networks import LIF, layer, network, runner, stacks


def pad_capacity(capacity: int) -> int:
    """Return the row length of a list: whole 64-bit words."""
    return -(-capacity // 4) * 4


def stages(layers: list[Any]) -> list[int]:
    """Return each layer's stage: a layer without delay waits for the one before it."""
    delays = [spec.delay for spec in layers[1:]]
    return [0, *itertools.accumulate(int(delay == 0) for delay in delays)]


@given(layers=stacks(), tiles=st.integers(4, 40))
def test_every_neuron_has_its_place(layers: list[Any], tiles: int) -> None:
    plans = runner(network(*layers), tiles=tiles).layers
    assert [plan.stage for plan in plans] == stages(layers)
    for spec, plan in zip(layers, plans):
        assert (plan.tiles - 1) * plan.neurons_per_tile < spec.neurons
        assert spec.neurons <= plan.tiles * plan.neurons_per_tile
        assert plan.neurons_per_tile % 2 == 0  # 64-bit loads
    for stage in range(plans[-1].stage + 1):
        ranges = [range(p.first_tile, p.first_tile + p.tiles) for p in plans if p.stage == stage]
        used = [tile for tiles_of in ranges for tile in tiles_of]
        assert len(set(used)) == len(used)
        assert max(used) < tiles


@given(inputs=st.integers(1, 70), neurons=st.integers(1, 200), tiles=st.integers(1, 40))
def test_a_layer_alone_takes_all_tiles_that_it_can(inputs: int, neurons: int, tiles: int) -> None:
    (plan,) = runner(network(layer(inputs, neurons, 1)), tiles=tiles).layers
    pairs = -(-neurons // 2)
    even = 2 * -(-pairs // tiles)
    # Rows of whole 128 bits may be faster.
    assert plan.neurons_per_tile in (even, -(-even // 4) * 4)


@given(count=st.integers(2, 5), neurons=st.integers(1, 70), tiles=st.integers(5, 40))
def test_layers_alike_that_step_together_have_no_larger_share_than_an_even_one(
    count: int, neurons: int, tiles: int
) -> None:
    layers = [layer(neurons, neurons, 1, delay=1) for _ in range(count)]
    plans = runner(network(*layers, input_capacity=1), tiles=tiles).layers
    even = 2
    while count * -(-neurons // even) > tiles:
        even += 2
    # The first sends no gradient on: it may take more, for the others to have fewer.
    assert max(plan.neurons_per_tile for plan in plans[1:]) <= even


@given(count=st.integers(2, 5), neurons=st.integers(1, 70), tiles=st.integers(7, 40))
def test_layers_alike_have_as_many_neurons_a_tile(count: int, neurons: int, tiles: int) -> None:
    layers = [layer(neurons, neurons, 1, delay=1) for _ in range(count + 2)]
    plans = runner(network(*layers, input_capacity=1), tiles=tiles).layers
    # The first sends no gradient on, and the spikes of the last layer are not read.
    assert len({plan.neurons_per_tile for plan in plans[1:-1]}) == 1


@given(layers=stacks(), tiles=st.integers(4, 60), batch=st.integers(1, 13), data=st.data())
def test_partial_sums_lie_with_the_neurons_or_on_other_tiles(
    layers: list[Any], tiles: int, batch: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, min(4, batch)))
    spec = network(*layers, batch=batch)
    for replica in runner(spec, tiles=tiles, replicas=count).replicas:
        for placed in replica.layers:
            if not placed.partial_tiles:
                continue
            assert len(set(placed.partial_tiles)) == len(placed.partial_tiles) == placed.tiles
            assert all(replica.tiles[0] <= tile < replica.tiles[1] for tile in placed.partial_tiles)
            own = range(placed.first_tile, placed.first_tile + placed.tiles)
            assert not set(placed.partial_tiles) & set(own)
            assert placed.own_entries % 2 == 0


# Two layers of which the planner moves partial sums of the second one, also with late spikes.
APART = [layer(400, 40, 20), layer(40, 40, 10, delay=1, observed=True)]
LATE = [APART[0], replace(APART[1], axonal=8, arrivals=40)]


@pytest.mark.parametrize("layers", [APART, LATE], ids=["at once", "late"])
@pytest.mark.parametrize("replicas", [0, 1, 2])
def test_partial_sums_lie_with_the_neurons_where_a_device_says_so(
    layers: list[Any], replicas: int
) -> None:
    spec = network(*layers, batch=12, steps=5)
    choices = {"tiles": 48, "replicas": replicas, "rows_ahead": False}
    remote = runner(spec, **choices).replicas
    own = runner(spec, **choices, remote_partials=False).replicas
    assert all(replica.layers[1].partial_tiles for replica in remote)
    for replica in own:
        assert [placed.partial_tiles for placed in replica.layers] == [[], []]
        assert [placed.own_entries for placed in replica.layers] == [0, 0]


def test_more_inputs_that_may_fire_are_fewer_neurons_a_tile() -> None:
    busy, idle = layer(400, 100, 100, delay=1), layer(100, 100, 1, delay=1)
    plans = runner(network(layer(4, 400, 400), busy, idle), tiles=600).layers
    assert plans[1].neurons_per_tile <= plans[2].neurons_per_tile


@given(layers=stacks(), ipus=st.integers(1, 4), tiles=st.integers(1, 12))
def test_no_layer_lies_across_ipus_where_there_is_room(
    layers: list[Any], ipus: int, tiles: int
) -> None:
    plans = runner(network(*layers), ipus=ipus, tiles=tiles, replicas=1).layers
    stages = [[plan for plan in plans if plan.stage == n] for n in range(plans[-1].stage + 1)]
    for members in stages:
        shared = [plan.first_tile for plan in members].count(0) > 1  # too few to keep them apart
        for plan in members:
            last = plan.first_tile + plan.tiles - 1
            assert last < ipus * tiles
            assert shared or plan.first_tile // tiles == last // tiles


@pytest.mark.parametrize("model", ["ipu1", "ipu2", "ipu21"])
def test_every_model_has_room(model: str) -> None:
    (plan,) = runner(network(layer(20, 5000, 50)), model=model).layers
    assert plan.neurons_per_tile in (4, 6)


def test_tiles_of_several_ipus_count() -> None:
    layers = [layer(20, 16, 4), layer(16, 16, 4, delay=1)]
    plans = runner(network(*layers), ipus=2, tiles=8).layers
    assert [(plan.first_tile, plan.tiles, plan.neurons_per_tile) for plan in plans] == [
        (0, 8, 2),
        (8, 8, 2),
    ]


def test_layers_that_step_together_share_tiles_where_there_are_too_few() -> None:
    layers = [layer(4, 4, 4), layer(4, 5, 4, delay=1), layer(5, 1, delay=1)]
    plans = runner(network(*layers), tiles=2).layers
    assert [(plan.first_tile, plan.tiles) for plan in plans] == [(0, 2), (0, 2), (0, 1)]
    assert [plan.neurons_per_tile for plan in plans] == [2, 4, 2]
    one_by_one = [layer(4, 4, 4), layer(4, 4, 4), layer(4, 4)]
    assert [plan.first_tile for plan in runner(network(*one_by_one), tiles=2).layers] == [0, 0, 0]


@pytest.mark.parametrize(
    ("replicas", "batch", "ipus", "tiles"), [(3, 2, 1, 8), (5, 8, 1, 4), (3, 8, 2, 8), (2, 8, 3, 8)]
)
def test_replicas_that_cannot_be(replicas: int, batch: int, ipus: int, tiles: int) -> None:
    sentence = (
        f"plan: replicas: expected at most the batch, {batch}, and the device's {ipus * tiles} "
        f"tiles, and a multiple or a divisor of its {ipus} IPUs, got {replicas}"
    )
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        runner(network(layer(*LIF), batch=batch), ipus=ipus, tiles=tiles, replicas=replicas)


def replica_tiles(replica: Any) -> set[int]:
    """Return the tiles that have neurons or lists of a replica, or compute its partial sums."""
    tiles = {tile for lists in [replica.input, *replica.lists] for tile, _ in lists.ranges}
    for placed in replica.layers:
        tiles |= {
            *range(placed.first_tile, placed.first_tile + placed.tiles),
            *placed.partial_tiles,
        }
    return tiles


def test_replicas_of_a_layer_lie_on_one_ipu() -> None:
    layers = [layer(8, 8, 2), layer(8, 8, 2, delay=1)]
    plan = runner(network(*layers, batch=2), ipus=2, tiles=8, replicas=2).replicas
    assert [[layer.first_tile for layer in replica.layers] for replica in plan] == [[0, 8], [4, 12]]


@given(
    count=st.integers(1, 7),
    neurons=st.integers(1, 100),
    tiles=st.integers(4, 20),
    ipus=st.integers(2, 3),
)
def test_layers_in_step_that_lie_on_all_tiles_are_on_their_replicas(
    count: int, neurons: int, tiles: int, ipus: int
) -> None:
    layers = [layer(neurons, neurons, 1, delay=1) for _ in range(count)]
    spec = network(*layers, batch=ipus, input_capacity=1)
    plan = runner(spec, ipus=ipus, tiles=tiles, replicas=ipus).replicas
    stored = [replica_tiles(replica) for replica in plan]
    assert sum(map(len, stored)) == len(set().union(*stored))


@given(
    layers=stacks(),
    tiles=st.integers(4, 40),
    ipus=st.integers(1, 2),
    batch=st.integers(1, 13),
    data=st.data(),
)
def test_replicas_share_batch_and_tiles(
    layers: list[Any], tiles: int, ipus: int, batch: int, data: st.DataObject
) -> None:
    most = min(6, batch, tiles * ipus)
    counts = [n for n in range(1, most + 1) if n == 1 or n % ipus == 0]
    count = data.draw(st.sampled_from(counts))
    plan = runner(network(*layers, batch=batch), tiles=tiles, ipus=ipus, replicas=count).replicas
    assert len(plan) == count
    stored = [replica_tiles(replica) for replica in plan]
    assert sum(map(len, stored)) == len(set().union(*stored))  # each has its own
    for replica, own in zip(plan, stored):
        assert 0 <= replica.tiles[0] <= min(own) <= max(own) < replica.tiles[1] <= tiles * ipus
    samples = [b for replica in plan for b in range(*replica.samples)]
    assert samples == list(range(batch))
    sizes = [end - begin for begin, end in (replica.samples for replica in plan)]
    assert max(sizes) - min(sizes) <= 1
    for replica in plan:  # the same shards of parameters, each on tiles of its own
        for chunk, first in zip(replica.layers, plan[0].layers):
            assert chunk.first_tile - replica.tiles[0] == first.first_tile - plan[0].tiles[0]
            assert (chunk.tiles, chunk.neurons_per_tile) == (first.tiles, first.neurons_per_tile)


@given(
    layers=stacks(),
    tiles=st.integers(4, 40),
    batch=st.integers(1, 13),
    input_capacity=st.integers(1, 9),
    data=st.data(),
)
def test_every_sample_of_a_list_has_a_tile_and_a_zone(
    layers: list[Any], tiles: int, batch: int, input_capacity: int, data: st.DataObject
) -> None:
    spec = network(*layers, batch=batch, input_capacity=input_capacity)
    count = data.draw(st.integers(1, min(4, batch)))
    for plan in runner(spec, tiles=tiles, replicas=count).replicas:
        samples = plan.samples[1] - plan.samples[0]
        assert plan.input.padded_capacity == pad_capacity(input_capacity)
        spiking = [layer.spikes for layer in layers]
        for asked, of_layer, spikes in zip(layers, plan.lists, spiking):
            assert of_layer.padded_capacity == (pad_capacity(asked.capacity) if spikes else 0)
        lists = [plan.input, *(lists for lists, spikes in zip(plan.lists, spiking) if spikes)]
        begins = []
        for ranges_of in lists:
            stored = [(b, tile) for tile, within in ranges_of.ranges for b in range(*within)]
            assert [b for b, _ in stored] == list(range(samples))
            assert [begin for begin, _ in ranges_of.scan_tiles] == [tile for _, tile in stored]
            assert all(
                plan.tiles[0] <= begin < end <= plan.tiles[1] for begin, end in ranges_of.scan_tiles
            )
            begins += ranges_of.scan_tiles
        # Lists follow each other over the replica's tiles: a tile range ends where the next begins.
        for (begin, end), (following, _) in zip(begins, begins[1:]):
            assert end == max(begin + 1, following)
        most = -(-len(begins) // (plan.tiles[1] - plan.tiles[0]))
        on_a_tile = [begin for begin, _ in begins]
        assert max(map(on_a_tile.count, on_a_tile)) <= most


@given(layers=stacks(), tiles=st.integers(4, 90), batch=st.integers(1, 6))
def test_parts_of_rows_lie_between_the_lists(layers: list[Any], tiles: int, batch: int) -> None:
    (plan,) = runner(network(*layers, batch=batch), tiles=tiles, replicas=1).replicas
    for asked, placed in zip(layers, plan.lists):
        if not placed.row_tiles:
            continue
        assert asked.spikes
        assert len({len(tiles_of) for tiles_of in placed.row_tiles}) == 1
        for (first, last), tiles_of in zip(placed.scan_tiles, placed.row_tiles):
            assert tiles_of == list(range(first + 1, first + 1 + len(tiles_of)))
            assert first + 2 < first + 1 + len(tiles_of) <= last


@given(layers=stacks(), ipus=st.integers(2, 4), tiles=st.integers(1, 12))
def test_a_list_lies_on_the_ipu_of_the_layer_that_makes_it(
    layers: list[Any], ipus: int, tiles: int
) -> None:
    (plan,) = runner(network(*layers), ipus=ipus, tiles=tiles, replicas=1).replicas
    for placed, of_layer in zip([plan.layers[0], *plan.layers], [plan.input, *plan.lists]):
        ipu = placed.first_tile // tiles
        if ipu != (placed.first_tile + placed.tiles - 1) // tiles:
            continue  # too few tiles to keep it on one
        assert all(tile // tiles == ipu for tile, _ in of_layer.ranges)
        assert all(
            begin // tiles == (end - 1) // tiles == ipu for begin, end in of_layer.scan_tiles
        )


def test_earlier_states_are_worked_out_again_where_all_do_not_fit() -> None:
    spec = network(layer(4, 8, 4), steps=100, batch=8)
    with pytest.raises(RuntimeError, match="needs") as info:
        runner(spec, tiles=4, bytes_per_tile=1, segment=100)
    needed = int(re.findall(r"needs (\d+)", str(info.value))[0])
    roomy = runner(spec, tiles=4, bytes_per_tile=needed)
    assert roomy.segment == 100
    assert roomy.streams("read_membranes")["membrane0"] == ("float32", (100, 8, 8))
    tight = runner(spec, tiles=4, bytes_per_tile=needed - 1)
    assert tight.segment == 10
    assert tight.streams("read_membranes") == {}
    traced = runner(replace(spec, traced=True), tiles=4, segment=40)
    assert traced.streams("forward")["earlier_membrane0"] == ("float32", (80, 8, 8))
    assert traced.streams("read_membranes")["membrane0"] == ("float32", (20, 8, 8))


def test_exchanges_have_sizes_where_they_save_more_than_a_branch() -> None:
    def planned(capacity: int, ipus: int = 1):
        spec = network(layer(20, 1400, capacity), layer(1400, 1400, 8, delay=1), batch=48)
        few = {"tiles": 90 // ipus, "bytes_per_tile": 10**7}
        return runner(spec, model="ipu21", replicas=1, ipus=ipus, **few)

    forward, backward = [], []
    for capacity in (8, 40, 400, 1400):
        plan = planned(capacity)
        forward.append(plan.forward_sizes)
        backward.append(plan.backward_sizes)
    assert (forward[0], backward[0]) == (1, 1)
    assert (forward[-1], backward[-1]) == (4, 4)
    assert forward == sorted(forward)
    assert backward == sorted(backward)
    # Forward a step has to find its size first.
    assert forward[1] == 1 < backward[1]
    # Several IPUs wait for each other before they branch.
    assert planned(48, ipus=2).backward_sizes < planned(48).backward_sizes


def test_late_lists_have_a_size_for_each_room_in_both_passes() -> None:
    def planned(capacity: int, arrivals: int):
        late = layer(1400, 10, delay=1, axonal=9, arrivals=arrivals, undelayed=100)
        spec = network(layer(20, 1400, capacity), late, batch=48)
        choices = {"replicas": 1, "tiles": 90, "bytes_per_tile": 10**7, "rows_ahead": False}
        return runner(spec, model="ipu21", **choices)

    long = planned(72, 720)
    assert (long.forward_sizes, long.backward_sizes) == (4, 4)
    # A smaller bucket would have no fewer than eight entries.
    short = planned(4, 8)
    assert short.forward_sizes == 2


@pytest.mark.parametrize("bytes_per_tile", range(100_000, 136_000, 2_000))
def test_late_lists_have_two_sizes_wherever_they_fit(bytes_per_tile: int) -> None:
    """Whole lists of arrivals at each time step would take several times as long."""
    late = layer(300, 300, 10, delay=1, axonal=15, arrivals=300, undelayed=20)
    last = layer(300, 4, 2, delay=1, observed=True)
    spec = network(layer(400, 300, 20), late, last, batch=6, steps=60)
    choices = {"replicas": 1, "tiles": 80, "bytes_per_tile": bytes_per_tile, "rows_ahead": False}
    plan = runner(spec, model="ipu21", **choices)
    assert min(plan.forward_sizes, plan.backward_sizes) > 1
    # Parts of rows lie on all tiles where the first layer's have copies of weights, and no lists.
    (replica,) = plan.replicas
    first = min(tile for lists in replica.lists for tile, _ in lists.ranges)
    second = replica.layers[1].first_tile
    if first < second:
        return
    assert replica.layers[1].partial_tiles
    of_parts = [tile for tiles_of in replica.lists[0].row_tiles for tile in tiles_of]
    assert min(of_parts) < second <= max(of_parts)
    assert len(set(of_parts)) == len(of_parts)


def test_weight_gradients_are_dense_where_many_inputs_may_fire() -> None:
    def planned(capacity: int, **choices: Any):
        spec = network(layer(20, 1400, capacity), layer(1400, 1400, 8, delay=1), batch=48)
        few = {"tiles": 90, "bytes_per_tile": 10**7, "replicas": 1}
        return runner(spec, model="ipu21", **few, **choices)

    plans = [planned(capacity) for capacity in (64, 400, 1400)]
    dense = [plan.layers[1].dense[0] for plan in plans]
    assert (dense[0], dense[-1]) == (False, True)
    for plan in plans:
        # That of few inputs is dense where the other's brings the phase with it.
        sparse_cycles, dense_cycles = plan.gradients[1][0]
        assert plan.layers[1].dense[0] == (dense_cycles < sparse_cycles)
        assert not any(each.dense[1] for each in plan.layers)
    assert plans[0].gradients[1][0][0] < plans[-1].gradients[1][0][0]
    assert plans[0].gradients[1][0][1] == pytest.approx(plans[-1].gradients[1][0][1], rel=0.5)
    assert not any(each.dense[0] for each in planned(1400, dense=False).layers)
    assert [each.dense[0] for each in planned(8, dense=(False, True)).layers] == [False, True]


def test_choices_of_dense_gradients_for_other_layers() -> None:
    sentence = "plan: dense: expected one choice, or one for each of 1 layers, got 2"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        runner(network(layer(*LIF)), tiles=8, dense=(True, False))


def test_an_input_s_lists_travel_whole() -> None:
    spec = network(layer(1400, 1400, 8), input_capacity=1400, batch=48)
    plan = runner(spec, model="ipu21", tiles=90, bytes_per_tile=10**7)
    assert (plan.forward_sizes, plan.backward_sizes) == (1, 1)


def test_sizes_that_are_too_many() -> None:
    with pytest.raises(ValueError, match=r"^plan: sizes: expected at most 4, got 5$"):
        runner(network(layer(*LIF)), tiles=8, sizes=5)


def test_a_lone_readout_keeps_all_its_states() -> None:
    alone = runner(network(layer(4, 8)), tiles=4, segment=1)
    assert alone.segment == 3
    assert alone.streams("read_membranes")["membrane0"] == ("float32", (3, 2, 8))


def ahead(layers: list[Any], batch: int = 12, steps: int = 20, **choices: Any) -> list[int]:
    """Return by layer the rows ahead that the planner chooses."""
    spec = network(*layers, batch=batch, steps=steps, **choices.pop("spec", {}))
    return list(
        runner(spec, **{"model": "ipu21", "replicas": 1, "tiles": 90, **choices}).rows_ahead
    )


def late_stack(capacity: int, **late: Any) -> list[Any]:
    """Describe two layers with axonal delays, of 1 to 9 steps, of a tenth of a step's spikes."""
    delays = {"delay": 1, "axonal": 8, "arrivals": min(600, 9 * capacity), "undelayed": 60}
    delayed = layer(600, 600, capacity, **{**delays, **late})
    return [layer(40, 600, capacity), delayed, layer(600, 10, **delays)]


def test_products_go_ahead_where_few_neurons_fire() -> None:
    assert ahead(late_stack(4)) == [0, 8, 8]
    assert ahead(late_stack(200)) == [0, 0, 0]


def test_a_device_chooses_rows_ahead() -> None:
    assert ahead(late_stack(4), rows_ahead=False) == [0, 0, 0]
    assert ahead(late_stack(200), rows_ahead=True) == [0, 8, 8]


@pytest.mark.parametrize(
    "late", [{"recurrent": True}, {"half_weights": True}, {"straight_through": 1}, {"dendritic": 2}]
)
def test_other_layers_read_arrivals(late: dict[str, Any]) -> None:
    assert ahead(late_stack(4, **late), rows_ahead=True) == [0, 0, 8]


def test_rows_ahead_need_the_states_of_all_steps() -> None:
    assert ahead(late_stack(4), rows_ahead=True, segment=5) == [0, 0, 0]
    assert ahead(late_stack(4), rows_ahead=True, segment=20) == [0, 8, 8]
    first, second = late_stack(4)[:2]
    layers = [first, replace(second, observed=True)]
    assert ahead(layers, rows_ahead=True, steps=300) == [0, 8]
    assert ahead(layers, rows_ahead=True, steps=300, bytes_per_tile=260_000) == [0, 0]
    carried = {"spec": {"carries_state": True}}
    assert ahead(late_stack(4), rows_ahead=True, **carried) == [0, 0, 0]


def test_a_network_that_fits_with_rows_ahead_alone_takes_them() -> None:
    delays = {"delay": 1, "axonal": 8, "arrivals": 36, "undelayed": 60}
    stack = [layer(40, 2000, 4), layer(2000, 1000, 4, **delays), layer(1000, 10, **delays)]
    spec = network(*stack, steps=200, batch=1)
    device = {"model": "ipu21", "replicas": 1, "tiles": 60, "bytes_per_tile": 456_000}
    assert list(runner(spec, **device).rows_ahead) == [0, 8, 8]
    with pytest.raises(RuntimeError, match="needs"):
        runner(spec, **device, rows_ahead=False)


@pytest.mark.parametrize("capacity", [10, 28])
def test_steps_to_plan_for_decide_on_rows_ahead(capacity: int) -> None:
    """Their rows are for the steps that the network runs all the same."""
    whole = ahead(late_stack(capacity), steps=100)
    spec = network(*late_stack(capacity), batch=12, steps=9)
    device = {"model": "ipu21", "replicas": 1, "tiles": 90}
    part = runner(spec, **device, planned_steps=100)
    assert list(part.rows_ahead) == whole
    assert runner(spec, **device, planned_steps=3, rows_ahead=True).segment == 9


def test_bad_choice() -> None:
    with pytest.raises(ValueError, match="plan: expected True, False or 'auto', got 'never'"):
        runner(network(layer(*LIF)), tiles=8, rows_ahead="never")
