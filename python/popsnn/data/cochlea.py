"""A model of the inner ear: sound to the spikes of 700 channels, in the manner of SHD."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict

import numpy as np

from .._internal import checks
from .._internal.extras import extra

CHANNELS = 700
LOWEST_HZ = 80.0  # centre of the first channel: below a man's voice
HIGHEST_HZ = 3600.0  # and of the last: telephone speech of 8 kHz has no more
IMPULSE_SECONDS = 0.064  # of the impulse responses; at 80 Hz what is cut off is 0.2 % of the peak
HAIR_CELL_SECONDS = 0.001  # over which a hair cell's membrane smooths
LEAST = 0.2  # of the compressed amplitude, before a channel spikes at all
RATE = 150.0  # spikes a second for each unit above it
GOLDEN = 0.6180339887498949  # its multiples spread the channels' phases evenly
PADDED = 512  # samples: sounds are filtered in whole numbers of these
BLOCK = 175  # channels that are filtered at once: fewer would have threads wait for Python's lock

EVENT = np.dtype([("t", np.int64), ("x", np.int16), ("p", np.int8)])


def constants() -> Dict[str, Any]:
    """Return all that the spikes of a sound depend on."""
    return {
        "lowest_hz": LOWEST_HZ,
        "highest_hz": HIGHEST_HZ,
        "impulse_seconds": IMPULSE_SECONDS,
        "hair_cell_seconds": HAIR_CELL_SECONDS,
        "least": LEAST,
        "rate": RATE,
    }


def center_frequencies(channels: int = CHANNELS) -> np.ndarray:
    """Return the channels' centre frequencies in Hz, [channels], evenly spaced in ERB numbers.

    Source
    ------
    Glasberg and Moore, Derivation of Auditory Filter Shapes from Notched-Noise Data, Hearing
    Research 47, 1990: E(f) = 21.4 log10(1 + 0.00437 f).
    """
    low, high = (21.4 * np.log10(1 + 0.00437 * f) for f in (LOWEST_HZ, HIGHEST_HZ))
    return (10 ** (np.linspace(low, high, channels) / 21.4) - 1) / 0.00437


def cochlea(waveform: np.ndarray, rate: int, channels: int = CHANNELS) -> np.ndarray:
    """Return the spikes of a sound as events.

    The sound is scaled to a mean square of 1. Each channel

    1. filters it with a gammatone of order 4 (`scipy.signal.gammatone`, finite response),
    2. rectifies it, averages it over windows of 1 ms as a hair cell's membrane does, and takes the
       cube root, which is about the ear's compression,
    3. fires at `RATE` times what lies above `LEAST`: the rate is summed up, and a spike comes with
       each whole number that the sum passes. It begins at a phase of the channel's own, so that
       neighbours do not fire together. Nothing is random.

    Parameters
    ----------
    waveform : integer or float array [L]
        One sound of any scale; silence gives no events.
    rate : int
        Samples a second, at least 7,201 (twice the highest centre frequency).
    channels : int
        From low to high.

    Returns
    -------
    Structured array [E] of `t` in microseconds, ascending, `x` the channel and `p` 1, as tonic's
    SHD has them.

    Raises
    ------
    TypeError, ValueError
        Where the waveform is not as expected or the rate is too low.
    ImportError
        Where scipy is not installed.

    Source
    ------
    The stages are those of Cramer et al., The Heidelberg Spiking Data Sets, IEEE TNNLS 33, 2022;
    the filters are simpler.
    """
    name = "data.cochlea"
    rate = checks.integer(name, "rate", rate, int(2 * HIGHEST_HZ) + 1)
    channels = checks.integer(name, "channels", channels, 1, np.iinfo(EVENT["x"]).max)
    sound = np.asarray(waveform)
    if sound.ndim != 1:
        raise ValueError(f"{name}: waveform: expected shape [L], got {sound.shape}")
    if sound.dtype.kind not in "iuf":
        raise TypeError(f"{name}: waveform: expected integers or floats, got {sound.dtype}")
    sound = sound.astype(np.float32)
    if not np.isfinite(sound).all():
        raise ValueError(f"{name}: waveform: expected finite values, got NaN or infinity")
    window = max(1, round(rate * HAIR_CELL_SECONDS))
    power = float(np.square(sound, dtype=np.float64).mean()) if len(sound) >= window else 0.0
    if power == 0:
        return np.zeros(0, EVENT)
    level = np.cbrt(_hair_cells(sound / np.float32(power**0.5), rate, channels, window))
    per_window = RATE * window / rate
    phase = (np.arange(channels, dtype=np.float32) * np.float32(GOLDEN)) % 1
    total = np.cumsum(per_window * np.maximum(level - LEAST, 0), axis=1) + phase[:, None]
    spikes = np.diff(np.floor(total), axis=1, prepend=0) > 0  # [channels, windows]
    at, channel = np.nonzero(spikes.T)
    events = np.empty(len(at), EVENT)
    events["t"] = at * window * 1_000_000 // rate
    events["x"] = channel
    events["p"] = 1
    return events


def _hair_cells(sound: np.ndarray, rate: int, channels: int, window: int) -> np.ndarray:
    """Return the rectified channels, averaged over windows: float32 [channels, L // window]."""
    with extra("data.cochlea", "scipy", "data"):
        from scipy import fft

    response = _responses(rate, channels)
    # Few lengths, so that the filters' spectra are mostly there already.
    blocks = -(-(len(sound) + response.shape[1] - 1) // PADDED)
    length = fft.next_fast_len(blocks * PADDED, real=True)
    spectrum = fft.rfft(sound, length)
    whole = len(sound) // window * window
    smooth = np.empty((channels, whole // window), np.float32)
    gains = _spectra(rate, channels, length)
    for first in range(0, channels, BLOCK):
        block = slice(first, first + BLOCK)
        filtered = fft.irfft(spectrum * gains[block], length)[:, :whole]
        rectified = np.maximum(filtered, 0).reshape(-1, window)
        smooth[block] = _sums(rectified).reshape(-1, whole // window)
    return smooth * np.float32(1 / window)


def _sums(rows: np.ndarray) -> np.ndarray:
    """Return the sums of rows [R, window], in pairs as far as there are.

    A plain product would do, but BLAS has threads, for which those that filter would wait.
    """
    while rows.shape[1] % 2 == 0:
        rows = rows[:, ::2] + rows[:, 1::2]
    total = rows[:, 0]
    for column in range(1, rows.shape[1]):
        total = total + rows[:, column]
    return total


@lru_cache(maxsize=2)
def _responses(rate: int, channels: int) -> np.ndarray:
    """Return the impulse responses, float32 [channels, taps]."""
    with extra("data.cochlea", "scipy", "data"):
        from scipy.signal import gammatone

    taps = round(IMPULSE_SECONDS * rate)
    return np.stack(
        [gammatone(f, "fir", numtaps=taps, fs=rate)[0] for f in center_frequencies(channels)]
    ).astype(np.float32)


@lru_cache(maxsize=16)
def _spectra(rate: int, channels: int, length: int) -> np.ndarray:
    """Return their spectra, complex64 [channels, length // 2 + 1]."""
    from scipy import fft

    return fft.rfft(_responses(rate, channels), length)
