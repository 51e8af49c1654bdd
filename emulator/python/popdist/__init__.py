"""Emulated PopDist: programs for several instances, run as the single one.

`poprun`, which starts several, is not emulated. Without it a program is instance 0 of 1, with one
replica. Names are those that programs of Graphcore's public examples use.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Optional, Set

__all__ = [
    "checkNumIpusPerReplica",
    "execute_on_instances",
    "getDeviceId",
    "getInstanceIndex",
    "getNumInstances",
    "getNumIpusPerReplica",
    "getNumLocalReplicas",
    "getNumTotalReplicas",
    "getReplicaIndexOffset",
    "init",
    "isPopdistEnvSet",
    "synchronize",
]

_PREFIX = "POPDIST_"


def isPopdistEnvSet() -> bool:
    """Return whether `poprun` has started this process."""
    return any(name.startswith(_PREFIX) for name in os.environ)


def _check(function: str) -> None:
    if isPopdistEnvSet():
        raise RuntimeError(
            f"popdist.{function}: expected a process that poprun has not started, which the "
            f"emulation does not have, got variables {_PREFIX}* in the environment"
        )


def init() -> None:
    """Begin, which a single instance does without others.

    Raises
    ------
    RuntimeError
        Where `poprun` has started this process; so does every function below.
    """
    _check("init")


def synchronize() -> None:
    """Wait for all instances."""
    _check("synchronize")


def getInstanceIndex() -> int:
    """Return the number of this instance."""
    _check("getInstanceIndex")
    return 0


def getNumInstances() -> int:
    """Return how many instances there are."""
    _check("getNumInstances")
    return 1


def getNumTotalReplicas() -> int:
    """Return the replicas of all instances."""
    _check("getNumTotalReplicas")
    return 1


def getNumLocalReplicas() -> int:
    """Return the replicas of this instance."""
    _check("getNumLocalReplicas")
    return 1


def getReplicaIndexOffset() -> int:
    """Return the number of this instance's first replica."""
    _check("getReplicaIndexOffset")
    return 0


def getNumIpusPerReplica() -> int:
    """Return the IPUs of a replica."""
    _check("getNumIpusPerReplica")
    return 1


def checkNumIpusPerReplica(expected: int) -> None:
    """Raise where a replica has another number of IPUs.

    Raises
    ------
    ValueError
    """
    got = getNumIpusPerReplica()
    if expected != got:
        raise ValueError(
            f"popdist.checkNumIpusPerReplica: expected: expected {got}, the IPUs of a replica, "
            f"got {expected}"
        )


def getDeviceId(num_ipus_per_replica: Optional[int] = None) -> int:
    """Return the id of this instance's device."""
    _check("getDeviceId")
    return 0


def execute_on_instances(
    instances: Set[int], function: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """Return what a function returns on the instances of a set; None on others."""
    return function(*args, **kwargs) if getInstanceIndex() in instances else None
