"""BatchNorm and BatchNormLIF: normalisation over steps, samples and positions."""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.nn.modules.batchnorm import _BatchNorm

from .. import _check, functional
from .._check import PerNeuron
from ..functional import LIFState
from ..functional.batch_norm import Group, Neighbours
from ..functional.bits import Spikes
from ..surrogate import Surrogate, resolve
from ._parts import hold


class BatchNorm(_BatchNorm):
    """Batch normalisation of x [T, B, C, ...]: one mean and variance a channel over all the rest.

    The parameters, buffers and `momentum` are those of `torch.nn.BatchNorm2d`, whose state it can
    load. Where `group` is a process group, its ranks hold parts of one batch.

    Parameters
    ----------
    num_features : int
        C.
    eps, momentum : float
    group : ProcessGroup, optional

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        *,
        group: Group = None,
    ) -> None:
        name = type(self).__name__
        super().__init__(
            _check.integer(name, "num_features", num_features, 1),
            _check.finite(name, "eps", eps),
            _check.finite(name, "momentum", momentum),
        )
        self.group = group

    def forward(self, x: Tensor) -> Tensor:
        """Return `x` [T, B, C, ...] normalised."""
        return functional.batch_norm(x, self.weight, self.bias, **self._statistics())

    def _statistics(self) -> dict[str, Any]:
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        return {
            "running": (self.running_mean, self.running_var),
            "training": self.training,
            "momentum": self.momentum,
            "eps": self.eps,
            "group": self.group,
        }


class BatchNormLIF(BatchNorm):
    """Batch normalisation and the LIF neurons behind it: spikes of x [T, B, C, ...].

    On the cuda engine the normalised current never reaches memory, and the backward pass finds the
    membrane again from x alone. The decay and the threshold are fixed; where they are learnt, put a
    `LIF` behind a `BatchNorm`.

    Parameters
    ----------
    num_features : int
        C.
    beta, threshold : float or float Tensor [C]
    eps, momentum, group
        As in `BatchNorm`.
    reset, detach_reset, surrogate, grad_threshold
        As in `LIF`.
    bits : bool
        Whether `forward` returns `BitSpikes`, of which the layers behind keep the bits alone.
    backend : {"auto", "torch", "cuda"}
        As in `functional.scan`.

    Attributes
    ----------
    neighbours : popsnn.parallel.TimeSplit or None
        The ranks that hold the steps before and after.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    beta: PerNeuron
    threshold: PerNeuron

    def __init__(
        self,
        num_features: int,
        beta: PerNeuron = 0.9,
        threshold: PerNeuron = 1.0,
        *,
        eps: float = 1e-5,
        momentum: float = 0.1,
        group: Group = None,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        bits: bool = False,
        backend: str = "auto",
    ) -> None:
        super().__init__(num_features, eps, momentum, group=group)
        name = type(self).__name__
        size = self.num_features
        hold(self, "beta", _check.beta(name, beta, size))
        hold(self, "threshold", _check.per_neuron(name, "threshold", threshold, size))
        self.reset = _check.reset(name, reset)
        self.detach_reset = _check.flag(name, "detach_reset", detach_reset)
        self.surrogate = resolve(surrogate)
        self.grad_threshold = _check.grad_threshold(name, grad_threshold, threshold)
        self.bits = _check.flag(name, "bits", bits)
        self.neighbours: Neighbours | None = None
        self.backend = _check.choice(name, "backend", backend, functional.BACKENDS)

    def forward(  # type: ignore[override]  # what it returns differs from BatchNorm
        self,
        x: Tensor,
        residual: Spikes | None = None,
        state: LIFState | None = None,
        return_state: bool = False,
    ) -> Spikes | tuple[Spikes, LIFState]:
        """Return the spikes of `x` plus `residual`, [T, B, C, ...], and the state if asked."""
        out = functional.batch_norm_lif(
            x,
            self.weight,
            self.bias,
            state=state,
            residual=residual,
            beta=self.beta,
            threshold=self.threshold,
            reset=self.reset,
            detach_reset=self.detach_reset,
            surrogate=self.surrogate,
            grad_threshold=self.grad_threshold,
            bits=self.bits,
            neighbours=self.neighbours,
            return_state=return_state,
            backend=self.backend,
            **self._statistics(),
        )
        return out.spikes if out.state is None else (out.spikes, out.state)

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return f"{super().extra_repr()}, reset={self.reset!r}, surrogate={self.surrogate}"
