"""The reference's results of a run, and their comparison with an engine's."""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional, Sequence

import torch
from torch import Tensor

from .description import Numbers, options_of, parameters
from .engine import Observed
from .gradients import compare_gradients
from .outcome import TIE, Comparison, Outcome
from .references.network import INPUT_LAYER, LayerResult, State, at_rest, run
from .references.neuron import Followed, Reference, Undecided
from .runs import FIRST_STEP, STATE_SEED, Run

MEMBRANE = {torch.float32: 2e-4, torch.float64: 1e-9}  # relative, of the largest element
GRADIENT = {torch.float32: 3e-4, torch.float64: 1e-8}
CARRIED = {"float16": 7.5e-3, "bfloat16": 5e-2}  # where gradients in products are rounded


class Expected(NamedTuple):
    """Results of the reference: layers, the seed of the call, gradients by name."""

    layers: List[LayerResult]
    seed: int
    grads: Dict[str, Tensor]


def expect(
    case: Run,
    rules: Reference,
    followed: Optional[Sequence[Optional[Followed]]],
    shaken: int = 0,
) -> Expected:
    """Run the case on the reference; `shaken` moves all parameters by some roundings.

    Raises
    ------
    Undecided
        Where a rounding decides what a capacity drops.
    """
    network = case.network
    numbers = Numbers(network.values + shaken, False)
    leaves: Dict[str, Tensor] = {}
    named: List[Dict[str, Tensor]] = []
    for index, (layer, values) in enumerate(zip(network.layers, parameters(network))):
        learnt = {"weight", "recurrent_weight"}
        learnt |= {"bias"} if not case.frozen else set()
        learnt |= {"beta"} if layer.learn_beta else set()
        learnt |= {"threshold"} if layer.learn_threshold and layer.kind == "lif" else set()
        if layer.kind == "alif" and layer.learn_beta:
            learnt |= {"threshold", "rho", "kappa"}
        learnt |= {f"{option}.steps" for option, late in layer.lates.items() if late.learn}
        own: Dict[str, Tensor] = {}
        for name, value in values.items():
            alike = name in learnt and value.dim() == 0
            value = value.expand(layer.neurons).clone() if alike else value.clone()
            # A rounding of steps may be another step.
            if shaken and not network.exact and not name.endswith(".steps"):
                value = numbers.shaken(value, 2.0**-21)
            if name in learnt:
                leaves[f"layers.{index}.{name}"] = value.requires_grad_()
            own[name] = value
        named.append(own)
    x = case.spikes().double()
    if case.form.endswith("with gradient"):
        leaves["x"] = x.requires_grad_()
    passes = case.passes if case.training else 0
    first_step = FIRST_STEP if case.state else 0
    if case.engine == "operator":  # later passes keep the seed and count on in steps
        first_step, passes = passes * case.steps, 0
    seed = rules.call_seed(network.seed, passes)
    seed = STATE_SEED if case.state else seed
    seed = network.seed if case.engine in ("alone", "operator of a layer") else seed
    states = _first_states(case, leaves) if case.state else None
    layers = run(
        rules,
        network,
        named,
        _capped(case, rules, x),
        options=options_of(network),
        seed=seed,
        states=states,
        first_step=first_step,
        first_layer=case.number,
        followed=followed,
        evaluates=case.evaluates,
    )

    # Exact numbers decide on thresholds and edges: what is rounded there is the gradient alone.
    def rounded(weights: Tensor) -> Tensor:
        return numbers.shaken(weights, 2.0**-21) if shaken and network.exact else weights

    loss = _loss(case, layers, rounded)
    if loss.requires_grad:
        loss.backward()
    grads = {
        name: torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }
    if case.form == "lists with gradient":
        grads["x"] = grads["x"] * case.spikes()  # a neuron outside the active set has no value
    return Expected(layers, seed, grads)


def _first_states(case: Run, leaves: Dict[str, Tensor]) -> List[State]:
    states: List[State] = []
    for index, (rest, layer, (v, s, x)) in enumerate(
        zip(at_rest(case.network, case.batch), case.network.layers, case.states())
    ):
        x = states[-1].s if states else x
        if case.state_gradient:
            own = {"v": v, "s": s} if layer.spiking else {"v": v}
            own = own if index else {**own, "x": x}
            for name, tensor in own.items():
                leaves[f"state {index} {name}"] = tensor.requires_grad_()
        lines = case.lines(index)
        if case.state_gradient:
            for name, line in lines.items():
                leaves[f"state {index} {name}"] = line.requires_grad_()
        states.append(State(v, s, x, rest.more, **lines))
    return states


def _capped(case: Run, rules: Reference, x: Tensor) -> Tensor:
    """Return the input without what its capacity drops; each chunk counts its own steps."""
    if case.capacity is None:
        return x
    saved = []
    for chunk in case.pieces:
        for step, spikes in enumerate(x[chunk] > 0):
            order = (case.network.seed, INPUT_LAYER, step)
            none = torch.zeros_like(spikes)
            saved.append(rules.keep(spikes, none, case.capacity, order).fired.double())
    return torch.stack(saved)


def _loss(case: Run, layers: Sequence[LayerResult], rounded: Callable[[Tensor], Tensor]) -> Tensor:
    def term(name: str, values: Tensor) -> Tensor:
        return (values * rounded(case.weights(name, values.shape))).sum()

    last = layers[-1]
    loss = term("out", last.membrane if last.spikes is None else last.spikes)
    if case.trace:
        for index, layer in enumerate(layers):
            if layer.spikes is not None:
                loss = loss + term(f"spikes {index}", layer.spikes)
            if case.engine == "alone":
                loss = loss + term(f"membrane {index}", layer.membrane)
    if case.return_state:
        for index, layer in enumerate(layers):
            loss = loss + term(f"v {index}", layer.end.v)
            if layer.spikes is not None:
                loss = loss + term(f"s {index}", layer.end.s)
            for name in case.lines_of(case.network.layers[index]):
                loss = loss + term(f"{name} {index}", getattr(layer.end, name))
    return loss


def compare(case: Run, rules: Reference, observed: Observed) -> Outcome:
    """Compare an engine's run with the reference's; exact numbers leave no tie."""
    followed = None if case.network.exact else observed.masks
    try:
        expected = expect(case, rules, followed)
    except Undecided:
        return Outcome(TIE, "a rounding decides on a drop or a gradient")
    difference = Comparison()
    _compare_forward(case, observed, expected, difference)
    if difference.differences:
        return difference.outcome()
    return compare_gradients(
        observed.grads,
        expected.grads,
        lambda name: CARRIED.get(case.carried, GRADIENT[case.dtype]),
        lambda number: expect(case, rules, followed, number).grads,
    )


def _compare_forward(
    case: Run, observed: Observed, expected: Expected, difference: Comparison
) -> None:
    tolerance = MEMBRANE[case.dtype]
    last = expected.layers[-1]
    for index, layer in enumerate(expected.layers):
        if observed.membranes:
            membrane = observed.membranes[index]
            difference.near(f"membrane {index}", membrane, layer.membrane, tolerance)
        masks = observed.masks[index]
        if layer.spikes is None or masks is None or masks.fired is None:
            continue
        difference.same(f"spikes {index}", masks.fired, layer.fired)
        difference.same(f"active set {index}", masks.active, layer.active)
        difference.same(f"dropped {index}", observed.dropped[index], layer.dropped)
    final = case.pieces[-1]
    spiking = [layer for layer in expected.layers if layer.spikes is not None]
    counts = [
        (int(layer.fired[final].sum()), *layer.dropped[final].sum((0, 1)).tolist())
        for layer in spiking
    ]
    if observed.stats is not None:
        difference.same("spikes and drops of stats()", observed.stats, counts)
    if last.spikes is None:
        difference.near("output", observed.out, last.membrane, tolerance)
    else:
        difference.same("output", observed.out, last.spikes)
    difference.same("whether a trace changes the output", observed.differs, False)
    if observed.end is None:
        return
    difference.same("state.seed", observed.end.seed, expected.seed)
    first = FIRST_STEP if case.state else 0
    for index, (got, layer) in enumerate(zip(observed.end.layers, expected.layers)):
        difference.near(f"state {index}.v", got.v, layer.end.v, tolerance)
        difference.same(f"state {index}.x", got.x, layer.end.x)
        difference.same(f"state {index}.step", got.step, first + case.steps)
        if layer.spikes is not None:
            difference.same(f"state {index}.s", got.s, layer.end.s)
        for name in case.lines_of(case.network.layers[index]):
            difference.same(f"state {index}.{name}", getattr(got, name), getattr(layer.end, name))
        for k, value in enumerate(layer.end.more.values()):
            difference.near(f"state {index}.more[{k}]", got.more[k], value, tolerance)
