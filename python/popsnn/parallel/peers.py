"""Memory that all ranks of a group map: GPUs of one host that reach each other's."""

from __future__ import annotations

import socket
from typing import Any, List, Tuple

import torch
import torch.distributed as dist
from torch import Tensor

from ..cuda.comm import peer_messages

# How many each process has made. Ranks find each other's under such a number of torch's own, which
# counts the calls of a process, of whatever group: with different counts they would wait for ever.
_made = 0


class PeerMemory:
    """As many bytes, zeros at first, in the memory of every rank of a group.

    Parameters
    ----------
    group : ProcessGroup
        All of its ranks make one together, in the same order where they make several.
    size : int
        Bytes of each rank.
    device : device
        This rank's own.

    Raises
    ------
    RuntimeError
        Where the ranks have made different numbers of them before.
    """

    def __init__(self, group: Any, size: int, device: torch.device) -> None:
        from torch.distributed import _symmetric_memory as symmetric

        global _made
        counts = _of_all(group, _made)
        if len(set(counts)) > 1:
            raise RuntimeError(f"PeerMemory: group: {_unlike(counts)}")
        _made += 1
        self._size = size
        with torch.cuda.device(device):
            own = symmetric.empty(size, dtype=torch.uint8, device=device)
            own.zero_()
            torch.cuda.synchronize()  # no rank writes to what is not zeros yet
            self._handle = symmetric.rendezvous(own, group)
        self._rank = dist.get_rank(group)
        self._own = own

    def of(self, rank: int) -> Tensor:
        """Return the bytes [size] that `rank` of the group has.

        This rank's own stay as long as a view of them; the others' as long as this object.
        """
        if rank == self._rank:
            return self._own
        return self._handle.get_buffer(rank, (self._size,), torch.uint8)


def reach(group: Any) -> str | None:
    """Return why the GPUs of a group's ranks cannot have a `PeerMemory`, or None where they can.

    All ranks must ask together, and get the same answer.
    """
    if dist.get_backend(group) != "nccl":
        return f"the group's backend is {dist.get_backend(group)}, not nccl"
    try:
        from torch.distributed import _symmetric_memory as symmetric
    except ImportError:
        return f"torch {torch.__version__} has no symmetric memory"
    if not (hasattr(symmetric, "empty") and hasattr(symmetric, "rendezvous")):
        return f"torch {torch.__version__} has another symmetric memory"
    own = socket.gethostname(), torch.cuda.current_device(), torch.cuda.device_count(), _made
    every: List[Tuple[str, int, int, int]] = _of_all(group, own)
    counts = [made for *_, made in every]
    if len(set(counts)) > 1:
        return _unlike(counts)
    if len({host for host, *_ in every}) > 1:
        return "the ranks are on several hosts"
    if len(every) > peer_messages.RANKS:
        return f"they are more than {peer_messages.RANKS} ranks"
    for _, device, count, _ in every:
        for _, other, *_ in every:
            known = device != other and max(device, other) < count
            if known and not torch.cuda.can_device_access_peer(device, other):
                return f"GPU {device} does not reach the memory of GPU {other}"
    return None


def _of_all(group: Any, own: Any) -> List[Any]:
    """Return what every rank of a group gives."""
    every: List[Any] = [own] * dist.get_world_size(group)
    dist.all_gather_object(every, own, group=group)
    return every


def _unlike(counts: List[int]) -> str:
    return (
        "expected ranks that have mapped memory for as many groups before, as torch tells their "
        f"memories apart by that number, got {counts}"
    )
