"""save_pretrained and from_pretrained: the same network from a folder, or one sentence."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from torch import Tensor

from popsnn import Neuron, neurons, nn, optim, surrogate, training

pytest.importorskip("safetensors")
from safetensors import safe_open  # after the check
from safetensors.torch import load_file, save_file


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
    lambda: nn.SparseLIF(
        6, 8, recurrent=True, delay=nn.Delays("synaptic", 5, learn=True, width=2.0),
        recurrent_delay=nn.Delays("axonal", 3, torch.arange(8) % 3 + 1, minimum=1),
    ),
    lambda: nn.SparseLI(6, 8, delay=4),
]  # fmt: skip


@pytest.mark.parametrize("index", range(len(LAYERS)))
def test_every_option_of_a_layer_comes_back(index: int, tmp_path: Path) -> None:
    net = nn.SNN(LAYERS[index](), seed=7, check_input=False, backend="torch", precision="tf32")
    net.save_pretrained(tmp_path)
    other = nn.SNN.from_pretrained(tmp_path)
    assert (other.seed, other.check_input, other.backend) == (7, False, "auto")
    assert other.precision == "tf32"
    layer, loaded = net.layers[0], other.layers[0]
    assert repr(loaded) == repr(layer)
    for option in {*layer._checks, *layer.neuron.parameters, "capacity"}:
        mine, theirs = getattr(layer, option, None), getattr(loaded, option, None)
        assert type(theirs) is type(mine), option
        if isinstance(mine, nn.Delays):  # which `repr` shows, and the state dict has
            continue
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


@pytest.mark.filterwarnings("ignore:.*copying from a non-meta parameter")
def test_tensors_are_on_the_default_device(tmp_path: Path) -> None:
    layer = nn.SparseLIF(6, 8, threshold=1 + torch.rand(8), grad_threshold=0.5, learn_beta=True)
    nn.SNN(layer, backend="torch").save_pretrained(tmp_path)
    with torch.device("meta"):  # which has no values
        net = nn.SNN.from_pretrained(tmp_path)
    assert {value.device.type for value in net.state_dict().values()} == {"meta"}


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
        self.attention = torch.nn.MultiheadAttention(4, 2)
        self.convolution = nn.SpikeConv2d(2, 3, 3)
        self.spiking_norm = nn.BatchNormLIF(3)
        self.twin, self.tied = (torch.nn.Linear(inputs, hidden, dtype=dtype) for _ in range(2))
        self.tied.weight = self.twin.weight
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


class Shows(torch.nn.Module):
    """A module whose text has a learnt value."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = torch.nn.Parameter(torch.zeros(()))

    def extra_repr(self) -> str:
        return f"scale={float(self.scale):.3f}"


class Weighted(neurons.LIF):
    """A neuron of a user that holds a tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = torch.ones(3)


class Good(nn.Pretrained):
    def __init__(self, limit: float = math.nan, **more: Any) -> None:
        super().__init__()
        self._arguments = {"of": "another library"}
        self.limit = limit
        self.more = more
        self.shows = Shows()
        self.spiking = nn.Spiking(Weighted(), surrogate=surrogate.Custom(lambda v: v.sigmoid()))
        self.list = torch.nn.ParameterList([torch.nn.Parameter(torch.ones(3))])
        self.dict = torch.nn.ParameterDict({"a": torch.nn.Parameter(torch.ones(3))})
        linear = torch.nn.Linear(3, 3)
        self.linear = torch.nn.utils.parametrizations.orthogonal(linear)
        self.tied = torch.nn.Linear(3, 3)
        self.tied.bias = self.list[0]
        self.recorded: Any = None
        self._count = 0


def test_a_network_whose_modules_show_or_record_something(tmp_path: Path) -> None:
    net = Good(more={"a": [1, (2, math.nan)]}).double()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter += 0.5
    net.recorded, net._count = torch.ones(3), 7
    net.save_pretrained(tmp_path)
    other = Good.from_pretrained(tmp_path)
    states = net.state_dict(), other.state_dict()
    assert list(states[0]) == list(states[1])
    assert all(torch.equal(*each) for each in zip(*(state.values() for state in states)))
    assert math.isnan(other.limit)
    assert other.more["more"]["a"][0] == 1
    assert other.tied.bias is other.list[0]


def with_default(beta: float, unwritable: Any = None) -> Any:
    class Made(nn.Pretrained):
        def __init__(
            self, size: int = 3, beta: float = beta, kept: Any = unwritable, *more: Any
        ) -> None:
            super().__init__()
            self.lif = nn.LIF(beta)
            self.linear = torch.nn.Linear(size, size)

    return Made


@pytest.mark.parametrize("unwritable", [None, torch.relu])
def test_defaults_are_saved_as_they_were(unwritable: Any, tmp_path: Path) -> None:
    with_default(0.75, unwritable)().save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    assert config["arguments"]["beta"] == 0.75
    assert ("kept" in config["arguments"]) == (unwritable is None)
    assert with_default(0.5, unwritable).from_pretrained(tmp_path).lif.beta == 0.75


def test_an_argument_that_looks_like_a_refusal_of_another(tmp_path: Path) -> None:
    class Holds(nn.Pretrained):
        def __init__(self, values: Any, *, more: Any = ()) -> None:
            super().__init__()
            self.neuron = neurons.LIF()

    Holds([neurons.LIF("subtract")], more=({"a": 1},)).save_pretrained(tmp_path)
    with pytest.raises(TypeError, match=r"^Holds.save_pretrained: argument values: expected a neu"):
        Holds([{"a": (Own(),)}]).save_pretrained(tmp_path)
    cyclic = cycle()
    Holds(cyclic)  # which is not saved


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


def tied() -> Net:
    net = Net(6)
    net.twin.weight = net.linear.weight
    net.tied.weight = net.linear.weight
    return net


def cycle() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


class Inherits(nn.Pretrained):
    pass


class Of(nn.Pretrained):
    def __init__(self, kind: str) -> None:
        super().__init__()
        self.linear = torch.nn.LazyLinear(3) if kind == "lazy" else torch.nn.Linear(3, 3)
        if kind != "lazy":
            value = torch.eye(3)
            self.register_buffer(
                "extra", value.to_sparse() if kind == "sparse" else value.cdouble()
            )


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
        "Net.save_pretrained: lif.threshold: expected 1.0, what the constructor makes of its "
        "arguments, got <class 'torch.Tensor'>",
    ),
    (
        lambda: changed("norm.eps", 0.5),
        "Net.save_pretrained: norm.eps: expected 1e-05, what the constructor makes of its "
        "arguments, got 0.5",
    ),
    (
        lambda: changed("linear", torch.nn.Identity()),
        "Net.save_pretrained: linear: expected Linear, what the constructor makes of its "
        "arguments, got Identity",
    ),
    (
        lambda: Net(6).to("meta"),
        "Net.save_pretrained: linear.weight: expected a dense tensor, got one without values",
    ),
    (
        lambda: Of("lazy"),
        "Of.save_pretrained: linear.weight: expected a dense tensor, got one without values",
    ),
    (
        lambda: Of("sparse"),
        "Of.save_pretrained: extra: expected a dense tensor, got one of layout torch.sparse_coo",
    ),
    (
        lambda: Of("complex"),
        "Of.save_pretrained: expected tensors of types that safetensors has, got torch.complex128",
    ),
    (
        lambda: Net(6, sizes=cycle()),
        "Net.save_pretrained: argument sizes: expected a value without cycles, got list",
    ),
    *(
        (
            lambda name=name, value=value: changed(name, value),
            f"Net.save_pretrained: {name}: expected {expected}, what the constructor makes of its "
            f"arguments, got {value!r}",
        )
        for name, expected, value in (
            ("kept", "((), inf, torch.float32)", 5.0),
            ("later", "None", 5.0),
            ("attention.dropout", "0.0", 0.5),
            ("convolution.stride", "(1, 1)", (2, 2)),
            ("convolution.padding", "(0, 0)", (1, 1)),
            ("convolution.dilation", "(1, 1)", (2, 2)),
            ("spiking_norm.neighbours", "None", (1, 1)),
        )
    ),
    (
        lambda: changed("spiking_norm.neighbours", object()),
        "Net.save_pretrained: spiking_norm.neighbours: expected None, what the constructor makes "
        "of its arguments, got <class 'object'>",
    ),
    (
        tied,
        "Net.save_pretrained: twin.weight: expected a tensor of its own, what the constructor "
        "makes of its arguments, got linear.weight",
    ),
    (
        lambda: changed("tied.weight", torch.nn.Parameter(torch.zeros(8, 6))),
        "Net.save_pretrained: tied.weight: expected twin.weight, what the constructor makes of its "
        "arguments, got a tensor of its own",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("make", "sentence"), UNWRITABLE, ids=[each[1] for each in UNWRITABLE])
def test_what_cannot_be_written(make: Callable[[], Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}"):
        make().save_pretrained(tmp_path)
    assert not list(tmp_path.iterdir())


def config_of(path: Path) -> Any:
    with safe_open(path / "model.safetensors", "pt") as file:
        return json.loads(file.metadata()["popsnn"])


def rewrite(path: Path, metadata: dict[str, str] | None) -> None:
    tensors = load_file(path / "model.safetensors")
    save_file(tensors, path / "model.safetensors", metadata)


def edited(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        config = config_of(folder)
        rewrite(folder, {"popsnn": json.dumps(change(config) or config)})

    return edit


def set_to(*keys: Any) -> Callable[[Path], None]:
    def change(config: Any) -> None:
        *path, last, value = keys
        for key in path:
            config = config[key]
        config[last] = value

    return edited(change)


def write(content: bytes) -> Callable[[Path], Any]:
    return lambda folder: (folder / "model.safetensors").write_bytes(content)


def cut(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])


LAYER = ("arguments", "layers", 0)
WRONG: list[tuple[Callable[[Path], None], str]] = [
    (lambda folder: (folder / "model.safetensors").unlink(), "expected a file .*tensors, got none"),
    (write(b"nothing"), "expected tensors in .*model.safetensors, got "),
    (cut, "expected tensors in .*model.safetensors, got "),
    (lambda folder: rewrite(folder, None), "expected a network that save_pretrained wrote, got .*"),
    (lambda folder: rewrite(folder, {"popsnn": "{"}), "expected JSON as configuration in .*model"),
    (
        lambda folder: rewrite(folder, {"popsnn": "[" * 200_000 + "]" * 200_000}),
        "expected JSON as configuration in .*model.safetensors, got maximum recursion",
    ),
    (edited(lambda _: [1]), "expected a network that save_pretrained wrote, got .* without 'popsn"),
    (set_to("arguments", 3), "expected a network that save_pretrained wrote, .* without 'argumen"),
    (set_to("format", 2), r"expected the format 1 of popsnn .*, got 2 of popsnn .* in .*tensors"),
    (set_to("network", "Net"), "network: expected SNN, got 'Net' in .*model.safetensors"),
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


@pytest.mark.parametrize("failing", ["model.safetensors", "config.json"])
def test_a_save_that_is_cut_off_leaves_the_earlier_or_the_new_network(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier, new = network(seed=1), nn.SNN(nn.SparseLI(6, 4), seed=2)
    earlier.save_pretrained(tmp_path)
    replace = os.replace

    def cut_off(source: Path, target: Path) -> None:
        if target.name == failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", cut_off)
    with pytest.raises(OSError, match="No space left"):
        new.save_pretrained(tmp_path)
    expected = earlier if failing == "model.safetensors" else new
    loaded = nn.SNN.from_pretrained(tmp_path)
    assert loaded.seed == expected.seed
    assert torch.equal(loaded(spikes()), expected.eval()(spikes()))


def test_the_configuration_for_readers_is_a_copy(tmp_path: Path) -> None:
    network().save_pretrained(tmp_path)
    path = tmp_path / "config.json"
    assert json.loads(path.read_text("utf-8")) == config_of(tmp_path)
    path.unlink()
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
