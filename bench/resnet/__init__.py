"""A training step of Spiking ResNet-18 on one GPU, T = 32, next to SpikingJelly's own model.

``python -m bench resnet``. Both networks start from the same weights and see the same frames. The
error of a row is that of the gradient of all parameters, for a few samples, to our definition under
the same autocast. One spike that rounding turns changes all behind it, so it says how alike two
kinds of rounding are; the tests compare layers one by one.
"""

from __future__ import annotations

import gc
from typing import Iterator

import torch
from torch import Tensor, nn

from bench import gpu
from bench.rows import Row, wanted
from popsnn import models

from .subjects import NEURON, Autocast, Subject, subjects

STEPS, BATCH, SIZE, CLASSES = 32, 100, 32, 10
CHECKED_BATCH = 4


def run() -> Iterator[Row]:
    """Yield the rows, both stems."""
    if not gpu.here():
        return
    torch.backends.cudnn.benchmark = True
    bandwidth = gpu.copy_bandwidth()
    print(f"  copy {bandwidth:.0f} GB/s")
    for stem in ("cifar", "imagenet"):
        yield from _measure(stem, bandwidth)


def _measure(stem: str, bandwidth: float) -> Iterator[Row]:
    torch.manual_seed(0)
    weights = models.spiking_resnet18(CLASSES, stem=stem, **NEURON).state_dict()
    frames = (torch.rand(STEPS, BATCH, 3, SIZE, SIZE, device="cuda") < 0.5).float()
    labels = torch.randint(CLASSES, (BATCH,), device="cuda")
    reference = gradients(_definition(stem, weights), frames[:, :CHECKED_BATCH], labels)
    neurons = _neurons(stem)
    case = {"network": "spiking_resnet18", "stem": stem, "steps": STEPS, "batch": BATCH,
            "image": SIZE, "neuron_steps": neurons * STEPS * BATCH}  # fmt: skip
    print(f"\n  stem {stem}, {case['neuron_steps']:.3g} neuron-steps")
    print(f"  {'subject':<44}{'ms':>9}{'min':>9}{'max':>9}{'GB':>8}{'gradient error':>16}")
    for subject in subjects():
        if not wanted(subject.name):
            continue
        try:
            row = _one(subject, stem, weights, frames, labels, reference, case, bandwidth)
        except Exception as error:  # a peer may refuse; what it says is the result
            print(f"  {subject.name:<44} failed: {str(error)[:300]}")
            continue
        finally:
            gc.collect()
            torch.cuda.empty_cache()
        gigabytes = (row.peak_bytes or 0) / 1e9
        print(f"  {row.subject:<44}{row.median:>9.2f}{row.min:>9.2f}{row.max:>9.2f}"
              f"{gigabytes:>8.2f}{row.max_rel_error:>16.1e}")  # fmt: skip
        yield row


def _one(
    subject: Subject,
    stem: str,
    weights: dict[str, Tensor],
    frames: Tensor,  # [T, B, 3, H, W]
    labels: Tensor,  # [B]
    reference: Tensor,
    case: dict[str, object],
    bandwidth: float,
) -> Row:
    net = subject.make(stem, CLASSES, weights)
    error = _distance(gradients(net, frames[:, :CHECKED_BATCH], labels), reference)
    for parameter in net.parameters():
        parameter.grad = None
    optimizer = torch.optim.Adam(net.parameters(), 1e-3, fused=True, capturable=True)
    x = subject.lay_out(frames)

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(net(x).float().mean(0), labels).backward()
        optimizer.step()

    with torch.autograd.set_multithreading_enabled(not subject.one_thread):
        for _ in range(3):
            step()
        memory = gpu.peak_bytes(step)
        call = gpu.graphed(step) if subject.graph else step
        times = gpu.milliseconds(call, runs=10, warmup=2)
    least = 16 * int(str(case["neuron_steps"])) / bandwidth / 1e6
    return gpu.row(
        "resnet",
        case,
        subject.name,
        "bfloat16",
        "train_step_ms",
        times,
        peak=memory,
        limit=f"16 B a neuron-step outside of convolutions: {least:.2f} ms at {bandwidth:.0f} GB/s",
        error=error,
    )


def gradients(net: nn.Module, frames: Tensor, labels: Tensor) -> Tensor:
    """Return the gradients of all parameters in one row, of a few samples."""
    logits = net(frames).mean(0)
    loss = nn.functional.cross_entropy(logits.double(), labels[: frames.shape[1]])
    return torch.cat(
        [g.reshape(-1).double() for g in torch.autograd.grad(loss, [*net.parameters()])]
    )


def _definition(stem: str, weights: dict[str, Tensor]) -> nn.Module:
    """Return the network on the reference, convolutions in bfloat16 as everywhere here."""
    net = models.spiking_resnet18(CLASSES, stem=stem, backend="torch", **NEURON)
    net.load_state_dict(weights)
    return Autocast(net.cuda())


def _distance(got: Tensor, expected: Tensor) -> float:
    return float((got - expected).norm() / expected.norm())


def _neurons(stem: str) -> int:
    """Neurons a sample."""
    first = SIZE if stem == "cifar" else SIZE // 2
    size = SIZE if stem == "cifar" else SIZE // 4
    blocks = sum(
        4 * width * (size >> stage) ** 2 for stage, width in enumerate((64, 128, 256, 512))
    )
    return 64 * first**2 + blocks
