"""Batch normalisation over steps, samples and positions, alone and with the LIF that follows it.

The statistics may span the ranks of a process group, as they must where ranks hold different
steps or samples of one batch.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Protocol, Tuple

import torch
import torch.distributed as dist
from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from .._internal.dispatch import Operator
from ..surrogate import Surrogate, resolve
from ._lif import LIFState, lif
from ._scan import state_dtype
from .bits import Spikes, dense, with_bits
from .neuron import LIF, LIFS

Group = Any
"""A `torch.distributed.ProcessGroup`, or None for this process alone."""

Running = Tuple[Tensor, Tensor]
"""The running mean [C] and variance [C]."""


class Neighbours(Protocol):
    """The ranks that hold the steps before and after: `popsnn.parallel.TimeSplit`, see there."""

    @property
    def first(self) -> bool:
        """Whether this process has the first steps."""

    @property
    def last(self) -> bool:
        """Whether this process has the last steps."""

    def send(self, x: Tensor, neighbour: int) -> None:
        """Send x to the rank before, -1, or after, 1."""

    def fetch(self, x: Tensor, neighbour: int) -> None:
        """Fill x with what the rank before, -1, or after, 1, sends."""

    def receive(self, like: Tensor, anchors: Tuple[Tensor, ...]) -> Tensor:
        """Return the states [K, B, ...] that the previous rank passed on."""

    def pass_on(self, x: Tensor, state: Tensor) -> Tensor:
        """Send the states [K, B, ...] on and return x."""


class BatchNormLIFOutput(NamedTuple):
    """`spikes` [T, B, C, ...], with their bits if asked, and the `state` [B, C, ...] after them."""

    spikes: Spikes
    state: Optional[LIFState]


class _Moments(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: Group) -> tuple[Tensor, Tensor, Tensor]:
        wide = x.to(state_dtype(x.dtype))
        axes = [axis for axis in range(x.dim()) if axis != 2]
        count = wide.new_full((1,), x.numel() / max(1, x.shape[2]))
        mean = wide.mean(axes)
        spread = (wide - channels(mean, x)).square().sum(axes)
        if group is not None:
            count, mean, spread = combine(count, mean, spread, group)
        ctx.save_for_backward(x, mean, count)
        ctx.group = group
        ctx.mark_non_differentiable(count)
        return mean, spread / count, count

    @staticmethod
    def backward(
        ctx: Any, grad_mean: Tensor, grad_var: Tensor, _: Tensor | None
    ) -> tuple[Tensor, None]:
        x, mean, count = ctx.saved_tensors
        grads = torch.stack([grad_mean, grad_var])
        if ctx.group is not None:
            if torch.is_grad_enabled():
                raise RuntimeError(
                    "functional.batch_norm: backward: expected create_graph=False where the "
                    "statistics span a process group, got True"
                )
            dist.all_reduce(grads, group=ctx.group)
        grad_mean, grad_var = (channels(grad, x) for grad in grads / count)
        return (grad_mean + 2 * grad_var * (x - channels(mean, x))).to(x.dtype), None


def combine(
    count: Tensor,  # [1]
    mean: Tensor,  # [C]
    spread: Tensor,  # [C], sum of squared distances to the mean
    group: Group,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return count, mean and spread over the ranks of `group` (Chan et al., 1979)."""
    own = torch.cat([count, mean, spread])
    ranks = [torch.empty_like(own) for _ in range(dist.get_world_size(group))]
    dist.all_gather(ranks, own, group=group)
    counts, means, spreads = torch.stack(ranks).split([1, len(mean), len(spread)], dim=1)
    count = counts.sum(0)
    mean = (means * counts).sum(0) / count
    return count, mean, (spreads + counts * (means - mean).square()).sum(0)


def channels(values: Tensor, x: Tensor) -> Tensor:
    """Return `values` [C] shaped to broadcast to `x` [T, B, C, ...]."""
    return values.view(-1, *[1] * (x.dim() - 3))


def moments(x: Tensor, group: Group = None) -> tuple[Tensor, Tensor, Tensor]:
    """Return mean [C] and biased variance [C] of `x` [T, B, C, ...], and the count [1] behind them.

    Parameters
    ----------
    x : float Tensor [T, B, C, ...]
        Ranks may hold different numbers of steps and samples.
    group : ProcessGroup, optional
        The ranks that the statistics span; every rank of it must call this.

    Returns
    -------
    mean, var, count : Tensor
        float32 where x has 16 bits. Gradients through mean and variance reach every rank's x.
    """
    return _Moments.apply(x, group)


def scale_and_shift(
    x: Tensor,
    weight: Tensor | None,  # [C]
    bias: Tensor | None,  # [C]
    running: Running | None,  # [C], [C]
    training: bool,
    momentum: float,
    eps: float,
    group: Group,
) -> tuple[Tensor, Tensor]:
    """Return [C] and [C], such that x * scale + shift is normalised; update `running`."""
    if training or running is None:
        mean, var, count = moments(x, group)
        if training and running is not None:
            update_running(running, mean, var, count, momentum)
    else:
        mean, var = running
    scale = (var + eps).rsqrt()
    scale = scale if weight is None else scale * weight
    shift = -mean * scale
    return scale, shift if bias is None else shift + bias


@torch.no_grad()
def update_running(
    running: tuple[Tensor, Tensor],  # [C], [C]
    mean: Tensor,  # [C]
    var: Tensor,  # [C]
    count: Tensor,  # [1]
    momentum: float,
) -> None:
    """Move the running mean and the running, unbiased variance towards those of a batch."""
    unbiased = var * (count / (count - 1).clamp_min(1))
    for old, new in zip(running, (mean, unbiased)):
        old.lerp_(new.to(old.dtype), momentum)


def batch_norm(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    running: Running | None = None,
    *,
    training: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
    group: Group = None,
) -> Tensor:
    """Normalise every channel over steps, samples and positions.

    Parameters
    ----------
    x : float Tensor [T, B, C, ...]
    weight, bias : float Tensor [C], optional
    running : (mean, var), each float Tensor [C], optional
        Updated where `training` is true, else used in place of the batch's statistics.
    momentum : float
        Weight of the batch in the running statistics.
    eps : float
        Added to the variance.
    group : ProcessGroup, optional
        The ranks whose x make one batch.

    Returns
    -------
    Tensor [T, B, C, ...], of the type of x

    Raises
    ------
    TypeError, ValueError
        Where x is no float tensor [T, B, C, ...] or a parameter does not fit it.
    """
    check_arguments("functional.batch_norm", x, weight, bias, running, training)
    return BATCH_NORM.run(
        "functional.batch_norm", "auto", x, weight, bias, running, training, momentum, eps, group
    )


def _batch_norm_reference(
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running: Running | None,
    training: bool,
    momentum: float,
    eps: float,
    group: Group,
) -> Tensor:
    wide = x.to(state_dtype(x.dtype))  # whose gradient is a sum that may cancel
    scale, shift = scale_and_shift(wide, weight, bias, running, training, momentum, eps, group)
    return (wide * channels(scale, x) + channels(shift, x)).to(x.dtype)


BATCH_NORM = Operator(_batch_norm_reference)


def batch_norm_lif(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    running: Running | None = None,
    state: LIFState | None = None,
    *,
    residual: Spikes | None = None,
    training: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
    group: Group = None,
    neighbours: Neighbours | None = None,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    reset: str = "zero",
    detach_reset: bool = True,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    bits: bool = False,
    return_state: bool = True,
    backend: str = "auto",
) -> BatchNormLIFOutput:
    """Normalise, add a residual, and run LIF neurons over the sum.

        u = batch_norm(x) + residual,   spikes = lif(u)

    u has the type of the states: it is never rounded to 16 bits.

    Parameters
    ----------
    x : float Tensor [T, B, C, ...]
    weight, bias, running, training, momentum, eps, group
        As in `batch_norm`.
    state : LIFState, optional
        Default: at rest, no spikes.
    residual : float Tensor [T, B, C, ...] or BitSpikes of it, optional
    neighbours : popsnn.parallel.TimeSplit, optional
        Gives the state and takes the one after the last step; `state` is then None.
    beta, threshold : float or float Tensor [C]
        Where one requires a gradient, the cuda engine normalises and then runs `lif`, two steps
        that the fused kernel joins.
    reset, detach_reset, surrogate, grad_threshold, backend
        As in `lif`.
    bits : bool
        Whether the spikes come as `BitSpikes`; x is then contiguous or channels-last.
    return_state : bool
        Whether the output has a state; without it the field is None.

    Raises
    ------
    TypeError, ValueError
        Where shapes do not fit or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    name = "functional.batch_norm_lif"
    check_arguments(name, x, weight, bias, running, training)
    addend = None if residual is None else dense(residual)
    if addend is not None and addend.shape != x.shape:
        raise ValueError(
            f"{name}: residual: expected the shape of x {tuple(x.shape)}, got {tuple(addend.shape)}"
        )
    neuron = LIFS[checks.reset(name, reset), bool(detach_reset)]
    surrogate = resolve(surrogate)
    engine = BATCH_NORM_LIF.choose(name, backend, neuron, x, surrogate=surrogate)
    out: BatchNormLIFOutput = engine.run(
        neuron,
        x,
        weight,
        bias,
        running,
        state,
        residual,
        training=training,
        momentum=momentum,
        eps=eps,
        group=group,
        neighbours=neighbours,
        beta=beta,
        threshold=threshold,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        bits=bits,
        return_state=return_state,
    )
    return out


def in_two_steps(
    neuron: LIF,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running: Running | None,
    state: LIFState | None,
    residual: Spikes | None,
    *,
    training: bool,
    momentum: float,
    eps: float,
    group: Group,
    neighbours: Neighbours | None,
    beta: PerNeuron,
    threshold: PerNeuron,
    surrogate: Surrogate,
    grad_threshold: float | None,
    bits: bool,
    return_state: bool,
    backend: str = "torch",
) -> BatchNormLIFOutput:
    """Normalise and then run `lif` on a backend: the reference of `batch_norm_lif`."""
    wide = x.to(state_dtype(x.dtype))  # whose gradient is a sum that may cancel
    scale, shift = scale_and_shift(wide, weight, bias, running, training, momentum, eps, group)
    u = wide * channels(scale, x) + channels(shift, x)
    u = u if residual is None else u + dense(residual)
    if neighbours is not None:
        # After the statistics, in which every rank waits for every other: before them, a rank
        # would wait for its predecessor, and the predecessor, in the statistics, for it.
        anchors = tuple(t for t in (u, weight, bias) if t is not None)
        state = LIFState(*neighbours.receive(torch.stack([u[0]] * 2), anchors))
    out = lif(
        u,
        state,
        beta=channels(beta, x) if isinstance(beta, Tensor) else beta,
        threshold=channels(threshold, x) if isinstance(threshold, Tensor) else threshold,
        reset=neuron.reset,
        detach_reset=neuron.detach_reset,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        membrane=False,
        backend=backend,
    )
    spikes = out.spikes.to(x.dtype)
    if neighbours is not None:
        spikes = neighbours.pass_on(spikes, torch.stack(out.state))
    return BatchNormLIFOutput(
        with_bits(spikes) if bits else spikes, out.state if return_state else None
    )


BATCH_NORM_LIF = Operator(in_two_steps)


def check_arguments(
    operation: str,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running: Running | None,
    training: bool,
) -> None:
    """Raise where x is no float tensor [T, B, C, ...] or a parameter does not fit it."""
    if not isinstance(x, Tensor) or not x.is_floating_point():
        got = x.dtype if isinstance(x, Tensor) else type(x).__name__
        raise TypeError(f"{operation}: x: expected a float tensor, got {got}")
    if x.dim() < 3:
        raise ValueError(f"{operation}: x: expected shape [T, B, C, ...], got {tuple(x.shape)}")
    mean, var = (None, None) if running is None else running
    inputs = {"weight": weight, "bias": bias, "running mean": mean, "running variance": var}
    for name, value in inputs.items():
        if value is not None and tuple(value.shape) != (x.shape[2],):
            raise ValueError(
                f"{operation}: {name}: expected shape ({x.shape[2]},), got {tuple(value.shape)}"
            )
    for name, value in (("running mean", mean), ("running variance", var)):
        if value is not None and value.requires_grad:
            raise ValueError(
                f"{operation}: {name}: expected a tensor without a gradient, got one that requires "
                "it"
            )
    if training and x.numel() < 2 * x.shape[2]:
        raise ValueError(
            f"{operation}: x: expected more than one value a channel to train on, "
            f"got {tuple(x.shape)}"
        )
