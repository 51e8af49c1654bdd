from __future__ import annotations

import pytest

from bench import first_call, rows


def test_a_new_neuron_is_compiled_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cuda.core")
    monkeypatch.setattr(rows, "ONLY", ["QuadraticLIF"])
    monkeypatch.setattr(first_call, "RUNS", 1)
    (row,) = first_call.run()
    assert row.case["neuron"] == "QuadraticLIF"
    assert row.metric in ("compile_s", "first_call_s")
    assert row.runs == 1
    assert row.median > 0
