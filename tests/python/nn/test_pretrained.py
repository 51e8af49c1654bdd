"""save_pretrained and from_pretrained: the same network from a folder, or one sentence."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from torch import Tensor

from popsnn import Neuron, neurons, nn, optim, surrogate, training

pytest.importorskip("safetensors")


def spikes(steps: int = 7) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    drawn = torch.rand(steps, 3, 6, generator=generator, device="cpu")
    return (drawn < 0.5).float().to(torch.empty(0).device)


def network(**options: Any) -> nn.SNN:
    layers = (
        nn.SparseLIF(6, 8, max_activity=0.25, grad_threshold=0.3, learn_beta=True),
        nn.SparseLIF(8, 5, surrogate="atan", threshold=torch.linspace(0.5, 1.5, 5)),
        nn.SparseLI(5, 3, learn_beta=True),
    )
    return nn.SNN(*layers, **options)


LAYERS: list[Callable[[], Any]] = [
    lambda: nn.SparseLIF(
        6, 8, bias=False, recurrent=True, delay=1, max_activity=0.5, grad_threshold=0.25, beta=0.75,
        threshold=2.0, gain=0.5, reset="subtract", detach_reset=False, weight_dtype=torch.float16,
        surrogate=surrogate.Triangle(0.5, scale=0.3),
    ),
    lambda: nn.SparseLIF(6, 8, beta=torch.rand(8), threshold=1 + torch.rand(8), surrogate="atan"),
    lambda: nn.SparseLIF(6, 8, learn_beta=True, learn_threshold=True, grad_threshold=1.0),
    lambda: nn.SparseNeurons(
        6, 8, neurons.AdLIF(symplectic=False, reset="none"), learn=["a", "rho"], delay=1,
        parameters={"beta": torch.rand(8), "b": 2.0}, grad_threshold=-1.0, surrogate="sigmoid",
        weight_dtype=torch.bfloat16,
    ),
    lambda: nn.SparseNeurons(6, 8, neurons.AdEx(dt=0.5, detach_reset=False), recurrent=True),
    lambda: nn.SparseLI(6, 8, bias=False, delay=1, beta=0.5, gain=2.0, weight_dtype=torch.float16),
    lambda: nn.SparseLI(6, 8, beta=torch.rand(8)),
]  # fmt: skip


@pytest.mark.parametrize("index", range(len(LAYERS)))
def test_every_option_of_a_layer_comes_back(index: int, tmp_path: Path) -> None:
    net = nn.SNN(LAYERS[index](), seed=7, check_input=False, backend="torch")
    net.save_pretrained(tmp_path)
    other = nn.SNN.from_pretrained(tmp_path)
    assert (other.seed, other.check_input, other.backend) == (7, False, "auto")
    layer, loaded = net.layers[0], other.layers[0]
    assert repr(loaded) == repr(layer)
    for option in {*layer._checks, *layer.neuron.parameters, "capacity"}:
        mine, theirs = getattr(layer, option, None), getattr(loaded, option, None)
        assert type(theirs) is type(mine), option
        assert torch.equal(mine, theirs) if isinstance(mine, Tensor) else mine == theirs, option
    states = net.state_dict(), other.state_dict()
    assert list(states[0]) == list(states[1])
    assert all(torch.equal(*each) for each in zip(*(state.values() for state in states)))


def test_a_network_of_one_engine_goes_on_with_another(engine: str, tmp_path: Path) -> None:
    net = network(backend=engine)
    with torch.no_grad():
        net.layers[0].weight.mul_(3)
    net(spikes())  # which counts for the drops of the next call
    net.save_pretrained(tmp_path)
    other = nn.SNN.from_pretrained(tmp_path, backend="torch")
    assert not other.training
    torch.testing.assert_close(other.train()(spikes()), net(spikes()))
    dropped = net.stats()[0].dropped_spikes
    assert other.stats()[0].dropped_spikes == dropped > 0
    again = nn.SNN.from_pretrained(tmp_path, backend=engine).train()
    assert torch.equal(again(spikes()), nn.SNN.from_pretrained(tmp_path, backend=engine)(spikes()))


def test_weights_that_the_device_trains_are_saved(engine: str, tmp_path: Path) -> None:
    if engine != "ipu":
        pytest.skip("the other engines train on the host's parameters")
    net = network(backend=engine)
    before = net.layers[0].weight.detach().clone()
    optimizer = optim.SGD(net, lr=0.5)
    net(spikes()).square().sum().backward()
    optimizer.step()
    net.save_pretrained(tmp_path)
    weight = nn.SNN.from_pretrained(tmp_path).layers[0].weight
    assert not torch.equal(weight, before)
    assert torch.equal(weight, net.layers[0].weight.detach())


def test_learnt_values_beyond_what_a_constructor_takes(tmp_path: Path) -> None:
    net = nn.SNN(nn.SparseLIF(6, 8, learn_beta=True, learn_threshold=True, grad_threshold=0.9))
    with torch.no_grad():
        net.layers[0].beta.fill_(1.5)
        net.layers[0].threshold.fill_(0.5)
    net.save_pretrained(tmp_path)
    layer = nn.SNN.from_pretrained(tmp_path).layers[0]
    assert bool((layer.beta == 1.5).all())
    assert bool((layer.threshold == 0.5).all())
    assert layer.grad_threshold == 0.9


def test_numbers_keep_their_type(tmp_path: Path) -> None:
    net = network(backend="torch").double()
    net.save_pretrained(tmp_path)
    other = nn.SNN.from_pretrained(tmp_path)
    assert torch.equal(net.eval()(spikes().double()), other(spikes().double()))
    assert {each.dtype for each in other.parameters()} == {torch.float64}


def test_saving_draws_no_numbers_and_leaves_the_network(tmp_path: Path) -> None:
    net = network()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    torch.manual_seed(5)
    net.save_pretrained(tmp_path / "a" / "b")
    drawn = torch.rand(3)
    torch.manual_seed(5)
    assert torch.equal(drawn, torch.rand(3))
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == [
        "config.json",
        "model.safetensors",
    ]


def test_a_network_of_popsnn_train(tmp_path: Path) -> None:
    net = training.network(training.Config(hidden=[16], steps=5), 6, 3)
    net.save_pretrained(tmp_path)
    other = nn.SNN.from_pretrained(tmp_path)
    assert torch.equal(other(spikes()), net.eval()(spikes()))


class Net(nn.Pretrained):
    """A network of a user, with arguments of every kind that a file has."""

    def __init__(
        self,
        inputs: int,
        hidden: int = 8,
        *,
        neuron: Neuron | None = None,
        shape: Any = "superspike",
        sizes: Any = (),
        high: float = math.inf,
        dtype: torch.dtype = torch.float32,
        **more: Any,
    ) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(inputs, hidden, dtype=dtype)
        self.lif = nn.Spiking(neuron or neurons.LIF(), learn=["beta"], surrogate=shape)
        self.readout = nn.SNN(nn.SparseLI(hidden, 3, **more))
        self.norm = torch.nn.BatchNorm1d(hidden)
        self.kept = (sizes, high, dtype)

    def forward(self, x: Tensor) -> Tensor:
        spikes = self.lif(self.linear(x))
        out: Tensor = self.readout(spikes) + self.norm(spikes.mean(0)).sum()
        return out


def test_a_network_of_a_user(tmp_path: Path) -> None:
    sizes = ([1, (2, 3)], {"tuple": -math.inf, "b": None, "c": "text", "d": True})
    made = {"neuron": neurons.AdaptiveLIF("subtract"), "shape": surrogate.SuperSpike(25.0)}
    net = Net(6, sizes=sizes, **made, beta=0.5)
    net(spikes())
    net.save_pretrained(tmp_path)
    other = Net.from_pretrained(tmp_path)
    assert not other.norm.training
    assert torch.equal(other(spikes()), net.eval()(spikes()))
    assert other.kept == net.kept
    assert other.lif.surrogate == surrogate.SuperSpike(25.0)
    assert other.readout.layers[0].beta == 0.5
    assert Net.from_pretrained(tmp_path, high=3.0).kept[1] == 3.0


class Deep(Net):
    def __init__(self, depth: int) -> None:
        super().__init__(6, hidden=2**depth)


class Stack(nn.SNN):
    def __init__(self, *, width: int) -> None:
        super().__init__(nn.SparseLIF(6, width), nn.SparseLI(width, 3))


def test_constructors_of_subclasses_count(tmp_path: Path) -> None:
    for net in (Deep(3), Stack(width=9)):
        net.save_pretrained(tmp_path)
        other: Any = type(net).from_pretrained(tmp_path)
        assert torch.equal(other(spikes()), net.eval()(spikes()))
        with pytest.raises(ValueError, match=f"network: expected Net, got '{type(net).__name__}'"):
            Net.from_pretrained(tmp_path)


class Own(neurons.LIF):
    pass


def changed(name: str, value: Any) -> Net:
    net = Net(6)
    module, _, attribute = name.rpartition(".")
    setattr(net.get_submodule(module), attribute, value)
    return net


class Inherits(nn.Pretrained):
    pass


UNWRITABLE: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: nn.SNN(nn.SparseNeurons(6, 8, Own())),
        "SNN.save_pretrained: argument layers.0.model: expected a neuron of popsnn, which a file "
        "can name, got Own",
    ),
    (
        lambda: nn.SNN(nn.SparseLIF(6, 8, surrogate=surrogate.Custom(torch.tanh))),
        "SNN.save_pretrained: argument layers.0.surrogate: expected a surrogate of popsnn, which a "
        "file can name, got Custom",
    ),
    (
        lambda: Net(6, sizes=[torch.nn.ReLU()]),
        "Net.save_pretrained: argument sizes: expected numbers, strings, dtypes, surrogates, "
        "neurons, or lists of them, got ReLU",
    ),
    (
        lambda: Inherits(),
        "Inherits.save_pretrained: expected a class with its own constructor, got Inherits",
    ),
    (
        lambda: changed("lif.grad_threshold", 0.5),
        "Net.save_pretrained: lif.grad_threshold: expected None, what the constructor makes of its "
        "arguments, got 0.5",
    ),
    (
        lambda: changed("lif.surrogate", surrogate.ATan()),
        "Net.save_pretrained: lif.surrogate: expected SuperSpike(slope=10.0), what the constructor "
        "makes of its arguments, got ATan(slope=2.0)",
    ),
    (
        lambda: changed("lif.threshold", 2.0),
        "Net.save_pretrained: lif.threshold: expected 1.0, what the constructor makes of its "
        "arguments, got 2.0",
    ),
    (
        lambda: changed("lif.threshold", torch.ones(8)),
        "Net.save_pretrained: lif.threshold: expected <class 'float'>, what the constructor makes "
        "of its arguments, got <class 'torch.Tensor'>",
    ),
    (
        lambda: changed("norm.eps", 0.5),
        "Net.save_pretrained: norm: expected '8, eps=1e-05",
    ),
    (
        lambda: changed("linear", torch.nn.Identity()),
        "Net.save_pretrained: linear: expected Linear, what the constructor makes of its "
        "arguments, got Identity",
    ),
    (
        lambda: Net(6).to("meta"),
        "Net.save_pretrained: linear.weight: expected a tensor, got one without values",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("make", "sentence"), UNWRITABLE, ids=[each[1] for each in UNWRITABLE])
def test_what_cannot_be_written(make: Callable[[], Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}"):
        make().save_pretrained(tmp_path)
    assert not list(tmp_path.iterdir())


def edited(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "config.json"
        config = json.loads(path.read_text("utf-8"))
        config = change(config) or config
        path.write_text(json.dumps(config), encoding="utf-8")

    return edit


def set_to(*keys: Any) -> Callable[[Path], None]:
    def change(config: Any) -> None:
        *path, last, value = keys
        for key in path:
            config = config[key]
        config[last] = value

    return edited(change)


def flip(folder: Path) -> None:
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def no_tensors(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"nothing")
    set_to("weights", "sha256", hashlib.sha256(b"nothing").hexdigest())(folder)


def cut_off(folder: Path) -> None:
    """Leave what a crash between the two files leaves: newer weights, the earlier configuration."""
    earlier = (folder / "config.json").read_bytes()
    network().save_pretrained(folder)
    (folder / "config.json").write_bytes(earlier)


LAYER = ("arguments", "layers", 0)
WRONG: list[tuple[Callable[[Path], None], str]] = [
    (lambda folder: (folder / "config.json").unlink(), "expected a file .*config.json, got none"),
    (lambda folder: (folder / "model.safetensors").unlink(), "expected a file .*tensors, got none"),
    (lambda folder: (folder / "config.json").write_text("{"), "expected JSON in .*config.json"),
    (edited(lambda _: [1]), "expected a network that save_pretrained wrote, got .* without 'popsn"),
    (set_to("weights", 3), "expected a network that save_pretrained wrote, .* without 'weights'"),
    (set_to("format", 2), r"expected the format 1 of popsnn .*, got 2 of popsnn .* in .*json"),
    (set_to("network", "Net"), "network: expected SNN, got 'Net' in .*config.json"),
    (flip, "expected .*model.safetensors with the SHA-256 of config.json, got .* do not belong"),
    (cut_off, "the files do not belong together, or one has changed"),
    (no_tensors, "expected tensors in .*model.safetensors, got "),
    (set_to(*LAYER, "in_features", 9), r"layers.0.weight: .* \(8, 9\) .*, got \(8, 6\)"),
    (set_to(*LAYER, "in_features", -1), "arguments: SparseLIF: in_features: expected at least 1"),
    (set_to(*LAYER, "bias", False), "layers.0.bias: expected shape none of the configuration, got"),
    (set_to(*LAYER, "type", "os.system"), "arguments: expected one of SparseLIF, .*, got 'os.syst"),
    (set_to(*LAYER, "forward", 1), "arguments: .*unexpected keyword argument 'forward'"),
    (set_to(*LAYER, "surrogate", {"surrogate": ["Custom", {}]}), "as surrogate, got 'Custom'"),
    (set_to(*LAYER, "reset", {"code": "x"}), "expected an object with one of tuple, "),
    (set_to(*LAYER, "weight_dtype", {"dtype": "load"}), "expected a dtype of torch, got 'load'"),
    (set_to("arguments", "layers", []), "arguments: SNN: layers: expected at least one layer"),
    (set_to("arguments", {}), "arguments: 'layers'"),
]  # fmt: skip


@pytest.mark.parametrize(("sabotage", "sentence"), WRONG, ids=[each[1] for each in WRONG])
def test_wrong_files(sabotage: Callable[[Path], None], sentence: str, tmp_path: Path) -> None:
    network().save_pretrained(tmp_path)
    nn.SNN.from_pretrained(tmp_path)
    sabotage(tmp_path)
    with pytest.raises(
        (FileNotFoundError, ValueError), match=f"^SNN.from_pretrained: .*{sentence}"
    ):
        nn.SNN.from_pretrained(tmp_path)


def test_a_change_that_is_none(tmp_path: Path) -> None:
    network().save_pretrained(tmp_path)
    sentence = "SNN.from_pretrained: arguments: expected a change of backend, .*, got 'layers'"
    with pytest.raises(ValueError, match=sentence):
        nn.SNN.from_pretrained(tmp_path, layers=[])


def test_a_folder_is_a_path() -> None:
    sentence = r"SNN.save_pretrained: folder: expected a path, got NoneType"
    with pytest.raises(TypeError, match=f"^{sentence}$"):
        network().save_pretrained(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="folder: expected a path, got int"):
        nn.SNN.from_pretrained(3)  # type: ignore[arg-type]


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("safetensors", "safetensors.torch"):
        monkeypatch.setitem(sys.modules, name, None)
    sentence = "SNN.save_pretrained: expected the package safetensors, .*popsnn\\[safetensors\\]"
    with pytest.raises(ImportError, match=sentence):
        network().save_pretrained(tmp_path)
    with pytest.raises(ImportError, match=r"SNN.from_pretrained: expected the package safetens"):
        nn.SNN.from_pretrained(tmp_path)
