"""The published networks, and what their log says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Optional, Tuple

TILES = 1471  # of 1472: the published programs keep one free
PAIR = 2  # neurons of a tile
ACTIVITY = 0.05


@dataclass(frozen=True)
class Preset:
    """A network of the published benchmarks (Finkbeiner and Neftci, AAAI 2024).

    Parameters
    ----------
    name : str
    inputs : int
        Neurons of the input.
    hidden : tuple of int
        Neurons of each hidden layer.
    classes : int
        Neurons of the output layer, which spikes too.
    steps : int
        Time steps of a sample, T.
    input_capacity : int
        Input spikes of a sample and step.
    batch : int
        Samples of a training step, B.
    """

    name: str
    inputs: int
    hidden: Tuple[int, ...]
    classes: int
    steps: int
    input_capacity: int
    batch: int = 48

    @property
    def sizes(self) -> Tuple[int, ...]:
        """Neurons of the input and of every layer."""
        return (self.inputs, *self.hidden, self.classes)

    def capacities(self, max_activity: float) -> Tuple[int, ...]:
        """Return the capacity of each layer, as the published programs count it."""
        return tuple(max(2 * int(max_activity * size / 2), 2) for size in self.sizes[1:])

    def published_ms(self, max_activity: float) -> Optional[float]:
        """Return the time of a training step in the published log; None where it has none."""
        return PUBLISHED_MS.get((self.name, max_activity))


def _hidden(classes: int, depth: int) -> Tuple[int, ...]:
    """Return the sizes of `depth` layers on the tiles next to the output's, in pairs."""
    tiles = TILES - -(-classes // PAIR)
    return tuple(PAIR * (tiles // depth + (index < tiles % depth)) for index in range(depth))


def _presets() -> Dict[str, Preset]:
    made = [
        Preset(f"{name}-h{depth}", inputs, _hidden(classes, depth), classes, steps, capacity)
        for name, inputs, classes, steps, capacity, depths in (
            ("nmnist", 2312, 10, 100, 32, range(2, 6)),
            ("shd", 700, 20, 100, 48, range(2, 6)),
            ("dvsgesture", 4608, 11, 50, 96, range(2, 3)),
        )
        for depth in depths
    ]
    return {preset.name: preset for preset in made}


PRESETS = _presets()


def preset_of(name: str) -> Preset:
    """Return the preset of a name; raises ValueError where there is none."""
    if name not in PRESETS:
        raise ValueError(f"profile: preset: expected one of {', '.join(PRESETS)}, got {name!r}")
    return PRESETS[name]


# Milliseconds a training step of jrfinkbeiner/graphcore_snn (the log deleted by commit 1f0790b:
# 12 September 2022, one IPU, almost surely a Bow, Poplar 2.6, T=100, B=48, Adam, fp32), by preset
# and fraction of the neurons that may spike.
PUBLISHED_MS: Dict[Tuple[str, float], float] = {
    (f"nmnist-h{depth}", activity): ms
    for activity, row in (
        (0.01, (6.06, 5.15, 5.06, 4.18)),
        (0.05, (8.54, 7.40, 6.07, 5.96)),
        (0.10, (10.64, 9.12, 7.61, 6.90)),
    )
    for depth, ms in zip(range(2, 6), row)
}
