"""One compiled shape of a network on an IPU: torch tensors in, torch tensors out."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Iterable, Mapping, NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor

from .._internal import checks
from .._internal.compaction import write_lists
from .._internal.native import native
from .._internal.paths import codelets_path
from .._internal.spec import LayerSpec, NetworkSpec
from ..devices import HARDWARE
from ..functional import SparseState
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import has_delays
from ..nn.neuron_model import NeuronModel
from ..nn.sparse_li import SparseLI
from ..nn.sparse_lif import SparseLIF
from ..spikes import SpikeTensor
from .ipu_delays import (
    observed_for_delays,
    straight_through_grad,
    straight_through_stream,
    unsupported_delays,
    with_delays,
)
from .ipu_streams import (
    REST,
    Arrays,
    as_parameter,
    by_neuron,
    check_lists,
    float32,
    halves,
    int32,
    joined,
)

if TYPE_CHECKING:
    from ..devices import Device

# Shapes whose executables stay: a training batch, its remainder, an evaluation batch and its own.
CACHED_EXECUTABLES = 4


class Results(NamedTuple):
    """Lists of a forward pass by layer: `counts` and `drops` [T, B, 2], `ids` [T, B, S]."""

    sizes: dict[int, int]
    counts: dict[int, Tensor]
    drops: dict[int, Tensor]
    ids: dict[int, Tensor]

    def values(self, index: int, capacity: int) -> Tensor:
        """Return 1 for each index that fired, else 0: [T, B, capacity]."""
        counts = self.counts[index]
        return (torch.arange(capacity, device=counts.device) < counts[..., :1]).float()

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

    def last_step(self, index: int) -> tuple[Tensor, Tensor]:
        """Return the neurons that fired, and the active set, of the last step: bool [B, N]."""
        ids = self.ids[index][-1]
        dense = torch.zeros(2, ids.shape[0], self.sizes[index], device=ids.device)
        position = torch.arange(ids.shape[1], device=ids.device)
        for kind, mask in enumerate(dense):
            filled = position < self.counts[index][-1, :, kind : kind + 1]
            mask.scatter_add_(1, ids.long(), filled.float())
        fired, active = dense.bool()
        return fired, active


class BackwardResult(NamedTuple):
    """Results of a backward pass.

    Parameters
    ----------
    values : Tensor [T, B, S] or None
        dL/d(values of the input), where it is wanted.
    rest : list of Tensor [B, S, N]
        dL/d(rest), one a layer, where the shape carries states.
    currents : dict of Tensor [B, N] or [D + 1, B, N]
        dL/d(synaptic sum) at the first step, by the weights' stream of layers that read spikes of
        the step before it; of synaptic delays of the steps at which they may arrive.
    early : dict of Tensor [D, B, N]
        dL/d(currents of the first steps), by layers with a ring of currents.
    neurons : list of Tensor [P, N] or None
        Gradients of the neurons' parameters, one a layer; None where none learns.
    taps : dict of Tensor [K, N]
        Gradients of the taps that learn, by layer.
    whole : list of Tensor [M] or [N, M]
        Gradients of the axonal and synaptic delays that learn, by layer and source.
    weights : list of Tensor or None
        Gradients of weights and biases in the order of `on_device`; None where the device keeps
        them for its own update.
    """

    values: Tensor | None
    rest: list[Tensor]
    currents: dict[str, Tensor]
    early: dict[int, Tensor]
    neurons: list[Tensor | None]
    taps: dict[int, Tensor]
    whole: list[Tensor]
    weights: list[Tensor | None]


def unsupported_reset(layer: torch.nn.Module) -> str | None:
    """Return why no codelet has the reset of a layer, or None where one has it."""
    reset = getattr(layer, "reset", "none")
    if reset in checks.RESETS_BEFORE_DECAY:
        return None
    return f"reset: expected one of {', '.join(checks.RESETS_BEFORE_DECAY)}, got {reset!r}"


def unsupported_options(layer: SparseLayer | SparseLI) -> str | None:
    """Return which option of a layer no IPU has, or None where it has them all."""
    if layer.weight_dtype == torch.bfloat16:
        return "weight_dtype: expected None or torch.float16, got torch.bfloat16"
    reason = unsupported_reset(layer) or unsupported_delays(layer)
    if reason is not None:
        return reason
    if isinstance(layer, SparseLayer):
        return _unsupported_surrogate(layer) or _unsupported_model(layer)
    return None


def _unsupported_surrogate(layer: SparseLayer) -> str | None:
    """Return why no codelet has a layer's surrogate, or None where one has it."""
    try:
        custom = layer.surrogate.codelet_source is not None
    except NotImplementedError as error:
        return f"surrogate: {error}"
    if custom and layer.neuron.codelet_by_hand:
        return (
            "surrogate: expected a named one of scale 1 where the model's codelet is written by "
            f"hand, got {layer.surrogate}"
        )
    return None


def _unsupported_model(layer: SparseLayer) -> str | None:
    """Return why a layer's neuron has no codelet, or None where it has one."""
    capped = layer.capacity < layer.out_features
    if isinstance(layer, SparseLIF) or isinstance(layer.neuron, NeuronModel):
        return None
    if layer.neuron.codelet_by_hand and not capped:
        return None
    try:
        step = layer.neuron.traced()
    except NotImplementedError as error:
        return f"model: {error}"
    if step.uses_own_spike and capped:
        return (
            "max_activity: expected none, since a state of the model depends on the spike of its "
            f"own step, which a capacity may drop, got {layer.max_activity}"
        )
    return None


def network_spec(
    layers: Iterable[SparseLayer | SparseLI],
    steps: int,
    batch: int,
    input_capacity: int,
    *,
    input_gradient: bool = False,
    optimizer: str = "none",
    carries_state: bool = False,
    traced: bool = False,
    of_any_delays: bool = False,
) -> NetworkSpec:
    """Return the description of a network that an executable is compiled from.

    The options are as in `NetworkSpec`. Its layers say which of them the loss observes, all that
    spike where `traced`, else the last and those whose spikes of several steps are part of a state
    that goes out, and what an optimizer on the device learns. `of_any_delays`: whatever the values
    of delays are.
    """
    layers = list(layers)
    described = [layer.spec() for layer in layers]
    below = [0, *(layer.capacity for layer in described)]
    described = [
        with_delays(index, layer, spec, below[index], carries_state, of_any_delays)
        if has_delays(layer)
        else spec
        for index, (layer, spec) in enumerate(zip(layers, described))
    ]
    last, updated = len(described) - 1, optimizer != "none"
    delayed = observed_for_delays(layers) if carries_state else set()

    def in_executable(index: int, layer: LayerSpec) -> LayerSpec:
        if layer.model is not None and layer.model.adjoint and carries_state:
            layer = replace(layer, model=layer.model.saving_spikes())
        return replace(
            layer,
            observed=layer.spikes and (traced or index == last or index in delayed),
            learnt=layer.learnt if updated else 0,
            lowest=layer.lowest if updated else (),
            highest=layer.highest if updated else (),
        )

    return NetworkSpec(
        tuple(in_executable(index, layer) for index, layer in enumerate(described)),
        steps,
        batch,
        input_capacity,
        input_gradient=input_gradient,
        optimizer=optimizer,
        carries_state=carries_state,
        traced=traced,
    )


class Executables:
    """A network's executables by description and device."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[tuple[NetworkSpec, Device], Executable] = OrderedDict()

    def of(
        self, spec: NetworkSpec, device: Device, release: Callable[[], None] | None = None
    ) -> Executable:
        """Return the executable of a description, compiled where it is not cached.

        One executable at a time has IPUs of this machine: the others are forgotten, after `release`
        has brought what they have to the host. One frees its IPUs when no forward pass is left
        whose backward pass may follow.
        """
        key = (spec, device)
        if device.model == HARDWARE and key not in self._by_key:
            if release is not None:
                release()
            self._by_key.clear()
        executable = self._by_key.pop(key, None) or Executable(*key)
        self._by_key[key] = executable
        return executable

    def values(self) -> list[Executable]:
        """Return those that are cached, the last used one last."""
        return list(self._by_key.values())

    def drop(self) -> list[Executable]:
        """Forget all but the `CACHED_EXECUTABLES` that were used last, and return the others."""
        count = max(0, len(self._by_key) - CACHED_EXECUTABLES)
        return [self._by_key.popitem(last=False)[1] for _ in range(count)]


class Executable:
    """A network compiled for one shape of input and loaded on its device.

    It holds no tensor of the network's: what it runs on comes with each call.
    """

    def __init__(self, spec: NetworkSpec, device: Device) -> None:
        self.spec = spec
        self._earlier_membranes: Arrays = {}  # of steps whose states have left their tiles
        self.generation = 0  # grows before anything that the last backward pass relied on changes
        self.holds_last_states = False  # on its tiles, where a backward pass begins
        self.spiking = {index: layer for index, layer in enumerate(spec.layers) if layer.spikes}
        self.delayed = [index for index, layer in enumerate(spec.layers) if layer.dendrites]
        self.early = [index for index, layer in enumerate(spec.layers) if layer.ring]
        self.straight_through = [
            straight_through_stream(index, source, bool(layer.synaptic >> source & 1))
            for index, layer in enumerate(spec.layers)
            for source in range(2)
            if layer.straight_through >> source & 1
        ]
        self.observed = [index for index, layer in self.spiking.items() if layer.observed]
        self.runner = native().Runner(spec, str(codelets_path()), **device.native())

    def write_parameters(self, parameters: Mapping[str, Tensor]) -> None:
        """Send parameters, by stream as `on_device` returns them, to their tiles."""
        self.generation += 1
        arrays: Arrays = {name: by_neuron(parameter) for name, parameter in parameters.items()}
        for index, layer in enumerate(self.spec.layers):
            if not layer.bias:
                arrays[f"bias{index}"] = np.zeros((1, layer.neurons), np.float32)
        for name, (dtype, _) in self.runner.streams("write_parameters").items():
            if dtype == "float16" and not name.endswith(REST):
                arrays[name], arrays[name + REST] = halves(arrays[name])
        self.runner.run("write_parameters", arrays)

    def write_neurons(
        self, parameters: Sequence[Tensor], taps: Sequence[Tensor], whole: Arrays
    ) -> None:
        """Send the neurons' parameters [P, N], one tensor a layer, to their tiles.

        And `taps` [K, N], one tensor for each layer with dendritic delays, and `whole` delays,
        axonal and synaptic, by stream.
        """
        self.generation += 1
        arrays = {
            f"parameters{index}": float32(parameter) for index, parameter in enumerate(parameters)
        }
        arrays.update({f"taps{index}": float32(rows) for index, rows in zip(self.delayed, taps)})
        arrays.update(whole)
        self.runner.run("write_neurons", arrays)

    def read_parameters(self, parameters: Mapping[str, Tensor]) -> None:
        """Bring what `write_parameters` sends from its tiles into `parameters`."""
        arrays = self._outputs("read_parameters")
        self.runner.run("read_parameters", arrays)
        with torch.no_grad():
            for name, parameter in parameters.items():
                value, rest = arrays[name], arrays.get(name + REST)
                whole = value if rest is None else joined(value, rest)
                parameter.copy_(as_parameter(whole, parameter.shape))

    def inputs(
        self,
        x: SpikeTensor,
        seed: int,
        states: tuple[SparseState, ...] | None,
        rest: Sequence[Tensor],
        early: Sequence[Tensor],
    ) -> Arrays:
        """Return what `forward` takes, in memory that nobody else has.

        Parameters
        ----------
        x : SpikeTensor (T, B, N)
        seed : int
            Of the sequence.
        states : tuple of SparseState, optional
            One a layer, whose spikes came before the first step; None: nobody fired.
        rest : sequence of Tensor
            What neurons save [B, S, N] before the first step, one a layer, where this shape carries
            states.
        early : sequence of Tensor
            Currents of the first steps [D, B, N], one for each layer with a ring of currents,
            where this shape carries states.
        """
        arrays = self._input_lists(x)
        first_step = 0 if states is None else states[0].step
        arrays["sequence"] = np.array([seed, first_step], dtype=np.uint32)
        if self.spec.carries_state:
            for index, saved in enumerate(rest):
                arrays[f"initial_state{index}"] = float32(saved).copy()
            for index, currents in zip(self.early, early):
                arrays[f"early_current{index}"] = float32(currents).copy()
            arrays.update(self._initial_lists(states))
        return arrays

    def forward(self, inputs: Arrays) -> list[Tensor]:
        """Run all steps on what `inputs` returned, which stays as it is.

        Returns
        -------
        list of Tensor
            The readout [T, B, C] of a last SparseLI, the values [T, B, S] of every observed layer's
            lists, and what every layer's neurons save [B, S, N] after the last step where this
            shape carries states.
        """
        self.generation += 1
        arrays = {**self._outputs("forward"), **inputs}
        self.runner.run("forward", arrays)
        self.holds_last_states = True
        self._earlier_membranes = {
            name[len("earlier_") :]: array
            for name, array in arrays.items()
            if name.startswith("earlier_")
        }
        out = [torch.from_numpy(arrays["output"])] if "output" in arrays else []
        if self.observed:
            results = self.read_lists(spikes=False)
            out += [results.values(i, self.spiking[i].capacity) for i in self.observed]
        if self.spec.carries_state:
            finals = self._outputs("read_states")
            self.runner.run("read_states", finals)
            layers = range(len(self.spec.layers))
            out += [torch.from_numpy(finals[f"final_state{i}"]) for i in layers]
        return out

    def backward(self, grads: Sequence[Tensor], shapes: Mapping[str, torch.Size]) -> BackwardResult:
        """Run all steps back.

        Parameters
        ----------
        grads : sequence of Tensor
            dL/d of each tensor that `forward` returned.
        shapes : mapping of torch.Size
            Of weights and biases, by stream.

        Returns
        -------
        BackwardResult
        """
        arrays = self._outputs("backward")
        wanted, left = self.runner.streams("backward"), list(grads)
        if "output_grad" in wanted:
            arrays["output_grad"] = float32(left.pop(0))
        for index in self.observed:
            name = f"slot_grad{index}"
            arrays[name] = np.zeros(wanted[name][1], np.float32)
            grad = left.pop(0)
            arrays[name][..., : grad.shape[-1]] = grad.numpy()
        for index, grad in enumerate(left):
            name = f"final_grad{index}"
            arrays[name] = np.zeros(wanted[name][1], np.float32)
            arrays[name][:, : grad.shape[1]] = grad.numpy()
        self.holds_last_states = self.runner.segment == self.spec.steps
        self.runner.run("backward", arrays)
        values_grad = None
        if self.spec.input_gradient:
            values_grad = torch.from_numpy(arrays["input_grad"])[..., : self.spec.input_capacity]
        currents = {}
        for index in range(len(self.spec.layers)):
            for source, weights in enumerate(("weights", "recurrent_weights")):
                of_source = [f"first_product_grad{source}_{index}", f"first_current_grad{index}"]
                if self.spec.layers[index].synaptic >> source & 1:
                    of_source = [f"first_ring_grad{index}"]
                for name in of_source:
                    if name in arrays:
                        currents[f"{weights}{index}"] = torch.from_numpy(arrays[name])
                        break
        early = {
            index: torch.from_numpy(arrays[f"early_grad{index}"])
            for index in self.early
            if self.spec.carries_state
        }
        return BackwardResult(
            values_grad, self._rest_grads(), currents, early, *self._parameter_grads(shapes)
        )

    def read_lists(self, spikes: bool) -> Results:
        """Return the lists of the last forward pass, their ids where `spikes`."""
        arrays = self._outputs("read_counts")
        self.runner.run("read_counts", arrays)
        if spikes:
            ids = self._outputs("read_spikes")
            self.runner.run("read_spikes", ids)
            arrays.update(ids)
        results = Results({}, {}, {}, {})
        for index, layer in self.spiking.items():
            results.sizes[index] = self.spec.layers[index].neurons
            results.counts[index] = int32(arrays[f"counts{index}"])
            results.drops[index] = int32(arrays[f"drops{index}"])
            if spikes:
                active = results.counts[index][..., 1:]
                indices = int32(arrays[f"ids{index}"])[..., : layer.capacity]
                position = torch.arange(layer.capacity, device=indices.device)
                results.ids[index] = indices * (position < active)
        return results

    def read_membranes(self) -> list[Tensor]:
        """Return every layer's membrane [T, B, N] of the last forward pass of a traced shape."""
        arrays = self._outputs("read_membranes")
        self.runner.run("read_membranes", arrays)
        earlier, self._earlier_membranes = self._earlier_membranes, {}
        names = [f"membrane{i}" for i in range(len(self.spec.layers))]
        befores = [[earlier[name]] if name in earlier else [] for name in names]
        return [
            torch.from_numpy(np.concatenate([*before, arrays[name]]))
            for before, name in zip(befores, names)
        ]

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

    def _rest_grads(self) -> list[Tensor]:
        if not self.spec.carries_state:
            return []
        arrays = self._outputs("read_states")
        self.runner.run("read_states", arrays)
        grads = []
        for index in range(len(self.spec.layers)):
            saved = arrays[f"final_state{index}"].shape[1]  # an adjoint's gradients have one more
            grads.append(torch.from_numpy(arrays[f"initial_grad{index}"][:, :saved]).clone())
        return grads

    def _parameter_grads(
        self, shapes: Mapping[str, torch.Size]
    ) -> tuple[list[Tensor | None], dict[int, Tensor], list[Tensor], list[Tensor | None]]:
        arrays: Arrays = {}
        if self.spec.optimizer == "none":
            arrays = self._outputs("read_gradients")
            self.runner.run("read_gradients", arrays)
        of_neurons = [arrays.get(f"parameters{i}") for i in range(len(self.spec.layers))]
        taps = {
            index: torch.from_numpy(arrays[f"taps{index}"])
            for index in self.delayed
            if f"taps{index}" in arrays
        }
        whole = [
            straight_through_grad(name, torch.from_numpy(arrays[name]))
            for name in self.straight_through
        ]
        of_weights = [
            as_parameter(arrays[name], shape).contiguous() if name in arrays else None
            for name, shape in shapes.items()
        ]
        neurons = [None if grad is None else torch.from_numpy(grad) for grad in of_neurons]
        return neurons, taps, whole, of_weights

    def _outputs(self, program: str) -> Arrays:
        """Return an empty array for each of the program's streams."""
        return {
            name: np.empty(shape, dtype)
            for name, (dtype, shape) in self.runner.streams(program).items()
        }

    def _input_lists(self, x: SpikeTensor) -> Arrays:
        check_lists(x)
        dtype, shape = self.runner.streams("forward")["input_ids"]
        ids = np.zeros(shape, dtype)
        ids[..., : x.capacity] = x.ids.numpy()
        return {"input_ids": ids, "input_counts": x.counts.numpy().astype(np.uint32)}

    def _initial_lists(self, states: tuple[SparseState, ...] | None) -> Arrays:
        """Return the lists of the step before the first: of the input, and of each layer."""
        arrays: Arrays = {}
        streams = self.runner.streams("forward")
        sources = {
            "initial_input_{}": (0, "x"),
            **{f"initial_{{}}{i}": (i, "s") for i in self.spiking},
        }
        for name, (index, kind) in sources.items():
            dtype, shape = streams[name.format("ids")]
            arrays[name.format("ids")] = np.zeros(shape, dtype)
            arrays[name.format("counts")] = np.zeros((shape[0], 2), np.uint32)
            if states is None or (kind == "x" and not self.spec.layers[0].delay):
                continue
            of_layer = states[index]
            spikes = getattr(of_layer, kind)
            if kind == "x" and of_layer.inputs is not None:
                spikes = of_layer.inputs[-1]
            fired = spikes != 0
            ids, counts = write_lists(fired, torch.zeros_like(fired), fired.shape[1])
            most = int(counts.max())
            capacity = self.spec.input_capacity
            if kind == "s":
                capacity = self.spec.layers[index].capacity
            if most > capacity:
                raise ValueError(
                    f"ipu engine: state: layer {index}: {kind}: expected at most {capacity} spikes "
                    f"a sample, got {most}"
                )
            used = min(shape[1], ids.shape[1])
            arrays[name.format("ids")][:, :used] = ids[:, :used].numpy().astype(dtype)
            arrays[name.format("counts")][:] = counts.numpy()
        return arrays
