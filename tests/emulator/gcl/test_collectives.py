"""gcl: collective operations of one replica, and between the IPUs of a replica."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("gcl", program_folder)


def test_one_replica_reduces_to_itself(results: Results) -> None:
    c = results["cross"]
    x = c["x"]
    for name, expected in {
        "sum": x,
        "squares": x * x,
        "max": x[0],
        "mean": x,
        "part": x.ravel(),
        "gathered": x[None],
        "exchanged": x[None],
        "root": x,
        "own_after": np.array([1, 4, 9, 16]),
    }.items():
        np.testing.assert_array_equal(c[name], expected, err_msg=name)


def test_rows_of_a_replica_are_reduced(results: Results) -> None:
    c = results["within"]
    x = c["x"].astype(np.float64)
    np.testing.assert_allclose(c["sum"], np.tile(x.sum(0), (3, 1)), atol=1e-6)
    np.testing.assert_allclose(c["mean"], np.tile(x.mean(0), (3, 1)), atol=1e-6)
    np.testing.assert_array_equal(c["max"], c["x"].max(0))
    np.testing.assert_array_equal(c["all"], np.tile(c["x"].max(0), (3, 1)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("group", "allReduceCrossReplica: expected a group of at most 1 replicas, got 2"),
        ("local", "allReduceCrossReplica: expected an operator that reduces, got LOCAL"),
        ("bools", "allReduceCrossReplica: expected elements of type bool, got float"),
        ("rows", "allToAllCrossReplica: expected a row for each of 1 replicas, got {2,6}"),
        ("rank", "reduceScatterCrossReplica: expected one dimension, got {2,6}"),
        ("root", "broadcastCrossReplica: expected a root below 1, got 1"),
        ("mean", "allReduceWithinReplica: expected elements of float or half for MEAN, got int"),
        ("tiles", "perIPUTiles: expected tiles below 64, got 6 from 60 on"),
        ("pairs", "perIPUTiles: expected whole pairs of tiles, got 3 tiles from 0 on"),
        ("bytes", "rearrangeForCollective: expected an output of at least 240 bytes, got 200"),
    ],
)
def test_misuse_is_told_in_a_sentence(results: Results, name: str, text: str) -> None:
    assert results.errors[name] == text
