"""SparseLIF: linear and LIF, fused, on compacted spikes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Mapping, Sequence

import torch

from .._internal import checks
from .._internal.checks import PerNeuron
from .._internal.spec import LayerSpec
from ..functional import Neuron
from ..functional.neuron import LIFS
from ..surrogate import Surrogate
from . import _options
from ._options import Check
from ._sparse_layer import SparseLayer
from .delays import Delays

if TYPE_CHECKING:
    from .homeostasis import Homeostasis


class SparseLIF(SparseLayer):
    """A linear map and leaky integrate-and-fire neurons that exchange compacted spikes.

    All options but the sizes, `bias`, `recurrent` and what is learnt may be set later, to the same
    values.

    Parameters
    ----------
    in_features, out_features : int
        M and N.
    bias : bool
    recurrent : bool
        Whether the layer's spikes come back to it one step later, by weights of their own.
    delay : int or Delays
        Steps by which the input is late, one number or `Delays`. A number from 2 on is the same as
        fixed axonal `Delays` of that many steps.
    recurrent_delay : Delays, optional
        Steps by which the layer's own spikes are late, in addition to the one that they take.
    max_activity : float or "auto", optional
        Fraction of the neurons, in (0, 1], that the capacity is of; default all of them. With
        "auto" the capacity begins at all neurons and follows what fires in training passes
        (docs/explanation/compacted-spikes.md); each change is a `CapacityChange` warning. Set
        `grad_threshold` with it: the capacity holds the neurons that fire and then those that have
        a gradient alone. Without a gradient threshold these are all the others, and most of their
        gradients are dropped: a `UserWarning` in the first training pass says so.
    max_drops : sequence of two float, optional
        With "auto", the largest fractions of spikes and of gradients that may be dropped;
        default (0.001, 0.01).
    grad_threshold : float, optional
        No gradient passes a neuron whose membrane lies below, which keeps the lists short.
        Default: every neuron has a gradient.
    beta, threshold : float or float Tensor [N]
        The decay factor and the threshold; a learnt decay factor stays in [0, 1].
    learn_beta, learn_threshold : bool
        Whether to make a parameter [N] of it.
    gain : float
        Scales the current, recurrent part and bias included.
    reset : {"zero", "subtract", "none", "subtract_after", "zero_after"}
        Takes effect one step after the spike. "zero" and "subtract" act before the decay:
        "subtract" leaves beta (v - threshold). The others act after decay and input:
        "subtract_after" leaves beta v + current - threshold, and "zero_after" 0. The ipu engine has
        those before the decay; `SparseNeurons(..., popsnn.neurons.LIF(...))` has all on all.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate : Surrogate or str, optional
        Default `SuperSpike()`.
    weight_dtype : torch.dtype, optional
        torch.float16 or torch.bfloat16 rounds the weights to it where they are used, recurrent
        weights too. Parameters, gradients and all else keep their type, and gradients pass as if
        nothing had been rounded. Of float16 they take half of the memory on the ipu engine, which
        has no bfloat16; of bfloat16 the cuda engine has fast products, and rounds the gradients
        that enter those to it too. Of recurrent weights with a `gain` of 1 that holds for float16
        as well, as in `functional.recurrent_scan`. Default: the parameters' own.
    homeostasis : Homeostasis, optional
        Lets each neuron's threshold follow its firing rate in training passes.

    Attributes
    ----------
    weight : Parameter [N, M]
    recurrent_weight : Parameter [N, N] or None
    bias : Parameter [N] or None
    capacity : int
        Capacity of the output, the `max_activity` of N.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "reset": lambda _, name, value: checks.reset(name, value),
        "detach_reset": lambda _, name, value: checks.flag(name, "detach_reset", value),
        "beta": lambda layer, name, value: _options.beta(name, value, layer.out_features),
        "threshold": lambda layer, name, value: _options.threshold(
            layer, name, value, layer.out_features
        ),
        "grad_threshold": _options.grad_threshold,
    }

    beta: PerNeuron
    threshold: PerNeuron

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        bias: bool = True,
        recurrent: bool = False,
        delay: int | Delays = 0,
        recurrent_delay: Delays | None = None,
        max_activity: float | str | None = None,
        max_drops: Sequence[float] | None = None,
        grad_threshold: float | None = None,
        beta: PerNeuron = 0.9,
        threshold: PerNeuron = 1.0,
        learn_beta: bool = False,
        learn_threshold: bool = False,
        gain: float = 1.0,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
        weight_dtype: torch.dtype | None = None,
        homeostasis: Homeostasis | None = None,
    ) -> None:
        super().__init__(
            in_features,
            out_features,
            bias=bias,
            recurrent=recurrent,
            delay=delay,
            recurrent_delay=recurrent_delay,
            max_activity=max_activity,
            max_drops=max_drops,
            gain=gain,
            surrogate=surrogate,
            weight_dtype=weight_dtype,
        )
        name, size = type(self).__name__, self.out_features
        self.reset = reset
        self.detach_reset = detach_reset
        level = self._checked("threshold", threshold)
        self.grad_threshold = checks.grad_threshold(name, grad_threshold, level)
        self._register("beta", beta, learn_beta, size)
        self._register("threshold", level, learn_threshold, size)
        self.homeostasis = homeostasis
        self.reset_parameters()

    @property
    def neuron(self) -> Neuron:
        """The neuron, with the options as they are now."""
        return LIFS[self.reset, self.detach_reset]

    def spec(self) -> LayerSpec:
        """Return what engines compile in of this layer, by its options as they are now."""
        derivative = self.surrogate.codelet_source
        return replace(
            super().spec(),
            reset=self.reset,
            detach_reset=self.detach_reset,
            model=None if derivative is None else self.neuron.spec(derivative),
        )

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return f"{super().extra_repr()}, reset={self.reset!r}"
