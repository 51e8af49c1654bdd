"""A training step: forward, loss, backward, update; by launches of their own or as one graph."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Sequence, Union

import torch
from torch import Tensor, nn

from ..engines import LayerStats, PendingStats
from ..nn import SNN
from ..spikes import SpikeTensor
from . import objective
from .config import Recipe


class StepResult(NamedTuple):
    """The mean `loss` of a batch, how many were read `right`, and the counts of each layer."""

    loss: Tensor
    right: Tensor
    layers: Sequence[Union[LayerStats, PendingStats]]

    def stats(self) -> Sequence[LayerStats]:
        """Return the counts; waits for a device that has them still."""
        return [layer.read() for layer in self.layers]


class TrainStep:
    """The step of a recipe.

    Parameters
    ----------
    net : SNN
    forward : Module
        The network as processes run it together, or itself.
    optimizer : of torch or of a device
    recipe : Recipe
    """

    def __init__(self, net: SNN, forward: nn.Module, optimizer: Any, recipe: Recipe) -> None:
        self.net = net
        self.optimizer = optimizer
        self.recipe = recipe
        self._forward = forward

    def forward(self, spikes: SpikeTensor, labels: Tensor) -> StepResult:
        """Return the loss of a batch, with its graph, and the counts."""
        self.optimizer.zero_grad()
        hidden: Any = ()
        if self.recipe.activity_weight:
            out, traces = self._forward(spikes, trace=True)
            hidden = traces[:-1]
        else:
            out = self._forward(spikes)
        loss, score = objective.loss(self.recipe, out, labels, hidden)
        right = (score.detach().argmax(-1) == labels.to(score.device)).sum()
        return StepResult(loss, right, self.net.pending_stats())

    def update(self, loss: Tensor) -> None:
        """Change the weights by the gradients of the loss."""
        loss.backward()
        if self.recipe.clip is not None:
            nn.utils.clip_grad_norm_(self.net.parameters(), self.recipe.clip)
        self.optimizer.step()


class CapturedTrainStep:
    """The step as one CUDA graph, which updates before anybody has seen the loss.

    To capture leaves network and optimizer as they were: the calls that go before it train on the
    first batch, and what they change is put back.

    Parameters
    ----------
    step : TrainStep
        Of an optimizer whose learning rates are tensors on the GPU and whose state begins at zero.
    spikes : SpikeTensor (T, B, N)
    labels : int64 Tensor [B]
        A batch such as all others are.
    """

    def __init__(self, step: TrainStep, spikes: SpikeTensor, labels: Tensor) -> None:
        from ..cuda import CapturedStep

        layers: List[PendingStats] = []

        def whole(spikes: SpikeTensor, labels: Tensor) -> Tensor:
            result = step.forward(spikes, labels)
            step.update(result.loss)
            layers[:] = [layer for layer in result.layers if isinstance(layer, PendingStats)]
            # All figures in one tensor: each that is read would wait for the GPU by itself.
            figures = [result.loss.detach().reshape(1), result.right.reshape(1)]
            return torch.cat([layer.double() for layer in (*figures, *(x.sums() for x in layers))])

        device = next(step.net.parameters()).device
        before = _values(step)
        # No cycle: with the last reference the graph and its memory go.
        self._layers = layers
        self._captured = CapturedStep(whole, spikes.to(device), labels.to(device))
        with torch.no_grad():
            for name, value in _tensors(step).items():
                if name in before:
                    value.copy_(before[name])
                else:
                    value.zero_()

    def __call__(self, spikes: SpikeTensor, labels: Tensor) -> StepResult:
        """Train on a batch, and wait for its figures."""
        loss, right, *sums = self._captured(spikes, labels).tolist()
        layers = [layer.of(sums[4 * i : 4 * i + 4]) for i, layer in enumerate(self._layers)]
        mean, count = (torch.tensor(layer, device="cpu") for layer in (loss, int(right)))
        return StepResult(mean, count, layers)


def check_captured(net: SNN, optimizer: Any, world: int) -> None:
    """Raise where a training cannot be captured.

    Parameters
    ----------
    net : SNN
    optimizer : of torch
    world : int
        Processes.
    """
    if net.engine != "cuda":
        raise ValueError(f"Training: capture: expected the engine cuda, got {net.engine!r}")
    if world > 1:
        raise ValueError(f"Training: capture: expected a single process, got {world}")
    device = next(net.parameters()).device
    for group in optimizer.param_groups:
        rate = group["lr"]
        # Of a tensor elsewhere the graph would hold a copy, or the number that it was.
        on_device = isinstance(rate, Tensor) and rate.device == device
        if not on_device or not group.get("capturable"):
            raise ValueError(
                "Training: optimizer: expected one with capturable=True and the learning rate in a "
                f"tensor on the GPU, which capture=True needs, got the rate {rate!r} and "
                f"capturable={group.get('capturable')!r}"
            )


def _tensors(step: TrainStep) -> Dict[Any, Tensor]:
    """Return all tensors that a step may change, by a name of theirs."""
    tensors: Dict[Any, Tensor] = dict(step.net.state_dict())
    for parameter, state in step.optimizer.state.items():
        tensors.update(
            ((id(parameter), key), value)
            for key, value in state.items()
            if isinstance(value, Tensor)
        )
    return tensors


def _values(step: TrainStep) -> Dict[Any, Tensor]:
    return {name: value.clone() for name, value in _tensors(step).items()}
