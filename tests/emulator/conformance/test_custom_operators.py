"""Other people's PopART custom operators, built unchanged, against NumPy (row 19 and more)."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np
import pytest
from tests.emulator.conformance.programs import ADDONS, EXAMPLES
from tests.emulator.conformance.repositories import take
from tests.emulator.conformance.test_programs import shell

random = np.random.default_rng(0)
FLAGS = "-std=c++17 -fPIC -shared -DONNX_NAMESPACE=onnx -include cstddef"
LIBRARIES = "-lpopart -lpoplar -lpopops -lpoputil"
NMS = "preview/vision/yolo_v4/pytorch/utils/custom_ops/nms"
REMAP = "vision/swin/pytorch/custom_ops"


@pytest.fixture
def popart() -> Any:
    return importlib.import_module("popsnn._popart")


@pytest.fixture
def device(popart: Any) -> Any:
    # As many as there are detections below: the codelet of the suppression writes the box of a
    # tile's second detection over that of its first.
    return popart.Device(tiles_per_ipu=64)


def load(popart: Any, source: Sequence[str], folder: str, files: str, to: Path) -> Path:
    """Build a library of operators in its folder of the checkout, and load it."""
    take(source, [folder], to)
    done = shell(f"g++ {FLAGS} {files} {LIBRARIES} -o operators.so", to / folder, 300)
    assert done.returncode == 0, done.stdout
    popart.load_library(str(to / folder / "operators.so"))
    return to / folder


def make(
    popart: Any, name: str, attributes: Dict[str, Any], *inputs: np.ndarray, n: int = 1
) -> Any:
    infos = [(x.dtype.name, x.shape) for x in inputs]
    return popart.make("ai.graphcore", name, 1, attributes, infos, n)


def normal(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype(np.float32)


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of boxes (x0, y0, x1, y1)."""
    shared = np.clip(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0, None).prod()
    return float(shared / ((a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod() - shared))


def suppressed(
    scores: np.ndarray, boxes: np.ndarray, threshold: float, least: float, n: int
) -> List[Tuple[int, int]]:
    """The first `n` (box, class) by score that overlap no earlier one of their class."""
    order = np.argsort(-scores, axis=None)
    saved: List[Tuple[int, int]] = []
    for box, class_ in zip(*np.unravel_index(order, scores.shape)):
        same = [k for k, c in saved if c == class_]
        if scores[box, class_] > least and all(
            overlap(boxes[box], boxes[k]) <= threshold for k in same
        ):
            saved.append((int(box), int(class_)))
    return saved[:n]


def test_non_maximum_suppression(
    popart: Any, device: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTORCH_APPS_DETECTION_PATH", str(tmp_path / Path(NMS).parents[2]))
    load(popart, EXAMPLES, NMS, "nms.cpp ipu_utils.cpp nms_custom_op.cpp", tmp_path)
    scores = random.random((2, 40, 3)).astype(np.float32)
    corner, size = random.random((2, 40, 2)) * 10, random.random((2, 40, 2)) * 3 + 0.5
    boxes = np.concatenate([corner, corner + size], axis=-1).astype(np.float32)
    settings = {"threshold": 0.4, "scoreThreshold": 0.2, "numDetections": 12, "useGather": 1}
    op = make(popart, "Nms", settings, scores, boxes, n=5)
    indices, best, result, classes, lengths = op.run([scores, boxes], device)
    for b in range(2):
        expected = suppressed(scores[b], boxes[b], 0.4, 0.2, 12)
        assert list(zip(indices[b], classes[b])) == expected
        np.testing.assert_array_equal(best[b], [scores[b][e] for e in expected])
        np.testing.assert_allclose(result[b], boxes[b, indices[b]], rtol=1e-4, atol=1e-3)
        assert lengths[b] == len(expected)


def test_remapping(popart: Any, device: Any, tmp_path: Path) -> None:
    load(popart, EXAMPLES, REMAP, "*.cpp", tmp_path)
    x = normal(4, 32)
    for clone, after_matmul in ((0, 0), (1, 0), (0, 1)):
        settings = {"fwd_grain_size": 4, "bwd_grain_size": 0}
        settings.update({f"{variant}_clone_layout": clone for variant in ("fwd", "bwd")})
        settings.update({f"{variant}_after_matmul": after_matmul for variant in ("fwd", "bwd")})
        op = make(popart, "RemapCE", settings, x)
        np.testing.assert_array_equal(op.run([x], device)[0], x)
        (grad,) = op.gradients()
        np.testing.assert_array_equal(grad.run([x], device)[0], x)


@pytest.fixture(scope="module")
def distances(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of the operators of distances, which are loaded."""
    popart = importlib.import_module("popsnn._popart")
    folder = "poptorch_experimental_addons/cpp"
    to = tmp_path_factory.mktemp("distances")
    return str(load(popart, ADDONS, folder, "distance_matrix.cpp", to).parent)


@pytest.mark.parametrize("p", [1, 2])
def test_distances(p: int, distances: str, popart: Any, device: Any) -> None:
    a, b, grad_out = normal(6, 5), normal(7, 5), normal(6, 7)
    op = make(popart, f"L{p}Distance", {"root_path": distances}, a, b)
    (out,) = op.run([a, b], device)
    difference = a[:, None].astype(float) - b[None]
    np.testing.assert_allclose(out, np.linalg.norm(difference, p, axis=-1), rtol=1e-5)
    scale = np.sign(difference) if p == 1 else difference / out[:, :, None]
    expected = grad_out[:, :, None] * scale
    (grad,) = op.gradients()
    arrays = {("grad_out", 0): grad_out, ("in", 0): a, ("in", 1): b, ("out", 0): out}
    da, db = grad.run([arrays[source] for source in grad.grad_inputs], device)
    np.testing.assert_allclose(da, expected.sum(1), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(db, -expected.sum(0), rtol=1e-4, atol=1e-5)


def test_a_proxy_for_gradients(popart: Any, device: Any, tmp_path: Path) -> None:
    folder = "poptorch_experimental_addons/cpp"
    load(popart, ADDONS, folder, "autograd_proxy.cpp", tmp_path)
    forward, proxy = normal(3), normal(3)
    op = make(popart, "AutogradProxy", {}, forward, proxy)
    np.testing.assert_array_equal(op.run([forward, proxy], device)[0], forward)
    (grad,) = op.gradients()
    assert grad.grad_outputs == {0: 1}
    np.testing.assert_array_equal(grad.run([proxy], device)[0], proxy)


def test_moving_average(popart: Any, device: Any, tmp_path: Path) -> None:
    load(popart, EXAMPLES, "vision/dino/pytorch/ema", "exp_avg_custom_op.cpp", tmp_path)
    weight, average, factor = normal(5), normal(5), np.array([0.9], np.float32)
    infos = [(x.dtype.name, x.shape) for x in (weight, average, factor)]
    op = popart.make("com.acme", "ExpMovAvg", 1, {}, infos, 1)
    (out,) = op.run([weight, average, factor], device)
    np.testing.assert_allclose(out, 0.9 * average + 0.1 * weight, rtol=1e-5, atol=1e-6)
