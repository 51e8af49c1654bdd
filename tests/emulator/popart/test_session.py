"""PopART's models and sessions, in Python and in C++."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path
from typing import Any, Dict, Tuple

import numpy as np
import pytest
from tests.emulator.library_tool import PROGRAMS, build, prefix

random = np.random.default_rng(0)


@pytest.fixture
def session(popart: Any) -> Any:
    return popart.session


@pytest.fixture
def device(session: Any) -> Any:
    return session.DeviceManager().createIpuModelDevice({"tilesPerIPU": 4})


def power_model(session: Any, shape: Tuple[int, ...], exponent: int) -> Tuple[Any, str, str]:
    """A builder with y = x ** exponent, and the ids of x and y."""
    builder = session.Builder()
    x = builder.addInputTensor(session.TensorInfo("FLOAT", shape))
    (y,) = builder.customOp(
        opName="Power",
        opVersion=1,
        domain="test.popsnn",
        inputs=[x],
        attributes={"exponent": exponent},
    )
    builder.addOutputTensor(y)
    return builder, x, y


def test_inference(session: Any, device: Any) -> None:
    builder, x, y = power_model(session, (2, 3), 2)
    assert (x, y) == ("input", "Power:0")
    flow = session.DataFlow(3, {y: session.AnchorReturnType("All")})
    inference = session.InferenceSession(builder.getModelProto(), flow, device)
    inference.prepareDevice()
    anchors = inference.initAnchorArrays()
    assert anchors[y].shape == (3, 2, 3)
    for _ in range(2):
        values = random.uniform(0.5, 1.5, (3, 2, 3)).astype(np.float32)
        inference.run(session.PyStepIO({x: values}, anchors))
        np.testing.assert_allclose(anchors[y], values**2, rtol=1e-5)
    assert inference.getCycleCount() > 0


# The gradient of sum(0.5 * |(x + w) ** 3|) for x, w > 0, and SGD with weight decay.
@pytest.mark.parametrize("scaling", [1.0, 64.0])
def test_training(scaling: float, session: Any, device: Any) -> None:
    builder = session.Builder()
    x = builder.addInputTensor("FLOAT", (4,))
    start = random.uniform(0.5, 1.5, 4).astype(np.float32)
    w = builder.addInitializedInputTensor(start, "w")
    total = builder.aiOnnx.sum([x, w])
    y, _ = builder.customOp("Power", 1, "test.popsnn", [total], {"exponent": 3}, 2)
    loss = builder.aiGraphcore.l1loss([y], 0.5, session.ReductionType.Sum)
    gradient = session.reservedGradientPrefix() + w
    flow = session.DataFlow(1, [loss, gradient])
    training = session.TrainingSession(
        builder.getModelProto(), flow, loss, session.ConstSGD(0.01, 0.1, scaling), device
    )
    training.prepareDevice()
    training.weightsFromHost()
    anchors = training.initAnchorArrays()
    expected = start.astype(float)
    for rate in (0.01, 0.01, 0.002):
        if rate != 0.01:
            values = {"defaultLearningRate": (rate, False), "lossScaling": (scaling, True)}
            training.updateOptimizerFromHost(session.SGD(values))
        batch = random.uniform(0.5, 1.5, 4).astype(np.float32)
        training.run(session.PyStepIO({x: batch}, anchors))
        np.testing.assert_allclose(anchors[loss], 0.5 * ((batch + expected) ** 3).sum(), rtol=1e-5)
        slope = 1.5 * (batch + expected) ** 2
        np.testing.assert_allclose(anchors[gradient], scaling * slope, rtol=1e-4)
        expected -= rate * slope + (rate * 0.1 * expected if rate == 0.01 else 0)
    training.weightsToHost()
    np.testing.assert_allclose(training.weights()[w], expected, rtol=1e-4)


def test_a_writer_in_place_runs_last(session: Any, device: Any) -> None:
    builder = session.Builder()
    x = builder.addInputTensor("FLOAT", (3,))
    state = builder.addInitializedInputTensor(np.zeros(3, np.float32))
    (after,) = builder.customOp("Accumulate", 1, "test.popsnn", [state, x])
    (before,) = builder.customOp("OnOneTile", 1, "test.popsnn", [state])
    inference = session.InferenceSession(
        builder.getModelProto(), session.DataFlow(2, [before, after]), device
    )
    inference.prepareDevice()
    anchors = inference.initAnchorArrays()
    batches = np.arange(6, dtype=np.float32).reshape(2, 3)
    inference.run(session.PyStepIO({x: batches}, anchors))
    np.testing.assert_array_equal(anchors[before], [[0, 0, 0], batches[0]])
    np.testing.assert_array_equal(anchors[after], [batches[0], batches.sum(0)])


def test_each_batch_and_op_draws_its_own_numbers(session: Any, device: Any) -> None:
    builder = session.Builder()
    x = builder.addInputTensor("FLOAT", (64,))
    outputs = [builder.customOp("Drop", 1, "test.popsnn", [x])[0] for _ in range(2)]
    masks = []
    for seed in (7, 7, 8):
        inference = session.InferenceSession(
            builder.getModelProto(), session.DataFlow(2, outputs), device
        )
        inference.setRandomSeed(seed)
        inference.prepareDevice()
        anchors = inference.initAnchorArrays()
        inference.run(session.PyStepIO({x: np.ones((2, 64), np.float32)}, anchors))
        masks.append(np.concatenate([anchors[y] for y in outputs]))
    np.testing.assert_array_equal(masks[0], masks[1])
    assert len({mask.tobytes() for mask in (*masks[0], *masks[2])}) == 8


def test_a_model_of_no_elements(session: Any, device: Any) -> None:
    builder, x, y = power_model(session, (0, 3), 2)
    inference = session.InferenceSession(builder.getModelProto(), session.DataFlow(1, [y]), device)
    inference.prepareDevice()
    anchors = inference.initAnchorArrays()
    inference.run(session.PyStepIO({x: np.empty((0, 3), np.float32)}, anchors))
    assert anchors[y].shape == (0, 3)


def test_shapes_of_a_model(popart: Any, session: Any) -> None:
    builder, x, y = power_model(session, (2, 3), 3)
    assert builder.getTensorShape(x) == [2, 3]
    assert builder.getTensorShape(y) == [2, 3]
    assert builder.getTensorDtypeString(y) == "float32"
    (z,) = builder.customOp("Drop", 1, "test.popsnn", [y])
    with pytest.raises(popart.popart_exception, match="with a RegisterShapeInferenceFunction"):
        builder.getTensorShape(z)


def test_a_model_in_a_file(session: Any, device: Any, tmp_path: Path) -> None:
    builder, x, y = power_model(session, (2,), 3)
    path = tmp_path / "model.bin"
    path.write_bytes(builder.getModelProto())
    flow = session.DataFlow(1, [y])
    inference = session.InferenceSession(str(path).encode(), flow, device)
    inference.prepareDevice()
    anchors = inference.initAnchorArrays()
    inference.run(session.PyStepIO({x: np.full(2, 2, np.float32)}, anchors))
    np.testing.assert_allclose(anchors[y], 8, rtol=1e-5)


def test_wrong_models(popart: Any, session: Any, device: Any) -> None:
    builder, x, y = power_model(session, (2,), 3)
    with pytest.raises(popart.popart_exception, match="expected inputs of the model, got 'z'"):
        builder.customOp("Power", 1, "test.popsnn", ["z"])
    with pytest.raises(popart.popart_exception, match="expected a tensor of the model, got 'z'"):
        builder.addOutputTensor("z")
    with pytest.raises(popart.popart_exception, match="expected what Builder::getModelProto gave"):
        session.InferenceSession(b"onnx", session.DataFlow(1, [y]), device)
    model = builder.getModelProto()
    damaged = r"^model: expected (the bytes that|what) Builder::getModelProto gave, (.*, )?got \w+"
    for bit in range(8 * len(model)):
        flipped = bytearray(model)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(popart.popart_exception, match=damaged):
            session.InferenceSession(bytes(flipped), session.DataFlow(1, [y]), device)
    for size in range(len(model)):
        with pytest.raises(popart.popart_exception, match=damaged):
            session.InferenceSession(model[:size], session.DataFlow(1, [y]), device)
    with pytest.raises(popart.popart_exception, match="expected an anchor of the graph, got 'z'"):
        session.InferenceSession(model, session.DataFlow(1, ["z"]), device)
    builder.customOp("Powers", 1, "test.popsnn", [x])
    with pytest.raises(popart.popart_exception, match="expected a registered operator, got test"):
        session.InferenceSession(builder.getModelProto(), session.DataFlow(1, [y]), device)


def test_wrong_steps(popart: Any, session: Any, device: Any) -> None:
    builder, x, y = power_model(session, (2,), 3)
    flow = session.DataFlow(2, {y: session.AnchorReturnType("EVERYN", 2)})
    inference = session.InferenceSession(builder.getModelProto(), flow, device)
    out: Dict[str, np.ndarray] = inference.initAnchorArrays()
    batches = np.ones((2, 2), np.float32)
    with pytest.raises(popart.popart_exception, match=r"run: expected prepareDevice\(\) before"):
        inference.run(session.PyStepIO({x: batches}, out))
    inference.prepareDevice()
    with pytest.raises(popart.popart_exception, match="expected an array for input 'input'"):
        inference.run(session.PyStepIO({}, out))
    with pytest.raises(popart.popart_exception, match="expected an array for anchor 'Power:0'"):
        inference.run(session.PyStepIO({x: batches}, {}))
    with pytest.raises(popart.popart_exception, match=r"expected FLOAT .2., got INT32 .2."):
        inference.run(session.PyStepIO({x: batches.astype(np.int32)}, out))
    with pytest.raises(popart.popart_exception, match="expected a multiple of 2 elements, got 3"):
        inference.run(session.PyStepIO({x: np.ones(3, np.float32)}, out))
    with pytest.raises(popart.popart_exception, match="expected a contiguous array to write to"):
        session.PyStepIO({x: batches}, {y: np.ones((2, 4), np.float32)[:, ::2]})


def test_wrong_settings(popart: Any, session: Any) -> None:
    with pytest.raises(popart.popart_exception, match="expected Final, All, Sum or EveryN"):
        session.AnchorReturnType("EveryN")
    with pytest.raises(popart.popart_exception, match="expected a period that divides 3, got 2"):
        session.DataFlow(3, {"y": session.AnchorReturnType("EveryN", 2)})
    with pytest.raises(popart.popart_exception, match="expected a period that divides 3, got 2"):
        session.DataFlow(3, ["y"], session.AnchorReturnType("EveryN", 2))
    with pytest.raises(popart.popart_exception, match="batchesPerStep: expected at least 1, got 0"):
        session.DataFlow(0, ["y"])
    with pytest.raises(popart.popart_exception, match="expected momentum and dampening of 0"):
        session.SGD({"defaultMomentum": (0.9, True)})
    with pytest.raises(popart.popart_exception, match="expected the name of a value"):
        session.SGD({"learningRate": (0.9, True)})
    with pytest.raises(popart.popart_exception, match="expected a known option, got 'tiles'"):
        session.DeviceManager().createIpuModelDevice({"tiles": 4})
    for number in ("many", "", "-1", "0", str(2**32 + 1), "9" * 40):
        sentence = rf"a number above 0 and below 2\^32 for 'numIPUs', got '{number}'"
        with pytest.raises(popart.popart_exception, match=sentence):
            session.DeviceManager().createIpuModelDevice({"numIPUs": number})


def test_devices(popart: Any, session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    manager = session.DeviceManager()
    monkeypatch.delenv("POPSNN_EMULATE_IPU", raising=False)
    assert manager.enumerateDevices() == []
    with pytest.raises(popart.popart_exception, match="expected 1 free IPUs, got none"):
        manager.acquireAvailableDevice(1)
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")
    with manager.acquireAvailableDevice(numIpus=1, tilesPerIpu=16) as device:
        assert (device.type, device.tilesPerIPU) == (session.DeviceType.Ipu, 16)
    assert manager.createIpuModelDevice({}).tilesPerIPU == 4
    assert manager.createIpuModelDevice({"compileIPUCode": False}).tilesPerIPU == 4
    with pytest.raises(popart.popart_exception, match="expected true or false for 'compileIPUC"):
        manager.createIpuModelDevice({"compileIPUCode": 2})
    assert manager.createCpuDevice().type == session.DeviceType.Cpu


def test_from_cpp(tmp_path: Path) -> None:
    program = build(PROGRAMS / "popart/session.cpp", tmp_path / "session", ["popart"])
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    # y = x + 2 w and the loss is sum(|y|) / 2: each step takes 0.25 * sign(y) from w.
    assert done.stdout.splitlines() == [
        "{2, -4, 1, 2.5, -2.5, 1.5}",
        "{6.75}",
        "{0.5, -0.5, 0.5}",
        "{1, -1, 1}",
        "{0.5, -1.5, 0}",
        "values right",
    ]


def test_the_module_for_scripts(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(prefix() / "python")
    module = importlib.import_module("popart")
    assert prefix() in Path(str(module.__file__)).parents
    assert module.DeviceManager is session.DeviceManager
