"""Equal neurons are translated once, and no neuron gets the translation of another."""

from __future__ import annotations

from typing import Any, Tuple

import pytest
import torch
from torch import Tensor

from popsnn.neurons import LIF, Neuron
from popsnn.tracing import step


class Scaled(Neuron):
    states = ("v",)
    parameters = ()

    def __init__(self, factor: Any) -> None:
        super().__init__()
        self.factor = factor

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Tuple[Tensor, ...]:
        return (float(self.factor) * (state.v + x),)


def test_equal_neurons_are_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = LIF("subtract").cuda_source
    monkeypatch.setattr(step, "trace", None)
    assert LIF("subtract").cuda_source == first


@pytest.mark.parametrize("made", [float, torch.tensor], ids=["number", "tensor"])
def test_each_has_its_own_options(made: Any) -> None:
    sources = [str(Scaled(made(factor)).cuda_source) for factor in (0.5, 0.25, 0.5)]
    assert "0.5f" in sources[0] == sources[2]
    assert "0.25f" in sources[1]


def test_a_changed_option_is_translated_anew() -> None:
    neuron = Scaled(0.5)
    before = neuron.cuda_source
    neuron.factor = 0.75
    assert neuron.cuda_source != before


def test_a_step_without_a_translation_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unknown(Scaled):
        def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Tuple[Tensor, ...]:
            return (torch.special.i0(state.v) + x,)

    neuron, calls = Unknown(0.5), []
    monkeypatch.setattr(Unknown, "_trace_step", lambda _: calls.append(1) or _refuse())
    neuron.translation()
    neuron.translation()
    assert calls == [1]


def _refuse() -> None:
    raise NotImplementedError


def test_classes_of_one_name_are_apart() -> None:
    class Other(Scaled):
        def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Tuple[Tensor, ...]:
            return (self.factor * (state.v - x),)

    Other.__name__ = "Scaled"
    assert Other(0.5).cuda_source != Scaled(0.5).cuda_source
