"""Options of modules, set by a constructor and afterwards: the same values, the same sentences."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
import re
from typing import Any, Callable

import pytest
import torch
from torch import Tensor

from popsnn import backends, nn
from popsnn.neurons import AdaptiveLIF
from popsnn.surrogate import ATan

Make = Callable[..., torch.nn.Module]

MODULES: dict[str, Make] = {
    "SNN": lambda **options: nn.SNN(nn.SparseLIF(6, 8), nn.SparseLI(8, 3), **options),
    "SparseLIF": lambda **options: nn.SparseLIF(**{"in_features": 6, "out_features": 8, **options}),
    "SparseNeurons": lambda **options: nn.SparseNeurons(
        **{"in_features": 6, "out_features": 8, "model": AdaptiveLIF(), **options}
    ),
    "SparseLI": lambda **options: nn.SparseLI(**{"in_features": 6, "out_features": 3, **options}),
    "Delays": lambda **options: nn.Delays(
        **{"kind": "axonal", "maximum": 3, "learn": True, **options}
    ),
    "LIF": nn.LIF,
    "IF": nn.IF,
    "PLIF": nn.PLIF,
    "AdaptiveLIF": nn.AdaptiveLIF,
    "SynapticLIF": nn.SynapticLIF,
    "LeakyIntegrator": nn.LeakyIntegrator,
    "BatchNorm": lambda **options: nn.BatchNorm(**{"num_features": 8, **options}),
    "BatchNormLIF": lambda **options: nn.BatchNormLIF(**{"num_features": 8, **options}),
    "SpikeConv2d": lambda **options: nn.SpikeConv2d(2, 2, 3, **options),
    "Spiking": lambda **options: nn.Spiking(**{"neuron": AdaptiveLIF(), **options}),
    "RecurrentSpiking": lambda **options: nn.RecurrentSpiking(
        **{"neuron": AdaptiveLIF(), "size": 8, **options}
    ),
    "RecurrentLIF": lambda **options: nn.RecurrentLIF(**{"size": 8, **options}),
    "Dropout": nn.Dropout,
    "SpikeMaxPool2d": lambda **options: nn.SpikeMaxPool2d(
        **{"kernel_size": 3, "stride": 2, **options}
    ),
}

# Values that an option refuses, whatever module has it.
REFUSED: dict[str, list[Any]] = {
    "backend": ["bogus", 3],
    "seed": [-1, 2**32, 1.5, True],
    "device": ["bogus", 4, "host:tiles=x"],
    "check_input": ["no", 1],
    "precision": ["float16", None],
    "delay": [-1, 0.5, "late"],
    "recurrent_delay": [nn.Delays("axonal", 2, 1), 1],
    "width": [-1.0, math.inf],
    "spread": ["none", 1],
    "max_activity": [0.0, 1.1, math.nan, "all"],
    "grad_threshold": [math.nan, "high"],
    "gain": [math.inf, "large"],
    "surrogate": ["bogus", 7],
    "weight_dtype": [torch.int8, "half"],
    "reset": ["bogus", None],
    "detach_reset": ["no", 1],
    "beta": [1.5, -0.1, math.nan, "slow", None],
    "rho": [1.5, None],
    "alpha": [-1.0, math.inf],
    "kappa": [math.inf, None],
    "threshold": [math.nan, "high", None],
    "eps": [math.nan, "small"],
    "momentum": [math.inf, "small"],
    "bits": ["yes", 1],
    "counts": ["yes", 1],
    "channels": ["yes", 1],
    "kernel_size": [0, 1.5],
    "stride": [0, None],
    "padding": [-1, "same"],
    "p": [-0.1, 1.0, math.nan, "half"],
    "recurrent_input": ["y", 3],
}
OF_TORCH = {"kernel_size", "stride", "padding"}  # where the module is torch's own convolution
CASES = [
    (kind, option, value)
    for kind, make in MODULES.items()
    for option, values in REFUSED.items()
    if hasattr(make(), option) and not (kind == "SpikeConv2d" and option in OF_TORCH)
    for value in values
]


def same(value: Any, other: Any) -> bool:
    return torch.equal(value, other) if isinstance(value, Tensor) else bool(value == other)


@pytest.mark.parametrize(("kind", "option", "value"), CASES)
def test_a_bad_value_is_refused_as_by_the_constructor(kind: str, option: str, value: Any) -> None:
    module = MODULES[kind]()
    before = copy.deepcopy(getattr(module, option))
    with pytest.raises((TypeError, ValueError)) as set_later:
        setattr(module, option, value)
    assert re.match(r"(\w+: )+expected .*, got ", str(set_later.value))
    assert same(getattr(module, option), before)
    default = inspect.signature(getattr(nn, kind).__init__).parameters.get(option)
    if default is not None and not (value is None and default.default is None):
        with pytest.raises(type(set_later.value), match=re.escape(str(set_later.value))):
            MODULES[kind](**{option: value})


@pytest.mark.parametrize("kind", list(MODULES))
def test_every_option_is_checked_or_stays(kind: str) -> None:
    module, arguments = MODULES[kind](), inspect.signature(getattr(nn, kind).__init__).parameters
    options = {name for name in arguments if name in vars(module)} - {"group"}
    if kind == "SpikeConv2d":
        options -= set(inspect.signature(torch.nn.Conv2d.__init__).parameters)
    assert [name for name in options - set(module._fixed) if module._check_of(name) is None] == []  # type: ignore[operator, arg-type]


def test_every_module_is_here() -> None:
    public = {getattr(nn, name) for name in nn.__all__}
    modules = {kind.__name__ for kind in public if issubclass(kind, torch.nn.Module)}
    assert modules - {"TimeDistributed", "Pretrained"} == set(MODULES)  # which have no options


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("SparseLIF", "in_features", 7),
        ("SparseLIF", "out_features", 8),
        ("SparseLIF", "capacity", 3),
        ("SparseNeurons", "model", AdaptiveLIF(detach_reset=False)),
        ("SparseLI", "in_features", 7),
        ("BatchNorm", "num_features", 3),
    ],
)
def test_what_the_constructor_alone_sets(kind: str, name: str, value: Any) -> None:
    module = MODULES[kind]()
    before = getattr(module, name)
    wanted = f"{kind}: {name}: expected what the constructor made of it"
    sentence = f"{wanted}, {before!r}, got {value!r}"
    with pytest.raises(AttributeError, match=f"^{re.escape(sentence)}$"):
        setattr(module, name, value)
    assert getattr(module, name) == before


@pytest.mark.parametrize("kind", ["SparseLIF", "LIF", "BatchNormLIF"])
def test_a_gradient_threshold_stays_below_the_threshold(kind: str) -> None:
    module: Any = MODULES[kind]()
    module.grad_threshold = 0.9
    sentence = f"{kind}: grad_threshold: expected at most the threshold 1, got 9"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        module.grad_threshold = 9.0
    with pytest.raises(ValueError, match=r"grad_threshold: expected at most the threshold 0\.5"):
        module.threshold = 0.5
    module.grad_threshold = None
    module.threshold = torch.full((8,), 0.5)
    with pytest.raises(ValueError, match=r"grad_threshold: expected at most the threshold 0\.5"):
        module.grad_threshold = 0.6


def test_a_learnt_threshold_may_fall_below() -> None:
    layer = nn.SparseLIF(6, 8, learn_threshold=True)
    with torch.no_grad():
        layer.threshold.fill_(0.5)
    layer.grad_threshold = 0.6
    assert layer.grad_threshold == 0.6


@pytest.mark.parametrize("kind", ["SparseLIF", "SparseNeurons", "SparseLI", "LIF", "BatchNormLIF"])
def test_numbers_and_tensors_take_turns(kind: str) -> None:
    module: Any = MODULES[kind]()
    size = 3 if kind == "SparseLI" else 8
    values = torch.rand(size)
    for _ in range(2):
        module.beta = values
        assert torch.equal(module.state_dict()["beta"], values)
        assert module.double().beta.dtype == torch.float64
        module.beta = 0.25
        assert module.beta == 0.25
        assert "beta" not in module.state_dict()
    with pytest.raises(ValueError, match=f"{kind}: beta: expected a tensor without a gradient"):
        module.beta = torch.rand(size).requires_grad_()
    assert module.beta == 0.25


def test_a_learnt_option_stays_a_parameter() -> None:
    layer = nn.SparseLIF(6, 8, learn_beta=True)
    with pytest.raises(TypeError, match="beta"):
        layer.beta = 0.5
    layer.beta = torch.nn.Parameter(torch.full((8,), 0.5))
    assert len(list(layer.parameters())) == 3


def test_a_learnt_leak_is_set_by_its_logit() -> None:
    neurons = nn.PLIF()
    sentence = "PLIF: beta: expected its logit, the parameter w, to be set, got 0.5"
    with pytest.raises(AttributeError, match=sentence):
        neurons.beta = 0.5


def test_parameters_of_a_model() -> None:
    layer: Any = nn.SparseNeurons(6, 8, AdaptiveLIF())
    with pytest.raises(ValueError, match=r"SparseNeurons: rho: expected values in \[0, 1\], got 2"):
        layer.rho = 2.0
    with pytest.raises(ValueError, match="SparseNeurons: kappa: expected a finite number, got nan"):
        layer.kappa = math.nan


@pytest.mark.parametrize("name", ["beta", "threshold"])
@pytest.mark.parametrize("kind", ["SparseLIF", "SparseLI", "LIF", "AdaptiveLIF", "LeakyIntegrator"])
def test_flags_of_what_is_learnt(kind: str, name: str) -> None:
    if f"learn_{name}" not in inspect.signature(getattr(nn, kind).__init__).parameters:
        pytest.skip("not learnt here")
    with pytest.raises(TypeError, match=f"{kind}: learn_{name}: expected True or False, got 'no'"):
        MODULES[kind](**{f"learn_{name}": "no"})


def test_a_new_fraction_is_a_new_capacity(engine: str) -> None:
    layer = nn.SparseLIF(6, 20, max_activity=0.1)
    net = nn.SNN(layer, nn.SparseLI(20, 3), backend=engine)
    with torch.no_grad():
        layer.weight.fill_(2.0)
    x = torch.ones(3, 2, 6)
    net(x)
    assert net.stats()[0].spikes == 3 * 2 * 2
    layer.max_activity = None
    assert layer.capacity == 20
    net(x)
    assert net.stats()[0].spikes == 3 * 2 * 20
    assert net.stats()[0].dropped_spikes == 0


def test_a_network_takes_a_list_of_modules() -> None:
    net = nn.SNN(nn.SparseLIF(6, 8), nn.SparseLI(8, 3))
    with pytest.raises(TypeError, match=r"^SNN: layers: expected a ModuleList, got list$"):
        net.layers = [nn.SparseLIF(6, 8)]
    with pytest.raises(ValueError, match="SNN: layer 1: expected in_features 7 as layer 0 gives"):
        net.layers = torch.nn.ModuleList([nn.SparseLIF(6, 7), nn.SparseLI(8, 3)])
    net.layers = torch.nn.ModuleList([nn.SparseLIF(6, 7), nn.SparseLI(7, 3)])
    assert net(torch.zeros(2, 1, 6)).shape == (2, 1, 3)


@pytest.mark.skipif(not backends()["ipu"].available, reason=str(backends()["ipu"].reason))
def test_an_engine_that_cannot_run_the_network_says_so_when_it_is_set() -> None:
    net = nn.SNN(nn.SparseLIF(6, 8), nn.SparseLI(8, 3), backend="torch").double()
    with pytest.raises(ValueError, match="SNN: backend 'ipu' cannot run this network: layer 0"):
        net.backend = "ipu"
    assert net.engine == "torch"


def test_copies_keep_their_checks() -> None:
    layer = nn.SparseLIF(6, 8, surrogate=ATan(), beta=torch.rand(8), max_activity=0.5)
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert other.capacity == 4
        assert torch.equal(other.beta, layer.beta)
        with pytest.raises(ValueError, match="SparseLIF: delay: expected"):
            other.delay = -3


@pytest.mark.parametrize("kind", list(MODULES))
def test_print_shows_parameters_of_neurons_and_what_learns(kind: str) -> None:
    arguments = inspect.signature(getattr(nn, kind).__init__).parameters
    learn = {name: True for name in arguments if name.startswith("learn_")}
    if "learn" in arguments and kind != "Delays":
        learn = {"learn": AdaptiveLIF().parameters}  # type: ignore[dict-item]
    module: Any = MODULES[kind](**learn)
    neuron = getattr(module, "neuron", None)
    names = ("beta", "threshold") if kind == "BatchNormLIF" else getattr(neuron, "parameters", ())
    if kind == "PLIF":
        names = ("w", "threshold")
    for name in names:
        learnt = isinstance(getattr(module, name), torch.nn.Parameter)
        value = r"[\d.]+ \(learnt\)" if learnt else r"[\d.]+"
        assert re.search(rf"\b{name}={value}[,)]", repr(module)), name
    if hasattr(module, "grad_threshold"):
        assert "grad_threshold=None" in repr(module)
        assert "surrogate=SuperSpike(slope=10.0)" in repr(module)
