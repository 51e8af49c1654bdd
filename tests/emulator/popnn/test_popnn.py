"""popnn: non-linearities with their gradients, losses and accuracy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Callable, Dict

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program

erf = np.vectorize(math.erf, otypes=[np.float64])


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


FUNCTIONS: Dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "SIGMOID": sigmoid,
    "HARD_SIGMOID": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    "RELU": lambda x: np.maximum(x, 0),
    "TANH": np.tanh,
    "GELU": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "GELU_ERF": lambda x: 0.5 * x * (1 + erf(x / np.sqrt(2))),
    "SWISH": lambda x: x * sigmoid(x),
    "SOFTMAX": softmax,
    "SOFTMAX_STABLE": softmax,
    "SOFTMAX_SCALED": softmax,
}


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popnn", program_folder)


def input_gradient(name: str, x: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Central differences of sum(gradient * f(x)); along rows, as softmax mixes them."""
    out, h = np.empty_like(x), 1e-5
    for i in range(x.shape[1]):
        step = np.zeros_like(x)
        step[:, i] = h
        change = FUNCTIONS[name](x + step) - FUNCTIONS[name](x - step)
        out[:, i] = (gradient * change).sum(1) / (2 * h)
    return out


@pytest.mark.parametrize("type_", ["float", "half"])
@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_non_linearities(results: Results, type_: str, name: str) -> None:
    c = results[f"non-linearities {type_}"]
    i = str(list(FUNCTIONS).index(name))
    x, gradient = c["x"].astype(np.float64), c["gradient"].astype(np.float64)
    tolerance = 3e-3 if type_ == "half" else 1e-5
    scale = float(c[f"{i} scale"])
    assert scale == (62000 if name == "SOFTMAX_SCALED" else 1)
    expected = FUNCTIONS[name](x)
    np.testing.assert_allclose(c[i] / scale, expected, rtol=tolerance, atol=tolerance)
    if f"{i} gradient" in c:
        slope = input_gradient(name, x, gradient)
        if name == "HARD_SIGMOID":  # P lib/popnn/HardSigmoid.cpp: where abs(activation) <= 2.5
            slope = 0.2 * gradient
        np.testing.assert_allclose(c[f"{i} gradient"], slope, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("type_", ["float", "half"])
@pytest.mark.parametrize("name", ["SIGMOID", "RELU", "TANH", "GELU", "GELU_ERF", "SWISH"])
def test_non_linearities_in_a_compute_set(results: Results, type_: str, name: str) -> None:
    c = results[f"non-linearities {type_}"]
    i = str(list(FUNCTIONS).index(name))
    np.testing.assert_array_equal(c[f"{i} in a compute set"], c[i])
    np.testing.assert_array_equal(c[f"{i} gradient in a compute set"], c[f"{i} gradient"])


def test_in_place(results: Results) -> None:
    c = results["non-linearities float"]
    np.testing.assert_allclose(c["in place"], sigmoid(c["x"]), rtol=1e-6)


def test_losses_and_accuracy(results: Results) -> None:
    c = results["losses"]
    x, labels = c["x"].astype(np.float64), c["labels"]
    masked = labels == 0xFFFFFFFF
    onehot = np.where(masked[:, None], 0, np.arange(10) == labels[:, None])
    p = softmax(x)
    keep = ~masked
    loss = np.where(keep, -np.log((p * onehot).sum(1) + masked), 0)
    np.testing.assert_allclose(c["loss_after"], loss, rtol=1e-5, atol=1e-6)
    deltas = (p - onehot) * keep[:, None]
    np.testing.assert_allclose(c["deltas_after"], deltas, rtol=1e-5, atol=1e-6)
    difference = (x - onehot) * keep[:, None]
    np.testing.assert_allclose(c["differences_after"], difference, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(c["square_after"], 0.5 * (difference**2).sum(1), rtol=1e-5)
    assert c["correct_after"] == [100 + (x.argmax(1) == labels).sum()]
    np.testing.assert_allclose(c["scaled_loss_after"], loss, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(c["scaled_deltas_after"], 8 * deltas, rtol=2e-3, atol=2e-3)


def test_extremes(results: Results) -> None:
    c = results["losses"]
    x = c["x"]
    np.testing.assert_array_equal(c["max"], x.max(1))
    np.testing.assert_array_equal(c["argmax"], x.argmax(1))
    np.testing.assert_array_equal(c["argmin"], x.argmin(1))
    np.testing.assert_array_equal(c["top indices"], np.argsort(-x, axis=1)[:, :3])
    np.testing.assert_array_equal(c["top"], -np.sort(-x, axis=1)[:, :3])


@pytest.mark.parametrize(("name", "got"), [("x", "out"), ("h", "h_after")])
def test_log_softmax(results: Results, name: str, got: str) -> None:
    c = results["log softmax"]
    x = c[name].astype(np.float64)
    x -= x.max(-1, keepdims=True)
    expected = x - np.log(np.exp(x).sum(-1, keepdims=True))
    tolerance = 2e-3 if name == "h" else 1e-5
    np.testing.assert_allclose(c[got], expected, rtol=tolerance, atol=4 * tolerance)


def test_spatial_softmax(results: Results) -> None:
    c = results["spatial softmax"]
    x = c["x"].astype(np.float64)
    rows, columns = np.meshgrid(np.linspace(-1, 1, 4), np.linspace(-1, 1, 5), indexing="ij")
    p = softmax((x / 2.5).reshape(-1)).reshape(x.shape)
    for got, weights in (("out", p), ("raw", x)):
        expected = [[(w * rows).sum(), (w * columns).sum()] for w in weights]
        np.testing.assert_allclose(c[got], expected, rtol=1e-5, atol=1e-6)
    assert c["temperature"] == 2.5


@pytest.mark.parametrize("order", ["Max", "Min"])
def test_vertices_that_reduce_classes(results: Results, order: str) -> None:
    """Programs add poplibs' vertices by name: P lib/popnn/codelets/ReduceMaxClassSparse.cpp."""
    c = results[f"class {order}"]
    extreme = np.argmax if order == "Max" else np.argmin
    assert c["best"] == c["x"][extreme(c["x"])]
    assert c["at"] == c["labels"][extreme(c["x"])]
    where = [i + extreme(c["h"][i : i + 3]) for i in range(0, 20, 3)]
    np.testing.assert_array_equal(c["groups"], c["h"][where])
    np.testing.assert_array_equal(c["where"], 100 + np.array(where))


def test_names_of_non_linearities(results: Results) -> None:
    assert results.errors["hard_sigmoid"] is None
    assert results.errors["hard_sigmoid as"] == "hard sigmoid"
    assert results.errors["gelu_erf as"] == "gelu_erf"
    assert results.errors["softmax_scaled as"] == "softmax (scaled, stable)"
    assert results.errors["relu6"] == "Unsupported non-linearity type 'relu6'"
    assert results.errors["vertex"] == "V<float,popnn::NonLinearityType::GELU>"


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    assert "calcAccuracy: expected outputs [B,C]" in str(results.errors["labels"])
    assert "calcLoss: expected a loss [B] and deltas [B,C]" in str(results.errors["deltas"])
    assert "nonLinearity: expected a tensor of type float or half" in str(results.errors["type"])
    assert "expected another type than softmax" in str(results.errors["compute set"])
    assert "expected activations and gradients of one shape" in str(
        results.errors["gradient shape"]
    )
