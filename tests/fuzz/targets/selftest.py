"""A fuzzer with every outcome there is, for the tests of what runs and shrinks cases."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from typing import Any, Tuple

from hypothesis import strategies as st

from ..outcome import OK, Outcome, refused
from ..target import Target


@dataclass(frozen=True)
class Case:
    """Numbers, one of which may do harm."""

    numbers: Tuple[int, ...]


def check(case: Case, harm: str) -> Outcome:
    """Crash where a number is above 900."""
    if max(case.numbers) <= 900:
        return Outcome(OK)
    if harm == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if harm == "loop":
        time.sleep(3600)
    if harm == "refuse":
        return refused(ValueError("selftest: numbers: expected at most 900, got more"))
    if harm == "murmur":
        try:
            raise ValueError("too large")
        except ValueError as error:
            return refused(error)
    raise KeyError(harm)


_NUMBERS: Any = st.lists(st.integers(0, 1000), min_size=1, max_size=5)
TARGET = Target(
    st.builds(Case, _NUMBERS.map(tuple)),
    check,
    lambda: "none",
    {harm: lambda harm=harm: harm for harm in ("crash", "loop", "refuse", "murmur")},  # type: ignore[misc]
)
