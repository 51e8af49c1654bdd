"""Engines: what runs networks and operators. Importing this registers them with the dispatcher."""

from __future__ import annotations

from .._internal.dispatch import POPTORCH
from ..nn.engine import (
    NETWORK,
    Engine,
    EngineResult,
    EngineState,
    LayerStats,
    LayerTrace,
    PendingStats,
    resolve,
)
from . import cuda_operators, poptorch_ops
from .cuda_engine import CudaEngine
from .ipu_engine import IpuEngine
from .torch_engine import TorchEngine

__all__ = [
    "Engine",
    "EngineResult",
    "EngineState",
    "LayerStats",
    "LayerTrace",
    "PendingStats",
    "resolve",
]

for engine in (TorchEngine(), IpuEngine(), CudaEngine()):
    NETWORK.register(engine.name, engine)
cuda_operators.register()
POPTORCH.update(
    compact=poptorch_ops.compact,
    expand=poptorch_ops.expand,
    lif=poptorch_ops.lif,
    network=poptorch_ops.network,
    readout=poptorch_ops.readout,
    sparse_layer=poptorch_ops.sparse_layer,
)
