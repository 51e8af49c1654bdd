"""A disk that takes only so many bytes of each file."""

from __future__ import annotations

import resource
from contextlib import contextmanager
from typing import Iterator


@contextmanager
def full_disk(room: int = 0) -> Iterator[None]:
    """Let this process write no file further than its first `room` bytes.

    The system's error is EFBIG, which is handled as ENOSPC is and needs no file system.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
