"""A recurrent LIF layer, forward and backward with its weights' gradient, beside plain torch.

v = 0.9 v (1 - s) + x + V s, a spike where v >= 1, surrogate derivative (10 |v - 1| + 1)^-2 where
v >= 0.9, no gradient through the reset; T = 100. The current's scale sets the activity.
"""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any, Callable, Iterator

import torch
from torch import Tensor

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.rows import Row, spread, wanted
from popsnn import functional, surrogate

BETA, GATE, STEPS = 0.9, 0.9, 100
SHAPE = surrogate.SuperSpike()
# Neurons, samples, what the products take the weights as, activity.
CASES = (
    (2944, 48, torch.bfloat16, "5 %"),
    (2944, 48, torch.bfloat16, "1 %"),
    (2944, 8, torch.bfloat16, "5 %"),
    (1024, 48, torch.bfloat16, "5 %"),
    (1024, 8, torch.bfloat16, "5 %"),
    (8192, 48, torch.bfloat16, "5 %"),
    (2944, 48, torch.float32, "5 %"),
    (1024, 48, torch.float32, "5 %"),
)
STEPPED = ((1024, 1), (1024, 48), (2944, 1), (2944, 48), (8192, 1), (8192, 48))
PEERS = ((2944, 48), (2944, 8), (1024, 48), (8192, 48))
SCALES = {"5 %": 0.53, "1 %": 0.235}  # of the current, for about so many spikes
RUNS = 20
L2_BYTES = 60e6  # of an H200

row = partial(gpu.row, "recurrent")
Call = Callable[[], "tuple[Tensor, ...]"]


def run() -> Iterator[Row]:
    """Measure whole sequences, single steps, then the peers."""
    if not torch.cuda.is_available():
        print("  needs a CUDA device: nothing is measured")
        return
    for neurons, batch, taken_as, activity in CASES if wanted("popsnn-cuda") else ():
        torch.manual_seed(0)
        yield from ours(Work(neurons, batch, SCALES[activity]), activity, taken_as)
    for neurons, batch in STEPPED if wanted("popsnn-cuda") else ():
        torch.manual_seed(0)
        yield from stepped(Work(neurons, batch, SCALES["5 %"]))
    for neurons, batch in PEERS if wanted("torch") else ():
        torch.manual_seed(0)
        yield from peers(Work(neurons, batch, SCALES["5 %"]), "5 %")


class Work:
    """The inputs of one case, in bfloat16 and in float32."""

    def __init__(self, neurons: int, batch: int, scale: float) -> None:
        self.neurons, self.batch = neurons, batch
        self.x = scale * torch.randn(STEPS, batch, neurons, device="cuda")
        self.weight = (torch.randn(neurons, neurons, device="cuda") / neurons**0.5).bfloat16()
        self.grad = torch.randn(STEPS, batch, neurons, device="cuda")

    def leaves(self, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
        """Return x and the weights, which take gradients, and the spikes' gradient."""
        x, weight = (one.to(dtype, copy=True).requires_grad_() for one in (self.x, self.weight))
        return x, weight, self.grad.to(dtype)

    def case(
        self, activity: str, spikes: Tensor, taken_as: torch.dtype | None = None
    ) -> dict[str, object]:
        """Return the row's case."""
        case: dict[str, object] = {
            "T": STEPS,
            "batch": self.batch,
            "neurons": self.neurons,
            "activity": activity,
            "spikes": round(float(spikes.detach().float().mean()), 4),
        }
        if taken_as is not None:
            case["weights"] = str(taken_as).replace("torch.", "")
        return case


def ours(work: Work, activity: str, taken_as: torch.dtype) -> Iterator[Row]:
    """Measure the kernels, called and as a CUDA graph, and the forward direction alone."""
    wide = (work.neurons, work.batch, activity) == (2944, 48, "5 %")
    dtypes = (torch.bfloat16, torch.float32) if wide else (torch.bfloat16,)
    for dtype in dtypes if taken_as == torch.bfloat16 else (torch.float32,):
        x, weight, grad = work.leaves(dtype)

        def forward(x: Tensor = x, weight: Tensor = weight) -> Tensor:
            out = functional.recurrent_lif(
                x,
                weight,
                beta=BETA,
                surrogate=SHAPE,
                grad_threshold=GATE,
                weight_dtype=taken_as,
                membrane=False,
                return_state=False,
                backend="cuda",
            )
            return out.spikes

        def both(x: Tensor = x, weight: Tensor = weight, grad: Tensor = grad) -> tuple[Tensor, ...]:
            spikes = forward(x, weight)
            return (spikes, *torch.autograd.grad(spikes, (x, weight), grad))

        graph = graphed(both)
        spikes, grad_x, grad_weight = both()
        case = work.case(activity, spikes, taken_as)
        error = gradient_error(work, x, weight, grad, (grad_x, grad_weight), taken_as)
        del spikes, grad_x, grad_weight
        peak = gpu.peak_bytes(both)
        limit = lower_limit(work, taken_as)
        for name, call in (("popsnn-cuda", both), ("popsnn-cuda-graph", graph)):
            times = milliseconds(call, RUNS)
            print(
                f"  N={work.neurons} B={work.batch} {activity} ({case['spikes']}) {name} {dtype}, "
                f"weights {taken_as}: {spread(times, 1.0)['median']:.3f} ms, gradients off by "
                f"{error:.1e}"
            )
            yield row(case, name, dtype, "fwd_bwd_ms", times, limit=limit, error=error, peak=peak)
        times = milliseconds(graphed(lambda: (forward(),)), RUNS)
        yield row(case, "popsnn-cuda-graph", dtype, "fwd_ms", times)


def stepped(work: Work) -> Iterator[Row]:
    """Measure inference one step at a time, its states carried in place, as a CUDA graph."""
    x, weight = work.x[:1].bfloat16(), work.weight
    state = functional.LIFState(*torch.zeros(2, work.batch, work.neurons, device="cuda"))

    @torch.no_grad()
    def step() -> None:
        out = functional.recurrent_lif(
            x,
            weight,
            state,
            beta=BETA,
            weight_dtype=torch.bfloat16,
            membrane=False,
            backend="cuda",
        )
        for one, after in zip(state, out.state):
            one.copy_(after)

    replay = graphed(step)

    def many() -> None:
        for _ in range(STEPS):
            replay()

    times = [time / STEPS for time in milliseconds(many, RUNS)]
    print(f"  N={work.neurons} B={work.batch}: {1e3 * spread(times, 1.0)['median']:.1f} us a step")
    case = {"T": 1, "batch": work.batch, "neurons": work.neurons, "weights": "bfloat16"}
    yield row(case, "popsnn-cuda-graph", torch.bfloat16, "step_ms", times)


def peers(work: Work, activity: str) -> Iterator[Row]:
    """Measure the definition step by step, as a CUDA graph, and compiled as a CUDA graph."""
    x, weight, grad = work.leaves(torch.float32)
    eager = torch_loop(x, weight, grad, _step)
    spikes = eager()[0]
    case = work.case(activity, spikes)
    name = f"torch-{torch.__version__}"
    yield row(case, f"{name}-eager", torch.float32, "fwd_bwd_ms", milliseconds(eager, 5, 2))
    narrow = work.leaves(torch.bfloat16)
    call = graphed(torch_loop(*narrow, _step))
    yield row(case, f"{name}-graph", torch.bfloat16, "fwd_bwd_ms", milliseconds(call, 10))
    torch.compiler.reset()
    call = graphed(torch_loop(*narrow, torch.compile(_step)))
    times = milliseconds(call, 10)
    print(f"  {name}-compiled-graph: {spread(times, 1.0)['median']:.2f} ms")
    yield row(case, f"{name}-compiled-graph", torch.bfloat16, "fwd_bwd_ms", times)
    for library, loop in (("norse", _norse), ("snntorch", _snntorch)):
        try:
            version = importlib.import_module(library).__version__
        except ImportError as error:
            print(f"  {library} is left out: {error}")
            continue
        times = milliseconds(loop(x, weight, grad), 5, 2)
        print(f"  {library}-{version}: {spread(times, 1.0)['median']:.1f} ms")
        yield row(case, f"{library}-{version}", torch.float32, "fwd_bwd_ms", times)


class _Spike(torch.autograd.Function):
    """A spike, the surrogate's derivative above the second threshold."""

    @staticmethod
    def forward(ctx: Any, v: Tensor) -> Tensor:
        ctx.save_for_backward(v)
        return (v >= 1.0).to(v.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (v,) = ctx.saved_tensors
        return torch.where(v >= GATE, grad * (10.0 * (v - 1.0).abs() + 1.0).pow(-2), 0.0)


def _step(x: Tensor, v: Tensor, s: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    v = BETA * v * (1.0 - s.detach()) + x + s @ weight.t()
    return v, _Spike.apply(v)


def torch_loop(x: Tensor, weight: Tensor, grad: Tensor, step: Callable[..., Any]) -> Call:
    """Return the loop over the steps, forward and backward."""

    def call() -> tuple[Tensor, ...]:
        v = s = torch.zeros_like(x[0])
        spikes = []
        for current in x:
            v, s = step(current, v, s, weight)
            spikes.append(s)
        out = torch.stack(spikes)
        return (out.detach(), *torch.autograd.grad(out, (x, weight), grad))

    return call


def _norse(x: Tensor, weight: Tensor, grad: Tensor) -> Call:
    functions = importlib.import_module("norse.torch.functional.lif_box")
    parameters = functions.LIFBoxParameters(
        **{
            name: value.cuda() if isinstance(value, Tensor) else value
            for name, value in functions.LIFBoxParameters()._asdict().items()
        }
    )

    def step(current: Tensor, v: Tensor, s: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        state = functions.LIFBoxFeedForwardState(v=v)
        s, state = functions.lif_box_feed_forward_step(current + s @ weight.t(), state, parameters)
        return state.v, s

    return torch_loop(x, weight, grad, step)


def _snntorch(x: Tensor, weight: Tensor, grad: Tensor) -> Call:
    library = importlib.import_module("snntorch")
    layer = library.Leaky(beta=BETA, reset_mechanism="zero").cuda()

    def step(current: Tensor, v: Tensor, s: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        s, v = layer(current + s @ weight.t(), v)
        return v, s

    return torch_loop(x, weight, grad, step)


def gradient_error(
    work: Work,
    x: Tensor,
    weight: Tensor,
    grad: Tensor,
    got: tuple[Tensor, Tensor],
    taken_as: torch.dtype,
) -> float:
    """Return the larger relative error of the two gradients against the definition in float64.

    A membrane within a rounding of the threshold may spike in one and not in the other, after
    which all differs, so the definition goes back through the kernels' own spikes and membranes.
    """
    with torch.no_grad():
        out = functional.recurrent_lif(
            x,
            weight,
            beta=BETA,
            weight_dtype=taken_as,
            return_state=False,
            backend="cuda",
        )
        s, wide = out.spikes.double(), weight.detach().to(taken_as).double()
        inputs = x.double() + torch.cat([torch.zeros_like(s[:1]), s[:-1] @ wide.t()])
        v = torch.zeros_like(s)
        for t in range(STEPS):
            v[t] = inputs[t] + (BETA * v[t - 1] * (1 - s[t - 1]) if t else 0)
        slope = torch.where(v >= GATE, SHAPE.derivative(v - 1), torch.zeros_like(v))
        delta = torch.zeros_like(v)
        for t in reversed(range(STEPS)):
            delta[t] = slope[t] * grad[t].double()
            if t + 1 < STEPS:
                back = delta[t + 1] @ wide
                delta[t] += slope[t] * back + BETA * (1 - s[t]) * delta[t + 1]
        total = delta[1:].flatten(0, 1).t() @ s[:-1].flatten(0, 1)
        errors = [(a.double() - b).norm() / b.norm() for a, b in zip(got, (delta, total))]
    return float(max(errors))


def lower_limit(work: Work, taken_as: torch.dtype) -> str:
    """Return what the products, or the weights that they stream, would take at least."""
    neurons, batch = work.neurons, work.batch
    exact = taken_as == torch.float32
    padded = -(-batch // 16) * 16
    rate = 660e12  # of mma.sync on bfloat16, two thirds of wgmma's
    terms = (3 + 6, 3) if exact else (2, 1)  # of both directions, of the weights' gradient
    operations = 2 * STEPS * (terms[0] * padded + terms[1] * batch) * neurons**2
    time = 1e3 * operations / rate
    text = f"tensor cores: {operations / 1e9:.0f} GFLOP at 660 TFLOP/s, {time:.3f} ms"
    streamed = 2 * STEPS * neurons**2 * taken_as.itemsize
    if neurons**2 * taken_as.itemsize > L2_BYTES:
        text = (
            f"memory: weights {streamed / 1e9:.1f} GB at 4.3 TB/s, {streamed / 4.3e9:.3f} ms, and "
            f"{text}"
        )
    return text
