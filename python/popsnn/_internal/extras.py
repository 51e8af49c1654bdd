"""Packages that come with an extra of popsnn alone."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator


@contextmanager
def extra(operation: str, package: str, name: str) -> Iterator[None]:
    """Import a package within the block; where it is not installed, the error names its extra.

    Parameters
    ----------
    operation : str
        What the message begins with.
    package : str
        The name by which pip knows the package.
    name : str
        Of the extra of popsnn.

    Raises
    ------
    ImportError
        Where an import within the block fails.
    """
    try:
        yield
    except ImportError as error:
        raise ImportError(
            f"{operation}: expected the package {package}, got none ({error}): "
            f"pip install 'popsnn[{name}]'"
        ) from None
