"""The groups that the benchmark of several GPUs along time measures."""

from __future__ import annotations

import pytest
import torch.distributed as dist

from bench import time_parallel


@pytest.mark.parametrize(
    ("world", "rank", "groups"),
    [
        (4, 0, {1: [0], 2: [0, 1], 4: [0, 1, 2, 3]}),
        (4, 3, {1: [3], 2: [2, 3], 4: [0, 1, 2, 3]}),
        (2, 1, {1: [1], 2: [0, 1]}),
        (3, 2, {1: [2]}),
    ],
)
def test_every_rank_has_a_group_of_each_size(
    world: int, rank: int, groups: dict[int, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[int]] = []

    def new_group(ranks: list[int]) -> list[int]:
        made.append(ranks)
        return ranks

    monkeypatch.setattr(dist, "get_world_size", lambda: world)
    monkeypatch.setattr(dist, "get_rank", lambda: rank)
    monkeypatch.setattr(dist, "new_group", new_group)
    assert time_parallel._groups() == groups
    # All processes must make all groups, in the same order.
    assert made == [
        list(range(first, first + size)) for size in groups for first in range(0, world, size)
    ]
