"""Messages from one GPU to another through memory that both map, as kernels on the stream."""

from __future__ import annotations

import ctypes
from typing import NamedTuple, Tuple

from torch import Tensor

from ..device import launch
from ..device.program import entry

THREADS = 256  # kPeerThreads
BLOCKS = 16  # kPeerBlocks
SLOTS = 8  # kPeerSlots
SHARD = 1 << 16  # kPeerShard
RINGS = BLOCKS * SLOTS * SHARD  # bytes of the rings of one direction
MOST = BLOCKS * SHARD  # bytes of a message; longer data take several
RANKS = 32  # kPeerRanks
TIMEOUT = 600.0  # seconds: NCCL's default time limit


class PeerMessageArguments(ctypes.Structure):
    """`popsnn::PeerMessageArguments` of `cuda/popsnn/comm/peer_messages.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("message", ctypes.c_void_p),
        ("rings", ctypes.c_void_p),
        ("come", ctypes.c_void_p),
        ("taken", ctypes.c_void_p),
        ("number", ctypes.c_void_p),
        ("bytes", ctypes.c_longlong),
        ("timeout", ctypes.c_longlong),
    ]


class PeerCountsArguments(ctypes.Structure):
    """`popsnn::PeerCountsArguments` of `cuda/popsnn/comm/peer_messages.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("to", ctypes.c_void_p * RANKS),
        ("from_", ctypes.c_void_p),
        ("number", ctypes.c_void_p),
        ("timeout", ctypes.c_longlong),
        ("ranks", ctypes.c_int),
    ]


SOURCE = "\n".join(
    [
        "#include <popsnn/comm/peer_messages.cuh>",
        entry("peer_send", "PeerMessageArguments", "peer_message<true>", str(THREADS)),
        entry("peer_take", "PeerMessageArguments", "peer_message<false>", str(THREADS)),
        entry("peer_announce", "PeerCountsArguments", "peer_announce", str(RANKS)),
        entry("peer_await", "PeerCountsArguments", "peer_await", str(RANKS)),
    ]
)


class End(NamedTuple):
    """One end of a channel between two GPUs; all tensors begin as zeros."""

    rings: Tensor  # uint8 [RINGS], in the receiver's memory
    come: Tensor  # int32 [BLOCKS], in the receiver's memory
    taken: Tensor  # int32 [BLOCKS], in the sender's memory
    number: Tensor  # int32 [BLOCKS] messages of this end


def send(message: Tensor, end: End) -> None:
    """Send the bytes of a contiguous tensor; waits while `SLOTS` messages are not taken.

    Raises
    ------
    ValueError
        Where the message is not of whole words of 4 bytes that start at 16 bytes.
    """
    _launch("peer_send", message, end)


def take(message: Tensor, end: End) -> None:
    """Fill a contiguous tensor with the next message, which has as many bytes.

    Raises
    ------
    ValueError
        As `send` does.
    """
    _launch("peer_take", message, end)
    launch.written(message)


class Announcements(NamedTuple):
    """Progress of each of several ranks; all tensors begin as zeros."""

    to: Tuple[Tensor, ...]  # int32 [1] each: this rank's, in the memory of every rank
    come: Tensor  # int32 [ranks]: those of every rank, in this rank's memory
    number: Tensor  # int32 [1]: how often this rank has announced


def announce(announcements: Announcements) -> None:
    """Tell all ranks that what this stream wrote before, to anybody's memory, is there."""
    _launch_counts("peer_announce", announcements)


def wait(announcements: Announcements) -> None:
    """Let the stream wait until all ranks have announced as often as this rank."""
    _launch_counts("peer_await", announcements)


def _launch_counts(name: str, announcements: Announcements) -> None:
    arguments = PeerCountsArguments(
        from_=announcements.come.data_ptr(),
        number=announcements.number.data_ptr(),
        timeout=int(1e9 * TIMEOUT),
        ranks=len(announcements.to),
    )
    arguments.to[: len(announcements.to)] = [tensor.data_ptr() for tensor in announcements.to]
    launch.load(SOURCE, announcements.come.device).launch(name, 1, RANKS, 0, arguments)


def _launch(name: str, message: Tensor, end: End) -> None:
    size = message.numel() * message.element_size()
    if not message.is_contiguous() or size % 4 or message.data_ptr() % 16:
        raise ValueError(
            f"{name}: message: expected a contiguous tensor of a multiple of 4 bytes at a multiple "
            f"of 16, got {size} bytes at {message.data_ptr() % 16} beyond one, strides "
            f"{tuple(message.stride())}"
        )
    pointers = [tensor.data_ptr() for tensor in (end.rings, end.come, end.taken, end.number)]
    for begin in range(0, size, MOST):
        arguments = PeerMessageArguments(
            message.data_ptr() + begin, *pointers, min(MOST, size - begin), int(1e9 * TIMEOUT)
        )
        launch.load(SOURCE, message.device).launch(name, BLOCKS, THREADS, 0, arguments)
