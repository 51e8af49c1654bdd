"""Proof that the fuzzers see: each of the references' small faults has to make a case fail."""

from __future__ import annotations

from typing import Any, Callable, List, Optional

from . import campaign
from .outcome import BAD
from .target import load
from .worker import Runner

MOST_CASES = 300  # until which a fault has to show


def searched(
    name: str,
    mutation: str,
    worker: Runner,
    seed: int,
    cases: int,
    passes_over: Callable[[Any], bool] = lambda case: False,
) -> Optional[campaign.Result]:
    """Return the first case that the mutation makes bad, of those that are good without it."""
    for result in campaign.run(
        name, worker, seed, cases=cases, mutation=mutation, passes_over=passes_over
    ):
        if result.outcome.status == BAD and not worker.run(name, result.case).failed:
            return result
    return None


def detect(names: List[str], worker: Runner, seed: int, cases: Optional[int]) -> int:
    """Print which faults are detected; return 1 where one is not."""
    most = MOST_CASES if cases is None else cases
    detected = total = 0
    for name in names:
        for mutation in load(name).mutations:
            result = searched(name, mutation, worker, seed, most)
            total += 1
            detected += result is not None
            if result is None:
                print(f"{name}: {mutation}: not detected in {most} cases", flush=True)
            else:
                number, detail = result.seed - seed + 1, result.outcome.detail
                print(f"{name}: {mutation}: case {number}: {detail}", flush=True)
    print(f"{detected} of {total} mutations detected")
    return int(detected < total)
