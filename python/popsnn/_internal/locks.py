"""Locks on open files, which end with the process that holds them."""

from __future__ import annotations

import errno
import sys
import time

try:
    import fcntl

    _HAS_FCNTL = True
except ImportError:  # Windows
    _HAS_FCNTL = False

# Windows refuses every read of a locked byte, so the byte lies behind all content.
_LOCKED_BYTE = 1 << 30
_POLL_SECONDS = 0.1


def lock(handle: int, wait: bool) -> None:
    """Lock an open file.

    Parameters
    ----------
    handle : int
        Its descriptor.
    wait : bool
        Whether to wait until another process has unlocked it.

    Raises
    ------
    BlockingIOError
        Where another process has the lock, and `wait` is False.
    OSError
        Where the file system or the platform has no locks.
    """
    if _HAS_FCNTL:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return
    while not _lock_byte(handle):
        if not wait:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        time.sleep(_POLL_SECONDS)


def unlock(handle: int) -> None:
    """Unlock a file, also where another process has inherited its descriptor."""
    if _HAS_FCNTL:
        fcntl.flock(handle, fcntl.LOCK_UN)
    # Closing the file unlocks it on Windows, where no process is forked.


if sys.platform == "win32":
    import msvcrt
    import os

    def _lock_byte(handle: int) -> bool:
        at = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError:  # another process has it
            return False
        finally:
            os.lseek(handle, at, os.SEEK_SET)
        return True

else:

    def _lock_byte(handle: int) -> bool:
        raise OSError(errno.ENOSYS, "this platform has no locks of files")
