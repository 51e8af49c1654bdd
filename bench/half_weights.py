"""Effects of weights of 16 bits: modelled cost, spikes, gradients, and the digits' accuracy.

Spikes and gradients of one batch are compared with the reference in float64, for a network that is
drawn and one that is trained. Accuracy is that of the digits preset, from the same first weights in
the same order of samples, by how the 16-bit weights take Adam's update: with what rounding took
kept next to the moments, as the device does, or without, rounded to the nearest or stochastically.
"""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

import popsnn
from bench import modelled
from bench.rows import Row, spread
from popsnn import data, optim, profiling
from popsnn.nn import SNN
from popsnn.training import Recipe, Training, merged
from popsnn.training import network as configured

HIDDEN, STEPS, BATCH, EPOCHS, SEEDS = [256, 128], 8, 60, 15, 5
RATES = (1e-2, 1e-4)  # first learning rates: of the preset, and of steps that halves do not tell
CASE = {"hidden": HIDDEN, "T": STEPS, "batch": BATCH}
PROFILED = (("nmnist-h2", 0.01), ("nmnist-h2", 0.05), ("nmnist-h5", 0.05), ("dvsgesture-h2", 0.01))
HALF = torch.float16


def network(seed: int, weight_dtype: torch.dtype | None) -> SNN:
    """Return the digits preset's network with one layer more, on the ipu engine."""
    options = {"hidden": HIDDEN, "backend": "ipu", "seed": seed}
    net = configured(merged("digits", None, options), 64, 10)
    for layer in net.stack:
        layer.weight_dtype = weight_dtype
    return net


class RoundingAdam(torch.optim.Adam):
    """Adam on weights that have 16 bits and nothing else."""

    def __init__(self, net: SNN, lr: float, rounding: Callable[[Tensor], Tensor]) -> None:
        super().__init__(net.parameters(), lr=lr)
        self.weights = [layer.weight for layer in net.stack]
        self.rounding = rounding

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        super().step(closure)
        with torch.no_grad():
            for weight in self.weights:
                weight.copy_(self.rounding(weight))


def nearest(weight: Tensor) -> Tensor:
    """Round to the nearest value in 16 bits."""
    return weight.half().float()


def stochastic(weight: Tensor) -> Tensor:
    """Round to one of the neighbours in 16 bits, on average to the value itself.

    Thirteen bits of a float are more than a half has, where the half is a normal number.
    """
    noise = torch.randint(0, 1 << 13, weight.shape, dtype=torch.int32)
    bits = (weight.contiguous().view(torch.int32) + noise) & ~0x1FFF
    return nearest(bits.view(torch.float32))


WAYS: Mapping[str, Callable[[SNN, float], Any]] = {
    "float32": lambda net, lr: optim.Adam(net, lr=lr),
    "float16, rest kept": lambda net, lr: optim.Adam(net, lr=lr),
    "float16, nearest": lambda net, lr: RoundingAdam(net, lr, nearest),
    "float16, stochastic": lambda net, lr: RoundingAdam(net, lr, stochastic),
}


def trained(seed: int, way: str, lr: float, epochs: int) -> tuple[SNN, list[dict[str, Any]]]:
    """Train on the digits; return the network and the epochs' metrics."""
    net = network(seed, None if way == "float32" else HALF)
    train, test = data.digits(steps=STEPS)
    with tempfile.TemporaryDirectory() as folder:
        training = Training(
            net,
            WAYS[way](net, lr),
            train,
            test,
            Path(folder),
            Recipe(epochs=epochs, batch_size=BATCH, label_smoothing=0.1, seed=seed, pictures=False),
        )
        training.run(lambda _: None, progress=False)
    return net, training.rows


def passed(net: SNN, x: Tensor, labels: Tensor) -> tuple[list[Tensor], Tensor]:
    """Return the hidden layers' spikes [T, B, N], and all gradients of weights as one vector."""
    net.zero_grad()
    out, layers = net(popsnn.SpikeTensor.from_dense(x), trace=True)
    cross_entropy(out.mean(0), labels).backward()
    spikes = [trace.spikes.to_dense().detach() for trace in layers if trace.spikes is not None]
    grads = [layer.weight.grad for layer in net.stack]
    return spikes, torch.cat([grad.flatten().double() for grad in grads if grad is not None])


def definition(net: SNN, weight_dtype: torch.dtype | None) -> SNN:
    """Return the network in float64 on the torch engine, its weights rounded to a type or not."""
    exact = copy.deepcopy(net).double()
    exact.backend = "torch"
    for layer in exact.stack:
        layer.weight_dtype = weight_dtype
    return exact


def differences() -> Iterator[Row]:
    """Compare a pass with the reference of the exact weights, and with that of rounded weights."""
    _, test = data.digits(steps=STEPS)
    spikes, labels = next(iter(test.batches(BATCH)))
    x = spikes.to_dense()
    for what in ("drawn", "trained"):
        net = network(0, None)
        if what == "trained":
            net.load_state_dict(trained(0, "float32", RATES[0], EPOCHS)[0].state_dict())
        for dtype, weights in ((None, "exact"), (HALF, "exact"), (HALF, "rounded")):
            for layer in net.stack:
                layer.weight_dtype = dtype
            reference = definition(net, HALF if weights == "rounded" else None)
            fired, grads = passed(net, x, labels)
            expected, exact = passed(reference, x.double(), labels)
            wrong = sum(int((a != b).sum()) for a, b in zip(fired, expected))
            cells = sum(b.numel() for b in expected)
            fires = sum(int(b.sum()) for b in expected)
            off = float((grads - exact).norm() / exact.norm())
            case = {"network": what, "against": weights, **CASE}
            name = "float32" if dtype is None else "float16"
            print(
                f"  {what}, {name} against {weights} weights: {wrong} of {cells} neuron steps "
                f"differ ({fires} spikes), gradient off by {off:.1e}"
            )
            yield _row(case, name, "spikes_that_differ", [wrong / cells])
            yield _row(case, name, "gradient_error", [off])


def accuracies() -> Iterator[Row]:
    """Train with each variant of weight updates."""
    for lr in RATES:
        for variant in WAYS:
            last = [trained(seed, variant, lr, EPOCHS)[1][-1] for seed in range(SEEDS)]
            case: dict[str, object] = {**CASE, "epochs": EPOCHS, "lr": lr}
            scores = [metrics["test_accuracy"] for metrics in last]
            losses = [metrics["loss"] for metrics in last]
            name, _, moments = variant.partition(", ")
            case["update"] = moments or "float32"
            print(
                f"  lr {lr:g}, {variant}: test accuracy {100 * sum(scores) / SEEDS:.2f} %, "
                f"training loss {sum(losses) / SEEDS:.4f}"
            )
            yield _row(case, name, "accuracy", scores)
            yield _row(case, name, "train_loss", losses)


def costs() -> Iterator[Row]:
    """Profile published networks, modelled."""
    for name, activity in PROFILED:
        for dtype in (None, HALF):
            report = profiling.profile_preset(
                name, "bow", max_activity=activity, weight_dtype=dtype
            )
            weights = "float32" if dtype is None else "float16"
            print(
                f"  {name} {activity:.0%}, {weights}: {report.cycles_per_timestep:,.0f} cycles a "
                f"time step, {report.tile_bytes_max:,} bytes on the fullest tile (modelled)"
            )
            yield modelled.row(
                "half_weights",
                {"preset": name, "max_activity": activity, "activity": "fixed"},
                "cycles_per_timestep",
                report.cycles_per_timestep,
                dtype=weights,
                peak=report.tile_bytes_max,
            )


def run() -> Iterator[Row]:
    """Run all three."""
    torch.set_num_threads(1)  # the host does the loss alone
    yield from costs()
    yield from differences()
    yield from accuracies()


def _row(case: Mapping[str, object], dtype: str, metric: str, values: list[float]) -> Row:
    return Row(
        suite="half_weights",
        case=case,
        subject="popsnn-ipu",
        dtype=dtype,
        metric=metric,
        **spread(values, 1.0),
    )
