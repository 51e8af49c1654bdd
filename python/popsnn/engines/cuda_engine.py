"""The cuda engine: layer after layer, each over all its steps at once.

A feed-forward layer is one product of all steps' spikes with the weights, then a kernel that walks
the steps (`cuda/popsnn/layer_forward.cuh`). A recurrent one without a capacity has its steps in one
persistent kernel on GPUs that can run it; any other goes step by step.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn.functional import pad

from .. import cuda, functional
from ..cuda import events
from ..cuda.events import Lists
from ..cuda.layer import LayerOutputs
from ..cuda.layer_launch import FIRED, LISTED, MOST_CAPPED, Draw, Neurons
from ..cuda.padded_rows import pad_rows, padded
from ..cuda.temporal_scan import parameter_of
from ..functional import LIFState, SparseState
from ..functional.neuron import LI as LINeuron
from ..functional.neuron import Neuron
from ..hashing import CallSeed, Seed
from ..nn._parts import SpikesOrDense, rounded
from ..nn._sparse_layer import SparseLayer
from ..nn.li import LI
from ..nn.sparse_lif import SparseLIF
from ..spikes import SpikeTensor
from .types import CountedStats, Engine, EngineResult, LayerTrace, PendingStats

if TYPE_CHECKING:
    from ..nn.snn import SNN


class CudaEngine(Engine):
    """Runs networks of SparseLIF and LI with float32 parameters on a GPU."""

    name = "cuda"
    takes_dense = True

    def suits(self, net: SNN) -> bool:
        return all(parameter.is_cuda for parameter in net.parameters())

    def unsupported(self, net: SNN) -> str | None:
        for index, layer in enumerate(net.stack):
            for name, parameter in layer.named_parameters():
                if parameter.dtype != torch.float32:
                    return (
                        f"layer {index}: {name}: expected a float32 tensor, got {parameter.dtype}"
                    )
            if not isinstance(layer, (SparseLIF, LI)):
                return f"layer {index}: expected SparseLIF or LI, got {type(layer).__name__}"
            if isinstance(layer, LI):
                continue
            if layer.surrogate.cuda_source is None:
                return (
                    f"layer {index}: surrogate: expected one with a CUDA expression, "
                    f"got {layer.surrogate.name}"
                )
            if layer.capacity < layer.out_features and layer.out_features > MOST_CAPPED:
                return (
                    f"layer {index}: max_activity: expected at most {MOST_CAPPED} neurons that "
                    f"compete for places, got {layer.out_features}"
                )
        return None

    def device(self, net: SNN) -> str:
        return torch.cuda.get_device_name(_device(net))

    def forward(
        self,
        net: SNN,
        x: SpikesOrDense,
        seed: Seed,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        stack = net.stack
        types = [_product(layer) for layer in stack]
        # [T, B, padded M], or the lists
        rows: Tensor | Lists = _input(x, _device(net), types[0])
        steps = x.shape[0]
        traces: list[LayerTrace] = []
        states: list[SparseState] = []
        stats: list[PendingStats] = []
        for index, (layer, follows) in enumerate(zip(stack, [*types[1:], torch.float32])):
            before = None if state is None else state[index]
            draw = _draw(seed, index, 0 if before is None else before.step)
            size = layer.out_features
            out = _run(layer, rows, before, draw, types[index], follows)
            last = rows
            membrane = out.membrane[..., :size]
            spikes = None
            if out.spikes is not None:
                assert isinstance(layer, SparseLIF)
                rows = out.spikes
                stats.append(CountedStats(out.counts, out.dropped, size))
                if trace or layer is stack[-1]:
                    spikes = _lists(out, layer.capacity, size)
            traces.append(LayerTrace(spikes, membrane))
            if return_state:
                v = membrane[-1]
                s = torch.zeros_like(v) if out.spikes is None else out.spikes[-1, :, :size].float()
                states.append(SparseState(v, s, _last_step(last, layer), draw.first_step + steps))
        end = traces[-1]
        return EngineResult(
            end.membrane if end.spikes is None else end.spikes,
            traces if trace else None,
            stats,
            tuple(states) if return_state else None,
        )


def _device(net: SNN) -> torch.device:
    for name, parameter in net.named_parameters():
        if not parameter.is_cuda:
            raise ValueError(
                f"SNN: backend 'cuda': {name}: expected a tensor on a CUDA device, got one on "
                f"{parameter.device}: call the network's .to('cuda')"
            )
    return next(net.parameters()).device


def _product(layer: SparseLayer | LI) -> torch.dtype:
    """Return the type of a layer's products; weights of float16 are exact in float32."""
    return torch.bfloat16 if layer.weight_dtype == torch.bfloat16 else torch.float32


def _draw(seed: Seed, layer: int, first_step: int) -> Draw:
    if isinstance(seed, CallSeed):
        return Draw(seed.seed, seed.calls, layer, first_step)
    return Draw(seed, None, layer, first_step)


def _input(x: SpikesOrDense, device: torch.device, dtype: torch.dtype) -> Tensor | Lists:
    """Return the input's spikes in rows [T, B, padded M], or its lists where those are faster."""
    x = x.to(device)
    if isinstance(x, SpikeTensor):
        if x.requires_grad:
            return pad_rows(x.to_dense(torch.float32), dtype)
        lists = Lists(x.ids, x.counts, x.size)
        return lists if events.pays(lists, dtype) else lists.rows(dtype)
    spikes = (x.detach() != 0).to(dtype)
    if x.requires_grad:
        spikes = x.to(dtype) + (spikes - x.detach().to(dtype))
    return pad_rows(spikes, dtype)


def _last_step(x: Tensor | Lists, layer: SparseLayer | LI) -> Tensor:
    """Return the inputs of the last step, float32 [B, M]."""
    if isinstance(x, Lists):
        x = Lists(x.ids[-1:], x.counts[-1:], x.size).rows(torch.float32)
    return x[-1, :, : layer.in_features].float()


def _neurons(layer: SparseLayer | LI, product: torch.dtype, spikes: torch.dtype) -> Neurons:
    """Return what the kernels are told of a layer's neurons."""
    neuron: Neuron = LINeuron() if isinstance(layer, LI) else layer.neuron
    parameters = layer.neuron_parameters()
    shape, surrogate, gate = "using Shape = popsnn::Rectangle;", 1.0, math.inf
    capacity = layer.out_features
    if isinstance(layer, SparseLayer):
        shape, surrogate = str(layer.surrogate.cuda_source), parameter_of(layer.surrogate)
        gate = -math.inf if layer.grad_threshold is None else layer.grad_threshold
        capacity = layer.capacity
    return Neurons(
        neuron=str(neuron.cuda_source),
        states=len(neuron.states),
        spiking=neuron.spiking,
        size=layer.out_features,
        slots=tuple(i for i, p in enumerate(parameters) if isinstance(p, Tensor)),
        values=tuple(0.0 if isinstance(p, Tensor) else float(p) for p in parameters),
        shape=shape,
        surrogate=surrogate,
        gate=gate,
        gain=layer.gain,
        capacity=capacity,
        product=product,
        spikes=spikes,
    )


def _in_float16(layer: SparseLayer | LI, weight: Tensor) -> Tensor:
    """Return weights rounded where the layer has them in float16."""
    return rounded(weight, torch.float16) if layer.weight_dtype == torch.float16 else weight


def _run(
    layer: SparseLayer | LI,
    x: Tensor | Lists,  # [T, B, padded M]
    state: SparseState | None,
    draw: Draw,
    product: torch.dtype,
    follows: torch.dtype,  # of the spikes, which the next layer's product takes
) -> LayerOutputs:
    if isinstance(layer, SparseLIF) and layer.recurrent:
        if _on_persistent_kernels(layer, product):
            return _persistent(layer, x, state, draw, product, follows)
        rows = x.rows(product) if isinstance(x, Lists) else x
        return _recurrent(layer, rows, state, draw, product, follows)
    weight = _in_float16(layer, layer.weight)
    neurons = _neurons(layer, product, follows)
    initial = () if state is None else (state.v, state.s)[: neurons.states]
    parameters = tuple(p for p in layer.neuron_parameters() if isinstance(p, Tensor))
    before = state.x if state is not None and layer.delay else None
    return cuda.layer(
        neurons, draw, layer.delay, x, before, weight, layer.bias, initial, parameters
    )


def _recurrent(
    layer: SparseLIF,
    x: Tensor,  # [T, B, padded M]
    state: SparseState | None,
    draw: Draw,
    product: torch.dtype,
    follows: torch.dtype,
) -> LayerOutputs:
    """Run a recurrent layer step by step; its own spikes are inputs of each step's product too."""
    assert layer.recurrent_weight is not None
    behind = x.shape[2] - layer.in_features  # zeros of a row
    weight = torch.cat(
        [
            pad(_in_float16(layer, layer.weight), (0, behind)),
            _in_float16(layer, layer.recurrent_weight),
        ],
        1,
    )
    neurons = _neurons(layer, product, product)
    parameters = tuple(p for p in layer.neuron_parameters() if isinstance(p, Tensor))
    if state is None:
        state = SparseState.at_rest(layer.weight, x.shape[1])
    if layer.delay:
        x = torch.cat([pad_rows(state.x, product).unsqueeze(0), x[:-1]])
    initial: tuple[Tensor, ...] = (state.v, state.s)
    own = pad_rows(state.s, product).unsqueeze(0)
    steps: list[LayerOutputs] = []
    for t in range(len(x)):
        now = draw._replace(first_step=draw.first_step + t)
        seen = torch.cat([x[t : t + 1], own], 2)
        out = cuda.layer(neurons, now, 0, seen, None, weight, layer.bias, initial, parameters)
        assert out.spikes is not None
        own = out.spikes
        initial = (out.membrane[0, :, : neurons.size], own[0, :, : neurons.size].float())
        steps.append(out)
    membrane, spikes, marks, counts, dropped = (torch.cat(part) for part in zip(*steps))
    return LayerOutputs(membrane, spikes.to(follows), marks, counts, dropped)


def _on_persistent_kernels(layer: SparseLIF, product: torch.dtype) -> bool:
    """Return whether all steps of a recurrent layer can be in one kernel.

    It takes weights that are scaled by the gain. To round them to bfloat16 after that, and not
    before as the definition does, gives the same where the gain is a power of two.
    """
    loops = layer.recurrent_weight
    return (
        loops is not None
        and layer.capacity == layer.out_features
        and (product == torch.float32 or math.frexp(layer.gain)[0] == 0.5)
        and cuda.recurrent_unsupported(loops, loops, product, layer.surrogate) is None
    )


def _persistent(
    layer: SparseLIF,
    x: Tensor | Lists,  # [T, B, padded M]
    state: SparseState | None,
    draw: Draw,
    product: torch.dtype,
    follows: torch.dtype,
) -> LayerOutputs:
    """Run a recurrent layer in one kernel, after the product of its inputs."""
    assert layer.recurrent_weight is not None
    passes_on = _neurons(layer, product, torch.float32)._replace(
        neuron=str(LINeuron().cuda_source), states=1, spiking=False, slots=(), values=(0.0,)
    )
    before = state.x if state is not None and layer.delay else None
    weight = _in_float16(layer, layer.weight)
    given = cuda.layer(passes_on, draw, layer.delay, x, before, weight, layer.bias, (), ())
    size = layer.out_features
    beta, threshold = layer.neuron_parameters()
    spikes, membrane, _ = functional.recurrent_lif(
        given.membrane[..., :size],
        _in_float16(layer, layer.recurrent_weight) * layer.gain,
        None if state is None else LIFState(state.v, state.s),
        beta=beta,
        threshold=threshold,
        reset=layer.reset,
        detach_reset=layer.detach_reset,
        surrogate=layer.surrogate,
        grad_threshold=layer.grad_threshold,
        weight_dtype=product,
        return_state=False,
        backend="cuda",
    )
    gate = -math.inf if layer.grad_threshold is None else layer.grad_threshold
    listed = (spikes != 0) | ~(membrane.detach() < gate)
    marks = (spikes != 0) * FIRED + listed * LISTED
    counts = torch.stack([(spikes != 0).sum(-1), listed.sum(-1)], -1).int()
    return LayerOutputs(
        membrane,
        pad(spikes.to(follows), (0, padded(size) - size)),
        marks.to(torch.uint8),
        counts,
        torch.zeros_like(counts),
    )


def _lists(out: LayerOutputs, capacity: int, size: int) -> SpikeTensor:
    assert out.spikes is not None
    marks = out.marks[..., :size]
    fired, above = marks == FIRED | LISTED, marks == LISTED
    return SpikeTensor.from_masks(
        out.spikes[..., :size].float(), fired, above, out.dropped, capacity
    )


ENGINE = CudaEngine()
