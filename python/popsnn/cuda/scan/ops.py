"""The operators `popsnn::scan_forward` and `popsnn::scan_backward`, over [T, N]."""

from __future__ import annotations

import torch
from torch import Tensor

from ..device import ops
from ..device.program import CHUNK
from .launch import Gradients, Outputs, Scan, backward, forward

ops.LIBRARY.define(
    "scan_forward(Tensor x, Tensor[] initial, Tensor[] parameters, int[] slots, int[] inners, "
    "float[] values, str neuron, int states, int kept, str form, bool membrane, bool final, "
    "bool save) -> (Tensor spikes, Tensor membrane, Tensor[] final, Tensor checkpoints)"
)
ops.LIBRARY.define(
    "scan_backward(Tensor x, Tensor[] initial, Tensor[] parameters, int[] slots, int[] inners, "
    "float[] values, Tensor checkpoints, Tensor? grad_spikes, Tensor? grad_membrane, "
    "Tensor[] grad_final, str neuron, int states, int kept, int carried, str gradient, "
    "float surrogate, float grad_threshold, bool learn, bool grad_initial) "
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
    scan = Scan(
        neuron, states, kept, tuple(slots), tuple(inners), tuple(values), form, membrane, final
    )
    spikes, trace, last, checkpoints = forward(scan, x, initial, parameters, save)
    return (
        x.new_empty(0) if spikes is None else spikes,
        x.new_empty(0) if trace is None else trace,
        last,
        x.new_empty((0, x.shape[1]), dtype=torch.float32) if checkpoints is None else checkpoints,
    )


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
    carried: int,
    gradient: str,
    surrogate: float,
    grad_threshold: float,
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
    carried: int,
    gradient: str,
    surrogate: float,
    grad_threshold: float,
    learn: bool,
    grad_initial: bool,
) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    scan = Scan(
        neuron, states, kept, tuple(slots), tuple(inners), tuple(values), "none", False, False,
        carried, gradient, surrogate, grad_threshold,
    )  # fmt: skip
    return backward(
        scan, x, initial, parameters, checkpoints, grad_spikes, grad_membrane, grad_final, learn,
        grad_initial,
    )  # fmt: skip


OPERATORS: ops.Operators = {
    "scan_forward": (_scan_forward, _forward_outputs),
    "scan_backward": (_scan_backward, _backward_outputs),
}
ops.register(OPERATORS)


def run_forward(
    scan: Scan, x: Tensor, initial: list[Tensor], parameters: list[Tensor], save: bool
) -> Outputs:
    """Run the operator over x [T, N]; outputs that were not asked for have no elements."""
    result = torch.ops.popsnn.scan_forward(
        x, initial, parameters, scan.slots, scan.inners, scan.values, scan.neuron, scan.states,
        scan.kept, scan.form, scan.membrane, scan.final, save,
    )  # fmt: skip
    return Outputs(*result)


def run_backward(
    scan: Scan,
    x: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    checkpoints: Tensor,
    grad_spikes: Tensor | None,
    grad_membrane: Tensor | None,
    grad_final: list[Tensor],
    learn: bool,
    grad_initial: bool,
) -> Gradients:
    """Run the operator over x [T, N]."""
    result = torch.ops.popsnn.scan_backward(
        x, initial, parameters, scan.slots, scan.inners, scan.values, checkpoints, grad_spikes,
        grad_membrane, grad_final, scan.neuron, scan.states, scan.kept, scan.carried,
        scan.gradient, scan.surrogate, scan.grad_threshold, learn, grad_initial,
    )  # fmt: skip
    return Gradients(*result)
