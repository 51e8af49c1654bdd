"""Temporal fusion: the whole time axis of an elementwise neuron in one kernel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Tuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from .._check import PerNeuron
from ..surrogate import Custom, Surrogate
from . import ops
from .availability import MISSING
from .program import TYPES

if TYPE_CHECKING:
    from ..functional.neuron import Neuron, States


def unsupported(neuron: Neuron, current: Tensor, surrogate: Surrogate) -> str | None:
    """Return why the kernels cannot run this, or None where they can."""
    if current.dtype not in TYPES:
        return f"the current is {current.dtype}, not float32, bfloat16 or float16"
    if neuron.cuda_source is None:
        return f"{type(neuron).__name__} has no CUDA lines"
    if neuron.spiking and surrogate.cuda_source is None:
        return f"the surrogate {surrogate.name} has no CUDA expression"
    if not current.is_cuda:
        return f"the current is on {current.device}, not on a CUDA device"
    return MISSING


class _Options(NamedTuple):
    """What a scan is but for its tensors."""

    neuron: str
    states: int
    kept: int
    slots: Tuple[int, ...]  # which parameters are tensors
    inners: Tuple[int, ...]  # neuron n has the element (n // inner) % numel
    values: Tuple[float, ...]  # of the others
    gradient: str
    surrogate: float
    gate: float
    form: str
    membrane: bool
    final: bool


def scan(
    neuron: Neuron,
    current: Tensor,  # [T, B, ...]
    state: States | None,  # of [B, ...]
    parameters: tuple[PerNeuron, ...],
    *,
    surrogate: Surrogate,
    grad_threshold: float | None,
    membrane: bool,
    spikes: str,
    final: bool,
) -> tuple[Tensor | None, Tensor | None, States]:
    """Run what `functional.scan` says on the kernels; no states come back unless `final`."""
    order = _memory_order(current)
    x = current if order is None else current.permute(0, *order)
    inside = x.shape[1:]
    x = x.reshape(x.shape[0], inside.numel()).contiguous()

    flat, inners = [], []
    for p in parameters:
        if isinstance(p, Tensor):
            values, inner = _flat_parameter(p, inside, order)
            flat.append(values)
            inners.append(inner)
    initial = [_flat_state(one, order) for one in state or ()]
    options = _Options(
        neuron=str(neuron.cuda_source),
        states=len(neuron.states),
        kept=len(neuron.states) - neuron.spiking,
        slots=tuple(i for i, p in enumerate(parameters) if isinstance(p, Tensor)),
        inners=tuple(inners),
        values=tuple(0.0 if isinstance(p, Tensor) else float(p) for p in parameters),
        gradient=_gradient(neuron, surrogate, grad_threshold is not None),
        surrogate=_parameter(surrogate) if neuron.spiking else 0.0,
        gate=-math.inf if grad_threshold is None else grad_threshold,
        form=spikes if neuron.spiking else "none",
        membrane=membrane or not neuron.spiking,
        final=final,
    )
    tensors = (x, *initial, *flat)
    if torch.is_grad_enabled() and any(one.requires_grad for one in tensors):
        out, trace, *last = _Scan.apply(options, len(initial), *tensors)
    else:
        out, trace, last, _ = _forward(options, len(initial), tensors, save=False)
    if not neuron.spiking:
        out = None
    elif spikes != "bits":
        out = _shaped(out, inside, order)
    return (
        out,
        _shaped(trace, inside, order) if options.membrane else None,
        tuple(_shaped(one.unsqueeze(0), inside, order).squeeze(0) for one in last),
    )


def _forward(
    options: _Options, initial: int, tensors: tuple[Tensor, ...], save: bool
) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    x, *rest = tensors
    return ops.scan_forward(
        x,
        rest[:initial],
        rest[initial:],
        options.slots,
        options.inners,
        options.values,
        options.neuron,
        options.states,
        options.kept,
        options.form,
        options.membrane,
        options.final,
        save,
    )


class _Scan(torch.autograd.Function):
    """x [T, N], initial states [N] and flat parameters to spikes, membrane and final states."""

    @staticmethod
    def forward(ctx: Any, options: _Options, initial: int, *tensors: Tensor) -> tuple[Tensor, ...]:
        # Gradients of outputs that are not used stay None: zeros would be read like any other.
        ctx.set_materialize_grads(False)
        spikes, membrane, final, checkpoints = _forward(options, initial, tensors, save=True)
        ctx.save_for_backward(checkpoints, *tensors)
        ctx.options, ctx.initial = options, initial
        if not spikes.is_floating_point():
            ctx.mark_non_differentiable(spikes)
        return (spikes, membrane, *final)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        options: _Options = ctx.options
        checkpoints, x, *rest = ctx.saved_tensors
        initial, parameters = rest[: ctx.initial], rest[ctx.initial :]
        grad_spikes, grad_membrane, *grad_final = grads
        if any(one is not None for one in grad_final):
            grad_final = [
                x.new_zeros(x.shape[1], dtype=torch.float32) if one is None else one.contiguous()
                for one in grad_final
            ]
        else:
            grad_final = []
        wanted = ctx.needs_input_grad[2:]
        learn = any(wanted[1 + ctx.initial :])
        grad_x, grad_initial, grad_parameters = ops.scan_backward(
            x,
            initial,
            parameters,
            options.slots,
            options.inners,
            options.values,
            checkpoints,
            _rows(grad_spikes, options.form == "float"),
            _rows(grad_membrane, options.membrane),
            grad_final,
            options.neuron,
            options.states,
            options.kept,
            options.gradient,
            options.surrogate,
            options.gate,
            learn,
            any(wanted[1 : 1 + ctx.initial]),
        )
        no_initial = [None] * len(initial)
        no_parameters = [None] * len(parameters)
        return (
            *(None, None, grad_x),
            *(grad_initial or no_initial),
            *(grad_parameters if learn else no_parameters),
        )


def _rows(grad: Tensor | None, there: bool) -> Tensor | None:
    return grad.contiguous() if grad is not None and there else None


def _gradient(neuron: Neuron, surrogate: Surrogate, gated: bool) -> str:
    """Return C++ that declares `Gradient`, the derivative of a spike by the membrane."""
    source = str(surrogate.cuda_source) if neuron.spiking else "using Shape = popsnn::Rectangle; "
    return f"{source}using Gradient = popsnn::Gradient<Shape, {str(gated).lower()}>;"


def _parameter(surrogate: Surrogate) -> float:
    return 0.0 if isinstance(surrogate, Custom) else surrogate.parameter


def _memory_order(x: Tensor) -> list[int] | None:
    """Return the dimensions 1, 2, ... of x as they lie in memory, outermost first.

    None stands for 1, 2, ...; where x is not dense with time as its outermost dimension the order
    is that too, and the caller must copy.
    """
    if x.is_contiguous():
        return None
    stride = x.stride()
    order = sorted(range(1, x.dim()), key=lambda i: (-stride[i], i))
    return order if x.permute(0, *order).is_contiguous() else None


def _shaped(one: Tensor, inside: torch.Size, order: list[int] | None) -> Tensor:
    """Return [T, N] as [T, B, ...]."""
    one = one.view(one.shape[0], *inside)
    if order is None:
        return one
    back = [0] * len(order)
    for place, dimension in enumerate(order):
        back[dimension - 1] = place + 1
    return one.permute(0, *back)


def _inner(one: Tensor, order: list[int] | None) -> Tensor:
    """Return [B, ...] with its dimensions as the memory of the current has them."""
    return one if order is None else one.permute(*(i - 1 for i in order))


def _flat_state(one: Tensor, order: list[int] | None) -> Tensor:
    return _aligned(_inner(one, order).to(torch.float32).reshape(-1))


def _flat_parameter(p: Tensor, inside: torch.Size, order: list[int] | None) -> tuple[Tensor, int]:
    """Return the elements of p and how many neurons in a row of memory share one.

    `p` must broadcast to [B, ...], and `inside` is [B, ...] as it lies in memory. Where the
    elements repeat in another way than the whole of p over and over, each for as many neurons, p is
    expanded.
    """
    p = p.to(torch.float32)
    p = _inner(p.reshape((1,) * (len(inside) - p.dim()) + tuple(p.shape)), order)
    varies = [i for i, size in enumerate(p.shape) if size > 1]
    if not varies:
        return p.reshape(1), 1
    first, last = varies[0], varies[-1]
    p = p.reshape(p.shape[first : last + 1]).expand(inside[first : last + 1])
    return p.reshape(-1).contiguous(), inside[last + 1 :].numel()


def _aligned(one: Tensor) -> Tensor:
    """Return a tensor that starts at 16 bytes, as allocations do and views need not."""
    return one.clone() if one.storage_offset() * one.element_size() % 16 else one
