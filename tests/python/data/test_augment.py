from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from popsnn.data import Augment

GRID = (2, 6, 7)
STEPS = 20
SAMPLES = np.array([5, 2, 9])


def events(count: int = 3000) -> Any:
    generator = np.random.default_rng(0)
    position = np.sort(generator.integers(0, len(SAMPLES), count)).astype(np.int32)
    step = generator.integers(0, STEPS, count).astype(np.int32)
    return step, position, generator.integers(0, np.prod(GRID), count).astype(np.int32)


def applied(augment: Augment, draw: int = 1) -> Any:
    return augment.apply(events(), SAMPLES, STEPS, GRID, draw)


def test_nothing_asked_for_changes_nothing() -> None:
    for got, expected in zip(applied(Augment()), events()):
        np.testing.assert_array_equal(got, expected)


def test_shift_moves_a_sample_as_a_whole_and_over_no_edge() -> None:
    count = 3
    pixel = np.array([0, 6, 24, 59, 83], np.int32)  # corners, and the middle of both planes
    moves = set()
    for draw in range(200):
        columns = (np.zeros(5, np.int32), np.zeros(5, np.int32), pixel)
        _, _, got = Augment(shift=count).apply(columns, SAMPLES[:1], STEPS, GRID, draw)
        (expected,) = [
            (dx, dy)
            for dx in range(-count, count + 1)
            for dy in range(-count, count + 1)
            if got.tolist() == moved(pixel, dx, dy)
        ]
        moves.add(expected)
    assert len(moves) > 40  # of 49


def moved(pixel: np.ndarray, dx: int, dy: int) -> list[int]:
    _, height, width = GRID
    out = []
    for n in pixel.tolist():
        p, y, x = n // (height * width), n // width % height + dy, n % width + dx
        if 0 <= y < height and 0 <= x < width:
            out.append((p * height + y) * width + x)
    return out


def test_offset_moves_a_sample_in_time_as_a_whole_and_over_no_end() -> None:
    step = np.array([0, 7, 7, 19], np.int32)
    moves = set()
    for draw in range(60):
        columns = (step, np.zeros(4, np.int32), np.arange(4, dtype=np.int32))
        got, _, neuron = Augment(offset=2).apply(columns, SAMPLES[:1], STEPS, GRID, draw)
        (by,) = {*(got - step[neuron]).tolist()}
        assert neuron.tolist() == [n for n in range(4) if 0 <= step[n] + by < STEPS]
        moves.add(by)
    assert moves == {-2, -1, 0, 1, 2}


def test_channels_shift_along_one_axis() -> None:
    columns = (np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([50], np.int32))
    seen = {
        int(Augment(shift=2).apply(columns, SAMPLES[:1], STEPS, (1, 1, 100), draw)[2][0])
        for draw in range(60)
    }
    assert seen == {48, 49, 50, 51, 52}


def test_drop_leaves_out_the_share() -> None:
    step, _, _ = applied(Augment(drop=0.3))
    assert len(step) == pytest.approx(0.7 * 3000, rel=0.05)


def test_jitter_has_the_deviation_and_stays_within_the_steps() -> None:
    count = 4000
    columns = (
        np.full(count, 10, np.int32),
        np.zeros(count, np.int32),
        np.arange(count, dtype=np.int32) % 84,
    )
    step, _, neuron = Augment(jitter=2.0).apply(columns, SAMPLES[:1], STEPS, GRID, 0)
    assert float(step.std()) == pytest.approx((4 + 1 / 12) ** 0.5, rel=0.05)  # and the rounding's
    np.testing.assert_array_equal(neuron, columns[2])
    step, _, _ = applied(Augment(jitter=30.0))
    assert 0 < len(step) < 3000
    assert 0 <= step.min() <= step.max() < STEPS


def test_a_sample_is_changed_alike_in_every_batch() -> None:
    augment = Augment(shift=2, drop=0.2, jitter=1.0)
    step, position, neuron = events()
    own = position == 1
    alone = augment.apply((step[own], position[own] * 0, neuron[own]), SAMPLES[1:2], STEPS, GRID, 1)
    together = applied(augment)
    for got, expected in zip(alone, together):
        wanted = expected[together[1] == 1]
        np.testing.assert_array_equal(got, wanted if expected is not together[1] else wanted * 0)
    assert len(applied(augment, draw=2)[0]) != len(together[0])


@pytest.mark.parametrize(
    ("arguments", "kind", "sentence"),
    [
        ({"shift": -1}, ValueError, "data.Augment: shift: expected at least 0, got -1"),
        ({"shift": 1.5}, TypeError, "data.Augment: shift: expected an integer, got float"),
        ({"offset": 2**40}, ValueError, "offset: expected at most 1073741824, got 1099511627776"),
        ({"jitter": 1e20}, ValueError, "jitter: expected at most 1073741824, got 1e+20"),
        ({"jitter": float("nan")}, ValueError, "jitter: expected a finite number, got nan"),
        ({"drop": 1.0}, ValueError, "data.Augment: drop: expected a number in [0, 1), got 1.0"),
        (
            {"jitter": -0.5},
            ValueError,
            "data.Augment: jitter: expected a number from 0 on, got -0.5",
        ),
        ({"drop": "a"}, TypeError, "data.Augment: drop: expected a number, got str"),
    ],
)
def test_mistakes_get_one_sentence(arguments: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=re.escape(sentence)):
        Augment(**arguments)


def test_the_furthest_moves_leave_the_recorded_time() -> None:
    most = 2**30
    for far in (Augment(jitter=most), Augment(jitter=most, offset=most), Augment(shift=most)):
        step, _, neuron = applied(far)
        assert len(step) < 30
        assert all((step >= 0) & (step < STEPS) & (neuron >= 0) & (neuron < np.prod(GRID)))
