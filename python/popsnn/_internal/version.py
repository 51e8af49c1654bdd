"""The version of the installed package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("popsnn")
except PackageNotFoundError:  # running from a source tree that is not installed
    __version__ = "0+unknown"
