"""The loops over masks and counts in assembly, in the bundles that are counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import bit_masks, generators
from tests.codelets.test_cycles import evaluate
from tests.codelets.worker_isa import Worker, run_kernel
from tests.codelets.worker_text import parse, read_kernel

LISTS = Path(__file__).resolve().parents[3] / "codelets" / "lists"
FREE = np.uint32(0xFFFFFFFF)


@pytest.mark.parametrize("function", ["scan_fields", "scan_words"])
@given(
    tiles=st.integers(1, 6),
    density=st.tuples(st.sampled_from((0, 0.1, 0.5, 1)), st.sampled_from((0, 0.1, 0.5, 1))),
    rng=generators,
)
def test_scan(
    function: str, tiles: int, density: tuple[float, float], rng: np.random.Generator
) -> None:
    bits = 16 if function == "scan_fields" else 32
    neurons = int(rng.integers(1, bits + 1))
    fired = rng.random((tiles, neurons)) < density[0]
    others = (rng.random((tiles, neurons)) < density[1]) & ~fired
    words = [bit_masks(flags, 1)[:, 0] for flags in (fired, others)]
    rows = words[0] | words[1] << np.uint32(16) if bits == 16 else np.stack(words, 1)
    rows = np.ascontiguousarray(rows, np.uint32)
    first, spare = int(rng.integers(100)), int(rng.integers(3))
    ids = np.full(tiles * neurons + spare, FREE)

    worker = Worker()
    worker.place("row", rows)
    worker.place("others", ids)
    worker.m["row"] += rows.nbytes - 4
    begin, end = worker.m["others"], worker.m["others"] + ids.nbytes - 4
    worker.m.update(
        fired=end, more=tiles - 1, step=neurons, bit=1 << 31, top=first + (tiles - 1) * neurons
    )
    worker.m["top"] += bits - 1
    worker.run(parse(read_kernel(LISTS / "scan_ipu.hpp", function), {}))

    of_fired, of_others = (first + np.flatnonzero(flags) for flags in (fired, others))
    assert worker.m["fired"] == end - 4 * len(of_fired)
    assert worker.m["others"] == begin + 4 * len(of_others)
    between = np.full(ids.size - len(of_fired) - len(of_others), FREE)
    np.testing.assert_array_equal(ids, np.concatenate([of_others[::-1], between, of_fired]))
    full = (fired | others).any(1).sum()
    row, more = (4, 6) if bits == 16 else (6, 3)
    assert worker.issued == row * tiles + more * full + 6 * (len(of_fired) + len(of_others))


@given(ids=st.integers(1, 9), rng=generators)
def test_ids_without_a_delay(ids: int, rng: np.random.Generator) -> None:
    listed = rng.permutation(40)[:ids].astype(np.uint32)
    delays = rng.integers(0, 2, 40).astype(np.uint32)
    expected = listed[delays[listed] == 0]
    stored = np.zeros(ids, np.uint32)
    worker = Worker()
    for name, array in {"from": listed, "delays": delays, "next": stored}.items():
        worker.place(name, array)
    begin = worker.m["next"]
    worker.m["more"] = ids - 1
    worker.run(parse(read_kernel(LISTS / "scan_ipu.hpp", "list_undelayed"), {}))
    assert worker.m["next"] == begin + 4 * len(expected)
    np.testing.assert_array_equal(stored[: len(expected)], expected)
    assert worker.issued == 4 * ids + len(expected)


@given(blocks=st.integers(1, 8), rng=generators)
def test_counts(blocks: int, rng: np.random.Generator) -> None:
    counts = rng.integers(0, 5, (blocks, 2)).astype(np.uint32)
    words = {"blocks": blocks, "fired": 0, "subthreshold": 0}
    taken = run_kernel(LISTS / "merge_ipu.hpp", "sum_counts", {"counts": counts.ravel()}, words)
    assert [words["fired"], words["subthreshold"]] == counts.sum(0).tolist()
    assert taken == 2 + 4 * blocks


@given(count=st.integers(0, 8), of=st.integers(0, 1), before=st.integers(0, 5), rng=generators)
def test_numbers_of_one_reader(count: int, of: int, before: int, rng: np.random.Generator) -> None:
    numbers = rng.integers(0, 5, (count, 2)).astype(np.uint32)
    words = {"count": count, "sum": before}
    taken = run_kernel(
        LISTS / "merge_ipu.hpp", "sum_numbers", {"numbers": numbers.ravel()[of:]}, words
    )
    assert words["sum"] == before + numbers[:, of].sum()
    assert taken == 2 + 2 * count


@given(blocks=st.integers(1, 8), of=st.integers(0, 1), rng=generators)
def test_seek(blocks: int, of: int, rng: np.random.Generator) -> None:
    counts = rng.integers(0, 5, (blocks, 2)).astype(np.uint32)
    counts[rng.integers(blocks), of] += 1
    rank = int(rng.integers(counts[:, of].sum()))
    block = int(np.searchsorted(counts[:, of].cumsum(), rank, "right"))
    worker = Worker()
    worker.place("at", counts.ravel()[of:])
    start = worker.m["at"]
    worker.m["rank"] = rank
    worker.run(parse(read_kernel(LISTS / "merge_ipu.hpp", "seek_block"), {}))
    assert worker.m["at"] == start + 8 * (block + 1)
    assert worker.m["rank"] == rank - counts[:block, of].sum()
    assert worker.issued == 5 * block + 3


@given(words=st.integers(1, 8), forward=st.booleans(), rng=generators)
def test_pack(words: int, forward: bool, rng: np.random.Generator) -> None:
    ids = rng.integers(0, 1 << 16, 2 * words, np.uint32)
    rows = {name: np.zeros(words, np.uint32) for name in ("list", "saved")}
    worker = Worker()
    for name, array in {"from": ids if forward else ids[::-1].copy(), **rows}.items():
        worker.place(name, array)
    worker.m["from"] += 0 if forward else 4 * (2 * words - 1)
    worker.m.update(next=1 if forward else 0xFFFFFFFF, more=words - 1)
    program = parse(read_kernel(LISTS / "merge_ipu.hpp", "pack_words"), {})
    worker.run(program)
    for row in rows.values():
        np.testing.assert_array_equal(row, ids[::2] | ids[1::2] << np.uint32(16))
    assert worker.issued + program.alignments == 4 * words + 3


@given(turns=st.integers(0, 5), first=st.integers(0, 3), rng=generators)
def test_copy(turns: int, first: int, rng: np.random.Generator) -> None:
    pairs = np.arange(first, 4 * turns, 4)
    start = rng.integers(0, 1 << 32, (4 * turns, 2), np.uint64).astype(np.uint32)
    for function, keeps in (("copy_fourths", False), ("move_fourths", True)):
        to, before = start + np.uint32(1), np.zeros_like(start)
        worker = Worker()
        for name, array in {"from": start, "to": to, "before": before}.items():
            worker.place(name, array)
            worker.m[name] += 8 * first
        worker.m["turns"] = turns
        program = parse(read_kernel(LISTS / "fetch_ipu.hpp", function), {})
        worker.run(program)
        expected, kept = start + np.uint32(1), np.zeros_like(start)
        kept[pairs] = expected[pairs] if keeps else 0
        expected[pairs] = start[pairs]
        np.testing.assert_array_equal(to, expected)
        np.testing.assert_array_equal(before, kept)
        assert worker.issued + program.alignments == 2 + (4 if keeps else 2) * turns


@given(size=st.integers(1, 80), rng=generators)
def test_search(size: int, rng: np.random.Generator) -> None:
    ids = np.sort(rng.permutation(200)[:size]).astype(np.uint16)
    wanted = int(rng.integers(210))
    steps = (size - 1).bit_length()
    worker = Worker()
    worker.place("before", ids)
    worker.m["before"] -= 2
    worker.m.update(size=size, steps=steps, id=wanted, low=0)
    program = parse(read_kernel(LISTS / "ranges_ipu.hpp", "count_below"), {})
    worker.run(program)
    assert worker.m["low"] == int((ids < wanted).sum())
    assert worker.issued + program.alignments == 7 + 7 * steps


def test_loops_are_counted(tmp_path: Path) -> None:
    scans = {"scan_fields(7, 3, 5)": 4 * 7 + 6 * 3 + 6 * 5, "scan_words(7, 3, 5)": 6 * 7 + 39}
    sizes = (1, 2, 3, 5, 72, 73, 128, 129)
    searches = {f"count_below({size})": 7 + 7 * (size - 1).bit_length() for size in sizes}
    packs = {"pack_words(0)": 0, "pack_words(7)": 4 * 7 + 3, "sum_numbers(5)": 2 + 2 * 5}
    copies = {"copy_fourths(7)": 2 + 2 * 7, "move_fourths(7)": 2 + 4 * 7}
    scans["list_undelayed(7, 3)"] = 4 * 7 + 3
    expected = {**scans, **searches, **packs, **copies}
    assert evaluate(expected, tmp_path) == expected
