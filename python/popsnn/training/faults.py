"""Origin of a loss that is not finite: the first layer with such values."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor

from ..nn import SNN
from ..spikes import SpikeTensor


def bad_parameter(net: SNN) -> Optional[str]:
    """Return which parameter has values that are not finite, in words; None where none has."""
    for index, layer in enumerate(net.stack):
        for name, parameter in layer.named_parameters():
            count = _not_finite(parameter)
            if count:
                return (
                    f"layer {index} ({type(layer).__name__}): {count} of {parameter.numel()} "
                    f"values of {name} are not finite"
                )
    return None


def bad_layer(net: SNN, spikes: SpikeTensor) -> str:
    """Return in words which layer's parameters or membranes are not finite, the first one.

    Runs the network on `spikes` (T, B, N).
    """
    net.state_dict()  # brings what a device has trained
    name = bad_parameter(net)
    if name is not None:
        return name
    with torch.no_grad():
        _, traces = net(spikes, trace=True)
    for index, (layer, trace) in enumerate(zip(net.stack, traces)):
        count = _not_finite(trace.membrane)
        if count:
            return (
                f"layer {index} ({type(layer).__name__}): {count} of {trace.membrane.numel()} "
                "values of its membrane are not finite"
            )
    return "parameters and membranes of all layers are finite"


def _not_finite(tensor: Tensor) -> int:
    return int((~torch.isfinite(tensor.detach())).sum())
