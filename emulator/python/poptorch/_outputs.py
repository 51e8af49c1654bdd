"""Outputs of a model's micro-batches, by the options' output mode."""

from __future__ import annotations

from typing import Any, Sequence

import torch

from . import enums
from ._errors import Error


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
    mode = options.output_mode
    outputs = list(batches)
    if mode == enums.OutputMode.Final:
        outputs = outputs[-replicas:]
    elif mode == enums.OutputMode.EveryN:
        period = options.output_return_period
        ends = range(period - 1, options.device_iterations, period)
        outputs = [batch for end in ends for batch in outputs[end * each : (end + 1) * each]]
    elif mode == enums.OutputMode.Sum:
        outputs = [
            [torch.stack(list(values)).sum(0, dtype=values[0].dtype) for values in zip(*own)]
            for own in (outputs[replica::replicas] for replica in range(replicas))
        ]
    return [_returned(_joined(values)) for values in zip(*outputs)]


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
