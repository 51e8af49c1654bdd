"""SNNState: the state of a network between two time chunks of a sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Sequence

import torch

from .._internal import checks
from ..functional import SparseState
from .delays import delay_now

if TYPE_CHECKING:
    from ._sparse_layer import SparseLayer
    from .sparse_li import SparseLI


class SNNState(NamedTuple):
    """State of a network after a step.

    `layers` has one `SparseState` a layer. The input `x` of a layer with delay is what the layer
    below fired in the same step, its `s`. `seed` is the one that the sequence began with, which
    is the drop seed; with None the next pass draws a new seed.
    """

    layers: tuple[SparseState, ...]
    seed: int | None = None

    def detach(self) -> SNNState:
        """Return the same state off the autograd graph, to cut the gradient between chunks."""
        return SNNState(tuple(layer.detach() for layer in self.layers), self.seed)


def check_state(
    state: SNNState, stack: Sequence[SparseLayer | SparseLI], batch: int, steps: int
) -> None:
    """Raise where no `steps` of B samples of the layers `stack` can begin with `state`."""
    if not isinstance(state, SNNState):
        raise TypeError(f"SNN: state: expected an SNNState, got {type(state).__name__}")
    if len(state.layers) != len(stack):
        raise ValueError(
            f"SNN: state: expected the states of {len(stack)} layers, got {len(state.layers)}"
        )
    if state.seed is not None:
        checks.integer("SNN", "state.seed", state.seed, 0, 0xFFFFFFFF)
    for index, (layer, of_layer) in enumerate(zip(stack, state.layers)):
        if not isinstance(of_layer, SparseState):
            raise TypeError(
                f"SNN: layer {index}: state: expected a SparseState, got {type(of_layer).__name__}"
            )
        delays = (delay_now(layer.delay), delay_now(getattr(layer, "recurrent_delay", None)))
        of_layer.check(
            f"SNN: layer {index}",
            layer.weight,
            batch,
            layer.other_states,
            steps,
            *(None if isinstance(delay, int) else delay for delay in delays),
        )
        if of_layer.step != state.layers[0].step:
            raise ValueError(
                f"SNN: layer {index}: state.step: expected {state.layers[0].step} as in layer 0, "
                f"got {of_layer.step}"
            )
        if index > 0 and layer.delay and not torch.equal(of_layer.x, state.layers[index - 1].s):
            raise ValueError(
                f"SNN: layer {index}: state.x: expected the spikes state.s of layer {index - 1}, "
                "got others"
            )
