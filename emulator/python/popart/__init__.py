"""The emulated PopART: models of custom operators, and sessions that run them on emulated IPUs.

It has of PopART 3.4's Python module what scripts for custom operators call; operators of ONNX are
not among it. Libraries of operators register theirs as they are loaded, after this module.
"""

from __future__ import annotations

import importlib
from typing import Any

_native: Any = importlib.import_module("popsnn._popart")
_session: Any = _native.session

AnchorReturnType = _session.AnchorReturnType
Builder = _session.Builder
ConstSGD = _session.ConstSGD
DataFlow = _session.DataFlow
DeviceConnectionType = _session.DeviceConnectionType
DeviceInfo = _session.DeviceInfo
DeviceManager = _session.DeviceManager
DeviceSelectionCriterion = _session.DeviceSelectionCriterion
DeviceType = _session.DeviceType
InferenceSession = _session.InferenceSession
PyStepIO = _session.PyStepIO
ReductionType = _session.ReductionType
SGD = _session.SGD
SessionOptions = _session.SessionOptions
SyncPattern = _session.SyncPattern
TensorInfo = _session.TensorInfo
TrainingSession = _session.TrainingSession
popart_exception = _native.popart_exception
popart_internal_exception = _native.popart_internal_exception
poplar_exception = _native.poplar_exception
poplibs_exception = _native.poplibs_exception
reservedGradientPrefix = _session.reservedGradientPrefix

__all__ = [
    "SGD",
    "AnchorReturnType",
    "Builder",
    "ConstSGD",
    "DataFlow",
    "DeviceConnectionType",
    "DeviceInfo",
    "DeviceManager",
    "DeviceSelectionCriterion",
    "DeviceType",
    "InferenceSession",
    "PyStepIO",
    "ReductionType",
    "SessionOptions",
    "SyncPattern",
    "TensorInfo",
    "TrainingSession",
    "popart_exception",
    "popart_internal_exception",
    "poplar_exception",
    "poplibs_exception",
    "reservedGradientPrefix",
]
