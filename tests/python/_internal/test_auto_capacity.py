from __future__ import annotations

import copy
import re
from typing import Any, List, Tuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from popsnn._internal import auto_capacity
from popsnn._internal.auto_capacity import (
    LAG,
    MAX_DROPS,
    WINDOW,
    CapacityControl,
    Pending,
    bounds_of,
    demand,
    sizes_of,
)

Pass = List[Tuple[int, int]]  # of each cell: neurons that would have fired, and been active


@given(st.integers(1, 20_000))
def test_sizes_are_few_and_close(neurons: int) -> None:
    sizes = sizes_of(neurons)
    assert sizes[-1] == neurons
    assert all(before < after for before, after in zip(sizes, sizes[1:]))
    assert all(size % 4 == 0 for size in sizes[:-1])
    assert sizes[0] == min(neurons, 4)
    assert all(after <= 1.19 * before + 4 for before, after in zip(sizes, sizes[1:]))
    assert len(sizes) <= 4 * max(1, neurons.bit_length() - 2) + 2


def counted(cells: Pass, capacity: int) -> tuple[Tensor, Tensor]:
    """Return the counts and drops [T, 1, 2] that a capacity leaves of a pass."""
    kept = [(min(f, capacity), min(a, capacity)) for f, a in cells]
    lost = [(f - k, a - f - (n - k)) for (f, a), (k, n) in zip(cells, kept)]
    return torch.tensor(kept).unsqueeze(1), torch.tensor(lost).unsqueeze(1)


def dropped(passes: list[Pass], capacity: int) -> tuple[float, float]:
    """Return the fractions of spikes and of gradients that a capacity drops of passes."""
    cells = [cell for each in passes for cell in each]
    fired = sum(max(0, f - capacity) for f, _ in cells)
    entries = sum(max(0, a - capacity) - max(0, f - capacity) for f, a in cells)
    kept = sum(min(a, capacity) for _, a in cells)
    return fired / max(1, sum(f for f, _ in cells)), entries / max(1, kept + entries)


def passes_of(neurons: int, count: st.SearchStrategy[int]) -> st.SearchStrategy[list[Pass]]:
    cell = st.tuples(st.integers(0, neurons), st.integers(0, neurons)).map(
        lambda pair: (min(pair), max(pair))
    )
    quiet = st.tuples(st.integers(0, min(3, neurons)), st.integers(min(3, neurons), neurons))
    quiet = quiet.map(lambda pair: (pair[0], min(pair[1], 5)))
    each = st.lists(st.one_of(cell, quiet, quiet), min_size=1, max_size=6)
    return count.flatmap(lambda n: st.lists(each, min_size=n, max_size=n))


@given(st.data(), st.integers(1, 60))
def test_a_demand_tells_the_drops_of_every_size(data: st.DataObject, neurons: int) -> None:
    (cells,) = data.draw(passes_of(neurons, st.just(1)))
    control = CapacityControl(neurons)
    capacity = data.draw(st.integers(1, neurons))
    got = demand(*counted(cells, capacity), control.sizes)
    for index, size in enumerate(control.sizes):
        assert control.drops(got.tolist(), index) == pytest.approx(dropped([cells], size))


def test_a_large_pass_is_summed_by_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = torch.randint(0, 9, (7, 5, 2)).sort(-1).values
    whole = demand(counts, torch.zeros_like(counts), (4, 8, 9))
    monkeypatch.setattr(auto_capacity, "MOST_CELLS", 24)
    assert torch.equal(demand(counts, torch.zeros_like(counts), (4, 8, 9)), whole)


def follow(control: CapacityControl, cells: Pass, shrinks: bool = True) -> int:
    """Let a pass go by as a network does, and return the capacity that it had."""
    control.plan(shrinks)
    capacity = control.capacity
    control.add(Pending(demand(*counted(cells, capacity), control.sizes)))
    return capacity


def known(passes: list[Pass]) -> list[Pass]:
    """Return the passes that count of these: of the present window and the one before."""
    counted = len(passes) - LAG + 1
    begun = max(0, counted - 1) // WINDOW
    return passes[max(0, begun - 1) * WINDOW : max(0, counted)]


BOUNDS = st.tuples(st.sampled_from([0.0, 0.001, 0.1]), st.sampled_from([0.0, 0.01, 0.3]))


@settings(max_examples=30)
@given(st.data(), st.sampled_from([1, 5, 40, 300]), BOUNDS)
def test_recent_drops_stay_within_the_bounds(
    data: st.DataObject, neurons: int, bounds: tuple[float, float]
) -> None:
    control = CapacityControl(neurons, bounds)
    kinds = data.draw(passes_of(neurons, st.integers(1, 8)))
    order = data.draw(st.lists(st.integers(0, len(kinds) - 1), min_size=80, max_size=80))
    # Long runs of one kind, as training is, with single passes of another.
    passes = [kinds[order[i] if i % 7 == 3 else order[i // 20]] for i in range(80)]
    before = neurons
    for index, cells in enumerate(passes):
        capacity = follow(control, cells)
        assert capacity in control.sizes
        if index < LAG:
            assert capacity == neurons
        of_window = dropped(known(passes[:index]), capacity)
        assert all(got <= bound for got, bound in zip(of_window, bounds))
        if capacity < before:
            assert (index - LAG + 1) % WINDOW == 0
        before = capacity


@settings(max_examples=20)
@given(st.data(), st.integers(0, 70), st.booleans())
def test_a_saved_control_goes_on_as_it_would_have(
    data: st.DataObject, at: int, copied: bool
) -> None:
    kinds = data.draw(passes_of(40, st.integers(2, 5)))
    control = CapacityControl(40)
    for index in range(at):
        follow(control, kinds[index // 9 % len(kinds)])
    other = copy.deepcopy(control)
    if not copied:
        other = CapacityControl(40)
        other.load(control.numbers())
    assert torch.equal(other.numbers(), control.numbers())
    for index in range(at, at + 40):
        cells = kinds[index // 9 % len(kinds)]
        assert follow(control, cells) == follow(other, cells)


def noisy(mean: float, generator: torch.Generator) -> Pass:
    rates = torch.full((200,), mean)
    fired = torch.poisson(rates, generator=generator).long()
    active = fired + torch.poisson(rates, generator=generator).long()
    return [(int(f), int(a)) for f, a in zip(fired, active)]


def test_the_same_activity_changes_nothing_for_long() -> None:
    generator = torch.Generator().manual_seed(0)
    control = CapacityControl(512)
    capacities = [follow(control, noisy(12.0, generator)) for _ in range(15 * WINDOW)]
    changes = sum(a != b for a, b in zip(capacities, capacities[1:]))
    assert 1 <= changes <= 4
    assert 32 < capacities[-1] < 80  # 24 are active in the mean


def test_rising_activity_takes_few_changes_and_drops_little() -> None:
    generator = torch.Generator().manual_seed(0)
    control = CapacityControl(512)
    passes = [noisy(4.0 + 0.05 * max(0, index - 40), generator) for index in range(400)]
    capacities = [follow(control, cells) for cells in passes]
    lost = [dropped([cells], capacity) for cells, capacity in zip(passes, capacities)]
    assert sum(spikes for spikes, _ in lost) / len(lost) <= MAX_DROPS[0]
    assert sum(entries for _, entries in lost) / len(lost) <= MAX_DROPS[1]
    assert len(set(capacities)) <= 8
    assert capacities[-1] < 200


def test_a_jump_is_followed_at_once() -> None:
    control = CapacityControl(256)
    for _ in range(WINDOW + LAG + 1):
        capacity = follow(control, [(3, 5)] * 50)
    assert capacity == 12  # five entries, and a size to spare
    capacities = [follow(control, [(60, 100)] * 50) for _ in range(LAG + 1)]
    assert capacities[:LAG] == [12] * LAG
    assert capacities[LAG] >= 100


def test_a_sequence_that_goes_on_keeps_its_room() -> None:
    control = CapacityControl(64)
    for _ in range(3 * WINDOW):
        assert follow(control, [(2, 3)] * 9, shrinks=False) == 64
    assert follow(control, [(2, 3)] * 9) == 8
    for _ in range(LAG):
        follow(control, [(30, 40)] * 9, shrinks=False)
    assert follow(control, [(30, 40)] * 9, shrinks=False) >= 40


def test_all_neurons_where_an_engine_has_no_capacity() -> None:
    control = CapacityControl(64)
    control.fix()
    for _ in range(2 * WINDOW):
        assert follow(control, [(2, 3)] * 9) == 64


@pytest.mark.parametrize(
    ("value", "error", "got"),
    [
        (0.1, TypeError, "0.1"),
        ("auto", TypeError, "'auto'"),
        ((0.1,), TypeError, "(0.1,)"),
        ((0.1, 1.0), ValueError, "(0.1, 1.0)"),
        ((-0.1, 0.1), ValueError, "(-0.1, 0.1)"),
    ],
)
def test_bounds_out_of_range(value: Any, error: type[Exception], got: str) -> None:
    wanted = "SparseLIF: max_drops: expected two numbers in [0, 1), of spikes and of gradients, got"
    with pytest.raises(error, match=f"^{re.escape(f'{wanted} {got}')}$"):
        bounds_of("SparseLIF", value)
    with pytest.raises(ValueError, match="max_drops: expected a finite number, got nan"):
        bounds_of("SparseLIF", [float("nan"), 0.1])


def test_numbers_of_another_layer() -> None:
    with pytest.raises(ValueError, match=r"numbers of an automatic capacity of 40 neurons, got \("):
        CapacityControl(40).load(CapacityControl(400).numbers())
