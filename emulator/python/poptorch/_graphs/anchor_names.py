"""The choices of `Options.anchorTensor`."""

from __future__ import annotations

from typing import NamedTuple

from .. import enums


class Anchor(NamedTuple):
    """A tensor's name, and the batches of which it is kept."""

    name: str
    mode: enums.OutputMode
    period: int
