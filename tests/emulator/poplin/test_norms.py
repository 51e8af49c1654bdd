"""poplin and popnn: normalisations and their gradients, against torch in double precision."""

from __future__ import annotations

from pathlib import Path
from typing import Tuple

import numpy as np
import pytest
import torch
from tests.emulator.library_tool import Results, run_program

EPS = 0.01
# Of each case: the number of groups (0: statistics are over the batch), whether they are strided.
CASES = {
    "batch": (0, False),
    "batch stable": (0, False),
    "batch half": (0, False),
    "batch dense": (0, False),
    "group": (3, False),
    "group strided": (2, True),
    "group half": (2, True),
    "group dense": (2, False),
    "instance": (3, False),
    "layer": (1, False),
}


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("poplin/norms", program_folder)


def statistics(
    acts: torch.Tensor, groups: int, strided: bool
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the mean, the variance, and the index of each activation's statistic."""
    n, c = acts.shape[:2]
    sample = torch.arange(n).reshape(-1, 1)
    channel = torch.arange(c).reshape(1, -1)
    if groups == 0:
        index = channel.expand(n, c)
    elif strided:
        index = sample * groups + channel % groups
    else:
        index = sample * groups + channel // (c // groups)
    index = index.reshape([n, c] + [1] * (acts.dim() - 2)).expand(acts.shape)
    rows = [acts[index == i] for i in range(int(index.max()) + 1)]
    mean = torch.stack([row.mean() for row in rows])
    variance = torch.stack([row.var(unbiased=False) for row in rows])
    return mean, variance, index


@pytest.mark.parametrize("name", CASES)
def test_normalisation(results: Results, name: str) -> None:
    got = results[name]
    tolerance = 6e-3 if got["acts"].dtype == np.float16 else 3e-5

    def close(key: str, expected: torch.Tensor) -> None:
        assert got[key].dtype == got["acts"].dtype
        assert got[key].shape == tuple(expected.shape)
        expected_values = expected.detach().numpy()
        np.testing.assert_allclose(got[key], expected_values, rtol=tolerance, atol=tolerance)

    def double(key: str) -> torch.Tensor:
        return torch.tensor(got[key].astype(np.float64), requires_grad=True)

    acts, gamma, beta = double("acts"), double("gamma"), double("beta")
    mean, variance, index = statistics(acts, *CASES[name])
    inv = 1 / (variance + EPS).sqrt()
    whitened = (acts - mean[index]) * inv[index]
    shape = [-1] + [1] * (acts.dim() - 2)
    out = whitened * gamma.reshape(shape) + beta.reshape(shape)
    close("mean", mean)
    close("inv", inv)
    close("whitened", whitened)
    close("out", out)
    by_acts, by_gamma, by_beta = torch.autograd.grad(
        (out * double("grads")).sum(), [acts, gamma, beta]
    )
    for key in ("gamma_gradient", "gamma_again"):
        close(key, by_gamma)
    for key in ("beta_gradient", "beta_again"):
        close(key, by_beta)
    for key in ("gradient", "gradient_again"):
        close(key, by_acts)
    if name.startswith("batch"):
        n = acts.numel() // acts.shape[1]
        close("unbiased", 1 / ((variance + EPS) * n / (n - 1)).sqrt())
        close("plain", acts * gamma.reshape(shape) + beta.reshape(shape))
        close("gamma_updated", gamma - 0.25 * by_gamma)
        close("beta_updated", beta - 0.25 * by_beta)
    if name in ("instance", "layer"):
        close("white", whitened)
        close("gamma_updated", 3 * gamma)
        close("beta_updated", 3 * beta)


@pytest.mark.parametrize("name", ["distributed", "distributed stable"])
def test_replicas_share_statistics(results: Results, name: str) -> None:
    got = results[name]
    acts, grads = (got[key].astype(np.float64) for key in ("acts", "grads"))
    mean = acts.mean((0, 2))
    n = 3 * 8  # replicas, elements of each
    inv = 1 / np.sqrt((acts.var((0, 2)) + EPS) * n / (n - 1))
    np.testing.assert_allclose(got["mean"], mean, rtol=1e-5)
    np.testing.assert_allclose(got["inv"], inv, rtol=1e-5)
    whitened = (acts - mean[:, None]) * inv[:, None]
    np.testing.assert_allclose(got["whitened"], whitened, rtol=1e-4, atol=1e-5)
    by_white = grads * got["gamma"][:, None]
    over = (by_white * whitened).mean((0, 2), keepdims=True)
    expected = (by_white - over * whitened - by_white.mean((0, 2), keepdims=True)) * inv[:, None]
    for key in ("gradient", "gradient_again"):
        np.testing.assert_allclose(got[key], expected, rtol=1e-4, atol=1e-5)


def test_nothing_to_normalise(results: Results) -> None:
    assert results["no samples"]["mean"].shape == (0,)
    np.testing.assert_array_equal(results["no field"]["mean"], [0, 0])
    np.testing.assert_array_equal(results["no field"]["inv"], [1, 1])


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    assert results.errors["rank"] == "Norm supported for tensors of rank > 1, got {3}"
    assert results.errors["groups"] == (
        "Group Norm : Number of channels must be an integral multiple of number of groups, "
        "got 6 and 4"
    )
    assert results.errors["statistics"] == (
        "groupNormWhiten: expected statistics of a multiple of the batch size 2, got {3}"
    )
    assert results.errors["mean"] == (
        "normWhiten: mean: expected one element for each of 6 channels, got {3}"
    )
    assert results.errors["gradients"] == (
        "normParamGradients: gradsIn: expected the shape {2,6,3} of the activations, got {6,3}"
    )
    assert results.errors["norm size"] == (
        "Norm batch size must be an integer multiple of replica batch size, got 5 and 2"
    )
    assert "Unrecognised option 'strided'" in str(results.errors["option"])
