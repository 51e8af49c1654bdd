"""The kernels of a recurrent layer in clusters of blocks: shape, source, launch."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Sequence

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES, entry
from ..arguments import (
    Capacity,
    Cell,
    RecurrentArguments,
    RecurrentCapacity,
    Tensors,
    fill,
    rows_of_vectors,
)
from ..delays import Delays, RecurrentDelays

NEURONS = 64  # kClusterNeurons: of a block
SAMPLES = 8  # kClusterSamples: of a cluster, at most
THREADS = 256  # kClusterThreads
QUARTERS = 4  # kQuarters
FRONT = 384  # bytes before the messages
BLOCKS = (4, 8, 16)  # of a cluster; 16 is the most that there is
MOST_NEURONS = NEURONS * BLOCKS[-1]
FEWEST_STEPS = 10
PORTABLE = 8  # blocks of the clusters for which every part of a GPU has room
WHOLE = 100  # multiprocessors of a GPU that has room for larger clusters
ALL_SHARED = 120_000  # bytes, of which a multiprocessor has no two
MOST_SHARED = 232448  # bytes of a block
MESSAGE_BYTES = {"forward": 8 * SAMPLES, "backward": 128 * SAMPLES}  # of a block and step


class ClusterArguments(RecurrentArguments):
    """`popsnn::ClusterArguments` of `cuda/popsnn/recurrent/cluster/cluster.cuh`."""

    __slots__ = ()
    _fields_ = [("samples", ctypes.c_int), ("pitch", ctypes.c_int)]  # noqa: RUF012


class ClusterDelayedArguments(ClusterArguments):
    """`popsnn::ClusterDelayedArguments` of `cuda/popsnn/recurrent/cluster/delays.cuh`."""

    __slots__ = ()
    _fields_ = [("delays", RecurrentDelays)]  # noqa: RUF012


class ClusterCappedArguments(ClusterArguments):
    """`popsnn::ClusterCappedArguments` of `cuda/popsnn/recurrent/cluster/capacity.cuh`."""

    __slots__ = ()
    _fields_ = [("capacity", RecurrentCapacity)]  # noqa: RUF012


def blocks_of_cluster(neurons: int) -> int:
    """Return the blocks of a cluster that hold a layer of N neurons."""
    return next(blocks for blocks in BLOCKS if neurons <= NEURONS * blocks)


def in_clusters(
    neurons: int, steps: int, exact: bool, multiprocessors: int, longest: int | None = None
) -> bool:
    """Return whether a cluster holds the weights of N neurons, where that pays and has room.

    Where neurons have delays, shared memory holds the values of so many steps as the `longest`.

    A step takes less than half of what it takes where blocks talk through L2, but operands of
    weights are made in more time: on an H200, of 1024 neurons and 48 samples, 100 steps forward
    take 84 and 155 us, and one with its states in and out 16.9 and 9.6 us.
    """
    if exact or neurons > MOST_NEURONS or steps < FEWEST_STEPS:
        return False
    blocks = blocks_of_cluster(neurons)
    if shared_bytes("backward", blocks, longest) > MOST_SHARED:
        return False
    return blocks <= PORTABLE or multiprocessors >= WHOLE


def shared_bytes(direction: str, blocks: int, longest: int | None = None) -> int:
    """Return the shared memory of a block: `popsnn::ClusterShape`."""
    partials = 2 * QUARTERS * SAMPLES * 4 * (NEURONS + 4)
    line = 0 if longest is None else (longest + 1) * 4 * SAMPLES * NEURONS
    return FRONT + 2 * blocks * MESSAGE_BYTES[direction] + partials + line


def samples_of_cluster(batch: int, at_once: int) -> int:
    """Return the samples of a cluster, so that as many as run at once have about the same work."""
    rounds = -(-batch // (SAMPLES * at_once))
    return -(-batch // (at_once * rounds))


@lru_cache(maxsize=None)
def source(
    direction: str,
    neuron: str,
    gradient: str,
    blocks: int,
    dtype: torch.dtype,
    membranes: bool = False,
    learn: bool = False,
    delay: str = "",
    capped: bool = False,
) -> str:
    """Return the kernel `recurrent_cluster_<direction>`; `arguments.kernel_source` has the rest.

    `delay` is C++ of the kind of delays; a layer that is `capped`, with a capacity, has none.
    """
    name = f"recurrent_cluster_{direction}"
    options = [str(blocks), "Neuron", *(["Gradient"] if gradient else []), TYPES[dtype]]
    options += [str(flag).lower() for flag in ([membranes, learn] if gradient else [])]
    options += [delay] if delay else []
    arguments = "ClusterDelayedArguments" if delay else "ClusterArguments"
    header, function = direction, name
    if capped:
        arguments = "ClusterCappedArguments"
        if direction == "forward":
            header, function = "capacity", "recurrent_cluster_capped_forward"
        else:
            options += ["popsnn::Delay::kNone", "true"]
    call = f"{function}<{', '.join(options)}>"
    lines = [
        "#include <popsnn/neurons/neuron.cuh>",
        f"#include <popsnn/recurrent/cluster/{header}.cuh>",
        neuron,
        gradient,
        entry(name, arguments, call, f"{THREADS}, {blocks}", "CLUSTER"),
    ]
    return "\n".join(lines)


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, N]
    tensors: Tensors,
    *,
    learn: bool = False,
    delays: Delays | None = None,
    sums: Tensor | None = None,  # float32 [T, B, N]: before dendritic delays, which are learnt
    grad_delays: Sequence[Tensor] = (),  # of steps and history, to write to
    capacity: Capacity | None = None,
) -> Tensor | None:
    """Run one direction over all samples.

    Returns the gradients of the parameters where they `learn`, [clusters, parameters, N], to be
    summed over clusters.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or this GPU has no room for a cluster.
    """
    _, batch, neurons = x.shape
    name, blocks = f"recurrent_cluster_{direction}", blocks_of_cluster(neurons)
    weight = rows_of_vectors(weight, cell.options.sixteen)
    text = source(
        direction, cell.options.neuron, cell.gradient_source(direction), blocks, x.dtype,
        tensors.rows.get("grad_membrane") is not None, learn,
        "" if delays is None else delays.source, capacity is not None,
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    shared = shared_bytes(direction, blocks, None if delays is None else delays.longest)
    # Two blocks of small layers would run on the same multiprocessor, and each take longer.
    at_once = kernels.active_blocks(name, THREADS, max(ALL_SHARED, shared)) // blocks
    if not at_once:
        raise RuntimeError(
            f"{name}: clusters of {blocks} blocks: expected room for one on this GPU, got none"
        )
    samples = samples_of_cluster(batch, at_once)
    clusters = -(-batch // samples)
    learnt = None
    if learn:
        learnt = x.new_empty((clusters, len(cell.options.values), neurons), dtype=torch.float32)
    arguments = ClusterArguments() if delays is None else ClusterDelayedArguments()
    if capacity is not None:
        arguments = ClusterCappedArguments()
        capacity.fill(arguments.capacity)
    fill(arguments, cell, x, weight, tensors, None if learnt is None else learnt[0], 0, batch)
    arguments.samples, arguments.pitch = samples, weight.shape[1]
    grad_steps = None  # [clusters, N]
    if isinstance(arguments, ClusterDelayedArguments):
        assert delays is not None
        if grad_delays and delays.learn:
            grad_steps = x.new_empty((clusters, neurons), dtype=torch.float32)
        delays.fill(
            arguments.delays,
            sums=sums,
            grad_steps=grad_steps,
            grad_history=grad_delays[1] if len(grad_delays) > 1 else None,
        )
    kernels.launch(name, blocks * clusters, THREADS, shared, arguments)
    if grad_steps is not None:
        torch.sum(grad_steps, 0, out=grad_delays[0])
    return learnt
