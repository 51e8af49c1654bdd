"""Outcome of a case, and its comparisons."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass, field
from typing import Any, List, Optional, Tuple, Type

import torch
from torch import Tensor

OK, REFUSED, TIE, BAD, CRASHED = "ok", "refused", "tie", "bad", "crashed"
STATUSES = (OK, REFUSED, TIE, BAD, CRASHED)
FAILURES = (BAD, CRASHED)

# One sentence: the operation, what was expected, what came.
SENTENCE = re.compile(r"[^\n]+: [^\n]*\bexpected [^\n]+\b(?:got|found) [^\n]+")
REASON = re.compile(r"[^\n]+: backend '\w+' cannot run this: [^\n]+")
REFUSALS = (ValueError, TypeError, RuntimeError, FileNotFoundError)


@dataclass(frozen=True)
class Outcome:
    """A status with its reason.

    ok: as the reference says. refused: an error of one sentence. tie: a rounding decides. bad:
    another result, or another error. crashed: the process ended, or did not end in time.
    """

    status: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Whether the case shows a fault."""
        return self.status in FAILURES


def is_sentence(text: str) -> bool:
    """Return whether a message has the form that calls refuse their arguments with."""
    return SENTENCE.fullmatch(text) is not None or REASON.fullmatch(text) is not None


def refused(error: BaseException, kinds: Tuple[Type[BaseException], ...] = REFUSALS) -> Outcome:
    """Return the outcome of a call that raised: a refusal is one sentence, all else is bad."""
    builtin = type(error).__module__ == "builtins"
    fits = type(error) in kinds if builtin else isinstance(error, kinds)
    return Outcome(REFUSED, str(error)) if fits and is_sentence(str(error)) else raised(error)


def raised(error: BaseException) -> Outcome:
    """Return the outcome of an error that nothing announces."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{where.filename.rsplit('/', 1)[-1]}:{where.lineno}"
    return Outcome(BAD, f"{type(error).__name__} at {place}: {str(error)[:300]}")


def relative(got: Tensor, expected: Tensor, floor: float = 1e-3) -> float:
    """Return the largest difference relative to the largest element and the floor."""
    expected = expected.detach().double()
    got = got.detach().to(expected)
    if got.shape != expected.shape:
        return float("inf")
    if not got.numel():
        return 0.0
    if not bool(torch.isfinite(got).all() & torch.isfinite(expected).all()):
        return 0.0 if torch.equal(_numbers(got), _numbers(expected)) else float("inf")
    return float((got - expected).abs().max() / (expected.abs().max() + floor))


def _numbers(values: Tensor) -> Tensor:
    return torch.nan_to_num(values, 7e77, 7e78, -7e78)


@dataclass
class Comparison:
    """Differences between a result and the reference's, each by its name."""

    differences: List[str] = field(default_factory=list)

    def same(self, name: str, got: Any, expected: Any) -> None:
        """Note where two values differ; tensors are of one shape and differ nowhere."""
        if isinstance(expected, Tensor):
            got = got.detach().to(expected.device)
            if got.shape != expected.shape:
                self.differences.append(
                    f"{name}: shape {tuple(got.shape)}, expected {tuple(expected.shape)}"
                )
                return
            wrong = got.double() != expected.detach().double()
            if bool(wrong.any()):
                first = tuple(wrong.nonzero()[0].tolist())
                self.differences.append(
                    f"{name}: {int(wrong.sum())} of {wrong.numel()} differ, first at {first}"
                )
        elif got != expected:
            self.differences.append(f"{name}: {got}, expected {expected}")

    def near(
        self,
        name: str,
        got: Optional[Tensor],
        expected: Tensor,
        tolerance: float,
        floor: float = 1e-3,
    ) -> None:
        """Note where a tensor is off by more than the tolerance; None stands for zeros."""
        got = torch.zeros_like(expected) if got is None else got
        error = relative(got, expected, floor)
        if not error <= tolerance:
            self.differences.append(f"{name}: relative error {error:.2g}")

    def outcome(self, heading: str = "") -> Outcome:
        """Return ok, or bad with the first differences behind a heading."""
        if not self.differences:
            return Outcome(OK)
        more = len(self.differences) - 5
        shown = heading + "; ".join(self.differences[:5])
        return Outcome(BAD, f"{shown}; {more} more" if more > 0 else shown)
