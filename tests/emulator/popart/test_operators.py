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


def _scattered(
    source: np.ndarray, index: np.ndarray, axis: int, start: np.ndarray, reduce: Callable[..., Any]
) -> np.ndarray:
    """Reduce element by element; a smaller index than the source takes its first elements."""
    out = start.astype(np.float64)
    for place in np.ndindex(*index.shape):
        where = list(place)
        where[axis] = index[place]
        out[tuple(where)] = reduce(out[tuple(where)], np.float64(source[place]))
    return out


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_scatter_reductions_along_each_axis(popart: Any, groups: int, axis: int) -> None:
    """`op/scatterreduce.cpp`: with groups, dimension 0 is over them and the axis counts it."""
    source = random.standard_normal((groups, 4, 5)).astype(np.float32)
    start = random.standard_normal((groups, 4, 5)).astype(np.float32)
    index = random.integers(0, 3, source.shape).astype(np.uint32)
    if groups == 1:
        source, start, index = source[0], start[0], index[0]
    full = axis if axis < 0 or groups == 1 else axis + 1
    shape = list(source.shape)
    shape[full] = 3
    kinds = {"Sum": np.add, "Max": np.maximum, "Min": np.minimum, "Mul": np.multiply}

    def build(b: Any, data: str, where: str, first: str) -> List[str]:
        method = b.aiGraphcore.groupedscatterreduce if groups > 1 else b.aiGraphcore.scatterreduce
        more = {"group_size": groups} if groups > 1 else {}

        def call(kind: str, inputs: List[str]) -> str:
            reduction = getattr(popart.ScatterReduction, kind)
            return method(inputs, axis=full, axis_size=3, reduction=reduction, **more)

        return [
            call("Sum", [data, where]),
            *(call(kind, [data, where, first]) for kind in kinds),
        ]

    alone, *others = infer(popart, build, source, index, start)
    expected = _scattered(source, index, full, np.zeros(shape), np.add)
    np.testing.assert_allclose(alone, expected, rtol=1e-5, atol=1e-6)
    for value, reduce in zip(others, kinds.values()):
        expected = _scattered(source, index, full, start, reduce)
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def test_indices_of_scatter_reductions_are_expanded(popart: Any) -> None:
    """`op/scatterreduce.cpp`: `expandIndicesBcastNdShape` and `checkIndexBroadcasted`."""
    source = random.standard_normal((2, 4, 5)).astype(np.float32)
    vector = np.array([2, 0, 2, 1], np.uint32)

    def call(b: Any, data: str, where: str, **more: Any) -> List[str]:
        named = {"axis": 1, "axis_size": 3, "reduction": popart.ScatterReduction.Sum, **more}
        return [b.aiGraphcore.scatterreduce([data, where], **named)]

    (got,) = infer(popart, call, source, vector)
    wide = np.broadcast_to(vector[:, None], source.shape)
    expected = _scattered(source, wide, 1, np.zeros((2, 3, 5)), np.add)
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    narrow = {"enable_index_broadcast": 0}
    (got,) = infer(popart, lambda b, x, i: call(b, x, i, **narrow), source, vector)
    expected = _scattered(source, vector.reshape(1, 4, 1), 1, np.zeros((1, 3, 1)), np.add)
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    for index, more, sentence in (
        (np.zeros((2, 4, 1), np.uint32), {}, "Partial broadcasting of indices"),
        (np.zeros((1, 2, 4, 5), np.uint32), {}, "Invalid rank for indices input"),
        (np.zeros(9, np.uint32), {}, "Failed to expand 'indices' shape"),
        (vector, {"axis": 3}, "axis = 3 is outside the acceptable range"),
        (vector, {"axis_size": 0}, "axis_size = 0 is not valid"),
    ):

        def run(index: Any = index, more: Any = more) -> Any:
            return infer(popart, lambda b, x, i: call(b, x, i, **more), source, index)

        refused(popart, sentence, run)


def test_groups_of_channels_apart(popart: Any) -> None:
    """popnn's `groupActs`: a group has channels that are the number of groups apart."""
    x = random.standard_normal((2, 6, 3)).astype(np.float32)
    scale, bias = np.arange(6, dtype=np.float32), np.ones(6, np.float32)
    builder = popart.Builder()
    names = [builder.addInputTensor(popart.TensorInfo(array)) for array in (x, scale, bias)]
    out = builder.aiGraphcore.groupnormalization(names, 2)[0]
    options = popart.SessionOptions()
    options.groupNormStridedChannelGrouping = True
    device = popart.DeviceManager().createIpuModelDevice({})
    session = popart.InferenceSession(
        builder.getModelProto(), popart.DataFlow(1, [out]), device, userOptions=options
    )
    session.prepareDevice()
    anchors = session.initAnchorArrays()
    session.run(popart.PyStepIO(dict(zip(names, (x, scale, bias))), anchors))
    groups = x.astype(np.float64).reshape(2, 3, 2, 3)
    mean, variance = groups.mean((1, 3), keepdims=True), groups.var((1, 3), keepdims=True)
    normed = ((groups - mean) / np.sqrt(variance + 1e-5)).reshape(2, 6, 3)
    expected = normed * scale[:, None] + 1
    np.testing.assert_allclose(anchors[out], expected, rtol=1e-5, atol=1e-6)


def test_unsigned_types_stay(popart: Any) -> None:
    x = np.array([1, 2**31 + 5], np.uint32)

    def build(b: Any, i: str) -> List[str]:
        flipped = b.aiGraphcore.bitwisenot([i])
        return [b.aiOnnx.add([i, i]), flipped, b.aiGraphcore.incrementmod([i], 3, 4)]

    expected = [x + x, ~x, (x + np.uint32(3)) % np.uint32(4)]
    large = np.array([2**25 + 1], np.int32)  # a float has no such number
    (got,) = infer(popart, lambda b, i: [b.aiGraphcore.incrementmod([i], 2, 2**26)], large)
    assert got.tolist() == [2**25 + 3]
    for value, other in zip(infer(popart, build, x), expected):
        assert value.dtype == np.uint32
        assert value.tolist() == other.tolist()


def test_a_scale_has_the_type_of_its_tensor(popart: Any) -> None:
    """`popx/op/scalex.cpp`: a constant of the type of the input."""
    (got,) = infer(popart, lambda b, i: [b.aiGraphcore.scale([i], 2.5)], np.array([3], np.int32))
    assert (got.dtype, got.tolist()) == (np.int32, [6])


def test_scalar_indices_gather_a_scalar(popart: Any) -> None:
    x, where = np.array([3.0, 5.0], np.float32), np.array(1, np.int32)
    assert infer(popart, lambda b, x, i: [b.aiOnnx.gather([x, i])], x, where)[0] == 5


def test_updates_that_do_not_overlap_pass_their_gradient_on(popart: Any) -> None:
    """`op/dynamic/dynamicupdate.cpp`: with noOverlap, the gradient of what is replaced stays."""
    builder = popart.Builder()
    data = np.zeros(4, np.float32)
    x = builder.addInitializedInputTensor(data)
    part = builder.addInitializedInputTensor(np.ones(2, np.float32))
    where = builder.addInputTensor(popart.TensorInfo("UINT32", [1]))
    out = builder.aiGraphcore.dynamicupdate([x, where, part], [0], [2], noOverlap=True)
    loss = builder.aiGraphcore.identityloss([out], popart.ReductionType.Sum)
    wanted = [popart.reservedGradientPrefix() + name for name in (x, part)]
    device = popart.DeviceManager().createCpuDevice()
    flow = popart.DataFlow(1, [out, *wanted])
    session = popart.TrainingSession(
        builder.getModelProto(), flow, loss, popart.ConstSGD(0.1), device
    )
    session.prepareDevice()
    session.weightsFromHost()
    anchors = session.initAnchorArrays()
    session.run(popart.PyStepIO({where: np.array([1], np.uint32)}, anchors))
    assert anchors[out].tolist() == [0, 1, 1, 0]
    assert [anchors[name].tolist() for name in wanted] == [[1, 1, 1, 1], [1, 1]]


def test_a_batch_norm_of_inference_has_no_gradient(popart: Any) -> None:
    """`op/batchnorm.cpp`: in training it has five outputs, or is detached."""
    for detached in (True, False):
        builder = popart.Builder(opsets={"ai.onnx": 9, "ai.graphcore": 1})
        x = builder.addInitializedInputTensor(X)
        numbers = [np.ones(3, np.float32)] * 4
        names = [builder.aiOnnx.constant(array) for array in numbers]
        (out,) = builder.aiOnnx.batchnormalization([x, *names], 1)
        if detached:
            out = builder.aiOnnx.add([builder.aiGraphcore.detach([out]), x])
        loss = builder.aiGraphcore.identityloss([out], popart.ReductionType.Sum)
        session = popart.TrainingSession(
            builder.getModelProto(),
            popart.DataFlow(1, [out]),
            loss,
            popart.ConstSGD(0.1),
            popart.DeviceManager().createCpuDevice(),
        )
        session.prepareDevice()
        session.weightsFromHost()
        step = popart.PyStepIO({}, session.initAnchorArrays())
        if detached:
            session.run(step)
        else:
            sentence = "it has to be detached first"
            refused(popart, sentence, lambda: session.run(step))  # noqa: B023


def test_what_popart_refuses_of_attributes(popart: Any) -> None:
    counts = np.array([2, 1], np.int64)
    flat, scalar = X[0], np.float32([1])

    def constant(*numbers: int) -> Callable[..., Any]:
        data = np.array(numbers, np.int64)
        return lambda b, x: [b.aiOnnx.tile([x, b.aiOnnx.constant(data)])]

    cases: List[Tuple[Any, Callable[..., Any], Tuple[Any, ...]]] = [
        ("must be of type Constant", lambda b, x, n: [b.aiOnnx.tile([x, n])], (flat, counts)),
        ("one element for each dimension", constant(1, 2, 3), (flat,)),
        ("must be non-negative in each shape dimension", constant(1, -2), (flat,)),
        ("Only positive dimensions", lambda b, x: [b.aiGraphcore.reverse([x], [-1])], (flat,)),
        ("appears multiple times", lambda b, x: [b.aiGraphcore.reverse([x], [1, 1])], (flat,)),
        ("0 stride at index 1", lambda b, x: [b.aiGraphcore.subsample([x], [1, 0])], (flat,)),
        ("ratio value 1.5", lambda b, x: [b.aiGraphcore.shapeddropout([x], [3, 4], 1.5)], (flat,)),
        ("incompatible", lambda b, x: [b.aiGraphcore.shapeddropout([x], [2, 4])], (flat,)),
        (r"Input 'max' .* has no data", lambda b, x, m: [b.aiOnnx.clip([x, "", m])], (X, scalar)),
    ]
    for sentence, build, arrays in cases:
        refused(popart, sentence, lambda: infer(popart, build, *arrays))  # noqa: B023
    seeded = "Optional seed attribute is not supported"
    refused(popart, seeded, lambda: infer(popart, lambda b: [b.aiOnnx.randomnormal([2], seed=1.0)]))
