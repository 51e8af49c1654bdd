"""Strategy of a recurrent layer on a GPU, and the reason for it."""

from __future__ import annotations

from ..device.properties import COPY_ENGINE, Properties
from .cluster import launch as cluster
from .resident import launch as resident
from .streamed.launch import L2_BYTES, PLANES

SAMPLES, STEPS = 48, 100  # that `explanation` assumes
MOST_GATHERED = 48  # samples
FEWEST_GATHERED_STEPS = 4  # for which the weights are transposed
WHOLE = ("none", "straight_through")  # spreads of delays of whole steps
# Of weights that L2 holds: what gathering launches more is then below 5 % where it leaves at once.
FEWEST_SMALL_STEPS = 100
LIF_STATES = 2  # v and s
FEW_SAMPLES = 8  # that `explanation` looks for a plan of


def choose(
    multiprocessors: int,
    steps: int,
    neurons: int,
    exact: bool,
    simple: bool,
    longest: int | None = None,
    batch: int = 0,
) -> str:
    """Return "cluster", "resident" or "streamed": the fastest that has memory for the weights.

    On GPUs with a copy engine (`COPY_ENGINE`). A `batch` of many samples runs in parts where the
    layer has no delays; 0 samples do not.

    `exact`: the weights are multiplied as float32. `simple`: a neuron of two states and two
    parameters at most, as LIF is; no other runs from the registers of all blocks. `longest`: the
    largest delay of the layer's own spikes, if it has delays.
    """
    if cluster.in_clusters(neurons, steps, exact, multiprocessors, longest):
        divides = simple and longest is None
        divides = divides and resident.parts_pay(neurons, batch, multiprocessors)
        return "resident" if divides else "cluster"
    fits = simple and resident.fits(neurons, steps, exact, multiprocessors)
    return "resident" if fits else "streamed"


def choose_portable(
    multiprocessors: int,
    most_bytes: int,
    steps: int,
    batch: int,
    neurons: int,
    exact: bool,
    states: int,
    delayed: bool,
) -> str:
    """Return "portable" or "streamed", where `choose` has no other strategy.

    Of GPUs without a copy engine, of products of float32, and of neurons not `simple`. With it a
    layer of 2,944 adaptive neurons and 48 samples takes 1.38 ms on an H200, for 1.97 of streamed
    weights. `most_bytes` is the shared memory of a block, `states` the number of the neuron's
    states. Layers whose own spikes are `delayed` stream weights of float32.
    """
    from .portable import plan as portable  # importing popsnn loads as little as it can

    have = (delayed, multiprocessors, most_bytes)
    held = steps > 1 and not (exact and delayed)
    held = held and portable.fits(neurons, batch, states, exact, *have)
    return "portable" if held else "streamed"


def gathers(
    direction: str,
    have: Properties,
    steps: int,
    batch: int,
    neurons: int,
    exact: bool,
    limited: bool,
    by_source: bool = False,
) -> bool:
    """Return whether a layer that would stream its weights gathers those of active neurons instead.

    Backward, a gradient threshold has `limited` the neurons that are active. Forward the weights
    are transposed first, unless they lie `by_source`. Small layers gather in long sequences alone.
    """
    from .gathered import plan as gathered  # importing popsnn loads as little as it can

    size = 4 if exact else 2
    small = neurons**2 * size <= L2_BYTES
    if batch > MOST_GATHERED or steps < FEWEST_SMALL_STEPS * small:
        return False
    transposed = by_source or steps >= FEWEST_GATHERED_STEPS
    if not (transposed if direction == "forward" else limited):
        return False
    # A tracing compiler has symbols for sizes: it may keep a range of samples, and one N.
    samples = next(count for count in gathered.SAMPLES if count >= batch)
    laid = gathered.plan(
        direction, int(neurons), size, have.multiprocessors, samples, have.shared_bytes
    )
    return laid is not None and gathered.limit(direction, int(neurons), samples, size) > 0


def explanation(
    have: Properties,
    neurons: int,
    exact: bool,
    steps: int = STEPS,
    delay: tuple[str, str, int] | None = None,
) -> str:
    """Return a sentence on how a layer of N LIF neurons runs on a GPU, and why so.

    `delay` are kind, spread and maximum of the delays of its own spikes. `exact`: the weights and
    the tensors are float32.
    """
    if delay is None:
        return _explained(have, neurons, exact, steps, None)
    kind, spread, longest = delay
    if kind == "synaptic":
        return _synaptic(have, neurons, exact or spread not in WHOLE, longest)
    if spread not in WHOLE:
        return f"step by step: delays of spread {spread!r} have several taps"
    clusters = _chosen(have, neurons, exact, steps, longest) == "cluster"
    where = "shared memory" if clusters else "memory"
    how = _explained(have, neurons, exact, steps, longest)
    return f"{how}; {where} holds what {kind} delays of up to {longest} steps delay"


def with_capacity(have: Properties, neurons: int, exact: bool) -> str:
    """Return how such a layer runs where it has a capacity, and why so."""
    from ..layer.launch import MOST_CAPPED  # importing popsnn loads as little as it can

    if neurons > MOST_CAPPED:
        return f"refused: at most {MOST_CAPPED:,} neurons"
    if _chosen(have, neurons, exact, STEPS, None) == "cluster":
        return "cluster"
    return "streamed: no other strategy for its size counts the spikes of all neurons"


def _synaptic(have: Properties, neurons: int, exact: bool, longest: int) -> str:
    from .resident import taps

    engine = have.capability in COPY_ENGINE
    fits = engine and not exact and taps.fits(neurons, longest + 1, have.multiprocessors)
    return (
        f"streamed: the weights of {longest + 1} taps are read at each step, since delays of each "
        f"weight are a product for each tap{'; registers hold those of forward' if fits else ''}"
    )


def _chosen(have: Properties, neurons: int, exact: bool, steps: int, longest: int | None) -> str:
    count, delayed = have.multiprocessors, longest is not None
    if have.capability in COPY_ENGINE:
        chosen = choose(count, steps, neurons, exact, True, longest)
        if chosen != "streamed" or not exact:
            return chosen
    shared = have.shared_bytes
    return choose_portable(count, shared, steps, SAMPLES, neurons, exact, LIF_STATES, delayed)


def _explained(have: Properties, neurons: int, exact: bool, steps: int, longest: int | None) -> str:
    from .streamed.plan import plan

    engine = have.capability in COPY_ENGINE
    count = have.multiprocessors
    chosen = _chosen(have, neurons, exact, steps, longest)
    if chosen == "cluster":
        blocks = cluster.blocks_of_cluster(neurons)
        return f"cluster: {blocks} blocks of a cluster hold the weights in registers"
    if chosen == "resident":
        blocks = resident.Shape(neurons).blocks
        return f"whole GPU: {blocks} blocks hold the weights in registers"
    if chosen == "portable":
        from .portable import plan as portable

        kept = portable.plan("forward", neurons, LIF_STATES, count, have.shared_bytes, exact)
        assert kept is not None
        weights = "float32 weights, three terms of bfloat16," if exact else "weights"
        return (
            f"portable: {kept.blocks} blocks hold the {weights} in registers and shared memory, "
            f"without what compute capability 9.0 added"
        )
    size = 4 if exact else 2
    if not engine:
        major, minor = have.capability
        laid = plan(neurons, size, count, SAMPLES, PLANES[size], have.shared_bytes)
        stay = laid.chunks(neurons, size) <= laid.stages[0]
        where = "stay in shared memory" if stay else "are read at each step"
        return (
            f"streamed by asynchronous copies: compute capability {major}.{minor} has no "
            f"copy engine of tiles and 227 KB a block; "
            f"the weights {where}, in {laid.blocks * laid.groups} blocks"
            f"{_gathered(have, neurons, exact, steps, longest)}"
        )
    if exact:
        why = "registers and shared memory do not hold so many of float32"
        if longest is not None:
            why = "layers with delays stream weights of float32"
        elif steps == 1:
            why = "a single step reads them once"
    elif neurons > resident.MOST_NEURONS:
        why = f"registers hold up to {resident.MOST_NEURONS:,} neurons"
    else:
        why = f"{resident.Shape(neurons).blocks} blocks do not fit {count} multiprocessors"
    return (
        f"streamed: the weights are read at each step, since {why}"
        f"{_gathered(have, neurons, exact, steps, longest)}"
    )


def _gathered(have: Properties, neurons: int, exact: bool, steps: int, longest: int | None) -> str:
    """Return what to add of a layer that gathers where few of its neurons are active."""
    if longest is not None:
        return ""
    if not gathers("forward", have, steps, FEW_SAMPLES, neurons, exact, limited=False):
        return ""
    return f"; gathered while few neurons are active, of up to {MOST_GATHERED} samples"
