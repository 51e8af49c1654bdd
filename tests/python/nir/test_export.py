"""Networks that NIR has no equal of: one sentence names the module and the reason."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch.nn.utils import prune

import popsnn
from popsnn import neurons, nn
from popsnn.convert.modules import Neurons, RecurrentNeurons

nir = pytest.importorskip("nir")

from tests.python.nir.graphs import DT  # noqa: E402

Sequential, linear, over_time = torch.nn.Sequential, torch.nn.Linear, nn.TimeDistributed


class Product(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return x * 2


class Twice(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return x + x


class Depends(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return x if x.sum() > 0 else -x


class Pair(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lif = nn.LIF()

    def forward(self, x: Any) -> Any:
        return self.lif(x), x


class Stateful(Pair):
    def forward(self, x: Any) -> Any:
        return self.lif(x, None, return_state=True)


class Masked(torch.nn.Linear):
    def forward(self, x: Any) -> Any:
        return torch.nn.functional.linear(x, self.weight.relu(), self.bias)


class Residual(torch.nn.Sequential):
    def forward(self, x: Any) -> Any:
        return x + super().forward(x)


class Square(torch.nn.Identity):
    def forward(self, x: Any) -> Any:
        return x * x


class Padded(torch.nn.Conv2d):
    def _conv_forward(self, x: Any, weight: Any, bias: Any) -> Any:
        return 2 * super()._conv_forward(x, weight, bias)


class LoudLIF(nn.LIF):
    def forward(self, x: Any, state: Any = None, return_state: bool = False) -> Any:
        return super().forward(2 * x, state, return_state)


class LoudSparse(nn.SparseLIF):
    def forward(self, *args: Any, **options: Any) -> Any:
        return super().forward(*args, **options)


class Called(torch.nn.Linear):
    def __call__(self, x: Any) -> Any:
        return 2 * super().__call__(x)


class InPlace(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = linear(3, 3), linear(3, 3)

    def forward(self, x: Any) -> Any:
        h = self.a(x)
        kept = h
        h += self.b(x)
        return kept


class Dead(InPlace):
    def forward(self, x: Any, y: Any = None) -> Any:
        self.b(x if y is None else y)
        return self.a(x)


def biased() -> torch.nn.Module:
    module = RecurrentNeurons(neurons.LIF(), 3)
    module.bias = torch.nn.Parameter(torch.zeros(3))
    return module


def hooked(module: torch.nn.Module, before: bool = False) -> Any:
    if before:
        module.register_forward_pre_hook(lambda _, x: x)
    else:
        module.register_forward_hook(lambda _, x, y: 2 * y)
    return module


def replaced(module: Any) -> Any:
    module.forward = torch.neg
    return module


def pruned() -> torch.nn.Module:
    module = linear(3, 3)
    prune.l1_unstructured(module, "weight", 0.5)
    return module


HOOKS = "expected a module without forward hooks, which NIR has no node for, got some of"
CASES = {
    "subclass": (Sequential(over_time(Masked(3, 3))), "0.0: forward: expected that of Linear, got "
                 "another of Masked"),
    "subclass of a container": (over_time(Residual(linear(3, 3))), "timedistributed.0: forward: "
                                "expected that of Sequential, got another of Residual"),
    "subclass without nodes": (over_time(Square()), "timedistributed.0: forward: expected that of "
                               "Identity, got another of Square"),
    "subclass of neurons": (Sequential(LoudLIF()), "0: forward: expected that of LIF, got another "
                            "of LoudLIF"),
    "subclass alone": (LoudLIF(), "loudlif: forward: expected that of LIF, got another of LoudLIF"),
    "subclass of a sparse layer": (nn.SNN(LoudSparse(3, 4)), "snn.layers.0: forward: expected that "
                                   "of SparseLIF, got another of LoudSparse"),
    "subclass that is called": (over_time(Called(3, 3)), "timedistributed.0: __call__: expected "
                                "that of Linear, got another of Called"),
    "forward of one module": (Sequential(replaced(linear(3, 3))), "0: forward: expected that of "
                              "Linear, got another"),
    "forward of the model": (replaced(Sequential(linear(3, 3))), "model: forward: expected that of "
                             "Sequential, got another"),
    "hook": (Sequential(hooked(linear(3, 3))), f"0: {HOOKS} Linear"),
    "hook before": (over_time(hooked(linear(3, 3), True)), f"timedistributed.0: {HOOKS} Linear"),
    "hook of the model": (hooked(Sequential(linear(3, 3))), f"model: {HOOKS} Sequential"),
    "hook of neurons": (nn.SNN(hooked(nn.SparseLIF(3, 3))), f"snn.layers.0: {HOOKS} SparseLIF"),
    "pruned": (Sequential(pruned()), f"0: {HOOKS} Linear"),
    "start of converted neurons": (
        Sequential(Neurons(neurons.LIF(), start={"v": 0.5})),
        "0: start: expected none, since NIR has none, got one of Neurons",
    ),
    "membrane of converted neurons": (
        Sequential(Neurons(neurons.LIF(), membrane=True)),
        "0: membrane: expected none, since NIR has none, got one of Neurons",
    ),
    "bias of converted neurons": (
        Sequential(biased()), "0: bias: expected none, since NIR has none, got one of "
        "RecurrentNeurons",
    ),
    "in place": (InPlace(), "iadd: expected h = h + y, got h += y, which changes h wherever else "
                 "it is used"),
    "reset": (
        Sequential(linear(3, 3), nn.LIF(reset="subtract")),
        "1: reset: expected 'zero', the one that NIR has, got 'subtract'",
    ),
    "nested": (
        Sequential(Sequential(linear(3, 3), nn.LIF(reset="none"))),
        "0.1: reset: expected 'zero', the one that NIR has, got 'none'",
    ),
    "adaptive": (
        Sequential(nn.AdaptiveLIF()),
        "0: expected a module that NIR has a node for, got AdaptiveLIF",
    ),
    "custom neuron": (
        Sequential(nn.Spiking(neurons.AdEx())),
        "0: expected neurons that NIR has, got AdEx(dt=1.0, detach_reset=True)",
    ),
    "synapse without decay": (
        Sequential(nn.SynapticLIF(alpha=1.0)),
        "0: alpha: expected decay factors in [0, 1), which have a time constant, got 1",
    ),
    "decays of some": (
        Sequential(nn.LIF(torch.tensor([0.5, 1.0, 0.7]))),
        "0: beta: expected decay factors in [0, 1), which have a time constant, got 1",
    ),
    "shape of parameters": (
        Sequential(nn.LIF(torch.rand(4))),
        "0: beta: expected shape (3,), that of its inputs, got (4,)",
    ),
    "capacity": (
        nn.SNN(nn.SparseLIF(3, 8, max_activity=0.5, grad_threshold=0.5)),
        "snn.layers.0: max_activity: expected None, since NIR has no capacity, got 0.5",
    ),
    "normalization": (
        Sequential(torch.nn.LayerNorm(3)),
        "0: expected a module that NIR has a node for, got LayerNorm",
    ),
    "linear of images": (
        Sequential(over_time(torch.nn.Conv2d(1, 1, 1)), linear(3, 3)),
        "0.0: expected inputs that it takes, got (3,): ",
    ),
    "sizes": (
        Sequential(linear(4, 3)),
        "0: expected inputs that it takes, got (3,): ",
    ),
    "product": (Product(), "mul: expected modules, sums of two tensors and flatten, got an "
                "operation that NIR has no node for"),
    "twice": (Twice(), "add: expected different tensors, since NIR has one edge between two nodes, "
              "got the output of input twice"),
    "branching on values": (Depends(), "model: expected one that torch.fx can trace, got: "),
    "two results": (Pair(), "model: expected one tensor as its result, got others"),
    "states": (Stateful(), "lif: expected a call with x alone, got others"),
}  # fmt: skip

IMAGES = {
    "subclass of a convolution": (
        over_time(Padded(2, 2, 3)),
        "timedistributed.0: _conv_forward: expected that of Conv2d, got another of Padded",
    ),
    "convolution alone": (
        Sequential(torch.nn.Conv2d(2, 2, 3)),
        "0: expected it within nn.TimeDistributed, since x is [T, B, ...], got Conv2d alone",
    ),
    "flatten of samples": (
        Sequential(torch.nn.Flatten()),
        "0: start_dim: expected time and batch left as they are, got 1",
    ),
    "neurons without time": (
        Sequential(over_time(nn.LIF())),
        "0.0: expected neurons outside of nn.TimeDistributed, which has no time, got LIF",
    ),
    "padding": (
        over_time(torch.nn.Conv2d(2, 2, 3, padding=1, padding_mode="circular")),
        "timedistributed.0: padding_mode: expected 'zeros', the one that NIR has, got 'circular'",
    ),
    "ceil": (
        over_time(torch.nn.AvgPool2d(2, ceil_mode=True)),
        "timedistributed.0: ceil_mode: expected False, which NIR has, got True",
    ),
    "padding left out": (
        over_time(torch.nn.AvgPool2d(2, padding=1, count_include_pad=False)),
        "timedistributed.0: expected the mean of a window with its padding, or with "
        "divisor_override=1 its sum, got divisor_override=None, count_include_pad=False",
    ),
    "norm": (
        over_time(torch.nn.LPPool2d(2, 2)),
        "timedistributed.0: expected norm_type=1 and ceil_mode=False, which make a sum, got "
        "norm_type=2, ceil_mode=False",
    ),
    "maximum": (
        over_time(torch.nn.MaxPool2d(2)),
        "timedistributed.0: expected a module that NIR has a node for, got MaxPool2d",
    ),
}


@pytest.mark.parametrize("case", [*CASES, *IMAGES])
def test_what_has_no_equal_is_refused_by_name(case: str) -> None:
    net, sentence = {**CASES, **IMAGES}[case]
    shape = (3,) if case in CASES else (2, 8, 8)
    with pytest.raises(ValueError, match=re.escape(f"to_nir: {sentence}")):
        popsnn.nir.to_nir(net, dt=DT, input_shape=shape)


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        (None, "to_nir: input_shape: expected the shape [...] of x [T, B, ...], which the model"),
        (0, "to_nir: input_shape: expected one or more sizes of at least 1, got 0"),
        ((), "to_nir: input_shape: expected one or more sizes of at least 1, got ()"),
        ((3, 1.5), "to_nir: input_shape: expected one or more sizes of at least 1, got (3, 1.5)"),
        (3.0, "to_nir: input_shape: expected one or more sizes of at least 1, got 3.0"),
        ("3", "to_nir: input_shape: expected one or more sizes of at least 1, got '3'"),
        ({"y": (3,)}, "to_nir: input_shape: expected shapes of ['input'], got {'y': (3,)}"),
    ],
)
def test_shapes_of_inputs(shape: Any, sentence: str) -> None:
    for net in (nn.LIF(), Sequential(nn.LIF())):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            popsnn.nir.to_nir(net, dt=DT, input_shape=shape)


@pytest.mark.parametrize("net", [
    linear(4, 3), nn.SNN(nn.SparseLIF(4, 3)), nn.SparseLIF(4, 3), nn.RecurrentLIF(4),
    over_time(linear(4, 3)), Sequential(Sequential(linear(4, 3), nn.LIF())), nn.LI(4, 3),
])  # fmt: skip
def test_the_first_module_tells_the_shape(net: torch.nn.Module) -> None:
    graph = popsnn.nir.to_nir(net, dt=DT)
    assert graph.nodes["input"].input_type["input"].tolist() == [4]


@pytest.mark.parametrize("name", ["weight", "bias", "recurrent_weight"])
def test_weights_that_are_not_finite(name: str) -> None:
    for net in (
        Sequential(linear(3, 3), nn.RecurrentLIF(3)),
        nn.SNN(nn.SparseLIF(3, 3, recurrent=True)),
        over_time(torch.nn.Conv2d(2, 2, 3)),
    ):
        for full, weight in net.named_parameters():
            if full.split(".")[-1] != name:
                continue
            weight.data.flatten()[0] = float("nan")
            shape = (2, 8, 8) if isinstance(net, over_time) else (3,)
            with pytest.raises(ValueError, match=rf": {name}: expected finite numbers, got NaN"):
                popsnn.nir.to_nir(net, dt=DT, input_shape=shape)
            weight.data.zero_()


def test_modules_of_other_kinds() -> None:
    with pytest.raises(TypeError, match="to_nir: model: expected a torch module, got str"):
        popsnn.nir.to_nir("net", dt=DT)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="to_nir: lif: beta: expected decay factors in") as error:
        popsnn.nir.to_nir(nn.LIF(0.0), dt=DT, input_shape=2, method="exponential")
    assert "(0, 1)" in str(error.value)


def test_parametrizations_are_written_as_they_are_now() -> None:
    net = Sequential(torch.nn.utils.parametrizations.weight_norm(linear(3, 3)), nn.LIF())
    net[0].parametrizations.weight.original0.data *= 5
    again = popsnn.nir.from_nir(popsnn.nir.to_nir(net, dt=DT), dt=DT)
    assert torch.equal(again["0"].weight, net[0].weight)


def test_converted_neurons_without_options_are_neurons() -> None:
    net = Sequential(linear(3, 3), Neurons(neurons.LIF()), RecurrentNeurons(neurons.LIF(), 3))
    x = 3 * torch.randn(20, 2, 3)
    assert net(x).any()
    assert torch.equal(popsnn.nir.from_nir(popsnn.nir.to_nir(net, dt=DT), dt=DT)(x), net(x))


def test_modules_whose_output_is_not_used_are_left_out() -> None:
    net = Dead()
    graph = popsnn.nir.to_nir(net, dt=DT)
    assert list(graph.nodes) == ["input", "a", "output"]
    x = torch.randn(4, 2, 3)
    assert torch.equal(popsnn.nir.from_nir(graph, dt=DT)(x), net(x))


def test_a_module_that_is_called_twice_is_two_nodes() -> None:
    lif = nn.LIF(0.5)
    graph = popsnn.nir.to_nir(Sequential(linear(3, 3), lif, lif), dt=DT)
    assert list(graph.nodes) == ["input", "0", "1", "1_1", "output"]


def test_bfloat16_networks() -> None:
    net = Sequential(linear(3, 3), nn.LIF(torch.rand(3))).to(torch.bfloat16)
    again = popsnn.nir.from_nir(popsnn.nir.to_nir(net, dt=DT), dt=DT)
    assert torch.equal(again["0"].weight, net[0].weight.float())
    assert torch.equal(again["1"].beta, net[1].beta.float())
