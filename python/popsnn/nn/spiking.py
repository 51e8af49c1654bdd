"""Spiking: neurons of any kind, alone."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, Sequence, cast

from torch import Tensor

from .. import functional
from .._internal import checks
from .._internal.checks import PerNeuron
from ..functional import BACKENDS, Neuron
from ..neurons import Inputs, States
from ..surrogate import Surrogate, resolve
from . import _options
from ._options import Check, Options
from ._parts import one_step


class Spiking(Options):
    """Neurons of any kind over x [T, B, ...]: of `popsnn.neurons`, or a `popsnn.Neuron` of a user.

    The output is the spikes [T, B, ...], or the membrane of a neuron that does not spike. One step
    x[t] is `spikes, state = layer.step(x[t], state)`. Each parameter of the neuron is an attribute
    of its name.

    Parameters
    ----------
    neuron : Neuron
    parameters : mapping of str to float or Tensor
        Values in place of the neuron's defaults; tensors must broadcast to [B, ...].
    learn : sequence of str
        Names of the parameters that are learnt: each a torch parameter of its value's shape. It is
        clamped to the neuron's `bounds` where it is used.
    surrogate : Surrogate or str, optional
        Default `SuperSpike()`.
    grad_threshold : float, optional
        No gradient passes a neuron whose membrane, as the neuron compares it with its threshold,
        lies below.
    backend : {"auto", "torch", "cuda"}
        As in `functional.scan`.

    Raises
    ------
    TypeError, ValueError
        Where a name is unknown or a value is out of range.

    Examples
    --------
    >>> layer = nn.Spiking(popsnn.neurons.AdEx(), parameters={"tau": 20.0}, learn=["tau", "b"])
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "neuron": lambda _, name, value: _neuron(name, value),
        "surrogate": lambda _, __, value: resolve(value),
        "grad_threshold": _options.grad_threshold,
        "backend": lambda _, name, value: checks.choice(name, "backend", value, BACKENDS),
    }
    FIXED: ClassVar[tuple[str, ...]] = ("neuron",)
    STEP: ClassVar[str] = "[B, N, ...]"  # shape of the input of one step

    neuron: Neuron

    def __init__(
        self,
        neuron: Neuron,
        *,
        parameters: Mapping[str, PerNeuron] | None = None,
        learn: Sequence[str] = (),
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        backend: str = "auto",
    ) -> None:
        super().__init__()
        self.name = name = type(self).__name__
        self.neuron = neuron
        if isinstance(learn, str):
            raise TypeError(f"{name}: learn: expected a sequence of names, got {learn!r}")
        if grad_threshold is not None and not neuron.spiking:
            raise ValueError(f"{name}: grad_threshold: expected None of {neuron}, which has none")
        for argument, names in (("parameters", parameters or {}), ("learn", learn)):
            for each in names:
                if each not in neuron.parameters:
                    raise ValueError(
                        f"{name}: {argument}: expected names among {neuron.parameters}, "
                        f"got {each!r}"
                    )
        values = {**dict(zip(neuron.parameters, neuron.defaults)), **(parameters or {})}
        for each in neuron.parameters:
            if each not in values:
                raise ValueError(
                    f"{name}: parameters: expected a value of {each}, which has no default, "
                    "got none"
                )
            if hasattr(self, each):
                raise ValueError(
                    f"{name}: neuron: expected parameters of other names than the module's own "
                    f"attributes, got {each!r}"
                )
            self._register(each, values[each], each in learn)
        self.surrogate = resolve(surrogate)
        self.grad_threshold = grad_threshold
        self.backend = backend

    def forward(
        self, x: Inputs, state: States | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, States]:
        """Return the output [T, B, ...] of the current `x` [T, B, ...], and the state if asked.

        A neuron of several inputs takes a tuple of currents, in the order of `neuron.inputs`.
        The state is a named tuple of the neuron's states, each [B, ...].
        """
        neuron = self.neuron
        out = self._scan(x, state, not neuron.spiking, return_state)
        output = cast(Tensor, out.spikes if neuron.spiking else out.membrane)
        return (output, neuron.named(out.state)) if return_state else output

    def _scan(
        self, x: Inputs, state: States | None, membrane: bool, return_state: bool
    ) -> functional.ScanOutput:
        return functional.scan(
            self.name,
            self.neuron,
            x,
            state,
            {name: self._used(name) for name in self.neuron.parameters},
            surrogate=self.surrogate,
            grad_threshold=self.grad_threshold,
            membrane=membrane,
            return_state=return_state,
            backend=self.backend,
        )

    def step(self, x: Inputs, state: States | None = None) -> tuple[Tensor, States]:
        """Return the output [B, ...] of one step `x` [B, ...], and the state after it.

        Steps one by one, each from the state of the one before, have the bits of `forward`.

        Parameters
        ----------
        x : float Tensor [B, N, ...]
            A neuron of several inputs takes a tuple of currents.
        state : tuple of Tensor [B, N, ...], optional
            What the step before returned; default: at rest.

        Raises
        ------
        TypeError, ValueError
            Where `x` or `state` does not fit.
        """
        if isinstance(x, tuple):
            kind = getattr(x, "_make", tuple)  # of a named tuple, whose names are checked
            x = kind(one_step(self.name, each, self.STEP) for each in x)
        else:
            x = one_step(self.name, x, self.STEP)
        out, after = self(x, state, True)
        return out[0], after

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        shown = [repr(self.neuron)]
        if self.neuron.parameters:
            shown.append(_options.shown(self, *self.neuron.parameters))
        if self.neuron.spiking:
            shown.append(f"surrogate={self.surrogate}, grad_threshold={self.grad_threshold}")
        return ", ".join(shown)

    def _used(self, name: str) -> PerNeuron:
        """Return what a step takes as a parameter."""
        return _options.clamped(getattr(self, name), self.neuron.bounds.get(name))

    def _check_of(self, name: str) -> Check | None:
        neuron = vars(self).get("neuron")  # not there yet in a constructor
        if neuron is None or name not in neuron.parameters:
            return super()._check_of(name)
        bounds = neuron.bounds.get(name)

        def check(module: Any, operation: str, value: PerNeuron) -> PerNeuron:
            if name == "threshold":
                value = _options.threshold(module, operation, value)
            return _options.within(operation, name, value, bounds)

        return check


def _neuron(operation: str, value: Any) -> Neuron:
    if not isinstance(value, Neuron):
        got = value.__name__ if isinstance(value, type) else type(value).__name__
        raise TypeError(f"{operation}: neuron: expected an instance of popsnn.Neuron, got {got}")
    value.translation()
    return value
