"""Neurons that bring a text by hand for an engine: the conclusions that engines draw from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Tuple

import pytest
import torch
from torch import Tensor

from popsnn import neurons
from popsnn._internal.spec import ModelSpec
from popsnn.backends import backends
from popsnn.functional import Custom
from popsnn.nn import SNN, SparseNeurons


class Twice(neurons.Neuron):
    """Fires where twice the membrane reaches the threshold; CUDA by hand."""

    states = ("v", "s")
    parameters = ()

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Tuple[Tensor, Tensor]:
        v = 0.5 * state.v + x
        return v, fire(2 * v, 1.0)

    @property
    def cuda_source(self) -> str:
        return "struct Neuron { static constexpr int kStates = 2; };"


class Untraced(Twice):
    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Tuple[Tensor, Tensor]:
        v = torch.special.i0(state.v) + x
        return v, fire(v, 1.0)


class AtOnce(neurons.Neuron):
    """A spike resets the membrane of its own step; the codelet is by hand."""

    states = ("v", "s")
    parameters = ()

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Tuple[Tensor, Tensor]:
        v = 0.5 * state.v + x
        s = fire(v, 1.0)
        return v * (1 - s), s

    def spec(self, derivative: str | None = None) -> ModelSpec:
        return replace(super().spec(derivative), codelet=str(Path(__file__)))


def test_what_a_text_by_hand_compares_is_what_the_step_compares() -> None:
    assert not Twice().translation().fires_on_membrane
    assert not Untraced().translation().fires_on_membrane
    with pytest.warns(DeprecationWarning, match="functional.Custom"):
        custom = Custom(("v", "s"), (), lambda x, state, p, fire: (x, fire(x, 1.0)))
    assert custom.translation().fires_on_membrane


@pytest.mark.skipif(not backends()["ipu"].available, reason="engine ipu: not built")
def test_a_codelet_by_hand_has_no_capacity_where_a_spike_acts_at_once() -> None:
    SNN(SparseNeurons(6, 6, AtOnce()), backend="ipu")
    layer = SparseNeurons(6, 6, AtOnce(), max_activity=0.3)
    with pytest.raises(ValueError, match="depends on the spike of its own step"):
        SNN(layer, backend="ipu")


def test_a_step_that_cannot_be_traced_is_a_reason_and_no_exception() -> None:
    from popsnn.engines.cuda_engine import _unsupported_neurons

    with pytest.warns(DeprecationWarning, match="functional.Custom"):
        neuron = Custom(
            ("v", "s"),
            (),
            lambda x, state, p, fire: (x, (x >= 1).to(x.dtype)),
            forward="v = x; s = v >= 1.0f ? 1.0f : 0.0f;",
            restore="s = v >= 1.0f ? 1.0f : 0.0f;",
            backward="d_x = d_v; d_v = 0.0f; d_s = 0.0f;",
        )
    reason = _unsupported_neurons(SparseNeurons(4, 4, neuron, max_activity=0.5))
    assert reason is not None
    assert reason.startswith("max_activity: Custom: step: expected")
