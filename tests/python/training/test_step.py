"""A training step with labels at every step, whole and in time chunks."""

from __future__ import annotations

import copy
from typing import Any, Optional

import pytest
import torch
from torch import Tensor

from popsnn import SpikeTensor, neurons, nn, optim
from popsnn.training import Recipe
from popsnn.training.step import StepResult, TrainStep

T, B, M, N, C = 11, 5, 7, 12, 3
RATE = 0.05


class Spike(torch.autograd.Function):
    """Heaviside with the derivative 1 / (10 |x| + 1)^2."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return (x >= 0).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:  # type: ignore[override]
        (x,) = ctx.saved_tensors
        return grad / (10 * x.abs() + 1) ** 2


def network(engine: str, *, capacity: Optional[float] = None) -> nn.SNN:
    """Return a recurrent network of neurons with an adaptation, and a readout."""
    torch.manual_seed(0)
    hidden = nn.SparseNeurons(
        M, N, neurons.AdaptiveLIF(), recurrent=True, learn=["beta", "kappa"], gain=1.5,
        max_activity=capacity, grad_threshold=None if capacity is None else 0.5,
    )  # fmt: skip
    return nn.SNN(hidden, nn.SparseLI(N, C, beta=0.8), backend=engine)


def batch(device: Any = None) -> tuple[SpikeTensor, Tensor]:
    """Return inputs and labels, of which a fifth is none; the labels of a chunk are none at all."""
    generator = torch.Generator().manual_seed(3)
    x = (torch.rand(T, B, M, generator=generator, device="cpu") < 0.3).float()
    labels = torch.randint(0, C, (T, B), generator=generator, device="cpu")
    labels[torch.rand(T, B, generator=generator, device="cpu") < 0.2] = -100
    return SpikeTensor.from_dense(x.to(device)), labels


def trained(
    net: nn.SNN, labels: Optional[Tensor] = None, optimizer: Any = None, **options: Any
) -> StepResult:
    """Train on the batch once."""
    spikes, of_steps = batch(next(net.parameters()).device)
    optimizer = torch.optim.SGD(net.parameters(), lr=RATE) if optimizer is None else optimizer
    step = TrainStep(net, net, optimizer, Recipe(readout="step", **options))
    net.train()
    return step.run(spikes, of_steps if labels is None else labels, lambda loss: None)


def by_hand(
    net: nn.SNN, truncate: int, update_chunks: bool
) -> tuple[dict[str, Tensor], float, int]:
    """Return weights after the step, the loss, and the right answers: a loop over dense float64."""
    first = net.stack[0]
    assert isinstance(first, nn.SparseNeurons)
    p = {
        name: value.detach().cpu().double().requires_grad_()
        for name, value in net.named_parameters()
    }
    spikes, labels = batch()
    x = spikes.to_dense(torch.float64)
    v, a, s = (torch.zeros(B, N, dtype=torch.float64, device="cpu") for _ in range(3))
    u = torch.zeros(B, C, dtype=torch.float64, device="cpu")
    counted, total, right = int((labels >= 0).sum()), 0.0, 0
    gradients = {name: torch.zeros_like(value) for name, value in p.items()}
    for begin in range(0, T, truncate):
        v, a, s, u = (state.detach() for state in (v, a, s, u))
        loss = torch.zeros((), dtype=torch.float64, device="cpu")
        of_chunk = 0
        for t in range(begin, min(begin + truncate, T)):
            current = (
                x[t] @ p["layers.0.weight"].T
                + s @ p["layers.0.recurrent_weight"].T
                + p["layers.0.bias"]
            )
            a = 0.97 * a + s
            v = p["layers.0.beta"] * v * (1 - s.detach()) + 1.5 * current
            s = Spike.apply(v - (1.0 + p["layers.0.kappa"] * a))
            u = 0.8 * u + s @ p["layers.1.weight"].T + p["layers.1.bias"]
            for b in range(B):
                label = int(labels[t, b])
                if label >= 0:
                    of_chunk += 1
                    loss = loss - torch.log_softmax(u[b], 0)[label]
                    right += int(u[b].argmax()) == label
        total += float(loss.detach()) / counted
        loss = loss / (of_chunk if update_chunks else counted)
        grads = torch.autograd.grad(loss, list(p.values()))
        for (name, value), grad in zip(p.items(), grads):
            gradients[name] += grad
            if update_chunks:
                p[name] = (value - RATE * grad).detach().requires_grad_()
    if not update_chunks:
        p = {name: value - RATE * gradients[name] for name, value in p.items()}
    return {name: value.detach() for name, value in p.items()}, total, right


@pytest.mark.parametrize("update_chunks", [False, True], ids=["one update", "an update a chunk"])
@pytest.mark.parametrize("truncate", [4, 1, T])
def test_chunks_are_those_of_a_loop_by_hand(truncate: int, update_chunks: bool) -> None:
    net = network("torch").double()
    expected, loss, right = by_hand(net, truncate, update_chunks)
    result = trained(net, truncate=truncate, update_chunks=update_chunks)
    assert float(result.loss.detach()) == pytest.approx(loss, rel=1e-12)
    assert int(result.right) == right
    for name, value in net.named_parameters():
        torch.testing.assert_close(value.detach(), expected[name], rtol=0, atol=1e-14)


@pytest.mark.parametrize("update_chunks", [False, True], ids=["one update", "an update a chunk"])
def test_every_engine_trains_in_chunks(engine: str, update_chunks: bool) -> None:
    net = network(engine)
    expected, loss, right = by_hand(net, 4, update_chunks)
    result = trained(net, truncate=4, update_chunks=update_chunks)
    assert float(result.loss.detach()) == pytest.approx(loss, rel=1e-5)
    assert int(result.right) == right
    for name, value in net.named_parameters():
        torch.testing.assert_close(value.detach().cpu().double(), expected[name], rtol=0, atol=1e-6)


def test_the_optimizer_of_a_device_updates_by_chunks() -> None:
    net = network("ipu")
    expected, _, _ = by_hand(net, 4, True)
    trained(net, optimizer=optim.SGD(net, lr=RATE), truncate=4, update_chunks=True)
    for name, value in net.state_dict().items():
        if name in expected:
            torch.testing.assert_close(value.double(), expected[name], rtol=0, atol=1e-6)


@pytest.mark.parametrize("truncate", [T, T + 1])
@pytest.mark.parametrize("update_chunks", [False, True], ids=["one update", "an update a chunk"])
def test_a_chunk_as_long_as_the_sequence_changes_no_bit(
    engine: str, truncate: int, update_chunks: bool
) -> None:
    net = network(engine, capacity=0.3)
    whole = copy.deepcopy(net)
    expected = trained(whole, activity_weight=1.0, activity_target=0.01)
    result = trained(
        net, activity_weight=1.0, activity_target=0.01, truncate=truncate,
        update_chunks=update_chunks,
    )  # fmt: skip
    assert torch.equal(result.loss, expected.loss)
    for value, other in zip(net.state_dict().values(), whole.state_dict().values()):
        assert torch.equal(value, other)


def test_chunks_drop_the_spikes_that_the_whole_drops(engine: str) -> None:
    net = network(engine, capacity=0.2)
    whole = copy.deepcopy(net)
    (expected,), (layer,) = trained(whole).stats(), trained(net, truncate=3).stats()
    assert layer == expected
    assert layer.dropped_spikes > 0
    assert int(net._calls) == 1


def test_the_cost_of_activity_is_that_of_the_chunks() -> None:
    net = network("torch").double()
    other = copy.deepcopy(net)
    options: dict[str, Any] = {"truncate": 4, "activity_target": 0.01}
    result, without = trained(net, activity_weight=2.0, **options), trained(other, **options)
    _, traces = network("torch").double().eval()(batch()[0], trace=True)
    dense = traces[0].spikes.detach().to_dense()
    cost = sum(
        len(chunk) / T * float((chunk.mean((0, 1)) - 0.01).clamp_min(0).square().mean())
        for chunk in dense.split(4)
    )
    assert float((result.loss - without.loss).detach()) == pytest.approx(2.0 * cost, rel=1e-9)
    assert not torch.equal(net.stack[0].weight, other.stack[0].weight)


def test_one_label_a_sample_holds_at_every_step() -> None:
    labels = torch.arange(B) % C
    net, other = network("torch"), network("torch")
    result = trained(net, labels, truncate=4)
    assert torch.equal(result.loss, trained(other, labels.expand(T, B), truncate=4).loss)
    assert torch.equal(net.stack[0].weight, other.stack[0].weight)


@pytest.mark.parametrize("update_chunks", [False, True])
def test_steps_without_a_label_train_nothing(update_chunks: bool) -> None:
    net = network("torch")
    before = copy.deepcopy(net.state_dict())
    none = torch.full((T, B), -100)
    result = trained(net, none, truncate=4, update_chunks=update_chunks)
    assert (float(result.loss), int(result.right)) == (0.0, 0)
    for name, value in net.named_parameters():
        assert torch.equal(value, before[name])


@pytest.mark.parametrize("update_chunks", [False, True])
def test_a_loss_is_checked_before_its_update(update_chunks: bool) -> None:
    net = network("torch")
    with torch.no_grad():
        net.stack[-1].weight.fill_(float("nan"))
    net.check_input = False
    before = net.stack[0].weight.clone()
    step = TrainStep(
        net, net, torch.optim.SGD(net.parameters(), lr=RATE),
        Recipe(readout="step", truncate=4, update_chunks=update_chunks),
    )  # fmt: skip

    def check(loss: Tensor) -> None:
        assert torch.isfinite(loss)

    with pytest.raises(AssertionError):
        step.run(*batch(), check)
    assert torch.equal(net.stack[0].weight, before)
