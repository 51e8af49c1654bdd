"""The runs of a study, several at a time, and their rows."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import tempfile
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence

import torch

from bench import rows
from popsnn import training

SEEDS = 5
CAPS = (None, 0.1, 0.05, 0.01)  # of the hidden neurons
SECOND_THRESHOLD = 0.7
THRESHOLDS = (None, SECOND_THRESHOLD)

Metrics = List[Dict[str, Any]]  # one mapping an epoch


def cases(
    networks: Iterable[str], caps: Sequence[Optional[float]], thresholds: Sequence[Optional[float]]
) -> Iterator[Dict[str, Any]]:
    """Yield network, cap and second threshold of all cases, the dense ones first."""
    for cap in caps:
        for second in thresholds:
            for name in networks:
                yield {"network": name, "max_activity": cap, "grad_threshold": second}


def one_run(dataset: str, options: Mapping[str, Any]) -> Metrics:
    """Train once and return the epochs' metrics."""
    torch.set_num_threads(1)
    metrics: Metrics = []
    with tempfile.TemporaryDirectory() as folder:
        training.train(
            dataset,
            backend="ipu",
            device_update=True,
            pictures=False,
            progress=False,
            out=folder,
            report=lambda row: metrics.append(vars(row)),
            **options,
        )
    return metrics


def run(
    dataset: str,
    networks: Mapping[str, bool],
    options: Mapping[str, Any],
    target: float,
    *,
    caps: Sequence[Optional[float]] = CAPS,
    thresholds: Sequence[Optional[float]] = THRESHOLDS,
    seeds: int = SEEDS,
) -> Iterator[rows.Row]:
    """Train all cases and yield their rows as the cases end.

    Parameters
    ----------
    dataset : str
    networks : whether a network is recurrent, by name
    options : of `training.Config`, for all cases
    target : float
        Accuracy of `epochs_to_target`.
    caps, thresholds : of the cases
    seeds : int
    """
    config = training.merged(dataset, None, options)
    training.datasets(config)  # so that all find it cached
    os.environ["POPSNN_THREADS"] = "1"  # of each of the processes
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(rows.cores(), mp_context=spawned) as pool:
        under_way: List[tuple[Dict[str, Any], List[Future[Metrics]]]] = []
        for case in cases(networks, caps, thresholds):
            changed = {
                **options,
                "recurrent": networks[case["network"]],
                "max_activity": case["max_activity"],
                "grad_threshold": case["grad_threshold"],
            }
            futures = [
                pool.submit(one_run, dataset, {**changed, "seed": seed}) for seed in range(seeds)
            ]
            under_way.append((case, futures))
        for case, futures in under_way:
            described = {
                "dataset": dataset,
                **case,
                "hidden": list(config.hidden),
                "steps": config.steps,
                "epochs": config.epochs,
                "batch": config.batch_size,
            }
            yield from case_rows(described, [future.result() for future in futures], target)


def case_rows(
    case: Mapping[str, object], seeds: Sequence[Metrics], target: float
) -> Iterator[rows.Row]:
    """Yield the rows of a case."""
    curves = [[row["test_accuracy"] for row in metrics] for metrics in seeds]
    last = [curve[-1] for curve in curves]
    highest = [max(curve) for curve in curves]
    yield _row(case, "accuracy", rows.spread(last, 1.0))
    yield _row(case, "highest_accuracy", rows.spread(highest, 1.0))
    yield _row(case, "mean_accuracy", interval(last))
    yield _row(case, "mean_highest_accuracy", interval(highest))
    to_highest = [float(curve.index(top) + 1) for curve, top in zip(curves, highest)]
    yield _row(case, "epochs_to_highest", rows.spread(to_highest, 1.0))
    reached = [[e + 1 for e, value in enumerate(curve) if value >= target] for curve in curves]
    if all(reached):
        firsts = [float(epochs[0]) for epochs in reached]
        yield _row({**case, "target": target}, "epochs_to_target", rows.spread(firsts, 1.0))
    activities = [metrics[-1]["activity"] for metrics in seeds]
    yield _row(case, "activity", rows.spread(activities, 1.0))
    yield _row(case, "dropped", rows.spread([_dropped(case, metrics) for metrics in seeds], 1.0))
    print(
        f"  {case['dataset']} {case['network']}, cap {case['max_activity']}, second threshold "
        f"{case['grad_threshold']}: {100 * statistics.mean(last):.2f} %, "
        f"highest {100 * statistics.mean(highest):.2f} %, activity {100 * max(activities):.2f} %",
        flush=True,
    )


def interval(values: Sequence[float]) -> rows.Spread:
    """Return the mean of several seeds, with the 95 % confidence interval as min and max."""
    from scipy.stats import t

    mean, count = statistics.mean(values), len(values)
    half = t.ppf(0.975, count - 1) * statistics.stdev(values) / count**0.5
    return {"median": mean, "min": mean - half, "max": mean + half, "runs": count}


def _dropped(case: Mapping[str, Any], metrics: Metrics) -> float:
    """Return the share of spikes that found no place, of all that would have fired."""
    cells = SAMPLES[case["dataset"]] * case["steps"] * sum(case["hidden"])
    fired = sum(row["activity"] * cells for row in metrics)
    dropped = sum(row["dropped_spikes"] for row in metrics)
    return float(dropped / max(1.0, fired + dropped))


# Trained on in an epoch, which takes whole batches of 60.
SAMPLES = {"digits": 1380, "fsdd": 2700}


def _row(case: Mapping[str, object], metric: str, values: rows.Spread) -> rows.Row:
    return rows.Row(
        suite="accuracy", case=case, subject="popsnn-ipu", dtype="float32", metric=metric, **values
    )
