"""A training step: forward, loss, backward, update; by launches of their own or as one graph."""

from __future__ import annotations

from contextlib import nullcontext
from typing import (
    Any,
    Callable,
    ContextManager,
    Dict,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import torch
from torch import Tensor, nn

from ..engines import LayerStats, PendingStats
from ..nn import SNN, SNNState
from ..nn._auto_capacity import add_demands, capacity_demands, paused_capacities
from ..spikes import SpikeTensor
from . import objective
from .chunks import Chunk, chunks, total
from .config import Recipe
from .ranks import Ranks


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
    ranks : Ranks, optional
        Processes that each have a shard of the batch; default: a single process.
    """

    def __init__(
        self,
        net: SNN,
        forward: nn.Module,
        optimizer: Any,
        recipe: Recipe,
        ranks: Optional[Ranks] = None,
    ) -> None:
        self.net = net
        self.optimizer = optimizer
        self.recipe = recipe
        self._forward = forward
        self._ranks = ranks
        # Of the activity penalty's schedule; with a capture a tensor, which the graph reads.
        self._activity: Union[float, Tensor] = 1.0
        if recipe.capture:
            self._activity = torch.ones((), device=next(net.parameters()).device)

    def run(
        self, spikes: SpikeTensor, labels: Tensor, check: Callable[[Tensor], None]
    ) -> StepResult:
        """Train on a batch, in chunks where the recipe truncates.

        Parameters
        ----------
        spikes : SpikeTensor (T, B, N)
        labels : int64 Tensor [B], or of each step [T, B]
        check : callable
            Gets each loss before an update by it, and raises where it is not finite.
        """
        made = list(chunks(spikes, labels, self.recipe.truncate))
        if len(made) == 1:
            result = self.forward(spikes, labels, self._weights(made)[0].loss)
            check(result.loss)
            self.update(result.loss)
            return result
        each = self.recipe.update_chunks
        losses, rights, layers, state = [], [], [], None
        for chunk, weight in zip(made, self._weights(made)):
            if each or state is None:
                self.optimizer.zero_grad()
            with self._local(not each and not chunk.last):
                result, state = self._chunk(chunk, weight, state)
                if each:
                    check(result.loss)
                result.loss.backward()
            if each and weight.reported:  # else momentum alone would move the weights
                self._step()
            losses.append(result.loss.detach() * weight.reported)
            rights.append(result.right)
            layers.append(result.layers)
        value = torch.stack(losses).sum()
        if not each:
            check(value)
            self._step()
        return StepResult(value, torch.stack(rights).sum(), total(layers))

    def set_activity(self, factor: float) -> None:
        """Set which fraction of its weight the activity penalty has from here on."""
        if isinstance(self._activity, Tensor):
            self._activity.fill_(factor)
        else:
            self._activity = factor

    def forward(self, spikes: SpikeTensor, labels: Tensor, weight: float = 1.0) -> StepResult:
        """Return the loss of a batch, with its graph, and the counts."""
        self.optimizer.zero_grad()
        chunk, weights = Chunk(spikes, labels, True), _Weights(weight, 1.0, 1.0)
        return self._chunk(chunk, weights, None)[0]

    def update(self, loss: Tensor) -> None:
        """Change the weights by the gradients of the loss."""
        loss.backward()
        self._step()

    def _step(self) -> None:
        if self.recipe.clip is not None:
            nn.utils.clip_grad_norm_(self.net.parameters(), self.recipe.clip)
        self.optimizer.step()

    def _chunk(
        self, chunk: Chunk, weights: _Weights, state: Optional[SNNState]
    ) -> Tuple[StepResult, Optional[SNNState]]:
        """Return the loss of a chunk, with its graph, and the state to go on with, without one."""
        trace, carry = bool(self.recipe.activity_weight), not chunk.last
        asked: Dict[str, Any] = {}
        if trace:
            asked["trace"] = True
        if carry:
            asked["return_state"] = True
        if state is not None:
            asked["state"] = state
        result = self._forward(chunk.spikes, **asked)
        out, *extras = result if trace or carry else (result,)
        hidden = extras[-1][:-1] if trace else ()
        loss, score = objective.loss(
            self.recipe,
            out,
            chunk.labels,
            hidden,
            weights.loss,
            weights.activity * self._activity,
        )
        right = (score.detach().argmax(-1) == chunk.labels.to(score.device)).sum()
        after = extras[0].detach() if carry else None
        return StepResult(loss, right, self.net.pending_stats()), after

    def _local(self, whether: bool) -> ContextManager[Any]:
        """Leave gradients of several processes apart, which the last chunk's pass averages."""
        if whether and isinstance(self._forward, nn.parallel.DistributedDataParallel):
            return self._forward.no_sync()
        return nullcontext()

    def _weights(self, made: Sequence[Chunk]) -> List[_Weights]:
        """Return what each chunk's mean over its labelled steps counts in the batch's mean."""
        if self.recipe.readout != "step":
            return [_Weights(1.0, 1.0, 1.0)]
        own = [objective.labelled(chunk.labels, len(chunk.spikes), "step") for chunk in made]
        world, every = 1, [float(count) for count in own]
        if self._ranks is not None and self._ranks.world > 1:
            world, every = self._ranks.world, self._ranks.sums(every)
        steps, whole = sum(len(chunk.spikes) for chunk in made), max(1.0, sum(every))
        if self.recipe.update_chunks:
            # Gradients are averaged over the processes, whose counts differ.
            return [
                _Weights(world * count / max(1.0, all_of), 1.0, all_of / whole)
                for count, all_of in zip(own, every)
            ]
        return [
            _Weights(world * count / whole, len(chunk.spikes) / steps, 1.0)
            for count, chunk in zip(own, made)
        ]


class _Weights(NamedTuple):
    """Factors of a chunk: of its loss, of its activity's cost, and of both in the batch's loss."""

    loss: float
    activity: float
    reported: float


class CapturedTrainStep:
    """The step as one CUDA graph, which updates before anybody has seen the loss.

    To capture leaves network and optimizer as they were: the calls that go before it train on the
    first batch, and what they change is put back.

    Parameters
    ----------
    step : TrainStep
        Of an optimizer whose learning rates are tensors on the GPU and whose state begins at zero.
    spikes : SpikeTensor (T, B, N)
    labels : int64 Tensor [B] or [T, B]
        A batch such as all others are.
    """

    def __init__(self, step: TrainStep, spikes: SpikeTensor, labels: Tensor) -> None:
        from ..cuda import CapturedStep

        layers: List[PendingStats] = []
        automatic = step.net.automatic_layers()

        def whole(spikes: SpikeTensor, labels: Tensor) -> Tensor:
            result = step.forward(spikes, labels)
            step.update(result.loss)
            layers[:] = [layer for layer in result.layers if isinstance(layer, PendingStats)]
            # All figures in one tensor: each that is read would wait for the GPU by itself.
            figures = [result.loss.detach().reshape(1), result.right.reshape(1)]
            figures += [layer.sums() for layer in layers]
            figures += capacity_demands(automatic, dict(enumerate(layers)))
            return torch.cat([figure.double() for figure in figures])

        device = next(step.net.parameters()).device
        before = _values(step)
        # No cycle: with the last reference the graph and its memory go.
        self._layers = layers
        self._automatic = automatic
        with paused_capacities():
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
        add_demands(self._automatic, sums[4 * len(self._layers) :])
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
