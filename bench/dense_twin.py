"""The same networks as a user of plain PyTorch writes them: dense, with autograd."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear

from popsnn.nn import LI, SNN, SparseLIF
from popsnn.surrogate import SuperSpike


class _Spike(torch.autograd.Function):
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


class DenseTwin(torch.nn.Module):
    """A copy of an `SNN` of SparseLIF layers and an LI as dense matrices (reset "zero", gain 1).

    Parameters
    ----------
    net : SNN
        Its parameters are copied. Capacities are not: it equals `net` where nothing is dropped.
    by_layer : bool
        False: one matrix product a step and layer, [B, M] x [M, N]. True: one a layer for all
        steps together, [T*B, M] x [M, N], which a feed-forward network allows.
    """

    def __init__(self, net: SNN, by_layer: bool = False) -> None:
        super().__init__()
        self.options = []
        self.weights = torch.nn.ParameterList()
        self.biases = torch.nn.ParameterList()
        for layer in net.layers:
            assert isinstance(layer, (SparseLIF, LI))
            assert layer.bias is not None
            assert layer.gain == 1
            if isinstance(layer, SparseLIF):
                assert layer.reset == "zero"
                assert layer.detach_reset
                assert isinstance(layer.surrogate, SuperSpike)
            self.options.append(layer)
            self.weights.append(layer.weight.detach().clone())
            self.biases.append(layer.bias.detach().clone())
        self.by_layer = by_layer

    def named_like(self, net: SNN) -> dict[str, Tensor]:
        """Return this copy's parameters under the names that they have in `net`."""
        names = [name for name, _ in net.named_parameters()]
        ours = [p for pair in zip(self.weights, self.biases) for p in pair]
        return dict(zip(names, ours))

    def forward(self, x: Tensor) -> Tensor:
        """Return the readout's membrane [T, B, C] of dense spikes x [T, B, N]."""
        return self._layer_by_layer(x) if self.by_layer else self._step_by_step(x)

    def _step_by_step(self, x: Tensor) -> Tensor:
        silence = [x.new_zeros(x.shape[1], layer.in_features) for layer in self.options]
        last_input = silence
        v: list[Tensor | None] = [None] * len(self.options)
        s: list[Tensor | None] = [None] * len(self.options)
        out = []
        for spikes in x.unbind():
            inputs = []
            for k, layer in enumerate(self.options):
                inputs.append(spikes)
                seen = last_input[k] if layer.delay else spikes
                current = linear(seen, self.weights[k], self.biases[k])
                v[k] = membrane = _integrate(layer, current, v[k], s[k])
                if isinstance(layer, SparseLIF):
                    s[k] = spikes = _fire(layer, membrane)
                else:
                    out.append(membrane)
            last_input = inputs
        return torch.stack(out)

    def _layer_by_layer(self, x: Tensor) -> Tensor:
        for k, layer in enumerate(self.options):
            if layer.delay:
                x = torch.cat([torch.zeros_like(x[:1]), x[:-1]])
            v = s = None
            out = []
            for current in linear(x, self.weights[k], self.biases[k]).unbind():
                v = _integrate(layer, current, v, s)
                s = _fire(layer, v) if isinstance(layer, SparseLIF) else None
                out.append(v if s is None else s)
            x = torch.stack(out)
        return x


def _integrate(
    layer: SparseLIF | LI, current: Tensor, v: Tensor | None, s: Tensor | None
) -> Tensor:
    if v is None:
        return current
    assert isinstance(layer.beta, float)
    if s is None:
        return torch.add(current, v, alpha=layer.beta)
    return torch.addcmul(current, v, 1 - s.detach(), value=layer.beta)


def _fire(layer: SparseLIF, v: Tensor) -> Tensor:
    assert isinstance(layer.surrogate, SuperSpike)
    spikes = _Spike.apply(v, layer.threshold, layer.grad_threshold, layer.surrogate.slope)
    assert isinstance(spikes, Tensor)
    return spikes
