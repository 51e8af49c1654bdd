"""Single operators of `functional` on CUDA kernels."""

from __future__ import annotations

import math
from typing import Any, Mapping

import torch
from torch import Tensor

from .. import cuda
from .._internal.checks import PerNeuron
from .._internal.compaction import EXPAND_SPIKES
from .._internal.dispatch import Implementation
from ..cuda.device.program import with_more_states
from ..functional import BatchNormLIFOutput, BitSpikes, DelaySteps, LIFState, ReadoutLoss
from ..functional._delays import DELAYED
from ..functional._readout_loss import READOUT_LOSS
from ..functional._recurrent_scan import RECURRENT_SCAN
from ..functional._scan import SCAN
from ..functional.batch_norm import (
    BATCH_NORM,
    BATCH_NORM_LIF,
    Group,
    Running,
    combine,
    in_two_steps,
    update_running,
)
from ..functional.bits import PACK_BITS, UNPACK_BITS, Spikes, dense, ordered
from ..functional.neuron import LIF, Inputs, Neuron, States
from ..surrogate import Surrogate


class _Scan(Implementation):
    def unsupported(
        self, neuron: Neuron, current: Inputs, *, surrogate: Surrogate, smooth: bool
    ) -> str | None:
        return cuda.unsupported(neuron, current, surrogate, smooth)

    run = staticmethod(cuda.scan)


class _RecurrentScan(Implementation):
    def unsupported(
        self,
        neuron: Neuron,
        current: Inputs,
        recurrent_weight: Tensor,
        *,
        weight_dtype: torch.dtype,
        surrogate: Surrogate,
        delay: DelaySteps | None = None,
    ) -> str | None:
        if delay is not None:
            # Importing popsnn loads as little as it can.
            from .cuda_delays import unsupported_recurrent_delay

            reason = unsupported_recurrent_delay(delay)
            if reason is not None:
                return reason
        return cuda.recurrent_unsupported(
            neuron, current, recurrent_weight, weight_dtype, surrogate
        )

    def run(
        self,
        neuron: Neuron,
        current: Tensor,
        recurrent_weight: Tensor,
        state: States | None,
        parameters: Mapping[str, PerNeuron],
        *,
        delay: DelaySteps | None = None,
        before: Tensor | None = None,
        **options: Any,
    ) -> tuple[Tensor, Tensor | None, States]:
        late = None
        if delay is not None:
            from .cuda_delays import recurrent_delays, synaptic_weights

            if state is None and before is not None:
                state = tuple(torch.zeros_like(before[0]) for _ in neuron.states)
            spikes, taken_as = None if state is None else state[-1], options["weight_dtype"]
            late = recurrent_delays(delay, before, spikes, recurrent_weight, taken_as)
            if delay.kind == "synaptic":
                recurrent_weight, taken_as = synaptic_weights(delay, recurrent_weight, taken_as)
                options["weight_dtype"] = taken_as
        return cuda.recurrent(
            neuron, current, recurrent_weight, state, parameters, delays=late, **options
        )


class _Delayed(Implementation):
    def unsupported(self, x: Tensor, delay: DelaySteps, before: Tensor | None) -> str | None:
        return cuda.delayed_unsupported(x, delay.steps, cuda.Spreading(*delay[2:]))

    def run(self, x: Tensor, delay: DelaySteps, before: Tensor | None) -> Tensor:
        return cuda.delayed(x, delay.steps, cuda.Spreading(*delay[2:]), before)


class _ExpandSpikes(Implementation):
    def unsupported(
        self, ids: Tensor, counts: Tensor, values: Tensor | None, size: int, dtype: torch.dtype
    ) -> str | None:
        return cuda.expand_spikes_unsupported(ids, values, dtype)

    def run(
        self, ids: Tensor, counts: Tensor, values: Tensor | None, size: int, dtype: torch.dtype
    ) -> Tensor:
        return cuda.expand_spikes(ids, counts, values, size, dtype)


class _ReadoutLoss(Implementation):
    def unsupported(self, membrane: Tensor, labels: Tensor, *_: Any) -> str | None:
        return cuda.readout_loss_unsupported(membrane, labels)

    def run(
        self, membrane: Tensor, labels: Tensor, readout: str, label_smoothing: float
    ) -> ReadoutLoss:
        scale = 1.0 / membrane.shape[0] if readout == "mean" else 1.0
        return ReadoutLoss(*cuda.readout_loss(membrane, labels, scale, label_smoothing))


class _PackBits(Implementation):
    def unsupported(self, spikes: Tensor) -> str | None:
        return _unsupported_bits(spikes, spikes.dtype)

    def run(self, spikes: Tensor) -> Tensor:
        return cuda.pack_spikes(spikes)


class _UnpackBits(Implementation):
    def unsupported(self, bits: Tensor, shape: tuple[int, ...], dtype: torch.dtype) -> str | None:
        return _unsupported_bits(bits, dtype)

    def run(self, bits: Tensor, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
        return cuda.unpack_spikes(bits, math.prod(shape), dtype).unflatten(1, shape)


def _unsupported_bits(x: Tensor, dtype: torch.dtype) -> str | None:
    if not x.is_cuda:
        return f"the spikes are on {x.device}, not on a CUDA device"
    if dtype not in cuda.TYPES:
        return f"the spikes are {dtype}, not float32, bfloat16 or float16"
    if cuda.traced(x):
        return "the call is traced"
    return cuda.unavailable()


class _BatchNorm(Implementation):
    """Torch's own kernels."""

    def unsupported(self, x: Tensor, *rest: Any) -> str | None:
        if rest[-1] is not None:
            return "the statistics span a process group"
        if not x.is_cuda or x.dtype not in cuda.TYPES:
            return f"x is {x.dtype} on {x.device}"
        return None

    def run(
        self,
        x: Tensor,
        weight: Tensor | None,
        bias: Tensor | None,
        running: Running | None,
        training: bool,
        momentum: float,
        eps: float,
        group: Group,
    ) -> Tensor:
        mean, var = (None, None) if running is None else running
        y = torch.nn.functional.batch_norm(
            x.flatten(0, 1),
            mean,
            var,
            weight,
            bias,
            training or running is None,
            momentum,
            eps,
        )
        return y.unflatten(0, x.shape[:2])


class _BatchNormLIF(Implementation):
    def unsupported(self, neuron: LIF, x: Tensor, *, surrogate: Surrogate) -> str | None:
        return cuda.unsupported(neuron, x, surrogate) or with_more_states(neuron)

    def run(
        self,
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
        return_state: bool,
        **options: Any,
    ) -> BatchNormLIFOutput:
        learnt = torch.is_grad_enabled() and any(
            isinstance(p, Tensor) and p.requires_grad
            for p in (options["beta"], options["threshold"])
        )
        if learnt or not x.numel():  # of which the fused kernel has no gradients
            return in_two_steps(
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
                return_state=return_state,
                backend="cuda",
                **options,
            )
        x = ordered(x)
        group = options["group"]
        spikes, packed, states = cuda.batch_norm_lif(
            neuron,
            x,
            weight,
            bias,
            _statistics(x, weight, bias, running, training, momentum, eps, group),
            state,
            None if residual is None else dense(residual).to(x.dtype),
            residual.bits if isinstance(residual, BitSpikes) else None,
            final=return_state,
            **options,
        )
        return BatchNormLIFOutput(
            spikes if packed is None else BitSpikes(spikes, packed),
            LIFState(*states) if return_state else None,
        )


@torch.no_grad()
def _statistics(
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running: Running | None,
    training: bool,
    momentum: float,
    eps: float,
    group: Group,
) -> cuda.Statistics:
    """Return what the kernels normalise with; update `running`."""
    count = None
    if not training and running is not None:
        mean, var = running
    else:
        updated = running if training else None
        if group is None:
            own = cuda.statistics(x, weight, bias, updated, momentum, eps)
            if own is not None:
                return own
        count, mean, spread = cuda.moments(x)
        if group is not None:
            count, mean, spread = combine(count, mean, spread, group)
        var = spread / count
        if updated is not None:
            update_running(updated, mean, var, count, momentum)
    invstd = (var + eps).rsqrt()
    scale = invstd if weight is None else invstd * weight
    shift = -mean * scale if bias is None else bias - mean * scale
    return cuda.Statistics(mean, invstd, scale.float(), shift.float(), count)


def register() -> None:
    """Let CUDA kernels run the operators."""
    SCAN.register("cuda", _Scan())
    RECURRENT_SCAN.register("cuda", _RecurrentScan())
    DELAYED.register("cuda", _Delayed())
    EXPAND_SPIKES.register("cuda", _ExpandSpikes())
    READOUT_LOSS.register("cuda", _ReadoutLoss())
    PACK_BITS.register("cuda", _PackBits())
    UNPACK_BITS.register("cuda", _UnpackBits())
    BATCH_NORM.register("cuda", _BatchNorm())
    BATCH_NORM_LIF.register("cuda", _BatchNormLIF())
