"""The update on the device against torch's optimizers, and the optimizers' states."""

from __future__ import annotations

import copy
import io
import math
from typing import Any, Dict

import pytest
import torch
from torch import Tensor, nn

CASES: Dict[str, Dict[str, Any]] = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01, "nesterov": True},
    "Adam": {"lr": 0.05, "betas": (0.8, 0.9), "weight_decay": 0.01},
    "AdamW": {"lr": 0.05, "weight_decay": 0.1},
    "RMSprop": {"lr": 0.01, "alpha": 0.9, "momentum": 0.5, "centered": True, "weight_decay": 0.01},
}


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Linear(4, 5)
        self.b = nn.Linear(5, 3)

    def forward(self, x: Tensor, target: Tensor) -> Tensor:
        return nn.functional.cross_entropy(self.b(self.a(x).tanh()), target)


@pytest.fixture
def batch() -> Any:
    return torch.randn(8, 4), torch.randint(3, (8,))


def groups(net: Net, **options: Any) -> Any:
    return [{"params": net.a.parameters()}, {"params": net.b.parameters(), **options}]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("whose", ["torch", "poptorch"])
def test_steps_are_torchs(poptorch: Any, name: str, whose: str, batch: Any) -> None:
    net = Net()
    reference = copy.deepcopy(net).double()
    expected = getattr(torch.optim, name)(groups(reference, lr=0.02), **CASES[name])
    own = {"loss_scaling": 64.0} if whose == "poptorch" else {}
    module = poptorch.optim if whose == "poptorch" else torch.optim
    optimizer = getattr(module, name)(groups(net, lr=0.02), **CASES[name], **own)
    model = poptorch.trainingModel(net, None, optimizer)
    x, target = batch
    for step in range(5):
        if step == 3:
            expected.param_groups[0]["lr"] = optimizer.param_groups[0]["lr"] = 0.01
            model.setOptimizer(optimizer)
        expected.zero_grad()
        reference(x.double(), target).backward()
        expected.step()
        model(x, target)
    for got, wanted in zip(net.parameters(), reference.parameters()):
        torch.testing.assert_close(got.double(), wanted, rtol=1e-5, atol=1e-5)


def test_settings_reach_the_device_by_set_optimizer_alone(poptorch: Any, batch: Any) -> None:
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    model = poptorch.trainingModel(net, None, optimizer)
    optimizer.param_groups[0]["lr"] = 0.0
    before = net.a.weight.detach().clone()
    model(*batch)
    assert not torch.equal(net.a.weight, before)
    model.setOptimizer(optimizer)
    before = net.a.weight.detach().clone()
    model(*batch)
    assert torch.equal(net.a.weight, before)


def test_lamb(poptorch: Any, batch: Any) -> None:
    net = Net()
    reference = copy.deepcopy(net).double()
    optimizer = poptorch.optim.LAMB(net.parameters(), lr=0.1, bias_correction=False)
    model = poptorch.trainingModel(net, None, optimizer)
    moments = [(torch.zeros_like(p), torch.zeros_like(p)) for p in reference.parameters()]
    for _ in range(3):
        model(*batch)
        reference.zero_grad()
        reference(batch[0].double(), batch[1]).backward()
        with torch.no_grad():
            for p, (first, second) in zip(reference.parameters(), moments):
                assert p.grad is not None
                first.mul_(0.9).add_(0.1 * p.grad)
                second.mul_(0.999).add_(0.001 * p.grad**2)
                update = first / (second.sqrt() + 1e-8) + 0.01 * p
                trust = p.norm() / update.norm() if p.norm() > 0 else 1.0
                p.sub_(0.1 * trust * update)
    for got, wanted in zip(net.parameters(), reference.parameters()):
        torch.testing.assert_close(got.double(), wanted, rtol=1e-4, atol=1e-5)
    on_host = copy.deepcopy(reference)
    poptorch.optim.LAMB(on_host.parameters(), lr=0.1).step()
    assert all(torch.equal(a, b) for a, b in zip(on_host.parameters(), reference.parameters()))


def test_tensorflows_rmsprop(poptorch: Any, batch: Any) -> None:
    net = Net()
    weight = net.a.weight.detach().clone()
    net(*batch).backward()
    assert net.a.weight.grad is not None
    grad = net.a.weight.grad.clone()
    optimizer = poptorch.optim.RMSprop(net.parameters(), lr=0.1, alpha=0.9, use_tf_variant=True)
    model = poptorch.trainingModel(net, None, optimizer)
    model(*batch)
    expected = weight - 0.1 * grad / (0.9 + 0.1 * grad**2 + 1e-8).sqrt()
    torch.testing.assert_close(net.a.weight.detach(), expected)


def test_gradients_are_clipped_by_their_norm(poptorch: Any, batch: Any) -> None:
    net = Net()
    before = [p.detach().clone() for p in net.parameters()]
    optimizer = poptorch.optim.SGD(net.parameters(), lr=1.0, max_grad_norm=0.01)
    model = poptorch.trainingModel(net, None, optimizer)
    model(*batch)
    moved = [(p - q).square().sum().item() for p, q in zip(net.parameters(), before)]
    assert math.sqrt(sum(moved)) == pytest.approx(0.01, rel=1e-3)


def test_state_goes_to_a_file_and_back(poptorch: Any, batch: Any) -> None:
    def start(net: Net) -> Any:
        optimizer = poptorch.optim.Adam(net.parameters(), lr=0.1)
        return optimizer, poptorch.trainingModel(net, None, optimizer)

    net = Net()
    optimizer, model = start(net)
    assert optimizer.state_dict()["ipu_state"] is None
    for _ in range(2):
        model(*batch)
    file = io.BytesIO()
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, file)
    for _ in range(2):
        model(*batch)
    file.seek(0)
    saved = torch.load(file)
    again = Net()
    again.load_state_dict(saved["model"])
    other, resumed = start(again)
    other.load_state_dict(saved["optimizer"])
    for _ in range(2):
        resumed(*batch)
    assert all(torch.equal(a, b) for a, b in zip(again.parameters(), net.parameters()))
    with pytest.raises(RuntimeError, match="Only IPU optimizer states can be loaded"):
        other.load_state_dict(torch.optim.Adam(net.parameters()).state_dict())
    with pytest.raises(RuntimeError, match="because it is empty"):
        other.load_state_dict({})


def test_half_weights_keep_their_type(poptorch: Any, batch: Any) -> None:
    net = Net().half()
    optimizer = poptorch.optim.AdamW(net.parameters(), lr=0.1, loss_scaling=128.0)
    before = net.a.weight.detach().clone()
    model = poptorch.trainingModel(net, None, optimizer)
    model(batch[0].half(), batch[1])
    assert net.a.weight.dtype == torch.float16
    assert not torch.equal(net.a.weight, before)


def test_what_is_refused(poptorch: Any) -> None:
    net = Net()
    for optimizer, error, message in (
        (torch.optim.Adagrad(net.parameters()), AssertionError, "Unsupported optimizer type"),
        (torch.optim.Adam(net.parameters(), amsgrad=True), ValueError, "Only non-amsgrad"),
        (torch.optim.SGD(Net().parameters(), lr=1.0), ValueError, "parameters of the model"),
    ):
        with pytest.raises(error, match=message):
            poptorch.trainingModel(net, None, optimizer)
    with pytest.raises(AssertionError, match="Accumulation types"):
        poptorch.optim.SGD(net.parameters(), lr=0.1, accum_type=torch.float64)
    attributes = poptorch.optim.SGD(net.parameters(), lr=0.1).variable_attrs
    assert not attributes.isConstant("lr")
    attributes.markAsConstant("lr")
    assert attributes.isConstant("lr")
    with pytest.raises(AssertionError, match="Unknown attribute"):
        attributes.markAsVariable("speed")


def test_the_log_of_an_optimizer(poptorch: Any, caplog: pytest.LogCaptureFixture) -> None:
    """The numbers that the device gets, with PopART's names; a warning of a rule of a user."""

    class Own(torch.optim.SGD):
        pass

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(2))

        def forward(self, x: torch.Tensor) -> Any:
            return poptorch.identity_loss(x * self.weight, "sum")

    caplog.set_level("DEBUG", "poptorch::python")
    model = Model()
    chosen = poptorch.optim.AdamW(model.parameters(), lr=0.5, accum_type=torch.float16)
    wrapped = poptorch.trainingModel(model, optimizer=chosen)
    assert "graph optimizer with AdamW, defaultLearningRate=0.5, default" in caplog.text
    assert "accumType=float16, firstOrderMomentumAccumType=float32" in caplog.text
    assert "group 0 optimizer with AdamW, learningRate=0.5, weightDecay=0.01 (const)" in caplog.text
    strategy = wrapped.options.Training.meanAccumulationAndReplicationReductionStrategy
    assert strategy == poptorch.MeanReductionStrategy.Running
    wrapped.setOptimizer(torch.optim.AdamW(model.parameters(), lr=0.1))
    assert "does not run Python optimizer code" not in caplog.text
    wrapped.setOptimizer(Own(model.parameters(), lr=0.1))
    assert "Optimizer `Own` subclassed" in caplog.text
    assert "Poptorch does not run Python optimizer code directly" in caplog.text
    caplog.clear()
    wrapped.setOptimizer(Own(model.parameters(), lr=0.1))  # the same numbers again
    assert "graph optimizer" not in caplog.text


def test_a_state_exists_after_compilation(poptorch: Any, batch: Any) -> None:
    net = Net()
    optimizer = poptorch.optim.Adam(net.parameters(), lr=0.5, weight_decay=0.25, loss_scaling=2.0)
    model = poptorch.trainingModel(net, None, optimizer)
    assert optimizer.state_dict()["ipu_state"] is None
    model.compile(*batch)
    state = optimizer.state_dict()
    name = next(name for name, _ in net.named_parameters())
    assert torch.equal(
        state["ipu_state"][f"Accl1___{name}"], torch.zeros_like(dict(net.named_parameters())[name])
    )
    numbers = state["ipu_param"]
    assert numbers[f"learningRate___specific___{name}"] == 0.5
    assert numbers[f"weightDecay___specific___{name}"] == 0.25
    assert numbers["lossScaling_FLOAT"] == 2.0
    numbers[f"learningRate___specific___{name}"] = torch.tensor(0.0)
    optimizer.load_state_dict(state)
    before = {name: value.detach().clone() for name, value in net.named_parameters()}
    model(*batch)
    still = [key for key, value in net.named_parameters() if torch.equal(value, before[key])]
    assert still == [name]  # whose rate alone was set to zero
    assert optimizer.state_dict()["ipu_state"][f"Step___{name}"] == 1
    sgd = poptorch.optim.SGD(net.parameters(), lr=0.5, weight_decay=0.25, loss_scaling=2.0)
    model.setOptimizer(sgd)
    numbers = sgd.state_dict()["ipu_param"]
    assert numbers[f"scaledLearningRate0___specific___{name}"] == 0.25
    assert numbers[f"weightDecayScaleFactor0___specific___{name}"] == 0.875


def test_automatic_loss_scaling(poptorch: Any) -> None:
    net = nn.Linear(2, 1, bias=False).half()

    class Loss(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, x: Any) -> Any:
            return poptorch.identity_loss(self.net(x), "sum")

    options = poptorch.Options()
    options.Training.setAutomaticLossScaling(True)
    options.anchorTensor("scale", "finalLossScale")
    optimizer = poptorch.optim.SGD(net.parameters(), lr=0.0, loss_scaling=4.0)
    model = poptorch.trainingModel(Loss(), options, optimizer)
    scales = []
    for x in (1.0, 1.0, 2000.0, 1.0):  # the gradient is 4, 8, 32000 and 8: above 8188 it is large
        model(torch.full((1, 2), x).half())
        scales.append(float(model.getAnchoredTensor("scale")))
    assert scales == [4.0, 8.0, 16.0, 8.0]
    assert optimizer.state_dict()["ipu_state"]["lossScaleUpdateFactor"] == 4.0


def test_new_attributes_are_ignored_with_a_warning(
    poptorch: Any, batch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    net = Net()
    optimizer = poptorch.optim.SGD(net.parameters(), lr=0.1)
    model = poptorch.trainingModel(net, None, optimizer)
    optimizer.speed = 3
    optimizer.param_groups[0]["pace"] = 4
    for _ in range(2):
        model.setOptimizer(optimizer)
    assert caplog.text.count("Ignoring unexpected optimizer attribute in SGD: ['speed']") == 1
    assert caplog.text.count("Ignoring unexpected group 0 attribute in SGD: ['pace']") == 1


def test_adamw_corrects_its_moments_in_any_case(poptorch: Any, batch: Any) -> None:
    """PopTorch's `CompilerImpl.cpp` has one mode for ADAMW and ADAMW_NO_BIAS."""
    net = Net()
    nets = [net, copy.deepcopy(net)]
    for each, corrected in zip(nets, (True, False)):
        optimizer = poptorch.optim.AdamW(each.parameters(), lr=0.1, bias_correction=corrected)
        poptorch.trainingModel(each, None, optimizer)(*batch)
    assert torch.equal(nets[0].a.weight, nets[1].a.weight)
