"""Peers of large recurrent layers: loops over the time steps, dense and sparse, and jax's scan."""

from __future__ import annotations

import importlib
import os
from functools import partial
from typing import Any, Callable, Iterator, Tuple

import torch
from torch import Tensor

from bench import gpu
from bench.lif.subjects import version_of
from bench.rows import Row, spread, wanted

from . import peers
from .limits import WEIGHT_BYTES
from .work import BETA, GATE, Work, row

CALL_SECONDS = 0.25
MOST_GRADIENT_BYTES = 1 << 30  # of a weights' gradient that a loop adds up step by step

Call = Callable[[], object]


def measure(work: Work, activity: str) -> Iterator[Row]:
    """Measure the loops, forward and backward where the weights' gradients fit, and forward.

    Where a loop does not run, a line says why.
    """
    x, weight, grad = work.leaves(torch.bfloat16)
    narrow = x.detach(), weight.detach()
    case = work.case(activity, dense(*narrow), torch.bfloat16)
    for name, metric, make in _subjects(work, x, weight, grad):
        try:
            times = gpu.calibrated(make(), CALL_SECONDS)
        except RuntimeError as error:
            print(f"  {name} is left out: {error}")
            continue
        print(
            f"  N={work.neurons} B={work.batch} {activity} ({case['spikes']}) {name} {metric}: "
            f"{spread(times, 1.0)['median']:.3f} ms",
            flush=True,
        )
        yield row(case, name, torch.bfloat16, metric, times)


def _subjects(
    work: Work, x: Tensor, weight: Tensor, grad: Tensor
) -> Iterator[Tuple[str, str, Callable[[], Call]]]:
    """Yield the name and the metric of each loop, and the function that makes its call."""
    name = f"torch-{torch.__version__}"
    narrow = x.detach(), weight.detach()
    if wanted("torch"):
        if WEIGHT_BYTES * work.neurons**2 <= MOST_GRADIENT_BYTES:
            both = peers.torch_loop(x, weight, grad, peers._step)
            yield f"{name}-graph", "fwd_bwd_ms", partial(gpu.graphed, both)
        yield f"{name}-graph", "fwd_ms", partial(gpu.graphed, partial(dense, *narrow))
        by_source = narrow[1].t().contiguous()
        yield f"{name}-sparse", "fwd_ms", partial(partial, sparse, narrow[0], by_source)
    version = version_of("jax") if wanted("jax") else None
    if version is not None:
        forward, gradients = in_jax(*(tensor.float().cpu() for tensor in (*narrow, grad)))
        for metric, call in (("fwd_bwd_ms", gradients), ("fwd_ms", forward)):
            yield f"jax-{version}", metric, partial(partial, call)


@torch.no_grad()
def dense(x: Tensor, weight: Tensor) -> Tensor:
    """Return the spikes [T, B, N] of a loop with a dense product a step."""
    weight = weight.t()
    v = s = torch.zeros_like(x[0])
    spikes = torch.empty_like(x)
    for t, current in enumerate(x):
        v = BETA * v * (1 - s) + current + s @ weight
        s = (v >= 1).to(x.dtype)
        spikes[t] = s
    return spikes


@torch.no_grad()
def sparse(x: Tensor, by_source: Tensor) -> Tensor:
    """Return the spikes [T, B, N] of a loop with the product of spikes as a CSR matrix a step.

    `by_source` [N, N] has a row of weights for each neuron that fires.
    """
    v = s = torch.zeros_like(x[0])
    spikes = torch.empty_like(x)
    for t, current in enumerate(x):
        v = BETA * v * (1 - s) + current + s.to_sparse_csr() @ by_source
        s = (v >= 1).to(x.dtype)
        spikes[t] = s
    return spikes


def in_jax(x: Tensor, weight: Tensor, grad: Tensor) -> Tuple[Call, Call]:
    """Return the layer as jax's scan in bfloat16: forward, and with its gradients."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # torch needs memory too
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")

    @jax.custom_vjp  # type: ignore[untyped-decorator]
    def fire(v: Any) -> Any:
        return (v >= 1).astype(v.dtype)

    def slope(v: Any, g: Any) -> Tuple[Any]:
        return (jnp.where(v >= GATE, g / jnp.square(10 * jnp.abs(v - 1) + 1), 0).astype(v.dtype),)

    fire.defvjp(lambda v: (fire(v), v), slope)

    def layer(x: Any, weight: Any) -> Any:
        def step(state: Any, current: Any) -> Any:
            v, s = state
            v = BETA * v * (1 - jax.lax.stop_gradient(s)) + current + s @ weight.T
            s = fire(v)
            return (v, s), s

        rest = jnp.zeros_like(x[0])
        return jax.lax.scan(step, (rest, rest), x)[1]

    arrays = [jnp.asarray(tensor.numpy(), dtype=jnp.bfloat16) for tensor in (x, weight, grad)]
    forward = jax.jit(layer)
    both = jax.jit(
        lambda x, weight, grad: jax.grad(
            lambda *leaves: jnp.sum(layer(*leaves) * grad, dtype=jnp.float32), (0, 1)
        )(x, weight)
    )
    return (
        lambda: jax.block_until_ready(forward(*arrays[:2])),
        lambda: jax.block_until_ready(both(*arrays)),
    )
