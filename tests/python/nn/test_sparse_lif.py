from __future__ import annotations

import math
import re
from typing import Any

import pytest
import torch

from popsnn import SpikeTensor, functional, nn, surrogate


def test_dense_and_compacted_input_are_the_same() -> None:
    layer = nn.SparseLIF(10, 6, grad_threshold=0.5)
    x = (torch.rand(4, 3, 10) < 0.4).float()
    dense, compacted = layer(x), layer(SpikeTensor.from_dense(x))
    assert torch.equal(dense.ids, compacted.ids)
    assert torch.equal(dense.counts, compacted.counts)


def test_options_reach_the_reference() -> None:
    options: Any = {
        "beta": torch.rand(6),
        "threshold": 0.5 + torch.rand(6),
        "gain": 1.5,
        "delay": 1,
        "reset": "subtract",
        "detach_reset": False,
        "surrogate": surrogate.Sigmoid(),
        "grad_threshold": 0.3,
    }
    layer = nn.SparseLIF(10, 6, recurrent=True, max_activity=0.5, **options)
    x = SpikeTensor.from_dense((torch.rand(4, 3, 10) < 0.4).float())
    got = layer(x, seed=4)
    expected = functional.sparse_lif(
        x,
        layer.weight,
        layer.bias,
        recurrent_weight=layer.recurrent_weight,
        capacity=layer.capacity,
        seed=4,
        **options,
    )
    assert layer.capacity == 3
    assert torch.equal(got.ids, expected.spikes.ids)
    assert torch.equal(got.dropped, expected.spikes.dropped)
    for output in (got, expected.spikes):
        layer.zero_grad()
        output.to_dense().sum().backward()
        assert float(layer.weight.grad.abs().sum()) > 0  # type: ignore[union-attr]


def test_parameters_are_those_that_are_asked_for() -> None:
    def shapes(layer: torch.nn.Module) -> dict[str, tuple[int, ...]]:
        return {name: tuple(p.shape) for name, p in layer.named_parameters()}

    plain = nn.SparseLIF(10, 6, bias=False)
    assert shapes(plain) == {"weight": (6, 10)}
    assert not plain.recurrent
    full = nn.SparseLIF(
        10, 6, recurrent=True, beta=0.7, learn_beta=True, threshold=0.8, learn_threshold=True
    )
    assert shapes(full) == {
        "weight": (6, 10), "recurrent_weight": (6, 6), "bias": (6,), "beta": (6,), "threshold": (6,)
    }  # fmt: skip
    assert full.recurrent
    torch.testing.assert_close(full.beta, torch.full((6,), 0.7), check_dtype=False)
    beta = torch.rand(6)
    per_neuron = nn.SparseLIF(10, 6, beta=beta, learn_beta=True)
    assert torch.equal(per_neuron.beta, beta)  # type: ignore[arg-type]
    assert set(per_neuron.state_dict()) == {"weight", "bias", "beta"}


def test_every_parameter_gets_a_gradient() -> None:
    layer = nn.SparseLIF(10, 6, recurrent=True, learn_beta=True, learn_threshold=True)
    layer((torch.rand(9, 3, 10) < 0.5).float()).to_dense().sum().backward()
    for name, parameter in layer.named_parameters():
        assert parameter.grad is not None, name
        assert float(parameter.grad.abs().sum()) > 0, name


def test_a_learnt_leak_stays_a_leak() -> None:
    layer = nn.SparseLIF(10, 2, learn_beta=True)
    with torch.no_grad():
        layer.beta.copy_(torch.tensor([-0.5, 1.5]))  # type: ignore[union-attr]
    x = SpikeTensor.from_dense((torch.rand(6, 3, 10) < 0.4).float())
    expected = functional.sparse_lif(x, layer.weight, layer.bias, beta=torch.tensor([0.0, 1.0]))
    assert torch.equal(layer.run(x).membrane, expected.membrane)


@pytest.mark.parametrize("frozen", [False, True])
def test_a_learnt_threshold_may_fall_below_the_second(frozen: bool) -> None:
    layer = nn.SparseLIF(10, 6, grad_threshold=0.9, learn_threshold=True)
    with torch.no_grad():
        layer.threshold.fill_(0.5)  # type: ignore[union-attr]
    layer.requires_grad_(not frozen)
    out = layer((torch.rand(6, 3, 10) < 0.5).float())
    assert torch.equal(out.counts[..., 0], out.counts[..., 1])


@pytest.mark.parametrize("reset", ["zero", "subtract"])
@pytest.mark.parametrize(("inputs", "neurons"), [(64, 32), (700, 256)])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.3])
def test_recurrence_as_drawn_neither_rules_nor_outlives_the_input(
    reset: str, inputs: int, neurons: int, share: float
) -> None:
    layer = nn.SparseLIF(inputs, neurons, recurrent=True, reset=reset)
    x = (torch.rand(60, 8, inputs) < share).float()
    x[30:] = 0
    with torch.no_grad():
        with_it = layer(x).to_dense()
        layer.recurrent_weight = None
        without = layer(x).to_dense()
    assert float(with_it[:30].mean()) <= 1.25 * float(without[:30].mean()) + 1e-3
    assert float(with_it[:30].mean()) >= 0.8 * float(without[:30].mean()) - 1e-3
    assert float(with_it[50:].sum()) == 0


@pytest.mark.parametrize("recurrent", [False, True])
def test_state_goes_on(recurrent: bool) -> None:
    layer = nn.SparseLIF(10, 6, delay=1, bias=False, recurrent=recurrent)
    x = (torch.rand(6, 2, 10) < 0.4).float()
    first, state = layer(x[:3], return_state=True)
    second = layer(x[3:], state)
    parts = torch.cat([first.to_dense(), second.to_dense()])
    assert torch.equal(layer(x).to_dense(), parts)


@pytest.mark.parametrize("max_activity", [None, 0.001, 0.1, 1 / 3, 0.5, 1.0])
def test_capacity(max_activity: float | None) -> None:
    layer = nn.SparseLIF(4, 30, max_activity=max_activity)
    expected = 30 if max_activity is None else max(1, math.ceil(max_activity * 30))
    assert layer.capacity == expected
    spikes = layer((torch.rand(3, 2, 4) < 0.5).float())
    assert spikes.capacity == expected
    assert int(spikes.counts[..., 1].max()) <= expected
    active_and_dropped = spikes.counts[..., 1] + spikes.dropped.sum(-1)
    assert torch.equal(active_and_dropped, torch.full((3, 2), 30, dtype=torch.int32))


def test_a_neuron_that_lost_its_place_does_not_reset() -> None:
    layer = nn.SparseLIF(1, 8, max_activity=0.25, beta=1.0, bias=False)
    with torch.no_grad():
        layer.weight.fill_(2.0)
    x = torch.tensor([[[1.0]], [[0.0]]])
    out = layer.run(SpikeTensor.from_dense(x))
    fired = out.spikes.to_dense()[0, 0].bool()
    assert int(fired.sum()) == 2
    assert out.spikes.dropped[0, 0].tolist() == [6, 0]
    assert out.membrane[1, 0][fired].tolist() == [0.0, 0.0]
    assert out.membrane[1, 0][~fired].tolist() == [2.0] * 6


def test_weights_of_16_bits_are_the_nearest_and_pass_the_gradient() -> None:
    layer = nn.SparseLIF(10, 6, recurrent=True, weight_dtype=torch.float16)
    with torch.no_grad():
        layer.weight[0] = torch.tensor([0.0, 1e-9, -3e-8, 6e-8, 1e-5, 2e-4, 0.1, -1.7, 300.1, -6e4])
    nearest = nn.SparseLIF(10, 6, recurrent=True)
    nearest.load_state_dict({name: v.half().float() for name, v in layer.state_dict().items()})
    x = SpikeTensor.from_dense((torch.rand(9, 3, 10) < 0.4).float())
    out = layer.run(x)
    assert torch.equal(out.membrane, nearest.run(x).membrane)
    for module in (layer, nearest):
        module.run(x).spikes.to_dense().square().sum().backward()
    expected = dict(nearest.named_parameters())
    for name, parameter in layer.named_parameters():
        assert parameter.dtype == torch.float32
        assert torch.equal(parameter.grad, expected[name].grad), name  # type: ignore[arg-type]


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"max_activity": 0.0}, "max_activity: expected a number in (0, 1], got 0.0"),
    ({"max_activity": 1.1}, "max_activity: expected a number in (0, 1], got 1.1"),
    ({"grad_threshold": 1.5}, "grad_threshold: expected at most the threshold 1, got 1.5"),
    ({"grad_threshold": math.nan}, "grad_threshold: expected at most the threshold 1, got nan"),
    ({"delay": -1}, "delay: expected at least 0, got -1"),
    ({"beta": -0.1}, "beta: expected values in [0, 1], got -0.1"),
    ({"beta": torch.rand(3)}, "beta: expected a float or a tensor of shape (6,), got shape (3,)"),
    (
        {"weight_dtype": torch.int8},
        "weight_dtype: expected None, torch.float16 or torch.bfloat16, got torch.int8",
    ),
    ({"gain": math.inf}, "gain: expected a finite number, got inf"),
    (
        {"reset": "hard"},
        "reset: expected one of zero, subtract, none, subtract_after, zero_after, got 'hard'",
    ),
    ({"surrogate": "steep"}, "surrogate: expected a Surrogate or one of"),
]


@pytest.mark.parametrize(("options", "sentence"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_mistakes_get_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        nn.SparseLIF(10, 6, **options)


def test_sizes_and_inputs_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="SparseLIF: in_features: expected at least 1, got 0"):
        nn.SparseLIF(0, 6)
    with pytest.raises(TypeError, match="SparseLIF: out_features: expected an integer, got float"):
        nn.SparseLIF(1, 6.0)  # type: ignore[arg-type]
    with pytest.raises(
        ValueError,
        match=r"SparseLIF: max_activity: expected a number in \(0, 1\], 'auto' or None, got '0.5'$",
    ):
        nn.SparseLIF(1, 6, max_activity="0.5")
    layer = nn.SparseLIF(10, 6)
    with pytest.raises(ValueError, match=re.escape("x: expected shape [T, B, 10], got (2, 3, 9)")):
        layer(torch.zeros(2, 3, 9))
    with pytest.raises(ValueError, match="SparseLIF: x: expected 10 neurons, got 9"):
        layer(SpikeTensor.from_dense(torch.zeros(2, 3, 9)))
    with pytest.raises(TypeError, match="SparseLIF: x: expected a tensor, got list"):
        layer([1])
    with pytest.raises(ValueError, match=r"SparseLIF: seed: expected 0\.\.4294967295, got -1"):
        layer(torch.zeros(2, 3, 10), seed=-1)


@pytest.mark.parametrize(
    "option", ["detach_reset", "bias", "recurrent", "learn_beta", "learn_threshold"]
)
def test_flags_are_true_or_false(option: str) -> None:
    with pytest.raises(TypeError, match=f"SparseLIF: {option}: expected True or False, got 'no'"):
        nn.SparseLIF(2, 3, **{option: "no"})
