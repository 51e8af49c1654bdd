"""Counts of a network's work, by the rules of NeuroBench (Yik et al., 2025)."""

from __future__ import annotations

from itertools import chain
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Tuple, Union, cast

import torch
from torch import Tensor

from .. import nn
from ..nn.delays import Delays
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
    arrivals = [_arrivals(layer) for layer in net.stack]
    effective = dense = spikes = positions = samples = 0
    for x in [batches] if isinstance(batches, (SpikeTensor, Tensor)) else batches:
        if not isinstance(x, (SpikeTensor, Tensor)):
            got = type(x).__name__
            raise TypeError(f"neurobench: batches: expected spikes or tensors, got {got}")
        traces = _traces(net, x)
        inputs = [x, *(trace.spikes for trace in traces[:-1])]
        steps, batch = traces[0].membrane.shape[:2]
        samples += batch
        for layer, source, trace, (forward, recurrent) in zip(net.stack, inputs, traces, arrivals):
            effective += _operations(source, forward)
            dense += layer.weight.numel() * batch * steps
            if recurrent is not None:
                effective += _operations(trace.spikes, recurrent)
                dense += recurrent.weights.numel() * batch * steps
            if trace.spikes is not None:
                spikes += int(trace.spikes.counts[..., 0].sum())
                positions += steps * batch * layer.out_features
    if not samples:
        raise ValueError("neurobench: batches: expected at least one sample, got none")
    weights = [value for name, value in net.named_parameters() if name.endswith("weight")]
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


class _Arrivals(NamedTuple):
    """Targets of the spikes of M neurons, and how many steps later they arrive."""

    weights: Tensor  # bool [N, M]
    late: Tensor  # int64, broadcasts to [N, M]


def _arrivals(layer: torch.nn.Module) -> Tuple[_Arrivals, Optional[_Arrivals]]:
    """Return those of each input, and of each neuron at the layer's own."""
    weight, own = cast(Tensor, layer.weight), getattr(layer, "recurrent_weight", None)
    forward = _Arrivals(weight != 0, _late(layer.delay, weight))
    if own is None:
        return forward, None
    return forward, _Arrivals(own != 0, 1 + _late(getattr(layer, "recurrent_delay", None), own))


def _late(delay: Any, weight: Tensor) -> Tensor:
    """Return an option's delays, as they are in evaluation."""
    if not isinstance(delay, Delays):
        return torch.tensor(delay or 0, device=weight.device)
    steps = delay.steps.detach().clamp(delay.minimum, delay.maximum).round().long()
    return steps.unsqueeze(-1) if delay.kind == "dendritic" else steps


def _operations(spikes: Union[SpikeTensor, Tensor, None], arrivals: _Arrivals) -> int:
    """Return the operations of spikes that arrive before the end; those later meet no weight."""
    if spikes is None:  # of a readout
        return 0
    fired = (spikes.to_dense() if isinstance(spikes, SpikeTensor) else spikes) != 0
    counts = fired.sum(1).to(arrivals.weights.device).cumsum(0)  # [T, M]
    counts = torch.nn.functional.pad(counts, (0, 0, 1, 0))  # [t, j]: in the first t steps
    first = (len(fired) - arrivals.late).clamp(min=0).expand(arrivals.weights.shape)  # [N, M]
    return int((counts.gather(0, first) * arrivals.weights).sum())
