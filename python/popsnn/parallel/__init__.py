"""Several processes on one network: the time axis split over them, with `torch.distributed`."""

from __future__ import annotations

from .gradients import GradientSums, sum_gradients, sum_hook
from .layers import split_time
from .sharded import ShardedOptimizer
from .speedup import Pipeline
from .time_split import TimeSplit

__all__ = [
    "GradientSums",
    "Pipeline",
    "ShardedOptimizer",
    "TimeSplit",
    "split_time",
    "sum_gradients",
    "sum_hook",
]
