"""A profile's numbers hang together, whatever the estimates are."""

from __future__ import annotations

import json
import re
import xml.dom.minidom
from typing import Any

import pytest
import torch

import popsnn
from popsnn import profiling
from popsnn.profiling.page import page

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason="the ipu engine is not available"
)

DEVICE = "bow:tiles=64,bytes_per_tile=20000000"


@pytest.fixture(scope="module")
def report() -> profiling.Report:
    return profiling.profile_preset("shd-h3", DEVICE, batch=2, emulated_steps=3)


def test_time_steps_add_up(report: profiling.Report) -> None:
    measured = report.measured
    assert {phase.program for phase in measured.phases} == {"forward", "backward", "update"}
    assert measured.steps == 3
    looped = sum(phase.cycles * phase.runs for phase in report.looped)
    assert report.cycles_per_timestep == pytest.approx(looped / 3)
    for phase in measured.phases:
        parts = phase.compute + phase.exchange + phase.sync + phase.host
        assert phase.cycles == pytest.approx(parts)
        if phase.kind == "Execute":
            assert max(phase.by_layer) <= phase.compute
    assert report.step_cycles > 100 * report.cycles_per_timestep
    assert report.step_ms == pytest.approx(1e3 * report.step_cycles / 1.85e9)
    assert report.samples_per_s == pytest.approx(2 / (1e-3 * report.step_ms))


def test_hardware_is_expected_to_take_cycles_in_a_range(report: profiling.Report) -> None:
    low, high = report.expected_cycles
    compute, exchange, sets = (
        sum(part(phase) * phase.runs for phase in report.looped) / 3
        for part in (lambda p: p.compute, lambda p: p.exchange, lambda p: p.kind == "Execute")
    )
    cycles = report.cycles_per_timestep
    assert low == pytest.approx(cycles - 0.08 * compute - 82 * sets)
    assert high == pytest.approx(cycles + 0.09 * compute + 0.4 * exchange + 54 * sets)
    assert report.expected_factors == (low / cycles, high / cycles)
    assert report.as_dict()["expected_cycles_per_timestep"] == [low, high]
    two_digits = [f"{float(f'{cycles:.1e}'):,.0f}" for cycles in (low, high)]
    for text in (report.as_text(), page(report)):
        assert " to ".join(two_digits) in text


def test_rows_of_the_text_add_up(report: profiling.Report) -> None:
    names = [phase.name for phase in report.measured.phases]
    (head,) = [line for line in report.as_text().splitlines() if line.startswith("cycles of a run")]
    columns = head.replace("cycles of a run", "").split("slowest")[0].split()
    assert columns == ["runs", "all", "compute", "exchange", "sync", "host", "bytes"]
    rows = 0
    for line in report.as_text().splitlines():
        name = max((n for n in names if line.startswith(f"{n} ")), key=len, default=None)
        if name is None:
            continue
        _, total, *parts, _ = (
            int(cell.replace(",", "")) for cell in line[len(name) :].split()[: len(columns)]
        )
        assert abs(total - sum(parts)) <= 2, line  # each is rounded
        rows += 1
    assert rows == len(names)
    assert any(phase.host for phase in report.measured.phases)


def test_a_time_step_costs_the_same_however_many_run(report: profiling.Report) -> None:
    more = profiling.profile_preset("shd-h3", DEVICE, batch=2, emulated_steps=6)
    assert more.cycles_per_timestep == pytest.approx(report.cycles_per_timestep)
    assert more.phases_per_timestep == report.phases_per_timestep
    assert (more.tile_bytes == report.tile_bytes).all()
    assert more.step_ms == pytest.approx(report.step_ms, rel=0.01)


def test_steps_that_are_worked_out_again_count() -> None:
    net = popsnn.nn.SNN(popsnn.nn.SparseLIF(20, 30, max_activity=0.2), popsnn.nn.LI(30, 4))
    options = {"steps": 20, "batch": 6, "input_capacity": 5}
    whole, again = (
        profiling.profile(net, f"bow:tiles=8,checkpoint_interval={n}", emulated_steps=4, **options)
        for n in (20, 5)
    )
    assert (whole.measured.steps, again.measured.steps) == (4, 20)
    assert whole.phases_per_timestep == 12
    # 15 of the 20 steps: lists are fetched and neurons step forward once more, in both stages
    assert again.phases_per_timestep == 12 + 4 * 15 / 20
    assert again.cycles_per_timestep > 1.1 * whole.cycles_per_timestep
    assert again.step_cycles > 20 * again.cycles_per_timestep


def test_a_step_costs_by_the_sizes_that_its_lists_take() -> None:
    whole, sized = (
        profiling.profile_preset(
            "shd-h3", f"{DEVICE},sizes={sizes}", batch=2, max_activity=0.5, activity="natural"
        )
        for sizes in (1, 3)
    )
    measured = sized.measured
    assert (whole.measured.steps, measured.steps) == (profiling.EMULATED_STEPS, 100)
    assert (whole.measured.sizes, measured.sizes) == ((1, 1), (3, 3))
    longest = max(layer.longest for layer in measured.layers)
    assert 0 < longest <= measured.layers[0].capacity / 4
    taken = {phase.name: phase.runs for phase in sized.looped if "products" in phase.name}
    assert taken == {"backward/stage0/products 1/4": 100}
    # Sizes are found and branched to: once a step forward, and once back.
    assert sized.phases_per_timestep == whole.phases_per_timestep + 4
    assert sized.cycles_per_timestep < whole.cycles_per_timestep
    assert sized.exchange_bytes_per_timestep < 0.5 * whole.exchange_bytes_per_timestep


def test_replicas_sum_gradients_of_weights_in_the_update_alone() -> None:
    report = profiling.profile_preset("shd-h3", f"{DEVICE},replicas=2", batch=2, max_activity=0.02)
    names = {phase.name for phase in report.once}
    assert "update/sum_gradients1" in names
    assert "backward/sum_gradients1" not in names


def test_full_lists_take_the_last_size_of_all() -> None:
    options = {"batch": 2, "max_activity": 0.02}
    whole, sized = (
        profiling.profile_preset("shd-h3", f"{DEVICE},sizes={sizes}", **options) for sizes in (1, 2)
    )
    full = [phase for phase in sized.looped if phase.name == "backward/stage0/lists"]
    assert [phase.runs for phase in full] == [99]  # nobody has fired before the first
    assert sized.cycles_per_timestep < 1.1 * whole.cycles_per_timestep


def test_neurons_that_learn_spike_as_those_that_do_not() -> None:
    reports = []
    for learn in (False, True):
        torch.manual_seed(0)
        hidden = popsnn.nn.SparseLIF(20, 30, learn_beta=learn, learn_threshold=learn)
        net = popsnn.nn.SNN(hidden, popsnn.nn.LI(30, 4, learn_beta=learn))
        reports.append(profiling.profile(net, "bow:tiles=8", steps=5, batch=6, input_capacity=5))
    fired = [report.measured.layers[0].fired for report in reports]
    assert fired[0] == fired[1] > 0
    assert reports[1].step_cycles > reports[0].step_cycles


def test_bytes_are_those_of_all_steps(report: profiling.Report) -> None:
    parts = report.histogram()
    assert sum(part["tiles"] for part in parts) == len(report.tile_bytes) == 64
    assert parts[-1]["to"] == report.tile_bytes_max
    neurons, steps, batch = sum(layer.neurons for layer in report.measured.layers), 100, 2
    assert report.tile_bytes.sum() > 4 * neurons * steps * batch  # the membranes' history


def test_fewer_places_cost_less(report: profiling.Report) -> None:
    less = profiling.profile_preset("shd-h3", DEVICE, batch=2, emulated_steps=3, max_activity=0.01)
    assert less.cycles_per_timestep < report.cycles_per_timestep
    natural = profiling.profile_preset(
        "shd-h3", DEVICE, batch=2, emulated_steps=3, activity="natural"
    )
    assert natural.cycles_per_timestep <= report.cycles_per_timestep


def test_the_page_is_well_formed_and_whole(report: profiling.Report) -> None:
    text = page(report)
    document = xml.dom.minidom.parseString(text.replace("<!DOCTYPE html>", ""))
    assert len(document.getElementsByTagName("svg")) == 3
    bars = document.getElementsByTagName("rect")
    assert all(float(bar.getAttribute("width")) >= 0 for bar in bars)
    names = {phase.name for phase in report.measured.phases}
    written = {node.firstChild.nodeValue for node in document.getElementsByTagName("text")}
    assert names <= written
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_a_network_of_ones_own() -> None:
    net = popsnn.nn.SNN(popsnn.nn.SparseLIF(20, 30, max_activity=0.2), popsnn.nn.LI(30, 4))
    report = profiling.profile(
        net, "bow:tiles=8", steps=5, batch=6, input_capacity=5, title="a <small> one"
    )
    assert report.published_ms is None
    assert [layer.capacity for layer in report.measured.layers] == [6, 0]
    assert "a &lt;small&gt; one" in page(report)


def test_both_variants_of_weight_gradients() -> None:
    hidden = popsnn.nn.SparseLIF(200, 300, recurrent=True)
    net = popsnn.nn.SNN(hidden, popsnn.nn.LI(300, 4))
    for dense, taken in (("always", "dense"), ("never", "sparse")):
        device = f"bow:tiles=80,replicas=1,dense={dense}"
        report = profiling.profile(net, device, steps=5, batch=6, input_capacity=5)
        first, last = report.measured.layers
        assert [cost.source for cost in first.gradients] == ["input", "recurrent"]
        few, many = first.gradients
        assert few.sparse < few.dense
        assert many.dense < many.sparse
        assert {cost.taken for cost in (few, many, *last.gradients)} == {taken}
        assert json.loads(json.dumps(report.as_dict()))["layers"][0]["gradients"][1] == {
            "source": "recurrent", "sparse": many.sparse, "dense": many.dense, "taken": taken,
        }  # fmt: skip
        (line,) = (line for line in report.as_text().splitlines() if "recurrent" in line)
        expected = (
            f"    0  recurrent  sparse {many.sparse:>9,.0f}  dense {many.dense:>9,.0f}: {taken}"
        )
        assert line.startswith(expected)
        assert line.endswith("with the other") == (taken == "sparse")


def test_checkpoints_in_streaming_memory_cost_their_copies() -> None:
    net = popsnn.nn.SNN(popsnn.nn.SparseLIF(20, 300, max_activity=0.2), popsnn.nn.LI(300, 4))

    def report(bytes_per_tile: int) -> profiling.Report:
        device = f"bow:tiles=8,replicas=1,bytes_per_tile={bytes_per_tile}"
        return profiling.profile(net, device, steps=30, batch=12, input_capacity=5)

    with pytest.raises(RuntimeError) as info:
        report(1)
    small = report(int(re.findall(r"needs (\d+) bytes", str(info.value))[0]))
    copies = [phase for phase in small.measured.phases if phase.kind == "RemoteCopy"]
    assert [(copy.program, copy.runs) for copy in copies] == [("forward", 29), ("backward", 29)]
    bytes_of_states = 12 * 300 * 4
    for copy in copies:  # at 20 GB/s and 1.85 GHz
        assert copy.host == pytest.approx(bytes_of_states / 20e9 * 1.85e9, abs=1)
    assert not any(phase.kind == "RemoteCopy" for phase in report(10**6).measured.phases)


def test_weights_of_16_bits(report: profiling.Report) -> None:
    options: Any = {"batch": 2, "emulated_steps": 3, "weight_dtype": torch.float16}
    halves = profiling.profile_preset("shd-h3", DEVICE, **options)
    assert halves.title == "shd-h3, weights torch.float16"
    assert halves.cycles_per_timestep != report.cycles_per_timestep
    assert halves.measured.layers == report.measured.layers


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("mnist", {}, "profile: preset: expected one of nmnist-h2, "),
        ("shd-h2", {"activity": "wild"}, "expected fixed or natural, got 'wild'"),
        (
            "shd-h2",
            {"weight_dtype": torch.bfloat16},
            "expected None or torch.float16, got ",
        ),
        (
            "shd-h2",
            {"device": "ipu3"},
            "device: expected one of host, ipu2, bow, hardware, got 'ipu3'",
        ),
    ],
)
def test_wrong_inputs(name: str, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        profiling.profile_preset(name, **options)  # type: ignore[arg-type]
