"""Recurrent layers on the kernels, compared with the reference in float64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import pytest
import torch
from torch import Tensor

from popsnn import functional
from popsnn.cuda.recurrent import ops, strategy
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.gathered import launch as gathered_launch
from popsnn.cuda.recurrent.gathered import plan as planned
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.step.launch import SAMPLES

EVERY = 10**6  # neurons, which no step has
# What gradients may be off by, and the rounding of those that 16 bits carry; of float32 otherwise.
GRADIENTS = {torch.bfloat16: (1e-2, 2.0**-9), torch.float16: (1.5e-3, 2.0**-12)}
RESETS = ["zero", "subtract", "none"]
# What is learnt, and between what numbers.
LEARNT = {
    functional.recurrent_lif: {"beta": (0.5, 0.95), "threshold": (0.7, 1.2)},
    functional.recurrent_adaptive_lif: {
        "beta": (0.5, 0.95),
        "threshold": (0.6, 1.0),
        "rho": (0.5, 0.97),
        "kappa": (0.05, 0.4),
    },
}
STATES = {
    functional.recurrent_lif: functional.LIFState,
    functional.recurrent_adaptive_lif: functional.AdaptiveLIFState,
}


@dataclass
class Run:
    """A call on the kernels, its inputs and its outputs."""

    x: Tensor
    weight: Tensor
    state: Any
    weight_dtype: torch.dtype
    layer: Callable[..., Any]
    options: dict[str, Any]
    out: Any


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
    columns: bool = False,
    layer: Callable[..., Any] = functional.recurrent_lif,
    **options: Any,
) -> Run:
    """Call the kernels on random tensors, the same for the same sizes."""
    generator = torch.Generator(device).manual_seed(steps + batch + neurons)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, device=device)

    def between(low: float, high: float) -> Tensor:
        return torch.rand(neurons, generator=generator, device=device) * (high - low) + low

    x = (0.35 * normal(steps, batch, neurons) + 0.1).to(dtype).requires_grad_()
    w = (normal(neurons, neurons) * (0.06 * neurons + 3) ** -0.5 / 2).to(weight)
    w = (w.t().contiguous().t() if columns else w).requires_grad_()
    start = None
    if state:
        first = {"v": normal(batch, neurons), "s": (normal(batch, neurons) > 1).float()}
        names = STATES[layer]._fields
        parts = (first[n] if n in first else normal(batch, neurons).abs() for n in names)
        start = STATES[layer](*(tensor.requires_grad_() for tensor in parts))
    if learn:
        for name, interval in LEARNT[layer].items():
            options[name] = between(*interval).requires_grad_()
    out = layer(x, w, start, weight_dtype=weight_dtype, backend="cuda", **options)
    return Run(x, w, start, weight_dtype, layer, options, out)


def forced(run: Run) -> tuple[Any, Tensor, list[Tensor]]:
    """Return the reference in float64, step by step from the kernels' own membranes and spikes.

    And the membranes' distance from what they must reach to spike, and the leaves.

    A membrane within a rounding of the threshold may spike in one and not in the other, and then
    all that follows differs; so every step begins with the kernels' states, to which its gradient
    flows.
    """
    wide = torch.float64
    x = run.x.detach().to(wide).requires_grad_()
    weight = run.weight.detach().to(run.weight_dtype).to(wide).requires_grad_()
    options = dict(run.options)
    late = Late(run, weight, options.pop("delay", None), options.pop("before", None))
    learnt = [name for name in LEARNT[run.layer] if isinstance(options.get(name), Tensor)]
    for name in learnt:
        options[name] = options[name].detach().to(wide).requires_grad_()
    zeros = torch.zeros_like(x[0])
    kind = STATES[run.layer]
    start = run.state or kind(*(zeros for _ in kind._fields))
    leaves = kind(*(s.detach().to(wide).requires_grad_() for s in start))
    state = leaves
    v, s, subthreshold = [], [], []
    for t in range(x.shape[0]):
        now, loops = late.step(x[t : t + 1], state.s)
        out = run.layer(now, loops, state, backend="torch", **options)
        v.append(out.membrane[0])
        s.append(out.spikes[0])
        level = options.get("threshold", 1.0)
        if kind is functional.AdaptiveLIFState:
            level = level + options.get("kappa", 0.2) * out.state.a
        subthreshold.append(out.state.v - level)
        membrane = run.out.membrane[t].detach().to(wide)
        spikes = run.out.spikes[t].detach().to(wide)
        state = out.state._replace(
            v=out.state.v + (membrane - out.state.v).detach(),
            s=out.state.s + (spikes - out.state.s).detach(),
        )
    tensors = [x, weight, *(leaves if run.state else ()), *(options[name] for name in learnt)]
    tensors += late.leaves
    result = out._replace(spikes=torch.stack(s), membrane=torch.stack(v), state=state)
    return result, torch.stack(subthreshold), tensors


class Late:
    """Delays of a run in float64: with them, the current has the loops' part and no weights loop.

    The sum over all taps, of which a learnt delay has the derivative of linear interpolation.
    """

    def __init__(
        self, run: Run, weight: Tensor, delay: functional.DelaySteps | None, before: Tensor | None
    ) -> None:
        self.weight, self.delay = weight, delay
        self.leaves: list[Tensor] = []
        if delay is None:
            return
        steps = delay.steps.detach().double().requires_grad_()
        shape = (delay.maximum, *run.x.shape[1:])
        history = weight.new_zeros(shape) if before is None else before.detach().double()
        history.requires_grad_()
        if delay.spread != "none":
            self.leaves.append(steps)
        if before is not None:
            self.leaves.append(history)
        inside = steps.clamp(delay.minimum, delay.maximum)
        if delay.spread in ("none", "straight_through"):
            whole = inside.detach().round()
            k = torch.arange(delay.maximum + 1, device=steps.device).view(-1, *(1,) * steps.dim())
            slope = ((k == whole + 1).double() - (k == whole - 1).double()) / 2
            self.taps = (k == whole).double() + (inside - inside.detach()) * slope
        else:
            self.taps = functional.delay_taps(inside, delay.maximum, delay.spread, delay.width)
        self.spikes = list(history.unbind())  # oldest first

    def step(self, x: Tensor, spikes: Tensor) -> tuple[Tensor, Tensor]:
        """Return the current [1, B, N] and the weights of a step behind spikes [B, N]."""
        if self.delay is None:
            return x, self.weight
        self.spikes.append(spikes.double())
        last = torch.stack(self.spikes[: -len(self.taps) - 1 : -1])  # [D + 1, B, N]
        if self.delay.kind == "synaptic":
            late = torch.bmm(last, (self.taps * self.weight).transpose(1, 2))
            return x + late.sum(0), torch.zeros_like(self.weight)
        taps, weight = self.taps.unsqueeze(1), self.weight.t()
        if self.delay.kind == "axonal":
            return x + (taps * last).sum(0) @ weight, torch.zeros_like(weight)
        return x + (taps * (last @ weight)).sum(0), torch.zeros_like(weight)


def learnt_inputs(run: Run) -> list[Tensor]:
    """Return what has a gradient, in the order of the leaves of `forced`."""
    inputs = [run.x, run.weight, *(run.state or ())]
    inputs += [run.options[name] for name in LEARNT[run.layer] if name in run.options]
    delay, before = run.options.get("delay"), run.options.get("before")
    if delay is not None and delay.spread != "none":
        inputs.append(delay.steps)
    if before is not None:
        inputs.append(before)
    return [value for value in inputs if isinstance(value, Tensor)]


def every_step(neurons: int, size: int, exact: bool, multiprocessors: int) -> int:
    """Replacement of `step.launch.most_samples`, where kernels of a step take what they can."""
    return SAMPLES[size][-1]


def gather_always(patch: pytest.MonkeyPatch, most: int = EVERY) -> None:
    """Let layers of any size and length gather, up to so many active neurons."""
    patch.setattr(cluster, "in_clusters", lambda *_: False)
    patch.setattr(resident, "fits", lambda *_: False)
    patch.setattr(ops, "choose_portable", lambda *_: "streamed")
    patch.setattr(strategy, "FEWEST_SMALL_STEPS", 0)
    patch.setattr(planned, "limit", lambda *_: EVERY)
    patch.setattr(gathered_launch, "limit", lambda *_: most)


def error(got: Tensor, expected: Tensor, least: float = 1e-12) -> float:
    """Return the relative error, of norms; a norm below `least` counts as that."""
    scale = expected.norm().clamp_min(least)
    return float(((got.to(expected.dtype) - expected).norm() / scale).detach())


def compare(run: Run, membranes: bool = True) -> None:
    """Spikes exactly where the membrane is not at the threshold, gradients to what weights are."""
    most, rounding = GRADIENTS.get(run.weight_dtype, (5e-5, 2.0**-22))
    expected, subthreshold, leaves = forced(run)
    if run.x.is_cuda:
        torch.cuda.synchronize()
    membrane, wanted_membrane = run.out.membrane.detach(), expected.membrane.detach()
    scale = 1 + float(wanted_membrane.abs().max())
    assert float((membrane - wanted_membrane).abs().max()) <= 1e-5 * scale
    clear = subthreshold.abs() > 1e-4
    assert torch.equal(run.out.spikes[clear].double(), expected.spikes[clear])
    for got, wanted in zip(run.out.state[:-1], expected.state[:-1]):
        assert float((got - wanted).detach().abs().max()) <= 1e-5 * scale
    passed = [torch.randn_like(t) for t in (run.out.spikes, run.out.membrane, *run.out.state)]
    outputs = [run.out.spikes, run.out.membrane, *run.out.state]
    ours = [expected.spikes, expected.membrane, *expected.state]
    if not membranes:
        outputs, ours, passed = outputs[:1], ours[:1], passed[:1]
    grads = torch.autograd.grad(outputs, learnt_inputs(run), passed)
    wanted_grads = torch.autograd.grad(ours, leaves, [g.double() for g in passed])
    # The gradient of weights is a sum over time and samples of terms that are rounded, and that
    # cancel where it has few elements.
    start = torch.zeros_like(expected.spikes[:1]) if run.state is None else run.state.s[None]
    sources = torch.cat([start.to(expected.spikes), expected.spikes[:-1]]).detach()
    terms = wanted_grads[0].abs().flatten(0, 1).t() @ sources.abs().flatten(0, 1)
    for index, (mine, reference) in enumerate(zip(grads, wanted_grads)):
        least = float(terms.norm()) * rounding / most if index == 1 else 1e-12
        off = error(mine, reference, max(least, 1e-12))
        assert off < most, (off, tuple(mine.shape))


def compare_narrow(run: Run) -> None:
    """The numbers are those of the same current in float32, rounded where they leave."""
    dtype = run.x.dtype
    x = run.x.detach().float().requires_grad_()
    wide = run.layer(x, run.weight, weight_dtype=run.weight_dtype, backend="cuda", **run.options)
    assert torch.equal(run.out.spikes, wide.spikes.to(dtype))
    assert torch.equal(run.out.membrane, wide.membrane.to(dtype))
    for mine, reference in zip(run.out.state, wide.state):
        assert torch.equal(mine, reference)
    learnt = [run.weight, *(v for v in run.options.values() if isinstance(v, Tensor))]
    grad = torch.randn_like(run.out.spikes)
    got = torch.autograd.grad(run.out.spikes, [run.x, *learnt], grad)
    expected = torch.autograd.grad(wide.spikes, [x, *learnt], grad.float())
    for mine, reference in zip(got, expected):
        assert error(mine, reference.double()) < 1e-2


def same_twice(*arguments: Any, **options: Any) -> None:
    """Runs of the same inputs give the same bits."""
    first, second = (run(*arguments, **options) for _ in range(2))
    assert torch.equal(first.out.membrane, second.out.membrane)
    grads = [
        torch.autograd.grad(tensor.out.spikes.sum(), (tensor.x, tensor.weight))
        for tensor in (first, second)
    ]
    for grad, other in zip(*grads):
        assert torch.equal(grad, other)


def in_a_graph(
    device: torch.device, steps: int, neurons: int, batch: int = 20, **options: Any
) -> None:
    """Replays of a captured call give what calls do."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        made = run(device, steps, batch, neurons, **options)
        torch.autograd.grad(made.out.spikes.sum(), made.x)
    torch.cuda.synchronize()
    x = made.x.detach().clone().requires_grad_()

    def call(x: Tensor) -> tuple[Tensor, Tensor]:
        out = made.layer(x, made.weight, weight_dtype=made.weight_dtype, backend="cuda")
        return out.membrane, torch.autograd.grad(out.spikes.sum(), x)[0]

    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = call(x)
    for scale in (1.0, 0.5):
        with torch.no_grad():
            x.copy_(made.x * scale)
        graph.replay()
        torch.cuda.synchronize()
        for mine, reference in zip(captured, call(x.detach().clone().requires_grad_())):
            assert torch.equal(mine, reference)


def membranes_in_chunks(
    whole: Run, late: functional.DelaySteps, weight_dtype: torch.dtype
) -> Tensor:
    """Return the membranes [9, B, N] of a sequence that runs in three chunks."""
    state, past, membranes = None, None, []
    for part in whole.x.detach().split((1, 2, 6)):
        out = functional.recurrent_lif(
            part, whole.weight, state, weight_dtype=weight_dtype, delay=late, before=past,
            backend="cuda",
        )  # fmt: skip
        started = torch.zeros_like(out.spikes[:1]) if state is None else state.s[None]
        spikes = torch.cat([started, out.spikes])[:-1]
        past, state = functional.last_steps(spikes, past, late.maximum), out.state
        membranes.append(out.membrane)
    return torch.cat(membranes)
