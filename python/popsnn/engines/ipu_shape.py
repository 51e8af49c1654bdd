"""What an executable of the ipu engine is compiled for, and its description to the native part."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch import nn

from ..devices import Device
from ..nn.li import LI
from ..nn.sparse_lif import SparseLIF
from ..surrogate import Surrogate


class LifKey(NamedTuple):
    """What of a SparseLIF alone is compiled in."""

    capacity: int
    recurrent: bool
    observed: bool  # whether the loss may depend on its spikes by itself
    reset: str
    detach_reset: bool
    surrogate: Surrogate


class LayerKey(NamedTuple):
    """What of a layer is compiled in; weights and neuron parameters are data."""

    inputs: int
    neurons: int
    bias: bool
    delay: int
    gain: float
    learns: bool  # whether its neurons' parameters have gradients
    lif: LifKey | None

    @classmethod
    def of(cls, layer: SparseLIF | LI, observed: bool) -> LayerKey:
        """Read the options as they are now."""
        lif = None
        if isinstance(layer, SparseLIF):
            lif = LifKey(
                layer.capacity,
                layer.recurrent,
                observed,
                layer.reset,
                layer.detach_reset,
                layer.surrogate,
            )
        size = (layer.in_features, layer.out_features)
        return cls(
            *size, layer.bias is not None, layer.delay, layer.gain, learns_neurons(layer), lif
        )


class Shape(NamedTuple):
    """What an executable is compiled for.

    `layers` in order, `steps` T, `batch` B, `input_capacity` slots of the input's lists,
    `input_gradient` whether dL/dx is wanted, `optimizer` "none", "sgd" or "adam" on the `device`,
    `carries_state` whether states come in and go out.
    """

    device: Device
    layers: tuple[LayerKey, ...]
    steps: int
    batch: int
    input_capacity: int
    input_gradient: bool
    optimizer: str
    carries_state: bool


def learns_neurons(layer: SparseLIF | LI) -> bool:
    """Say whether a layer's leak or threshold is learnt."""
    held = (layer.beta, getattr(layer, "threshold", None))
    return any(isinstance(value, nn.Parameter) and value.requires_grad for value in held)


def network_spec(core: Any, shape: Shape) -> Any:
    """Describe a network to the native part `core`."""
    spec = core.NetworkSpec()
    spec.steps, spec.batch = shape.steps, shape.batch
    spec.input_capacity, spec.input_gradient = shape.input_capacity, shape.input_gradient
    spec.optimizer = core.Optimizer.__members__[shape.optimizer]
    spec.carries_state = shape.carries_state
    spec.layers = [_layer_spec(core, layer) for layer in shape.layers]
    return spec


def _layer_spec(core: Any, layer: LayerKey) -> Any:
    spec = core.LayerSpec()
    spec.inputs, spec.neurons = layer.inputs, layer.neurons
    spec.delay, spec.bias, spec.gain = layer.delay, layer.bias, layer.gain
    spec.learns = layer.learns
    if layer.lif is None:
        spec.kind = core.LayerKind.LeakyReadout
        return spec
    lif = layer.lif
    spec.capacity, spec.recurrent, spec.observed = lif.capacity, lif.recurrent, lif.observed
    spec.reset = core.Reset.__members__[lif.reset]
    spec.detach_reset = lif.detach_reset
    spec.surrogate = core.Surrogate.__members__[type(lif.surrogate).__name__]
    spec.surrogate_parameter = lif.surrogate.parameter
    return spec
