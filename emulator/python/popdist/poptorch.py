"""Options of PopTorch for a single instance."""

from __future__ import annotations

from typing import Any, Optional

import poptorch

from . import getNumInstances

__all__ = ["Options"]


class Options(poptorch.Options):  # type: ignore[misc,unused-ignore]
    """`poptorch.Options` of this instance.

    Parameters
    ----------
    ipus_per_replica : int, optional
        Which the model says by itself.

    Raises
    ------
    RuntimeError
        Where `poprun` has started this process.
    """

    def __init__(self, ipus_per_replica: Optional[int] = None, **options: Any) -> None:
        getNumInstances()
        super().__init__(**options)
