"""The kernels as a part of torch: layouts, autograd, torch.compile, graphs, streams, devices."""

from __future__ import annotations

import math
from typing import Any, Callable

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.python.extensions.adjoint_neurons import Quadratic
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from popsnn import functional, nn
from popsnn.cuda.device.options import encode
from popsnn.cuda.scan.scan import ScanOptions
from popsnn.functional import LIFState
from popsnn.neurons import Neuron
from popsnn.surrogate import SuperSpike


def run(engine: Engine, x: Tensor, **options: Any) -> Any:
    return functional.lif(x, backend=engine.backend, **options)


def grad_of(engine: Engine, x: Tensor, weight: Tensor, **options: Any) -> tuple[Tensor, Tensor]:
    """Return spikes and the gradient of x of (spikes * weight).sum()."""
    x = x.detach().requires_grad_()
    spikes = run(engine, x, membrane=False, return_state=False, **options).spikes
    (grad,) = torch.autograd.grad((spikes * weight).sum(), x)
    return spikes.detach(), grad


LAYOUTS: dict[str, Callable[[Tensor], Tensor]] = {
    "channels last": lambda x: (
        x.flatten(0, 1).to(memory_format=torch.channels_last).unflatten(0, x.shape[:2])
    ),
    "transposed": lambda x: x.transpose(2, 4).contiguous().transpose(2, 4),
    "every second step": lambda x: x.repeat_interleave(2, 0)[::2],
    "every second column": lambda x: x.repeat_interleave(2, -1)[..., ::2],
    "time inside": lambda x: x.movedim(0, -1).contiguous().movedim(-1, 0),
    "off by one element": lambda x: torch.cat([x.flatten()[:1], x.flatten()])[1:].view(x.shape),
    "expanded": lambda x: x[:, :1].expand(x.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout(engine: Engine, layout: str) -> None:
    torch.manual_seed(1)
    x = torch.randn(5, 2, 4, 3, 8, device=engine.device)
    beta = torch.rand(4, 1, 1, device=engine.device)
    moved = LAYOUTS[layout](x)
    plain = moved.contiguous()
    weight = torch.randn_like(x)
    expected = grad_of(engine, plain, weight, beta=beta)
    for got, other in zip(grad_of(engine, moved, LAYOUTS[layout](weight), beta=beta), expected):
        if layout != "expanded":
            assert torch.equal(got, other)
    state = LIFState(*torch.rand(2, *x.shape[1:], device=engine.device))
    moved_out, two = (run(engine, y, state=state, beta=beta) for y in (moved, plain))
    assert torch.equal(moved_out.membrane, two.membrane)
    assert torch.equal(moved_out.state.v, two.state.v)


def test_a_gradient_of_another_layout_than_the_output(engine: Engine) -> None:
    x = torch.randn(4, 2, 3, 8, device=engine.device, requires_grad=True)
    spikes = run(engine, x).spikes
    (expanded,) = torch.autograd.grad(spikes.sum(), x, retain_graph=True)
    (dense,) = torch.autograd.grad(spikes, x, torch.ones_like(spikes), retain_graph=True)
    assert torch.equal(expanded, dense)
    weight = torch.randn(4, 8, 3, 2, device=engine.device).transpose(1, 3)
    (strided,) = torch.autograd.grad(spikes, x, weight, retain_graph=True)
    assert torch.equal(strided, torch.autograd.grad(spikes, x, weight.contiguous())[0])


@pytest.mark.parametrize("layout", ["channels last", "time inside"])
def test_a_gradient_that_is_the_same_at_every_step(engine: Engine, layout: str) -> None:
    """That of a mean over time is one step, which nobody copies 40 times."""
    x = LAYOUTS[layout](torch.randn(40, 2, 3, 4, 5, device=engine.device)).requires_grad_()
    weight = torch.randn(2, 2, 3, 4, 5, device=engine.device)
    out = run(engine, x)
    same = [weight[0].expand(x.shape), weight[1].expand(x.shape)]
    outputs = [out.spikes, out.membrane]
    for chosen in (slice(0, 1), slice(1, 2), slice(0, 2)):
        grads = [
            torch.autograd.grad(outputs[chosen], x, inputs[chosen], retain_graph=True)[0]
            for inputs in (same, [tensor.contiguous() for tensor in same])
        ]
        assert torch.equal(*grads)
    mixed = torch.autograd.grad(outputs, x, [same[0], same[1].contiguous()], retain_graph=True)
    assert torch.equal(mixed[0], torch.autograd.grad(outputs, x, same)[0])


def test_channels_last_stays_channels_last(kernels: Engine) -> None:
    x = LAYOUTS["channels last"](torch.randn(3, 2, 4, 5, 6, device=kernels.device))
    assert run(kernels, x).spikes.stride() == x.stride()


@pytest.mark.parametrize("shape", [(0, 2, 3), (4, 0, 3), (0, 0, 3)], ids=str)
def test_empty_tensors(engine: Engine, shape: tuple[int, ...]) -> None:
    x = torch.randn(shape, device=engine.device, requires_grad=True)
    state = LIFState(*torch.rand(2, *shape[1:], device=engine.device).requires_grad_())
    beta = torch.rand(3, device=engine.device, requires_grad=True)
    out = run(engine, x, state=state, beta=beta)
    assert out.spikes.shape == out.membrane.shape == shape
    if shape[0] == 0:
        assert torch.equal(out.state.v, state.v)
        assert torch.equal(out.state.s, state.s)
    (out.spikes.sum() + out.membrane.sum() + out.state.v.sum()).backward()
    if shape[0] > 0:
        assert x.grad is not None
        assert x.grad.shape == shape


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("neurons", [(2, 8), (3, 5), (1, 1), (4, 6)], ids=str)
def test_spikes_as_bits_and_bytes(
    engine: Engine, neurons: tuple[int, ...], dtype: torch.dtype
) -> None:
    x = torch.randn(60, *neurons, device=engine.device).to(dtype)
    spikes = run(engine, x).spikes
    assert 0 < int(spikes.sum()) < spikes.numel()
    as_bytes = run(engine, x, spikes="int8").spikes
    assert as_bytes.dtype == torch.int8
    assert torch.equal(as_bytes, spikes.to(torch.int8))
    bits = run(engine, x, spikes="bits", membrane=False).spikes
    assert torch.equal(bits, functional.pack_bits(spikes))
    assert torch.equal(functional.unpack_bits(bits, neurons, dtype), spikes)


def test_bits_of_a_view_that_is_not_aligned(engine: Engine) -> None:
    x = LAYOUTS["off by one element"](torch.randn(6, 2, 16, device=engine.device))
    bits = run(engine, x, spikes="bits").spikes
    assert torch.equal(bits, functional.pack_bits(run(engine, x).spikes))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_a_run_in_pieces_is_the_run(engine: Engine, dtype: torch.dtype) -> None:
    """Bit for bit, also where the tensors have 16 bits, since the state has 32."""
    x = torch.randn(90, 2, 16, device=engine.device).to(dtype)
    whole = run(engine, x, reset="subtract")
    first = run(engine, x[:37], reset="subtract")
    second = run(engine, x[37:], state=first.state, reset="subtract")
    assert first.state.v.dtype == torch.float32
    assert torch.equal(torch.cat([first.membrane, second.membrane]), whole.membrane)
    assert torch.equal(second.state.v, whole.state.v)


def test_gradients_through_the_state(engine: Engine) -> None:
    x = torch.randn(70, 2, 8, device=engine.device, requires_grad=True)
    weight = torch.randn(70, 2, 8, device=engine.device)
    first = run(engine, x[:33], detach_reset=False)
    second = run(engine, x[33:], state=first.state, detach_reset=False)
    loss = (torch.cat([first.spikes, second.spikes]) * weight).sum()
    (chunks,) = torch.autograd.grad(loss, x)
    torch.testing.assert_close(chunks, grad_of(engine, x, weight, detach_reset=False)[1])


def test_states_that_are_not_aligned(kernels: Engine) -> None:
    x = torch.randn(5, 2, 16, device=kernels.device, requires_grad=True)
    halves = torch.rand(2, 33, device=kernels.device)
    grads = []
    for states in (halves[:, 1:], halves[:, 1:].clone()):
        v, s = (state.view(2, 16).requires_grad_() for state in states)
        after = run(kernels, x, state=LIFState(v, s), detach_reset=False).state.v
        grads.append(torch.autograd.grad(after, [x, v, s], states[0].detach().view(2, 16)))
    assert all(map(torch.equal, *grads))


def test_what_is_not_asked_for_is_not_made(engine: Engine) -> None:
    x = torch.randn(40, 2, 8, device=engine.device, requires_grad=True)
    out = run(engine, x, membrane=False, return_state=False)
    assert out.membrane is None
    assert out.state is None


@pytest.mark.parametrize("steps", [16, 32, 64, 1024])
def test_backward_keeps_an_eighth_of_a_byte_per_neuron_step(kernels: Engine, steps: int) -> None:
    saved: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        saved[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    for run_one, states in ((functional.lif, 1), (functional.synaptic_lif, 2)):
        x = torch.randn(steps, 2, 64, device=kernels.device, requires_grad=True)
        saved.clear()
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            run_one(x, membrane=False, return_state=False, backend="cuda")
        saved.pop(x.untyped_storage().data_ptr())
        assert sum(saved.values()) <= x.numel() / 8, states


def test_operators_pass_opcheck(kernels: Engine) -> None:
    neuron = functional.neuron.LIF().cuda_source
    x = torch.randn(40, 16, device=kernels.device)
    state = [torch.rand(16, device=kernels.device) for _ in range(2)]
    beta = [torch.rand(16, device=kernels.device)]
    gradient = "using Gradient = popsnn::Gradient<popsnn::SuperSpike, false>;"
    shared = (x, [], state, beta)
    for form in ("float", "int8", "bits"):
        options = encode(
            *ScanOptions(
                neuron, 2, 1, (0,), (1,), (0.0, 1.0), form, True, True, 1, gradient, 10.0,
                -math.inf,
            )
        )  # fmt: skip
        torch.library.opcheck(torch.ops.popsnn.scan_forward, (*shared, options, True))
    checkpoints = torch.ops.popsnn.scan_forward(*shared, options, True)[3]
    grads = (torch.randn_like(x), torch.randn_like(x), state)
    arguments = (*shared, checkpoints, *grads, options, True, True)
    torch.library.opcheck(torch.ops.popsnn.scan_backward, arguments)


class Seen(TorchDispatchMode):
    """Notes the operators of this package that run."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if func.namespace == "popsnn":
            self.names.append(func.name())
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("layout", ["channels last", "time inside"])
def test_who_watches_sees_the_operators_and_the_same_numbers(kernels: Engine, layout: str) -> None:
    x = LAYOUTS[layout](torch.randn(40, 2, 3, 4, 4, device=kernels.device))
    weight = torch.randn(x.shape, device=kernels.device)
    beta = torch.rand(3, 1, 1, device=kernels.device)
    expected = grad_of(kernels, x, weight, beta=beta)
    with Seen() as seen:
        got = grad_of(kernels, x, weight, beta=beta)
    assert seen.names == ["popsnn::scan_forward", "popsnn::scan_backward"]
    assert all(map(torch.equal, got, expected))


@pytest.mark.filterwarnings("ignore")  # torch.compile's own, which differ from version to version
@pytest.mark.parametrize("learn", [False, True], ids=["fixed", "learnt"])
def test_compiles_as_one_graph(engine: Engine, learn: bool) -> None:
    torch.compiler.reset()
    torch.manual_seed(2)
    linear = torch.nn.Linear(8, 16, device=engine.device)
    lif = nn.LIF(torch.full((16,), 0.8), learn_beta=learn, learn_threshold=learn)
    lif.backend = engine.backend
    lif.to(engine.device)

    def network(x: Tensor) -> Tensor:
        spikes = lif(linear(x))
        assert isinstance(spikes, Tensor)
        return spikes * 2.0

    x = torch.randn(6, 3, 8, device=engine.device)
    parameters = [*linear.parameters(), *lif.parameters()]
    backend = "inductor" if engine.device.type == "cuda" else "aot_eager"
    compiled = torch.compile(network, fullgraph=True, backend=backend)
    for other in (x, torch.randn(6, 5, 8, device=engine.device)):
        expected = network(other)
        got = compiled(other)
        assert torch.equal(got, expected)
        grads = torch.autograd.grad(got.pow(2).sum(), parameters)
        expected_grads = torch.autograd.grad(expected.pow(2).sum(), parameters)
        torch.testing.assert_close(grads, expected_grads)


def test_checkpointed_layers_give_the_same_gradient(engine: Engine) -> None:
    lif = nn.LIF(learn_threshold=True, backend=engine.backend).to(engine.device)
    x = torch.randn(40, 2, 8, device=engine.device, requires_grad=True)
    leaves = [x, *lif.parameters()]
    plain = torch.autograd.grad(lif(x).sum(), leaves)
    again = torch.autograd.grad(checkpoint(lif, x, use_reentrant=False).sum(), leaves)
    assert all(map(torch.equal, plain, again))


def test_autocast_gives_the_kernel_16_bits(engine: Engine) -> None:
    conv = torch.nn.Conv2d(2, 4, 3, device=engine.device)
    lif = nn.LIF(learn_beta=True, backend=engine.backend).to(engine.device)
    frames = torch.rand(5, 2, 2, 8, 8, device=engine.device)
    with torch.autocast(engine.device.type, dtype=torch.bfloat16):
        spikes = lif(conv(frames.flatten(0, 1)).unflatten(0, (5, 2)))
    assert spikes.dtype == torch.bfloat16
    spikes.float().sum().backward()
    for parameter in (conv.weight, *lif.parameters()):
        assert parameter.grad is not None
        assert parameter.grad.dtype == torch.float32
        assert bool(torch.isfinite(parameter.grad).all())


def test_second_derivatives_are_refused(kernels: Engine) -> None:
    x = torch.randn(4, 2, 8, device=kernels.device, requires_grad=True)
    spikes = run(kernels, x).spikes
    (grad,) = torch.autograd.grad(spikes.pow(2).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        grad.sum().backward()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_data_parallel_sums_what_is_learnt(engine: Engine, process_group: None) -> None:
    lif = nn.LIF(learn_beta=True, learn_threshold=True, backend=engine.backend)
    lif.to(engine.device)
    x = torch.randn(20, 2, 8, device=engine.device)
    expected = torch.autograd.grad(lif(x).sum(), list(lif.parameters()))
    parallel = torch.nn.parallel.DistributedDataParallel(lif)
    parallel(x).sum().backward()
    for parameter, grad in zip(lif.parameters(), expected):
        assert torch.equal(parameter.grad, grad)


class Own(Neuron):
    """x enters squared; its gradient is found again from the membrane, for x >= 0."""

    states = ("v", "s")
    parameters = ("beta", "threshold")

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
        v = p.beta * (state.v - p.threshold * state.s.detach()) + x * x
        return v, fire(v, p.threshold)

    @property
    def cuda_source(self) -> str:
        text = """struct Neuron {
          static constexpr int kStates = 2, kSaved = 1, kParameters = 2, kMembrane = 0;
          static constexpr bool kSpiking = true;
          POPSNN_DEVICE static void step(float (&state)[kStates], const float* p, float x) {
            state[0] = p[0] * (state[0] - p[1] * state[1]) + x * x;
            restore(state, p);
          }
          POPSNN_DEVICE static void restore(float (&state)[kStates], const float* p) {
            state[1] = state[0] >= p[1];
          }
          template <class Gradient>
          POPSNN_DEVICE static float adjoint(const float (&before)[kStates],
                                             const float (&state)[kStates], const float* p,
                                             const Gradient& h, float (&grad)[kStates],
                                             float* grad_p) {
            const float d_u = grad[1] * h(state[0], p[1]);
            const float left = before[0] - p[1] * before[1], d_v = grad[0] + d_u;
            grad_p[0] += d_v * left;
            grad_p[1] -= d_u + p[0] * d_v * before[1];
            grad[0] = p[0] * d_v;
            grad[1] = 0.0f;
            return 2.0f * sqrtf(state[0] - p[0] * left) * d_v;
          }
        };"""
        return " ".join(text.split())


OWN = Own()


def test_a_neuron_of_ones_own(engine: Engine) -> None:
    """Its text is by hand."""
    x = torch.rand(50, 2, 8, dtype=torch.float64) + 0.1
    values = {"beta": torch.rand(8, dtype=torch.float64), "threshold": 1.5}
    results = []
    for device, dtype, backend in (
        (torch.device("cpu"), torch.float64, "torch"),
        (engine.device, torch.float32, engine.backend),
    ):
        leaf = x.to(device, dtype).requires_grad_()
        beta = values["beta"].to(device, dtype).requires_grad_()
        out = functional.scan(
            "test", OWN, leaf, None, {**values, "beta": beta}, surrogate=SuperSpike(4.0),
            backend=backend,
        )  # fmt: skip
        assert out.spikes is not None
        grads = torch.autograd.grad(out.spikes.sum(), [leaf, beta])
        results.append([grad.detach().double().cpu() for grad in (out.spikes, *grads)])
    for expected, got in zip(*results):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-3)


def test_a_neuron_of_ones_own_without_parameters(kernels: Engine) -> None:
    class Model(Neuron):
        states = ("v", "s")
        parameters = ()

        def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
            v = 0.5 * (state.v - state.s.detach()) + x
            return v, fire(v, 1.0)

    model = Model()
    x = 2 * torch.rand(20, 1, 3, dtype=torch.float64)
    results = []
    for backend, device, dtype in (
        ("torch", torch.device("cpu"), torch.float64),
        (kernels.backend, kernels.device, torch.float32),
    ):
        leaf = x.to(device, dtype).requires_grad_()
        out = functional.scan(
            "test", model, leaf, None, {}, surrogate=SuperSpike(4.0), backend=backend
        )
        assert out.spikes is not None
        (grad,) = torch.autograd.grad(out.spikes.sum(), leaf)
        results.append([each.detach().double().cpu() for each in (out.spikes, grad)])
    for expected, got in zip(*results):
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-4)


def test_a_text_by_hand_may_save_states_for_its_backward_pass(kernels: Engine) -> None:
    class ByHand(Quadratic):
        @property
        def cuda_source(self) -> str | None:
            return super().cuda_source

    generated = Quadratic().translation()
    assert generated.added > 0
    assert ByHand().translation().added == generated.added
    x = torch.rand(20, 2, 8, device=kernels.device)
    values = dict(zip(Quadratic.parameters, Quadratic.defaults))
    results = []
    for model in (Quadratic(), ByHand()):
        leaf = x.clone().requires_grad_()
        out = functional.scan("test", model, leaf, None, values, backend=kernels.backend)
        assert out.spikes is not None
        results.append((out.spikes, *torch.autograd.grad(out.spikes.sum(), leaf)))
    for expected, got in zip(*results):
        assert bool(expected.any())
        assert torch.equal(got, expected)


def test_the_earlier_class_of_neurons_with_lines_of_cuda(kernels: Engine) -> None:
    sentence = "functional.Custom: expected a subclass of popsnn.Neuron, got the earlier class"
    with pytest.warns(DeprecationWarning, match=f"^{sentence}$"):
        earlier = functional.Custom(
            states=("v", "s"),
            parameters=("beta", "threshold"),
            function=Own().advance,
            forward="v = beta * (v - threshold * s) + x * x; s = v >= threshold;",
            restore="s = v >= threshold;",
            backward="""
              const float d_u = d_s * h(v, threshold);
              d_v += d_u;
              d_x = 2.0f * sqrtf(v - beta * (v_before - threshold * s_before)) * d_v;
              d_threshold -= d_u + beta * d_v * s_before;
              d_beta += d_v * (v_before - threshold * s_before);
              d_v *= beta;
              d_s = 0.0f;
            """,
        )
    x = torch.rand(50, 2, 8, device=kernels.device) + 0.1
    results = []
    for model in (OWN, earlier):
        leaf = x.clone().requires_grad_()
        out = functional.scan(
            "test", model, leaf, None, {"beta": 0.8, "threshold": 1.5}, backend=kernels.backend
        )
        assert out.spikes is not None
        results.append((out.spikes, *torch.autograd.grad(out.spikes.sum(), leaf)))
    for expected, got in zip(*results):
        torch.testing.assert_close(got, expected)


def test_captured_in_a_cuda_graph(cuda_engine: Engine) -> None:
    x = torch.randn(40, 2, 64, device="cuda", requires_grad=True)
    weight = torch.randn(40, 2, 64, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):  # compiles the kernels, which a capture must not
        grad_of(cuda_engine, x, weight)
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        spikes, grad = grad_of(cuda_engine, x, weight)
    with torch.no_grad():
        x.normal_()
    graph.replay()
    expected = grad_of(cuda_engine, x, weight)
    assert torch.equal(spikes, expected[0])
    assert torch.equal(grad, expected[1])


def test_runs_on_the_callers_stream(cuda_engine: Engine) -> None:
    x = torch.randn(64, 1, 1 << 16, device="cuda")
    weight = torch.randn_like(x)
    expected = grad_of(cuda_engine, x, weight)
    late = torch.zeros_like(x)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(50_000_000)  # the kernel must wait for what its stream does first
        late.copy_(x)
        got = grad_of(cuda_engine, late, weight)
    side.synchronize()
    assert torch.equal(got[0], expected[0])
    assert torch.equal(got[1], expected[1])


def test_runs_on_a_second_device(cuda_engine: Engine) -> None:
    if torch.cuda.device_count() < 2:
        pytest.skip("one CUDA device only")
    x = torch.randn(40, 2, 64, device="cuda:1")
    weight = torch.randn_like(x)
    with torch.cuda.device(0):
        spikes, grad = grad_of(cuda_engine, x, weight)
    assert spikes.device == grad.device == x.device
    cpu = Engine("torch", torch.device("cpu"), "torch", [])
    assert torch.equal(spikes.cpu(), grad_of(cpu, x.cpu(), weight.cpu())[0])


MISTAKES = [
    (
        lambda x: functional.lif(x, backend="cuda"),
        RuntimeError,
        "functional.lif: backend 'cuda' cannot run this: the current is on cpu, "
        "not on a CUDA device",
    ),
    (
        lambda x: functional.li(x.double(), backend="cuda"),
        RuntimeError,
        "functional.li: backend 'cuda' cannot run this: the current is torch.float64, "
        "not float32, bfloat16 or float16",
    ),
    (
        lambda x: functional.lif(x, backend="gpu"),
        ValueError,
        "functional.lif: backend: expected one of auto, torch, cuda, got 'gpu'",
    ),
    (
        lambda x: functional.lif(x, spikes="bit"),
        ValueError,
        "functional.lif: spikes: expected one of float, int8, bits, got 'bit'",
    ),
    (
        lambda x: functional.lif(x, beta=torch.rand(7)),
        ValueError,
        "functional.lif: beta: expected a shape that broadcasts to (2, 8), got (7,)",
    ),
    (
        lambda x: functional.lif(x, LIFState(torch.zeros(8), torch.zeros(8))),
        ValueError,
        "functional.lif: state v: expected shape (2, 8), got (8,)",
    ),
    (
        lambda x: functional.lif(x, smooth=True, backend="cuda"),
        RuntimeError,
        "functional.lif: backend 'cuda' cannot run this: smooth is for the torch engine alone",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), MISTAKES)
def test_mistakes_get_one_sentence(
    call: Callable[[Tensor], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        call(torch.zeros(3, 2, 8))
    assert str(caught.value) == message
