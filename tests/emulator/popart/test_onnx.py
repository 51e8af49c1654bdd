"""Models of ONNX in the emulated PopART's Python module, against NumPy and torch."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import numpy as np
import pytest
import torch
from tests.emulator.library_tool import prefix

pytest.importorskip("onnx")
random = np.random.default_rng(0)
A = random.uniform(0.5, 1.5, (2, 3)).astype(np.float32)
B = random.uniform(0.5, 1.5, (2, 3)).astype(np.float32)
IMAGE = random.standard_normal((2, 4, 5, 6)).astype(np.float32)
KERNEL = random.standard_normal((3, 4, 3, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def popart() -> Iterator[Any]:
    path = str(prefix() / "python")
    sys.path.insert(0, path)
    try:
        yield importlib.import_module("popart")
    finally:
        sys.path.remove(path)


@pytest.fixture
def device(popart: Any) -> Any:
    return popart.DeviceManager().createIpuModelDevice({})


def infer(
    popart: Any, device: Any, build: Callable[..., Any], arrays: Sequence[Any], opset: int = 10
) -> List[Any]:
    """Return the output of a model, or a list of its outputs."""
    builder = popart.Builder(opsets={"ai.onnx": opset, "ai.graphcore": 1})
    names = [builder.addInputTensor(popart.TensorInfo(array)) for array in arrays]
    made = build(builder, *names)
    outputs = made if isinstance(made, list) else [made]
    flow = popart.DataFlow(1, {name: popart.AnchorReturnType("All") for name in outputs})
    session = popart.InferenceSession(builder.getModelProto(), flow, device)
    session.prepareDevice()
    anchors = session.initAnchorArrays()
    for name in outputs:
        assert list(anchors[name].shape) == builder.getTensorShape(name)
    session.run(popart.PyStepIO(dict(zip(names, arrays)), anchors))
    return [anchors[name] for name in outputs]


UNARY: Dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "ceil": np.ceil,
    "cos": np.cos,
    "exp": np.exp,
    "floor": np.floor,
    "log": np.log,
    "neg": np.negative,
    "reciprocal": np.reciprocal,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sign": np.sign,
    "sin": np.sin,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "softplus": lambda x: np.log1p(np.exp(x)),
    "sqrt": np.sqrt,
    "tanh": np.tanh,
}


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_tensor(name: str, popart: Any, device: Any) -> None:
    (out,) = infer(popart, device, lambda b, x: getattr(b.aiOnnx, name)([x]), [A])
    np.testing.assert_allclose(out, UNARY[name](A.astype(float)), rtol=1e-5)


BINARY = {"add": np.add, "div": np.divide, "mul": np.multiply, "pow": np.power, "sub": np.subtract}


@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_tensors(name: str, kind: Any, popart: Any, device: Any) -> None:
    a, b = A.astype(kind), B[:1].astype(kind)
    (out,) = infer(popart, device, lambda g, x, y: getattr(g.aiOnnx, name)([x, y]), [a, b])
    assert out.dtype == kind
    tolerance = 1e-5 if kind is np.float32 else 2e-3
    expected = BINARY[name](a.astype(float), b.astype(float))
    np.testing.assert_allclose(out, expected, rtol=tolerance)


def test_products(popart: Any, device: Any) -> None:
    c = random.standard_normal((3, 4)).astype(np.float32)
    bias = random.standard_normal(4).astype(np.float32)
    (out,) = infer(popart, device, lambda b, x, y: b.aiOnnx.matmul([x, y]), [A, c])
    np.testing.assert_allclose(out, A.astype(float) @ c, rtol=1e-5)
    (out,) = infer(
        popart,
        device,
        lambda b, *n: b.aiOnnx.gemm([*n], 2.0, 0.5, True, False),
        [A.T.copy(), c, bias],
    )
    np.testing.assert_allclose(out, 2 * A.astype(float) @ c + 0.5 * bias, rtol=1e-5)


def test_convolution_and_pooling(popart: Any, device: Any) -> None:
    pads = [1, 0, 2, 1]

    def conv(b: Any, x: str, w: str) -> str:
        return str(b.aiOnnx.conv([x, w], dilations=[1, 1], pads=pads, strides=[2, 1]))

    (out,) = infer(popart, device, conv, [IMAGE, KERNEL])
    padded = torch.nn.functional.pad(torch.tensor(IMAGE), (0, 1, 1, 2))
    expected = torch.nn.functional.conv2d(
        padded.double(), torch.tensor(KERNEL).double(), stride=(2, 1)
    )
    np.testing.assert_allclose(out, expected.numpy(), rtol=1e-4, atol=1e-5)

    def pool(b: Any, x: str) -> List[str]:
        largest = b.aiOnnx.maxpool([x], 1, [2, 2], strides=[2, 2])[0]
        return [largest, b.aiOnnx.averagepool([x], [3, 3], pads=[1, 1, 1, 1])]

    largest, mean = infer(popart, device, pool, [IMAGE])
    x = torch.tensor(IMAGE).double()
    np.testing.assert_allclose(largest, torch.nn.functional.max_pool2d(x, 2).numpy(), rtol=1e-6)
    expected = torch.nn.functional.avg_pool2d(x, 3, 1, 1, count_include_pad=False)
    np.testing.assert_allclose(mean, expected.numpy(), rtol=1e-4, atol=1e-6)


def test_shapes_and_reductions(popart: Any, device: Any) -> None:
    def build(b: Any, x: str) -> List[str]:
        shape = b.aiOnnx.constant(np.array([3, -1], np.int64))
        values, where = b.aiOnnx.topk([x, b.aiOnnx.constant(np.array([2], np.int64))], axis=1)
        return [
            b.aiOnnx.reshape([x, shape]),
            b.aiOnnx.transpose([x], [1, 0]),
            b.aiOnnx.concat([x, x], 1),
            b.aiOnnx.reducesum([x], [1], 0),
            b.aiOnnx.argmax([x], 1, 0),
            values,
            where,
            b.aiOnnx.softmax([x], 1),
        ]

    got = infer(popart, device, build, [A])
    order = np.argsort(-A, 1)[:, :2]
    powers = np.exp(A.astype(float))
    expected = [
        A.reshape(3, 2),
        A.T,
        np.concatenate([A, A], 1),
        A.sum(1),
        A.argmax(1),
        np.take_along_axis(A, order, 1),
        order,
        powers / powers.sum(1, keepdims=True),
    ]
    for one, other in zip(got, expected):
        np.testing.assert_allclose(one, other, rtol=1e-5)
    assert got[4].dtype == got[6].dtype == np.int32


def test_recurrent_layers(popart: Any, device: Any) -> None:
    x = random.standard_normal((5, 2, 3)).astype(np.float32)
    layer = torch.nn.LSTM(3, 4)
    # ONNX has gates in the order input, output, forget, cell; torch input, forget, cell, output.
    order = [0, 3, 1, 2]
    weights = [
        p.detach().reshape(4, 4, -1)[order].reshape(1, 16, -1).numpy().copy()
        for p in (layer.weight_ih_l0, layer.weight_hh_l0)
    ]
    halves = [
        p.detach().reshape(4, 4)[order].reshape(1, 16) for p in (layer.bias_ih_l0, layer.bias_hh_l0)
    ]
    bias = torch.cat(halves, 1).numpy()
    y, h, c = infer(
        popart,
        device,
        lambda b, *names: b.aiOnnx.lstm([*names], 3, hidden_size=4),
        [x, *weights, bias],
    )
    expected, (last, cell) = layer.double()(torch.tensor(x).double())
    np.testing.assert_allclose(y[:, 0], expected.detach().numpy(), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(h, last.detach().numpy(), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(c, cell.detach().numpy(), rtol=1e-4, atol=1e-6)


def test_a_loop_and_a_branch(popart: Any, device: Any) -> None:
    def build(b: Any, x: str) -> List[str]:
        body = b.createSubgraphBuilder()
        body.addInputTensor(popart.TensorInfo("INT32", []))
        going = body.addInputTensor(popart.TensorInfo("BOOL", []))
        value = body.addUntypedInputTensor()
        body.addOutputTensor(going)
        body.addOutputTensor(body.aiOnnx.add([value, x]))
        count = b.aiOnnx.constant(np.array(3, np.int64))
        yes = b.aiOnnx.constant(np.array(True))
        (looped,) = b.aiOnnx.loop([count, yes, x], 1, body)
        branches = []
        for name in ("neg", "abs"):
            branch = b.createSubgraphBuilder()
            branch.addOutputTensor(getattr(branch.aiOnnx, name)([x]))
            branches.append(branch)
        (chosen,) = b.aiOnnx.logical_if([yes], 1, *branches)
        return [looped, chosen]

    looped, chosen = infer(popart, device, build, [-A])
    np.testing.assert_allclose(looped, -4 * A, rtol=1e-6)
    np.testing.assert_array_equal(chosen, A)


@pytest.mark.parametrize("reduction", ["Mean", "Sum"])
def test_losses(reduction: str, popart: Any, device: Any) -> None:
    labels = np.array([2, 0], np.int32)
    kind = getattr(popart.ReductionType, reduction)

    def build(b: Any, x: str, y: str) -> List[str]:
        shares = b.aiOnnx.softmax([x], 1)
        return [
            b.aiGraphcore.nllloss([shares, y], kind),
            b.aiGraphcore.l1loss([x], 0.5, kind),
            b.aiGraphcore.identityloss([x], kind),
        ]

    got = infer(popart, device, build, [A, labels])
    logs = np.log(np.exp(A.astype(float)) / np.exp(A.astype(float)).sum(1, keepdims=True))
    function = np.mean if reduction == "Mean" else np.sum
    expected = [function(-logs[[0, 1], labels]), function(0.5 * np.abs(A)), function(A)]
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_an_operator_by_onnx_itself(popart: Any, device: Any) -> None:
    """MaxUnpool and others have no function here."""
    square = random.standard_normal((3, 3)).astype(np.float32)
    (out,) = infer(popart, device, lambda b, x: b.aiOnnx.det([x]), [square], 11)
    np.testing.assert_allclose(out, np.linalg.det(square), rtol=1e-5)


def optimizer(popart: Any, kind: str) -> Any:
    rate = {"defaultLearningRate": (0.1, False)}
    if kind == "SGD":
        return popart.SGD({**rate, "defaultMomentum": (0.9, True), "lossScaling": (8.0, True)})
    adam = {**rate, "defaultEps": (1e-8, True)}
    if kind == "Adam":
        return popart.Adam(adam)
    return popart.Adaptive({**adam, "defaultAlpha": (0.99, True)})


TORCH: Dict[str, Callable[..., Any]] = {
    "SGD": lambda p: torch.optim.SGD(p, 0.1, 0.9),
    "Adam": lambda p: torch.optim.Adam(p, 0.1),
    "RMSProp": lambda p: torch.optim.RMSprop(p, 0.1),
}


@pytest.mark.parametrize("kind", TORCH)
@pytest.mark.parametrize(("accumulation", "replicas"), [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_training(kind: str, accumulation: int, replicas: int, popart: Any, device: Any) -> None:
    builder = popart.Builder()
    x = builder.addInputTensor("FLOAT", [2, 3])
    start = random.standard_normal((3, 4)).astype(np.float32)
    w = builder.addInitializedInputTensor(start)
    y = builder.aiOnnx.tanh([builder.aiOnnx.matmul([x, w])])
    loss = builder.aiGraphcore.l1loss([y], 1.0)
    options = popart.SessionOptions()
    options.enableGradientAccumulation = accumulation > 1
    options.accumulationFactor = accumulation
    options.enableReplicatedGraphs = replicas > 1
    options.replicatedGraphCount = replicas
    options.accumulationAndReplicationReductionType = popart.ReductionType.Mean
    gradient = popart.reservedGradientPrefix() + y
    session = popart.TrainingSession(
        builder.getModelProto(),
        popart.DataFlow(3, [loss, w, gradient]),
        loss,
        optimizer(popart, kind),
        device,
        userOptions=options,
    )
    session.prepareDevice()
    session.weightsFromHost()
    anchors = session.initAnchorArrays()
    lead = [size for size in (3, accumulation, replicas) if size > 1]
    assert list(anchors[loss].shape) == lead
    assert list(anchors[gradient].shape) == [*lead, 2, 4]
    data = random.standard_normal((3, accumulation * replicas, 2, 3)).astype(np.float32)
    session.run(popart.PyStepIO({x: data}, anchors))
    session.weightsToHost()
    got = {w: np.empty((3, 4), np.float32)}
    session.readWeights(popart.PyWeightsIO(got))
    weight = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    rule = TORCH[kind]([weight])
    for batch in torch.tensor(data, dtype=torch.float64):
        rule.zero_grad()
        torch.tanh(batch @ weight).abs().mean().backward()
        rule.step()
    np.testing.assert_allclose(got[w], weight.detach().numpy(), rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(anchors[w].reshape(-1, 3, 4)[-1], got[w])


@pytest.mark.parametrize(
    ("kind", "shape"), [("All", (4,)), ("Final", ()), ("Sum", ()), ("EveryN", (2,))]
)
def test_what_comes_back(kind: str, shape: Any, popart: Any, device: Any) -> None:
    builder = popart.Builder()
    x = builder.addInputTensor("FLOAT", [])
    y = builder.aiOnnx.neg([x])
    period: Optional[int] = 2 if kind == "EveryN" else None
    flow = popart.DataFlow(4, {y: popart.AnchorReturnType(kind, period)})
    session = popart.InferenceSession(builder.getModelProto(), flow, device)
    session.prepareDevice()
    anchors = session.initAnchorArrays()
    assert anchors[y].shape == shape
    session.run(popart.PyStepIO({x: np.arange(4, dtype=np.float32)}, anchors))
    expected: Any = {"All": [0, -1, -2, -3], "Final": -3, "Sum": -6, "EveryN": [-1, -3]}
    np.testing.assert_array_equal(anchors[y], expected[kind])


def test_groups_of_replicas(popart: Any) -> None:
    group = popart.CommGroup(popart.CommGroupType.Consecutive, 2)
    shared = popart.VariableSettings(group, popart.VariableRetrievalMode.OnePerGroup)
    each = popart.VariableSettings(group, popart.VariableRetrievalMode.AllReplicas)
    assert shared.groups(4) == [[0, 1], [2, 3]]
    assert (shared.getGroupCount(4), shared.numReplicasReturningVariable(4)) == (2, 2)
    assert each.numReplicasReturningVariable(4) == 4
    across = popart.VariableSettings(popart.CommGroup(popart.CommGroupType.Orthogonal, 2))
    assert across.groups(4) == [[0, 2], [1, 3]]


def test_a_model_in_a_file(popart: Any, device: Any, tmp_path: Path) -> None:
    builder = popart.Builder()
    x = builder.addInputTensor("FLOAT", [2, 3])
    w = builder.addInitializedInputTensor(B, "w")
    y = builder.aiOnnx.add([x, w])
    path = str(tmp_path / "model.onnx")
    builder.saveModelProto(path)
    session = popart.InferenceSession(path, popart.DataFlow(1, [y]), device)
    session.prepareDevice()
    session.writeWeights(popart.PyWeightsIO({w: 2 * B}))
    session.weightsFromHost()
    anchors = session.initAnchorArrays()
    session.run(popart.PyStepIO({x: A}, anchors))
    np.testing.assert_allclose(anchors[y], A + 2 * B)
    session.modelToHost(path)
    assert popart.Builder(path).getTensorShape(y) == [2, 3]


def refused(popart: Any, sentence: str, call: Callable[[], Any]) -> None:
    with pytest.raises(popart.popart_exception, match=sentence):
        call()


def test_what_is_refused(popart: Any, device: Any) -> None:
    builder = popart.Builder()
    x = builder.addInputTensor("FLOAT", [2, 3])
    refused(
        popart, r"Unknown tensor 'z' \(valid tensors are input\)", lambda: builder.aiOnnx.neg(["z"])
    )
    y = builder.aiOnnx.matmul([x, x])
    refused(
        popart,
        r"MatMul \(MatMul\): expected matrices that multiply, \[2, 3\], got \[2, 3\]",
        lambda: builder.getTensorShape(y),
    )
    with pytest.raises(RuntimeError, match=r"Opset for domain ai\.onnx already defined as 10"):
        _ = builder.aiOnnxOpset11
    flow = popart.DataFlow(1, [x])
    refused(popart, "expected a device, got none", lambda: popart.InferenceSession(b"", flow, None))
    other = popart.Builder()
    z = other.addInputTensor("FLOAT", [2])
    session = popart.InferenceSession(other.getModelProto(), popart.DataFlow(1, [z]), device)
    anchors = session.initAnchorArrays()
    io = popart.PyStepIO({z: np.zeros(3, np.float32)}, anchors)
    refused(popart, r"run: expected prepareDevice\(\) before", lambda: session.run(io))
    session.prepareDevice()
    sentence = "PyStepIO: input 'input': expected 2 elements for 1 micro-batches of 2, got 3"
    refused(popart, sentence, lambda: session.run(io))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        popart.SessionOptions().nothing = 1
