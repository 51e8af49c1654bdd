"""Cubins on disk, for many processes at once."""

from __future__ import annotations

import hashlib
import logging
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..._internal.paths import cache_folder
from .cuda_core import cuda_core

MAX_BYTES = 1 << 30  # of all cubins; beyond, those that were read longest ago go

_LOG = logging.getLogger(__name__)
_HASH = 32  # bytes of SHA-256, at the start of a file, over the rest of it


def default_folder() -> Path:
    """Return the folder of the cubins in the user's cache."""
    return cache_folder("cubin")


class CubinCache:
    """Cubins by key in a folder, of at most `max_bytes` together.

    A process finds a file whole or not at all. One whose hash is wrong counts as missing. A folder
    that cannot be written to costs only time: every process compiles anew, and the log says so
    once.
    """

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._warned = False
        self._opened: Any = None

    def get(self, key: bytes) -> bytes | None:
        """Return the cubin of a key, or None."""
        try:
            saved = self._files().get(key, b"")
        except OSError:
            return None
        digest, cubin = saved[:_HASH], saved[_HASH:]
        return cubin if hashlib.sha256(cubin).digest() == digest else None

    def put(self, key: bytes, cubin: bytes) -> None:
        """Save a cubin where the folder can be written to."""
        try:
            self._files()[key] = hashlib.sha256(cubin).digest() + cubin
        except OSError as error:
            if not self._warned:
                _LOG.warning("compiled kernels are not kept in %s: %s", self.folder, error)
                self._warned = True

    def _files(self) -> Any:
        if self._opened is None:
            made = cuda_core().utils.FileStreamProgramCache
            self._opened = made(self.folder, max_size_bytes=self.max_bytes)
        return self._opened


@lru_cache(maxsize=None)
def cache_in(folder: Path) -> CubinCache:
    """Return the cache in a folder, which is opened once a process."""
    return CubinCache(folder)
