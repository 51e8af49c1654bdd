"""Random single layers, wider and of more samples: alone, and as networks on every engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from .. import kernels
from ..description import FEW_NEURONS, networks
from ..late import SPREADS
from ..references.delay_mutations import DELAYS
from ..references.mutations import LAYERS
from ..references.neuron import Reference
from ..runs import Run
from ..target import Target
from .networks import alike, check, neurons_of, on_kernels, runs, spreads_of

WIDTHS = (1, 2, 3, 5, 8, 9, 16, 17, 31, 33, 64, 65, 100, 129, 255, 300)
BATCHES = (1, 2, 3, 4, 5, 8, 11, 17, 33, 70, 130)


@st.composite
def cases(draw: Any) -> Run:
    """Draw a layer and how it runs."""
    engine = draw(st.sampled_from(("alone", "ipu", "torch", kernels.ENGINE)))
    if engine == "host":
        few = st.sampled_from(FEW_NEURONS)
        options = {"neurons": few, "spreads": SPREADS}
        options["weight_dtypes"] = (None, None, "float16", "bfloat16")
        network = on_kernels(draw(networks((1, 3, 5, 9, 17, 33), (1,), **options)))
        return draw(runs(engine, network, (1, 2, 3, 5), (1, 2, 3, 9)))
    dtypes = (None, None, "float16") if engine == "ipu" else (None, None, "float16", "bfloat16")
    dtypes = dtypes if engine != "cuda" else (None, "float16")
    options = {"neurons": neurons_of(engine), "spreads": spreads_of(engine)}
    network = draw(networks(WIDTHS, (1,), weight_dtypes=dtypes, **options))
    steps = (1, 2, 3, 5, 7, 9) if network.exact else (1, 2, 3, 7, 16, 40)
    run = draw(runs(engine, network, steps, BATCHES))
    return replace(run, number=draw(st.integers(0, 5))) if engine == "alone" else run


TARGET = Target(cases(), check, Reference, {**LAYERS, **DELAYS}, alike)
