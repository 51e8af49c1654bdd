"""The emulated PopART: models of ONNX and of custom operators, and sessions that run them.

It has the names of PopART 3.4's Python module. Operators of ONNX and PopART's own are computed by
torch; those of libraries, which register theirs as they are loaded, run on emulated IPUs. Models
are ONNX's, by the package onnx.
"""

from __future__ import annotations

from typing import Any

from ._build.builder import DEFAULT_OPSET as defaultAiOnnxOpset
from ._build.builder import Builder
from ._build.graphcore import AiGraphcore
from ._build.opset import AiOnnx
from ._native import (
    native,
    popart_exception,
    popart_internal_exception,
    popart_runtime_error,
    poplar_application_runtime_error,
    poplar_exception,
    poplar_runtime_error,
    poplibs_exception,
)
from ._run.inputs import InputShapeInfo
from ._run.session import InferenceSession
from ._run.stepio import IStepIO, PyStepIO, PyStepIOCallback, PyWeightsIO
from ._run.training import TrainingSession
from ._settings import enums as _enums
from ._settings.dataflow import AnchorReturnType, DataFlow, InputSettings
from ._settings.optimizers import (
    SGD,
    Adam,
    Adaptive,
    ClipNormSettings,
    ConstSGD,
    Optimizer,
    OptimizerValue,
    OptimizerValueMap,
)
from ._settings.options import (
    AccumulateOuterFragmentSettings,
    AutodiffSettings,
    AutomaticLossScalingSettings,
    BatchSerializationSettings,
    ExecutionPhaseSettings,
    ExperimentalSettings,
    Patterns,
    ReplicatedCollectivesSettings,
    SessionOptions,
    TensorLocation,
    TensorLocationSettings,
)
from ._settings.tensorinfo import TensorInfo
from ._settings.variables import CommGroup, VariableSettings

_session: Any = native.session
DeviceConnectionType = _session.DeviceConnectionType
DeviceInfo = _session.DeviceInfo
DeviceManager = _session.DeviceManager
DeviceSelectionCriterion = _session.DeviceSelectionCriterion
DeviceType = _session.DeviceType
SyncPattern = _session.SyncPattern

_choices = [name for name in vars(_enums) if name[0].isupper() and name != "IntEnum"]
globals().update({name: getattr(_enums, name) for name in _choices})

defaultAiGraphcoreOpset = 1
defaultAiOnnxMlOpset = 1
__version__ = "3.4.0+emulated"

_PREFIXES = {
    "Accl": "Accl___",
    "Accl1": "Accl1___",
    "Accl2": "Accl2___",
    "Accl3": "Accl3___",
    "Accum": "Accum___",
    "Gradient": "Gradient___",
    "LossScaling": "lossScaling_",
    "RandomSeed": "randomSeed___",
    "Restored": "Restored___",
    "Stashed": "Stashed___",
    "Step": "Step___",
    "UpdatedVar": "UpdatedVar___",
}


def reservedGradientPrefix() -> str:
    """Return what the name of a gradient begins with."""
    return _PREFIXES["Gradient"]


def versionString() -> str:
    """Return the version."""
    return __version__


def versionNumber() -> tuple[int, int, int]:
    """Return the version in numbers."""
    return (3, 4, 0)


def syncPatternFromString(pattern: str) -> Any:
    """Return a pattern by its name, as "full"."""
    names = {"full": "Full", "singlePipeline": "SinglePipeline"}
    names["replicaAndLadder"] = "ReplicaAndLadder"
    if pattern not in names:
        raise popart_exception(
            f"syncPatternFromString: expected {', '.join(names)}, got {pattern!r}"
        )
    return getattr(SyncPattern, names[pattern])


def getSupportedOperations(includeInternal: bool = False) -> list[tuple[str, str, int]]:
    """Return domain, type and version of the operators of libraries."""
    return list(native.operators())


def __getattr__(name: str) -> Any:
    if name.startswith("reserved") and name.endswith("Prefix"):
        kind = name[len("reserved") : -len("Prefix")]
        if kind in _PREFIXES:
            return lambda: _PREFIXES[kind]
    raise AttributeError(f"popart.{name}: the emulated PopART does not have it")


__all__ = [
    "SGD",
    "AccumulateOuterFragmentSettings",
    "Adam",
    "Adaptive",
    "AiGraphcore",
    "AiOnnx",
    "AnchorReturnType",
    "AutodiffSettings",
    "AutomaticLossScalingSettings",
    "BatchSerializationSettings",
    "Builder",
    "ClipNormSettings",
    "CommGroup",
    "ConstSGD",
    "DataFlow",
    "DeviceConnectionType",
    "DeviceInfo",
    "DeviceManager",
    "DeviceSelectionCriterion",
    "DeviceType",
    "ExecutionPhaseSettings",
    "ExperimentalSettings",
    "IStepIO",
    "InferenceSession",
    "InputSettings",
    "InputShapeInfo",
    "Optimizer",
    "OptimizerValue",
    "OptimizerValueMap",
    "Patterns",
    "PyStepIO",
    "PyStepIOCallback",
    "PyWeightsIO",
    "ReplicatedCollectivesSettings",
    "SessionOptions",
    "SyncPattern",
    "TensorInfo",
    "TensorLocation",
    "TensorLocationSettings",
    "TrainingSession",
    "VariableSettings",
    "defaultAiGraphcoreOpset",
    "defaultAiOnnxMlOpset",
    "defaultAiOnnxOpset",
    "getSupportedOperations",
    "popart_exception",
    "popart_internal_exception",
    "popart_runtime_error",
    "poplar_application_runtime_error",
    "poplar_exception",
    "poplar_runtime_error",
    "poplibs_exception",
    "reservedGradientPrefix",
    "syncPatternFromString",
    "versionNumber",
    "versionString",
]
