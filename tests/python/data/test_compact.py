from __future__ import annotations

import importlib
import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from popsnn import data
from popsnn.data.binning import Binning

compact: Any = importlib.import_module("popsnn.data.compact")
FIELDS = np.dtype([("t", np.int64), ("x", np.int16), ("y", np.int16), ("p", bool)])
SENSOR = (8, 6, 2)


def recordings(count: int = 150) -> list[Any]:
    generator = np.random.default_rng(0)
    made = []
    for index in range(count):
        events = np.zeros(50, FIELDS)
        events["t"] = np.sort(generator.integers(0, 20_000, 50))
        for field, bound in zip("xyp", SENSOR):
            events[field] = generator.integers(0, bound, 50)
        made.append((events, index % 3))
    return made


def compacted(source: Any, **arguments: Any) -> data.SpikeDataset:
    arguments = {"sensor_size": SENSOR, "classes": 3, "steps": 10, "dt": 0.001, **arguments}
    return data.compact(source, **arguments)


def test_every_event_is_in_its_place_or_counted() -> None:
    source = recordings()
    dataset = compacted(source, downsample=2)
    assert repr(dataset) == "SpikeDataset(150 samples, 10 steps, 24 neurons, 3 classes)"
    dense = torch.zeros(10, 150, 2, 3, 4)
    late = 0
    for sample, (events, _) in enumerate(source):
        for t, x, y, p in events.tolist():
            if t < 10_000:
                dense[t // 1000, sample, int(p), y // 2, x // 2] = 1
            else:
                late += 1
    assert torch.equal(dataset.spikes.to_dense(), dense.flatten(2))
    assert dataset.late == late
    assert dataset.merged == 150 * 50 - late - int(dense.sum())
    assert dataset.labels.tolist() == [label for _, label in source]
    capped = compacted(source, downsample=2, capacity=2)
    assert capped.capacity == 2
    assert int(capped.spikes.dropped.sum()) == int(
        (dense.flatten(2).sum(-1) - 2).clamp_min(0).sum()
    )


def test_workers_change_nothing(tmp_path: Path) -> None:
    alone = compacted(recordings())
    for workers in (1, 2):
        others = compacted(recordings(), workers=workers, cache=tmp_path, key={"workers": workers})
        np.testing.assert_array_equal(others.lists.ids, alone.lists.ids)
        np.testing.assert_array_equal(others.lists.lengths, alone.lists.lengths)
        assert torch.equal(others.labels, alone.labels)


def test_threads_change_nothing() -> None:
    def listed(source: Any, threads: int) -> Any:
        named = compact.Numbered(source, "data: mine")
        return compact.compact_named(named, SENSOR, 3, Binning(10, 0.001), 0, "mine", threads)

    source = recordings(200)
    alone, labels = listed(source, 1)
    among, same = listed(source, 3)
    np.testing.assert_array_equal(among.ids, alone.ids)
    np.testing.assert_array_equal(among.lengths, alone.lengths)
    np.testing.assert_array_equal(same, labels)
    source[130][0]["x"][3] = 8
    with pytest.raises(ValueError, match=r"^data: mine\[130\]: expected x in 0..7, got 8$"):
        listed(source, 3)


def test_the_cache_knows_the_arguments(tmp_path: Path) -> None:
    def read(**arguments: Any) -> data.SpikeDataset:
        return compacted(recordings(5), cache=tmp_path, key={"version": 1}, **arguments)

    first = read()
    assert isinstance(first.lists.ids, np.memmap)
    read()
    assert len(list(tmp_path.iterdir())) == 1
    assert read(dt=0.002).lists.ids.shape != first.lists.ids.shape
    read(downsample=3)
    assert len(list(tmp_path.iterdir())) == 3


def test_workers_that_are_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    # What a loader hands to its workers is pickled; forkserver is the default from Python 3.14 on.
    made = []
    loader = torch.utils.data.DataLoader

    def keep(chunks: Any, **arguments: Any) -> Any:
        made.append(pickle.loads(pickle.dumps(chunks)))
        return loader(made[-1], **arguments)

    monkeypatch.setattr("popsnn.data.workers.DataLoader", keep)
    got = compacted(recordings(70), workers=1)
    assert len(made) == 1
    np.testing.assert_array_equal(got.lists.ids, compacted(recordings(70)).lists.ids)


class Unreadable:
    def __len__(self) -> int:
        return 200

    def __getitem__(self, index: int) -> Any:
        if index == 130:
            raise OSError("no such\nfile")
        return recordings(1)[0]


@pytest.mark.parametrize("workers", [0, 1])
def test_bad_recordings_get_one_sentence(workers: int) -> None:
    source = recordings(80)
    source[70][0]["x"][3] = 8
    with pytest.raises(ValueError, match=r"^data: mine\[70\]: expected x in 0..7, got 8$"):
        compacted(source, workers=workers, name="mine")
    source = recordings(3)
    source[1] = (source[1][0], 7)
    with pytest.raises(
        ValueError, match=r"^data: recordings\[1\]: expected a label in 0..2, got 7$"
    ):
        compacted(source, workers=workers)
    sentence = "data: recordings[130]: expected a recording that can be read, got no such file"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        compacted(Unreadable(), workers=workers)


@pytest.mark.parametrize("label", [1.5, float("nan"), -1, 3, "1", None])
def test_no_label_is_taken_for_another_one(label: Any) -> None:
    source = recordings(3)
    assert compacted([(events, float(number)) for events, number in source]).labels.tolist() == [
        0, 1, 2,
    ]  # fmt: skip
    source[2] = (source[2][0], label)
    sentence = f"data: recordings[2]: expected a label in 0..2, got {label!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        compacted(source)


def test_labels_of_every_step_get_one_sentence() -> None:
    source = recordings(3)
    wanted = "expected a label in 0..2, or 10 of them, one a step (-100 for none)"
    for labels, got in (
        (np.zeros(141, np.int64), "an array of shape (141,)"),
        (np.zeros((10, 2), np.int64), "an array of shape (10, 2)"),
        (np.array(["1"] * 10), "an array of <U1"),
        ([[1, 2], [0]], "lists of several lengths"),
        (np.array([0, 1, 2, 0, 1, 3, 2, 0, 1, 2]), "3 at step 5"),
        (np.array([0, 1, 2, -1, 1, 1, 2, 0, 1, 2]), "-1 at step 3"),
        (np.array([0, 1, 2, 1.5, 1, 1, 2, 0, 1, 2]), "1.5 at step 3"),
        (np.array([0, 1, np.nan, 1, 1, 1, 2, 0, 1, 2]), "nan at step 2"),
    ):
        source[1] = (source[1][0], labels)
        sentence = f"data: recordings[1]: {wanted}, got {got}"
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            compacted(source)


def test_a_label_for_each_step(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    every = generator.integers(0, 3, (150, 10))
    every[7, 4:] = -100
    source = [(events, labels) for (events, _), labels in zip(recordings(), every)]
    for _ in range(2):  # the second time from the file
        dataset = compacted(source, cache=tmp_path, key={"version": 1}, workers=1)
        assert dataset.step_labels
        np.testing.assert_array_equal(dataset.labels.numpy(), every)
    as_lists = [(events, [float(label) for label in labels]) for events, labels in source]
    assert torch.equal(compacted(as_lists).labels, dataset.labels)


@pytest.mark.parametrize("number", [2, 70], ids=["of a chunk", "of another chunk"])
@pytest.mark.parametrize("each_step", [False, True])
def test_all_recordings_have_one_label_or_all_have_one_a_step(number: int, each_step: bool) -> None:
    one, several = 0, np.zeros(10, np.int64)
    source: list[Any] = [(events, several if each_step else one) for events, _ in recordings()]
    for index in range(number, 150 if number > 64 else number + 1):
        source[index] = (source[index][0], one if each_step else several)
    if number > 64:
        source[64:70] = source[70:76]
        number = 64
    kinds = (
        ["a label for each step", "one label"]
        if each_step
        else ["one label", "a label for each step"]
    )
    sentence = (
        f"data: recordings[{number}]: expected {kinds[0]} as in the recordings before, got "
        f"{kinds[1]}"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        compacted(source)


def test_a_field_that_is_no_whole_number_names_its_recording() -> None:
    source = recordings(3)
    events = source[1][0].astype([(name, np.float64) for name in FIELDS.names or ()])
    source[1] = (events, 0)
    assert len(compacted(source)) == 3
    events["x"][7] = np.nan
    with pytest.raises(
        ValueError, match=r"^data: recordings\[1\]: expected x in whole numbers, got nan$"
    ):
        compacted(source)


@pytest.mark.parametrize(
    "error", [IndexError("3"), OverflowError("far"), MemoryError(), EOFError()]
)
def test_whatever_a_reader_raises_names_the_recording(error: Exception) -> None:
    class Broken:
        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Any:
            raise error

    reason = str(error) or type(error).__name__
    sentence = f"data: recordings[0]: expected a recording that can be read, got {reason}"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        compacted(Broken())


@pytest.mark.parametrize(
    ("arguments", "kind", "sentence"),
    [
        ({"classes": 2.5}, TypeError, "data: classes: expected an integer, got float"),
        ({"classes": 0}, ValueError, "data: classes: expected at least 1, got 0"),
        ({"sensor_size": (8, 6)}, ValueError, "data: sensor_size: expected (W, H, P), got (8, 6)"),
        ({"steps": 2.0}, TypeError, "data: steps: expected an integer, got float"),
    ],
)
def test_arguments_that_are_no_integers(arguments: Any, kind: Any, sentence: str) -> None:
    with pytest.raises(kind, match=f"^{re.escape(sentence)}$"):
        compacted(recordings(3), **arguments)


@pytest.mark.parametrize(
    ("unit", "got"),
    [
        (1e-3, r"all events in the first 0.01 s"),  # milliseconds
        (1e6, r"200 events after it"),  # seconds, multiplied once too often
    ],
)
def test_times_of_another_unit_are_a_warning(unit: float, got: str) -> None:
    event = np.dtype([("t", np.int64), ("x", np.int16)])
    events = np.zeros(200, event)
    events["t"] = np.round(unit * np.linspace(1_000, 490_000, 200))
    options: Any = {"sensor_size": (4, 1, 1), "classes": 2, "steps": 50, "dt": 0.01}
    sentence = (
        rf"data: recordings: dt: expected recordings of about 0.5 s \(steps \* dt\), got {got}"
    )
    with pytest.warns(UserWarning, match=sentence):
        data.compact([(events, 0)], **options)
    events["t"] = np.linspace(1_000, 490_000, 200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data.compact([(events, 0)], **options)


def test_no_recordings() -> None:
    with pytest.raises(ValueError, match="data: recordings: expected at least one recording"):
        compacted([])
