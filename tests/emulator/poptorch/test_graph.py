"""The graph of a model: names, blocks and pipelines, anchored tensors, and merged convolutions."""

from __future__ import annotations

import json
from typing import Any, List

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional


class Regression(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x: Tensor, target: Tensor) -> Any:
        y = self.fc(x)
        return y, functional.mse_loss(y, target)


def kinds(model: Any) -> List[str]:
    return [entry["type"] for entry in json.loads(model._debugGetPopartIR())["maingraph"]]


def test_operations_have_the_names_of_modules(poptorch: Any) -> None:
    class Scoped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

        def forward(self, x: Tensor) -> Tensor:
            with poptorch.NameScope("scope"), poptorch.Attribute(__outline={"layer": "a"}):
                x = x + 1
            return self.inner(self.inner(x))  # type: ignore[no-any-return]

    model = poptorch.inferenceModel(Scoped())
    with pytest.raises(AssertionError, match="must be compiled before"):
        model.getTensorNames()
    model.compile(torch.ones(1, 2))
    names = model.getTensorNames()
    for name in ("input", "inner.0.weight", "scope/Add:0", "inner/1/Relu:0", "inner/1/Relu:0/1"):
        assert name in names
    operations = json.loads(model._debugGetPopartIR())["maingraph"]
    attributes = [operation["attributes"] for operation in operations]
    assert attributes == [{"__outline.layer": "a"}, {}, {}, {}, {}]
    plain = poptorch.Options().disableModuleNamescope()
    model = poptorch.inferenceModel(Scoped(), plain)
    model.compile(torch.ones(1, 2))
    assert "Relu:0/1" in model.getTensorNames()


def test_a_pipeline_needs_as_many_batches_as_stages(poptorch: Any) -> None:
    def forward(x: Tensor) -> Tensor:
        for ipu in range(3):
            with poptorch.Block(f"block {ipu}", ipu_id=ipu):
                x = x * 2
        return x

    with pytest.raises(poptorch.Error, match=r"number of pipeline stages \(3\)"):
        poptorch.inferenceModel(forward)(torch.ones(1))
    sharded = poptorch.Options().setExecutionStrategy(poptorch.ShardedExecution())
    assert poptorch.inferenceModel(forward, sharded)(torch.ones(1)) == 8
    iterations = poptorch.Options().deviceIterations(3)
    assert poptorch.inferenceModel(forward, iterations)(torch.ones(3)).tolist() == [8, 8, 8]

    class Trained(Regression):
        def forward(self, x: Tensor, target: Tensor) -> Any:
            with poptorch.Block("a", ipu_id=0):
                y = self.fc(x)
            with poptorch.Block("b", ipu_id=1):
                return functional.mse_loss(y, target)

    options = poptorch.Options()
    options.Training.gradientAccumulation(2)
    with pytest.raises(poptorch.Error, match=r"stages \(3\).* 2 pipeline .* additional 1 stages"):
        poptorch.trainingModel(Trained(), options)(torch.ones(2, 3), torch.ones(2, 2))


def test_every_operation_that_counts_is_in_a_block(poptorch: Any) -> None:
    def forward(x: Tensor) -> Tensor:
        with poptorch.Block("a", ipu_id=0):
            y = x * 2
        _ = y * 3  # which nothing needs
        return y

    assert poptorch.inferenceModel(forward)(torch.ones(1)) == 2
    model = poptorch.inferenceModel(lambda x: forward(x) + 1)
    with pytest.raises(poptorch.Error, match="No active Block, all the ops must belong"):
        model(torch.ones(1))
    assert not model.isCompiled()


@pytest.mark.parametrize(
    ("strategy", "error", "message"),
    [
        (lambda p: p.PipelinedExecution("b"), AssertionError, "Unknown Block 'a'"),
        (lambda p: p.PipelinedExecution(), AssertionError, "no IPU was specified for block a"),
        (lambda p: p.ParallelPhasedExecution("b", "a"), None, "got phase 1 on IPU 0"),
    ],
)
def test_what_blocks_refuse(poptorch: Any, strategy: Any, error: Any, message: str) -> None:
    phased = "phase" in message

    def forward(x: Tensor) -> Tensor:
        with poptorch.Block("a", ipu_id=0 if phased else None):
            return x * 2

    options = poptorch.Options().setExecutionStrategy(strategy(poptorch))
    with pytest.raises(error or poptorch.Error, match=message):
        poptorch.inferenceModel(forward, options)(torch.ones(1))


def test_a_block_keeps_its_stage(poptorch: Any) -> None:
    net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    poptorch.BeginBlock(net[1], ipu_id=1)
    assert "(1): BeginBlock(user_id=None, ipu_id=1) Linear(" in poptorch.module_repr(net)
    model = poptorch.inferenceModel(lambda x: net(net(x)), poptorch.Options().deviceIterations(2))
    model(torch.ones(2, 1))
    assert kinds(model) == ["MatMul"] * 4
    block = poptorch.BeginBlock(torch.exp, "name", 1)
    assert block(torch.zeros(1)) == 1


def test_tensors_are_anchored_by_name(poptorch: Any) -> None:
    options = poptorch.Options().deviceIterations(2)
    options.anchorTensor("gradient", "Gradient___fc.bias", poptorch.OutputMode.All)
    options.anchorTensor("weight", "UpdatedVar___fc.weight")
    options.anchorTensor("output", "fc/MatMul:0", poptorch.OutputMode.All)
    net = Regression()
    start = net.fc.bias.detach().clone()
    model = poptorch.trainingModel(net, options, poptorch.optim.SGD(net.parameters(), lr=0.1))
    x, target = torch.randn(4, 3), torch.randn(4, 2)
    model(x, target)
    gradients = model.getAnchoredTensor("gradient")
    assert gradients.shape == (4,)  # two batches of a gradient of two
    moved = start - 0.1 * gradients[:2] - 0.1 * gradients[2:]
    torch.testing.assert_close(net.fc.bias.detach(), moved)
    assert torch.equal(model.getAnchoredTensor("weight"), net.fc.weight)
    assert model.getAnchoredTensor("output").shape == (4, 2)
    with pytest.raises(AssertionError, match="No tensor with name other found"):
        model.getAnchoredTensor("other")
    wrong = poptorch.Options()
    wrong.anchorTensor("a", "no such tensor")
    with pytest.raises(poptorch.Error, match="got 'no such tensor'"):
        poptorch.inferenceModel(nn.Identity(), wrong)(x)


def test_convolutions_become_one(poptorch: Any) -> None:
    conv = nn.Conv2d(1, 1, 3)
    x = torch.randn(1, 1, 5, 5)

    def forward(x: Tensor) -> Tensor:
        with poptorch.MultiConv().availableMemoryProportions((0.5, 0.5)).cycleBackOff(0.1):
            return conv(x) + conv(x * 2)  # type: ignore[no-any-return]

    model = poptorch.inferenceModel(forward)
    torch.testing.assert_close(model(x), forward(x).detach())
    assert kinds(model).count("MultiConv") == 1
    assert "Conv" not in kinds(model)

    def nested(x: Tensor) -> Tensor:
        with poptorch.MultiConv():
            return forward(x)

    def empty(x: Tensor) -> Tensor:
        with poptorch.MultiConv():
            return x + 1

    with pytest.raises(poptorch.Error, match=r"Nested poptorch\.MultiConv is not supported"):
        poptorch.inferenceModel(nested)(x)
    with pytest.raises(poptorch.Error, match="Unexpected end_multi_conv"):
        poptorch.inferenceModel(empty)(x)
    with pytest.raises(ValueError, match="Invalid partials types"):
        poptorch.MultiConv().partialsTypes("half")
    with pytest.raises(AssertionError, match="Invalid plan type"):
        poptorch.MultiConv().planType("parallel")


def test_values_of_constants_can_be_read(poptorch: Any) -> None:
    step = torch.tensor(2)
    x = torch.arange(6.0)
    assert poptorch.inferenceModel(lambda x: x[:: int(step)])(x).tolist() == [0, 2, 4]
    for read in (lambda x: x[: int(x[0])], lambda x: x * int(x.detach()[0])):
        with pytest.raises(poptorch.Error, match="asks for the value of a tensor"):
            poptorch.inferenceModel(read)(x)


def test_layers_compute_in_the_precision_of_their_input(poptorch: Any) -> None:
    x = torch.randn(2, 3)
    for layer, given in ((nn.Linear(3, 2), x.half()), (nn.Linear(3, 2).half(), x)):
        out = poptorch.inferenceModel(layer)(given)
        assert out.dtype == given.dtype
        torch.testing.assert_close(out.float(), layer.float()(x), rtol=1e-2, atol=1e-2)
    normal = poptorch.inferenceModel(lambda x: torch.distributions.Normal(x, 1.0).sample())
    assert normal(x).shape == x.shape
