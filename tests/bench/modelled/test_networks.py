"""Cycles and bytes of the published networks at natural activity, next to fixed activity."""

from __future__ import annotations

import pytest
from bench.networks.published import NETWORKS
from bench.report.reading import Record, read

import popsnn
from bench import rows
from bench.modelled import configuration

CYCLES, STEP = "cycles_per_timestep", "train_step_ms"
ACTIVITIES = ("fixed", "natural")


@pytest.fixture(scope="module")
def recorded() -> dict[tuple[object, ...], Record]:
    """Return the newest row of each case and metric."""
    modelled = (row for row in read(rows.RESULTS) if row.suite == "modelled" and row.modelled)
    names = ("preset", "max_activity", "activity")
    return {(*(row.case.get(name) for name in names), row.metric): row for row in modelled}


@pytest.mark.parametrize(("name", "max_activity"), NETWORKS)
@pytest.mark.parametrize("metric", [CYCLES, STEP])
def test_recorded_natural_activity_takes_no_more_than_fixed(
    name: str, max_activity: float, metric: str, recorded: dict[tuple[object, ...], Record]
) -> None:
    fixed, natural = (recorded[name, max_activity, activity, metric] for activity in ACTIVITIES)
    assert natural.commit == fixed.commit
    assert 0 < natural.median <= fixed.median
    assert natural.peak_bytes is not None
    assert fixed.peak_bytes is not None
    assert 0 < natural.peak_bytes <= fixed.peak_bytes


@pytest.mark.skipif(not popsnn.backends()["ipu"].available, reason="no emulator")
def test_natural_activity_takes_no_more_than_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    fixed, natural = (
        {row.metric: row for row in configuration("nmnist-h2", 0.05, activity) if row.modelled}
        for activity in ACTIVITIES
    )
    printed = capsys.readouterr().out.splitlines()
    for made, line in zip((fixed, natural), printed):
        peak = made[CYCLES].peak_bytes
        assert peak == made[STEP].peak_bytes
        assert f"{peak:,} bytes on the fullest tile" in line
        assert 0 < made[CYCLES].median <= fixed[CYCLES].median
        assert 0 < (peak or 0) <= (fixed[CYCLES].peak_bytes or 0)
    assert len(printed) == 2
