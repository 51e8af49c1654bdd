"""Accuracy without and with caps and the second threshold, several seeds each."""

from __future__ import annotations

from typing import Any, Sequence

from bench.accuracy.study import CAPS, SECOND_THRESHOLD
from bench.reading import Record

from .sheet import Plot, Sheet, Wanted, machines, named, sheet

DATASETS = ("digits", "fsdd")
NETWORKS = ("feed-forward", "recurrent")
COLUMNS = (
    ("test accuracy", "mean_accuracy", "%", 100.0),
    ("highest of all epochs", "mean_highest_accuracy", "%", 100.0),
    ("first epoch of it", "epochs_to_highest", "", 1.0),
    ("activity", "activity", "% of neurons", 100.0),
    ("dropped", "dropped", "% of spikes", 100.0),
)


def sheets(rows: Sequence[Record]) -> list[Sheet]:
    """Return a sheet for each dataset, network, number of steps and machine."""
    return [
        _sheet(rows, dataset, network, steps, machine)
        for dataset in DATASETS
        for network in NETWORKS
        for steps in _steps(rows, dataset, network)
        for machine in machines(rows, Wanted("", _match(dataset, network, steps)))
    ]


def _match(dataset: str, network: str, steps: int | None) -> dict[str, Any]:
    """Return what rows of a sheet have; of any number of steps where it is None."""
    match = {"suite": "accuracy", "dataset": dataset, "network": network}
    return match if steps is None else {**match, "steps": steps}


def _steps(rows: Sequence[Record], dataset: str, network: str) -> list[int | None]:
    """Return the numbers of steps that rows have, or None alone where there is no row."""
    wanted = Wanted("", _match(dataset, network, None))
    return sorted({row.case["steps"] for row in rows if wanted.takes(row)}) or [None]


def _sheet(
    rows: Sequence[Record], dataset: str, network: str, steps: int | None, machine: str | None
) -> Sheet:
    match = {**_match(dataset, network, steps), "machine": machine}
    cut = "" if steps is None else f"{steps} steps, "
    return sheet(
        rows,
        f"{dataset}, {network}, {cut}{named(machine)}",
        {"cap": "max_activity", "second threshold": "grad_threshold"},
        [
            Wanted(head, {**match, "metric": metric}, by=(), unit=unit, scale=scale)
            for head, metric, unit, scale in COLUMNS
        ],
        lines=[(cap, second) for cap in CAPS for second in (None, SECOND_THRESHOLD)],
        note="Accuracies are means of the seeds with the 95 % confidence interval of that mean; "
        "epoch, activity and drops are medians with the least and the largest seed. "
        "The highest of all epochs is chosen by the test set.",
        plot=Plot(("cap", "second threshold"), y="%"),
    )
