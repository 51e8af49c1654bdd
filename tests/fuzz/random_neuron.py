"""Random neurons: steps of random expressions over one to six states."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, List, Tuple

import torch
from torch import Tensor

from popsnn.functional import Neuron

from .description import RESETS

Node = Tuple[Any, ...]  # an operation and its operands, or a leaf: ("x", 0), ("before", 1) ...

UNARY: Dict[str, Callable[[Any], Any]] = {
    "neg": lambda a: -a,
    "abs": torch.abs,
    "exp": lambda a: torch.exp(-torch.abs(a)),
    "log": lambda a: torch.log(1.0 + torch.abs(a)),
    "sqrt": lambda a: torch.sqrt(0.1 + torch.abs(a)),
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "sin": torch.sin,
    "cos": torch.cos,
    "square": lambda a: torch.tanh(a) ** 2,
    "power": lambda a: (0.5 + torch.abs(a)) ** 0.7,
    "clamp": lambda a: a.clamp(-0.6, 0.8),
    "relu": torch.relu,
    "softplus": torch.nn.functional.softplus,
    "detach": lambda a: a.detach(),
}
BINARY: Dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * torch.tanh(b),
    "div": lambda a, b: a / (1.5 + torch.abs(b)),
    "min": torch.minimum,
    "max": torch.maximum,
    "where": lambda a, b: torch.where(a > b, 0.5 * a, 0.3 + b * 0.2),
    "both": lambda a, b: torch.where((a > 0.1) & ~(b >= 0.2), a, b),
    "lerp": lambda a, b: torch.lerp(a, b, 0.3),
}
BOUNDED: Dict[str, Callable[[Any], Any]] = {
    "tanh": torch.tanh,
    "sin": torch.sin,
    "clamp": lambda a: a.clamp(-0.9, 0.9),
    "fraction": lambda a: a / (1 + torch.abs(a)),
}
# Of a spike on the next step's membrane, which the neuron's reset decides, or on its own step's.
EFFECTS = ("decayed", "subtract", "zero", "keeps")


class RandomNeuron(Neuron):
    """A neuron of random expressions, which a number decides.

    Parameters
    ----------
    seed : int
    inputs : int
        Number of input currents.
    """

    def __init__(self, seed: int, inputs: int = 1) -> None:
        choice = random.Random(seed)
        super().__init__(choice.choice(RESETS), choice.choice((True, False)))
        number = choice.randint(1, 5)  # of states other than the spikes
        self.at = choice.randrange(number)  # of the membrane
        self.states = (
            *("v" if k == self.at else f"y{k}" for k in range(number)),
            *(("s",) if choice.random() < 0.9 else ()),
        )
        if inputs > 1:
            self.inputs = tuple(f"x{k}" for k in range(inputs))  # type: ignore[misc]
            self._Inputs = lambda *values: values  # type: ignore[misc, assignment]
        self.parameters = tuple(f"p{k}" for k in range(choice.randint(2, 5)))
        self.defaults = (0.0,) * len(self.parameters)  # type: ignore[misc]
        self._State = lambda *values: values  # type: ignore[misc, assignment]
        self._Parameters = lambda *values: values  # type: ignore[misc, assignment]
        self.effect = choice.choice(EFFECTS)
        leaves = self._leaves(choice, number)
        self.nodes = [_node(choice, leaves[: len(leaves) - number + k], 3) for k in range(number)]
        self.bounds_of = [choice.choice(sorted(BOUNDED)) for _ in range(number)]
        self.weight_of_x = [choice.choice((0.0, 0.5)) for _ in range(number)]
        self.weight_of_x[self.at] = 0.9
        self.in_membrane = _node(choice, leaves, 1) if choice.random() < 0.4 else None
        self.in_threshold = _node(choice, leaves, 1) if choice.random() < 0.4 else None
        self.weights_of_others = [choice.choice((0.6, -0.6)) for _ in range(inputs - 1)]

    def _leaves(self, choice: random.Random, number: int) -> List[Node]:
        leaves: List[Node] = [("x", k) for k in range(len(self.inputs))]
        leaves += [("number", choice.uniform(-1, 1))]
        leaves += [("before", k) for k in range(len(self.states))]
        leaves += [("p", k) for k in range(len(self.parameters))]
        return leaves + [("after", k) for k in range(number)]  # of the states so far

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Tuple[Tensor, ...]:
        x, *others = currents = x if len(self.inputs) > 1 else (x,)
        values = {"x": currents, "before": state, "p": p, "after": []}
        for k, node in enumerate(self.nodes):
            drive = BOUNDED[self.bounds_of[k]](_value(node, values))
            drive = self.weight_of_x[k] * x + 0.4 * drive
            if k == self.at:
                for weight, other in zip(self.weights_of_others, others):
                    drive = drive + weight * other
            resets = k == self.at and self.spiking and self.effect == "decayed"
            if resets:
                values["after"].append(self.decayed(p[0], state[k], state[-1], p[1], drive))
            else:
                values["after"].append(p[0] * state[k] + drive)
        after = values["after"]
        if not self.spiking:
            return tuple(after)
        membrane, threshold = after[self.at], p[1]
        if self.in_membrane is not None:
            membrane = membrane + 0.3 * torch.tanh(_value(self.in_membrane, values))
        if self.in_threshold is not None:
            threshold = threshold + 0.3 * torch.sin(_value(self.in_threshold, values))
        s = fire(membrane, threshold)
        if self.effect == "subtract":
            after[self.at] = after[self.at] - p[1] * s
        elif self.effect == "zero":
            after[self.at] = after[self.at] * (1 - s.detach())
        return (*after, s)


def _node(choice: random.Random, leaves: List[Node], depth: int) -> Node:
    if depth == 0 or choice.random() < 0.15:
        return choice.choice(leaves)
    if choice.random() < 0.5:
        return (choice.choice(sorted(UNARY)), _node(choice, leaves, depth - 1))
    operands = (_node(choice, leaves, depth - 1) for _ in range(2))
    return (choice.choice(sorted(BINARY)), *operands)


def _value(node: Node, values: Dict[str, Any]) -> Any:
    kind, *rest = node
    if kind == "number":
        return values["x"][0] * 0.0 + rest[0]
    if kind in ("x", "before", "after", "p"):
        return values[kind][rest[0]]
    operands = [_value(each, values) for each in rest]
    return UNARY[kind](*operands) if kind in UNARY else BINARY[kind](*operands)


def parameters_of(neuron: Neuron, size: int, generator: torch.Generator) -> List[Tensor]:
    """Return values of the parameters, [size] each: a decay factor, a threshold, and others."""
    decay = 0.4 + 0.5 * torch.rand(size, generator=generator)
    threshold = 0.5 + 0.5 * torch.rand(size, generator=generator)
    others = (0.7 * torch.randn(size, generator=generator) for _ in neuron.parameters[2:])
    return [decay, threshold, *others]
