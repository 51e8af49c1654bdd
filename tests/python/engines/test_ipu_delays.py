"""Layers with delays on the ipu engine, against the torch engine in float64."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.python.engines.agreement import SLOW, agrees
from tests.python.engines.networks import networks
from tests.python.extensions.adjoint_neurons import AttachedLIF

import popsnn

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)

DELAYS = ("delay", "recurrent_delay")


@st.composite
def delayed(draw: st.DrawFn, kinds: Sequence[str], **choices: Any) -> dict[str, Any]:
    """Draw a network, some of whose layers have delays that the engine has."""
    spec = draw(networks(delays=kinds, recurrent_delays=kinds, **choices))
    dense = list(spec["device"].dense)
    for index, options in enumerate(spec["layers"]):
        for delays in (options.get(option) for option in DELAYS):
            if not isinstance(delays, dict):
                continue
            dense[index] = "auto"
            if delays["kind"] == "axonal":
                delays.update(learn=False, spread="triangle")
    spec["device"] = replace(spec["device"], dense=tuple(dense))
    return spec


@SLOW
@given(spec=delayed(["dendritic"], drops=True))
def test_dendritic(spec: dict[str, Any]) -> None:
    agrees(spec)


@SLOW
@given(spec=delayed(["axonal"], drops=True))
def test_axonal(spec: dict[str, Any]) -> None:
    agrees(spec)


@SLOW
@given(spec=delayed(["axonal", "dendritic"], neurons=(AttachedLIF(),)))
def test_other_neurons(spec: dict[str, Any]) -> None:
    agrees(spec)
