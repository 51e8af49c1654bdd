"""The layer of `bench.recurrent` as a loop over the steps, in plain torch and other libraries."""

from __future__ import annotations

import importlib
from typing import Any, Callable, Iterator

import torch
from torch import Tensor

from bench.gpu import graphed, milliseconds
from bench.lif.subjects import norse_parameters, version_of
from bench.rows import Row, spread

from .work import BETA, GATE, Work, row

Call = Callable[[], "tuple[Tensor, ...]"]


def measure(work: Work, activity: str) -> Iterator[Row]:
    """Measure the reference step by step, as a CUDA graph, and compiled as a CUDA graph."""
    x, weight, grad = work.leaves(torch.float32)
    spikes = torch_loop(x, weight, grad, _step)()[0]
    case = work.case(activity, spikes)
    yield from in_torch(work, case, _step)
    for library, loop in (("norse", _norse), ("snntorch", _snntorch)):
        version = version_of(library)
        if version is None:
            continue
        times = milliseconds(loop(x, weight, grad), 5, 2)
        print(f"  {library}-{version}: {spread(times, 1.0)['median']:.1f} ms")
        yield row(case, f"{library}-{version}", torch.float32, "fwd_bwd_ms", times)


def in_torch(
    work: Work, case: dict[str, object], step: Callable[..., Any], states: int = 2
) -> Iterator[Row]:
    """Measure a step of plain torch over all steps: called, as a CUDA graph, and compiled."""
    name = f"torch-{torch.__version__}"
    wide, narrow = work.leaves(torch.float32), work.leaves(torch.bfloat16)
    times = milliseconds(torch_loop(*wide, step, states), 5, 2)
    yield row(case, f"{name}-eager", torch.float32, "fwd_bwd_ms", times)
    call = graphed(torch_loop(*narrow, step, states))
    yield row(case, f"{name}-graph", torch.bfloat16, "fwd_bwd_ms", milliseconds(call, 10))
    torch.compiler.reset()
    call = graphed(torch_loop(*narrow, torch.compile(step), states))
    times = milliseconds(call, 10)
    print(f"  {name}-compiled-graph: {spread(times, 1.0)['median']:.2f} ms")
    yield row(case, f"{name}-compiled-graph", torch.bfloat16, "fwd_bwd_ms", times)


class _Spike(torch.autograd.Function):
    """A spike, the surrogate's derivative above the gradient threshold."""

    @staticmethod
    def forward(ctx: Any, v: Tensor) -> Tensor:
        ctx.save_for_backward(v)
        return (v >= 1.0).to(v.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (v,) = ctx.saved_tensors
        return torch.where(v >= GATE, grad * (10.0 * (v - 1.0).abs() + 1.0).pow(-2), 0.0)


def _step(x: Tensor, v: Tensor, s: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    v = BETA * v * (1.0 - s.detach()) + x + s @ weight.t()
    return v, _Spike.apply(v)


def torch_loop(
    x: Tensor, weight: Tensor, grad: Tensor, step: Callable[..., Any], states: int = 2
) -> Call:
    """Return the loop over the steps, forward and backward; the last state is the spikes."""

    def call() -> tuple[Tensor, ...]:
        state = (torch.zeros_like(x[0]),) * states
        spikes = []
        for current in x:
            state = step(current, *state, weight)
            spikes.append(state[-1])
        out = torch.stack(spikes)
        return (out.detach(), *torch.autograd.grad(out, (x, weight), grad))

    return call


def _norse(x: Tensor, weight: Tensor, grad: Tensor) -> Call:
    functions = importlib.import_module("norse.torch.functional.lif_box")
    parameters = norse_parameters()

    def step(current: Tensor, v: Tensor, s: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        state = functions.LIFBoxFeedForwardState(v=v)
        s, state = functions.lif_box_feed_forward_step(current + s @ weight.t(), state, parameters)
        return state.v, s

    return torch_loop(x, weight, grad, step)


def _snntorch(x: Tensor, weight: Tensor, grad: Tensor) -> Call:
    library = importlib.import_module("snntorch")
    layer = library.Leaky(beta=BETA, reset_mechanism="zero").cuda()

    def step(current: Tensor, v: Tensor, s: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        s, v = layer(current + s @ weight.t(), v)
        return v, s

    return torch_loop(x, weight, grad, step)
