from __future__ import annotations

import copy
import pickle
import re
import warnings
from typing import Any

import pytest
import torch

from popsnn import SpikeTensor, nn
from popsnn._internal.hashing import call_seed


def layers(**options: Any) -> tuple[nn.SparseLIF, nn.SparseLIF, nn.LI]:
    torch.manual_seed(0)
    return nn.SparseLIF(12, 20, **options), nn.SparseLIF(20, 9, delay=1), nn.LI(9, 4)


def spikes(steps: int = 6, batch: int = 5, share: float = 0.4) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    drawn = torch.rand(steps, batch, 12, generator=generator, device="cpu")
    return (drawn < share).float().to(torch.empty(0).device)


def test_output_of_a_readout_and_of_spikes(engine: str) -> None:
    net = nn.SNN(*layers(), backend=engine)
    assert net.engine == engine
    assert net(spikes()).shape == (6, 5, 4)
    without = nn.SNN(*layers()[:2], backend=engine)
    out = without(SpikeTensor.from_dense(spikes()))
    assert isinstance(out, SpikeTensor)
    assert out.shape == (6, 5, 9)


def test_network_is_its_layers(engine: str) -> None:
    parts = layers(max_activity=0.5, grad_threshold=0.4)
    net = nn.SNN(*parts, backend=engine, seed=3)
    net.eval()
    x = SpikeTensor.from_dense(spikes())
    seed = call_seed(3, 0)
    first = parts[0].run(x, seed=seed, layer=0)
    second = parts[1].run(first.spikes, seed=seed, layer=1)
    third = parts[2].run(second.spikes)
    out, traces = net(x, trace=True)
    torch.testing.assert_close(out, third.membrane)
    assert [trace.membrane.shape[-1] for trace in traces] == [20, 9, 4]
    assert traces[2].spikes is None
    for trace, expected in zip(traces, (first, second)):
        torch.testing.assert_close(trace.membrane, expected.membrane)
        for name in ("ids", "counts", "dropped"):
            assert torch.equal(getattr(trace.spikes, name), getattr(expected.spikes, name))


def test_stats_count_what_the_lists_say(engine: str) -> None:
    net = nn.SNN(*layers(max_activity=0.1, grad_threshold=0.4), backend=engine)
    _, traces = net(spikes(share=0.9), trace=True)
    assert len(net.stats()) == 2
    for layer, trace in zip(net.stats(), traces):
        assert layer.spikes == int(trace.spikes.counts[..., 0].sum())
        assert layer.active == int(trace.spikes.counts[..., 1].sum())
        assert (layer.steps, layer.samples, layer.neurons) == trace.spikes.shape
        assert layer.activity == pytest.approx(trace.spikes.activity())
        dropped = tuple(trace.spikes.dropped.sum((0, 1)).tolist())
        assert (layer.dropped_spikes, layer.dropped_gradients) == dropped
    assert net.stats()[0].dropped_spikes > 0


def test_only_training_passes_draw_new_drops(engine: str) -> None:
    net = nn.SNN(*layers(max_activity=0.1), backend=engine)

    def ids() -> torch.Tensor:
        return net(spikes(share=0.9), trace=True)[1][0].spikes.ids

    net.eval()
    assert torch.equal(ids(), ids())
    net.train()
    assert not torch.equal(ids(), ids())
    assert int(net.state_dict()["_calls"]) == 2


def test_a_restored_network_goes_on_with_the_same_drops(engine: str) -> None:
    net = nn.SNN(*layers(max_activity=0.1), backend=engine)
    net(spikes(share=0.9))
    other = nn.SNN(*layers(max_activity=0.1), backend=engine)
    other.load_state_dict(net.state_dict())
    assert torch.equal(net(spikes(share=0.9)), other(spikes(share=0.9)))


def test_gradients_reach_every_parameter_and_the_input(engine: str) -> None:
    net = nn.SNN(*layers(), backend=engine)
    x = spikes().requires_grad_()
    net(x).square().sum().backward()
    assert x.grad is not None
    assert float(x.grad.abs().sum()) > 0
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        assert float(parameter.grad.abs().sum()) > 0, name


def test_training_learns(engine: str) -> None:
    torch.manual_seed(0)
    net = nn.SNN(
        nn.SparseLIF(12, 40, max_activity=0.5, grad_threshold=0.2), nn.LI(40, 2), backend=engine
    )
    x = (torch.rand(8, 32, 12) < 0.3).float()
    labels = (x[:, :, :6].sum((0, 2)) > x[:, :, 6:].sum((0, 2))).long()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-2)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x).mean(0), labels)
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.2 * losses[0]


def test_copies_and_pickles(engine: str) -> None:
    net = nn.SNN(*layers(), backend=engine)
    expected = net(spikes())
    assert torch.equal(copy.deepcopy(net)(spikes()), expected)
    assert torch.equal(pickle.loads(pickle.dumps(net))(spikes()), expected)


def test_torch_engine_computes_in_the_type_of_the_parameters() -> None:
    net = nn.SNN(*layers(), backend="torch").double()
    assert net(spikes()).dtype == torch.float64


def test_auto_takes_torch_for_what_the_ipu_engine_cannot() -> None:
    net = nn.SNN(*layers()).double()
    assert net.engine == "torch"
    assert net(spikes()).dtype == torch.float64


def test_layers_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="SNN: layers: expected at least one layer, got none"):
        nn.SNN()
    with pytest.raises(
        ValueError, match="SNN: layer 1: expected in_features 6 as layer 0 gives, got 7"
    ):
        nn.SNN(nn.SparseLIF(5, 6), nn.LI(7, 2))
    with pytest.raises(
        TypeError, match="SNN: layer 0: expected SparseLIF or SparseNeurons, got SparseLI"
    ):
        nn.SNN(nn.LI(5, 6), nn.SparseLIF(6, 2))
    with pytest.raises(
        TypeError, match="SNN: layer 1: expected SparseLIF, SparseNeurons or SparseLI, got LIF"
    ):
        nn.SNN(nn.SparseLIF(5, 6), nn.LIF())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape("SNN: seed: expected 0..4294967295, got -1")):
        nn.SNN(*layers(), seed=-1)


def test_inputs_that_do_not_fit(engine: str) -> None:
    net = nn.SNN(*layers(), backend=engine)
    with pytest.raises(
        ValueError, match=re.escape("SNN: x: expected shape [T, B, 12], got (6, 12)")
    ):
        net(spikes()[:, 0])
    with pytest.raises(ValueError, match=re.escape("x: expected shape [T, B, 12], got (6, 5, 11)")):
        net(spikes()[..., 1:])
    with pytest.raises(ValueError, match="x: expected spikes of 0 or 1, got NaN"):
        net(spikes() * torch.nan)
    with pytest.raises(ValueError, match="x: expected spikes of 0 or 1, got 2"):
        net(spikes() * 2)
    with pytest.raises(ValueError, match="SNN: x: expected 12 neurons, got 11"):
        net(SpikeTensor.from_dense(spikes()[..., 1:]))
    with pytest.raises(TypeError, match="SNN: x: expected a tensor, got ndarray"):
        net(spikes().cpu().numpy())


def test_dropped_are_those_of_the_stats(engine: str) -> None:
    layers = nn.SparseLIF(10, 20, max_activity=0.1), nn.SparseLIF(20, 5), nn.LI(5, 2)
    net = nn.SNN(*layers, backend=engine)
    assert net.dropped().shape == (0, 2)
    torch.nn.init.constant_(net.layers[0].weight, 1.0)  # type: ignore[arg-type]
    net(torch.ones(4, 2, 10))
    expected = [[stats.dropped_spikes, stats.dropped_gradients] for stats in net.stats()]
    assert net.dropped().tolist() == expected
    assert expected[0][0] > 0


@pytest.mark.filterwarnings("always:.*where max_activity limits:UserWarning")
def test_a_capacity_without_a_gradient_threshold_warns_once_of_dropped_gradients(
    engine: str,
) -> None:
    net = nn.SNN(*layers(max_activity=0.2), backend=engine)
    sentence = (
        "SNN: layer 0: grad_threshold: expected a number where max_activity limits the capacity to "
        "4 of 20 neurons, got None: the gradient of each silent neuron takes a place of the "
        "capacity too, and those that find none are dropped"
    )
    with warnings.catch_warnings(record=True) as seen:
        net.eval()(spikes())
        with torch.no_grad():
            net.train()(spikes())
        assert not seen
        net(spikes())
        net(spikes())
    assert [str(warning.message) for warning in seen] == [sentence]
    assert net.stats()[0].dropped_gradients > net.stats()[0].active


@pytest.mark.filterwarnings("error")
def test_no_warning_where_no_gradient_is_dropped_or_a_threshold_chooses(engine: str) -> None:
    for options in ({}, {"max_activity": 1.0}, {"max_activity": 0.2, "grad_threshold": 0.7}):
        nn.SNN(*layers(**options), backend=engine)(spikes())
        layers(**options)[0](spikes())


@pytest.mark.filterwarnings("always:.*where max_activity limits:UserWarning")
def test_a_layer_alone_warns_once_of_dropped_gradients() -> None:
    layer = nn.SparseLIF(12, 20, max_activity=0.2)
    with warnings.catch_warnings(record=True) as seen:
        layer(spikes())
        layer(spikes())
    (warning,) = seen
    assert str(warning.message).startswith("SparseLIF: grad_threshold: expected a number")


def test_weights_without_a_count_of_calls_load() -> None:
    net, other = (nn.SNN(*layers(), backend="torch") for _ in range(2))
    net(spikes())
    weights = {k: v + 1 for k, v in other.state_dict().items() if k != "_calls"}
    both = torch.nn.ModuleList([net])
    both.load_state_dict({f"0.{name}": value for name, value in weights.items()})
    assert int(net._calls) == 1
    assert set(weights) == {name for name in net.state_dict() if name != "_calls"}
    assert all(torch.equal(net.state_dict()[name], value) for name, value in weights.items())
    del weights["layers.0.weight"]
    with pytest.raises(RuntimeError, match=r"Missing key.*: \"layers.0.weight\"\."):
        net.load_state_dict(weights)
