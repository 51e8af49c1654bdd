"""The kernels of a layer's neurons over all steps: their source, their arguments, their launch."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch import Tensor

from ..device import launch, properties
from ..device.launch import mask, pointer
from ..device.program import TYPES, entry
from .padded_rows import padded

STATES, PARAMETERS = 12, 16  # kLayerStates, kLayerParameters
FIRED, ACTIVE = 1, 2  # kFiredFlag, kActiveFlag
WARP = 32
THREADS = 128  # of a block, where neurons have no capacity limit
MOST_THREADS = 512  # of a block that has a whole sample
CAPPED_VECTORS = (4, 8, 16)  # neurons a thread, fewest first
MOST_CAPPED = MOST_THREADS * CAPPED_VECTORS[-1]  # neurons with a capacity limit
LIST_SUMS_BYTES = 4 * (2 * WARP + 1)  # sizeof(ListSums)
FORWARD_AHEAD = 64  # kDepth * kVector, where there is room
BACKWARD_AHEAD = 16  # kDepth of neurons with one saved state, where there is room
LEAST_DEPTH = 4  # kDepth
BACKWARD_VECTOR = 4

_States = ctypes.c_void_p * STATES
_Parameters = ctypes.c_void_p * PARAMETERS


class LayerArguments(ctypes.Structure):
    """`popsnn::LayerArguments` of `cuda/popsnn/layer/neurons.cuh`, which says what they are."""

    __slots__ = ()
    _fields_ = [
        ("membrane", ctypes.c_void_p),
        ("others", ctypes.c_void_p),
        ("spikes", ctypes.c_void_p),
        ("flags", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("dropped", ctypes.c_void_p),
        ("bias", ctypes.c_void_p),
        ("initial", _States),
        ("grad_spikes", ctypes.c_void_p),
        ("grad_membrane", ctypes.c_void_p),
        ("grad_final", _States),
        ("grad_x", ctypes.c_void_p),
        ("grad_initial", _States),
        ("grad_bias", ctypes.c_void_p),
        ("grad_parameter", _Parameters),
        ("parameter", _Parameters),
        ("calls", ctypes.c_void_p),
        ("grad_step", ctypes.c_longlong),
        ("others_step", ctypes.c_longlong),
        ("scalar", ctypes.c_float * PARAMETERS),
        ("gain", ctypes.c_float),
        ("surrogate", ctypes.c_float),
        ("grad_threshold", ctypes.c_float),
        ("seed", ctypes.c_uint),
        ("layer", ctypes.c_uint),
        ("first_step", ctypes.c_uint),
        ("steps", ctypes.c_int),
        ("batch", ctypes.c_int),
        ("neurons", ctypes.c_int),
        ("padded", ctypes.c_int),
        ("capacity", ctypes.c_int),
        ("threads", ctypes.c_int),
        ("initial_row", ctypes.c_int),
        ("absent", ctypes.c_int),
        ("carried", ctypes.c_int),
    ]


class Neurons(NamedTuple):
    """Options of a layer's neurons: all but their tensors."""

    neuron: str  # C++ that declares `Neuron`
    states: int  # of the kernels: with those that backward alone needs, in front of the spikes
    spiking: bool
    size: int  # N
    tensor_indices: Tuple[int, ...]  # which parameters are tensors
    values: Tuple[float, ...]  # of the others
    shape: str  # C++ that declares `Shape`, a surrogate
    surrogate: float
    grad_threshold: float
    gain: float
    capacity: int
    product: torch.dtype  # of the gradient of W x
    spikes: torch.dtype
    membrane: int = 0  # which state
    added: int = 0  # states that backward alone needs

    @property
    def others(self) -> int:
        """Number of states that are saved next to the membrane."""
        return self.states - self.spiking - 1

    @property
    def own(self) -> List[int]:
        """The neuron's own states, by their indices in the kernels' arrays."""
        last = self.states - self.spiking
        return [*range(last - self.added), *range(last, self.states)]


class DropSeed(NamedTuple):
    """The drop seed: a number, or a number and the network's count of calls."""

    seed: int
    calls: Optional[Tensor]  # int64 []
    layer: int
    first_step: int


class Outputs(NamedTuple):
    """Outputs of the forward pass other than membranes; empty where neurons do not spike."""

    spikes: Tensor  # [T, B, P]
    flags: Tensor  # uint8 [T, B, P]
    counts: Tensor  # int32 [T, B, 2]
    dropped: Tensor  # int32 [T, B, 2]
    others: Tensor  # float32 [T, states, B, P]; all steps may have the same memory

    def steps(self, begin: int, end: int) -> Outputs:
        """Return the outputs of the steps from `begin` to before `end`."""
        spikes, flags, counts, dropped, others = (
            output[begin:end] if output.numel() else output for output in self
        )
        return Outputs(spikes, flags, counts, dropped, others)


class Gradients(NamedTuple):
    """Outputs of the backward pass."""

    product: Tensor  # [T, B, P]
    biases: Optional[Tensor]  # [B, N]
    initial: List[Tensor]  # of the neuron's states, [B, N], in rows as long as theirs
    parameters: List[Tensor]  # of [B, N]


def capped(neurons: Neurons) -> bool:
    """Whether the layer has a capacity below its number of neurons."""
    return neurons.spiking and neurons.capacity < neurons.size


def capped_shape(size: int) -> tuple[int, int]:
    """Return the neurons of a thread and the threads of the block that has N of them."""
    vector = next(elements for elements in CAPPED_VECTORS if size <= elements * MOST_THREADS)
    return vector, WARP * -(-size // (vector * WARP))


@lru_cache(maxsize=None)
def forward_source(
    neuron: str, spikes: torch.dtype, vector: int, depth: int, is_capped: bool, tensors: int
) -> str:
    """Return the kernel `layer_forward`; bit i of `tensors` says that parameter i is a tensor."""
    options = f"Neuron, {TYPES[spikes]}, {vector}, {depth}, {str(is_capped).lower()}, {tensors}u"
    bounds = str(MOST_THREADS if is_capped else THREADS)
    return "\n".join(
        [
            "#include <popsnn/layer/forward.cuh>",
            neuron,
            entry("layer_forward", "LayerArguments", f"layer_forward<{options}>", bounds),
        ]
    )


@lru_cache(maxsize=None)
def backward_source(
    neuron: str,
    shape: str,
    spikes: torch.dtype,
    product: torch.dtype,
    depth: int,
    tensors: int,
    learn: bool,
    grads: str,
) -> str:
    """Return the kernel `layer_backward`; `learn`: with the gradients of the parameters.

    `grads` says which outputs have a gradient: "none", "spikes", "membrane" or "both".
    """
    options = (
        f"Neuron, Shape, {TYPES[spikes]}, {TYPES[product]}, {BACKWARD_VECTOR}, {depth}, "
        f"{tensors}u, {str(learn).lower()}, popsnn::LayerFrom::{grads}"
    )
    return "\n".join(
        [
            "#include <popsnn/layer/backward.cuh>",
            neuron,
            shape,
            entry("layer_backward", "LayerArguments", f"layer_backward<{options}>", str(THREADS)),
        ]
    )


def outputs(neurons: Neurons, membrane: Tensor, saves: bool = True) -> Outputs:
    """Return memory for what forward gives in addition to the membranes [T, B, P].

    If it `saves` the other states for a backward pass, each step has memory of its own for them.
    """
    steps, batch, row = membrane.shape
    shape = membrane.shape if neurons.spiking else (0,)
    lists = membrane.new_empty(
        (2, steps, batch, 2) if neurons.spiking else (2, 0), dtype=torch.int32
    )
    if not capped(neurons):  # whose blocks add up what they count
        lists.zero_()
    others = membrane.new_empty((steps if saves else 1, neurons.others, batch, row))
    counts, dropped = lists.unbind()
    return Outputs(
        membrane.new_empty(shape, dtype=neurons.spikes),
        membrane.new_empty(shape, dtype=torch.uint8),
        counts,
        dropped,
        others.expand(steps, -1, -1, -1),
    )


def carried(neurons: Neurons, out: Outputs) -> Tensor | None:
    """Return the neuron's states [states, B, P] other than v and s after the last step, if any."""
    number = neurons.others - neurons.added
    return out.others[-1, :number] if number else None


def forward_blocks(neurons: Neurons, batch: int) -> int:
    """Return the blocks of the forward kernel."""
    return batch if capped(neurons) else batch * _row_blocks(padded(neurons.size), 4)


def forward_into(
    out: Outputs,
    neurons: Neurons,
    drop_seed: DropSeed,
    membrane: Tensor,  # float32 [T, B, P]: W x on entry
    absent: int,  # steps at the beginning whose W x is zero, and not written
    bias: Tensor | None,  # [N]
    initial: Sequence[Tensor],  # the neuron's states, [B, N] or [B, P]
    parameters: Sequence[Tensor],  # of [N]
    begin: int,
    end: int,
) -> None:
    """Turn the products of the steps from `begin` to before `end` into membranes and spikes.

    A first step of more than 0 goes on from what the kernel left of the one before.
    """
    _, batch, _ = membrane.shape
    steps = end - begin
    is_capped = capped(neurons)
    now, result = membrane[begin:end], out.steps(begin, end)
    arguments = _arguments(
        neurons, now, result.others, bias, initial if begin == 0 else (), parameters
    )
    arguments.carried = begin > 0
    arguments.spikes, arguments.flags = pointer(result.spikes), pointer(result.flags)
    arguments.counts, arguments.dropped = pointer(result.counts), pointer(result.dropped)
    arguments.calls = pointer(drop_seed.calls)
    arguments.seed, arguments.layer = drop_seed.seed, drop_seed.layer
    arguments.first_step = drop_seed.first_step + begin
    arguments.capacity, arguments.absent = neurons.capacity, max(0, absent - begin)
    vector, threads = capped_shape(neurons.size) if is_capped else (4, THREADS)
    arguments.threads = threads
    lists_bytes = LIST_SUMS_BYTES + 4 * steps if is_capped else 0
    depth = _depth(
        FORWARD_AHEAD // vector, 4 * vector * threads, lists_bytes, steps, membrane.device
    )
    shared_bytes = 4 * vector * threads * depth + lists_bytes
    source = forward_source(
        neurons.neuron, neurons.spikes, vector, depth, is_capped, mask(neurons.tensor_indices)
    )
    kernels = launch.load(source, membrane.device)
    blocks = forward_blocks(neurons, batch)
    kernels.launch("layer_forward", blocks, threads, shared_bytes, arguments)


def backward(
    neurons: Neurons,
    membrane: Tensor,  # float32 [T, B, P]
    flags: Tensor,  # uint8 [T, B, P]
    others: Tensor,  # float32 [T, states, B, P]
    bias: Tensor | None,  # [N]
    initial: Sequence[Tensor],  # the neuron's states, [B, N] or [B, P]
    parameters: Sequence[Tensor],  # of [N]
    grad_spikes: Tensor | None,  # [T, B, P], of the type of the spikes
    grad_membrane: Tensor | None,  # float32 [T, B, P], that of all steps may be the same memory
    grad_final: Sequence[Tensor],  # of [B, P], of `others` after the last step; none: 0
    learn: bool,
    grad_initial: bool,
) -> Gradients:
    """Return the gradients, those of bias and parameters summed over time, of each sample.

    To add atomically over samples too would give other numbers in every run.
    """
    _, batch, _ = membrane.shape
    each = (batch, neurons.size)
    out = torch.empty_like(membrane, dtype=neurons.product)
    arguments = _arguments(neurons, membrane, others, bias, initial, parameters)
    arguments.flags = pointer(flags)
    if grad_spikes is not None:
        grad_spikes = grad_spikes.contiguous()
    if grad_membrane is not None:
        if not (grad_membrane[0].is_contiguous() and grad_membrane.stride(0) in (0, out.stride(0))):
            grad_membrane = grad_membrane.contiguous()
        arguments.grad_step = grad_membrane.stride(0)
    arguments.grad_spikes = pointer(grad_spikes)
    arguments.grad_membrane = pointer(grad_membrane)
    final = [grad.contiguous() for grad in grad_final]
    for index, grad in enumerate(final):
        arguments.grad_final[index + (index >= neurons.membrane)] = grad.data_ptr()
    arguments.grad_x = pointer(out)
    arguments.threads = THREADS
    own = neurons.own if grad_initial else []
    before = [membrane.new_zeros((batch, arguments.initial_row)) for _ in own]
    for index, grad in zip(own, before):
        arguments.grad_initial[index] = grad.data_ptr()
    of_bias = None if bias is None else membrane.new_empty(each)
    arguments.grad_bias = pointer(of_bias)
    learnt = [membrane.new_empty(each) for _ in parameters] if learn else []
    for index, tensor in zip(neurons.tensor_indices, learnt):
        arguments.grad_parameter[index] = tensor.data_ptr()
    form = _GRADIENTS[grad_spikes is not None, grad_membrane is not None]
    # Of a thread and step: saved states, as many bytes as one for the spikes' gradients, the
    # membranes' gradients if there are, and flags.
    rows = 1 + neurons.others + 1 + (grad_membrane is not None)
    step_bytes = THREADS * BACKWARD_VECTOR * (4 * rows + 1)
    ahead = BACKWARD_AHEAD // 2 if neurons.others else BACKWARD_AHEAD  # about as many bytes
    depth = _depth(ahead, step_bytes, 0, membrane.shape[0], membrane.device)
    source = backward_source(
        neurons.neuron, neurons.shape, neurons.spikes, neurons.product, depth,
        mask(neurons.tensor_indices), learn, form,
    )  # fmt: skip
    kernels = launch.load(source, membrane.device)
    blocks = batch * _row_blocks(membrane.shape[2], BACKWARD_VECTOR)
    kernels.launch("layer_backward", blocks, THREADS, step_bytes * depth, arguments)
    return Gradients(out, of_bias, before, learnt)


_GRADIENTS = {
    (False, False): "none",
    (True, False): "spikes",
    (False, True): "membrane",
    (True, True): "both",
}


def _depth(depth: int, step_bytes: int, other_bytes: int, steps: int, device: torch.device) -> int:
    """Return as many steps up to `depth`, a power of two, as a block has shared memory for."""
    available = properties.shared_bytes(device)
    while depth > LEAST_DEPTH and depth * step_bytes + other_bytes > available:
        depth //= 2
    if depth * step_bytes > available:
        raise ValueError(
            "cuda.layer: neuron: expected fewer states, of which a block of this GPU has shared "
            f"memory for {available} bytes, got {depth * step_bytes}"
        )
    if depth * step_bytes + other_bytes > available:
        raise ValueError(
            f"cuda.layer: x: expected fewer steps, whose drop seeds a block of this GPU has "
            f"shared memory for, got {steps}"
        )
    return depth


def _row_blocks(row: int, vector: int) -> int:
    return -(-row // (vector * THREADS))


def _arguments(
    neurons: Neurons,
    membrane: Tensor,
    others: Tensor,
    bias: Tensor | None,
    initial: Sequence[Tensor],
    parameters: Sequence[Tensor],
) -> LayerArguments:
    steps, batch, row = membrane.shape
    arguments = LayerArguments(
        membrane=pointer(membrane),
        others=pointer(others),
        others_step=others.stride(0),
        bias=pointer(bias),
        gain=neurons.gain,
        surrogate=neurons.surrogate,
        grad_threshold=neurons.grad_threshold,
        steps=steps,
        batch=batch,
        neurons=neurons.size,
        padded=row,
        initial_row=initial[0].shape[1] if initial else neurons.size,
    )
    arguments.scalar[: len(neurons.values)] = list(neurons.values)
    for index, state in zip(neurons.own, initial):
        arguments.initial[index] = state.data_ptr()
    for index, parameter in zip(neurons.tensor_indices, parameters):
        arguments.parameter[index] = parameter.data_ptr()
    return arguments
