"""The base of neurons: what its class attributes may be."""

from __future__ import annotations

import re
from typing import Any

import pytest

from popsnn import Neuron

BOUNDS: list[tuple[dict[str, Any], str]] = [
    ({"bta": (0, 1)}, "expected names among ('beta',), got 'bta'"),
    ({"beta": (1, 0)}, "expected the least and the largest value of beta, got (1, 0)"),
    ({"beta": (0, 1, 2)}, "expected the least and the largest value of beta, got (0, 1, 2)"),
    (
        {"beta": (float("nan"), 1)},
        "expected the least and the largest value of beta, got (nan, 1)",
    ),
]


@pytest.mark.parametrize(("bounds", "sentence"), BOUNDS, ids=[s for _, s in BOUNDS])
def test_bounds_that_cannot_be(bounds: dict[str, Any], sentence: str) -> None:
    attributes = {"states": ("v", "s"), "parameters": {"beta": 0.5}, "bounds": bounds}
    with pytest.raises(ValueError, match=f"^{re.escape(f'Mine: bounds: {sentence}')}$"):
        type("Mine", (Neuron,), attributes)
