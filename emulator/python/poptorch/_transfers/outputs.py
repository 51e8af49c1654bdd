"""Outputs of a model's micro-batches, by the options' output mode."""

from __future__ import annotations

from typing import Any, Sequence

import torch

from .. import enums
from .._errors import Error


def gathered(batches: Sequence[Sequence[torch.Tensor]], options: Any) -> list[torch.Tensor]:
    """Return each output over the batches that the options ask for, along dimension 0.

    Parameters
    ----------
    batches : sequence over micro-batches of a sequence over outputs of Tensor
        In the order of `micro_batches`, but with every replica in it.
    options : Options

    Returns
    -------
    list of Tensor
        Types as on the device: int64 becomes int32 and float64 float32.
    """
    replicas = options.replication_factor
    each = options.Training.gradient_accumulation * replicas
    return gathered_by(
        batches,
        options.output_mode,
        options.output_return_period,
        options.device_iterations,
        each,
        replicas,
    )


def kept_outputs(options: Any) -> list[int]:
    """Return the numbers of the batches whose outputs the options ask for."""
    replicas = options.replication_factor
    each = options.Training.gradient_accumulation * replicas
    period = options.output_return_period
    return kept_batches(options.output_mode, period, options.device_iterations, each, replicas)


def gathered_by(
    batches: Sequence[Sequence[torch.Tensor]],
    mode: enums.OutputMode,
    period: int,
    iterations: int,
    each: int,
    replicas: int,
) -> list[torch.Tensor]:
    """Return as `gathered`, of `iterations` of `each` batches, of which `replicas` are at once."""
    outputs = [batches[i] for i in kept_batches(mode, period, iterations, each, replicas)]
    if mode == enums.OutputMode.Sum:
        outputs = [
            [torch.stack(list(values)).sum(0, dtype=values[0].dtype) for values in zip(*own)]
            for own in (batches[replica::replicas] for replica in range(replicas))
        ]
    return [_returned(_joined(values)) for values in zip(*outputs)]


def kept_batches(
    mode: enums.OutputMode, period: int, iterations: int, each: int, replicas: int
) -> list[int]:
    """Return the numbers of the batches whose outputs come back; of a sum, the last."""
    total = iterations * each
    if mode in (enums.OutputMode.Final, enums.OutputMode.Sum):
        return list(range(total - replicas, total))
    if mode == enums.OutputMode.EveryN:
        ends = range(period - 1, iterations, period)
        return [i for end in ends for i in range(end * each, (end + 1) * each)]
    return list(range(total))


def _joined(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    if len(parts) == 1:
        return parts[0].clone()
    return torch.cat([value.reshape(1) if value.dim() == 0 else value for value in parts])


def _returned(value: torch.Tensor) -> torch.Tensor:
    """Return the output in a type of the device; its backward() says what to do instead."""
    if value.dtype in (torch.int64, torch.float64):
        value = value.int() if value.dtype == torch.int64 else value.float()
    value.backward = _refuse_backward  # type: ignore[method-assign]
    return value


def _refuse_backward(*args: Any, **kwargs: Any) -> None:
    raise Error(
        "backward() cannot be called explicitly on outputs of a PopTorch model. If you're using "
        "a trainingModel, the backwards pass is performed automatically when invoking the model. "
        "If you're using an inferenceModel, you should use a trainingModel instead."
    )
