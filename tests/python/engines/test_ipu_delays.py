"""Layers with delays on the ipu engine, against the torch engine in float64."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from typing import Any, Sequence
from unittest import mock

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.python.engines.agreement import SLOW, agrees
from tests.python.engines.networks import networks
from tests.python.extensions.adjoint_neurons import AttachedLIF

import popsnn
from popsnn import SpikeTensor
from popsnn.devices import Device
from popsnn.engines.ipu_engine import session_of
from popsnn.engines.ipu_executable import Executable
from popsnn.nn import LI, SNN, Delays, SparseLIF

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)

DELAYS = ("delay", "recurrent_delay")
KINDS = ["axonal", "dendritic", "synaptic"]


@st.composite
def delayed(draw: st.DrawFn, kinds: Sequence[str], **choices: Any) -> dict[str, Any]:
    """Draw a network, some of whose layers have delays that the engine has."""
    spec = draw(networks(delays=kinds, recurrent_delays=kinds, **choices))
    dense = list(spec["device"].dense)
    for index, options in enumerate(spec["layers"]):
        for delays in (options.get(option) for option in DELAYS):
            if not isinstance(delays, dict):
                continue
            dense[index] = "auto"
            if delays["kind"] != "dendritic":
                learn = delays["learn"] and draw(st.booleans())
                spread = "straight_through" if learn else "triangle"
                delays.update(learn=learn, spread=spread)
    spec["device"] = replace(spec["device"], dense=tuple(dense))
    return spec


@SLOW
@given(spec=delayed(["dendritic"], drops=True))
def test_dendritic(spec: dict[str, Any]) -> None:
    agrees(spec)


@SLOW
@given(spec=delayed(["axonal"], drops=True), ahead=st.sampled_from(["auto", True, False]))
def test_axonal(spec: dict[str, Any], ahead: bool | str) -> None:
    agrees({**spec, "device": replace(spec["device"], rows_ahead=ahead)})


@st.composite
def rows_ahead(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a network with delays whose products go to rows of later time steps."""
    spec = draw(networks(drops=True).filter(lambda drawn: len(drawn["layers"]) > 1))
    ahead = [draw(st.booleans()) for _ in spec["layers"][1:-1]]
    for options, late in zip(spec["layers"][1:], [*ahead, True]):
        if not late:
            continue
        longest = draw(st.integers(2, 9))
        delay = {"kind": "axonal", "maximum": longest, "minimum": draw(st.integers(0, 1))}
        options.update(delay={**delay, "learn": False, "spread": "triangle", "width": 1.0})
        options.update(
            weight_dtype=None, **({"recurrent": False} if "recurrent" in options else {})
        )
    device = replace(spec["device"], dense="auto", checkpoint_interval=0, rows_ahead=True)
    return {**spec, "device": device, "state": False, "split": 0}


@SLOW
@given(spec=rows_ahead())
def test_rows_ahead(spec: dict[str, Any]) -> None:
    made, init = [], Executable.__init__

    def kept(self: Executable, *arguments: Any) -> None:
        init(self, *arguments)
        made.append(self)

    with mock.patch.object(Executable, "__init__", kept):
        agrees(spec)
    assert all(executable.runner.rows_ahead[-1] for executable in made)


@SLOW
@given(spec=delayed(["synaptic"], drops=True))
def test_synaptic(spec: dict[str, Any]) -> None:
    agrees(spec)


@SLOW
@given(spec=delayed(KINDS, neurons=(AttachedLIF(),)))
def test_other_neurons(spec: dict[str, Any]) -> None:
    agrees(spec)


def assert_gradients(net: SNN, reference: SNN) -> None:
    """Compare all gradients with those of float64, none of which is 0 everywhere."""
    for (name, parameter), expected in zip(net.named_parameters(), reference.parameters()):
        assert expected.grad is not None, name
        assert parameter.grad is not None, name
        assert bool(expected.grad.any()), name
        difference = (parameter.grad.double() - expected.grad).abs().max()
        assert difference <= 1e-5 * expected.grad.abs().max(), name


def net_of(delay: int | Delays, backend: str = "ipu", **options: Any) -> SNN:
    torch.manual_seed(1)
    layers = SparseLIF(12, 30, max_activity=0.5, grad_threshold=0.3), LI(30, 4, delay=delay)
    return SNN(*layers, backend=backend, **options)


@pytest.mark.parametrize(
    ("delays", "got"),
    [
        (Delays("axonal", 3, learn=True), "axonal ones of spread 'triangle'"),
        (
            Delays("synaptic", 3, learn=True, spread="gaussian"),
            "synaptic ones of spread 'gaussian'",
        ),
    ],
)
def test_other_delays_are_refused(delays: Delays, got: str) -> None:
    sentence = (
        "layer 1: delay: expected dendritic delays, or others that are fixed or of spread "
        "'straight_through', got " + got
    )
    with pytest.raises(ValueError, match=re.escape(sentence)):
        net_of(delays)(torch.zeros(2, 1, 12))


@pytest.mark.parametrize("kind", KINDS)
def test_learnt_delays_are_whole_in_evaluation(kind: str) -> None:
    net = net_of(Delays(kind, 3, learn=True), backend="torch").eval()
    x = (torch.rand(9, 5, 12) < 0.5).float()
    with torch.no_grad():
        expected = net(x)
        assert bool(expected.any())
        net.backend = "ipu"
        torch.testing.assert_close(net(x), expected)


def test_training_of_axonal_delays_compiles_once() -> None:
    """Whatever the delays become: an executable is for all delays of the range."""
    net = net_of(Delays("axonal", 6, learn=True, spread="straight_through"))
    x = (torch.rand(9, 5, 12) < 0.5).float()
    executables = set()
    for delays in (torch.zeros(30), torch.full((30,), 6.0), torch.linspace(0, 6, 30)):
        net.stack[1].delay.steps.data = delays
        for training in (True, False):
            net.train(training)
            with torch.set_grad_enabled(training):
                net(x)
        executables.update(map(id, session_of(net).executables.values()))
    assert len(executables) == 2  # of training and of evaluation


def test_a_number_delays_all_spikes() -> None:
    x = (torch.rand(9, 5, 12) < 0.5).float()
    with torch.no_grad():
        late, undelayed = net_of(4)(x), net_of(0)(x)
    torch.testing.assert_close(late[4:] - _at_rest(4), undelayed[:5] - _at_rest(0))


def _at_rest(delay: int) -> torch.Tensor:
    """Return the readout's membrane of its bias alone, which no delay moves."""
    with torch.no_grad():
        silent = net_of(delay)(torch.zeros(9, 5, 12))
    return silent[delay:] if delay else silent[:5]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [4.0, 0.0, 1.5, 4000.0])
def test_delays_out_of_range_are_refused(kind: str, wrong: float) -> None:
    """They may come with a state, and a tile finds rows of its memory by them."""
    device = "host:rows_ahead=always"
    net = net_of(Delays(kind, 3, 2.0, minimum=1), device=device)
    net.stack[1].delay.steps.flatten()[1] = wrong
    sentence = f"ipu engine: layer 1: delay.steps: expected whole time steps in 1..3, got {wrong:g}"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(torch.zeros(2, 1, 12))


def test_an_optimizer_of_the_device_learns_no_delays() -> None:
    net = net_of(Delays("dendritic", 3, learn=True))
    optimizer = popsnn.optim.Adam(net, lr=0.1)
    sentence = (
        "ipu engine: parameters: expected fixed delays while the device updates the weights, got "
        "layers.1.delay.steps, which learns: use torch's optimizer"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(torch.zeros(2, 1, 12))
    del optimizer


@pytest.mark.parametrize("kind", KINDS)
def test_an_optimizer_of_the_device_trains_weights_behind_fixed_delays(kind: str) -> None:
    x, losses = (torch.rand(9, 5, 12) < 0.5).float(), {}
    for backend in ("ipu", "torch"):
        net = net_of(Delays(kind, 3, 2.0))
        net.backend = backend
        optimizer = (popsnn.optim if backend == "ipu" else torch.optim).SGD(
            net if backend == "ipu" else net.parameters(), lr=0.1
        )
        losses[backend] = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            optimizer.step()
            losses[backend].append(float(loss.detach()))
    assert losses["ipu"][-1] < losses["ipu"][0]
    assert losses["ipu"] == pytest.approx(losses["torch"], rel=1e-4)


def test_synaptic_delays_have_16_bits() -> None:
    sentence = "layer 1: delay: expected synaptic delays of at most 65535 steps, got 65536"
    with pytest.raises(ValueError, match=re.escape(sentence)):
        net_of(Delays("synaptic", 2**16, 2.0))


def test_dense_gradients_are_refused() -> None:
    net = net_of(Delays("dendritic", 3, 2.0), device="host:dense=always")
    sentence = 'plan: dense: layer 1: expected "auto" or False with delays, got True'
    with pytest.raises(ValueError, match=re.escape(sentence)):
        net(torch.zeros(2, 1, 12))


@pytest.mark.parametrize("rows_ahead", [False, True])
def test_all_neurons_may_arrive_at_once(rows_ahead: bool) -> None:
    """16 steps fire 4 neurons each, which arrive together: far more than a usual list has."""
    groups, each, steps = 16, 4, 22
    neurons = groups * each
    delays = torch.tensor([float(groups - n // each) for n in range(neurons)])
    x = torch.zeros(steps, 2, neurons)
    for group in range(groups):
        x[group, :, group * each : (group + 1) * each] = 1
    results = []
    for backend in ("torch", "ipu"):
        torch.manual_seed(0)
        first = SparseLIF(
            neurons, neurons, beta=0.0, max_activity=each / neurons, grad_threshold=0.9
        )
        with torch.no_grad():
            first.weight.copy_(2 * torch.eye(neurons))
        delay = Delays("axonal", groups, delays, minimum=1)
        net = SNN(
            first,
            LI(neurons, 20, delay=delay),
            backend=backend,
            device=f"host:rows_ahead={'always' if rows_ahead else 'never'}",
        )
        out = net(x)
        (out * torch.linspace(0, 1, out.numel()).reshape(out.shape)).sum().backward()
        results.append([out.detach(), *(p.grad for p in net.parameters() if p.grad is not None)])
    for reference, result in zip(*results):
        torch.testing.assert_close(result, reference, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("ids", "counts", "sentence"),
    [
        ([0, 100], [2, 2], r"ids in 0\.\.3, got 100"),
        ([0, -1], [2, 2], r"ids in 0\.\.3, got -1"),
        ([0, 1], [3, 2], r"counts 0 <= fired <= active <= 2, got \[3, 2\]"),
    ],
)
@pytest.mark.parametrize("learn", [False, True])
def test_lists_out_of_range_are_not_delayed(
    ids: list[int], counts: list[int], sentence: str, learn: bool
) -> None:
    """They are refused wherever they would arrive, after the last step too."""
    delay = Delays("axonal", 2, 2.0, learn=learn, spread="straight_through")
    net = SNN(SparseLIF(4, 3, delay=delay), backend="ipu")
    lists = torch.tensor([[ids]] * 3, dtype=torch.int32)
    x = popsnn.SpikeTensor(lists, torch.tensor([[counts]] * 3, dtype=torch.int32), 4, check=False)
    for wrong in (x, x[:1]):
        with pytest.raises(ValueError, match=f"^ipu engine: x: expected {sentence}$"):
            net(wrong)


@pytest.mark.parametrize("minimum", [0, 1])
@pytest.mark.parametrize("recurrent", [False, True])
@pytest.mark.parametrize("checkpoint_interval", [0, 3])
def test_rows_of_late_spikes_in_parts(
    minimum: int, recurrent: bool, checkpoint_interval: int
) -> None:
    """On many tiles: rows dL/ds lie in parts where one layer alone reads them late."""
    torch.manual_seed(3)
    device = Device(tiles=90, checkpoint_interval=checkpoint_interval, rows_ahead=False)
    drawn = torch.randint(minimum, 6, (2, 60)).float()
    options: dict[str, Any] = {"max_activity": 0.4, "grad_threshold": 0.3, "gain": 2.0}
    loops = {"recurrent": True, "recurrent_delay": Delays("axonal", 5, drawn[0].clamp(min=1))}
    layers: list[Any] = [
        SparseLIF(20, 60, **options),
        SparseLIF(60, 60, delay=Delays("axonal", 5, drawn[1], minimum=minimum), **options),
        SparseLIF(60, 60, **options, **(loops if recurrent else {})),
        LI(60, 4),
    ]
    net = SNN(*layers, backend="ipu", device=device)
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    x = (torch.rand(11, 4, 20) < 0.5).float()
    target = torch.rand(11, 4, 4).double()
    for model, inputs in ((net, x), (reference, x.double())):
        ((model(inputs).double() - target) ** 2).sum().backward()
    (executable,) = session_of(net).executables.values()
    lists = executable.runner.replicas[0].lists
    assert lists[0].row_tiles
    assert bool(lists[2].row_tiles) != recurrent
    assert_gradients(net, reference)


@pytest.mark.parametrize(
    ("tiles", "neurons", "batch", "shared", "checkpoint_interval", "steps", "bytes_per_tile"),
    [
        *((90, 20, 2, False, interval, 20, 0) for interval in (0, 3)),
        *((40, 44, 12, True, interval, 20, 0) for interval in (0, 3)),
        (90, 20, 2, False, 0, 60, 69_000),
    ],
)
def test_remote_partials_of_late_spikes(
    tiles: int,
    neurons: int,
    batch: int,
    shared: bool,
    checkpoint_interval: int,
    steps: int,
    bytes_per_tile: int,
) -> None:
    """Usual lists of arrivals have their partial sums elsewhere, or a part of them (`shared`).

    Tiles of few bytes have no room for copies of weights and for lists.
    """
    groups, each = 8, 12
    inputs = groups * each
    torch.manual_seed(3)
    first = SparseLIF(inputs, inputs, beta=0.0, max_activity=each / inputs, grad_threshold=0.9)
    with torch.no_grad():
        first.weight.copy_(2 * torch.eye(inputs) + 0.02 * torch.randn(inputs, inputs))
    # Of the first steps all spikes arrive in step `groups`, a whole list; later lists are usual.
    delays = torch.tensor([float(groups - n // each) for n in range(inputs)])
    x = (torch.rand(steps, batch, inputs) < 0.03).float()
    x[:groups] = torch.eye(groups).repeat_interleave(each, 1)[:, None]
    second = SparseLIF(
        inputs,
        neurons,
        delay=Delays("axonal", groups, delays, minimum=1),
        max_activity=0.4,
        grad_threshold=0.3,
        gain=3.0,
    )
    device = Device(
        tiles=tiles,
        bytes_per_tile=bytes_per_tile,
        checkpoint_interval=checkpoint_interval,
        rows_ahead=False,
    )
    net = SNN(first, second, LI(neurons, 4), backend="ipu", device=device)
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    target, outs = torch.rand(steps, batch, 4).double(), []
    for model, values in ((net, x), (reference, x.double())):
        out, traces = model(values, trace=True)
        outs.append(out.detach().double())
        ((out.double() - target) ** 2).sum().backward()
        fired = traces[0].spikes.counts[..., 0]
        assert bool((fired[:groups] == each).all())
        assert 0 < int(fired[groups:].sum()) < each * batch * (steps - groups) / 2
    (executable,) = session_of(net).executables.values()
    replica = executable.runner.replicas[0]
    layer = replica.layers[1]
    assert len(layer.partial_tiles) == layer.tiles
    tiles_of_lists = [tile for list_ in replica.lists for tile, _ in list_.ranges]
    assert (min(tiles_of_lists) >= layer.first_tile) == (bytes_per_tile > 0)
    assert (layer.own_entries > 0) == shared
    assert (outs[0] - outs[1]).abs().max() <= 1e-5 * outs[1].abs().max()
    assert_gradients(net, reference)


@pytest.mark.parametrize(("checkpoint_interval", "bytes_per_tile"), [(0, 124_000), (30, 118_000)])
def test_parts_of_rows_lie_on_tiles_of_copies(
    checkpoint_interval: int, bytes_per_tile: int
) -> None:
    """Tiles that copies of weights fill have parts of rows dL/ds, and no lists."""
    torch.manual_seed(3)
    neurons, steps, batch = 300, 60, 6
    drawn = torch.randint(1, 17, (neurons,)).float()
    options: dict[str, Any] = {"grad_threshold": 0.3, "gain": 4.0}
    net = SNN(
        SparseLIF(400, neurons, max_activity=20 / neurons, **options),
        SparseLIF(
            neurons,
            neurons,
            delay=Delays("axonal", 16, drawn, minimum=1),
            max_activity=10 / neurons,
            **options,
        ),
        LI(neurons, 4, delay=1),
        backend="ipu",
        device=Device(
            tiles=80,
            replicas=1,
            checkpoint_interval=checkpoint_interval,
            bytes_per_tile=bytes_per_tile,
            rows_ahead=False,
        ),
    )
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    dense = torch.zeros(steps, batch, 400)
    dense.scatter_(2, torch.rand(steps, batch, 400).argsort(2)[:, :, :4], 1.0)
    x = SpikeTensor.from_dense(dense, capacity=4)
    target, outs = torch.rand(steps, batch, 4).double(), []
    for model in (net, reference):
        outs.append(model(x).double())
        ((outs[-1] - target) ** 2).sum().backward()
    (executable,) = session_of(net).executables.values()
    (replica,) = executable.runner.replicas
    second = replica.layers[1].first_tile
    assert min(tile for lists in replica.lists for tile, _ in lists.ranges) >= second
    assert min(tile for tiles in replica.lists[0].row_tiles for tile in tiles) < second
    assert (outs[0] - outs[1]).abs().max() <= 1e-5 * outs[1].abs().max()
    assert_gradients(net, reference)


@pytest.mark.parametrize("minimum", [0, 1])
@pytest.mark.parametrize("rows_ahead", [False, True])
@pytest.mark.parametrize(
    ("tiles", "replicas", "recurrent"),
    [(24, 2, False), (24, 2, True), (12, 4, False), (12, 1, True), (40, 2, False)],
)
def test_late_spikes_of_several_ipus(
    tiles: int, replicas: int, recurrent: bool, minimum: int, rows_ahead: bool
) -> None:
    """The second layer, whose input arrives late, has its neurons on another IPU."""
    first = SparseLIF(16, 64, recurrent=recurrent, max_activity=0.3, grad_threshold=0.3, gain=2.0)
    steps = torch.randint(minimum, 4, (64,)).float()
    late = Delays("axonal", 3, steps, minimum=minimum)
    second = SparseLIF(64, 64, delay=late, max_activity=0.3, grad_threshold=0.3, gain=3.0)
    device = Device(tiles=tiles, ipus=2, replicas=replicas, rows_ahead=rows_ahead)
    net = SNN(first, second, LI(64, 4), backend="ipu", device=device)
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    x = (torch.rand(6, 4, 16) < 0.4).float()
    outs = []
    for model, values in ((net, x), (reference, x.double())):
        outs.append(model(values).double())
        outs[-1].square().sum().backward()
    assert (outs[0] - outs[1]).abs().max() <= 1e-5 * outs[1].abs().max()
    assert_gradients(net, reference)
