from __future__ import annotations

import fcntl
import logging
import os
import pickle
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.full_disk import full_disk

from popsnn.data import SpikeLists
from popsnn.data.cache import cached, load, save


def build() -> Any:
    generator = np.random.default_rng(0)
    columns = tuple(generator.integers(0, n, 500) for n in (6, 5, 24))
    lists = SpikeLists.from_events(columns, 6, 5, (2, 3, 4), late=np.arange(6))
    return lists, np.arange(6)


def same(got: Any, expected: Any) -> None:
    for name in ("ids", "lengths", "late", "merged", "grid"):
        np.testing.assert_array_equal(getattr(got[0], name), getattr(expected[0], name))
    np.testing.assert_array_equal(got[1], expected[1])


def test_a_second_call_maps_the_file(tmp_path: Path) -> None:
    calls = []

    def counted() -> Any:
        calls.append(1)
        return build()

    first = cached(tmp_path / "new", "toy", {"a": 1, "b": (2, 3)}, counted)
    second = cached(tmp_path / "new", "toy", {"a": 1, "b": (2, 3)}, counted)
    assert len(calls) == 1
    same(first, build())
    same(second, build())
    assert isinstance(second[0].ids, np.memmap)
    cached(tmp_path / "new", "toy", {"a": 2}, counted)
    assert len(calls) == 2
    assert len(list((tmp_path / "new").iterdir())) == 2  # and no partial file


def test_another_process_maps_it_too(tmp_path: Path) -> None:
    lists, _ = cached(tmp_path, "toy", {}, build)
    data = pickle.dumps(lists)
    assert len(data) < 500
    again = pickle.loads(data)
    assert isinstance(again.ids, np.memmap)
    np.testing.assert_array_equal(again.ids, lists.ids)


def test_who_comes_meanwhile_waits_for_the_file(tmp_path: Path) -> None:
    calls = []

    def slow() -> Any:
        calls.append(1)
        time.sleep(0.3)
        return build()

    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(cached, tmp_path, "toy", {}, slow) for _ in range(3)]
        for thread in asked:
            same(thread.result(), build())
    assert len(calls) == 1
    assert [file.suffix for file in tmp_path.iterdir()] == [".spikes"]


def test_nobody_waits_for_a_build_that_failed(tmp_path: Path) -> None:
    calls = []

    def fails_once() -> Any:
        calls.append(1)
        time.sleep(0.1)
        if len(calls) == 1:
            raise ValueError("no such recording")
        return build()

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(cached, tmp_path, "toy", {}, fails_once) for _ in range(2)]
        errors = [thread.exception() for thread in asked]
    assert sorted(map(str, errors)) == ["None", "no such recording"]


def test_nobody_waits_for_a_process_that_was_forked_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the lock's file too, as a copy of its descriptor has."""
    copies = []
    flock = fcntl.flock

    def copied(lock: int, operation: int) -> None:
        copies.append(os.dup(lock))
        flock(lock, operation)

    monkeypatch.setattr(fcntl, "flock", copied)
    cached(tmp_path, "toy", {}, build)
    with open(f"/proc/self/fd/{copies[0]}", "rb") as waiting:
        flock(waiting, fcntl.LOCK_EX | fcntl.LOCK_NB)
    for copy in copies:
        os.close(copy)


def test_no_events(tmp_path: Path) -> None:
    empty = SpikeLists.from_events((np.zeros(0, int),) * 3, 2, 3, (1, 1, 4))
    path = tmp_path / "empty.spikes"
    save(path, empty, np.zeros(2, np.int64), {})
    same(load(path), (empty, np.zeros(2)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("truncated", r"expected \d+ bytes or more, got \d+"),
        ("empty", "expected a file of compacted spikes, got another or a part of it"),
        ("header", "expected a header with its checksum, got other bytes"),
        ("length", "expected a header with its checksum, got other bytes"),
        ("byte", r"expected \w+ with its checksum, got other bytes"),
        ("other", "expected a file of compacted spikes, got another or a part of it"),
    ],
)
def test_a_broken_file_is_built_again(
    wrong: str, sentence: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cached(tmp_path, "toy", {"a": 1}, build)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    broken = {
        "truncated": whole[:-100],
        "empty": b"",
        "header": whole.replace(b'"ids"', b'"idz"', 1),
        "length": whole[:16] + b"\xff" * 8 + whole[24:],
        "byte": whole[:-400] + bytes([whole[-400] ^ 1]) + whole[-399:],
        "other": b"x" * len(whole),
    }[wrong]
    path.write_bytes(broken)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {sentence}$"):
        load(path)
    with caplog.at_level(logging.WARNING, "popsnn"):
        same(cached(tmp_path, "toy", {"a": 1}, build), build())
    assert "it is built again" in caplog.text
    assert path.read_bytes() == whole


def test_no_flipped_bit_is_loaded_as_other_spikes(tmp_path: Path) -> None:
    path = tmp_path / "toy.spikes"
    save(path, *build(), {"a": 1})
    whole = path.read_bytes()
    refused = 0
    for bit in range(0, 8 * len(whole), 31):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        try:
            same(load(path, {"a": 1}), build())  # bytes between the arrays are of no account
        except ValueError:
            refused += 1
    assert refused > 0.8 * len(range(0, 8 * len(whole), 31))


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    cached(tmp_path, "toy", {"a": 1}, build)
    (path,) = tmp_path.iterdir()
    path.unlink()
    (tmp_path / f"{path.name}k3j_.part").write_text("half of the spikes")
    (tmp_path / "other.spikesabc.part").write_text("of another process")
    cached(tmp_path, "toy", {"a": 1}, build)
    assert {stored.name for stored in tmp_path.iterdir()} == {path.name, "other.spikesabc.part"}


def test_a_file_of_another_key_is_built_again(tmp_path: Path) -> None:
    cached(tmp_path, "toy", {"a": 1}, build)
    (path,) = tmp_path.iterdir()
    with pytest.raises(ValueError, match="expected the key"):
        load(path, {"a": 2})


def test_an_interrupted_save_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.spikes"
    save(path, *build(), {"a": 1})

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(path, *build(), {"a": 2})
    assert [p.name for p in tmp_path.iterdir()] == ["kept.spikes"]
    load(path, {"a": 1})


def test_a_folder_that_cannot_be_written_to_costs_only_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    with caplog.at_level(logging.WARNING, "popsnn"):
        same(cached(tmp_path / "file", "toy", {}, build), build())
    assert "are not kept in" in caplog.text


def test_a_full_disk_costs_only_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "popsnn"), full_disk(500):
        same(cached(tmp_path, "toy", {}, build), build())
    assert re.search(r"expected to write .*/toy-\w+\.spikes, got File too large", caplog.text)
    assert list(tmp_path.iterdir()) == []


def test_the_default_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POPSNN_CACHE_DIR", str(tmp_path))
    cached(None, "toy", {}, build)
    assert len(list((tmp_path / "data").glob("toy-*.spikes"))) == 1
