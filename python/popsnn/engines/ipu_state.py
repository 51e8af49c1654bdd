"""States of a network on the ipu engine, as tensors that its executable takes and returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from .. import surrogate
from .._internal.spec import LayerSpec, NetworkSpec
from ..functional import SparseState
from ..neurons.neuron import after_reset
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import lines_after
from ..nn.neuron_model import NeuronModel
from ..nn.sparse_li import SparseLI
from ..nn.sparse_lif import SparseLIF
from ..spikes import SpikeTensor
from .ipu_delays import delays_of, reads_before
from .ipu_executable import Results

if TYPE_CHECKING:
    from ..nn.snn import SNN


def check_carries_state(net: SNN) -> None:
    """Raise where a layer can neither begin with a state nor return one."""
    for index, layer in enumerate(net.stack):
        if isinstance(layer.neuron, NeuronModel) or _without_adjoint(layer):
            raise ValueError(
                f"ipu engine: state: layer {index}: expected a neuron whose codelet is made from "
                f"its step, since it alone takes and returns states, got {layer.neuron}: use the "
                "torch engine"
            )


def _without_adjoint(layer: SparseLayer | SparseLI) -> bool:
    """Return whether a codelet by hand has no gradient of the states before a step."""
    if isinstance(layer, (SparseLIF, SparseLI)) or not layer.neuron.codelet_by_hand:
        return False
    model = layer.spec().model
    return model is not None and not model.adjoint


def check_state(state: tuple[SparseState, ...] | None) -> None:
    """Raise where spikes are none."""
    for index, of_layer in enumerate(state or ()):
        for name in ("s", "x", "inputs", "spikes"):
            spikes = getattr(of_layer, name)
            if spikes is not None and bool(((spikes != 0) & (spikes != 1)).any()):
                raise ValueError(
                    f"ipu engine: state: layer {index}: {name}: expected spikes of 0 and 1, "
                    "got other values"
                )


def check_for_device(net: SNN, state: tuple[SparseState, ...]) -> None:
    """Raise where the host would need parameters that the device updates.

    It resets the membranes that come in, and finds the gradients of spikes that do.
    """
    for index, (layer, of_layer) in enumerate(zip(net.stack, state)):
        if any(delays_of(layer)):
            raise ValueError(
                f"ipu engine: state: layer {index}: expected no delays while the device updates "
                "the weights, by which the host multiplies earlier inputs: use torch's optimizer"
            )
        for name, spikes in (("s", of_layer.s), ("x", of_layer.x)):
            if spikes.requires_grad:
                raise ValueError(
                    f"ipu engine: state: layer {index}: {name}: expected spikes without a gradient "
                    "while the device updates the weights, got some with one: detach the state"
                )
        if (
            isinstance(layer, SparseLIF)
            and layer.reset == "subtract"
            and isinstance(layer.threshold, nn.Parameter)
        ):
            raise ValueError(
                f"ipu engine: state: layer {index}: expected no threshold that the device's "
                "optimizer learns and a reset subtracts where a state comes in: use torch's "
                "optimizer"
            )


def input_capacity(net: SNN, x: SpikeTensor, state: tuple[SparseState, ...] | None) -> int:
    """Return the entries of an input list, in which the list of the step before finds room too."""
    if state is None or not reads_before(0, net.stack[0])[0]:
        return x.capacity
    return max(x.capacity, int(last_input(state[0]).count_nonzero(-1).max()))


def last_input(state: SparseState) -> Tensor:
    """Return a layer's input [B, M] of the step before the first."""
    return state.x if state.inputs is None else state.inputs[-1]


def spikes_before(
    net: SNN, states: tuple[SparseState, ...] | None
) -> list[tuple[int, str, Tensor]]:
    """Return what layers read of the step before the first: layer, its weights' stream, spikes."""
    read: list[tuple[int, str, Tensor]] = []
    for index, (layer, state) in enumerate(zip(net.stack, states or ())):
        inputs, own = reads_before(index, layer)
        if inputs:
            read.append((index, f"weights{index}", last_input(state)))
        if own:
            read.append((index, f"recurrent_weights{index}", state.s))
    return read


def saved_before(
    net: SNN, x: SpikeTensor, state: tuple[SparseState, ...] | None, spec: NetworkSpec
) -> list[Tensor]:
    """Return what the layers' neurons save before the first step, each [B, S, N]."""
    states = state or net.initial_state(x.shape[1]).layers
    return [_rest(*each) for each in zip(net.stack, states, spec.layers)]


def _rest(layer: SparseLayer | SparseLI, state: SparseState, spec: LayerSpec) -> Tensor:
    """Return what a layer's neurons save [B, S, N] before the first step.

    Those with an adjoint save their spike; of others it is the membrane that a reset leaves.
    """
    if _has_adjoint(spec):
        *others, spikes = state.ordered(layer.neuron)
        for_backward = [torch.zeros_like(spikes)] * _saved_for_backward(layer, spec)
        return torch.stack([*others, *for_backward, spikes], 1)
    v = state.v
    if isinstance(layer, SparseLIF):
        spikes = state.s.detach() if layer.detach_reset else state.s
        v = after_reset(v, spikes, layer.threshold, layer.reset)
    return v.unsqueeze(1)


def _has_adjoint(spec: LayerSpec) -> bool:
    return spec.model is not None and spec.model.adjoint


def _saved_for_backward(layer: SparseLayer | SparseLI, spec: LayerSpec) -> int:
    """Return how many states of a codelet are none of the neuron's own."""
    assert spec.model is not None
    return spec.model.states - len(layer.neuron.states)


def states_after(
    net: SNN,
    x: SpikeTensor,
    state: tuple[SparseState, ...] | None,
    results: Results,
    values: dict[int, Tensor],
    saved: list[Tensor],
    spec: NetworkSpec,
) -> tuple[SparseState, ...]:
    """Return the states after the last step, of what the layers' neurons saved, each [B, S, N].

    `values` [T, B, S] are those of the lists of layers that the loss observes.
    Spikes of neurons with an adjoint are among it. Those of others follow from the membranes, as
    does their gradient: it goes to the device with that of the membranes. While the device updates
    the weights spikes have none.
    """
    step = x.shape[0] + (0 if state is None else state[0].step)
    x = x if spec.input_gradient else x.detach()
    inputs: Tensor | None = x.to_dense()
    assert inputs is not None
    below = inputs[-1]
    states = []
    for index, (layer, of_layer) in enumerate(zip(net.stack, spec.layers)):
        rows = [saved[index][:, row].clone() for row in range(saved[index].shape[1])]
        after = dict(zip(layer.neuron.states, rows))
        if not of_layer.spikes:
            after["s"] = torch.zeros_like(rows[0])
        else:
            fired, active = results.last_step(index)
            if _has_adjoint(of_layer):
                dropped = (rows[-1] != 0) & ~fired
                after["s"] = rows[-1].masked_fill(dropped, 0.0)
            else:
                assert isinstance(layer, SparseLIF)
                margin = after["v"] - layer.threshold
                after["s"] = surrogate.spike(margin, fired, active, surrogate=layer.surrogate)
            if spec.optimizer != "none":
                after["s"] = after["s"].detach()
        v, spikes = after.pop("v"), after.pop("s")
        own = None
        if index in values:
            own = results.spikes(index, values[index]).to_dense()
            own = own if spec.optimizer == "none" else own.detach()
        lines = lines_after(layer, None if state is None else state[index], inputs, own)
        more = tuple(after.values())
        states.append(SparseState(v, spikes, below.clone(), step, more, *lines))
        below = spikes
        inputs = own
    return tuple(states)
