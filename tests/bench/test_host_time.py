from __future__ import annotations

import pytest

from bench import host_time, rows


def test_a_row_has_the_operator_and_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ONLY", ["readout_loss"])
    monkeypatch.setattr(host_time, "SERIES", 2)
    (row, *_) = host_time.run()
    assert (row.case["operator"], row.subject, row.metric) == (
        "readout_loss",
        "popsnn-torch",
        "host_us",
    )
    assert row.runs == 2
    assert 0 < row.min <= row.median <= row.max
    assert row.max_rel_error is not None
    assert row.max_rel_error < host_time.TOLERANCE


def test_wrong_numbers_end_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ONLY", ["readout_loss"])
    monkeypatch.setattr(host_time, "TOLERANCE", 0.0)
    with pytest.raises(RuntimeError, match=r"host_time: readout_loss on torch: expected the ref"):
        list(host_time.run())
