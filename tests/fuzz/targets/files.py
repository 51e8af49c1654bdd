"""Data from outside: events, caches, checkpoints, options, codelets, executables."""

from __future__ import annotations

from typing import Any, List, Tuple, Union

from hypothesis import strategies as st

from ..outcome import Outcome
from ..target import Target
from .configurations import Configuration, check_configuration, configurations
from .damage import DamagedFile, check_damage, damaged_files
from .events import Events, Recording, Table, check_recording, check_table, recordings, tables

Case = Union[DamagedFile, Configuration, Table, Recording]


def check(case: Case, rules: Events) -> Outcome:
    """Check what reads the case."""
    if isinstance(case, DamagedFile):
        return check_damage(case)
    if isinstance(case, Configuration):
        return check_configuration(case)
    if isinstance(case, Table):
        return check_table(case, rules)
    return check_recording(case, rules)


class LateEventsCount(Events):
    """Lets the last event of a recording begin a step of its own."""

    def step(self, t: int, first: int, last: int, case: Recording) -> int:
        if case.dt is None:
            return (t - first) * case.steps // max(1, last - first)
        return super().step(t, first, last, case)


class ColumnsBeforeRows(Events):
    """Counts neurons column by column."""

    def neuron(self, x: int, y: int, p: int, case: Recording) -> int:
        turned = case.sensor[1], case.sensor[0], case.sensor[2]
        rows, columns = (self.coarse(size, case) for size in turned[:2])
        row, column = int(x / case.downsample + 1e-9), int(y / case.downsample + 1e-9)
        return (p * columns + row) * rows + column


class EventsAreNotMerged(Events):
    """Counts events that fall on one neuron and step."""

    def counts(self, fired: List[Tuple[int, int]]) -> Tuple[int, int]:
        return len(fired), 0


MUTATIONS: Any = {
    kind.__name__: kind for kind in (LateEventsCount, ColumnsBeforeRows, EventsAreNotMerged)
}
TARGET = Target(
    st.one_of(
        damaged_files(), configurations(), tables(), recordings(), recordings(), recordings()
    ),
    check,
    Events,
    MUTATIONS,
)
