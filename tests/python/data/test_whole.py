from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch

from popsnn.data.whole import label_of, sensor, whole


@pytest.mark.parametrize(
    "values",
    [np.array([0, 3, -2]), np.array([0.0, 3.0]), np.array([True, False]), np.zeros(0, np.float16)],
)
def test_whole_numbers_stay_as_they_are(values: np.ndarray) -> None:
    assert whole("a", "x", values) is values


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (np.array([1.0, 2.5]), "a: expected x in whole numbers, got 2.5"),
        (np.array([np.nan], np.float32), "a: expected x in whole numbers, got nan"),
        (np.array([0, -np.inf]), "a: expected x in whole numbers, got -inf"),
        (np.array(["3"]), "a: expected x as one number an event, got <U1 of shape (1,)"),
        (np.array([1j]), "a: expected x as one number an event, got complex128 of shape (1,)"),
        (np.array([None]), "a: expected x as one number an event, got object of shape (1,)"),
        (np.zeros((2, 2)), "a: expected x as one number an event, got float64 of shape (2, 2)"),
    ],
)
def test_other_numbers_get_one_sentence(values: np.ndarray, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        whole("a", "x", values)


@pytest.mark.parametrize(
    "label", [2, 2.0, np.int64(2), np.float32(2), np.array([2]), np.array(2), torch.tensor(2)]
)
def test_labels(label: Any) -> None:
    assert label_of("a", label, 3) == 2


@pytest.mark.parametrize(
    "label", [3, -1, 1.7, float("nan"), float("inf"), "1", None, [0, 1], 1j, 2**70, b"1"]
)
def test_other_labels_get_one_sentence(label: Any) -> None:
    with pytest.raises(
        ValueError, match=f"^{re.escape(f'a: expected a label in 0..2, got {label!r}')}$"
    ):
        label_of("a", label, 3)


def test_sensors() -> None:
    assert sensor([8, np.int64(6), 2]) == (8, 6, 2)
    for size, kind, sentence in (
        ((8, 6), ValueError, "expected (W, H, P), got (8, 6)"),
        (8, ValueError, "expected (W, H, P), got 8"),
        ((8.5, 6, 2), TypeError, "expected an integer, got float"),
        ((8, 0, 2), ValueError, "expected at least 1, got 0"),
        ((65536, 65536, 1), ValueError, "expected at most 2147483647, got 4294967296"),
    ):
        with pytest.raises(kind, match=f"^data: sensor_size: {re.escape(sentence)}$"):
            sensor(size)
