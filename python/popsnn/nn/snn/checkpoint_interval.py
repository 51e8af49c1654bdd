"""Passes by checkpoint intervals: time chunks whose forward pass the backward pass repeats."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import torch
from torch import Tensor

from ..._internal.hashing import CallSeed, Seed
from ...functional import SparseState
from ...spikes import SpikeTensor
from .._auto_capacity import capacities_of, capturing, with_capacities
from .._options import Options
from .._parts import SpikesOrDense
from .._recomputation import version_of
from .._sparse_layer import RATE
from ..engine import Engine, EngineResult, LayerTrace, PendingStats

if TYPE_CHECKING:
    from . import SNN

States = Sequence[SparseState]


def run(
    interval: int,
    engine: Engine,
    net: SNN,
    x: SpikesOrDense,
    seed: Seed,
    trace: bool,
    state: tuple[SparseState, ...] | None,
    return_state: bool,
) -> EngineResult:
    """Run a network as `Engine.run` does, `interval` steps of `x` at a time.

    Of an interval the graph has what it returns, and the state that it begins with.
    """
    repeats = torch.is_grad_enabled() and not engine.repeats_passes
    if repeats and isinstance(seed, CallSeed):
        seed = seed._replace(calls=seed.calls.clone())  # the calls go on before it is repeated
    results: list[EngineResult] = []
    for begin in range(0, len(x), interval):
        part = x[begin : begin + interval]
        more = return_state or begin + interval < len(x)
        if repeats:
            result = _repeated(engine, net, part, seed, trace, state, more)
        else:
            result = engine.run(net, part, seed, trace, state, more)
        results.append(result)
        state = result.states
    return _joined(results)


def _repeated(
    engine: Engine,
    net: SNN,
    x: SpikesOrDense,
    seed: Seed,
    trace: bool,
    state: tuple[SparseState, ...] | None,
    return_state: bool,
) -> EngineResult:
    """Run an interval that saves nothing for its backward pass, which repeats it."""
    from torch.utils.checkpoint import checkpoint  # importing popsnn loads little

    layers = net.automatic_layers()
    capacities = capacities_of(layers)
    options = dict(_options(net))
    read = [(name, tensor, version_of(tensor)) for name, tensor in _read(net, x, state)]

    def first_or_again(_: Tensor) -> EngineResult:
        for name, tensor, version in read:
            if version_of(tensor) != version:
                raise _changed(net, f"{name} changed in place")
        for name, value in _options(net):
            if options[name] != value:
                raise _changed(net, f"{name}={value!r}")
        with with_capacities(layers, capacities):
            return engine.run(net, x, seed, trace, state, return_state)

    # Weights may be drawn, as by a parametrization that is a dropout: those repeated are the same.
    # `checkpoint` finds the device of its generator by the argument, and a graph that is captured
    # cannot read it.
    where = x if isinstance(x, Tensor) else x.counts
    keeps = not capturing()
    result: EngineResult = checkpoint(
        first_or_again, where, use_reentrant=False, preserve_rng_state=keeps
    )
    return result


def _read(net: SNN, x: SpikesOrDense, state: States | None) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors that a pass reads, with their names in messages."""
    for name, tensor in chain(net.layers.named_parameters("layers"), net.layers.named_buffers()):
        if not name.endswith(f".{RATE}"):  # changes after the pass, which does not read it
            yield name, tensor
    for tensor in (x,) if isinstance(x, Tensor) else (x.ids, x.counts):
        yield "x", tensor
    for layer in state or ():
        read = (layer.v, layer.s, layer.x, *layer.more, layer.inputs, layer.spikes)
        yield from (("state", tensor) for tensor in read if tensor is not None)


def _options(net: SNN) -> Iterator[tuple[str, Any]]:
    """Yield the mode and the options that are no tensors, with their names in messages."""
    yield "training", net.training
    yield "precision", net.precision
    for name, module in net.layers.named_modules(prefix="layers"):
        if isinstance(module, Options):
            for option in module._checks:
                yield f"{name}.{option}", vars(module).get(option)


def _changed(net: SNN, what: str) -> RuntimeError:
    return RuntimeError(
        f"SNN: backward: expected parameters, options, input, state and mode of the forward pass, "
        f"which checkpoint_interval={net.checkpoint_interval} repeats, got {what}"
    )


def _joined(results: Sequence[EngineResult]) -> EngineResult:
    """Return the result of all steps from those of the intervals."""
    traces: list[LayerTrace] | None = None
    if results[0].traces is not None:
        of_layers = zip(*(result.traces or () for result in results))
        traces = [_trace(parts) for parts in of_layers]
    out = _cat([result.out for result in results])
    if traces is not None:  # the last layer's is the output
        last = traces[-1]
        traces[-1] = (
            replace(last, spikes=out) if isinstance(out, SpikeTensor) else LayerTrace(None, out)
        )
    stats = [_stats(parts) for parts in zip(*(result.stats for result in results))]
    return EngineResult(out, traces, stats, results[-1].states)


def _cat(parts: Sequence[Tensor | SpikeTensor]) -> Tensor | SpikeTensor:
    spikes = [part for part in parts if isinstance(part, SpikeTensor)]
    if spikes:
        return SpikeTensor.cat(spikes)
    return torch.cat([part for part in parts if isinstance(part, Tensor)])


def _trace(parts: Sequence[LayerTrace]) -> LayerTrace:
    spikes = [part.spikes for part in parts if part.spikes is not None]
    membrane = torch.cat([part.membrane for part in parts])
    return LayerTrace(SpikeTensor.cat(spikes) if spikes else None, membrane)


def _stats(parts: Sequence[PendingStats]) -> PendingStats:
    counts = torch.cat([part.counts for part in parts])
    return parts[0]._replace(counts=counts, dropped=torch.cat([part.dropped for part in parts]))
