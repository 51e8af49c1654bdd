"""Options of PopTorch for a single instance."""

from __future__ import annotations

from typing import Any, NoReturn, Optional

import poptorch
from poptorch._settings.option_parts import DistributedOptions
from poptorch._settings.option_set import OptionSet

from . import getNumInstances

__all__ = ["Options"]


def _refused(name: str) -> Any:
    """Return the method of an option that `poprun` decides; its words are the SDK's own."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise RuntimeError(f"Cannot call `{name}` with popdist.poptorch.Options")

    return refuse


class _Distributed(DistributedOptions):
    """Rank of this instance, which programs do not set."""

    def __init__(self) -> None:
        OptionSet.__init__(self, distributed_process_id=0, num_distributed_processes=1)

    disable = _refused("Distributed.disable")
    setEnvVarNames = _refused("Distributed.setEnvVarNames")
    configureProcessId = _refused("Distributed.configureProcessId")


class Options(poptorch.Options):  # type: ignore[misc,unused-ignore]
    """`poptorch.Options` of this instance.

    Parameters
    ----------
    ipus_per_replica : int, optional
        Which the model says by itself.

    Raises
    ------
    RuntimeError
        Where `poprun` has started this process; by the options that `poprun` decides:
        `replicationFactor`, `useIpuId` and those of `Distributed` but the rank.
    """

    _distributed_options = _Distributed

    def __init__(self, ipus_per_replica: Optional[int] = None, **options: Any) -> None:
        getNumInstances()
        super().__init__(**options)

    replicationFactor = _refused("replicationFactor")
    useIpuId = _refused("useIpuId")
