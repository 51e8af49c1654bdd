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
from ._spiking import in_unit_interval


class SparseLIF(nn.Module):
    """A linear map and leaky integrate-and-fire neurons that exchange lists of spike ids.

    Parameters
    ----------
    in_features, out_features : int
        M and N.
    bias : bool
    recurrent : bool
        Whether the layer's spikes come back to it one step later, by weights of their own.
    delay : {0, 1}
        Steps by which the input is late.
    max_activity : float, optional
        Share of the neurons, in (0, 1], for which an output list has places; default all of them.
    grad_threshold : float, optional
        No gradient passes a neuron whose membrane lies below, which keeps the lists short.
    beta, threshold : float or float Tensor [N]
        The leak and the threshold; a leak that is learnt stays in [0, 1].
    learn_beta, learn_threshold : bool
        Whether to make a parameter [N] of it.
    gain : float
        Scales the current, recurrent part and bias included.
    reset : {"zero", "subtract", "none"}
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate : Surrogate or str, optional
        Default `SuperSpike()`.

    Attributes
    ----------
    weight : Parameter [N, M]
    recurrent_weight : Parameter [N, N] or None
    bias : Parameter [N] or None
    capacity : int
        Places per list of the output.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    weight: nn.Parameter
    recurrent_weight: nn.Parameter | None
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
        learn_beta: bool = False,
        learn_threshold: bool = False,
        gain: float = 1.0,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
    ) -> None:
        super().__init__()
        name = "SparseLIF"
        self.in_features = _check.integer(name, "in_features", in_features, 1)
        self.out_features = _check.integer(name, "out_features", out_features, 1)
        self.delay = _check.integer(name, "delay", delay, 0, 1)
        self.max_activity = max_activity
        self.capacity = _check.capacity(name, max_activity, self.out_features)
        self.grad_threshold = _check.grad_threshold(name, grad_threshold, threshold)
        self.gain = _check.finite(name, "gain", gain)
        self.reset = _check.reset(name, reset)
        self.detach_reset = _check.flag(name, "detach_reset", detach_reset)
        self.surrogate = resolve(surrogate)
        size = self.out_features
        self.weight = nn.Parameter(torch.empty(size, self.in_features))
        loops = _check.flag(name, "recurrent", recurrent)
        self.recurrent_weight = nn.Parameter(torch.empty(size, size)) if loops else None
        has_bias = _check.flag(name, "bias", bias)
        self.bias = nn.Parameter(torch.empty(size)) if has_bias else None
        leak = _check.beta(name, beta, size)
        hold(self, "beta", leak, _check.flag(name, "learn_beta", learn_beta), size)
        level = _check.per_neuron(name, "threshold", threshold, size)
        hold(self, "threshold", level, _check.flag(name, "learn_threshold", learn_threshold), size)
        self.reset_parameters()

    @property
    def recurrent(self) -> bool:
        """Whether the layer's spikes come back to it."""
        return self.recurrent_weight is not None

    def reset_parameters(self) -> None:
        """Draw new weights; leaks and thresholds that were learnt stay.

        A few input spikes within the leak's time reach the threshold. Recurrent weights have mean
        zero and half of that spread: as many spikes of the layer itself add a quarter of the
        variance, so that the input rules the activity, and with a reset it ends after the input.
        """
        init_weights(self.weight, self.bias, spread=1.0)
        if self.recurrent_weight is not None:
            init_weights(self.recurrent_weight, None, spread=0.5)

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
            recurrent_weight=self.recurrent_weight,
            beta=in_unit_interval(self.beta),
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
            f"recurrent={self.recurrent}, delay={self.delay}, capacity={self.capacity}, "
            f"grad_threshold={self.grad_threshold}, reset={self.reset!r}, "
            f"surrogate={self.surrogate}"
        )
