"""Delays of a network's layers on the ipu engine: what is compiled in, and what its tiles take.

Dendritic delays are rings of currents on the neurons' tiles. Axonal delays are rings of spikes on
the tiles of the lists; the host delays the network's input before it sends the lists. What arrives
from before the first step comes as currents of the first steps, which the host multiplies.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Iterator, NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear, pad

from .._internal.spec import LayerSpec, NetworkSpec
from ..functional import DelaySteps, SparseState, delayed
from ..nn._parts import rounded
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import delay_now
from ..nn.sparse_li import SparseLI
from ..spikes import SpikeTensor
from .ipu_streams import Arrays, float32

if TYPE_CHECKING:
    from ..nn.snn import SNN

AXONS = ("axons", "recurrent_axons")  # streams of axonal delays, by source


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
        if steps is None or steps.kind == "dendritic" or (_axonal(steps) and _whole(steps)):
            continue
        spread = "" if _whole(steps) else f" of spread {steps.spread!r}"
        return (
            f"{option}: expected dendritic delays, or axonal ones of whole fixed steps, got "
            f"{steps.kind} ones{spread}"
        )
    return None


def _whole(steps: DelaySteps) -> bool:
    return steps.spread == "none"


def _axonal(steps: DelaySteps | None) -> bool:
    return steps is not None and steps.kind == "axonal"


class _Source(NamedTuple):
    """Delays of a source as the device has them: `steps` come after `sooner` steps of its lists.

    `late`: what arrives are spikes, in lists of their own.
    """

    given: DelaySteps
    steps: DelaySteps | None
    sooner: int
    late: bool


def _sources(index: int, layer: SparseLayer | SparseLI) -> list[_Source | None]:
    """Return the delays of a layer's sources.

    Whole delays of one step or more begin with lists that are one step late: so a layer may step
    with the layer below.
    """
    sources: list[_Source | None] = []
    for source, given in enumerate(delays_of(layer)):
        if given is None:
            sources.append(None)
        elif source == 0 and index == 0 and _axonal(given):
            sources.append(_Source(given, None, 0, late=True))  # the host's
        elif source == 0 and _whole(given) and given.minimum > 0:
            later = given._replace(
                steps=given.steps - 1, maximum=given.maximum - 1, minimum=given.minimum - 1
            )
            left = later if later.maximum > 0 else None
            sources.append(_Source(given, left, 1, late=left is not None and _axonal(given)))
        else:
            sources.append(_Source(given, given, 0, late=_axonal(given)))
    return sources


def _on_tiles(index: int, layer: SparseLayer | SparseLI) -> Iterator[tuple[int, DelaySteps, bool]]:
    """Yield the sources with delays on tiles: number, delays, whether spikes are late."""
    for number, source in enumerate(_sources(index, layer)):
        if source is not None and source.steps is not None:
            yield number, source.steps, source.late


def with_delays(
    index: int, layer: SparseLayer | SparseLI, spec: LayerSpec, below: int, carries_state: bool
) -> LayerSpec:
    """Return a layer's description with its delays.

    `below` is the capacity of the layer below.
    """
    sources = _sources(index, layer)
    learns = torch.is_grad_enabled()
    dendritic, axonal, early = [0, 0], [0, 0], 0
    arrivals, undelayed = [0, 0], [0, 0]
    whole = learnt = 0
    for number, source in enumerate(sources):
        if carries_state and source is not None and source.late:
            early = max(early, source.given.maximum + number)
    for number, steps, late in _on_tiles(index, layer):
        if late:
            axonal[number] = steps.maximum
            arrivals[number] = _most_arrivals(steps, spec.capacity if number else below)
            undelayed[number] = int((steps.steps == 0).sum())
            continue
        dendritic[number] = steps.maximum
        whole |= _whole(steps) << number
        learnt |= (learns and not _whole(steps) and steps.steps.requires_grad) << number
    return replace(
        spec,
        delay=spec.delay if sources[0] is None else sources[0].sooner,
        dendritic=dendritic[0],
        recurrent_dendritic=dendritic[1],
        whole_delays=whole,
        learnt_delays=learnt,
        axonal=axonal[0],
        recurrent_axonal=axonal[1],
        arrivals=arrivals[0],
        recurrent_arrivals=arrivals[1],
        undelayed=undelayed[0],
        recurrent_undelayed=undelayed[1],
        early=early,
    )


def _most_arrivals(steps: DelaySteps, capacity: int) -> int:
    """Return how many spikes may arrive at a step: of each delay as many as one step fires."""
    of_delay = torch.bincount(steps.steps.detach().long(), minlength=steps.maximum + 1)
    return int(of_delay.clamp(max=capacity).sum())


def taps_of(net: SNN) -> list[Tensor]:
    """Return what each layer with dendritic delays takes for them [K, N].

    For each source its taps, or of whole steps their number.
    """
    return list(_taps(net).values())


def _taps(net: SNN) -> dict[int, Tensor]:
    taps = {}
    for index, layer in enumerate(net.stack):
        rows = [
            steps.steps.float().unsqueeze(0) if _whole(steps) else steps.taps(torch.float32)
            for _, steps, late in _on_tiles(index, layer)
            if not late
        ]
        if rows:
            taps[index] = torch.cat(rows)
    return taps


def axons_of(net: SNN) -> Arrays:
    """Return the axonal delays of layers, by stream."""
    return {
        f"{AXONS[number]}{index}": steps.steps.detach().numpy().astype(np.uint32)
        for index, layer in enumerate(net.stack)
        for number, steps, late in _on_tiles(index, layer)
        if late
    }


def delay_arrays(net: SNN) -> Arrays:
    """Return all that tiles take for delays, by stream."""
    taps = {f"taps{index}": float32(rows) for index, rows in _taps(net).items()}
    return {**taps, **axons_of(net)}


def late_input(net: SNN, x: SpikeTensor) -> SpikeTensor:
    """Return the network's input as it arrives: the lists of later steps, with axonal delays."""
    steps = delays_of(net.stack[0])[0]
    if steps is None or not _axonal(steps):
        return x
    times, batch, size = x.shape
    ids, counts = x.ids.long(), x.counts.long()
    count = partial(torch.arange, device=ids.device)
    place = count(x.capacity)
    active = place < counts[..., 1:]  # [T, B, S]
    # The executable refuses ids out of range.
    arrival = count(times)[:, None, None] + steps.steps.detach().long()[ids.clamp(0, size - 1)]
    kept = (active & (arrival < times)).flatten().nonzero()[:, 0]
    silent = (place >= counts[..., :1]).expand_as(ids).flatten()[kept]
    sample = count(batch)[None, :, None].expand_as(ids)
    row = (arrival * batch + sample).flatten()[kept]
    # In a row those that fired come first; ids ascend.
    order = ((row * 2 + silent) * size + ids.flatten()[kept]).argsort()
    kept, row, silent = kept[order], row[order], silent[order]
    rows = torch.bincount(row, minlength=times * batch)
    column = count(len(row)) - (rows.cumsum(0) - rows)[row]
    capacity = _rounded_up(int(rows.max()) if len(rows) else 0, size)
    late = x.ids.new_zeros(times * batch, capacity, dtype=torch.int32)
    late[row, column] = x.ids.flatten()[kept].to(torch.int32)
    fired = torch.bincount(row[~silent], minlength=times * batch)
    values = None
    if x.requires_grad:
        values = x.values.new_zeros(times * batch, capacity)
        values = values.index_put((row, column), x.values.flatten()[kept])
        values = values.reshape(times, batch, capacity)
    return SpikeTensor(
        late.reshape(times, batch, capacity),
        torch.stack([fired, rows], 1).to(torch.int32).reshape(times, batch, 2),
        size,
        values=values,
        check=False,
    )


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
            products = linear(line[: source.steps.maximum], weight)
            nothing = torch.zeros_like(products)
            yield delayed(nothing, source.steps, products, backend="torch")


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
