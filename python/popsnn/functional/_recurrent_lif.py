"""Recurrent LIF: a layer whose spikes come back to it one step later."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from .. import _check, cuda
from .._check import PerNeuron
from ..surrogate import Surrogate, resolve, spike
from ._lif import LIFOutput, LIFState
from ._parts import stack
from ._scan import BACKENDS, check_current, check_shapes, state_dtype
from .neuron import LIF

_NAME = "functional.recurrent_lif"


def recurrent_lif(
    current: Tensor,
    recurrent_weight: Tensor,
    state: LIFState | None = None,
    *,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    reset: str = "zero",
    detach_reset: bool = True,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    weight_dtype: torch.dtype | None = None,
    membrane: bool = True,
    return_state: bool = True,
    backend: str = "auto",
) -> LIFOutput:
    """Run leaky integrate-and-fire neurons over their input current and their own spikes.

        v[t] = beta r(v[t-1], s[t-1]) + current[t] + V s[t-1],  s[t] = v[t] >= threshold

    Parameters
    ----------
    current : float Tensor [T, B, N]
    recurrent_weight : float Tensor [N, N]
        V, to neuron i from neuron j at [i, j].
    state : LIFState of [B, N], optional
        Default: at rest, no spikes. Its spikes are 0 or 1.
    beta, threshold : float or Tensor
        The leak and the threshold; tensors must broadcast to [N].
    reset : {"zero", "subtract", "none"}
        Takes effect one step after the spike.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate : Surrogate, optional
        Default `SuperSpike()`.
    grad_threshold : float, optional
        No gradient passes a silent neuron whose membrane lies below; default: it passes all.
    weight_dtype : torch.dtype, optional
        What V is rounded to before it is used, forward and backward; its gradient is that of the
        rounded weights. Default: V as it is. The kernels take two types and add up in float32:
        `torch.bfloat16`, where weights are below 512 and the gradients that V carries back are
        rounded to bfloat16 too, and `torch.float32`, where products are exact to 2^-26.
    membrane, return_state : bool
        Whether the output has a membrane and a state; without them the fields are None.
    backend : {"auto", "torch", "cuda"}
        "auto" takes the kernels wherever they can run, else the definition. A backend that is
        named runs or raises with the reason.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, N], shapes do not fit or an option is out of
        range.
    RuntimeError
        Where the backend is named and cannot run this, where the GPU has no room for the kernels'
        blocks at once, or where one of them gave up waiting for another in an earlier call.
    """
    _check.reset(_NAME, reset)
    check_current(_NAME, current)
    _check_inputs(current, recurrent_weight, beta=beta, threshold=threshold)
    neuron = LIF(reset, detach_reset)
    parameters = {"beta": beta, "threshold": threshold}
    check_shapes(_NAME, neuron, current, state, parameters)
    surrogate = resolve(surrogate)
    rounded = recurrent_weight.dtype if weight_dtype is None else weight_dtype
    reason = None
    if _check.choice(_NAME, "backend", backend, BACKENDS) != "torch":
        reason = cuda.recurrent_unsupported(current, recurrent_weight, rounded, surrogate)
        if reason is None:
            spikes, trace, last = cuda.recurrent(
                neuron,
                current,
                recurrent_weight,
                state,
                (beta, threshold),
                weight_dtype=rounded,
                surrogate=surrogate,
                grad_threshold=grad_threshold,
                membrane=membrane,
                final=return_state,
            )
            return LIFOutput(spikes, trace, LIFState(*last) if return_state else None)  # type: ignore[arg-type]
        if backend == "cuda":
            raise RuntimeError(f"{_NAME}: backend 'cuda' cannot run this: {reason}")

    def fire(v: Tensor, level: PerNeuron) -> Tensor:
        fired = v >= level
        listed = None if grad_threshold is None else fired | (v >= grad_threshold)
        return spike(v - level, fired, listed, surrogate=surrogate)

    dtype = state_dtype(current.dtype)
    weight = _Rounded.apply(recurrent_weight, rounded).to(dtype)
    values = tuple(p.to(dtype) if isinstance(p, Tensor) else p for p in (beta, threshold))
    if state is None:
        rest = torch.zeros(current.shape[1:], dtype=dtype, device=current.device)
        state = LIFState(rest, rest)
    states: tuple[Tensor, ...] = tuple(one.to(dtype) for one in state)
    v: list[Tensor] = []
    s: list[Tensor] = []
    for x in current.to(dtype):
        states = neuron.step(x + linear(states[1], weight), states, values, fire)
        v.append(states[0])
        s.append(states[1])
    return LIFOutput(
        stack(s, current).to(current.dtype),
        stack(v, current).to(current.dtype) if membrane else None,  # type: ignore[arg-type]
        LIFState(*states) if return_state else None,  # type: ignore[arg-type]
    )


class _Rounded(torch.autograd.Function):
    """A tensor rounded to another type and back, whose gradient passes as it is."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, dtype: torch.dtype) -> Tensor:
        return x.to(dtype).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return grad, None


def _check_inputs(current: Tensor, weight: Tensor, **parameters: PerNeuron) -> None:
    if current.dim() != 3:
        raise ValueError(f"{_NAME}: current: expected shape [T, B, N], got {tuple(current.shape)}")
    neurons = current.shape[2]
    if not isinstance(weight, Tensor) or not weight.is_floating_point():
        got = weight.dtype if isinstance(weight, Tensor) else type(weight).__name__
        raise TypeError(f"{_NAME}: recurrent_weight: expected a float tensor, got {got}")
    if tuple(weight.shape) != (neurons, neurons):
        raise ValueError(
            f"{_NAME}: recurrent_weight: expected shape {(neurons, neurons)} for {neurons} "
            f"neurons, got {tuple(weight.shape)}"
        )
    for name, value in parameters.items():
        if isinstance(value, Tensor) and tuple(value.shape) not in ((), (1,), (neurons,)):
            raise ValueError(
                f"{_NAME}: {name}: expected a float or a tensor of shape ({neurons},), "
                f"got shape {tuple(value.shape)}"
            )
