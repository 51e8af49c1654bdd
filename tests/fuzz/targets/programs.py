"""Random Poplar programs on the emulated device against their meaning in Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, List, Tuple

import numpy as np
import torch
from hypothesis import strategies as st
from tests.emulator.conftest import Bench

from ..outcome import Comparison, Outcome
from ..target import Target

SIZE = 6  # elements of a variable
VARIABLES = 4
LIMIT = 3  # of a loop's counter
LEAVES = ("copy", "execute", "compare", "set")
BRANCHES = ("sequence", "repeat", "while", "if", "switch", "call")


@dataclass(frozen=True)
class Node:
    """A program; `a`, `b`, `c` choose variables, positions and counts, modulo what there is.

    copy: a range of variable `a` to one of `b`. execute: vertices on variable `a` and its
    successors. compare: writes a flag. set: writes a constant. The others have programs within.
    """

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0
    nodes: Tuple[Node, ...] = ()


@dataclass(frozen=True)
class Case:
    """A program that runs so often, on variables of `SIZE` int32 each, a tile a variable or not."""

    program: Node
    runs: int = 1
    tiles: int = 1


class Meaning:
    """The reference: what programs do to the variables, int32 [VARIABLES, SIZE]."""

    def __init__(self) -> None:
        self.variables = np.zeros((VARIABLES, SIZE), np.int32)
        self.flag = False

    def begin(self) -> None:
        """Set the variables to what they begin with."""
        self.variables = np.arange(VARIABLES * SIZE, dtype=np.int32).reshape(VARIABLES, SIZE)
        self.flag = False

    def run(self, node: Node) -> None:
        """Run a program."""
        getattr(self, node.kind)(node)

    def sequence(self, node: Node) -> None:
        for child in node.nodes:
            self.run(child)

    def copy(self, node: Node) -> None:
        source, target, length = ranges(node)
        values = self.variables.reshape(-1)
        values[target : target + length] = values[source : source + length].copy()

    def execute(self, node: Node) -> None:
        kind, first, second = vertices(node)
        if kind != "affine":
            self.increment(first)
        if kind != "increment":
            self.variables[second] = self.affine(self.variables[(second + 1) % VARIABLES], node.c)

    def increment(self, variable: int) -> None:
        self.variables[variable] += 1

    def affine(self, x: np.ndarray, c: int) -> np.ndarray:
        return (np.int32(c % 3) * x + np.int32(c)).astype(np.int32)

    def compare(self, node: Node) -> None:
        self.flag = bool(self.element(node.a) < self.element(node.b))

    def element(self, number: int) -> np.int32:
        """Return the element that a program looks at."""
        return self.variables.reshape(-1)[number % (VARIABLES * SIZE)]

    def set(self, node: Node) -> None:
        self.variables[node.a % VARIABLES] = node.b - 2

    def repeat(self, node: Node) -> None:
        for _ in range(node.a % 4):
            self.sequence(node)

    def call(self, node: Node) -> None:
        self.sequence(node)

    def while_(self, node: Node) -> None:
        """Repeat as long as a counter that begins at 0 is below the limit."""
        counter = 0
        while counter < LIMIT:
            self.sequence(node)
            counter += 1

    def if_(self, node: Node) -> None:
        half = len(node.nodes) // 2
        for child in node.nodes[:half] if self.flag else node.nodes[half:]:
            self.run(child)

    def switch(self, node: Node) -> None:
        """Take the node of the number that the control has, else the last one."""
        control = int(self.element(node.a))
        cases = node.nodes[:-1]
        index = control - node.b
        if node.nodes:
            self.run(cases[index] if 0 <= index < len(cases) else node.nodes[-1])


setattr(Meaning, "while", Meaning.while_)
setattr(Meaning, "if", Meaning.if_)


def ranges(node: Node) -> Tuple[int, int, int]:
    """Return source, target and length of a copy between ranges of all variables together."""
    all_of = VARIABLES * SIZE
    source, target = 3 * node.a % all_of, 5 * node.b % all_of
    return source, target, min(1 + node.c, all_of - source, all_of - target)


def vertices(node: Node) -> Tuple[str, int, int]:
    """Return what a compute set has, and the variables that its vertices change."""
    kind = ("increment", "affine", "both")[node.a % 3]
    first = node.b % VARIABLES
    return kind, first, (first + 2) % VARIABLES


class Builder:
    """The same programs in Poplar."""

    def __init__(self, tiles: int) -> None:
        self.poplar: Any = _poplar()
        self.bench = Bench(self.poplar).codelets()
        self.tiles = tiles
        self.variables = [
            self.bench.variable(self.poplar.INT, [SIZE], index % tiles)
            for index in range(VARIABLES)
        ]
        self.all = self.poplar.concat(self.variables)
        self.flag = self.bench.variable(self.poplar.BOOL, [])
        begin = np.arange(VARIABLES * SIZE).reshape(VARIABLES, SIZE)
        for variable, values in zip(self.variables, begin):
            self.bench.graph.set_initial_value(variable, values)

    def build(self, node: Node) -> Any:
        """Return the program."""
        return getattr(self, node.kind)(node)

    def sequence(self, node: Node) -> Any:
        return self.poplar.Sequence([self.build(child) for child in node.nodes])

    def copy(self, node: Node) -> Any:
        source, target, length = ranges(node)
        return self.poplar.Copy(
            self.all.slice(source, source + length, 0), self.all.slice(target, target + length, 0)
        )

    def execute(self, node: Node) -> Any:
        kind, first, second = vertices(node)
        step = self.bench.graph.add_compute_set("step")
        if kind != "affine":
            self.bench.vertex(step, "Increment", first % self.tiles, x=self.variables[first])
        if kind != "increment":
            source = self.variables[(second + 1) % VARIABLES]
            fields = {"in": source, "out": self.variables[second]}
            affine = self.bench.vertex(step, "Affine<int>", second % self.tiles, **fields)
            for name, value in (("scale", node.c % 3), ("bias", node.c)):
                self.bench.graph.set_initial_value(affine[name], value)
        return self.poplar.Execute(step)

    def compare(self, node: Node) -> Any:
        return self._less(self.element(node.a), self.element(node.b), self.flag)

    def _less(self, a: Any, b: Any, out: Any) -> Any:
        step = self.bench.graph.add_compute_set("less")
        self.bench.vertex(step, "Less", 0, a=a, b=b, out=out)
        return self.poplar.Execute(step)

    def element(self, number: int) -> Any:
        return self.all[number % (VARIABLES * SIZE)]

    def set(self, node: Node) -> Any:
        values = self.bench.constant(self.poplar.INT, np.full(SIZE, node.b - 2))
        return self.poplar.Copy(values, self.variables[node.a % VARIABLES])

    def repeat(self, node: Node) -> Any:
        return self.poplar.Repeat(node.a % 4, self.sequence(node))

    def call(self, node: Node) -> Any:
        return self.poplar.Call(self.bench.graph.add_function(self.sequence(node)))

    def while_(self, node: Node) -> Any:
        counter = self.bench.variable(self.poplar.INT, [1])
        below = self.bench.variable(self.poplar.BOOL, [])
        zero = self.bench.constant(self.poplar.INT, np.zeros(1))
        limit = self.bench.constant(self.poplar.INT, np.full(1, LIMIT))
        count = self.bench.graph.add_compute_set("count")
        self.bench.vertex(count, "Increment", 0, x=counter)
        body = self.poplar.Sequence([self.sequence(node), self.poplar.Execute(count)])
        condition = self._less(counter[0], limit[0], below)
        loop = self.poplar.RepeatWhileTrue(condition, below, body)
        return self.poplar.Sequence([self.poplar.Copy(zero, counter), loop])

    def if_(self, node: Node) -> Any:
        half = len(node.nodes) // 2
        yes, no = (
            self.poplar.Sequence([self.build(node) for node in nodes])
            for nodes in (node.nodes[:half], node.nodes[half:])
        )
        return self.poplar.If(self.flag, yes, no)

    def switch(self, node: Node) -> Any:
        programs = [self.build(child) for child in node.nodes] or [self.poplar.Sequence()]
        cases = [(node.b + index, program) for index, program in enumerate(programs[:-1])]
        return self.poplar.Switch(self.element(node.a), cases, programs[-1])


setattr(Builder, "while", Builder.while_)
setattr(Builder, "if", Builder.if_)


@lru_cache(maxsize=None)
def _poplar() -> Any:
    return import_module("popsnn_test_poplar")


@st.composite
def cases(draw: Any) -> Case:
    """Draw a program of a few levels."""
    number = st.integers(0, 11)
    leaf = st.builds(Node, st.sampled_from(LEAVES), number, number, number)

    def inner(nodes: Any) -> Any:
        within = st.lists(nodes, min_size=1, max_size=4).map(tuple)
        return st.builds(Node, st.sampled_from(BRANCHES), number, number, number, within)

    program = draw(st.recursive(leaf, inner, max_leaves=12))
    return Case(program, draw(st.sampled_from((1, 2))), draw(st.sampled_from((1, 2, 4))))


def check(case: Case, rules: Meaning) -> Outcome:
    """Compare the variables after the program's runs."""
    builder = Builder(case.tiles)
    bench = builder.bench
    program = builder.build(case.program)
    bench.graph.create_host_read("all", builder.all)
    engine = bench.engine(program)
    rules.begin()
    got: List[Any] = []
    expected: List[Any] = []
    for _ in range(case.runs):
        engine.run(0)
        got.append(engine.read_tensor("all", np.empty(VARIABLES * SIZE, np.int32)).tolist())
        rules.run(case.program)
        expected.append(rules.variables.ravel().tolist())
    difference = Comparison()
    difference.same("variables", torch.tensor(got), torch.tensor(expected))
    return difference.outcome()


class RepeatsOnceMore(Meaning):
    """Runs the body of a repeat once more."""

    def repeat(self, node: Node) -> None:
        super().repeat(node)
        self.sequence(node)


class LoopTestsAfter(Meaning):
    """Runs the body of a loop once more than its condition says."""

    def while_(self, node: Node) -> None:
        super().while_(node)
        self.sequence(node)


class IfIsInverted(Meaning):
    """Takes the other branch."""

    def if_(self, node: Node) -> None:
        self.flag = not self.flag
        super().if_(node)
        self.flag = not self.flag


class SwitchHasNoDefault(Meaning):
    """Runs nothing where no case has the control's number."""

    def switch(self, node: Node) -> None:
        index = int(self.element(node.a)) - node.b
        if 0 <= index < len(node.nodes) - 1:
            self.run(node.nodes[index])


class CopyByElement(Meaning):
    """Copies overlapping ranges element by element."""

    def copy(self, node: Node) -> None:
        source, target, length = ranges(node)
        values = self.variables.reshape(-1)
        for index in range(length):
            values[target + index] = values[source + index]


for _kind in (LoopTestsAfter, IfIsInverted):
    for _name in ("while", "if"):
        setattr(_kind, _name, getattr(_kind, f"{_name}_"))

MUTATIONS = {
    kind.__name__: kind
    for kind in (RepeatsOnceMore, LoopTestsAfter, IfIsInverted, SwitchHasNoDefault, CopyByElement)
}
TARGET = Target(cases(), check, Meaning, MUTATIONS)
