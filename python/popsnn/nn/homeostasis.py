"""Homeostasis: thresholds that follow the running firing rates of their neurons."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Mapping, Sequence, cast

import torch
from torch import Tensor, nn

from .._internal import checks
from .._internal.checks import PerNeuron
from ..spikes import SpikeTensor
from ._auto_capacity import processes
from ._options import register
from ._sparse_layer import RATE, SparseLayer


@dataclass(frozen=True)
class Homeostasis:
    """A rule by which the threshold of each neuron follows its firing rate.

    A training pass over T steps of B samples, in which neuron n fires c_n times, changes

    - its running rate r_n, which begins at the target: r_n += (c_n / (T B) - r_n) / window;
    - before the next sequences, its threshold: threshold_n += rate (r_n - target), within bounds.

    No gradient passes. The rule is intrinsic plasticity as in SORN (Lazar, Pipa and Triesch, 2009,
    Frontiers in Computational Neuroscience 3:23), with a running mean in place of single spikes.

    Parameters
    ----------
    target : float
        Fraction of the time steps in which a neuron fires, in (0, 1).
    rate : float
        How far the threshold moves in a training pass, for each unit of the rate's error.
    window : float
        Training passes over which a rate is averaged, from 1 on.
    least, most : float
        Bounds of the thresholds, from the first on. A layer's gradient threshold is a lower bound
        too, and at most `most`.

    Raises
    ------
    TypeError, ValueError
        Where a value is out of range.
    """

    target: float = 0.02
    rate: float = 0.5
    window: float = 4.0
    least: float = 0.5
    most: float = math.inf

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "most" and value == math.inf:
                continue
            checks.finite("Homeostasis", field.name, value)
        for name, good, wanted in (
            ("target", 0.0 < self.target < 1.0, "a number in (0, 1)"),
            ("rate", self.rate > 0.0, "a positive number"),
            ("window", self.window >= 1.0, "a number from 1 on"),
            ("most", self.most >= self.least, f"a number from least ({self.least:g}) on"),
        ):
            if not good:
                raise ValueError(
                    f"Homeostasis: {name}: expected {wanted}, got {getattr(self, name):g}"
                )


def attach(layer: SparseLayer, operation: str, value: object) -> Homeostasis:
    """Give a layer the thresholds and running rates that its homeostasis changes, and return it.

    Raises
    ------
    TypeError, ValueError
        Where it is none, or the layer's neurons have no threshold, one that is learnt, or one out
        of its bounds.
    """
    if not isinstance(value, Homeostasis):
        raise TypeError(
            f"{operation}: homeostasis: expected a Homeostasis or None, got {type(value).__name__}"
        )
    if "threshold" not in layer.neuron.parameters:
        raise ValueError(
            f"{operation}: homeostasis: expected a neuron with a parameter 'threshold', got "
            f"{layer.neuron}"
        )
    thresholds: Any = layer.threshold
    _refuse_learnt(operation, thresholds)
    _check_most(operation, value, layer.grad_threshold)
    check_bounds(operation, value, thresholds, layer.grad_threshold)
    if not isinstance(thresholds, Tensor):
        register(layer, "threshold", _expanded(layer, thresholds))
    if RATE not in layer._buffers:
        rates = torch.full_like(cast(Tensor, layer.threshold), value.target)
        layer.register_buffer(RATE, rates)
    return value


def option_of(layer: SparseLayer, operation: str, name: str, value: Any) -> Any:
    """Return what a layer with homeostasis keeps of a checked option.

    A threshold becomes a tensor, and a gradient threshold raises the thresholds below it.

    Raises
    ------
    ValueError
        Where the rule's bounds exclude it.
    """
    rule = layer.homeostasis
    assert rule is not None
    if name == "threshold":
        check_bounds(operation, rule, value, layer.grad_threshold)
        return _expanded(layer, value)
    if name == "grad_threshold" and value is not None:
        _check_most(operation, rule, value)
        with torch.no_grad():
            _thresholds(layer).clamp_(min=value)
    return value


def check_bounds(
    operation: str, rule: Homeostasis, value: PerNeuron, grad_threshold: float | None = None
) -> None:
    """Raise where thresholds, a number or [N], lie out of the bounds that they would jump to."""
    least = most = value
    if isinstance(value, Tensor):
        if value.is_meta or not value.numel():
            return
        least, most = (float(bound) for bound in value.detach().aminmax())
    low = rule.least if grad_threshold is None else max(rule.least, grad_threshold)
    if not checks.rounded(low, value) <= least <= most <= checks.rounded(rule.most, value):
        got = most if least >= checks.rounded(low, value) else least
        raise ValueError(
            f"{operation}: homeostasis: expected thresholds within its bounds, {low:g} to "
            f"{rule.most:g}, got {got:g}"
        )


def _check_most(operation: str, rule: Homeostasis, grad_threshold: float | None) -> None:
    if grad_threshold is None or (grad_threshold <= rule.most and grad_threshold < math.inf):
        return
    raise ValueError(
        f"{operation}: grad_threshold: expected a finite number of at most {rule.most:g}, to which "
        f"homeostasis lets thresholds rise, got {grad_threshold:g}"
    )


def _refuse_learnt(operation: str, value: PerNeuron) -> None:
    if isinstance(value, nn.Parameter):
        raise ValueError(
            f"{operation}: homeostasis: expected a threshold that is not learnt, which gradients "
            "would move too, got one that is"
        )


def _expanded(layer: SparseLayer, value: PerNeuron) -> Tensor:
    """Return thresholds [N] of a number, and those of a tensor as they are."""
    if isinstance(value, Tensor):
        return value
    return layer.weight.new_full(layer.weight.shape[:1], value).detach()


def _thresholds(layer: SparseLayer) -> Tensor:
    value: Any = layer.threshold
    _refuse_learnt(type(layer).__name__, value)
    return cast(Tensor, value)


class ThresholdUpdate:
    """Layers whose thresholds follow what a training pass fires, by their number in the network.

    Parameters
    ----------
    layers : mapping of SparseLayer
    """

    def __init__(self, layers: Mapping[int, SparseLayer]) -> None:
        self._layers = layers

    @torch.no_grad()
    def move_thresholds(self) -> None:
        """Move the thresholds by the running rates, in place: graphs of a GPU hold addresses."""
        for layer in self._layers.values():
            rule = layer.homeostasis
            assert rule is not None
            least = rule.least
            if layer.grad_threshold is not None:
                least = max(least, layer.grad_threshold)
            change = rule.rate * (_rates(layer) - rule.target)
            _thresholds(layer).add_(change).clamp_(least, rule.most)

    @torch.no_grad()
    def observe(self, spikes: Sequence[SpikeTensor | None]) -> None:
        """Let a pass count in the running rates.

        Parameters
        ----------
        spikes : sequence of SpikeTensor (T, B, N)
            What each layer of the network has fired.
        """
        group = processes()
        for index, layer in self._layers.items():
            fired = spikes[index]
            assert fired is not None
            assert layer.homeostasis is not None
            of_samples = fired.rate().detach()  # [B, N]
            total = torch.cat([of_samples.sum(0), of_samples.new_tensor([len(of_samples)])])
            if group is not None:  # all processes get the same thresholds
                torch.distributed.all_reduce(total, group=group)
            rates = _rates(layer)
            rates.add_((total[:-1] / total[-1] - rates) / layer.homeostasis.window)


def _rates(layer: SparseLayer) -> Tensor:
    return cast(Tensor, layer._buffers[RATE])
