"""The loops over bits of spikes that arrive in assembly, in the bundles that are counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import generators
from tests.codelets.delays.delay_cases import bits_of
from tests.codelets.test_cycles import evaluate
from tests.codelets.worker_isa import Worker, run_kernel
from tests.codelets.worker_text import parse, read_kernel

TAKE = Path(__file__).resolve().parents[3] / "codelets" / "delays" / "take_ipu.hpp"
LARGEST = TAKE.with_name("largest_ipu.hpp")


@given(count=st.integers(0, 9), before=st.integers(0, 5), rng=generators)
def test_sum(count: int, before: int, rng: np.random.Generator) -> None:
    sizes = rng.integers(0, 9, count).astype(np.uint32)
    words = {"count": count, "sum": before}
    taken = run_kernel(TAKE, "sum_sizes", {"from": sizes}, words)
    assert words["sum"] == before + sizes.sum()
    assert taken == 2 + 2 * count


@given(pairs=st.integers(0, 9), rng=generators)
def test_bits_of_any(pairs: int, rng: np.random.Generator) -> None:
    of_lists = rng.integers(0, 2**32, 2 * pairs, np.uint64).astype(np.uint32)
    words = {"pairs": pairs, "bits": 0}
    taken = run_kernel(LARGEST, "bits_of_any", {"from": of_lists}, words)
    assert words["bits"] == np.bitwise_or.reduce(of_lists, initial=0)
    assert taken == 6 + pairs


@given(empty=st.integers(0, 5), rest=st.integers(0, 3))
def test_search(empty: int, rest: int) -> None:
    bits = np.array([0] * empty + [7] * rest, np.uint32)
    if bits.size == 0:
        return
    worker = Worker()
    worker.place("next", bits)
    start = worker.m["next"]
    worker.m["more"] = bits.size - 1
    worker.run(parse(read_kernel(TAKE, "next_word"), {}))
    steps = empty + 1 if rest else empty
    assert worker.m["next"] == start + 4 * steps
    assert worker.m["mask"] == (7 if rest else 0)
    assert worker.issued == 3 * steps - (1 if rest else 0)


@given(
    words=st.integers(1, 6),
    density=st.sampled_from((0.0, 0.02, 0.1, 0.5, 1.0)),
    rng=generators,
)
def test_words_of_a_range(words: int, density: float, rng: np.random.Generator) -> None:
    flags = rng.random(32 * words) < density
    bits = bits_of(flags)
    first = int(rng.integers(0, 60000))
    ids = first + np.flatnonzero(flags)
    list_words = np.zeros(ids.size // 2, np.uint32)
    worker = Worker()
    worker.place("next", bits)
    worker.place("list", list_words)
    begin = worker.m["list"]
    worker.m["next"] += 4
    worker.m.update(mask=int(bits[0]), more=words - 1, base=first, bit=1 << 31)
    worker.run(parse(read_kernel(TAKE, "take_words"), {}))
    pairs = ids[: ids.size // 2 * 2].astype(np.uint32)
    np.testing.assert_array_equal(list_words, pairs[::2] | pairs[1::2] << np.uint32(16))
    assert worker.m["list"] == begin + 4 * list_words.size
    assert worker.m["id"] == ids.size % 2
    if ids.size % 2:
        assert worker.m["low"] == ids[-1]
    empty = int((bits[1:] == 0).sum())
    counted = 4 + 5 * (words - 1) + ids.size // 2 * 13 + ids.size % 2 * 5
    assert worker.issued == counted - (words - 1 - empty)


def test_loops_are_counted(tmp_path: Path) -> None:
    expected = {
        "sum_sizes(7)": 2 + 2 * 7,
        "bits_of_any(7)": 6 + 7,
        "next_word(3)": 9,
        "take_words(3, 5)": 4 + 5 * 2 + 2 * 13 + 5,
    }
    assert evaluate(expected, tmp_path) == expected
