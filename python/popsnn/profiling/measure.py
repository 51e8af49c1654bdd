"""One training step on an emulated device, and what it costs by the emulator's model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence, Tuple

import numpy as np

from .._internal.native import emulation, native
from .._internal.paths import codelets_path
from .._internal.spec import NetworkSpec
from ..devices import HARDWARE, Device

PROGRAMS = ("forward", "backward", "update")  # of a training step, in this order


class Phase(NamedTuple):
    """A step of the device's programs: cycles and bytes of one run.

    `compute` is that of the slowest tile, `by_layer` that of the slowest tile of each layer (0 for
    what is not a compute set), `runs` how often it ran.
    """

    program: str
    name: str
    kind: str
    runs: int
    cycles: float
    compute: float
    exchange: float
    sync: float
    host: float
    exchange_bytes: int
    by_layer: List[int]

    @property
    def of_any_size(self) -> str:
        """Name of what is compiled for several sizes of lists: "step 1/2" is "step"."""
        return re.sub(r" 1/\d+$", "", self.name)


class WeightGradient(NamedTuple):
    """Cycles a time step of a layer's weight gradient by variant, and which one is `taken`.

    `source`: "input", or "recurrent" for the layer's own spikes.
    """

    source: str
    sparse: float
    dense: float
    taken: str


class LayerTiles(NamedTuple):
    """Tiles of a layer, and its compacted spikes.

    Neurons, capacity, tiles; of the compacted spikes of all steps and samples the mean numbers
    of `fired` and `listed` neurons, and the `longest`; the weight gradient of each of its sources.
    """

    neurons: int
    capacity: int
    tiles: int
    neurons_per_tile: int
    fired: float
    listed: float
    longest: int
    gradients: List[WeightGradient]


@dataclass(frozen=True)
class Measured:
    """A training step of `steps` time steps, modelled.

    `phases` of all programs in order, `clock_hz` of a tile, `layers` first to last, `segment` of
    time steps whose states are kept at once, `sizes` that lists' exchanges are compiled for,
    forward and backward.
    """

    phases: List[Phase]
    clock_hz: float
    steps: int
    batch: int
    layers: List[LayerTiles]
    vertices: int
    segment: int
    sizes: Tuple[int, int]

    def looped(self, phase: Phase) -> bool:
        """Return whether the phase runs once a time step, in one of its sizes.

        Or, of checkpoint intervals, for half of them at least, as a backward pass recomputes.
        """
        again = 2 if self.segment < self.steps else 1
        runs = sum(p.runs for p in self.phases if p.of_any_size == phase.of_any_size)
        return again * runs >= self.steps and phase.kind != "StreamCopy"


def measure(
    network: NetworkSpec,
    device: Device,
    weights: Sequence[np.ndarray[Any, Any]],
    neurons: Sequence[np.ndarray[Any, Any]],
    delays: Mapping[str, np.ndarray[Any, Any]],
    inputs: int,
    *,
    planned_steps: int = 0,
    seed: int = 0,
) -> Measured:
    """Run a training step on an emulated device and return its modelled cost.

    Parameters
    ----------
    network : NetworkSpec
    device : Device
    weights : sequence of float32 or float16 arrays [inputs of the layer, neurons]
        One a layer, of the network's types.
    neurons : sequence of float32 arrays [parameters, neurons]
        Decay factors, thresholds and all other parameters of a layer's neurons.
    delays : mapping of arrays
        Taps and axonal delays, by stream.
    inputs : int
        Neurons of the input, whose lists are drawn full.
    planned_steps : int
        Time steps that the plan provides for; 0 for the network's own.
    seed : int
        Draws the input.

    Raises
    ------
    RuntimeError
        Where the network does not fit on the device.
    """
    runner = _runner(network, device, planned_steps)
    values = begin(runner, network, weights, neurons, delays, inputs, seed)
    phases: List[Phase] = []
    for program in PROGRAMS:
        runner.reset_profile()
        run_program(runner, program, values)
        profile = runner.profile()
        if program == "forward":
            lists = _lists(runner)
        phases += _phases(program, profile, runner.layers, runner.segment < network.steps)
    return Measured(
        phases,
        float(emulation("profile").tile_clock(device.ipus, device.model)),
        network.steps,
        network.batch,
        [
            LayerTiles(
                spec.neurons,
                spec.capacity,
                plan.tiles,
                plan.neurons_per_tile,
                *_lengths(lists, i),
                _gradients(runner, i),
            )
            for i, (spec, plan) in enumerate(zip(network.layers, runner.layers))
        ],
        profile["vertices"],
        runner.segment,
        (runner.forward_sizes, runner.backward_sizes),
    )


def begin(
    runner: Any,
    network: NetworkSpec,
    weights: Sequence[np.ndarray[Any, Any]],
    neurons: Sequence[np.ndarray[Any, Any]],
    delays: Mapping[str, np.ndarray[Any, Any]],
    inputs: int,
    seed: int,
) -> Dict[str, Any]:
    """Send a network's parameters to its device, and return the streams of a training step.

    The parameters are as in `measure`.
    """
    rng = np.random.default_rng(seed)
    values: Dict[str, Any] = {f"weights{i}": array for i, array in enumerate(weights)}
    values.update({f"parameters{i}": array for i, array in enumerate(neurons)}, **delays)
    for i, array in enumerate(neurons):  # and those that the device learns
        values.update({f"learnt{row}_{i}": row_values for row, row_values in enumerate(array)})
    run_program(runner, "write_parameters", values)
    run_program(runner, "write_neurons", values)
    run_program(runner, "write_optimizer", {})
    values.update(_input(rng, runner, network.input_capacity, inputs))
    values[f"slot_grad{len(weights) - 1}"] = 1e-3
    values["settings"] = 1e-3
    return values


def _lists(runner: Any) -> Dict[str, Any]:
    """Return the counts of every spiking layer's lists."""
    lists = {
        name: np.empty(shape, dtype)
        for name, (dtype, shape) in runner.streams("read_counts").items()
    }
    runner.run("read_counts", lists)
    return lists


def _lengths(lists: Dict[str, Any], index: int) -> Tuple[float, float, int]:
    """Return the means of fired and active neurons, and the longest list, of one layer."""
    if f"counts{index}" not in lists:
        return 0.0, 0.0, 0
    counts = lists[f"counts{index}"]  # [T, B, 2]
    return float(counts[..., 0].mean()), float(counts[..., 1].mean()), int(counts[..., 1].max())


def _gradients(runner: Any, index: int) -> List[WeightGradient]:
    """Return what the planner knew of the weight gradients of a layer."""
    chosen = runner.layers[index].dense
    return [
        WeightGradient(source, sparse, dense, "dense" if is_dense else "sparse")
        for source, (sparse, dense), is_dense in zip(
            ("input", "recurrent"), runner.gradients[index], chosen
        )
    ]


class Layout(NamedTuple):
    """Layout of a network on a device.

    `tile_bytes` [tiles], `segment` of time steps, `sizes` of exchanges in either direction,
    `code_bytes`: the most that the planner reserves on a tile for code, exchanges and stacks.
    """

    tile_bytes: np.ndarray[Any, Any]
    segment: int
    sizes: Tuple[int, int]
    code_bytes: int


def layout(network: NetworkSpec, device: Device) -> Layout:
    """Plan a network and return how it lies on a device.

    Parameters
    ----------
    network : NetworkSpec
    device : Device

    Raises
    ------
    RuntimeError
        Where the network does not fit on the device.
    """
    runner = _runner(network, device)
    kinds = runner.profile()["bytes_per_tile"].values()
    return Layout(
        np.sum([np.asarray(kind, np.int64) for kind in kinds], 0),
        runner.segment,
        (runner.forward_sizes, runner.backward_sizes),
        max(runner.planned_code_bytes_per_tile),
    )


def _runner(network: NetworkSpec, device: Device, planned_steps: int = 0) -> Any:
    emulation("profile")  # gives runners their profiles
    if device.model == HARDWARE:
        raise ValueError(
            f"profile: device: expected a model, whose costs are known, got {HARDWARE!r}"
        )
    return native().Runner(
        network,
        str(codelets_path()),
        **device.native(),
        planned_steps=planned_steps,
        instrument=True,
    )


def run_program(runner: Any, program: str, values: Dict[str, Any]) -> Dict[str, Any]:
    """Run a program and return its streams.

    Those that `values` lacks are zero where the device reads them, a number fills its stream.
    """
    arrays = {}
    for name, (dtype, shape) in runner.streams(program).items():
        array = np.zeros(shape, dtype)
        if name in values:
            array[...] = values[name]
        arrays[name] = array
    runner.run(program, arrays)
    return arrays


def _input(rng: np.random.Generator, runner: Any, capacity: int, inputs: int) -> Dict[str, Any]:
    """Return full lists: `capacity` of the inputs a step and sample, ascending."""
    dtype, shape = runner.streams("forward")["input_ids"]
    fired = min(capacity, inputs)
    keys = rng.random((*shape[:2], inputs), np.float32)
    ids = np.zeros(shape, dtype)
    ids[..., :fired] = np.sort(np.argpartition(keys, fired - 1, -1)[..., :fired], -1)
    return {"input_ids": ids, "input_counts": fired}


def _phases(
    program: str, profile: Dict[str, Any], layers: Sequence[Any], segments: bool
) -> List[Phase]:
    phases: Dict[Any, Phase] = {}
    for number, step in enumerate(profile["steps"]):
        if step["runs"] == 0:
            continue
        cycles = step["cycles"]
        by_tile = step["compute_by_tile"]
        by_layer = [
            max(by_tile[layer.first_tile : layer.first_tile + layer.tiles], default=0)
            for layer in layers
        ]
        phase = Phase(
            program,
            step["name"] or step["kind"].lower(),
            step["kind"],
            step["runs"],
            cycles["total"],
            cycles["compute"] + cycles["wait"],
            cycles["exchange"] + cycles["global_exchange"],
            cycles["sync"],
            cycles["host_exchange"],
            step["exchange_bytes"],
            by_layer,
        )
        # A compute set has a step wherever the program executes it: of checkpoint intervals, twice.
        twice = segments and phase.kind == "Execute"
        key = (phase.name, phase.compute, phase.exchange_bytes) if twice else number
        phases[key] = _joined(phases[key], phase) if key in phases else phase
    return list(phases.values())


def _joined(a: Phase, b: Phase) -> Phase:
    """Return one phase that costs what the runs of both do."""
    runs = a.runs + b.runs

    def mean(first: float, other: float) -> float:
        return (first * a.runs + other * b.runs) / runs

    return a._replace(
        runs=runs,
        cycles=mean(a.cycles, b.cycles),
        exchange=mean(a.exchange, b.exchange),
        sync=mean(a.sync, b.sync),
        host=mean(a.host, b.host),
    )
