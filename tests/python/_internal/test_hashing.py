from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from popsnn._internal.hashing import CallSeed, call_seed, hash32, mix, seed_value

uint32 = st.integers(0, 0xFFFFFFFF)


def test_mix_is_the_published_function() -> None:
    # Values of the same function in C: they keep every engine on one hash.
    assert [mix(n) for n in (0, 1, 2, 0xFFFFFFFF)] == [0, 0x688990C0, 0xD1132181, 0x6768824A]
    assert hash32(5, 1, 2, 3) == 1791985561


@given(st.lists(uint32, min_size=1, max_size=20))
def test_tensors_mix_as_integers_do(values: list[int]) -> None:
    assert mix(torch.tensor(values)).tolist() == [mix(v) for v in values]


@given(uint32, uint32, uint32, uint32)
def test_hash_chains_mix(seed: int, layer: int, step: int, sample: int) -> None:
    expected = mix(mix(mix(mix(seed) ^ layer) ^ step) ^ sample)
    assert hash32(seed, layer, step, sample) == expected
    assert int(hash32(seed, layer, torch.tensor(step), torch.tensor(sample))) == expected


def test_mix_loses_nothing() -> None:
    values = torch.arange(1 << 16)
    assert mix(values).unique().numel() == values.numel()


def test_a_seed_that_is_kept_with_its_calls() -> None:
    calls = torch.tensor(3)
    seed = CallSeed(7, calls)
    assert seed_value(seed) == call_seed(7, 3)
    calls += 1
    assert seed_value(seed) == call_seed(7, 4)
    assert seed_value(12) == 12


def test_seed_of_a_call() -> None:
    assert call_seed(7, 3) == mix(7 ^ mix(3))
    assert len({call_seed(7, calls) for calls in range(1000)}) == 1000
