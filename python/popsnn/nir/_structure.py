"""Structure of a graph: its edges, its order, and the loops of recurrent neurons."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence, Tuple

Edge = Tuple[str, str]

SPIKING = ("LIF", "IF", "CubaLIF")
DELAY = "Delay"
DENSE = ("Linear", "Affine")


class LoopDelay(NamedTuple):
    """The Delay node of a loop: in front of its weights, or behind them."""

    node: str
    first: bool


class Structure(NamedTuple):
    """A graph that has been checked."""

    edges: tuple[Edge, ...]
    """All edges but those within loops, in the order of the graph."""
    order: tuple[str, ...]
    """The nodes, each after those that enter it, without those that feed spikes back."""
    loops: dict[str, Optional[str]]
    """The node that feeds back the spikes of a neuron, by the neuron; None: it feeds itself."""
    loop_delays: dict[str, LoopDelay]
    """Delays of the spikes that are fed back, by the neuron."""


def kind(node: Any) -> str:
    """Return the name of a node's type."""
    return type(node).__name__


def structure(where: str, nodes: Mapping[str, Any], edges: Sequence[Edge]) -> Structure:
    """Check a graph, and return its order.

    Raises
    ------
    ValueError
        Where an edge or a node hangs loose, or a loop is none of a neuron, its own weights and a
        delay.
    """
    _check_edges(where, nodes, edges)
    chains = _loops(where, nodes, edges)
    feedback = {name for chain in chains.values() for name in chain}
    inner: set[Edge] = set()
    loops: dict[str, Optional[str]] = {}
    delays: dict[str, LoopDelay] = {}
    for neuron, chain in chains.items():
        inner |= set(zip([neuron, *chain], [*chain, neuron]))
        loops[neuron] = next((name for name in chain if kind(nodes[name]) in DENSE), None)
        for name in chain:
            if kind(nodes[name]) == DELAY:
                delays[neuron] = LoopDelay(name, first=name == chain[0])
    outer = tuple(edge for edge in edges if edge not in inner)
    for name, node in nodes.items():
        if name in feedback:
            continue
        if kind(node) != "Input" and all(end != name for _, end in outer):
            raise ValueError(f"{where}: {name}: expected an edge that enters it, got none")
        if kind(node) != "Output" and all(start != name for start, _ in outer):
            raise ValueError(f"{where}: {name}: expected an edge that leaves it, got none")
    order = _order([name for name in nodes if name not in feedback], outer)
    return Structure(outer, order, loops, delays)


def _check_edges(where: str, nodes: Mapping[str, Any], edges: Sequence[Edge]) -> None:
    kinds = {name: kind(node) for name, node in nodes.items()}
    for wanted in ("Input", "Output"):
        if wanted not in kinds.values():
            raise ValueError(f"{where}: nodes: expected at least one {wanted}, got none")
    for start, end in edges:
        for name in (start, end):
            if name not in nodes:
                raise ValueError(
                    f"{where}: edges: expected names of nodes, got {name!r} in ({start!r}, {end!r})"
                )
        if kinds[start] == "Output" or kinds[end] == "Input":
            raise ValueError(
                f"{where}: edges: expected none that leaves an Output or enters an Input, got "
                f"({start!r}, {end!r})"
            )
    if len(set(edges)) < len(edges):
        twice = next(edge for edge in edges if list(edges).count(edge) > 1)
        raise ValueError(f"{where}: edges: expected different edges, got {twice} twice")


def _loops(
    where: str, nodes: Mapping[str, Any], edges: Sequence[Edge]
) -> dict[str, tuple[str, ...]]:
    """Return what feeds back the spikes of each neuron in a loop, in the order of the edges."""
    after = {name: {end for start, end in edges if start == name} for name in nodes}
    reached = {name: _reach(name, after) for name in nodes}
    loops: dict[str, tuple[str, ...]] = {}
    seen: set[str] = set()
    for name in nodes:
        if name in seen or name not in reached[name]:
            continue
        members = [other for other in nodes if other in reached[name] and name in reached[other]]
        seen.update(members)
        neurons = [member for member in members if kind(nodes[member]) in SPIKING]
        others = [member for member in members if member not in neurons]
        described = ", ".join(f"{member} ({kind(nodes[member])})" for member in members)
        if not neurons:
            raise ValueError(
                f"{where}: {name}: expected a neuron that spikes in every loop, got the loop of "
                f"{described}"
            )
        roles = sorted("weights" if kind(nodes[o]) in DENSE else kind(nodes[o]) for o in others)
        if len(neurons) > 1 or roles not in ([], ["weights"], [DELAY], [DELAY, "weights"]):
            raise ValueError(
                f"{where}: {neurons[0]}: expected a loop of one neuron, or of one, a Linear or "
                f"Affine and a Delay, or one of these, got the loop of {described}"
            )
        loops[neurons[0]] = _chain(where, neurons[0], others, after, edges)
    return loops


def _chain(
    where: str,
    neuron: str,
    others: Sequence[str],
    after: Mapping[str, set[str]],
    edges: Sequence[Edge],
) -> tuple[str, ...]:
    """Return the other nodes of a neuron's loop in the order of the edges."""
    orders = [tuple(others), tuple(others[::-1])] if others else [()]
    for order in orders:
        inner = list(zip([neuron, *order], [*order, neuron]))
        entered = [(start, end) for start, end in edges if end in order]
        left = [(start, end) for start, end in edges if start in order]
        alone = set(entered) == set(inner[:-1]) and set(left) == set(inner[1:])
        if set(inner) <= set(edges) and (not order or (alone and neuron not in after[neuron])):
            return order
    raise ValueError(
        f"{where}: {others[0]}: expected it to map the spikes of {neuron} to {neuron} alone, "
        "got other edges"
    )


def _reach(name: str, after: Mapping[str, set[str]]) -> set[str]:
    """Return the nodes that edges lead to from a node."""
    reached: set[str] = set()
    waiting = list(after[name])
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting.extend(after[node])
    return reached


def _order(names: Sequence[str], edges: Sequence[Edge]) -> tuple[str, ...]:
    before = {name: {start for start, end in edges if end == name} for name in names}
    order: list[str] = []
    done: set[str] = set()
    while len(order) < len(names):
        ready = [name for name in names if name not in done and before[name] <= done]
        order.extend(ready)
        done.update(ready)
    return tuple(order)
