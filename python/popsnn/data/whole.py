"""Numbers of recordings that become integers: none is taken for another one."""

from __future__ import annotations

from typing import Any, Tuple, Union

import numpy as np

from .._internal import checks

SensorSize = Tuple[int, int, int]

IGNORED = -100
"""Label of a time step that has none; what torch's losses leave out."""


def whole(name: str, what: str, values: np.ndarray, unit: str = "numbers") -> np.ndarray:
    """Return values that are one whole number an event, of the type that they have.

    Parameters
    ----------
    name, what : str
        Of the recording and of the values, for messages.
    values : array [E] of bools, integers, or floats without a fraction
    unit : str
        Of the values, for messages.

    Raises
    ------
    ValueError
        Where they are not; NaN and infinity are no whole numbers.
    """
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise ValueError(
            f"{name}: expected {what} as one number an event, got {values.dtype} of shape "
            f"{values.shape}"
        )
    if values.dtype.kind == "f":
        broken = ~np.isfinite(values) | (values != np.floor(values))
        if broken.any():
            raise ValueError(
                f"{name}: expected {what} in whole {unit}, got {values[broken.argmax()]}"
            )
    return values


def label_of(name: str, label: Any, classes: int) -> int:
    """Return a label as an int in [0, classes).

    Raises
    ------
    ValueError
        Where it is not one whole number, or out of range.
    """
    number = np.asarray(label)
    if number.size == 1 and number.dtype.kind in "biuf":
        value = number.reshape(-1)[0]
        if 0 <= value < classes and value == int(value):
            return int(value)
    is_array = hasattr(label, "shape") and number.ndim > 0
    shown = f"an array of shape {number.shape}" if is_array else repr(label)
    raise ValueError(f"{name}: expected a label in 0..{classes - 1}, got {shown}")


def labels_of(name: str, label: Any, classes: int, steps: int) -> Union[int, np.ndarray]:
    """Return a recording's label as an int, or labels of its time steps as int64 [T].

    Parameters
    ----------
    name : str
        Of the recording, for messages.
    label : a number, or T of them
        In 0..classes - 1; of a step `IGNORED` too.
    classes, steps : int

    Raises
    ------
    ValueError
        Where these are not whole numbers, of another count, or out of range.
    """
    wanted = (
        f"expected a label in 0..{classes - 1}, or {steps} of them, one a step ({IGNORED} for none)"
    )
    try:
        labels = label if isinstance(label, (str, bytes)) else np.asarray(label)
    except ValueError as error:  # lists of several lengths
        raise ValueError(f"{name}: {wanted}, got lists of several lengths") from error
    if not isinstance(labels, np.ndarray) or labels.size == 1 or labels.ndim == 0:
        return label_of(name, label, classes)
    if labels.shape != (steps,):
        got = f"an array of shape {labels.shape}"
    elif labels.dtype.kind not in "biuf":
        got = f"an array of {labels.dtype}"
    else:
        with np.errstate(invalid="ignore"):  # of NaN, which is none of them
            made = labels.astype(np.int64)
        wrong = (made != labels) | (((made < 0) | (made >= classes)) & (made != IGNORED))
        if not wrong.any():
            return made
        at = int(wrong.argmax())
        got = f"{labels[at]} at step {at}"
    raise ValueError(f"{name}: {wanted}, got {got}")


def sensor(size: Any) -> SensorSize:
    """Return a sensor's (W, H, P) as integers.

    Raises
    ------
    TypeError, ValueError
        Where they are not three positive integers, or have more neurons than ids of 32 bits.
    """
    if not isinstance(size, (tuple, list)) or len(size) != 3:
        raise ValueError(f"data: sensor_size: expected (W, H, P), got {size!r}")
    width, height, polarities = (checks.integer("data", "sensor_size", n, 1) for n in size)
    checks.size("data", "sensor_size", width * height * polarities)
    return width, height, polarities
