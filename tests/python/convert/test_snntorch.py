"""`popsnn.convert.from_snntorch` against snnTorch itself."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.python.convert.compared import NEURONS, STEPS, compare, currents
from torch import Tensor, nn

from popsnn import convert

snntorch = pytest.importorskip("snntorch")
from snntorch import surrogate, utils  # noqa: E402

BETAS = torch.linspace(0.5, 0.99, NEURONS)
ERROR = 1e-5  # snnTorch's spikes are float32


class Over(nn.Module):
    """A linear layer and a neuron, looped over time with explicit or hidden states."""

    def __init__(self, neuron: Any) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.fc = nn.Linear(NEURONS, NEURONS)
        self.lif = neuron

    def forward(self, x: Tensor) -> Any:
        spikes, membranes, states = [], [], ()
        for step in range(x.shape[0]):
            out = self.lif(self.fc(x[step]), *states)
            if self.lif.init_hidden and not self.lif.output:
                spikes.append(out)
                continue
            states = () if self.lif.init_hidden else self.states(out)
            spikes.append(out[0])
            membranes.append(out[-1])
        self.lif.reset_mem()
        return (torch.stack(spikes), torch.stack(membranes)) if membranes else torch.stack(spikes)

    def states(self, out: Any) -> Any:
        return out if type(self.lif).__name__.startswith("R") else out[1:]


NEURON_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {}
for _kind, _values in (
    ("Leaky", {"beta": 0.9}),
    ("Synaptic", {"alpha": 0.8, "beta": 0.9}),
    ("RLeaky", {"beta": 0.9, "linear_features": NEURONS}),
    ("RLeaky", {"beta": 0.9, "all_to_all": False, "V": 0.4}),
    ("RSynaptic", {"alpha": 0.6, "beta": 0.7, "linear_features": NEURONS}),
    ("RSynaptic", {"alpha": 0.6, "beta": 0.7, "all_to_all": False, "V": 0.4}),
    ("Alpha", {"alpha": 0.9, "beta": 0.8}),
    ("Lapicque", {"R": 5.1, "C": 5e-3, "time_step": 1e-2}),
    ("Lapicque", {"beta": 0.8, "R": 5.0}),
):
    for _reset in ("subtract", "zero", "none"):
        NEURON_OPTIONS[f"{_kind} of {', '.join(_values)} {_reset}"] = (
            _kind, {**_values, "reset_mechanism": _reset},
        )  # fmt: skip
NEURON_OPTIONS.update(
    {
        "Leaky at once": ("Leaky", {"beta": 0.9, "reset_delay": False}),
        "Leaky zero at once": (
            "Leaky", {"beta": 0.9, "reset_delay": False, "reset_mechanism": "zero"},
        ),
        "Synaptic at once": ("Synaptic", {"alpha": 0.8, "beta": 0.9, "reset_delay": False}),
        "RLeaky to itself at once": (
            "RLeaky", {"beta": 0.9, "all_to_all": False, "V": 0.4, "reset_delay": False},
        ),
        "Leaky hidden": ("Leaky", {"beta": 0.9, "init_hidden": True}),
        "Leaky output": ("Leaky", {"beta": 0.9, "init_hidden": True, "output": True}),
        "Leaky learnt": (
            "Leaky",
            {"beta": BETAS, "learn_beta": True, "threshold": 0.8, "learn_threshold": True},
        ),
        "Synaptic learnt": (
            "Synaptic", {"alpha": BETAS, "beta": 0.7, "learn_alpha": True, "learn_beta": True},
        ),
        "RLeaky learnt": (
            "RLeaky",
            {"beta": 0.9, "learn_beta": True, "all_to_all": False, "V": 0.4 * BETAS},
        ),
    }
)  # fmt: skip


@pytest.mark.parametrize("name", NEURON_OPTIONS)
def test_a_neuron_is_the_same(name: str) -> None:
    kind, options = NEURON_OPTIONS[name]
    model = Over(getattr(snntorch, kind)(**options))
    x = currents(torch.float32)
    ours = convert.from_snntorch(model, x, copy=False)
    compare(model, model, ours, x, 1e-4 if "R" in kind else ERROR)


@pytest.mark.parametrize(
    "shape",
    [
        surrogate.atan(1.5), surrogate.fast_sigmoid(slope=10), surrogate.sigmoid(slope=5),
        surrogate.straight_through_estimator(), surrogate.heaviside(), surrogate.triangular(0.5),
        surrogate.spike_rate_escape(beta=2, slope=3),
    ],
    ids=lambda shape: shape.__qualname__.split(".")[0],
)  # fmt: skip
def test_a_surrogate_is_the_same(shape: Any) -> None:
    model = Over(snntorch.Leaky(0.8, spike_grad=shape))
    x = currents(torch.float32)
    compare(model, model, convert.from_snntorch(model, x, copy=False), x, ERROR)


def test_without_a_surrogate_there_is_no_gradient() -> None:
    model = Over(snntorch.Leaky(0.8, surrogate_disable=True))
    x = currents(torch.float32)
    ours = convert.from_snntorch(model, x)
    spikes, _ = ours(x)
    assert torch.equal(spikes, model(x)[0])


def test_a_membrane_at_the_threshold_does_not_fire() -> None:
    model = nn.Sequential(snntorch.Leaky(0.5, init_hidden=True))
    x = torch.ones(3, 1, 2)
    assert not model(x[0]).any()
    assert not convert.from_snntorch(model)(x[:1]).any()


class Tutorial5(nn.Module):
    """784-1000-10, the same image at all steps."""

    def __init__(self, hidden: int = 40) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.num_steps = 25
        self.fc1, self.lif1 = nn.Linear(784, hidden), snntorch.Leaky(beta=0.95)
        self.fc2, self.lif2 = nn.Linear(hidden, 10), snntorch.Leaky(beta=0.95)

    def forward(self, x: Tensor) -> Any:
        mem1, mem2 = self.lif1.init_leaky(), self.lif2.init_leaky()
        spk2_rec, mem2_rec = [], []
        for _ in range(self.num_steps):
            cur1 = self.fc1(x)
            spk1, mem1 = self.lif1(cur1, mem1)
            cur2 = self.fc2(spk1)
            spk2, mem2 = self.lif2(cur2, mem2)
            spk2_rec.append(spk2)
            mem2_rec.append(mem2)
        return torch.stack(spk2_rec, dim=0), torch.stack(mem2_rec, dim=0)


def test_tutorial_5() -> None:
    model = Tutorial5()
    x = 2 * torch.rand(6, 784, generator=torch.Generator().manual_seed(3))
    ours = convert.from_snntorch(model, x[:2], copy=False)
    compare(model, model, ours, x, ERROR, spiking=False)
    assert model(x)[0].any()
    assert set(dict(ours.named_parameters())) == set(dict(model.named_parameters()))
    assert ours(x)[0].shape == (25, 6, 10)


def test_tutorial_6() -> None:
    torch.manual_seed(1)
    grad, beta = surrogate.fast_sigmoid(slope=25), 0.5
    net = nn.Sequential(
        nn.Conv2d(1, 4, 5), nn.MaxPool2d(2),
        snntorch.Leaky(beta=beta, spike_grad=grad, init_hidden=True),
        nn.Conv2d(4, 8, 5), nn.MaxPool2d(2),
        snntorch.Leaky(beta=beta, spike_grad=grad, init_hidden=True),
        nn.Flatten(), nn.Linear(8 * 4 * 4, 10),
        snntorch.Leaky(beta=beta, spike_grad=grad, init_hidden=True, output=True),
    )  # fmt: skip

    def forward_pass(x: Tensor) -> Any:
        spikes, membranes = [], []
        utils.reset(net)
        for step in x:
            spk_out, mem_out = net(step)
            spikes.append(spk_out)
            membranes.append(mem_out)
        return torch.stack(spikes), torch.stack(membranes)

    image = 5 * torch.rand(2, 1, 28, 28)
    ours = convert.from_snntorch(net, copy=False)
    x = image.expand(STEPS, *image.shape)
    compare(forward_pass, net, ours, x, 1e-4, spiking=False)
    assert {*ours.state_dict()} <= {*net.state_dict()}


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: snntorch.Leaky(0.9, inhibition=True),
         "from_snntorch: lif: expected inhibition=False, got inhibition=True, which has no equal"),
        (lambda: snntorch.Leaky(0.9, graded_spikes_factor=2.0),
         "from_snntorch: lif: expected graded_spikes_factor=1.0, got graded spikes"),
        (lambda: snntorch.Leaky(0.9, state_quant=lambda v: v),
         "from_snntorch: lif: expected state_quant=False, got a quantised state"),
        (lambda: snntorch.Leaky(0.9, spike_grad=surrogate.SSO()),
         "from_snntorch: lif: expected a surrogate among .*, got SSO"),
        (lambda: snntorch.Leaky(0.9, spike_grad=torch.relu),
         "from_snntorch: lif: expected a surrogate among .*, got .*relu"),
        (lambda: snntorch.SLSTM(NEURONS, NEURONS),
         "from_snntorch: lif: expected modules that have an equal, got SLSTM, which has none"),
        (lambda: snntorch.RLeaky(0.9, conv2d_channels=2, kernel_size=3),
         "from_snntorch: lif: expected recurrent weights of a linear layer, got those of a conv"),
        (lambda: snntorch.RLeaky(0.9, linear_features=NEURONS, reset_delay=False),
         "from_snntorch: lif: expected reset_delay=True of a recurrent layer, got reset_delay=F"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Inhibition")
def test_what_has_no_equal_is_refused_by_name(make: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        convert.from_snntorch(Over(make()), currents(torch.float32))


def test_hidden_states_are_as_before_the_conversion() -> None:
    model = nn.Sequential(snntorch.Leaky(0.9, init_hidden=True))
    model(torch.ones(2, 3))
    before = model[0].mem.clone()
    ours = convert.from_snntorch(model)
    assert torch.equal(model[0].mem, before)
    assert not ours(torch.zeros(2, 2, 3)).any()
