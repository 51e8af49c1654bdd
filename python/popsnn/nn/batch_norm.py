"""BatchNorm and BatchNormLIF: normalisation over steps, samples and positions."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping

from torch import Tensor
from torch.nn.modules.batchnorm import _BatchNorm

from .. import functional
from .._internal import checks
from .._internal.checks import PerNeuron
from ..functional import LIFState
from ..functional.batch_norm import Group, Neighbours
from ..functional.bits import Spikes
from ..surrogate import Surrogate, resolve
from . import _options
from ._options import Check, Options


class BatchNorm(Options, _BatchNorm):
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

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "num_features": lambda _, name, value: checks.integer(name, "num_features", value, 1),
        "eps": lambda _, name, value: checks.finite(name, "eps", value),
        "momentum": lambda _, name, value: checks.finite(name, "momentum", value),
    }
    FIXED: ClassVar[tuple[str, ...]] = ("num_features",)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        *,
        group: Group = None,
    ) -> None:
        super().__init__(num_features, eps, momentum)
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
    `LIF` behind a `BatchNorm`. There is no `step`, as the statistics are those of all steps.

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

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "beta": lambda layer, name, value: _options.beta(name, value, layer.num_features),
        "threshold": lambda layer, name, value: _options.threshold(
            layer, name, value, layer.num_features
        ),
        "reset": lambda _, name, value: checks.reset(name, value),
        "detach_reset": lambda _, name, value: checks.flag(name, "detach_reset", value),
        "surrogate": lambda _, __, value: resolve(value),
        "grad_threshold": _options.grad_threshold,
        "bits": lambda _, name, value: checks.flag(name, "bits", value),
        "backend": lambda _, name, value: checks.choice(
            name, "backend", value, functional.BACKENDS
        ),
    }

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
        self.beta = beta
        self.threshold = threshold
        self.reset = reset
        self.detach_reset = detach_reset
        self.surrogate = resolve(surrogate)
        self.grad_threshold = grad_threshold
        self.bits = bits
        self.neighbours: Neighbours | None = None
        self.backend = backend

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
        return (
            f"{super().extra_repr()}, {_options.shown(self, 'beta', 'threshold')}, "
            f"reset={self.reset!r}, surrogate={self.surrogate}, "
            f"grad_threshold={self.grad_threshold}"
        )
