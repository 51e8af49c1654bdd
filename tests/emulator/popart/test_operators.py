"""Operators of the emulated PopART whose rules are PopART's own, against NumPy and torch."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable, Dict, Iterator, List, Tuple

import numpy as np
import pytest
import torch
from tests.emulator.library_tool import prefix

pytest.importorskip("onnx")
random = np.random.default_rng(1)
X = random.uniform(0.5, 1.5, (2, 3, 4)).astype(np.float32)


@pytest.fixture(scope="module")
def popart() -> Iterator[Any]:
    path = str(prefix() / "python")
    sys.path.insert(0, path)
    try:
        yield importlib.import_module("popart")
    finally:
        sys.path.remove(path)


def infer(popart: Any, build: Callable[..., Any], *arrays: Any, opset: int = 11) -> List[Any]:
    """Return the outputs of a model."""
    builder = popart.Builder(opsets={"ai.onnx": opset, "ai.graphcore": 1})
    names = [builder.addInputTensor(popart.TensorInfo(array)) for array in arrays]
    outputs = build(builder, *names)
    device = popart.DeviceManager().createIpuModelDevice({})
    session = popart.InferenceSession(builder.getModelProto(), popart.DataFlow(1, outputs), device)
    session.prepareDevice()
    anchors = session.initAnchorArrays()
    session.run(popart.PyStepIO(dict(zip(names, arrays)), anchors))
    return [anchors[name] for name in outputs]


def refused(popart: Any, sentence: str, call: Callable[[], Any]) -> None:
    with pytest.raises(popart.popart_exception, match=sentence):
        call()


def test_reductions_of_no_axes(popart: Any) -> None:
    """`op/reduce.cpp`: given axes that are none reduce each element by itself."""
    names = ["reducelogsum", "reducesumsquare", "reducel1", "reducesum"]
    got = infer(popart, lambda b, x: [getattr(b.aiOnnx, n)([x], axes=[]) for n in names], X)
    expected = [np.log(X), X**2, X, X]
    for value, other in zip(got, expected):
        np.testing.assert_allclose(value, other, rtol=1e-5, atol=1e-6)
    for axis in (-4, 3):

        def build(b: Any, x: str, axis: int = axis) -> List[str]:
            return [b.aiOnnx.reducesum([x], axes=[axis])]

        sentence = rf"Axis {axis} is out of acceptable range \[-3, 2\]"
        with pytest.raises(popart.popart_exception, match=sentence):
            infer(popart, build, X)


def places(transform: str, own: int, scale: float) -> Any:
    """Return where outputs lie, as ONNX and `popx/op/resizex.cpp` have it."""
    steps = np.arange(int(np.floor(own * scale)), dtype=np.float64)
    size = own * scale
    return {
        "half_pixel": (steps + 0.5) / scale - 0.5,
        "pytorch_half_pixel": (steps + 0.5) / scale - 0.5 if size > 1 else 0 * steps,
        "asymmetric": steps / scale,
        "align_corners": steps * (own - 1) / (size - 1),
    }[transform]


@pytest.mark.parametrize(("own", "scale"), [(5, 2.3), (8, 1.12), (5, 0.7)])
@pytest.mark.parametrize(
    "transform", ["half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"]
)
def test_linear_resize(transform: str, own: int, scale: float, popart: Any) -> None:
    x = random.standard_normal(own).astype(np.float32)
    scale = float(np.float32(scale))

    def build(b: Any, name: str) -> List[str]:
        roi = b.aiOnnx.constant(np.array([], np.float32))
        scales = b.aiOnnx.constant(np.array([scale], np.float32))
        return [
            b.aiOnnx.resize(
                [name, roi, scales], mode="linear", coordinate_transformation_mode=transform
            )
        ]

    (out,) = infer(popart, build, x)
    expected = np.interp(places(transform, own, scale), np.arange(own), x)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("opset", [10, 11])
def test_nearest_resize(opset: int, popart: Any) -> None:
    """Opset 10 has torch's nearest pixel, opset 11 the centres, rounded half down."""
    x, scale = random.standard_normal((1, 1, 7)).astype(np.float32), np.float32(0.6)

    def build(b: Any, name: str) -> List[str]:
        scales = b.aiOnnx.constant(np.array([1, 1, scale], np.float32))
        roi = [b.aiOnnx.constant(np.array([], np.float32))] if opset == 11 else []
        return [b.aiOnnx.resize([name, *roi, scales])]

    (out,) = infer(popart, build, x, opset=opset)
    if opset == 10:
        expected = torch.nn.functional.interpolate(torch.tensor(x), scale_factor=float(scale))
        np.testing.assert_array_equal(out, expected.numpy())
    else:
        where = np.ceil(places("half_pixel", 7, float(scale)) - 0.5).astype(int)
        np.testing.assert_array_equal(out, x[..., where])


def test_transposed_convolution(popart: Any) -> None:
    """`op/convtranspose.cpp`: with SAME_UPPER one more is cut at the begin of an odd total."""
    image = np.array([[[[1, 2], [3, 4]]]], np.float32)
    kernel = np.array([[[[1, 2], [2, 1]]]], np.float32)
    whole = torch.nn.functional.conv_transpose2d(torch.tensor(image), torch.tensor(kernel)).numpy()

    def build(b: Any, x: str, w: str) -> List[str]:
        upper = b.aiOnnx.convtranspose([x, w], output_shape=[2, 2])
        b.addNodeAttribute("auto_pad", "SAME_UPPER", {upper})
        lower = b.aiOnnx.convtranspose([x, w], output_shape=[2, 2])
        return [upper, lower, b.aiOnnx.convtranspose([x, w], output_shape=[1, 1, 3, 3])]

    upper, lower, full = infer(popart, build, image, kernel)
    np.testing.assert_array_equal(upper, whole[..., 1:, 1:])
    np.testing.assert_array_equal(lower, whole[..., :2, :2])
    np.testing.assert_array_equal(full, whole)
    refused(
        popart,
        r"expected dilations of 1, got \[2, 2\]",
        lambda: infer(
            popart,
            lambda b, x, w: [b.aiOnnx.convtranspose([x, w], dilations=[2, 2])],
            image,
            kernel,
        ),
    )


def test_scans_join_along_a_dimension(popart: Any) -> None:
    """`op/scan.cpp`: outputs are joined, not stacked, and slices of vectors keep a dimension."""

    def build(b: Any, x: str, y: str) -> List[str]:
        body = b.createSubgraphBuilder()
        inputs = [body.addUntypedInputTensor(x), body.addUntypedInputTensor(y)]
        body.addOutputTensor(body.aiOnnx.concat(inputs, 0))
        return list(b.aiOnnx.scan([x, y], 1, body, 2))

    x, y = np.arange(4, dtype=np.float32), np.arange(4, 8, dtype=np.float32)
    (out,) = infer(popart, build, x, y)
    np.testing.assert_array_equal(out, np.stack([x, y], 1).reshape(-1))


def test_slices_take_the_shape_that_they_are_written_to(popart: Any) -> None:
    def build(b: Any, x: str, index: str) -> List[str]:
        into = b.aiGraphcore.init([3, 4], popart.DataType.FLOAT, popart.InitType.Zero)
        return [b.aiGraphcore.dynamicslice([x, index, into], axes=[0], sizes=[1], noOverlap=True)]

    (out,) = infer(popart, build, X, np.array([1], np.uint32))
    np.testing.assert_array_equal(out, X[1])


@pytest.mark.parametrize("domain", ["aiOnnx", "aiGraphcore"])
def test_moving_variance(domain: str, popart: Any) -> None:
    """ONNX's is biased, aiGraphcore's is torch's (`op/batchnorm.cpp`); weights take both."""
    builder = popart.Builder()
    x = builder.addInputTensor("FLOAT", [2, 3, 4])
    start = {"scale": 1.5, "b": 0.25, "mean": 2.0, "var": 3.0}
    names = [
        builder.addInitializedInputTensor(np.full(3, value, np.float32), name)
        for name, value in start.items()
    ]
    y, _, variance, _, saved = getattr(builder, domain).batchnormalization(
        [x, *names], 5, 1e-5, 0.9
    )
    loss = builder.aiGraphcore.identityloss([y])
    session = popart.TrainingSession(
        builder.getModelProto(),
        popart.DataFlow(1, [variance, saved]),
        loss,
        popart.ConstSGD(0.1),
        popart.DeviceManager().createIpuModelDevice({}),
    )
    session.prepareDevice()
    session.weightsFromHost()
    anchors = session.initAnchorArrays()
    session.run(popart.PyStepIO({x: X}, anchors))
    session.weightsToHost()
    own = X.var((0, 2), ddof=0 if domain == "aiOnnx" else 1)
    np.testing.assert_allclose(anchors[saved], own, rtol=1e-5)
    np.testing.assert_allclose(anchors[variance], 0.9 * 3 + 0.1 * own, rtol=1e-5)
    got = {name: np.empty(3, np.float32) for name in names[2:]}
    session.readWeights(popart.PyWeightsIO(got))
    np.testing.assert_allclose(got[names[3]], anchors[variance])
    np.testing.assert_allclose(got[names[2]], 0.9 * 2 + 0.1 * X.mean((0, 2)), rtol=1e-5)


def gradients(popart: Any, build: Callable[..., Any], array: Any) -> Tuple[Callable[[], Any], str]:
    """Return what runs a step of training, and its input; anchors are gradients of tensors."""
    builder = popart.Builder()
    x = builder.addInputTensor(popart.TensorInfo(array))
    loss, wanted = build(builder, x)
    anchors = [popart.reservedGradientPrefix() + name for name in wanted]

    def run() -> Any:
        session = popart.TrainingSession(
            builder.getModelProto(),
            popart.DataFlow(1, anchors),
            loss,
            popart.ConstSGD(0.1),
            popart.DeviceManager().createIpuModelDevice({}),
        )
        session.prepareDevice()
        arrays = session.initAnchorArrays()
        session.run(popart.PyStepIO({x: array}, arrays))
        return [arrays[name] for name in anchors]

    return run, x


def test_gradients_of_constants(popart: Any) -> None:
    def build(b: Any, x: str) -> Any:
        c = b.aiOnnx.constant(2 * X)
        taken = b.aiOnnx.gather([c, b.aiOnnx.constant(np.array([1], np.int32))], 0)
        y = b.aiOnnx.mul([taken, x])
        return b.aiGraphcore.identityloss([y], popart.ReductionType.Sum), [c, x]

    run, _ = gradients(popart, build, X[:1])
    constant, other = run()
    np.testing.assert_array_equal(constant, np.stack([np.zeros_like(X[0]), X[0]]))
    np.testing.assert_array_equal(other, 2 * X[1:])


@pytest.mark.parametrize("kind", ["detached", "integers"])
def test_gradients_that_there_are_not(kind: str, popart: Any) -> None:
    array = X if kind == "detached" else X.astype(np.int32)

    def build(b: Any, x: str) -> Any:
        y = b.aiGraphcore.detach([x]) if kind == "detached" else b.aiOnnx.cast([x], "FLOAT")
        return b.aiGraphcore.identityloss([y]), [x]

    run, x = gradients(popart, build, array)
    refused(popart, f"Anchor tensor `Gradient___{x}' not in Ir Tensors", run)


LAYERS: Dict[str, Tuple[str, Any]] = {
    "only supports `forward' direction": ("direction", "reverse"),
    "Attribute `clip' of RNN": ("clip", 1.0),
    "hidden_size .5. does not match": ("hidden_size", 5),
    "only supports 1 activation, 2 were": ("activations", ["Tanh", "Relu"]),
    "Activation type 'Affine' is not supported": ("activations", ["Affine"]),
}


@pytest.mark.parametrize("sentence", LAYERS)
def test_recurrent_layers_refuse_what_popart_does(sentence: str, popart: Any) -> None:
    name, value = LAYERS[sentence]
    x = np.zeros((2, 1, 3), np.float32)
    w, r = np.zeros((1, 4, 3), np.float32), np.zeros((1, 4, 4), np.float32)

    def build(b: Any, *names: str) -> List[str]:
        outputs = list(b.aiOnnx.rnn([*names], 2))
        b.addNodeAttribute(name, value, set(outputs))
        return outputs

    refused(popart, sentence, lambda: infer(popart, build, x, w, r))


def test_products_of_halves_by_a_float(popart: Any) -> None:
    number = np.array(0.3, np.float32)
    halves = X.astype(np.float16)
    (out,) = infer(popart, lambda b, x, n: [b.aiOnnx.mul([x, n])], halves, number)
    assert out.dtype == np.float16
    np.testing.assert_array_equal(out, (halves.astype(np.float32) * number).astype(np.float16))
    refused(
        popart,
        r"incompatible types FLOAT16 and FLOAT \(shapes \[2 3 4\] and \[2 3 4\]\)",
        lambda: infer(popart, lambda b, x, y: [b.aiOnnx.mul([x, y])], halves, X),
    )


def test_types_that_torch_holds_in_wider_ones(popart: Any) -> None:
    """`op/ctcbeamsearchdecoder.cpp` and `op/cast.cpp`: outputs are unsigned."""
    logs = np.log(np.full((3, 1, 2), 0.5, np.float32))
    lengths = np.array([3], np.uint32)

    def build(b: Any, x: str, n: str) -> List[str]:
        searched = b.aiGraphcore.ctcbeamsearchdecoder([x, n], 0, 10, 2)
        return [*searched, b.aiOnnx.cast([x], "UINT16"), b.aiOnnx.cast([n], "INT32")]

    scores, sizes, labels, cut, signed = infer(popart, build, logs, lengths)
    assert [a.dtype.name for a in (scores, sizes, labels)] == ["float32", "uint32", "uint32"]
    assert (cut.dtype, signed.dtype) == (np.uint16, np.int32)
    assert labels[0, 0, : sizes[0, 0]].tolist() == [1]  # 6 of the 8 alignments
    np.testing.assert_allclose(scores[0], np.log([6 / 8, 1 / 8]), rtol=1e-6)
