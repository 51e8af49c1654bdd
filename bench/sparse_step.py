"""A training step of the published N-MNIST network, forward, backward, Adam, next to dense torch.

The network (2312, 1466, 1466, 10; T=100, B=48, 32 input spikes a step) has weights drawn at random
and scaled, layer by layer, until the hidden lists are `FULL` full on average; the rows tell what
they really hold. On the ipu engine's host device weights, gradients and Adam's state stay on the
tiles. Torch has the same layers as dense matrix products over all steps at once, and a loop over
the steps for what is left, the neurons. At 5 % a step is also run on an emulated Bow.

In the same run a short sequence's output and gradients are compared with the reference in float64
(the dense network with one whose lists hold everybody), and the Bow's output with the host's.
"""

from __future__ import annotations

import copy
from functools import partial
from typing import Callable

import torch
from torch import Tensor
from torch.nn.functional import linear

from bench import rows
from bench.demo_step import (
    Network,
    Spikes,
    definition,
    relative_error,
    train_step,
    without_capacity,
)
from bench.networks.dense_twin import DenseTwin
from popsnn import SpikeTensor
from popsnn.nn import LI, SNN, SparseLIF
from popsnn.optim import Adam as DeviceAdam
from popsnn.profiling.presets import PRESETS

PRESET = PRESETS["nmnist-h2"]
BETA, GRAD_THRESHOLD = 0.95, 0.9
FULL = 0.8  # fraction of the hidden lists' capacity that is taken
SCALED_ON = 8  # samples that the weights are scaled on
BARS = {0.05: 0.5, 0.01: 0.25}  # by largest activity: of dense torch's time
BOW_ACTIVITY, BOW_SECONDS = 0.05, 10.0
RUNS, BOW_RUNS = 10, 3
CHECKED_STEPS, CHECKED_SAMPLES, TOLERANCE = 40, 2, 1e-5
IPU, DENSE = "popsnn-ipu", "torch-dense"


def input_lists(generator: torch.Generator) -> SpikeTensor:
    """Return full lists: 32 inputs a step and sample, drawn without a second of any."""
    lists = PRESET.steps * PRESET.batch
    chosen = (
        torch.rand(lists, PRESET.inputs, generator=generator).topk(PRESET.input_capacity).indices
    )
    dense = torch.zeros(lists, PRESET.inputs).scatter_(1, chosen, 1.0)
    return SpikeTensor.from_dense(
        dense.reshape(PRESET.steps, PRESET.batch, PRESET.inputs), capacity=PRESET.input_capacity
    )


def network(max_activity: float, x: Tensor, generator: torch.Generator) -> SNN:
    """Return the network on the torch engine; on x [T, B, N] its hidden lists are `FULL` full."""
    sizes, capacities = PRESET.sizes, PRESET.capacities(max_activity)
    layers: list[SparseLIF | LI] = []
    for size, next_size, capacity in zip(sizes, sizes[1:-1], capacities):
        layer = SparseLIF(
            size,
            next_size,
            delay=1,
            max_activity=(capacity - 0.5) / next_size,  # rounds up
            grad_threshold=GRAD_THRESHOLD,
            beta=BETA,
        )
        with torch.no_grad():
            assert layer.bias is not None
            layer.bias.zero_()
            layer.weight.normal_(generator=generator)
            scale, x = scaled_to_fill(layer, x)
            layer.weight.mul_(scale)
        layers.append(layer)
    layers.append(LI(sizes[-2], sizes[-1], delay=1, beta=BETA))
    return SNN(*layers, backend="torch")


def scaled_to_fill(layer: SparseLIF, x: Tensor) -> tuple[float, Tensor]:
    """Return the weights' scale at which lists are `FULL` full on x [T, B, N], and the spikes."""
    current = linear(torch.cat([torch.zeros_like(x[:1]), x[:-1]]), layer.weight)
    low, high = 0.0, 1.0
    for _ in range(12):
        scale = (low + high) / 2
        active, spikes = _fire(current * scale)
        low, high = (low, scale) if active > FULL * layer.capacity else (scale, high)
    return scale, spikes


def _fire(current: Tensor) -> tuple[float, Tensor]:
    """Return a list's mean length, and the spikes [T, B, N], of neurons with these currents."""
    v, spikes, active = torch.zeros_like(current[0]), [], 0
    for now in current:
        v = v * BETA + now
        fired = v >= 1.0
        active += int((v >= GRAD_THRESHOLD).sum())
        v = v.masked_fill(fired, 0.0)
        spikes.append(fired.float())
    return active / (len(current) * len(v)), torch.stack(spikes)


def on_ipu(net: SNN, device: str) -> tuple[SNN, DeviceAdam]:
    """Return a copy on the ipu engine, trained on the device; the rate 0 keeps it where it is."""
    net = SNN(*copy.deepcopy(net.stack), backend="ipu", device=device)
    return net, DeviceAdam(net, lr=0.0)


def check(name: str, error: float) -> float:
    """Return the relative error; raise where it is too large."""
    if not error < TOLERANCE:
        raise RuntimeError(f"{name}: relative error: expected below {TOLERANCE}, got {error:.1e}")
    return error


def error_of(name: str, net: Network, x: Spikes, labels: Tensor, expected: list[Tensor]) -> float:
    """Return the relative error of output and gradients."""
    out = train_step(net, x, labels, torch.optim.SGD(net.parameters(), lr=0.0))
    got = [out.detach(), *(p.grad for p in net.parameters() if p.grad is not None)]
    return check(name, relative_error(got, expected))


def step_errors(net: SNN, dense: Tensor, labels: Tensor) -> dict[str, float]:
    """Return the relative errors of both variants on a short sequence, in which nothing changes."""
    short = dense[:CHECKED_STEPS, :CHECKED_SAMPLES]
    spikes = SpikeTensor.from_dense(short, capacity=PRESET.input_capacity)
    labels, state = labels[:CHECKED_SAMPLES], net.state_dict()
    capped = definition(copy.deepcopy(net), state, short, labels)
    uncapped = definition(without_capacity(net), state, short, labels)
    on_host = SNN(*copy.deepcopy(net.stack), backend="ipu")
    return {
        IPU: error_of(IPU, on_host, spikes, labels, capped),
        DENSE: error_of(DENSE, DenseTwin(net, by_layer=True), short, labels, uncapped),
    }


def subjects(
    net: SNN, x: SpikeTensor, dense: Tensor, labels: Tensor
) -> dict[str, Callable[[], object]]:
    """Return a training step of each subject, by name, at one thread of torch's and at all."""
    sparse, device_adam = on_ipu(net, "host")
    twin = DenseTwin(net, by_layer=True)
    steps: dict[str, Callable[[], object]] = {}
    for threads in sorted({1, rows.cores()}):
        steps[f"{IPU}-{threads}t"] = partial(_step_with, threads, sparse, x, labels, device_adam)
        for variant in ("foreach", "fused"):
            adam = torch.optim.Adam(
                twin.parameters(), lr=0.0, foreach=variant == "foreach", fused=variant == "fused"
            )
            steps[f"{DENSE}-{variant}-adam-{threads}t"] = partial(
                _step_with, threads, twin, dense, labels, adam
            )
    return steps


def _step_with(
    threads: int, net: Network, x: Spikes, labels: Tensor, optimizer: torch.optim.Optimizer
) -> Tensor:
    torch.set_num_threads(threads)
    return train_step(net, x, labels, optimizer)


def case_of(max_activity: float, device: str, net: SNN, x: SpikeTensor) -> dict[str, object]:
    """Return the sizes, and what the lists held in the network's last pass."""
    case: dict[str, object] = {
        "network": "-".join(map(str, PRESET.sizes)),
        "steps": PRESET.steps,
        "batch": PRESET.batch,
        "input_spikes": x.capacity,
        "max_activity": max_activity,
        "device": device,
    }
    lists = PRESET.steps * PRESET.batch
    for index, (stats, capacity) in enumerate(
        zip(net.stats(), PRESET.capacities(max_activity)), start=1
    ):
        case[f"hidden{index}_activity"] = round(stats.activity, 4)
        case[f"hidden{index}_full"] = round(stats.active / (capacity * lists), 3)
        dropped = stats.dropped_spikes + stats.dropped_gradients
        case[f"hidden{index}_dropped"] = round(dropped / (stats.active + dropped), 4)
    return case


def on_host(max_activity: float) -> tuple[list[rows.Row], SNN, SpikeTensor, Tensor]:
    """Measure the host device next to dense torch; return the rows, the network and its work."""
    generator = torch.Generator().manual_seed(0)
    x = input_lists(generator)
    dense = x.to_dense()
    labels = torch.randint(PRESET.classes, (PRESET.batch,), generator=generator)
    net = network(max_activity, dense[:, :SCALED_ON], generator)
    error = step_errors(net, dense, labels)
    seconds = rows.time_in_turn(subjects(net, x, dense, labels), RUNS, warmup=1)
    observer, _ = on_ipu(net, "host")
    observer(x)
    case = case_of(max_activity, "host", observer, x)
    measured = [
        rows.Row(
            suite="sparse_step",
            case=case,
            subject=name,
            dtype="float32",
            metric="train_step_ms",
            max_rel_error=error[IPU if name.startswith(IPU) else DENSE],
            **rows.spread(samples, 1e3),
        )
        for name, samples in seconds.items()
    ]
    show(case, measured)
    fastest = {
        variant: min(row.median for row in measured if row.subject.startswith(variant))
        for variant in (IPU, DENSE)
    }
    print(
        f"  {IPU} takes {fastest[IPU] / fastest[DENSE]:.3f} of the time of the fastest {DENSE} "
        f"(bar: {BARS[max_activity]})"
    )
    return measured, net, x, labels


def on_bow(net: SNN, x: SpikeTensor, labels: Tensor) -> rows.Row:
    """Measure a step on an emulated Bow of 1,472 tiles."""
    host, _ = on_ipu(net, "host")
    bow, adam = on_ipu(net, "bow")
    out = train_step(bow, x, labels, adam)
    expected = host(x)
    assert isinstance(expected, Tensor)
    error = check("bow", relative_error([out.detach()], [expected.detach()]))
    case = case_of(BOW_ACTIVITY, "bow", bow, x)
    step = partial(_step_with, rows.cores(), bow, x, labels, adam)
    row = rows.Row(
        suite="sparse_step",
        case=case,
        subject=f"{IPU}-{rows.cores()}t",
        dtype="float32",
        metric="train_step_ms",
        max_rel_error=error,
        **rows.spread(rows.time_in_turn({"bow": step}, BOW_RUNS, warmup=0)["bow"], 1e3),
    )
    show(case, [row])
    print(f"  bar: {BOW_SECONDS * 1e3:.0f} ms")
    return row


def show(case: dict[str, object], measured: list[rows.Row]) -> None:
    print("  " + ", ".join(f"{key} {value}" for key, value in case.items()))
    print(f"  {'subject':<28}{'median ms':>10}{'min':>9}{'max':>9}{'error':>10}")
    for row in measured:
        print(
            f"  {row.subject:<28}{row.median:>10.1f}{row.min:>9.1f}{row.max:>9.1f}"
            f"{row.max_rel_error:>10.1e}"
        )


def run() -> list[rows.Row]:
    torch.manual_seed(0)
    measured = []
    for max_activity in BARS:
        of_host, net, x, labels = on_host(max_activity)
        measured += of_host
        if max_activity == BOW_ACTIVITY:
            measured.append(on_bow(net, x, labels))
    return measured
