"""PopDist of a single instance."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest


@pytest.fixture
def popdist(poptorch: Any) -> Any:
    for name in ("popdist.popart", "popdist.poptorch"):
        importlib.import_module(name)
    return importlib.import_module("popdist")


def test_a_program_is_the_only_instance(popdist: Any, poptorch: Any) -> None:
    assert not popdist.isPopdistEnvSet()
    popdist.init()
    popdist.synchronize()
    assert (popdist.getInstanceIndex(), popdist.getNumInstances()) == (0, 1)
    assert (popdist.getNumTotalReplicas(), popdist.getNumLocalReplicas()) == (1, 1)
    assert (popdist.getReplicaIndexOffset(), popdist.getNumIpusPerReplica()) == (0, 1)
    assert popdist.execute_on_instances({0}, max, 3, 4) == 4
    assert popdist.execute_on_instances({1}, max, 3, 4) is None
    options = popdist.poptorch.Options(ipus_per_replica=1)
    assert isinstance(options, poptorch.Options)
    assert options.deviceIterations(4).device_iterations == 4
    assert popdist.popart.configureSessionOptions(options) is options


def test_options_that_poprun_decides_are_refused(popdist: Any) -> None:
    options = popdist.poptorch.Options(ipus_per_replica=2)
    assert (options.Distributed.processId, options.Distributed.numProcesses) == (0, 1)
    assert options.replication_factor == 1
    for name, arguments in {
        "useIpuId": (1,),
        "replicationFactor": (1,),
        "Distributed.disable": (),
        "Distributed.setEnvVarNames": ("A", "B"),
        "Distributed.configureProcessId": (0, 1),
    }.items():
        call = options
        for part in name.split("."):
            call = getattr(call, part)
        with pytest.raises(
            RuntimeError, match=f"Cannot call `{name}` with popdist.poptorch.Options"
        ):
            call(*arguments)


@pytest.mark.parametrize(
    ("name", "arguments"), [("replicationFactor", [1]), ("Distributed.configureProcessId", [0, 1])]
)
def test_default_options_that_poprun_decides_are_refused(
    name: str, arguments: list[int], popdist: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POPTORCH_DEFAULT_OPTIONS", json.dumps({name: arguments}))
    with pytest.raises(RuntimeError, match=f"Cannot call `{name}` with popdist.poptorch.Options"):
        popdist.poptorch.Options()


def test_several_instances_are_refused(popdist: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POPDIST_NUM_TOTAL_REPLICAS", "2")
    assert popdist.isPopdistEnvSet()
    for call in (popdist.init, popdist.getNumInstances, popdist.poptorch.Options):
        with pytest.raises(RuntimeError, match="expected a process that poprun has not started"):
            call()


def test_other_numbers_of_ipus_are_refused(popdist: Any) -> None:
    popdist.checkNumIpusPerReplica(1)
    with pytest.raises(ValueError, match="expected 1, the IPUs of a replica, got 4"):
        popdist.checkNumIpusPerReplica(4)
