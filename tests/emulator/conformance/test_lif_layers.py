"""The original authors' layers of LIF neurons, a custom operation of TensorFlow, built unchanged.

A program of our own takes TensorFlow's place. What comes out is compared with the equations.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

import numpy as np
import pytest
from tests.emulator.conformance import lif_layers
from tests.emulator.conformance.programs import ORIGINAL
from tests.emulator.conformance.repositories import take
from tests.emulator.conformance.test_programs import shell
from tests.emulator.library_tool import Results, build

HERE = Path(__file__).resolve().parent
FOLDER = "custom_lif_multi_layer/custom_lif_layer_vectorize_transpose"
LIBRARIES = ("popops", "poprand", "poputil", "dl")
TILES = {"model": 300, "ipu": 1472}  # of an IPU
DEVICES = tuple(TILES)


@pytest.fixture(scope="module")
def operation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the operation, built by its own Makefile, and of the program that runs it."""
    to = tmp_path_factory.mktemp("lif")
    take(ORIGINAL, [FOLDER], to)
    done = shell("make", to / FOLDER, 300)
    assert done.returncode == 0, done.stdout
    build(HERE / "custom_operation.cpp", to / FOLDER / "driver", LIBRARIES)
    return to / FOLDER


def text(arrays: Sequence[np.ndarray]) -> str:
    rows = [str(len(arrays))]
    for a in arrays:
        rows.append(" ".join(map(str, (a.ndim, *a.shape))))
        rows.append(" ".join(f"{x:.9g}" for x in a.ravel().tolist()))
    return "\n".join(rows) + "\n"


def tiles(
    layers: lif_layers.Layers, per_tile: Sequence[int], ipus: Sequence[int], tiles_per_ipu: int
) -> List[Tuple[int, int]]:
    """First tile and end of each layer, which follow each other on its IPU from the second tile."""
    ranges, starts = [], [ipu * tiles_per_ipu + 1 for ipu in range(max(ipus) + 1)]
    for decays, n, ipu in zip(layers.decays, per_tile, ipus):
        start = starts[ipu]
        starts[ipu] += -(-len(decays) // n)
        ranges.append((start, starts[ipu]))
    return ranges


def run(
    operation: Path,
    device: str,
    layers: lif_layers.Layers,
    per_tile: Sequence[int],
    gradients: Sequence[np.ndarray] = (),
    ipus: Sequence[int] = (),
) -> Dict[str, np.ndarray]:
    """Run the layers, of which each has its neurons of a tile and its IPU; the first without."""
    ipus = ipus or [0] * len(per_tile)
    tiles_per_ipu = TILES[device]
    ranges = tiles(layers, per_tile, ipus, tiles_per_ipu)
    sizes = [layers.weights[0].shape[0], *(w.shape[1] for w in layers.weights)]
    numbers = [*sizes, *layers.capacities, layers.states[0].shape[0]]
    numbers += [start for start, _ in ranges] + [end for _, end in ranges]
    files = [str(operation / name) for name in ("libcustom_op.so", "custom_codelet.gp")]
    command = [str(operation / "driver"), *files, device, str(max(ipus) + 1), str(tiles_per_ipu)]
    done = subprocess.run(
        [*command, "_".join(map(str, numbers))],
        input=text(layers.inputs) + text(gradients),
        capture_output=True,
        text=True,
        env={**os.environ, "POPSNN_EMULATE_IPU": "1"},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"case"')]
    return Results("\n".join(lines))["operation"]


def check_forward(layers: lif_layers.Layers, got: Dict[str, np.ndarray]) -> lif_layers.Run:
    expected = lif_layers.run(layers)
    depth = len(layers.weights)
    # Single precision cannot change which side of a threshold a state is on.
    assert expected.margin > 1e-5
    for i in range(depth):
        ids, counts, states = (got[f"output{i + k * depth}"] for k in range(3))
        np.testing.assert_allclose(states, expected.states[i], rtol=1e-5, atol=3e-6)
        lengths = np.array([[len(row) for row in step] for step in expected.active[i]])
        np.testing.assert_array_equal(counts, np.stack([expected.spikes[i], lengths], -1))
        for t, b in np.ndindex(*lengths.shape):
            np.testing.assert_array_equal(ids[t, b, : lengths[t, b]], expected.active[i][t][b])
        # Some neurons fire, some are active below the threshold, and there is room at times.
        assert expected.spikes[i].any()
        assert (lengths > expected.spikes[i]).any()
        assert (lengths < layers.capacities[i + 1]).any()
    return expected


def given_gradients(layers: lif_layers.Layers) -> List[np.ndarray]:
    """Random gradients of all outputs."""
    rng = np.random.default_rng(1)
    steps, batch, _ = layers.counts[0].shape
    shapes = [(steps, batch, c) for c in layers.capacities[1:]]
    shapes += [(steps, batch, 2)] * len(shapes) + [(steps, *s.shape) for s in layers.states]
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def check_training_step(
    operation: Path,
    device: str,
    layers: lif_layers.Layers,
    per_tile: Sequence[int],
    ipus: Sequence[int] = (),
) -> None:
    grads = given_gradients(layers)
    got = run(operation, device, layers, per_tile, grads, ipus)
    # The operation uses the gradients of the last layer's spikes alone.
    check_gradients(check_forward(layers, got), got, grads[len(layers.weights) - 1])


def check_gradients(
    expected: lif_layers.Run, got: Dict[str, np.ndarray], given: np.ndarray
) -> None:
    for i, gradient in enumerate(expected.gradients(given.astype(np.float64))):
        assert np.count_nonzero(gradient) > gradient.size / 2
        atol = 2e-5 * float(np.abs(gradient).max())
        np.testing.assert_allclose(got[f"gradient{i}"], gradient, rtol=1e-4, atol=atol)


def small(batch: int = 12) -> lif_layers.Layers:
    return lif_layers.make((40, 24, 16, 8), (10, 9, 8, 8), 7, batch)


# Neurons of a tile: the codelets for IPUs differ for two and for one.
@pytest.mark.parametrize("per_tile", [(2, 2, 2), (1, 1, 1), (2, 1, 2)], ids=str)
@pytest.mark.parametrize("device", DEVICES)
def test_training_step(device: str, per_tile: Sequence[int], operation: Path) -> None:
    check_training_step(operation, device, small(), per_tile)


@pytest.mark.parametrize("per_tile", [(4, 6, 2), (5, 3, 7)], ids=str)
def test_more_neurons_a_tile(per_tile: Sequence[int], operation: Path) -> None:
    check_training_step(operation, "model", small(), per_tile)


@pytest.mark.parametrize("device", DEVICES)
def test_active_sets_made_by_several_tiles(device: str, operation: Path) -> None:
    layers = lif_layers.make((60, 516, 20), (16, 150, 12), 4, 6)
    check_training_step(operation, device, layers, (2, 2))


@pytest.mark.parametrize("device", DEVICES)
def test_layers_on_two_ipus(device: str, operation: Path) -> None:
    check_training_step(operation, device, small(), (2, 2, 2), (0, 1, 1))


def test_fault_of_its_own_in_more_neurons_a_tile(operation: Path) -> None:
    """On an IPU a codelet reads the third neuron's input and those after it out of bounds."""
    layers = small()
    states = run(operation, "ipu", layers, (4, 2, 2))["output6"]
    expected = lif_layers.run(layers).states[0]
    right = np.isclose(states, expected, rtol=1e-5, atol=3e-6).reshape(-1, 4)
    assert right[:, :2].all()
    assert not right[:, 2:].all()


def test_fault_of_its_own_in_batches(operation: Path) -> None:
    """Samples beyond a multiple of six have no part in the gradients."""
    layers = small(batch=13)
    grads = given_gradients(layers)
    got = run(operation, "model", layers, (2, 2, 2), grads)
    expected = check_forward(layers, got)
    given = grads[2] * (np.arange(13) < 12)[:, None]
    check_gradients(expected, got, given.astype(np.float32))
