"""One compiled shape of a network on an IPU: torch tensors in, torch tensors out."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, NamedTuple

import numpy as np
import torch
from torch import Tensor

from .._paths import codelets_path
from ..devices import Device
from ..nn.li import LI
from ..nn.sparse_lif import SparseLIF
from ..spikes import SpikeTensor
from ..surrogate import Surrogate

if TYPE_CHECKING:
    from ..nn.snn import SNN

Arrays = Dict[str, "np.ndarray[Any, Any]"]


class LayerKey(NamedTuple):
    """What of a layer is compiled in; weights and neuron parameters are data."""

    inputs: int
    neurons: int
    bias: bool
    delay: int
    gain: float
    lif: tuple[int, str, bool, Surrogate] | None  # capacity, reset, detach_reset, surrogate

    @classmethod
    def of(cls, layer: SparseLIF | LI) -> LayerKey:
        """Read the options as they are now."""
        lif = None
        if isinstance(layer, SparseLIF):
            lif = (layer.capacity, layer.reset, layer.detach_reset, layer.surrogate)
        size = (layer.in_features, layer.out_features)
        return cls(*size, layer.bias is not None, layer.delay, layer.gain, lif)


class Shape(NamedTuple):
    """What an executable is compiled for.

    `layers` in order, `steps` T, `batch` B, `input_capacity` slots of the input's lists,
    `input_gradient` whether dL/dx is wanted, `optimizer` "none", "sgd" or "adam" on the `device`.
    """

    device: Device
    layers: tuple[LayerKey, ...]
    steps: int
    batch: int
    input_capacity: int
    input_gradient: bool
    optimizer: str


@dataclass(frozen=True)
class Results:
    """Lists of a forward pass by layer: `counts` and `drops` [T, B, 2], `ids` [T, B, S]."""

    sizes: dict[int, int]
    counts: dict[int, Tensor]
    drops: dict[int, Tensor]
    ids: dict[int, Tensor]

    def spikes(self, index: int, values: Tensor | None = None) -> SpikeTensor:
        """Return a layer's output lists."""
        return SpikeTensor(
            self.ids[index],
            self.counts[index],
            self.sizes[index],
            dropped=self.drops[index],
            values=values,
            check=False,
        )


class Executable:
    """A network compiled for one shape of input and loaded on its device."""

    def __init__(self, net: SNN, shape: Shape) -> None:
        core = importlib.import_module("popsnn._core")
        self.net = net
        self.shape = shape
        self.generation = 0  # grows before anything that the last backward pass relied on changes
        self.lif_layers = {
            index: layer for index, layer in enumerate(net.stack) if isinstance(layer, SparseLIF)
        }
        device = shape.device
        self.runner = core.Runner(
            network_spec(core, shape),
            str(codelets_path()),
            model=device.model,
            ipus=device.ipus,
            tiles=device.tiles,
            bytes_per_tile=device.bytes_per_tile,
        )

    def write_parameters(self) -> None:
        """Send weights and biases to their tiles."""
        self.generation += 1
        arrays: Arrays = {}
        for index, layer in enumerate(self.net.stack):
            size = layer.out_features
            arrays[f"weights{index}"] = layer.weight.detach().t().contiguous().numpy()
            arrays[f"bias{index}"] = _per_neuron(0.0 if layer.bias is None else layer.bias, size)
        self.runner.run("write_parameters", arrays)

    def write_neurons(self) -> None:
        """Send the neurons' leaks and thresholds to their tiles."""
        self.generation += 1
        arrays: Arrays = {}
        for index, layer in enumerate(self.net.stack):
            size = layer.out_features
            arrays[f"beta{index}"] = _per_neuron(layer.beta, size)
            if isinstance(layer, SparseLIF):
                lowest = float("-inf") if layer.grad_threshold is None else layer.grad_threshold
                arrays[f"threshold{index}"] = _per_neuron(layer.threshold, size)
                arrays[f"grad_threshold{index}"] = _per_neuron(lowest, size)
        self.runner.run("write_neurons", arrays)

    def read_parameters(self) -> None:
        """Bring weights and biases from their tiles into the network's parameters."""
        arrays = self._outputs("read_parameters")
        self.runner.run("read_parameters", arrays)
        with torch.no_grad():
            for index, layer in enumerate(self.net.stack):
                layer.weight.copy_(torch.from_numpy(arrays[f"weights{index}"]).t())
                if layer.bias is not None:
                    layer.bias.copy_(torch.from_numpy(arrays[f"bias{index}"]))

    def forward(self, x: SpikeTensor, seed: int) -> Tensor:
        """Run all steps on x (T, B, N).

        Returns
        -------
        Tensor
            The readout [T, B, C], or of a last SparseLIF the slots' values [T, B, S].
        """
        self.generation += 1
        arrays = self._outputs("forward")
        arrays.update(self._input_lists(x))
        arrays["seed"] = np.array(seed, dtype=np.uint32)
        self.runner.run("forward", arrays)
        if "output" in arrays:
            return torch.from_numpy(arrays["output"])
        last = len(self.net.stack) - 1
        fired = self.read_lists(spikes=False).counts[last][..., :1]
        return (torch.arange(self.lif_layers[last].capacity) < fired).float()

    def backward(self, grad: Tensor) -> tuple[Tensor | None, list[Tensor | None]]:
        """Run all steps back.

        Parameters
        ----------
        grad : Tensor
            dL/d(output), of the shape that `forward` returned.

        Returns
        -------
        Tensor [T, B, S] or None
            dL/d(values of the input), where it is wanted.
        list of Tensor or None
            Weight and bias gradients in the order of the network's parameters; None where the
            device keeps them for its own update.
        """
        arrays = self._outputs("backward")
        to_device = np.zeros(self.runner.streams("backward")["output_grad"][1], np.float32)
        to_device[..., : grad.shape[-1]] = grad.numpy()
        arrays["output_grad"] = to_device
        self.runner.run("backward", arrays)
        values_grad = None
        if self.shape.input_gradient:
            values_grad = torch.from_numpy(arrays["input_grad"])[..., : self.shape.input_capacity]
        return values_grad, self._parameter_grads()

    def read_lists(self, spikes: bool) -> Results:
        """Return the lists of the last forward pass, their ids where `spikes`."""
        arrays = self._outputs("read_counts")
        self.runner.run("read_counts", arrays)
        if spikes:
            ids = self._outputs("read_spikes")
            self.runner.run("read_spikes", ids)
            arrays.update(ids)
        results = Results({}, {}, {}, {})
        for index, layer in self.lif_layers.items():
            results.sizes[index] = layer.out_features
            results.counts[index] = _int32(arrays[f"counts{index}"])
            results.drops[index] = _int32(arrays[f"drops{index}"])
            if spikes:
                listed = results.counts[index][..., 1:]
                slots = _int32(arrays[f"ids{index}"])[..., : layer.capacity]
                results.ids[index] = slots * (torch.arange(layer.capacity) < listed)
        return results

    def read_membranes(self) -> list[Tensor]:
        """Return every layer's membrane [T, B, N] of the last forward pass."""
        arrays = self._outputs("read_membranes")
        self.runner.run("read_membranes", arrays)
        return [torch.from_numpy(arrays[f"membrane{i}"]) for i in range(len(self.net.stack))]

    def update(self, settings: list[float]) -> None:
        """Run the optimizer on the device, with the settings that its codelet lists."""
        self.generation += 1
        padded = np.zeros(self.runner.streams("update")["settings"][1], np.float32)
        padded[: len(settings)] = settings
        self.runner.run("update", {"settings": padded})

    def read_optimizer(self) -> Arrays:
        """Return the optimizer's state by stream."""
        arrays = self._outputs("read_optimizer")
        self.runner.run("read_optimizer", arrays)
        return arrays

    def write_optimizer(self, arrays: Arrays) -> None:
        """Set the optimizer's state by stream; streams that are missing are zero."""
        zeros = {
            name: np.zeros(shape, dtype)
            for name, (dtype, shape) in self.runner.streams("write_optimizer").items()
        }
        self.runner.run("write_optimizer", {**zeros, **arrays})

    def _parameter_grads(self) -> list[Tensor | None]:
        parameters = [p for layer in self.net.stack for p in (layer.weight, layer.bias)]
        if self.shape.optimizer != "none":
            return [None for p in parameters if p is not None]
        arrays = self._outputs("read_gradients")
        self.runner.run("read_gradients", arrays)
        grads: list[Tensor | None] = []
        for index, layer in enumerate(self.net.stack):
            grads.append(torch.from_numpy(arrays[f"weights{index}"]).t().contiguous())
            if layer.bias is not None:
                grads.append(torch.from_numpy(arrays[f"bias{index}"]))
        return grads

    def _outputs(self, program: str) -> Arrays:
        """Return an empty array for each of the program's streams."""
        return {
            name: np.empty(shape, dtype)
            for name, (dtype, shape) in self.runner.streams(program).items()
        }

    def _input_lists(self, x: SpikeTensor) -> Arrays:
        # The device trusts its lists: an id out of range would be an address out of range.
        fired, listed = x.counts[..., 0], x.counts[..., 1]
        wrong = (fired < 0) | (fired > listed) | (listed > x.capacity)
        used = torch.arange(x.capacity) < listed.unsqueeze(-1)
        outside = used & ((x.ids < 0) | (x.ids >= x.size))
        if bool(wrong.any()):
            raise ValueError(
                f"ipu engine: x: expected counts 0 <= fired <= listed <= {x.capacity}, "
                f"got {x.counts[wrong][0].tolist()}"
            )
        if bool(outside.any()):
            raise ValueError(
                f"ipu engine: x: expected ids in 0..{x.size - 1}, got {int(x.ids[outside][0])}"
            )
        lists = x.to_numpy()
        dtype, shape = self.runner.streams("forward")["input_ids"]
        ids = np.zeros(shape, dtype)
        ids[..., : x.capacity] = lists.ids
        return {"input_ids": ids, "input_counts": lists.counts.astype(np.uint32)}


def _int32(array: np.ndarray[Any, Any]) -> Tensor:
    return torch.from_numpy(array.astype(np.int32))


def _per_neuron(value: float | Tensor, size: int) -> np.ndarray[Any, Any]:
    """Return [size] float32."""
    if isinstance(value, Tensor):
        return value.detach().to(torch.float32).contiguous().numpy()
    return np.full(size, value, np.float32)


def network_spec(core: Any, shape: Shape) -> Any:
    """Return a shape as the native part takes it."""
    spec = core.NetworkSpec()
    spec.steps, spec.batch = shape.steps, shape.batch
    spec.input_capacity, spec.input_gradient = shape.input_capacity, shape.input_gradient
    spec.optimizer = core.Optimizer.__members__[shape.optimizer]
    spec.layers = [_layer_spec(core, layer) for layer in shape.layers]
    return spec


def _layer_spec(core: Any, layer: LayerKey) -> Any:
    spec = core.LayerSpec()
    spec.inputs, spec.neurons = layer.inputs, layer.neurons
    spec.delay, spec.bias, spec.gain = layer.delay, layer.bias, layer.gain
    if layer.lif is None:
        spec.kind = core.LayerKind.LeakyReadout
        return spec
    spec.capacity, reset, spec.detach_reset, surrogate = layer.lif
    spec.reset = core.Reset.__members__[reset]
    spec.surrogate = core.Surrogate.__members__[type(surrogate).__name__]
    spec.surrogate_parameter = surrogate.parameter
    return spec
