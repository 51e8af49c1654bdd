"""LIF alone, forward and backward, at the same number of neuron-steps for each T."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator

import torch
from torch import Tensor

from bench import gpu
from bench.rows import Row, spread
from popsnn.surrogate import Surrogate

from .subjects import Layer, Subject, definition, subjects

NEURON_STEPS = 1 << 26
STEPS = (16, 128, 1024)
TYPES = (torch.float32, torch.bfloat16, torch.float16)
CHECKED = 8192  # neurons that are compared with the reference in float64


def forward_backward(layer: Layer, x: Tensor, grad: Tensor) -> Callable[[], Tensor]:
    """Return a call that runs x [T, 1, N] through the layer and back, to the gradient of x."""

    def call() -> Tensor:
        spikes = layer(x)
        (grad_x,) = torch.autograd.grad(spikes, x, grad)
        return grad_x

    return call


def saved_bytes(layer: Layer, x: Tensor) -> int:
    """Return the bytes that autograd keeps for backward, beyond x and the output."""
    bytes_of: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        bytes_of[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        out = layer(x)
    for value in (x, out):
        bytes_of.pop(value.untyped_storage().data_ptr(), None)
    return sum(bytes_of.values())


def run(chosen: Callable[[], Iterable[Subject]] = subjects) -> Iterator[Row]:
    """Measure every subject at every T and type."""
    if not gpu.here():
        return
    bandwidth = gpu.copy_bandwidth()
    yield gpu.row(
        "lif", {"bytes": 2 << 30}, "torch-copy", "float32", "copy_gb_per_s", gpu.once(bandwidth)
    )
    print(f"  copy: {bandwidth:.0f} GB/s")
    for steps in STEPS:
        for dtype in TYPES:
            yield from _case(steps, dtype, bandwidth, chosen())


def _case(steps: int, dtype: torch.dtype, bandwidth: float, chosen: Iterable[Subject]) -> list[Row]:
    torch.manual_seed(0)
    neurons = NEURON_STEPS // steps
    case: dict[str, object] = {"T": steps, "neurons": neurons, "part": "elementwise"}
    x = (0.5 * torch.randn(steps, 1, neurons, device="cuda")).to(dtype).requires_grad_()
    grad = torch.randn(steps, 1, neurons, device="cuda").to(dtype)
    definitions: dict[Surrogate, tuple[Tensor, Tensor]] = {}
    floor = 5 * dtype.itemsize * NEURON_STEPS / bandwidth / 1e6
    rows: list[Row] = []
    for subject in chosen:
        if not subject.takes(steps, dtype):
            continue
        name = subject.name
        if subject.surrogate not in definitions:
            definitions[subject.surrogate] = definition(
                x[..., :CHECKED], grad[..., :CHECKED], subject.surrogate
            )
        expected, expected_grad = definitions[subject.surrogate]
        try:
            layer = subject.make(dtype)
            call = forward_backward(layer, x, grad)
            spikes, grad_x = layer(x).detach(), call()
            wrong = int((spikes[..., :CHECKED].double() != expected).sum())
            error = gpu.relative_error(grad_x[..., :CHECKED], expected_grad)
            bytes_of = saved_bytes(layer, x) / NEURON_STEPS
            del spikes, grad_x
            peak = gpu.peak_bytes(call)
            times = {name: gpu.calibrated(call)}
            if subject.one_thread:
                times[f"{name}-one-thread"] = gpu.in_one_thread(call)
            if subject.graph:
                replay = gpu.graphed(call)
                times[f"{name}-graph"] = gpu.calibrated(replay)
                del replay
        except Exception as error_of_peer:
            if name.startswith("popsnn"):
                raise
            print(f"  T={steps} {dtype} {name}: {first_line(error_of_peer)}")
            continue
        for called, measured in times.items():
            median = spread(measured, 1.0)["median"]
            limit = (
                f"5 passes of {dtype.itemsize} bytes at the copy's {bandwidth:.0f} GB/s: "
                f"{floor:.3f} ms, {floor / median:.1%} of it reached"
            )
            rows.append(
                gpu.row(
                    "lif", case, called, dtype, "fwd_bwd_ms", measured,
                    peak=peak, limit=limit, error=error if subject.same else None,
                )
            )  # fmt: skip
            shown = f"{median:9.3f} ms  {floor / median:6.1%}"
            print(f"  T={steps:<5}{rows[-1].dtype:<9}{called:<36}{shown}")
        facts = {"saved_bytes_per_neuron_step": bytes_of}
        if subject.same:
            facts["spike_mismatches"] = wrong
        checked = {**case, "checked_neuron_steps": expected.numel()}
        rows += [
            gpu.row("lif", checked, name, dtype, metric, gpu.once(value))
            for metric, value in facts.items()
        ]
        same = f"{wrong} of {expected.numel()} spikes off, gradient {error:.1e} off"
        print(
            f"    peak {peak >> 20} MiB, saved {bytes_of:.3f} B a neuron-step, "
            f"{same if subject.same else 'another neuron'}"
        )
    return rows


def first_line(error: Exception) -> str:
    """Return an error's type and the first line of its message."""
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error) else ''}"
