"""The same networks as a user of plain PyTorch writes them: dense, with autograd."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

import torch
from torch import Tensor
from torch.nn.functional import linear

from popsnn.nn import LI, SNN, SparseLIF
from popsnn.nn.delays import undelayed
from popsnn.surrogate import SuperSpike


class _Fire(torch.autograd.Function):
    """Heaviside step; backward is SuperSpike's derivative at and above the gradient threshold."""

    @staticmethod
    def forward(ctx, v, threshold, grad_threshold, slope):  # type: ignore[no-untyped-def]
        ctx.save_for_backward(v)
        ctx.constants = threshold, grad_threshold, slope
        return (v >= threshold).to(v.dtype)

    @staticmethod
    def backward(ctx, grad):  # type: ignore[no-untyped-def]
        (v,) = ctx.saved_tensors
        threshold, grad_threshold, slope = ctx.constants
        derivative = (v - threshold).abs_().mul_(slope).add_(1).square_().reciprocal_()
        if grad_threshold is not None:
            derivative *= v >= grad_threshold
        return grad * derivative, None, None, None


class _Neurons(NamedTuple):
    """A layer's neurons; without a threshold they are the readout."""

    inputs: int
    delay: int
    beta: float
    threshold: Optional[float] = None
    grad_threshold: Optional[float] = None
    slope: float = 0.0

    def integrate(self, current: Tensor, v: Tensor | None, s: Tensor | None) -> Tensor:
        if v is None:
            return current
        if s is None:
            return torch.add(current, v, alpha=self.beta)
        return torch.addcmul(current, v, 1 - s.detach(), value=self.beta)

    def fire(self, v: Tensor) -> Tensor:
        spikes: Tensor = _Fire.apply(v, self.threshold, self.grad_threshold, self.slope)
        return spikes


_Layer = Tuple[_Neurons, Tensor, Optional[Tensor]]  # with its weight and bias


def _neurons(layer: torch.nn.Module) -> _Neurons:
    assert isinstance(layer, (SparseLIF, LI))
    assert isinstance(layer.beta, float)
    if isinstance(layer, LI):
        return _Neurons(layer.in_features, undelayed(layer, "delay"), layer.beta)
    assert layer.reset == "zero"
    assert layer.detach_reset
    assert isinstance(layer.threshold, float)
    assert isinstance(layer.surrogate, SuperSpike)
    return _Neurons(
        layer.in_features,
        undelayed(layer, "delay"),
        layer.beta,
        layer.threshold,
        layer.grad_threshold,
        layer.surrogate.slope,
    )


class DenseTwin(torch.nn.Module):
    """A copy of an `SNN` of SparseLIF layers, or an LI behind them, as dense matrices.

    Parameters
    ----------
    net : SNN
        Of reset "zero". Its parameters are copied, in their order, times the layers' gains.
        Capacities are not: the two are equal where nothing is dropped.
    by_layer : bool
        False: one matrix product a step and layer, [B, M] x [M, N]. True: one a layer for all
        steps together, [T*B, M] x [M, N], which a feed-forward network allows.
    """

    def __init__(self, net: SNN, by_layer: bool = False) -> None:
        super().__init__()
        self.neurons = [_neurons(layer) for layer in net.layers]
        pairs = [(layer.gain, layer.weight, layer.bias) for layer in net.stack]
        self.biased = [bias is not None for _, _, bias in pairs]
        self.copies = torch.nn.ParameterList(
            gain * tensor.detach() for gain, *both in pairs for tensor in both if tensor is not None
        )
        self.by_layer = by_layer

    def forward(self, x: Tensor) -> Tensor:
        """Return the last layer's membrane or spikes [T, B, C] of dense spikes x [T, B, N]."""
        copies = iter(self.copies)
        layers = [
            (neurons, next(copies), next(copies) if biased else None)
            for neurons, biased in zip(self.neurons, self.biased)
        ]
        return _layer_by_layer(layers, x) if self.by_layer else _step_by_step(layers, x)


def _step_by_step(layers: list[_Layer], x: Tensor) -> Tensor:
    last_input = [x.new_zeros(x.shape[1], neurons.inputs) for neurons, _, _ in layers]
    v: list[Tensor | None] = [None] * len(layers)
    s: list[Tensor | None] = [None] * len(layers)
    out = []
    for spikes in x.unbind():
        for k, (neurons, weight, bias) in enumerate(layers):
            seen = last_input[k] if neurons.delay else spikes
            last_input[k] = spikes
            v[k] = membrane = neurons.integrate(linear(seen, weight, bias), v[k], s[k])
            if neurons.threshold is None:
                spikes = membrane
            else:
                s[k] = spikes = neurons.fire(membrane)
        out.append(spikes)
    return torch.stack(out)


def _layer_by_layer(layers: list[_Layer], x: Tensor) -> Tensor:
    for neurons, weight, bias in layers:
        if neurons.delay:
            x = torch.cat([torch.zeros_like(x[:1]), x[:-1]])
        v = s = None
        out = []
        for current in linear(x, weight, bias).unbind():
            v = neurons.integrate(current, v, s)
            s = None if neurons.threshold is None else neurons.fire(v)
            out.append(v if s is None else s)
        x = torch.stack(out)
    return x
