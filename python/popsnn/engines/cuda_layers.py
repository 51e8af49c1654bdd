"""Layers on the cuda engine over all steps.

A feed-forward layer is one product of all steps' spikes with the weights, then a kernel that walks
the steps (`cuda/popsnn/layer/forward.cuh`). A recurrent one has its steps in one persistent kernel
on GPUs that can run it: by `functional.recurrent_scan` or, with a capacity, by
`cuda.recurrent.capped`. Any other goes step by step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from .. import cuda, functional
from .._internal.hashing import CallSeed, Seed
from ..cuda.device.products import PLANES, PLANES_OF_TF32, takes_terms
from ..cuda.device.program import parameter_of
from ..cuda.device.side_stream import SideStream
from ..cuda.events import events
from ..cuda.events.events import Dense, Lists
from ..cuda.layer import launch as layer_launch
from ..cuda.layer import overlapped
from ..cuda.layer.launch import MOST_CAPPED, DropSeed, Neurons
from ..cuda.layer.layer import LayerOutputs
from ..cuda.layer.overlapped import OverlappedLayers
from ..cuda.layer.padded_rows import pad_rows, padded, spike_rows
from ..cuda.layer.products import Current, layer_current
from ..cuda.layer.weight import LayerWeight, layer_weight
from ..cuda.recurrent.arguments import PARAMETERS
from ..cuda.recurrent.strategy import WHOLE
from ..functional import SparseState
from ..functional.neuron import LEAKY_INTEGRATOR
from ..nn._parts import SpikesOrDense, rounded
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import Delays, delay_now, undelayed
from ..nn.engine import PendingStats
from ..nn.sparse_li import SparseLI
from ..spikes import SpikeTensor

FEWEST_LISTED_MULTIPLICATIONS = 1 << 30  # of a product in float32 that pays for its input's lists


class ActiveSet:
    """Base of the records of a layer's active set, computed on request."""

    def stats(self) -> PendingStats:
        """Return the counts, still on the GPU."""
        raise NotImplementedError

    def lists(self, spikes: Tensor, capacity: int) -> SpikeTensor:
        """Return the lists, which carry `spikes` [T, B, P]."""
        raise NotImplementedError

    def ids(self, spikes: Tensor, capacity: int) -> Lists | None:
        """Return the lists without the spikes' gradients, or None where they take time to find."""
        return None


class Flags(ActiveSet):
    """Flags that kernels with a capacity leave, of `size` neurons."""

    def __init__(self, flags: Tensor, counts: Tensor, dropped: Tensor, size: int) -> None:
        self.flags = flags  # uint8 [T, B, P]
        self.counted = PendingStats(counts, dropped, size)

    def stats(self) -> PendingStats:
        return self.counted

    def lists(self, spikes: Tensor, capacity: int) -> SpikeTensor:
        counts = self.counted.counts
        ids, values = self._compacted(spikes, capacity)
        # Copies: the counts are those of the network's statistics too.
        counts, dropped = counts.clone(), self.counted.dropped.clone()
        return SpikeTensor(
            ids, counts, self.counted.neurons, dropped=dropped, values=values, check=False
        )

    def ids(self, spikes: Tensor, capacity: int) -> Lists | None:
        ids, _ = self._compacted(spikes.detach(), capacity)
        return Lists(ids, self.counted.counts, self.counted.neurons)

    def _compacted(self, spikes: Tensor, capacity: int) -> tuple[Tensor, Tensor]:
        # Importing popsnn loads as little as it can.
        from ..cuda.layer.compacted_spikes import compact_spikes

        counted = self.counted
        return compact_spikes(spikes, self.flags, counted.counts, counted.neurons, capacity)


class Thresholds(ActiveSet):
    """Spikes and membranes [T, B, N] of a layer that drops nothing."""

    def __init__(self, spikes: Tensor, membrane: Tensor, grad_threshold: float) -> None:
        self.spikes, self.membrane, self.grad_threshold = (
            spikes.detach(),
            membrane.detach(),
            grad_threshold,
        )

    def stats(self) -> PendingStats:
        from ..cuda.layer.active_counts import active_counts  # importing popsnn loads little

        counts = active_counts(self.spikes, self.membrane, self.grad_threshold)
        return PendingStats(counts, torch.zeros_like(counts), self.spikes.shape[-1])

    def lists(self, spikes: Tensor, capacity: int) -> SpikeTensor:
        spikes = spikes[..., : self.spikes.shape[-1]].float()
        fired = self.spikes != 0
        subthreshold = ~(fired | (self.membrane < self.grad_threshold))
        dropped = torch.zeros((*spikes.shape[:2], 2), dtype=torch.int32, device=spikes.device)
        return SpikeTensor.from_masks(spikes, fired, subthreshold, dropped, capacity)


class Done(NamedTuple):
    """Outputs of a layer, rows of N neurons or padded; without spikes where it is a readout."""

    membrane: Tensor  # float32 [T, B, P]
    spikes: Tensor | None  # [T, B, P]
    active_set: ActiveSet
    more: tuple[Tensor, ...] = ()  # [B, N or P] each: `SparseState.more` after the last step


def product_type(layer: SparseLayer | SparseLI) -> torch.dtype:
    """Return the type of a layer's products with its input; float16 is exact in float32."""
    return torch.bfloat16 if layer.weight_dtype == torch.bfloat16 else torch.float32


def drop_seed_of(seed: Seed, layer: int, first_step: int) -> DropSeed:
    """Return the drop seed of a layer."""
    if isinstance(seed, CallSeed):
        return DropSeed(seed.seed, seed.calls, layer, first_step)
    return DropSeed(seed, None, layer, first_step)


def runs_in_chunks(
    layer: SparseLayer | SparseLI,
    product: torch.dtype,
    device: torch.device,
    steps: int,
    batch: int,
) -> bool:
    """Return whether a layer's neurons begin while its product of later steps is not done yet."""
    blocks = layer_launch.forward_blocks(_neurons(layer, product, product), batch)
    return overlapped.chunk_count(device, steps, blocks) > 1


def input_spikes(
    layer: SparseLayer | SparseLI,
    x: SpikesOrDense,
    dtype: torch.dtype,
    in_chunks: bool,
    adds: bool,
    in_terms: bool,
) -> Tensor | Lists | Dense:
    """Return the input's spikes as a layer takes them: as `input_rows`, or dense.

    Axonal delays, which read the input before the product, take dense spikes as they are.
    """
    axonal = isinstance(layer.delay, Delays) and layer.delay.kind == "axonal"
    dense = isinstance(x, Tensor) and x.dtype == torch.float32 and not x.requires_grad
    if axonal and dense and padded(x.shape[2]) == x.shape[2]:
        assert isinstance(x, Tensor)
        return Dense(x)
    return input_rows(x, dtype, in_chunks, adds, in_terms)


def input_rows(
    x: SpikesOrDense, dtype: torch.dtype, in_chunks: bool, adds: bool, in_terms: bool
) -> Tensor | Lists:
    """Return the input's spikes in rows [T, B, padded M], or its lists where those are faster.

    Rows are made for the weights' gradient in any case, and a product of rows can be one of some
    steps; that of lists loads the weights again for each. Rows whose product is one of terms are of
    bfloat16, unless their gradient is needed. `adds` is of `adds_up`.
    """
    if in_terms and not x.requires_grad:
        dtype = torch.bfloat16
    if isinstance(x, SpikeTensor):
        if x.requires_grad:
            return pad_rows(x.to_dense(torch.float32), dtype)
        lists = Lists(x.ids, x.counts, x.size)
        in_rows = in_chunks and torch.is_grad_enabled() and dtype == torch.bfloat16
        return lists if adds and not in_rows else lists.rows(dtype)
    if not x.requires_grad:
        return spike_rows(x, dtype)
    spikes = (x.detach() != 0).to(dtype)
    return pad_rows(x.to(dtype) + (spikes - x.detach().to(dtype)), dtype)


def adds_up(
    layer: SparseLayer | SparseLI,
    before: SpikesOrDense | SparseLayer | SparseLI,
    product: torch.dtype,
    device: torch.device,
    rows: int,
) -> bool:
    """Return whether to add up the weights of spikes in lists, rather than multiply so many rows.

    `before` is the network's input, or the layer whose spikes these are. Its lists have to be made
    then, which only long products in float32 pay for: in bfloat16 the tensor cores are faster.
    """
    if isinstance(before, SparseLayer):
        size, capacity = before.out_features, before.capacity
        multiplications = rows * size * layer.out_features
        if product != torch.float32 or multiplications < FEWEST_LISTED_MULTIPLICATIONS:
            return False
    elif isinstance(before, SpikeTensor) and not before.requires_grad:
        size, capacity = before.size, before.ids.shape[2]
    else:
        return False
    terms = _takes_terms(layer, product, device, rows)
    return events.takes(device, size, capacity, product, terms)


def hidden_lists(layer: SparseLayer, out: Done, overlapped: OverlappedLayers) -> Lists | None:
    """Return the lists of a layer's spikes; waits for all of its steps."""
    assert out.spikes is not None
    overlapped.wait()
    return out.active_set.ids(out.spikes, layer.capacity)


def last_step(x: Tensor | Lists | Dense, layer: SparseLayer | SparseLI) -> Tensor:
    """Return the inputs of the last step, float32 [B, M]."""
    rows = x if isinstance(x, Tensor) else x.last(1).rows(torch.float32)
    return rows[-1, :, : layer.in_features].to(torch.float32, copy=True)


def grad_threshold_of(layer: SparseLayer) -> float:
    """Return the gradient threshold."""
    return -math.inf if layer.grad_threshold is None else layer.grad_threshold


def _neurons(layer: SparseLayer | SparseLI, product: torch.dtype, spikes: torch.dtype) -> Neurons:
    """Return what the kernels are told of a layer's neurons."""
    neuron, translation = layer.neuron, layer.neuron.translation()
    parameters = layer.neuron_parameters()
    shape, surrogate, grad_threshold = "using Shape = popsnn::Rectangle;", 1.0, math.inf
    capacity = layer.out_features
    if isinstance(layer, SparseLayer):
        shape, surrogate = str(layer.surrogate.cuda_source), parameter_of(layer.surrogate)
        grad_threshold, capacity = grad_threshold_of(layer), layer.capacity
    return Neurons(
        neuron=str(translation.source),
        states=len(neuron.states) + translation.added,
        spiking=neuron.spiking,
        size=layer.out_features,
        tensor_indices=tuple(i for i, p in enumerate(parameters) if isinstance(p, Tensor)),
        values=tuple(0.0 if isinstance(p, Tensor) else float(p) for p in parameters),
        shape=shape,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        gain=layer.gain,
        capacity=capacity,
        product=product,
        spikes=spikes,
        membrane=neuron.membrane,
        added=translation.added,
    )


def _in_float16(layer: SparseLayer | SparseLI, weight: Tensor) -> Tensor:
    """Return weights rounded where the layer has them in float16."""
    return rounded(weight, torch.float16) if layer.weight_dtype == torch.float16 else weight


def _takes_terms(
    layer: SparseLayer | SparseLI, product: torch.dtype, device: torch.device, rows: int
) -> bool:
    """Return whether a layer's product of so many rows is one of terms; delays make fractions."""
    sizes = (padded(layer.out_features), padded(layer.in_features))
    return not isinstance(layer.delay, Delays) and takes_terms(product, device, rows, *sizes)


def weight_of(
    layer: SparseLayer | SparseLI,
    product: torch.dtype,
    side: SideStream,
    rows: int,
    adds: bool,
    tf32: bool,
) -> LayerWeight:
    """Return a layer's weights for a product of a type, of so many rows of spikes.

    `adds`: they are added up instead. `tf32`: products may have the bits of TF32.
    """
    with side:
        weight = _in_float16(layer, layer.weight)
    terms, planes = 0, PLANES_OF_TF32 if tf32 and layer.weight_dtype is None else PLANES
    if not adds and _takes_terms(layer, product, layer.weight.device, rows):
        terms = PLANES_OF_TF32 if layer.weight_dtype == torch.float16 else planes
    return layer_weight(weight, product, side, terms, planes)


def run_layer(
    layer: SparseLayer | SparseLI,
    weight: LayerWeight,
    x: Tensor | Lists | Dense,  # [T, B, padded M]; dense spikes where delays are axonal
    state: SparseState | None,
    drop_seed: DropSeed,
    product: torch.dtype,
    follows: torch.dtype,  # of the spikes, which the next layer's product takes
    overlapped: OverlappedLayers,
    tf32: bool,  # whether products of float32 may have the bits of TF32
    lists: Lists | None = None,  # of x
) -> Done:
    """Run a layer over all steps; what it did is for `overlapped` alone until that waits."""
    delays = layer.delay if isinstance(layer.delay, Delays) else None
    delay = 0 if delays is not None else undelayed(layer, "delay")
    before = state.x if state is not None and delay else None
    late = None  # the product, where it is delayed itself
    spikes = delays is None  # whether x is 0 or 1: steps of a delay may get a fraction each
    if delays is not None:
        from .cuda_delays import axonal, late_product  # importing popsnn loads as little as it can

        overlapped.wait()
        if delays.kind == "axonal":
            x, weight = axonal(delays, weight, x, state, product)
            lists = None
    assert not isinstance(x, Dense)  # which axonal delays alone take
    if delays is not None and delays.kind != "axonal":
        late = late_product(delays, weight, x, state, product)
    neurons = _neurons(layer, product, follows)
    if isinstance(layer, SparseLayer) and layer.recurrent:
        persistent = _on_persistent_kernels(layer)
        some = (x.ids if isinstance(x, Lists) else x).shape[:2].numel() > 0
        capped = not persistent and some and _on_capped_kernels(layer)
        if late is None and (persistent or capped) and _takes_products(layer):
            overlapped.wait()
            narrow = product == follows == torch.bfloat16 and padded(neurons.size) == neurons.size
            current = layer_current(x, weight, delay, before, lists, narrow=narrow, spikes=spikes)
            bias = layer.bias
        else:
            if late is None:
                passes_on = neurons._replace(
                    neuron=str(LEAKY_INTEGRATOR.translation().source),
                    states=1,
                    spiking=False,
                    tensor_indices=(),
                    values=(0.0,),
                    membrane=0,
                    added=0,
                )
                late = cuda.layer(
                    *(passes_on, drop_seed, delay, x, before, weight, layer.bias, (), ()),
                    *(overlapped, lists),
                    spikes=spikes,
                ).membrane
                overlapped.wait()
            else:
                late = _scaled(late, layer)
            current, bias = Current(late, None), None
        if persistent:
            return _in_one_kernel(layer, current, bias, state, follows, tf32)
        if capped:
            return _in_one_capped_kernel(layer, current, bias, state, drop_seed, follows, tf32)
        return _step_by_step(layer, current.values, state, drop_seed, product, follows)
    initial = () if state is None else state.ordered(layer.neuron)
    parameters = tuple(p for p in layer.neuron_parameters() if isinstance(p, Tensor))
    if late is not None:
        from ..cuda.layer.products import layer_neurons

        out = layer_neurons(neurons, drop_seed, late, layer.bias, initial, parameters)
        return _done(out, neurons, follows)
    out = cuda.layer(
        neurons,
        drop_seed,
        delay,
        x,
        before,
        weight,
        layer.bias,
        initial,
        parameters,
        overlapped,
        lists,
        spikes=spikes,
    )
    return _done(out, neurons, follows)


def _scaled(product: Tensor, layer: SparseLayer) -> Tensor:
    """Return the current of a product [T, B, P], with bias and gain."""
    if layer.bias is not None:
        product = product + pad(layer.bias, (0, product.shape[2] - layer.out_features))
    return product * layer.gain


def _done(out: LayerOutputs, neurons: Neurons, follows: torch.dtype) -> Done:
    """Return what kernels with flags left."""
    active = Flags(out.flags, out.counts, out.dropped, neurons.size)
    spikes = None if out.spikes is None else out.spikes.to(follows)
    return Done(out.membrane, spikes, active, () if out.more is None else out.more.unbind())


def _step_by_step(
    layer: SparseLayer,
    input_current: Tensor,  # [T, B, P], the current without the layer's own spikes
    state: SparseState | None,
    drop_seed: DropSeed,
    product: torch.dtype,
    follows: torch.dtype,
) -> Done:
    """Run a recurrent layer, a few launches a step."""
    assert layer.recurrent_weight is not None
    neurons = _neurons(layer, product, product)._replace(gain=1.0)
    parameters = tuple(p for p in layer.neuron_parameters() if isinstance(p, Tensor))
    if state is None:
        state = SparseState.at_rest(layer.weight, input_current.shape[1], layer.other_states)
    delays = None
    if layer.recurrent_delay is not None:
        from .cuda_delays import late

        delays = late(layer, state)
    out = cuda.recurrent_layer(
        neurons,
        drop_seed,
        layer.gain,
        input_current,
        _in_float16(layer, layer.recurrent_weight),
        state.ordered(layer.neuron),
        parameters,
        delays,
    )
    return _done(out, neurons, follows)


def _on_persistent_kernels(layer: SparseLayer) -> bool:
    """Return whether all steps of a recurrent layer can be in one kernel.

    It returns no other values than membranes after the step, from which `Thresholds` makes the
    active set.
    """
    loops, neuron, delay = layer.recurrent_weight, layer.neuron, layer.recurrent_delay
    taken_as = layer.weight_dtype or torch.float32
    if delay is not None:
        from .cuda_delays import unsupported_recurrent_delay

        if unsupported_recurrent_delay(delay.now()) is not None:
            return False
    return (
        loops is not None
        and layer.capacity == layer.out_features
        and (layer.grad_threshold is None or neuron.translation().fires_on_membrane)
        and cuda.recurrent_unsupported(neuron, loops, loops, taken_as, layer.surrogate) is None
    )


def _on_capped_kernels(layer: SparseLayer) -> bool:
    """Return whether kernels with a capacity have all steps of a recurrent layer.

    Their bytes of the active set are those of any value that is compared with the threshold.
    """
    loops, neuron = layer.recurrent_weight, layer.neuron
    taken_as = layer.weight_dtype or torch.float32
    return (
        loops is not None
        and layer.recurrent_delay is None
        and layer.out_features <= MOST_CAPPED
        and cuda.recurrent_unsupported(neuron, loops, loops, taken_as, layer.surrogate) is None
    )


def _recurrent_weight(layer: SparseLayer, tf32: bool) -> tuple[Tensor, torch.dtype]:
    """Return recurrent weights that are scaled by the gain, and what products take them as.

    To round them after that, and not before as the reference does, gives the same where the gain is
    a power of two; of float16, which has small weights with fewer bits, where it is 1. `tf32`:
    weights without a type are taken as float16, which has the mantissas of TF32.
    """
    weight, dtype = layer.recurrent_weight, layer.weight_dtype
    assert weight is not None
    if dtype is None:
        return weight * layer.gain, torch.float16 if tf32 else torch.float32
    same = layer.gain == 1.0 or (dtype != torch.float16 and math.frexp(layer.gain)[0] == 0.5)
    return (weight * layer.gain, dtype) if same else (
        rounded(weight, dtype) * layer.gain, torch.float32
    )  # fmt: skip


def _takes_products(layer: SparseLayer) -> bool:
    """Return whether recurrent kernels take the products as they are, and add the bias."""
    most = PARAMETERS - (layer.bias is not None)
    at_once = layer.recurrent_delay is None
    return layer.gain == 1.0 and at_once and len(layer.neuron.parameters) <= most


def _in_one_kernel(
    layer: SparseLayer,
    current: Current,  # [T, B, P], without the layer's own spikes
    bias: Tensor | None,  # [N], which it lacks
    state: SparseState | None,
    follows: torch.dtype,
    tf32: bool,
) -> Done:
    """Run recurrent neurons without a capacity over all steps."""
    neuron, size = layer.neuron, layer.out_features
    x = current.values[..., :size]
    before = None if state is None else state.ordered(neuron)
    parameters = dict(zip(neuron.parameters, layer.neuron_parameters()))
    delay = delay_now(layer.recurrent_delay)
    # Taps of synaptic delays that are spread make weights that take float32.
    spread = delay is not None and delay.kind == "synaptic" and delay.spread not in WHOLE
    weight, taken_as = _recurrent_weight(layer, tf32 and not spread)
    if delay is None:
        out = functional.ScanOutput(
            *cuda.recurrent(
                neuron,
                x,
                weight,
                before,
                parameters,
                recurrent_input=0,
                weight_dtype=taken_as,
                surrogate=layer.surrogate,
                grad_threshold=layer.grad_threshold,
                membrane=True,
                return_state=layer.other_states > 0,
                bias=bias,
                of_current=current.gradient,
            )
        )
    else:
        out = functional.recurrent_scan(
            type(layer).__name__,
            neuron,
            x,
            weight,
            before,
            parameters,
            delay=delay,
            before=None if state is None else state.spikes,
            weight_dtype=taken_as,
            surrogate=layer.surrogate,
            grad_threshold=layer.grad_threshold,
            return_state=layer.other_states > 0,
            backend="cuda",
        )
    assert out.spikes is not None
    assert out.membrane is not None
    return Done(
        out.membrane,
        _in_rows(out.spikes, follows),
        Thresholds(out.spikes, out.membrane, grad_threshold_of(layer)),
        tuple(value for state, value in zip(neuron.states, out.state) if state not in ("v", "s")),
    )


def _in_rows(spikes: Tensor, dtype: torch.dtype) -> Tensor:
    """Return spikes [T, B, N] of another type, zeros behind N, as the next product takes them."""
    spikes, missing = spikes.to(dtype), padded(spikes.shape[-1]) - spikes.shape[-1]
    return pad(spikes, (0, missing)) if missing else spikes  # which copies even nothing


def _in_one_capped_kernel(
    layer: SparseLayer,
    current: Current,  # [T, B, P], without the layer's own spikes
    bias: Tensor | None,  # [N], which it lacks
    state: SparseState | None,
    drop_seed: DropSeed,
    follows: torch.dtype,
    tf32: bool,
) -> Done:
    """Run recurrent neurons with a capacity over all steps."""
    from ..cuda.recurrent.capped import recurrent_capped  # importing popsnn loads little

    neuron, size = layer.neuron, layer.out_features
    weight, taken_as = _recurrent_weight(layer, tf32)
    out = recurrent_capped(
        neuron,
        current.values[..., :size],
        weight,
        None if state is None else state.ordered(neuron),
        dict(zip(neuron.parameters, layer.neuron_parameters())),
        weight_dtype=taken_as,
        surrogate=layer.surrogate,
        grad_threshold=layer.grad_threshold,
        capacity=layer.capacity,
        drop_seed=drop_seed,
        bias=bias,
        of_current=current.gradient,
    )
    assert out.spikes is not None
    active = Flags(out.flags, out.counts, out.dropped, size)
    spikes = _in_rows(out.spikes, follows)
    return Done(out.membrane, spikes, active, () if out.more is None else out.more.unbind())
