"""Cubins on disk, for many processes at once."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

from ..._internal.files import whole_file
from ..._internal.paths import cache_folder

_LOG = logging.getLogger(__name__)
_HASH = 32  # bytes of SHA-256, at the start of a file, over the rest of it


def default_folder() -> Path:
    """Return the folder of the cubins in the user's cache."""
    return cache_folder("cubin")


class CubinCache:
    """Cubins by key in a folder, which comes to be with the first one.

    A process finds a file whole or not at all. One whose hash is wrong counts as missing. A folder
    that cannot be written to costs only time: every process compiles anew, and the log says so
    once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._warned = False

    def get(self, key: str) -> bytes | None:
        """Return the cubin of a key, or None."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        digest, cubin = content[:_HASH], content[_HASH:]
        return cubin if hashlib.sha256(cubin).digest() == digest else None

    def put(self, key: str, cubin: bytes) -> None:
        """Keep a cubin where the folder can be written to."""
        try:
            with whole_file("cuda", self._path(key)) as partial:
                partial.write_bytes(hashlib.sha256(cubin).digest() + cubin)
        except OSError as error:
            if not self._warned:
                _LOG.warning("compiled kernels are not kept in %s: %s", self.folder, error)
                self._warned = True

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.cubin"
