"""Recurrent layers on the kernels, beside the definition in float64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from popsnn import functional


@dataclass
class Run:
    """A call on the kernels, its inputs and its outputs."""

    x: Tensor
    weight: Tensor
    state: functional.LIFState | None
    weight_dtype: torch.dtype
    options: dict[str, Any]
    out: functional.LIFOutput


def run(
    device: torch.device,
    steps: int,
    batch: int,
    neurons: int,
    *,
    dtype: torch.dtype = torch.float32,
    weight: torch.dtype = torch.bfloat16,
    weight_dtype: torch.dtype = torch.bfloat16,
    state: bool = False,
    learn: bool = False,
    **options: Any,
) -> Run:
    """Call the kernels on random tensors, the same ones for the same sizes."""
    generator = torch.Generator(device).manual_seed(steps + batch + neurons)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, device=device)

    def between(low: float, high: float) -> Tensor:
        return torch.rand(neurons, generator=generator, device=device) * (high - low) + low

    x = (0.35 * normal(steps, batch, neurons) + 0.1).to(dtype).requires_grad_()
    w = (normal(neurons, neurons) * (0.06 * neurons + 3) ** -0.5 / 2).to(weight).requires_grad_()
    start = None
    if state:
        start = functional.LIFState(
            normal(batch, neurons).requires_grad_(),
            (normal(batch, neurons) > 1).float().requires_grad_(),
        )
    if learn:
        options["beta"] = between(0.5, 0.95).requires_grad_()
        options["threshold"] = between(0.7, 1.2).requires_grad_()
    out = functional.recurrent_lif(
        x, w, start, weight_dtype=weight_dtype, backend="cuda", **options
    )
    return Run(x, w, start, weight_dtype, options, out)


def forced(one: Run) -> tuple[functional.LIFOutput, list[Tensor]]:
    """Return the definition in float64, step by step from the kernels' own states, and its leaves.

    A membrane within a rounding of the threshold may spike in one and not in the other, and then
    all that follows differs; so every step begins with the kernels' states, to which its gradient
    goes back.
    """
    wide = torch.float64
    x = one.x.detach().to(wide).requires_grad_()
    weight = one.weight.detach().to(one.weight_dtype).to(wide).requires_grad_()
    options = dict(one.options)
    learnt = [name for name in ("beta", "threshold") if isinstance(options.get(name), Tensor)]
    for name in learnt:
        options[name] = options[name].detach().to(wide).requires_grad_()
    zeros = torch.zeros_like(x[0])
    start = one.state or functional.LIFState(zeros, zeros)
    leaves = functional.LIFState(*(s.detach().to(wide).requires_grad_() for s in start))
    state = leaves
    v, s = [], []
    for t in range(x.shape[0]):
        out = functional.recurrent_lif(x[t : t + 1], weight, state, backend="torch", **options)
        v.append(out.membrane[0])
        s.append(out.spikes[0])
        membrane = one.out.membrane[t].detach().to(wide)
        spikes = one.out.spikes[t].detach().to(wide)
        state = functional.LIFState(
            out.state.v + (membrane - out.state.v).detach(),
            out.state.s + (spikes - out.state.s).detach(),
        )
    tensors = [x, weight, *(leaves if one.state else ()), *(options[name] for name in learnt)]
    return functional.LIFOutput(torch.stack(s), torch.stack(v), state), tensors


def error(got: Tensor, expected: Tensor) -> float:
    """Return the relative error, of norms."""
    scale = expected.norm().clamp_min(1e-12)
    return float(((got.to(expected.dtype) - expected).norm() / scale).detach())


def compare(one: Run, membranes: bool = True) -> None:
    """Spikes exactly where the membrane is not at the threshold, gradients to what weights are."""
    most = 1e-2 if one.weight_dtype == torch.bfloat16 else 5e-5
    expected, leaves = forced(one)
    if one.x.is_cuda:
        torch.cuda.synchronize()
    membrane, wanted_membrane = one.out.membrane.detach(), expected.membrane.detach()
    scale = 1 + float(wanted_membrane.abs().max())
    assert float((membrane - wanted_membrane).abs().max()) <= 1e-5 * scale
    level = one.options.get("threshold", 1.0)
    clear = (expected.membrane - level).abs() > 1e-4
    assert torch.equal(one.out.spikes[clear].double(), expected.spikes[clear])
    given = [torch.randn_like(t) for t in (one.out.spikes, one.out.membrane, *one.out.state)]
    outputs = [one.out.spikes, one.out.membrane, *one.out.state]
    ours = [expected.spikes, expected.membrane, *expected.state]
    if not membranes:
        outputs, ours, given = outputs[:1], ours[:1], given[:1]
    inputs = [one.x, one.weight, *(one.state or ())]
    inputs += [v for v in one.options.values() if isinstance(v, Tensor)]
    got = torch.autograd.grad(outputs, inputs, given)
    wanted = torch.autograd.grad(ours, leaves, [g.double() for g in given])
    for mine, reference in zip(got, wanted):
        off = error(mine, reference)
        assert off < most, (off, tuple(mine.shape))
