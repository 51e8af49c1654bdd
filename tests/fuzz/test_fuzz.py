"""A few cases of every fuzzer, some of the mutations, and what runs the cases."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any, Iterator, List

import pytest
from tests.fuzz import __main__ as command
from tests.fuzz import campaign, mutation_run
from tests.fuzz.outcome import BAD, CRASHED, OK, REFUSED
from tests.fuzz.target import NAMES, load
from tests.fuzz.worker import Worker

import popsnn

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)

# Cases of each, and how many of them may take kernels that are compiled for a CPU first: about a
# minute in sum. `python -m tests.fuzz` has all the others.
CASES = {
    "layers": (25, 0),
    "networks": (30, 1),
    "scans": (15, 1),
    "delayed": (40, 1),
    "recurrent": (10, 1),
    "generated": (2, 2),
    "batch_norm": (15, 1),
    "optimizers": (12, 0),
    "views": (150, 0),
    "programs": (60, 0),
    "popart": (25, 0),
    "poptorch": (15, 0),
    "files": (60, 0),
}
MUTATIONS = (
    ("networks", "DelayForgetsLast"),
    ("networks", "FiresAboveThreshold"),
    ("networks", "DroppedSpikesReset"),
    ("networks", "RecurrentGradientOneStepOff"),
    ("networks", "StepsBeginAnew"),
    ("networks", "DelayIsOneStepOff"),
    ("scans", "ResetIsNotDetached"),
    ("delayed", "HalvesRoundUp"),
    ("recurrent", "BeforeIsIgnored"),
    ("recurrent", "DelayGradientHasWrongSign"),
    ("optimizers", "StateIsLost"),
    ("programs", "SwitchHasNoDefault"),
    ("views", "RollBack"),
    ("files", "EventsAreNotMerged"),
)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


def on_host(case: Any) -> bool:
    """Return whether a case takes kernels that are compiled for a CPU."""
    return campaign.engine_of(case) == "host"


def chosen(name: str) -> List[Any]:
    """Return the first cases of a fuzzer, few of them on kernels for a CPU."""
    draw, (most, host), cases = campaign.Drawer(load(name).cases), CASES[name], []
    for seed in range(20 * most):
        case = draw(seed)
        if case is None or (on_host(case) and host == 0):
            continue
        host -= on_host(case)
        cases.append(case)
        if len(cases) == most:
            break
    return cases


@pytest.mark.parametrize("name", NAMES)
def test_cases_agree_with_the_reference(name: str, worker: Worker) -> None:
    outcomes = [(worker.run(name, case), case) for case in chosen(name)]
    assert [(outcome, case) for outcome, case in outcomes if outcome.failed] == []
    fine = sum(outcome.status == OK for outcome, _ in outcomes)
    assert fine >= len(outcomes) * (0.3 if name == "files" else 0.7)


@pytest.mark.parametrize(("name", "mutation"), MUTATIONS)
def test_faults_of_the_reference_are_seen(name: str, mutation: str, worker: Worker) -> None:
    assert mutation_run.searched(name, mutation, worker, 0, 60, on_host) is not None


def test_there_are_enough_mutations() -> None:
    assert sum(len(load(name).mutations) for name in NAMES) >= 20


@pytest.mark.parametrize(
    ("harm", "status", "detail"),
    [
        ("crash", CRASHED, "SIGSEGV in File "),
        ("loop", CRASHED, "no answer in 2 s"),
        ("refuse", REFUSED, "selftest: numbers: expected at most 900, got more"),
        ("murmur", BAD, "ValueError at "),
        ("other", BAD, "KeyError"),
    ],
)
def test_every_harm_is_one_cases(
    harm: str, status: str, detail: str, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load("selftest")
    case = campaign.Drawer(module.cases)(0)
    large, small = type(case)((901,)), type(case)((7,))
    mutation = harm if harm in module.mutations else None
    assert worker.run("selftest", small, mutation).status == OK
    with monkeypatch.context() as context:  # of a child that has started
        context.setattr(worker, "timeout", 2.0 if harm == "loop" else worker.timeout)
        outcome = worker.run("selftest", large, mutation)
    assert outcome.status == status
    assert detail in outcome.detail
    assert worker.run("selftest", small, mutation).status == OK


def test_cases_shrink_to_the_smallest(worker: Worker) -> None:
    results = campaign.run("selftest", worker, 0, cases=100)
    failed = next(result for result in results if result.outcome.failed)
    assert campaign.shrunk(failed, worker).case.numbers == (901,)


def test_a_seed_is_one_case(worker: Worker) -> None:
    first, *_, last = campaign.run("selftest", worker, 5, cases=4)
    (again,) = campaign.run("selftest", worker, 8, cases=1)
    assert (first.seed, last.seed) == (5, 8)
    assert again.case == last.case


@pytest.mark.parametrize("name", ["layers", "networks", "scans", "recurrent", "batch_norm"])
def test_seeds_in_a_row_run_the_same_kernels(name: str) -> None:
    def elsewhere(case: Any) -> bool:
        return campaign.engine_of(case) != "torch"

    def group(seed: int, last: int) -> List[Any]:
        drawn = campaign.drawn(load(name), seed, 8, elsewhere)
        return [(number, case) for number, case in islice(drawn, last - seed)]

    cases = [case for _, case in group(16, 24) if case is not None]
    kinds = {getattr(case, "neuron", None) or case.network.layers for case in cases}
    assert len(kinds) == 1
    assert len(set(cases)) == len(cases) >= 2
    assert group(20, 24) == group(16, 24)[4:]


def test_seeds_in_a_row_need_an_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["scans", "--alike", "8"]) == 2
    expected = "fuzz: --alike: expected 1 or more, and --engine where it is not 1, got 8\n"
    assert capsys.readouterr().err == expected


def test_the_command_says_what_failed_and_how_to_repeat_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "NAMES", ("selftest",))
    log = tmp_path / "cases.jsonl"
    assert command.main(["selftest", "--cases", "60", "--json", str(log)]) == 1
    printed = capsys.readouterr().out
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    failed = next(row for row in rows if row["status"] == BAD)
    assert len(rows) == 60
    assert f"python -m tests.fuzz selftest --seed {failed['seed']} --cases 1" in printed
    assert "Case(numbers=(901,))" in printed
    assert command.main(["selftest", "--seed", str(failed["seed"]), "--cases", "1"]) == 1


def test_the_command_refuses_unknown_targets(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["layers", "bogus"]) == 2
    assert "fuzz: TARGET: expected some of layers, " in capsys.readouterr().err
