"""Temporal fusion: the whole time axis of an elementwise neuron in one kernel.

What follows from a scan's options, shape and alignment alone (the kernel, its grid, most of its
arguments) is found out once and cached. A call then writes the pointers of its tensors and
launches. `backward.py` has the backward pass.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import torch
from torch import Tensor

from ..._internal.checks import PerNeuron
from ..._internal.decorators import once_differentiable
from ...surrogate import Surrogate
from ..device import launch, module, ops
from ..device.availability import MISSING
from ..device.options import encode
from ..device.program import (
    THREADS,
    TYPES,
    arguments_kind,
    chunk,
    forward_ring_bytes,
    forward_source,
    gradient_source,
    parameter_of,
    without_slope,
)
from .backward import backward, run_backward
from .layout import (
    alike,
    flat_parameter,
    flat_state,
    laid_out,
    memory_order,
    rows_like,
    shaped,
)

if TYPE_CHECKING:
    from ...functional.neuron import Inputs, Neuron, States


class ScanOptions(NamedTuple):
    """Options of a scan: all but its tensors."""

    neuron: str  # C++ that declares `Neuron`
    states: int
    saved: int  # of them, those that backward needs
    tensor_indices: Tuple[int, ...]  # which parameters are tensors
    inners: Tuple[int, ...]  # neuron n has the element (n // inner) % numel
    scalars: Tuple[float, ...]  # the others, in the order of the neuron's parameters; 0 for tensors
    form: str  # of the spikes
    membrane: bool
    final: bool
    carried: int = 0  # the states whose gradient goes on from step to step, as bits
    gradient: str = ""  # C++ that declares `Gradient`
    surrogate: float = 0.0
    grad_threshold: float = 0.0
    inputs: int = 1

    def template(self, steps: int, neurons: int, count: int = 1, segment_chunks: int = 0) -> bytes:
        """Return the kernels' arguments without pointers, for `count` time shards."""
        arguments = arguments_kind(self.inputs)(
            neurons=neurons,
            steps=steps,
            surrogate=self.surrogate,
            grad_threshold=self.grad_threshold,
            segments=count,
            segment_chunks=segment_chunks,
        )
        arguments.scalar[: len(self.scalars)] = list(self.scalars)
        return bytes(arguments)


class Outputs(NamedTuple):
    """Outputs of the forward pass; None where they were not asked for."""

    spikes: Optional[Tensor]  # [T, ...] in the memory order of x, or uint8 [T, ceil(N / 8)]
    membrane: Optional[Tensor]  # [T, ...] in the memory order of x
    final: List[Tensor]  # of [N]
    checkpoints: Optional[Tensor]  # [(chunks - 1) * kept, N]


def unsupported(
    neuron: Neuron, current: Inputs, surrogate: Surrogate, smooth: bool = False
) -> str | None:
    """Return why the kernels cannot run this, or None where they can."""
    if smooth:
        return "smooth is for the torch engine alone"
    if isinstance(current, tuple):
        current = current[0]  # the others are alike
    if current.dtype not in TYPES:
        return f"the current is {current.dtype}, not float32, bfloat16 or float16"
    reason = neuron.translation().reason
    if reason is not None:
        return reason
    if neuron.spiking:
        reason = without_slope(surrogate)
        if reason is not None:
            return reason
    if not current.is_cuda:
        return f"the current is on {current.device}, not on a CUDA device"
    return MISSING


def scan(
    neuron: Neuron,
    current: Inputs,  # [T, B, ...] each
    state: States | None,  # of [B, ...]
    parameters: Mapping[str, PerNeuron],
    *,
    surrogate: Surrogate,
    grad_threshold: float | None,
    smooth: bool,
    membrane: bool,
    return_state: bool,
    spikes: str,
) -> tuple[Tensor | None, Tensor | None, States]:
    """Run a call of `functional.scan` that is not `unsupported` on the kernels."""
    x, *others = current if isinstance(current, tuple) else (current,)
    # a byte holds eight neurons that follow each other in row-major order, whatever memory says
    order = None if spikes == "bits" else memory_order(x)
    if order is None:
        x = x.contiguous()
    inside = x.shape[1:] if order is None else torch.Size([x.shape[i] for i in order])
    traced = ops.traced(x)
    if others:
        others = [laid_out(each, x) for each in others]
        traced = traced or any(map(ops.traced, others))
    if traced:  # the operators are over [T, N]
        x, *others = (_flat(each, order) for each in (x, *others))

    flat, indices, inners, scalars = [], [], [], []
    for index, name in enumerate(neuron.parameters):  # as the kernel's `Parameter` counts them
        p = parameters[name]
        if isinstance(p, Tensor):
            elements, inner = flat_parameter(p, inside, order)
            flat.append(elements)
            indices.append(index)
            inners.append(inner)
            scalars.append(0.0)
        else:
            scalars.append(float(p))
    initial = [flat_state(value, order) for value in state or ()]
    translation = neuron.translation()
    carried, added = translation.carried, translation.added
    spiking = neuron.spiking
    at = len(neuron.states) - spiking
    if initial and added:  # states that backward needs, which no step reads
        rest = [torch.zeros_like(initial[0]) for _ in range(added)]
        initial[at:at] = rest
    options = ScanOptions(
        str(translation.source),
        len(neuron.states) + added,
        at + added,
        tuple(indices),
        tuple(inners),
        tuple(scalars),
        spikes if spiking else "none",
        membrane or not spiking,
        return_state,
        carried,
        gradient_source(neuron, surrogate, grad_threshold is not None),
        parameter_of(surrogate) if spiking else 0.0,
        -math.inf if grad_threshold is None else grad_threshold,
        1 + len(others),
    )
    tensors = (x, *others, *initial, *flat)
    if torch.is_grad_enabled() and (
        x.requires_grad or any(tensor.requires_grad for tensor in tensors)
    ):
        out, trace, *last = _Scan.apply(options, traced, len(initial), *tensors)
    else:
        run = run_forward if traced else forward
        out, trace, last, _ = run(options, x, others, initial, flat, False)
    if added:
        last = [*last[:at], *last[at + added :]]
    if traced:
        trace = shaped(trace, inside, order) if options.membrane else None
        if not spiking:
            out = None
        elif spikes != "bits":
            out = shaped(out, inside, order)
    if not last:
        return out, trace, ()
    return (
        out,
        trace,
        tuple(shaped(tensor.unsqueeze(0), inside, order).squeeze(0) for tensor in last),
    )


def _flat(x: Tensor, order: list[int] | None) -> Tensor:
    """Return a current [T, B, ...] as [T, N]."""
    x = x if order is None else x.permute(0, *order)
    return x.reshape(x.shape[0], x.shape[1:].numel())


def _split(options: ScanOptions, tensors: list[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
    """Return the inputs other than the first, and the tensors behind them."""
    count = options.inputs - 1
    return (tensors[:count], tensors[count:]) if count else ([], tensors)


class _Scan(torch.autograd.Function):
    """Inputs, initial states [N] and flat parameters to spikes, membrane and final states [N].

    An input is [T, N] where somebody watches the operators, else [T, B, ...], dense, time
    outermost.
    """

    @staticmethod
    def forward(
        ctx: Any, options: ScanOptions, traced: bool, initial: int, *tensors: Tensor
    ) -> tuple[Tensor | None, ...]:
        # Gradients of outputs that are not used stay None: zeros would be read like any other.
        ctx.set_materialize_grads(False)
        x, *rest = tensors
        others, rest = _split(options, rest)
        run = run_forward if traced else forward
        spikes, membrane, final, checkpoints = run(
            options, x, others, rest[:initial], rest[initial:], True
        )
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
        others, rest = _split(options, rest)
        initial, parameters = rest[: ctx.initial], rest[ctx.initial :]
        grad_spikes, grad_membrane, *grad_final = grads
        after: list[Tensor] = []
        if grad_final and any(tensor is not None for tensor in grad_final):
            neurons = x.shape[1:].numel()
            after = [
                x.new_zeros(neurons, dtype=torch.float32) if tensor is None else tensor.contiguous()
                for tensor in grad_final
            ]
        wanted = ctx.needs_input_grad[3 + options.inputs :]
        learn = any(wanted[ctx.initial :])
        if options.form != "float":
            grad_spikes = None
        if not options.membrane:
            grad_membrane = None
        run = run_backward if ctx.traced else backward
        one = not ctx.traced and alike(x, grad_spikes, grad_membrane)
        grad_x, grad_others, grad_initial, grad_parameters = run(
            options,
            x,
            others,
            initial,
            parameters,
            checkpoints,
            rows_like(grad_spikes, x, one),
            rows_like(grad_membrane, x, one),
            after,
            learn,
            any(wanted[: ctx.initial]),
        )
        if not rest:
            return (None, None, None, grad_x, *grad_others)
        no_initial = [None] * len(initial)
        no_parameters = [None] * len(parameters)
        return (
            *(None, None, None, grad_x),
            *grad_others,
            *(grad_initial or no_initial),
            *(grad_parameters if learn else no_parameters),
        )


def forward(
    scan: ScanOptions,
    x: Tensor,  # [T, ...], dense, time outermost
    others: Sequence[Tensor],  # inputs other than the first, each as x
    initial: Sequence[Tensor],  # of [N]
    parameters: Sequence[Tensor],  # flat
    save: bool,
) -> Outputs:
    """Run a neuron forward over the N elements of each step; `save` what backward needs."""
    steps = x.shape[0]
    neurons = x.shape[1:].numel()
    float32 = torch.float32
    spikes: Tensor | None = None
    if scan.form == "float":
        spikes = torch.empty_like(x)
    elif scan.form == "int8":
        spikes = torch.empty_like(x, dtype=torch.int8)
    elif scan.form == "bits":
        spikes = x.new_empty((steps, -(-neurons // 8)), dtype=torch.uint8)
    membrane = torch.empty_like(x) if scan.membrane else None
    final = [x.new_empty(neurons, dtype=float32) for _ in range(scan.states)] if scan.final else []
    checkpoints = None
    if save:
        chunks = -(-steps // chunk(scan.saved))
        if chunks > 1:
            checkpoints = x.new_empty(((chunks - 1) * scan.saved, neurons), dtype=float32)
    if not x.numel():  # no step: the states stay what they were
        for index, tensor in enumerate(final):
            tensor.copy_(initial[index]) if initial else tensor.zero_()
        return Outputs(spikes, membrane, final, checkpoints)
    start = address = x.data_ptr()
    if others:
        address |= launch.addresses(others)
    call = _forward_call(scan, x.dtype, x.device, steps, neurons, address & 15)
    arguments = arguments_kind(scan.inputs).from_buffer_copy(call.template)
    arguments.x = start
    if others:
        launch.point(arguments.other_x, others)
    if spikes is not None:
        arguments.spikes = spikes.data_ptr()
    if membrane is not None:
        arguments.membrane = membrane.data_ptr()
    if checkpoints is not None:
        arguments.checkpoints = checkpoints.data_ptr()
    if initial:
        initial = launch.aligned(initial)
        launch.point(arguments.initial, initial)
    if final:
        launch.point(arguments.final, final)
    if parameters:
        launch.fill_tensors(arguments, scan.tensor_indices, scan.inners, parameters)
    call.launch(arguments)
    return Outputs(spikes, membrane, final, checkpoints)


@lru_cache(maxsize=launch.CACHED_CALLS)
def _forward_call(
    scan: ScanOptions,
    dtype: torch.dtype,
    device: torch.device,
    steps: int,
    neurons: int,
    start: int,
) -> module.Call:
    size = dtype.itemsize
    source = forward_source(
        scan.neuron,
        dtype,
        launch.mask(scan.tensor_indices),
        scan.form,
        scan.membrane,
        scan.inputs,
    )
    if scan.form == "bits":
        vector, suffix = 8, "bits_any" if neurons % 8 or start % 16 else "bits"
    else:
        vector = launch.vector(neurons, size, start, device)
        suffix = str(vector)
    return module.Call(
        launch.load(source, device),
        f"scan_forward_{suffix}",
        launch.blocks(neurons, vector),
        THREADS * forward_ring_bytes(vector, size, steps, scan.inputs),
        scan.template(steps, neurons),
    )


def run_forward(
    scan: ScanOptions,
    x: Tensor,
    others: Sequence[Tensor],
    initial: Sequence[Tensor],
    parameters: Sequence[Tensor],
    save: bool,
) -> Outputs:
    """Run the operator over x [T, N]; outputs that were not asked for have no elements."""
    return Outputs(
        *torch.ops.popsnn.scan_forward(x, others, initial, parameters, encode(*scan), save)
    )
