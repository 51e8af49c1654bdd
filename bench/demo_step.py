"""The demo's training step, forward, loss, backward and Adam, next to the same network in torch.

The network has the activity of a few epochs of training. In the same run every subject's output,
and its gradients where they come to the host, are compared with the reference in float64. The
dense networks have no capacity; where lists drop entries the two do not compute the same, and the
row says how many were dropped.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import partial
from typing import Callable, Union

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

import popsnn
from bench import rows
from bench.networks.dense_twin import DenseTwin
from popsnn import training
from popsnn.nn import SNN, SparseLIF
from popsnn.optim import Adam as DeviceAdam

HIDDEN, STEPS, BATCH, EPOCHS = 256, 8, 60, 3
RUNS = 200
TOLERANCE = 1e-4
STEP_BY_STEP = "torch-step-by-step"

Network = Union[SNN, DenseTwin]
Spikes = Union[popsnn.SpikeTensor, Tensor]


def train_step(net: Network, x: Spikes, labels: Tensor, optimizer: torch.optim.Optimizer) -> Tensor:
    optimizer.zero_grad()
    out = net(x)
    assert isinstance(out, Tensor)
    torch.autograd.backward(cross_entropy(out.mean(0), labels))
    optimizer.step()
    return out


def train_a_little(net: SNN, train: popsnn.data.SpikeDataset) -> None:
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(EPOCHS):
        for spikes, labels in train.batches(BATCH, shuffle=True, drop_last=True):
            train_step(net, spikes, labels, optimizer)


def without_capacity(net: SNN) -> SNN:
    """Return a copy of the network on the torch engine, with lists that hold every neuron."""
    net = copy.deepcopy(net)
    net.backend = "torch"
    for layer in net.stack:
        if isinstance(layer, SparseLIF):
            layer.max_activity = None
    return net


def definition(net: SNN, state: dict[str, Tensor], x: Tensor, labels: Tensor) -> list[Tensor]:
    """Return output and gradients of a network on the torch engine, in float64."""
    net = net.double()
    net.load_state_dict(state)
    spikes = popsnn.SpikeTensor.from_dense(x.double())
    out = train_step(net, spikes, labels, torch.optim.SGD(net.parameters(), lr=0.0))
    return [out.detach(), *(p.grad for p in net.parameters() if p.grad is not None)]


def relative_error(got: list[Tensor], expected: list[Tensor]) -> float:
    """Return the largest deviation of a tensor relative to its largest element, over `got`."""
    return max(float((a.double() - b).abs().max() / b.abs().max()) for a, b in zip(got, expected))


@dataclass
class Subject:
    """The measured subject: a network and its optimizer, the form of its input, torch's threads.

    The learning rate is zero, which does all of the work and keeps the network where it is.
    """

    name: str
    make: Callable[[], tuple[Network, torch.optim.Optimizer]]
    x: Spikes
    expected: list[Tensor]
    threads: int


def network(backend: str) -> SNN:
    """Return the digits preset's network."""
    config = training.merged("digits", None, {"hidden": [HIDDEN], "backend": backend})
    return training.network(config, 64, 10)


def on_ipu(state: dict[str, Tensor], device_update: bool) -> tuple[SNN, torch.optim.Optimizer]:
    net = network("ipu")
    net.load_state_dict(state)
    if device_update:
        return net, DeviceAdam(net, lr=0.0)
    return net, torch.optim.Adam(net.parameters(), lr=0.0)


def in_torch(net: SNN, by_layer: bool) -> tuple[DenseTwin, torch.optim.Optimizer]:
    twin = DenseTwin(net, by_layer)
    return twin, torch.optim.Adam(twin.parameters(), lr=0.0)


def prepare(subject: Subject, labels: Tensor) -> tuple[Callable[[], object], float]:
    """Make the subject and check a first step; return its step and the relative error."""
    net, optimizer = subject.make()
    out = train_step(net, subject.x, labels, optimizer)
    got = [out.detach(), *(p.grad for p in net.parameters() if p.grad is not None)]
    error = relative_error(got, subject.expected)
    if not error < TOLERANCE:
        raise RuntimeError(
            f"{subject.name}: relative error: expected below {TOLERANCE}, got {error:.1e}"
        )

    def step() -> None:
        torch.set_num_threads(subject.threads)
        train_step(net, subject.x, labels, optimizer)

    return step, error


def run() -> list[rows.Row]:
    torch.manual_seed(0)
    train, test = popsnn.data.digits(steps=STEPS)
    trained = network("ipu")
    train_a_little(trained, train)
    state = trained.state_dict()
    x, labels = next(test.batches(BATCH))
    dense = x.to_dense()
    capped = definition(network("torch"), state, dense, labels)
    uncapped = definition(without_capacity(trained), state, dense, labels)

    subjects = []
    for threads in sorted({1, rows.cores()}):
        for name, device_update in (("popsnn-ipu", False), ("popsnn-ipu-device-adam", True)):
            make = partial(on_ipu, state, device_update)
            subjects.append(Subject(f"{name}-{threads}t", make, x, capped, threads))
        for name, by_layer in ((STEP_BY_STEP, False), ("torch-layer-by-layer", True)):
            make_twin = partial(in_torch, trained, by_layer)
            subjects.append(Subject(f"{name}-{threads}t", make_twin, dense, uncapped, threads))
    prepared = {subject.name: prepare(subject, labels) for subject in subjects}
    seconds = rows.time_in_turn({name: step for name, (step, _) in prepared.items()}, RUNS)

    trained(x)
    (stats,) = trained.stats()
    case = {
        "network": f"64-{HIDDEN}-10",
        "steps": STEPS,
        "batch": BATCH,
        "hidden_activity": round(stats.activity, 4),
        "listed_share": round(stats.active / (HIDDEN * STEPS * BATCH), 4),
        "dropped_spikes": stats.dropped_spikes,
        "dropped_gradients": stats.dropped_gradients,
    }
    print("  " + ", ".join(f"{key} {value}" for key, value in case.items()))
    measured = [
        rows.Row(
            suite="demo_step",
            case=case,
            subject=name,
            dtype="float32",
            metric="train_step_ms",
            max_rel_error=error,
            **rows.spread(seconds[name], 1e3),
        )
        for name, (_, error) in prepared.items()
    ]
    baseline = min(row.median for row in measured if row.subject.startswith(STEP_BY_STEP))
    print(f"  {'subject':<26}{'median ms':>10}{'min':>8}{'max':>8}{'speed-up':>10}{'error':>10}")
    for row in measured:
        print(
            f"  {row.subject:<26}{row.median:>10.2f}{row.min:>8.2f}{row.max:>8.2f}"
            f"{baseline / row.median:>9.2f}x{row.max_rel_error:>10.1e}"
        )
    print(f"  speed-up: over the faster {STEP_BY_STEP}; 1t, 2t...: torch's own threads")
    return measured
