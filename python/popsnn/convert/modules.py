"""Modules and functions that converted networks are made of, next to those of torch."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import torch
from torch import Tensor, nn

from .. import functional
from ..neurons import Inputs, Neuron, States
from ..nn import RecurrentSpiking, Spiking


class Neurons(Spiking):
    """`popsnn.nn.Spiking` that starts at states of its own, and may return the membrane too.

    Parameters
    ----------
    neuron : Neuron
        As of `popsnn.nn.Spiking`.
    start : mapping of str to float or Tensor, optional
        States before the first step that are not 0.
    membrane : bool
        Whether to return spikes and membrane.
    **options : dict
        Further parameters of `popsnn.nn.Spiking`.
    """

    def __init__(
        self,
        neuron: Neuron,
        *,
        start: Mapping[str, float | Tensor] | None = None,
        membrane: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(neuron, **options)
        self.start = dict(start or {})
        self.membrane = membrane

    def forward(self, x: Inputs, state: States | None = None, return_state: bool = False) -> Any:
        """Return the spikes [T, B, ...] of the current `x` [T, B, ...].

        With `membrane` they are a pair with the membrane; a state comes last if asked.
        """
        if state is None:
            state = first_state(self.neuron, self.start, x)
        membrane = self.membrane or not self.neuron.spiking
        return _results(self, self._scan(x, state, membrane, return_state), return_state)


class RecurrentNeurons(RecurrentSpiking):
    """`popsnn.nn.RecurrentSpiking` that starts at states of its own, with a bias if there is one.

    Parameters
    ----------
    neuron, size
        As of `popsnn.nn.RecurrentSpiking`.
    start, membrane
        As of `Neurons`.
    autapses : bool
        Whether weights from a neuron to itself are learnt.
    **options : dict
        Further parameters of `popsnn.nn.RecurrentSpiking`.

    Attributes
    ----------
    recurrent_weight : Parameter [N, N]
    bias : Parameter [N] or None
        Added to the input at every step.
    """

    bias: nn.Parameter | None

    def __init__(
        self,
        neuron: Neuron,
        size: int,
        *,
        start: Mapping[str, float | Tensor] | None = None,
        membrane: bool = False,
        autapses: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(neuron, size, **options)
        self.start = dict(start or {})
        self.membrane = membrane
        self.autapses = autapses
        self.register_parameter("bias", None)

    def forward(self, x: Inputs, state: States | None = None, return_state: bool = False) -> Any:
        """Return the spikes [T, B, N] of the current `x` [T, B, N], as `Neurons` does."""
        if self.bias is not None and isinstance(x, Tensor):
            x = x + self.bias
        states, before = self._parts_of(state)
        if states is None:
            states = first_state(self.neuron, self.start, x)
        weight: Tensor = self.recurrent_weight
        if not self.autapses:
            own = torch.eye(self.size, dtype=torch.bool, device=weight.device)
            weight = torch.where(own, weight.detach(), weight)
        out = self._scan(x, states, self.membrane, return_state, weight, before)
        result = _results(self, out, False)
        return (result, self._after(out, states, before)) if return_state else result


def _results(
    module: Neurons | RecurrentNeurons, out: functional.ScanOutput, return_state: bool
) -> Any:
    neuron = module.neuron
    result: Any = out.spikes if neuron.spiking else out.membrane
    if module.membrane and neuron.spiking:
        result = (out.spikes, out.membrane)
    return (result, neuron.named(out.state)) if return_state else result


def first_state(neuron: Neuron, start: Mapping[str, float | Tensor], x: Inputs) -> States | None:
    """Return the states before the first step of `x` [T, B, ...]; None is zeros."""
    if not start or not isinstance(x, Tensor) or x.dim() < 3:
        return None
    like = x[0] if len(x) else x.new_zeros(x.shape[1:])
    states = []
    for name in neuron.states:
        value = start.get(name, 0.0)
        if isinstance(value, Tensor):
            value = value.to(like).expand_as(like).clone()
        states.append(value if isinstance(value, Tensor) else torch.full_like(like, value))
    return tuple(states)


class Voting(nn.Module):
    """Means of groups of neurons, as SpikingJelly's `VotingLayer` has them.

    Parameters
    ----------
    size : int
        Neurons of a group.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: Tensor) -> Tensor:
        """Return the means [..., N / size] of x [..., N]."""
        groups = nn.functional.avg_pool1d(x.flatten(0, -2).unsqueeze(1), self.size, self.size)
        return groups.squeeze(1).unflatten(0, x.shape[:-1])

    def extra_repr(self) -> str:
        """Return the option that `print` shows."""
        return f"{self.size}"


class ConstantCurrent(nn.Module):
    """Neurons over a current that is the same at all steps.

    Parameters
    ----------
    neurons : torch.nn.Module
    steps : int
    """

    def __init__(self, neurons: nn.Module, steps: int) -> None:
        super().__init__()
        self.neurons = neurons
        self.steps = steps

    def forward(self, x: Tensor) -> Any:
        """Return the spikes [T, B, ...] of a current [B, ...]."""
        return self.neurons(repeated(x, self.steps))


class EachStep(nn.Module):
    """A function of one step, applied to each.

    Parameters
    ----------
    function : Callable or torch.nn.Module
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, over_time: tuple[bool, ...], *args: Any, **kwargs: Any) -> Any:
        """Return the results of all steps [T, ...]; arguments marked by `over_time` have steps."""
        length = next(len(value) for value, marked in zip(args, over_time) if marked)
        results = [
            self.function(
                *(value[t] if marked else value for value, marked in zip(args, over_time)), **kwargs
            )
            for t in range(length)
        ]
        return torch.stack(results)


class _EachStepInTraining(nn.Module):
    """Batch normalisation of x [T, B, C, ...] whose statistics are those of each step.

    In evaluation all steps are one batch, which is the same.
    """

    def forward(self, x: Tensor) -> Tensor:
        """Return x [T, B, C, ...] normalised."""
        if self.training:
            return torch.stack([super(_EachStepInTraining, self).forward(step) for step in x])
        return unfold(super().forward(fold(x)), x)


class BatchNorm1d(_EachStepInTraining, nn.BatchNorm1d):
    """`torch.nn.BatchNorm1d` of each step of x [T, B, C] or [T, B, C, L]."""


class BatchNorm2d(_EachStepInTraining, nn.BatchNorm2d):
    """`torch.nn.BatchNorm2d` of each step of x [T, B, C, H, W]."""


class BatchNorm3d(_EachStepInTraining, nn.BatchNorm3d):
    """`torch.nn.BatchNorm3d` of each step of x [T, B, C, D, H, W]."""


def recast(module: nn.Module, kind: type[nn.Module]) -> nn.Module:
    """Return a module of another class with the same parameters, buffers and options."""
    made = kind.__new__(kind)
    for name, value in vars(module).items():
        if name not in ("forward", "_step_mode"):
            made.__dict__[name] = value.copy() if isinstance(value, dict) else value
    return made


class Attribute:
    """Function that returns an attribute of a tensor."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, x: Tensor) -> Any:
        """Return the attribute."""
        return getattr(x, self.name)


def item(values: Any, index: int) -> Any:
    """Return one of several results."""
    return values[index]


def fold(x: Tensor) -> Tensor:
    """Return x [T, B, ...] as one batch [T * B, ...]."""
    return x.flatten(0, 1)


def unfold(x: Tensor, like: Tensor) -> Tensor:
    """Return a batch [T * B, ...] over time, as `like` [T, B, ...] is."""
    return x.unflatten(0, like.shape[:2])


def reshaped(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return x [T, B, ...] with the rest of its shape changed."""
    return x.reshape(*x.shape[:2], *shape)


def repeated(x: Tensor, steps: int) -> Tensor:
    """Return x [B, ...] at each of so many steps, [T, B, ...]."""
    return x.expand(steps, *x.shape)


def first_steps(x: Tensor, dim: int, steps: int) -> Tensor:
    """Return the first steps of a tensor with time at `dim`, time first.

    Raises
    ------
    ValueError
        Where there are fewer.
    """
    if x.shape[dim] < steps:
        raise ValueError(
            f"converted network: x: expected at least {steps} steps in dimension {dim}, got "
            f"shape {tuple(x.shape)}"
        )
    return x.narrow(dim, 0, steps).movedim(dim, 0)


def joined(x: Tensor, dim: int) -> Tensor:
    """Return the steps of x [T, ...] concatenated along `dim` of a step."""
    dim = dim % (x.dim() - 1)
    return x.movedim(0, dim).flatten(dim, dim + 1)


def between(x: Tensor, begin: int, end: int | None) -> Tensor:
    """Return some of the steps of x [T, ...]."""
    return x[begin:end]


def of_size(x: Tensor, name: str, sizes: tuple[tuple[int, int], ...]) -> Tensor:
    """Return x where it has these sizes, pairs of dimension and size.

    Raises
    ------
    ValueError
        Where it has others: the model computes with them as numbers.
    """
    for dim, size in sizes:
        if x.dim() <= dim or x.shape[dim] != size:
            raise ValueError(
                f"converted network: {name}: expected size {size} in dimension {dim}, as the "
                f"example had, got shape {tuple(x.shape)}"
            )
    return x
