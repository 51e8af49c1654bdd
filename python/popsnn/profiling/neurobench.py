"""Counts of a network's work, by the rules of NeuroBench (Yik et al., 2025)."""

from __future__ import annotations

from itertools import chain
from typing import Iterable, NamedTuple, Optional, Sequence, Tuple, Union, cast

import torch
from torch import Tensor

from .. import nn
from ..nn.engine import LayerTrace
from ..spikes import SpikeTensor


class NeuroBench(NamedTuple):
    """Metrics of NeuroBench, under its names. Counts are means of a sample over all steps."""

    effective_acs: float
    """Accumulates of a weight that is not 0, for a spike."""
    dense: float
    """The same if every neuron fired at every step and no weight were 0."""
    activation_sparsity: float
    """Fraction of neurons, steps and samples of the spiking layers without a spike."""
    connection_sparsity: float
    """Fraction of the weights that are 0."""
    parameter_count: int
    footprint: int
    """Bytes of parameters and buffers."""


def neurobench(
    net: nn.SNN, batches: Union[SpikeTensor, Tensor, Iterable[Union[SpikeTensor, Tensor]]]
) -> NeuroBench:
    """Run a network and count its synaptic operations.

    A network on spikes has no multiplications of weights: `Effective_MACs` is 0. Products with a
    bias, gains and the neurons' own arithmetic do not count. A dropped spike did not happen.

    Parameters
    ----------
    net : nn.SNN
        Runs in evaluation mode, without gradients.
    batches : SpikeTensor (T, B, N), Tensor [T, B, N], or several of them

    Returns
    -------
    NeuroBench

    Raises
    ------
    TypeError, ValueError
        Where a batch does not fit the network, or there is none.
    """
    fan_outs = [_fan_outs(layer) for layer in net.stack]
    effective = dense = spikes = positions = samples = 0
    for x in [batches] if isinstance(batches, (SpikeTensor, Tensor)) else batches:
        if not isinstance(x, (SpikeTensor, Tensor)):
            got = type(x).__name__
            raise TypeError(f"neurobench: batches: expected spikes or tensors, got {got}")
        traces = _traces(net, x)
        inputs = [x, *(trace.spikes for trace in traces[:-1])]
        steps, batch = traces[0].membrane.shape[:2]
        samples += batch
        for layer, source, trace, (forward, recurrent) in zip(net.stack, inputs, traces, fan_outs):
            effective += _operations(source, forward, steps - layer.delay)
            dense += layer.weight.numel() * batch * steps
            if recurrent is not None:
                effective += _operations(trace.spikes, recurrent, steps - 1)
                dense += recurrent.numel() * layer.out_features * batch * steps
            if trace.spikes is not None:
                spikes += int(trace.spikes.counts[..., 0].sum())
                positions += steps * batch * layer.out_features
    if not samples:
        raise ValueError("neurobench: batches: expected at least one sample, got none")
    weights = [parameter for parameter in net.parameters() if parameter.dim() == 2]
    zeros = sum(int((weight == 0).sum()) for weight in weights)
    tensors = chain(net.parameters(), net.buffers())
    return NeuroBench(
        effective / samples,
        dense / samples,
        1 - spikes / positions if positions else 0.0,
        zeros / sum(weight.numel() for weight in weights),
        sum(parameter.numel() for parameter in net.parameters()),
        sum(tensor.numel() * tensor.element_size() for tensor in tensors),
    )


def _traces(net: nn.SNN, x: Union[SpikeTensor, Tensor]) -> Sequence[LayerTrace]:
    training = net.training
    net.eval()
    try:
        with torch.no_grad():
            _, traces = net(x, trace=True)
    finally:
        net.train(training)
    return cast(Sequence[LayerTrace], traces)


def _fan_outs(layer: torch.nn.Module) -> Tuple[Tensor, Optional[Tensor]]:
    """Return the weights other than 0 of each input, and of each neuron to the layer's own."""
    recurrent = getattr(layer, "recurrent_weight", None)
    weight = cast(Tensor, layer.weight)
    return (weight != 0).sum(0), None if recurrent is None else (recurrent != 0).sum(0)


def _operations(spikes: Union[SpikeTensor, Tensor, None], fan_out: Tensor, steps: int) -> int:
    """Return the operations of the spikes of the first steps; later spikes meet no weight."""
    if spikes is None:  # of a readout
        return 0
    fired = spikes.to_dense() if isinstance(spikes, SpikeTensor) else spikes
    return int(((fired[:steps] != 0).sum((0, 1)) * fan_out.to(fired.device)).sum())
