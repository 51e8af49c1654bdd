"""The published networks that suites measure and the report shows."""

from __future__ import annotations

from popsnn.profiling.presets import PRESETS, PUBLISHED_MS, Preset

CAP = 0.05  # max_activity of the networks that the published log does not have
# Preset and max_activity of each: those of the log, then the others.
NETWORKS = (*PUBLISHED_MS, *((name, CAP) for name in PRESETS if not name.startswith("nmnist")))
WIDTH = 984  # neurons of a layer of the published weak scaling


def scaled(layers: int) -> Preset:
    """Return the network of so many hidden layers of the published weak scaling."""
    return Preset("shd-scaling", 700, (WIDTH,) * layers, 20, 10, 48, 24)
