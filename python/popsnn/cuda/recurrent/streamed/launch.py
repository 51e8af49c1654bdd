"""The kernels of a recurrent layer that reads its weights at every step: plan, source, launch."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Sequence, Union

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES
from ...device.properties import has_copy_engine, multiprocessors, shared_bytes
from ..arguments import (
    STATES,
    Capacity,
    Cell,
    RecurrentArguments,
    RecurrentCapacity,
    Tensors,
    fill,
)
from ..delays import KINDS, Delays, RecurrentDelays

WARPS = 8  # StreamedShape::kWarps
STEPPERS = 32 * WARPS  # kSteppers
THREADS = STEPPERS + 128  # kThreads
STAGE_ROW = 128  # bytes of weights to a neuron that a stage has
MAP_BYTES = 128  # popsnn::MatrixMap
PLANES = {2: 1, 4: 3}  # of 16 bits that add up to a weight or a message, at most
PITCH = 8  # elements of which rows of weights and messages are a multiple
L2_BYTES = 50_000_000  # of weights that L2 holds, of an H200

_Pointers = ctypes.c_void_p * STATES


class StreamedArguments(RecurrentArguments):
    """`popsnn::StreamedArguments` of `cuda/popsnn/recurrent/streamed/streamed.cuh`."""

    __slots__ = ()
    _fields_ = [  # noqa: RUF012
        ("state", _Pointers),
        ("before", ctypes.c_void_p),
        ("arrivals", ctypes.c_void_p),
        ("begin", ctypes.c_void_p),
        ("plane", ctypes.c_longlong),
        ("message_row", ctypes.c_longlong),
        ("plane_rows", ctypes.c_int),
        ("group_samples", ctypes.c_int),
        ("first_group", ctypes.c_int),
        ("first_step", ctypes.c_int),
        ("pitch", ctypes.c_int),
        ("ranks", ctypes.c_int),
        ("teams", ctypes.c_int),
        ("tiles", ctypes.c_int),
    ]


class StreamedLaunch(ctypes.Structure):
    """`popsnn::StreamedLaunch`, whose size is a multiple of 64 bytes."""

    __slots__ = ()
    _fields_ = [
        ("maps", ctypes.c_byte * (3 * MAP_BYTES)),
        ("rest", StreamedArguments),
        ("padding", ctypes.c_byte * 64),
    ]


class StreamedDelayedArguments(StreamedArguments):
    """`popsnn::StreamedDelayedArguments` of `cuda/popsnn/recurrent/streamed/delays.cuh`."""

    __slots__ = ()
    _fields_ = [("delays", RecurrentDelays)]  # noqa: RUF012


class StreamedDelayedLaunch(ctypes.Structure):
    """`popsnn::StreamedDelayedLaunch`, whose size is a multiple of 64 bytes."""

    __slots__ = ()
    _fields_ = [
        ("maps", ctypes.c_byte * (3 * MAP_BYTES)),
        ("rest", StreamedDelayedArguments),
        ("padding", ctypes.c_byte * 64),
    ]


class StreamedTapArguments(StreamedArguments):
    """`popsnn::StreamedTapArguments` of `cuda/popsnn/recurrent/streamed/taps.cuh`."""

    __slots__ = ()
    _fields_ = [("taps", ctypes.c_int), ("tap_rows", ctypes.c_int)]  # noqa: RUF012


class StreamedTapLaunch(ctypes.Structure):
    """`popsnn::StreamedTapLaunch`, whose size is a multiple of 64 bytes."""

    __slots__ = ()
    _fields_ = [
        ("maps", ctypes.c_byte * (3 * MAP_BYTES)),
        ("rest", StreamedTapArguments),
        ("padding", ctypes.c_byte * 64),
    ]


class StreamedCappedArguments(StreamedArguments):
    """`popsnn::StreamedCappedArguments` of `cuda/popsnn/recurrent/streamed/capacity.cuh`."""

    __slots__ = ()
    _fields_ = [  # noqa: RUF012
        ("capacity", RecurrentCapacity),
        ("fired", ctypes.c_void_p),
        ("without", ctypes.c_void_p),
    ]


class StreamedCappedLaunch(ctypes.Structure):
    """`popsnn::StreamedCappedLaunch`, whose size is a multiple of 64 bytes."""

    __slots__ = ()
    _fields_ = [
        ("maps", ctypes.c_byte * (3 * MAP_BYTES)),
        ("rest", StreamedCappedArguments),
        ("padding", ctypes.c_byte * 64),
    ]


Launch = Union[StreamedLaunch, StreamedDelayedLaunch, StreamedTapLaunch, StreamedCappedLaunch]


def matrix_map(matrix: Tensor, columns: int, box: tuple[int, int]) -> bytes:
    """Return what the copy engine needs to know of a matrix, `popsnn::MatrixMap`.

    Of [rows, pitch] it has the first columns. A box is of rows and columns, 64 or 128 bytes of
    these.
    """
    rows, pitch = matrix.shape
    return _matrix_map(matrix.data_ptr(), matrix.dtype, rows, columns, pitch, box)


@lru_cache(maxsize=256)
def _matrix_map(
    address: int, dtype: torch.dtype, rows: int, columns: int, pitch: int, box: tuple[int, int]
) -> bytes:
    from cuda.bindings import driver

    kinds, swizzles = driver.CUtensorMapDataType, driver.CUtensorMapSwizzle
    kind = {
        torch.float32: kinds.CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        torch.bfloat16: kinds.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        torch.float16: kinds.CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    }[dtype]
    half = box[1] * dtype.itemsize == 64
    number, count = driver.cuuint32_t, driver.cuuint64_t
    status, tensor_map = driver.cuTensorMapEncodeTiled(
        kind,
        2,
        address,
        [count(columns), count(rows)],
        [count(pitch * dtype.itemsize)],
        [number(box[1]), number(box[0])],
        [number(1), number(1)],
        driver.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
        swizzles.CU_TENSOR_MAP_SWIZZLE_64B if half else swizzles.CU_TENSOR_MAP_SWIZZLE_128B,
        driver.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        driver.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    )
    if status:
        raise RuntimeError(
            f"matrix_map: expected the driver to map a matrix of {rows} rows and {columns} "
            f"columns, got {status}"
        )
    return ctypes.string_at(tensor_map.getPtr(), MAP_BYTES)


def pitch(neurons: int) -> int:
    """Return the elements of a row of weights or of messages."""
    return -(-neurons // PITCH) * PITCH


@lru_cache(maxsize=None)
def source(
    direction: str,
    neuron: str,
    gradient: str,
    layout: tuple[int, ...],  # tiles of samples, tiles of neurons a warp, planes
    dtype: torch.dtype,
    weight: torch.dtype,
    vector: int,
    membranes: bool = False,
    learn: bool = False,
    columns: bool = False,
    stages: tuple[int, ...] = (),
    delay: str = "",
    capped: bool = False,
) -> str:
    """Return the kernel `recurrent_streamed_<direction>`; `arguments.kernel_source` has the rest.

    `vector` is the neurons of a thread, 4 or 1. Weights may lie by `columns`. Without a copy engine
    a block has so many `stages` for weights and for messages. `delay` is C++ of the kind of delays;
    a layer that is `capped`, with a capacity, has none.
    """
    name = f"recurrent_streamed_{direction}"
    options = ["Layout", "Neuron", *(["Gradient"] if gradient else []), TYPES[dtype], str(vector)]
    flags = [*([membranes, learn] if gradient else []), columns]
    options += [str(flag).lower() for flag in flags] + ([delay] if delay else [])
    arguments = "StreamedDelayedLaunch" if delay else "StreamedLaunch"
    arguments = "StreamedTapLaunch" if delay.endswith(KINDS["synaptic"]) else arguments
    if capped:
        options += ["popsnn::Delay::kNone", "true"]
        arguments = "StreamedCappedLaunch"
    shape, kernel = "StreamedShape", "PERSISTENT_KERNEL"
    if stages:
        layout = (*layout, *stages)
        shape, kernel = "StreamedAsyncShape", "COOPERATIVE_KERNEL"
    sizes = ", ".join(str(size) for size in layout)
    lines = [
        "#include <popsnn/neurons/neuron.cuh>",
        f"#include <popsnn/recurrent/streamed/{direction}.cuh>",
        neuron,
        gradient,
        f"using Layout = popsnn::{shape}<{TYPES[weight]}, {sizes}>;",
        f"{kernel}(Layout::kThreads) {name}(POPSNN_ARGUMENT popsnn::{arguments} a) "
        f"{{ popsnn::{name}<{', '.join(options)}>(a.maps, a.rest); }}",
    ]
    return "\n".join(lines)


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, pitch], float32 or 16 bits: to, from; by columns from, to; of synaptic
    # delays [D + 1, tap_rows, pitch]
    messages: Tensor,  # 16 bits [planes, T, B, pitch], any beyond N; of synaptic delays [planes,
    # T + D + 1, B, pitch], with those before the first step, or zeros behind the last
    tensors: Tensors,
    states: Sequence[Tensor],  # of float32 [B, N], which the kernel carries from step to step
    *,
    before: Tensor | None = None,  # 16 bits [B, pitch]
    learn: bool = False,
    columns: bool = False,
    begin: Tensor | None = None,  # int32 [1]: the first step that is not done yet
    delays: Delays | None = None,
    line: Tensor | None = None,  # [.., B, N] from step 0 on: popsnn::RecurrentDelays
    capacity: Capacity | None = None,
) -> Tensor | None:
    """Run one direction, by several launches where one has not room for all groups of samples.

    Returns the gradients of the parameters where they `learn`, [parameters, rows, N], to be summed
    over rows.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    from .plan import plan  # importing popsnn loads as little as it can

    steps, batch, neurons = x.shape
    size = weight.element_size()
    planes = messages.shape[0]
    engine = has_copy_engine(x.device)
    most_bytes = None if engine else shared_bytes(x.device)
    taps = weight.shape[0] if weight.dim() == 3 else 1
    laid = plan(neurons, size, multiprocessors(x.device), batch, planes, most_bytes, taps)
    of_steps = messages[:, messages.shape[1] - steps :] if direction == "forward" else messages
    rows = {**tensors.rows, "messages": of_steps}
    tensors = Tensors(rows, {**tensors.states, "state": states})
    vector = 4 if tensors.aligned(neurons, 4) else 1
    groups = laid.groups_of(batch)
    learnt = None
    if learn:
        shape = (len(cell.options.values), groups * laid.rows(vector), neurons)
        learnt = torch.zeros(shape, dtype=torch.float32, device=x.device)
    text = source(
        direction, cell.options.neuron, cell.gradient_source(direction),
        (laid.sample_tiles, laid.row_tiles, planes), x.dtype, weight.dtype, vector,
        tensors.rows.get("grad_membrane") is not None, learn, columns, laid.stages,
        "" if delays is None else delays.source, capacity is not None,
    )  # fmt: skip
    sums = x.new_empty((laid.groups, 2, laid.blocks, laid.samples, laid.outs), dtype=torch.float32)
    firsts = range(0, groups, laid.groups)
    arrivals = torch.zeros(
        (len(firsts), laid.groups, 1 + laid.teams), dtype=torch.int32, device=x.device
    )
    whole: Launch = _launch_of(weight, delays, line)
    if capacity is not None:
        # As all memory of torch, it is that of later work on this stream when the call has ended.
        fired = torch.zeros(x.shape[:2], dtype=torch.int32, device=x.device)
        shape = (cell.options.states - 1, *x.shape[1:])
        without = x.new_empty(shape if direction == "forward" else 0, dtype=torch.float32)
        whole = StreamedCappedLaunch()
        capacity.fill(whole.rest.capacity)
        whole.rest.fired, whole.rest.without = fired.data_ptr(), without.data_ptr()
    if engine:
        depth = STAGE_ROW // size
        transposed = columns != (direction == "backward")
        rows_of_weights = weight.reshape(-1, weight.shape[-1])
        maps = [matrix_map(rows_of_weights, neurons, (depth if transposed else laid.outs, depth))]
        for sent in (messages.flatten(0, 2), before):  # [planes T B, pitch]
            if sent is not None:
                maps.append(matrix_map(sent, neurons, (laid.samples, depth)))
        ctypes.memmove(whole.maps, b"".join(maps), MAP_BYTES * len(maps))
    arguments = whole.rest
    fill(arguments, cell, x, weight, tensors, learnt, 0, batch)
    arguments.sums = sums.data_ptr()
    arguments.before = None if before is None else before.data_ptr()
    if taps > 1:
        arguments.before = messages.data_ptr()
    arguments.begin = None if begin is None else begin.data_ptr()
    arguments.plane = messages[0].numel()
    arguments.message_row = batch * messages.shape[-1]
    arguments.plane_rows, arguments.group_samples = messages.shape[1] * batch, laid.samples
    arguments.first_step = 1 if before is None and taps == 1 else 0
    arguments.pitch, arguments.ranks = messages.shape[-1], laid.ranks
    arguments.teams, arguments.tiles = laid.teams, laid.tiles
    kernels = module.load(cell.typed(text), x.device)
    for first, of_launch in zip(firsts, arrivals):
        arguments.arrivals, arguments.first_group = of_launch.data_ptr(), first
        kernels.launch(
            f"recurrent_streamed_{direction}",
            laid.blocks * min(laid.groups, groups - first),
            THREADS if engine else STEPPERS,
            laid.shared_bytes(size, planes),
            whole,
            together=True,
        )
    return learnt


def _launch_of(weight: Tensor, delays: Delays | None, line: Tensor | None) -> Launch:
    """Return the kernel's argument with its delays alone."""
    if delays is None:
        return StreamedLaunch()
    if delays.kind == "synaptic":
        of_taps = StreamedTapLaunch()
        of_taps.rest.taps, of_taps.rest.tap_rows = weight.shape[:2]
        return of_taps
    delayed = StreamedDelayedLaunch()
    delays.fill(delayed.rest.delays, line=line)
    return delayed
