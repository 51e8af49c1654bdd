"""nn.Dropout: one mask for all steps of a sequence."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from popsnn import SpikeTensor, nn


def test_an_element_is_dropped_at_all_steps_or_at_none() -> None:
    x = torch.ones(5, 200, 10).requires_grad_()
    out = nn.Dropout(0.25)(x)
    assert torch.equal(out, out[:1].expand_as(out))
    assert out.unique().tolist() == [0.0, pytest.approx(1 / 0.75)]
    assert abs(float((out[0] == 0).float().mean()) - 0.25) < 0.05
    (grad,) = torch.autograd.grad(out.sum(), x)
    assert torch.equal(grad, out.detach())


@pytest.mark.parametrize("channels", [False, True])
def test_it_is_that_of_spikingjelly(channels: bool) -> None:
    layer = pytest.importorskip("spikingjelly.activation_based.layer")
    x = torch.randn(4, 3, 7, 2, 2)
    torch.manual_seed(1)
    theirs = (layer.Dropout2d if channels else layer.Dropout)(0.3, step_mode="m")(x)
    torch.manual_seed(1)
    assert torch.equal(nn.Dropout(0.3, channels=channels)(x), theirs)


def test_nothing_is_dropped_in_evaluation() -> None:
    drop, x = nn.Dropout().eval(), torch.randn(4, 3, 7)
    assert torch.equal(drop(x), x)
    out, mask = drop(x, torch.zeros(3, 7), return_state=True)
    assert torch.equal(out, x)
    assert torch.equal(drop.step(x[0], mask)[0], x[0])


def test_a_mask_of_evaluation_does_not_stay_in_training() -> None:
    drop, x = nn.Dropout().eval(), torch.ones(2, 3, 70)
    _, mask = drop(x, return_state=True)
    _, step_mask = drop.step(x[0])
    assert mask is None
    assert step_mask is None
    drop.train()
    assert bool((drop(x, mask) == 0).any())


def test_parts_of_a_sequence_and_single_steps_keep_the_mask() -> None:
    drop, x = nn.Dropout(), torch.randn(6, 3, 7)
    first, mask = drop(x[:2], return_state=True)
    whole = torch.cat([first, drop(x[2:], mask)])
    assert torch.equal(whole, x * mask)
    state, steps = None, []
    for step in x:
        out, state = drop.step(step, state)
        steps.append(out)
    assert state is not None
    assert torch.equal(torch.stack(steps), x * state)
    assert not torch.equal(state, mask)  # another call, another mask


def test_spikes_are_made_dense_and_16_bits_stay() -> None:
    x = (torch.rand(4, 3, 9) < 0.5).float()
    torch.manual_seed(1)
    dense = nn.Dropout()(x)
    torch.manual_seed(1)
    assert torch.equal(nn.Dropout()(SpikeTensor.from_dense(x)), dense)
    assert nn.Dropout()(x.bfloat16()).dtype == torch.bfloat16
    assert repr(nn.Dropout(0.2)) == "Dropout(p=0.2, channels=False)"


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: nn.Dropout(1.0), ValueError, r"Dropout: p: expected a number in \[0, 1\), got 1"),
        (lambda: nn.Dropout("x"), TypeError, "Dropout: p: expected a number, got str"),
        (
            lambda: nn.Dropout()(torch.rand(3, 4)),
            ValueError,
            r"Dropout: x: expected shape \[T, B, ...\], got \(3, 4\): one step x of a batch",
        ),
        (
            lambda: nn.Dropout()(torch.ones(2, 3, 4, dtype=torch.int64)),
            TypeError,
            "Dropout: x: expected a float tensor, got torch.int64",
        ),
        (
            lambda: nn.Dropout()(torch.rand(2, 3, 4), torch.ones(2, 4)),
            ValueError,
            r"Dropout: state: expected shape \(3, 4\), got \(2, 4\)",
        ),
        (
            lambda: nn.Dropout()(torch.rand(2, 3, 4), (torch.ones(3, 4),)),
            TypeError,
            "Dropout: state: expected a tensor, got tuple",
        ),
        (
            lambda: nn.Dropout().step(torch.rand(3, 4), [1]),
            TypeError,
            "Dropout: state: expected a tensor, got list",
        ),
        (
            lambda: nn.Dropout().step(torch.rand(4)),
            ValueError,
            r"Dropout.step: x: expected one step \[B, N, ...\], got shape \(4,\)",
        ),
    ],
)
def test_what_does_not_fit(call: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error, match=f"^{sentence}"):
        call()
