"""trainingModel and inferenceModel: batches, weights, losses, and what a static graph refuses."""

from __future__ import annotations

import copy
import io
import re
from typing import Any, Tuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 4)

    def forward(self, x: Tensor, target: Any = None) -> Any:
        out = self.linear(x)
        return out if target is None else (out, nn.functional.cross_entropy(out, target))


def data(count: int) -> Tuple[Tensor, Tensor]:
    return torch.randn(count, 3), torch.randint(4, (count,))


@settings(max_examples=8)
@given(
    iterations=st.integers(1, 3),
    accumulation=st.integers(1, 3),
    replicas=st.integers(1, 2),
    size=st.integers(1, 2),
    total=st.booleans(),
)
def test_training_is_that_of_torch(
    poptorch: Any, iterations: int, accumulation: int, replicas: int, size: int, total: bool
) -> None:
    x, target = data(iterations * accumulation * replicas * size)
    net = Net()
    reference = copy.deepcopy(net).double()
    optimizer = torch.optim.SGD(reference.parameters(), lr=0.1)
    losses = []
    for step in range(iterations):
        optimizer.zero_grad()
        for batch in range(accumulation * replicas):
            at = slice((step * accumulation * replicas + batch) * size, None)
            _, loss = reference(x[at][:size].double(), target[at][:size])
            losses.append(loss.item())
            (loss if total else loss / (accumulation * replicas)).backward()
        optimizer.step()
    options = poptorch.Options().deviceIterations(iterations).replicationFactor(replicas)
    options.outputMode(poptorch.OutputMode.All).Training.gradientAccumulation(accumulation)
    if total:
        options.Training.accumulationAndReplicationReductionType(poptorch.ReductionType.Sum)
    model = poptorch.trainingModel(net, options, torch.optim.SGD(net.parameters(), lr=0.1))
    _, loss = model(x, target)
    torch.testing.assert_close(loss.reshape(-1), torch.tensor(losses), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(net.linear.weight.double(), reference.linear.weight)


@pytest.mark.parametrize(
    ("mode", "period", "expected"),
    [
        ("All", 1, range(6)),
        ("Final", 1, [5]),
        ("EveryN", 2, [1, 3, 5]),
        ("Default", 1, range(6)),
    ],
)
def test_output_modes(poptorch: Any, mode: str, period: int, expected: Any) -> None:
    options = poptorch.Options().deviceIterations(6)
    options.outputMode(poptorch.OutputMode[mode], period)
    x = torch.randn(12, 3)
    out = poptorch.inferenceModel(nn.Identity(), options)(x)
    assert torch.equal(out, x.reshape(6, 2, 3)[list(expected)].reshape(-1, 3))


def test_a_period_divides_the_iterations(poptorch: Any) -> None:
    options = poptorch.Options().deviceIterations(6).outputMode(poptorch.OutputMode.EveryN, 4)
    model = poptorch.inferenceModel(nn.Identity(), options)
    with pytest.raises(poptorch.Error, match=r"a period that divides 6 .*, got 4") as raised:
        model(torch.zeros(6, 1))
    assert raised.value.type == "popart_exception"
    assert not model.isCompiled()


def test_output_mode_sum_is_of_each_replica(poptorch: Any) -> None:
    options = poptorch.Options().deviceIterations(3).replicationFactor(2)
    options.outputMode(poptorch.OutputMode.Sum)
    x = torch.randn(6, 2)
    out = poptorch.inferenceModel(nn.Identity(), options)(x)
    torch.testing.assert_close(out, x.reshape(3, 2, 2).sum(0))


def test_weights_and_optimizer_agree_after_a_call_that_was_cut_off(poptorch: Any) -> None:
    class Cut(nn.Linear):
        calls = 0

        def forward(self, x: Tensor) -> Tensor:
            self.calls += 1
            if self.calls == 4:  # the second iteration of the second call
                raise KeyboardInterrupt
            return poptorch.identity_loss(super().forward(x), "mean")  # type: ignore[no-any-return]

    net = Cut(1, 1)
    options = poptorch.Options().deviceIterations(2)
    optimizer = poptorch.optim.SGD(net.parameters(), lr=1.0, momentum=0.5)
    model = poptorch.trainingModel(net, options, optimizer)
    x = torch.ones(2, 1)
    model(x)
    before = net.bias.detach().clone()
    with pytest.raises(KeyboardInterrupt):
        model(x)
    velocity = optimizer.state_dict()["ipu_state"]["Accl1___bias"]
    torch.testing.assert_close(velocity, torch.tensor([1.75]))
    torch.testing.assert_close(net.bias.detach(), before - 1.75)


def test_weights_live_on_the_device(poptorch: Any) -> None:
    net = Net()
    plain = net.linear.weight
    before = plain.detach().clone()
    model = poptorch.trainingModel(net)
    inference = poptorch.inferenceModel(net)
    x, target = data(4)
    inference(x)
    model(x, target)
    with torch._C.DisableTorchFunctionSubclass():  # looks without asking for what is new
        assert torch.equal(plain, before)
    out = inference(x)  # asks
    with torch._C.DisableTorchFunctionSubclass():
        assert not torch.equal(plain, before)
    torch.testing.assert_close(out, nn.functional.linear(x, net.linear.weight, net.linear.bias))
    assert model.copyWeightsToHostIfNeeded() is False
    with torch.no_grad():
        net.linear.weight.fill_(1.0)
    torch.testing.assert_close(inference(x), out)  # the device has its own
    inference.copyWeightsToDevice()
    assert not torch.equal(inference(x), out)


def test_a_model_is_plain_again_after_destroy(poptorch: Any) -> None:
    net = Net()
    model = poptorch.trainingModel(net)
    x, target = data(4)
    model(x, target)
    with pytest.raises(RuntimeError, match="already been wrapped"):
        poptorch.trainingModel(net)
    trained = {name: value.clone() for name, value in model.state_dict().items()}
    net.destroy()
    assert type(net) is Net
    assert type(net.linear.weight) is nn.Parameter
    assert all(torch.equal(value, trained[name]) for name, value in net.state_dict().items())
    with pytest.raises(poptorch.Error, match="has not been compiled or has been destroyed"):
        model.copyWeightsToHost()
    model(x, target)
    assert not torch.equal(net.linear.weight, trained["linear.weight"])


def test_tensors_of_two_devices_meet(poptorch: Any) -> None:
    nets = Net(), Net()
    nets[1].load_state_dict(nets[0].state_dict())
    models = [poptorch.trainingModel(net) for net in nets]
    x, target = data(4)
    for model in models:
        model(x, target)
    assert torch.equal(nets[0].linear.weight, nets[1].linear.weight)


def test_copies_and_files_of_a_wrapped_model_follow_nothing(poptorch: Any) -> None:
    net = Net()
    model = poptorch.trainingModel(net)
    model(*data(4))
    copied = copy.deepcopy(net)
    assert type(copied) is Net
    assert type(copied.linear.weight) is nn.Parameter
    assert torch.equal(copied.linear.weight, net.linear.weight)
    file = io.BytesIO()
    torch.save(net.state_dict(), file)
    file.seek(0)
    loaded = torch.load(file)
    assert torch.equal(loaded["linear.weight"], net.linear.weight)
    model.load_state_dict({name: torch.zeros_like(value) for name, value in loaded.items()})
    model.copyWeightsToHost()
    assert not net.linear.weight.any()


def test_losses(poptorch: Any) -> None:
    class Custom(nn.Module):
        def __init__(self, kind: str) -> None:
            super().__init__()
            self.kind = kind
            self.w = nn.Parameter(torch.tensor([1.0, 2.0]))

        def forward(self, x: Tensor) -> Any:
            y = self.w * x
            if self.kind == "none":
                return y.sum()
            if self.kind == "two":
                return poptorch.identity_loss(y, "sum") + poptorch.identity_loss(y * y, "mean")
            inner = poptorch.identity_loss(y, "none")
            return poptorch.identity_loss(inner * inner, self.kind)

    x = torch.tensor([[3.0, 4.0]])
    for kind, message in (("none", "find a loss in graph"), ("two", "Multiple independent losses")):
        model = poptorch.trainingModel(Custom(kind))
        for call in (model.compile, model):
            with pytest.raises(poptorch.Error, match=message):
                call(x)
    for kind, scale in (("sum", 2.0), ("mean", 1.0)):
        net = Custom(kind)
        model = poptorch.trainingModel(net, None, torch.optim.SGD(net.parameters(), lr=0.5))
        model(x)
        w = torch.tensor([1.0, 2.0])
        torch.testing.assert_close(net.w.detach(), w - 0.5 * scale * w * x[0] ** 2)


def test_a_static_graph_has_no_values(poptorch: Any) -> None:
    looks = [bool, int, float, lambda x: x.item(), lambda x: x.numpy(), lambda x: x.tolist()]
    for style in looks:
        model = poptorch.inferenceModel(style)
        with pytest.raises(poptorch.Error, match="the graph of an IPU is built before"):
            model(torch.ones(1))
    assert poptorch.inferenceModel(lambda x: x + torch.ones(1, device="ipu"))(torch.ones(1)) == 2
    assert not poptorch.isRunningOnIpu()
    seen = []
    poptorch.inferenceModel(lambda x: seen.append(poptorch.isRunningOnIpu()))(torch.ones(1))
    assert seen == [True]


def test_types_of_the_device(poptorch: Any) -> None:
    model = poptorch.inferenceModel(lambda x, y: (x * 2, y + 1))
    x, y = model(torch.ones(2, dtype=torch.float64), torch.tensor([1, 2]))
    assert (x.dtype, y.dtype) == (torch.float32, torch.int32)
    with pytest.raises(poptorch.Error, match="expected integers of 32 bits, got 4294967296"):
        poptorch.inferenceModel(nn.Identity())(torch.tensor([2**32]))
    with pytest.raises(poptorch.Error, match=re.escape("Zero-sized tensors are unsupported")):
        poptorch.inferenceModel(nn.Identity())(torch.ones(0, 2))
    with pytest.raises(poptorch.Error, match=r"Unsupported input type torch\.complex64"):
        poptorch.inferenceModel(nn.Identity())(torch.ones(2, dtype=torch.complex64))


def test_non_contiguous_inputs_are_converted(
    poptorch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    x = torch.arange(6.0).reshape(2, 3).t()
    assert torch.equal(poptorch.inferenceModel(lambda x: x * 1)(x), x)
    assert "At least one input tensor is not contiguous" in caplog.text


def test_inputs_are_as_compiled(poptorch: Any) -> None:
    model = poptorch.inferenceModel(lambda x, y=3: x + y)
    model.compile(torch.ones(2))
    assert model.isCompiled()
    for args, message in (
        ((torch.ones(3),), "Shape mismatch for x: expected torch.Size([2]) but got"),
        ((torch.ones(2).half(),), "Data type mismatch for x: expected torch.float32 but got"),
        ((torch.ones(2), 4), "Value mismatch for y: expected 3 but got 4"),
        ((3.0,), "Type mismatch for x"),
        ((), "Mandatory parameter x missing"),
    ):
        with pytest.raises(poptorch.Error, match=re.escape(message)):
            model(*args)
    with pytest.raises(AssertionError, match="Too many arguments"):
        model(1, 2, 3)
    options = poptorch.Options().deviceIterations(3)
    with pytest.raises(AssertionError, match="Invalid batch dimension"):
        poptorch.inferenceModel(nn.Identity(), options)(torch.ones(4))


def test_buffers(poptorch: Any) -> None:
    net = nn.BatchNorm1d(3)
    options = poptorch.Options().replicationFactor(2)
    with pytest.raises(poptorch.Error, match="does not support broadcasting buffers"):
        poptorch.inferenceModel(net, options)(torch.ones(4, 3))
    free = poptorch.Options().replicationFactor(2).broadcastBuffers(False)

    class Sums(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("sum", torch.zeros(3))

        def forward(self, x: Tensor) -> Tensor:
            self.sum += x.sum(0)
            return self.sum + x

    sums = Sums()
    model = poptorch.inferenceModel(sums, free)
    model(torch.cat([torch.ones(2, 3), torch.zeros(2, 3)]))
    assert sums.sum[0] == 0
    model.copyWeightsToHost()
    torch.testing.assert_close(sums.sum, torch.full((3,), 2.0))  # the first replica's

    class Puts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("held", torch.zeros(1))

        def forward(self, x: Tensor) -> Tensor:
            self.held = x
            return x

    with pytest.raises(poptorch.Error, match="Buffer held is reassigned within the model"):
        poptorch.inferenceModel(Puts())(torch.ones(1))


def test_a_plain_attribute_is_a_constant(poptorch: Any) -> None:
    class Counts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls = torch.zeros(1)

        def forward(self) -> Tensor:
            self.calls += 1
            return self.calls

    net = Counts()
    model = poptorch.inferenceModel(net)
    assert [model().item(), model().item(), net.calls.item()] == [1, 1, 0]


def test_random_numbers_are_the_devices(poptorch: Any) -> None:
    def drawn(seed: int) -> Tensor:
        model = poptorch.inferenceModel(nn.Dropout(0.5), poptorch.Options().randomSeed(seed))
        return torch.cat([model(torch.ones(64)) for _ in range(2)])

    first = drawn(1)
    assert torch.equal(first, drawn(1))
    assert not torch.equal(first, drawn(2))
    state = torch.get_rng_state()
    model = poptorch.inferenceModel(nn.Dropout(0.5), poptorch.Options())
    stored = model.compile(torch.ones(64)) or model.rng_state
    state = torch.get_rng_state()
    out = model(torch.ones(64))
    assert torch.equal(state, torch.get_rng_state())
    model.rng_state = stored
    assert torch.equal(model(torch.ones(64)), out)


def test_attach_and_detach(poptorch: Any) -> None:
    net = Net()
    model = poptorch.trainingModel(net)
    with pytest.raises(poptorch.Error, match="has not been compiled"):
        model.attachToDevice()
    x, target = data(2)
    model(x, target)
    with pytest.raises(poptorch.Error, match="already attached"):
        model.attachToDevice()
    model.detachFromDevice()
    assert not model.isAttachedToDevice()
    with pytest.raises(poptorch.Error, match="not attached"):
        model.detachFromDevice()
    model(x, target)
    assert model.isAttachedToDevice()
    offline = poptorch.inferenceModel(nn.Identity(), poptorch.Options().useOfflineIpuTarget())
    offline.compile(x)
    with pytest.raises(AssertionError, match="offline device"):
        offline(x)


def test_what_is_refused(poptorch: Any) -> None:
    options = poptorch.Options()
    options.Training.gradientAccumulation(2)
    with pytest.raises(poptorch.Error, match="gradientAccumulation to 1"):
        poptorch.inferenceModel(nn.Identity(), options)
    with pytest.raises(poptorch.Error, match=r"Expected poptorch\.Options"):
        poptorch.inferenceModel(nn.Identity(), {})
    out = poptorch.inferenceModel(nn.Identity())(torch.ones(1))
    with pytest.raises(poptorch.Error, match=re.escape("backward() cannot be called")):
        out.backward()
    checked = poptorch.Options()
    checked.Precision.enableFloatingPointExceptions(True)
    with pytest.raises(poptorch.Error, match="output 0 of the model is not finite"):
        poptorch.inferenceModel(torch.log, checked)(torch.tensor([-1.0]))
    with pytest.raises(AttributeError, match="the emulated PopTorch does not have it"):
        poptorch.fps()
    with pytest.raises(poptorch.Error, match="Model has not been compiled"):
        poptorch.inferenceModel(nn.Identity()).save("model")


def test_errors_have_the_documented_attributes(poptorch: Any) -> None:
    with pytest.raises(poptorch.Error) as caught:
        poptorch.BeginBlock(3)
    assert caught.value.type == "poptorch_py_error"
    assert caught.value.message == "module is not an instance of torch.nn.Module or function."
    assert str(caught.value) == f"'poptorch_py_error': {caught.value.message}"
    assert issubclass(poptorch.RecoverableError, poptorch.Error)
    assert poptorch.poptorch_core.Error is poptorch.Error


def test_hooks_around_compilation(poptorch: Any) -> None:
    calls = []
    before = poptorch.registerPreCompileHook(lambda: calls.append("before"))
    after = poptorch.registerPostCompileHook(lambda: calls.append("after"))
    poptorch.inferenceModel(nn.Identity())(torch.ones(1))
    before.remove()
    after.remove()
    poptorch.inferenceModel(nn.Identity())(torch.ones(1))
    assert calls == ["before", "after"]
    with pytest.raises(RuntimeError, match="must be callable"):
        poptorch.registerPreCompileHook(3)
