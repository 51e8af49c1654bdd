"""Errors of `functional.Custom`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from popsnn.functional import Custom

PLACE = 'Custom: states: expected "v" among them, and "s", where the neuron spikes, as the last, '
LINES = "Custom: expected CUDA lines for {} or for none of them"
MANY = ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"states": ("a",)}, PLACE + "got ('a',)"),
        ({"states": ("s", "v")}, PLACE + "got ('s', 'v')"),
        (
            {"parameters": ("two words",)},
            "Custom: states, parameters: expected different identifiers, "
            "got ('v', 's', 'two words')",
        ),
        (
            {"parameters": ("v",)},
            "Custom: states, parameters: expected different identifiers, got ('v', 's', 'v')",
        ),
        (
            {"parameters": MANY},
            "Custom: states, parameters: expected at most 4 of each, "
            "got ('v', 's', 'a', 'b', 'c', 'd', 'e')",
        ),
        ({"forward": "v = x;"}, LINES.format("forward, backward and restore")),
        ({"states": ("v",), "backward": "d_x = d_v;"}, LINES.format("forward and backward")),
    ],
)
def test_mistakes_get_one_sentence(given: dict[str, Any], sentence: str) -> None:
    whole = {"states": ("v", "s"), "parameters": (), **given}
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        Custom(function=lambda x, state, parameters, fire: state, **whole)
