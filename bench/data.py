"""Events to SpikeTensors, beside the definition in torch.

20 million events in no order, as many as 2,500 recordings of spoken digits have, become lists of
100 steps and 2,560 samples of 700 neurons. What limits it is memory: 24 bytes of each event are
read twice, and its id goes to one of 256,000 lists.
"""

from __future__ import annotations

from typing import Callable, Iterator
from unittest import mock

import numpy as np
import torch

from bench import rows
from popsnn import SpikeTensor, events

EVENTS = 20_000_000
SHAPE = (100, 2560, 700)
RUNS = 3
BAR = 20.0  # million events a second


def run() -> Iterator[rows.Row]:
    """Yield the rows of all cases."""
    yield from event_rows()


def event_rows() -> Iterator[rows.Row]:
    """Measure `SpikeTensor.from_events` with columns of 64 bits, as torch gives them."""
    generator = np.random.default_rng(0)
    steps, batch, size = SHAPE
    key = np.unique(generator.integers(0, steps * batch * size, EVENTS))
    generator.shuffle(key)
    columns = (key // (batch * size), key // size % batch, key % size)

    def native() -> SpikeTensor:
        return SpikeTensor.from_events(columns, SHAPE)

    def in_torch() -> SpikeTensor:
        with mock.patch.object(events, "_native", return_value=None):
            return native()

    subjects: dict[str, Callable[[], object]] = {"popsnn": native, "popsnn-definition": in_torch}
    torch.set_num_threads(rows.cores())
    if not torch.equal(native().ids, in_torch().ids):
        raise RuntimeError("data: ids: expected those of the definition, got others")
    for subject, seconds in rows.time_in_turn(subjects, RUNS, warmup=0).items():
        speeds = [len(key) / s for s in seconds]
        row = rows.Row(
            suite="data",
            case={"events": len(key), "steps": steps, "batch": batch, "size": size},
            subject=subject,
            dtype="int64",
            metric="million_events_per_second",
            max_rel_error=0.0,
            **rows.spread(speeds, 1e-6),
        )
        print(f"  {subject}: {row.median:.1f} million events a second (bar: {BAR:.0f})")
        yield row
