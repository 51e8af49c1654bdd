from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from bench.accuracy import PARTS, auto, choose, delays, kept, page, study
from bench.accuracy.kept import KeptBatches

from bench import rows
from popsnn import data, training


@pytest.mark.parametrize(("most", "epochs"), [(100, 0), (kept.MOST_BYTES, 2)])
def test_kept_batches_are_those_of_the_dataset(
    most: int, epochs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", most)
    train, _ = data.digits(steps=4)
    train = train.subset(range(50)).augmented(data.Augment(drop=0.3))
    keeps = KeptBatches(train, "cpu")
    assert keeps.subset(range(50)) is keeps
    assert len(keeps.subset([3, 1])) == 2
    for seed in (0, 1, 0):
        of_each = []
        for dataset in (train, keeps):
            generator = torch.Generator().manual_seed(seed)
            of_each.append([*dataset.batches(20, shuffle=True, generator=generator)])
        assert len(of_each[0]) == len(of_each[1]) == 3
        for (spikes, labels), (saved_spikes, saved_labels) in zip(*of_each):
            assert torch.equal(spikes.ids, saved_spikes.ids)
            assert spikes.ids.dtype == saved_spikes.ids.dtype
            assert torch.equal(spikes.counts, saved_spikes.counts)
            assert torch.equal(labels, saved_labels)
    each = sum(2 * spikes.ids.numel() for spikes, _ in of_each[0])
    assert keeps.kept_bytes == epochs * each


def test_runs_that_share_batches_are_the_runs() -> None:
    options = {"hidden": [4], "steps": 2, "epochs": 1, "backend": "torch", "recurrent": False}
    runs = [{**options, "max_activity": cap, "seed": 3} for cap in (None, 0.3)]
    with torch.random.fork_rng():
        shared = [*study.one_seed("digits", runs)]
        alone = [next(study.one_seed("digits", [run])) for run in runs]
    for together, single in zip(shared, alone):
        assert together[0]["loss"] == single[0]["loss"]
        assert together[0]["test_accuracy"] == single[0]["test_accuracy"]


def test_rows_come_as_cases_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_threads(count: int, _: Any, begin: Any, given: Any) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(count, initializer=begin, initargs=given)

    monkeypatch.setattr(study, "ProcessPoolExecutor", in_threads)
    monkeypatch.setenv("POPSNN_THREADS", "1")  # which the run sets, and here is put back
    monkeypatch.setitem(study.PROCESSES, "torch", 1)
    options = {"hidden": [4], "steps": 2, "epochs": 1}
    part = study.Part("digits", 0.0, options, networks=("recurrent",), caps=(None, 0.3), seeds=2)
    result = [*study._run("torch", {"backend": "torch"}, [part])]
    auto = study.Part(
        "digits", 0.0, options, networks=("recurrent",), caps=("auto",), thresholds=(0.7,), seeds=2
    )
    (reached,) = [
        row for row in study._run("torch", {"backend": "torch"}, [auto]) if row.metric == "capacity"
    ]
    assert (reached.min, reached.max) == (1.0, 1.0)  # after 24 steps, all neurons
    caps = [row.case["max_activity"] for row in result if row.metric == "mean_accuracy"]
    assert caps == [None, None, 0.3, 0.3]
    assert {row.runs for row in result} == {2}
    bad = study.Part("digits", 0.0, {**options, "batch_size": 5000}, seeds=1)
    with pytest.raises(ValueError, match="batch_size: expected 1"):
        [*study._run("torch", {"backend": "torch"}, [bad])]


def test_cases_are_told_apart() -> None:
    for setting, cases in study.settings(PARTS):
        assert study.title(setting)
        assert len({str(case) for case in cases}) == len(cases)


def test_delays_have_a_quarter_of_the_weights() -> None:
    weights = []
    for part in delays.PARTS:
        options = {**part.options, "recurrent": False}
        net = training.network(training.merged(part.dataset, None, options), 700, 10)
        named = dict(net.named_parameters())
        weights.append(sum(p.numel() for name, p in named.items() if name.endswith("weight")))
        learnt = [p.numel() for name, p in named.items() if name.endswith("delay.steps")]
        assert learnt == ([700] if part is delays.PARTS[2] else [])
    assert weights[0] == 4 * weights[1] == 4 * weights[2]
    assert len({str(case) for part in delays.PARTS for case in part.cases()}) == 3


def test_wanted_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "CASES", {"network": "recurrent", "grad_threshold": None})
    part = study.Part("digits", 0.95)
    result = [case.named["max_activity"] for case in study._cases(part)]
    assert result == list(study.CAPS)
    monkeypatch.setattr(rows, "CASES", {"steps": 3})
    assert not [*study._cases(part)]


def test_the_table_of_the_page() -> None:
    spread = {"median": 0.97, "min": 0.96, "max": 0.98, "runs": 5}
    metrics = dict.fromkeys(
        ("accuracy", "mean_accuracy", "mean_highest_accuracy", "epochs_to_highest"), spread
    )
    metrics.update(activity=spread, dropped=spread)
    case = next(study.Part("digits", 0.95).cases())
    table = page.table({("cuda", page._key(case)): metrics})
    line = table.splitlines()[2]
    title = study.title({"time": None, **case})
    assert line.startswith(f"| {title} | 5 | none | none | none | - | 97.00 ± 1.00 |")
    auto = {**case, "max_activity": "auto"}
    assert page._line("digits", auto, {"cuda": metrics}).startswith("| digits | 5 | auto | none")
    metrics["capacity"] = {**spread, "min": 0.2, "max": 0.25}
    line = page._line("digits", auto, {"cuda": metrics})
    assert line.startswith("| digits | 5 | auto: 20 to 25 % | none")
    old = f"# Title\n\n{page.BEGINS} other |\n| --- |\n| old |\n\nText.\n"
    assert page.replaced(old, table) == f"# Title\n\n{table}\n\nText.\n"


def test_settings_of_a_choice() -> None:
    assert choose.setting("auto:0.03:0") == {"max_activity": "auto", "grad_threshold": 0.03}
    assert choose.setting("null:null:5") == {
        "max_activity": None,
        "grad_threshold": None,
        "activity_weight": 5.0,
        "activity_target": auto.COST["activity_target"],
    }


def test_a_choice_compares_seeds_in_pairs() -> None:
    dense = [(0.90, 0.02), (0.80, 0.04)]
    assert choose.line("dense", dense, dense) == "dense: 85.00 %, activity 3.00 %"
    better = [(0.91, 0.02), (0.81, 0.02)]
    text = choose.line("auto", better, dense)
    assert text == "auto: 86.00 %, activity 2.00 %, +1.00 (+1.00 to +1.00) to dense"


def test_a_choice_of_one_seed_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["choose", "popsnn-ipu", "auto:0.1:5", "--seeds", "1"])
    with pytest.raises(SystemExit):
        choose.main()
    assert "--seeds: expected at least 2, whose spread there is, got 1" in capsys.readouterr().err


def test_kept_batches_do_not_leave_their_process() -> None:
    keeps = KeptBatches(data.digits(steps=2)[1], "cpu")
    batches = list(keeps.batches(100))
    assert len(keeps._kept) == 1
    copy = pickle.loads(pickle.dumps(keeps))
    assert not copy._kept
    assert copy.kept_bytes == 0
    assert len(keeps._kept) == 1
    assert len(list(copy.batches(100))) == len(batches)


@pytest.mark.parametrize(("validation", "sizes"), [(0.0, (1437, 360)), (0.2, (1150, 287))])
def test_what_accuracies_are_of(
    validation: float, sizes: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    class Training:
        def __init__(self, net: Any, optimizer: Any, train: Any, test: Any, *_: Any) -> None:
            seen.append((len(train), len(test)))

        def run(self, *_: Any, **__: Any) -> None:
            pass

    monkeypatch.setattr(training, "Training", Training)
    options = {"backend": "torch", "validation": validation}
    assert list(study.one_seed("digits", [options])) == [[]]
    assert seen == [sizes]


def test_a_setting_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["choose", "popsnn-ipu", "auto:0.1"])
    with pytest.raises(SystemExit):
        choose.main()
    assert "expected CAPACITY:THRESHOLD:WEIGHT" in capsys.readouterr().err
