"""Random sequences whose features are delayed: `functional.delayed` and `last_steps`, in chunks."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, replace
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import pytest
import torch
from hypothesis import strategies as st
from torch import Tensor

import popsnn.cuda
from popsnn import functional

from .. import kernels
from ..description import Numbers
from ..gradients import compare_gradients
from ..late import SPREADS, Late, lates
from ..neurons import WIDE, leaf
from ..outcome import BAD, REFUSALS, Comparison, Outcome, refused
from ..references.delay_mutations import DELAYS
from ..references.neuron import Reference
from ..target import Target

TOLERANCE = {"float32": 3e-4, "float64": 1e-8, "bfloat16": 3e-2, "float16": 6e-3}  # of gradients
NARROW_GAUSSIANS = (0.05, 0.1)  # of which all taps but one or two are nearly 0


@dataclass(frozen=True)
class Case:
    """Rows x [T, B, F], and how late each feature is.

    Parameters
    ----------
    split : int
        Step before which a second call begins, or 0.
    """

    late: Late
    shape: Tuple[int, int]
    steps: int = 1
    backend: str = "torch"
    dtype: str = "float32"
    split: int = 0
    exact: bool = True
    values: int = 0

    @property
    def device(self) -> str:
        """The device of the numbers and of the reference."""
        return "cuda" if self.backend == "cuda" else "cpu"

    @property
    def pieces(self) -> List[slice]:
        """The steps of each call."""
        cuts = [0, self.split, self.steps] if self.split else [0, self.steps]
        return [slice(a, b) for a, b in zip(cuts, cuts[1:])]

    @property
    def noise(self) -> float:
        """The rounding of taps in a narrow Gaussian's gradient, next to its terms."""
        if self.late.spread != "gaussian" or self.dtype == "float64":
            return 0.0
        return 2.0**-20 / self.late.width**2 * math.sqrt(self.steps * self.shape[0])

    def leaves(self) -> Dict[str, Tensor]:
        """Return what the rows are made of, float64 that their types hold."""
        numbers = Numbers(self.values, self.exact, self.device)
        made = {"x": numbers.between(-2, 2, 8, self.steps, *self.shape)}
        if self.late.before:
            made["before"] = numbers.between(-2, 2, 8, self.late.maximum, *self.shape)
        made = {k: value.to(getattr(torch, self.dtype)).double() for k, value in made.items()}
        size = self.shape[1:]
        made["delay"] = self.late.steps(self.values + 1, self.exact, self.device, *size)
        return made

    def weighed(self, named: Dict[str, Tensor]) -> Tensor:
        """Return the loss of all outputs."""
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        for name, values in named.items():
            numbers = Numbers(self.values ^ zlib.crc32(name.encode()), True, self.device)
            total = total + (values.double() * numbers.between(-1, 1, 8, *values.shape)).sum()
        return total


class Result(NamedTuple):
    """The rows, the last D steps of x, and gradients of the leaves."""

    out: Tensor
    last: Tensor
    grads: Dict[str, Optional[Tensor]]


@st.composite
def cases(draw: Any) -> Case:
    """Draw a case."""
    backend = draw(st.sampled_from((kernels.ENGINE, "torch", "torch")))
    exact = draw(st.booleans())
    late = draw(lates(exact, ("axonal", "dendritic"), SPREADS))
    if late.spread == "gaussian" and draw(st.booleans()):
        late = replace(late, width=draw(st.sampled_from(NARROW_GAUSSIANS)))
    steps = draw(st.sampled_from((1, 2, 3, 7, 12, 20)))
    features = (1, 2, 5, 17, 33, 130, 257) if backend != "cuda" else (1, 5, 130, 1000, 4001)
    dtypes = ("float32", "float32", "bfloat16", "float16")
    return Case(
        late,
        (draw(st.sampled_from((1, 2, 3, 7))), draw(st.sampled_from(features))),
        steps,
        backend,
        draw(st.sampled_from(dtypes if backend != "torch" else (*dtypes, "float64"))),
        draw(st.integers(0, steps - 1)) if draw(st.booleans()) else 0,
        exact,
        draw(st.integers(0, 2**31 - 1)),
    )


def observe(case: Case) -> Result:
    """Run the case on its engine."""
    device = torch.device("cpu") if case.backend == "torch" else kernels.install()
    dtype, leaves = getattr(torch, case.dtype), {}
    wide = torch.float64 if case.dtype == "float64" else torch.float32
    values = case.leaves()
    steps = values.pop("delay").to(device, wide)
    if case.late.learn:
        steps = leaf(leaves, "delay", steps, device, wide)
    x = leaf(leaves, "x", values["x"], device, dtype)
    before = leaf(leaves, "before", values["before"], device, dtype) if case.late.before else None
    delay, outs = case.late.of(steps), []
    backend = "torch" if case.backend == "torch" else "cuda"
    with pytest.MonkeyPatch.context() as patch:
        if case.backend == "host":
            patch.setattr(popsnn.cuda, "delayed_unsupported", lambda *_: None)
        for piece in case.pieces:
            outs.append(functional.delayed(x[piece], delay, before, backend=backend))
            before = functional.last_steps(x[piece], before, delay.maximum)
    assert before is not None
    out = torch.cat(outs)
    case.weighed({"out": out, "last": before}).backward()
    return Result(out, before, {name: value.grad for name, value in leaves.items()})


def expect(case: Case, rules: Reference, learnt: Any, shaken: int = 0) -> Result:
    """Return what the reference says, and its gradients of the leaves that are `learnt`."""
    numbers, leaves = Numbers(case.values + shaken, False, case.device), {}
    for name, value in case.leaves().items():
        moves = shaken and name != "delay"
        value = numbers.shaken(value, 2.0**-21) if moves else value
        leaf(leaves, name, value, value.device, torch.float64)
    maximum, x = case.late.maximum, leaves["x"]
    rows = [*rules.line(leaves.get("before"), maximum, torch.zeros_like(x[0])), *x]
    taps = rules.taps(case.late.rules(leaves["delay"]))
    out = torch.stack(
        [rules.features(taps, rows[: maximum + step + 1]) for step in range(case.steps)]
    )
    last = torch.stack(rows[len(rows) - maximum :])
    case.weighed({"out": out, "last": last}).backward()
    grads = {
        name: torch.zeros_like(value) if value.grad is None else value.grad
        for name, value in leaves.items()
        if name in learnt
    }
    return Result(out, last, grads)


def check(case: Case, rules: Reference) -> Outcome:
    """Compare an engine's rows and gradients with the reference's."""
    try:
        result = observe(case)
    except REFUSALS as error:
        return refused(error)
    if result.out.dtype != getattr(torch, case.dtype):
        return Outcome(BAD, f"out: {result.out.dtype}, not of the type of x")
    expected = expect(case, rules, result.grads)
    difference = Comparison()
    if case.late.spread in ("none", "straight_through"):
        difference.same("rows", result.out, expected.out)
    else:
        difference.near("rows", result.out, expected.out, WIDE[case.dtype])
    difference.same("last steps", result.last, expected.last)
    if difference.differences:
        return difference.outcome()
    tolerance = dict.fromkeys(result.grads, TOLERANCE[case.dtype])
    if "delay" in expected.grads:
        largest = float(expected.grads["delay"].abs().max())
        tolerance["delay"] = TOLERANCE["float32"] + case.noise / (largest + 1e-3)
    return compare_gradients(
        result.grads,
        {name: grad for name, grad in expected.grads.items() if grad is not None},
        lambda name: tolerance[name],
        lambda number: {
            name: grad
            for name, grad in expect(case, rules, result.grads, number).grads.items()
            if grad is not None
        },
    )


TARGET = Target(cases(), check, Reference, DELAYS)
