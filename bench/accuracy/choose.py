"""Compare settings of automatic capacities with dense networks of the same seeds.

`python -m bench.accuracy.choose popsnn-cuda auto:0.1:5 auto:0.03:0`: the network of `popsnn train
fsdd`, dense and with each capacity, gradient threshold and activity weight, on seeds that the study
does not have. Networks of a seed have the same start, the same batches, and the same tenth of the
training set, which they are not trained on; the test set is not read. With `--test` they are
trained on the whole training set and compared by the test set, as in the study. A line has the mean
accuracy, the activity, and the difference to dense networks of the same seeds with a 95 % interval.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from bench.accuracy import study
from bench.accuracy.auto import COST
from bench.data import ARCHIVE
from popsnn import training

FIRST, SEEDS = 100, 14  # a study's seeds begin with 0
VALIDATION = 0.1
DENSE = "null:null:0"

Result = Tuple[float, float]  # accuracy and activity after the last epoch


def setting(text: str) -> Dict[str, Any]:
    """Return the options of `CAPACITY:GRADIENT THRESHOLD:ACTIVITY WEIGHT`.

    Raises
    ------
    ValueError
        Where the text is no such setting.
    """
    try:
        cap, threshold, weight = text.split(":")
        options: Dict[str, Any] = {
            "max_activity": cap if cap == "auto" else json.loads(cap),
            "grad_threshold": json.loads(threshold),
        }
        if float(weight):
            options.update(COST, activity_weight=float(weight))
    except ValueError:
        raise ValueError(
            f"expected CAPACITY:THRESHOLD:WEIGHT, as in auto:0.1:5, got {text!r}"
        ) from None
    return options


def one_seed(seed: int, runs: Mapping[str, Mapping[str, Any]]) -> List[Result]:
    """Train with each of these options on one seed; tell of each as it ends."""
    results: List[Result] = []
    options = [{**run, "seed": seed} for run in runs.values()]
    for name, metrics in zip(runs, study.one_seed("fsdd", options)):
        accuracy, activity = metrics[-1]["test_accuracy"], metrics[-1]["activity"]
        print(
            f"  seed {seed}, {name}: {100 * accuracy:.2f} %, activity {100 * activity:.2f} %",
            flush=True,
        )
        results.append((accuracy, activity))
    return results


def line(name: str, results: Sequence[Result], dense: Sequence[Result]) -> str:
    """Return what the seeds of a setting say."""
    accuracy, activity = (100 * statistics.mean(column) for column in zip(*results))
    text = f"{name}: {accuracy:.2f} %, activity {activity:.2f} %"
    if results is dense:
        return text
    apart = study.interval([100 * (ours[0] - theirs[0]) for ours, theirs in zip(results, dense)])
    return f"{text}, {apart['median']:+.2f} ({apart['min']:+.2f} to {apart['max']:+.2f}) to dense"


def main() -> None:
    """Train what the command line asks for, and print a line for each setting."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("engine", choices=[f"popsnn-{engine}" for engine in study.ENGINES])
    asked.add_argument("settings", nargs="+", help="CAPACITY:THRESHOLD:WEIGHT")
    asked.add_argument("--first", type=int, default=FIRST, help="seed: %(default)s")
    asked.add_argument("--seeds", type=int, default=SEEDS, help="how many: %(default)s")
    asked.add_argument("--test", action="store_true", help="compare by the test set")
    asked.add_argument("--epochs", type=int, help="instead of the network's own")
    asked.add_argument("--processes", type=int, help="at a time")
    asked.add_argument("--json", type=Path, help="write the results of each seed to this file")
    arguments = asked.parse_args()
    if arguments.seeds < 2:
        asked.error(f"--seeds: expected at least 2, whose spread there is, got {arguments.seeds}")
    engine = arguments.engine[len("popsnn-") :]
    common = {
        **study.ENGINES[engine],
        "workers": 0,  # the processes that train take the cores
        "data": str(ARCHIVE),
        "recurrent": True,
        "validation": 0.0 if arguments.test else VALIDATION,
        **({} if arguments.epochs is None else {"epochs": arguments.epochs}),
    }
    try:
        options = {name: setting(name) for name in (DENSE, *arguments.settings)}
    except ValueError as error:
        asked.error(f"settings: {error}")
    runs = {name: {**common, **own} for name, own in options.items()}
    training.datasets(training.merged("fsdd", None, common))  # all find the data cached now
    os.environ["POPSNN_THREADS"] = "1"  # of each of the processes
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(arguments.processes or study.PROCESSES[engine], spawned) as pool:
        results = list(pool.map(partial(one_seed, runs=runs), seeds))
    by_setting = [list(column) for column in zip(*results)]
    for name, column in zip(runs, by_setting):
        print(line(name, column, by_setting[0]), flush=True)
    if arguments.json is not None:
        kept = dict(zip(runs, by_setting))
        arguments.json.write_text(json.dumps({"seeds": list(seeds), **kept}) + "\n")


if __name__ == "__main__":
    main()
