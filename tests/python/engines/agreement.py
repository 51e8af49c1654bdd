"""The ipu engine against the reference, the torch engine in float64: one pass of a network."""

from __future__ import annotations

import copy
import math
from itertools import cycle

import torch
from hypothesis import HealthCheck, settings
from tests.python.engines.networks import Pass, as_definition, build, drawn_state, run

from popsnn.engines import LayerTrace
from popsnn.nn import SNN, SNNState, SparseLIF
from popsnn.surrogate import Rectangle, Triangle

TOLERANCE = 1e-5  # relative to the largest entry, fp32 against float64
SLOW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def margin(layer: SparseLIF, membrane: torch.Tensor) -> float:
    """Return how near a membrane comes to where the reference jumps."""
    membrane = membrane.detach()
    threshold = layer.threshold
    threshold = threshold.detach() if isinstance(threshold, torch.Tensor) else threshold
    points = [threshold]
    if layer.grad_threshold is not None:
        points.append(layer.grad_threshold)
    if isinstance(layer.surrogate, (Rectangle, Triangle)):
        half = layer.surrogate.width / (2 if isinstance(layer.surrogate, Rectangle) else 1)
        points += [threshold - half, threshold + half]
    return min(float((membrane - point).abs().min()) for point in points)


def error(got: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest difference relative to the largest entry."""
    got, expected = got.detach().double(), expected.detach()
    difference, largest = float((got - expected).abs().max()), float(expected.abs().max())
    return difference / largest if largest else math.inf if difference else 0.0


def assert_close(name: str, got: torch.Tensor, expected: torch.Tensor) -> None:
    assert got.shape == expected.shape, name
    relative = error(got, expected)
    assert relative <= TOLERANCE, f"{name}: relative error {relative:.2g}"


def off_by_roundings(reference: SNN) -> SNN:
    """Return a float32 copy whose parameters are off by four roundings, up or down.

    So may a sum in another order be; one run in float32 that happens to round well says little.
    """
    rounded = copy.deepcopy(reference).float()
    rounded._calls.zero_()  # who is dropped hashes the call's number
    with torch.no_grad():
        for parameter in rounded.parameters():
            up = torch.rand(parameter.shape) < 0.5
            parameter.mul_(1 + 2.0**-21 * (2.0 * up - 1))
    return rounded


def _same_spikes(got: LayerTrace, expected: LayerTrace) -> bool:
    if got.spikes is None or expected.spikes is None:
        return True
    return torch.equal(got.spikes.counts, expected.spikes.counts) and torch.equal(
        got.spikes.ids, expected.spikes.ids
    )


def assert_same(got: Pass, expected: Pass) -> None:
    """Assert that outputs, states, traces and gradients are those of the reference."""
    for out, expected_out in zip(got.outs, expected.outs):
        assert_close("output", out, expected_out)
    if expected.end is not None:
        for end, expected_end in zip(got.end.layers, expected.end.layers):
            assert_close("membrane at the end", end.v, expected_end.v)
            assert torch.equal(end.s.double(), expected_end.s)
            assert torch.equal(end.x.double(), expected_end.x)
            for line, expected_line in zip(end[5:], expected_end[5:]):  # inputs, spikes
                assert (line is None) == (expected_line is None)
                assert line is None or torch.equal(line.double(), expected_line)
            for value, expected_value in zip(end.more, expected_end.more):
                assert_close("state at the end", value, expected_value)
            assert end.step == expected_end.step
    for index, (trace, of_reference) in enumerate(zip(got.traces, expected.traces)):
        assert_close(f"membrane {index}", trace.membrane, of_reference.membrane)
        if of_reference.spikes is None:
            continue
        assert torch.equal(trace.spikes.counts, of_reference.spikes.counts)
        assert torch.equal(trace.spikes.ids, of_reference.spikes.ids)
        assert torch.equal(trace.spikes.dropped, of_reference.spikes.dropped)
    for name, gradient in expected.grads.items():
        assert_close(f"gradient of {name}", got.grads[name], gradient)


def assert_agree(
    net: SNN, x: torch.Tensor, *, split: int = 0, state_seed: int | None = None
) -> Pass:
    """Assert that both engines agree and all layers take part; return what the reference gives.

    They begin with the same `drawn_state` where it has a seed; `split` is that of `run`.
    """
    reference = as_definition(net)

    def passed(of: SNN, x: torch.Tensor) -> Pass:
        state = None if state_seed is None else drawn_state(of, x.shape[1], state_seed)
        return run(of, x, 1, state, split=split, hidden=True)

    expected = passed(reference, x.double())
    assert_same(passed(net, x), expected)
    assert net.stats() == reference.stats()
    for trace in expected.traces:
        assert trace.spikes is None or int(trace.spikes.counts[..., 0].sum()) > 0
    for name, gradient in expected.grads.items():
        assert bool(gradient.any()), name
    return expected


def agrees(spec) -> bool:
    """Assert that both engines agree; False where the example says nothing.

    That is where rounding could carry a membrane over a jump, and where terms cancel so far, or a
    surrogate is so steep, that the reference itself, in float32, is beyond the tolerance.
    """
    net = build(spec)
    reference = as_definition(net)
    steps, batch = spec["steps"], spec["batch"]
    x = (torch.rand(steps, batch, spec["sizes"][0]) < spec["density"]).float()

    options = {"split": spec.get("split", 0), "hidden": spec.get("hidden", False)}

    def begin(of: SNN) -> SNNState | None:
        return drawn_state(of, batch, spec["seed"]) if spec.get("state") else None

    expected = run(reference, x.double(), spec["seed"], begin(reference), **options)
    for layer, trace in zip(cycle(reference.layers), expected.traces):
        largest = float(trace.membrane.detach().abs().max())
        if isinstance(layer, SparseLIF) and margin(layer, trace.membrane) <= 2e-5 * largest:
            return False
    rounded = off_by_roundings(reference)
    off = run(rounded, x, spec["seed"], begin(rounded), **options)
    if not all(map(_same_spikes, off.traces, expected.traces)):
        return False  # of neurons other than LIF, whose steps this rule does not cover
    if any(error(off.grads[k], v) > TOLERANCE for k, v in expected.grads.items()):
        return False
    got = run(net, x, spec["seed"], begin(net), **options)
    assert_same(got, expected)
    assert net.stats() == reference.stats()
    return True
