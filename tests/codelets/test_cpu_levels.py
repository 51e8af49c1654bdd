"""Codelets that are compiled for the levels of x86-64: the same bits from each."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest
from tests.codelets.cases import RESETS, InOut, Output, RunVertex
from tests.emulator import test_cpu_levels as levels
from tests.emulator.popc_tool import locate_popc

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("neurons/lif_scan.cpp", "neurons/lif_scan_grad.cpp", "optimizers/adam_update.cpp")
NEURONS = 53  # no multiple of a vector's length
SHAPE = (7, 3, NEURONS)

pytestmark = levels.pytestmark


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Path]:
    """Return a library for each level of this CPU, and one with fused products and sums."""
    folder = tmp_path_factory.mktemp("levels")
    flags = {level: [f"-march={level}"] for level in levels.of_this_cpu()}
    if "x86-64-v3" in flags:
        flags["fused"] = [*flags["x86-64-v3"], "-ffp-contract=fast"]
    codelets = ROOT / "codelets"
    sources = [codelets / source for source in SOURCES]
    for name, options in flags.items():
        command = [locate_popc(folder), "-O3", *options, f"-I{codelets}", *sources]
        subprocess.run([*command, "-o", folder / f"{name}.gp"], check=True)
    return {name: folder / f"{name}.gp" for name in flags}


def results(run_vertex: RunVertex, library: Path) -> Dict[str, bytes]:
    """Return the bytes of every field that the vertices write."""
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    written: Dict[str, bytes] = {}

    def run(name: str, fields: Dict[str, Any], state: Dict[str, Any]) -> None:
        after = run_vertex(name, fields, state, library=library)
        for field, what in fields.items():
            if isinstance(what, (InOut, Output)):
                written[f"{name} {state} {field}"] = np.asarray(after[field]).tobytes()

    sizes = dict(zip(("steps", "batch", "neurons"), SHAPE))
    parameters = np.abs(normal(3, NEURONS))
    for reset in range(len(RESETS)):
        membrane, spikes = Output(SHAPE, "float32"), Output(SHAPE, "float32")
        fields: Dict[str, Any] = {"current": normal(*SHAPE), "parameters": parameters}
        run(
            "LifScan", {**fields, "membrane": membrane, "spikes": spikes}, {**sizes, "reset": reset}
        )
    for surrogate in range(5):
        fields = {
            "spike_grad": normal(*SHAPE),
            "membrane": normal(*SHAPE),
            "parameters": parameters,
            "current_grad": Output(SHAPE, "float32"),
            "parameter_grad": Output((SHAPE[1], 2, NEURONS), "float32"),
        }
        options = {"reset": 1, "detach_reset": 0, "surrogate": surrogate}
        run("LifScanGrad", fields, {**sizes, **options, "surrogate_parameter": 1.7})
    fields = {
        "settings": np.array([0.013, 0.9, 0.999, 1e-8, 1.7, 0.01, 0.99], np.float32),
        "gradient": normal(NEURONS),
        "first_moment": InOut(normal(NEURONS)),
        "second_moment": InOut(np.abs(normal(NEURONS))),
        "parameter": InOut(normal(NEURONS)),
        "rest": [],
    }
    run("AdamUpdate<float>", fields, {"size": NEURONS})
    return written


def test_all_levels_have_the_same_bits(
    run_vertex: RunVertex, compiled: Dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POPSNN_CPU_LEVEL", raising=False)
    found = {name: results(run_vertex, library) for name, library in compiled.items()}
    expected = found["x86-64"]
    assert len(expected) == 3 * 2 + 5 * 2 + 3
    for level in levels.of_this_cpu():
        assert found[level] == expected, level
    if "fused" in found:  # a build that rounds otherwise is seen in every vertex
        fused = found["fused"]
        different = {name.split()[0] for name in expected if fused[name] != expected[name]}
        assert different == {"LifScan", "LifScanGrad", "AdamUpdate<float>"}
