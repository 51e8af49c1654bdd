"""Common parts of the codelets' tests: kinds of fields, sizes to draw, random lists."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Tuple

import numpy as np
from hypothesis import strategies as st

Array = np.ndarray
RunVertex = Callable[..., Dict[str, Any]]  # arrays, or lists of them, by field

RESETS = ("zero", "subtract", "none")  # in the order of popsnn::Reset

WORKER_RANGES = 6  # popsnn::kWorkerRanges
MASK_BITS = 32  # popsnn::kMaskBits
PACKED_BITS = 16  # popsnn::kPackedBits
PATTERN_BITS = 8  # popsnn::kPatternBits

ID_TYPES = {"unsigned short": np.uint16, "unsigned int": np.uint32}
WEIGHT_TYPES = {"float": np.float32, "half": np.float16}

batches = st.integers(1, 13)
sizes = st.one_of(st.sampled_from((1, 15, 16, 17, 31, 32, 33, 63, 64, 65)), st.integers(1, 70))
worker_counts = st.sampled_from((6, 1, 4))
id_types = st.sampled_from(tuple(ID_TYPES))
weight_types = st.sampled_from(tuple(WEIGHT_TYPES))
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def filler(dtype: Any) -> Any:
    """Return what lies around every field, and in outputs, before a vertex runs."""
    return np.nan if np.dtype(dtype).kind == "f" else 90


class Output(NamedTuple):
    """A field that the vertex writes; comes back full of `filler` where it did not."""

    shape: Tuple[int, ...]
    dtype: Any


class InOut(NamedTuple):
    """A field that the vertex changes."""

    array: Array


class Lists(NamedTuple):
    """Ids [..., padded_capacity], counts [..., 2] uint32, and dense flags of the active neurons."""

    ids: Array
    counts: Array
    fired: Array  # [..., size] float64 of 0 and 1
    active: Array  # [..., size] bool


def random_lists(
    rng: np.random.Generator, shape: Tuple[int, ...], padded_capacity: int, size: int, dtype: Any
) -> Lists:
    """Draw lists, some of them empty or full; positions past the last entry have any id."""
    ids = rng.integers(0, size, (*shape, padded_capacity)).astype(dtype)
    counts = np.zeros((*shape, 2), np.uint32)
    fired = np.zeros((*shape, size))
    active = np.zeros((*shape, size), bool)
    for row in np.ndindex(*shape):
        most = min(padded_capacity, size)
        n_active = int(rng.choice((0, most, rng.integers(0, most + 1))))
        n_fired = int(rng.choice((0, n_active, rng.integers(0, n_active + 1))))
        chosen = rng.permutation(size)[:n_active]
        ids[row][:n_active] = [*np.sort(chosen[:n_fired]), *np.sort(chosen[n_fired:])]
        counts[row] = n_fired, n_active
        fired[row][chosen[:n_fired]] = 1
        active[row][chosen] = True
    return Lists(ids, counts, fired, active)


class Ahead(NamedTuple):
    """Delays of each input, and the sums of the present and the next time steps of a layer."""

    delays: Array  # [inputs] uint32
    longest_delay: int
    before: Array  # [1 + longest_delay, batch, neurons]; NaN where they begin now
    after: Array  # the same float64

    @property
    def terms(self) -> Array:
        """Return what the sums began with, zeros for those that begin now."""
        return np.nan_to_num(self.before)


def sums_ahead(
    rng: np.random.Generator, first: bool, lists: Lists, weights: Array, bias: Array
) -> Ahead:
    """Draw a delay of each input; at the first time step all sums begin with the bias."""
    longest_delay = int(rng.integers(0, 5))
    delays = rng.integers(0, longest_delay + 1, len(weights)).astype(np.uint32)
    before = floats(rng, 1 + longest_delay, len(lists.fired), weights.shape[1])
    begin = slice(0 if first else longest_delay, None)
    before[begin] = np.nan
    after = before.astype(np.float64)
    after[begin] = bias
    for delay, total in enumerate(after):
        total += (lists.fired * (delays == delay)) @ weights.astype(np.float64)
    return Ahead(delays, longest_delay, before, after)


def floats(rng: np.random.Generator, *shape: int) -> Array:
    return rng.standard_normal(shape).astype(np.float32)


def on_grid(rng: np.random.Generator, *shape: int) -> Array:
    """Draw multiples of 1/8 in [-2, 2]: they often equal each other, differences are exact."""
    return (rng.integers(-16, 17, shape) / 8).astype(np.float32)


def even(n: int) -> int:
    """Round up to the even row lengths of short ids: no two workers write one 32-bit word."""
    return n + n % 2


def history_row(step: int) -> int:
    """Return a step's row of a history, which begins with what came before step 0."""
    return step + 1


def rows_of_step(history: Array, step: int) -> Array:
    """Return a step's rows of a history [samples, 1 + steps, ...], and zeros outside of it."""
    inside = -1 <= step < history.shape[1] - 1
    return history[:, history_row(step)] if inside else np.zeros_like(history[:, 0])


def scalar(value: int) -> Array:
    return np.array(value, np.int32)


def bit_masks(flags: Array, words: int) -> Array:
    """Pack flags [batch, neurons] to [batch, words] uint32, neuron 0 in the lowest bit."""
    bits = np.zeros((flags.shape[0], words * 32), bool)
    bits[:, : flags.shape[1]] = flags
    return np.packbits(bits, axis=1, bitorder="little").view("<u4")


def mask_bits(neurons: int) -> int:
    """Return the bits of half a field of a tile's masks; MASK_BITS where they are not packed."""
    return 1 << (neurons - 1).bit_length() if neurons <= PACKED_BITS else MASK_BITS


def packed_masks(fired: Array, above: Array, bits: int, samples_per_row: int) -> Array:
    """Pack flags [batch, neurons] to [rows, 1] uint32, several samples' fields in a word."""
    fields = bit_masks(fired, 1) | bit_masks(above, 1) << np.uint32(bits)
    rows = np.zeros((-(-len(fields) // samples_per_row), 1), np.uint32)
    for b, field in enumerate(fields):
        rows[b // samples_per_row] |= field << np.uint32(2 * bits * (b % samples_per_row))
    return rows


def in_window(first: int, neurons: int, layer_size: int, begin: Array, span: Array) -> Array:
    """Say which neurons [first, first + neurons) are in the window: [batch, neurons] bool."""
    place = (np.arange(first, first + neurons) - begin[:, None].astype(np.int64)) % layer_size
    return place < span[:, None]


def random_windows(rng: np.random.Generator, batch: int, layer_size: int) -> Array:
    """Draw windows [batch, 3]: about half of the spans are the whole layer, some are empty."""
    begin = rng.integers(0, layer_size, (batch, 1))
    spans = rng.integers(0, layer_size + 1, (batch, 2))
    spans[rng.random((batch, 2)) < 0.5] = layer_size
    return np.concatenate([begin, spans], 1).astype(np.uint32)


def assert_close(actual: Array, expected: Array, *terms: Array) -> None:
    """Expect sums in fp32: 1e-5 of the largest of their terms, which may cancel."""
    largest = max(np.abs(array).max(initial=0.0) for array in (expected, *terms))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-5 * largest)


def split(weights: Array) -> Tuple[Array, Array]:
    """Return weights as an optimizer keeps them in 16 bits: what they are, and 2^11 of the rest."""
    value = weights.astype(np.float16)
    return value, ((weights - value.astype(np.float32)) * np.float32(2048)).astype(np.float16)


def joined(value: Array, rest: Array) -> Array:
    return value.astype(np.float32) + rest.astype(np.float32) / np.float32(2048)


def masters(weight_type: str, weights: Array) -> Dict[str, Any]:
    """Return the fields that hold the weights of an update."""
    if weight_type == "float":
        return {"parameter": InOut(weights), "rest": []}
    value, rest = split(weights)
    return {"parameter": InOut(value), "rest": [InOut(rest)]}


def updated(after: Dict[str, Any]) -> Array:
    """Return the weights [size] float32 that an update left."""
    return joined(after["parameter"], after["rest"][0]) if after["rest"] else after["parameter"]


def pattern_groups(batch: int) -> List[slice]:
    """Return the samples of each group of at most eight, whose patterns are bytes."""
    size = -(-batch // -(-batch // PATTERN_BITS))
    return [slice(b, min(batch, b + size)) for b in range(0, batch, size)]


def pattern_rows(batch: int) -> int:
    """Return the rows of a group's sums: four at least."""
    first = pattern_groups(batch)[0]
    return max(4, 2 ** (first.stop - first.start))


def patterns_of(fired: Array) -> Array:
    """Pack flags [batch, inputs] to [groups, words] uint32: a byte an input, its samples' bits."""
    groups = pattern_groups(len(fired))
    packed = np.zeros((len(groups), -(-fired.shape[1] // 4) * 4), np.uint8)
    for row, group in zip(packed, groups):
        row[: fired.shape[1]] = np.packbits(fired[group], axis=0, bitorder="little")[0]
    return packed.view("<u4")
