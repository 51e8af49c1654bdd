"""From a configuration to a trained network in a folder, as `popsnn train` does."""

from __future__ import annotations

from .build import Datasets, datasets, network, optimizer
from .config import Config, Recipe, as_yaml, merged, read, shipped
from .finished import evaluate, load
from .loop import Optimizer, Training
from .objective import ActivityCost
from .report import EpochMetrics, versions
from .run import prepare, train

__all__ = [
    "ActivityCost",
    "Config",
    "Datasets",
    "EpochMetrics",
    "Optimizer",
    "Recipe",
    "Training",
    "as_yaml",
    "datasets",
    "evaluate",
    "load",
    "merged",
    "network",
    "optimizer",
    "prepare",
    "read",
    "shipped",
    "train",
    "versions",
]
