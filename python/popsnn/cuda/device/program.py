"""The C++ that is compiled: a neuron, a surrogate, and one entry point for every access width."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import TYPE_CHECKING

import torch

from ...surrogate import Custom, Surrogate

if TYPE_CHECKING:
    from ...functional.neuron import Neuron

MAX_STATES = 12  # of a neuron: kMaxStates
MAX_PARAMETERS = 16  # kMaxParameters
MAX_INPUTS = 4  # kMaxInputs
THREADS = 32  # kThreads
CHUNK = 32  # steps between checkpoints, a saved state, of which at most four count
CHUNKS_OF_STATES = 20  # times CHUNK steps fit shared memory: checkpoint_interval()
GROUP_ROWS = 8  # kGroupRows
RING_GROUPS = 4  # kGroups: rows in flight to a thread, see cuda/popsnn/device/row_ring.cuh
DEEP_RING_GROUPS = 8  # kDeepGroups: forward, where a thread has NARROW_BYTES of a row at most
NARROW_BYTES = 4  # kNarrowBytes

TYPES = {torch.float32: "float", torch.bfloat16: "popsnn::Bf16", torch.float16: "popsnn::Half"}
VECTORS = {4: (4, 2, 1), 2: (8, 4, 2, 1)}  # neurons a thread, by element size: 16 bytes and fewer
FORMS = {"none": "none", "float": "value", "int8": "int8", "bits": "bits"}  # SpikeForm

_Pointers = ctypes.c_void_p * MAX_STATES
_ParameterPointers = ctypes.c_void_p * MAX_PARAMETERS
_OtherPointers = ctypes.c_void_p * (MAX_INPUTS - 1)
_Counts = ctypes.c_longlong * MAX_PARAMETERS


class ScanArguments(ctypes.Structure):
    """`popsnn::ScanArguments` of `cuda/popsnn/scan/scan.cuh`, which says what they are."""

    __slots__ = ()
    _fields_ = [
        ("x", ctypes.c_void_p),
        ("spikes", ctypes.c_void_p),
        ("membrane", ctypes.c_void_p),
        ("checkpoints", ctypes.c_void_p),
        ("initial", _Pointers),
        ("final", _Pointers),
        ("grad_spikes", ctypes.c_void_p),
        ("grad_membrane", ctypes.c_void_p),
        ("grad_final", _Pointers),
        ("grad_x", ctypes.c_void_p),
        ("grad_initial", _Pointers),
        ("grad_parameter", _ParameterPointers),
        ("parameter", _ParameterPointers),
        ("parameter_inner", _Counts),
        ("parameter_period", _Counts),
        ("neurons", ctypes.c_longlong),
        ("grad_stride", ctypes.c_longlong),
        ("scalar", ctypes.c_float * MAX_PARAMETERS),
        ("maps", ctypes.c_void_p),
        ("surrogate", ctypes.c_float),
        ("grad_threshold", ctypes.c_float),
        ("steps", ctypes.c_int),
        ("segments", ctypes.c_int),
        ("segment_chunks", ctypes.c_int),
    ]


class SeveralArguments(ScanArguments):
    """`popsnn::SeveralArguments`, of neurons of several inputs."""

    __slots__ = ()
    _fields_ = [("other_x", _OtherPointers), ("grad_other_x", _OtherPointers)]


def arguments_kind(inputs: int) -> type[ScanArguments]:
    """Return the arguments of the kernels of a neuron with so many inputs."""
    return ScanArguments if inputs == 1 else SeveralArguments


def chunk(saved: int) -> int:
    """Return the steps between the checkpoints of a neuron with so many saved states."""
    return CHUNK * min(saved, 4, CHUNKS_OF_STATES // saved)


@lru_cache(maxsize=None)
def forward_source(
    neuron: str, dtype: torch.dtype, tensors: int, form: str, membrane: bool, inputs: int = 1
) -> str:
    """Return the forward kernels of a neuron of so many inputs, C++ that declares `Neuron`.

    Bit i of `tensors` says that parameter i is a tensor. The entry points are
    `scan_forward_<vector>`; for spikes as bits `scan_forward_bits` and, where rows are not whole
    bytes or not aligned, `scan_forward_bits_any`.
    """
    lines = ["#include <popsnn/scan/scan.cuh>", neuron]
    entries = [(f"{vector}", vector, "true") for vector in VECTORS[dtype.itemsize]]
    if form == "bits":
        entries = [("bits", 8, "true"), ("bits_any", 8, "false")]
    kind = arguments_kind(inputs).__name__
    for suffix, vector, whole in entries:
        options = (
            f"Neuron, {TYPES[dtype]}, {vector}, {whole}, {tensors}u, "
            f"popsnn::SpikeForm::{FORMS[form]}, {str(membrane).lower()}"
        )
        lines.append(entry(f"scan_forward_{suffix}", kind, f"scan_forward<{options}>"))
    return "\n".join(lines)


def with_more_states(neuron: Neuron) -> str | None:
    """Return why kernels that save a neuron's states alone cannot run it, or None."""
    if not neuron.translation().added:
        return None
    return f"{neuron} needs more for its backward pass than the states after a step"


def without_slope(surrogate: Surrogate) -> str | None:
    """Return why there is no C++ of a surrogate, or None where there is."""
    try:
        source = surrogate.cuda_source
    except NotImplementedError as error:
        return str(error)
    return f"the surrogate {surrogate.name} has no CUDA expression" if source is None else None


def gradient_source(neuron: Neuron, surrogate: Surrogate, gated: bool) -> str:
    """Return C++ that declares `Gradient`, the derivative of a spike by the membrane."""
    source = surrogate.cuda_source if neuron.spiking else "using Shape = popsnn::Rectangle; "
    return f"{source}using Gradient = popsnn::Gradient<Shape, {'true' if gated else 'false'}>;"


def parameter_of(surrogate: Surrogate) -> float:
    """Return the slope or width that the kernels get; 0 where the surrogate has none."""
    return 0.0 if isinstance(surrogate, Custom) else surrogate.parameter


def backward_vectors(element_size: int, saved: int, learn: bool) -> tuple[int, ...]:
    """Return how many neurons a thread of the backward kernels may take.

    With more states than these, registers do not suffice: `tests/cuda/device/test_compile.py`.
    """
    states = 4 if learn else 8
    return tuple(
        vector for vector in VECTORS[element_size] if vector == 1 or vector * saved <= states
    )


@lru_cache(maxsize=None)
def backward_source(
    neuron: str,
    gradient: str,
    dtype: torch.dtype,
    tensors: int,
    learn: bool,
    grads: str,
    saved: int,
    carried: int,
    inputs: int = 1,
) -> str:
    """Return the backward kernels `scan_backward_<vector>`; `gradient` declares `Gradient`.

    `learn` says whether they compute the gradients of the parameters, `grads` which outputs have a
    gradient: "none", "spikes", "membrane" or "both". `saved` is the number of states that backward
    needs, `carried` is `Translation.carried`, `inputs` the number of input currents.
    """
    lines = ["#include <popsnn/scan/backward.cuh>", neuron, gradient]
    for vector in backward_vectors(dtype.itemsize, saved, learn):
        options = (
            f"Neuron, Gradient, {TYPES[dtype]}, {vector}, {tensors}u, {str(learn).lower()}, "
            f"popsnn::From::{grads}, {carried}u"
        )
        # Without the 1, NVRTC 13.0 keeps the narrowest kernels to 64 registers, and some spill.
        bounds = "popsnn::kThreads, 1" if vector == 1 else "popsnn::kThreads"
        call, kind = f"scan_backward<{options}>", arguments_kind(inputs).__name__
        lines.append(entry(f"scan_backward_{vector}", kind, call, bounds))
    return "\n".join(lines)


def segment_vectors(element_size: int, saved: int, learn: bool, inputs: int = 1) -> tuple[int, ...]:
    """Return the elements per thread where the backward pass has several time shards.

    With more states than these, shared memory would not hold six warps a multiprocessor. With more
    bytes of a row of all inputs, registers do not suffice.
    """
    return tuple(
        vector
        for vector in backward_vectors(element_size, saved, learn)
        if vector * saved <= 4 and vector * element_size * inputs <= 32
    )


@lru_cache(maxsize=None)
def maps_source(
    neuron: str,
    gradient: str,
    dtype: torch.dtype,
    tensors: int,
    grads: str,
    saved: int,
    carried: int,
    inputs: int = 1,
) -> str:
    """Return the kernels `segment_maps_<vector>`; the arguments are those of `backward_source`."""
    lines = ["#include <popsnn/scan/segment_maps.cuh>", neuron, gradient]
    for vector in segment_vectors(dtype.itemsize, saved, False, inputs):
        options = (
            f"Neuron, Gradient, {TYPES[dtype]}, {vector}, {tensors}u, popsnn::From::{grads}, "
            f"{carried}u"
        )
        call, kind = f"segment_maps<{options}>", arguments_kind(inputs).__name__
        lines.append(entry(f"segment_maps_{vector}", kind, call, "popsnn::kThreads, 1"))
    return "\n".join(lines)


def entry(
    name: str, arguments: str, call: str, bounds: str = "popsnn::kThreads", kind: str = "POPSNN"
) -> str:
    """Return the kernel `name`, which hands the struct `arguments` to the function `call`.

    The kind is that of a macro: `POPSNN_KERNEL`, `PERSISTENT_KERNEL` or `CLUSTER_KERNEL`.
    """
    return (
        f"{kind}_KERNEL({bounds}) {name}"
        f"(POPSNN_ARGUMENT popsnn::{arguments} a) {{ popsnn::{call}(a); }}"
    )


def ring_bytes(vector: int, element_size: int, groups: int = RING_GROUPS) -> int:
    """Return the shared memory of a thread's ring of rows."""
    return groups * GROUP_ROWS * vector * element_size


def forward_ring_bytes(vector: int, element_size: int, steps: int, inputs: int = 1) -> int:
    """Return the shared memory of a thread's ring in forward: `steps` rows of each input."""
    narrow = vector * element_size <= NARROW_BYTES
    groups = DEEP_RING_GROUPS if narrow else RING_GROUPS
    return ring_bytes(vector, element_size, min(groups, inputs * -(-steps // GROUP_ROWS)))


def history_bytes(vector: int, saved: int, steps: int) -> int:
    """Return the shared memory of a thread's states over a chunk, whole groups of rows."""
    rows = -(-min(steps, chunk(saved)) // GROUP_ROWS) * GROUP_ROWS
    return rows * saved * vector * 4
