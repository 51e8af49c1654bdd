"""Trainings and layers at once on two streams of a GPU: the numbers are those of one."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import pytest
import torch
from tests.cuda.recurrent.runs import run
from torch import Tensor
from torch.nn.functional import cross_entropy

from popsnn import functional
from popsnn.cuda import Adam
from popsnn.neurons import AdaptiveLIF
from popsnn.nn import LI, SNN, SparseLIF, SparseNeurons

Layer = Callable[..., Any]
BF16 = {"weight_dtype": torch.bfloat16}
STEPS = 6


def network(hidden: SparseLIF | SparseNeurons) -> SNN:
    torch.manual_seed(1)
    hidden.reset_parameters()
    net = SNN(hidden, LI(hidden.out_features, 5, **BF16), backend="cuda", check_input=False)
    return net.to("cuda")


def trained(net: SNN, x: Tensor, labels: Tensor) -> list[Tensor]:
    """Return the parameters after a few steps, which wait for nothing on the host."""
    optimizer = Adam(net.parameters(), lr=1e-2)
    for _ in range(STEPS):
        optimizer.zero_grad()
        cross_entropy(net(x).mean(0), labels).backward()
        optimizer.step()
    return [parameter.detach().clone() for parameter in net.parameters()]


@pytest.mark.parametrize("threads", [False, True], ids=["one_thread", "two_threads"])
def test_two_trainings(gpu: torch.device, threads: bool) -> None:
    """Recurrent layers, most of a GPU and in clusters, and a capped one."""
    recurrent = {"recurrent": True, "grad_threshold": 0.5, **BF16}
    nets = [
        network(SparseLIF(40, 1500, **recurrent)),
        network(SparseNeurons(40, 900, AdaptiveLIF(), **recurrent)),
        network(SparseLIF(40, 700, max_activity=0.1, grad_threshold=0.5, **BF16)),
    ]
    generator = torch.Generator().manual_seed(2)
    x = (torch.rand(20, 24, 40, generator=generator) < 0.2).float().to(gpu)
    labels = torch.randint(5, (24,), generator=generator).to(gpu)
    expected = [trained(copy.deepcopy(net), x, labels) for net in nets]

    def in_stream(net: SNN, stream: torch.cuda.Stream) -> list[Tensor]:
        with torch.cuda.stream(stream):
            return trained(net, x, labels)

    for first, second in ((0, 1), (1, 2), (0, 0)):
        copies = [copy.deepcopy(nets[index]) for index in (first, second)]
        streams = [torch.cuda.Stream() for _ in copies]
        torch.cuda.synchronize()
        if threads:
            with ThreadPoolExecutor(2) as pool:
                got = list(pool.map(in_stream, copies, streams))
        else:
            got = [in_stream(*pair) for pair in zip(copies, streams)]
        torch.cuda.synchronize()
        for mine, wanted in zip(got, (expected[first], expected[second])):
            for tensor, other in zip(mine, wanted):
                assert torch.equal(tensor, other)


@pytest.mark.parametrize(
    "layers",
    [
        ((functional.recurrent_lif, 2944), (functional.recurrent_lif, 3000)),
        ((functional.recurrent_lif, 2944), (functional.recurrent_lif, 4096)),
        ((functional.recurrent_lif, 2944), (functional.recurrent_adaptive_lif, 2048)),
    ],
    ids=["in_registers", "streamed", "adaptive"],
)
def test_two_layers(gpu: torch.device, layers: tuple[tuple[Layer, int], ...]) -> None:
    """Each needs more multiprocessors than the other leaves."""

    def numbers(layer: Layer, neurons: int) -> tuple[Tensor, ...]:
        made = run(gpu, 30, 16, neurons, layer=layer)
        grads = torch.autograd.grad(made.out.spikes, (made.x, made.weight), torch.ones_like(made.x))
        return (made.out.membrane.detach(), *grads)

    expected = [numbers(*sizes) for sizes in layers]
    streams = [torch.cuda.Stream() for _ in layers]
    torch.cuda.synchronize()
    for _ in range(4):
        got = []
        for stream, sizes in zip(streams, layers):
            with torch.cuda.stream(stream):
                got.append(numbers(*sizes))
        torch.cuda.synchronize()
        for mine, wanted in zip(got, expected):
            for tensor, other in zip(mine, wanted):
                assert torch.equal(tensor, other)
