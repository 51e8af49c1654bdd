"""Figures of the notebooks, and the programs that model them."""

from __future__ import annotations

import pytest

import popsnn
from bench.modelled import calibration


def test_cycles_of_the_notebook() -> None:
    # 0.178 us are 330 cycles at 1.85 GHz, as its raw stamps say (539858400 - 539858071 and so on).
    assert calibration.counted(calibration.NOTEBOOK_S[3, 10]) == 330 - 45
    assert calibration.counted(calibration.NOTEBOOK_S[1024, 1024]) == 1860 - 45


def test_cycles_of_the_plot() -> None:
    # Its clock is 1.85 GHz. Peak is 128 operations a cycle and tile: 4 cycles a row of 16 x 16.
    assert calibration.multiplied(16) == pytest.approx(402)
    assert calibration.multiplied(2048) - calibration.multiplied(512) == pytest.approx(4 * 1536)


@pytest.mark.skipif(not popsnn.backends()["ipu"].available, reason="no emulator")
def test_additions_are_modelled_by_their_size() -> None:
    modelled = calibration.additions()
    small, large = modelled[3, 10], modelled[1024, 1024]
    assert 0 < small < 1000
    assert 1.0 < (large - small) / (1024 - 10) < 3.0  # cycles a float; 1.5 on hardware


@pytest.mark.skipif(not popsnn.backends()["ipu"].available, reason="no emulator")
def test_products_are_modelled_by_their_rows() -> None:
    modelled = calibration.products()
    assert 0 < modelled[16] < 1000
    assert modelled[2048] - modelled[512] == 4 * 1536  # as on hardware
