"""The emulated device that a model's custom operations run on."""

from __future__ import annotations

import os
from typing import Any

from ._native import native


def device_of(options: Any) -> Any:
    """Return the device that the options ask for; None is one whole modelled IPU.

    `POPTORCH_SMALL_IPU_MODEL=1` takes one of four tiles, as PopTorch's small model.
    """
    popart = options._Popart.options
    chosen: dict[str, Any] = {}
    if os.environ.get("POPTORCH_SMALL_IPU_MODEL", "0") not in ("", "0"):
        chosen["tiles_per_ipu"] = 4
    if popart.get("engineOptions"):
        chosen["engine_options"] = dict(popart["engineOptions"])
    if popart.get("customCodelets"):
        chosen["codelets"] = list(popart["customCodelets"])
        chosen["codelet_flags"] = popart.get("customCodeletCompileFlags", "")
    return native().Device(**chosen) if chosen else None
