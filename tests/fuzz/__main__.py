"""`python -m tests.fuzz`: runs fuzzers, and says what failed and how to repeat it."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from typing import IO, Any, List, Optional

from . import campaign
from .mutation_run import detect
from .target import NAMES
from .worker import Here, Runner, Worker

SHOWN = 10  # failures of a target, at most
SHRUNK = 3
ENGINES = ("torch", "ipu", "cuda", "host", "alone")


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    made.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(NAMES)}; all")
    made.add_argument("--seed", type=int, default=0, help="of the first case of each target (0)")
    made.add_argument("--cases", type=int, help="for each target")
    made.add_argument("--seconds", type=float, help="for all targets together (60 without --cases)")
    made.add_argument("--engine", choices=ENGINES, help="cases of this engine only")
    made.add_argument(
        "--alike",
        type=int,
        default=1,
        metavar="N",
        help="seeds in a row that run the same compiled kernels, with --engine (1)",
    )
    made.add_argument("--here", action="store_true", help="in this process, for a debugger")
    made.add_argument("--json", metavar="FILE", help="append a line for each case")
    made.add_argument(
        "--mutations", action="store_true", help="test the fuzzers: detect faults of the references"
    )
    return made


def main(arguments: Optional[List[str]] = None) -> int:
    """Run what the command line asks for; return the exit status."""
    options = parser().parse_args(arguments)
    wrong = sorted(set(options.targets) - set(NAMES))
    if wrong:
        print(
            f"fuzz: TARGET: expected some of {', '.join(NAMES)}, got {wrong[0]!r}", file=sys.stderr
        )
        return 2
    if options.alike < 1 or (options.alike > 1 and options.engine is None):
        print(
            "fuzz: --alike: expected 1 or more, and --engine where it is not 1, "
            f"got {options.alike}",
            file=sys.stderr,
        )
        return 2
    names = options.targets or list(NAMES)
    worker = Here() if options.here else Worker()
    try:
        if options.mutations:
            return detect(names, worker, options.seed, options.cases)
        return fuzz(names, worker, options)
    except KeyboardInterrupt:
        print("fuzz: interrupted", file=sys.stderr)
        return 130
    finally:
        worker.close()


def fuzz(names: List[str], worker: Runner, options: argparse.Namespace) -> int:
    """Run the targets one after another; return 1 where a case failed."""
    seconds = options.seconds
    if seconds is None and options.cases is None:
        seconds = 60.0
    engine, failed = options.engine, False

    def passes_over(case: Any) -> bool:
        return engine is not None and campaign.engine_of(case) != engine

    with ExitStack() as stack:
        log = stack.enter_context(open(options.json, "a")) if options.json else None
        for name in names:
            summary = campaign.Summary(name)
            try:
                for result in campaign.run(
                    name,
                    worker,
                    options.seed,
                    cases=options.cases,
                    seconds=None if seconds is None else seconds / len(names),
                    alike=options.alike,
                    passes_over=passes_over,
                ):
                    summary.add(result)
                    _write(log, result)
                    _progress(summary)
            finally:
                _report(summary, worker, _repeated(options))
                failed |= bool(summary.failures)
    return int(failed)


def _write(log: Optional[IO[str]], result: campaign.Result) -> None:
    if log is None:
        return
    row = {
        "target": result.target,
        "seed": result.seed,
        "status": result.outcome.status,
        "detail": result.outcome.detail,
        "seconds": round(result.seconds, 3),
    }
    if result.outcome.failed:
        row["case"] = repr(result.case)
    log.write(json.dumps(row) + "\n")
    log.flush()


def _progress(summary: campaign.Summary) -> None:
    if sys.stderr.isatty():
        print(f"\r{summary}", end="", file=sys.stderr, flush=True)


def _repeated(options: argparse.Namespace) -> str:
    """Return the options that a case needs in addition to its seed."""
    if options.alike == 1:
        return ""
    return f" --engine {options.engine} --alike {options.alike}"


def _report(summary: campaign.Summary, worker: Runner, options: str) -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(summary)
    for reason, count in summary.refusals.most_common(5):
        print(f"  refused {count}: {reason}")
    for failure in summary.failures[:SHOWN]:
        print(f"  {failure.outcome.status}: seed {failure.seed}: {failure.outcome.detail}")
        command = f"python -m tests.fuzz {failure.target} --seed {failure.seed} --cases 1"
        print(f"    {command}{options}")
        sys.stdout.flush()
        if failure in summary.failures[:SHRUNK]:
            smallest = campaign.shrunk(failure, worker)
            print(f"    smallest: {smallest.outcome.detail}")
            print(f"    {smallest.case!r}")
    more = [str(failure.seed) for failure in summary.failures[SHOWN:]]
    if more:
        print(f"  {len(more)} more, of seeds {', '.join(more)}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
