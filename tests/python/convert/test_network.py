"""Forms of forwards that are converted, and what is refused: with snnTorch's neuron."""

from __future__ import annotations

import copy
import io
from typing import Any, Callable

import pytest
import torch
from tests.python.convert.compared import compare
from torch import Tensor, nn
from torch.nn import functional

from popsnn import convert

snntorch = pytest.importorskip("snntorch")

STEPS, BATCH, SIZE = 6, 3, 8
ERROR = 1e-5
Forward = Callable[["Net", Tensor], Any]


class Net(nn.Module):
    """Layers, and a forward that is given."""

    def __init__(self, forward: Forward) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.fc1, self.fc2 = nn.Linear(SIZE, SIZE), nn.Linear(SIZE, SIZE)
        self.conv = nn.Conv1d(1, 2, 3, padding=1)
        self.drop = nn.Dropout(0.5)
        self.norm = nn.BatchNorm1d(SIZE)
        self.scale = nn.Parameter(torch.full((SIZE,), 1.5))
        self.register_buffer("offset", torch.full((SIZE,), 0.25))
        self.plain = torch.full((SIZE,), 0.5)
        self.lif1 = snntorch.Leaky(0.8, init_hidden=True)
        self.lif2 = snntorch.Leaky(0.7, threshold=0.4, init_hidden=True, output=True)
        self.lif3 = snntorch.Leaky(0.7, threshold=0.4)
        self._forward = [forward]

    def forward(self, x: Tensor) -> Any:
        for lif in (self.lif1, self.lif2, self.lif3):
            lif.reset_mem()
        return self._forward[0](self, x)

    def step(self, x: Tensor) -> Tensor:
        spikes: Tensor = self.lif2(self.fc2(self.lif1(self.fc1(x))))[0]
        return spikes


def current(batch: int = BATCH, steps: int = STEPS) -> Tensor:
    return 3 * torch.randn(steps, batch, SIZE, generator=torch.Generator().manual_seed(0)) + 1


def looped(body: Callable[[Net, Tensor], Any]) -> Forward:
    return lambda net, x: torch.stack([body(net, x[t]) for t in range(len(x))])


def summed(net: Net, x: Tensor) -> Tensor:
    out: Any = 0.0
    for t in range(x.shape[0]):
        out += net.step(x[t])
    return out / STEPS


def summed_from_zeros(net: Net, x: Tensor) -> Tensor:
    out = torch.zeros(x.shape[1], SIZE)
    for step in x:
        out = out + net.step(step)
    return out


def batch_first(net: Net, x: Tensor) -> Tensor:
    x = x.transpose(0, 1)
    return torch.stack([net.step(x[:, t]) for t in range(x.size(1))], dim=1)


def time_last(net: Net, x: Tensor) -> Tensor:
    x = x.permute(1, 2, 0)
    return torch.stack([net.step(x[..., t]) for t in range(x.shape[-1])], -1)


def last(net: Net, x: Tensor) -> Any:
    for step in x.unbind(0):
        spikes, membrane = net.lif2(net.fc1(step))
    return {"spikes": spikes, "readout": [net.fc2(membrane), None]}


def recurrent_inputs(net: Net, x: Tensor) -> Any:
    first = [net.lif1(net.fc1(step)) for step in x]
    return torch.stack([net.lif2(net.fc2(step))[1] for step in first])


def joined(net: Net, x: Tensor) -> Tensor:
    return torch.cat([net.step(step).unsqueeze(0) for step in x], dim=0).mean(0)


def skipping(net: Net, x: Tensor) -> Tensor:
    out = []
    for step in x:
        first = net.lif1(net.fc1(step) * net.scale + net.offset - net.plain)
        out.append(net.lif2(torch.cat([first, step], dim=1)[:, :SIZE] + functional.relu(step))[0])
    return torch.stack(out)


def convolved(net: Net, x: Tensor) -> Tensor:
    out = []
    for step in x:
        z = net.conv(step.unsqueeze(1))
        z = functional.max_pool1d(net.lif1(z), 2)
        z = z.view(z.size(0), -1)
        out.append(net.lif2(z.softmax(-1) + z.sum(1, keepdim=True))[0])
    return torch.stack(out)


def one_by_one(net: Net, x: Tensor) -> Tensor:  # functions that mix samples
    return looped(lambda net, step: net.lif1(step - step.mean(0) + step.T.sum() / 100))(net, x)


def explicit(net: Net, x: Tensor) -> Any:
    mem = net.lif3.reset_mem()
    other = torch.zeros(x.shape[1], SIZE)
    spikes, membranes = [], []
    for step in x:
        spk, mem = net.lif3(net.fc1(step), mem)
        spk, other = net.lif3(net.fc2(spk), other)  # two layers of one neuron module
        spikes.append(spk)
        membranes.append(other)
    return torch.stack(spikes), torch.stack(membranes).max(0)[0]


def a_part(net: Net, x: Tensor) -> Tensor:
    out = [net.step(step) for step in x]
    return torch.stack(out[2:]).sum(0) + out[1]


def of_fixed_steps(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.step(x[t]) for t in range(4)])


FORMS = (
    summed, summed_from_zeros, batch_first, time_last, last, recurrent_inputs, joined, skipping,
    convolved, one_by_one, explicit, a_part, of_fixed_steps,
)  # fmt: skip


@pytest.mark.parametrize("forward", FORMS, ids=lambda form: form.__name__)
def test_a_forward_is_the_same(forward: Forward) -> None:
    model = Net(forward).eval()
    ours = convert.from_snntorch(model, current(), copy=False)
    compare(model, model, ours, current(), ERROR, spiking=False)
    other = current(batch=5)  # a batch of another size than the example
    compare(model, model, ours, other, ERROR, spiking=False)


@pytest.mark.parametrize(
    "forward", [summed_from_zeros, batch_first, last, joined, convolved, explicit, of_fixed_steps],
    ids=lambda form: form.__name__,
)  # fmt: skip
def test_the_number_of_steps_is_the_inputs_where_it_is_the_models(forward: Forward) -> None:
    model = Net(forward).eval()
    ours = convert.from_snntorch(model, current(), copy=False)
    compare(model, model, ours, current(steps=9), ERROR, spiking=False)


def test_fewer_steps_than_the_model_takes_are_refused() -> None:
    ours = convert.from_snntorch(Net(of_fixed_steps).eval(), current())
    with pytest.raises(ValueError, match="x: expected at least 4 steps in dimension 0, got shape"):
        ours(current(steps=3))


def test_the_result_is_a_module_like_others() -> None:
    model = Net(explicit)
    ours = convert.from_snntorch(model, current())
    assert ours.training
    shared = {id(each) for each in model.parameters()} & {id(each) for each in ours.parameters()}
    assert not shared
    buffer = io.BytesIO()
    torch.save(ours, buffer)
    buffer.seek(0)
    for made in (copy.deepcopy(ours), torch.load(buffer, weights_only=False)):
        for one, other in zip(made(current()), ours(current())):
            assert torch.equal(one, other)


@pytest.mark.parametrize("name", ["graph", "code", "meta", "self", "lambda", "add_submodule"])
def test_layers_are_called_as_the_user_likes(name: str) -> None:
    """The network is of torch.fx, which has attributes of its own."""

    def forward(net: Net, x: Tensor) -> Tensor:
        layer, weight = net.get_submodule(name), net.get_parameter(f"{name}.bias")
        return torch.stack([net.lif1(layer(step) + weight) for step in x])

    model = Net(forward)
    model.add_module(name, nn.Linear(SIZE, SIZE))
    ours = convert.from_snntorch(model, current(), copy=False)
    compare(model, model, ours, current(), ERROR)


def test_the_model_is_as_before() -> None:
    model = Net(summed)
    state = {name: value.clone() for name, value in model.state_dict().items()}
    convert.from_snntorch(model, current())
    assert model.training
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    assert all("forward" not in vars(module) for module in model.modules())


def normalised(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.lif1(net.norm(step)) for step in x])


def normalised_image(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.lif1(net.norm(x[0])) for _ in range(STEPS)])


@pytest.mark.parametrize("forward", [normalised, normalised_image])
def test_batch_statistics_are_those_of_each_step(forward: Forward) -> None:
    theirs = Net(forward)
    ours = convert.from_snntorch(theirs, current())
    for training in (True, False):
        assert torch.equal(ours.train(training)(current()), theirs.train(training)(current()))
    for name, value in theirs.norm.named_buffers():
        assert torch.equal(ours.get_buffer(f"norm.{name}"), value)


def test_dropout_draws_at_each_step() -> None:
    ones = torch.ones(STEPS, 40, SIZE)
    for forward in (
        looped(lambda net, step: net.lif1(2 * net.drop(step))),
        lambda net, x: torch.stack([net.lif1(2 * net.drop(x[0])) for _ in x]),
    ):
        ours = convert.from_snntorch(Net(forward), ones)
        assert not torch.equal(ours(ones)[0], ours(ones)[1])
        assert torch.equal(ours.eval()(ones)[0], Net(forward).eval()(ones)[0])


def after_the_last(net: Net, x: Tensor) -> Tensor:
    for step in x:
        spikes = net.lif1(2 * step)
    return net.norm(net.drop(spikes))


def test_layers_behind_the_last_step_run_once() -> None:
    theirs = Net(after_the_last)
    ours = convert.from_snntorch(theirs, current())
    ours.get_submodule("drop").p = theirs.drop.p = 0.0
    for training in (True, False):
        assert torch.equal(ours.train(training)(current()), theirs.train(training)(current()))
    assert int(ours.get_buffer("norm.num_batches_tracked")) == 1
    assert torch.equal(ours.get_buffer("norm.running_mean"), theirs.norm.running_mean)


def test_neurons_in_a_layer_of_torch_are_refused() -> None:
    lif = snntorch.Leaky(0.8, init_hidden=True)
    with pytest.raises(ValueError, match="from_snntorch: 0: expected neurons in containers and in"):
        convert.from_snntorch(nn.Sequential(nn.DataParallel(lif), lif))


def once_for_all_steps(net: Net, x: Tensor) -> Tensor:
    image = net.drop(x[0])
    return torch.stack([net.lif1(2 * image) for _ in range(STEPS)])


def test_dropout_before_the_steps_draws_once() -> None:
    ones = torch.ones(1, 40, SIZE)
    out = convert.from_snntorch(Net(once_for_all_steps), ones)(ones)
    assert {*out[0].unique().tolist()} == {0.0, 1.0}
    fired = [step for step in out if step.any()]
    assert all(torch.equal(step, fired[0]) for step in fired)


def delayed(net: Net, x: Tensor) -> Tensor:
    spikes, out = torch.zeros_like(x[0]), []
    for step in x:
        spikes = net.lif1(net.fc1(step) + net.fc2(spikes))
        out.append(spikes)
    return torch.stack(out)


def behind(net: Net, x: Tensor) -> Tensor:
    first = [net.lif1(step) for step in x]
    return torch.stack([net.lif2(net.fc2(step))[0] for step in first[1:]])


def until_it_spikes(net: Net, x: Tensor) -> Tensor:
    for step in x:
        spikes = net.lif1(step)
        if spikes.any():
            break
    return spikes


def as_many_as_it_says(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.lif1(x[0]) for _ in range(int(x[0, 0, 0]))])


def by_turns(net: Net, x: Tensor) -> Tensor:
    layers = (net.fc1, net.fc2)
    return torch.stack([net.lif1(layers[t % 2](x[t])) for t in range(len(x))])


def into_a_buffer(net: Net, x: Tensor) -> Tensor:
    out = torch.zeros(len(x), BATCH, SIZE)
    for t in range(len(x)):
        out[t] = net.lif1(x[t])
    return out


def into_a_view(net: Net, x: Tensor) -> Tensor:
    x = 2 * x
    first = x[0]
    first += 1
    return torch.stack([net.lif1(step) for step in x])


def without_a_batch(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.lif1(step) for step in x[:, 0]])


def of_numpy(net: Net, x: Tensor) -> Tensor:
    return net.lif1(torch.from_numpy(x[0].numpy()))


def of_the_membrane(net: Net, x: Tensor) -> Tensor:
    for step in x:
        net.lif1(step)
    membrane: Tensor = net.lif1.mem
    return membrane


def a_learnt_start(net: Net, x: Tensor) -> Tensor:
    mem, out = net.scale.expand(BATCH, SIZE) * 0, []
    for step in x:
        spikes, mem = net.lif3(step, mem)
        out.append(spikes)
    return torch.stack(out)


def random_inputs(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.lif1((torch.rand_like(step) < step).float()) for step in x])


def functional_dropout(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.lif1(functional.dropout(step, 0.5, training=False)) for step in x])


def twice_as_often(net: Net, x: Tensor) -> Tensor:
    return torch.stack([net.lif2(net.lif1(step) + net.lif1(step))[0] for step in x])


@pytest.mark.parametrize(
    ("forward", "sentence"),
    [
        (delayed, "lif1: expected the same computation of its input at all steps, got"),
        (behind, "lif2: expected an input of step 0 at its call 0, got one of step 1"),
        (until_it_spikes, "__bool__: expected a forward that takes the same steps for any data"),
        (as_many_as_it_says, "__int__: expected a forward that takes the same steps for any data"),
        (by_turns, "lif1: expected the same computation of its input at all steps"),
        (into_a_buffer, "__setitem__: expected functions that make new tensors, got __setitem__"),
        (into_a_view, "add_: expected functions that make new tensors, got add_, which writes"),
        (without_a_batch, "lif1: expected steps of a batch, .*, got 1 dimensions"),
        (of_numpy, "numpy: expected a forward that takes the same steps for any data"),
        (of_the_membrane, "forward: expected tensors that layers and functions of torch make"),
        (a_learnt_start, "lif3: expected a first state of zeros, or none, got one that is learnt"),
        (random_inputs, "rand_like: expected a forward without random numbers, got rand_like"),
        (functional_dropout, "dropout: expected a forward without random numbers, got dropout"),
        (twice_as_often, "lif1: expected an input of step 1 at its call 1, got one of step 0"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_has_no_form_over_time_is_refused(forward: Forward, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"from_snntorch: {sentence}"):
        convert.from_snntorch(Net(forward), current())


class TrainingAlone(Net):
    """Reads whether it is in training."""

    def forward(self, x: Tensor) -> Any:
        return super().forward(x if self.training else 2 * x)


def test_a_forward_of_training_alone_is_refused() -> None:
    with pytest.raises(ValueError, match="TrainingAlone: expected a forward that is the same"):
        convert.from_snntorch(TrainingAlone(summed), current())


def test_hooks_are_refused() -> None:
    model = Net(summed)
    model.fc1.register_forward_hook(lambda *_: None)
    with pytest.raises(ValueError, match="from_snntorch: fc1: expected modules without hooks, got"):
        convert.from_snntorch(model, current())


def test_arguments_are_checked() -> None:
    model: Any = Net(summed)
    for arguments, error, sentence in (
        (((), current()), TypeError, "model: expected a torch.nn.Module, got tuple"),
        ((nn.Linear(2, 2),), ValueError, "model: expected neurons of snntorch, got a Linear with"),
        ((model,), ValueError, "example: expected what the model takes, as 'Net' has a forward"),
        ((model, [1.0]), TypeError, "example: expected tensors, got list"),
    ):
        with pytest.raises(error, match=f"from_snntorch: {sentence}"):
            convert.from_snntorch(*arguments)
    with pytest.raises(TypeError, match="from_snntorch: copy: expected a bool, got int"):
        convert.from_snntorch(model, current(), copy=1)  # type: ignore[arg-type]


def on_the_inputs_device(net: Net, x: Tensor) -> Tensor:
    out = torch.zeros(x.shape[1], SIZE, device=x.device)
    for step in x:
        out += net.step(step.to(x.device))
    return out


def test_devices_are_those_of_the_input() -> None:
    ours = convert.from_snntorch(Net(on_the_inputs_device), current())
    assert "cpu" not in str(ours.code)
    assert ours.to("meta")(current().to("meta")).device.type == "meta"


def as_a_number(net: Net, x: Tensor) -> Tensor:
    return summed_from_zeros(net, x) / len(x)


def of_a_quotient(net: Net, x: Tensor) -> Tensor:
    return summed_from_zeros(net, x) * (1 / x.size(0)) + 2 * x.shape[1]


def test_a_size_that_is_a_number_is_that_of_the_example() -> None:
    model = Net(as_a_number).eval()
    ours = convert.from_snntorch(model, current(), copy=False)
    compare(model, model, ours, current(batch=7), ERROR, spiking=False)
    with pytest.raises(ValueError, match="x: expected size 6 in dimension 0, as the example had"):
        ours(current(steps=9))
    model = Net(of_a_quotient).eval()
    ours = convert.from_snntorch(model, current(), copy=False)
    compare(model, model, ours, current(batch=7, steps=9), ERROR, spiking=False)


def test_a_sequence_of_one_step_is_no_example() -> None:
    with pytest.raises(ValueError, match="example: expected at least two steps, got one"):
        convert.from_snntorch(Net(summed), current(steps=1))


def test_modes_of_layers_are_kept() -> None:
    model = Net(normalised)
    model.norm.eval()
    for shares in (True, False):
        ours = convert.from_snntorch(model, current(), copy=shares)
        assert ours.training
        assert not ours.get_submodule("norm").training
        ours.eval()
        assert model.fc1.training  # modules are not shared, only their parameters


def detached(net: Net, x: Tensor) -> Tensor:
    out = []
    for step in x:
        out.append(net.lif1(step))
        net.lif1.mem = net.lif1.mem.detach()
    return torch.stack(out)


def without_gradients(net: Net, x: Tensor) -> Tensor:
    with torch.no_grad():
        scaled = x * 2
    return summed(net, scaled)


def from_a_state(net: Net, x: Tensor) -> Tensor:
    net.lif1.mem = torch.ones_like(x[0])
    return torch.stack([net.lif1(step) for step in x])


@pytest.mark.parametrize(
    ("forward", "sentence"),
    [
        (detached, "lif1: expected the state that its last call left, or none before the first"),
        (from_a_state, "lif1: expected the state that its last call left, or none before the fir"),
        (without_gradients, "mul: expected a forward without no_grad and autocast of its own"),
    ],
)
def test_gradients_that_are_cut_are_refused(forward: Forward, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"from_snntorch: {sentence}"):
        convert.from_snntorch(Net(forward), current())


def test_a_layer_at_two_places_of_a_container() -> None:
    act, fc = nn.Tanh(), nn.Linear(SIZE, SIZE)
    lif = snntorch.Leaky(0.8, init_hidden=True)
    ours = convert.from_snntorch(nn.Sequential(fc, act, fc, act, lif))
    out = [lif(act(fc(act(fc(step))))) for step in current()]
    assert torch.equal(ours(current()), torch.stack(out))
    with pytest.raises(ValueError, match="2: expected one place in the network for a neuron, got"):
        convert.from_snntorch(nn.Sequential(lif, fc, lif))


class Carried(nn.Module):
    """A step whose layer reads the spikes that the step before left in an attribute."""

    def __init__(self, first: Any) -> None:
        super().__init__()
        self.fc, self.back = nn.Linear(SIZE, SIZE), nn.Linear(SIZE, SIZE)
        self.lif = snntorch.Leaky(0.8, init_hidden=True)
        self.before = first

    def forward(self, x: Tensor) -> Tensor:
        current = self.fc(x)
        if self.before is not None:
            current = current + self.back(self.before)
        self.before = self.lif(current)
        spikes: Tensor = self.before
        return spikes


@pytest.mark.parametrize("first", [None, torch.zeros(1, SIZE, device="cpu")])
def test_what_a_step_leaves_for_the_next_is_refused(first: Any) -> None:
    sentence = "from_snntorch: back: expected tensors that layers and functions of torch make"
    with pytest.raises(ValueError, match=sentence):
        convert.from_snntorch(Carried(first), current()[0])


class Helped(nn.Module):
    """A forward that reads `training` in a method."""

    def __init__(self) -> None:
        super().__init__()
        self.lif = snntorch.Leaky(0.8, init_hidden=True)

    def scaled(self, x: Tensor) -> Tensor:
        return 2 * x if self.training else x

    def forward(self, x: Tensor) -> Tensor:
        self.lif.reset_mem()
        return torch.stack([self.lif(self.scaled(each)) for each in x])


def test_a_method_of_training_alone_is_refused() -> None:
    with pytest.raises(ValueError, match="Helped: expected a forward that is the same"):
        convert.from_snntorch(Helped(), current())


def test_values_that_functions_compare_are_refused() -> None:
    def forward(net: Net, x: Tensor) -> Tensor:
        return summed(net, x if torch.equal(x[0], x[1]) else 2 * x)

    with pytest.raises(ValueError, match="from_snntorch: equal: expected a forward that takes"):
        convert.from_snntorch(Net(forward), current())


def test_a_size_used_as_a_number_is_fixed_in_every_dimension() -> None:
    def forward(net: Net, x: Tensor) -> Tensor:  # [B, N, T]
        total = torch.stack([net.step(x[:, :, t]) for t in range(x.shape[2])]).sum(0)
        return total / x.shape[2] ** 0.5

    converted = convert.from_snntorch(Net(forward), current().permute(1, 2, 0))
    with pytest.raises(ValueError, match="x: expected size 6 in dimension 2, as the example had"):
        converted(current(steps=9).permute(1, 2, 0))


class Two(Net):
    def forward(self, x: Tensor, y: Tensor) -> Any:  # type: ignore[override]
        for lif in (self.lif1, self.lif2, self.lif3):
            lif.reset_mem()
        return torch.stack([self.step(x[t] + y[t]) for t in range(len(x))])


def test_two_sequences_of_one_loop_take_other_lengths() -> None:
    x, y = current(), current().flip(0)
    net = Two(summed)
    converted = convert.from_snntorch(net, (x, y))
    x, y = current(steps=9), current(steps=9).flip(0)
    torch.testing.assert_close(converted(x, y), net(x, y), rtol=0, atol=ERROR)


def test_states_are_reset_by_snntorchs_own_function() -> None:
    from snntorch import utils

    def forward(net: Net, x: Tensor) -> Tensor:
        utils.reset(net)
        return torch.stack([net.step(each) for each in x])

    model = Net(forward)
    ours = convert.from_snntorch(model, current(), copy=False)
    compare(model, model, ours, current(steps=9), ERROR)
