"""What an executable of the ipu engine is compiled for, and its description to the native part."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch import nn

from ..devices import Device
from ..functional.neuron import LIF
from ..nn._sparse_layer import SparseLayer
from ..nn.li import LI
from ..nn.neuron_model import NeuronModel
from ..surrogate import Surrogate


class LifKey(NamedTuple):
    """What of a layer that spikes is compiled in beside what every layer has."""

    capacity: int
    recurrent: bool
    observed: bool  # whether the loss may depend on its spikes by itself
    reset: str
    detach_reset: bool
    surrogate: Surrogate
    model: NeuronModel | None  # None: LIF


class LayerKey(NamedTuple):
    """What of a layer is compiled in; weights and neuron parameters are data."""

    inputs: int
    neurons: int
    bias: bool
    delay: int
    gain: float
    learns: bool  # whether its neurons' parameters have gradients
    learnt: int  # bits of those that the device's optimizer updates
    leaks: int  # bits of those that stay in [0, 1]
    half_weights: bool
    lif: LifKey | None

    @classmethod
    def of(cls, layer: SparseLayer | LI, observed: bool, optimizer: str) -> LayerKey:
        """Read the options as they are now; `optimizer` as a shape has it."""
        lif = None
        if isinstance(layer, SparseLayer):
            neuron = layer.neuron
            assert isinstance(neuron, (LIF, NeuronModel))
            lif = LifKey(
                layer.capacity,
                layer.recurrent,
                observed,
                neuron.reset,
                neuron.detach_reset,
                layer.surrogate,
                neuron if isinstance(neuron, NeuronModel) else None,
            )
        size = (layer.in_features, layer.out_features)
        rows = learnt_rows(layer)
        learnt = 0 if optimizer == "none" else sum(1 << row for row in rows)
        leaks = sum(1 << row for row, name in enumerate(_names(layer)) if name in _leaks(layer))
        return cls(
            *size,
            layer.bias is not None,
            layer.delay,
            layer.gain,
            bool(rows),
            learnt,
            leaks & learnt,
            layer.weight_dtype is not None,
            lif,
        )


class Shape(NamedTuple):
    """What an executable is compiled for.

    `layers` in order, `steps` T, `batch` B, `input_capacity` slots of the input's lists,
    `input_gradient` whether dL/dx is wanted, `optimizer` "none", "sgd" or "adam" on the `device`,
    `carries_state` whether states come in and go out, `traced` whether membranes of all steps are
    wanted.
    """

    device: Device
    layers: tuple[LayerKey, ...]
    steps: int
    batch: int
    input_capacity: int
    input_gradient: bool
    optimizer: str
    carries_state: bool
    traced: bool


def learnt_rows(layer: SparseLayer | LI) -> dict[int, nn.Parameter]:
    """Return what a layer learns of its neurons, such as their leaks, by row on the device."""
    held = enumerate(getattr(layer, name) for name in _names(layer))
    return {
        row: value for row, value in held if isinstance(value, nn.Parameter) and value.requires_grad
    }


def _names(layer: SparseLayer | LI) -> tuple[str, ...]:
    return tuple(layer.neuron.parameters) if isinstance(layer, SparseLayer) else ("beta",)


def _leaks(layer: SparseLayer | LI) -> tuple[str, ...]:
    return tuple(layer.leaks) if isinstance(layer, SparseLayer) else ("beta",)


def network_spec(core: Any, shape: Shape) -> Any:
    """Describe a network to the native part `core`."""
    spec = core.NetworkSpec()
    spec.steps, spec.batch = shape.steps, shape.batch
    spec.input_capacity, spec.input_gradient = shape.input_capacity, shape.input_gradient
    spec.optimizer = core.Optimizer.__members__[shape.optimizer]
    spec.carries_state, spec.traced = shape.carries_state, shape.traced
    spec.layers = [_layer_spec(core, layer) for layer in shape.layers]
    return spec


def _layer_spec(core: Any, layer: LayerKey) -> Any:
    spec = core.LayerSpec()
    spec.inputs, spec.neurons = layer.inputs, layer.neurons
    spec.delay, spec.bias, spec.gain = layer.delay, layer.bias, layer.gain
    spec.learns, spec.learnt, spec.leaks = layer.learns, layer.learnt, layer.leaks
    spec.half_weights = layer.half_weights
    if layer.lif is None:
        spec.kind = core.LayerKind.LeakyReadout
        return spec
    lif = layer.lif
    spec.capacity, spec.recurrent, spec.observed = lif.capacity, lif.recurrent, lif.observed
    spec.reset = core.Reset.__members__[lif.reset]
    spec.detach_reset = lif.detach_reset
    spec.surrogate = core.Surrogate.__members__[type(lif.surrogate).__name__]
    spec.surrogate_parameter = lif.surrogate.parameter
    if lif.model is not None:
        spec.model = _model_spec(core, lif.model)
    return spec


def _model_spec(core: Any, model: NeuronModel) -> Any:
    spec = core.NeuronModel()
    spec.type, spec.codelet = model.struct, str(model.codelet_path)
    spec.membrane = model.membrane
    numbers = core.NeuronCycles()
    numbers.states = len(model.states) - 1  # spikes follow from the others
    numbers.learnable = len(model.parameters)
    numbers.parameters = len(model.parameters) + 1  # and theta_grad
    numbers.step, numbers.fires, numbers.near, numbers.grad = model.cycles
    spec.numbers = numbers
    return spec
