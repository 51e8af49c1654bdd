"""The PopART operators' types, shapes, attributes, and what they refuse."""

from __future__ import annotations

import importlib
import re
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
import pytest
from tests.emulator.library_tool import build

from popsnn._internal.paths import popart_ops_path
from popsnn.engines import poptorch_ops

popart = importlib.import_module("popsnn._popart")
poptorch_ops.load(True)

Kind = Tuple[str, Tuple[int, ...]]

T, B, S, M, N = 4, 2, 3, 6, 5  # steps, batch, capacity, inputs, neurons
LISTS: List[Kind] = [
    ("int32", (T, B, S)),
    ("int32", (T, B, 2)),
    ("float32", (T, B, S)),
    ("int32", (2,)),
]
LAYER: List[Kind] = [("float32", (N, M)), ("float32", (N,)), ("float32", (3, N))]
ATTRIBUTES: Dict[str, Any] = {
    "capacity": [4],
    "delay": [0],
    "recurrent": [0],
    "bias": [1],
    "gain": [1.0],
    "reset": ["zero"],
    "detach_reset": [1],
    "surrogate": ["SuperSpike"],
    "surrogate_parameter": [10.0],
    "half_weights": [0],
    "learns": [0],
}
OUTPUTS = 10


def make(name: str, attributes: Dict[str, Any], inputs: List[Kind], outputs: int) -> Any:
    return popart.make("popsnn", name, 1, attributes, inputs, outputs)


def layer(
    inputs: Optional[List[Kind]] = None,
    outputs: int = OUTPUTS,
    name: str = "SparseLayer",
    **changes: Any,
) -> Any:
    return make(name, {**ATTRIBUTES, **changes}, inputs or [*LISTS, *LAYER], outputs)


def test_all_are_registered() -> None:
    names = {name for domain, name, version in popart.operators() if domain == "popsnn"}
    assert names == {"CompactSpikes", "ExpandSpikes", "Lif", "SparseLayer", "SparseNetwork"}


def test_outputs_of_a_layer() -> None:
    assert layer().outputs == [
        ("float32", (T, B, 4)),  # values, ids, counts
        ("int32", (T, B, 4)),
        ("int32", (T, B, 2)),
        ("int16", (1 + T, B, 4)),  # the input's lists: rows are whole 64-bit words
        ("int32", (1 + T, B, 2)),
        ("int16", (1 + T, B, 4)),  # its own lists and windows
        ("int32", (1 + T, B, 2)),
        ("int32", (1 + T, B, 3)),
        ("int32", (1 + T, B, 1, N)),  # its states, the bits of floats
        ("int32", (T, B, 2)),  # drops
    ]


def test_segments_keep_checkpoints() -> None:
    shapes = [shape for _, shape in layer(segment=2, outputs=OUTPUTS + 1).outputs]
    assert (3, B, 1, N) in shapes
    assert (1, B, 1, N) in shapes


def test_dendritic_delays_keep_products_and_rings() -> None:
    taps: Kind = ("float32", (4, N))
    made = layer(
        [*LISTS, *LAYER, taps],
        outputs=OUTPUTS + 3,
        dendritic=[3],
        learnt_delays=[1],
        segment=2,
    )
    assert made.outputs[-3:-1] == [("int32", (2, B, 1, N)), ("int32", (4, B, 1, N))]
    (gradient,) = made.gradients()
    assert gradient.grad_outputs == {0: 4, 1: 5, 2: 7}


def test_gradients_of_a_layer() -> None:
    (gradient,) = layer(learns=[1], input_gradient=1).gradients()
    assert gradient.grad_outputs == {0: 4, 1: 5, 2: 6, 3: 2}
    (gradient,) = layer().gradients()
    assert gradient.grad_outputs == {0: 4, 1: 5}
    assert gradient.grad_inputs[0] == ("grad_out", 0)


@pytest.mark.parametrize(
    ("operator", "gradients"),
    [
        (lambda: layer(segment=2, outputs=OUTPUTS + 1), 1),
        (
            lambda: layer(
                [*LISTS, *LAYER, ("float32", (4, N))],
                outputs=OUTPUTS + 3,
                dendritic=[3],
                learnt_delays=[1],
                segment=2,
            ),
            1,
        ),
        (lambda: make("Lif", {}, [("float32", (T, B, N)), ("float32", (3, N))], 2), 1),
        (lambda: make("CompactSpikes", {"capacity": 2}, [("float32", (T, B, N))], 4), 1),
    ],
)
def test_gradients_read_integers_of_outputs(operator: Callable[[], Any], gradients: int) -> None:
    """PopART may cast or check floats; ids, or bits of floats, would not survive that."""
    made = operator()
    assert len(made.gradients()) == gradients
    for gradient in made.gradients():
        read = [made.outputs[index] for kind, index in gradient.grad_inputs if kind == "out"]
        assert read
        assert {dtype for dtype, _ in read} <= {"int16", "int32"}
    # The first output has values; all others are for the gradient, or count.
    assert {dtype for dtype, _ in made.outputs[1:]} <= {"int16", "int32"}


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: layer(capacity=[]), "capacity: expected one entry a layer, got none"),
        (lambda: layer(delay=[0, 0]), "delay: expected 1 entries, one a layer, got 2"),
        (lambda: layer(capacity=[4, 4], name="SparseLayer"), "expected 2 entries, one a layer"),
        (
            lambda: layer(**{k: v * 2 for k, v in ATTRIBUTES.items()}),
            "SparseLayer: capacity: expected one entry, got 2",
        ),
        (
            lambda: layer(reset=["never"]),
            "SparseLayer: reset: expected one of zero, subtract, none, got 'never'",
        ),
        (
            lambda: layer(surrogate=["Step"]),
            "surrogate: expected one of SuperSpike, Sigmoid, ATan, Triangle, Rectangle, got 'Step'",
        ),
        (lambda: layer(capacity=[9]), "layer 0: capacity: expected 1 to 5, got 9"),
        (lambda: layer(delay=[2]), "layer 0: delay: expected 0 or 1, got 2"),
        (lambda: layer(dendritic=[2]), "expected 8 inputs for its layers, got 7"),
        (
            lambda: layer([*LISTS, *LAYER, ("float32", (2, N))], dendritic=[2]),
            "taps0: expected float32 of shape [3, 5], got float32 of shape [2, 5]",
        ),
        (
            lambda: layer([*LISTS, *LAYER, ("float32", (M, N))], dendritic=[2], synaptic=[1]),
            f"delay_steps0: expected float32 of shape [{N}, {M}], got float32 of shape [{M}, {N}]",
        ),
        (
            lambda: layer([*LISTS, *LAYER, ("float32", (M,))], axonal=[2], arrivals=[3]),
            "layer 0: axonal: expected 0 of the network's input, got 2",
        ),
        (lambda: layer(segment=9), "segment: expected at most the 4 steps, got 9"),
        (lambda: layer(replicas=-1), "replicas: expected at least 0, got -1"),
        (lambda: layer(dense=[3]), "dense: expected entries of 0 to 2, got 3"),
        (lambda: layer(remote_partials=2), "remote_partials: expected 0 or 1, got 2"),
        (lambda: layer(bias=[0]), "expected 6 inputs for its layers, got 7"),
        (lambda: layer(outputs=3), "outputs for its layers, got 3"),
        (
            lambda: layer([("float32", (T, B, S)), *LISTS[1:], *LAYER]),
            "ids: expected int32 of shape [T, B, S], got float32 of shape [4, 2, 3]",
        ),
        (
            lambda: layer([*LISTS, LAYER[0], ("float32", (N + 1,)), LAYER[2]]),
            "bias0: expected float32 of shape [5], got float32 of shape [6]",
        ),
        (
            lambda: layer([*LISTS, LAYER[0], LAYER[1], ("float32", (2, N))]),
            "parameters0: expected float32 of shape [3, 5], got float32 of shape [2, 5]",
        ),
        (
            lambda: make("CompactSpikes", {"capacity": 9}, [("float32", (T, B, N))], 4),
            "CompactSpikes: capacity: expected 1 to 5, got 9",
        ),
        (
            lambda: make("CompactSpikes", {"capacity": 0}, [("float32", (T, B, N))], 4),
            "CompactSpikes: capacity: expected 1 to 4294967295, got 0",
        ),
        (
            lambda: make("CompactSpikes", {"capacity": 2}, [("float32", (T, N))], 4),
            "CompactSpikes: x: expected float32 of shape [T, B, N], got float32 of shape [4, 5]",
        ),
        (
            lambda: make("ExpandSpikes", {}, LISTS[:3], 1),
            "ExpandSpikes: size: expected at least 1, got 0",
        ),
        (
            lambda: make("ExpandSpikes", {"size": N}, [*LISTS[:2], ("float32", (T, B, 1))], 1),
            "ExpandSpikes: values: expected float32 of shape [4, 2, 3], got float32 of shape "
            "[4, 2, 1]",
        ),
        (
            lambda: make("Lif", {}, [("float32", (T, B, N)), ("float32", (2, N))], 2),
            "Lif: parameters: expected float32 of shape [3, 5], got float32 of shape [2, 5]",
        ),
    ],
)
def test_what_is_refused(call: Any, sentence: str) -> None:
    with pytest.raises(popart.popart_exception, match=re.escape(sentence)):
        call()


def test_a_network_that_does_not_fit_says_by_how_much() -> None:
    large = [*LISTS, ("float32", (N, 400_000)), *LAYER[1:]]
    arrays = [np.zeros(shape, dtype) for dtype, shape in large]
    sentence = r"SparseLayer: plan: .* needs \d+ bytes on tile 0, each of the device's 2 tiles"
    with pytest.raises(popart.popart_exception, match=sentence):
        layer(large).run(arrays, popart.Device(tiles_per_ipu=2))


def test_checkpoints_that_would_be_streamed_are_refused() -> None:
    steps, batch, size = 200, 8, 20_000
    large = [
        ("int32", (steps, batch, S)),
        ("int32", (steps, batch, 2)),
        ("float32", (steps, batch, S)),
        ("int32", (2,)),
        ("float32", (size, M)),
        ("float32", (size,)),
        ("float32", (3, size)),
    ]
    arrays = [np.zeros(shape, dtype) for dtype, shape in large]
    sentence = "segment: expected checkpoints that fit on the tiles, got 2 of 200 steps"
    with pytest.raises(popart.popart_exception, match=sentence):
        layer(large, segment=2, outputs=OUTPUTS + 1).run(arrays, popart.Device(tiles_per_ipu=64))


def test_shapes_of_a_model_before_there_are_ops(tmp_path: Path) -> None:
    source = Path(__file__).with_name("programs") / "popart_shapes.cpp"
    program = build(source, tmp_path / "shapes", ["popart"], "-ldl")
    command = [str(program), str(popart_ops_path(True))]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed.splitlines() == [
        "Lif 0 float32 4 2 5",
        "Lif 1 int32 4 2 5",
        "CompactSpikes 0 float32 4 2 3",
        "CompactSpikes 1 int32 4 2 3",
        "CompactSpikes 2 int32 4 2 2",
        "CompactSpikes 3 int32 4 2 2",
        "ExpandSpikes 0 float32 4 2 5",
        "SparseLayer 0 float32 4 2 5",
        "SparseLayer 1 int16 5 2 4",
        "SparseLayer 2 int32 5 2 2",
        "SparseLayer 3 int32 5 2 1 5",
    ]
