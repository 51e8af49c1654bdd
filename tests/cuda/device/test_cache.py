"""Cubins on disk: many processes, folders that cannot be written to, files that are broken."""

from __future__ import annotations

import logging
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest
from tests.cuda import kernel_facts

from popsnn.cuda.device import compiler
from popsnn.cuda.device.cache import CubinCache, default_folder

pytest.importorskip("cuda.core")

KEY, OTHER = b"key", b"other"
SOURCE = "#include <popsnn/device/device.cuh>\nPOPSNN_KERNEL(32) nothing() {}"


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_cubin_comes_back(tmp_path: Path) -> None:
    cache = CubinCache(tmp_path / "a" / "b")
    assert cache.get(KEY) is None
    cache.put(KEY, b"cubin")
    assert cache.get(KEY) == b"cubin"
    assert CubinCache(tmp_path / "a" / "b").get(KEY) == b"cubin"
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize("broken", [b"", b"short", b"x" * 100])
def test_a_broken_file_counts_as_missing_and_is_replaced(tmp_path: Path, broken: bytes) -> None:
    cache = CubinCache(tmp_path)
    cache.put(KEY, b"cubin")
    (path,) = files(tmp_path)
    path.write_bytes(broken)
    assert cache.get(KEY) is None
    cache.put(KEY, b"cubin")
    assert cache.get(KEY) == b"cubin"


def test_one_flipped_bit_is_seen(tmp_path: Path) -> None:
    cache = CubinCache(tmp_path)
    cache.put(KEY, bytes(1000))
    (path,) = files(tmp_path)
    changed = bytearray(path.read_bytes())
    changed[500] ^= 1
    path.write_bytes(changed)
    assert cache.get(KEY) is None


def test_a_folder_that_cannot_be_written_to_costs_time_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")  # root may write anywhere, but not below a file
    cache = CubinCache(tmp_path / "file" / "cubin")
    with caplog.at_level(logging.WARNING, logger="popsnn"):
        cache.put(KEY, b"cubin")
        cache.put(OTHER, b"cubin")
    assert cache.get(KEY) is None
    assert len(caplog.records) == 1
    assert "compiled kernels are not kept in" in caplog.text


def test_a_folder_that_cannot_be_read_costs_time_only(tmp_path: Path) -> None:
    CubinCache(tmp_path).put(KEY, b"cubin")
    (path,) = files(tmp_path)
    path.unlink()
    path.mkdir()  # root may read any file, but not a folder
    assert CubinCache(tmp_path).get(KEY) is None


def test_what_was_read_longest_ago_goes_where_cubins_are_too_many(tmp_path: Path) -> None:
    cache = CubinCache(tmp_path, max_bytes=5000)
    keys = [bytes([index]) for index in range(4)]
    for key in keys:
        cache.put(key, bytes(1000))
    assert cache.get(keys[0]) == bytes(1000)
    cache.put(OTHER, bytes(1000))
    assert sum(path.stat().st_size for path in files(tmp_path)) <= 5000
    found = [cache.get(key) is not None for key in (*keys, OTHER)]
    assert found == [True, False, True, True, True]


def _write(folder: Path, value: int) -> None:
    cache = CubinCache(folder)
    for _ in range(200):
        cache.put(KEY, bytes([value]) * 5000)


def test_many_processes_write_and_read_whole_files(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write, args=(tmp_path, value)) for value in range(4)]
    for writer in writers:
        writer.start()
    cache = CubinCache(tmp_path)
    while any(writer.is_alive() for writer in writers):
        result = cache.get(KEY)
        assert result is None or (len(result) == 5000 and len(set(result)) == 1)
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert len(files(tmp_path)) == 1


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POPSNN_CACHE_DIR", str(tmp_path))
    assert default_folder() == tmp_path / "cubin"
    monkeypatch.delenv("POPSNN_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_folder() == tmp_path / "xdg" / "popsnn" / "cubin"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_folder() == tmp_path / "home" / ".cache" / "popsnn" / "cubin"


def test_the_compiler_runs_once_for_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = CubinCache(tmp_path)
    first = compiler.compile_cubin(SOURCE, "sm_90", cache)
    assert first.cubin.startswith(b"\x7fELF")
    calls: list[str] = []
    original = compiler._compile

    def counted(source: str, options: Any, target: str) -> compiler.Compiled:
        calls.append(options.arch)
        return original(source, options, target)

    monkeypatch.setattr(compiler, "_compile", counted)
    assert compiler.compile_cubin(SOURCE, "sm_90", cache).cubin == first.cubin
    assert calls == []
    compiler.compile_cubin(SOURCE, "sm_80", cache)
    compiler.compile_cubin(SOURCE + "\n", "sm_90", cache)
    assert calls == ["sm_80", "sm_90"]
    for path in files(tmp_path):
        os.truncate(path, 10)
    compiler.compile_cubin(SOURCE, "sm_90", cache)
    assert calls == ["sm_80", "sm_90", "sm_90"]


def test_the_facts_of_a_kernel_are_those_of_its_compilation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another source, architecture, header or compiler is compiled; what is kept is the same."""
    monkeypatch.setattr(kernel_facts, "_cache", lambda: CubinCache(tmp_path))
    calls: list[str] = []
    original = compiler.compile_cubin

    def counted(source: str, arch: str) -> compiler.Compiled:
        calls.append(arch)
        return original(source, arch)

    monkeypatch.setattr(compiler, "compile_cubin", counted)
    first = kernel_facts.compiled(SOURCE, "sm_90")
    assert "bytes spill stores" in first.report
    assert kernel_facts.compiled(SOURCE, "sm_90") == first
    assert original(SOURCE, "sm_90").cubin == first.cubin
    assert calls == ["sm_90"]
    kernel_facts.compiled(SOURCE, "sm_80")
    kernel_facts.compiled(SOURCE + "\n", "sm_80")
    for name, value in (("digest", b"header"), ("_compiler", "build")):
        monkeypatch.setattr(kernel_facts, name, lambda *_, value=value: value)
        kernel_facts.compiled(SOURCE, "sm_90")
    assert calls == ["sm_90", "sm_80", "sm_80", "sm_90", "sm_90"]
    monkeypatch.setenv("POPSNN_COMPILE_AGAIN", "1")
    assert kernel_facts.compiled(SOURCE, "sm_80").cubin.startswith(b"\x7fELF")
    assert calls[-2:] == ["sm_90", "sm_80"]
