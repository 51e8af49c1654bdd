"""Devices that the ipu engine runs on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from functools import wraps
from typing import Any, Callable, Dict, Tuple, Union

from ._internal import checks, renamed

__all__ = ["Device", "DeviceLike", "parse"]


# An IPU-POD has 256 IPUs; tiles and bytes are what the emulation's own tables can hold.
BOUNDS = (
    ("ipus", 1, 256),
    ("tiles", 0, 100_000),
    ("bytes_per_tile", 0, 2**32 - 1),
    ("replicas", 0, 100_000),
    ("checkpoint_interval", 0, 1_000_000),
    ("sizes", 0, 4),
)


HARDWARE = "hardware"  # model of the IPUs of this machine
Choice = Union[bool, str]  # or "auto"
CHOICE = {"auto": "auto", "always": True, "never": False}  # by name
REMOTE_PARTIALS = {"auto": True, "never": False}  # likewise
CHOICES: Dict[str, Dict[str, Any]] = {
    "dense": CHOICE,
    "remote_partials": REMOTE_PARTIALS,
    "rows_ahead": CHOICE,
}


@dataclass(frozen=True)
class Device:
    """An IPU: how many tiles, and how much memory each has.

    Parameters
    ----------
    model : str
        Poplar's name of the architecture, "ipu2" (GC200) or "ipu21" (Bow), of which Poplar runs
        its model; or "hardware" for IPUs of this machine, which Poplar's device manager finds.
    ipus : int
    tiles : int
        Per IPU; 0 for what the architecture has. IPUs of this machine have their own.
    bytes_per_tile : int
        0 for what the architecture has, likewise.
    replicas : int
        Of a network on the device, each with a part of the batch; 0 for the planner's choice. A
        pass without gradients whose batch has fewer samples, such as the last batch of a test set,
        runs on fewer replicas; a pass with gradients raises an error.
    checkpoint_interval : int
        Time steps whose membranes the tiles keep at once; the backward pass computes those of
        earlier steps again from checkpoints. 0 for the planner's choice. `segment` is the earlier
        name, which warns.
    sizes : int
        For which the exchanges of lists are compiled, each half of the next; a step takes the
        smallest that holds its lists. 1 for whole lists alone, 0 for the planner's choice.
    dense : bool, "auto" or tuple of them
        Whether weight gradients are dense in a layer's inputs: worked out for all of them, rather
        than for those on its lists. For all layers or one by one; "auto" for the planner's choice.
        In a name "always", "never" and "auto".
    remote_partials : bool
        Whether other tiles than those of a layer's neurons may compute its partial sums of the
        gradient of its input's spikes, from copies of its weights. The planner then lets them
        where its model of an IPU finds that faster. In a name "auto" and "never".
    rows_ahead : bool or "auto"
        Whether a layer with fixed axonal delays adds its products to the currents of the steps at
        which spikes arrive instead of reading lists of arrivals. Layers that may not, or networks
        that do not fit so, read lists all the same. "auto" for the planner's choice. In a name
        "always", "never" and "auto".

    Raises
    ------
    TypeError, ValueError
        Where a count is no integer or out of range, or `dense`, `remote_partials` or `rows_ahead`
        none of these.
    """

    model: str = "ipu2"
    ipus: int = 1
    tiles: int = 0
    bytes_per_tile: int = 0
    replicas: int = 0
    checkpoint_interval: int = 0
    sizes: int = 0
    dense: Union[Choice, Tuple[Choice, ...]] = "auto"
    remote_partials: bool = True
    rows_ahead: Choice = "auto"

    segment = renamed.alias("segment", "checkpoint_interval")

    def __post_init__(self) -> None:
        layers = self.dense if isinstance(self.dense, tuple) else (self.dense,)
        if not layers or not all(isinstance(layer, bool) or layer == "auto" for layer in layers):
            raise ValueError(
                'device: dense: expected True, False, "auto" or a tuple of them, '
                f"got {self.dense!r}"
            )
        checks.flag("device", "remote_partials", self.remote_partials)
        if not isinstance(self.rows_ahead, bool) and self.rows_ahead != "auto":
            raise ValueError(
                f'device: rows_ahead: expected True, False or "auto", got {self.rows_ahead!r}'
            )
        for name, low, high in BOUNDS:
            checks.integer("device", name, getattr(self, name), low, high)
        for name in ("tiles", "bytes_per_tile"):
            if self.model == HARDWARE and getattr(self, name):
                raise ValueError(
                    f"device: {name}: expected 0 with the model {HARDWARE!r}, which has its own, "
                    f"got {getattr(self, name)}"
                )

    def for_batch(self, batch: int) -> Device:
        """Return the device, with fewer replicas if a batch has fewer samples."""
        if self.replicas <= batch:
            return self
        counts = range(batch, 0, -1)
        fewer = next(n for n in counts if n % self.ipus == 0 or self.ipus % n == 0)
        return replace(self, replicas=fewer)

    @property
    def dense_by_number(self) -> Tuple[int, ...]:
        """The choices of `dense` as the native part counts them."""
        layers = self.dense if isinstance(self.dense, tuple) else (self.dense,)
        return tuple(list(CHOICE.values()).index(layer) for layer in layers)

    def native(self) -> Dict[str, Any]:
        """Return the options by the native part's names of them."""
        options = asdict(self)
        options["segment"] = options.pop("checkpoint_interval")
        return options

    def __str__(self) -> str:
        counts = (
            (self.ipus, "IPUs"),
            (self.tiles, "tiles"),
            (self.bytes_per_tile, "bytes a tile"),
            (self.replicas, "replicas"),
            (self.checkpoint_interval, "steps a checkpoint interval"),
            (self.sizes, "sizes of lists"),
        )
        parts = [self.model, *(f"{n} {what}" for n, what in counts if n > 1)]
        if self.dense != "auto":
            layers = self.dense if isinstance(self.dense, tuple) else (self.dense,)
            names = [name for layer in layers for name, value in CHOICE.items() if value == layer]
            parts.append(f"dense weight gradients {' '.join(names)}")
        if not self.remote_partials:
            parts.append("no remote partial sums")
        if self.rows_ahead != "auto":
            parts.append("rows ahead" if self.rows_ahead else "no rows ahead")
        return ", ".join(parts)


def _earlier_names(construct: Callable[..., None]) -> Callable[..., None]:
    @wraps(construct)
    def wrapped(self: Device, *values: Any, **options: Any) -> None:
        if "segment" in options:
            renamed.warn("device", "segment", "checkpoint_interval")
            options["checkpoint_interval"] = options.pop("segment")
        construct(self, *values, **options)

    return wrapped


Device.__init__ = _earlier_names(Device.__init__)  # type: ignore[method-assign]
DeviceLike = Union[str, Device]
"""A device, or a name of one as `parse` takes it."""

# "host" has few and large tiles: every tile of a layer walks all of its lists, and a host has no
# thousand cores to walk them side by side. The demo's step takes 1.36 ms of CPU time on 8 tiles,
# 1.12 on 4; a machine of more cores may want more ("host:tiles=32"). Its cores have common caches,
# so copies of another tile's weights are no nearer: with remote partial sums a step of "nmnist-h2"
# at 5 % takes 1.04 times the CPU time (docs/benchmarks/ipu-on-host.md). Two layers of 512 neurons
# with axonal delays took 1.1 times as long with rows ahead at 2 %, and 1.4 times at 10 %.
PRESETS = {
    "host": Device(
        tiles=4,
        bytes_per_tile=512 * 1024 * 1024,
        replicas=1,
        remote_partials=False,
        rows_ahead=False,
    ),
    "ipu2": Device(),
    "bow": Device(model="ipu21"),
    "hardware": Device(model=HARDWARE),
}


def parse(device: DeviceLike) -> Device:
    """Return the device that a name stands for.

    Parameters
    ----------
    device : str or Device
        A preset, "host", "ipu2", "bow" or "hardware", with changes after a colon: "ipu2:tiles=16",
        "host:tiles=8,bytes_per_tile=65536,dense=never,remote_partials=auto".

    Raises
    ------
    TypeError, ValueError
        Where there is no such preset, or a change is neither a count nor one of the choices.
    """
    if isinstance(device, Device):
        return device
    if not isinstance(device, str):
        raise TypeError(f"device: expected a name or a Device, got {type(device).__name__}")
    name, _, changes = device.partition(":")
    if name not in PRESETS:
        raise ValueError(f"device: expected one of {', '.join(PRESETS)}, got {name!r}")
    counts = [field.name for field in fields(Device) if field.name not in ("model", *CHOICES)]
    changed: dict[str, Any] = {}
    for change in filter(None, changes.split(",")):
        key, _, value = change.partition("=")
        if key == "segment":
            renamed.warn("device", key, "checkpoint_interval")
            key = "checkpoint_interval"
        if value in CHOICES.get(key, {}):
            changed[key] = CHOICES[key][value]
            continue
        if key not in counts or not value.isdecimal() or int(value) == 0:
            choices = (f"{each}={'|'.join(values)}" for each, values in CHOICES.items())
            raise ValueError(
                f"device: expected {name}:KEY=COUNT with KEY one of {', '.join(counts)}, "
                f"or {' or '.join(choices)}, got {change!r}"
            )
        changed[key] = int(value)
    return replace(PRESETS[name], **changed)
