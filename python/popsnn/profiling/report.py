"""Reports of a profile: numbers, text and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .measure import Measured, Phase

BINS = 8  # of the histogram of bytes

OTHERWISE = ", as asked for, or as the step is no faster or does not fit with the other"

ASSUMPTIONS = (
    "cycles of vertices are estimates from their loops' bundles, with every list full to its size",
    "a phase is exchange, sync and the slowest tile, one after another",
    "an exchange brings a tile 4 bytes a cycle, 8 where both tiles of a bus receive the same",
    "a sync takes 126 cycles (600 across IPUs on hardware, 500 in this model)",
    "a compute set takes 82 cycles more than its vertices",
    "the host sends and receives 8 GB/s, Streaming Memory 20 GB/s, and nothing overlaps with it",
)


# What is uncertain in the parts of a phase, least and most; no time step was measured. Compute is
# what a code generator for the chip needed for twelve vertices, over their estimates of then: of
# all together with their loops at their best, and of the one with the largest excess as compiled
# (tests/codelets/test_audit.py holds both). Exchange: as modelled, or with what fragments may take
# at most. A compute set in addition to its vertices: nothing, if all that public figures show is of
# their own vertices, or as much as remains where those are shorter.
COMPUTE, EXCHANGE = (0.92, 1.09), (1.0, 1.4)
COMPUTE_SET, COMPUTE_SETS = 82, (0, 136)


def _expected(phase: Phase, most: int) -> float:
    sets = COMPUTE_SETS[most] - COMPUTE_SET if phase.kind == "Execute" else 0
    return (
        COMPUTE[most] * phase.compute + EXCHANGE[most] * phase.exchange + phase.sync + sets
    ) + phase.host


@dataclass(frozen=True)
class Report:
    """The modelled cost of a training step: forward, backward and update.

    Parameters
    ----------
    title, device, activity : str
    steps : int
        Time steps of a sample, T, that times are for.
    measured : Measured
        Of a training step of fewer time steps: cycles of a time step do not depend on T.
    tile_bytes : int array [tiles]
        At T steps.
    published_ms : float, optional
    code_bytes : int
        The most that the planner reserves on a tile for code, exchanges and stacks.
    """

    title: str
    device: str
    activity: str
    max_activity: Optional[float]
    steps: int
    measured: Measured
    tile_bytes: np.ndarray[Any, Any]
    published_ms: Optional[float] = None
    code_bytes: int = 0

    @property
    def looped(self) -> List[Phase]:
        """Phases of a time step."""
        return [phase for phase in self.measured.phases if self.measured.looped(phase)]

    @property
    def once(self) -> List[Phase]:
        """Phases of a training step that time steps do not repeat."""
        return [phase for phase in self.measured.phases if not self.measured.looped(phase)]

    @property
    def cycles_per_timestep(self) -> float:
        """Cycles of a time step, forward and backward."""
        return sum(phase.cycles * phase.runs for phase in self.looped) / self.measured.steps

    @property
    def expected_cycles(self) -> Tuple[float, float]:
        """Least and most cycles of a time step that hardware is expected to take."""
        low, high = (
            sum(_expected(phase, most) * phase.runs for phase in self.looped) for most in (0, 1)
        )
        return low / self.measured.steps, high / self.measured.steps

    @property
    def expected_factors(self) -> Tuple[float, float]:
        """The same as factors of the modelled cycles."""
        low, high = self.expected_cycles
        return low / self.cycles_per_timestep, high / self.cycles_per_timestep

    @property
    def expected_text(self) -> str:
        """Those with the two digits that the model has."""
        return " to ".join(f"{float(f'{cycles:.2g}'):,.0f}" for cycles in self.expected_cycles)

    @property
    def phases_per_timestep(self) -> float:
        """BSP phases of a time step, forward and backward."""
        return sum(phase.runs for phase in self.looped) / self.measured.steps

    @property
    def exchange_bytes_per_timestep(self) -> float:
        """Bytes that all tiles receive in a time step."""
        return sum(p.exchange_bytes * p.runs for p in self.looped) / self.measured.steps

    @property
    def step_cycles(self) -> float:
        """Cycles of a training step of T time steps."""
        return self.steps * self.cycles_per_timestep + sum(map(self._once_cycles, self.once))

    @property
    def step_ms(self) -> float:
        """Milliseconds of a training step of T time steps."""
        return 1e3 * self.step_cycles / self.measured.clock_hz

    @property
    def samples_per_s(self) -> float:
        """Samples a second."""
        return 1e3 * self.measured.batch / self.step_ms

    @property
    def tile_bytes_max(self) -> int:
        """Bytes of the fullest tile."""
        return int(self.tile_bytes.max())

    def _once_cycles(self, phase: Phase) -> float:
        # What the host sends and receives grows with T; the settings that do not are a few bytes.
        if phase.kind != "StreamCopy":
            return phase.cycles * phase.runs
        scale = self.steps / self.measured.steps
        return (phase.host + phase.exchange) * scale + phase.sync

    def histogram(self) -> List[Dict[str, int]]:
        """Return tiles by bytes: `from` and `to` in bytes, `tiles`."""
        counts, edges = np.histogram(self.tile_bytes, BINS, (0, max(self.tile_bytes_max, 1)))
        return [
            {"from": int(low), "to": int(high), "tiles": int(count)}
            for count, low, high in zip(counts, edges[:-1], edges[1:])
        ]

    def as_dict(self) -> Dict[str, Any]:
        """Return all of it as JSON takes it."""
        measured = self.measured
        return {
            "modelled": True,
            "model_inputs": {
                "clock_hz": measured.clock_hz,
                "tiles": len(self.tile_bytes),
                "emulated_steps": measured.steps,
                "assumptions": list(ASSUMPTIONS),
            },
            "network": self.title,
            "device": self.device,
            "activity": self.activity,
            "max_activity": self.max_activity,
            "batch": measured.batch,
            "steps": self.steps,
            "cycles_per_timestep": self.cycles_per_timestep,
            "expected_cycles_per_timestep": list(self.expected_cycles),
            "phases_per_timestep": self.phases_per_timestep,
            "exchange_bytes_per_timestep": self.exchange_bytes_per_timestep,
            "tile_bytes_max": self.tile_bytes_max,
            "tile_bytes_mean": float(self.tile_bytes.mean()),
            "tile_bytes_histogram": self.histogram(),
            "tile_code_bytes": self.code_bytes,
            "step_ms": self.step_ms,
            "samples_per_s": self.samples_per_s,
            "published_ms": self.published_ms,
            "vertices": measured.vertices,
            "list_sizes": {"forward": measured.sizes[0], "backward": measured.sizes[1]},
            "layers": [
                {**layer._asdict(), "gradients": [cost._asdict() for cost in layer.gradients]}
                for layer in measured.layers
            ],
            "phases": [
                {"each_timestep": measured.looped(phase), **phase._asdict()}
                for phase in measured.phases
            ],
        }

    def as_text(self) -> str:
        """Return all of it as a page of text."""
        sections = [self._heading(), self._layers(), self._table(), self._summary(), self._memory()]
        sections.append("\n".join(["modelled, not measured:", *(f"  {a}" for a in ASSUMPTIONS)]))
        return "\n\n".join(sections)

    def _heading(self) -> str:
        measured = self.measured
        cap = "" if self.max_activity is None else f", at most {self.max_activity:.1%} active"
        return (
            f"{self.title} on {self.device}, {measured.clock_hz / 1e9:.3g} GHz: "
            f"T={self.steps}, B={measured.batch}, {self.activity} activity{cap}\n"
            f"a training step with Adam, of {measured.steps} time steps on the emulated device"
        )

    def _layers(self) -> str:
        lines = ["layer  neurons  places  tiles  neurons a tile   fired  listed  longest list"]
        for index, layer in enumerate(self.measured.layers):
            lines.append(
                f"{index:>5}  {layer.neurons:>7}  {layer.capacity or '-':>6}  {layer.tiles:>5}  "
                f"{layer.neurons_per_tile:>14}  {layer.fired:>6.1f}  {layer.listed:>6.1f}  "
                f"{layer.longest:>12}"
            )
        forward, backward = self.measured.sizes
        lines.append(
            f"sizes of lists that exchanges are compiled for: {forward} forward, {backward} back"
        )
        lines.append("weight gradients, cycles a time step as the planner has them:")
        for index, layer in enumerate(self.measured.layers):
            for cost in layer.gradients:
                other = (
                    "" if min(cost.sparse, cost.dense) == getattr(cost, cost.taken) else OTHERWISE
                )
                lines.append(
                    f"{index:>5}  {cost.source:<9}  sparse {cost.sparse:>9,.0f}  "
                    f"dense {cost.dense:>9,.0f}: {cost.taken}{other}"
                )
        return "\n".join(lines)

    def _table(self) -> str:
        width = max(len(phase.name) for phase in self.measured.phases)
        layers = "".join(f"{f'layer {i}':>10}" for i in range(len(self.measured.layers)))
        lines = [
            f"{'cycles of a run':<{width}}  runs       all   compute  exchange    sync      host"
            f"       bytes   slowest tile of{layers}"
        ]
        for title, phases in (("each time step", self.looped), ("once", self.once)):
            lines.append(title)
            lines += [self._row(phase, width) for phase in phases]
        return "\n".join(lines)

    @staticmethod
    def _row(phase: Phase, width: int) -> str:
        by_layer = "".join(f"{cycles:>10,}" for cycles in phase.by_layer)
        return (
            f"{phase.name:<{width}}{phase.runs:>6}{phase.cycles:>10,.0f}{phase.compute:>10,.0f}"
            f"{phase.exchange:>10,.0f}{phase.sync:>8,.0f}{phase.host:>10,.0f}"
            f"{phase.exchange_bytes:>12,}"
            f"{'':>18}{by_layer}"
        )

    def _summary(self) -> str:
        lines = [
            f"cycles a time step    {self.cycles_per_timestep:>12,.0f}",
            f"expected on hardware  {self.expected_text:>12}",
            f"BSP phases            {self.phases_per_timestep:>12,.0f}",
            f"exchanged bytes       {self.exchange_bytes_per_timestep:>12,.0f}",
            f"training step         {self.step_ms:>12,.3f} ms",
            f"samples a second      {self.samples_per_s:>12,.0f}",
        ]
        if self.published_ms is not None:
            ratio = self.step_ms / self.published_ms
            lines.append(
                f"published, measured   {self.published_ms:>12,.2f} ms: expected on hardware are "
                f"{' to '.join(f'{f * ratio:.2g}' for f in self.expected_factors)} of it"
            )
        return "\n".join(lines)

    def _memory(self) -> str:
        lines = [
            f"bytes a tile: {self.tile_bytes_max:,} on the fullest, "
            f"{self.tile_bytes.mean():,.0f} on average; the planner reserves up to "
            f"{self.code_bytes:,} for code and stacks"
        ]
        most = max(part["tiles"] for part in self.histogram())
        for part in self.histogram():
            bar = "#" * -(-40 * part["tiles"] // most)
            lines.append(f"{part['from']:>9,} to {part['to']:>9,}  {part['tiles']:>5} tiles  {bar}")
        return "\n".join(line.rstrip() for line in lines)
