"""Thresholds that follow running firing rates, on every engine, next to the rule in float64."""

from __future__ import annotations

import copy
import io
import math
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from popsnn import nn, poptorch
from popsnn._internal.auto_capacity import LAG, WINDOW
from popsnn.neurons import AdaptiveLIF, Neuron
from popsnn.optim import Adam

M, N = 8, 24
RULE = nn.Homeostasis(target=0.1, rate=0.2, window=3, least=0.6, most=1.3)


def network(engine: str, rule: Any = RULE, **options: Any) -> nn.SNN:
    torch.manual_seed(0)
    settings: dict[str, Any] = {"grad_threshold": 0.7, "recurrent": True, **options}
    hidden = nn.SparseLIF(M, N, homeostasis=rule, **settings)
    return nn.SNN(hidden, nn.SparseLI(N, 3), backend=engine)


def spikes(net: nn.SNN, index: int = 0, rate: float = 0.3) -> Tensor:
    generator = torch.Generator().manual_seed(index)
    x = (torch.rand(5, 6, M, generator=generator, device="cpu") < rate).float()
    return x.to(next(net.parameters()).device)


def thresholds(net: nn.SNN) -> Tensor:
    value: Any = net.stack[0].threshold  # type: ignore[union-attr]
    return torch.as_tensor(value).detach().cpu().clone()


def rates(net: nn.SNN) -> Tensor:
    value: Any = net.stack[0].running_rate
    return value.cpu().clone()


def train(net: nn.SNN, passes: int = 1, begin: int = 0, **options: Any) -> None:
    for index in range(begin, begin + passes):
        net.zero_grad()
        net(spikes(net, index, **options)).square().mean().backward()


def test_rates_and_thresholds_follow_the_rule_in_float64(engine: str) -> None:
    net = network(engine)
    r = torch.full((N,), RULE.target, dtype=torch.float64, device="cpu")
    level = torch.ones(N, dtype=torch.float64, device="cpu")
    for index in range(12):
        # The threshold of a pass is that of the rates before it.
        level = (level + RULE.rate * (r - RULE.target)).clamp(0.7, RULE.most)  # 0.7: gradients'
        net.zero_grad()
        out, trace = net(spikes(net, index), trace=True)
        out.square().mean().backward()
        fired = trace[0].spikes.to_dense().detach().cpu().double().mean((0, 1))
        r += (fired - r) / RULE.window
        assert torch.allclose(thresholds(net).double(), level, atol=1e-6)
        assert torch.allclose(rates(net).double(), r, atol=1e-6)
    assert thresholds(net).unique().numel() > N // 4  # neurons differ


def test_engines_move_thresholds_alike(engine: str) -> None:
    net, reference = network(engine), network("torch").to("cpu")
    train(net, 5)
    train(reference, 5)
    assert torch.allclose(thresholds(net), thresholds(reference), atol=1e-6)
    assert not torch.equal(thresholds(net), torch.ones(N, device="cpu"))


@pytest.mark.parametrize(("rate", "sign"), [(0.0, -1), (0.9, 1)])
def test_silence_lowers_a_threshold_and_spikes_raise_it(rate: float, sign: int) -> None:
    net = network("torch", nn.Homeostasis(0.2, 0.1))
    with torch.no_grad():
        net.stack[0].weight.abs_()
        assert net.stack[0].bias is not None
        net.stack[0].bias.zero_()
    train(net, 3, rate=rate)
    assert bool((sign * (thresholds(net) - 1) > 0).all())


def test_rates_settle_at_the_target() -> None:
    rule = nn.Homeostasis(0.05, rate=1.0, window=1, least=0.05)
    net = network("torch", rule, grad_threshold=None, recurrent=False)
    before = float("nan")
    for index in range(400):
        with torch.enable_grad():
            net(spikes(net, index))
        if index == 0:
            before = net.stats()[0].activity
    settled = []
    for index in range(400, 440):
        net(spikes(net, index))
        settled.append(net.stats()[0].activity)
    after = sum(settled) / len(settled)
    assert abs(before - rule.target) > 0.02
    assert abs(after - rule.target) < 0.01


def test_other_passes_change_nothing(engine: str) -> None:
    net = network(engine)
    train(net, 3)
    before = {name: value.clone() for name, value in net.state_dict().items()}
    net.eval()
    net(spikes(net, 7, 0.9))
    net.train()
    with torch.no_grad():
        net(spikes(net, 7, 0.9))
    after = net.state_dict()
    for name in ("layers.0.threshold", "layers.0.running_rate"):
        assert torch.equal(before[name], after[name])


def test_thresholds_stay_within_a_sequence(engine: str) -> None:
    net = network(engine)
    train(net, 2)
    _, state = net(spikes(net, 2), return_state=True)
    before, rate = thresholds(net), rates(net)
    net(spikes(net, 3), state.detach())
    assert torch.equal(thresholds(net), before)
    assert not torch.equal(rates(net), rate)
    net(spikes(net, 4))
    assert not torch.equal(thresholds(net), before)


def test_chunks_of_one_graph_have_one_threshold() -> None:
    net = network("torch", reset="subtract")
    train(net, 2)
    first, state = net(spikes(net, 2), return_state=True)
    second = net(spikes(net, 3), state)
    (first.sum() + second.sum()).backward()  # no tensor of the graph has changed


@pytest.mark.parametrize("way", ["state", "copy", "file", "pretrained"])
def test_rates_and_thresholds_go_with_the_network(engine: str, way: str, tmp_path: Path) -> None:
    net = network(engine)
    train(net, 5)
    if way == "state":
        other = network(engine)
        other.load_state_dict(net.state_dict())
    elif way == "copy":
        other = copy.deepcopy(net)
    elif way == "file":
        file = io.BytesIO()
        torch.save(net.state_dict(), file)
        file.seek(0)
        other = network(engine)
        other.load_state_dict(torch.load(file, weights_only=True))
    else:
        net.save_pretrained(tmp_path)
        other = nn.SNN.from_pretrained(tmp_path, backend=engine).train()
        other.to(next(net.parameters()).device)
        assert other.stack[0].homeostasis == RULE
    assert torch.equal(thresholds(other), thresholds(net))
    train(net, 4, begin=5)
    train(other, 4, begin=5)
    assert torch.equal(thresholds(other), thresholds(net))
    assert torch.equal(rates(other), rates(net))


def test_weights_from_elsewhere_leave_the_rates() -> None:
    net, dense = network("torch"), network("torch", None, threshold=torch.ones(N))
    train(net, 3)
    before = rates(net)
    net.load_state_dict(dense.state_dict())
    assert torch.equal(rates(net), before)
    dense.load_state_dict(net.state_dict())
    assert "layers.0.running_rate" not in dense.state_dict()


@pytest.mark.filterwarnings("ignore:.*capacity:UserWarning")
def test_an_automatic_capacity_follows_what_moved_thresholds_fire(engine: str) -> None:
    rule = nn.Homeostasis(0.02, rate=0.5, window=2)
    options = {"max_activity": "auto", "grad_threshold": 0.5, "recurrent": False}
    net, reference = network(engine, rule, **options), network("torch", rule, **options).to("cpu")
    dropped = fired = 0
    for index in range(WINDOW + LAG + 8):
        train(net, begin=index, rate=0.9)
        train(reference, begin=index, rate=0.9)
        assert net.stack[0].capacity == reference.stack[0].capacity
        stats = net.stats()[0]
        dropped, fired = dropped + stats.dropped_spikes, fired + stats.spikes
    assert net.stack[0].capacity < N
    assert dropped <= 0.001 * (dropped + fired)
    assert torch.allclose(thresholds(net), thresholds(reference), atol=1e-6)
    assert float(thresholds(net).max()) > 1.2


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_repeated_pass_has_the_thresholds_of_the_first(reentrant: bool) -> None:
    net, plain = network("torch"), network("torch")
    for each in (net, plain):
        train(each, 3)
        each.zero_grad()
        x = spikes(each, 3).requires_grad_()
        if each is net:
            out = checkpoint(each, x, use_reentrant=reentrant)
            assert isinstance(out, Tensor)
        else:
            with torch.set_grad_enabled(True):
                out = each(x)
        out.square().mean().backward()
    if not reentrant:  # whose first pass asks for no gradients, and counts nothing
        assert torch.equal(rates(net), rates(plain))
        assert torch.equal(thresholds(net), thresholds(plain))
        for one, other in zip(net.parameters(), plain.parameters()):
            assert torch.equal(one.grad, other.grad)  # type: ignore[arg-type]


def test_checkpoint_intervals_change_nothing(engine: str) -> None:
    net, whole = network(engine), network(engine)
    net.checkpoint_interval = 2
    train(net, 4)
    train(whole, 4)
    assert torch.equal(thresholds(net), thresholds(whole))
    assert torch.equal(rates(net), rates(whole))


def test_the_device_updates_weights_while_thresholds_move() -> None:
    net, host = network("ipu"), network("ipu")
    device, torchs = Adam(net, lr=0.01), torch.optim.Adam(host.parameters(), lr=0.01)
    for index in range(6):
        for each, optimizer in ((net, device), (host, torchs)):
            optimizer.zero_grad()  # type: ignore[attr-defined]
            each(spikes(each, index)).square().mean().backward()
            optimizer.step()  # type: ignore[attr-defined]
    assert torch.allclose(thresholds(net), thresholds(host), atol=1e-6)
    assert not torch.equal(thresholds(net), torch.ones(N))


def test_a_layer_alone_follows_its_rates() -> None:
    layer = nn.SparseLIF(M, N, homeostasis=RULE)
    x = (torch.rand(5, 6, M) < 0.9).float()
    for _ in range(3):
        out = layer(x)
    assert layer.running_rate.shape == (N,)
    assert not torch.equal(layer.threshold, torch.ones(N))
    assert bool((out.to_dense().sum((0, 1)) > 0).any())


def test_neurons_of_any_model_with_a_threshold_move(engine: str) -> None:
    hidden = nn.SparseNeurons(M, N, AdaptiveLIF(), homeostasis=RULE)
    net = nn.SNN(hidden, nn.SparseLIF(N, 3, homeostasis=RULE), backend=engine)
    for index in range(4):
        net(spikes(net, index, 0.9)).values.sum().backward()
    for layer in net.layers:
        assert not bool((layer.threshold == 1).all())  # type: ignore[union-attr]


def test_counts_are_those_of_the_spikes(engine: str) -> None:
    net = network(engine, None)
    _, trace = net(spikes(net), trace=True)
    rate = trace[0].spikes.rate().detach()
    torch.testing.assert_close(rate, trace[0].spikes.to_dense().mean(0).detach())
    assert float(rate.sum()) > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 0.0}, r"Homeostasis: target: expected a number in \(0, 1\), got 0"),
        ({"rate": -1.0}, "Homeostasis: rate: expected a positive number, got -1"),
        ({"window": 0.5}, "Homeostasis: window: expected a number from 1 on, got 0.5"),
        ({"most": 0.1}, r"Homeostasis: most: expected a number from least \(0.5\) on, got 0.1"),
        ({"rate": math.inf}, "Homeostasis: rate: expected a finite number, got inf"),
    ],
)
def test_a_rule_out_of_range_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        nn.Homeostasis(**options)


class _Level(Neuron):
    states = ("v", "s")
    parameters = {"level": 1.0}  # noqa: RUF012

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
        v = 0.9 * state.v * (1 - state.s) + x
        return v, fire(v, p.level)


def test_layers_that_cannot_follow_are_refused() -> None:
    with pytest.raises(TypeError, match="SparseLIF: homeostasis: expected a Homeostasis or None"):
        nn.SparseLIF(M, N, homeostasis=0.1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="homeostasis: expected a threshold that is not learnt"):
        nn.SparseLIF(M, N, learn_threshold=True, homeostasis=RULE)
    with pytest.raises(ValueError, match="expected a neuron with a parameter 'threshold', got _Le"):
        nn.SparseNeurons(M, N, _Level(), homeostasis=RULE)
    layer = nn.SparseLIF(M, N, homeostasis=RULE)
    layer.homeostasis = None
    assert "running_rate" not in layer.state_dict()
    layer.homeostasis = RULE
    layer.threshold = 1.2  # type: ignore[assignment]
    layer((torch.rand(5, 6, M) < 0.9).float())
    assert isinstance(layer.threshold, Tensor)


def moved_to_the_bound(rule: nn.Homeostasis, rate: float = 0.0, **options: Any) -> nn.SNN:
    """Return a network all of whose thresholds lie at a bound."""
    net = network("torch", rule, recurrent=False, **options)
    train(net, 6, rate=rate)
    return net


def test_thresholds_at_the_gradient_threshold_keep_it(tmp_path: Path) -> None:
    net = moved_to_the_bound(nn.Homeostasis(0.9, rate=5.0))
    layer: Any = net.stack[0]
    assert bool((layer.threshold == torch.tensor(0.7)).all())
    assert float(layer.threshold.max()) < 0.7  # in float64
    layer.grad_threshold = 0.7
    net.save_pretrained(tmp_path)
    again = nn.SNN.from_pretrained(tmp_path, backend="torch")
    assert torch.equal(thresholds(again), thresholds(net))
    layer.homeostasis = None
    layer.grad_threshold = 0.7  # of thresholds in general


@pytest.mark.parametrize("kind", ["SparseLIF", "SparseNeurons"])
def test_a_gradient_threshold_raises_the_thresholds_below(kind: str) -> None:
    layer: Any = nn.SparseLIF(M, N, homeostasis=RULE, grad_threshold=0.7)
    if kind == "SparseNeurons":
        layer = nn.SparseNeurons(M, N, AdaptiveLIF(), homeostasis=RULE, grad_threshold=0.7)
    layer.threshold = torch.linspace(0.7, 1.3, N)
    before, address = layer.threshold.clone(), layer.threshold.data_ptr()
    layer.grad_threshold = 0.9
    assert torch.equal(layer.threshold, before.clamp(min=0.9))
    assert layer.threshold.data_ptr() == address  # graphs of a GPU hold it
    layer.grad_threshold = None
    assert torch.equal(layer.threshold, before.clamp(min=0.9))


def test_a_number_becomes_thresholds_at_once() -> None:
    layer: Any = nn.SparseLIF(M, N, homeostasis=RULE)
    layer.threshold = 1.2
    assert torch.equal(layer.state_dict()["threshold"], torch.full((N,), 1.2))
    layer((torch.rand(5, 6, M) < 0.9).float())
    assert isinstance(layer.threshold, Tensor)


BOUNDS = "homeostasis: expected thresholds within its bounds, "
MOST = (
    "grad_threshold: expected a finite number of at most 1.3, to which homeostasis lets thresholds "
    "rise, got 1.4"
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.3}, f"SparseLIF: {BOUNDS}0.6 to 1.3, got 0.3"),
        ({"threshold": 1.5}, f"SparseLIF: {BOUNDS}0.6 to 1.3, got 1.5"),
        ({"threshold": torch.full((N,), 0.59)}, f"SparseLIF: {BOUNDS}0.6 to 1.3, got 0.59"),
        ({"threshold": 1.5, "grad_threshold": 1.4}, f"SparseLIF: {MOST}"),
    ],
)
def test_thresholds_out_of_bounds_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        nn.SparseLIF(M, N, homeostasis=RULE, **options)
    layer = nn.SparseLIF(M, N, homeostasis=RULE)
    for name, value in options.items():
        with pytest.raises(ValueError, match=f"^SparseLIF: ({BOUNDS}|{MOST})"):
            setattr(layer, name, value)
    assert torch.equal(layer.threshold, torch.ones(N))  # type: ignore[arg-type]


def test_a_gradient_threshold_above_all_thresholds_is_refused() -> None:
    with pytest.raises(ValueError, match=f"^SparseNeurons: {MOST}$"):
        nn.SparseNeurons(M, N, AdaptiveLIF(), homeostasis=RULE, grad_threshold=1.4)
    layer = nn.SparseNeurons(M, N, AdaptiveLIF(), homeostasis=RULE)
    with pytest.raises(ValueError, match=f"^SparseNeurons: {MOST}$"):
        layer.grad_threshold = 1.4
    unbounded = nn.SparseLIF(M, N, homeostasis=nn.Homeostasis())
    with pytest.raises(ValueError, match=r"expected a finite number of at most inf, .* got inf$"):
        unbounded.grad_threshold = math.inf
    with pytest.raises(ValueError, match=f"^SparseNeurons: {BOUNDS}1.2 to 1.3, got 1$"):
        nn.SparseNeurons(M, N, AdaptiveLIF(), homeostasis=RULE, grad_threshold=1.2)


def test_weights_of_one_threshold_leave_the_layer_s_own() -> None:
    net, plain = network("torch"), network("torch", None)
    train(net, 3)
    before = thresholds(net)
    net.load_state_dict(plain.state_dict())
    assert torch.equal(thresholds(net), before)
    assert torch.equal(net.stack[0].weight, plain.stack[0].weight)


def test_weights_of_thresholds_out_of_bounds_are_refused() -> None:
    net, other = network("torch"), network("torch", None, threshold=torch.full((N,), 1.5))
    with pytest.raises(ValueError, match=rf"^SparseLIF: layers\.0\.threshold: {BOUNDS}.*got 1\.5$"):
        net.load_state_dict(other.state_dict())


def test_a_layer_that_was_pickled_without_the_option() -> None:
    net, plain = network("torch", None), network("torch", None)
    vars(net.stack[0]).pop("homeostasis", None)
    again = pickle.loads(pickle.dumps(net))
    assert torch.equal(again(spikes(net)), plain(spikes(net)))
    again.load_state_dict(plain.state_dict())
    again.stack[0].homeostasis = RULE
    train(again, 2)
    assert not torch.equal(thresholds(again), torch.ones(N))


@pytest.mark.parametrize("alone", [False, True])
def test_a_repeated_pass_with_moved_thresholds_is_refused(alone: bool) -> None:
    net = network("torch")
    train(net, 3)
    module: Any = net.stack[0] if alone else net

    def checkpointed(index: int) -> Tensor:
        out: Any = checkpoint(module, spikes(net, index), use_reentrant=False)
        return (out.values if alone else out).square().mean()  # type: ignore[no-any-return]

    both = checkpointed(3) + checkpointed(4)
    name = type(module).__name__
    with pytest.raises(RuntimeError, match=f"^{name}: backward: expected thresholds of the forwar"):
        both.backward()
    checkpointed(5).backward()  # one sequence for each backward pass


@pytest.mark.skipif(not poptorch.is_emulated, reason="the message is the emulation's too")
def test_training_inside_of_poptorch_is_refused() -> None:
    net = network("torch")

    class Loss(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
            out = self.net(x)
            return out, poptorch.identity_loss(out.square().mean(), "sum")

    options = poptorch.Options()
    training = poptorch.trainingModel(Loss(), options, torch.optim.SGD(net.parameters(), lr=0.1))
    with pytest.raises(ValueError, match="SNN: homeostasis: expected None for training inside"):
        training(spikes(net))
