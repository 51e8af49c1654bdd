"""Random networks on every engine against the reference: outputs, traces, states, gradients."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, List, Optional, Tuple

from hypothesis import strategies as st

from popsnn.devices import Device

from .. import kernels
from ..description import (
    FEW_NEURONS,
    RESETS_BEFORE_DECAY,
    SPREADS_OF_IPUS,
    Network,
    any_neuron,
    networks,
    neurons_of_ipus,
)
from ..engine import observe
from ..expect import compare
from ..late import SPREADS, WHOLE
from ..outcome import BAD, REFUSALS, Outcome, refused
from ..references.delay_mutations import DELAYS
from ..references.mutations import NETWORKS
from ..references.neuron import Reference
from ..runs import Run
from ..target import Target

FORMS = ("dense", "dense with gradient", "lists", "lists with gradient", "events")
SMALL = (1, 2, 3, 4, 5, 7, 9, 13, 17, 24, 33)
LARGE = (*SMALL, 64, 65, 100, 129, 255)
MOST_EXACT_STEPS = 9  # whose sums float32 holds


@st.composite
def devices(draw: Any, batch: int, depth: int) -> Device:
    """Draw an emulated device; the choices of the planner may be fixed."""
    tiles = draw(st.sampled_from((4, 1, 2, 3, 5, 8, 16, 64)))
    ipus = draw(st.sampled_from((1, 1, 2, 3, 4)))
    replicas = [
        count
        for count in range(1, min(batch, tiles * ipus, 8) + 1)
        if count % ipus == 0 or ipus % count == 0
    ]
    choice = st.sampled_from(("auto", True, False))
    return Device(
        model=draw(st.sampled_from(("ipu2", "ipu21"))),
        ipus=ipus,
        tiles=tiles,
        bytes_per_tile=64 * 2**20,
        replicas=draw(st.sampled_from((0, *replicas))),
        checkpoint_interval=draw(st.sampled_from((0, 0, 1, 2, 3, 5))),
        sizes=draw(st.sampled_from((0, 0, 1, 2, 3, 4))),
        dense=draw(st.one_of(choice, st.tuples(*[choice] * depth))),
        remote_partials=draw(st.sampled_from((True, True, False))),
        rows_ahead=draw(choice),
    )


def delayable(device: Device, network: Network) -> Device:
    """Return a device without dense gradients of layers that have delays, which refuse them."""
    every = device.dense
    if not isinstance(every, tuple):
        every = (every,) * len(network.layers)
    dense = tuple("auto" if layer.lates else choice for layer, choice in zip(network.layers, every))
    return replace(device, dense=dense) if "auto" in dense and device.dense != "auto" else device


def neurons_of(engine: str) -> Any:
    """Return a strategy of the neurons of an engine's layers."""
    return neurons_of_ipus() if engine == "ipu" else any_neuron()


def spreads_of(engine: str) -> Tuple[str, ...]:
    """Return the spreads of an engine's delays that are not dendritic."""
    return SPREADS_OF_IPUS if engine == "ipu" else SPREADS


def on_kernels(network: Network) -> Network:
    """Return a network without what bfloat16 rounds: rows that arrive in several steps."""
    return replace(
        network,
        layers=tuple(
            replace(layer, late=None, recurrent_late=None)
            if layer.weight_dtype == "bfloat16"
            and any(late.spread not in WHOLE for late in layer.lates.values())
            else layer
            for layer in network.layers
        ),
    )


@st.composite
def cases(draw: Any) -> Run:
    """Draw a case."""
    engine = draw(st.sampled_from(("ipu", "torch", kernels.ENGINE)))
    if engine == "host":
        few = st.sampled_from(FEW_NEURONS)
        dtypes = (None, None, None, "float16", "bfloat16")
        options = {"neurons": few, "spreads": SPREADS, "weight_dtypes": dtypes}
        network = on_kernels(draw(networks((1, 2, 3, 5, 9, 17), (1, 2, 3), **options)))
        return draw(runs(engine, network, (1, 2, 3, 5), (1, 2, 3, 5)))
    large = draw(st.booleans())
    widths, spreads = LARGE if large else SMALL, spreads_of(engine)
    network = draw(networks(widths, neurons=neurons_of(engine), spreads=spreads))
    exact_steps = (1, 2, 3, 5, 7, MOST_EXACT_STEPS)
    steps = exact_steps if network.exact or not large else (1, 3, 8, 12, 16, 30)
    batches = (1, 2, 3, 5, 8, 13, 25, 48) if large else (1, 2, 3, 4, 5, 7, 9)
    return draw(runs(engine, network, steps, batches))


@st.composite
def runs(
    draw: Any, engine: str, network: Network, steps: Tuple[int, ...], batches: Tuple[int, ...]
) -> Run:
    """Draw how a network runs on an engine."""
    length, batch = draw(st.sampled_from(steps)), draw(st.sampled_from(batches))
    carries = draw(st.booleans())
    device: Optional[Device] = None
    if engine == "ipu" and draw(st.booleans()):
        device = delayable(draw(devices(batch, len(network.layers))), network)
    return Run(
        network=network,
        engine=engine,
        steps=length,
        batch=batch,
        double=engine in ("torch", "alone") and draw(st.booleans()),
        density=draw(st.sampled_from((0.3, 0.0, 0.05, 0.7, 1.0))),
        form=draw(st.sampled_from(FORMS)),
        input_capacity=draw(st.sampled_from((None, None, 0.5, 0.1))),
        state=carries and draw(st.booleans()),
        state_gradient=draw(st.booleans()),
        split=draw(st.integers(0, length - 1)) if carries else 0,
        return_state=carries,
        trace=draw(st.booleans()),
        training=draw(st.booleans()),
        passes=draw(st.sampled_from((0, 0, 1, 2))),
        backwards=draw(st.sampled_from((1, 1, 1, 2))),
        frozen=draw(st.booleans()),
        device=device,
        interval=0 if engine == "alone" else draw(st.sampled_from((0, 0, 0, 1, 2, 3))),
    )


def lacking(case: Run) -> List[str]:
    """Return what the sentences have, of which one refuses what the engine lacks."""
    if case.engine != "ipu":
        return []
    layers, sentences = case.network.layers, []
    if any(layer.reset not in RESETS_BEFORE_DECAY for layer in layers):
        sentences.append(": reset: expected")
    spread = [late for layer in layers for late in layer.lates.values() if late.kind != "dendritic"]
    if case.training and any(late.spread not in WHOLE for late in spread):
        sentences.append("delay: expected dendritic delays, or others that are fixed")
    return sentences


def check(case: Run, rules: Reference) -> Outcome:
    """Run the case on its engine and on the reference, and compare them."""
    sentences = lacking(case)
    try:
        observed = observe(case)
    except REFUSALS as error:
        outcome = refused(error)
        expected = any(sentence in outcome.detail for sentence in sentences)
        return outcome if expected else Outcome(BAD, f"refused: {outcome.detail}")
    if sentences:
        return Outcome(BAD, f"not refused: {sentences[0]}")
    return compare(case, rules, observed)


def alike(first: Run, case: Run) -> Run:
    """Return a case with the layers of the first, whose kernels are compiled."""
    own = case.network
    steps = min(case.steps, MOST_EXACT_STEPS) if first.network.exact else case.steps
    return replace(
        case,
        network=replace(first.network, seed=own.seed, values=own.values),
        steps=steps,
        split=min(case.split, steps - 1),
        device=first.device,
        number=first.number,
        double=first.double,
    )


TARGET = Target(cases(), check, Reference, {**NETWORKS, **DELAYS}, alike)
