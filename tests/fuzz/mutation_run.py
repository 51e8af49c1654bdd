"""Proof that the fuzzers see: each of the references' small faults has to make a case fail."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from . import campaign
from .outcome import BAD
from .target import load
from .worker import Worker

MOST_CASES = 300  # until which a fault has to show


def searched(
    names: List[str], worker: Worker, seed: int, cases: int
) -> Dict[Tuple[str, str], Optional[campaign.Result]]:
    """Return the first case that shows each fault, by target and mutation, or None."""
    found: Dict[Tuple[str, str], Optional[campaign.Result]] = {}
    for name in names:
        for mutation in load(name).mutations:
            results = campaign.run(name, worker, seed, cases=cases, mutation=mutation)
            found[name, mutation] = next((r for r in results if r.outcome.status == BAD), None)
    return found


def detect(names: List[str], worker: Worker, seed: int, cases: Optional[int]) -> int:
    """Print which faults are detected; return 1 where one is not."""
    most = MOST_CASES if cases is None else cases
    detected = total = 0
    for name in names:
        for (_, mutation), result in searched([name], worker, seed, most).items():
            total += 1
            detected += result is not None
            if result is None:
                print(f"{name}: {mutation}: not detected in {most} cases", flush=True)
            else:
                number = result.seed - seed + 1
                print(f"{name}: {mutation}: case {number}: {result.outcome.detail}", flush=True)
    print(f"{detected} of {total} mutations detected")
    return int(detected < total)
