from __future__ import annotations

import importlib

import pytest

import popsnn
import popsnn.cuda


def test_every_engine_is_named_with_its_state() -> None:
    result = popsnn.backends()
    assert list(result) == ["torch", "ipu", "cuda"]
    for info in result.values():
        assert (info.device is None) == (not info.available)
        assert (info.reason is None) == info.available
    assert result["torch"].available
    assert result["cuda"].available == (popsnn.cuda.unavailable() is None)


def test_public_names_are_sorted_and_there() -> None:
    assert popsnn.__all__ == sorted(popsnn.__all__)
    assert all(hasattr(popsnn, name) for name in popsnn.__all__)


def test_emulator_prefix() -> None:
    try:
        importlib.import_module("popsnn._core")
    except ImportError:
        with pytest.raises(FileNotFoundError, match=r"emulator_prefix: expected .*popsnn/emulator"):
            popsnn.emulator_prefix()
    else:
        assert (popsnn.emulator_prefix() / "include").is_dir()
