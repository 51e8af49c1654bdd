"""Cases from seeds, their outcomes, and the smallest case that still fails.

hypothesis draws a case from the bytes of its seed (`fuzz_one_input`) and shrinks one that fails.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import HypothesisException
from hypothesis.strategies import SearchStrategy

from .outcome import REFUSED, STATUSES, Outcome
from .target import Target, load
from .worker import Runner

BYTES = 4096  # of a seed: more than any case is drawn from
SHRINK_SECONDS = 60.0


def engine_of(case: Any) -> Optional[str]:
    """Return the engine that a case runs on, where it names one."""
    engine: Optional[str] = getattr(case, "engine", getattr(case, "backend", None))
    return engine


def drawn(
    target: Target,
    seed: int,
    alike: int = 1,
    passes_over: Callable[[Any], bool] = lambda case: False,
) -> Iterator[Tuple[int, Optional[Any]]]:
    """Yield seeds from `seed` on, each with its case; None where it has none, or is passed over.

    Parameters
    ----------
    alike : int
        Seeds in a row whose cases run the same kernels, those of the first: compiling takes longer
        than running.
    """
    draw, first, group = Drawer(target.cases), None, None
    for number in count(seed - seed % alike):
        case = draw(number)
        case = None if case is None or passes_over(case) else case
        if case is not None and alike > 1 and target.alike is not None:
            if number // alike != group:
                first, group = case, number // alike
            case = target.alike(first, case)
        if number >= seed:
            yield number, case


@dataclass(frozen=True)
class Result:
    """A case's outcome."""

    target: str
    seed: int
    case: Any
    outcome: Outcome
    seconds: float


@dataclass
class Summary:
    """The outcomes of a target, and what failed."""

    target: str
    seconds: float = 0.0
    counts: Counter = field(default_factory=Counter)
    refusals: Counter = field(default_factory=Counter)
    failures: List[Result] = field(default_factory=list)

    def add(self, result: Result) -> None:
        """Count a result."""
        self.counts[result.outcome.status] += 1
        self.seconds += result.seconds
        if result.outcome.status == REFUSED:
            self.refusals[result.outcome.detail.split(", got ")[0]] += 1
        if result.outcome.failed:
            self.failures.append(result)

    def __str__(self) -> str:
        cases = sum(self.counts.values())
        counts = ", ".join(f"{self.counts[status]} {status}" for status in STATUSES)
        return f"{self.target}: {cases} cases in {self.seconds:.0f} s: {counts}"


class Failed(Exception):
    """Tells hypothesis that a case fails."""


def _draws(strategy: SearchStrategy[Any], take: Callable[[Any], None], database: Any = None) -> Any:
    @settings(
        database=database,
        phases=(Phase.reuse, Phase.shrink),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
    )
    @given(case=strategy)
    def call(case: Any) -> None:
        take(case)

    return call


def _bytes(seed: int) -> bytes:
    return random.Random(seed).getrandbits(8 * BYTES).to_bytes(BYTES, "big")


class Drawer:
    """Draws the case of a seed."""

    def __init__(self, strategy: SearchStrategy[Any]) -> None:
        self._cases: List[Any] = []
        self._call = _draws(strategy, self._cases.append)

    def __call__(self, seed: int) -> Optional[Any]:
        """Return the case; None where the seed's bytes are no case."""
        self._cases.clear()
        self._call.hypothesis.fuzz_one_input(_bytes(seed))
        return self._cases[0] if self._cases else None


def run(
    name: str,
    worker: Runner,
    seed: int,
    *,
    cases: Optional[int] = None,
    seconds: Optional[float] = None,
    mutation: Optional[str] = None,
    alike: int = 1,
    passes_over: Callable[[Any], bool] = lambda case: False,
) -> Iterator[Result]:
    """Yield the results of the cases of one seed after another, until one of the limits."""
    end = None if seconds is None else time.monotonic() + seconds
    last = None if cases is None else seed + cases
    for number, case in drawn(load(name), seed, alike, passes_over):
        if number == last or (end is not None and time.monotonic() >= end):
            return
        if case is not None:
            begun = time.monotonic()
            outcome = worker.run(name, case, mutation)
            yield Result(name, number, case, outcome, time.monotonic() - begun)


def shrunk(result: Result, worker: Runner, seconds: float = SHRINK_SECONDS) -> Result:
    """Return the smallest case that hypothesis finds to fail with the same status."""
    failing: Dict[Any, Result] = {}
    smallest = result
    end = time.monotonic() + seconds

    def take(case: Any) -> None:
        nonlocal smallest
        # What is new after the end passes, so that hypothesis has nothing more to try.
        if case not in failing and time.monotonic() < end:
            begun = time.monotonic()
            outcome = worker.run(result.target, case)
            if outcome.status == result.outcome.status:
                took = time.monotonic() - begun
                failing[case] = Result(result.target, result.seed, case, outcome, took)
        if case in failing:
            smallest = failing[case]
            raise Failed

    call = _draws(load(result.target).cases, take, InMemoryExampleDatabase())
    with suppress(Failed):
        call.hypothesis.fuzz_one_input(_bytes(result.seed))
    if failing:
        with suppress(Failed, HypothesisException):  # that of a case that fails at times
            call()
    return smallest
