"""Temporal fusion: the whole time axis of an elementwise neuron in one kernel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Mapping

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from ..._internal.checks import PerNeuron
from ...surrogate import Custom, Surrogate
from ..device import ops
from ..device.availability import MISSING
from ..device.program import TYPES
from . import launch as scan_launch
from . import ops as scan_ops
from .launch import ScanOptions

if TYPE_CHECKING:
    from ...functional.neuron import Neuron, States


def unsupported(neuron: Neuron, current: Tensor, surrogate: Surrogate) -> str | None:
    """Return why the kernels cannot run this, or None where they can."""
    if current.dtype not in TYPES:
        return f"the current is {current.dtype}, not float32, bfloat16 or float16"
    reason = without_source(neuron)
    if reason is not None:
        return reason
    if neuron.spiking:
        reason = without_slope(surrogate)
        if reason is not None:
            return reason
    if not current.is_cuda:
        return f"the current is on {current.device}, not on a CUDA device"
    return MISSING


def without_source(neuron: Neuron) -> str | None:
    """Return why there is no C++ of a neuron, or None where there is."""
    try:
        source = neuron.cuda_source
    except NotImplementedError as error:
        return str(error)
    return f"{type(neuron).__name__} has no CUDA lines" if source is None else None


def without_slope(surrogate: Surrogate) -> str | None:
    """Return why there is no C++ of a surrogate, or None where there is."""
    try:
        source = surrogate.cuda_source
    except NotImplementedError as error:
        return str(error)
    return f"the surrogate {surrogate.name} has no CUDA expression" if source is None else None


def scan(
    neuron: Neuron,
    current: Tensor,  # [T, B, ...]
    state: States | None,  # of [B, ...]
    parameters: Mapping[str, PerNeuron],
    *,
    surrogate: Surrogate,
    grad_threshold: float | None,
    membrane: bool,
    spikes: str,
    final: bool,
) -> tuple[Tensor | None, Tensor | None, States]:
    """Run what `functional.scan` says on the kernels; no states come back unless `final`."""
    x = current
    # a byte holds eight neurons that follow each other in row-major order, whatever memory says
    order = None if spikes == "bits" else memory_order(x)
    if order is None:
        x = x.contiguous()
    inside = x.shape[1:] if order is None else torch.Size([x.shape[i] for i in order])
    traced = ops.traced(x)
    if traced:  # the operators are over [T, N]
        x = x if order is None else x.permute(0, *order)
        x = x.reshape(x.shape[0], inside.numel())

    flat, indices, inners, values = [], [], [], []
    for index, name in enumerate(neuron.parameters):  # as the kernel's `Parameter` counts them
        p = parameters[name]
        if isinstance(p, Tensor):
            elements, inner = _flat_parameter(p, inside, order)
            flat.append(elements)
            indices.append(index)
            inners.append(inner)
            values.append(0.0)
        else:
            values.append(float(p))
    initial = [flat_state(value, order) for value in state or ()]
    spiking, added = neuron.spiking, neuron.added
    at = len(neuron.states) - spiking
    if initial and added:  # states that backward needs, which no step reads
        rest = [torch.zeros_like(initial[0]) for _ in range(added)]
        initial[at:at] = rest
    options = ScanOptions(
        str(neuron.cuda_source),
        len(neuron.states) + added,
        at + added,
        tuple(indices),
        tuple(inners),
        tuple(values),
        spikes if spiking else "none",
        membrane or not spiking,
        final,
        neuron.carried,
        gradient_source(neuron, surrogate, grad_threshold is not None),
        parameter_of(surrogate) if spiking else 0.0,
        -math.inf if grad_threshold is None else grad_threshold,
    )
    tensors = (x, *initial, *flat)
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
        out, trace, *last = _Scan.apply(options, traced, len(initial), *tensors)
    else:
        run = scan_ops.run_forward if traced else scan_launch.forward
        out, trace, last, _ = run(options, x, initial, flat, False)
    last = [*last[:at], *last[at + added :]]
    if traced:
        trace = shaped(trace, inside, order) if options.membrane else None
        if not spiking:
            out = None
        elif spikes != "bits":
            out = shaped(out, inside, order)
    return (
        out,
        trace,
        tuple(shaped(tensor.unsqueeze(0), inside, order).squeeze(0) for tensor in last),
    )


class _Scan(torch.autograd.Function):
    """x, initial states [N] and flat parameters to spikes, membrane and final states [N].

    x is [T, N] where somebody watches the operators, else [T, B, ...], dense, time outermost.
    """

    @staticmethod
    def forward(
        ctx: Any, options: ScanOptions, traced: bool, initial: int, *tensors: Tensor
    ) -> tuple[Tensor | None, ...]:
        # Gradients of outputs that are not used stay None: zeros would be read like any other.
        ctx.set_materialize_grads(False)
        x, *rest = tensors
        run = scan_ops.run_forward if traced else scan_launch.forward
        spikes, membrane, final, checkpoints = run(options, x, rest[:initial], rest[initial:], True)
        ctx.save_for_backward(checkpoints, *tensors)
        ctx.options, ctx.traced, ctx.initial = options, traced, initial
        if spikes is not None and not spikes.is_floating_point():
            ctx.mark_non_differentiable(spikes)
        return (spikes, membrane, *final)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        options: ScanOptions = ctx.options
        checkpoints, x, *rest = ctx.saved_tensors
        initial, parameters = rest[: ctx.initial], rest[ctx.initial :]
        grad_spikes, grad_membrane, *grad_final = grads
        after: list[Tensor] = []
        if any(tensor is not None for tensor in grad_final):
            neurons = x.shape[1:].numel()
            after = [
                x.new_zeros(neurons, dtype=torch.float32) if tensor is None else tensor.contiguous()
                for tensor in grad_final
            ]
        wanted = ctx.needs_input_grad[3:]
        learn = any(wanted[1 + ctx.initial :])
        if options.form != "float":
            grad_spikes = None
        if not options.membrane:
            grad_membrane = None
        run = scan_ops.run_backward if ctx.traced else scan_launch.backward
        alike = not ctx.traced and _alike(x, grad_spikes, grad_membrane)
        grad_x, grad_initial, grad_parameters = run(
            options,
            x,
            initial,
            parameters,
            checkpoints,
            _rows(grad_spikes, x, alike),
            _rows(grad_membrane, x, alike),
            after,
            learn,
            any(wanted[1 : 1 + ctx.initial]),
        )
        no_initial = [None] * len(initial)
        no_parameters = [None] * len(parameters)
        return (
            *(None, None, None, grad_x),
            *(grad_initial or no_initial),
            *(grad_parameters if learn else no_parameters),
        )


def laid_out(tensor: Tensor, x: Tensor) -> Tensor:
    """Return a tensor of the shape of x in the memory order of x, which is dense."""
    if x.is_contiguous():
        return tensor.contiguous()
    return tensor if tensor.stride() == x.stride() else torch.empty_like(x).copy_(tensor)


def _alike(x: Tensor, *grads: Tensor | None) -> bool:
    """Whether the gradients are one step over and over, as those of a mean over time are."""
    return x.shape[0] > 1 and all(grad is None or grad.stride(0) == 0 for grad in grads)


def _rows(grad: Tensor | None, x: Tensor, alike: bool) -> Tensor | None:
    if grad is None:
        return None
    return laid_out(grad[:1], x[:1]) if alike else laid_out(grad, x)


def gradient_source(neuron: Neuron, surrogate: Surrogate, gated: bool) -> str:
    """Return C++ that declares `Gradient`, the derivative of a spike by the membrane."""
    source = surrogate.cuda_source if neuron.spiking else "using Shape = popsnn::Rectangle; "
    return f"{source}using Gradient = popsnn::Gradient<Shape, {'true' if gated else 'false'}>;"


def parameter_of(surrogate: Surrogate) -> float:
    """Return the slope or width that the kernels get; 0 where the surrogate has none."""
    return 0.0 if isinstance(surrogate, Custom) else surrogate.parameter


def memory_order(x: Tensor) -> list[int] | None:
    """Return the dimensions 1, 2, ... of x as they lie in memory, outermost first.

    None stands for 1, 2, ...; where x is not dense with time as its outermost dimension the order
    is that too, and the caller must copy.
    """
    if x.is_contiguous():
        return None
    stride = x.stride()
    order = sorted(range(1, x.dim()), key=lambda i: (-stride[i], i))
    return order if x.permute(0, *order).is_contiguous() else None


def shaped(tensor: Tensor, inside: torch.Size, order: list[int] | None) -> Tensor:
    """Return [T, N] as [T, B, ...]."""
    tensor = tensor.view(tensor.shape[0], *inside)
    if order is None:
        return tensor
    back = [0] * len(order)
    for index, dimension in enumerate(order):
        back[dimension - 1] = index + 1
    return tensor.permute(0, *back)


def _inner(tensor: Tensor, order: list[int] | None) -> Tensor:
    """Return [B, ...] with its dimensions as the memory of the current has them."""
    return tensor if order is None else tensor.permute(*(i - 1 for i in order))


def flat_state(tensor: Tensor, order: list[int] | None) -> Tensor:
    """Return a state [B, ...] as float32 [N], in the memory order of the current."""
    return _inner(tensor, order).to(torch.float32).reshape(-1)


def _flat_parameter(p: Tensor, inside: torch.Size, order: list[int] | None) -> tuple[Tensor, int]:
    """Return the elements of p and how many neurons in a row of memory have the same.

    `p` must broadcast to [B, ...], and `inside` is [B, ...] as it lies in memory. Where the
    elements repeat otherwise than the whole of p over and over, each for as many neurons, p is
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
