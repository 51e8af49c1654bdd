"""The persistent kernels of a recurrent layer: their source, their arguments and their launch."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Sequence

import torch
from torch import Tensor

from . import module
from .launch import aligned
from .program import TYPES

PRODUCT_WARPS = 8  # kProductWarps
GROUP = 16  # kGroup: samples that are worked on together
MOST_GROUPS = 6  # of a launch, for which shared memory suffices in every shape
STATES = PARAMETERS = 2  # kRecurrentStates, kRecurrentParameters
MOST_QUADS = 32  # of four blocks each: the product warps of a block hold the weights of so many
SETS = {1: 3, 2: 1, 3: 1}  # of cell warps, where blocks do not send sums: kSets
MOST_TILES = 3  # of 8 neurons a block, for whose weights registers suffice
MOST_NEURONS = 32 * MOST_QUADS * MOST_TILES
RANKS = {"forward": 1, "backward": 4}  # blocks of a team
SPIKE_WORDS = 64  # SpikeMessages::kQuadWords
PATIENCE = 4_000_000_000  # nanoseconds that one block may wait for another's message

_Pointers = ctypes.c_void_p * STATES


class RecurrentArguments(ctypes.Structure):
    """`popsnn::RecurrentArguments` of `cuda/popsnn/recurrent.cuh`, which says what they are."""

    _fields_ = [
        ("x", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("spikes", ctypes.c_void_p),
        ("spikes16", ctypes.c_void_p),
        ("membrane", ctypes.c_void_p),
        ("initial", _Pointers),
        ("final", _Pointers),
        ("grad_spikes", ctypes.c_void_p),
        ("grad_membrane", ctypes.c_void_p),
        ("grad_final", _Pointers),
        ("grad_x", ctypes.c_void_p),
        ("grad_x16", ctypes.c_void_p),
        ("grad_initial", _Pointers),
        ("grad_parameter", _Pointers),
        ("parameter", _Pointers),
        ("messages", ctypes.c_void_p),
        ("sums", ctypes.c_void_p),
        ("status", ctypes.c_void_p),
        ("row", ctypes.c_longlong),
        ("patience", ctypes.c_longlong),
        ("scalar", ctypes.c_float * PARAMETERS),
        ("surrogate", ctypes.c_float),
        ("gate", ctypes.c_float),
        ("steps", ctypes.c_int),
        ("batch", ctypes.c_int),
        ("neurons", ctypes.c_int),
    ]


@dataclass(frozen=True)
class Shape:
    """How a layer of N neurons lies on the multiprocessors: `popsnn::RecurrentShape`."""

    neurons: int
    ranks: int

    @property
    def tiles(self) -> int:
        """Tiles of 8 neurons that a block owns."""
        return -(-self.neurons // (32 * MOST_QUADS))

    @property
    def quads(self) -> int:
        """Quads of four blocks."""
        return -(-self.neurons // (32 * self.tiles))

    @property
    def blocks(self) -> int:
        """Blocks of the grid; those beyond the neurons publish zeros."""
        return 4 * self.quads

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return 512 if self.ranks > 1 else 384

    def shared_bytes(self, groups: int, states: int) -> int:
        """Return the shared memory of a block: `popsnn::RecurrentShared`."""
        buffers = 2 if self.ranks > 1 else 2 * SETS[self.tiles]
        partials = buffers * PRODUCT_WARPS * self.ranks
        return 512 * (1 + (partials + states * groups) * self.tiles)

    def sums_shape(self, groups: int) -> tuple[int, ...]:
        """Return the shape of the sums that blocks send each other, if they do."""
        return (2 * groups if self.ranks > 1 else 0, self.blocks, self.ranks, self.tiles, 128)

    def message_words(self, direction: str) -> int:
        """Return the words of a quad's messages of a step and group."""
        return SPIKE_WORDS if direction == "forward" else 2 * self.tiles * 128


@dataclass(frozen=True)
class Cell:
    """The neuron: its C++, its parameters, and how a spike is differentiated.

    `values` has a number a parameter, `tensors` those that are one, float32 [N], at `slots`.
    """

    neuron: str
    values: Sequence[float]
    tensors: Sequence[Tensor]
    slots: Sequence[int]
    gradient: str = ""
    surrogate: float = 0.0
    gate: float = 0.0

    def fill(self, arguments: RecurrentArguments, learnt: Tensor | None) -> None:
        """Write all numbers, and pointers to the tensors and to their gradients [slots, ...]."""
        arguments.surrogate, arguments.gate = self.surrogate, self.gate
        for index, value in enumerate(self.values):
            arguments.scalar[index] = value
        for slot, one in zip(self.slots, self.tensors):
            arguments.parameter[slot] = one.data_ptr()
            if learnt is not None:
                arguments.grad_parameter[slot] = learnt[slot].data_ptr()


@dataclass
class Tensors:
    """The tensors over time and over a batch, by their names in the arguments.

    `rows` are [T, B, N], `states` lists of [B, N]; what is missing is null.
    """

    rows: dict[str, Tensor | None] = field(default_factory=dict)
    states: dict[str, Sequence[Tensor]] = field(default_factory=dict)

    def fill(self, arguments: RecurrentArguments, first: int) -> None:
        """Write pointers to sample `first` into the arguments."""
        for name, one in self.rows.items():
            setattr(arguments, name, _pointer(one, first))
        for name, several in self.states.items():
            for index, one in enumerate(several):
                getattr(arguments, name)[index] = _pointer(one, first)

    def aligned(self, neurons: int, lanes: int) -> bool:
        """Whether so many neighbouring neurons are aligned in all of them."""
        tensors = [one for one in self.rows.values() if one is not None]
        tensors += [one for several in self.states.values() for one in several]
        return neurons % lanes == 0 and all(
            one.data_ptr() % (lanes * one.element_size()) == 0 for one in tensors
        )


def resident(neurons: int, steps: int, exact: bool, multiprocessors: int) -> bool:
    """Return whether the registers of a GPU hold the weights of N neurons, and pay.

    For a single step they are read once either way, and on the way to operands in registers they
    take longer than through shared memory, unless they are few.
    """
    if exact or neurons > MOST_NEURONS:
        return False
    shape = Shape(neurons, 1)
    return shape.blocks <= multiprocessors and (steps > 1 or shape.tiles == 1)


@lru_cache(maxsize=None)
def source(
    direction: str,
    neuron: str,
    gradient: str,
    tiles: int,
    dtype: torch.dtype,
    weight: torch.dtype,
    even: bool,
    membranes: bool = False,
    learn: bool = False,
) -> str:
    """Return the kernel `recurrent_<direction>` of a neuron, C++ that declares `Neuron`.

    `gradient`, of the backward kernel, declares `Gradient`; `membranes` and `learn` say
    whether the membranes and the parameters have a gradient.
    """
    options = ["Layout", "Neuron", *(["Gradient"] if gradient else []), TYPES[dtype], TYPES[weight]]
    flags = [even, *([membranes, learn] if gradient else [])]
    options += [str(flag).lower() for flag in flags]
    lines = [
        "#include <popsnn/neurons/lif.cuh>",
        f"#include <popsnn/recurrent_{direction}.cuh>",
        neuron,
        gradient,
        f"using Layout = popsnn::RecurrentShape<{tiles}, {RANKS[direction]}>;",
        f"PERSISTENT_KERNEL(Layout::kThreads) recurrent_{direction}"
        f"(POPSNN_ARGUMENT popsnn::RecurrentArguments a) "
        f"{{ popsnn::recurrent_{direction}<{', '.join(options)}>(a); }}",
    ]
    return "\n".join(lines)


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, N]
    tensors: Tensors,
    *,
    states: int,  # tiles that cells carry
    grad_parameter: Tensor | None = None,  # [launches, parameters, N], of zeros
) -> None:
    """Run one direction; batches of more samples than a launch takes run one part after the other.

    Raises
    ------
    RuntimeError
        Where an earlier launch gave a wait up, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    shape = Shape(neurons, RANKS[direction])
    status = check(x.device)
    (weight,) = aligned([weight])  # its rows are read in vectors
    text = source(
        direction, cell.neuron, cell.gradient, shape.tiles, x.dtype, weight.dtype,
        tensors.aligned(neurons, 2), tensors.rows.get("grad_membrane") is not None,
        grad_parameter is not None,
    )  # fmt: skip
    kernels = module.load(text, x.device)
    for part, (first, count) in enumerate(parts(batch)):
        groups = -(-count // GROUP)
        size = (steps * groups, shape.quads, shape.message_words(direction))
        # Spikes begin as "not there", gradients as the one NaN that no rounding gives.
        start = 0 if direction == "forward" else -1
        messages = torch.full(size, start, dtype=torch.int32, device=x.device)
        sums = torch.zeros(shape.sums_shape(groups), dtype=torch.float32, device=x.device)
        arguments = RecurrentArguments()
        tensors.fill(arguments, first)
        arguments.weight = weight.data_ptr()
        arguments.messages = messages.data_ptr()
        arguments.sums = sums.data_ptr()
        arguments.status = status.data_ptr()
        arguments.row = batch * neurons
        arguments.patience = PATIENCE
        arguments.steps, arguments.batch, arguments.neurons = steps, count, neurons
        cell.fill(arguments, None if grad_parameter is None else grad_parameter[part])
        kernels.launch(
            f"recurrent_{direction}",
            shape.blocks,
            shape.threads,
            shape.shared_bytes(groups, states),
            arguments,
            together=True,
        )


def parts(batch: int) -> list[tuple[int, int]]:
    """Return the first sample and the number of samples of each launch, as even as groups allow."""
    groups = -(-batch // GROUP)
    launches = -(-groups // MOST_GROUPS)
    size = GROUP * -(-groups // launches)
    return [(first, min(size, batch - first)) for first in range(0, batch, size)]


def outer(grad: Tensor, spikes: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the sum over T and B of grad [T, B, N] times spikes [T, B, N], as [N, N]."""
    rows, columns = grad.flatten(0, 1), spikes.flatten(0, 1)
    if dtype == rows.dtype:
        return torch.mm(rows.t(), columns)
    return torch.mm(rows.t(), columns, out_dtype=dtype)


_STATUS: dict[torch.device, Tensor] = {}


def check(device: torch.device) -> Tensor:
    """Return the status int32 [1] of a device, which its kernels set where they give a wait up.

    It is memory of the host, so that to look takes no synchronisation; like all errors of kernels
    it shows after the fact, at the next call.

    Raises
    ------
    RuntimeError
        Where a kernel has set it.
    """
    status = _STATUS.get(device)
    if status is None:
        status = _STATUS[device] = torch.zeros(1, dtype=torch.int32, pin_memory=True)
    if int(status):
        status.zero_()
        raise RuntimeError(
            "functional.recurrent_lif: an earlier call gave up: expected every block's message "
            f"within {PATIENCE / 1e9:g} s, got none; what it returned is NaN"
        )
    return status


def _pointer(one: Tensor | None, first: int) -> Any:
    if one is None or one.numel() == 0:
        return None
    return one.data_ptr() + first * one.shape[-1] * one.element_size()
