"""The log of what a session is set to, with the names of PopTorch's and PopART's options."""

from __future__ import annotations

import enum
from typing import Any

from .._logging import logger

_MODES = {"Pipelined": 0, "Sharded": 1, "Phased": 2}
_SIMPLE = (bool, int, float, str)


def log_options(options: Any) -> None:
    """Log each option and its value, where debugging is on."""
    strategy = options._execution_strategy
    values = {**options.toDict(), "execution_mode": _MODES[strategy.mode]}
    if strategy.mode == "Phased":
        values["serial_phases_execution"] = strategy.serial
        values["separate_backward_phase"] = strategy.separate_backward
        values["tensors_liveness"] = strategy.liveness
    for name, value in values.items():
        if isinstance(value, dict):
            for key, entry in value.items():
                if isinstance(entry, _SIMPLE):
                    logger.debug("poptorch.Options set %s[%s] to %s", name, key, _shown(entry))
        elif isinstance(value, (*_SIMPLE, enum.Enum)):
            logger.debug("poptorch.Options set %s to value %s", name, _shown(value))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.value if isinstance(value, enum.Enum) else value)
