from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from tests.python.extensions.hand_written import ALIF

from popsnn import functional
from popsnn.nn import NeuronModel

SPIKES = 'expected "v" among them and "s" as the last'
MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"states": ("v", "a")}, f"states: {SPIKES}, got ('v', 'a')"),
    ({"states": ("a", "s")}, f"states: {SPIKES}, got ('a', 's')"),
    ({"states": ("v", "a", "a", "s")}, "states: expected each name once, got ('v', 'a', 'a', 's')"),
    ({"defaults": (0.9,)}, f"defaults: expected one for each of {ALIF.parameters}, got (0.9,)"),
    ({"decays": ("tau",)}, f"decays: expected names among {ALIF.parameters}, got 'tau'"),
]


@pytest.mark.parametrize(("attributes", "sentence"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_mistakes_get_one_sentence(attributes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"Mine: {sentence}")):
        type("Mine", (ALIF,), attributes)()


def test_attributes_that_are_missing() -> None:
    with pytest.raises(
        TypeError, match="NeuronModel: states: expected the class to set it, got no"
    ):
        NeuronModel()


def test_options() -> None:
    with pytest.raises(ValueError, match="ALIF: reset: expected one of zero, subtract, none"):
        ALIF("hard")
    with pytest.raises(TypeError, match="ALIF: detach_reset: expected True or False, got 1"):
        ALIF(detach_reset=1)  # type: ignore[arg-type]
    assert ALIF() == ALIF("zero")
    assert ALIF() != ALIF("none")
    assert len({ALIF(), ALIF("zero"), ALIF(detach_reset=False)}) == 2


def test_codelets_lie_beside_the_class_that_names_them() -> None:
    class Heir(ALIF):
        pass

    assert Heir().codelet_path == ALIF().codelet_path
    assert ALIF().codelet_path.name == "alif.hpp"

    class Mine(ALIF):
        codelet = "nowhere.hpp"

    with pytest.raises(ValueError, match=r"Mine: codelet: expected a file .*nn/nowhere.hpp, found"):
        Mine()


def test_a_class_of_a_prompt_needs_an_absolute_path() -> None:
    space: dict[str, Any] = {"ALIF": ALIF, "__name__": "prompt"}
    exec("class Typed(ALIF):\n    codelet = 'typed.hpp'\n", space)
    with pytest.raises(
        ValueError,
        match=r"Typed: codelet: expected an absolute path of a class without a file, "
        r"got 'typed\.hpp'",
    ):
        space["Typed"]()


def test_a_model_runs_elementwise_too() -> None:
    values = dict(zip(ALIF.parameters, ALIF.defaults))
    x = torch.rand(8, 2, 5)
    got = functional._scan.scan("test", ALIF(), x, None, values)
    expected = functional.adaptive_lif(x, reset="zero")
    assert torch.equal(got.spikes, expected.spikes)  # type: ignore[arg-type]
