from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

from popsnn import nn
from popsnn.training import Config, Recipe, build, schedule


def test_rate_rises_and_falls() -> None:
    factors = [schedule.rate_factor(Recipe(epochs=6, warmup=2), epoch) for epoch in range(6)]
    assert factors == pytest.approx([1 / 3, 2 / 3, 1.0, 0.853553, 0.5, 0.146447], rel=1e-5)
    assert schedule.rate_factor(Recipe(epochs=4), 0) == 1.0


def test_second_threshold_moves_step_by_step() -> None:
    recipe = Recipe(grad_threshold=0.9, grad_threshold_start=-1.1, grad_threshold_epochs=2)
    at = [(0, 0), (0, 5), (1, 0), (1, 9), (2, 0), (7, 3)]
    assert [schedule.grad_threshold(recipe, *when, 10) for when in at] == pytest.approx(
        [-1.1, -0.6, -0.1, 0.8, 0.9, 0.9]
    )
    assert schedule.grad_threshold(Recipe(grad_threshold=0.9), 0, 0, 10) is None


def test_the_activity_penalty_rises_step_by_step() -> None:
    recipe = Recipe(activity_weight=3.0, activity_epochs=2)
    at = [(0, 0), (0, 5), (1, 0), (1, 9), (2, 0), (7, 3)]
    factors = [schedule.activity_factor(recipe, *when, 10) for when in at]
    assert factors == pytest.approx([0.0, 0.25, 0.5, 0.95, 1.0, 1.0])
    assert schedule.activity_factor(Recipe(activity_weight=3.0), 0, 0, 10) == 1.0
    cosine = replace(recipe, activity_schedule="cosine")
    factors = [schedule.activity_factor(cosine, *when, 10) for when in at]
    assert factors == pytest.approx([0.0, 0.146447, 0.5, 0.993844, 1.0, 1.0], rel=1e-5)


def test_all_layers_that_spike_get_it() -> None:
    net = nn.SNN(nn.SparseLIF(3, 4), nn.SparseLIF(4, 4), nn.LI(4, 2), backend="torch")
    schedule.set_grad_threshold(net, 0.25)
    assert [layer.grad_threshold for layer in net.stack[:2]] == [0.25, 0.25]
    schedule.set_grad_threshold(net, None)
    assert net.stack[0].grad_threshold == 0.25


def test_the_width_of_delays_falls_and_then_they_are_rounded() -> None:
    recipe = Recipe(epochs=4, delay_width=6.0)
    at = [(0, 0), (1, 0), (1, 5), (2, 0), (3, 9)]
    widths = [schedule.delay_width(recipe, *when, 10) for when in at]
    assert widths == pytest.approx([6.0, 3.0, 1.5, 0.0, 0.0])
    assert schedule.delay_width(Recipe(), 0, 0, 10) is None
    fixed, learnt = nn.Delays("axonal", 3, 2), nn.Delays("axonal", 3, learn=True)
    net = nn.SNN(nn.SparseLIF(3, 4, delay=fixed), nn.LI(4, 2, delay=learnt), backend="torch")
    for width, spread in ((6.0, "triangle"), (0.0, "straight_through"), (None, "straight_through")):
        schedule.set_delay_width(net, width)
        assert (learnt.width, learnt.spread) == (width or 0.0, spread)
    assert fixed.width == 0


def test_hidden_thresholds_are_learnt_or_follow_rates() -> None:
    learnt = build.network(Config(hidden=[5, 4], learn_threshold=True), 6, 3)
    assert all(isinstance(layer.threshold, torch.nn.Parameter) for layer in learnt.layers[:2])
    config = Config(hidden=[5, 4], homeostasis=0.03, homeostasis_rate=2.0)
    moved = build.network(config, 6, 3)
    rule = nn.Homeostasis(0.03, rate=2.0)
    assert [layer.homeostasis for layer in moved.layers[:2]] == [rule, rule]
    plain = build.network(Config(hidden=[5, 4]), 6, 3)
    assert [layer.homeostasis for layer in plain.layers[:2]] == [None, None]


def test_delays_have_a_learning_rate_of_their_own() -> None:
    config = Config(dataset="digits", hidden=[5], delay=4, lr=0.01, delay_rate=20, weight_decay=0.1)
    net = build.network(config, 6, 3)
    delays = net.stack[0].delay
    assert isinstance(delays, nn.Delays)
    assert (delays.kind, delays.maximum, delays.learn) == ("axonal", 4, True)
    first, fast = build.optimizer(config, net).param_groups
    assert [first["lr"], fast["lr"], fast["weight_decay"]] == [0.01, 0.2, 0.0]
    assert fast["params"] == [delays.steps]
    assert len(first["params"]) == 4


def test_a_width_needs_delays() -> None:
    with pytest.raises(ValueError, match=r"train: delay_width: expected none .*delay 0.*, got 2"):
        Config(dataset="digits", delay_width=2.0)


def test_a_gradient_threshold_that_rises_raises_thresholds_that_follow_rates() -> None:
    config = Config(hidden=[5], homeostasis=0.3, grad_threshold=0.7)
    net = build.network(config, 3, 2)
    layer: Any = net.stack[0]
    schedule.set_grad_threshold(net, 0.0)
    layer.threshold = torch.tensor([0.5, 0.6, 0.7, 0.8, 0.9])
    for value in (0.5, 0.502174, 0.65, 0.7):
        schedule.set_grad_threshold(net, value)
        assert layer.grad_threshold == value
    assert torch.equal(layer.threshold, torch.tensor([0.7, 0.7, 0.7, 0.8, 0.9]))
