"""The runs of a study, several at a time, and their rows."""

from __future__ import annotations

import multiprocessing
import os
import queue
import statistics
import tempfile
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import (
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)  # fmt: skip

import torch

from bench import gpu, rows
from bench.accuracy.kept import KeptBatches
from popsnn import backends, training

SEEDS = 5
CAPS = (None, 0.1, 0.05, 0.01)  # of the hidden neurons
SECOND_THRESHOLD = 0.7
THRESHOLDS = (None, SECOND_THRESHOLD)
NETWORKS = {"feed-forward": False, "recurrent": True}  # whether hidden layers are
# Processes at a time; those on one GPU take turns, and wait for each other at every step.
PROCESSES: Mapping[str, int] = {"ipu": rows.cores(), "cuda": min(10, rows.cores())}
# How each engine trains; that of the GPU in float32, and each step as one graph, which takes less
# than to make its batch.
ENGINES: Mapping[str, Mapping[str, Any]] = {
    "ipu": {"backend": "ipu", "device_update": True},
    "cuda": {
        "backend": "cuda",
        "capture": True,
        "workers": min(4, rows.cores() // PROCESSES["cuda"]),
    },
}
# Options that a case names if it has them.
NAMED = (
    "activity_weight",
    "activity_target",
    "activity_epochs",
    "activity_schedule",
    "delay",
    "delay_width",
)
COMMON = ("dataset", "network", "hidden", "steps", "epochs", "time")  # to a table

Metrics = List[Dict[str, Any]]  # one mapping an epoch


@dataclass(frozen=True)
class Part:
    """Cases of one dataset.

    Parameters
    ----------
    dataset : str
    options : of `training.Config`, for all cases
    target : float
        Accuracy of `epochs_to_target`.
    networks, caps, thresholds : of the cases
    seeds : int
    """

    dataset: str
    target: float
    options: Mapping[str, Any] = field(default_factory=dict)
    networks: Sequence[str] = tuple(NETWORKS)
    caps: Sequence[Union[float, str, None]] = CAPS
    thresholds: Sequence[Optional[float]] = THRESHOLDS
    seeds: int = SEEDS

    def cases(self) -> Iterator[Dict[str, Any]]:
        """Yield what rows say of each case, dense cases first."""
        config = training.merged(self.dataset, None, self.options)
        for cap in self.caps:
            for second in self.thresholds:
                for network in self.networks:
                    yield {
                        "dataset": self.dataset,
                        "network": network,
                        "max_activity": cap,
                        "grad_threshold": second,
                        "hidden": list(config.hidden),
                        "steps": config.steps,
                        "epochs": config.epochs,
                        "batch": config.batch_size,
                        **{name: self.options[name] for name in NAMED if name in self.options},
                        **({"time": "own"} if self.options.get("dt", 0) is None else {}),
                    }


def settings(
    parts: Iterable[Part],
) -> List[tuple[Dict[str, Any], List[Dict[str, Any]]]]:
    """Return what cases of a table have in common, and the cases of each table."""
    results: Dict[str, tuple[Dict[str, Any], List[Dict[str, Any]]]] = {}
    for part in parts:
        for case in part.cases():
            common = {name: case.get(name) for name in COMMON}
            results.setdefault(str(common), (common, []))[1].append(case)
    return [*results.values()]


def title(setting: Mapping[str, Any]) -> str:
    """Return what the cases of a table have in common, in words."""
    sizes = "-".join(map(str, setting["hidden"]))
    whose = "" if setting["time"] is None else " of each recording's own length"
    return (
        f"{setting['dataset']}, {setting['network']}, "
        f"{sizes} neurons, {setting['steps']} steps{whose}, {setting['epochs']} epochs"
    )


def one_seed(dataset: str, runs: Sequence[Mapping[str, Any]]) -> Iterator[Metrics]:
    """Train with each of these options, all of one seed and one data; yield epochs' metrics.

    Accuracies are those of the validation set where the options have one, else of the test set.
    """
    torch.set_num_threads(1)
    parts: Optional[training.Datasets] = None
    for options in runs:
        config = training.merged(dataset, None, {**options, "pictures": False})
        if parts is None:
            train, validation, test = training.datasets(config)
            parts = training.Datasets(train, None, test if validation is None else validation)
        net = training.network(config, parts.train.lists.size, parts.train.classes)
        if len(runs) > 1 and not isinstance(parts.train, KeptBatches):
            device = next(net.parameters()).device
            train, test = (KeptBatches(part, device) for part in (parts.train, parts.test))
            parts = training.Datasets(train, None, test)
        metrics: Metrics = []
        with tempfile.TemporaryDirectory() as folder:
            optimizer = training.optimizer(config, net)
            run = training.Training(net, optimizer, parts.train, parts.test, Path(folder), config)
            run.run(lambda row, kept=metrics: kept.append(vars(row)), progress=False)  # type: ignore[misc]
        yield metrics


def run(
    parts: Iterable[Part], engines: Mapping[str, Mapping[str, Any]] = ENGINES
) -> Iterator[rows.Row]:
    """Train all cases on each engine that is wanted and here; yield the rows as the cases end.

    `engines`: the options that each of them takes.
    """
    cases_of = []
    for part in parts:
        archive = part.options.get("data")
        if archive is None or os.path.isfile(archive):
            cases_of.append(part)
        else:
            print(f"  no {part.dataset}: expected its archive at {archive}, got none")
    for engine, options in engines.items():
        info = backends()[engine]
        if not rows.wanted(f"popsnn-{engine}"):
            continue
        if info.available:
            yield from _run(engine, options, cases_of)
        else:
            print(f"  no popsnn-{engine}: {info.reason}")


class _Case(NamedTuple):
    """A running case: with its part, its samples an epoch, and its seeds' options."""

    part: Part
    named: Dict[str, Any]
    samples: int
    seeds: List[Dict[str, Any]]


def _run(
    engine: str, engine_options: Mapping[str, Any], parts: Sequence[Part]
) -> Iterator[rows.Row]:
    os.environ["POPSNN_THREADS"] = "1"  # of each of the processes
    spawned = multiprocessing.get_context("spawn")
    ended: multiprocessing.Queue[Tuple[int, Metrics]] = spawned.Queue()
    cases = [case for part in parts for case in _cases(part)]
    results: List[List[Metrics]] = [[] for _ in cases]
    processes = PROCESSES.get(engine, rows.cores())
    with ProcessPoolExecutor(processes, spawned, _tell, (ended,)) as pool:
        futures = []
        for together in _together(cases):
            part = cases[together[0]].part
            for seed in range(part.seeds):
                options = [{**engine_options, **cases[case].seeds[seed]} for case in together]
                futures.append(pool.submit(_train, part.dataset, options, together))
        try:
            for number, metrics in _ended(ended, futures, sum(len(case.seeds) for case in cases)):
                case = cases[number]
                results[number].append(metrics)
                if len(results[number]) == len(case.seeds):
                    target = case.part.target
                    yield from case_rows(engine, case.named, case.samples, results[number], target)
        finally:
            for future in futures:
                future.cancel()


_ENDED: Any = None  # of a process, where it tells


def _tell(ended: multiprocessing.Queue[Tuple[int, Metrics]]) -> None:
    """Begin a process that tells of each training as it ends."""
    global _ENDED
    _ENDED = ended


def _train(dataset: str, runs: Sequence[Mapping[str, Any]], cases: Sequence[int]) -> None:
    for case, metrics in zip(cases, one_seed(dataset, runs)):
        _ENDED.put((case, metrics))


def _ended(
    ended: multiprocessing.Queue[Tuple[int, Metrics]], futures: Sequence[Future[None]], count: int
) -> Iterator[Tuple[int, Metrics]]:
    """Yield what so many trainings tell, or raise what one of them raised."""
    while count:
        try:
            told = ended.get(timeout=1.0)
        except queue.Empty:
            for future in futures:
                if future.done():
                    future.result()
            continue
        count -= 1
        yield told


def _cases(part: Part) -> Iterator[_Case]:
    config = training.merged(part.dataset, None, part.options)
    if not any(map(rows.wanted_case, part.cases())):
        return
    samples = len(training.datasets(config).train)  # all find the data cached now
    samples -= samples % config.batch_size
    for named in filter(rows.wanted_case, part.cases()):
        options = {
            **part.options,
            "recurrent": NETWORKS[named["network"]],
            "max_activity": named["max_activity"],
            "grad_threshold": named["grad_threshold"],
        }
        seeds = [{**options, "seed": seed} for seed in range(part.seeds)]
        yield _Case(part, named, samples, seeds)


def _together(cases: Sequence[_Case]) -> List[List[int]]:
    """Return the cases that a process trains in sequence: those on the same batches."""
    results: Dict[str, List[int]] = {}
    for number, case in enumerate(cases):
        data = {
            name: value
            for name, value in case.seeds[0].items()
            if name not in ("max_activity", "grad_threshold", *NAMED)
        }
        results.setdefault(f"{case.part.dataset} {case.part.seeds} {data}", []).append(number)
    return [*results.values()]


def case_rows(
    engine: str, case: Mapping[str, Any], samples: int, seeds: Sequence[Metrics], target: float
) -> Iterator[rows.Row]:
    """Yield the rows of a case, of so many samples an epoch."""

    def row(metric: str, values: rows.Spread, case: Mapping[str, object] = case) -> rows.Row:
        return _row(engine, case, metric, values)

    curves = [[row["test_accuracy"] for row in metrics] for metrics in seeds]
    last = [curve[-1] for curve in curves]
    highest = [max(curve) for curve in curves]
    yield row("accuracy", rows.spread(last, 1.0))
    yield row("highest_accuracy", rows.spread(highest, 1.0))
    yield row("mean_accuracy", interval(last))
    yield row("mean_highest_accuracy", interval(highest))
    to_highest = [float(curve.index(top) + 1) for curve, top in zip(curves, highest)]
    yield row("epochs_to_highest", rows.spread(to_highest, 1.0))
    reached = [[e + 1 for e, value in enumerate(curve) if value >= target] for curve in curves]
    if all(reached):
        firsts = [float(epochs[0]) for epochs in reached]
        spread = rows.spread(firsts, 1.0)
        yield row("epochs_to_target", spread, {**case, "target": target})
    activities = [metrics[-1]["activity"] for metrics in seeds]
    yield row("activity", rows.spread(activities, 1.0))
    yield row("mean_activity", interval(activities))
    if case["max_activity"] == "auto":
        capacities = [metrics[-1]["capacities"][0] / case["hidden"][0] for metrics in seeds]
        yield row("capacity", rows.spread(capacities, 1.0))
    dropped = [_dropped(case, samples, metrics) for metrics in seeds]
    yield row("dropped", rows.spread(dropped, 1.0))
    cost = f", cost of activity {case['activity_weight']}" if "activity_weight" in case else ""
    print(
        f"  {engine}, {case['dataset']} {case['network']}, {case['steps']} steps, "
        f"cap {case['max_activity']}, gradient threshold {case['grad_threshold']}{cost}: "
        f"{100 * statistics.mean(last):.2f} %, highest {100 * statistics.mean(highest):.2f} %, "
        f"activity {100 * max(activities):.2f} %, dropped {100 * max(dropped):.1f} %",
        flush=True,
    )


def interval(values: Sequence[float]) -> rows.Spread:
    """Return the mean of several seeds, with the 95 % confidence interval as min and max."""
    from scipy.stats import t

    mean, count = statistics.mean(values), len(values)
    half = t.ppf(0.975, count - 1) * statistics.stdev(values) / count**0.5
    return {"median": mean, "min": mean - half, "max": mean + half, "runs": count}


def _dropped(case: Mapping[str, Any], samples: int, metrics: Metrics) -> float:
    """Return the fraction of spikes above the capacity, of all that would have fired."""
    cells = samples * case["steps"] * sum(case["hidden"])
    fired = sum(row["activity"] * cells for row in metrics)
    dropped = sum(row["dropped_spikes"] for row in metrics)
    return float(dropped / max(1.0, fired + dropped))


def _row(engine: str, case: Mapping[str, object], metric: str, values: rows.Spread) -> rows.Row:
    subject = f"popsnn-{engine}"
    if engine == "cuda":
        return gpu.row("accuracy", case, subject, torch.float32, metric, values)
    return rows.Row(
        suite="accuracy", case=case, subject=subject, dtype="float32", metric=metric, **values
    )
