"""The cuda engine: layer after layer, each over all its steps at once.

How a layer runs is in `cuda_layers.py`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from .. import cuda
from .._internal.hashing import Seed
from ..cuda.device.program import without_slope
from ..cuda.device.side_stream import SideStream
from ..cuda.events.events import Dense, Lists
from ..cuda.layer.launch import MOST_CAPPED
from ..cuda.layer.overlapped import OverlappedLayers
from ..cuda.layer.padded_rows import unpadded
from ..cuda.layer.weight import LayerWeight
from ..functional import SparseState
from ..nn._parts import SpikesOrDense
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import has_delays
from ..nn.engine import TF32, Engine, EngineResult, LayerTrace, PendingStats
from ..nn.sparse_li import SparseLI
from .cuda_layers import (
    adds_up,
    drop_seed_of,
    hidden_lists,
    input_spikes,
    last_step,
    product_type,
    run_layer,
    runs_in_chunks,
    weight_of,
)

if TYPE_CHECKING:
    from ..nn.snn import SNN


SIDES = 4  # streams next to the caller's, in which layers take turns


class CudaEngine(Engine):
    """Runs networks of SparseLIF, SparseNeurons and SparseLI with float32 parameters on a GPU."""

    name = "cuda"
    takes_dense = True

    def unavailable(self) -> str | None:
        return cuda.unavailable()

    def suits(self, net: SNN) -> bool:
        return all(parameter.is_cuda for parameter in net.parameters())

    def unsupported(self, net: SNN) -> str | None:
        for index, layer in enumerate(net.stack):
            for name, parameter in layer.named_parameters():
                if parameter.dtype != torch.float32:
                    return (
                        f"layer {index}: {name}: expected a float32 tensor, got {parameter.dtype}"
                    )
            if has_delays(layer):
                from .cuda_delays import unsupported_delay  # importing popsnn loads little

                reason = unsupported_delay(layer, layer.weight.device)
                if reason is not None:
                    return f"layer {index}: {reason}"
            if isinstance(layer, SparseLI):
                continue
            reason = _unsupported_neurons(layer)
            if reason is not None:
                return f"layer {index}: {reason}"
            reason = without_slope(layer.surrogate)
            if reason is not None:
                return f"layer {index}: surrogate: {reason}"
            if layer.capacity < layer.out_features and layer.out_features > MOST_CAPPED:
                return (
                    f"layer {index}: max_activity: expected at most {MOST_CAPPED} neurons that "
                    f"compete for places, got {layer.out_features}"
                )
        return None

    def device(self, net: SNN) -> str:
        return torch.cuda.get_device_name(_device(net))

    def run(
        self,
        net: SNN,
        x: SpikesOrDense,
        seed: Seed,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        stack = net.stack
        types, tf32 = [product_type(layer) for layer in stack], net.precision == TF32
        device = _device(net)
        x = x.to(device)  # before side streams begin, which read lists
        steps, batch = x.shape[:2]
        in_chunks = runs_in_chunks(stack[0], types[0], device, steps, batch)
        weights: list[LayerWeight] = []
        adds: list[bool] = []
        sides: list[SideStream] = []
        for index, (layer, kind) in enumerate(zip(stack, types)):
            if index < SIDES:
                sides.append(SideStream(device, index))
            source = x if index == 0 else stack[index - 1]
            adds.append(adds_up(layer, source, kind, device, steps * batch))
            side = sides[index % SIDES]
            weights.append(weight_of(layer, kind, side, steps * batch, adds[-1], tf32))
            if index == 0:  # in front of what only the layers behind need
                in_terms = weights[0].terms is not None
                # [T, B, padded M], or the lists
                rows: Tensor | Lists | Dense = input_spikes(
                    layer, x, types[0], in_chunks, adds[0], in_terms
                )
        traces: list[LayerTrace] = []
        states: list[SparseState] = []
        stats: list[PendingStats] = []
        lists: Lists | None = None  # of hidden rows
        with OverlappedLayers(device) as overlapped:
            for index, (layer, follows) in enumerate(zip(stack, [*types[1:], torch.float32])):
                before = None if state is None else state[index]
                drop_seed = drop_seed_of(seed, index, 0 if before is None else before.step)
                size = layer.out_features
                out = run_layer(
                    layer,
                    weights[index],
                    rows,
                    before,
                    drop_seed,
                    types[index],
                    follows,
                    overlapped,
                    tf32,
                    lists,
                )
                lists = None
                if trace or return_state or layer is stack[-1]:
                    overlapped.wait()  # who reads here goes on in the caller's stream
                last = rows
                membrane = unpadded(out.membrane, size)
                spikes = None
                if out.spikes is not None:
                    assert isinstance(layer, SparseLayer)
                    rows = out.spikes
                    if layer is not stack[-1] and adds[index + 1]:
                        lists = hidden_lists(layer, out, overlapped)
                    stats.append(out.active_set.stats())
                    if trace or layer is stack[-1]:
                        spikes = out.active_set.lists(out.spikes, layer.capacity)
                traces.append(LayerTrace(spikes, membrane))
                if return_state:
                    # Copies: what a caller changes in one tensor must not show in another.
                    v, s = membrane[-1].clone(), torch.zeros_like(membrane[-1])
                    if out.spikes is not None:
                        s = out.spikes[-1, :, :size].to(torch.float32, copy=True)
                    x = last_step(last, layer)
                    more = tuple(other[:, :size].clone() for other in out.more)
                    step = drop_seed.first_step + steps
                    lines: tuple[Tensor | None, Tensor | None] = (None, None)
                    if has_delays(layer):
                        from .cuda_delays import lines_of

                        lines = lines_of(layer, last, out.spikes, before)
                    states.append(SparseState(v, s, x, step, more, *lines))
        for side in sides:
            side.join()  # also where no gradient is asked for, whose pass would wait
        end = traces[-1]
        return EngineResult(
            end.membrane if end.spikes is None else end.spikes,
            traces if trace else None,
            stats,
            tuple(states) if return_state else None,
        )


def _unsupported_neurons(layer: SparseLayer) -> str | None:
    """Return why a layer's neurons cannot run, or None where they can."""
    neuron = layer.neuron
    reason = neuron.translation().reason
    if reason is not None:
        return f"model: {reason}"
    if neuron.translation().generated or layer.capacity == layer.out_features:
        return None
    # Lines of CUDA that were written by hand do not say on what a state depends.
    try:
        drops = not neuron.traced().uses_own_spike
    except (NotImplementedError, TypeError, ValueError) as error:
        return f"max_activity: {error}"
    if drops:
        return None
    return (
        "max_activity: expected none, since a state of the model depends on the spike of its own "
        f"step, which a capacity may drop, got {layer.max_activity}"
    )


def _device(net: SNN) -> torch.device:
    # Buffers too: kernels read the count of calls and fixed decays by their address.
    device = None
    for name, tensor in chain(net.named_parameters(), net.named_buffers()):
        device = tensor.device if device is None else device
        if not tensor.is_cuda or tensor.device != device:
            expected = device if device.type == "cuda" else "a CUDA device"
            raise ValueError(
                f"SNN: backend 'cuda': {name}: expected a tensor on {expected}, got one on "
                f"{tensor.device}: call the network's .to('cuda')"
            )
    assert device is not None
    return device
