"""Engine interface types: what a network asks of an engine, and what a pass returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Sequence

import torch
from torch import Tensor

from .._internal import renamed
from .._internal.dispatch import Implementation, Operator
from .._internal.hashing import Seed
from ..functional import SparseState
from ..spikes import SpikeTensor

if TYPE_CHECKING:
    from ._parts import SpikesOrDense
    from .snn import SNN

NETWORK = Operator(subject="this network", backends="auto, torch, ipu, cuda", refusal=ValueError)
"""A whole network; its implementations are engines."""


PRECISIONS = FLOAT32, TF32 = "float32", "tf32"  # of a network's products


def fraction(dropped: int, kept: int) -> float:
    """Return which fraction was dropped; 0 of nothing."""
    return dropped / max(1, dropped + kept)


@dataclass(frozen=True)
class LayerStats:
    """Counts of one layer that spikes in one forward pass, over all steps and samples.

    `spikes` fired and were kept, `active` is the active set, `dropped_spikes` and
    `dropped_gradients` were not kept. `neurons`, `samples` and `steps` are N, B and T.
    """

    spikes: int
    active: int
    dropped_spikes: int
    dropped_gradients: int
    neurons: int
    samples: int
    steps: int

    listed = renamed.alias("listed", "active")

    @classmethod
    def of(cls, counts: Tensor, dropped: Tensor, neurons: int) -> LayerStats:
        """Sum a layer's `counts` and `dropped`, both [T, B, 2], over all steps and samples."""
        return PendingStats(counts, dropped, neurons).read()

    def read(self) -> LayerStats:
        """Return these counts, as `PendingStats.read` does: they are on the host already."""
        return self

    @property
    def activity(self) -> float:
        """Fraction of (t, b, n) that fired."""
        return self.spikes / max(1, self.neurons * self.samples * self.steps)

    @property
    def dropped_spike_fraction(self) -> float:
        """Fraction of the spikes that the capacity dropped: these did not happen."""
        return fraction(self.dropped_spikes, self.spikes)

    @property
    def dropped_gradient_fraction(self) -> float:
        """Fraction of the active set that the capacity dropped, spikes aside: no gradient."""
        return fraction(self.dropped_gradients, self.active)


class PendingStats(NamedTuple):
    """The `counts` and `dropped` [T, B, 2] of one layer, still on its device."""

    counts: Tensor
    dropped: Tensor
    neurons: int

    def sums(self) -> Tensor:
        """Return the first four counts of `LayerStats`, int64 [4], on the device."""
        return torch.cat([self.counts.sum((0, 1)), self.dropped.sum((0, 1))])

    def read(self) -> LayerStats:
        """Return the counts, which waits for the device."""
        return self.of(self.sums().tolist())

    def of(self, sums: Sequence[float]) -> LayerStats:
        """Return the counts of a pass of the same shape from its first four sums."""
        spikes, active, dropped_spikes, dropped_gradients = map(int, sums)
        steps, samples, _ = self.counts.shape
        return LayerStats(
            spikes, active, dropped_spikes, dropped_gradients, self.neurons, samples, steps
        )


@dataclass(frozen=True)
class LayerTrace:
    """Output `spikes` (T, B, N), None for a SparseLI, and `membrane` [T, B, N] of one layer."""

    spikes: SpikeTensor | None
    membrane: Tensor

    def unaliased(self) -> LayerTrace:
        """Return the trace with a copy of its output, which may also be the network's output."""
        if self.spikes is None:
            return LayerTrace(None, self.membrane.clone())
        return LayerTrace(self.spikes.clone(), self.membrane)

    def rate(self) -> Tensor:
        """Return the spikes per step [B, N], differentiable: what activity regularisers take.

        Raises
        ------
        ValueError
            Where the layer is a SparseLI.
        """
        if self.spikes is None:
            raise ValueError("LayerTrace: rate: expected a layer that spikes, got a SparseLI")
        return self.spikes.rate()


class EngineResult(NamedTuple):
    """Results of one pass of a network.

    The output, one trace and one state a layer where they were asked for, and the counts of each
    layer that spikes.
    """

    out: Tensor | SpikeTensor
    traces: list[LayerTrace] | None
    stats: Sequence[PendingStats]
    states: tuple[SparseState, ...] | None


class EngineState:
    """Base of what an engine keeps on a network between calls."""

    def push(self) -> None:
        """Let the host's parameters, as they are now, replace the device's."""
        raise NotImplementedError


class Engine(Implementation):
    """Base of the engines.

    `takes_dense`: an input that came as a dense tensor is not compacted for it.
    `repeats_passes`: its backward pass repeats a forward pass that is not the last one, so that of
    a pass little is saved.
    """

    name: str
    takes_dense = False
    repeats_passes = False

    def suits(self, net: SNN) -> bool:
        """Return whether "auto" may choose this engine for a network that it can run."""
        return True

    def unsupported(self, net: SNN) -> str | None:
        """Return why this engine cannot run the network, or None where it can."""
        raise NotImplementedError

    def device(self, net: SNN) -> str:
        """Return what the network runs on, in words."""
        raise NotImplementedError

    def run(
        self,
        net: SNN,
        x: SpikesOrDense,
        seed: Seed,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        """Run the network on x (T, B, N).

        Parameters
        ----------
        net : SNN
        x : SpikeTensor (T, B, N), or dense Tensor [T, B, N] where the engine takes it
        seed : int or CallSeed
            Of this sequence.
        trace : bool
            Whether the result has traces.
        state : tuple of SparseState, optional
            One a layer, of right shapes; None is at rest.
        return_state : bool
            Whether the result has states. Gradients flow out of them, and into `state`.
        """
        raise NotImplementedError


def resolve(backend: str, net: SNN) -> Engine:
    """Return the engine that runs `net`.

    Parameters
    ----------
    backend : str
        The name of an engine, or "auto" for the first of `dispatch.PREFERENCE` that is available
        and supports the network.
    net : SNN

    Raises
    ------
    ValueError
        Where no engine has that name, or the named one does not support the network.
    RuntimeError
        Where the named one is not available here.
    """
    engine: Engine = NETWORK.choose("SNN", backend, net)
    return engine
