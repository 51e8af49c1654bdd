"""popnn: the loss of connectionist temporal classification, against torch in float64."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popnn/ctc", program_folder)


@pytest.mark.parametrize(
    ("name", "blank"), [("float", 0), ("last blank", 5), ("half", 0), ("half to float", 0)]
)
def test_losses_and_gradients(results: Results, name: str, blank: int) -> None:
    c = results[f"ctc {name}"]
    logits = torch.tensor(c["logits"].astype(np.float64), requires_grad=True)
    labels, steps, lengths = (
        torch.tensor(c[key].astype(np.int64)) for key in ("labels", "steps", "lengths")
    )
    log_probs = torch.log_softmax(logits, 2)
    loss = torch.nn.functional.ctc_loss(
        log_probs, labels, steps, lengths, blank, reduction="none", zero_infinity=True
    )
    loss.sum().backward()
    assert logits.grad is not None
    assert loss[4] == 0  # two steps are too few for four labels
    tolerance = 1e-2 if name.startswith("half") else 1e-4
    near = {"rtol": tolerance, "atol": tolerance}
    np.testing.assert_allclose(c["zeroed"], loss.detach(), **near)
    np.testing.assert_allclose(c["zeroed gradient"], logits.grad, **near)
    np.testing.assert_allclose(c["loss"][:4], loss.detach()[:4], **near)
    np.testing.assert_allclose(c["gradient"][:, :4], logits.grad[:, :4], **near)
    # P include/poplibs_support/LogArithmetic.hpp: probabilityZero
    assert c["loss"][4] >= 0.99 * 65504
    np.testing.assert_array_equal(c["loss alone"], c["loss"])


def test_log_probabilities(results: Results) -> None:
    c = results["log probabilities"]
    p = {0: 0.25, 1: 0.5}
    paths = [(1, 1, 1), (1, 1, 0), (1, 0, 0), (0, 1, 1), (0, 0, 1), (0, 1, 0)]
    weights = np.array([p[a] * p[b] * p[d] for a, b, d in paths])
    np.testing.assert_allclose(c["loss"], [-np.log(weights.sum())], rtol=1e-5)
    expected = np.zeros((3, 1, 3))
    for path, weight in zip(paths, weights):
        for step, symbol in enumerate(path):
            expected[step, 0, symbol] -= weight / weights.sum()
    np.testing.assert_allclose(c["gradient"], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(c["loss alone"], c["loss"])
    assert c["same"] == 1


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    errors = results.errors
    assert "Invalid CTC Loss plan provided" in str(errors["kind"])
    assert "Invalid CTC Loss plan provided" in str(errors["empty"])
    assert "Invalid CTC Inference plan provided" in str(errors["search kind"])
    assert errors["search"] == "beamSearchDecoderLogits: the search of beams is not emulated"
    assert errors["labels"] == "labels tensor must be of type UNSIGNED_INT"
    assert "expected data [T,B,C] with the blank class" in str(errors["blank"])
    assert "includeSoftmaxGradient = false" in str(errors["softmax"])
    assert errors["memory"] == errors["none"] == "No ctc loss plan found"
    assert errors["constraint"] is None
    assert errors["name"] == "Unrecognised constraint xyz"
