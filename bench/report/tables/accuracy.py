"""Accuracy without and with caps and the gradient threshold, several seeds each."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from bench.accuracy import PARTS, study
from bench.report.reading import Record

from .sheet import Plot, Sheet, Wanted, named, sheet

COLUMNS = (
    ("test accuracy", "mean_accuracy", "%", 100.0),
    ("highest of all epochs", "mean_highest_accuracy", "%", 100.0),
    ("first epoch of it", "epochs_to_highest", "", 1.0),
    ("activity", "activity", "% of neurons", 100.0),
    ("dropped", "dropped", "% of spikes", 100.0),
)
INDEX = {
    "cap": "max_activity",
    "gradient threshold": "grad_threshold",
    "activity penalty": "activity_weight",
}


def sheets(rows: Sequence[Record]) -> list[Sheet]:
    """Return a sheet for each setting of the study and each engine and machine that has rows."""
    return [
        _sheet(rows, setting, cases, subject, machine)
        for setting, cases in study.settings(PARTS)
        for subject, machine in _runs(rows, setting)
    ]


def _runs(rows: Sequence[Record], setting: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Return subjects and machines that have rows, or no machine where there is no row."""
    wanted = Wanted("", {"suite": "accuracy", **setting})
    keys = dict.fromkeys((row.subject, row.machine) for row in rows if wanted.takes(row))
    return [*keys] or [("popsnn", None)]


def _sheet(
    rows: Sequence[Record],
    setting: Mapping[str, Any],
    cases: Sequence[Mapping[str, Any]],
    subject: str,
    machine: str | None,
) -> Sheet:
    match = {"suite": "accuracy", **setting, "subject": subject, "machine": machine}
    return sheet(
        rows,
        f"{study.title(setting)}, {subject}, {named(machine)}",
        INDEX,
        [
            Wanted(head, {**match, "metric": metric}, by=(), unit=unit, scale=scale)
            for head, metric, unit, scale in COLUMNS
        ],
        lines=[tuple(case.get(name) for name in INDEX.values()) for case in cases],
        note="Accuracies are means of the seeds with the 95 % confidence interval of that mean; "
        "epoch, activity and drops are medians with the least and the largest seed. "
        "The highest of all epochs is chosen by the test set.",
        plot=Plot(tuple(INDEX), y="%"),
    )
