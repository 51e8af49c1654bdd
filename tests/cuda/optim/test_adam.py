from __future__ import annotations

import copy
import math
import re
from typing import Any

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt

from popsnn.cuda import Adam, AdamW
from popsnn.cuda.optim import adam

SHAPES = [(3, 5), (7,), (2100,), ()]
OPTIONS = {"lr": 3e-2, "betas": (0.8, 0.99), "eps": 1e-3, "weight_decay": 0.1}
KINDS = [(Adam, torch.optim.Adam), (AdamW, torch.optim.AdamW)]


@pytest.fixture(autouse=True)
def on_a_cpu_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adam, "takes", lambda tensor: True)


def parameters(device: torch.device) -> list[torch.nn.Parameter]:
    return [torch.nn.Parameter(torch.randn(shape, device=device)) for shape in SHAPES]


def train(optimizer: torch.optim.Optimizer, params: list[torch.nn.Parameter], steps: int) -> None:
    generator = torch.Generator().manual_seed(steps)
    for _ in range(steps):
        for index, parameter in enumerate(params):
            grad = torch.randn(parameter.shape, generator=generator).to(parameter)
            parameter.grad = None if index == 1 else grad
        optimizer.step()


@pytest.mark.parametrize(("kind", "of_torch"), KINDS)
def test_its_steps_are_those_of_torch(kernels: Engine, kind: Any, of_torch: Any) -> None:
    mine = parameters(kernels.device)
    expected = [torch.nn.Parameter(tensor.detach().cpu().double()) for tensor in mine]
    rate = torch.tensor(3e-2, device=kernels.device)
    optimizer = kind(mine, **{**OPTIONS, "lr": rate})
    reference = of_torch(expected, **OPTIONS)
    train(optimizer, mine, 4)
    train(reference, expected, 4)
    rate.fill_(1e-2)
    reference.param_groups[0]["lr"] = 1e-2
    train(optimizer, mine, 1)
    train(reference, expected, 1)
    for tensor, other in zip(mine, expected):
        torch.testing.assert_close(
            tensor.detach().cpu().double(), other.detach(), rtol=1e-5, atol=1e-6
        )


@pytest.mark.parametrize(("kind", "of_torch"), KINDS)
def test_it_goes_on_from_a_state_of_torch(kernels: Engine, kind: Any, of_torch: Any) -> None:
    mine = parameters(kernels.device)
    before = of_torch(mine, **OPTIONS)
    train(before, mine, 2)
    after, other = copy.deepcopy(mine), copy.deepcopy(mine)
    optimizer = kind(after, lr=1.0)
    train(optimizer, after, 1)
    with torch.no_grad():
        for tensor, start in zip(after, mine):
            tensor.copy_(start)
    stored = optimizer.state[after[0]]["exp_avg"]
    state = before.state_dict()
    for group in state["param_groups"]:  # which torch 2.6 and older do not have
        group.pop("decoupled_weight_decay", None)
    optimizer.load_state_dict(copy.deepcopy(state))
    assert optimizer.state[after[0]]["exp_avg"] is stored
    reference = of_torch(other, lr=1.0)
    reference.load_state_dict(copy.deepcopy(before.state_dict()))
    train(optimizer, after, 3)
    train(reference, other, 3)
    torch.testing.assert_close(after, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("betas", "large"), [((0.0, 0.0), 1e4), ((0.2, 0.1), 1e4), ((0.9, 0.999), 1e25)]
)
def test_large_gradients_pass_as_with_torch(
    kernels: Engine, betas: tuple[float, float], large: float
) -> None:
    """They weigh nothing any more, or their squares are infinite."""
    mine = torch.nn.Parameter(torch.ones(5, device=kernels.device))
    expected = torch.nn.Parameter(torch.ones(5))
    optimizer, reference = Adam([mine], 1e-2, betas), torch.optim.Adam([expected], 1e-2, betas)
    for scale in (large, 1.0, 1e-4, 1e-4):
        expected.grad = scale * torch.tensor([1.0, -0.5, 0.3, 0.0, 2.0])
        mine.grad = expected.grad.to(kernels.device)
        optimizer.step()
        reference.step()
    torch.testing.assert_close(mine.detach().cpu(), expected.detach(), rtol=1e-5, atol=1e-6)


def test_a_loaded_state_keeps_memory(kernels: Engine) -> None:
    """Tensors of a captured step, by address: states, also those not loaded, and the rate."""
    params = parameters(kernels.device)
    rate = torch.tensor(3e-2, device=kernels.device)
    optimizer = Adam(params, lr=rate)
    at_rest = copy.deepcopy(optimizer.state_dict())
    start = copy.deepcopy(params)
    train(optimizer, params, 2)
    stored = {param: dict(state) for param, state in optimizer.state.items()}
    at_rest["param_groups"][0]["lr"] = torch.tensor(1e-2)
    optimizer.load_state_dict(at_rest)
    assert optimizer.param_groups[0]["lr"] is rate
    assert float(rate) == pytest.approx(1e-2)
    for param, tensors in stored.items():
        for name, tensor in tensors.items():
            assert optimizer.state[param][name] is tensor
    with torch.no_grad():
        for parameter, first in zip(params, start):
            parameter.copy_(first)
    train(optimizer, params, 3)
    other = Adam(start, lr=1e-2)
    train(other, start, 3)
    torch.testing.assert_close(params, start, rtol=0, atol=0)


def test_a_state_of_other_strides(kernels: Engine) -> None:
    generator = torch.Generator().manual_seed(4)
    values, *grads = torch.randn(4, 6, 5, generator=generator).to(kernels.device)
    expected = torch.nn.Parameter(values.clone())
    reference = torch.optim.Adam([expected], lr=1e-2)
    across = torch.nn.Parameter(values.t().contiguous().t())
    before = torch.optim.Adam([across], lr=1e-2)
    for optimizer, tensor in ((reference, expected), (before, across)):
        for grad in grads[:2]:
            tensor.grad = grad.clone()
            optimizer.step()
    assert not before.state[across]["exp_avg"].is_contiguous()
    mine = torch.nn.Parameter(across.detach().contiguous())
    after = Adam([mine])
    after.load_state_dict(before.state_dict())
    for optimizer, tensor in ((reference, expected), (after, mine)):
        tensor.grad = grads[2].clone()
        optimizer.step()
    torch.testing.assert_close(mine, expected, rtol=1e-5, atol=1e-6)
    refused = Adam([across])
    refused.load_state_dict(before.state_dict())
    with pytest.raises(ValueError, match=r"expected contiguous float32 tensors on a GPU, got"):
        refused.step()


def test_more_tensors_than_a_launch_takes(kernels: Engine) -> None:
    params = [torch.nn.Parameter(torch.ones(2, device=kernels.device)) for _ in range(50)]
    optimizer = Adam(params, lr=0.5)
    for parameter in params:
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    for parameter in params:
        torch.testing.assert_close(parameter.detach().cpu(), torch.full((2,), 0.5))


def test_what_it_does_not_take(kernels: Engine) -> None:
    param = torch.nn.Parameter(torch.zeros(4, 2, device=kernels.device, dtype=torch.float64))
    param.grad = torch.zeros_like(param)
    sentence = "cuda.Adam: params: expected contiguous float32 tensors on a GPU, got torch.float64"
    with pytest.raises(ValueError, match=re.escape(sentence)):
        Adam([param]).step()
    optimizer = Adam([param])
    optimizer.param_groups[0]["amsgrad"] = True
    with pytest.raises(ValueError, match=r"cuda.Adam: amsgrad: expected False, got True"):
        optimizer.step()
    optimizer.load_state_dict(AdamW([param]).state_dict())
    sentence = "cuda.Adam: decoupled_weight_decay: expected False, got True"
    with pytest.raises(ValueError, match=sentence):
        optimizer.step()
    narrow = torch.nn.Parameter(torch.zeros(3, device=kernels.device))
    if hasattr(narrow, "grad_dtype"):  # from torch 2.10 on
        narrow.grad_dtype = torch.bfloat16
        narrow.grad = torch.zeros(3, device=kernels.device, dtype=torch.bfloat16)
        with pytest.raises(ValueError, match=r"expected gradients of float32, got torch.bfloat16"):
            Adam([narrow]).step()
    rate = torch.tensor(0.1, dtype=torch.float64, device=kernels.device)
    with pytest.raises(ValueError, match=r"Adam: lr: expected a float32 tensor, got torch.float64"):
        Adam([param], lr=rate).step()


@pytest.mark.parametrize("kind", [Adam, AdamW])
@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        ("lr", -1.0, "a number of at least 0"),
        ("lr", math.nan, "a number of at least 0"),
        ("eps", -1e-8, "a number of at least 0"),
        ("weight_decay", math.inf, "a number of at least 0"),
        ("betas", (0.9, 1.0), "two numbers in [0, 1)"),
    ],
)
def test_options_that_are_changed_to_bad_values(
    kernels: Engine, kind: Any, option: str, value: Any, wanted: str
) -> None:
    params = parameters(kernels.device)
    before = copy.deepcopy(params)
    optimizer = kind(params)
    optimizer.param_groups[0][option] = value
    sentence = f"cuda.{kind.__name__}: {option}: expected {wanted}, got {value}"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        train(optimizer, params, 1)
    torch.testing.assert_close(params, before, rtol=0, atol=0)


def test_a_parameter_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    param = torch.nn.Parameter(torch.zeros(3))
    param.grad = torch.zeros(3)
    with pytest.raises(ValueError, match=r"tensors on a GPU, got torch.float32 .* on cpu$"):
        Adam([param]).step()


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    text = header("optim/adam")
    found = constants(text)
    assert found["kAdamThreads"] == adam.THREADS
    assert found["kAdamTensors"] == adam.MOST_TENSORS
    assert f"constexpr int kAdamElements = {adam.ELEMENTS // adam.THREADS} * kAdamThreads;" in text


def test_compiles() -> None:
    assert most_spilt(adam.SOURCE, "sm_80") == 0
