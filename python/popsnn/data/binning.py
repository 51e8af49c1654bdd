"""Binning: the events of a recording to steps and neurons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Tuple

import numpy as np

from .._internal import checks
from .lists import Grid
from .whole import SensorSize, sensor, whole

MICROSECOND = 1e-6
_LATEST = 2**62  # us


@dataclass(frozen=True)
class Binning:
    """Binning of a recording's events into steps and neurons.

    Parameters
    ----------
    steps : int
        T.
    dt : float, optional
        Seconds a step, from time 0 of the recording on; what comes after the last step is left out
        and counted. Default: each recording's own time, from its first event to its last, in T
        equal steps.
    downsample : int or float
        So many channels, or pixels along x and along y, become one neuron; at least 1. A fraction
        gives neurons of unlike sizes: 128 / 48 makes 48 of 128 pixels.

    Raises
    ------
    TypeError, ValueError
        Where a value is out of range.
    """

    steps: int
    dt: Optional[float] = None
    downsample: float = 1

    def __post_init__(self) -> None:
        checks.size("data", "steps", self.steps)
        if checks.finite("data", "downsample", self.downsample) < 1:
            raise ValueError(f"data: downsample: expected at least 1, got {self.downsample}")
        if self.dt is not None and not checks.finite("data", "dt", self.dt) > 0:
            raise ValueError(f"data: dt: expected a positive number of seconds, got {self.dt}")
        if self.dt is not None and self.dt < MICROSECOND:
            raise ValueError(
                f"data: dt: expected at least the {MICROSECOND} seconds that times are counted in, "
                f"got {self.dt}"
            )
        # Caches tell binnings apart by their text, where 1 would not be 1.0.
        object.__setattr__(self, "downsample", float(self.downsample))
        object.__setattr__(self, "dt", None if self.dt is None else float(self.dt))

    def grid(self, sensor_size: SensorSize) -> Grid:
        """Return (P, H, W) of the neurons of a sensor (W, H, P)."""
        width, height, polarities = sensor(sensor_size)
        return polarities, int(self._coarse(height)[-1]) + 1, int(self._coarse(width)[-1]) + 1

    def bin(
        self, events: np.ndarray, sensor_size: SensorSize, name: str
    ) -> Tuple[np.ndarray, np.ndarray, int]:
        """Return step and neuron of the events, int32 [E'] each, and how many came too late.

        Parameters
        ----------
        events : structured array [E]
            As tonic has them: ascending `t` in microseconds; `x`; `y` if H > 1; `p` if P > 1.
        sensor_size : (W, H, P)
        name : str
            Of the recording, for the messages.

        Raises
        ------
        ValueError
            Where a field is missing, a number is no whole one or out of range, or the times do not
            ascend.
        """
        width, height, polarities = sensor_size
        _, rows, columns = self.grid(sensor_size)
        neuron = self._coarse(width)[_field(events, "x", width, name)]
        if height > 1:
            neuron += self._coarse(height)[_field(events, "y", height, name)] * columns
        if polarities > 1:
            neuron += _field(events, "p", polarities, name) * (rows * columns)
        step, late = self._steps(_times(events, name), name)
        return step, neuron[: len(step)], late

    def _coarse(self, size: int) -> np.ndarray:
        """Return the neuron of each of `size` channels in a row, int32."""
        # The small number keeps 9 / (128 / 48) and the like from falling below a whole one.
        return np.floor(np.arange(size) / self.downsample + 1e-9).astype(np.int32)

    def _steps(self, t: np.ndarray, name: str) -> Tuple[np.ndarray, int]:
        if len(t) == 0:
            return t.astype(np.int32), 0
        if self.dt is None:
            since = t - t[0]
            longest = _LATEST // self.steps
            if since[-1] >= longest:
                raise ValueError(
                    f"{name}: expected less than {longest} us from the first event to the last, "
                    f"got {since[-1]}"
                )
            return (since * self.steps // (since[-1] + 1)).astype(np.int32), 0
        # Times ascend: the events of the last step are found by bisection, the others never binned.
        width = round(self.dt * 1e6, 3)  # us; 0.003 s is 3000 us, not 3000.0000000000005
        end = int(np.searchsorted(t, self.steps * width))
        step = t[:end] // (int(width) if width.is_integer() else width)
        return step.astype(np.int32), len(t) - end


def _times(events: np.ndarray, name: str) -> np.ndarray:
    t = whole(name, "t", _column(events, "t", name), "microseconds")
    if len(t) and t.min() < 0:
        raise ValueError(f"{name}: expected times from 0 on, got {int(t[t < 0][0])} us")
    if len(t) and t.max() >= _LATEST:
        raise ValueError(f"{name}: expected times below {_LATEST} us, got {int(t.max())} us")
    t = t.astype(np.int64, copy=False)
    back = t[1:] < t[:-1]
    if back.any():
        at = int(back.argmax())
        raise ValueError(
            f"{name}: expected ascending times, got {int(t[at + 1])} us after {int(t[at])} us"
        )
    return t


def _field(events: np.ndarray, field: str, bound: int, name: str) -> np.ndarray:
    """Return a coordinate of the events as int32 [E], checked."""
    values = whole(name, field, _column(events, field, name))
    if values.dtype.kind != "b":
        outside = (values < 0) | (values >= bound)
        if outside.any():
            wrong = int(values[outside.argmax()])
            raise ValueError(f"{name}: expected {field} in 0..{bound - 1}, got {wrong}")
    return values.astype(np.int32, copy=False)


def _column(events: Any, field: str, name: str) -> np.ndarray:
    names = getattr(getattr(events, "dtype", None), "names", None) or ()
    if field not in names:
        got = ", ".join(names) or type(events).__name__
        if not names and isinstance(events, np.ndarray):
            got = f"{events.dtype} of shape {events.shape} without fields"
        raise ValueError(f"{name}: expected events with a field {field}, got {got}")
    return np.asarray(events[field])
