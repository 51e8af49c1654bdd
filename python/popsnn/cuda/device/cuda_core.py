"""The package `cuda.core`, imported at the first use."""

from __future__ import annotations

import threading
from typing import Any

_LOCK = threading.Lock()


def cuda_core() -> Any:
    """Return `cuda.core`, complete also while several threads import it at once.

    While it is imported it replaces itself by the package of the CUDA version that is installed,
    and a second thread finds one without names: `cannot import name 'ObjectCode'` (1.2.2).
    """
    with _LOCK:
        import cuda.core
        import cuda.core.utils

        return cuda.core
