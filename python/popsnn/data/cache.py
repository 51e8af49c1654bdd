"""Compacted datasets on disk: one file, mapped into memory, and rebuilt where it is not whole."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Callable, Dict, Iterator, Mapping, Optional, Tuple, Union

import numpy as np

from .._internal.files import whole_file
from .._internal.locks import lock, unlock
from .._internal.paths import cache_folder
from .lists import SpikeLists

Cache = Union[str, Path, None]
Compacted = Tuple[SpikeLists, np.ndarray]  # the second: int64 labels [M] or [M, T]

_LOG = logging.getLogger(__name__)
_MAGIC = b"popsnn spikes 2\n"  # 1 took numbers with a fraction
_ALIGNED = 64  # bytes


def cached(
    folder: Cache, name: str, key: Mapping[str, Any], build: Callable[[], Compacted]
) -> Compacted:
    """Return what `build` gives, from the file that an earlier call left, where there is one.

    Parameters
    ----------
    folder : str, Path or None
        None: `data` in the user's cache (`POPSNN_CACHE_DIR`).
    name : str
        Of the dataset's part; the file's name begins with it.
    key : dict of plain values
        All that the result depends on.
    build : callable
        A reader finds its file whole or not at all, and waits for a process that is building it.
        A folder that cannot be written to costs only time, and the log says so.
    """
    key = json.loads(json.dumps(dict(key)))
    digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:16]
    path = (cache_folder("data") if folder is None else Path(folder)) / f"{name}-{digest}.spikes"
    ready = _cached(path, key)
    if ready is not None:
        return ready
    with _alone(path):
        ready = _cached(path, key)  # another process may have built it meanwhile
        if ready is not None:
            return ready
        lists, labels = build()
        try:
            save(path, lists, labels, key)
        except OSError as error:
            _LOG.warning("the compacted spikes are not kept in %s: %s", path.parent, error)
            return lists, labels
    return load(path, key)


def _cached(path: Path, key: Mapping[str, Any]) -> Optional[Compacted]:
    if path.exists():
        try:
            return load(path, key)
        except (ValueError, OSError) as error:
            _LOG.warning("%s; it is built again", error)
    return None


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait until no other process is in here for this path; one that was killed is not.

    Without locks, as some file systems are, nobody waits.
    """
    name = path.with_suffix(".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(name, "wb")  # noqa: SIM115 closed below
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):
            lock(file.fileno(), wait=True)
            for left in path.parent.glob(f"{path.name}*.part"):
                left.unlink()  # by a process that was killed while it had the lock
        try:
            yield
        finally:
            with suppress(OSError):
                name.unlink()  # who waits for it goes on, and finds the path
            with suppress(OSError):  # a process forked meanwhile has it open too
                unlock(file.fileno())


def save(path: Path, lists: SpikeLists, labels: np.ndarray, key: Mapping[str, Any]) -> None:
    """Write lists and labels; an interrupted call leaves the file that was there before."""
    arrays = {
        "ids": lists.ids,
        "lengths": lists.lengths,
        "late": lists.late,
        "merged": lists.merged,
        "labels": labels,
    }
    header: Dict[str, Any] = {"key": dict(key), "grid": list(lists.grid), "arrays": {}}
    for name, array in arrays.items():
        data = np.ascontiguousarray(array)
        header["arrays"][name] = {
            "dtype": data.dtype.str,
            "shape": list(data.shape),
            "crc32": _checksum(data),
        }
    text = json.dumps(header).encode()
    with whole_file("data", path) as partial, open(partial, "wb") as file:
        file.write(_MAGIC + np.array([len(text), zlib.crc32(text)], "<u8").tobytes() + text)
        for array in arrays.values():
            file.write(b"\0" * (-file.tell() % _ALIGNED))
            file.write(np.ascontiguousarray(array).data)


def load(path: Path, key: Optional[Mapping[str, Any]] = None) -> Compacted:
    """Map a file that `save` wrote.

    All of it is read once, to compare checksums (about a second a gigabyte), which also brings it
    into the system's page cache.

    Raises
    ------
    ValueError
        Where the file is no such file, is truncated or changed, or has another key.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        header, at = _header(path, file, size)
        if key is not None and header["key"] != key:
            raise ValueError(f"{path}: expected the key {dict(key)}, got {header['key']}")
    arrays = {}
    for name, entry in header["arrays"].items():
        at += -at % _ALIGNED
        dtype, shape = np.dtype(entry["dtype"]), tuple(entry["shape"])
        length = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if at + length > size:
            raise ValueError(f"{path}: expected {at + length} bytes or more, got {size}")
        array = np.empty(shape, dtype)
        if length:
            array = np.memmap(path, dtype, "r", at, shape)
        if _checksum(array) != entry["crc32"]:
            raise ValueError(f"{path}: expected {name} with its checksum, got other bytes")
        arrays[name] = array
        at += length
    lists = SpikeLists(
        arrays["ids"],
        arrays["lengths"],
        tuple(header["grid"]),
        late=arrays["late"],
        merged=arrays["merged"],
        path=path,
        check=False,  # as it was written by the checksums
    )
    return lists, np.array(arrays["labels"])


def _checksum(array: np.ndarray) -> int:
    return zlib.crc32(array.reshape(-1).view(np.uint8).data)


def _header(path: Path, file: BinaryIO, size: int) -> Tuple[Dict[str, Any], int]:
    """Return the header, and where the arrays begin."""
    start = file.read(len(_MAGIC) + 16)
    if len(start) < len(_MAGIC) + 16 or not start.startswith(_MAGIC):
        raise ValueError(
            f"{path}: expected a file of compacted spikes, got another or a part of it"
        )
    length, checksum = (int(n) for n in np.frombuffer(start, "<u8", 2, len(_MAGIC)))
    text = file.read(min(length, size))
    if zlib.crc32(text) != checksum:
        raise ValueError(f"{path}: expected a header with its checksum, got other bytes")
    return json.loads(text), file.tell()
