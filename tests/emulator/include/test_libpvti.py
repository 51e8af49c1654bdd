"""The Python module of instrumentation: programs run as without it."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest
from tests.emulator.library_tool import prefix


@pytest.fixture(scope="module")
def pvti() -> ModuleType:
    path = prefix() / "python" / "libpvti" / "__init__.py"
    spec = importlib.util.spec_from_file_location("libpvti", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Program:
    def run(self, steps: int) -> int:
        return 2 * steps


def test_calls_and_blocks_run_as_they_are(pvti: ModuleType) -> None:
    channel = pvti.createTraceChannel("program")
    with pvti.Tracepoint(channel, "block"):
        pvti.Tracepoint.event(channel, "now")
    assert pvti.instrument_fn(channel)(Program().run)(3) == 6
    program = Program()
    pvti.instrument(program, ["run"], channel)
    assert program.run(4) == 8
    with pytest.raises(ValueError, match="an error"), pvti.Tracepoint(channel, "block"):
        raise ValueError("an error")


def test_values_are_taken(pvti: ModuleType) -> None:
    pvti.Graph("loss", "%").addSeries("training").add(0.5)
    pvti.HeatmapDouble("weights", [0.0, 1.0], "2^x").add([0.25])
