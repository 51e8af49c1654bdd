"""Layers with `max_activity="auto"` on every engine, and what keeps the capacity they reached."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from popsnn import nn, poptorch
from popsnn._internal.auto_capacity import LAG, WINDOW
from popsnn.neurons import AdaptiveLIF

M, N = 8, 64
CHANGES = "always:.*capacity .* training passes:UserWarning"


def network(engine: str, max_activity: Any = "auto", **options: Any) -> nn.SNN:
    torch.manual_seed(0)
    options = {"grad_threshold": 0.7, "recurrent": True, **options}
    hidden = nn.SparseLIF(M, N, max_activity=max_activity, **options)
    with torch.no_grad():
        hidden.weight.normal_(0.1, 0.35)
        if hidden.recurrent_weight is not None:
            hidden.recurrent_weight.mul_(0.1)
    return nn.SNN(hidden, nn.SparseLI(N, 3), backend=engine, seed=5)


def spikes(index: int, rate: float = 0.04) -> Tensor:
    generator = torch.Generator().manual_seed(index)
    return (torch.rand(5, 6, M, generator=generator, device="cpu") < rate).float()


def place(net: nn.SNN, x: Tensor) -> Tensor:
    return x.to(next(net.parameters()).device)


def trained(net: nn.SNN, passes: int, rate: float = 0.04, begin: int = 0) -> list[int]:
    """Train for so many passes, and return the capacity of each."""
    capacities = []
    for index in range(begin, begin + passes):
        net.zero_grad()
        net(place(net, spikes(index, rate))).square().mean().backward()
        capacities.append(int(net.stack[0].capacity))  # type: ignore[union-attr]
    return capacities


def test_every_engine_has_the_same_capacities(engine: str) -> None:
    net, reference = network(engine), network("torch").to("cpu")
    expected = trained(reference, WINDOW + LAG + 1)
    expected += trained(reference, 8, rate=0.9, begin=WINDOW + LAG + 1)
    got = trained(net, WINDOW + LAG + 1) + trained(net, 8, rate=0.9, begin=WINDOW + LAG + 1)
    assert got == expected
    assert set(got[: WINDOW + LAG - 1]) == {N}  # nothing is dropped at the beginning
    assert got[WINDOW + LAG] < N // 2
    assert got[-1] > got[WINDOW + LAG]  # grown by what came


@pytest.mark.filterwarnings(CHANGES)
def test_each_change_is_one_line(engine: str) -> None:
    net = network(engine)
    with pytest.warns(nn.CapacityChange) as first:
        trained(net, WINDOW + LAG)
    small = net.stack[0].capacity
    with pytest.warns(nn.CapacityChange) as second:
        trained(net, LAG + 1, rate=0.9, begin=99)
    (shrunk, grown) = (str(warning.message) for warning in (*first, *second))
    assert shrunk == (
        f"SNN: layer 0: capacity {N} -> {small} of {N} neurons after {WINDOW} training passes: "
        "recent active sets are smaller"
    )
    assert re.fullmatch(
        f"SNN: layer 0: capacity {small} -> {net.stack[0].capacity} of {N} neurons after "
        rf"{WINDOW + LAG + 1} training passes: it would have dropped \S+ % of recent spikes and "
        r"\S+ % of gradients",
        grown,
    )


def test_other_passes_change_nothing(engine: str) -> None:
    net = network(engine)
    trained(net, 1)
    before = net.state_dict()["layers.0.capacity_control"]
    net.eval()
    for index in range(2 * WINDOW):
        net(place(net, spikes(index)))
    net.train()
    with torch.no_grad():
        for index in range(2 * WINDOW):
            net(place(net, spikes(index)))
    assert net.stack[0].capacity == N
    assert torch.equal(net.state_dict()["layers.0.capacity_control"], before)


def test_drops_of_training_stay_within_the_bounds(engine: str) -> None:
    net = network(engine, max_drops=(0.01, 0.05))
    assert net.stack[0].max_drops == (0.01, 0.05)
    total = [0, 0, 0, 0]
    for index in range(4 * WINDOW):
        trained(net, 1, rate=0.04 + 0.002 * index, begin=index)
        stats = net.stats()[0]
        for i, name in enumerate(("spikes", "active", "dropped_spikes", "dropped_gradients")):
            total[i] += getattr(stats, name)
    assert total[2] <= 0.01 * (total[0] + total[2])
    assert total[3] <= 0.05 * (total[1] + total[3])
    assert net.stack[0].capacity < N


@pytest.mark.parametrize("way", ["state", "copy", "pickle", "pretrained"])
def test_the_capacity_goes_with_the_network(engine: str, way: str, tmp_path: Path) -> None:
    net = network(engine)
    trained(net, WINDOW + LAG)
    small = net.stack[0].capacity
    assert small < N
    if way == "state":
        other = network(engine)
        other.load_state_dict(net.state_dict())
    elif way == "copy":
        other = copy.deepcopy(net)
    elif way == "pickle":
        other = pickle.loads(pickle.dumps(net))
    else:
        net.save_pretrained(tmp_path)
        other = nn.SNN.from_pretrained(tmp_path, backend=engine).train()
    assert other.stack[0].capacity == small
    assert f"capacity={small} (auto)" in repr(other)
    assert trained(other, LAG + 1, 0.9) == trained(net, LAG + 1, 0.9)


def test_weights_without_a_capacity_leave_it_as_it_is() -> None:
    net, fixed = network("torch"), network("torch", 0.5)
    trained(net, WINDOW + LAG)
    small = net.stack[0].capacity
    fixed.load_state_dict(net.state_dict())  # which takes the weights alone
    assert fixed.stack[0].capacity == N // 2
    assert set(fixed.state_dict()) == set(net.state_dict()) - {"layers.0.capacity_control"}
    net.load_state_dict(fixed.state_dict())
    assert net.stack[0].capacity == small
    wide = network("torch").state_dict()
    wide["layers.0.capacity_control"] = torch.zeros(4, dtype=torch.int64)
    with pytest.raises(
        ValueError, match=r"^SparseLIF: layers.0.capacity_control: expected the \d+ numbers"
    ):
        net.load_state_dict(wide)


def test_a_layer_alone_follows_as_well() -> None:
    layer = nn.SparseNeurons(M, N, AdaptiveLIF(), max_activity="auto", grad_threshold=0.7)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for index in range(WINDOW + LAG):
            layer(spikes(index)).to_dense().sum().backward()
    assert layer.capacity < N
    assert str(caught[-1].message).startswith(f"SparseNeurons: capacity {N} -> {layer.capacity} of")
    layer.max_activity = 0.5
    assert (layer.capacity, layer.capacity_control) == (N // 2, None)
    layer.max_activity = "auto"
    assert layer.capacity == N


@pytest.mark.parametrize("reentrant", [False, True], ids=["without_reentry", "reentrant"])
def test_a_repeated_pass_has_the_capacity_that_it_had(engine: str, reentrant: bool) -> None:
    net = network(engine)
    trained(net, WINDOW + LAG)
    plain, small = copy.deepcopy(net), net.stack[0].capacity

    def step(net: nn.SNN, region: Callable[..., Tensor]) -> None:
        net.zero_grad()
        x = place(net, spikes(0, 0.9)).requires_grad_()
        first = region(net, x)
        for index in range(LAG + 2):  # grows before the pass is repeated
            net(place(net, spikes(index, 0.9)))
        assert net.stack[0].capacity > small
        first.square().sum().backward()

    step(plain, lambda net, x: net(x))
    step(net, lambda net, x: checkpoint(net, x, use_reentrant=reentrant))
    for got, expected in zip(net.parameters(), plain.parameters()):
        assert got.grad is not None
        assert expected.grad is not None
        torch.testing.assert_close(got.grad, expected.grad, rtol=1e-5, atol=1e-7)


def test_a_sequence_in_chunks_keeps_its_room() -> None:
    net = network("torch")
    state = net.initial_state(6)
    for index in range(2 * WINDOW):
        state = net(spikes(index), state.detach(), True)[1]
    assert net.stack[0].capacity == N
    trained(net, 1)
    assert net.stack[0].capacity < N


def test_a_neuron_that_no_capacity_suits_keeps_all(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "torch":
        pytest.skip("the reference has a capacity for every neuron")
    net = network(engine)
    unsupported = type(nn.engine.resolve(engine, net)).unsupported
    reason = "layer 0: max_activity: expected none"

    def refused(self: Any, of: nn.SNN) -> str | None:
        capped = of.stack[0].capacity < N  # type: ignore[union-attr]
        return reason if capped else unsupported(self, of)

    monkeypatch.setattr(type(nn.engine.resolve(engine, net)), "unsupported", refused)
    wanted = f"^SNN: layer 0: capacity stays all {N} neurons: {reason}$"
    with pytest.warns(nn.CapacityChange, match=wanted) as caught:
        capacities = trained(net, 3 * WINDOW)
    assert capacities == [N] * 3 * WINDOW
    assert len(caught) == 1


@pytest.mark.filterwarnings("always:.*max_activity is 'auto':UserWarning")
def test_without_a_gradient_threshold_there_is_a_warning() -> None:
    net = network("torch", grad_threshold=None)
    wanted = (
        "SNN: layer 0: grad_threshold: expected a number where max_activity is 'auto', got None"
    )
    with pytest.warns(UserWarning, match=wanted):
        trained(net, 1)
    assert trained(net, 2 * WINDOW) == [N] * 2 * WINDOW


@pytest.mark.skipif(not poptorch.is_emulated, reason="numbers are the emulation's")
def test_inside_of_poptorch_the_capacity_stays() -> None:
    net = network("torch")
    trained(net, WINDOW + LAG)
    small = net.stack[0].capacity
    model = poptorch.inferenceModel(copy.deepcopy(net).eval())
    with torch.no_grad():
        torch.testing.assert_close(model(spikes(0)), net.eval()(spikes(0)))

    class Loss(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = net.train()

        def forward(self, x: Tensor) -> Any:
            out = self.net(x)
            return out, poptorch.identity_loss(out.square().mean(), "sum")

    options = poptorch.Options()
    training = poptorch.trainingModel(Loss(), options, torch.optim.SGD(net.parameters(), lr=0.1))
    with pytest.warns(
        UserWarning,
        match=rf"^SNN: max_activity: expected a number inside of PopTorch, which keeps the present "
        rf"capacity \({small} neurons\), got 'auto'$",
    ):
        training(spikes(0))


def test_bounds_belong_to_an_automatic_capacity() -> None:
    with pytest.raises(
        ValueError, match=r"^SparseLIF: max_drops: expected None where max_activity is not 'auto', "
    ):
        nn.SparseLIF(M, N, max_activity=0.5, max_drops=(0.1, 0.1))
    layer = nn.SparseLIF(M, N, max_activity="auto")
    layer.max_drops = [0.0, 0.5]
    assert layer.capacity_control is not None
    assert layer.capacity_control.bounds == (0.0, 0.5)
    layer.max_activity = "auto"
    assert layer.capacity_control.bounds == (0.0, 0.5)
    with pytest.raises(
        ValueError, match=r"max_activity: expected a number in \(0, 1\], 'auto' or None, got 'all'$"
    ):
        layer.max_activity = "all"


@pytest.mark.parametrize("max_activity", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("recurrent", [False, True])
def test_no_spike_is_dropped_for_a_gradient_entry(
    engine: str, max_activity: float, recurrent: bool
) -> None:
    net = network(engine, max_activity, recurrent=recurrent, grad_threshold=-0.5)
    full = False
    for index in range(4):
        _, traces = net(place(net, spikes(index, 0.3)), trace=True)
        lists = traces[0].spikes
        fired, active = lists.counts.cpu().unbind(-1)
        lost_spikes, lost_entries = lists.dropped.cpu().unbind(-1)
        capacity = net.stack[0].capacity
        assert torch.equal(fired, (fired + lost_spikes).clamp_max(capacity))
        assert torch.equal(active, (active + lost_spikes + lost_entries).clamp_max(capacity))
        full = full or bool(((lost_entries > 0) & (lost_spikes == 0) & (fired > 0)).any())
    assert full  # steps in which spikes and entries compete
