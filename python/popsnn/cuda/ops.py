"""The operators `popsnn::scan_forward` and `popsnn::scan_backward`, over [T, N]."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .launch import Parameters, launch_backward, launch_forward
from .program import CHUNK

_LIBRARY = torch.library.Library("popsnn", "DEF")

_LIBRARY.define(
    "scan_forward(Tensor x, Tensor[] initial, Tensor[] parameters, int[] slots, int[] inners, "
    "float[] values, str neuron, int states, int kept, str form, bool membrane, bool final, "
    "bool save) -> (Tensor spikes, Tensor membrane, Tensor[] final, Tensor checkpoints)"
)
_LIBRARY.define(
    "scan_backward(Tensor x, Tensor[] initial, Tensor[] parameters, int[] slots, int[] inners, "
    "float[] values, Tensor checkpoints, Tensor? grad_spikes, Tensor? grad_membrane, "
    "Tensor[] grad_final, str neuron, int states, int kept, str gradient, float surrogate, "
    "float gate, bool learn, bool grad_initial) "
    "-> (Tensor grad_x, Tensor[] grad_initial, Tensor[] grad_parameters)"
)


def _forward_outputs(
    x: Tensor,  # [T, N]
    initial: list[Tensor],  # of [N]
    parameters: list[Tensor],  # flat
    slots: list[int],
    inners: list[int],
    values: list[float],
    neuron: str,
    states: int,
    kept: int,
    form: str,
    membrane: bool,
    final: bool,
    save: bool,
) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    steps, neurons = x.shape
    none = x.new_empty(0)
    if form == "float":
        spikes = torch.empty_like(x)
    elif form == "int8":
        spikes = x.new_empty(x.shape, dtype=torch.int8)
    elif form == "bits":
        spikes = x.new_empty((steps, (neurons + 7) // 8), dtype=torch.uint8)
    else:
        spikes = none
    chunks = (steps + CHUNK * kept - 1) // (CHUNK * kept)
    saved = (chunks - 1) * kept if save and chunks > 1 else 0
    return (
        spikes,
        torch.empty_like(x) if membrane else x.new_empty(0),
        [x.new_empty(neurons, dtype=torch.float32) for _ in range(states if final else 0)],
        x.new_empty((saved, neurons), dtype=torch.float32),
    )


def _scan_forward(
    x: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    slots: list[int],
    inners: list[int],
    values: list[float],
    neuron: str,
    states: int,
    kept: int,
    form: str,
    membrane: bool,
    final: bool,
    save: bool,
) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    outputs = _forward_outputs(
        x, initial, parameters, slots, inners, values, neuron, states, kept, form, membrane,
        final, save,
    )  # fmt: skip
    spikes, trace, last, checkpoints = outputs
    if x.numel():
        launch_forward(
            neuron,
            Parameters(values, parameters, slots, inners),
            x,
            initial,
            form=form,
            spikes=spikes,
            membrane=trace,
            final=last,
            checkpoints=checkpoints,
        )
    else:  # no step: the states stay what they were
        for index, one in enumerate(last):
            one.copy_(initial[index]) if initial else one.zero_()
    return outputs


def _backward_outputs(
    x: Tensor,  # [T, N]
    initial: list[Tensor],  # of [N]
    parameters: list[Tensor],  # flat
    slots: list[int],
    inners: list[int],
    values: list[float],
    checkpoints: Tensor,  # [chunks - 1, N] for each kept state
    grad_spikes: Tensor | None,  # [T, N]
    grad_membrane: Tensor | None,  # [T, N]
    grad_final: list[Tensor],  # of [N]
    neuron: str,
    states: int,
    kept: int,
    gradient: str,
    surrogate: float,
    gate: float,
    learn: bool,
    grad_initial: bool,
) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    return (
        torch.empty_like(x),
        [x.new_empty(x.shape[1], dtype=torch.float32) for _ in range(states * grad_initial)],
        [torch.empty_like(one) for one in parameters if learn],
    )


def _scan_backward(
    x: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    slots: list[int],
    inners: list[int],
    values: list[float],
    checkpoints: Tensor,
    grad_spikes: Tensor | None,
    grad_membrane: Tensor | None,
    grad_final: list[Tensor],
    neuron: str,
    states: int,
    kept: int,
    gradient: str,
    surrogate: float,
    gate: float,
    learn: bool,
    grad_initial: bool,
) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    grad_x, before, _ = outputs = _backward_outputs(
        x, initial, parameters, slots, inners, values, checkpoints, grad_spikes, grad_membrane,
        grad_final, neuron, states, kept, gradient, surrogate, gate, learn, grad_initial,
    )  # fmt: skip
    if not x.numel():
        for index, one in enumerate(before):
            one.copy_(grad_final[index]) if grad_final else one.zero_()
        return grad_x, before, [torch.zeros_like(one) for one in outputs[2]]
    neurons = x.shape[1]
    per_neuron = [
        x.new_empty(neurons if slot in slots else 0, dtype=torch.float32)
        for slot in range(len(values) if learn else 0)
    ]
    launch_backward(
        neuron,
        gradient,
        surrogate,
        gate,
        kept,
        Parameters(values, parameters, slots, inners),
        x,
        initial,
        checkpoints,
        grad_spikes=grad_spikes,
        grad_membrane=grad_membrane,
        grad_final=grad_final,
        grad_x=grad_x,
        grad_initial=before,
        grad_parameter=per_neuron,
    )
    # Sums in torch and not by atomic additions: the same numbers in every run.
    learnt = [
        per_neuron[slot].view(-1, one.numel(), inner).sum((0, 2))
        for one, slot, inner in zip(parameters if learn else [], slots, inners)
    ]
    return grad_x, before, learnt


_LIBRARY.impl("scan_forward", _scan_forward, "CUDA")
_LIBRARY.impl("scan_backward", _scan_backward, "CUDA")
if hasattr(torch.library, "register_fake"):  # torch 2.4; an older one compiles no kernels here
    torch.library.register_fake("popsnn::scan_forward", _forward_outputs, lib=_LIBRARY)
    torch.library.register_fake("popsnn::scan_backward", _backward_outputs, lib=_LIBRARY)


def watched(x: Tensor) -> bool:
    """Return whether somebody must see the operator: a compiler, a mode, a tensor of another kind.

    Nobody else needs it, and without it a call is 40 microseconds shorter.
    """
    return (
        torch.compiler.is_compiling()
        or type(x) not in (Tensor, torch.nn.Parameter)
        or torch._C._len_torch_dispatch_stack() > 0
    )


def scan_forward(*arguments: Any) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    """Run the operator of this name, or its kernel at once where nobody is watching."""
    run = torch.ops.popsnn.scan_forward if watched(arguments[0]) else _scan_forward
    result: tuple[Tensor, Tensor, list[Tensor], Tensor] = run(*arguments)
    return result


def scan_backward(*arguments: Any) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    """Run the operator of this name, or its kernel at once where nobody is watching."""
    run = torch.ops.popsnn.scan_backward if watched(arguments[0]) else _scan_backward
    result: tuple[Tensor, list[Tensor], list[Tensor]] = run(*arguments)
    return result
