"""Random tables of events and recordings: lists of what they hold, or a refusal where they must."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import torch
from hypothesis import strategies as st

from popsnn import SpikeTensor
from popsnn.data import compact

from ..outcome import BAD, REFUSALS, REFUSED, Comparison, Outcome, refused
from ..references.network import INPUT_LAYER
from ..references.neuron import Reference

INTEGERS = ("int64", "int32", "int16", "uint8", "uint64", "int8")
ODD = (math.nan, math.inf, -math.inf, -1.0, 0.5, 2.0**70)  # what no field may hold


@dataclass(frozen=True)
class Table:
    """Rows (t, b, n) of `SpikeTensor.from_events`, over (steps, batch, neurons).

    `form` is how they come: "table", "columns", "strided", "reversed", "tensor" or "list".
    """

    rows: Tuple[Tuple[int, int, int], ...]
    shape: Tuple[int, int, int]
    capacity: Optional[int] = None
    seed: int = 0
    dtype: str = "int64"
    form: str = "table"


@dataclass(frozen=True)
class Recording:
    """Events (t, x, y, p) of a recording, and its label.

    `types` are those of the fields; `odd` puts an unusual number into a field of an event.
    """

    events: Tuple[Tuple[int, int, int, int], ...]
    sensor: Tuple[int, int, int] = (4, 3, 2)
    steps: int = 2
    dt: Optional[float] = None
    downsample: float = 1.0
    label: float = 0.0
    types: Tuple[str, str, str, str] = ("int64", "int16", "int16", "int8")
    odd: Optional[Tuple[int, str, float]] = None


@st.composite
def tables(draw: Any) -> Table:
    """Draw a table, at times with a row that is out of range or comes twice."""
    shape = draw(st.tuples(st.integers(1, 4), st.integers(1, 4), st.sampled_from((1, 2, 5, 20))))
    beyond = draw(st.sampled_from((0, 0, 0, 1)))
    column = [st.integers(-beyond, size - 1 + beyond) for size in shape]
    rows = draw(st.lists(st.tuples(*column), max_size=12, unique=draw(st.booleans())))
    capacity = draw(st.sampled_from((None, 1, shape[2], -(-shape[2] // 2), shape[2] + 1)))
    forms = ("table", "columns", "strided", "reversed", "tensor", "list")
    return Table(
        tuple(rows),
        shape,
        capacity,
        draw(st.sampled_from((0, 7, 0xFFFFFFFF))),
        draw(st.sampled_from((*INTEGERS, "float64", "bool"))),
        draw(st.sampled_from(forms)),
    )


@st.composite
def recordings(draw: Any) -> Recording:
    """Draw a recording, at times with a number that it must not have."""
    sensor = draw(st.tuples(st.sampled_from((1, 4, 9)), st.sampled_from((1, 3)), st.integers(1, 2)))
    x, y, p = (st.integers(0, size - 1) for size in sensor)
    events = draw(st.lists(st.tuples(st.integers(0, 60), x, y, p), max_size=10))
    events = events if draw(st.sampled_from((False, False, False, True))) else sorted(events)
    kinds = ("int64", "int16", "uint8", "int32", "float64", "float32")
    field, wrong = st.sampled_from(("t", "x", "y", "p")), st.sampled_from(ODD)
    odd = draw(st.tuples(st.integers(0, 9), field, wrong))
    has_odd = draw(st.sampled_from((False, False, False, True)))  # most recordings are read
    return Recording(
        tuple(events),
        sensor,
        draw(st.integers(1, 5)),
        draw(st.sampled_from((None, None, 1e-5, 2.5e-5, 1e-6))),
        draw(st.sampled_from((1.0, 1.0, 2.0, 1.5, 3.0))),
        draw(st.sampled_from((0.0, 1.0, 2.0) * 4 + (3.0, 1.7, -1.0, math.nan))),
        tuple(draw(st.sampled_from(kinds)) for _ in range(4)),
        odd if has_odd else None,
    )


class Events:
    """The reference: where an event goes."""

    def __init__(self) -> None:
        self.rules = Reference()

    def step(self, t: int, first: int, last: int, case: Recording) -> int:
        """Return the step of a time in microseconds."""
        if case.dt is None:
            return (t - first) * case.steps // (last - first + 1)
        return int(t // round(case.dt * 1e6, 3))

    def neuron(self, x: int, y: int, p: int, case: Recording) -> int:
        """Return the neuron of a pixel."""
        rows, columns = self.coarse(case.sensor[1], case), self.coarse(case.sensor[0], case)
        row, column = int(y / case.downsample + 1e-9), int(x / case.downsample + 1e-9)
        return (p * rows + row) * columns + column

    def coarse(self, size: int, case: Recording) -> int:
        """Return the neurons in a row of so many pixels."""
        return int((size - 1) / case.downsample + 1e-9) + 1

    def counts(self, fired: List[Tuple[int, int]]) -> Tuple[int, int]:
        """Return how many events stay of these steps and neurons, and how many are merged."""
        return len(set(fired)), len(fired) - len(set(fired))


def check_table(case: Table, rules: Events) -> Outcome:
    """Compare lists with those of the rows, where the rows are events of the shape."""
    dtype = np.dtype(case.dtype)
    wide = np.array(case.rows, np.int64).reshape(-1, 3)
    array = wide.astype(dtype)
    rows = [tuple(row) for row in (array if dtype.kind in "iu" else wide).tolist()]
    legal = all(0 <= value < size for row in rows for value, size in zip(row, case.shape))
    legal &= len(set(rows)) == len(rows) and (dtype.kind in "iu" or not rows)
    legal &= case.capacity is None or case.capacity <= case.shape[2]
    try:
        made = SpikeTensor.from_events(
            _events(case, array), case.shape, case.capacity, seed=case.seed
        )
    except REFUSALS as error:
        outcome = refused(error)
        if legal and outcome.status == REFUSED and not _unknown_to_torch(case):
            return Outcome(BAD, f"refused: {error}")
        return outcome
    if not legal:
        return Outcome(BAD, "accepted, but its rows are no events of the shape")
    dense = torch.zeros(case.shape, dtype=torch.bool)
    for row in rows:
        dense[row] = True
    longest = max(1, int(dense.sum(-1).max()))
    capacity = longest if case.capacity is None else case.capacity
    none = torch.zeros_like(dense[0])
    orders = [(case.seed, INPUT_LAYER, step) for step in range(case.shape[0])]
    kept = [rules.rules.keep(fired, none, capacity, order) for fired, order in zip(dense, orders)]
    difference = Comparison()
    difference.same(
        "spikes", made.to_dense(), torch.stack([tensor.fired for tensor in kept]).double()
    )
    difference.same("dropped", made.dropped, torch.stack([tensor.dropped for tensor in kept]))
    difference.same("capacity", made.capacity, capacity)
    return difference.outcome()


def _unknown_to_torch(case: Table) -> bool:
    return case.form == "tensor" and case.dtype == "uint64"


def _events(case: Table, array: np.ndarray) -> Any:
    if case.form == "columns":
        return tuple(array[:, axis].copy() for axis in range(3))
    if case.form == "strided":
        return np.repeat(np.repeat(array, 2, 0), 2, 1)[::2, ::2]
    if case.form == "reversed":
        return array[::-1].copy()[::-1]
    if case.form == "tensor":
        return torch.from_numpy(array)
    return array.tolist() if case.form == "list" else array


def check_recording(case: Recording, rules: Events) -> Outcome:
    """Compare the dataset of a recording with what its events say, where they are whole."""
    events, legal = _structured(case)
    whole = 0 <= case.label < 3 and case.label == int(case.label)
    legal &= bool(whole)
    inputs = [
        (events, 0), (events, int(case.label) if whole else case.label), (events, 2)
    ]  # fmt: skip
    try:
        dataset = compact(
            inputs,
            sensor_size=case.sensor,
            classes=3,
            steps=case.steps,
            dt=case.dt,
            downsample=case.downsample,
        )
    except REFUSALS as error:
        outcome = refused(error)
        if legal and outcome.status == REFUSED:
            return Outcome(BAD, f"refused: {error}")
        return outcome
    if not legal:
        return Outcome(BAD, "accepted, with a number that is none of the field's")
    times = [int(t) for t in events["t"]]
    first, last = (min(times), max(times)) if times else (0, 0)
    steps = [rules.step(t, first, last, case) for t in times]
    width, height, polarities = case.sensor
    fired = [
        (
            step,
            rules.neuron(
                int(event["x"]) if width > 1 else 0,
                int(event["y"]) if height > 1 else 0,
                int(event["p"]) if polarities > 1 else 0,
                case,
            ),
        )
        for step, event in zip(steps, events)
        if step < case.steps
    ]
    count, merged = rules.counts(fired)
    lists = dataset.lists
    step, _, neuron = lists.events(np.array([1]))
    difference = Comparison()
    difference.same("labels", dataset.labels.tolist(), [0, int(case.label), 2])
    difference.same("spikes", list(zip(step.tolist(), neuron.tolist())), sorted(set(fired)))
    facts: Dict[str, Tuple[int, int]] = {
        "count": (int(lists.lengths[1].sum()), count),
        "merged": (int(lists.merged[1]), merged),
        "late": (int(lists.late[1]), len(times) - len(fired)),
    }
    for name, (got, expected) in facts.items():
        difference.same(name, got, expected)
    return difference.outcome()


def _structured(case: Recording) -> Tuple[np.ndarray, bool]:
    """Return the events as an array with fields, and whether they are some of the sensor."""
    names = ("t", "x", "y", "p")
    array = np.zeros(len(case.events), list(zip(names, case.types)))
    for name, values in zip(names, zip(*case.events)):
        array[name] = values
    bounds = {"t": math.inf, **dict(zip(names[1:], case.sensor))}
    read = [name for name in names if name not in ("y", "p") or bounds[name] > 1]
    if case.odd is not None and case.events:
        index, name, value = case.odd
        if array[name].dtype.kind == "f":
            array[name][index % len(array)] = value
        elif math.isfinite(value) and abs(value) < 100:
            array[name][index % len(array)] = int(value) % 256 if name != "t" else int(value)
    legal = True
    for name in read:
        column = [float(value) for value in array[name]]
        legal &= all(
            math.isfinite(v) and v == int(v) and 0 <= v < bounds[name] and v < 2.0**62
            for v in column
        )
    if legal:
        times = [int(t) for t in array["t"]]
        legal = times == sorted(times)
    return array, legal
