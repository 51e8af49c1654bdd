"""Delays of a network's layers on the ipu engine: what is compiled in, and what its tiles take.

Dendritic and synaptic delays are rings of currents on the neurons' tiles. Axonal delays are rings
of spikes on the tiles of the lists; the host delays the network's input before it sends the lists.
What arrives from before the first step comes as currents of the first steps, which the host
multiplies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Iterator, NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear, pad

from .._internal.spec import LayerSpec, NetworkSpec
from ..functional import DelaySteps, SparseState, delayed
from ..functional._delays import check_steps, delayed_products
from ..nn._parts import rounded
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import delay_now
from ..nn.sparse_li import SparseLI
from ..spikes import SpikeTensor
from .ipu_streams import Arrays, check_lists, float32

if TYPE_CHECKING:
    from ..nn.snn import SNN

# Streams of whole delays, by source: axonal and synaptic.
AXONS = ("axons", "recurrent_axons")
SYNAPSES = ("synapses", "recurrent_synapses")
LONGEST = 2**16 - 1  # of a weight, in 16 bits


def delays_of(layer: SparseLayer | SparseLI) -> list[DelaySteps | None]:
    """Return the delays of a layer's sources, its input and its own spikes, as they are now."""
    sources = [layer.delay, layer.recurrent_delay] if _loops(layer) else [layer.delay]
    steps = (delay_now(source) for source in sources)
    return [each if isinstance(each, DelaySteps) else None for each in steps]


def _loops(layer: SparseLayer | SparseLI) -> bool:
    return isinstance(layer, SparseLayer) and layer.recurrent


def unsupported_delays(layer: SparseLayer | SparseLI) -> str | None:
    """Return which delays of a layer no IPU has, or None where it has them all."""
    for option, steps in zip(("delay", "recurrent_delay"), delays_of(layer)):
        if steps is None or steps.kind == "dendritic":
            continue
        if steps.spread not in ("none", "straight_through"):
            return (
                f"{option}: expected dendritic delays, or others that are fixed or of spread "
                f"'straight_through', got {steps.kind} ones of spread {steps.spread!r}"
            )
        if _synaptic(steps) and steps.maximum > LONGEST:
            return (
                f"{option}: expected synaptic delays of at most {LONGEST} steps, got "
                f"{steps.maximum}"
            )
    return None


def _whole(steps: DelaySteps) -> bool:
    return steps.spread == "none"


def _axonal(steps: DelaySteps | None) -> bool:
    return steps is not None and steps.kind == "axonal"


def _synaptic(steps: DelaySteps) -> bool:
    return steps.kind == "synaptic"


def _learns(steps: DelaySteps) -> bool:
    return torch.is_grad_enabled() and not _whole(steps) and steps.steps.requires_grad


def _rounded(steps: DelaySteps) -> DelaySteps:
    """Return axonal or synaptic delays in whole steps, with the gradient of those clamped."""
    if _whole(steps):
        return steps
    clamped = steps.steps.clamp(steps.minimum, steps.maximum)
    whole = clamped + (clamped.round() - clamped).detach()  # exact: both differ by half at most
    return steps._replace(steps=whole)


class _Source(NamedTuple):
    """Delays of a source as the device has them: `steps` come after `sooner` steps of its lists.

    `late`: what arrives are spikes, in lists of their own. `any_delays`: an executable is for all
    delays of the range.
    """

    given: DelaySteps
    steps: DelaySteps | None
    sooner: int
    late: bool
    any_delays: bool


def _sources(index: int, layer: SparseLayer | SparseLI) -> list[_Source | None]:
    """Return the delays of a layer's sources.

    Whole delays of one step or more begin with lists that are one step late: so a layer may step
    with the layer below. Those that learn also take the gradient of a step before.
    """
    sources: list[_Source | None] = []
    for source, given in enumerate(delays_of(layer)):
        if given is None:
            sources.append(None)
            continue
        learnt = getattr(layer.recurrent_delay if source else layer.delay, "learn", False)
        steps = given if given.kind == "dendritic" else _rounded(given)
        in_steps = _whole(given) or given.kind != "dendritic"
        if source == 0 and index == 0 and _axonal(given):
            sources.append(_Source(given, None, 0, late=True, any_delays=learnt))  # the host's
        elif source == 0 and in_steps and given.minimum > (0 if _whole(given) else 1):
            later = steps._replace(
                steps=steps.steps - 1, maximum=given.maximum - 1, minimum=given.minimum - 1
            )
            left = later if later.maximum > 0 else None
            late = left is not None and _axonal(given)
            sources.append(_Source(given, left, 1, late, learnt))
        else:
            sources.append(_Source(given, steps, 0, _axonal(given), learnt))
    return sources


def _on_tiles(index: int, layer: SparseLayer | SparseLI) -> Iterator[tuple[int, DelaySteps, bool]]:
    """Yield the sources with delays on tiles: number, delays, whether spikes are late.

    Axonal and synaptic delays are whole numbers, also where they learn.
    """
    for number, source in enumerate(_sources(index, layer)):
        if source is not None and source.steps is not None:
            yield number, source.steps, source.late


def with_delays(
    index: int,
    layer: SparseLayer | SparseLI,
    spec: LayerSpec,
    below: int,
    carries_state: bool,
    any_delays: bool = False,
) -> LayerSpec:
    """Return a layer's description with its delays.

    `below` is the capacity of the layer below; `any_delays`: no delay's value is read.

    Raises
    ------
    ValueError
        Where a fixed delay that is read is no whole number of its range: tiles find rows of their
        memory by it.
    """
    sources = _sources(index, layer)
    for option, source in zip(("delay", "recurrent_delay"), sources):
        if source is not None and _whole(source.given) and not any_delays:
            argument = f"layer {index}: {option}.steps"
            given = source.given
            check_steps("ipu engine", argument, given.steps, given.minimum, given.maximum)
    dendritic, axonal, early = [0, 0], [0, 0], 0
    arrivals, undelayed = [0, 0], [0, 0]
    synaptic = whole = learnt = straight_through = 0
    for number, source in enumerate(sources):
        if carries_state and source is not None and source.late:
            early = max(early, source.given.maximum + number)
    for number, steps, late in _on_tiles(index, layer):
        if late:
            source = sources[number]
            assert source is not None
            axonal[number] = steps.maximum
            capacity = spec.capacity if number else below
            arrivals[number] = _most_arrivals(steps, capacity, any_delays or source.any_delays)
            undelayed[number] = _undelayed(steps, any_delays or source.any_delays)
            straight_through |= _learns(steps) << number
            continue
        dendritic[number] = steps.maximum
        if _synaptic(steps):
            synaptic |= 1 << number
            straight_through |= _learns(steps) << number
            continue
        whole |= _whole(steps) << number
        learnt |= _learns(steps) << number
    return replace(
        spec,
        delay=spec.delay if sources[0] is None else sources[0].sooner,
        dendritic=dendritic[0],
        recurrent_dendritic=dendritic[1],
        synaptic=synaptic,
        whole_delays=whole,
        learnt_delays=learnt,
        axonal=axonal[0],
        recurrent_axonal=axonal[1],
        arrivals=arrivals[0],
        recurrent_arrivals=arrivals[1],
        straight_through=straight_through,
        undelayed=undelayed[0],
        recurrent_undelayed=undelayed[1],
        early=early,
    )


def _most_arrivals(steps: DelaySteps, capacity: int, any_delays: bool) -> int:
    """Return how many spikes may arrive at a step: of each delay as many as one step fires.

    With the neighbors of delays that learn (codelets/delays/sections.hpp). `any_delays`: whatever
    the delays are, so that training does not compile again.
    """
    if any_delays:
        fired_in = steps.maximum - steps.minimum + 1 + (2 if _learns(steps) else 0)
        return min(len(steps.steps), fired_in * capacity)
    of_delay = torch.bincount(steps.steps.detach().long(), minlength=steps.maximum + 1)
    return int(of_delay.clamp(max=capacity).sum())


def _undelayed(steps: DelaySteps, any_delays: bool) -> int:
    """Return how many neurons have no delay, or may have none."""
    if any_delays:
        return len(steps.steps) if steps.minimum == 0 else 0
    return int((steps.steps == 0).sum())


def taps_of(net: SNN) -> list[Tensor]:
    """Return what each layer with dendritic delays takes for them [K, N].

    For each source its taps, or of whole steps their number.
    """
    return list(_taps(net).values())


def _taps(net: SNN) -> dict[int, Tensor]:
    taps = ((index, layer_taps(index, layer)) for index, layer in enumerate(net.stack))
    return {index: rows for index, rows in taps if rows is not None}


def layer_taps(index: int, layer: SparseLayer | SparseLI) -> Tensor | None:
    """Return what a layer with dendritic delays takes for them [K, N], or None."""
    rows = [
        steps.steps.float().unsqueeze(0) if _whole(steps) else steps.taps(torch.float32)
        for _, steps, late in _on_tiles(index, layer)
        if not late and not _synaptic(steps)
    ]
    return torch.cat(rows) if rows else None


def layer_delay_steps(index: int, layer: SparseLayer | SparseLI) -> list[Tensor]:
    """Return the axonal delays [M] and those of each weight [N, M] of a layer, float32, by source.

    Those that learn have the gradient of delays straight through the rounding.
    """
    return [
        steps.steps.float()
        for _, steps, late in _on_tiles(index, layer)
        if late or _synaptic(steps)
    ]


def whole_delays_of(net: SNN) -> Arrays:
    """Return the axonal delays [M] of layers, and those of each weight [M, N], by stream."""
    arrays: Arrays = {}
    for index, layer in enumerate(net.stack):
        for number, steps, late in _on_tiles(index, layer):
            values = steps.steps.detach().t().contiguous().numpy()
            if late:
                arrays[f"{AXONS[number]}{index}"] = values.astype(np.uint32)
            elif _synaptic(steps):
                arrays[f"{SYNAPSES[number]}{index}"] = values.astype(np.uint16)
    return arrays


def straight_through(net: SNN) -> list[Tensor]:
    """Return the whole delays on tiles that learn, [M] or [N, M], by layer and source."""
    return [
        steps.steps
        for index, layer in enumerate(net.stack)
        for _, steps, late in _on_tiles(index, layer)
        if (late or _synaptic(steps)) and _learns(steps)
    ]


def straight_through_stream(layer: int, source: int, synaptic: bool) -> str:
    """Return the stream of the gradients of a source's delays in `straight_through`."""
    return f"{(SYNAPSES if synaptic else AXONS)[source]}{layer}"


def straight_through_grad(name: str, grad: Tensor) -> Tensor:
    """Return the gradient of whole delays of what a stream has: of samples, or by the weights."""
    return grad.t() if name.startswith(SYNAPSES) else grad.sum(0)


def spikes_grad(name: str, grad: Tensor, weight: Tensor, whole: Arrays) -> Tensor:
    """Return the gradient [B, M] of the spikes of the step before the first.

    Parameters
    ----------
    name : str
        The stream of the weights that read them.
    grad : Tensor [B, N] or [D + 1, B, N]
        dL/d(synaptic sum) of the first step, or of the steps at which they arrive.
    weight : Tensor [N, M]
    whole : dict of arrays
        As of `whole_delays_of`.
    """
    if grad.dim() == 2:
        return grad @ weight
    steps = torch.from_numpy(whole[name.replace("weights", "synapses")].astype(np.int64)).t()
    return torch.stack([row @ (weight * (steps == k)) for k, row in enumerate(grad)]).sum(0)


def delay_arrays(net: SNN) -> Arrays:
    """Return all that tiles take for delays, by stream."""
    taps = {f"taps{index}": float32(rows) for index, rows in _taps(net).items()}
    return {**taps, **whole_delays_of(net)}


def late_input(net: SNN, x: SpikeTensor) -> SpikeTensor:
    """Return the network's input as it arrives: the lists of later steps, with axonal delays.

    Where these learn, lists have neighbors (codelets/delays/sections.hpp) among the entries that
    did not fire, and the values have the derivative of linear interpolation.
    """
    given = delays_of(net.stack[0])[0]
    if given is None or not _axonal(given):
        return x
    check_lists(x)  # what is wrong may not be there later
    steps = _rounded(given)
    learns = _learns(steps)
    times, batch, size = x.shape
    arrivals = _arrivals(x, steps, learns)
    # In a row those that fired come first; ids ascend.
    first = _first_of_each(arrivals, size)
    order = ((first.row * 2 + (first.kind > 0)) * size + first.neuron).argsort()
    row, kind, neuron = (part[order] for part in (first.row, first.kind, first.neuron))
    rows = torch.bincount(row, minlength=times * batch)
    column = torch.arange(len(row), device=row.device) - (rows.cumsum(0) - rows)[row]
    capacity = _rounded_up(int(rows.max()) if len(rows) else 0, size)
    late = x.ids.new_zeros(times * batch, capacity, dtype=torch.int32)
    late[row, column] = neuron.to(torch.int32)
    fired = torch.bincount(row[kind == 0], minlength=times * batch)
    values = None
    if x.requires_grad or learns:
        places = torch.empty_like(order)
        places[order] = row * capacity + column
        values = x.values.new_zeros(times * batch * capacity)
        real = arrivals.tap == 0
        moved = x.values.flatten()[arrivals.entry[real]]
        values = values.index_put((places[first.of[real]],), moved)
        if learns:
            moves = (steps.steps - steps.steps.detach())[arrivals.neuron[~real]]
            slopes = 0.5 * arrivals.tap[~real] * moves
            at = places[first.of[~real]]
            values = values.index_put((at,), slopes.to(values.dtype), accumulate=True)
        values = values.reshape(times, batch, capacity)
    return SpikeTensor(
        late.reshape(times, batch, capacity),
        torch.stack([fired, rows], 1).to(torch.int32).reshape(times, batch, 2),
        size,
        values=values,
        check=False,
    )


class _Arrivals(NamedTuple):
    """Entries of the input as they arrive, each [E].

    `row` [T, B] of their lists, `kind` 0 of those that fired, 1 of others, 2 of neighbors; `entry`
    of the input; `tap` -1 or 1 of neighbors, 0 of the others.
    """

    row: Tensor
    neuron: Tensor
    kind: Tensor
    entry: Tensor
    tap: Tensor


def _arrivals(x: SpikeTensor, steps: DelaySteps, learns: bool) -> _Arrivals:
    times, batch, _ = x.shape
    counts = x.counts.long()
    place = torch.arange(x.capacity, device=counts.device)
    entry = (place < counts[..., 1:]).flatten().nonzero()[:, 0]
    silent = (place >= counts[..., :1]).flatten()[entry].long()
    neuron = x.ids.long().flatten()[entry]
    delay = steps.steps.detach().long()[neuron]
    parts = []
    for tap in (0, -1, 1) if learns else (0,):
        # Rows are by step, then sample.
        row = entry // x.capacity + (delay + tap) * batch
        taken = row < times * batch
        if tap:
            taken &= (silent == 0) & (delay + tap >= 0) & (delay + tap <= steps.maximum)
        kind = silent if tap == 0 else torch.full_like(silent, 2)
        part = _Arrivals(row, neuron, kind, entry, kind.new_full((), tap))
        parts.append([value.expand_as(entry)[taken] for value in part])
    return _Arrivals(*map(torch.cat, zip(*parts)))


class _First(NamedTuple):
    """The first kind of each neuron of a row, each [U]; `of` [E]: which of them an arrival is."""

    row: Tensor
    neuron: Tensor
    kind: Tensor
    of: Tensor


def _first_of_each(arrivals: _Arrivals, size: int) -> _First:
    key = arrivals.row * size + arrivals.neuron
    order = (key * 3 + arrivals.kind).argsort()
    new = torch.ones_like(order, dtype=torch.bool)
    new[1:] = key[order[1:]] != key[order[:-1]]
    of = torch.empty_like(order)
    of[order] = new.cumsum(0) - 1
    chosen = order[new]
    return _First(arrivals.row[chosen], arrivals.neuron[chosen], arrivals.kind[chosen], of)


def _rounded_up(entries: int, most: int) -> int:
    """Round up to one of few sizes, since each is compiled: four of each power of two."""
    unit = max(4, 1 << max(0, entries.bit_length() - 3))
    return min(most, max(unit, -(-entries // unit) * unit))


def early_currents(
    net: SNN, batch: int, states: tuple[SparseState, ...] | None, spec: NetworkSpec
) -> list[Tensor]:
    """Return what comes from before the first step, for each layer with a ring of currents.

    The currents [D, B, N] of the first D steps, in which delayed inputs of the steps before arrive.
    """
    early = []
    for index, (layer, of_layer) in enumerate(zip(net.stack, spec.layers)):
        if not of_layer.ring:
            continue
        total = layer.weight.new_zeros(of_layer.ring, batch, layer.out_features)
        for currents in [] if states is None else _before(index, layer, states[index]):
            total = total + pad(currents, (0, 0, 0, 0, 0, len(total) - len(currents)))
        early.append(total)
    return early


def _before(index: int, layer: SparseLayer | SparseLI, state: SparseState) -> Iterator[Tensor]:
    """Yield the currents of each source with delays that a state brings."""
    loops = layer.recurrent_weight if isinstance(layer, SparseLayer) else None
    for number, source in enumerate(_sources(index, layer)):
        if source is None:
            continue
        line = state.spikes if number else state.inputs
        matrix = loops if number else layer.weight
        assert line is not None
        assert matrix is not None
        weight = rounded(matrix, layer.weight_dtype)
        if source.late:
            later = line.new_zeros(source.given.maximum, *line.shape[1:])
            if number:  # the last spikes have not been read
                later = torch.cat([state.s.unsqueeze(0), later])
            yield linear(delayed(later, source.given, line, backend="torch"), weight)
        elif source.steps is not None:
            line = line[: source.steps.maximum]
            nothing = torch.zeros_like(line)
            yield torch.stack(delayed_products(nothing, weight, None, source.steps, line))


def reads_before(index: int, layer: SparseLayer | SparseLI) -> tuple[bool, bool]:
    """Return whether a layer's lists of its first step are those of the step before, by source.

    Its input's and its own. What arrives late comes as `early_currents`.
    """
    sources = _sources(index, layer)
    late = [source is not None and source.late for source in sources]
    delay = layer.delay if sources[0] is None else sources[0].sooner
    return bool(delay) and not late[0], len(sources) > 1 and not late[1]


def observed_for_delays(net: Sequence[SparseLayer | SparseLI]) -> set[int]:
    """Return the layers whose spikes of several steps a state has."""
    observed = set()
    for index, layer in enumerate(net):
        steps, *own = delays_of(layer)
        if steps is not None:
            observed.add(index - 1)
        if own and own[0] is not None:
            observed.add(index)
    return observed
