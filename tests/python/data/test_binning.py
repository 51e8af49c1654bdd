from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from popsnn.data import Binning

FIELDS = np.dtype([("t", np.int64), ("x", np.int16), ("y", np.int16), ("p", bool)])


def recording(rows: Any) -> np.ndarray:
    return np.array([tuple(row) for row in rows], FIELDS)


def binned(binning: Binning, rows: Any, sensor: Any = (6, 4, 2)) -> Any:
    step, neuron, late = binning.bin(recording(rows), sensor, "a.npy")
    assert step.dtype == neuron.dtype == np.int32
    return step.tolist(), neuron.tolist(), late


def test_steps_of_dt() -> None:
    rows = [(0, 0, 0, 0), (999, 1, 0, 0), (1000, 2, 0, 0), (2999, 3, 0, 0), (3000, 0, 0, 0)]
    assert binned(Binning(3, dt=0.001), rows) == ([0, 0, 1, 2], [0, 1, 2, 3], 1)
    assert binned(Binning(2, dt=0.0015), rows) == ([0, 0, 0, 1], [0, 1, 2, 3], 1)


@pytest.mark.parametrize("milliseconds", range(1, 100))
def test_an_edge_belongs_to_the_next_step(milliseconds: int) -> None:
    edge = milliseconds * 7000
    rows = [(edge - 1, 0, 0, 0), (edge, 0, 0, 0)]
    assert binned(Binning(100, dt=milliseconds / 1000), rows)[0] == [6, 7]


def test_equal_steps_of_each_recording() -> None:
    rows = [(5000 + 100 * i, 0, 0, 0) for i in range(10)]
    assert binned(Binning(5), rows)[0] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert binned(Binning(5), [(700, 1, 1, 1)]) == ([0], [24 + 6 + 1], 0)
    assert binned(Binning(5), []) == ([], [], 0)


@given(st.integers(1, 7), st.integers(1, 6), st.integers(1, 4), st.integers(1, 2), st.data())
def test_neurons(downsample: int, width: int, height: int, polarities: int, data: Any) -> None:
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    p = data.draw(st.integers(0, polarities - 1))
    binning = Binning(1, downsample=downsample)
    grid = binning.grid((width, height, polarities))
    neuron = np.zeros(grid)
    neuron[p, y // downsample, x // downsample] = 1
    assert binned(binning, [(0, x, y, p)], (width, height, polarities))[1] == [neuron.argmax()]


def test_a_fraction_makes_a_whole_number_of_neurons() -> None:
    binning = Binning(1, downsample=128 / 48)
    assert binning.grid((128, 128, 2)) == (2, 48, 48)
    rows = [(0, x, 0, 0) for x in range(128)]
    assert binned(binning, rows, (128, 128, 2))[1] == [x * 48 // 128 for x in range(128)]


def test_whole_numbers_name_the_same_cache_as_their_floats() -> None:
    assert str(Binning(4, 1, 2)) == str(Binning(4, 1.0, 2.0))


def test_what_a_sensor_lacks_is_not_read() -> None:
    sound = np.array([(3, 4, 1)], np.dtype([("t", int), ("x", int), ("p", int)]))
    assert Binning(1).bin(sound, (700, 1, 1), "a")[1].tolist() == [4]


MISTAKES = [
    ([(0, 6, 0, 0)], "a.npy: expected x in 0..5, got 6"),
    ([(0, 0, 0, 0), (1, 0, -1, 0)], "a.npy: expected y in 0..3, got -1"),
    ([(-4, 0, 0, 0)], "a.npy: expected times from 0 on, got -4 us"),
    ([(9, 0, 0, 0), (7, 0, 0, 0)], "a.npy: expected ascending times, got 7 us after 9 us"),
]


@pytest.mark.parametrize(("rows", "sentence"), MISTAKES)
def test_bad_events_get_one_sentence(rows: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        binned(Binning(3, dt=1.0), rows)


FLOATS = np.dtype([("t", np.float64), ("x", np.float32), ("y", np.float32), ("p", np.float32)])
NUMBERS = [
    ("p", np.nan, "a.npy: expected p in whole numbers, got nan"),
    ("p", 0.5, "a.npy: expected p in whole numbers, got 0.5"),
    ("x", 2.75, "a.npy: expected x in whole numbers, got 2.75"),
    ("x", np.inf, "a.npy: expected x in whole numbers, got inf"),
    ("x", 6, "a.npy: expected x in 0..5, got 6"),
    ("y", -1, "a.npy: expected y in 0..3, got -1"),
    ("t", 0.5, "a.npy: expected t in whole microseconds, got 0.5"),
    ("t", np.nan, "a.npy: expected t in whole microseconds, got nan"),
    ("t", -2, "a.npy: expected times from 0 on, got -2 us"),
    ("t", 1e19, "a.npy: expected times below 4611686018427387904 us, got 10000000000000000000 us"),
]


@pytest.mark.parametrize("dt", [None, 1.0])
@pytest.mark.parametrize(("field", "value", "sentence"), NUMBERS)
def test_no_number_is_taken_for_another_one(
    field: str, value: float, sentence: str, dt: float | None
) -> None:
    events = np.zeros(3, FLOATS)
    events["t"] = [0, 1, 2]
    assert Binning(3, dt=dt).bin(events, (6, 4, 2), "a.npy")[1].tolist() == [0, 0, 0]
    events[field][1] = value
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        Binning(3, dt=dt).bin(events, (6, 4, 2), "a.npy")


def test_times_that_overflow() -> None:
    events = np.zeros(2, np.dtype([("t", np.uint64), ("x", np.int16)]))
    events["t"][1] = 2**63 + 5
    with pytest.raises(ValueError, match=r"^a: expected times below \d+ us, got 92233720368547"):
        Binning(3).bin(events, (6, 1, 1), "a")
    events["t"][1] = 2**61 - 1
    assert Binning(2).bin(events, (6, 1, 1), "a")[0].tolist() == [0, 1]
    with pytest.raises(ValueError, match=rf"^a: expected less than {2**62 // 3} us from the first"):
        Binning(3).bin(events, (6, 1, 1), "a")


def test_missing_fields_get_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"^b: expected events with a field x, got t, y$"):
        Binning(1).bin(np.zeros(1, np.dtype([("t", int), ("y", int)])), (2, 2, 1), "b")
    sentence = r"^b: expected events with a field x, got float64 of shape \(3, 4\) without fields$"
    with pytest.raises(ValueError, match=sentence):
        Binning(1).bin(np.zeros((3, 4)), (2, 2, 1), "b")
    with pytest.raises(ValueError, match=r"^b: expected events with a field x, got list$"):
        Binning(1).bin([(0, 1)], (2, 2, 1), "b")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"steps": 0}, "data: steps: expected at least 1, got 0"),
        ({"steps": 1, "dt": 0.0}, "data: dt: expected a positive number of seconds, got 0.0"),
        ({"steps": 2**31}, "data: steps: expected at most 2147483647, got 2147483648"),
        ({"steps": 1, "dt": 1e-9}, "data: dt: expected at least the 1e-06 seconds that times are"),
        ({"steps": 1, "dt": float("nan")}, "data: dt: expected a finite number, got nan"),
        ({"steps": 1, "downsample": 0}, "data: downsample: expected at least 1, got 0"),
    ],
)
def test_mistakes_get_one_sentence(arguments: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        Binning(**arguments)
