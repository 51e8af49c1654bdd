from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from popsnn._internal.compaction import begins, keep, write_lists
from popsnn._internal.hashing import hash32


def slow(
    fired: list[bool], subthreshold: list[bool], capacity: int, begin: int
) -> dict[str, list[int]]:
    """One list, written as the reference reads."""
    order = [(begin + i) % len(fired) for i in range(len(fired))]
    kept_fired = [n for n in order if fired[n]][:capacity]
    kept_subthreshold = [n for n in order if subthreshold[n]][: capacity - len(kept_fired)]
    ids = sorted(kept_fired) + sorted(kept_subthreshold)
    return {
        "ids": ids + [0] * (capacity - len(ids)),
        "counts": [len(kept_fired), len(ids)],
        "dropped": [sum(fired) - len(kept_fired), sum(subthreshold) - len(kept_subthreshold)],
    }


@st.composite
def masks(draw: st.DrawFn) -> tuple[Tensor, Tensor, int, int]:
    size, rows = draw(st.integers(1, 40)), draw(st.integers(1, 6))
    kind = st.sampled_from([0, 0, 1, 2])  # silent, fired, subthreshold
    cells = torch.tensor(draw(st.lists(kind, min_size=size * rows, max_size=size * rows))).view(
        rows, size
    )
    return cells == 1, cells == 2, draw(st.integers(1, size)), draw(st.integers(0, 0xFFFFFFFF))


@given(masks())
def test_listing_equals_the_slow_definition(case: tuple[Tensor, Tensor, int, int]) -> None:
    fired, subthreshold, capacity, seed = case
    rows, size = fired.shape
    begin = begins(seed, 3, 5, 1, rows, size)[0]
    kept = keep(fired, subthreshold, capacity, begin)
    ids, counts = write_lists(kept.fired, kept.subthreshold, capacity)
    for row in range(rows):
        start = int(hash32(seed, 3, 5, row)) * size >> 32  # the hash as a fraction of the layer
        expected = slow(fired[row].tolist(), subthreshold[row].tolist(), capacity, start)
        got = {"ids": ids[row], "counts": counts[row], "dropped": kept.dropped[row]}
        assert {name: value.tolist() for name, value in got.items()} == expected


def test_leading_dimensions_are_free() -> None:
    fired = torch.rand(3, 4, 10) < 0.5
    subthreshold = ~fired
    begin = begins(0, 0, 0, 3, 4, 10)
    whole = keep(fired, subthreshold, 4, begin)
    for t in range(3):
        step = keep(fired[t], subthreshold[t], 4, begin[t])
        for got, expected in zip(step, whole):
            assert torch.equal(got, expected[t])


@pytest.mark.parametrize("size", [7, 64, 100])
def test_no_neuron_is_favoured(size: int) -> None:
    steps, batch, capacity = 200, 50, size // 3
    everyone = torch.ones(steps, batch, size, dtype=torch.bool)
    kept = keep(everyone, ~everyone, capacity, begins(11, 0, 0, steps, batch, size))
    times = kept.fired.sum((0, 1)).double()
    fraction = capacity / size
    expected = steps * batch * fraction
    spread = (steps * batch * fraction * (1 - fraction)) ** 0.5
    assert float((times - expected).abs().max()) < 5 * spread
    assert torch.equal(kept.dropped[..., 0], torch.full((steps, batch), size - capacity))
