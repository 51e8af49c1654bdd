from __future__ import annotations

import math
import re

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import compiled
from torch import Tensor

from popsnn import functional, nn
from popsnn.cuda.batch_norm import launch as batch_norm_launch
from popsnn.cuda.batch_norm.launch import BatchNormLifOptions
from popsnn.cuda.device.options import encode
from popsnn.functional import BitSpikes, LIFState
from popsnn.functional.bits import pack, with_bits
from popsnn.surrogate import Sigmoid

SHAPES = [(5, 2, 8, 3, 3), (3, 2, 8), (40, 2, 4, 2, 4), (1, 3, 16, 1, 1), (6, 1, 3, 5, 7)]


def inputs(
    shape: tuple[int, ...], dtype: torch.dtype, channels_last: bool, device: torch.device
) -> dict[str, Tensor]:
    """x, a residual of spikes, weight and bias [C]; their values are exact in `dtype`."""
    x = (torch.randn(shape) * 2 + 0.5).to(dtype)
    residual = (torch.rand(shape) < 0.3).to(dtype)
    if channels_last:
        x = x.permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)
        residual = residual.permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)
    made = {
        "x": x,
        "residual": residual,
        "weight": torch.rand(shape[2]) + 0.5,
        "bias": torch.randn(shape[2]) * 0.2,
    }
    return {name: value.to(device).requires_grad_() for name, value in made.items()}


def agrees(tensor: Tensor | None, other: Tensor | None, dtype: torch.dtype) -> None:
    assert tensor is not None
    assert other is not None
    error = (tensor.detach().cpu().double() - other.detach().double()).norm()
    limit = {torch.float32: 1e-5, torch.bfloat16: 2e-2, torch.float16: 3e-3}[dtype]
    assert float(error) <= limit * float(other.detach().norm()) + 1e-7


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("with_residual", [False, True])
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(
    ("shape", "channels_last"),
    [(shape, False) for shape in SHAPES] + [(SHAPES[0], True), (SHAPES[4], True)],
)
def test_is_the_reference(
    kernels: Engine,
    dtype: torch.dtype,
    with_residual: bool,
    training: bool,
    shape: tuple[int, ...],
    channels_last: bool,
) -> None:
    passed = inputs(shape, dtype, channels_last, kernels.device)
    wide = {name: value.detach().cpu().double().requires_grad_() for name, value in passed.items()}
    running = torch.rand(shape[2]), torch.rand(shape[2]) + 0.5
    results = []
    for tensor, backend, precise in ((passed, "cuda", False), (wide, "torch", True)):
        device = tensor["x"].device
        saved = tuple(r.to(device, torch.float64 if precise else None, copy=True) for r in running)
        out = functional.batch_norm_lif(
            tensor["x"],
            tensor["weight"],
            tensor["bias"],
            saved,
            residual=tensor["residual"] if with_residual else None,
            training=training,
            beta=0.8,
            threshold=0.7,
            surrogate=Sigmoid(),
            grad_threshold=0.1,
            backend=backend,
        )
        results.append((out, saved))
    (out, saved), (exact, exact_saved) = results
    differing = (out.spikes.detach().cpu() != exact.spikes).sum()
    assert int(differing) == 0
    assert out.spikes.stride() == passed["x"].stride()
    agrees(out.state.v, exact.state.v, torch.float32)
    for ours, theirs in zip(saved, exact_saved):
        agrees(ours, theirs, torch.float32)

    grad = torch.randn(shape).to(dtype)
    grad_v = torch.randn(shape[1:])
    for (result, _), to, precision in (
        (results[0], kernels.device, dtype),
        (results[1], "cpu", torch.float64),
    ):
        wanted = (result.spikes * grad.to(to, precision)).sum()
        (wanted + (result.state.v * grad_v.to(to, result.state.v.dtype)).sum()).backward()
    names = ["x", "weight", "bias", *(["residual"] if with_residual else [])]
    for name in names:
        agrees(passed[name].grad, wide[name].grad, dtype)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("shape", [(2, 1, 8), (1, 2, 16), (4, 1, 8, 1, 1)])
def test_the_gradient_of_few_values_cancels(
    kernels: Engine, dtype: torch.dtype, shape: tuple[int, ...]
) -> None:
    """Behind a normalization of two values almost all of a gradient is subtracted again."""
    passed = inputs(shape, dtype, False, kernels.device)
    wide = {name: value.detach().cpu().double().requires_grad_() for name, value in passed.items()}
    weights = torch.randn(shape)
    for tensors, backend in ((passed, "cuda"), (wide, "torch")):
        x, weight, bias = (tensors[name] for name in ("x", "weight", "bias"))
        out = functional.batch_norm_lif(x, weight, bias, beta=0.8, threshold=0.7, backend=backend)
        (out.spikes.double() * weights.to(x.device)).sum().backward()
    agrees(passed["x"].grad, wide["x"].grad, dtype)


@pytest.mark.parametrize("shape", [(5, 2, 8, 3, 3), (5, 1, 3, 3, 3)])
def test_keeps_bits_in_place_of_residual_and_output(
    kernels: Engine, shape: tuple[int, ...]
) -> None:
    passed = inputs(shape, torch.float32, True, kernels.device)
    residual = with_bits(passed["residual"])
    layer = nn.BatchNormLIF(shape[2], threshold=0.5, bits=True, backend="cuda")
    layer.to(kernels.device)
    out = layer(passed["x"], residual)
    assert isinstance(out, BitSpikes)
    assert torch.equal(out.bits, pack(out.dense))
    saved = out.dense.grad_fn.saved_tensors  # type: ignore[union-attr]
    full = [
        tensor for tensor in saved if tensor is not None and tensor.numel() >= passed["x"].numel()
    ]
    assert [tensor.data_ptr() for tensor in full] == [passed["x"].data_ptr()]
    out.dense.sum().backward()
    ours = {name: passed[name].grad for name in ("x", "residual")}
    for value in passed.values():
        value.grad = None
    layer(passed["x"], passed["residual"]).dense.sum().backward()
    for name, grad in ours.items():
        assert torch.equal(grad, passed[name].grad)


def test_state_goes_on_and_so_does_its_gradient(kernels: Engine) -> None:
    x = torch.randn(6, 2, 3, 4, device=kernels.device, requires_grad=True)
    layer = nn.BatchNormLIF(3, threshold=0.5, detach_reset=False, backend="cuda")
    layer.to(kernels.device).eval()
    whole = layer(x)
    grad = torch.randn_like(whole)
    (expected,) = torch.autograd.grad(whole, x, grad)
    first, state = layer(x[:2], return_state=True)
    second = layer(x[2:], state=LIFState(*state))
    chunks = torch.cat([first, second])
    assert torch.equal(chunks, whole)
    (got,) = torch.autograd.grad(chunks, x, grad)
    torch.testing.assert_close(got, expected)


class Halves:
    """The two ranks of a time split, one after the other in one process."""

    def __init__(self) -> None:
        self.second = False
        self.messages: dict[int, Tensor] = {}

    @property
    def first(self) -> bool:
        return not self.second

    @property
    def last(self) -> bool:
        return self.second

    def send(self, x: Tensor, neighbour: int) -> None:
        self.messages[neighbour] = x.clone()

    def fetch(self, x: Tensor, neighbour: int) -> None:
        x.copy_(self.messages.pop(-neighbour))


@pytest.mark.parametrize("reset", ["subtract_after", "zero_after"])
def test_resets_after_the_decay(kernels: Engine, reset: str) -> None:
    passed = inputs((40, 2, 4, 2, 4), torch.float32, False, kernels.device)
    results = []
    for backend, dtype, device in (
        ("cuda", torch.float32, kernels.device),
        ("torch", torch.float64, torch.device("cpu")),
    ):
        x = passed["x"].detach().to(device, dtype).requires_grad_()
        out = functional.batch_norm_lif(
            x, training=True, beta=0.8, threshold=0.7, reset=reset, backend=backend
        )
        weight = torch.linspace(-1, 1, x.numel(), dtype=dtype, device=device).view(x.shape)
        results.append((out.spikes, *torch.autograd.grad((out.spikes * weight).sum(), x)))
    assert torch.equal(results[0][0].detach().cpu().double(), results[1][0].detach())
    agrees(results[0][1], results[1][1], torch.float32)


def test_a_neuron_that_needs_its_input_backward_is_refused(kernels: Engine) -> None:
    x = torch.randn(4, 2, 3, device=kernels.device)
    sentence = (
        "functional.batch_norm_lif: backend 'cuda' cannot run this: LIF(reset='zero_after', "
        "detach_reset=False) needs more for its backward pass than the states after a step"
    )
    with pytest.raises(RuntimeError, match=f"^{re.escape(sentence)}$"):
        functional.batch_norm_lif(x, reset="zero_after", detach_reset=False, backend="cuda")


@pytest.mark.parametrize("detach_reset", [True, False])
def test_neighbours_get_states_and_their_gradients(kernels: Engine, detach_reset: bool) -> None:
    x = torch.randn(9, 2, 3, 4, device=kernels.device, requires_grad=True)
    layer = nn.BatchNormLIF(3, threshold=0.5, detach_reset=detach_reset, backend="cuda")
    layer.to(kernels.device).eval()
    whole = layer(x)
    grad = torch.randn_like(whole)
    (expected,) = torch.autograd.grad(whole, x, grad)

    halves = layer.neighbours = Halves()
    first = layer(x[:4])
    halves.second = True
    second = layer(x[4:])
    assert torch.equal(torch.cat([first, second]), whole)
    (late,) = torch.autograd.grad(second, x, grad[4:])
    halves.second = False
    (early,) = torch.autograd.grad(first, x, grad[:4])
    torch.testing.assert_close(early + late, expected)
    assert halves.messages == {}


def test_a_residual_of_another_type_is_rounded_to_that_of_x(kernels: Engine) -> None:
    passed = inputs((5, 2, 8, 3, 3), torch.bfloat16, True, kernels.device)
    wide = passed["residual"].detach().float().requires_grad_()
    weight = torch.randn_like(passed["x"])
    grads = []
    for residual in (passed["residual"], wide):
        out = functional.batch_norm_lif(passed["x"], residual=residual, backend="cuda").spikes
        assert isinstance(out, Tensor)
        grads.append(torch.autograd.grad((out * weight).sum(), [passed["x"], residual]))
    assert torch.equal(grads[0][0], grads[1][0])
    assert torch.equal(grads[0][1].float(), grads[1][1])


def test_operators_pass_opcheck(kernels: Engine) -> None:
    device = kernels.device
    neuron = functional.neuron.LIF().cuda_source
    gradient = f"{Sigmoid().cuda_source}using Gradient = popsnn::Gradient<Shape, false>;"
    x, residual = torch.randn(2, 40, 48, device=device)
    scale, shift, mean, beta = torch.rand(4, 8, device=device)
    state = [torch.rand(48, device=device) for _ in range(2)]
    shared = (x, residual, scale, shift)
    forward = torch.ops.popsnn.batch_norm_lif_forward
    for bits in (False, True):
        options = encode(
            *BatchNormLifOptions(
                neuron, (0,), (0.0, 1.0), 3, 8, bits, True, gradient, 4.0, -math.inf
            )
        )
        arguments = (*shared, state, [beta], options, True)
        torch.library.opcheck(forward, arguments)
    checkpoints = forward(*arguments)[3]
    torch.library.opcheck(
        torch.ops.popsnn.batch_norm_lif_backward,
        (*shared, mean, state, [beta], checkpoints, torch.randn_like(x), state, options, True),
    )


@pytest.mark.filterwarnings("ignore")  # torch.compile's own, which differ from version to version
@pytest.mark.parametrize("channels_last", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_compiles_as_one_graph(kernels: Engine, training: bool, channels_last: bool) -> None:
    torch.compiler.reset()
    layers = [
        nn.BatchNormLIF(8, torch.full((8,), 0.8), 0.5, backend="cuda").to(kernels.device)
        for _ in range(2)
    ]
    passed = inputs((5, 2, 8, 3, 3), torch.float32, channels_last, kernels.device)
    backend = "inductor" if kernels.device.type == "cuda" else "aot_eager"
    results = []
    for compiles, layer in zip((False, True), layers):
        layer.train(training)

        def network(x: Tensor, residual: Tensor, layer: nn.BatchNormLIF = layer) -> Tensor:
            spikes = layer(x * 1.0, residual)
            assert isinstance(spikes, Tensor)
            return spikes * 2.0

        run = torch.compile(network, fullgraph=True, backend=backend) if compiles else network
        for value in passed.values():
            value.grad = None
        out = run(passed["x"], passed["residual"])
        out.pow(2).sum().backward()
        grads = [passed["x"].grad, passed["residual"].grad, layer.weight.grad, layer.bias.grad]
        results.append([out.detach(), *grads, layer.running_mean, layer.running_var])
    for expected, got in zip(*results):
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("dtype", "residual", "arch"),
    [
        (torch.float32, True, "sm_80"),
        (torch.float32, False, "sm_90"),
        (torch.bfloat16, False, "sm_80"),
        (torch.bfloat16, True, "sm_90"),
        (torch.float16, True, "sm_80"),
        (torch.float16, False, "sm_90"),
    ],
)
def test_compiles_for_every_architecture(dtype: torch.dtype, residual: bool, arch: str) -> None:
    """Each type for both, with and without a residual in turn: a case takes seconds."""
    pytest.importorskip("cuda.core")
    neuron = functional.neuron.LIF().cuda_source
    gradient = f"{Sigmoid().cuda_source}using Gradient = popsnn::Gradient<Shape, true>;"
    forward = batch_norm_launch.forward_source(neuron, dtype, 0, residual, bits=True)
    backward = batch_norm_launch.backward_source(neuron, gradient, dtype, 0, residual)
    for source in (forward, backward):
        report = compiled(source, arch).report
        spilt = re.findall(r"(\d+) bytes (?:stack frame|spill)", report)
        # sm_80 spills two registers of the widest float32 kernel.
        assert max(map(int, spilt)) <= 8


def test_parameters_of_channels(kernels: Engine) -> None:
    x = torch.randn(6, 2, 3, 4, device=kernels.device)
    beta, threshold = torch.tensor([0.5, 0.7, 0.9]), torch.tensor([0.2, 0.4, 0.6])
    ours = nn.BatchNormLIF(3, beta, threshold, backend="cuda").to(kernels.device)
    theirs = nn.BatchNormLIF(3, beta, threshold, backend="torch").to(kernels.device)
    assert torch.equal(ours(x), theirs(x))


def test_narrow_types_run_on_the_reference_or_are_refused(kernels: Engine) -> None:
    x = torch.randn(3, 2, 4, dtype=torch.float64, device=kernels.device)
    assert functional.batch_norm_lif(x).spikes.dtype == torch.float64
    with pytest.raises(
        RuntimeError,
        match=r"functional.batch_norm_lif: backend 'cuda' cannot run this: the current is "
        r"torch.float64, not float32, bfloat16 or float16",
    ):
        functional.batch_norm_lif(x, backend="cuda")
