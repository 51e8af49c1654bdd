"""Events to SpikeTensors next to the reference in torch, and epochs of spoken digits.

20 million events in no order, as many as 2,500 recordings of spoken digits have, become lists of
100 steps and 2,560 samples of 700 neurons. What limits it is memory: 24 bytes of each event are
read twice, and its id goes to one of 256,000 lists.

An epoch is 2,700 recordings of FSDD in batches of 64 in random order, from opening the cached file
on, with the floats that engines take next to the ids. It writes 100 steps of up to 428 ids a
recording, of 9 bytes each: about a gigabyte. `POPSNN_BENCH_FSDD` names the archive.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Callable, Iterator
from unittest import mock

import numpy as np
import torch

from bench import rows
from popsnn import SpikeTensor, data, events

EVENTS = 20_000_000
SHAPE = (100, 2560, 700)
RUNS = 3
BAR = 20.0  # million events a second
ARCHIVE = Path(
    os.environ.get("POPSNN_BENCH_FSDD", rows.RESULTS.parents[2] / "shared" / "data" / "fsdd.zip")
)
EPOCH_BAR = 1000.0  # ms, of a cached epoch
BATCH = 64
CHANGES = data.Augment(shift=10, drop=0.1, jitter=1.0)


def run() -> Iterator[rows.Row]:
    """Yield the rows of all cases."""
    torch.set_num_threads(rows.cores())
    yield from event_rows()
    if ARCHIVE.is_file():
        yield from epoch_rows()
    else:
        print(f"  no epochs: expected the archive of FSDD at {ARCHIVE}, got none")


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
    if not torch.equal(native().ids, in_torch().ids):
        raise RuntimeError("data: ids: expected those of the reference, got others")
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


def epoch_rows() -> Iterator[rows.Row]:
    """Measure the conversion of FSDD, and cached epochs of its training set."""
    with tempfile.TemporaryDirectory() as folder:

        def read() -> data.SpikeDataset:
            return data.fsdd(ARCHIVE, cache=folder, workers=rows.cores())[0]

        def epoch(augment: data.Augment | None) -> int:
            dataset = read().augmented(augment)
            entries = 0
            for spikes, _ in dataset.batches(BATCH, shuffle=True):
                entries += spikes.values.numel()
            return entries

        convert = rows.time_in_turn({"popsnn": read}, 1, warmup=0)["popsnn"]
        train = read()
        epochs = rows.time_in_turn(
            {"epoch_ms": lambda: epoch(None), "augmented_epoch_ms": lambda: epoch(CHANGES)}, RUNS
        )
        entries = epoch(None)
    lists = train.lists
    for metric, seconds in {"convert_ms": convert, **epochs}.items():
        row = rows.Row(
            suite="data",
            case={
                "dataset": "fsdd",
                "samples": len(train) if metric != "convert_ms" else len(lists),
                "steps": lists.steps,
                "size": lists.size,
                "batch": BATCH,
                "capacity": train.capacity,
                "activity": round(len(lists.ids) / lists.lengths.size / lists.size, 4),
            },
            subject="popsnn",
            dtype="int32",
            metric=metric,
            limit=f"{entries * 9 / 1e9:.2f} GB written" if metric == "epoch_ms" else None,
            **rows.spread(seconds, 1e3),
        )
        bar = f" (bar: {EPOCH_BAR:.0f} ms)" if metric == "epoch_ms" else ""
        print(f"  {metric}: {row.median:.0f}{bar}")
        yield row
