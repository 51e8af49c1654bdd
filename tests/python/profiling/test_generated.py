"""The modelled cost of a generated codelet against that of the one written by hand."""

from __future__ import annotations

import torch

from popsnn import neurons, nn
from popsnn.profiling import profile
from popsnn.profiling.models import network
from popsnn.profiling.presets import PRESETS


def _generated(layer: nn.SparseLIF) -> nn.SparseNeurons:
    """Return a layer of the same neurons, whose codelet is made from their step."""
    made = nn.SparseNeurons(
        layer.in_features,
        layer.out_features,
        neurons.LIF(),
        parameters={"beta": layer.beta, "threshold": layer.threshold},
        bias=False,
        delay=layer.delay,
        max_activity=layer.max_activity,
        grad_threshold=layer.grad_threshold,
        gain=layer.gain,
    )
    with torch.no_grad():
        made.weight.copy_(layer.weight)
    return made


def test_the_codelet_of_lif_is_written_by_hand_for_its_cycles() -> None:
    """The figures are in `codelets/neurons/lif.hpp`; without the gain that text could go."""
    preset = PRESETS["nmnist-h2"]
    by_hand = network(preset, 0.05, "fixed")
    made = nn.SNN(*map(_generated, by_hand.stack), backend="torch")  # type: ignore[arg-type]
    cycles = []
    for net in (by_hand, made):
        report = profile(
            net, "bow", steps=100, batch=48, input_capacity=preset.input_capacity, emulated_steps=2
        )
        phases = report.measured.phases
        cycles.append(sum(phase.cycles for phase in phases if phase.runs > 1))
    assert cycles == [23648, 34428]
