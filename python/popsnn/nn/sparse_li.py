"""SparseLI: linear and leaky integrators, fused, on compacted spikes."""

from __future__ import annotations

from typing import ClassVar, Mapping, cast

import torch
from torch import Tensor, nn

from .. import functional
from .._internal import checks, renamed
from .._internal.checks import PerNeuron
from .._internal.decorators import uncompiled
from .._internal.dispatch import POPTORCH
from .._internal.poptorch import refuse, running
from .._internal.spec import LayerSpec
from ..functional import Neuron, SparseLIOutput, SparseState
from ..functional.neuron import LEAKY_INTEGRATOR
from ..spikes import SpikeTensor
from . import _options
from ._options import Check, Options, in_unit_interval
from ._parts import (
    SpikesOrDense,
    as_spikes,
    init_weights,
    learnt_fields,
    one_step_of_spikes,
    rounded,
)
from .delays import Delays, as_delay, delay_now, shown_delay, undelayed


class SparseLI(Options):
    """A linear map and leaky integrators: the readout of a network, whose output is a membrane.

    `functional.sparse_li` with weights. `nn.LI` is the same class by its earlier name; integrators
    without weights are `LeakyIntegrator`, `functional.li`.

    Parameters
    ----------
    in_features, out_features : int
        M and C.
    bias : bool
    delay : int or Delays
        As in `SparseLIF`.
    beta : float or float Tensor [C]
        The decay factor; where it is learnt, it stays in [0, 1].
    learn_beta : bool
        Whether to make a parameter [C] of it.
    gain : float
        Scales the current.
    weight_dtype : torch.dtype, optional
        As in `SparseLIF`.

    Attributes
    ----------
    weight : Parameter [C, M]
    bias : Parameter [C] or None

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "in_features": lambda _, name, value: checks.integer(name, "in_features", value, 1),
        "out_features": lambda _, name, value: checks.integer(name, "out_features", value, 1),
        "delay": lambda layer, _, value: as_delay(
            layer, "delay", value, layer.in_features, layer.out_features
        ),
        "gain": lambda _, name, value: checks.finite(name, "gain", value),
        "weight_dtype": lambda _, name, value: _options.weight_dtype(name, value),
        "beta": lambda layer, name, value: _options.beta(name, value, layer.out_features),
    }
    FIXED: ClassVar[tuple[str, ...]] = ("in_features", "out_features")

    weight: nn.Parameter
    bias: nn.Parameter | None
    delay: int | Delays
    beta: PerNeuron

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        bias: bool = True,
        delay: int | Delays = 0,
        beta: PerNeuron = 0.9,
        learn_beta: bool = False,
        gain: float = 1.0,
        weight_dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.delay = delay
        self.gain = gain
        self.weight_dtype = weight_dtype
        self.weight = nn.Parameter(torch.empty(self.out_features, self.in_features))
        has_bias = checks.flag("SparseLI", "bias", bias)
        self.bias = nn.Parameter(torch.empty(self.out_features)) if has_bias else None
        self._register("beta", beta, learn_beta, self.out_features)
        self.reset_parameters()

    @property
    def neuron(self) -> Neuron:
        """The neuron."""
        return LEAKY_INTEGRATOR

    @property
    def decays(self) -> tuple[str, ...]:
        """The parameters that stay in [0, 1] where they are learnt."""
        return self.neuron.decays

    leaks = renamed.alias("leaks", "decays")
    states_beside = renamed.alias("states_beside", "other_states")

    @property
    def other_states(self) -> int:
        """Number of the neuron's states other than its membrane."""
        return 0

    def neuron_parameters(self) -> tuple[PerNeuron, ...]:
        """Return the decay factor, a float or a Tensor [C]."""
        return (in_unit_interval(self.beta),)

    def spec(self) -> LayerSpec:
        """Return what engines compile in of this layer, by its options as they are now."""
        return LayerSpec(
            "LeakyReadout",
            self.in_features,
            self.out_features,
            delay=undelayed(self, "delay"),
            bias=self.bias is not None,
            gain=self.gain,
            half_weights=self.weight_dtype == torch.float16,
            **learnt_fields(self),
        )

    def reset_parameters(self) -> None:
        """Draw new weights; learnt decay factors stay."""
        init_weights(self.weight, self.bias, spread=0.5)

    def run(self, x: SpikeTensor, state: SparseState | None = None) -> SparseLIOutput:
        """Return everything that `functional.sparse_li` does with this layer's options."""
        return functional.sparse_li(
            x,
            rounded(self.weight, self.weight_dtype),
            self.bias,
            state,
            beta=in_unit_interval(self.beta),
            gain=self.gain,
            delay=delay_now(self.delay),
        )

    @uncompiled
    def forward(
        self, x: SpikesOrDense, state: SparseState | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, SparseState]:
        """Run this layer alone: v [T, B, C] of x (T, B, M), spikes or dense.

        On the torch engine, or as an operator inside of a PopTorch model.
        """
        spikes, poptorch = as_spikes("SparseLI", x, self.in_features), running()
        if poptorch is not None:
            refuse("SparseLI", state=state, return_state=return_state)
            return cast(Tensor, POPTORCH["readout"](poptorch, self, spikes))
        out = self.run(spikes, state)
        return (out.membrane, out.state) if return_state else out.membrane

    def step(
        self, x: SpikesOrDense, state: SparseState | None = None
    ) -> tuple[Tensor, SparseState]:
        """Run one step: return the membrane [B, C], and the state for the next step.

        Parameters
        ----------
        x : Tensor [B, M] of 0 and 1, or SpikeTensor (1, B, M)
        state : SparseState, optional
            What the step before returned; default: at rest.
        """
        membrane, after = self(one_step_of_spikes("SparseLI", x, self.in_features), state, True)
        return membrane[0], after

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return (
            f"{self.in_features}, {self.out_features}, bias={self.bias is not None}, "
            f"{_options.shown(self, 'beta')}, gain={self.gain:g}, "
            f"{shown_delay('delay', self.delay)}weight_dtype={self.weight_dtype}"
        )


LI = SparseLI
"""The earlier name of `SparseLI`, which stays."""
