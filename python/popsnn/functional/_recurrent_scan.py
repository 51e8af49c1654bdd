"""Recurrent scan: a layer whose spikes come back to it, over the time axis."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from .._internal.dispatch import Operator
from ..surrogate import Surrogate, resolve
from ._delays import DelaySteps, RecurrentProduct, check_before, check_delay
from ._parts import distinct, stack
from ._scan import (
    ScanOutput,
    check_currents,
    check_shapes,
    firing,
    first_states,
    in_order,
    state_dtype,
    time_steps,
)
from .neuron import Inputs, Neuron, States


def recurrent_scan(
    operation: str,
    neuron: Neuron,
    current: Inputs,
    recurrent_weight: Tensor,
    state: States | None,
    parameters: dict[str, PerNeuron],
    *,
    recurrent_input: str | None = None,
    delay: DelaySteps | None = None,
    before: Tensor | None = None,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    weight_dtype: torch.dtype | None = None,
    membrane: bool = True,
    return_state: bool = True,
    backend: str = "auto",
) -> ScanOutput:
    """Run neurons over their input current and their own spikes of the step before.

    Its input at step t is current[t] + V s[t-1]. A delay of d steps of a spike puts s[t-1-d] in
    place of s[t-1].

    Parameters
    ----------
    operation : str
        Name for error messages.
    neuron : Neuron
        One that spikes.
    current : float Tensor [T, B, N]
        A neuron of several inputs takes a tuple of them, as in `scan`.
    recurrent_weight : float Tensor [N, N]
        V, to neuron i from neuron j at [i, j]. Where it has 16 bits and lies in memory by columns,
        as `weight.t().contiguous().t()` does, a single step of a few samples on the kernels reads
        only the weights of neurons that spiked.
    state : tuple of Tensor [B, N], optional
        The neuron's states before the first step; default zeros. Its spikes are 0 or 1.
    parameters : dict of float or Tensor
        The neuron's parameters by name; tensors must broadcast to [N].
    recurrent_input : str, optional
        The input of the neuron that V s[t-1] is added to; default its first.
    delay : DelaySteps, optional
        Delays of the spikes in addition to the one step that they take, for weights [N, N].
    before : float Tensor [D, B, N], optional
        With delays of up to D steps, the spikes before those of the state, oldest first; default
        none. After a chunk, they are
        `last_steps(torch.cat([state[-1][None], spikes])[:-1], before, D)`.
    surrogate : Surrogate, optional
        Default `SuperSpike()`.
    grad_threshold : float, optional
        No gradient passes a silent neuron whose membrane lies below; default: it passes all.
    weight_dtype : torch.dtype, optional
        What V is rounded to before it is used, forward and backward; its gradient is that of the
        rounded weights. Default: V as it is. The kernels take three types and add up in float32.
        Of `torch.bfloat16` weights are below 512, and the gradients that V carries back are rounded
        to bfloat16 too. Of `torch.float16` these are rounded to float16, after a scale by a power
        of two that brings the largest of the gradients that come in to between 1/2 and 1: those
        below 2^-25 of it become 0, and where they grow to more than 2^16 of it, gradients are inf
        or NaN. Of `torch.float32` products are exact to 2^-24.
    membrane, return_state : bool
        Whether to return the membrane of every step, and the states after the last one.
    backend : {"auto", "torch", "cuda"}
        "auto" takes the kernels wherever they can run, else the reference. A backend that is
        named runs or raises with the reason. The kernels take neurons of one input, and axonal or
        dendritic delays of whole steps, spread "none" or "straight_through". They take synaptic
        delays of any spread; where a triangle or a Gaussian spreads them, products are of float32.

    Returns
    -------
    ScanOutput
        As of `scan`.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, N], currents are not as many as the neuron's
        inputs or not alike, shapes do not fit or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this, where the GPU has no room for the kernels'
        blocks at once, or where a wait of an earlier call timed out.
    """
    if not neuron.spiking:
        raise ValueError(f"{operation}: neuron: expected one that spikes, got {neuron}")
    first = check_currents(operation, neuron, current, "[T, B, N]")
    _check_inputs(operation, first, recurrent_weight, parameters)
    check_shapes(operation, neuron, first, state, parameters)
    at = 0
    if recurrent_input is not None:
        at = neuron.inputs.index(
            checks.choice(operation, "recurrent_input", recurrent_input, neuron.inputs)
        )
    surrogate = resolve(surrogate)
    dtype = recurrent_weight.dtype if weight_dtype is None else weight_dtype
    if delay is not None:
        check_delay(operation, "delay", delay, first.shape[2], first.shape[2])
    check_before(operation, "before", before, delay, first.shape[1], first.shape[2], first)
    engine = RECURRENT_SCAN.choose(
        operation,
        backend,
        neuron,
        current,
        recurrent_weight,
        weight_dtype=dtype,
        surrogate=surrogate,
        delay=delay,
    )
    out = engine.run(
        neuron,
        current,
        recurrent_weight,
        state,
        parameters,
        recurrent_input=at,
        **({} if delay is None else {"delay": delay, "before": before}),
        weight_dtype=dtype,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        membrane=membrane,
        return_state=return_state,
    )
    return ScanOutput(*out)


def _reference(
    neuron: Neuron,
    current: Inputs,
    recurrent_weight: Tensor,
    state: States | None,
    parameters: dict[str, PerNeuron],
    *,
    recurrent_input: int,
    weight_dtype: torch.dtype,
    surrogate: Surrogate,
    grad_threshold: float | None,
    membrane: bool,
    return_state: bool,
    delay: DelaySteps | None = None,
    before: Tensor | None = None,
) -> ScanOutput:
    fire = firing(surrogate, grad_threshold)
    first = current[0] if isinstance(current, tuple) else current
    dtype = state_dtype(first.dtype)
    weight = _Rounded.apply(recurrent_weight, weight_dtype).to(dtype)
    begun = first_states(neuron, state, first, dtype)
    values = in_order(neuron, parameters, begun)
    states = begun
    product = RecurrentProduct(weight, delay, before)
    trace: list[States] = []
    for x in time_steps(current, dtype):
        recurrent = product(states[-1])
        total: Inputs
        if isinstance(x, tuple):
            at = recurrent_input
            total = (*x[:at], x[at] + recurrent, *x[at + 1 :])
        else:
            total = x + recurrent
        states = neuron.advance(total, states, values, fire)
        trace.append(states)
    return ScanOutput(
        stack([tensor[-1] for tensor in trace], first).to(first.dtype),
        stack([tensor[neuron.membrane] for tensor in trace], first).to(first.dtype)
        if membrane
        else None,
        distinct(states, (*begun, *(state or ()))) if return_state else (),
    )


RECURRENT_SCAN = Operator(_reference)


class _Rounded(torch.autograd.Function):
    """A tensor rounded to another type and back, whose gradient passes as it is."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, dtype: torch.dtype) -> Tensor:
        return x.to(dtype).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return grad, None


def _check_inputs(
    operation: str, current: Tensor, weight: Tensor, parameters: dict[str, PerNeuron]
) -> None:
    if current.dim() != 3:
        raise ValueError(
            f"{operation}: current: expected shape [T, B, N], got {tuple(current.shape)}"
        )
    neurons = current.shape[2]
    if not isinstance(weight, Tensor) or not weight.is_floating_point():
        got = weight.dtype if isinstance(weight, Tensor) else type(weight).__name__
        raise TypeError(f"{operation}: recurrent_weight: expected a float tensor, got {got}")
    if tuple(weight.shape) != (neurons, neurons):
        raise ValueError(
            f"{operation}: recurrent_weight: expected shape {(neurons, neurons)} for {neurons} "
            f"neurons, got {tuple(weight.shape)}"
        )
    for name, value in parameters.items():
        if isinstance(value, Tensor) and tuple(value.shape) not in ((), (1,), (neurons,)):
            raise ValueError(
                f"{operation}: {name}: expected a float or a tensor of shape ({neurons},), "
                f"got shape {tuple(value.shape)}"
            )
