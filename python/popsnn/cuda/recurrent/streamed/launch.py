"""The kernels of a recurrent layer that reads its weights at every step: plan, source, launch."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import Iterator, Sequence

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES
from ...device.properties import has_copy_engine, multiprocessors, shared_bytes
from ..arguments import MOST_SAMPLES, STATES, Cell, RecurrentArguments, Tensors, fill, launches_of

WARPS = 8  # StreamedShape::kWarps
STEPPERS = 32 * WARPS  # kSteppers
THREADS = STEPPERS + 128  # kThreads
TILE_SAMPLES = 8
SAMPLE_TILES = (1, 2, 3, 4, 6, 8, MOST_SAMPLES // TILE_SAMPLES)  # kSampleTiles
MOST_SHARED = 232448  # bytes of a block of a GPU of compute capability 9.0
FRONT = 1024  # kFront
MESSAGE_STAGES = 5  # kMessageStages
MOST_STAGES = 8  # kMostStages
RESIDENT_STAGES = (2, 3, 4, 5, 6, 8, 10, 12, 16)  # in which all weights of a block can stay
SMALLEST_SHARED = 99 * 1024  # bytes of a block of any GPU of compute capability 8.0 or more
MOST_RANKS = 16  # blocks of a team, which all read each other's sums
STAGE_ROW = 128  # bytes of weights to a neuron that a stage has
MAP_BYTES = 128  # popsnn::MatrixMap
PITCH = 8  # elements of which rows of weights and messages are a multiple

_Pointers = ctypes.c_void_p * STATES


class StreamedArguments(RecurrentArguments):
    """`popsnn::StreamedArguments` of `cuda/popsnn/recurrent/streamed/streamed.cuh`."""

    __slots__ = ()
    _fields_ = [  # noqa: RUF012
        ("state", _Pointers),
        ("before", ctypes.c_void_p),
        ("arrivals", ctypes.c_void_p),
        ("plane", ctypes.c_longlong),
        ("message_row", ctypes.c_longlong),
        ("plane_rows", ctypes.c_int),
        ("whole_batch", ctypes.c_int),
        ("first_sample", ctypes.c_int),
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
    wide = dtype == torch.float32
    kind = kinds.CU_TENSOR_MAP_DATA_TYPE_FLOAT32 if wide else kinds.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
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


@dataclass(frozen=True)
class Plan:
    """Layout of a layer on the multiprocessors: `popsnn::StreamedShape` and its grid."""

    row_tiles: int  # of 16 neurons a warp
    ranks: int  # blocks of a team
    teams: int
    tiles: int  # of `outs` neurons

    @property
    def outs(self) -> int:
        """Neurons of a tile."""
        return WARPS * 16 * self.row_tiles

    @property
    def blocks(self) -> int:
        """Blocks of the grid."""
        return self.teams * self.ranks

    @property
    def width(self) -> int:
        """Neurons of a tile that a rank steps: `popsnn::StreamedCells`."""
        return 8 * -(-self.outs // (8 * self.ranks))

    def chunks(self, neurons: int, element_size: int) -> int:
        """Return the chunks of weights that a block reads at each step."""
        senders = -(-neurons // (STAGE_ROW // element_size))
        return -(-self.tiles // self.teams) * -(-senders // self.ranks)

    def rows(self, vector: int) -> int:
        """Return the samples that a block steps at once, `vector` neurons a thread."""
        return STEPPERS // (self.width // vector)

    def shared_bytes(
        self, sample_tiles: int, element_size: int, planes: int, stages: tuple[int, ...] = ()
    ) -> int:
        """Return the shared memory of a block; `stages` as in `source`."""
        weights, messages = stages or (MOST_STAGES, MESSAGE_STAGES)
        front = FRONT + messages * message_bytes(sample_tiles, element_size, planes)
        stage = self.outs * STAGE_ROW
        return front + stage * min(weights, (MOST_SHARED - front) // stage)


def message_bytes(sample_tiles: int, element_size: int, planes: int) -> int:
    """Return the bytes of a stage of messages: kMessageBytes."""
    return planes * TILE_SAMPLES * sample_tiles * 2 * (STAGE_ROW // element_size)


@lru_cache(maxsize=None)
def plan(neurons: int, element_size: int, multiprocessors: int) -> Plan:
    """Return the plan of a layer of N neurons whose blocks have the least weights to read.

    Of equal plans it is that of fewer blocks a team: they exchange less.
    """
    return min(
        _plans(neurons, element_size, multiprocessors),
        key=lambda plan: (plan.chunks(neurons, element_size) * plan.outs, plan.ranks),
    )


@lru_cache(maxsize=None)
def async_plan(
    neurons: int, element_size: int, multiprocessors: int, message_stage: int, most_bytes: int
) -> tuple[Plan, tuple[int, ...]]:
    """Return the plan on a GPU without a copy engine, and its stages for weights and messages.

    A stage of messages is of `message_stage` bytes, and a block may have `most_bytes`.
    """
    best, stages = None, {}
    for plan in _plans(neurons, element_size, multiprocessors):
        chunks = plan.chunks(neurons, element_size)
        found = async_stages(plan.outs * STAGE_ROW, chunks, message_stage, most_bytes - FRONT)
        if found:
            stages[plan] = found
            key = (chunks * plan.outs, plan.ranks)
            if best is None or key < best[0]:
                best = key, plan
    if best is None:
        raise RuntimeError(
            f"recurrent layer: expected a GPU whose blocks may have {SMALLEST_SHARED} bytes of "
            f"shared memory, got {most_bytes}"
        )
    return best[1], stages[best[1]]


def async_stages(weight_stage: int, chunks: int, message_stage: int, room: int) -> tuple[int, ...]:
    """Return the stages for weights and messages of a block's chunks; none where two do not fit.

    The arguments but `chunks` are bytes. Weights stay in shared memory where it holds all of a
    block. Else the copy of a chunk's weights ends with that of its messages, so both have as many.
    """
    weights = next((count for count in RESIDENT_STAGES if count >= chunks), 0)
    messages = min(MOST_STAGES, (room - weights * weight_stage) // message_stage)
    if weights and messages >= min(3, 1 + chunks):
        return weights, messages
    both = min(MOST_STAGES, room // (weight_stage + message_stage))
    return (both, both) if both > 1 else ()


def _plans(neurons: int, element_size: int, multiprocessors: int) -> Iterator[Plan]:
    chunks = -(-neurons // (STAGE_ROW // element_size))
    for row_tiles in (1, 2):
        tiles = -(-neurons // (WARPS * 16 * row_tiles))
        rounds = -(-tiles // multiprocessors)
        teams = -(-tiles // rounds)
        for ranks in range(1, min(MOST_RANKS, chunks, multiprocessors // teams) + 1):
            yield Plan(row_tiles, ranks, teams, tiles)


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
) -> str:
    """Return the kernel `recurrent_streamed_<direction>`; `arguments.kernel_source` has the rest.

    `vector` is the neurons of a thread, 4 or 1. Forward may read weights by `columns`. Without a
    copy engine a block has so many `stages` for weights and for messages.
    """
    name = f"recurrent_streamed_{direction}"
    options = ["Layout", "Neuron", *(["Gradient"] if gradient else []), TYPES[dtype], str(vector)]
    options += [str(flag).lower() for flag in ([membranes, learn] if gradient else [columns])]
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
        f"{kernel}(Layout::kThreads) {name}(POPSNN_ARGUMENT popsnn::StreamedLaunch a) "
        f"{{ popsnn::{name}<{', '.join(options)}>(a.maps, a.rest); }}",
    ]
    return "\n".join(lines)


def _sample_tiles(samples: int) -> int:
    """Return the tiles of samples of a launch's kernel."""
    return next(tiles for tiles in SAMPLE_TILES if TILE_SAMPLES * tiles >= samples)


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, pitch], float32 or bfloat16: to, from; by columns from, to
    messages: Tensor,  # bfloat16 [planes, T, B, pitch], any beyond N
    tensors: Tensors,
    states: Sequence[Tensor],  # of float32 [B, N], which the kernel carries from step to step
    *,
    before: Tensor | None = None,  # bfloat16 [B, pitch]
    learn: bool = False,
    columns: bool = False,
) -> Tensor | None:
    """Run one direction; a batch of more samples than a launch takes has several launches.

    Returns the gradients of the parameters where they `learn`, [launches, parameters, rows, N],
    to be summed over launches and rows.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    size = weight.element_size()
    planes = messages.shape[0]
    launches = launches_of(batch, TILE_SAMPLES)
    engine = has_copy_engine(x.device)
    count = multiprocessors(x.device)
    laid = plan(neurons, size, count)
    stages: tuple[int, ...] = ()
    if not engine:
        widest = _sample_tiles(max(samples for _, samples in launches))
        laid, stages = async_plan(
            neurons, size, count, message_bytes(widest, size, planes), shared_bytes(x.device)
        )
    rows = {**tensors.rows, "messages": messages}
    tensors = Tensors(rows, {**tensors.states, "state": states})
    vector = 4 if tensors.aligned(neurons, 4) else 1
    depth = STAGE_ROW // size
    transposed = columns or direction == "backward"
    box = (depth if transposed else laid.outs, depth)
    learnt = None
    if learn:
        shape = (len(launches), len(cell.options.values), laid.rows(vector), neurons)
        learnt = torch.zeros(shape, dtype=torch.float32, device=x.device)
    for number, (first, count) in enumerate(launches):
        samples = _sample_tiles(count)
        text = source(
            direction, cell.options.neuron, cell.gradient_source(direction),
            (samples, laid.row_tiles, planes), x.dtype, weight.dtype, vector,
            tensors.rows.get("grad_membrane") is not None, learn, columns, stages,
        )  # fmt: skip
        sums = x.new_empty((2, laid.blocks, TILE_SAMPLES * samples, laid.outs), dtype=torch.float32)
        arrivals = torch.zeros(1 + laid.teams, dtype=torch.int32, device=x.device)
        whole = StreamedLaunch()
        if engine:
            maps = [matrix_map(weight, neurons, box)]
            for sent in (messages.flatten(0, 2), before):  # [planes T B, pitch]
                if sent is not None:
                    maps.append(matrix_map(sent, neurons, (TILE_SAMPLES * samples, depth)))
            ctypes.memmove(whole.maps, b"".join(maps), MAP_BYTES * len(maps))
        arguments = whole.rest
        of_launch = None if learnt is None else learnt[number]
        fill(arguments, cell, x, weight, tensors, of_launch, first, count)
        arguments.sums = sums.data_ptr()
        arguments.before = None if before is None else before[first:].data_ptr()
        arguments.arrivals = arrivals.data_ptr()
        arguments.plane = messages[0].numel()
        arguments.message_row = batch * messages.shape[-1]
        arguments.plane_rows, arguments.whole_batch = steps * batch, batch
        arguments.first_sample = first
        arguments.first_step = 1 if before is None else 0
        arguments.pitch, arguments.ranks = messages.shape[-1], laid.ranks
        arguments.teams, arguments.tiles = laid.teams, laid.tiles
        module.load(text, x.device).launch(
            f"recurrent_streamed_{direction}",
            laid.blocks,
            THREADS if engine else STEPPERS,
            laid.shared_bytes(samples, size, planes, stages),
            whole,
            together=True,
        )
    return learnt
