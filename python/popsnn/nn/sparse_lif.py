"""SparseLIF: linear and LIF, fused, on compacted spikes."""

from __future__ import annotations

import torch
from torch import nn

from .. import _check, functional
from .._check import PerNeuron
from ..functional import SparseLIFOutput, SparseState
from ..spikes import SpikeTensor
from ..surrogate import Surrogate, resolve
from ._parts import SpikesOrDense, as_spikes, hold, init_weights


class SparseLIF(nn.Module):
    """A linear map and leaky integrate-and-fire neurons that exchange lists of spike ids.

    Parameters
    ----------
    in_features, out_features : int
        M and N.
    bias : bool
    recurrent : bool
        Must be False in this version.
    delay : {0, 1}
        Steps by which the input is late.
    max_activity : float, optional
        Share of the neurons, in (0, 1], for which an output list has places; default all of them.
    grad_threshold : float, optional
        No gradient passes a neuron whose membrane lies below, which keeps the lists short.
    beta, threshold : float or float Tensor [N]
    gain : float
        Scales the current.
    reset : {"zero", "subtract", "none"}
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate : Surrogate or str, optional
        Default `SuperSpike()`.

    Attributes
    ----------
    weight : Parameter [N, M]
    bias : Parameter [N] or None
    capacity : int
        Places per list of the output.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    weight: nn.Parameter
    bias: nn.Parameter | None
    beta: PerNeuron
    threshold: PerNeuron

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        bias: bool = True,
        recurrent: bool = False,
        delay: int = 0,
        max_activity: float | None = None,
        grad_threshold: float | None = None,
        beta: PerNeuron = 0.9,
        threshold: PerNeuron = 1.0,
        gain: float = 1.0,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
    ) -> None:
        super().__init__()
        name = "SparseLIF"
        if recurrent:
            raise ValueError(
                f"{name}: recurrent: this version has no recurrent layers, expected False, got True"
            )
        self.in_features = _check.integer(name, "in_features", in_features, 1)
        self.out_features = _check.integer(name, "out_features", out_features, 1)
        self.delay = _check.integer(name, "delay", delay, 0, 1)
        self.max_activity = max_activity
        self.capacity = _check.capacity(name, max_activity, self.out_features)
        hold(self, "beta", _check.beta(name, beta, self.out_features))
        hold(self, "threshold", _check.per_neuron(name, "threshold", threshold, self.out_features))
        self.grad_threshold = _check.grad_threshold(name, grad_threshold, threshold)
        self.gain = _check.finite(name, "gain", gain)
        self.reset = _check.reset(name, reset)
        self.detach_reset = _check.flag(name, "detach_reset", detach_reset)
        self.surrogate = resolve(surrogate)
        self.weight = nn.Parameter(torch.empty(self.out_features, self.in_features))
        has_bias = _check.flag(name, "bias", bias)
        self.bias = nn.Parameter(torch.empty(self.out_features)) if has_bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new weights; a few input spikes within the leak's time reach the threshold."""
        init_weights(self.weight, self.bias, spread=1.0)

    def run(
        self,
        x: SpikeTensor,
        state: SparseState | None = None,
        *,
        seed: int = 0,
        layer: int = 0,
    ) -> SparseLIFOutput:
        """Return everything that `functional.sparse_lif` does with this layer's options."""
        return functional.sparse_lif(
            x,
            self.weight,
            self.bias,
            state,
            beta=self.beta,
            threshold=self.threshold,
            gain=self.gain,
            delay=self.delay,
            reset=self.reset,
            detach_reset=self.detach_reset,
            surrogate=self.surrogate,
            grad_threshold=self.grad_threshold,
            capacity=self.capacity,
            seed=seed,
            layer=layer,
        )

    def forward(
        self,
        x: SpikesOrDense,
        state: SparseState | None = None,
        return_state: bool = False,
        *,
        seed: int = 0,
    ) -> SpikeTensor | tuple[SpikeTensor, SparseState]:
        """Run this layer alone on the torch engine.

        Parameters
        ----------
        x : SpikeTensor (T, B, M) or dense Tensor [T, B, M] of 0 and 1
        state : SparseState, optional
        return_state : bool
        seed : int
            Decides who keeps a place where a list is over capacity.
        """
        out = self.run(as_spikes("SparseLIF", x, self.in_features), state, seed=seed)
        return (out.spikes, out.state) if return_state else out.spikes

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return (
            f"{self.in_features}, {self.out_features}, bias={self.bias is not None}, "
            f"delay={self.delay}, capacity={self.capacity}, grad_threshold={self.grad_threshold}, "
            f"reset={self.reset!r}, surrogate={self.surrogate}"
        )
