from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy.signal import gammatone

from popsnn.data import cochlea
from popsnn.data.cochlea import CHANNELS, LEAST, RATE, center_frequencies

SECONDS = 0.3


def tone(frequency: float, rate: int = 8000) -> np.ndarray:
    return np.sin(2 * np.pi * frequency * np.arange(int(SECONDS * rate)) / rate)


def test_centre_frequencies_are_evenly_spaced_on_the_ears_scale() -> None:
    f = center_frequencies()
    assert len(f) == CHANNELS
    assert f[[0, -1]] == pytest.approx([80, 3600])
    width = 24.7 * (4.37e-3 * f + 1)  # Hz, Glasberg and Moore 1990
    in_widths = np.diff(f) / ((width[1:] + width[:-1]) / 2)
    assert in_widths.max() / in_widths.min() < 1.001


@pytest.mark.parametrize(("frequency", "rate"), [(200, 8000), (1000, 8000), (3000, 16000)])
def test_a_tone_is_loudest_in_its_channel(frequency: float, rate: int) -> None:
    events = cochlea(tone(frequency, rate), rate)
    spikes = np.bincount(events["x"], minlength=CHANNELS)
    loudest = center_frequencies()[spikes == spikes.max()]
    assert loudest.mean() == pytest.approx(frequency, rel=0.03)
    # There a sine of mean square 1 passes as it is, after the filter's onset.
    rectified = np.maximum(2**0.5 * tone(frequency, rate), 0).reshape(-1, rate // 1000).mean(1)
    rate_there = RATE * np.maximum(np.cbrt(rectified) - LEAST, 0).mean()
    assert spikes.max() == pytest.approx(rate_there * SECONDS, rel=0.1)


def test_the_rule_is_that_of_the_documentation() -> None:
    sound = np.random.default_rng(0).standard_normal(1205)
    events = cochlea(sound, 8000, channels=50)
    expected = []
    sound = sound / np.sqrt((sound**2).mean())
    for channel, frequency in enumerate(center_frequencies(50)):
        response = gammatone(frequency, "fir", numtaps=512, fs=8000)[0]
        filtered = np.convolve(sound, response)[:1200].reshape(150, 8)
        level = np.cbrt(np.maximum(filtered, 0).mean(1))
        total = channel * 0.6180339887498949 % 1 + np.cumsum(0.15 * np.maximum(level - 0.2, 0))
        fired = np.diff(np.floor(total), prepend=0) > 0
        expected += [(1000 * at, channel) for at in np.flatnonzero(fired)]
    got = set(zip(events["t"].tolist(), events["x"].tolist()))
    assert len(got) == len(events)
    # In 32 bits a sum may pass a whole number a window earlier or later.
    assert len(got ^ set(expected)) <= 0.002 * len(expected)


def test_events_are_in_order_and_of_any_scale() -> None:
    sound = 1000 * tone(440) * np.hanning(2400)
    events = cochlea(sound.astype(np.int16), 8000)
    assert len(events) > 500
    assert bool((np.diff(events["t"]) >= 0).all())
    assert 0 <= events["t"].min() <= events["t"].max() < SECONDS * 1e6
    assert set(events["p"].tolist()) == {1}
    same = cochlea(sound.astype(np.int16).astype(np.float64) * 1e-5, 8000)
    np.testing.assert_array_equal(same, events)


@pytest.mark.parametrize("sound", [np.zeros(800), np.zeros(0), np.ones(3)])
def test_silence_gives_no_events(sound: np.ndarray) -> None:
    assert len(cochlea(sound, 8000)) == 0


@pytest.mark.parametrize(
    ("arguments", "kind", "sentence"),
    [
        ((np.zeros((9, 2)), 8000), ValueError, "waveform: expected shape [L], got (9, 2)"),
        ((np.zeros(9), 6000), ValueError, "rate: expected at least 7201, got 6000"),
        ((np.zeros(9, complex), 8000), TypeError, "waveform: expected integers or floats, got"),
        ((np.full(9, np.nan), 8000), ValueError, "waveform: expected finite values, got NaN"),
    ],
)
def test_mistakes_get_one_sentence(arguments: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=re.escape(f"data.cochlea: {sentence}")):
        cochlea(*arguments)


def test_channels_that_events_can_name() -> None:
    with pytest.raises(ValueError, match=r"^data.cochlea: channels: expected 1..32767, got 32768$"):
        cochlea(np.zeros(800), 8000, channels=32768)
