"""Tensors made on the CPU stay there, whatever torch's default device is.

That device is "meta" here, which has no values: whatever strays there raises, or is not equal.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from popsnn import SpikeTensor, data, events, functional, nn, optim
from popsnn.cuda.optim.adam import Adam
from popsnn.profiling import models, presets
from popsnn.training import Config, Recipe, Training, build
from popsnn.training.step import TrainStep

CPU = torch.device("cpu")


def drawn(*shape: int) -> Tensor:
    return torch.rand(*shape, device="cpu", generator=torch.Generator().manual_seed(1))


def fired(*shape: int) -> Tensor:
    return (drawn(*shape) < 0.3).float()


def network(engine: str, **options: Any) -> nn.SNN:
    """Return a network on the CPU that drops spikes."""
    with CPU, torch.random.fork_rng(devices=[]):
        torch.manual_seed(2)
        hidden = nn.SparseLIF(12, 16, max_activity=0.2, grad_threshold=0.5, gain=3.0, **options)
        return nn.SNN(hidden, nn.LI(16, 5, delay=1), backend=engine)


def a_network(engine: str, folder: Path) -> Any:
    net = network(engine, recurrent=True, learn_beta=True, delay=1)
    x = fired(6, 3, 12).requires_grad_()
    first, state, trace = net(x[:3], return_state=True, trace=True)
    second, end = net(x[3:], state, return_state=True)
    ends = [layer.v for layer in end.layers]
    outs = (first.square(), second, trace[0].spikes.rate(), ends[0])
    sum(out.sum() for out in outs).backward()
    gradients = [parameter.grad for parameter in (x, *net.parameters())]
    dropped = [net.dropped(), nn.SNN(*net.stack[1:], backend=engine).dropped()]
    return [first, second, *ends, *gradients, *dropped, *net.state_dict().values()]


def a_training_step(engine: str, folder: Path) -> Any:
    net = network(engine)
    options = {"lr": 0.1, "momentum": 0.9}
    on_host = engine == "torch"
    optimizer: Any = (
        torch.optim.SGD(net.parameters(), **options) if on_host else optim.SGD(net, **options)
    )
    recipe = Recipe(activity_weight=0.0 if engine == "ipu" else 1.0, activity_target=0.01)
    step = TrainStep(net, net, optimizer, recipe)
    labels = torch.arange(8, device="cpu") % 5
    results = []
    for _ in range(2):
        result = step.forward(SpikeTensor.from_dense(fired(4, 8, 12), 3), labels)
        step.update(result.loss)
        results += [result.loss, result.right]
    optimizer.load_state_dict(optimizer.state_dict())
    states = [tensor["momentum_buffer"] for tensor in optimizer.state_dict()["state"].values()]
    return [*results, *states, *net.state_dict().values()]


def an_optimizer_of_a_device(engine: str, folder: Path) -> Any:
    net = network(engine)
    optimizer = optim.AdamW(net) if engine == "ipu" else Adam(net.parameters())
    states = {
        index: {"step": 3.0, "exp_avg": fired(*p.shape), "exp_avg_sq": fired(*p.shape)}
        for index, p in enumerate(net.parameters())
    }
    optimizer.load_state_dict({**optimizer.state_dict(), "state": states})
    saved = optimizer.state_dict()["state"]
    return [value for state in saved.values() for value in state.values()]


def a_run(engine: str, folder: Path) -> Any:
    train, test = data.randman(classes=5, samples=10, size=12, steps=4)
    net = network(engine)
    optimizer: Any = (
        torch.optim.SGD(net.parameters(), 0.1) if engine == "torch" else optim.Adam(net, lr=0.1)
    )
    recipe = Recipe(epochs=1, batch_size=10, pictures=False, seed=1)
    training = Training(net, optimizer, train, test, folder, recipe)
    training.start_over(True)
    training.run(lambda _: None, progress=False)
    training.resume()
    return list(net.state_dict().values())


def neurons(folder: Path) -> Any:
    x = (8 * drawn(6, 3, 4) - 2).requires_grad_()
    weight = drawn(4, 4)
    beta = torch.tensor([0.9, 0.8, 0.7, 0.6], device="cpu").requires_grad_()
    outs = [
        functional.lif(x, beta=beta).spikes,
        functional.adaptive_lif(x, beta=beta).spikes,
        functional.synaptic_lif(x, beta=beta).spikes,
        functional.li(x, beta=beta).membrane,
        functional.recurrent_lif(x, weight, beta=beta).spikes,
        functional.batch_norm_lif(x, beta=beta.detach()).spikes,
    ]
    score = functional.readout_loss(x, torch.arange(3, device="cpu"))
    (sum(out.sum() for out in outs) + score.loss).backward()
    packed = functional.pack_bits(fired(5, 3, 4))
    return [
        *outs,
        *score,
        x.grad,
        beta.grad,
        packed,
        functional.unpack_bits(packed, (3, 4), x.dtype),
    ]


def layers_of_neurons(folder: Path) -> Any:
    with CPU:
        decay = torch.tensor([0.9, 0.8, 0.7, 0.6])
        net = torch.nn.Sequential(nn.LIF(decay), nn.BatchNorm(4), nn.AdaptiveLIF(learn_beta=True))
    learnt = nn.LIF(decay, learn_beta=True)
    x = 3 * drawn(5, 2, 4)
    return [net(x), learnt(x), *learnt.parameters()]


def lists(folder: Path) -> Any:
    dense = fired(5, 4, 9)
    spikes = SpikeTensor.from_dense(dense, 2)
    columns = tuple(torch.nonzero(dense, as_tuple=True))
    active = SpikeTensor.from_events(columns, (5, 4, 9), 2)
    chosen = spikes.select_batch([2, 0])
    lists = data.SpikeLists.from_spikes(spikes).batch(np.arange(4), 1)
    every = [
        tensor
        for of in (spikes, active, chosen, lists)
        for tensor in (of.ids, of.counts, of.dropped, of.values)
    ]
    return [*every, spikes.to_dense(), spikes.rate(), *map(torch.from_numpy, spikes.to_numpy())]


def lists_without_the_native_part(folder: Path) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(events, "_native", lambda: None)
        return lists(folder)


def batches(workers: int, folder: Path) -> Any:
    labels = torch.arange(12, device="cpu") % 3
    spikes = SpikeTensor.from_dense(fired(5, 12, 9))
    whole = data.SpikeDataset(spikes, labels, 3, capacity=2, augment=data.Augment(drop=0.3))
    part = whole.subset(torch.arange(1, 11, device="cpu"))
    made = part.batches(4, shuffle=True, generator=torch.Generator(), workers=workers)
    return [tensor for x, y in made for tensor in (x.ids, x.counts, y)]


def compacted(workers: int, folder: Path) -> Any:
    kinds = [("t", np.int64), ("x", np.int32), ("y", np.int32), ("p", np.int32)]
    drawn = random.Random(0)
    recordings = [
        (np.array([(t, drawn.randrange(4), 0, 0) for t in range(9)], kinds), number % 2)
        for number in range(70)
    ]
    result = data.compact(
        recordings, sensor_size=(4, 1, 1), classes=2, steps=3, name="few", workers=workers
    )
    return [result.spikes.ids, result.spikes.counts, result.labels]


def sets(folder: Path) -> Any:
    pairs = [data.digits(4, encoding) for encoding in ("latency", "rate")]
    pairs.append(data.randman(classes=2, samples=4, size=5, steps=6))
    return [label for pair in pairs for part in pair for label in (part.spikes.ids, part.labels)]


def networks_of_the_command_line(folder: Path) -> Any:
    net = build.network(Config(hidden=(8,), backend="torch"), 12, 4)
    preset = next(iter(presets.PRESETS.values()))
    natural = models.network(preset, 0.01, "natural")
    arrays = [*models.weights(natural), *models.neurons(natural)]
    return [*net.state_dict().values(), *map(torch.from_numpy, arrays)]


WAYS: list[Callable[..., Any]] = [
    neurons,
    layers_of_neurons,
    lists,
    lists_without_the_native_part,
    sets,
    networks_of_the_command_line,
]
ON_ENGINES = [a_network, a_training_step, an_optimizer_of_a_device, a_run]
IN_WORKERS = [batches, compacted]


def check(way: Callable[..., Any], *arguments: Any) -> None:
    expected = way(*arguments)
    with torch.device("meta"):
        result = way(*arguments)
    assert len(result) == len(expected) > 0
    for tensor, other in zip(result, expected):
        assert tensor.device == CPU
        assert torch.equal(tensor, other)


@pytest.mark.parametrize("way", WAYS)
def test_a_default_device_changes_nothing_on_the_cpu(way: Any, tmp_path: Path) -> None:
    check(way, tmp_path)


@pytest.mark.parametrize("engine", ["torch", "ipu"])
@pytest.mark.parametrize("way", ON_ENGINES)
def test_a_default_device_changes_no_engine(way: Any, engine: str, tmp_path: Path) -> None:
    check(way, engine, tmp_path)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("way", IN_WORKERS)
def test_a_default_device_changes_no_workers(way: Any, workers: int, tmp_path: Path) -> None:
    check(way, workers, tmp_path)


def test_new_modules_are_on_the_default_device() -> None:
    with torch.device("meta"):
        net = nn.SNN(nn.SparseLIF(3, 4, recurrent=True, learn_beta=True), nn.LI(4, 2))
        of_a_tensor = nn.LIF(torch.tensor([0.9], device="cpu"), learn_beta=True)
    assert {tensor.device.type for tensor in net.state_dict().values()} == {"meta"}
    assert {parameter.device.type for parameter in of_a_tensor.parameters()} == {"cpu"}
