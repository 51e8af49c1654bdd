"""Layers with delays, forward and backward, next to the same layers without, and to peers.

`recurrent`: N=1024, B=48, T=100, whole delays of up to 32 steps in all, fixed and learnt, and those
of each weight, a tap for each of 4 steps. `feed_forward`: a layer of 1024
inputs and 1024 neurons. The peers are torch code of this file: a layer of delays with learnable
spacings (DCLS, arXiv 2306.17670), whose Gaussian kernels are a convolution along time, and delays
that read a sequence between two steps, as in a buffer. Errors are of gradients against float64
along the kernels' own spikes; for the peers there are none.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Iterator, Tuple

import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, pad

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.recurrent.work import BETA, GATE, SHAPE, Work
from bench.rows import Row, spread, wanted
from popsnn import functional
from popsnn.functional import DelaySteps, delayed
from popsnn.nn import SNN, Delays, SparseLIF

NEURONS, BATCH, STEPS = 1024, 48, 100
LONGEST = 31  # steps in addition to the one that recurrent spikes take
TAPS = 4
SCALE = 0.53  # of a recurrent layer's current, for about 5 % of spikes
DENSITY = 0.05  # of a feed-forward layer's input
RUNS = 30
BARS = {"axonal": 1.15, "dendritic": 1.15, "synaptic": 4.5}
FEED_FORWARD_BAR = 1.1

row = partial(gpu.row, "delays")


def run() -> Iterator[Row]:
    """Measure recurrent layers, then feed-forward layers and the peers."""
    if not gpu.here():
        return
    yield from recurrent()
    yield from feed_forward()
    if wanted("torch"):
        yield from peers()


def whole_steps(kind: str, maximum: int) -> DelaySteps:
    """Return whole delays drawn uniformly from 0 to the maximum."""
    shape = (NEURONS, NEURONS) if kind == "synaptic" else (NEURONS,)
    steps = torch.randint(maximum + 1, shape, device="cuda").float()
    return DelaySteps(kind, steps, maximum)


def timed(
    case: dict[str, object],
    subject: str,
    call: Callable[[], Any],
    error: float | None,
    than: tuple[float, float] | None = None,  # time without delays, and the most times it
) -> Tuple[Row, float]:
    """Return the row of a call as a CUDA graph, and its median time."""
    peak = gpu.peak_bytes(call)
    times = milliseconds(graphed(call), RUNS)
    median = spread(times, 1.0)["median"]
    ratio = "" if than is None else f", {median / than[0]:.2f} times (bar {than[1]})"
    off = "" if error is None else f", off by {error:.1e}"
    print(f"  {case} {subject}: {median:.3f} ms{ratio}{off}")
    limit = None if than is None else f"{than[1]} times {than[0]:.4f} ms without delays"
    done = row(case, subject, "bfloat16", "fwd_bwd_ms", times, peak=peak, error=error, limit=limit)
    return done, median


def recurrent() -> Iterator[Row]:
    """Measure the recurrent layer without delays and with each kind."""
    if not wanted("popsnn-cuda"):
        return
    torch.manual_seed(0)
    work = Work(NEURONS, BATCH, SCALE)
    x, weight, grad = work.leaves(torch.bfloat16)
    base: float | None = None
    for kind, spread_by in (
        ("none", "none"),
        ("axonal", "none"),
        ("axonal", "straight_through"),
        ("dendritic", "none"),
        ("dendritic", "straight_through"),
        ("synaptic", "none"),
        ("synaptic", "straight_through"),
    ):
        delay = None
        if kind != "none":
            delay = whole_steps(kind, TAPS - 1 if kind == "synaptic" else LONGEST)
        if delay is not None and spread_by != "none":
            delay = delay._replace(steps=delay.steps.requires_grad_(), spread=spread_by)
        case: dict[str, object] = {
            "layer": "recurrent", "delays": kind, "maximum": delay.maximum if delay else 0,
            "neurons": NEURONS, "batch": BATCH, "T": STEPS, "learnt": spread_by != "none",
        }  # fmt: skip
        call = partial(_recurrent_pass, x, weight, grad, delay)
        try:
            error = recurrent_error(x, weight, grad, delay, *call())
        except RuntimeError as reason:
            print(f"  {case}: not measured: {reason}")
            continue
        than = None if base is None else (base, BARS[kind])
        done, median = timed(case, "popsnn-cuda-graph", call, error, than)
        base = median if base is None else base
        yield done


def _recurrent_pass(
    x: Tensor, weight: Tensor, grad: Tensor, delay: DelaySteps | None
) -> tuple[Tensor, ...]:
    out = functional.recurrent_lif(
        x,
        weight,
        beta=BETA,
        delay=delay,
        surrogate=SHAPE,
        grad_threshold=GATE,
        weight_dtype=torch.bfloat16,
        membrane=False,
        return_state=False,
        backend="cuda",
    )
    leaves = [x, weight]
    if delay is not None and delay.steps.requires_grad:
        leaves.append(delay.steps)
    return (out.spikes, *torch.autograd.grad(out.spikes, leaves, grad))


def arrived(s: Tensor, weight: Tensor, delay: DelaySteps | None) -> Tensor:
    """Return what spikes [T, B, N] make of the current at each step, differentiable."""
    before = torch.cat([torch.zeros_like(s[:1]), s[:-1]])
    if delay is None:
        return before @ weight.t()
    if delay.kind == "axonal":
        return delayed(before, delay, backend="torch") @ weight.t()
    if delay.kind == "dendritic":
        return delayed(before @ weight.t(), delay, backend="torch")
    taps = delay.taps(weight.dtype)
    late = [pad(before, (0, 0, 0, 0, k, 0))[: len(before)] for k in range(len(taps))]
    return torch.stack([late[k] @ (weight * taps[k]).t() for k in range(len(taps))]).sum(0)


def recurrent_error(
    x: Tensor,
    weight: Tensor,
    grad: Tensor,
    delay: DelaySteps | None,
    spikes: Tensor,
    grad_x: Tensor,
    grad_weight: Tensor,
    grad_steps: Tensor | None = None,
) -> float:
    """Return the largest relative error of the gradients against float64, along these spikes."""
    s, wide = spikes.detach().double(), weight.detach().double().requires_grad_()
    exact = delay
    if delay is not None:
        steps = delay.steps.detach().double().requires_grad_(grad_steps is not None)
        exact = delay._replace(steps=steps)
    with torch.no_grad():
        v = x.double() + arrived(s, wide, exact)
        for t in range(1, len(s)):
            v[t] += BETA * v[t - 1] * (1 - s[t - 1])
        slope = torch.where((s > 0) | (v >= GATE), SHAPE.derivative(v - 1), torch.zeros_like(v))
    leaf = s.clone().requires_grad_()
    current = arrived(leaf, wide, exact)
    # A delay moves gradients back in time alone: each step of this loop completes one time step.
    delta = slope * grad.double()
    for t in reversed(range(len(s) - 1)):
        with torch.no_grad():
            of_spike = _spike_gradient(delta, wide, exact, t)
        delta[t] += BETA * (1 - s[t]) * delta[t + 1] + slope[t] * of_spike
    of_weight, *of_steps = torch.autograd.grad(
        current, [wide] if grad_steps is None or exact is None else [wide, exact.steps], delta
    )
    pairs = [(grad_x, delta), (grad_weight, of_weight)]
    if grad_steps is not None:
        pairs.append((grad_steps, of_steps[0]))
    return max(float((a.double() - b).norm() / b.norm()) for a, b in pairs)


def _spike_gradient(delta: Tensor, weight: Tensor, delay: DelaySteps | None, t: int) -> Tensor:
    """Return the gradient [B, N] of the spikes of step t through what they make arrive later."""
    rows = delta[t + 1 : t + 2 + (delay.maximum if delay else 0)]  # [at most D + 1, B, N]
    if delay is None:
        return rows[0] @ weight
    taps = delay.taps(weight.dtype)[: len(rows)]
    if delay.kind == "axonal":
        return ((rows @ weight) * taps.unsqueeze(1)).sum(0)
    if delay.kind == "dendritic":
        return (rows * taps.unsqueeze(1)).sum(0) @ weight
    return torch.stack([row @ (weight * tap) for row, tap in zip(rows, taps)]).sum(0)


def feed_forward() -> Iterator[Row]:
    """Measure a layer without delays and with fixed and learnt delays."""
    if not wanted("popsnn-cuda"):
        return
    torch.manual_seed(0)
    x = (torch.rand(STEPS, BATCH, NEURONS, device="cuda") < DENSITY).float()
    weight = torch.randn(NEURONS, NEURONS, device="cuda") * (2.0 / (DENSITY * NEURONS) ** 0.5)
    base: float | None = None
    for kind, spreading in (
        ("none", ""),
        ("axonal", "fixed"),
        ("axonal", "straight_through"),
        ("axonal", "triangle"),
        ("dendritic", "fixed"),
        ("synaptic", "fixed"),
    ):
        delay: Any = 0
        most = TAPS - 1 if kind == "synaptic" else LONGEST
        if kind != "none":
            steps = whole_steps(kind, most).steps
            learn = spreading != "fixed"
            spread_by = spreading if learn else "triangle"
            delay = Delays(kind, most, steps, learn=learn, spread=spread_by)
        layer = SparseLIF(
            NEURONS, NEURONS, bias=False, delay=delay, grad_threshold=GATE,
            weight_dtype=torch.bfloat16,
        )  # fmt: skip
        layer.weight.data.copy_(weight)
        net = SNN(layer, backend="cuda", check_input=False).to("cuda")
        case: dict[str, object] = {
            "layer": "feed-forward", "delays": f"{kind} {spreading}".strip(),
            "maximum": most if kind != "none" else 0, "neurons": NEURONS, "inputs": NEURONS,
            "batch": BATCH, "T": STEPS,
        }  # fmt: skip
        than = (
            None
            if base is None
            else (base, BARS["synaptic"] if kind == "synaptic" else FEED_FORWARD_BAR)
        )
        call = partial(_layer_pass, net, x)
        done, median = timed(case, "popsnn-cuda-graph", call, layer_error(net, x), than)
        base = median if base is None else base
        yield done


def _layer_pass(net: nn.Module, x: Tensor) -> tuple[Tensor, ...]:
    out = net(x)
    spikes = out if isinstance(out, Tensor) else out.to_dense()
    return torch.autograd.grad(spikes.sum(), list(net.parameters()))


def layer_error(net: SNN, x: Tensor) -> float:
    """Return the larger relative error of gradients of 4 samples against the reference."""
    layer, few = net.layers[0], x[:, :4]
    reference = SparseLIF(
        NEURONS, NEURONS, bias=False, grad_threshold=GATE, weight_dtype=torch.bfloat16
    )
    delay = layer.delay
    if isinstance(delay, Delays):
        options = {name: getattr(delay, name) for name in ("learn", "spread", "width")}
        reference.delay = Delays(delay.kind, delay.maximum, delay.steps.detach().cpu(), **options)
    reference.weight.data.copy_(net.state_dict()["layers.0.weight"])
    exact = SNN(reference, backend="torch").to("cuda").double()
    pairs = zip(_layer_pass(net, few), _layer_pass(exact, few.double()))
    return max(float((a.double() - b).norm() / b.norm().clamp_min(1e-30)) for a, b in pairs)


class GaussianDelays(nn.Module):
    """Synaptic delays with learnable positions, a convolution with kernels of D + 1 steps."""

    def __init__(self, maximum: int, width: float = 0.5) -> None:
        super().__init__()
        self.maximum, self.width = maximum, width
        scale = 2.0 / (DENSITY * NEURONS) ** 0.5
        self.weight = nn.Parameter(scale * torch.randn(NEURONS, NEURONS))
        self.position = nn.Parameter(maximum * torch.rand(NEURONS, NEURONS))

    def forward(self, x: Tensor) -> Tensor:
        k = torch.arange(self.maximum + 1, device=x.device)
        taps = torch.exp(-(((k - self.position[..., None]) / self.width) ** 2) / 2)
        taps = taps / (taps.sum(-1, keepdim=True) + 1e-7)
        kernel = (self.weight[..., None] * taps).flip(-1)
        line = pad(x.permute(1, 2, 0), (self.maximum, 0))
        current = conv1d(line.bfloat16(), kernel.bfloat16()).permute(2, 0, 1).float()
        return _neurons(current)


class BufferDelays(nn.Module):
    """A delay for each input: the sequence between the two steps that it lies between."""

    def __init__(self, maximum: int) -> None:
        super().__init__()
        self.delay = nn.Parameter(maximum * torch.rand(NEURONS))
        scale = 2.0 / (DENSITY * NEURONS) ** 0.5
        self.weight = nn.Parameter(scale * torch.randn(NEURONS, NEURONS))

    def forward(self, x: Tensor) -> Tensor:
        times = torch.arange(len(x), device=x.device)[:, None, None] - self.delay
        low = times.floor()
        late = [self._at(x, low), self._at(x, low + 1)]
        part = times - low
        rows = late[0] * (1 - part) + late[1] * part
        return _neurons((rows.bfloat16() @ self.weight.bfloat16().t()).float())

    def _at(self, x: Tensor, times: Tensor) -> Tensor:
        index = times.long().expand_as(x)
        return torch.where(index >= 0, x.gather(0, index.clamp(0, len(x) - 1)), 0.0)


def _neurons(current: Tensor) -> Tensor:
    """Run the neurons on this package's kernels, which favours the peers."""
    out = functional.lif(
        current.contiguous(), beta=BETA, surrogate=SHAPE, grad_threshold=GATE, membrane=False,
        return_state=False, backend="cuda",
    )  # fmt: skip
    assert isinstance(out.spikes, Tensor)
    return out.spikes


def peers() -> Iterator[Row]:
    """Measure the peers' feed-forward layers, and the recurrent layer of the torch engine."""
    x = (torch.rand(STEPS, BATCH, NEURONS, device="cuda") < DENSITY).float()
    for subject, layer, most in (
        ("torch-dcls", GaussianDelays(TAPS - 1), TAPS - 1),
        ("torch-dcls", GaussianDelays(LONGEST), LONGEST),
        ("torch-buffer", BufferDelays(LONGEST), LONGEST),
    ):
        torch.manual_seed(0)
        case: dict[str, object] = {
            "layer": "feed-forward", "delays": type(layer).__name__, "maximum": most,
            "neurons": NEURONS, "inputs": NEURONS, "batch": BATCH, "T": STEPS,
        }  # fmt: skip
        yield timed(case, subject, partial(_layer_pass, layer.to("cuda"), x), None)[0]
