"""SpikeTensor: compacted spikes, the indices of the neurons of each step, time-major."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.utils.data._utils.collate import default_collate_fn_map

from ._internal import checks
from ._internal.compaction import (
    EXPAND_SPIKES,
    active_values,
    begins,
    fired_values,
    keep,
    positions,
    write_lists,
)
from ._internal.dispatch import POPTORCH
from ._internal.poptorch import running

if TYPE_CHECKING:
    from .events import Events

_NARROW = (torch.int32, torch.int16, torch.int8, torch.uint8)  # what int32 holds

INPUT_LAYER = 0xFFFFFFFF
"""Stands for "no layer" in the hash that caps an input."""


class SpikeArrays(NamedTuple):
    """NumPy form of a SpikeTensor: `ids` [T, B, S] uint16 or uint32, `counts` [T, B, 2] int32."""

    ids: np.ndarray
    counts: np.ndarray


class SpikeTensor:
    """Spikes of N neurons over T steps and B samples, as one list of at most S ids per (t, b).

    A list holds first the neurons that fired, then those that did not fire but take part in the
    gradient; ids ascend within each part.

    Parameters
    ----------
    ids : int Tensor [T, B, S]
        Entries after `counts[..., 1]` are ignored.
    counts : int Tensor [T, B, 2]
        Fired, and in the active set.
    size : int
        N, the number of neurons.
    dropped : int Tensor [T, B, 2], optional
        Fired, and subthreshold-active, that the capacity dropped.
    values : float Tensor [T, B, S], optional
        Carries autograd: `to_dense` scatters it. Default: 1 where a neuron fired, 0 elsewhere. With
        values that are given or have a gradient, ids and counts must not change in place.
    check : bool
        Whether to check the lists, which reads all of them.

    Raises
    ------
    TypeError, ValueError
        Where a dtype or shape does not fit, counts exceed the capacity, or an id is out of range,
        out of order or twice.
    """

    ids: Tensor
    counts: Tensor
    size: int
    dropped: Tensor

    def __init__(
        self,
        ids: Tensor,
        counts: Tensor,
        size: int,
        *,
        dropped: Tensor | None = None,
        values: Tensor | None = None,
        check: bool = True,
    ) -> None:
        self.ids = _integers("ids", ids, "[T, B, S]")
        self.counts = _integers("counts", counts, "[T, B, 2]")
        self.size = checks.size("SpikeTensor", "size", size)
        self.dropped = (
            torch.zeros_like(self.counts)
            if dropped is None
            else _integers("dropped", dropped, "[T, B, 2]")
        )
        if check:
            self._check_lists()
            self.ids = self.ids.masked_fill(self._positions() >= self.counts[..., 1:], 0)
        if values is not None:
            self._check_values(values, check)
        self._values = values
        self._made = False  # whether `values` was computed from the lists
        self._versions = self._current_versions()  # of the lists that match `values`
        self._dtype = torch.get_default_dtype()

    @property
    def values(self) -> Tensor:
        """Float Tensor [T, B, S] that carries autograd: 1 where a neuron fired, 0 elsewhere."""
        values = self._valid_values()
        if values is None:
            # Made where they are asked for: they take as many bytes as the ids.
            values = self._values = fired_values(self.counts, self.ids, self._dtype)
            self._made, self._versions = True, self._current_versions()
        return values

    @classmethod
    def from_dense(
        cls,
        x: Tensor,
        capacity: int | None = None,
        *,
        seed: int = 0,
        layer: int = INPUT_LAYER,
        check: bool = True,
    ) -> SpikeTensor:
        """Compact a dense tensor of 0 and 1.

        Parameters
        ----------
        x : Tensor [T, B, N], bool, integer or float
            Where it requires a gradient, silent positions are included too, so that the gradient of
            `x` is exact wherever nothing is dropped.
        capacity : int, optional
            S; default N, which drops nothing.
        seed, layer : int
            Parts of the hash that chooses the spikes that a capacity keeps.
        check : bool
            Whether to look for values other than 0 and 1; never inside of a PopTorch model, where
            what is not 0 is a spike.

        Raises
        ------
        TypeError, ValueError
            Where `x` is no [T, B, N] tensor of 0 and 1 or the capacity is not in 1..N.
        """
        name = "SpikeTensor.from_dense"
        x = checks.rank(name, "x", x, "[T, B, N]", 3)
        if x.is_complex():
            raise TypeError(f"{name}: x: expected a bool, integer or float tensor, got {x.dtype}")
        steps, batch, size = x.shape
        if size < 1:
            raise ValueError(f"{name}: x: expected at least one neuron, got shape {tuple(x.shape)}")
        list_capacity = (
            size if capacity is None else checks.integer(name, "capacity", capacity, 1, size)
        )
        seed = checks.seed(name, seed)
        poptorch = running()
        if poptorch is not None:
            lists: SpikeTensor = POPTORCH["compact"](poptorch, x, list_capacity, seed, layer)
            return lists
        if check:
            checks.binary(name, x)
        fired = x.detach() != 0
        subthreshold = ~fired if x.requires_grad else torch.zeros_like(fired)
        kept = keep(fired, subthreshold, list_capacity, begins(seed, layer, 0, steps, batch, size))
        dense = x if x.is_floating_point() else x.to(torch.get_default_dtype())
        if not check:
            dense = dense + (fired.to(dense.dtype) - dense).detach()  # 0 and 1, whatever x holds
        lists = cls.from_masks(dense, kept.fired, kept.subthreshold, kept.dropped, list_capacity)
        if not x.requires_grad:  # `values` can be computed from the lists
            lists._values, lists._dtype = None, dense.dtype
        return lists

    @classmethod
    def from_masks(
        cls, spikes: Tensor, fired: Tensor, above: Tensor, dropped: Tensor, capacity: int
    ) -> SpikeTensor:
        """Compact masks that fit the capacity.

        Parameters
        ----------
        spikes : float Tensor [T, B, N]
            Values to carry, on the autograd graph.
        fired, above : bool Tensor [T, B, N]
            Disjoint, at most `capacity` set together per (t, b).
        dropped : int32 Tensor [T, B, 2]
        capacity : int
        """
        ids, counts = write_lists(fired, above, capacity)
        values = spikes.gather(-1, ids.long())
        values = values * (positions(capacity, ids.device) < counts[..., 1:])
        size = spikes.shape[-1]
        return cls(ids, counts, size, dropped=dropped, values=values, check=False)

    @classmethod
    def from_events(
        cls,
        events: Events,
        shape: tuple[int, int, int],
        capacity: int | None = None,
        *,
        seed: int = 0,
        layer: int = INPUT_LAYER,
    ) -> SpikeTensor:
        """Compact a list of events, in any order, without building the dense tensor.

        Parameters
        ----------
        events : integer Tensor or array [E, 3], or a tuple of three arrays [E]
            Columns t, b, n.
        shape : (T, B, N)
        capacity : int, optional
            S; default the longest list, at least 1, which drops nothing.
        seed, layer : int
            As in `from_dense`.

        Raises
        ------
        TypeError, ValueError
            Where the events are no integers [E, 3], lie outside of `shape`, or come twice.
        """
        seed = checks.seed("SpikeTensor.from_events", seed)
        from .events import list_events  # importing popsnn loads as little as it can

        ids, counts, dropped = list_events(events, shape, capacity, seed, layer)
        return cls(ids, counts, shape[2], dropped=dropped, check=False)

    @classmethod
    def cat(cls, parts: Sequence[SpikeTensor], dim: int = 0) -> SpikeTensor:
        """Join spikes along steps, samples or neurons; differentiable in their `values`.

        Parameters
        ----------
        parts : sequence of SpikeTensor
            Alike in the other two dimensions, and on one device.
        dim : {0, 1, 2}
            0 joins steps, 1 samples, 2 neurons, those of later parts behind those of earlier parts.

        Returns
        -------
        SpikeTensor
            Its capacity is the largest of the parts, and along neurons the sum.

        Raises
        ------
        TypeError, ValueError
            Where a part is no SpikeTensor, there is none, or their shapes do not fit.
        """
        name = "SpikeTensor.cat"
        dim = checks.integer(name, "dim", dim, 0, 2)
        parts = list(parts)
        if not parts:
            raise ValueError(f"{name}: parts: expected at least one, got none")
        for part in parts:
            if not isinstance(part, SpikeTensor):
                raise TypeError(f"{name}: parts: expected SpikeTensors, got {type(part).__name__}")
            if any(
                ours != theirs
                for axis, (ours, theirs) in enumerate(zip(part.shape, parts[0].shape))
                if axis != dim
            ):
                raise ValueError(
                    f"{name}: parts: expected shapes that differ in dimension {dim} alone, got "
                    f"{parts[0].shape} and {part.shape}"
                )
        return _joined_neurons(parts) if dim == 2 else _joined(parts, dim)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(T, B, N)."""
        return self.ids.shape[0], self.ids.shape[1], self.size

    @property
    def capacity(self) -> int:
        """S, the capacity."""
        return self.ids.shape[2]

    @property
    def device(self) -> torch.device:
        """Device of the tensors."""
        return self.ids.device

    @property
    def requires_grad(self) -> bool:
        """Whether `values` is on the autograd graph."""
        return self._values is not None and self._values.requires_grad

    def to_dense(self, dtype: torch.dtype | None = None) -> Tensor:
        """Scatter to [T, B, N] with 1 where a neuron fired; differentiable in `values`."""
        poptorch = running()
        if poptorch is not None:
            rows: Tensor = POPTORCH["expand"](poptorch, self)
            return rows if dtype is None else rows.to(dtype)
        values = self._kept_values()
        if dtype is None:
            dtype = self._dtype if values is None else values.dtype
        expanded: Tensor = EXPAND_SPIKES.run(
            "SpikeTensor.to_dense", "auto", self.ids, self.counts, values, self.size, dtype
        )
        return expanded

    def to_numpy(self) -> SpikeArrays:
        """Return a copy of the lists with ids as uint16 where N <= 65536, else uint32."""
        narrow = np.uint16 if self.size <= 65536 else np.uint32
        counts = self.counts.cpu().numpy().copy()
        return SpikeArrays(self.ids.cpu().numpy().astype(narrow), counts)

    def to(self, device: str | torch.device) -> SpikeTensor:
        """Return the spikes on `device`."""
        return self._each(lambda x: x.to(device))

    def detach(self) -> SpikeTensor:
        """Return the same lists off the autograd graph."""
        detached = copy(self)
        values = self._valid_values()
        detached._values = None if values is None else values.detach()
        return detached

    def clone(self) -> SpikeTensor:
        """Return a copy on the autograd graph."""
        return self._each(torch.clone)

    def pin_memory(self) -> SpikeTensor:
        """Return a copy in pinned memory, as torch's DataLoader makes with `pin_memory=True`."""
        return self._each(torch.Tensor.pin_memory)

    def __len__(self) -> int:
        """Return T, the number of steps."""
        return self.ids.shape[0]

    def __getitem__(self, index: Any) -> SpikeTensor:
        """Return the steps `index`, or of `index` = (steps, samples) both, on the autograd graph.

        Each is a slice, or integers in any order as a tensor or a sequence. One step t is
        `[t : t + 1]`: spikes keep their three dimensions.

        Raises
        ------
        TypeError
            Where it is neither.
        """
        operation = "SpikeTensor.__getitem__"
        steps, samples = index, slice(None)
        if isinstance(index, tuple):
            if len(index) != 2:
                raise TypeError(
                    f"{operation}: index: expected steps, or steps and samples, got {len(index)}"
                )
            steps, samples = index
        for name, each in (("steps", steps), ("samples", samples)):
            if hasattr(each, "__index__") and not getattr(each, "ndim", 0):
                raise TypeError(
                    f"{operation}: {name}: expected a slice or a sequence of integers, got "
                    f"{int(each)}: one is [{int(each)} : {int(each) + 1}]"
                )
        in_time = _chosen(operation, "steps", steps, self.device)
        in_batch = _chosen(operation, "samples", samples, self.device)
        return self._each(lambda x: x[in_time])._each(lambda x: x[:, in_batch])

    def select_batch(self, index: slice | Tensor | Sequence[int]) -> SpikeTensor:
        """Return the samples `index`: a slice, or B' integers.

        Raises
        ------
        TypeError
            Where they are no integers.
        """
        chosen = _chosen("SpikeTensor.select_batch", "index", index, self.device)
        return self._each(lambda x: x[:, chosen])

    def rate(self) -> Tensor:
        """Return the spikes per step of each sample and neuron [B, N]; differentiable in `values`.

        The gradient reaches the active set: spikes, and neurons above the gradient threshold.
        """
        steps, batch, size = self.shape
        values = self._active_values()
        total = torch.zeros(batch, size, dtype=values.dtype, device=values.device)
        ids, values = self.ids.long().transpose(0, 1), values.transpose(0, 1)  # [B, T, S]
        return total.scatter_add(-1, ids.flatten(1), values.flatten(1)) / max(1, steps)

    def activity(self) -> float:
        """Return the fraction of (t, b, n) that fired."""
        return float(self.counts[..., 0].sum()) / max(1, self.counts[..., 0].numel() * self.size)

    def __repr__(self) -> str:
        grad = ", requires_grad=True" if self.requires_grad else ""
        return (
            f"SpikeTensor(shape={self.shape}, capacity={self.capacity}, "
            f"activity={self.activity():.4f}, dropped={int(self.dropped[..., 0].sum())}{grad})"
        )

    def __getstate__(self) -> dict[str, Any]:
        values = None if self._made else self._valid_values()
        return {**self.__dict__, "_values": None if values is None else values.detach()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._versions = self._current_versions()

    def _each(self, change: Callable[[Tensor], Tensor]) -> SpikeTensor:
        """Return spikes whose tensors, all [T, B, ...], are changed alike."""
        changed = copy(self)
        changed.ids = change(self.ids)
        changed.counts = change(self.counts)
        changed.dropped = change(self.dropped)
        values = self._valid_values()
        changed._values = None if values is None else change(values)
        changed._versions = changed._current_versions()
        return changed

    def _valid_values(self) -> Tensor | None:
        """Return the values, or None if they have to be computed from the lists.

        Raises
        ------
        ValueError
            If the lists have changed in place under given values, or values with a gradient.
        """
        if self._values is None or self._versions == self._current_versions():
            return self._values
        if self._made and not self._values.requires_grad:
            return None
        raise ValueError(
            "SpikeTensor: values: expected the lists that they were given or got a gradient for, "
            "got ids or counts that changed in place since"
        )

    def _kept_values(self) -> Tensor | None:
        """Return the values, or None where they are 1 for what fired.

        None too where they were made of the lists, which a CUDA graph may have changed since.
        """
        return None if self._made and not self.requires_grad else self._valid_values()

    def _active_values(self) -> Tensor:
        """Return the values, zero past the active set."""
        return active_values(self.counts, self.ids, self._kept_values(), self._dtype)

    def _current_versions(self) -> tuple[int, ...]:
        """Return how often the lists have changed in place."""
        return tuple(
            0 if tensor.is_inference() else tensor._version for tensor in (self.ids, self.counts)
        )

    def _positions(self) -> Tensor:
        return positions(self.capacity, self.device)

    def _check_values(self, values: Tensor, read: bool) -> None:
        if tuple(values.shape) != tuple(self.ids.shape) or not values.is_floating_point():
            raise ValueError(
                f"SpikeTensor: values: expected a float tensor of shape {tuple(self.ids.shape)}, "
                f"got {values.dtype} of shape {tuple(values.shape)}"
            )
        if not read:
            return
        active = values.detach() * (self._positions() < self.counts[..., 1:])
        if not torch.equal(active, fired_values(self.counts, self.ids, values.dtype)):
            raise ValueError(
                "SpikeTensor: values: expected 1 where a neuron fired and 0 elsewhere, got others"
            )

    def _check_lists(self) -> None:
        steps, batch, capacity = self.ids.shape
        if not 1 <= capacity <= self.size:
            raise ValueError(f"SpikeTensor: capacity: expected 1..{self.size}, got {capacity}")
        for name, pair in (("counts", self.counts), ("dropped", self.dropped)):
            if tuple(pair.shape) != (steps, batch, 2):
                raise ValueError(
                    f"SpikeTensor: {name}: expected shape {(steps, batch, 2)}, "
                    f"got {tuple(pair.shape)}"
                )
        if bool((self.dropped < 0).any()):
            raise ValueError(
                f"SpikeTensor: dropped: expected numbers from 0 on, got {int(self.dropped.min())}"
            )
        fired, active = self.counts[..., 0], self.counts[..., 1]
        if bool((active > capacity).any()):
            raise ValueError(
                f"SpikeTensor: counts: expected at most the capacity {capacity}, "
                f"got {int(active.max())}"
            )
        if bool(((fired < 0) | (fired > active)).any()):
            raise ValueError(
                "SpikeTensor: counts: expected 0 <= fired <= active, got another order"
            )
        valid = self._positions() < active.unsqueeze(-1)
        wrong = self.ids[valid & ((self.ids < 0) | (self.ids >= self.size))]
        if wrong.numel():
            raise ValueError(
                f"SpikeTensor: ids: expected ids in 0..{self.size - 1}, got {int(wrong[0])}"
            )
        # Within a part each id is above the one before it; the second part begins anew.
        position = self._positions()[1:]
        follows = valid[..., 1:] & (position != fired.unsqueeze(-1))
        wrong_order = follows & (self.ids[..., 1:] <= self.ids[..., :-1])
        if bool(wrong_order.any()):
            t, b, k = (int(i) for i in torch.nonzero(wrong_order)[0])
            raise ValueError(
                "SpikeTensor: ids: expected fired, then subthreshold ids, both ascending, got "
                f"{int(self.ids[t, b, k])} before {int(self.ids[t, b, k + 1])}"
            )
        active_ids = torch.where(valid, self.ids, -1 - self._positions()).sort(-1).values
        twice = active_ids[..., 1:][active_ids[..., 1:] == active_ids[..., :-1]]
        if twice.numel():
            raise ValueError(
                f"SpikeTensor: ids: expected each id once in a list, got {int(twice[0])} twice"
            )


def _joined(parts: list[SpikeTensor], dim: int) -> SpikeTensor:
    """Return parts behind each other in steps or samples; their lists stay what they are."""
    capacity = max(part.capacity for part in parts)
    values = None
    if any(part._values is not None and not part._made for part in parts):
        values = torch.cat([_filled_up(part.values, capacity) for part in parts], dim)
    joined = SpikeTensor(
        torch.cat([_filled_up(part.ids, capacity) for part in parts], dim),
        torch.cat([part.counts for part in parts], dim),
        parts[0].size,
        dropped=torch.cat([part.dropped for part in parts], dim),
        values=values,
        check=False,
    )
    joined._dtype = parts[0]._dtype
    return joined


def _joined_neurons(parts: list[SpikeTensor]) -> SpikeTensor:
    """Return parts as one over more neurons: the lists of a step and sample become one."""
    size = sum(part.size for part in parts)
    order, offset = [], 0
    for part in parts:  # first what fired, then the other active ids, then unused entries
        group = (part._positions() >= part.counts[..., :1]).long()
        group = group + (part._positions() >= part.counts[..., 1:])
        order.append(group * size + part.ids + offset)
        offset += part.size
    keys, places = torch.cat(order, -1).sort(-1)
    counts = torch.stack([part.counts for part in parts]).sum(0, dtype=torch.int32)
    active = positions(keys.shape[-1], keys.device) < counts[..., 1:]
    values = None
    if any(part._values is not None and not part._made for part in parts):
        values = torch.cat([part.values for part in parts], -1).gather(-1, places)
    joined = SpikeTensor(
        (keys % size * active).to(torch.int32),
        counts,
        size,
        dropped=torch.stack([part.dropped for part in parts]).sum(0, dtype=torch.int32),
        values=values,
        check=False,
    )
    joined._dtype = parts[0]._dtype
    return joined


def _filled_up(x: Tensor, capacity: int) -> Tensor:
    """Return `x` [T, B, S'] with zeros behind its entries, [T, B, S]."""
    return torch.nn.functional.pad(x, (0, capacity - x.shape[-1]))


def _chosen(operation: str, name: str, index: Any, device: torch.device) -> slice | Tensor:
    """Return an index that keeps its dimension: a slice, or integers on a device."""
    if isinstance(index, slice):
        return index
    wanted = "a slice or a sequence of integers"
    try:
        chosen = torch.as_tensor(index, device=device)
    except (RuntimeError, TypeError, ValueError):
        got = type(index).__name__
        raise TypeError(f"{operation}: {name}: expected {wanted}, got {got}") from None
    if chosen.dim() != 1:
        got = f"shape {tuple(chosen.shape)}"
        raise TypeError(f"{operation}: {name}: expected {wanted}, got {got}")
    if chosen.numel() and (chosen.is_floating_point() or chosen.is_complex()):
        raise TypeError(f"{operation}: {name}: expected integers, got {chosen.dtype}")
    # Of uint8 torch would make a mask; an empty sequence is one of floats.
    return chosen if chosen.dtype == torch.bool else chosen.to(torch.int64)


def _collated(samples: list[SpikeTensor], **_: Any) -> SpikeTensor:
    return SpikeTensor.cat(samples, 1)


default_collate_fn_map[SpikeTensor] = _collated  # of torch's DataLoader, as its documentation says


def _integers(name: str, x: Tensor, shape: str) -> Tensor:
    x = checks.rank("SpikeTensor", name, x, shape, 3)
    if x.is_floating_point() or x.is_complex() or x.dtype == torch.bool:
        raise TypeError(f"SpikeTensor: {name}: expected an integer tensor, got {x.dtype}")
    if x.dtype not in _NARROW and x.numel():
        x = x.to(torch.int64)
        for value in (int(x.min()), int(x.max())):
            if not -0x80000000 <= value <= 0x7FFFFFFF:
                raise ValueError(f"SpikeTensor: {name}: expected 32-bit values, got {value}")
    return x.to(torch.int32)
