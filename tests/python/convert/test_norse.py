"""`popsnn.convert.from_norse` against norse itself."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import pytest
import torch
from tests.python.convert.compared import NEURONS, compare, currents
from torch import Tensor, nn

from popsnn import convert

norse = pytest.importorskip("norse.torch")
from norse.torch.functional.izhikevich import tonic_spiking  # noqa: E402
from norse.torch.functional.reset import reset_subtract  # noqa: E402

ERROR = 1e-9


def exact(p: Any) -> Any:
    """Return parameters in float64, as the input is."""
    return p._replace(
        **{name: v.detach().double() for name, v in p._asdict().items() if isinstance(v, Tensor)}
    )


class Looped(nn.Module):
    """A cell, called step by step."""

    def __init__(self, cell: Any, gain: float = 10.0) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.gain = gain
        self.fc = nn.Linear(NEURONS, NEURONS)
        self.cell = cell

    def forward(self, x: Tensor) -> Tensor:
        state, out = None, []
        for step in x:
            spikes, state = self.cell(self.gain * self.fc(step), state)
            out.append(spikes)
        return torch.stack(out)


class Over(Looped):
    """A module over time, called once."""

    def forward(self, x: Tensor) -> Tensor:
        spikes, _ = self.cell(self.gain * self.fc(x))
        return spikes


ADEX = norse.LIFAdExParameters(
    adaptation_current=torch.as_tensor(0.5), adaptation_spike=torch.as_tensor(0.1),
    tau_ada_inv=torch.as_tensor(50.0),
)  # fmt: skip
CELLS: dict[str, tuple[Callable[[], Any], float]] = {
    "LIFCell": (lambda: norse.LIFCell(exact(norse.LIFParameters())), 2.0),
    "LIFCell of other parameters": (
        lambda: norse.LIFCell(
            exact(norse.LIFParameters(
                v_leak=torch.as_tensor(0.1), v_reset=torch.as_tensor(-0.2),
                v_th=torch.linspace(0.6, 1.0, NEURONS),
            )),
            dt=0.002,
        ),
        2.0,
    ),
    "LIFExCell": (lambda: norse.LIFExCell(exact(norse.LIFExParameters())), 1.0),
    "LIFAdExCell": (lambda: norse.LIFAdExCell(exact(ADEX)), 2.0),
    "LSNNCell": (
        lambda: norse.LSNNCell(
            exact(norse.LSNNParameters(tau_adapt_inv=torch.as_tensor(20.0), beta=torch.tensor(0.3)))
        ),
        3.0,
    ),
    "LIFBoxCell": (lambda: norse.LIFBoxCell(exact(norse.LIFBoxParameters())), 10.0),
    "LIFBoxCell subtract": (
        lambda: norse.LIFBoxCell(exact(norse.LIFBoxParameters(reset_method=reset_subtract))), 10.0,
    ),
    "IAFCell": (lambda: norse.IAFCell(exact(norse.IAFParameters())), 1.0),
    "IzhikevichCell": (lambda: norse.IzhikevichCell(tonic_spiking), 60.0),
    "LICell": (lambda: norse.LICell(exact(norse.LIParameters())), 1.0),
    "LIBoxCell": (lambda: norse.LIBoxCell(exact(norse.LIBoxParameters())), 1.0),
    "LILinearCell": (
        lambda: norse.LILinearCell(NEURONS, 5, exact(norse.LIParameters())), 1.0,
    ),
    "LIFRecurrentCell": (
        lambda: norse.LIFRecurrentCell(NEURONS, 8, exact(norse.LIFParameters())), 1.0,
    ),
    "LIFRecurrentCell with autapses": (
        lambda: norse.LIFRecurrentCell(NEURONS, 8, exact(norse.LIFParameters()), autapses=True),
        1.0,
    ),
    "LSNNRecurrentCell": (
        lambda: norse.LSNNRecurrentCell(NEURONS, 8, exact(norse.LSNNParameters())), 1.0,
    ),
    "LIFAdExRecurrentCell": (lambda: norse.LIFAdExRecurrentCell(NEURONS, 8, exact(ADEX)), 0.5),
    "LIFExRecurrentCell": (
        lambda: norse.LIFExRecurrentCell(NEURONS, 8, exact(norse.LIFExParameters())), 0.5,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_is_the_same(name: str) -> None:
    make, gain = CELLS[name]
    model = Looped(make(), gain).double()
    x = currents(torch.float64, 1.0)
    ours = convert.from_norse(model, x, copy=False)
    compare(model, model, ours, x, ERROR)


@pytest.mark.parametrize(
    ("make", "gain"),
    [
        (lambda: norse.LIF(exact(norse.LIFParameters())), 2.0),
        (lambda: norse.LI(exact(norse.LIParameters())), 1.0),
        (lambda: norse.LSNN(exact(norse.LSNNParameters())), 6.0),
        (lambda: norse.LIFAdEx(exact(ADEX)), 2.0),
        (lambda: norse.LIFRecurrent(NEURONS, 8, exact(norse.LIFParameters())), 1.0),
    ],
    ids=["LIF", "LI", "LSNN", "LIFAdEx", "LIFRecurrent"],
)
def test_a_module_over_time_is_the_same(make: Any, gain: float) -> None:
    model = Over(make(), gain).double()
    x = currents(torch.float64, 1.0)
    compare(model, model, convert.from_norse(model, x, copy=False), x, ERROR)


@pytest.mark.parametrize("method", ["super", "triangle", "tanh", "circ", "heavi_erfc"])
def test_a_surrogate_is_the_same(method: str) -> None:
    p = exact(norse.LIFParameters(method=method, alpha=torch.as_tensor(0.7)))
    model = Looped(norse.LIFCell(p), 2.0).double()
    x = currents(torch.float64, 1.0)
    compare(model, model, convert.from_norse(model, x, copy=False), x, ERROR)


def test_a_membrane_at_the_threshold_does_not_fire() -> None:
    norse.IAFCell()(torch.ones(1, 2))  # sets requires_grad of its default v_reset
    ours = convert.from_norse(norse.SequentialState(norse.IAFCell()))
    assert not ours(torch.ones(1, 1, 2))[0].any()


class FirstTutorial(nn.Module):
    """The MNIST notebook: an encoder, recurrent neurons, a readout, and its largest voltage."""

    def __init__(self, hidden: int = 20, steps: int = 12) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.encoder = norse.ConstantCurrentLIFEncoder(seq_length=steps)
        p = norse.LIFParameters(alpha=torch.as_tensor(100.0), v_th=torch.as_tensor(0.5))
        self.l1 = norse.LIFRecurrentCell(784, hidden, p=exact(p), dt=0.001)
        self.fc_out = nn.Linear(hidden, 10, bias=False)
        self.out = norse.LICell(exact(norse.LIParameters()), dt=0.001)

    def forward(self, x: Tensor) -> Tensor:
        x = self.encoder(x)
        seq_length, _, _, _, _ = x.shape
        s1 = so = None
        voltages = []
        for ts in range(seq_length):
            z = x[ts, :, :, :].view(-1, 784)
            z, s1 = self.l1(z, s1)
            z = self.fc_out(z)
            vo, so = self.out(z, so)
            voltages += [vo]
        x, _ = torch.max(torch.stack(voltages), 0)
        return nn.functional.log_softmax(x, dim=1)


@pytest.fixture
def _float64() -> Iterator[None]:  # of which norse's encoder makes its spikes
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.usefixtures("_float64")
def test_the_first_tutorial() -> None:
    model = FirstTutorial()
    x = 8 * torch.rand(4, 1, 28, 28, dtype=torch.float64)
    ours = convert.from_norse(model, x[:2], copy=False)
    compare(model, model, ours, x, ERROR)
    names = {name for name, _ in ours.named_parameters()}
    assert names == {"l1_input.weight", "l1.recurrent_weight", "fc_out.weight"}


def test_a_copy_does_not_learn_what_the_model_does_not() -> None:
    model = Looped(norse.LIFRecurrentCell(NEURONS, 8))
    x = currents(torch.float32, 1.0)
    for changes in (False, True):
        model.cell = cell = norse.LIFRecurrentCell(NEURONS, 8, autapses=changes)
        ours = convert.from_norse(model, x)
        ours(x).sum().backward()
        grad = ours.get_parameter("cell.recurrent_weight").grad
        assert grad is not None
        assert bool(grad.any())
        assert bool(grad.diagonal().any()) == changes
        assert cell.recurrent_weights.grad is None


class ConvNet(nn.Module):
    """The notebook's second network, smaller."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        p = exact(norse.LIFParameters(v_th=torch.as_tensor(0.05)))
        self.conv1 = nn.Conv2d(1, 4, 5, 1)
        self.conv2 = nn.Conv2d(4, 6, 5, 1)
        self.fc1 = nn.Linear(4 * 4 * 6, 20)
        self.lif0, self.lif1, self.lif2 = (norse.LIFCell(p=p) for _ in range(3))
        self.out = norse.LILinearCell(20, 10, exact(norse.LIParameters()))

    def forward(self, x: Tensor) -> Tensor:
        seq_length, batch_size = x.shape[0], x.shape[1]
        s0 = s1 = s2 = so = None
        voltages = []
        for ts in range(seq_length):
            z = self.conv1(x[ts, :])
            z, s0 = self.lif0(z, s0)
            z = nn.functional.max_pool2d(z, 2, 2)
            z = 10 * self.conv2(z)
            z, s1 = self.lif1(z, s1)
            z = nn.functional.max_pool2d(z, 2, 2)
            z = z.view(batch_size, 4**2 * 6)
            z = self.fc1(z)
            z, s2 = self.lif2(z, s2)
            v, so = self.out(torch.nn.functional.relu(z), so)
            voltages.append(v)
        return torch.stack(voltages)


def test_the_convolutional_tutorial() -> None:
    model = ConvNet().double()
    x = 90 * torch.rand(7, 3, 1, 28, 28, dtype=torch.float64)
    ours = convert.from_norse(model, x[:, :2], copy=False)
    compare(model, model, ours, x, ERROR)
    longer = torch.cat([x, x])
    assert torch.allclose(ours(longer), model(longer))


class First(nn.Module):
    """Returns the first result of a module."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.module(x)[0]
        return out


def test_a_sequential_state_of_cells() -> None:
    torch.manual_seed(0)
    model = norse.SequentialState(
        nn.Linear(NEURONS, 9), norse.LIFCell(exact(norse.LIFParameters(v_th=torch.tensor(0.3)))),
        nn.Linear(9, 4), norse.LICell(exact(norse.LIParameters())),
    ).double()  # fmt: skip

    def run(x: Tensor) -> Tensor:
        state, out = None, []
        for step in x:
            y, state = model(step, state)
            out.append(y)
        return torch.stack(out)

    ours = convert.from_norse(model, copy=False)
    x = currents(torch.float64, 4.0)
    compare(run, model, First(ours), x, ERROR)
    _, (first, spiking, second, readout) = ours(x)
    assert first is second is None
    assert torch.equal(spiking.s, ours.get_submodule("1")(ours.get_submodule("0")(x))[-1])
    state = None
    for step in x:
        out, state = model(step, state)
    torch.testing.assert_close(readout.v, out, rtol=ERROR, atol=ERROR)
    assert {*ours.state_dict()} == {*model.state_dict()}


def test_a_sequential_state_over_time() -> None:
    torch.manual_seed(0)
    model = norse.SequentialState(
        norse.Lift(nn.Conv2d(1, 4, 3)), norse.LIF(exact(norse.LIFParameters())),
        norse.Lift(nn.Flatten()), nn.Linear(4 * 36, 5), norse.LI(exact(norse.LIParameters())),
    ).double()  # fmt: skip
    x = 6 * torch.rand(9, 2, 1, 8, 8, dtype=torch.float64)
    ours = convert.from_norse(model, copy=False)
    compare(lambda x: model(x)[0], model, First(ours), x, ERROR)


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        (lambda: norse.LIFCell(norse.LIFParameters(method="adjoint")),
         "cell: expected gradients by backpropagation, got those of the adjoint method"),
        (lambda: norse.LIFCell(norse.LIFParameters(v_th=torch.tensor(1.0, requires_grad=True))),
         "cell: expected parameters that are not learnt, got v_th, which is"),
        (lambda: norse.LIFRefracCell(), "cell: expected modules that have an equal, got LIFRefrac"),
        (lambda: norse.LIF(record_states=True), "cell: expected record_states=False, got rec"),
        (lambda: norse.LIFCell(norse.LIFParameters(method="logistic")),
         "cell: expected a method among super, .*, got logistic"),
    ],
)  # fmt: skip
def test_what_has_no_equal_is_refused_by_name(cell: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"from_norse: {sentence}"):
        convert.from_norse(Looped(cell()), currents(torch.float32))


class Lifted(nn.Module):
    """A container over time in a module with a forward of its own."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv = norse.Lift(nn.Conv2d(1, 2, 3))
        self.lif = norse.LIF(exact(norse.LIFParameters()))
        self.rest = norse.SequentialState(norse.Lift(nn.Flatten()), nn.Linear(72, 5))

    def forward(self, x: Tensor) -> Tensor:
        spikes, _ = self.lif(20 * self.conv(x))
        out, _ = self.rest(spikes)
        return torch.cat([out[-1], out[0]])


def test_containers_over_time_in_a_forward() -> None:
    model = Lifted().double()
    x = 3 * torch.rand(6, 2, 1, 8, 8, dtype=torch.float64)
    ours = convert.from_norse(model, x, copy=False)
    compare(model, model, ours, torch.cat([x, x.flip(0)]), ERROR)


class Stateful(Looped):
    """Returns its last state."""

    def forward(self, x: Tensor) -> Any:
        state = None
        for step in x:
            spikes, state = self.cell(self.fc(step), state)
        return spikes, state


def test_a_state_that_is_returned_is_refused() -> None:
    with pytest.raises(ValueError, match="cell: expected a forward that uses its spikes and its"):
        convert.from_norse(Stateful(norse.LIFCell()), currents(torch.float32))
