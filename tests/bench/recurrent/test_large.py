"""Large recurrent layers: rows of a small case on a CPU, whose kernels are the reference."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from bench.recurrent.limits import Ceilings

from bench import gpu, rows
from bench.recurrent import energy, large, limits, loops, work
from popsnn import functional
from popsnn.cuda.device import properties
from popsnn.cuda.recurrent import ops, strategy

MOST = Ceilings(4e12, 8e14)
CASE = large.Case(32, 2, "5.2 %")


@pytest.fixture
def on_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the reference in place of the kernels, and calls in place of graphs."""
    run = functional.recurrent_lif

    def reference(*arguments: Any, **options: Any) -> Any:
        return run(*arguments, **{**options, "backend": "torch"})

    monkeypatch.setattr(functional, "recurrent_lif", reference)
    monkeypatch.setattr(large, "Work", partial(work.Work, device="cpu"))
    monkeypatch.setattr(gpu, "graphed", lambda call: call)
    monkeypatch.setattr(gpu, "calibrated", lambda call, seconds: [call() is None or 2.0] * 3)
    monkeypatch.setattr(gpu, "machine", lambda: "a CPU")


@pytest.mark.usefixtures("on_cpu")
def test_a_case_is_compared_with_the_reference_and_has_a_limit() -> None:
    both, forward = large.chosen(CASE, MOST, bar=1.0)
    assert (both.metric, forward.metric) == ("fwd_bwd_ms", "fwd_ms")
    assert both.subject == "popsnn-cuda-graph"
    assert 0 < (both.max_rel_error or 1) < large.TOLERANCE
    assert "backward rows" in (both.limit or "")
    assert "backward rows" not in (forward.limit or "backward rows")
    fractions: Any = [both.case[name] for name in ("spikes", "union_forward", "union_backward")]
    assert 0 < fractions[0] < fractions[1] < fractions[2] < 1


@pytest.mark.usefixtures("on_cpu")
def test_wrong_gradients_end_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    right = work.Layer.both

    def wrong(layer: work.Layer) -> tuple[torch.Tensor, ...]:
        spikes, current, weight = right(layer)
        return spikes, current, weight * 1.1

    monkeypatch.setattr(work.Layer, "both", wrong)
    with pytest.raises(RuntimeError, match=r"N=32 B=2 5.2 %: gradients: expected those of the ref"):
        list(large.chosen(CASE, MOST))


@pytest.mark.usefixtures("on_cpu")
def test_wrong_spikes_end_the_suite() -> None:
    layer = work.Layer(*CASE.work().leaves(torch.bfloat16))
    spikes = layer.forward().detach()
    spikes[3, 1, 5] = 1 - spikes[3, 1, 5]
    with pytest.raises(RuntimeError, match=r"recurrent: spikes: expected those of the reference"):
        work.membranes(layer, spikes)


@pytest.mark.usefixtures("on_cpu")
def test_all_layers_stream_meanwhile() -> None:
    have = properties.Properties((9, 0), 132, 232448)
    size = ("forward", have, 100, 1, 8192, False, True)
    with large.streamed_only():
        for module in (strategy, ops):
            assert not module.gathers(*size)
    assert strategy.gathers(*size)
    assert {row.subject for row in large.streamed(CASE)} == {"popsnn-cuda-streamed-graph"}


@pytest.mark.usefixtures("on_cpu")
def test_energy_is_measured_of_both_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(energy, "of_this_gpu", lambda: None)
    monkeypatch.setattr(energy, "per_call", lambda call, counter: energy.Energy(0.5, 0.002))
    rows = {(row.subject, row.metric): row.median for row in large.joules(CASE)}
    assert rows == {
        (name, metric): value
        for name in (large.CHOSEN, large.STREAMED)
        for metric, value in (("joules", 0.5), ("energy_ms", 2.0))
    }


@pytest.mark.usefixtures("on_cpu")
def test_parts_and_cases_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []

    def note(case: large.Case, *_: object) -> list[Any]:
        measured.append(str(case))
        return []

    monkeypatch.setattr(gpu, "here", lambda: True)
    monkeypatch.setattr(limits, "measured", lambda: MOST)
    monkeypatch.setattr(large, "chosen", note)
    monkeypatch.setattr(large, "joules", note)
    monkeypatch.setattr(rows, "ONLY", ["bars", "energy"])
    monkeypatch.setattr(rows, "CASES", {"neurons": 16384, "batch": 8})
    assert not list(large.run())
    assert measured == ["N=16384 B=8 1.1 %"] * 2


@pytest.mark.usefixtures("on_cpu")
@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
def test_a_loop_that_does_not_run_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object) -> None:
        raise RuntimeError("no product of this type")

    monkeypatch.setattr(rows, "ONLY", ["torch"])
    monkeypatch.setattr(loops, "sparse", refused)
    found = [(row.subject, row.metric) for row in loops.measure(CASE.work(), CASE.activity)]
    name = f"torch-{torch.__version__}"
    assert found == [(f"{name}-graph", "fwd_bwd_ms"), (f"{name}-graph", "fwd_ms")]
    assert f"  {name}-sparse is left out: no product of this type" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
def test_the_loops_have_the_same_spikes() -> None:
    inputs = work.Work(24, 2, 0.53, device="cpu")
    x, weight, _ = (tensor.detach() for tensor in inputs.leaves(torch.float32))
    spikes = loops.dense(x, weight)
    assert 0 < spikes.mean() < 0.2
    assert torch.equal(loops.sparse(x, weight.t().contiguous()), spikes)
