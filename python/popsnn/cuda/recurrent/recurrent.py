"""A recurrent layer of spiking neurons: all steps in one persistent kernel a direction."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import torch
from torch import Tensor

from ..._internal.checks import PerNeuron
from ..._internal.decorators import once_differentiable
from ...surrogate import Surrogate
from ..device.availability import MISSING
from ..device.program import TYPES, gradient_source, parameter_of, without_slope
from ..device.properties import capability
from . import ops as recurrent_ops
from .arguments import RecurrentOptions
from .delays import Delays
from .step.launch import by_columns

if TYPE_CHECKING:
    from ...functional.neuron import Inputs, Neuron, States

WEIGHTS = (torch.float32, torch.bfloat16, torch.float16)
OLDEST = (8, 0)  # compute capability: 16 x 8 x 16 products of 16 bits, and asynchronous copies


def recurrent_unsupported(
    neuron: Neuron,
    current: Inputs,  # [T, B, N]
    weight: Tensor,  # [N, N]
    weight_dtype: torch.dtype,
    surrogate: Surrogate,
) -> str | None:
    """Return why the kernels cannot run this, or None where they can."""
    if isinstance(current, tuple):
        names = ", ".join(neuron.inputs)
        return f"recurrent kernels take neurons of one input, {neuron} has {names}"
    if current.dtype not in TYPES:
        return f"the current is {current.dtype}, not float32, bfloat16 or float16"
    for what, dtype in (("are", weight.dtype), ("are taken as", weight_dtype)):
        if dtype not in WEIGHTS:
            return f"the recurrent weights {what} {dtype}, not float32, bfloat16 or float16"
    reason = neuron.translation().reason
    if reason is not None:
        return reason
    reason = without_slope(surrogate)
    if reason is not None:
        return reason
    for name, tensor in (("current is", current), ("recurrent weights are", weight)):
        if not tensor.is_cuda:
            return f"the {name} on {tensor.device}, not on a CUDA device"
    have = capability(current.device)
    if have < OLDEST:
        return too_old(have)
    return MISSING


def too_old(capability: tuple[int, int]) -> str:
    """Return why a GPU runs no recurrent kernel."""
    return "compute capability 8.0 or more is needed, this GPU has {}.{}".format(*capability)


def recurrent(
    neuron: Neuron,
    current: Tensor,  # [T, B, N]
    weight: Tensor,  # [N, N], of synaptic delays `tap_weights`
    state: States | None,  # of [B, N]
    parameters: Mapping[str, PerNeuron],  # tensors broadcast to [N]
    *,
    recurrent_input: int,  # 0, as of all neurons of one input
    weight_dtype: torch.dtype,
    surrogate: Surrogate,
    grad_threshold: float | None,
    membrane: bool,
    return_state: bool,
    delays: Delays | None = None,
    bias: Tensor | None = None,  # float32 [N], of the current
    of_current: Tensor | None = None,  # [T, B, N], of 16 bits and without memory
) -> tuple[Tensor, Tensor | None, States]:
    """Run a call of `functional.recurrent_scan` that is not `recurrent_unsupported`.

    Axonal and dendritic delays are whole where they are used; their tensors float32, and
    differentiable. With `of_current`, which needs that there are none, its gradient is that of the
    current, and spikes and their gradients have its type too.
    """
    neurons = current.shape[-1]
    in_order = [parameters[name] for name in neuron.parameters]
    flat = flat_parameters(in_order, neurons)
    translation = neuron.translation()
    added = translation.added
    at = len(neuron.states) - 1
    initial = initial_states(state, at, added)
    options = RecurrentOptions(
        neuron=str(translation.source),
        states=len(neuron.states) + added,
        tensor_indices=tuple(i for i, p in enumerate(in_order) if isinstance(p, Tensor)),
        values=tuple(0.0 if isinstance(p, Tensor) else float(p) for p in in_order),
        gradient=gradient_source(neuron, surrogate, grad_threshold is not None),
        surrogate=parameter_of(surrogate),
        grad_threshold=-math.inf if grad_threshold is None else grad_threshold,
        membrane=membrane,
        final=return_state,
        exact=weight_dtype == torch.float32,
        delay="" if delays is None else delays.kind,
        longest=0 if delays is None else delays.longest,
        learn_delay=delays is not None and delays.learn,
        whole_delay=delays is not None and delays.whole,
        half=weight_dtype == torch.float16,
        narrow=of_current is not None,
    )
    if bias is not None:
        options, flat = options.with_bias(), [*flat, bias.contiguous()]
    if not by_columns(weight):  # which single steps and layers that gather can read
        weight = weight.contiguous()
    of_delays = [] if delays is None else [tensor.contiguous() for tensor in delays.tensors]
    tensors = (current.contiguous(), weight, *initial, *flat, *of_delays)
    counts = (len(initial), len(flat))
    learnt = tensors if of_current is None else (of_current, *tensors)
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in learnt):
        spikes, trace, *last = _Recurrent.apply(options, counts, of_current, *tensors)
    else:
        out = _forward(options, counts, tensors, membrane, False, False)
        spikes, trace, last, *_ = out
    last = [*last[:at], *last[at + added :]]
    return spikes, trace.to(current.dtype) if membrane else None, tuple(last)


def flat_parameters(in_order: Sequence[PerNeuron], neurons: int) -> list[Tensor]:
    """Return those that are tensors, float32 [N]."""
    tensors = (p for p in in_order if isinstance(p, Tensor))
    return [p.to(torch.float32).expand(neurons).contiguous() for p in tensors]


def initial_states(state: States | None, at: int, added: int) -> list[Tensor]:
    """Return the states before the first step, float32 [B, N] each, or none at rest.

    From `at` on are those that backward needs in addition, which no step reads.
    """
    initial = [value.to(torch.float32).contiguous() for value in state or ()]
    if initial:
        initial[at:at] = [torch.zeros_like(initial[0]) for _ in range(added)]
    return initial


def final_gradients(grads: Sequence[Tensor | None], x: Tensor) -> list[Tensor]:
    """Return the gradients of the last states, float32 [B, N] each, or none where none came."""
    if all(grad is None for grad in grads):
        return []
    return [
        x.new_zeros(x.shape[1:], dtype=torch.float32) if grad is None else grad.contiguous()
        for grad in grads
    ]


def _split(
    counts: tuple[int, int], tensors: Sequence[Any]
) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
    """Return what belongs to initial states, to parameters, and to delays."""
    initial, parameters = counts
    end = initial + parameters
    return tensors[:initial], tensors[initial:end], tensors[end:]


def _forward(
    options: RecurrentOptions,
    counts: tuple[int, int],
    tensors: tuple[Tensor, ...],
    membrane: bool,
    extra: bool,
    second: bool,
) -> recurrent_ops.ForwardOutputs:
    x, weight, *rest = tensors
    initial, parameters, delays = map(list, _split(counts, rest))
    return recurrent_ops.run_forward(
        options, x, weight, initial, parameters, delays, membrane, extra, second
    )


class _Recurrent(torch.autograd.Function):
    """x [T, B, N], weight [N, N], initial states [B, N], parameters [N] and delays to outputs."""

    @staticmethod
    def forward(
        ctx: Any,
        options: RecurrentOptions,
        counts: tuple[int, int],
        of_x: Tensor | None,
        *tensors: Tensor,
    ) -> tuple[Tensor, ...]:
        needs_sent = ctx.needs_input_grad[4] or options.learn_delay
        spikes, membrane, last, second, extra, by_source = _forward(
            options, counts, tensors, True, True, needs_sent
        )
        ctx.options, ctx.counts, ctx.extra = options, counts, len(extra)
        ctx.set_materialize_grads(False)
        if needs_sent and not second.numel():
            second = spikes  # of the same 16 bits
        ctx.save_for_backward(membrane, second, by_source, *extra, *tensors)
        if not options.membrane:
            ctx.mark_non_differentiable(membrane)
        return (spikes, membrane, *last)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        options: RecurrentOptions = ctx.options
        membrane, second, by_source, *rest = ctx.saved_tensors
        extra, (x, weight, *rest) = rest[: ctx.extra], rest[ctx.extra :]
        initial, parameters, delays = map(list, _split(ctx.counts, rest))
        grad_spikes, grad_membrane, *grad_final = grads
        wanted = ctx.needs_input_grad[3:]
        of_initial, of_parameters, of_delays = _split(ctx.counts, wanted[2:])
        learn = any(of_parameters)
        grads_in = (
            None if grad_spikes is None else grad_spikes.contiguous(),
            None if grad_membrane is None else grad_membrane.to(x.dtype).contiguous(),
            final_gradients(grad_final, x),
        )
        grad_x, grad_weight, grad_initial, grad_parameters, grad_delays = (
            recurrent_ops.run_backward(
                options, x, weight, initial, parameters, delays, membrane, extra, second, by_source,
                grads_in, learn, wanted[1], any((*of_initial, *of_delays[1:])),
            )
        )  # fmt: skip
        no_initial = [None] * len(initial)
        of_x = (grad_x, None) if options.narrow else (None, grad_x)
        return (
            *(None, None, *of_x),
            grad_weight if wanted[1] else None,
            *(grad_initial or no_initial),
            *(grad_parameters if learn else [None] * len(parameters)),
            *(grad if needed else None for grad, needed in zip(grad_delays, of_delays)),
        )
