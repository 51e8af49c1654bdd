"""Updates of weights by an optimizer, in float32 whatever the weights' type."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .._settings.enums import AdamMode, AdaptiveMode, WeightDecayMode
from .._settings.optimizers import SGD, Adam, Adaptive, Optimizer

State = Any


def clip_norms(gradients: dict[str, Tensor], optimizer: Optimizer) -> dict[str, Tensor]:
    """Return gradients whose norms, of each group of the clip settings, are at most its norm."""
    out = dict(gradients)
    for settings in optimizer.clip_norm_settings:
        names = out if settings.weightIds is None else [n for n in settings.weightIds if n in out]
        total = sum(float(out[name].float().pow(2).sum()) for name in names) ** 0.5
        factor = settings.maxNorm / max(total, settings.maxNorm)
        out.update({name: out[name] * factor for name in list(names)})
    return out


def updated(
    name: str, weight: Tensor, gradient: Tensor, optimizer: Optimizer, state: State
) -> Tensor:
    """Return a weight after one update.

    Parameters
    ----------
    name : str
        Of the weight.
    weight, gradient : Tensor
        The gradient is of the loss itself, not scaled.
    optimizer : Optimizer
    state : dict of str to Tensor or int
        Of this weight; changed.
    """
    numbers = optimizer.of(name)
    value, slope = weight.detach().float(), gradient.float()
    if isinstance(optimizer, Adam):
        result = _adam(value, slope, numbers, optimizer, state)
    elif isinstance(optimizer, Adaptive):
        result = _adaptive(value, slope, numbers, optimizer, state)
    else:
        assert isinstance(optimizer, SGD)
        result = _sgd(value, slope, numbers, state)
    return result.to(weight.dtype)


def _sgd(value: Tensor, slope: Tensor, n: dict[str, float], state: State) -> Tensor:
    slope = slope + n["weightDecay"] * value
    if n["momentum"] == 0 and n["dampening"] == 0 and n["nesterov"] == 0:
        return value - n["learningRate"] * slope
    before = state.get("accl", torch.zeros_like(value))
    state["accl"] = n["momentum"] * before + (1 - n["dampening"]) * slope
    step = slope + n["momentum"] * state["accl"] if n["nesterov"] else state["accl"]
    return value - n["learningRate"] * step


def _adam(
    value: Tensor, slope: Tensor, n: dict[str, float], optimizer: Adam, state: State
) -> Tensor:
    decays = optimizer.weight_decay_mode == WeightDecayMode.Decay
    if not decays:
        slope = slope + n["weightDecay"] * value
    zeros = torch.zeros_like(value)
    step = state["step"] = state.get("step", 0) + 1
    first = state["accl1"] = n["beta1"] * state.get("accl1", zeros) + (1 - n["beta1"]) * slope
    if optimizer.mode == AdamMode.AdaMax:
        second = torch.maximum(n["beta2"] * state.get("accl2", zeros), slope.abs())
    else:
        second = n["beta2"] * state.get("accl2", zeros) + (1 - n["beta2"]) * slope * slope
    state["accl2"] = second
    if optimizer.mode not in (AdamMode.AdamNoBias, AdamMode.LambNoBias):
        first = first / (1 - n["beta1"] ** step)
        if optimizer.mode != AdamMode.AdaMax:
            second = second / (1 - n["beta2"] ** step)
    root = second if optimizer.mode == AdamMode.AdaMax else second.sqrt()
    change = first / (root + n["eps"])
    if decays:
        change = change + n["weightDecay"] * value
    scale = torch.ones(())
    if optimizer.mode in (AdamMode.Lamb, AdamMode.LambNoBias):
        size, move = value.norm().clamp(max=n["maxWeightNorm"]), change.norm()
        if float(size) != 0 and float(move) != 0:
            scale = size / move
    return value - scale * n["learningRate"] * change


def _adaptive(
    value: Tensor, slope: Tensor, n: dict[str, float], optimizer: Adaptive, state: State
) -> Tensor:
    mode, inside = optimizer.mode, optimizer.tf_variant
    decay = n["weightDecay"]
    if optimizer.weight_decay_mode == WeightDecayMode.L2Regularization:
        slope, decay = slope + decay * value, 0.0
    zeros = torch.zeros_like(value)
    alpha, eps = n["alpha"], n["eps"]
    old = state.get("accl1", zeros)
    if mode == AdaptiveMode.AdaGrad:
        square = state["accl1"] = old + slope * slope
    else:
        square = state["accl1"] = alpha * old + (1 - alpha) * slope * slope
    if mode == AdaptiveMode.AdaDelta:
        moved = state.get("accl2", zeros)
        change = slope * (moved + eps).sqrt() / (square + eps).sqrt()
        state["accl2"] = alpha * moved + (1 - alpha) * change * change
    else:
        if mode == AdaptiveMode.CenteredRMSProp:
            mean = state["accl2"] = alpha * state.get("accl2", zeros) + (1 - alpha) * slope
            square = square - mean * mean
        change = slope / ((square + eps).sqrt() if inside else square.sqrt() + eps)
    rms = mode in (AdaptiveMode.RMSProp, AdaptiveMode.CenteredRMSProp)
    if n["momentum"] > 0:
        by_rate = inside and rms
        push = n["learningRate"] * change if by_rate else change
        change = state["accl3"] = n["momentum"] * state.get("accl3", zeros) + push
        if by_rate:
            return value - (decay * value + change)
    return value - n["learningRate"] * (decay * value + change)
