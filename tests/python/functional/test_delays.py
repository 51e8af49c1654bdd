"""Delays of the reference, against a loop over time steps, targets, sources and taps in NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from popsnn import SpikeTensor, functional
from popsnn.functional import DelaySteps, SparseState, delay_taps, delayed, last_steps
from popsnn.surrogate import SuperSpike

KINDS = ("axonal", "dendritic", "synaptic")
SPREADS = ("none", "straight_through", "triangle", "gaussian")


def taps_of(d: float, maximum: int, spread: str, width: float) -> list[float]:
    """Return the taps of one delay by their formula."""
    if spread in ("none", "straight_through"):
        return [float(k == round(d)) for k in range(maximum + 1)]
    if spread == "triangle":
        raw = [max(0.0, 1 - abs(k - d) / (1 + width)) for k in range(maximum + 1)]
    else:
        raw = [math.exp(-(((k - d) / width) ** 2) / 2) for k in range(maximum + 1)]
    return [value / sum(raw) for value in raw]


@dataclass(frozen=True)
class Case:
    """A recurrent layer with delays of both of its inputs."""

    seed: int
    kinds: tuple[str, str]
    spreads: tuple[str, str]
    maxima: tuple[int, int]
    steps: int
    sizes: tuple[int, int, int]  # B, M, N
    cut: int

    def delay(self, which: int, generator: np.random.Generator) -> DelaySteps:
        """Draw the delays of the input (0) or of the layer's own spikes (1)."""
        _, inputs, neurons = self.sizes
        kind, spread, maximum = self.kinds[which], self.spreads[which], self.maxima[which]
        sources = neurons if which else inputs
        shape = {"axonal": (sources,), "dendritic": (neurons,), "synaptic": (neurons, sources)}
        steps = torch.from_numpy(generator.uniform(0, maximum, shape[kind]))
        if spread == "none":
            steps = steps.round()
        return DelaySteps(kind, steps, maximum, 0, spread, 0.7)


CASES = st.builds(
    Case,
    st.integers(0, 2**31),
    st.tuples(st.sampled_from(KINDS), st.sampled_from(KINDS)),
    st.tuples(st.sampled_from(SPREADS), st.sampled_from(SPREADS)),
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.integers(1, 8),
    st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 4)),
    st.integers(0, 8),
)


def late(delay: DelaySteps, weight: np.ndarray, line: list[np.ndarray]) -> np.ndarray:
    """Return what arrives at a step: `line` [B, M] of this step and of those before, last first."""
    out = np.zeros((len(line[0]), len(weight)))
    for i, j in np.ndindex(*weight.shape):
        index = {"axonal": (j,), "dendritic": (i,), "synaptic": (i, j)}[delay.kind]
        taps = taps_of(float(delay.steps[index]), delay.maximum, delay.spread, delay.width)
        for k, tap in enumerate(taps[: len(line)]):
            out[:, i] += tap * weight[i, j] * line[k][:, j]
    return out


@settings(max_examples=40, deadline=None)
@given(CASES)
def test_a_layer_with_delays_equals_a_loop(case: Case) -> None:
    rng = np.random.default_rng(case.seed)
    batch, inputs, neurons = case.sizes
    x = (rng.random((case.steps, batch, inputs)) < 0.5).astype(float)
    weight, loops = rng.normal(0, 1, (neurons, inputs)), rng.normal(0, 1, (neurons, neurons))
    bias = rng.normal(0, 0.1, neurons)
    delay, own = case.delay(0, rng), case.delay(1, rng)
    v = s = np.zeros((batch, neurons))
    arrived, fired = [], [s]
    for t in range(case.steps):
        arrived.insert(0, x[t])
        current = 0.8 * (late(delay, weight, arrived) + bias + late(own, loops, fired))
        v = 0.9 * v * (1 - s) + current
        s = (v >= 1).astype(float)
        fired.insert(0, s)

    def run(x: np.ndarray, state: SparseState | None) -> functional.SparseLIFOutput:
        return functional.sparse_lif(
            SpikeTensor.from_dense(torch.from_numpy(x)),
            torch.from_numpy(weight),
            torch.from_numpy(bias),
            state,
            recurrent_weight=torch.from_numpy(loops),
            gain=0.8,
            delay=delay,
            recurrent_delay=own,
        )

    whole = run(x, None)
    np.testing.assert_allclose(whole.membrane[-1].numpy(), v, atol=1e-9)
    np.testing.assert_array_equal(whole.spikes.to_dense()[-1].numpy(), s)
    cut = min(case.cut, case.steps)
    first = run(x[:cut], None)
    second = run(x[cut:], first.state)
    assert torch.equal(torch.cat([first.membrane, second.membrane]), whole.membrane)
    for name, tensor in second.state._asdict().items():
        assert torch.equal(torch.as_tensor(tensor), torch.as_tensor(getattr(whole.state, name)))


@settings(max_examples=15, deadline=None)
@given(CASES)
def test_gradients_are_those_of_differences(case: Case) -> None:
    """With the surrogate's primitive for the spike: of weights, delays, and steps before."""
    rng = np.random.default_rng(case.seed)
    batch, inputs, neurons = case.sizes
    x = torch.from_numpy((rng.random((case.steps, batch, inputs)) < 0.5).astype(float))
    weight = torch.from_numpy(rng.normal(0, 1, (neurons, inputs)))
    loops = torch.from_numpy(rng.normal(0, 1, (neurons, neurons)))
    # Not straight-through delays, whose gradient is no difference.
    spreads = tuple("triangle" if s in SPREADS[:2] else s for s in case.spreads)
    case = Case(case.seed, case.kinds, spreads, case.maxima, *vars_after(case))  # type: ignore[arg-type]
    delay, own = case.delay(0, rng), case.delay(1, rng)
    rest = SparseState.at_rest(weight, batch, 0, *case.maxima)
    before = torch.from_numpy(rng.random((case.maxima[0], batch, inputs)))
    spikes = torch.from_numpy(rng.random((case.maxima[1], batch, neurons)))

    def run(*values: Tensor) -> Tensor:
        weight, loops, steps, own_steps, before, spikes = values
        out = functional.sparse_lif(
            SpikeTensor.from_dense(x),
            weight,
            None,
            rest._replace(inputs=before, spikes=spikes),
            recurrent_weight=loops,
            delay=delay._replace(steps=steps),
            recurrent_delay=own._replace(steps=own_steps),
            surrogate=SuperSpike(1.0),
            detach_reset=False,
            smooth=True,
        )
        return out.membrane

    values = (weight, loops, delay.steps, own.steps, before, spikes)
    assert torch.autograd.gradcheck(run, tuple(v.clone().requires_grad_() for v in values))


def vars_after(case: Case) -> tuple[int, tuple[int, int, int], int]:
    return case.steps, case.sizes, case.cut


@settings(max_examples=40, deadline=None)
@given(CASES)
def test_recurrent_scan_equals_the_layer(case: Case) -> None:
    rng = np.random.default_rng(case.seed)
    batch, _, neurons = case.sizes
    current = torch.from_numpy(rng.normal(0.5, 1, (case.steps, batch, neurons)))
    loops = torch.from_numpy(rng.normal(0, 1, (neurons, neurons)))
    own = case.delay(1, rng)
    before = torch.from_numpy((rng.random((own.maximum, batch, neurons)) < 0.5).astype(float))
    zeros = torch.zeros(batch, neurons, dtype=torch.float64)
    out = functional.recurrent_lif(
        current, loops, functional.LIFState(zeros, zeros), delay=own, before=before
    )
    line = [row.numpy() for row in before.flip(0)]
    v = s = np.zeros((batch, neurons))
    for t in range(case.steps):
        line.insert(0, s)
        v = 0.9 * v * (1 - s) + current[t].numpy() + late(own, loops.numpy(), line)
        s = (v >= 1).astype(float)
    np.testing.assert_allclose(out.membrane[-1].numpy(), v, atol=1e-9)
    cut = min(case.cut, case.steps)
    first = functional.recurrent_lif(current[:cut], loops, delay=own, before=before)
    assert first.state is not None
    fired = torch.cat([zeros[None], first.spikes])[:-1]
    after = last_steps(fired, before, own.maximum)
    second = functional.recurrent_lif(current[cut:], loops, first.state, delay=own, before=after)
    assert torch.equal(torch.cat([first.membrane, second.membrane]), out.membrane)


@pytest.mark.parametrize("spread", SPREADS)
def test_taps_are_those_of_the_formula_and_add_up_to_one(spread: str) -> None:
    steps = torch.tensor([0.0, 0.4, 1.0, 2.49, 3.5, 4.0], dtype=torch.float64)
    if spread == "none":
        steps = steps.round()
    taps = delay_taps(steps, 4, spread, 0.6)
    expected = [taps_of(float(d), 4, spread, 0.6) for d in steps]
    np.testing.assert_allclose(taps.T.numpy(), expected, atol=1e-12)
    np.testing.assert_allclose(taps.sum(0).numpy(), 1, atol=1e-12)


def test_a_narrow_gaussian_between_two_steps_is_finite() -> None:
    taps = delay_taps(torch.tensor([1.5]), 3, "gaussian", 1e-3)
    assert taps.flatten().tolist() == [0, 0.5, 0.5, 0]


@pytest.mark.parametrize(
    ("dtype", "delay"), [(torch.bfloat16, 140), (torch.float16, 1100), (torch.float32, 1100.25)]
)
def test_gaussians_of_long_delays_in_few_bits(dtype: torch.dtype, delay: float) -> None:
    expected = taps_of(delay, 1200, "gaussian", 1.0)
    taps = delay_taps(torch.tensor([delay], dtype=dtype), 1200, "gaussian", 1.0)
    np.testing.assert_allclose(taps[:, 0].double().numpy(), expected, atol=2e-3)


def test_gradients_of_narrow_gaussians_do_not_cancel_in_float32() -> None:
    steps = torch.tensor([0.4996, 1.4992, 0.5003, 2.4988])
    weights = torch.tensor([1.0, -2.0, 0.5, 3.0])[:, None]
    gradients = []
    for dtype in (torch.float64, torch.float32):
        own = steps.to(dtype).requires_grad_()
        loss = (delay_taps(own, 3, "gaussian", 0.01) * weights.to(dtype)).sum()
        gradients += torch.autograd.grad(loss, own)
    torch.testing.assert_close(gradients[1].double(), gradients[0], rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("spread", ["straight_through", "triangle"])
def test_the_slope_at_a_whole_delay_is_the_mean_of_both_sides(spread: str) -> None:
    steps = torch.full((5,), 2.0, dtype=torch.float64, requires_grad=True)
    taps = delay_taps(steps, 4, spread)
    slopes = torch.autograd.grad(taps[torch.arange(5), torch.arange(5)].sum(), steps)[0]
    assert slopes.tolist() == [0, -0.5, 0, 0.5, 0]


def test_delayed_needs_its_steps_before() -> None:
    x = torch.arange(12.0).reshape(6, 1, 2)
    delay = DelaySteps("axonal", torch.tensor([0.0, 2.0]), 3)
    whole = delayed(x, delay)
    assert whole[:, 0].tolist() == [[0, 0], [2, 0], [4, 1], [6, 3], [8, 5], [10, 7]]
    first = delayed(x[:2], delay)
    second = delayed(x[2:], delay, last_steps(x[:2], None, 3))
    assert torch.equal(torch.cat([first, second]), whole)


def lif(**options: object) -> None:
    weight = torch.ones(2, 3)
    functional.sparse_lif(SpikeTensor.from_dense(torch.zeros(4, 1, 3)), weight, **options)  # type: ignore[arg-type]


def axonal(steps: object, maximum: object = 3, **options: object) -> DelaySteps:
    tensor = torch.tensor(steps) if isinstance(steps, list) else steps
    return DelaySteps("axonal", tensor, maximum, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("delay", "message"),
    [
        (axonal([0.0, -1.0, 1.0]), "delay.steps: expected whole time steps in 0..3, got -1"),
        (axonal([0.0, 4.0, 1.0]), "delay.steps: expected whole time steps in 0..3, got 4"),
        (axonal([0.0, 0.5, 1.0]), "delay.steps: expected whole time steps in 0..3, got 0.5"),
        (axonal([0.0, math.nan, 1.0]), "delay.steps: expected finite delays, got nan"),
        (axonal([0.0, math.inf, 1.0], spread="triangle"), "expected finite delays, got inf"),
        (axonal([0.0, 1.0]), r"delay.steps: expected shape \(3,\) of axonal delays, got \(2,\)"),
        (axonal([0, 1, 1]), "delay.steps: expected a float tensor, got torch.int64"),
        (axonal([0.0] * 3, 0), "delay.maximum: expected at least 1, got 0"),
        (axonal([1.0] * 3, minimum=4), r"delay.minimum: expected 0..3, got 4"),
        (axonal([0.0] * 3, spread="sinc"), "delay.spread: expected one of none, "),
        (axonal([0.0] * 3, spread="gaussian"), "delay.width: expected more than 0, got 0"),
        (axonal([0.0] * 3)._replace(kind="soma"), "delay.kind: expected one of axonal, dendritic"),
        (2, r"delay: expected 0..1, got 2"),
    ],
)
def test_bad_delays_get_one_sentence(delay: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"functional.sparse_lif: .*{message}"):
        lif(delay=delay)


def test_recurrent_delays_need_recurrent_weights() -> None:
    with pytest.raises(ValueError, match="recurrent_delay: expected None without recurrent"):
        lif(recurrent_delay=DelaySteps("axonal", torch.zeros(2), 3))


def test_a_state_has_the_steps_that_delays_read() -> None:
    rest = SparseState.at_rest(torch.ones(2, 3), 1)
    with pytest.raises(ValueError, match=r"state.inputs: expected shape \(3, 1, 3\) .*got None"):
        lif(delay=axonal([0.0] * 3), state=rest)
    with pytest.raises(ValueError, match=r"state.inputs: expected None without delays"):
        lif(state=rest._replace(inputs=torch.zeros(3, 1, 3)))
    with pytest.raises(ValueError, match=r"before: expected shape \(3, 1, 2\), got \(2, 1, 2\)"):
        delayed(torch.zeros(4, 1, 2), axonal([0.0, 1.0]), torch.zeros(2, 1, 2))
