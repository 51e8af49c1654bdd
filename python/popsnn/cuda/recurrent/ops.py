"""The operators `popsnn::recurrent_forward` and `popsnn::recurrent_backward`, over [T, B, N]."""

import math
from functools import partial
from typing import List, Optional, Tuple

import torch
from torch import Tensor

from ..device import ops, products
from ..device.options import decode, encode
from ..device.products import outer
from ..device.properties import (
    Properties,
    capability,
    has_copy_engine,
    multiprocessors,
    shared_bytes,
)
from .arguments import Capacity, Cell, RecurrentOptions, Tensors
from .cluster import launch as cluster
from .delays import Delays
from .resident import launch as resident
from .resident import octet, pair
from .step import launch as step_launch
from .step.launch import by_columns
from .strategy import choose, choose_portable, gathers
from .streamed import streamed

# Spikes, membrane [T, B, N], final states [B, N], spikes that were sent in 16 bits, extra states
# [T, B, N] and the sums before dendritic delays where these are learnt,
# weights by source [N, pitch] where backward can read them again.
ForwardOutputs = Tuple[Tensor, Tensor, List[Tensor], Tensor, List[Tensor], Tensor]
# Gradients of x [T, B, N], weight [N, N], initial states [B, N], parameters [N], delays.
BackwardOutputs = Tuple[Tensor, Tensor, List[Tensor], List[Tensor], List[Tensor]]


def _forward_outputs(
    call: RecurrentOptions, x: Tensor, strategy: str, membrane: bool, extra: bool, spikes16: bool
) -> ForwardOutputs:
    shape: Tuple[int, ...] = tuple(x.shape)
    if strategy == "streamed":
        shape = streamed.messages_shape(x)
    if call.delay == "synaptic":
        from .streamed import taps  # few layers have delays of each weight

        shape = taps.sent_shape(x, call.longest)
    dtype = call.spike_row(x.dtype)
    others = call.delay == "axonal" or dtype != call.sixteen or shape != tuple(x.shape)
    second = spikes16 and others
    saved = call.states - 2 + (call.learn_delay and call.delay == "dendritic")
    return (
        torch.empty_like(x, dtype=dtype),
        x.new_empty(x.shape if membrane else 0, dtype=torch.float32),
        [x.new_empty(x.shape[1:], dtype=torch.float32) for _ in range(call.states * call.final)],
        x.new_empty(shape if second else 0, dtype=call.sixteen),
        [x.new_empty(x.shape, dtype=torch.float32) for _ in range(saved * extra)],
        x.new_empty(0),
    )


def forward(
    call: RecurrentOptions,
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [N, N], of synaptic delays [D + 1, N, N]
    initial: List[Tensor],  # of [B, N]
    parameters: List[Tensor],  # of [N]
    delays: List[Tensor],  # of `Delays`
    membrane: bool,
    extra: bool,
    spikes16: bool,
    *,
    capacity: Optional[Capacity] = None,
) -> ForwardOutputs:
    """Run a layer forward by the strategy of its size."""
    strategy = _forward_strategy(x, weight, call, capacity is not None)
    outputs = _forward_outputs(call, x, strategy, membrane, extra, spikes16)
    spikes, trace, last, second, others, _ = outputs
    if strategy == "none":  # no time step: the states stay what they were
        for index, state in enumerate(last):
            state.copy_(initial[index]) if initial else state.zero_()
        return outputs
    cell, delayed = Cell(call, parameters), Delays.of(call, delays)
    others, sums = _extra(call, others)
    if delayed is not None and delayed.kind == "synaptic":
        written = (spikes, trace, last, second, others)
        count = multiprocessors(x.device)
        from .streamed import taps  # few layers have delays of each weight

        taps.forward(cell, x, weight, initial, written, delayed, count)
        return outputs
    if strategy == "streamed":
        gathered = None
        if capacity is None and _gathers("forward", x, call, by_columns(weight)):
            gathered = streamed.by_source(weight, call.product)
        written = (spikes, trace, last, second, others)
        streamed.forward(cell, x, weight, initial, written, gathered, delayed, sums, capacity)
        if gathered is None or not _reads_by_source(x, weight, call, extra):
            return outputs
        return (*outputs[:-1], gathered)
    line = None  # where the kernels read what they delay
    if delayed is not None and strategy != "cluster":
        line = delayed.forward_line(x)
    fired = line if line is not None and call.delay == "axonal" else spikes
    tensors = Tensors(
        {"x": x, "spikes": fired, "spikes16": second, "membrane": trace},
        {"initial": initial, "final": last, "extra": others},
    )
    if strategy == "step":
        step_launch.launch(cell, x, weight, tensors)
        return outputs
    weight = weight.contiguous()
    if strategy == "cluster":
        cluster.launch(
            "forward", cell, x, weight, tensors, delays=delayed, sums=sums, capacity=capacity
        )
    elif strategy == "portable":
        from .portable import launch as portable  # importing popsnn loads as little as it can

        portable.launch("forward", cell, x, weight, tensors, delays=delayed, line=line)
    elif strategy == "octet":
        octet.launch(cell, x, weight, tensors, delayed, line)
    else:
        resident.launch(cell, x, weight, tensors, delayed, line)
    if delayed is not None and line is not None:
        delayed.write_outputs(line, spikes, sums)
    return outputs


def backward(
    call: RecurrentOptions,
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [N, N], of synaptic delays [D + 1, N, N]
    initial: List[Tensor],  # of [B, N]
    parameters: List[Tensor],  # of [N]
    delays: List[Tensor],  # of `Delays`
    membrane: Tensor,  # [T, B, N]
    extra: List[Tensor],  # of [T, B, N], states other than membrane and spikes
    spikes16: Tensor,  # [T, B, N]
    by_source: Tensor,  # [N, pitch] or empty
    grad_spikes: Optional[Tensor],  # [T, B, N]
    grad_membrane: Optional[Tensor],  # [T, B, N]
    grad_final: List[Tensor],  # of [B, N]
    learn: bool,
    grad_weight: bool,
    grad_initial: bool,
    *,
    capacity: Optional[Capacity] = None,
) -> BackwardOutputs:
    """Run a layer backward by the strategy of its size."""
    cell = Cell(call, parameters)
    rest = (learn, grad_weight, grad_initial)
    saved = (x, weight, initial, delays, membrane, extra, spikes16, by_source)
    if not (call.half and x.numel()):
        return _backward(cell, *saved, grad_spikes, grad_membrane, grad_final, *rest, capacity)
    from .scaling import Scale  # importing popsnn loads as little as it can

    scale = Scale.of(x, (grad_spikes, grad_membrane), grad_final)
    cell, grad_final = cell._replace(scale=scale.by), scale.scaled(grad_final)
    outputs = _backward(cell, *saved, grad_spikes, grad_membrane, grad_final, *rest, capacity)
    grad_x, total, before, sums, grad_delays = outputs
    scale.unscale(before, sums, grad_delays)
    return grad_x, scale.unscaled(total, weight.dtype), before, sums, grad_delays


def _backward(
    cell: Cell,
    x: Tensor,
    weight: Tensor,
    initial: List[Tensor],
    delays: List[Tensor],
    membrane: Tensor,
    extra: List[Tensor],
    spikes16: Tensor,
    by_source: Tensor,
    grad_spikes: Optional[Tensor],
    grad_membrane: Optional[Tensor],
    grad_final: List[Tensor],
    learn: bool,
    grad_weight: bool,
    grad_initial: bool,
    capacity: Optional[Capacity],
) -> BackwardOutputs:
    """Return what `backward` does; of float16 all but grad x is scaled."""
    call = cell.options
    dtype = call.spike_row(x.dtype)
    grad_x = torch.empty_like(x, dtype=dtype)
    extra, before_delays = _extra(call, extra)
    before = _initial_gradients(x, extra, grad_initial)
    delayed = Delays.of(call, delays)
    grad_delays = [] if delayed is None else delayed.gradients()
    if not x.numel():
        for index, state in enumerate(before):
            state.copy_(grad_final[index]) if grad_final else state.zero_()
        nothing = torch.zeros_like(weight) if grad_weight else weight.new_empty(0)
        none = [torch.zeros_like(p) for p in cell.tensors if learn]
        return grad_x, nothing, before, none, [grad.zero_() for grad in grad_delays]
    rows = {
        "membrane": membrane,
        "grad_spikes": torch.zeros_like(grad_x) if grad_spikes is None else grad_spikes,
        "grad_membrane": grad_membrane,
        "grad_x": grad_x,
    }
    if delayed is not None and delayed.kind == "synaptic":
        from .streamed import taps  # few layers have delays of each weight

        total, sums = taps.backward(
            cell, x, weight, initial, rows, extra, grad_final, before, spikes16, learn,
            grad_weight, delayed, grad_delays,
        )  # fmt: skip
        return grad_x, total, before, sums, grad_delays
    strategy = _strategy(x, call, capacity is not None)
    if strategy == "streamed":
        gathered = None
        if capacity is None and _gathers("backward", x, call):
            gathered = by_source
            if not by_source.numel():
                gathered = streamed.by_source(weight, call.product)
        total, sums = streamed.backward(
            cell, x, weight, initial, rows, extra, grad_final, before, spikes16, learn,
            grad_weight, gathered, delayed, before_delays, grad_delays, capacity,
        )  # fmt: skip
        return grad_x, total, before, sums, grad_delays
    weight = weight.contiguous()
    # Dendritic delays send the gradients of x later; of float16 they are scaled. Products of
    # float32 read those of x, which are float32.
    same = call.exact or (dtype == call.sixteen and call.delay != "dendritic" and not call.half)
    grad_x16 = grad_x if same else x.new_empty(
        x.shape if grad_weight or grad_initial else 0, dtype=call.sixteen
    )  # fmt: skip
    rows["grad_x16"] = None if same else grad_x16
    tensors = Tensors(
        rows,
        {"initial": initial, "grad_final": grad_final, "grad_initial": before, "extra": extra},
    )
    learnt = None  # [sets of all parts, or clusters, parameters, N]
    if strategy == "cluster":
        learnt = cluster.launch(
            "backward", cell, x, weight, tensors, learn=learn, delays=delayed, sums=before_delays,
            grad_delays=grad_delays, capacity=capacity,
        )  # fmt: skip
    else:
        line = None if delayed is None else delayed.grad_line(x)
        launch = pair.launch
        if strategy == "portable":
            from .portable import launch as portable

            launch = partial(portable.launch, "backward")
        learnt = launch(cell, x, weight, tensors, learn=learn, delays=delayed, line=line)
        if delayed is not None and line is not None:
            delayed.write_gradients(grad_delays, line, spikes16, before_delays)
    start = initial[-1] if initial else None  # which acts through the weights too
    if delayed is not None and delayed.axonal:
        start = delayed.first
    if grad_initial and call.exact:
        # One row of T: of float64, which no setting of torch rounds to TF32.
        before[-1] += (grad_x[0].double() @ weight.double()).float()
    elif grad_initial:
        product_dtype = torch.float32 if call.half else call.sixteen
        back = outer(grad_x16[0].t()[None], weight.to(call.sixteen)[None], product_dtype).float()
        if delayed is not None and delayed.axonal:
            grad_delays[2].copy_(back)
        else:
            before[-1] += back
    total = weight.new_empty(0)
    if grad_weight and call.exact:
        total = _exact_outer(grad_x, spikes16, start).to(weight.dtype)
    elif grad_weight:
        of_weight = cell.weight_gradient(weight)
        total = outer(grad_x16[1:], spikes16[:-1], of_weight)
        if start is not None:
            total += outer(grad_x16[:1], start.to(call.sixteen)[None], of_weight)
    sums = [] if learnt is None else [learnt[:, row].sum(0) for row in call.tensor_indices]
    return grad_x, total, before, sums, grad_delays


def _exact_outer(grad_x: Tensor, spikes: Tensor, start: Optional[Tensor]) -> Tensor:
    """Return the gradient of the weights, float32 [N, N], of grad x [T, B, N] in float32.

    `spikes` [T, B, N] are bfloat16, `start` [B, N] those before the first step. Unlike that of
    `products.weight_gradient`, the product with these too is one of terms, and any N will do.
    """
    from ..device.planes import split_planes  # importing popsnn loads as little as it can

    rows, missing = grad_x.flatten(), -grad_x.numel() % 4
    if missing:  # of whole vectors
        rows = torch.nn.functional.pad(rows, (0, missing))
    terms = split_planes(rows)[:, : grad_x.numel()].reshape(-1, *grad_x.shape)
    total = grad_x.new_empty((grad_x.shape[2], grad_x.shape[2]))
    products.multiply_terms(terms[:, 1:].flatten(1, 2).mT, spikes[:-1].flatten(0, 1)[None], total)
    if start is not None:
        for term in terms:
            products.multiply(term[0].t(), start.to(spikes.dtype), total, add=True)
    return total


def _extra(call: RecurrentOptions, extra: List[Tensor]) -> Tuple[List[Tensor], Optional[Tensor]]:
    """Return the extra states, and the sums before dendritic delays where they were saved."""
    states = call.states - 2
    return extra[:states], extra[states] if len(extra) > states else None


def _initial_gradients(x: Tensor, extra: List[Tensor], wanted: bool) -> List[Tensor]:
    """Return memory for the gradients of the states before the first step, if they are wanted."""
    count = (2 + len(extra)) * wanted
    return [x.new_empty(x.shape[1:], dtype=torch.float32) for _ in range(count)]


def _strategy(x: Tensor, call: RecurrentOptions, capped: bool = False, divides: bool = True) -> str:
    """Return the strategy, of a layer with a capacity one of those that have it.

    Where nothing `divides` the batch, it is that of a few samples.
    """
    if call.delay == "synaptic":
        return "streamed"
    steps, batch, neurons = x.shape
    count = multiprocessors(x.device)
    if has_copy_engine(x.device):
        longest = call.longest if call.delay else None
        chosen = choose(
            count,
            steps,
            neurons,
            call.exact,
            call.simple,
            longest,
            batch if divides and not capped else 0,
        )
        if capped:
            return "cluster" if chosen == "cluster" else "streamed"
        if (call.simple and not call.exact) or chosen != "streamed":
            return chosen
    # Products of float32 read the gradients of x, so these have to be float32 too.
    if capped or (call.exact and call.spike_row(x.dtype) != torch.float32):
        return "streamed"
    most = shared_bytes(x.device)
    delayed = bool(call.delay)
    return choose_portable(count, most, steps, batch, neurons, call.exact, call.states, delayed)


def _gathers(direction: str, x: Tensor, call: RecurrentOptions, by_source: bool = False) -> bool:
    if call.delay:
        return False
    steps, batch, neurons = x.shape
    device = x.device
    have = Properties(capability(device), multiprocessors(device), shared_bytes(device))
    limited = call.grad_threshold > -math.inf
    return gathers(direction, have, steps, batch, neurons, call.exact, limited, by_source)


def _reads_by_source(x: Tensor, weight: Tensor, call: RecurrentOptions, extra: bool) -> bool:
    """Return whether backward reads the copy of the weights by source that forward has made."""
    return extra and not by_columns(weight) and _gathers("backward", x, call)


def _forward_strategy(
    x: Tensor,
    weight: Tensor,
    call: RecurrentOptions,
    capped: bool = False,
    divides: bool = True,
) -> str:
    """Return how a layer runs forward, where a single time step has a strategy of its own.

    Of no time step it is "none".
    """
    if not x.numel():
        return "none"
    if capped:
        return _strategy(x, call, capped)
    if not call.delay and step_launch.fits(x, weight, call.exact, call.sixteen):
        return "step"
    strategy = _strategy(x, call, divides=divides)
    few = x.shape[1] <= octet.MOST_SAMPLES
    return "octet" if few and strategy == "resident" else strategy


def _forward_operator(
    x: Tensor,
    weight: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    delays: List[Tensor],
    options: str,
    membrane: bool,
    extra: bool,
    spikes16: bool,
) -> ForwardOutputs:
    call = decode(RecurrentOptions, options)
    return forward(call, x, weight, initial, parameters, delays, membrane, extra, spikes16)


def _fake_forward(
    x: Tensor,
    weight: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    delays: List[Tensor],
    options: str,
    membrane: bool,
    extra: bool,
    spikes16: bool,
) -> ForwardOutputs:
    call = decode(RecurrentOptions, options)
    # Divided or not, outputs have the same shapes: a symbolic batch keeps its range.
    strategy = _forward_strategy(x, weight, call, divides=False)
    outputs = _forward_outputs(call, x, strategy, membrane, extra, spikes16)
    reads = strategy == "streamed" and _reads_by_source(x, weight, call, extra)
    if not (reads and _gathers("forward", x, call)):
        return outputs
    shape = (x.shape[-1], streamed.messages_shape(x)[-1])
    return (*outputs[:-1], weight.new_empty(shape, dtype=call.product))


def _backward_operator(
    x: Tensor,
    weight: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    delays: List[Tensor],
    membrane: Tensor,
    extra: List[Tensor],
    spikes16: Tensor,
    by_source: Tensor,
    grad_spikes: Optional[Tensor],
    grad_membrane: Optional[Tensor],
    grad_final: List[Tensor],
    options: str,
    learn: bool,
    grad_weight: bool,
    grad_initial: bool,
) -> BackwardOutputs:
    return backward(
        decode(RecurrentOptions, options), x, weight, initial, parameters, delays, membrane,
        extra, spikes16, by_source, grad_spikes, grad_membrane, grad_final, learn, grad_weight,
        grad_initial,
    )  # fmt: skip


def _fake_backward(
    x: Tensor,
    weight: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    delays: List[Tensor],
    membrane: Tensor,
    extra: List[Tensor],
    spikes16: Tensor,
    by_source: Tensor,
    grad_spikes: Optional[Tensor],
    grad_membrane: Optional[Tensor],
    grad_final: List[Tensor],
    options: str,
    learn: bool,
    grad_weight: bool,
    grad_initial: bool,
) -> BackwardOutputs:
    call = decode(RecurrentOptions, options)
    delayed = Delays.of(call, delays)
    return (
        torch.empty_like(x, dtype=call.spike_row(x.dtype)),
        weight.new_empty(weight.shape if grad_weight else 0),
        _initial_gradients(x, _extra(call, extra)[0], grad_initial),
        [torch.empty_like(parameter) for parameter in parameters if learn],
        [] if delayed is None else delayed.gradients(),
    )


OPERATORS: ops.Operators = {
    "recurrent_forward": (_forward_operator, _fake_forward),
    "recurrent_backward": (_backward_operator, _fake_backward),
}
ops.register(OPERATORS)


def run_forward(
    call: RecurrentOptions,
    x: Tensor,
    weight: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    delays: List[Tensor],
    *outputs: bool,
) -> ForwardOutputs:
    """Run the operator, or `forward` at once where nothing traces it."""
    if not ops.traced(x):
        return forward(call, x, weight, initial, parameters, delays, *outputs)
    result: ForwardOutputs = torch.ops.popsnn.recurrent_forward(
        x, weight, initial, parameters, delays, encode(*call), *outputs
    )
    return result


def run_backward(
    call: RecurrentOptions,
    x: Tensor,
    weight: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    delays: List[Tensor],
    membrane: Tensor,
    extra: List[Tensor],
    spikes16: Tensor,
    by_source: Tensor,
    grads: Tuple[Optional[Tensor], Optional[Tensor], List[Tensor]],
    *wanted: bool,
) -> BackwardOutputs:
    """Run the operator, or `backward` at once where nothing traces it."""
    saved = (x, weight, initial, parameters, delays, membrane, extra, spikes16, by_source)
    if not ops.traced(x):
        return backward(call, *saved, *grads, *wanted)
    result: BackwardOutputs = torch.ops.popsnn.recurrent_backward(
        *saved, *grads, encode(*call), *wanted
    )
    return result
