"""A linear map of compacted spikes and the neurons that it drives."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from .. import _check
from .._check import PerNeuron
from ..compaction import Kept, begins, keep
from ..spikes import SpikeTensor
from ..surrogate import Surrogate, resolve, spike
from ._parts import after_reset, stack
from .neurons import li


class SparseState(NamedTuple):
    """State after a step: `v`, `s` [B, N], the last input `x` [B, M], and the `step` count."""

    v: Tensor
    s: Tensor
    x: Tensor
    step: int


class SparseLIFOutput(NamedTuple):
    """`spikes` (T, B, N), `membrane` [T, B, N], and the `state` to go on from."""

    spikes: SpikeTensor
    membrane: Tensor
    state: SparseState


class SparseLIOutput(NamedTuple):
    """`membrane` [T, B, N], and the `state` to go on from; its `s` is zero."""

    membrane: Tensor
    state: SparseState


def sparse_lif(
    x: SpikeTensor,
    weight: Tensor,
    bias: Tensor | None = None,
    state: SparseState | None = None,
    *,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    gain: float = 1.0,
    delay: int = 0,
    reset: str = "zero",
    detach_reset: bool = True,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    capacity: int | None = None,
    seed: int = 0,
    layer: int = 0,
    smooth: bool = False,
) -> SparseLIFOutput:
    """Run a linear map and LIF neurons on compacted spikes.

    Parameters
    ----------
    x : SpikeTensor (T, B, M)
    weight : float Tensor [N, M]
    bias : float Tensor [N], optional
    state : SparseState, optional
        Default: at rest, no spikes, step 0.
    gain : float
        Scales the current, bias included.
    delay : {0, 1}
        Steps by which the input is late.
    capacity : int, optional
        Places per list of the output; default N.
    seed, layer : int
        Enter the hash that decides who keeps a place where a list is over capacity.
    beta, threshold, reset, detach_reset, surrogate, grad_threshold, smooth
        As in `lif`; tensors have shape [N].

    Raises
    ------
    TypeError, ValueError
        Where shapes do not fit or an option is out of range.
    """
    name = "functional.sparse_lif"
    _check.reset(name, reset)
    _check.grad_threshold(name, grad_threshold, threshold)
    size = weight.shape[0]
    places = size if capacity is None else _check.integer(name, "capacity", capacity, 1, size)
    surrogate = resolve(surrogate)
    state = _rest(x, weight) if state is None else state
    current, last_x = _linear(name, x, weight, bias, state, gain, delay)
    steps, batch, _ = current.shape
    begin = begins(seed, layer, state.step, steps, batch, size)

    v, s = state.v, state.s
    membrane: list[Tensor] = []
    spikes: list[Tensor] = []
    lists: list[Kept] = []
    for t in range(steps):
        v = beta * after_reset(v, s.detach() if detach_reset else s, threshold, reset)
        v = v + current[t]
        fired = v >= threshold
        above = ~fired if grad_threshold is None else ~(fired | (v < grad_threshold))
        kept = keep(fired, above, places, begin[t])
        listed = kept.fired | kept.above
        s = spike(v - threshold, kept.fired, listed, surrogate=surrogate, smooth=smooth)
        membrane.append(v)
        spikes.append(s)
        lists.append(kept)

    masks = torch.zeros(current.shape, dtype=torch.bool, device=current.device)
    none = torch.zeros(steps, batch, 2, dtype=torch.int32, device=current.device)
    out = SpikeTensor.from_masks(
        stack(spikes, current),
        stack([kept.fired for kept in lists], masks),
        stack([kept.above for kept in lists], masks),
        stack([kept.dropped for kept in lists], none),
        places,
    )
    after = SparseState(v, s, last_x, state.step + steps)
    return SparseLIFOutput(out, stack(membrane, current), after)


def sparse_li(
    x: SpikeTensor,
    weight: Tensor,
    bias: Tensor | None = None,
    state: SparseState | None = None,
    *,
    beta: PerNeuron = 0.9,
    gain: float = 1.0,
    delay: int = 0,
) -> SparseLIOutput:
    """Run a linear map and leaky integrators on compacted spikes.

    Parameters
    ----------
    x : SpikeTensor (T, B, M)
    weight : float Tensor [N, M]
    bias : float Tensor [N], optional
    state, beta, gain, delay
        As in `sparse_lif`.
    """
    state = _rest(x, weight) if state is None else state
    current, last_x = _linear("functional.sparse_li", x, weight, bias, state, gain, delay)
    membrane, v = li(current, state.v, beta=beta)
    return SparseLIOutput(membrane, SparseState(v, state.s, last_x, state.step + len(current)))


def _rest(x: SpikeTensor, weight: Tensor) -> SparseState:
    at_rest = weight.new_zeros(x.shape[1], weight.shape[0])
    return SparseState(at_rest, at_rest, weight.new_zeros(x.shape[1], x.shape[2]), 0)


def _linear(
    name: str,
    x: SpikeTensor,
    weight: Tensor,  # [N, M]
    bias: Tensor | None,  # [N]
    state: SparseState,
    gain: float,
    delay: int,
) -> tuple[Tensor, Tensor]:
    """Return the current [T, B, N] and the last input [B, M]."""
    if weight.dim() != 2 or weight.shape[1] != x.size:
        raise ValueError(
            f"{name}: weight: expected shape [N, {x.size}] for x of {x.size} neurons, "
            f"got {tuple(weight.shape)}"
        )
    _check.integer(name, "delay", delay, 0, 1)
    dense = x.to_dense(weight.dtype)
    extended = torch.cat([state.x.unsqueeze(0), dense])  # [1 + T, B, M]
    delayed = extended[:-1] if delay else dense
    return gain * torch.nn.functional.linear(delayed, weight, bias), extended[-1]
