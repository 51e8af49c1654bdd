from __future__ import annotations

import pytest
import torch
from torch import nn as torch_nn

from popsnn import functional, nn


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_inside_of_a_convolutional_network(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    conv = torch_nn.Conv2d(1, 4, 3).to(dtype)
    lif = nn.LIF(beta=0.8, grad_threshold=0.0)
    frames = torch.rand(5, 2, 1, 8, 8).to(dtype)  # [T, B, C, H, W]
    spikes = lif(conv(frames.flatten(0, 1)).unflatten(0, (5, 2)))
    assert spikes.shape == (5, 2, 4, 6, 6)
    assert spikes.dtype == dtype
    assert set(spikes.unique().tolist()) <= {0.0, 1.0}
    spikes.sum().backward()
    assert conv.weight.grad is not None
    assert float(conv.weight.grad.abs().sum()) > 0


def test_state_goes_on() -> None:
    x = torch.rand(6, 2, 3)
    lif = nn.LIF()
    first, state = lif(x[:3], return_state=True)
    second = lif(x[3:], state)
    assert torch.equal(lif(x), torch.cat([first, second]))


def test_learnt_parts_get_gradients() -> None:
    lif = nn.LIF(beta=0.8, threshold=torch.ones(3), learn_beta=True, learn_threshold=True)
    assert {name for name, _ in lif.named_parameters()} == {"beta", "threshold"}
    lif(torch.rand(6, 2, 3)).sum().backward()
    assert all(float(p.grad.abs().sum()) > 0 for p in lif.parameters())


def test_a_learnt_leak_stays_a_leak() -> None:
    lif = nn.LIF(beta=0.9, learn_beta=True)
    with torch.no_grad():
        lif.beta.fill_(1.5)
    x = torch.rand(6, 2, 3)
    assert torch.equal(lif(x), functional.lif(x, beta=1.0).spikes)


def test_per_neuron_options_are_saved() -> None:
    lif = nn.LIF(beta=torch.tensor([0.1, 0.9]))
    assert "beta" in lif.state_dict()
    assert "reset='zero'" in repr(lif)


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"LIF: beta: expected values in \[0, 1\], got 1.5"):
        nn.LIF(beta=1.5)
    with pytest.raises(ValueError, match="LIF: threshold: expected a finite number, got nan"):
        nn.LIF(threshold=float("nan"))
    with pytest.raises(ValueError, match="LIF: threshold: expected finite values"):
        nn.LIF(threshold=torch.tensor([1.0, torch.inf]))
    with pytest.raises(TypeError, match=r"LIF: beta: expected a float tensor, got torch.int64"):
        nn.LIF(beta=torch.tensor([1]))
    with pytest.raises(TypeError, match="LIF: beta: expected a number or a tensor, got str"):
        nn.LIF(beta="0.9")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="LIF: reset: expected one of zero, subtract, none"):
        nn.LIF(reset="soft")
    with pytest.raises(ValueError, match="LIF: grad_threshold: expected at most the threshold 1"):
        nn.LIF(grad_threshold=2.0)


@pytest.mark.parametrize(
    "module", [nn.LIF, nn.IF, nn.PLIF, nn.SynapticLIF, nn.AdaptiveLIF, nn.LeakyIntegrator]
)
def test_an_error_of_a_module_has_its_name(module: type[nn.LIF]) -> None:
    with pytest.raises(ValueError, match=rf"^{module.__name__}: current: expected shape \[T, B"):
        module()(torch.zeros(2, 3))


@pytest.mark.parametrize(
    ("module", "shown"),
    [
        (nn.LIF(0.9), "LIF(beta=0.9, threshold=1, reset='zero', "),
        (nn.IF(2.0), "IF(beta=1, threshold=2, "),
        (nn.PLIF(0.5), "PLIF(w=0 (learnt), threshold=1, "),
        (
            nn.LIF(torch.tensor([0.25, 0.5]), learn_beta=True, learn_threshold=True),
            "LIF(beta=0.25..0.5 (learnt), threshold=1 (learnt), ",
        ),
        (nn.SynapticLIF(0.7, 0.8), "SynapticLIF(alpha=0.7, beta=0.8, threshold=1, "),
        (
            nn.AdaptiveLIF(rho=torch.tensor([0.5])),
            "AdaptiveLIF(beta=0.9, rho=0.5, kappa=0.2, threshold=1, ",
        ),
        (nn.LeakyIntegrator(0.8), "LeakyIntegrator(beta=0.8)"),
        (
            nn.SparseLIF(4, 5, beta=0.8, learn_beta=True, gain=2.0),
            "SparseLIF(4, 5, bias=True, recurrent=False, delay=0, beta=0.8 (learnt), threshold=1, "
            "gain=2, capacity=5, ",
        ),
        (nn.SparseLI(4, 5, beta=0.5), "SparseLI(4, 5, bias=True, beta=0.5, gain=1, delay=0, "),
        (nn.BatchNormLIF(3, 0.7, 0.5), "beta=0.7, threshold=0.5, reset='zero'"),
        (nn.LIF(torch.ones(3)).to("meta"), "LIF(beta=(3,), threshold=1, "),
    ],
    ids=lambda value: type(value).__name__,
)
def test_print_shows_the_neurons_parameters_and_what_learns(
    module: torch_nn.Module, shown: str
) -> None:
    assert shown in repr(module)
