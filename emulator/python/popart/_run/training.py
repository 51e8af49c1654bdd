"""TrainingSession: a model that runs forward, backward, and updates its weights."""

from __future__ import annotations

from typing import Any, Mapping

import torch
from torch import Tensor

from .._native import popart_exception
from .._ops.registry import Pass
from .._settings.dataflow import DataFlow
from .._settings.enums import ReductionType
from .._settings.optimizers import Optimizer
from .._settings.options import SessionOptions
from .inputs import InputShapeInfo
from .loss_scale import LossScale
from .session import GRADIENT, Session
from .updates import clip_norms, updated


class TrainingSession(Session):
    """A model that runs forward, backward, and updates its weights.

    Parameters
    ----------
    fnModel, dataFlow, deviceInfo, inputShapeInfo, patterns, userOptions, name
        As for `InferenceSession`.
    loss : str
        A tensor of one element.
    optimizer : Optimizer
    """

    _training = True

    def __init__(
        self,
        fnModel: Any,
        dataFlow: DataFlow,
        loss: str,
        optimizer: Optimizer,
        deviceInfo: Any,
        inputShapeInfo: InputShapeInfo | None = None,
        patterns: Any = None,
        userOptions: SessionOptions | None = None,
        name: str = "training",
    ) -> None:
        super().__init__(fnModel, dataFlow, deviceInfo, inputShapeInfo, userOptions, name)
        if not self.hasInfo(loss):
            raise popart_exception(f"session: expected a tensor of the graph as loss, got '{loss}'")
        if self.getInfo(loss).nelms() != 1:
            raise popart_exception(
                f"session: loss '{loss}', of shape {self.getInfo(loss).shape()}, must be a scalar "
                "tensor"
            )
        self._wanted = frozenset(
            name[len(GRADIENT) :] for name in dataFlow.anchors() if name.startswith(GRADIENT)
        )
        self._check_gradients(loss)
        self._loss = loss
        self._optimizer = optimizer
        self._state: list[dict[str, dict[str, Any]]] = [{} for _ in range(self.replicationFactor)]
        self._sums: list[dict[str, Tensor]] = []
        self._scale = LossScale(self.options.automaticLossScalingSettings)

    def _check_gradients(self, loss: str) -> None:
        differentiated = self._program.differentiated(loss)
        for name in sorted(self._wanted):
            kind = self._infos[name].data_type()
            missing = f"Anchor tensor `{GRADIENT}{name}' not in Ir Tensors. "
            if name not in differentiated:
                raise popart_exception(
                    f"{missing}The loss does not depend on `{name}', or by operators without a "
                    "gradient alone."
                )
            if not kind.startswith(("FLOAT", "DOUBLE", "BFLOAT")):
                raise popart_exception(
                    f"{missing}Gradients of integers are not emulated, and `{name}' is of {kind}."
                )

    def updateOptimizerFromHost(self, optimizer: Optimizer) -> None:
        """Take other numbers of the same kind of optimizer.

        Raises
        ------
        popart_exception
            Where the kind is another.
        """
        same = isinstance(optimizer, type(self._optimizer)) or isinstance(
            self._optimizer, type(optimizer)
        )
        if not same:
            raise popart_exception(
                f"updateOptimizerFromHost: expected {type(self._optimizer).__name__}, got "
                f"{type(optimizer).__name__}"
            )
        self._optimizer = optimizer

    def _begin_batch(self) -> None:
        self._sums = [{} for _ in range(self.replicationFactor)]

    def _factor(self) -> float:
        """Return what the loss is multiplied by before the backward pass."""
        mean = self.options.accumulationAndReplicationReductionType == ReductionType.Mean
        scale = self._optimizer.getLossScalingVal() * self._scale.factor
        return scale / self.replicationFactor if mean else scale

    def _pass(self, inputs: dict[str, Tensor], replica: int, state: Pass) -> Mapping[str, Any]:
        wanted = state.wanted = self._wanted
        values = {**inputs, **self._weights.device[replica]}
        for name, value in values.items():
            trained = name in self._program.weights or name in wanted
            values[name] = value.detach().clone()
            values[name].requires_grad_(trained and value.is_floating_point())
        with torch.enable_grad():
            scope = self._program.run(values, state)
            loss = scope[self._loss].float().sum() * self._factor()
        names = [*self._program.weights, *sorted(wanted - set(self._program.weights))]
        leaves = {name: scope[name] for name in names if scope[name].requires_grad}
        gradients: tuple[Any, ...] = ()
        if loss.requires_grad and leaves:
            gradients = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
        slopes = {name: g for name, g in zip(leaves, gradients) if g is not None}
        for name in self._program.weights:
            if name in slopes:
                sums = self._sums[replica]
                sums[name] = slopes[name].float() + sums.get(name, 0.0)
        out: dict[str, Any] = dict(scope)
        for name in wanted:
            slope = slopes.get(name)
            out[GRADIENT + name] = torch.zeros_like(scope[name]) if slope is None else slope
        return out

    def _end_batch(self) -> None:
        mean = self.options.accumulationAndReplicationReductionType == ReductionType.Mean
        scale = self._optimizer.getLossScalingVal() * self._scale.factor
        divisor = scale * (self.accumulationFactor if mean else 1)
        totals: list[dict[str, Tensor]] = [{} for _ in self._sums]
        for name in self._program.weights:
            for group in self._weights.groups(name):
                parts = [self._sums[r][name] for r in group if name in self._sums[r]]
                for replica in group if parts else ():
                    totals[replica][name] = sum(parts[1:], parts[0]) / divisor
        for replica, gradients in enumerate(totals):
            clipped = clip_norms(gradients, self._optimizer)
            for name, slope in clipped.items():
                state = self._state[replica].setdefault(name, {})
                device = self._weights.device[replica]
                device[name] = updated(name, device[name], slope, self._optimizer, state)
        self._scale.note(self._sums)
