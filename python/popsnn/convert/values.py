"""Neurons of ours from a neuron's parameters: numbers, tensors, and those that are learnt."""

from __future__ import annotations

from typing import Any, Mapping

import torch
from torch import Tensor, nn

from ..neurons import Neuron
from .modules import Neurons, RecurrentNeurons


def number(value: Any) -> Any:
    """Return a tensor of one element as a number, and anything else as it is."""
    if isinstance(value, Tensor) and value.numel() == 1 and not isinstance(value, nn.Parameter):
        return float(value.detach())
    return float(value) if isinstance(value, int) else value


def made_of(
    neuron: Neuron,
    values: Mapping[str, Any],
    *,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    **options: Any,
) -> nn.Module:
    """Return neurons over time with the parameters of a library's neuron.

    Parameters
    ----------
    neuron : Neuron
    values : mapping of str to number, Tensor or Parameter
        A parameter is learnt, and shared.
    weight : Tensor [N, N], optional
        Recurrent weights.
    bias : Tensor [N], optional
        Their bias.
    **options
        Of `Neurons`, or of `RecurrentNeurons` where there are weights.
    """
    learnt = {name: value for name, value in values.items() if isinstance(value, nn.Parameter)}
    start = {}
    for name, value in values.items():
        plain = value.detach() if isinstance(value, Tensor) else value
        bounds = neuron.bounds.get(name)
        if isinstance(plain, Tensor):
            plain = plain.to(torch.get_default_dtype()) if not plain.is_floating_point() else plain
            plain = plain.clamp(*bounds) if bounds is not None else plain
        start[name] = plain if name in learnt else number(plain)
    made: Neurons | RecurrentNeurons
    if weight is None:
        made = Neurons(neuron, parameters=start, learn=list(learnt), **options)
    else:
        size = weight.shape[0]
        made = RecurrentNeurons(neuron, size, parameters=start, learn=list(learnt), **options)
        made.recurrent_weight = parameter(weight)
        if bias is not None:
            made.bias = parameter(bias)
    for name, value in learnt.items():
        made._parameters[name] = value
    return made


def parameter(tensor: Tensor) -> nn.Parameter:
    """Return a parameter: the tensor itself where it is one."""
    if isinstance(tensor, nn.Parameter):
        return tensor
    return nn.Parameter(tensor, requires_grad=tensor.requires_grad)
