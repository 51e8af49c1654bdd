"""split_time: hooks that let a network's neurons go on from the previous rank's states."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Tuple

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.utils.hooks import RemovableHandle

from .. import nn as layers
from ..functional import AdaptiveLIFState, LIFState, SynapticLIFState
from ..functional._scan import state_dtype
from .time_split import TimeSplit

STATES: Dict[type, Any] = {
    layers.LIF: LIFState,
    layers.SynapticLIF: SynapticLIFState,
    layers.AdaptiveLIF: AdaptiveLIFState,
    layers.LeakyIntegrator: None,  # its state is a tensor
}
"""What the state of a layer is made of."""

REFUSED = (
    layers.SparseLIF,
    layers.SparseNeurons,
    layers.SparseLI,
    layers.SNN,
    nn.RNNBase,
    _BatchNorm,
)


class TimeSplitHandle(NamedTuple):
    """Changes that `split_time` made to a module; `remove` undoes them."""

    hooks: Tuple[RemovableHandle, ...]
    norms: Tuple[layers.BatchNorm, ...]

    def remove(self) -> None:
        """Let every rank run the module on its own again."""
        for hook in self.hooks:
            hook.remove()
        for norm in self.norms:
            norm.group = None
            if isinstance(norm, layers.BatchNormLIF):
                norm.neighbours = None


def split_time(module: nn.Module, split: TimeSplit) -> TimeSplitHandle:
    """Let `module` run on a shard of the steps, x [T / ranks, B, ...], as on all of them.

    Each rank calls the module on `split.segment(x)`. Neurons then go on from the states of the
    previous rank, whose gradients return in the backward pass; `popsnn.nn.BatchNorm` and
    `BatchNormLIF` take their statistics over all ranks in training. Parameters, names and the
    state_dict stay as they are. Every rank must run the same layers in the same order, and
    `sum_gradients` or `sum_hook` must follow the backward pass.

    Raises
    ------
    TypeError
        Where a layer carries a state over time that cannot be passed on.
    """
    hooks = []
    norms = []
    for name, layer in module.named_modules():
        kind = next((kind for kind in STATES if isinstance(layer, kind)), None)
        if kind is not None:
            hooks += _hook(layer, STATES[kind], split)
        elif isinstance(layer, layers.BatchNorm):
            layer.group = split.group
            norms.append(layer)
            if isinstance(layer, layers.BatchNormLIF):
                layer.neighbours = split
        elif isinstance(layer, REFUSED):
            raise TypeError(
                f"split_time: {name or 'module'}: expected elementwise neurons and "
                f"popsnn.nn.BatchNorm, got {type(layer).__name__}, which cannot be split over time"
            )
    return TimeSplitHandle(tuple(hooks), tuple(norms))


def _hook(layer: nn.Module, state: Any, split: TimeSplit) -> list[RemovableHandle]:
    count = 1 if state is None else len(state._fields)

    def before(layer: nn.Module, inputs: Any, options: Dict[str, Any]) -> Any:
        if len(inputs) > 1 or options:
            raise ValueError(
                f"{type(layer).__name__}: state: expected none where time is split over ranks, "
                "since the previous rank gives it"
            )
        (x,) = inputs
        like = torch.empty((count, *x.shape[1:]), dtype=state_dtype(x.dtype), device=x.device)
        received = split.receive(like, (x, *layer.parameters(recurse=False))).unbind()
        start = received[0] if state is None else state(*received)
        return inputs, {"state": start, "return_state": True}

    def after(layer: nn.Module, inputs: Any, options: Dict[str, Any], output: Any) -> Tensor:
        out, final = output
        return split.pass_on(out, torch.stack([final] if state is None else list(final)))

    return [
        layer.register_forward_pre_hook(before, with_kwargs=True),
        layer.register_forward_hook(after, with_kwargs=True),
    ]
