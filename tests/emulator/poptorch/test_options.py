"""Options: setters, freezing, files and what is refused."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn


def test_setters_are_chained_and_copies_apart(poptorch: Any) -> None:
    made = poptorch.Options().deviceIterations(4).outputMode(poptorch.OutputMode.All)
    made.Training.gradientAccumulation(3)
    copied = copy.deepcopy(made)
    made.deviceIterations(5).Training.gradientAccumulation(6)
    made._Popart.set("autoRecomputation", 3).setEngineOptions({"a": "b"})
    assert (copied.device_iterations, copied.Training.gradient_accumulation) == (4, 3)
    assert "autoRecomputation" not in copied.toDict()
    assert made.toDict()["engineOptions"] == {"a": "b"}
    assert "device_iterations=5" in repr(made)


def test_settings_of_logs_are_held(poptorch: Any) -> None:
    made = poptorch.Options().sourceLocationExcludes(["a"]).appendToLocationExcludes("b", "c")
    assert made._source_location_excludes == ["a", "b", "c"]
    assert made.maxRepeatLogs(7).max_repeat_logs == 7
    assert made.maxRepeatLogs(None).max_repeat_logs == 2**64 - 1


def test_options_that_change_nothing_are_stored(poptorch: Any) -> None:
    made = (
        poptorch.Options().useIpuModel(True).useIpuId(3).autoRoundNumIPUs().logDir(log_dir="logs")
    )
    made.modelName("net").relaxOptimizerAttributesChecks(False)
    made.syncPattern(poptorch.SyncPattern.ReplicaAndLadder)
    assert (made.use_model, made.ipu_id, made.auto_round_num_ipus) == (True, 3, True)
    assert (made.log_dir, made.model_name, made.relax_optimizer_checks) == ("logs", "net", False)
    assert made.sync_pattern == poptorch.SyncPattern.ReplicaAndLadder
    place = poptorch.TensorLocationSettings().useOnChipStorage().minElementsForOffChip(4)
    made.TensorLocations.setWeightLocation(place.useIOTilesToLoad(False)).numIOTiles(32)
    stored = made.TensorLocations.toDict()
    assert (stored["location_weight"]["onChip"], stored["numIOTiles"]) == (True, 32)
    assert place.toDict() == {"onChip": True, "minElementsForOffChip": 4, "useIOTilesToLoad": False}
    sum_last = poptorch.MeanReductionStrategy.Running
    made.Training.setMeanAccumulationAndReplicationReductionStrategy(sum_last)
    assert made.Training.meanAccumulationAndReplicationReductionStrategy == sum_last
    poptorch.inferenceModel(nn.Identity(), made)
    with pytest.raises(AttributeError, match="Can't modify frozen Options"):
        made.logDir("other")
    with pytest.raises(TypeError, match="missing a required argument: 'log_dir'"):
        poptorch.Options().logDir()


def test_used_options_are_frozen(poptorch: Any) -> None:
    made = poptorch.Options()
    poptorch.inferenceModel(nn.Identity(), made)
    for change in (
        lambda: made.deviceIterations(2),
        lambda: made.Training.gradientAccumulation(2),
        lambda: made._Popart.set("a", 1),
        lambda: setattr(made, "device_iterations", 2),
    ):
        with pytest.raises(AttributeError, match="Can't modify frozen Options"):
            change()


def test_options_of_a_file(poptorch: Any, tmp_path: Path) -> None:
    file = tmp_path / "options.conf"
    file.write_text(
        "deviceIterations(3)  # a comment\n\nTraining.gradientAccumulation(2)\n"
        "outputMode(poptorch.OutputMode.EveryN, 3)\n_Popart.set('key', [1, 2])\n"
    )
    made = poptorch.Options().loadFromFile(str(file))
    assert (made.device_iterations, made.Training.gradient_accumulation) == (3, 2)
    assert (made.output_mode, made.output_return_period) == (poptorch.OutputMode.EveryN, 3)
    assert made.toDict()["key"] == [1, 2]
    file.write_text("deviceIterations(3)\nspeed(3)\n")
    with pytest.raises(poptorch.Error, match=f"AttributeError at line 2 of {file}"):
        poptorch.Options().loadFromFile(str(file))


def test_options_of_the_environment(poptorch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '{"deviceIterations": 3, "outputMode": "OutputMode.All", "_Popart.set": ["key", 1]}'
    monkeypatch.setenv("POPTORCH_DEFAULT_OPTIONS", text)
    made = poptorch.Options()
    assert (made.device_iterations, made.output_mode) == (3, poptorch.OutputMode.All)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda o, p: o.deviceIterations("2"), AssertionError, "Unexpected type"),
        (lambda o, p: o.deviceIterations(0), None, "expected at least 1, got 0"),
        (lambda o, p: o.outputMode("All"), AssertionError, "expected a poptorch.OutputMode"),
        (lambda o, p: o.outputMode(p.OutputMode.EveryN), AssertionError, "positive integer"),
        (lambda o, p: o.Training.gradientAccumulation(0), None, "expected at least 1, got 0"),
        (lambda o, p: o.Jit.traceModel(True), ValueError, "no longer supported"),
        (lambda o, p: o.Precision.setPartialsType(torch.int32), ValueError, "torch.float or"),
        (
            lambda o, p: o.anchorTensor("a", "b", p.OutputMode.EveryN, 0),
            AssertionError,
            "valid positive integer",
        ),
        (lambda o, p: o.syncPattern(3), AssertionError, "syncPattern: expected SyncPattern, got"),
        (lambda o, p: o.useIpuId("3"), AssertionError, "useIpuId: expected int, got <class 'str'>"),
        (lambda o, p: o.logDir(3), AssertionError, "logDir: expected str, got <class 'int'>"),
        (lambda o, p: o.set(speed=3), AssertionError, "Invalid option speed"),
        (lambda o, p: o.speed, AttributeError, "Invalid attribute speed."),
        (lambda o, p: o.setExecutionStrategy(3), AssertionError, "expected an execution"),
        (
            lambda o, p: o.inputReplicaGrouping(2, p.CommGroupType.Consecutive),
            ValueError,
            "cannot be larger than replication_factor",
        ),
    ],
)
def test_what_is_refused(poptorch: Any, call: Any, error: Any, message: str) -> None:
    with pytest.raises(error or poptorch.Error, match=re.escape(message)):
        call(poptorch.Options(), poptorch)


def test_input_groups(poptorch: Any) -> None:
    x = torch.arange(4.0).reshape(4, 1)
    for kind, expected in (("Consecutive", [0, 0, 1, 1]), ("Orthogonal", [0, 1, 0, 1])):
        made = poptorch.Options().replicationFactor(4).deviceIterations(2)
        made.inputReplicaGrouping(2, poptorch.CommGroupType[kind])
        out = poptorch.inferenceModel(nn.Identity(), made)(x)
        assert out.flatten().tolist() == [*expected, *(2 + i for i in expected)]


def test_log_levels(poptorch: Any) -> None:
    poptorch.setLogLevel("ERR")
    poptorch.setLogLevel(3)
    with pytest.raises(ValueError, match=r"Unknown log level: LOUD. Valid values are DEBUG, ERR"):
        poptorch.setLogLevel("LOUD")
    with pytest.raises(ValueError, match="Invalid log level integer"):
        poptorch.setLogLevel(9)
    assert poptorch.logger.name == "poptorch::python"  # programs log to it


def test_names_and_types_of_a_session_s_options_are_checked(poptorch: Any) -> None:
    def check(name: str, value: Any) -> None:
        made = poptorch.Options().outputMode(poptorch.OutputMode.All)
        made._Popart.set(name, value)
        poptorch.poptorch_core._validateOptions(made.toDict())

    check("autoRecomputation", 3)
    check("dotChecks", ["FINAL"])
    for name, value, message in (
        ("autoRecompute", 3, "Unknown uint64 option autoRecompute"),
        ("autoRecomputation", True, "Unknown bool option autoRecomputation"),
        ("dotChecks", torch.zeros(1), "Unknown value type .* for option dotChecks"),
        ("patterns", {"PadSum": True}, "without first setting 'patterns_level'"),
    ):
        with pytest.raises(poptorch.Error, match=message):
            check(name, value)
    made = poptorch.Options()
    made._Popart.set("autoRecompute", 3)
    with pytest.raises(poptorch.Error, match="Unknown uint64 option"):
        poptorch.inferenceModel(torch.nn.Identity(), made)(torch.ones(1))


def test_wrappers_find_the_classes_of_options(poptorch: Any) -> None:
    for name in ("Distributed", "Jit", "Precision", "TensorLocations", "Training"):
        kind = getattr(poptorch.options, f"_{name.replace('Locations', 'Location')}Options")
        assert isinstance(getattr(poptorch.Options(), name), kind)
    made = poptorch.Options()
    made.Precision.setPartialsType(torch.half)
    assert made._Popart.options["convolutionOptions"] == {"partialsType": "half"}
