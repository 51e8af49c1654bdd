"""Files that come whole or not at all, and checksums that say whether they stayed so."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Iterator, Optional, Union

# A sealed file is its content, then _MARK and the SHA-256 of the content. The seal comes last, so
# that zip readers, which start from the end but skip what follows, still open the file.
_MARK = b"\npopsnn sha256\n"
_DIGEST = 32  # bytes


@contextmanager
def whole_file(operation: str, path: Path, partial: Optional[Path] = None) -> Iterator[Path]:
    """Yield the name of a file to write, which becomes `path` at the end.

    So another process finds `path` whole or not at all, also after a power failure; an error leaves
    what was there before.

    Parameters
    ----------
    operation : str
        What messages begin with.
    path : Path
        Its folder is made where it is not there.
    partial : Path, optional
        The file to write, of which there is one writer. Default: a new name.

    Raises
    ------
    OSError
        Where the file cannot be written; the sentence names it.
    """
    with named_errors(operation, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if partial is None:
            partial = path.with_name(f"{path.name}{secrets.token_hex(8)}.part")
        try:
            yield partial
            _sync(partial)  # its name must not reach the disk before its content
            os.replace(partial, path)
            _sync(path.parent)
        except BaseException:
            with suppress(OSError):
                partial.unlink()
            raise


@contextmanager
def named_errors(operation: str, path: Path) -> Iterator[None]:
    """Let errors of the system say what was being written, in one sentence.

    Raises
    ------
    OSError
        Of the same class and `errno`.
    """
    try:
        yield
    except OSError as error:
        if error.strerror is None:  # no error of the system: it has a sentence of its own
            raise
        named = type(error)(f"{operation}: expected to write {path}, got {_reason(error)}")
        named.errno = error.errno
        raise named from error


def _reason(error: OSError) -> str:
    at = "" if error.filename is None else f": {error.filename}"
    return f"{error.strerror}{at}"


def _sync(path: Path) -> None:
    """Wait until a file's content, or the names in a folder, are on the disk."""
    if os.name == "nt" and path.is_dir():  # Windows opens no folders
        return
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # which a file system gives that cannot do this for folders
            raise
    finally:
        os.close(handle)


def seal(content: Union[bytes, memoryview]) -> bytes:
    """Return what goes after `content` in a sealed file."""
    return _MARK + hashlib.sha256(content).digest()


def check_seal(sealed: bytes, wanted: str, path: Path) -> None:
    """Raise where a file is not as it was sealed.

    Parameters
    ----------
    held : bytes
        All of the file.
    wanted : str
        How the message names it, as in "resume: expected a checkpoint".
    path : Path

    Raises
    ------
    ValueError
        Where any bit is another than was written, or the file has no seal.
    """
    content = memoryview(sealed)[: -len(_MARK) - _DIGEST]
    if sealed[-len(_MARK) - _DIGEST : -_DIGEST] != _MARK:
        raise ValueError(
            f"{wanted} at {path}, got another file: its {len(sealed)} bytes do not end in a "
            "checksum (it is cut off, changed, or of an older popsnn)"
        )
    wanted_digest, digest = sealed[-_DIGEST:].hex(), hashlib.sha256(content).hexdigest()
    if digest != wanted_digest:
        raise ValueError(
            f"{wanted} at {path} with the SHA-256 {wanted_digest}, got {digest}: "
            "the file has changed since it was written"
        )
