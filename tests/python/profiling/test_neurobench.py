"""Counts of operations against loops over every spike, and against NeuroBench itself."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from popsnn import SpikeTensor, nn
from popsnn.profiling import neurobench


def network(**options: Any) -> nn.SNN:
    torch.manual_seed(0)
    net = nn.SNN(
        nn.SparseLIF(12, 9, beta=0.8, recurrent=True, **options),
        nn.SparseLIF(9, 7, delay=1, beta=0.8),
        nn.SparseLI(7, 3),
        backend="torch",
    )
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name.endswith("weight"):
                parameter.mul_(3).masked_fill_(torch.rand(parameter.shape) < 0.3, 0.0)
    return net


def inputs() -> torch.Tensor:
    return (torch.rand(11, 4, 12, generator=torch.Generator().manual_seed(1)) < 0.3).float()


@pytest.mark.parametrize("options", [{}, {"max_activity": 0.3}])
@pytest.mark.parametrize("form", ["dense", "compacted", "batches"])
def test_every_spike_counts_with_the_weights_that_it_meets(form: str, options: Any) -> None:
    net, x = network(**options), inputs()
    given = {
        "dense": x,
        "compacted": SpikeTensor.from_dense(x),
        "batches": [SpikeTensor.from_dense(x[:, :1]), x[:, 1:]],
    }[form]
    got = neurobench(net, given)
    net.eval()
    _, traces = net(x, trace=True)
    first, second = (trace.spikes.to_dense() for trace in traces[:2])
    one, two, out = net.stack
    assert isinstance(one, nn.SparseLIF)
    products = [
        (x, one.weight),
        (first[:-1], one.recurrent_weight),
        (first[:-1], two.weight),  # a step late
        (second, out.weight),
    ]
    total = sum(
        float((source.detach().flatten(0, 1) @ (weight != 0).float().t()).sum())
        for source, weight in products
    )
    weights = [one.weight, one.recurrent_weight, two.weight, out.weight]
    number = sum(weight.numel() for weight in weights)
    assert got.dense == 11 * number
    assert got.connection_sparsity == sum(int((w == 0).sum()) for w in weights) / number
    assert got.parameter_count == sum(parameter.numel() for parameter in net.parameters())
    assert got.footprint >= 4 * got.parameter_count
    if form == "batches" and options:
        return  # drops depend on a sample's number in its batch
    assert got.effective_acs == pytest.approx(total / 4)
    silent = (first == 0).sum() + (second == 0).sum()
    assert got.activation_sparsity == pytest.approx(float(silent) / (11 * 4 * (9 + 7)))


@pytest.mark.parametrize("kind", ["axonal", "dendritic", "synaptic"])
def test_spikes_that_arrive_after_the_end_count_nothing(kind: str) -> None:
    torch.manual_seed(1)
    own = nn.Delays(kind, 3, learn=True)
    one = nn.SparseLIF(12, 9, recurrent=True, delay=nn.Delays(kind, 8, 5), recurrent_delay=own)
    net, x = nn.SNN(one, backend="torch").eval(), inputs()
    one.weight.data.mul_(3)
    fired = net(x).to_dense().detach()
    late = own.steps.detach().round()
    late = late[:, None] if kind == "dendritic" else late
    arrive = torch.zeros(())
    for t in range(11):
        arrive += fired[t].sum(0) @ ((t + 1 + late).expand(9, 9) < 11).float().sum(0)
    total = 9 * float(x[:6].sum()) + float(arrive)
    assert neurobench(net, x).effective_acs == pytest.approx(total / 4)


def test_the_mode_and_the_count_of_calls_stay() -> None:
    net = network(max_activity=0.3).train()
    neurobench(net, inputs())
    assert net.training
    assert int(net._calls) == 0


def test_batches_that_are_none() -> None:
    with pytest.raises(ValueError, match=r"^neurobench: batches: expected at least one sample"):
        neurobench(network(), [])
    with pytest.raises(
        TypeError, match=r"^neurobench: batches: expected spikes or tensors, got li"
    ):
        neurobench(network(), [[1]])


def test_the_same_counts_as_neurobench() -> None:
    theirs = pytest.importorskip("neurobench.benchmarks", reason="needs neurobench")
    snntorch = pytest.importorskip("snntorch", reason="needs snntorch")
    from neurobench.metrics import static, workload
    from neurobench.models import SNNTorchModel

    torch.manual_seed(2)
    first, second = torch.nn.Linear(12, 9, bias=False), torch.nn.Linear(9, 4, bias=False)
    leaky = [
        snntorch.Leaky(beta=0.8, init_hidden=True, reset_mechanism="none", output=last)
        for last in (False, True)
    ]
    with torch.no_grad():
        for linear in (first, second):
            linear.weight.mul_(4).masked_fill_(torch.rand(linear.weight.shape) < 0.3, 0.0)
    net = nn.SNN(
        *(
            nn.SparseLIF(*linear.weight.shape[::-1], bias=False, beta=0.8, reset="none")
            for linear in (first, second)
        ),
        backend="torch",
    )
    with torch.no_grad():
        for layer, linear in zip(net.stack, (first, second)):
            layer.weight.copy_(linear.weight)
    x = inputs()
    model = torch.nn.Sequential(first, leaky[0], second, leaky[1])
    recordings = torch.utils.data.TensorDataset(x.transpose(0, 1), torch.zeros(4))
    data = torch.utils.data.DataLoader(recordings, batch_size=4)
    run = theirs.Benchmark(
        SNNTorchModel(model),
        data,
        [],
        [],
        [
            [static.ConnectionSparsity],
            [workload.ActivationSparsity, workload.SynapticOperations],
        ],
    )
    wanted = run.run()
    got = neurobench(net, x)
    operations = wanted["SynapticOperations"]
    assert operations["Effective_MACs"] == 0
    assert got.effective_acs == pytest.approx(operations["Effective_ACs"])
    assert got.dense == pytest.approx(operations["Dense"])
    assert got.activation_sparsity == pytest.approx(wanted["ActivationSparsity"])
    assert got.connection_sparsity == pytest.approx(wanted["ConnectionSparsity"], abs=1e-3)
