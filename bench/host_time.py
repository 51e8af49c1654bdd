"""Host time of a call of each operator, forward and backward, and of its replay in a CUDA graph.

The tensors are so small that a GPU waits for the host: what is measured is the path from the public
function to the kernel's launch, and back through autograd. On the backend torch the time contains
the arithmetic. Two versions of the package are compared by running the suite once with each, on the
same machine (`PYTHONPATH` selects the package). Each output and gradient is compared with the
reference in float64.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Callable, Dict, Iterator, List, Sequence, Tuple

import torch
from torch import Tensor

from bench import gpu
from bench.rows import Row, spread, wanted
from popsnn import backends, functional, nn

STEPS, BATCH, NEURONS, CHANNELS = 8, 4, 64, 16
SERIES, SERIES_SECONDS, WARMUP = 15, 0.02, 5
TOLERANCE = 1e-4  # of the largest element; recurrent weights are bfloat16 on both sides
CARRIED = 1e-2  # where kernels round the gradient through such weights as well

# From leaves and a backend to the output that the gradient starts from.
Forward = Callable[[Sequence[Tensor], str], Tensor]


def _normal(*shape: int, seed: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def _lif(leaves: Sequence[Tensor], backend: str) -> Tensor:
    (current,) = leaves
    output = functional.lif(current, membrane=False, return_state=False, backend=backend)
    assert isinstance(output.spikes, Tensor)
    return output.spikes


def _synaptic_lif(leaves: Sequence[Tensor], backend: str) -> Tensor:
    (current,) = leaves
    output = functional.synaptic_lif(current, membrane=False, return_state=False, backend=backend)
    assert isinstance(output.spikes, Tensor)
    return output.spikes


def _adaptive_lif(leaves: Sequence[Tensor], backend: str) -> Tensor:
    (current,) = leaves
    output = functional.adaptive_lif(current, membrane=False, return_state=False, backend=backend)
    assert isinstance(output.spikes, Tensor)
    return output.spikes


def _li(leaves: Sequence[Tensor], backend: str) -> Tensor:
    return functional.li(leaves[0], backend=backend).membrane


def _recurrent_lif(leaves: Sequence[Tensor], backend: str) -> Tensor:
    current, weight = leaves
    output = functional.recurrent_lif(
        current,
        weight,
        weight_dtype=torch.bfloat16,
        membrane=False,
        return_state=False,
        backend=backend,
    )
    assert isinstance(output.spikes, Tensor)
    return output.spikes


def _batch_norm_lif(leaves: Sequence[Tensor], backend: str) -> Tensor:
    x, weight, bias = leaves
    output = functional.batch_norm_lif(x, weight, bias, return_state=False, backend=backend)
    assert isinstance(output.spikes, Tensor)
    return output.spikes


def _readout_loss(leaves: Sequence[Tensor], backend: str) -> Tensor:
    (membrane,) = leaves
    labels = torch.arange(BATCH, device=membrane.device)
    return functional.readout_loss(membrane, labels, backend=backend).loss


def _leaves() -> Dict[str, Tuple[Forward, List[Tensor]]]:
    """Return the operators, each with its leaves in float32 on the CPU."""
    current = _normal(STEPS, BATCH, NEURONS, seed=0)
    image = _normal(STEPS, BATCH, CHANNELS, 8, 8, seed=1)
    weight = _normal(NEURONS, NEURONS, seed=2) / NEURONS
    scale, shift = torch.ones(CHANNELS), torch.full((CHANNELS,), 0.5)
    return {
        "lif": (_lif, [current]),
        "synaptic_lif": (_synaptic_lif, [current]),
        "adaptive_lif": (_adaptive_lif, [current]),
        "li": (_li, [current]),
        "recurrent_lif": (_recurrent_lif, [current, weight.bfloat16().float()]),
        "batch_norm_lif": (_batch_norm_lif, [image, scale, shift]),
        "readout_loss": (_readout_loss, [_normal(STEPS, BATCH, CHANNELS, seed=3)]),
    }


def _network(backend: str) -> Tuple[nn.SNN, Tensor]:
    torch.manual_seed(4)
    layers = (
        nn.SparseLIF(200, 128, max_activity=0.1, grad_threshold=0.9),
        nn.SparseLIF(128, 128, recurrent=True, grad_threshold=0.9),
        nn.SparseLI(128, 10),
    )
    spikes = (_normal(20, 8, 200, seed=5) > 1.6).float()
    return nn.SNN(*layers, backend=backend), spikes


def host_seconds(call: Callable[[], object]) -> List[float]:
    """Return the seconds of a call, averaged over about `SERIES_SECONDS`, for each of `SERIES`."""
    for _ in range(WARMUP):
        start = time.perf_counter()
        call()
        last = time.perf_counter() - start
    calls = max(1, int(SERIES_SECONDS / last))
    seconds = []
    for _ in range(SERIES):
        _finish()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        seconds.append((time.perf_counter() - start) / calls)
    _finish()
    return seconds


def _finish() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _operator(name: str, backend: str, device: str) -> Iterator[Row]:
    forward, leaves = _leaves()[name]

    def gradients(to: torch.dtype, device: str, backend: str) -> Callable[[], List[Tensor]]:
        inputs = [leaf.to(device, to).requires_grad_() for leaf in leaves]

        def call() -> List[Tensor]:
            output = forward(inputs, backend)
            return [output, *torch.autograd.grad(output, inputs, torch.ones_like(output))]

        return call

    expected = gradients(torch.float64, "cpu", "torch")()
    call = gradients(torch.float32, device, backend)
    error = max(
        gpu.relative_error(result.detach().cpu(), reference.detach())
        for result, reference in zip(call(), expected)
    )
    if not error < (CARRIED if name == "recurrent_lif" and device == "cuda" else TOLERANCE):
        raise RuntimeError(f"host_time: {name} on {backend}: expected the reference, got {error}")
    yield _row(name, backend, device, "host_us", host_seconds(call), error)
    if device == "cuda":
        seconds = [1e-3 * time for time in gpu.calibrated(gpu.graphed(call))]
        yield _row(name, backend, device, "graph_us", seconds, error)


def _row(
    name: str, backend: str, device: str, metric: str, seconds: List[float], error: float | None
) -> Row:
    times = spread(seconds, 1e6)
    print(f"  {name:<16} {backend:<6} {metric:<9} {times['median']:9.1f}", flush=True)
    row = Row(
        suite="host_time",
        case={"operator": name, "passes": "forward and backward"},
        subject=f"popsnn-{backend}",
        dtype="float32",
        metric=metric,
        **times,
        max_rel_error=error,
    )
    return replace(row, machine=gpu.machine()) if device == "cuda" else row


def _network_row(backend: str, device: str) -> Row:
    net, spikes = _network(backend)
    expected, _ = _network("torch")
    reference = expected.double()(spikes.double()).sum()
    net, x = net.to(device), spikes.to(device)

    def call() -> Tensor:
        net.zero_grad(set_to_none=True)
        loss: Tensor = net(x).sum()
        loss.backward()
        return loss

    error = gpu.relative_error(call().detach().cpu(), reference.detach())
    if not error < TOLERANCE:
        raise RuntimeError(f"host_time: SNN on {backend}: expected the reference, got {error}")
    return _row("SNN", backend, device, "host_us", host_seconds(call), error)


def run() -> Iterator[Row]:
    """Measure each operator and a network on every backend of this machine."""
    there = backends()
    devices = {"torch": "cpu", **({"cuda": "cuda"} if there["cuda"].available else {})}
    for backend, device in devices.items():
        for name in _leaves():
            if wanted(name):
                yield from _operator(name, backend, device)
    for backend, device in {
        **devices,
        **({"ipu": "cpu"} if there["ipu"].available else {}),
    }.items():
        if wanted("SNN"):
            yield _network_row(backend, device)
