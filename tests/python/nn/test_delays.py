"""Delays as a layer's option: what they may be, what is learnt, what evaluation rounds."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import Any, Callable

import pytest
import torch

from popsnn import functional, nn


def learnt(kind: str = "axonal", maximum: int = 3, **options: Any) -> nn.Delays:
    return nn.Delays(kind, maximum, learn=True, **options)


def test_a_layer_has_delays_of_the_shape_of_their_kind() -> None:
    for kind, shape in (("axonal", (6,)), ("dendritic", (4,)), ("synaptic", (4, 6))):
        own = nn.Delays("dendritic", 5, 2, minimum=1)
        layer = nn.SparseLIF(6, 4, recurrent=True, delay=learnt(kind), recurrent_delay=own)
        assert layer.delay.steps.shape == shape
        assert bool(((layer.delay.steps >= 0) & (layer.delay.steps <= 3)).all())
        names = [name for name, _ in layer.named_parameters()]
        assert names == ["weight", "recurrent_weight", "bias", "delay.steps"]
        assert layer.state_dict()["recurrent_delay.steps"].tolist() == [2.0] * 4


def test_a_number_from_two_on_is_fixed_axonal_delays() -> None:
    x = (torch.rand(9, 2, 6) < 0.4).float()
    layer = nn.SparseLI(6, 4, delay=3)
    assert layer.delay.kind == "axonal"
    late = torch.cat([torch.zeros(3, 2, 6), x])[:9]
    now = copy.deepcopy(layer)
    now.delay = 0
    assert torch.equal(layer(x), now(late))
    assert "delay.steps" not in now.state_dict()
    layer.delay = 1
    assert layer.delay == 1


def test_evaluation_rounds_and_clamps() -> None:
    delays = learnt("dendritic", spread="gaussian")
    layer = nn.SparseLI(4, 3, delay=delays)
    with torch.no_grad():
        delays.steps.copy_(torch.tensor([-0.7, 1.6, 9.0]))
    assert delays.now()[4:] == ("gaussian", 0.5)
    layer.eval()
    rounded = delays.now()
    assert (rounded.steps.tolist(), rounded.spread) == ([0, 2, 3], "none")
    out = layer(x := (torch.rand(9, 2, 4) < 0.4).float())
    layer.train()
    assert not torch.equal(layer(x), out)
    assert delays.round_().steps.tolist() == [0, 2, 3]


def test_training_moves_a_delay_to_where_spikes_should_arrive() -> None:
    torch.manual_seed(0)
    delays = learnt("axonal", 6, steps=torch.tensor([1.2]), width=4.0)
    layer = nn.SparseLI(1, 1, bias=False, delay=delays, beta=0.0)
    torch.nn.init.ones_(layer.weight)
    x = torch.zeros(12, 1, 1)
    x[2] = 1
    target = torch.zeros(12, 1, 1)
    target[7] = 1  # five steps later
    optimizer = torch.optim.Adam([delays.steps], lr=0.1)
    for update in range(120):
        delays.width = 4 * max(0.0, 1 - update / 60)
        optimizer.zero_grad()
        (layer(x) - target).square().sum().backward()
        optimizer.step()
    torch.testing.assert_close(layer.eval()(x), target)


def test_chunks_of_a_network_are_one_run() -> None:
    torch.manual_seed(0)
    net = nn.SNN(
        nn.SparseLIF(6, 5, recurrent=True, delay=4, recurrent_delay=learnt("synaptic")),
        nn.SparseLI(5, 3, delay=learnt("dendritic")),
        backend="torch",
    )
    x = (torch.rand(9, 2, 6) < 0.5).float()
    whole, end = net(x, return_state=True)
    assert end.layers[0].inputs.shape == (4, 2, 6)
    assert end.layers[0].spikes.shape == (3, 2, 5)
    state, outs = net.initial_state(2), []
    for chunk in x.split([1, 5, 3]):
        out, state = net(chunk, state.detach(), return_state=True)
        outs.append(out)
    assert torch.equal(torch.cat(outs), whole)
    without = state._replace(layers=(state.layers[0]._replace(inputs=None), state.layers[1]))
    with pytest.raises(ValueError, match=r"SNN: layer 0: state.inputs: expected shape \(4, 2, 6\)"):
        net(x, without)


def test_learnt_delays_beyond_their_range_are_saved_as_they_are(tmp_path: Path) -> None:
    delays = learnt("dendritic")
    net = nn.SNN(nn.SparseLIF(4, 2, delay=delays), backend="torch")
    with torch.no_grad():
        delays.steps.copy_(torch.tensor([-1.5, 7.0]))
    net.save_pretrained(tmp_path)
    again = nn.SNN.from_pretrained(tmp_path)
    assert again.layers[0].delay.steps.tolist() == [-1.5, 7.0]


def test_print_shows_them() -> None:
    layer = nn.SparseLIF(3, 2, delay=learnt(steps=1.5), recurrent=True)
    assert "(delay): Delays(axonal, maximum=3, steps=1.5 (learnt), spread='triangle'" in repr(layer)
    assert "delay=1" in repr(nn.SparseLI(3, 2, delay=1))


def shared() -> nn.SparseLIF:
    delays = learnt()
    nn.SparseLIF(3, 2, delay=delays)
    return nn.SparseLIF(3, 2, delay=delays)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: nn.Delays("axonal", 3, 4), "steps: expected whole time steps in 0..3, got 4"),
        (lambda: nn.Delays("axonal", 3, -1), "steps: expected whole time steps in 0..3, got -1"),
        (lambda: nn.Delays("axonal", 3, 1.5), "steps: expected whole time steps in 0..3, got 1.5"),
        (lambda: nn.Delays("axonal", 3, math.nan), "steps: expected a finite number, got nan"),
        (lambda: nn.Delays("axonal", 3), "steps: expected whole time steps where learn=False"),
        (lambda: nn.Delays("axonal", 3, "two"), "steps: expected a number, got str"),
        (lambda: learnt(steps=torch.tensor([4.5])), "steps: expected delays in 0..3, got 4.5"),
        (lambda: learnt(minimum=4), "minimum: expected 0..3, got 4"),
        (lambda: learnt(maximum=0), "maximum: expected at least 1, got 0"),
        (lambda: learnt("somatic"), "kind: expected one of axonal, dendritic, synaptic, got"),
        (lambda: learnt(spread="none"), "spread: expected one of straight_through, triangle"),
        (lambda: learnt(spread="gaussian", width=0), "width: expected more than 0, got 0"),
        (shared, "delay: expected Delays of no other layer, got those of one"),
        (
            lambda: nn.SparseLIF(3, 2, delay=learnt("dendritic", steps=torch.ones(3))),
            r"delay: expected steps of shape \(2,\) of dendritic delays, got \(3,\)",
        ),
        (
            lambda: nn.SparseLIF(3, 2, recurrent_delay=learnt()),
            "recurrent_delay: expected None where recurrent=False, got Delays",
        ),
    ],
)
def test_bad_delays_get_one_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=sentence):
        make()


def test_delayed_is_what_axonal_delays_do() -> None:
    delays = learnt("axonal", 4)
    layer = nn.SparseLI(6, 3, bias=False, delay=delays, beta=0.0)
    x = (torch.rand(9, 2, 6) < 0.4).float()
    rows = functional.delayed(x, delays.now())
    torch.testing.assert_close(layer(x), rows @ layer.weight.t())
