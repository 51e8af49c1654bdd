"""The lock of a run's folder, which one training at a time writes to."""

from __future__ import annotations

import errno
import logging
import os
import socket
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Iterator
from weakref import WeakSet

from .._internal.files import named_errors
from .._internal.locks import lock

LOCK = ".lock"

_LOG = logging.getLogger(__name__)
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


class FolderLock:
    """The right to write to a folder; it ends with the process, however that ends.

    Parameters
    ----------
    folder : Path
        Made where it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK
        self._handle = -1  # of the file, while the lock is held

    def take(self) -> None:
        """Take the lock, which may be held already.

        Raises
        ------
        RuntimeError
            Where another training has it.
        OSError
            Where the folder cannot be written to.
        """
        while self._handle < 0:
            with named_errors("train", self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                self._lock(handle)
                if self._is_there(handle):
                    with named_errors("train", self.path):
                        os.ftruncate(handle, 0)
                        os.write(
                            handle, f"process {os.getpid()} on {socket.gethostname()}".encode()
                        )
                    self._handle = handle
                    _locked.add(self)
            finally:
                if self._handle < 0:
                    os.close(handle)

    def _lock(self, handle: int) -> None:
        try:
            lock(handle, wait=False)
        except BlockingIOError:
            holder = os.read(handle, 200).decode(errors="replace") or "another process"
            raise RuntimeError(
                "train: out: expected a folder that no other training writes to, got "
                f"{self.path.parent}, which {holder} trains in"
            ) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            _LOG.warning("%s: the file system has no locks: %s", self.path, error.strerror)

    def _is_there(self, handle: int) -> bool:
        """Return whether the path is still that of the file: who had the lock has removed it."""
        with suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(handle), os.stat(self.path))
        return False

    def release(self) -> None:
        """Give the lock back, and remove its file."""
        if self._handle >= 0:
            with suppress(OSError):
                self.path.unlink()
            self.forget()
            if os.name == "nt":  # which removes no open file, and so none of another process
                with suppress(OSError):
                    self.path.unlink()

    def forget(self) -> None:
        """Close the file, which another process may have open too and then keeps locked."""
        os.close(self._handle)
        self._handle = -1
        _locked.discard(self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Have the lock within the block; it is given back where the block has taken it."""
        had = self._handle >= 0
        self.take()
        try:
            yield
        finally:
            if not had:
                self.release()

    def __del__(self) -> None:
        self.release()


_locked: WeakSet[FolderLock] = WeakSet()


def _forget_in_child() -> None:
    # A data worker outlives a killed run by seconds, and would keep its lock as long.
    for held in list(_locked):
        held.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
