"""The emulated PopTorch, on its small model of an IPU, and operators for its tests."""

from __future__ import annotations

import importlib
from typing import Any

import pytest


@pytest.fixture(scope="session")
def poptorch() -> Any:
    importlib.import_module("popsnn.poptorch")
    module = importlib.import_module("poptorch")
    assert module.is_emulated
    return module


@pytest.fixture(autouse=True)
def _small_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POPTORCH_SMALL_IPU_MODEL", "1")
