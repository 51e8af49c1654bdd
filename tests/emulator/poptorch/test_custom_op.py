"""custom_op: operators of a PopART library, forward and through their gradient operators."""

from __future__ import annotations

import re
import sys
from typing import Any, Optional

import pytest
import torch
from torch import Tensor, nn

pytestmark = pytest.mark.usefixtures("popart")


def power(poptorch: Any, x: Tensor, bias: Tensor, exponent: int = 3, **changed: Any) -> Any:
    arguments = {
        "name": "Power",
        "domain": "test.popsnn",
        "domain_version": 1,
        "example_outputs": [x, x],
        "attributes": {"exponent": exponent},
        **changed,
    }
    return poptorch.custom_op([x, bias], **arguments)


class Cubes(nn.Module):
    """Sums cubes, between products with weights."""

    def __init__(self, poptorch: Any) -> None:
        super().__init__()
        self.poptorch = poptorch
        self.before = nn.Linear(4, 3)
        self.bias = nn.Parameter(torch.randn(3))

    def cubes(self, x: Tensor) -> Any:
        if self.poptorch.isRunningOnIpu():
            return power(self.poptorch, x, self.bias.expand(x.shape))
        return x**3 + self.bias, x**3

    def forward(self, x: Tensor) -> Any:
        y, cube = self.cubes(self.before(x))
        return y, cube, self.poptorch.identity_loss(y.sin() + cube.cos(), "sum")


def test_outputs_and_gradients(poptorch: Any) -> None:
    net = Cubes(poptorch)
    x = torch.randn(2, 4)
    reference = Cubes(poptorch).double()
    reference.load_state_dict(net.state_dict())
    y, cube, loss = reference(x.double())
    loss.backward()
    before = {name: p.detach().clone() for name, p in net.named_parameters()}
    options = poptorch.Options().logCycleCount(True)
    model = poptorch.trainingModel(net, options, torch.optim.SGD(net.parameters(), lr=1.0))
    with pytest.raises(poptorch.Error, match="run the model at least once"):
        model.cycleCount()
    got = model(x)
    for value, expected in zip(got, (y, cube, loss)):
        torch.testing.assert_close(value.double(), expected, rtol=1e-5, atol=1e-5)
    for name, parameter in reference.named_parameters():
        assert parameter.grad is not None
        step = before[name] - dict(net.named_parameters())[name]
        torch.testing.assert_close(step.double(), parameter.grad, rtol=1e-4, atol=1e-4)
    assert model.cycleCount() > 0
    with pytest.raises(poptorch.Error, match="Cycle count logging is disabled"):
        poptorch.inferenceModel(net).cycleCount()


def test_cycles_are_of_every_micro_batch_of_a_replica(poptorch: Any) -> None:
    def cycles(iterations: int, replicas: int) -> int:
        options = poptorch.Options().deviceIterations(iterations).replicationFactor(replicas)
        model = poptorch.inferenceModel(
            lambda x: power(poptorch, x, x), options.logCycleCount(True)
        )
        model(torch.ones(iterations * replicas, 5))
        return int(model.cycleCount())

    assert cycles(3, 2) == 3 * cycles(1, 1)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_types(poptorch: Any, dtype: torch.dtype) -> None:
    x = torch.tensor([1.0, 2.0], dtype=dtype)
    y, _ = poptorch.inferenceModel(lambda x: power(poptorch, x, x))(x)
    assert y.dtype == (torch.float32 if dtype == torch.float64 else dtype)
    assert y.tolist() == [2.0, 10.0]


def test_non_contiguous_tensors(poptorch: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    y, _ = poptorch.inferenceModel(lambda x: power(poptorch, x.t(), x.t(), 2))(x)
    assert torch.equal(y, (x * x + x).t())


def test_random_numbers_are_the_same_backward(poptorch: Any) -> None:
    class Dropped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.x = nn.Parameter(torch.ones(64))

        def forward(self) -> Any:
            (y,) = poptorch.custom_op([self.x], "Drop", "test.popsnn", 1, [self.x])
            return y, poptorch.identity_loss(y, "sum")

    net = Dropped()
    options = poptorch.Options().randomSeed(3)
    model = poptorch.trainingModel(net, options, torch.optim.SGD(net.parameters(), lr=1.0))
    y, _ = model()
    assert 0 < int((y != 0).sum()) < 64
    torch.testing.assert_close(net.x.detach(), 1 - y)


def test_outside_of_a_model_outputs_are_zeros(poptorch: Any) -> None:
    y, _ = power(poptorch, torch.ones(3), torch.ones(3))
    assert torch.equal(y, torch.zeros(3))


def run(poptorch: Any, x: Optional[Tensor] = None, **changed: Any) -> None:
    value = torch.ones(3) if x is None else x
    poptorch.inferenceModel(lambda x: power(poptorch, x, x, **changed))(value)


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"name": "Powder"}, "popart_exception", "Powder"),
        ({"example_outputs": [torch.ones(3).int()] * 2}, "poptorch_py_error", "got int32."),
        ({"example_outputs": [torch.ones(3)] * 3}, "popart_exception", "output"),
        ({"attributes": {"exponent": 2**70}}, "poptorch_py_error", "too high for a Popart int"),
        (
            {"attributes": {"x": sys.float_info.max}},
            "poptorch_py_error",
            "1.79769e+308 is too high",
        ),
        ({"attributes": {"x": [-1e39]}}, "poptorch_py_error", "-1e+39 is too low for a Popart"),
        ({"attributes": {"x": []}}, "poptorch_py_error", "at least one element"),
    ],
)
def test_errors(poptorch: Any, changed: Any, kind: str, message: str) -> None:
    with pytest.raises(poptorch.Error, match=re.escape(message)) as caught:
        run(poptorch, **changed)
    assert caught.value.type == kind
    assert len(caught.value.message.splitlines()) == 1


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({3: 1.0}, "keys must be strings"),
        ({"x": {"y": 1}}, "Attribute values must be floats, ints, strings"),
        ({"x": [1, 2.0]}, "must all be the same"),
        ({"x": "naïve"}, "naïve contains non-ASCII characters."),
        ({"naïve": 1}, "naïve contains non-ASCII characters."),
    ],
)
def test_attributes_that_there_are_not(poptorch: Any, attributes: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(poptorch, attributes=attributes)


def test_inputs_that_there_are_not(poptorch: Any) -> None:
    for value, message in (
        (torch.tensor([2**31]), "expected integers of 32 bits, got 2147483648"),
        ("x", "inputs[0]: expected a torch.Tensor, got str"),
    ):
        model = poptorch.inferenceModel(
            lambda x, value=value: poptorch.custom_op([value], "Drop", "test.popsnn", 1, [x])
        )
        with pytest.raises(poptorch.Error, match=re.escape(message)):
            model(torch.ones(1))


def test_examples_of_another_shape_are_a_warning(
    poptorch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    run(poptorch, example_outputs=[torch.ones(4), torch.ones(3)])
    assert "example_outputs[0]: expected shape [3] as the operation gives, got [4]" in caplog.text
