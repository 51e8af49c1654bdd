"""RecurrentSpiking: neurons of any kind with weights between them."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, NamedTuple, Sequence, cast

import torch
from torch import Tensor, nn

from .. import functional
from .._internal import checks
from .._internal.checks import PerNeuron
from ..functional import Neuron
from ..neurons import LIF, Inputs, States
from ..surrogate import Surrogate
from ._options import Check
from ._parts import init_weights
from .delays import Delays, delays_of_loop
from .spiking import Spiking

WEIGHT_TYPES = (None, torch.bfloat16, torch.float16, torch.float32)


class DelayedState(NamedTuple):
    """States of recurrent neurons with delays after a step.

    Attributes
    ----------
    states : named tuple of Tensor [B, N]
        Of the neurons.
    spikes : Tensor [D, B, N]
        The last D spikes before those of `states`, oldest first.
    """

    states: States
    spikes: Tensor


class RecurrentSpiking(Spiking):
    """Neurons of any kind over x [T, B, N] and their own spikes of the step before.

    The input at step t is x[t] + V s[t - 1]; a delay of d steps puts s[t - 1 - d] in place of
    s[t - 1]. One step is `spikes, state = layer.step(x[t], state)`.
    On GPUs of compute capability 8.0 or more all steps run in one kernel.

    Parameters
    ----------
    neuron : Neuron
        One that spikes.
    size : int
        N.
    recurrent_input : str, optional
        The input of the neuron that V s[t - 1] is added to, of one with several; default its first.
    delay : Delays, optional
        Delays of the spikes, in addition to the one step that they take. A state is then a
        `DelayedState`.
    weight_dtype : torch.dtype, optional
        What V is rounded to: torch.bfloat16 or torch.float16, the fastest, or torch.float32, as in
        `functional.recurrent_scan`; default: V as it is.
    parameters, learn, surrogate, grad_threshold, backend
        As of `Spiking`.

    Attributes
    ----------
    recurrent_weight : Parameter [N, N]
        V, to neuron i from neuron j at [i, j]; drawn uniformly with standard deviation
        0.5 / sqrt(N).

    Raises
    ------
    TypeError, ValueError
        Where a name is unknown or a value is out of range.

    Examples
    --------
    >>> layer = nn.RecurrentSpiking(popsnn.neurons.AdLIF(), 512, weight_dtype=torch.bfloat16)
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        **Spiking.CHECKS,
        "neuron": lambda _, name, value: _spiking(name, value),
        "size": lambda _, name, value: checks.size(name, "size", value),
        "recurrent_input": lambda layer, name, value: _input(layer.neuron, name, value),
        "delay": lambda layer, _, value: delays_of_loop(layer, "delay", value, layer.size),
        "weight_dtype": lambda _, name, value: _weight_type(name, value),
    }
    FIXED: ClassVar[tuple[str, ...]] = ("neuron", "size")
    STEP: ClassVar[str] = "[B, N]"

    recurrent_input: str | None = None  # of a layer that was pickled before the option was there
    delay: Delays | None

    def __init__(
        self,
        neuron: Neuron,
        size: int,
        *,
        parameters: Mapping[str, PerNeuron] | None = None,
        learn: Sequence[str] = (),
        recurrent_input: str | None = None,
        delay: Delays | None = None,
        weight_dtype: torch.dtype | None = None,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        backend: str = "auto",
    ) -> None:
        super().__init__(
            neuron,
            parameters=parameters,
            learn=learn,
            surrogate=surrogate,
            grad_threshold=grad_threshold,
            backend=backend,
        )
        if "delay" in neuron.parameters:
            raise ValueError(
                f"{self.name}: neuron: expected parameters of other names than the module's own "
                "attributes, got 'delay'"
            )
        self.size = size
        self.recurrent_input = recurrent_input
        self.delay = delay
        self.weight_dtype = weight_dtype
        self.recurrent_weight = nn.Parameter(torch.empty(self.size, self.size))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new weights."""
        init_weights(self.recurrent_weight, None, spread=0.5)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a layer, of a time before delays too."""
        super().__setstate__(state)
        if "delay" not in self._modules:
            vars(self).setdefault("delay", None)

    def forward(
        self, x: Inputs, state: States | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, States]:
        """Return the spikes [T, B, N] of the current `x` [T, B, N], and the state if asked.

        The state is a named tuple of the neuron's states, each [B, N]; with delays a
        `DelayedState`. A neuron of several inputs takes a tuple of currents.
        """
        states, before = self._parts_of(state)
        out = self._scan(x, states, False, return_state, before=before)
        assert out.spikes is not None  # of a neuron that spikes
        return (out.spikes, self._after(out, states, before)) if return_state else out.spikes

    def _after(
        self, out: functional.ScanOutput, states: States | None, before: Tensor | None
    ) -> States:
        """Return the state after a scan from states and from the spikes before them."""
        after = self.neuron.named(out.state)
        if self.delay is None:
            return after
        assert out.spikes is not None
        first = torch.zeros_like(out.spikes[:1])
        if states is not None:
            first = states[-1].to(first).unsqueeze(0)
        line = torch.cat([first, out.spikes])[:-1]
        spikes = functional.last_steps(line, before, self.delay.maximum)
        return cast(States, DelayedState(after, spikes))

    def _parts_of(self, state: States | None) -> tuple[States | None, Tensor | None]:
        """Return the neurons' states and the spikes before them."""
        if state is None or isinstance(state, DelayedState) == (self.delay is None):
            if state is None:
                return None, None
            wanted = "the neuron's states" if self.delay is None else "a DelayedState"
            raise TypeError(f"{self.name}: state: expected {wanted}, got {type(state).__name__}")
        return state if isinstance(state, DelayedState) else (state, None)

    def _scan(
        self,
        x: Inputs,
        state: States | None,
        membrane: bool,
        return_state: bool,
        weight: Tensor | None = None,  # [N, N]; default: `recurrent_weight`
        before: Tensor | None = None,  # [D, B, N]
    ) -> functional.ScanOutput:
        first = x[0] if isinstance(x, tuple) and x else x
        if isinstance(first, Tensor) and first.dim() == 3 and first.shape[-1] != self.size:
            raise ValueError(
                f"{self.name}: current: expected shape [T, B, {self.size}], got "
                f"{tuple(first.shape)}"
            )
        return functional.recurrent_scan(
            self.name,
            self.neuron,
            x,
            self.recurrent_weight if weight is None else weight,
            state,
            {name: self._used(name) for name in self.neuron.parameters},
            recurrent_input=self.recurrent_input,
            delay=None if self.delay is None else self.delay.now(),
            before=before,
            surrogate=self.surrogate,
            grad_threshold=self.grad_threshold,
            weight_dtype=self.weight_dtype,
            membrane=membrane,
            return_state=return_state,
            backend=self.backend,
        )

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        loop = f"recurrent_input={self.recurrent_input!r}, " if self.recurrent_input else ""
        return f"{self.size}, {super().extra_repr()}, {loop}weight_dtype={self.weight_dtype}"


class RecurrentLIF(RecurrentSpiking):
    """Leaky integrate-and-fire neurons over x [T, B, N] and their own spikes of the step before.

    Parameters
    ----------
    size : int
        N.
    beta, threshold : float or Tensor
        The decay factor and the threshold; tensors must broadcast to [N].
    reset, detach_reset
        As of `LIF`.
    learn_beta, learn_threshold : bool
    delay, weight_dtype, surrogate, grad_threshold, backend
        As of `RecurrentSpiking`.

    Raises
    ------
    TypeError, ValueError
        Where a value is out of range.
    """

    def __init__(
        self,
        size: int,
        beta: PerNeuron = 0.9,
        threshold: PerNeuron = 1.0,
        *,
        reset: str = "zero",
        detach_reset: bool = True,
        delay: Delays | None = None,
        weight_dtype: torch.dtype | None = None,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        learn_beta: bool = False,
        learn_threshold: bool = False,
        backend: str = "auto",
    ) -> None:
        learnt = {"beta": learn_beta, "threshold": learn_threshold}
        for name, value in learnt.items():
            checks.flag("RecurrentLIF", f"learn_{name}", value)
        super().__init__(
            LIF(reset, detach_reset),
            size,
            parameters={"beta": beta, "threshold": threshold},
            learn=[name for name, value in learnt.items() if value],
            delay=delay,
            weight_dtype=weight_dtype,
            surrogate=surrogate,
            grad_threshold=grad_threshold,
            backend=backend,
        )


def _spiking(operation: str, value: Any) -> Neuron:
    neuron: Neuron = Spiking.CHECKS["neuron"](None, operation, value)
    if not neuron.spiking:
        raise ValueError(f"{operation}: neuron: expected one that spikes, got {neuron}")
    return neuron


def _input(neuron: Neuron, operation: str, value: Any) -> str | None:
    return (
        None if value is None else checks.choice(operation, "recurrent_input", value, neuron.inputs)
    )


def _weight_type(operation: str, value: Any) -> torch.dtype | None:
    if value not in WEIGHT_TYPES:
        raise ValueError(
            f"{operation}: weight_dtype: expected None, torch.bfloat16, torch.float16 or "
            f"torch.float32, got {value}"
        )
    return value
