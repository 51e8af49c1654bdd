from __future__ import annotations

import math

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt
from torch.nn.functional import cross_entropy

import popsnn.cuda
from popsnn import functional
from popsnn.cuda.layer import padded_rows
from popsnn.cuda.layer.readout_loss import SOURCE, THREADS


def padded_membrane(steps: int, batch: int, classes: int, device: torch.device) -> torch.Tensor:
    rows = 3 * torch.randn(steps, batch, padded_rows.padded(classes))
    return rows.to(device).requires_grad_()


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    steps=st.integers(1, 40),
    batch=st.integers(1, 40),
    classes=st.integers(1, 70),
    smoothing=st.sampled_from([0.0, 0.1, 1.0]),
    readout=st.sampled_from(["mean", "sum"]),
)
def test_loss_and_gradients_are_those_of_the_reference(
    kernels: Engine, steps: int, batch: int, classes: int, smoothing: float, readout: str
) -> None:
    rows = padded_membrane(steps, batch, classes, kernels.device)
    labels = torch.randint(classes, (batch,))
    scale = 1 / steps if readout == "mean" else 1.0
    loss, scores = popsnn.cuda.readout_loss(
        padded_rows.unpadded(rows, classes), labels.to(kernels.device), scale, smoothing
    )
    weights = torch.randn(batch, classes)
    inputs = [torch.tensor(0.7), weights]
    (grad,) = torch.autograd.grad(
        [loss, scores], rows, [tensor.to(loss.device) for tensor in inputs]
    )
    (of_loss,) = torch.autograd.grad(
        popsnn.cuda.readout_loss(rows[..., :classes], labels.to(loss.device), scale, smoothing)[0],
        rows,
    )

    wide = rows.detach().cpu().double().requires_grad_()
    expected = functional.readout_loss(
        wide[..., :classes], labels, readout=readout, label_smoothing=smoothing
    )
    (expected_grad,) = torch.autograd.grad(
        list(expected), wide, [tensor.double() for tensor in inputs], retain_graph=True
    )
    (expected_of_loss,) = torch.autograd.grad(expected.loss, wide)
    pairs = [
        (loss, expected.loss),
        (scores, expected.scores),
        (grad[..., :classes], expected_grad[..., :classes]),
        (of_loss, expected_of_loss),
    ]
    for got, wanted in pairs:
        torch.testing.assert_close(got.cpu().double(), wanted, rtol=2e-5, atol=2e-5)


def test_the_reference_is_the_cross_entropy_of_the_scores() -> None:
    membrane, labels = torch.randn(5, 3, 4, dtype=torch.float64), torch.tensor([0, 3, 1])
    mean = functional.readout_loss(membrane, labels, label_smoothing=0.2)
    assert torch.equal(mean.scores, membrane.mean(0))
    assert torch.equal(mean.loss, cross_entropy(membrane.mean(0), labels, label_smoothing=0.2))
    assert torch.equal(
        functional.readout_loss(membrane, labels, readout="sum").scores, membrane.sum(0)
    )


def test_gradients_of_all_steps_are_one_row_of_memory(kernels: Engine) -> None:
    rows = padded_membrane(6, 3, 5, kernels.device)
    result: list[torch.Tensor] = []
    rows.register_hook(result.append)
    labels = torch.tensor([0, 4, 2], device=kernels.device)
    popsnn.cuda.readout_loss(padded_rows.unpadded(rows, 5), labels, 1.0, 0.0)[0].backward()
    assert result[0].stride() == (0, 8, 1)
    assert rows.grad is not None
    assert rows.grad[..., :5].any()


def test_a_label_that_names_no_class_gives_no_number(kernels: Engine) -> None:
    membrane = torch.randn(3, 2, 8, device=kernels.device)
    labels = torch.tensor([0, 8], device=kernels.device)
    assert math.isnan(popsnn.cuda.readout_loss(membrane, labels, 1.0, 0.0)[0])


@pytest.mark.parametrize(
    ("shape", "labels", "options", "message"),
    [
        ((3, 2), torch.zeros(2).long(), {}, "membrane: expected a float tensor .T, B, C., got"),
        ((3, 2, 4), torch.zeros(3).long(), {}, r"labels: expected int64 of shape \(2,\), got"),
        ((3, 2, 4), torch.zeros(2), {}, "labels: expected int64 .* got torch.float32"),
        ((3, 2, 4), torch.zeros(2).long(), {"readout": "max"}, "readout: expected one of mean"),
        (
            (3, 2, 4),
            torch.zeros(2).long(),
            {"label_smoothing": 1.5},
            r"label_smoothing: expected a number in \[0, 1\], got 1.5",
        ),
    ],
)
def test_arguments_are_checked(
    shape: tuple[int, ...], labels: torch.Tensor, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=f"readout_loss: {message}"):
        functional.readout_loss(torch.randn(shape), labels, **options)  # type: ignore[arg-type]


def test_a_backend_that_is_named_says_why_it_cannot() -> None:
    labels = torch.zeros(2).long()
    for membrane, reason in (
        (
            torch.randn(3, 2, 4),
            "the membrane is on cpu and the labels on cpu, not on one CUDA device",
        ),
        (torch.randn(3, 2, 4).double(), "the membrane is torch.float64, not float32"),
        (torch.randn(3, 2, 0), "not of 1 to 4096 classes"),
    ):
        with pytest.raises(RuntimeError, match=reason):
            functional.readout_loss(membrane, labels, backend="cuda")


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    assert constants(header("layer/readout_loss"))["kReadoutThreads"] == THREADS


def test_compiles() -> None:
    assert most_spilt(SOURCE, "sm_80") == 0
