"""Arguments of all kernels of recurrent layers, whatever the strategy."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Sequence, Tuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from ..device import launch
from ..device.launch import aligned
from ..device.program import entry
from ..layer.launch import DropSeed

STATES = 12  # of a neuron at most: kRecurrentStates
PARAMETERS = 16  # kRecurrentParameters
MOST_SAMPLES = 96  # of a launch, for which shared memory suffices in every shape
MOST_PARTS = 4  # kParts: of a batch, in a launch
VECTOR = 8  # weights of 16 bits that are read at once
TIMEOUT = 4_000_000_000  # nanoseconds: the longest wait of a block for a message

_Pointers = ctypes.c_void_p * STATES
_ParameterPointers = ctypes.c_void_p * PARAMETERS


class RecurrentArguments(ctypes.Structure):
    """`popsnn::RecurrentArguments`, whose fields `cuda/popsnn/recurrent/recurrent.cuh` explains."""

    __slots__ = ()
    _fields_ = [
        ("x", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("spikes", ctypes.c_void_p),
        ("spikes16", ctypes.c_void_p),
        ("membrane", ctypes.c_void_p),
        ("extra", ctypes.c_void_p * (STATES - 2)),
        ("initial", _Pointers),
        ("final", _Pointers),
        ("grad_spikes", ctypes.c_void_p),
        ("grad_membrane", ctypes.c_void_p),
        ("grad_final", _Pointers),
        ("grad_x", ctypes.c_void_p),
        ("grad_x16", ctypes.c_void_p),
        ("grad_initial", _Pointers),
        ("grad_parameter", _ParameterPointers),
        ("parameter", _ParameterPointers),
        ("messages", ctypes.c_void_p),
        ("sums", ctypes.c_void_p),
        ("status", ctypes.c_void_p),
        ("row", ctypes.c_longlong),
        ("timeout", ctypes.c_longlong),
        ("scalar", ctypes.c_float * PARAMETERS),
        ("surrogate", ctypes.c_float),
        ("grad_threshold", ctypes.c_float),
        ("steps", ctypes.c_int),
        ("batch", ctypes.c_int),
        ("neurons", ctypes.c_int),
        ("first", ctypes.c_int),
    ]


class RecurrentParts(ctypes.Structure):
    """`popsnn::RecurrentParts` of `cuda/popsnn/recurrent/recurrent.cuh`."""

    __slots__ = ()
    _fields_ = [("part", RecurrentArguments * MOST_PARTS), ("blocks", ctypes.c_int)]


class RecurrentOptions(NamedTuple):
    """Options of a call: all but its tensors."""

    neuron: str  # C++ that declares `Neuron`
    states: int
    tensor_indices: Tuple[int, ...]  # which parameters are tensors
    values: Tuple[float, ...]  # of the others
    gradient: str  # C++ that declares `Gradient`
    surrogate: float
    grad_threshold: float
    membrane: bool
    final: bool
    exact: bool  # whether the products take weights of float32
    delay: str = ""  # "axonal", "dendritic" or "synaptic": of the layer's own spikes
    longest: int = 0  # delay, D
    learn_delay: bool = False
    whole_delay: bool = False  # whether they have to be whole; others are rounded
    half: bool = False  # whether 16 bits are float16, which are bfloat16 otherwise
    narrow: bool = False  # whether spikes, their gradients and those of x are of 16 bits, not as x
    biased: bool = False  # whether the last parameter is a bias of x

    @property
    def sixteen(self) -> torch.dtype:
        """The type of 16 bits that neurons send, and that products have unless they are exact."""
        return torch.float16 if self.half else torch.bfloat16

    @property
    def product(self) -> torch.dtype:
        """The type that the products take weights of."""
        return torch.float32 if self.exact else self.sixteen

    @property
    def simple(self) -> bool:
        """Whether registers suffice for the neuron in every strategy."""
        return max(self.states, len(self.values) - self.biased) <= 2

    def with_bias(self) -> RecurrentOptions:
        """Return the options with a bias of x as the last parameter, a tensor."""
        at = max(1, len(self.values))  # no neuron has fewer
        source = (
            f"namespace unbiased {{ {self.neuron} }} using Neuron = "
            f"popsnn::Biased<unbiased::Neuron>; static_assert(Neuron::kBias == {at});"
        )
        return self._replace(
            neuron=source,
            tensor_indices=(*self.tensor_indices, at),
            values=(*self.values, *[0.0] * (at + 1 - len(self.values))),
            biased=True,
        )

    def spike_row(self, x: torch.dtype) -> torch.dtype:
        """Return the type of spikes, of their gradients and those of x: `SpikeRow` in C++."""
        return self.sixteen if self.narrow else x


def typed(source: str, *, half: bool = False, narrow: bool = False) -> str:
    """Return a kernel's source for the types of a call: `popsnn/recurrent/sixteen.cuh`."""
    sixteen = "#define POPSNN_SIXTEEN Half\n" if half else ""
    rows = "#define POPSNN_NARROW_SPIKES\n" if narrow else ""
    return sixteen + rows + source


class RecurrentCapacity(ctypes.Structure):
    """`popsnn::RecurrentCapacity` of `cuda/popsnn/recurrent/capacity.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("flags", ctypes.c_void_p),
        ("calls", ctypes.c_void_p),
        ("seed", ctypes.c_uint),
        ("layer", ctypes.c_uint),
        ("first_step", ctypes.c_uint),
        ("padded", ctypes.c_int),
        ("limit", ctypes.c_int),
    ]


class Capacity(NamedTuple):
    """The capacity of a call, and a byte of each neuron that the kernels leave to each other.

    Kernels take it as a number, so that all capacities of a layer have the same kernels.
    """

    limit: int
    drop_seed: DropSeed
    flags: Tensor  # uint8 [T, B, P]

    def fill(self, record: RecurrentCapacity) -> None:
        """Write a kernel's record."""
        seed = self.drop_seed
        record.flags, record.calls = self.flags.data_ptr(), launch.pointer(seed.calls)
        record.seed, record.layer, record.first_step = seed.seed, seed.layer, seed.first_step
        record.padded, record.limit = self.flags.shape[-1], self.limit


class Cell(NamedTuple):
    """The neuron: its options, and those of its parameters that are tensors, float32 [N]."""

    options: RecurrentOptions
    tensors: Sequence[Tensor]
    scale: Tensor | None = None  # float32 []: of gradients, backward of float16

    def gradient_source(self, direction: str) -> str:
        """Return C++ that declares `Gradient`, which kernels of the forward pass lack."""
        return self.options.gradient if direction == "backward" else ""

    def typed(self, source: str) -> str:
        """Return a kernel's source for the types of the call."""
        return typed(source, half=self.options.half, narrow=self.options.narrow)

    def weight_gradient(self, weight: Tensor) -> torch.dtype:
        """Return the type of the weights' gradient, of float16 before it is unscaled."""
        return torch.float32 if self.options.half else weight.dtype

    def fill(self, arguments: RecurrentArguments, learnt: Tensor | None) -> None:
        """Write all numbers, and pointers to the tensors and to their gradients, if they have any.

        `learnt` [parameters, ...] has the gradient of each parameter.
        """
        options = self.options
        if self.scale is not None:
            arguments.x = self.scale.data_ptr()
        arguments.surrogate = options.surrogate
        arguments.grad_threshold = options.grad_threshold
        for index, value in enumerate(options.values):
            arguments.scalar[index] = value
        for row, tensor in zip(options.tensor_indices, self.tensors):
            arguments.parameter[row] = tensor.data_ptr()
            if learnt is not None:
                arguments.grad_parameter[row] = learnt[row].data_ptr()


class Tensors(NamedTuple):
    """The tensors over time and over a batch, by their names in the arguments.

    `rows` are [T, B, N], `states` lists of [B, N] or [T, B, N]; what is missing is null.
    """

    rows: dict[str, Tensor | None]
    states: dict[str, Sequence[Tensor]]

    def fill(self, arguments: RecurrentArguments, first: int) -> None:
        """Write pointers to sample `first` into the arguments."""
        for name, tensor in self.rows.items():
            setattr(arguments, name, pointer(tensor, first))
        for name, several in self.states.items():
            for index, tensor in enumerate(several):
                getattr(arguments, name)[index] = pointer(tensor, first)

    def aligned(self, neurons: int, vector: int) -> bool:
        """Whether so many neighbouring neurons are aligned in all of them."""
        tensors = [tensor for tensor in self.rows.values() if tensor is not None]
        tensors += [tensor for several in self.states.values() for tensor in several]
        return neurons % vector == 0 and all(
            tensor.data_ptr() % (vector * tensor.element_size()) == 0 for tensor in tensors
        )


def launches_of(
    batch: int, unit: int, parts: int = 1, most: int | None = None
) -> list[list[tuple[int, int]]]:
    """Return the first sample and the number of samples of each part of each launch.

    A part has `most` samples at most, a multiple of `unit`; default: `MOST_SAMPLES`. Parts are as
    even as whole units allow; all but the last are equal, which the kernels rely on.
    """
    most = MOST_SAMPLES if most is None else most
    launches = -(-batch // (most * parts))
    size = unit * -(-batch // (unit * launches * parts))
    samples = [(first, min(size, batch - first)) for first in range(0, batch, size)]
    return [samples[first : first + parts] for first in range(0, len(samples), parts)]


_STATUS: dict[torch.device, Tensor] = {}


def check(device: torch.device) -> Tensor:
    """Return the status int32 [1] of a device, which its kernels set where a wait times out.

    It is memory of the host, so that to look takes no synchronisation; like all errors of kernels
    it shows after the fact, at the next call.

    Raises
    ------
    RuntimeError
        Where a kernel has set it.
    """
    status = _STATUS.get(device)
    if status is None:
        status = _STATUS[device] = torch.zeros(1, dtype=torch.int32, device="cpu", pin_memory=True)
    if int(status):
        status.zero_()
        raise RuntimeError(
            "functional.recurrent_scan: an earlier call timed out: expected every block's message "
            f"within {TIMEOUT / 1e9:g} s, got none; what it returned is NaN"
        )
    return status


def kernel_source(
    name: str,
    header: str,
    options: str,
    layout: str,
    declared: Sequence[str],
    bounds: str,
    kind: str,
    arguments: str = "RecurrentArguments",
) -> str:
    """Return the kernel `name<Layout, Neuron, options>` of a header in `popsnn/recurrent/`.

    `layout` is the C++ type `Layout`, `declared` C++ that declares `Neuron` and what else it takes.
    """
    lines = [
        "#include <popsnn/neurons/neuron.cuh>",
        f"#include <popsnn/recurrent/{header}.cuh>",
        *declared,
        f"using Layout = popsnn::{layout};",
        entry(name, arguments, f"{name}<Layout, Neuron, {options}>", bounds, kind),
    ]
    return "\n".join(lines)


def rows_of_vectors(weight: Tensor, dtype: torch.dtype = torch.bfloat16) -> Tensor:
    """Return weights [N, N] of a type as [N, P], zeros behind N: rows that are read in vectors."""
    missing = -weight.shape[1] % VECTOR
    weight = weight.to(dtype)
    (weight,) = aligned([pad(weight, (0, missing)) if missing else weight])
    return weight


def rounded_narrow(weight: Tensor, dtype: torch.dtype) -> Tensor:
    """Return weights of 16 bits as those of another type, and weights of float32 as they are."""
    return weight.to(dtype) if weight.element_size() == 2 else weight


def fill(
    arguments: RecurrentArguments,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape
    weight: Tensor,
    tensors: Tensors,
    learnt: Tensor | None,  # [parameters, ...], gradients
    first: int,
    count: int,
) -> None:
    """Write what all kernels take, of `count` samples from `first` on.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out.
    """
    steps, batch, neurons = x.shape
    tensors.fill(arguments, first)
    cell.fill(arguments, learnt)
    arguments.weight = weight.data_ptr()
    arguments.status = check(x.device).data_ptr()
    arguments.row = batch * neurons
    arguments.timeout = TIMEOUT
    arguments.steps, arguments.batch, arguments.neurons = steps, count, neurons


def pointer(tensor: Tensor | None, first: int) -> Any:
    """Return the address of sample `first` in a tensor [B, N] or [.., B, N], or null."""
    if tensor is None or tensor.numel() == 0:
        return None
    return tensor.data_ptr() + first * tensor.shape[-1] * tensor.element_size()
