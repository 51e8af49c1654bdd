"""A recurrent layer with a capacity in one kernel, next to the same layer step by step.

A training step of [100, N, 10], T = 100, 48 samples, whose hidden layer is recurrent and keeps at
most 5 or 25 % of its neurons at a time step: forward, loss, backward and Adam, as a CUDA graph and
called. About 5 % fire, so most steps exceed the lower capacity. None exceeds 25 %, as with
automatic capacities. The row without a capacity is that of the layer that drops nothing. Gradients
of the hidden layer's weights are compared with the reference in float64 along the kernels' own
spikes and active sets, and these with the rule of the capacity, in the same run.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Iterator
from unittest.mock import patch

import torch
from torch import Tensor

from bench import gpu
from bench.gpu import milliseconds
from bench.network import training_step
from bench.rows import Row, spread, wanted
from popsnn._internal.compaction import begins, keep
from popsnn._internal.hashing import call_seed
from popsnn.cuda import CapturedStep
from popsnn.engines import cuda_layers
from popsnn.nn import SNN, SparseLI, SparseLIF

from .work import BETA, GATE, SCALES, SHAPE, STEPS, row

INPUTS, ON, CLASSES, BATCH = 100, 0.1, 10, 48
CAPS = (0.05, 0.25)
CASES = (
    (512, torch.bfloat16),
    (1024, torch.bfloat16),
    (2048, torch.bfloat16),
    (512, torch.float32),
    (1024, torch.float32),
)
NAMES = {"one": "popsnn-cuda", "steps": "popsnn-cuda-step-by-step"}
NEAR = 1e-5  # of a threshold, where float32 may decide on a spike as float64 does not
RUNS = 20


def run() -> Iterator[Row]:
    """Measure every size, in one kernel and step by step."""
    if not gpu.here() or not wanted("popsnn-cuda"):
        return
    for neurons, dtype in CASES:
        yield from measured(neurons, dtype)


def network(neurons: int, dtype: torch.dtype, cap: float | None, device: str = "cuda") -> SNN:
    """Return the network; its weights give about 5 % of spikes."""
    torch.manual_seed(0)
    taken_as = dtype if dtype == torch.bfloat16 else None
    hidden = SparseLIF(
        INPUTS, neurons, beta=BETA, recurrent=True, max_activity=cap, grad_threshold=GATE,
        surrogate=SHAPE, weight_dtype=taken_as, reset="zero",
    )  # fmt: skip
    assert hidden.recurrent_weight is not None
    with torch.no_grad():
        hidden.weight.normal_(0.0, SCALES["5 %"] / (INPUTS * ON) ** 0.5 / hidden.gain)
        hidden.recurrent_weight.normal_(0.0, neurons**-0.5 / hidden.gain)
    readout = SparseLI(neurons, CLASSES, beta=BETA, weight_dtype=taken_as)
    return SNN(hidden, readout, backend="cuda", check_input=False).to(device)


def measured(neurons: int, dtype: torch.dtype) -> Iterator[Row]:
    """Measure a training step of one size and type."""
    torch.manual_seed(1)
    x = (torch.rand(STEPS, BATCH, INPUTS, device="cuda") < ON).float()
    labels = torch.randint(CLASSES, (BATCH,), device="cuda")
    capped = [(kind, cap) for cap in CAPS for kind in NAMES]
    for kind, cap in (*capped, ("one", None)):
        with ExitStack() as stack:
            if kind == "steps":
                by_steps = patch.object(cuda_layers, "_on_capped_kernels", lambda *_: False)
                stack.enter_context(by_steps)
            net = network(neurons, dtype, cap)
            case: dict[str, object] = {
                "network": f"{INPUTS}-{neurons}-{CLASSES}", "T": STEPS, "batch": BATCH,
                "max_activity": cap,
            }  # fmt: skip
            error = None if cap is None else deviation(net, x)
            step = training_step(net, x, labels)
            times = {
                "called": milliseconds(step, RUNS),
                "graph": milliseconds(CapturedStep(step), RUNS),
            }
            stats = net.stats()[0]
            case["spikes"] = round(stats.activity, 4)
            case["dropped_spikes"] = stats.dropped_spikes
            for how, each in times.items():
                off = "" if error is None else f", gradients off by {error:.1e}"
                print(
                    f"  N={neurons} {dtype} {NAMES[kind]}, capacity {cap}, {how}: "
                    f"{spread(each, 1.0)['median']:.3f} ms{off}",
                    flush=True,
                )
                name = NAMES[kind] + ("-graph" if how == "graph" else "")
                yield row(case, name, dtype, "train_step_ms", each, error=error)


def deviation(net: SNN, x: Tensor) -> float:
    """Return the larger relative error of the gradients of the hidden layer's weights.

    The loss is linear in the spikes. Raises an AssertionError where spikes or drops are not those
    of the rule.
    """
    layer = net.stack[0]
    assert isinstance(layer, SparseLIF)
    assert layer.recurrent_weight is not None
    weights = [layer.weight, layer.recurrent_weight]
    calls = net._calls.clone()
    _, traces = net(x, trace=True)
    lists, membrane = traces[0].spikes, traces[0].membrane.detach().double()
    assert lists is not None
    spikes = lists.to_dense(torch.float32)
    grad = torch.randn(spikes.shape, device=x.device, generator=_generator(x))
    got = torch.autograd.grad(spikes, weights, grad)
    fired = spikes.detach() != 0
    listed = torch.arange(lists.ids.shape[-1], device=x.device) < lists.counts[..., 1:]
    active = torch.zeros(spikes.shape, device=x.device)
    active = active.scatter_add(-1, lists.ids.long(), listed.float()) > 0
    wide = [_taken(layer, weight).requires_grad_() for weight in weights]
    gain, bias = layer.gain, 0.0 if layer.bias is None else layer.bias.detach().double()
    current = gain * (x.double() @ wide[0].t() + bias)
    s = v = torch.zeros_like(membrane[0])
    sent = []
    for t in range(len(x)):
        v = BETA * v * (1 - s.detach()) + current[t] + gain * (s @ wide[1].t())
        assert float((v.detach() - membrane[t]).abs().max()) <= NEAR * (1 + membrane.abs().max())
        slope = SHAPE.derivative(v.detach() - 1.0) * active[t]
        s = fired[t].double() + slope * (v - v.detach())
        v = v + (membrane[t] - v).detach()
        sent.append(s)
    expected = torch.autograd.grad(torch.stack(sent), wide, grad.double())
    _check_rule(net, layer, membrane, fired, lists.dropped, int(calls))
    return max(float((a - b).norm() / b.norm()) for a, b in zip(got, expected))


def _generator(x: Tensor) -> torch.Generator:
    return torch.Generator(x.device).manual_seed(2)


def _taken(layer: SparseLIF, weight: Tensor) -> Tensor:
    """Return weights as products take them, in float64."""
    weight = weight.detach()
    return (weight if layer.weight_dtype is None else weight.to(layer.weight_dtype)).double()


def _check_rule(
    net: SNN, layer: SparseLIF, v: Tensor, fired: Tensor, dropped: Tensor, calls: int
) -> None:
    """Assert that spikes are those that the capacity keeps, by the membranes [T, B, N]."""
    steps, batch, size = v.shape
    begin = begins(call_seed(net.seed, calls), 0, 0, steps, batch, size).to(v.device)
    kept = keep(v >= 1.0, (v < 1.0) & (v >= GATE), layer.capacity, begin)
    clear = (((v - 1.0).abs() > NEAR) & ((v - GATE).abs() > NEAR)).all(-1)
    assert torch.equal(fired[clear], kept.fired[clear])
    assert torch.equal(dropped[clear], kept.dropped[clear])
