"""`popsnn.convert.from_spikingjelly` against SpikingJelly itself."""

from __future__ import annotations

from typing import Any, Callable

import pytest
import torch
from tests.python.convert.compared import NEURONS, STEPS, compare, currents
from torch import Tensor, nn

from popsnn import convert

pytest.importorskip("spikingjelly")
from spikingjelly.activation_based import functional, layer, neuron, surrogate

ERROR = 1e-9


def looped(model: nn.Module) -> Callable[[Tensor], Tensor]:
    """Return the loop over time that a user writes around a model of one step."""

    def run(x: Tensor) -> Tensor:
        functional.reset_net(model)
        return torch.stack([model(step) for step in x])

    return run


def whole(model: nn.Module) -> Callable[[Tensor], Any]:
    """Return a call with all steps."""

    def run(x: Tensor) -> Any:
        functional.reset_net(model)
        return model(x)

    return run


def net(node: nn.Module, dtype: torch.dtype = torch.float64) -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(layer.Linear(NEURONS, NEURONS), node).to(dtype)


NODES: dict[str, Callable[..., nn.Module]] = {
    "IFNode": neuron.IFNode,
    "LIFNode": neuron.LIFNode,
    "LIFNode whole input": lambda **k: neuron.LIFNode(tau=5.0, decay_input=False, **k),
    "ParametricLIFNode": neuron.ParametricLIFNode,
    "ParametricLIFNode whole input": lambda **k: neuron.ParametricLIFNode(
        3.0, decay_input=False, **k
    ),
    "KLIFNode": neuron.KLIFNode,
    "KLIFNode scaled": lambda **k: neuron.KLIFNode(True, **k),
    "QIFNode": neuron.QIFNode,
    "EIFNode": neuron.EIFNode,
    "IzhikevichNode": lambda **k: neuron.IzhikevichNode(a=0.1, b=0.2, w_rest=0.05, **k),
}


@pytest.mark.parametrize("detach", [False, True])
@pytest.mark.parametrize("v_reset", [None, 0.0, -0.3])
@pytest.mark.parametrize("name", NODES)
def test_a_neuron_is_the_same(name: str, v_reset: Any, detach: bool) -> None:
    model = net(NODES[name](v_reset=v_reset, detach_reset=detach, v_threshold=0.8))
    ours = convert.from_spikingjelly(model, copy=False)
    compare(looped(model), model, ours, currents(torch.float64), ERROR)


def test_a_neuron_with_a_current_is_the_same() -> None:
    for v_reset in (0.0, None):
        model = net(neuron.CUBALIFNode(v_reset=v_reset, surrogate_function=surrogate.ATan()))
        ours = convert.from_spikingjelly(model, copy=False)
        compare(looped(model), model, ours, currents(torch.float64, 0.5), ERROR)


@pytest.mark.parametrize(
    "shape",
    [
        surrogate.Sigmoid(3.0), surrogate.ATan(1.5), surrogate.PiecewiseQuadratic(0.8),
        surrogate.SoftSign(3.0), surrogate.SuperSpike(2.0), surrogate.Rect(0.7),
        surrogate.PiecewiseExp(1.5), surrogate.NonzeroSignLogAbs(2.0), surrogate.Erf(1.5),
        surrogate.PiecewiseLeakyReLU(0.7, 0.05),
    ],
    ids=lambda shape: type(shape).__name__,
)  # fmt: skip
def test_a_surrogate_is_the_same(shape: Any) -> None:
    model = net(neuron.LIFNode(surrogate_function=shape))
    ours = convert.from_spikingjelly(model, copy=False)
    compare(looped(model), model, ours, currents(torch.float64), ERROR)


def test_spikes_are_equal_in_float32_to_the_last_bit() -> None:
    model = net(neuron.LIFNode(tau=3.0, v_reset=-0.1), torch.float32)
    x = currents(torch.float32)
    current = model[0](x)
    ours = convert.from_spikingjelly(nn.Sequential(model[1]))
    functional.reset_net(model)
    assert torch.equal(ours(current), torch.stack([model[1](step) for step in current]))


def test_a_membrane_at_the_threshold_fires() -> None:
    ours = convert.from_spikingjelly(nn.Sequential(neuron.IFNode()))
    assert ours(torch.ones(1, 1, 2)).all()


class FirstTutorial(nn.Module):
    """`lif_fc_mnist`: one step, which the user loops."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layer = nn.Sequential(
            layer.Flatten(), layer.Linear(784, 10, bias=False),
            neuron.LIFNode(tau=2.0, surrogate_function=surrogate.ATan()),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


def test_the_first_tutorial() -> None:
    model = FirstTutorial().double()
    generator = torch.Generator().manual_seed(0)
    x = 3.0 * (torch.rand(STEPS, 4, 1, 28, 28, generator=generator) < 0.5).double()
    ours = convert.from_spikingjelly(model, x[0], copy=False)
    compare(looped(model), model, ours, x, ERROR)
    assert {*ours.state_dict()} == {*model.state_dict()}


class Convolutions(nn.Module):
    """`conv_fashion_mnist`: all steps at once, of one image."""

    def __init__(self, steps: int = 4) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.T = steps

        def block(inputs: int, outputs: int) -> list[nn.Module]:
            return [
                layer.Conv2d(inputs, outputs, 3, padding=1, bias=False),
                layer.BatchNorm2d(outputs),
                neuron.IFNode(surrogate_function=surrogate.ATan()),
                layer.MaxPool2d(2, 2),
            ]

        self.conv_fc = nn.Sequential(
            *block(1, 4), *block(4, 4), layer.Flatten(), layer.Dropout(0.3),
            layer.Linear(4 * 3 * 3, 10, bias=False),
            neuron.IFNode(surrogate_function=surrogate.ATan()),
        )  # fmt: skip
        functional.set_step_mode(self, step_mode="m")

    def forward(self, x: Tensor) -> Tensor:
        x_seq = x.unsqueeze(0).repeat(self.T, 1, 1, 1, 1)
        x_seq = self.conv_fc(x_seq)
        return x_seq.mean(0)


@pytest.mark.parametrize("training", [False, True])
def test_convolutions_over_all_steps(training: bool) -> None:
    model = Convolutions().double()
    model.conv_fc[9].p = 0.0  # random masks are compared below
    x = 3 * torch.rand(5, 1, 12, 12, dtype=torch.float64)
    model.train(training)
    ours = convert.from_spikingjelly(model, x[:2], copy=False)
    assert ours.training == training
    compare(whole(model), model, ours, x, ERROR, spiking=False)
    assert {*ours.state_dict()} == {*model.state_dict()}


def test_batch_statistics_are_those_of_the_step_mode() -> None:
    for mode in ("s", "m"):
        torch.manual_seed(0)
        model = nn.Sequential(layer.BatchNorm1d(NEURONS), neuron.IFNode()).double()
        functional.set_step_mode(model, mode)
        x = currents(torch.float64)
        ours = convert.from_spikingjelly(model)
        run = looped(model) if mode == "s" else whole(model)
        assert torch.equal(ours(x), run(x))
        assert torch.allclose(ours.get_buffer("0.running_var"), model[0].running_var)
        assert torch.equal(ours.eval()(x), (run, model.eval())[0](x))


def test_dropout_has_one_mask_for_all_steps() -> None:
    for kind, shape in ((layer.Dropout, (50,)), (layer.Dropout2d, (20, 3, 3))):
        model = nn.Sequential(kind(0.5), neuron.IFNode(v_threshold=1.5))
        ours = convert.from_spikingjelly(model)
        kept = ours(torch.ones(STEPS, 2, *shape)).sum(0)
        assert {*kept.unique().tolist()} == {0.0, float(STEPS)}
        if kind is layer.Dropout2d:
            assert torch.equal(kept.amax((2, 3)), kept.amin((2, 3)))


@pytest.mark.parametrize("kind", [layer.SeqToANNContainer, layer.MultiStepContainer])
def test_containers(kind: Any) -> None:
    torch.manual_seed(0)
    inner = [nn.Linear(NEURONS, NEURONS), nn.BatchNorm1d(NEURONS)]
    if kind is layer.MultiStepContainer:
        inner = [nn.Linear(NEURONS, NEURONS), neuron.IFNode(v_reset=None)]
    model = nn.Sequential(kind(*inner), neuron.LIFNode(step_mode="m", v_threshold=0.5)).double()
    x = currents(torch.float64, 3.0)
    ours = convert.from_spikingjelly(model, copy=False)
    compare(whole(model), model, ours, x, ERROR)


class Residual(nn.Module):
    """A block with a skip connection, all steps at once."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.fc = layer.Linear(NEURONS, NEURONS, step_mode="m")
        self.one = neuron.IFNode(step_mode="m")
        self.other = neuron.ParametricLIFNode(step_mode="m")

    def forward(self, x: Tensor) -> Tensor:
        first = self.one(x)
        return torch.cat([first + self.other(self.fc(first)), x], dim=-1)


def test_a_skip_connection() -> None:
    model, x = Residual().double(), currents(torch.float64)
    ours = convert.from_spikingjelly(model, x, copy=False)
    compare(whole(model), model, ours, x, ERROR)


def test_votes_and_batch_normalisation_of_thresholds() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(
        layer.ThresholdDependentBatchNorm1d(1.5, 0.8, NEURONS),
        neuron.IFNode(step_mode="m", v_threshold=0.8), layer.VotingLayer(4, step_mode="m"),
    ).double()  # fmt: skip
    ours = convert.from_spikingjelly(model, copy=False)
    compare(whole(model), model, ours, currents(torch.float64), ERROR, spiking=False)
    assert ours(currents(torch.float64)).shape[-1] == NEURONS // 4


class AddedInPlace(Residual):
    """Adds to a result of a layer in place, as residual networks do."""

    def forward(self, x: Tensor) -> Tensor:
        out = self.other(self.fc(x))
        out += x
        return self.one(out)


def test_a_sum_in_place() -> None:
    model, x = AddedInPlace().double(), currents(torch.float64)
    ours = convert.from_spikingjelly(model, x, copy=False)
    compare(whole(model), model, ours, x, ERROR)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (lambda: net(neuron.PSN(4)), "1: expected modules that have an equal, got PSN, which has"),
        (lambda: net(neuron.IFNode(surrogate_function=surrogate.S2NN())),
         "1: expected a surrogate among .*, got S2NN"),
        (lambda: net(neuron.IFNode(surrogate_function=surrogate.ATan(spiking=False))),
         "1: expected a surrogate that spikes, got spiking=False"),
        (lambda: nn.Sequential(layer.Linear(2, 2), neuron.IFNode(step_mode="m")),
         "0: expected layers that all take one step, or all take a sequence, got both"),
        (lambda: nn.Sequential(layer.NeuNorm(1, 2, 2), neuron.IFNode()),
         "0: expected modules that have an equal, got NeuNorm, which has none"),
        (FirstTutorial, "example: expected what the model takes, as 'FirstTutorial' has a forward"),
    ],
)  # fmt: skip
def test_what_has_no_equal_is_refused_by_name(model: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"from_spikingjelly: {sentence}"):
        convert.from_spikingjelly(model())


def test_hidden_states_are_as_before_the_conversion() -> None:
    model = FirstTutorial()
    x = torch.rand(2, 1, 28, 28)
    model(x)
    before = model.layer[2].v.clone()
    convert.from_spikingjelly(model, x)
    assert torch.equal(model.layer[2].v, before)
