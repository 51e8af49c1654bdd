from __future__ import annotations

import re
from typing import Any, Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from popsnn import functional, surrogate

RESETS = ["zero", "subtract", "none", "subtract_after", "zero_after"]


def neuron(
    current: list[float], beta: float, threshold: float, reset: str
) -> tuple[list[float], ...]:
    """One neuron, written as the reference reads."""
    v = s = 0.0
    membrane, spikes = [], []
    for i in current:
        r = {"zero": v * (1 - s), "subtract": v - threshold * s}.get(reset, v)
        v = beta * r + i
        v = {"zero_after": v * (1 - s), "subtract_after": v - threshold * s}.get(reset, v)
        s = float(v >= threshold)
        membrane.append(v)
        spikes.append(s)
    return membrane, spikes


@given(
    st.lists(st.floats(-2, 2), min_size=1, max_size=20),
    st.floats(0, 1),
    st.floats(0.1, 2),
    st.sampled_from(RESETS),
)
def test_lif_equals_the_slow_definition(
    current: list[float], beta: float, threshold: float, reset: str
) -> None:
    x = torch.tensor(current, dtype=torch.float64).view(-1, 1, 1)
    out = functional.lif(x, beta=beta, threshold=threshold, reset=reset)
    membrane, spikes = neuron(current, beta, threshold, reset)
    assert out.membrane[:, 0, 0].tolist() == membrane
    assert out.spikes[:, 0, 0].tolist() == spikes


def test_a_membrane_at_the_threshold_fires() -> None:
    out = functional.lif(torch.tensor([[[1.0]]]), threshold=1.0)
    assert out.spikes.tolist() == [[[1.0]]]


def test_li_and_its_state() -> None:
    current = torch.randn(5, 2, 3).double()
    whole = functional.li(current, beta=0.8)
    expected = [sum(0.8 ** (t - k) * current[k] for k in range(t + 1)) for t in range(5)]
    torch.testing.assert_close(whole.membrane, torch.stack(expected))  # type: ignore[arg-type]
    first = functional.li(current[:2], beta=0.8)
    second = functional.li(current[2:], first.state, beta=0.8)
    assert torch.equal(second.membrane, whole.membrane[2:])


@given(st.sampled_from(RESETS), st.booleans(), st.integers(0, 1000))
@settings(max_examples=30)
def test_gradient_of_the_hard_network_by_hand(reset: str, detach: bool, seed: int) -> None:
    """The recursion of the backward pass, written out for one layer of independent neurons."""
    torch.manual_seed(seed)
    steps, beta, threshold, grad_threshold = 7, 0.8, 0.9, 0.2
    derivative = surrogate.SuperSpike()
    current = torch.randn(steps, 2, 3, dtype=torch.float64).requires_grad_()
    out = functional.lif(
        current, beta=beta, threshold=threshold, reset=reset,
        detach_reset=detach, grad_threshold=grad_threshold,
    )  # fmt: skip
    weight = torch.randn_like(out.spikes)
    (out.spikes * weight).sum().backward()

    v, s = out.membrane.detach(), out.spikes.detach()
    active = (v >= grad_threshold).double()
    later = torch.zeros_like(v[0])  # gradient of v[t+1]
    for t in reversed(range(steps)):
        through_s = weight[t].clone()
        if not detach:
            following = current.detach()[t + 1] if t + 1 < steps else torch.zeros_like(v[t])
            dv_ds = {
                "zero": -beta * v[t],
                "subtract": torch.full_like(v[t], -beta * threshold),
                "none": 0 * v[t],
                "subtract_after": torch.full_like(v[t], -threshold),
                "zero_after": -(beta * v[t] + following),
            }
            through_s = through_s + later * dv_ds[reset]
        dr_dv = 1 - s[t] if reset.startswith("zero") else torch.ones_like(s[t])
        later = (
            through_s * derivative.derivative(v[t] - threshold) * active[t] + later * beta * dr_dv
        )
        dropped = reset == "zero_after" and t > 0
        of_current = later * (1 - s[t - 1]) if dropped else later
        assert current.grad is not None
        torch.testing.assert_close(current.grad[t], of_current)


MISTAKES = [
    (
        lambda: functional.lif(torch.zeros(2, 3, 1, dtype=torch.int64)),
        TypeError,
        "current: expected a float tensor, got torch.int64",
    ),
    (
        lambda: functional.lif(torch.zeros(2)),
        ValueError,
        "current: expected shape [T, B, N, ...], got (2,)",
    ),
    (
        lambda: functional.lif(torch.zeros(64, 10)),
        ValueError,
        "current: expected shape [T, B, N, ...], got (64, 10): one step x of a batch is x[None]",
    ),
    (
        lambda: functional.adaptive_lif(torch.zeros(1, 2, 3), torch.zeros(2, 3)),  # type: ignore[arg-type]
        TypeError,
        "state: expected a tuple of 3 tensors (v, a, s), got one tensor of shape (2, 3)",
    ),
    (
        lambda: functional.adaptive_lif(torch.zeros(1, 2, 3), 3),  # type: ignore[arg-type]
        TypeError,
        "state: expected a tuple of 3 tensors (v, a, s), got int",
    ),
    (
        lambda: functional.lif(torch.zeros(1, 2, 3), (torch.zeros(2, 3), 1)),  # type: ignore[arg-type]
        TypeError,
        "state s: expected a tensor, got int",
    ),
    (
        lambda: functional.lif(torch.zeros(2, 3, 1), reset="hard"),
        ValueError,
        "reset: expected one of zero, subtract, none, subtract_after, zero_after, got 'hard'",
    ),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_mistakes_get_one_sentence(
    call: Callable[[], Any], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=re.escape(sentence)) as caught:
        call()
    assert str(caught.value).startswith("functional.")


@pytest.mark.parametrize("steps", [0, 1])
def test_short_and_empty_inputs(steps: int) -> None:
    assert functional.lif(torch.zeros(steps, 0, 2, 2)).spikes.shape == (steps, 0, 2, 2)
