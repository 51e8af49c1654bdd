"""Times of layers that gather and stream: rows of a small case on a CPU."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch

from bench import gpu, rows
from bench.recurrent import gathering, work
from popsnn import functional
from popsnn.cuda.recurrent.gathered import launch


@pytest.fixture
def on_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the reference in place of the kernels, and calls in place of graphs."""
    run = functional.recurrent_lif

    def reference(*arguments: Any, **options: Any) -> Any:
        return run(*arguments, **{**options, "backend": "torch"})

    monkeypatch.setattr(functional, "recurrent_lif", reference)
    monkeypatch.setattr(gathering, "Work", partial(work.Work, device="cpu"))
    monkeypatch.setattr(launch, "multiprocessors", lambda _: 8)
    monkeypatch.setattr(gpu, "here", lambda: True)
    monkeypatch.setattr(gpu, "graphed", lambda call: call)
    monkeypatch.setattr(gpu, "calibrated", lambda call, seconds: [call() is None or 2.0] * 3)
    monkeypatch.setattr(gpu, "machine", lambda: "a CPU")
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)


@pytest.mark.usefixtures("on_cpu")
def test_a_layer_is_measured_in_four_ways(capsys: pytest.CaptureFixture[str]) -> None:
    found = list(gathering.measure(32, 2, torch.float32))
    assert len(found) == 4 * 2 * len(gathering.CURRENTS[8])
    assert {row.subject for row in found} == {
        f"popsnn-cuda-{name}graph" for name in ("", "gathered-", "left-", "streamed-")
    }
    unions: list[Any] = [row.case["union_forward"] for row in found[::8]]
    assert unions == sorted(unions)
    assert "N=32 B=2 torch.float32 crossings" in capsys.readouterr().out


@pytest.mark.usefixtures("on_cpu")
def test_cases_are_chosen_and_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[tuple[object, ...]] = []

    def note(*case: object) -> list[rows.Row]:
        measured.append(case)
        return []

    monkeypatch.setattr(gathering, "measure", note)
    monkeypatch.setattr(rows, "CASES", {"neurons": 4096, "batch": 8, "products": "float32"})
    assert not list(gathering.run())
    assert measured == [(4096, 8, torch.float32)]


@pytest.mark.usefixtures("on_cpu")
def test_nothing_is_measured_where_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ONLY", ["compile"])
    assert not list(gathering.measure(32, 2, torch.float32))


@pytest.mark.usefixtures("on_cpu")
def test_a_layer_without_a_plan_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "multiprocessors", lambda _: 1)
    assert not list(gathering.measure(600, 2, torch.float32))
    assert "there is no plan forward" in capsys.readouterr().out


def test_the_crossing_of_two_lines() -> None:
    points = [(0.1, 2.0, 5.0), (0.3, 4.0, 5.0), (0.5, 6.0, 5.0)]
    assert gathering.crossing(points) == pytest.approx(0.4)
