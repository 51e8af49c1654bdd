"""Forward and gradient operators of a network in one graph, as a PopART session builds them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import torch
from tests.python.engines.direct_popart import inside

from popsnn import SpikeTensor
from popsnn.engines import poptorch_ops
from popsnn.nn import LI, SNN, SparseLIF

session = importlib.import_module("popsnn._popart").session
poptorch_ops.load(True)


class Recorder:
    """Arguments of a network's operator."""

    is_emulated = True

    def isRunningOnIpu(self) -> bool:
        return True

    def custom_op(self, inputs: Any, name: str, *_: Any, example_outputs: Any, **more: Any) -> Any:
        self.called = name, list(inputs), more["attributes"], list(example_outputs)
        return [example.detach() for example in example_outputs]


@pytest.mark.parametrize("device", ["bow", "bow:checkpoint_interval=2", "bow:replicas=2"])
def test_training(device: str) -> None:
    torch.manual_seed(0)
    net = SNN(
        SparseLIF(12, 9, recurrent=True, learn_beta=True, max_activity=0.9),
        SparseLIF(9, 8, delay=1),
        LI(8, 5),
        backend="torch",
        device=device,
    )
    for layer in net.stack:
        torch.nn.init.normal_(layer.weight, 0.2, 0.6)
    x = (torch.rand(5, 4, 12) < 0.4).float()
    out = net.double()(x.double())
    assert isinstance(out, torch.Tensor)
    (0.5 * out.abs().sum()).backward()
    expected = {
        tuple(p.shape): p.grad for p in net.parameters() if p.grad is not None and p.dim() == 2
    }
    net._calls.zero_()
    recorder, spikes = Recorder(), SpikeTensor.from_dense(x)
    with inside(recorder):
        net.float()(spikes)
    name, inputs, attributes, examples = recorder.called

    builder = session.Builder()
    passed, ids, weights = {}, [], []
    for i, tensor in enumerate(inputs):
        array = tensor.detach().numpy()
        if i < 4:
            kind = "FLOAT" if array.dtype == np.float32 else "INT32"
            ids.append(builder.addInputTensor(session.TensorInfo(kind, array.shape)))
            passed[ids[-1]] = array
        else:
            ids.append(builder.addInitializedInputTensor(np.ascontiguousarray(array), f"w{i}"))
            weights.append((ids[-1], array.shape))
    outputs = builder.customOp(name, 1, "popsnn", ids, attributes, len(examples))
    loss = builder.aiGraphcore.l1loss([outputs[0]], 0.5, session.ReductionType.Sum)
    gradients = {
        shape: session.reservedGradientPrefix() + name
        for name, shape in weights
        if shape in expected
    }
    training = session.TrainingSession(
        builder.getModelProto(),
        session.DataFlow(1, [loss, outputs[0], *gradients.values()]),
        loss,
        session.ConstSGD(0.0),
        session.DeviceManager().createIpuModelDevice({"tilesPerIPU": 12}),
    )
    training.prepareDevice()
    training.weightsFromHost()
    anchors = training.initAnchorArrays()
    for _ in range(2):  # weights stay, and so does all that follows
        training.run(session.PyStepIO(passed, anchors))
        np.testing.assert_allclose(anchors[outputs[0]], out.detach(), rtol=1e-5, atol=1e-6)
        for shape, gradient in gradients.items():
            scale = float(expected[shape].abs().max())
            np.testing.assert_allclose(anchors[gradient], expected[shape], atol=1e-5 * scale)
