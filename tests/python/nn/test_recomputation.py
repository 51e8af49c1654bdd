"""Networks whose spikes drop inside of regions that torch.utils.checkpoint runs twice."""

from __future__ import annotations

import copy
import gc
import re
from typing import Any, Callable

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

from popsnn import nn
from popsnn.nn import _recomputation

Region = Callable[..., Any]
TORCH = tuple(int(number) for number in torch.__version__.split(".")[:2])


@pytest.fixture(params=[False, True], ids=["without_reentry", "reentrant"])
def reentrant(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def region(reentrant: bool) -> Region:
    """Run a function as a checkpointed region."""

    def run(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        return checkpoint(function, *arguments, use_reentrant=reentrant, **options)

    return run


def plain(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Run a function as it is."""
    return function(*arguments)


def network(engine: str, **options: Any) -> nn.SNN:
    hidden = nn.SparseLIF(6, 40, max_activity=0.1, recurrent=True)
    return nn.SNN(hidden, nn.LI(40, 3), backend=engine, seed=3, **options)


def spikes() -> Tensor:
    return (torch.rand(5, 3, 6) < 0.5).float().requires_grad_()


def check(net: nn.SNN, run: Callable[[nn.SNN, Region], None], region: Region) -> None:
    """Run a training step as it is and in regions, and compare gradients and the count of calls."""
    other = copy.deepcopy(net)
    run(net, plain)
    assert sum(layer.dropped_spikes for layer in net.stats()) > 0
    run(other, region)
    for (name, expected), got in zip(net.named_parameters(), other.parameters()):
        assert expected.grad is not None
        largest = float(expected.grad.abs().max())
        assert largest > 0, name
        # Regions add up the same gradients in another order.
        assert float((got.grad - expected.grad).abs().max()) <= 1e-6 * largest, name
    assert int(other._calls) == int(net._calls)


def test_one_call(engine: str, region: Region) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        region(net, x).square().sum().backward()

    check(network(engine), step, region)


def test_the_input_of_a_checkpointed_network_has_its_gradient(engine: str, region: Region) -> None:
    x, net = spikes(), network(engine)
    other = copy.deepcopy(net)
    (expected,) = torch.autograd.grad(net(x).square().sum(), x)
    region(other, x).square().sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, expected)


def test_calls_between_the_pass_and_its_repetition(engine: str, region: Region) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        net.eval()
        out = region(net, x)
        net.train()
        net(x)
        net(x)
        out.square().sum().backward()

    check(network(engine), step, region)


def test_several_calls_in_a_region(engine: str, region: Region) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        def twice(x: Tensor) -> Tensor:
            return net(x).square() + net(x).relu()

        region(twice, x).sum().backward()

    check(network(engine), step, region)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_regions_are_repeated_in_any_order(
    engine: str, region: Region, order: tuple[int, ...]
) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        outputs = [region(net, x) for _ in range(3)]
        for index in order:
            (outputs[index].square().sum() * (index + 1)).backward()

    check(network(engine), step, region)


def test_regions_of_two_networks(engine: str, region: Region) -> None:
    x, other = spikes(), network(engine)

    def step(net: nn.SNN, region: Region) -> None:
        def both(x: Tensor) -> Tensor:
            return other(x).relu() * net(x)

        other._calls.zero_()
        region(both, x).sum().backward()

    check(network(engine), step, region)


def test_nested_regions(engine: str, region: Region) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        def outer(x: Tensor) -> Tensor:
            return region(net, x).square() + net(x).relu() + region(net, x).sin()

        out = region(outer, x)
        net(x)
        out.sum().backward()

    check(network(engine), step, region)


@pytest.mark.parametrize("outer", [False, True])
def test_nested_regions_of_both_kinds(engine: str, outer: bool) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        def inner(x: Tensor) -> Tensor:
            return region(net, x, use_reentrant=not outer).square() + net(x).relu()

        region(inner, x, use_reentrant=outer).sum().backward()

    check(network(engine), step, checkpoint)


def test_a_sequence_in_regions(engine: str, reentrant: bool) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        def pieces(x: Tensor) -> Tensor:
            first, state = net(x[:2], return_state=True)
            second = net(x[2:], state)
            return torch.cat([first, second])

        region(pieces, x, preserve_rng_state=False).square().sum().backward()

    check(
        network(engine),
        step,
        lambda f, *x, **options: checkpoint(f, *x, use_reentrant=reentrant, **options),
    )


def test_checkpoint_sequential(engine: str, reentrant: bool) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        class Gate(torch.nn.Module):
            def forward(self, y: Tensor) -> Tensor:
                return net((y > 0).to(y) + (y - y.detach()))

        chain = [Gate(), torch.nn.Linear(3, 6), Gate(), torch.nn.Linear(3, 6), Gate()]
        generator = torch.Generator().manual_seed(0)
        for linear in (chain[1], chain[3]):
            for parameter in linear.parameters():
                drawn = torch.rand(parameter.shape, generator=generator, device="cpu")
                parameter.data.copy_(drawn - 0.3)
        if region is plain:
            out = torch.nn.Sequential(*chain)(x)
        else:
            out = checkpoint_sequential(chain, 2, x, use_reentrant=reentrant)
        out.square().sum().backward()

    check(network(engine), step, checkpoint_sequential)


def test_backward_twice(engine: str, region: Region) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        def twice(x: Tensor) -> Tensor:
            return net(x).square() + net(x).relu()

        out = region(twice, x).sum()
        out.backward(retain_graph=True)
        net(x)
        (2 * out).backward()

    check(network(engine), step, region)


@pytest.mark.skipif(TORCH < (2, 1), reason="torch.utils.checkpoint of torch 2.0 refuses it")
def test_a_backward_pass_inside_of_a_region(engine: str) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        def with_penalty(x: Tensor) -> Tensor:
            out = net(x)
            weight = net.stack[-1].weight
            (slope,) = torch.autograd.grad(out.square().sum(), weight, retain_graph=True)
            return net(x).square() * slope.sum()

        region(with_penalty, x).sum().backward()

    if engine == "cuda":  # whose backward pass is in another thread, where no region is known
        with pytest.raises(RuntimeError, match="SNN: forward: expected a first pass"):
            check(network(engine), step, lambda f, x: checkpoint(f, x, use_reentrant=False))
        return
    check(network(engine), step, lambda f, x: checkpoint(f, x, use_reentrant=False))


class _Twice(torch.autograd.Function):
    """A checkpoint of a library's own."""

    @staticmethod
    def forward(ctx: Any, function: Any, x: Tensor) -> Tensor:
        ctx.function = function
        ctx.save_for_backward(x)
        with torch.no_grad():
            return function(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            out = ctx.function(x)
        torch.autograd.backward(out, grad)
        return None, x.grad


def test_a_function_that_repeats_its_forward_pass(engine: str) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        first, second = region(net, x), region(net, x)
        (first.square() + second.relu()).sum().backward()

    check(network(engine), step, _Twice.apply)


def test_tensors_that_are_saved_on_the_host(engine: str) -> None:
    x = spikes()

    def step(net: nn.SNN, region: Region) -> None:
        def inside(x: Tensor) -> Tensor:
            with saved_tensors_hooks(lambda saved: saved.clone(), lambda saved: saved):
                return net(x)

        region(inside, x).square().sum().backward()

    check(network(engine), step, lambda f, x: checkpoint(f, x, use_reentrant=False))


def test_seeds_live_as_long_as_the_graph(region: Region) -> None:
    def living() -> int:
        gc.collect()
        return sum(type(thing) is _recomputation._Seeds for thing in gc.get_objects())

    net, before = network("torch"), living()
    out = region(net, spikes())
    assert living() == before + 1
    out.square().sum().backward()
    del out
    assert living() == before


def test_a_pass_whose_first_one_is_not_known(engine: str) -> None:
    net, x = network(engine), spikes()
    inside = []
    y = torch.ones(1, requires_grad=True) * 2
    y.register_hook(lambda grad: inside.append(net(x)))
    sentence = re.escape(
        "SNN: forward: expected a first pass, or one that torch.utils.checkpoint repeats in a "
        "backward pass, got a repeated one whose drop seed is not known: pass a state with a seed"
    )
    with pytest.raises(RuntimeError, match=f"^{sentence}$"):
        y.backward()
    assert not inside
    state = nn.SNNState(net.initial_state(3).layers, 7)
    y = torch.ones(1, requires_grad=True) * 2
    y.register_hook(lambda grad: inside.append(net(x, state)))
    y.backward()
    assert torch.equal(inside[0], net(x, state))


def test_a_recomputation_that_calls_more_often(engine: str) -> None:
    net, x = network(engine), spikes()
    runs = []

    def more(x: Tensor) -> Tensor:
        runs.append(0)
        return torch.stack([net(x) for _ in runs]).sum(0)

    out = checkpoint(more, x, use_reentrant=True).square().sum()
    with pytest.raises(RuntimeError, match="got a repeated one whose drop seed is not known"):
        out.backward()


def test_a_recomputation_that_calls_another_network(engine: str) -> None:
    nets, x = [network(engine), network(engine)], spikes()
    out = checkpoint(lambda x: nets.pop()(x), x, use_reentrant=True).square().sum()
    with pytest.raises(RuntimeError, match="got a repeated one whose drop seed is not known"):
        out.backward()


def test_a_recomputation_outside_of_a_backward_pass() -> None:
    net = network("torch")
    out = checkpoint(lambda x: net(x).sin(), spikes(), use_reentrant=False)
    with pytest.raises(RuntimeError, match="got a repeated one whose drop seed is not known"):
        _ = out.grad_fn._saved_self


def test_networks_without_a_capacity_run_anywhere(engine: str) -> None:
    net, x = nn.SNN(nn.SparseLIF(6, 8), nn.LI(8, 3), backend=engine), spikes()
    inside: list[Tensor] = []
    y = torch.ones(1, requires_grad=True) * 2
    y.register_hook(lambda grad: inside.append(net(x)))
    y.backward()
    assert torch.equal(inside[0], net(x))
    assert int(net._calls) == 1
