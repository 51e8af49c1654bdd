"""Cubins on disk: many processes, folders that cannot be written to, files that are broken."""

from __future__ import annotations

import logging
import multiprocessing
import os
from pathlib import Path

import pytest

from popsnn.cuda.device import compiler
from popsnn.cuda.device.cache import CubinCache, default_folder

SOURCE = "#include <popsnn/device/device.cuh>\nPOPSNN_KERNEL(32) nothing() {}"


def test_a_cubin_comes_back(tmp_path: Path) -> None:
    cache = CubinCache(tmp_path / "a" / "b")
    assert cache.get("key") is None
    cache.put("key", b"cubin")
    assert cache.get("key") == b"cubin"
    assert CubinCache(tmp_path / "a" / "b").get("key") == b"cubin"
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["key.cubin"]


@pytest.mark.parametrize("broken", [b"", b"short", b"x" * 100])
def test_a_broken_file_counts_as_missing_and_is_replaced(tmp_path: Path, broken: bytes) -> None:
    cache = CubinCache(tmp_path)
    cache.put("key", b"cubin")
    (tmp_path / "key.cubin").write_bytes(broken)
    assert cache.get("key") is None
    cache.put("key", b"cubin")
    assert cache.get("key") == b"cubin"


def test_one_flipped_bit_is_seen(tmp_path: Path) -> None:
    cache = CubinCache(tmp_path)
    cache.put("key", bytes(1000))
    stored = bytearray((tmp_path / "key.cubin").read_bytes())
    stored[500] ^= 1
    (tmp_path / "key.cubin").write_bytes(stored)
    assert cache.get("key") is None


def test_a_folder_that_cannot_be_written_to_costs_time_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")  # root may write anywhere, but not below a file
    cache = CubinCache(tmp_path / "file" / "cubin")
    with caplog.at_level(logging.WARNING, logger="popsnn"):
        cache.put("key", b"cubin")
        cache.put("other", b"cubin")
    assert cache.get("key") is None
    assert len(caplog.records) == 1
    assert "compiled kernels are not kept in" in caplog.text


def _write(folder: Path, value: int) -> None:
    cache = CubinCache(folder)
    for _ in range(200):
        cache.put("key", bytes([value]) * 5000)


def test_many_processes_write_and_read_whole_files(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write, args=(tmp_path, value)) for value in range(4)]
    for writer in writers:
        writer.start()
    cache = CubinCache(tmp_path)
    while any(writer.is_alive() for writer in writers):
        result = cache.get("key")
        assert result is None or (len(result) == 5000 and len(set(result)) == 1)
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["key.cubin"]


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
    pytest.importorskip("cuda.core")
    cache = CubinCache(tmp_path)
    first = compiler.compile_cubin(SOURCE, "sm_90", cache)
    assert first.cubin.startswith(b"\x7fELF")
    calls: list[str] = []
    original = compiler._compile

    def counted(source: str, arch: str, *rest: object) -> compiler.Compiled:
        calls.append(arch)
        return original(source, arch, *rest)

    monkeypatch.setattr(compiler, "_compile", counted)
    assert compiler.compile_cubin(SOURCE, "sm_90", cache).cubin == first.cubin
    assert calls == []
    compiler.compile_cubin(SOURCE, "sm_80", cache)
    compiler.compile_cubin(SOURCE + "\n", "sm_90", cache)
    assert calls == ["sm_80", "sm_90"]
    for path in tmp_path.iterdir():
        os.truncate(path, 10)
    compiler.compile_cubin(SOURCE, "sm_90", cache)
    assert calls == ["sm_80", "sm_90", "sm_90"]
