"""The networks that a profile is made of: the presets' and a user's own."""

from __future__ import annotations

import math
from typing import Any, List, Optional

import numpy as np
import torch

from .. import nn
from .._internal.spec import NetworkSpec
from ..engines.ipu_engine import neuron_parameters
from ..engines.ipu_executable import network_spec
from .presets import Preset

ACTIVITIES = ("fixed", "natural")

BETA = 0.95
GAIN = 10 * (1 - BETA)
GRAD_THRESHOLD = 0.9
SPREAD = 2.0  # of the initial weights, in units of sqrt(6 / fan-in)
OFFSET = 0.001


def network(
    preset: Preset,
    max_activity: float,
    activity: str,
    seed: int = 0,
    weight_dtype: Optional[torch.dtype] = None,
) -> nn.SNN:
    """Return a preset's network: every layer SparseLIF, a step late but for the first.

    Parameters
    ----------
    preset : Preset
    max_activity : float
        Fraction of a layer's neurons that its capacity is of.
    activity : {"fixed", "natural"}
        "fixed" lets every neuron fire at every step, so that lists are full; "natural" draws the
        weights as the published programs do.
    seed : int
        Draws the weights.
    weight_dtype : torch.dtype, optional
        Of every layer.
    """
    if weight_dtype not in (None, torch.float16):
        raise ValueError(
            f"profile: weight_dtype: expected None or torch.float16, got {weight_dtype}"
        )
    generator = torch.Generator().manual_seed(seed)
    layers = []
    sizes = preset.sizes
    with torch.device("cpu"), torch.no_grad():  # where the emulated device reads them
        for index, capacity in enumerate(preset.capacities(max_activity)):
            fan_in, size = sizes[index], sizes[index + 1]
            layer = nn.SparseLIF(
                fan_in,
                size,
                bias=False,
                delay=min(index, 1),
                max_activity=(capacity - 0.5) / size,  # rounds up
                grad_threshold=GRAD_THRESHOLD,
                beta=BETA,
                gain=GAIN,
                weight_dtype=weight_dtype,
            )
            bound = SPREAD * math.sqrt(6 / fan_in)
            if activity == "fixed":
                layer.weight.fill_(1.0)
            else:
                layer.weight.uniform_(-bound, bound, generator=generator).add_(OFFSET)
            layers.append(layer)
        return nn.SNN(*layers, backend="torch")


def describe(net: nn.SNN, steps: int, batch: int, input_capacity: int) -> NetworkSpec:
    """Return the network as the native part takes it, for training with Adam on the device.

    Parameters
    ----------
    net : nn.SNN
    steps, batch, input_capacity : int
        T, B, and the ids of an input list at most.
    """
    return network_spec(net.stack, steps, batch, input_capacity, optimizer="adam")


def weights(net: nn.SNN) -> List[np.ndarray[Any, Any]]:
    """Return each layer's weights [inputs, neurons] as the device has them."""
    return [
        layer.weight.detach().to(layer.weight_dtype or torch.float32).t().contiguous().numpy()
        for layer in net.stack
    ]


def neurons(net: nn.SNN) -> List[np.ndarray[Any, Any]]:
    """Return the parameters of each layer's neurons [parameters, neurons] float32."""
    return [neuron_parameters(layer).detach().numpy() for layer in net.stack]
