"""A recurrent layer with a capacity: all steps in one persistent kernel a direction."""

from __future__ import annotations

import ctypes
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Mapping

import torch
from torch import Tensor

from ..._internal.checks import PerNeuron
from ..._internal.decorators import once_differentiable
from ...surrogate import Surrogate
from ..device import launch
from ..device.program import entry, gradient_source, parameter_of
from ..layer.launch import LIST_SUMS_BYTES, MOST_THREADS, DropSeed, capped_shape
from ..layer.layer import LayerOutputs
from ..layer.padded_rows import padded
from . import ops as recurrent_ops
from .arguments import Capacity, RecurrentCapacity, RecurrentOptions
from .recurrent import final_gradients, flat_parameters, initial_states

if TYPE_CHECKING:
    from ...functional.neuron import Neuron, States


class ActiveSetArguments(ctypes.Structure):
    """`popsnn::ActiveSetArguments` of `cuda/popsnn/recurrent/active_set.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("capacity", RecurrentCapacity),
        ("counts", ctypes.c_void_p),
        ("dropped", ctypes.c_void_p),
        ("batch", ctypes.c_int),
        ("neurons", ctypes.c_int),
    ]


def recurrent_capped(
    neuron: Neuron,
    current: Tensor,  # float32 [T, B, N]
    weight: Tensor,  # [N, N]
    state: States | None,  # of [B, N]
    parameters: Mapping[str, PerNeuron],  # tensors broadcast to [N]
    *,
    weight_dtype: torch.dtype,
    surrogate: Surrogate,
    grad_threshold: float | None,
    capacity: int,
    drop_seed: DropSeed,
    bias: Tensor | None = None,  # float32 [N], of the current
    of_current: Tensor | None = None,  # as `recurrent` takes it
) -> LayerOutputs:
    """Run a recurrent layer that is not `recurrent_unsupported`, rows of N neurons; differentiable.

    Drops what the step-by-step loop of `cuda.recurrent_layer` drops.
    """
    in_order = [parameters[name] for name in neuron.parameters]
    flat = flat_parameters(in_order, current.shape[-1])
    translation = neuron.translation()
    added = translation.added
    at = len(neuron.states) - 1
    initial = initial_states(state, at, added)
    options = RecurrentOptions(
        neuron=str(translation.source),
        states=len(neuron.states) + added,
        tensor_indices=tuple(i for i, p in enumerate(in_order) if isinstance(p, Tensor)),
        values=tuple(0.0 if isinstance(p, Tensor) else float(p) for p in in_order),
        # The bytes of the active set have what is above the gradient threshold.
        gradient=gradient_source(neuron, surrogate, False),
        surrogate=parameter_of(surrogate),
        grad_threshold=-math.inf if grad_threshold is None else grad_threshold,
        membrane=True,
        final=True,
        exact=weight_dtype == torch.float32,
        half=weight_dtype == torch.float16,
        narrow=of_current is not None,
    )
    if bias is not None:
        options, flat = options.with_bias(), [*flat, bias.contiguous()]
    counts = (len(initial), len(flat))
    saves = torch.is_grad_enabled()
    spikes, membrane, flags, counted, dropped, *last = _Capped.apply(
        options, counts, capacity, drop_seed, saves, of_current, current.contiguous(),
        weight.contiguous(),
        *initial, *flat,
    )  # fmt: skip
    last = last[:at]  # without the spikes
    del last[neuron.membrane]
    more = torch.stack(last) if last else None
    return LayerOutputs(membrane, more, spikes, flags, counted, dropped)


class _Capped(torch.autograd.Function):
    """x [T, B, N], weight [N, N], initial states [B, N] and parameters [N] to outputs."""

    @staticmethod
    def forward(
        ctx: Any,
        options: RecurrentOptions,
        counts: tuple[int, int],
        limit: int,
        drop_seed: DropSeed,
        saves: bool,
        of_x: Tensor | None,
        *tensors: Tensor,
    ) -> tuple[Tensor, ...]:
        x, weight, *rest = tensors
        initial, parameters = rest[: counts[0]], rest[counts[0] :]
        steps, batch, neurons = x.shape
        flags = x.new_empty((steps, batch, padded(neurons)), dtype=torch.uint8)
        capacity = Capacity(limit, drop_seed, flags)
        sends = saves and ctx.needs_input_grad[7]  # spikes of which the weights' gradient is
        spikes, membrane, last, second, extra, _ = recurrent_ops.forward(
            options, x, weight, initial, parameters, [], True, saves, sends, capacity=capacity
        )
        if sends and not second.numel():
            second = spikes  # of the same 16 bits
        counted, dropped = x.new_empty((2, steps, batch, 2), dtype=torch.int32).unbind()
        limit_active_sets(capacity, neurons, counted, dropped)
        ctx.options, ctx.counts, ctx.extra = options, counts, len(extra)
        ctx.capacity = capacity._replace(flags=flags.new_empty(0))  # that of saved tensors
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(flags, membrane, second, *extra, *tensors)
        ctx.mark_non_differentiable(flags, counted, dropped)
        return (spikes, membrane, flags, counted, dropped, *last)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        options: RecurrentOptions = ctx.options
        flags, membrane, second, *rest = ctx.saved_tensors
        extra, (x, weight, *rest) = rest[: ctx.extra], rest[ctx.extra :]
        initial, parameters = rest[: ctx.counts[0]], rest[ctx.counts[0] :]
        grad_spikes, grad_membrane, _, _, _, *grad_final = grads
        wanted = ctx.needs_input_grad[6:]
        of_initial, of_parameters = wanted[2 : 2 + len(initial)], wanted[2 + len(initial) :]
        learn = any(of_parameters)
        grad_x, grad_weight, grad_initial, grad_parameters, _ = recurrent_ops.backward(
            options, x, weight, initial, parameters, [], membrane, extra, second, x.new_empty(0),
            None if grad_spikes is None else grad_spikes.contiguous(),
            None if grad_membrane is None else grad_membrane.contiguous(),
            final_gradients(grad_final, x), learn, wanted[1], any(of_initial),
            capacity=ctx.capacity._replace(flags=flags),
        )  # fmt: skip
        no_initial = [None] * len(initial)
        return (
            *(None,) * 5,
            *((grad_x, None) if options.narrow else (None, grad_x)),
            grad_weight if wanted[1] else None,
            *(grad_initial or no_initial),
            *(grad_parameters if learn else [None] * len(parameters)),
        )


def limit_active_sets(capacity: Capacity, neurons: int, counts: Tensor, dropped: Tensor) -> None:
    """Turn the bytes that forward leaves into active sets of N neurons, and count.

    `counts` and `dropped` are int32 [T, B, 2].
    """
    steps, batch, _ = capacity.flags.shape
    vector, threads = capped_shape(neurons)
    arguments = ActiveSetArguments(
        counts=counts.data_ptr(), dropped=dropped.data_ptr(), batch=batch, neurons=neurons
    )
    capacity.fill(arguments.capacity)
    kernels = launch.load(active_set_source(vector), capacity.flags.device)
    shared_bytes = LIST_SUMS_BYTES + 4
    kernels.launch("recurrent_active_set", steps * batch, threads, shared_bytes, arguments)


@lru_cache(maxsize=None)
def active_set_source(vector: int) -> str:
    """Return the kernel `recurrent_active_set`, whose threads have so many neurons."""
    name = "recurrent_active_set"
    kernel = entry(name, "ActiveSetArguments", f"{name}<{vector}>", str(MOST_THREADS))
    return f"#include <popsnn/recurrent/active_set.cuh>\n{kernel}"
