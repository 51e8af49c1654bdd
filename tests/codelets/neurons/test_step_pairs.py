"""NeuronStep by pairs, as on an IPU, leaves what it leaves on the host, in every word."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Array, InOut, Output, RunVertex, floats, generators
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


@given(pairs=st.integers(1, 40), words=st.integers(0, 2), batch=st.integers(1, 3), rng=generators)
def test_rows_of_masks_are_written_whole(
    run_vertex: RunVertex,
    by_pairs: Path,
    pairs: int,
    words: int,
    batch: int,
    rng: np.random.Generator,
) -> None:
    n, rows = 2 * pairs, 8
    half = -(-n // 32) + words  # of the tile with the most neurons
    threshold = 1.0 + np.abs(floats(rng, n))
    fields: Dict[str, Any] = {
        "ids": [np.sort(rng.choice(rows, (batch, 4)), axis=1).astype(np.uint16)],
        "counts": [rng.integers(0, 5, (batch, 2)).astype(np.uint32)],
        "weights": [floats(rng, rows * n).reshape(rows, n)],
        "window": np.array([[0, 200, 200]] * batch, np.uint32),
        "row": np.array(0, np.int32),
        "bias": floats(rng, n),
        "parameters": np.stack([floats(rng, n), threshold, threshold - np.float32(0.5)]),
        "states": InOut(np.stack([floats(rng, batch * n).reshape(batch, n) for _ in range(2)])),
        "masks": Output((batch, 2 * half), "uint32"),
    }
    state = {
        "padded_capacity": np.array([4], np.uint32),
        "batch": batch,
        "neurons": n,
        "first_neuron": 70,
        "layer_size": 200,
        "bits": 32,
        "words": 2 * half,
        "samples_per_row": 1,
        "reset": 0,
        "gain": 1.0,
    }
    host, pair = (run_vertex(VERTEX, fields, state, library=of) for of in (None, by_pairs))
    masks: Array = pair["masks"]
    np.testing.assert_array_equal(masks, host["masks"])
    np.testing.assert_array_equal(pair["states"], host["states"])
