"""LIF layers of several libraries, set to be the same neuron.

v = 0.9 r(v) + x, a spike where v >= 1 (snnTorch: >), reset to zero, no gradient through the reset,
surrogate derivative 4 sig(4 u) (1 - sig(4 u)).

norse has LIFBox, which scales its input by the leak rate, 0.1 here, and a surrogate of its own;
snnTorch's reset acts one step later on input and membrane alike. Their results are therefore not
compared with the reference, only timed.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Callable, Iterator

import torch
from torch import Tensor

from bench.rows import wanted
from popsnn import functional, nn, surrogate

BETA = 0.9
SURROGATE = surrogate.Sigmoid(slope=4.0)
DEFAULT = surrogate.SuperSpike()  # that of popsnn.nn.LIF

Layer = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Subject:
    """A library's layer, from x to spikes, both [T, 1, N]; `same`: whether it is our neuron."""

    name: str
    make: Callable[[torch.dtype], Layer]
    same: bool = True
    most_steps: int = 1 << 20  # a loop over more takes minutes
    types: tuple[torch.dtype, ...] = (torch.float32, torch.bfloat16, torch.float16)
    graph: bool = False  # whether it is timed as a CUDA graph too
    one_thread: bool = False  # whether it is timed too with backward in the caller's thread
    surrogate: surrogate.Surrogate = SURROGATE

    def takes(self, steps: int, dtype: torch.dtype) -> bool:
        """Return whether it is measured on so many steps of this type."""
        return wanted(self.name) and steps <= self.most_steps and dtype in self.types


def popsnn_cuda(dtype: torch.dtype) -> Layer:
    return nn.LIF(BETA, surrogate=SURROGATE, backend="cuda")


def popsnn_default(dtype: torch.dtype) -> Layer:
    return nn.LIF(BETA, surrogate=DEFAULT, backend="cuda")


def torch_eager(dtype: torch.dtype) -> Layer:
    return nn.LIF(BETA, surrogate=SURROGATE, backend="torch")


def torch_compiled(dtype: torch.dtype) -> Layer:
    torch.compiler.reset()
    compiled: Layer = torch.compile(torch_eager(dtype))
    return compiled


def _spikingjelly(dtype: torch.dtype, precision: bool) -> Layer:
    neuron = importlib.import_module("spikingjelly.activation_based.neuron")
    functions = importlib.import_module("spikingjelly.activation_based.functional")
    surrogates = importlib.import_module("spikingjelly.activation_based.surrogate")
    layer: Any = neuron.LIFNode(
        tau=1 / (1 - BETA),
        decay_input=False,
        surrogate_function=surrogates.Sigmoid(alpha=4.0),
        detach_reset=True,
        step_mode="m",
    ).cuda()
    if precision:
        config = importlib.import_module("spikingjelly.activation_based.precision")
        name = {torch.float32: "fp32", torch.bfloat16: "bf16", torch.float16: "fp16"}[dtype]
        settings = config.PrecisionConfig(mode=name, neuron_storage=name)
        layer = config.prepare_model_for_precision(layer, "cuda", settings).model

    def run(x: Tensor) -> Tensor:
        functions.reset_net(layer)
        spikes: Tensor = layer(x)
        return spikes

    return run


class Float32State(torch.nn.Module):
    """SpikingJelly's LIF with a state of float32, whatever x is.

    A LIFNode takes the type of x for its state, for which only float32 has kernels; its functional
    form takes any x next to a state of float32. The arguments are those of a LIFNode.
    """

    def __init__(
        self,
        tau: float,
        decay_input: bool,
        surrogate_function: Any,
        detach_reset: bool,
        v_threshold: float = 1.0,
    ) -> None:
        super().__init__()
        functions = importlib.import_module("spikingjelly.activation_based.functional")
        options = (tau, decay_input, v_threshold, 0.0, surrogate_function, detach_reset)
        self.run = lambda x, v: functions.lif_multi_step(x, v, *options)[0]

    def forward(self, x: Tensor) -> Tensor:
        """Return the spikes of x, both [T, ...]."""
        spikes: Tensor = self.run(x, torch.zeros_like(x[0], dtype=torch.float32))
        return spikes


def _spikingjelly_float32_state(dtype: torch.dtype) -> Layer:
    surrogates = importlib.import_module("spikingjelly.activation_based.surrogate")
    return Float32State(1 / (1 - BETA), False, surrogates.Sigmoid(alpha=4.0), True)


def snntorch_loop(dtype: torch.dtype) -> Layer:
    library = importlib.import_module("snntorch")
    surrogates = importlib.import_module("snntorch.surrogate")
    layer: Any = library.Leaky(
        beta=BETA, spike_grad=surrogates.sigmoid(slope=4), reset_mechanism="zero"
    ).cuda()

    def run(x: Tensor) -> Tensor:
        state = torch.zeros_like(x[0])
        spikes = []
        for current in x:
            spike, state = layer(current, state)
            spikes.append(spike)
        return torch.stack(spikes)

    return run


def norse_parameters() -> Any:
    """Return the parameters of norse's LIFBox, on the GPU."""
    kind = importlib.import_module("norse.torch.functional.lif_box").LIFBoxParameters
    options = kind()._asdict().items()
    return kind(**{name: x.cuda() if isinstance(x, Tensor) else x for name, x in options})


def _norse(compiled: bool) -> Layer:
    functions = importlib.import_module("norse.torch.functional.lif_box")
    step = functions.lif_box_feed_forward_step
    parameters = norse_parameters()
    if compiled:
        torch.compiler.reset()
        step = torch.compile(step)

    def run(x: Tensor) -> Tensor:
        state = functions.LIFBoxFeedForwardState(v=torch.zeros_like(x[0]))
        spikes = []
        for current in x:
            spike, state = step(current, state, parameters)
            spikes.append(spike)
        return torch.stack(spikes)

    return run


def subjects() -> Iterator[Subject]:
    """Yield ours first, then the peers that import, then plain torch.

    The backward pass of a CUDA tensor runs in a thread of autograd's own, unless
    `torch.autograd.set_multithreading_enabled(False)` says otherwise: small work is
    timed in both variants.
    """
    both: dict[str, Any] = {"graph": True, "one_thread": True}
    yield Subject("popsnn-cuda", popsnn_cuda, **both)
    yield Subject("popsnn-cuda-superspike", popsnn_default, surrogate=DEFAULT, **both)
    single = (torch.float32,)
    version = version_of("spikingjelly")
    if version is not None:
        name = f"spikingjelly-{version}{spikingjelly_build()}"
        yield Subject(name, lambda dtype: _spikingjelly(dtype, False), **both)
        narrow = (torch.bfloat16, torch.float16)
        state = f"{name}-float32-state"
        yield Subject(state, _spikingjelly_float32_state, types=narrow, **both)
        # Its precision settings wait for the GPU, which a graph cannot hold.
        yield Subject(
            f"{name}-precision", lambda dtype: _spikingjelly(dtype, True), one_thread=True
        )
    version = version_of("snntorch")
    if version is not None:
        yield Subject(
            f"snntorch-{version}", snntorch_loop, same=False, most_steps=500, types=single
        )
    version = version_of("norse")
    if version is not None:
        for suffix, compiled in (("", False), ("-compiled", True)):
            yield Subject(
                f"norse-{version}{suffix}",
                lambda _, compiled=compiled: _norse(compiled),  # type: ignore[misc]
                same=False,
                most_steps=500,
                types=single,
            )
    yield Subject(f"torch-{torch.__version__}-eager", torch_eager)
    # Inductor unrolls the loop over time; 128 steps take it minutes.
    yield Subject(
        f"torch-{torch.__version__}-compiled", torch_compiled, most_steps=16, types=single
    )


def torch_graph() -> Subject:
    """Return plain torch as a CUDA graph; kept apart, as a failed capture ends a process."""
    return Subject(f"torch-{torch.__version__}-eager", torch_eager, graph=True)


def version_of(name: str) -> str | None:
    """Return the version of a peer, or None with a line where it does not import."""
    try:
        importlib.import_module(name)
        return version(name)
    except (ImportError, PackageNotFoundError) as error:
        print(f"  {name} is left out: {error}")
        return None


def spikingjelly_build() -> str:
    """Return which of its two builds is installed."""
    version = importlib.util.find_spec("spikingjelly._ops.lif._C")
    return "-wheel" if version is None else "-native"


def definition(
    x: Tensor, grad: Tensor, shape: surrogate.Surrogate = SURROGATE
) -> tuple[Tensor, Tensor]:
    """Return spikes and the gradient of x, both [T, 1, N] in float64, of the reference."""
    leaf = x.detach().double().requires_grad_()
    spikes = functional.lif(leaf, beta=BETA, surrogate=shape, backend="torch").spikes
    (grad_x,) = torch.autograd.grad(spikes, leaf, grad.double())
    return spikes.detach(), grad_x
