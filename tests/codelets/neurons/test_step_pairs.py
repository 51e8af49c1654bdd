"""NeuronStep by pairs, as on an IPU, leaves what it leaves on the host, in every word."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    Array,
    InOut,
    Output,
    RunVertex,
    floats,
    generators,
    mask_bits,
)
from tests.emulator.popc_tool import locate_popc

CODELETS = Path(__file__).resolve().parents[3] / "codelets"
VERTEX = "NeuronStep<popsnn::Lif,unsigned short,float>"


@pytest.fixture(scope="module")
def by_pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    source, library = Path(__file__).with_name("pairs_on_host.cpp"), folder / "pairs.gp"
    command = [locate_popc(folder), "-O1", f"-I{CODELETS}", source, "-o", library]
    subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return library


def step(
    run_vertex: RunVertex,
    library: Path,
    n: int,
    batch: int,
    rng: np.random.Generator,
    **layout: int,  # bits and words of a row of masks, and its samples
) -> None:
    """Run a step of `n` neurons by pairs and as on the host, and compare."""
    rows = 8
    threshold = 1.0 + np.abs(floats(rng, n))
    of_masks = -(-batch // layout["samples_per_row"]), layout["words"]
    fields: Dict[str, Any] = {
        "ids": [np.sort(rng.choice(rows, (batch, 4)), axis=1).astype(np.uint16)],
        "counts": [rng.integers(0, 5, (batch, 2)).astype(np.uint32)],
        "weights": [floats(rng, rows * n).reshape(rows, n)],
        "window": np.array([[0, 200, 200]] * batch, np.uint32),
        "row": np.array(0, np.int32),
        "bias": floats(rng, n),
        "parameters": np.stack([floats(rng, n), threshold, threshold - np.float32(0.5)]),
        "states": InOut(np.stack([floats(rng, batch * n).reshape(batch, n) for _ in range(2)])),
        "masks": Output(of_masks, "uint32"),
    }
    state = {
        "padded_capacity": np.array([4], np.uint32),
        "batch": batch,
        "neurons": n,
        "first_neuron": 70,
        "layer_size": 200,
        "reset": 0,
        "gain": 0.75,
        **layout,
    }
    host, pair = (run_vertex(VERTEX, fields, state, library=of) for of in (None, library))
    masks: Array = pair["masks"]
    np.testing.assert_array_equal(masks, host["masks"])
    np.testing.assert_array_equal(pair["states"], host["states"])


@given(pairs=st.integers(1, 40), words=st.integers(0, 2), batch=st.integers(1, 3), rng=generators)
def test_rows_of_masks_are_written_whole(
    run_vertex: RunVertex,
    by_pairs: Path,
    pairs: int,
    words: int,
    batch: int,
    rng: np.random.Generator,
) -> None:
    half = -(-2 * pairs // 32) + words  # of the tile with the most neurons
    step(run_vertex, by_pairs, 2 * pairs, batch, rng, bits=32, words=2 * half, samples_per_row=1)


@given(pairs=st.integers(1, 8), batch=st.integers(1, 9), data=st.data(), rng=generators)
def test_packed_masks(
    run_vertex: RunVertex,
    by_pairs: Path,
    pairs: int,
    batch: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    bits = mask_bits(2 * pairs)
    samples = data.draw(st.integers(1, 16 // bits))
    step(run_vertex, by_pairs, 2 * pairs, batch, rng, bits=bits, words=1, samples_per_row=samples)
