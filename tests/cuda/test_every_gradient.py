"""Each input of an operator that requires a gradient gets the reference's, or is refused."""

from __future__ import annotations

from typing import Any, Callable, Dict

import pytest
import torch
from tests.cuda.conftest import Engine
from torch import Tensor

from popsnn import functional
from popsnn.functional import AdaptiveLIFState, LIFState, SynapticLIFState
from popsnn.surrogate import Sigmoid

T, B, N = 6, 3, 8
SPIKING: Dict[str, Any] = {"surrogate": Sigmoid(), "detach_reset": False}
Inputs = Dict[str, Tensor]


def _values(*names: str) -> Inputs:
    """Return tensors whose values are exact in float32: x [T, B, N], states [B, N], others [N]."""
    shapes = {"x": (T, B, N), "v": (B, N), "i": (B, N), "a": (B, N), "s": (B, N), "weight": (N, N)}
    shapes.update(residual=(T, B, N), membrane=(T, B, N))
    made = {}
    for name in names:
        value = torch.randint(-16, 17, shapes.get(name, (N,))).double() / 16
        if name in ("s", "residual"):
            value = (value > 0.3).double()
        elif name in ("alpha", "beta", "gamma", "kappa", "rho", "threshold"):
            value = value.abs() / 2 + 0.25
        made[name] = value
    return made


def _lif(of: Inputs, backend: str) -> Any:
    return functional.lif(
        of["x"], LIFState(of["v"], of["s"]), beta=of["beta"], threshold=of["threshold"],
        backend=backend, **SPIKING,
    )  # fmt: skip


def _li(of: Inputs, backend: str) -> Any:
    return functional.li(of["x"], of["v"], beta=of["beta"], backend=backend)


def _adaptive(of: Inputs, backend: str) -> Any:
    names = ("beta", "threshold", "rho", "kappa")
    return functional.adaptive_lif(
        of["x"], AdaptiveLIFState(of["v"], of["a"], of["s"]), backend=backend,
        **{name: of[name] for name in names}, **SPIKING,
    )  # fmt: skip


def _synaptic(of: Inputs, backend: str) -> Any:
    names = ("alpha", "beta", "threshold")
    return functional.synaptic_lif(
        of["x"], SynapticLIFState(of["v"], of["i"], of["s"]), backend=backend,
        **{name: of[name] for name in names}, **SPIKING,
    )  # fmt: skip


def _batch_norm_lif(training: bool, with_state: bool) -> Callable[[Inputs, str], Any]:
    def call(of: Inputs, backend: str) -> Any:
        x = of["x"]
        running = (x.new_zeros(N, dtype=of["beta"].dtype), torch.ones_like(of["beta"]))
        return functional.batch_norm_lif(
            x, of["gamma"], of["bias"], tuple(stack.detach() for stack in running),
            LIFState(of["v"], of["s"]) if with_state else None,
            residual=of["residual"], beta=of["beta"], threshold=of["threshold"],
            training=training, backend=backend, **SPIKING,
        )  # fmt: skip

    return call


def _readout_loss(of: Inputs, backend: str) -> Any:
    labels = torch.arange(B, device=of["membrane"].device)
    return functional.readout_loss(of["membrane"], labels, backend=backend)


def _recurrent(of: Inputs, backend: str) -> Any:
    return functional.recurrent_lif(
        of["x"], of["weight"], LIFState(of["v"], of["s"]), beta=of["beta"],
        threshold=of["threshold"], backend=backend, **SPIKING,
    )  # fmt: skip


def _recurrent_adaptive(of: Inputs, backend: str) -> Any:
    names = ("beta", "threshold", "rho", "kappa")
    return functional.recurrent_adaptive_lif(
        of["x"], of["weight"], AdaptiveLIFState(of["v"], of["a"], of["s"]), backend=backend,
        **{name: of[name] for name in names}, **SPIKING,
    )  # fmt: skip


BN = ("x", "gamma", "bias", "residual", "beta", "threshold")
ELEMENTWISE: Dict[str, tuple[Callable[[Inputs, str], Any], tuple[str, ...]]] = {
    "lif": (_lif, ("x", "v", "s", "beta", "threshold")),
    "li": (_li, ("x", "v", "beta")),
    "adaptive_lif": (_adaptive, ("x", "v", "a", "s", "beta", "threshold", "rho", "kappa")),
    "synaptic_lif": (_synaptic, ("x", "v", "i", "s", "alpha", "beta", "threshold")),
    "batch_norm_lif training": (_batch_norm_lif(True, True), (*BN, "v", "s")),
    "batch_norm_lif": (_batch_norm_lif(False, True), (*BN, "v", "s")),
    "batch_norm_lif at rest": (_batch_norm_lif(True, False), BN),
}
RECURRENT: Dict[str, tuple[Callable[[Inputs, str], Any], tuple[str, ...]]] = {
    "recurrent_lif": (_recurrent, ("x", "weight", "v", "s", "beta", "threshold")),
    "recurrent_adaptive_lif": (
        _recurrent_adaptive,
        ("x", "weight", "v", "a", "s", "beta", "threshold", "rho", "kappa"),
    ),
}


def _outputs(out: Any) -> list[Tensor]:
    """Return the tensors of an operator's result, in its order."""
    if isinstance(out, Tensor):
        return [out]
    if isinstance(out, tuple):
        return [tensor for item in out for tensor in _outputs(item)]
    return []


READOUT = {"readout_loss": (_readout_loss, ("membrane",))}


def _check(
    engine: Engine, call: Callable[[Inputs, str], Any], names: tuple[str, ...], wanted: set[str]
) -> None:
    """Compare the gradients of `wanted` of a weighted sum of all outputs."""
    values = _values(*names)
    weights: list[Tensor] = []
    grads = []
    for device, dtype, backend in (
        (torch.device("cpu"), torch.float64, "torch"),
        (engine.device, torch.float32, engine.backend),
    ):
        inputs = {
            name: value.to(device, dtype).requires_grad_(name in wanted)
            for name, value in values.items()
        }
        outputs = _outputs(call(inputs, backend))
        weights = weights or [torch.randn(output.shape, dtype=torch.float64) for output in outputs]
        total = sum((o * w.to(device, o.dtype)).sum() for o, w in zip(outputs, weights))
        leaves = [inputs[name] for name in sorted(wanted)]
        grads.append(torch.autograd.grad(total, leaves))  # type: ignore[arg-type]
    for name, expected, got in zip(sorted(wanted), *grads):
        scale = max(1.0, float(expected.abs().max()))
        assert float((got.cpu().double() - expected).abs().max()) <= 2e-4 * scale, name


@pytest.mark.parametrize("operator", ELEMENTWISE)
def test_elementwise_operators(kernels: Engine, operator: str) -> None:
    """Of each input alone, and of all of them together."""
    call, names = ELEMENTWISE[operator]
    for name in names:
        _check(kernels, call, names, {name})
    _check(kernels, call, names, set(names))


@pytest.mark.parametrize("operator", [*RECURRENT, *READOUT])
def test_operators_that_need_a_gpu(gpu: torch.device, operator: str) -> None:
    call, names = {**RECURRENT, **READOUT}[operator]
    engine = Engine("cuda", gpu, "cuda", [])
    for name in names:
        _check(engine, call, names, {name})
    _check(engine, call, names, set(names))


@pytest.mark.parametrize("index", [0, 1], ids=["mean", "variance"])
def test_running_statistics_have_no_gradient(index: int) -> None:
    running = [torch.zeros(4), torch.ones(4)]
    running[index].requires_grad_()
    name = ("mean", "variance")[index]
    with pytest.raises(
        ValueError,
        match=f"functional.batch_norm_lif: running {name}: expected a tensor without a gradient, "
        "got one that requires it",
    ):
        functional.batch_norm_lif(
            torch.randn(3, 2, 4), running=(running[0], running[1]), training=False
        )
