"""Neurons of several input currents on every engine, against the reference in float64."""

from __future__ import annotations

import copy
from typing import Any, ClassVar

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import most_spilt
from tests.cuda.scan.test_in_torch import LAYOUTS, Seen
from tests.cuda.scan.test_scan import TOLERANCE, Case, Neuron, compare, per_place
from tests.cuda.scan.test_segments import Cut, cut, launched  # noqa: F401
from torch import Tensor
from torch.utils.checkpoint import checkpoint

import popsnn
from popsnn import functional, nn
from popsnn.cuda.device.options import encode
from popsnn.cuda.device.program import backward_source, forward_source, maps_source
from popsnn.cuda.scan.scan import ScanOptions
from popsnn.surrogate import SuperSpike


class Balanced(popsnn.Neuron):
    """Two inputs; backward needs the second."""

    inputs = ("excitatory", "inhibitory")
    states = ("v", "s")
    parameters: ClassVar = {"beta": 0.875, "threshold": 0.75}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        left = self.after_reset(state.v, state.s, p.threshold)
        v = p.beta * left + x.excitatory - x.inhibitory * (0.5 + torch.tanh(left))
        return v, fire(v, p.threshold)


class Three(popsnn.Neuron):
    """Three inputs, two of them of a state of their own."""

    inputs = ("a", "b", "c")
    states = ("g", "v", "s")
    parameters: ClassVar = {"beta": 0.875, "threshold": 0.75}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        g = 0.5 * state.g + torch.sigmoid(x.b) * x.c
        v = p.beta * state.v * (1 - state.s.detach()) + x.a + g
        return g, v, fire(v, p.threshold)


class Sums(popsnn.Neuron):
    """Four inputs and no spikes."""

    inputs = ("a", "b", "c", "d")
    states = ("v",)
    parameters: ClassVar = {"beta": 0.875}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        return (p.beta * state.v + x.a - 0.5 * x.b + 0.25 * x.c - 0.125 * x.d,)


NEURONS = (Balanced("subtract", False), Three(), Sums())
EACH = pytest.mark.parametrize("neuron", NEURONS, ids=lambda neuron: type(neuron).__name__)


def described(neuron: popsnn.Neuron) -> Neuron:
    """Return a neuron as `Case` takes it, whose currents are one tensor [inputs, T, B, ...]."""

    def run(currents: Tensor, state: Any, **options: Any) -> Any:
        values = {name: options.pop(name) for name in neuron.parameters}
        return functional.scan("test", neuron, tuple(currents), state, values, **options)

    defaults = dict(zip(neuron.parameters, neuron.defaults))
    return Neuron(run, neuron.states, defaults, neuron.spiking)


def currents(neuron: popsnn.Neuron, *shape: int) -> Tensor:
    """Return random currents [inputs, *shape]."""
    return torch.randn(len(neuron.inputs), *shape, dtype=torch.float64)


def case_of(neuron: popsnn.Neuron, *shape: int) -> Case:
    """Return a case with a state and a tensor of each parameter."""
    state = tuple(torch.randn(shape[1:], dtype=torch.float64) for _ in neuron.states)
    if neuron.spiking:
        state = (*state[:-1], (state[-1] > 0).double())
    values = {name: per_place(shape[-1]) for name in neuron.parameters}
    return Case(described(neuron), currents(neuron, *shape), state, values)


@EACH
def test_outputs_and_gradients(engine: Engine, neuron: popsnn.Neuron) -> None:
    torch.manual_seed(0)
    compare(engine, torch.float32, case_of(neuron, 141, 2, 6))


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("steps", [1, 7, 8, 9, 33, 100])
def test_any_number_of_steps(engine: Engine, steps: int, dtype: torch.dtype) -> None:
    torch.manual_seed(1)
    for neuron in (NEURONS[0], NEURONS[2]):
        compare(engine, dtype, Case(described(neuron), currents(neuron, steps, 2, 8)))


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (4, 32), (2, 3, 4)], ids=str)
def test_any_trailing_shape(engine: Engine, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    torch.manual_seed(2)
    compare(engine, dtype, Case(described(NEURONS[0]), currents(NEURONS[0], 20, *shape)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("neuron", NEURONS[::2], ids=lambda neuron: type(neuron).__name__)
def test_several_neurons_a_thread(
    engine: Engine, neuron: popsnn.Neuron, dtype: torch.dtype
) -> None:
    """Forward, a thread takes 16 bytes of a row of each input."""
    torch.manual_seed(8)
    compare(engine, dtype, Case(described(neuron), currents(neuron, 75, 2, 768)))
    if engine.name == "host":
        vector = 16 // dtype.itemsize
        saved = len(neuron.traced().states) - neuron.spiking
        back = min(vector, 8 // saved)
        assert set(engine.launched) == {f"scan_forward_{vector}", f"scan_backward_{back}"}


@EACH
def test_time_shards(kernels: Engine, cut: Cut, neuron: popsnn.Neuron) -> None:  # noqa: F811
    torch.manual_seed(3)
    cut(3)
    compare(kernels, torch.float32, case_of(neuron, 64 * 3 + 13, 2, 6))
    if kernels.name == "host":
        assert "segment_maps" in launched(kernels)


def test_time_shards_of_16_bits(kernels: Engine, cut: Cut) -> None:  # noqa: F811
    torch.manual_seed(4)
    cut(2)
    compare(kernels, torch.bfloat16, Case(described(NEURONS[2]), currents(NEURONS[2], 90, 2, 8)))


def gradients(
    backend: str, neuron: popsnn.Neuron, inputs: tuple[Tensor, ...], **options: Any
) -> list[Tensor]:
    """Return the output and the gradients of the currents."""
    leaves = [each.detach().requires_grad_() for each in inputs]
    values = dict(zip(neuron.parameters, neuron.defaults))
    out = functional.scan(
        "test", neuron, tuple(leaves), None, values, backend=backend, **options
    ).membrane
    assert out is not None
    weight = torch.linspace(-1, 1, out.numel(), device=out.device).view(out.shape)
    return [out.detach(), *torch.autograd.grad((out * weight).sum(), leaves)]


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "expanded"])
def test_currents_of_different_layouts(engine: Engine, layout: str) -> None:
    torch.manual_seed(5)
    plain = tuple(torch.randn(2, 5, 2, 4, 3, 8, device=engine.device))
    expected = gradients(engine.backend, NEURONS[0], plain)
    for moved in (
        (LAYOUTS[layout](plain[0]), plain[1]),
        (plain[0], LAYOUTS[layout](plain[1])),
        tuple(map(LAYOUTS[layout], plain)),
    ):
        got = gradients(engine.backend, NEURONS[0], moved)
        assert all(map(torch.equal, got, expected))


@pytest.mark.parametrize("form", ["int8", "bits"])
@pytest.mark.parametrize("neurons", [8, 5])
def test_forms_of_the_spikes(engine: Engine, form: str, neurons: int) -> None:
    torch.manual_seed(6)
    x = tuple(torch.randn(2, 20, 3, neurons, device=engine.device))
    values = dict(zip(NEURONS[0].parameters, NEURONS[0].defaults))
    dense, other = (
        functional.scan("test", NEURONS[0], x, None, values, spikes=kind, backend=engine.backend)
        for kind in ("float", form)
    )
    assert dense.spikes is not None
    assert other.spikes is not None
    got = other.spikes
    if form == "bits":
        got = functional.unpack_bits(got, (3, neurons), torch.float32)
    assert torch.equal(got.float(), dense.spikes)
    assert 0 < float(dense.spikes.mean()) < 1


@pytest.mark.parametrize("shape", [(0, 2, 3), (4, 0, 3)], ids=str)
def test_empty_currents(kernels: Engine, shape: tuple[int, ...]) -> None:
    got = gradients("cuda", NEURONS[0], tuple(torch.zeros(2, *shape, device=kernels.device)))
    assert [each.shape for each in got] == [shape] * 3


def test_a_current_that_has_no_gradient(engine: Engine) -> None:
    x = torch.randn(2, 40, 2, 8, device=engine.device)
    layer = nn.Spiking(NEURONS[0], backend=engine.backend)
    both = [each.clone().requires_grad_() for each in x]
    expected = torch.autograd.grad(layer(tuple(both)).sum(), both)
    for k in (0, 1):
        inputs = [x[0], x[1]]
        inputs[k] = x[k].clone().requires_grad_()
        (grad,) = torch.autograd.grad(layer(tuple(inputs)).sum(), inputs[k])
        assert torch.equal(grad, expected[k])


def test_each_current_is_read_where_it_lies(kernels: Engine) -> None:
    """Nothing is stacked or copied: what backward saves of the currents are the currents."""
    saved: set[int] = set()

    def pack(tensor: Tensor) -> Tensor:
        saved.add(tensor.data_ptr())
        return tensor

    x = [torch.randn(64, 2, 64, device=kernels.device, requires_grad=True) for _ in range(2)]
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        nn.Spiking(NEURONS[0], backend="cuda")(tuple(x))
    assert {each.data_ptr() for each in x} <= saved


def test_a_run_in_pieces_is_the_run(engine: Engine) -> None:
    layer = nn.Spiking(NEURONS[1], backend=engine.backend)
    x = tuple(torch.randn(3, 50, 2, 8, device=engine.device))
    whole, end = layer(x, return_state=True)
    first, state = layer(tuple(each[:19] for each in x), return_state=True)
    second, last = layer(tuple(each[19:] for each in x), state, return_state=True)
    assert torch.equal(torch.cat([first, second]), whole)
    assert all(map(torch.equal, last, end))


def test_operators_pass_opcheck(kernels: Engine) -> None:
    neuron = NEURONS[0]
    step = neuron.traced()
    x, other = torch.randn(2, 40, 16, device=kernels.device)
    state = [torch.rand(16, device=kernels.device) for _ in step.states]
    beta = [torch.rand(16, device=kernels.device)]
    gradient = "using Gradient = popsnn::Gradient<popsnn::SuperSpike, false>;"
    options = encode(
        *ScanOptions(
            str(neuron.cuda_source), len(step.states), len(step.states) - 1, (0,), (1,),
            (0.0, 1.0), "float", True, True, step.carried, gradient, 10.0, -1e30, 2,
        )
    )  # fmt: skip
    shared = (x, [other], state, beta)
    torch.library.opcheck(torch.ops.popsnn.scan_forward, (*shared, options, True))
    checkpoints = torch.ops.popsnn.scan_forward(*shared, options, True)[3]
    arguments = (*shared, checkpoints, torch.randn_like(x), torch.randn_like(x), state, options)
    torch.library.opcheck(torch.ops.popsnn.scan_backward, (*arguments, True, True))


def test_who_watches_sees_the_operators_and_the_same_numbers(kernels: Engine) -> None:
    x = torch.randn(2, 40, 2, 3, 4, 4, device=kernels.device)
    inputs = (LAYOUTS["channels last"](x[0]), x[1])
    expected = gradients(kernels.backend, NEURONS[0], inputs)
    with Seen() as seen:
        got = gradients(kernels.backend, NEURONS[0], inputs)
    assert seen.names == ["popsnn::scan_forward", "popsnn::scan_backward"]
    assert all(map(torch.equal, got, expected))


@pytest.mark.filterwarnings("ignore")  # torch.compile's own, which differ from version to version
def test_compiles_as_one_graph(engine: Engine) -> None:
    torch.compiler.reset()
    torch.manual_seed(7)
    linear = torch.nn.Linear(8, 32, device=engine.device)
    layer = nn.Spiking(NEURONS[0], learn=["beta"], backend=engine.backend).to(engine.device)

    def network(x: Tensor) -> Tensor:
        excitatory, inhibitory = linear(x).chunk(2, -1)
        spikes = layer((excitatory, inhibitory))
        assert isinstance(spikes, Tensor)
        return spikes * 2.0

    x = torch.randn(6, 3, 8, device=engine.device)
    parameters = [*linear.parameters(), *layer.parameters()]
    backend = "inductor" if engine.device.type == "cuda" else "aot_eager"
    compiled = torch.compile(network, fullgraph=True, backend=backend)
    expected, got = network(x), compiled(x)
    assert torch.equal(got, expected)
    grads = [torch.autograd.grad(out.pow(2).sum(), parameters) for out in (got, expected)]
    linear, layer = copy.deepcopy(linear).double(), copy.deepcopy(layer).double()
    layer.backend = "torch"
    exact = torch.autograd.grad(
        network(x.double()).pow(2).sum(), [*linear.parameters(), *layer.parameters()]
    )
    # Inductor adds up in another order than torch: each has roundings of its own.
    for each in grads:
        for value, wanted in zip(each, exact):
            assert float((value - wanted).abs().max() / wanted.abs().max()) < 5e-6


def test_checkpointed_layers_give_the_same_gradient(engine: Engine) -> None:
    layer = nn.Spiking(NEURONS[0], learn=["threshold"], backend=engine.backend).to(engine.device)
    x = [torch.randn(40, 2, 8, device=engine.device, requires_grad=True) for _ in range(2)]
    leaves = [*x, *layer.parameters()]
    plain = torch.autograd.grad(layer(tuple(x)).sum(), leaves)
    again = torch.autograd.grad(checkpoint(layer, tuple(x), use_reentrant=False).sum(), leaves)
    assert all(map(torch.equal, plain, again))


def test_the_reference_has_the_gradients_of_a_smooth_neuron() -> None:
    def membrane(*inputs: Tensor) -> Tensor:
        values = dict(zip(NEURONS[0].parameters, NEURONS[0].defaults))
        options: Any = {"surrogate": SuperSpike(4.0), "smooth": True}
        out = functional.scan("test", NEURONS[0], inputs, None, values, **options).membrane
        assert out is not None
        return out

    leaves = [each.clone().requires_grad_() for each in currents(NEURONS[0], 5, 2, 3)]
    assert torch.autograd.gradcheck(membrane, leaves)


@EACH
def test_kernels_spill_nothing(neuron: popsnn.Neuron) -> None:
    """They compile without a GPU; of 16 bits, a thread has most neurons."""
    dtype = torch.bfloat16
    step, text, count = neuron.traced(), str(neuron.cuda_source), len(neuron.inputs)
    saved, every = len(step.states) - step.spiking, (1 << len(step.parameters)) - 1
    gradient = f"{SuperSpike().cuda_source}using Gradient = popsnn::Gradient<Shape, true>;"
    given = "both" if neuron.spiking else "membrane"
    form = "float" if neuron.spiking else "none"
    shared = (text, gradient, dtype, every)
    for source in (
        forward_source(text, dtype, every, form, True, count),
        backward_source(*shared, True, given, saved, step.carried, count),
        maps_source(*shared, given, saved, step.carried, count),
    ):
        assert most_spilt(source, "sm_90") == 0
