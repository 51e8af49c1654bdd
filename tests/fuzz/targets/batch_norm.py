"""Random normalised neurons: `functional.batch_norm_lif`, with parameters that want gradients."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Optional, Tuple

import torch
from hypothesis import strategies as st
from torch import Tensor

from popsnn import functional, surrogate
from popsnn.functional import BitSpikes, LIFState
from popsnn.functional.bits import with_bits

from .. import kernels
from ..description import FEW_NEURONS, Neuron, Numbers, any_neuron, lowest
from ..gradients import compare_gradients
from ..outcome import REFUSALS, TIE, Comparison, Outcome, refused
from ..references.neuron import Options, Undecided
from ..references.norm import NORM_MUTATIONS, NormReference, Running
from ..references.scan import run
from ..target import Target

WIDE = {"float32": 5e-4, "float64": 1e-8, "bfloat16": 3e-2, "float16": 5e-3}
# Of the gradient of u, which kernels and autograd keep in the type of x.
ROUNDING = {"float64": 2.0**-50, "float32": 2.0**-23, "bfloat16": 2.0**-9, "float16": 2.0**-12}
NUMBERS = {"beta": 0.875, "threshold": 1.0}  # where no tensors are given
PLACES: Tuple[Tuple[int, ...], ...] = ((), (1,), (7,), (5, 3), (3, 3), (1, 1), (8, 8))


@dataclass(frozen=True)
class Case:
    """A normalisation over [steps, batch, channels, *positions], and the neurons behind it.

    Parameters
    ----------
    parameters : str
        Of the neurons: "number", "channel" [C], or "learnt", [C] that requires a gradient.
    residual : str
        "none", "dense" or "bits".
    """

    steps: int
    batch: int
    channels: int
    places: Tuple[int, ...]
    neuron: Neuron
    backend: str = "torch"
    dtype: str = "float32"
    parameters: str = "number"
    residual: str = "none"
    affine: bool = True
    running: bool = False
    training: bool = True
    momentum: float = 0.1
    eps: float = 1e-5
    margin: Optional[float] = None
    state: bool = False
    return_state: bool = False
    bits: bool = False
    channels_last: bool = False
    values: int = 0

    @property
    def shape(self) -> Tuple[int, ...]:
        """Of x."""
        return (self.steps, self.batch, self.channels, *self.places)

    @property
    def device(self) -> str:
        """The device of the numbers and of the reference."""
        return "cuda" if self.backend == "cuda" else "cpu"

    @property
    def torch_dtype(self) -> torch.dtype:
        """The type of x."""
        return getattr(torch, self.dtype)

    @property
    def state_dtype(self) -> torch.dtype:
        """The type of states and parameters."""
        return torch.float64 if self.dtype == "float64" else torch.float32

    def tensors(self) -> Dict[str, Tensor]:
        """Return all that may require a gradient, float64 that its type holds."""
        numbers = Numbers(self.values, False, self.device)
        channels = self.channels
        made = {
            "x": numbers.normal(0.5, 2.0, 1, *self.shape).to(self.torch_dtype).double(),
            "residual": numbers.chance(0.3, *self.shape).double(),
            "weight": numbers.between(0.5, 1.5, 1, channels),
            "bias": numbers.normal(0.3, 0.3, 1, channels),
            "beta": numbers.between(0.3, 1.0, 1, channels),
            "threshold": numbers.between(0.5, 1.3, 1, channels),
            "state v": numbers.normal(0.0, 0.5, 1, *self.shape[1:]),
            "state s": numbers.chance(0.3, *self.shape[1:]).double(),
        }
        gone: List[str] = []
        gone += ["residual"] if self.residual == "none" else []
        gone += [] if self.affine else ["weight", "bias"]
        gone += ["beta", "threshold"] if self.parameters == "number" else []
        gone += [] if self.state else ["state v", "state s"]
        return {name: value for name, value in made.items() if name not in gone}

    def kept(self) -> Optional[Running]:
        """Return the running statistics before the call, of float32."""
        if not self.running:
            return None
        numbers = Numbers(self.values + 1, False, self.device)
        return numbers.normal(0.5, 1.0, 1, self.channels), numbers.between(0.5, 5, 1, self.channels)

    def options(self, tensors: Dict[str, Tensor]) -> Options:
        """Return what the reference takes."""
        own = self.neuron
        least = lowest(tensors["threshold"]) if "threshold" in tensors else 1.0
        grad_threshold = None if self.margin is None else least - self.margin
        return Options("lif", own.reset, own.detach_reset, *own.surrogate, grad_threshold)

    def loss(self, spikes: Tensor, v: Optional[Tensor]) -> Tensor:
        """Return the loss of the outputs, float64."""
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        for name, values in (("spikes", spikes), ("v", v)):
            if values is not None:
                numbers = Numbers(self.values ^ zlib.crc32(name.encode()), True, self.device)
                weights = numbers.between(-1, 1, 8, *values.shape)
                total = total + (values.double() * weights).sum()
        return total


@st.composite
def cases(draw: Any) -> Case:
    """Draw a case; a CPU's kernels have few options."""
    backend = draw(st.sampled_from((kernels.ENGINE, "torch")))
    host = backend == "host"
    channels = (1, 2, 3, 8, 16, 17) if backend != "cuda" else (1, 2, 3, 8, 16, 17, 64, 100, 256)
    dtypes = ("float32", "float32", "bfloat16", "float16")
    dtypes = dtypes if backend == "cuda" else ("float32",) if host else (*dtypes, "float64")
    running = draw(st.booleans())
    capacity = draw(st.sampled_from(PLACES))
    return Case(
        steps=draw(st.sampled_from((1, 2, 3, 4, 7, 16))),
        batch=draw(st.sampled_from((1, 2, 3, 5, 8))),
        channels=draw(st.sampled_from(channels)),
        places=capacity,
        neuron=draw(st.sampled_from(FEW_NEURONS[:3]) if host else any_neuron()),
        backend=backend,
        dtype=draw(st.sampled_from(dtypes)),
        parameters=draw(st.sampled_from(("number", "channel", "learnt"))),
        residual=draw(st.sampled_from(("none", "dense") if host else ("none", "dense", "bits"))),
        affine=draw(st.booleans()),
        running=running,
        training=draw(st.booleans()) or not running,
        momentum=draw(st.sampled_from((0.1, 0.5, 1.0))),
        eps=draw(st.sampled_from((1e-5, 1e-2))),
        margin=draw(st.sampled_from((None, 0.0, 0.5))),
        state=draw(st.booleans()),
        return_state=draw(st.booleans()),
        bits=False if host else draw(st.booleans()),
        channels_last=len(capacity) == 2 and draw(st.booleans()),
        values=draw(st.integers(0, 2**31 - 1)),
    )


def observe(case: Case) -> Tuple[Tensor, Optional[Tensor], Optional[Running], Dict[str, Any]]:
    """Return spikes, the last membrane, running statistics and gradients of an engine's call."""
    device = torch.device("cpu") if case.backend == "torch" else kernels.install()
    leaves: Dict[str, Tensor] = {}
    for name, value in case.tensors().items():
        dtype = case.torch_dtype if name in ("x", "residual") else case.state_dtype
        made = value.to(device, dtype, copy=True)
        if case.channels_last and name in ("x", "residual"):
            made = made.permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)
        fixed = name in ("beta", "threshold") and case.parameters == "channel"
        leaves[name] = made.requires_grad_(not fixed)
    saved = case.kept()
    if saved is not None:
        saved = tuple(value.to(device, case.state_dtype, copy=True) for value in saved)  # type: ignore[assignment]
    residual: Any = leaves.get("residual")
    options = case.options(case.tensors())
    neurons: Dict[str, Any] = {name: leaves.get(name, value) for name, value in NUMBERS.items()}
    out = functional.batch_norm_lif(
        leaves["x"],
        leaves.get("weight"),
        leaves.get("bias"),
        saved,
        LIFState(leaves["state v"], leaves["state s"]) if case.state else None,
        residual=with_bits(residual) if case.residual == "bits" else residual,
        training=case.training,
        momentum=case.momentum,
        eps=case.eps,
        reset=options.reset,
        detach_reset=options.detach_reset,
        surrogate=getattr(surrogate, options.surrogate)(options.slope, options.scale),
        grad_threshold=options.grad_threshold,
        bits=case.bits,
        return_state=case.return_state,
        backend="torch" if case.backend == "torch" else "cuda",
        **neurons,
    )
    spikes = out.spikes.dense if isinstance(out.spikes, BitSpikes) else out.spikes
    v = out.state.v if case.return_state else None
    case.loss(spikes, v).backward()
    grads = {name: value.grad for name, value in leaves.items() if value.requires_grad}
    return spikes, v, saved, grads


def expect(
    case: Case, rules: NormReference, followed: Tensor, shaken: int = 0
) -> Tuple[Tensor, Tensor, Optional[Running], Dict[str, Tensor]]:
    """Return the same of the reference.

    Raises
    ------
    Undecided
        Where a rounding decides on a gradient.
    """
    numbers = Numbers(case.values + shaken, False, case.device)
    leaves = {}
    for name, value in case.tensors().items():
        if shaken:
            value = numbers.shaken(value, 2.0**-21)
        leaves[name] = value.requires_grad_()
    x, saved = leaves["x"], case.kept()
    statistics = rules.statistics(x) if case.training or saved is None else saved
    weight, bias = leaves.get("weight"), leaves.get("bias")
    y = rules.normalised(x, *statistics, case.eps, weight, bias)
    u = rules.added(y, leaves.get("residual"))
    if shaken:
        u.register_hook(lambda grad: numbers.shaken(grad, ROUNDING[case.dtype]))
    y.retain_grad()
    rest = torch.zeros(case.shape[1:], dtype=torch.float64, device=case.device)
    states = {"v": leaves.get("state v", rest), "s": leaves.get("state s", rest)}
    named = {
        name: leaves.get(name, rest.new_full((case.channels,), value))
        for name, value in NUMBERS.items()
    }
    named = {name: value.reshape(-1, *[1] * len(case.places)) for name, value in named.items()}
    result = run(rules, case.options(case.tensors()), u, states, named, followed=followed)
    assert result.spikes is not None
    v = result.end["v"]
    case.loss(result.spikes, v if case.return_state else None).backward()
    grads = {
        name: torch.zeros_like(value) if value.grad is None else value.grad
        for name, value in leaves.items()
    }
    if shaken and y.grad is not None:
        # Behind a normalisation of few values almost all of a gradient is subtracted again.
        scale = (statistics[1] + case.eps).rsqrt() * (1.0 if weight is None else weight)
        # Of x - mean too, whose rounding is one of x.
        rounding = 2.0**-21 * (1 + float((x.detach().abs().amax() * scale.detach().abs()).max()))
        terms = y.grad * scale.reshape(-1, *[1] * len(case.places))
        grads["x"] = grads["x"] + numbers.shaken(terms, rounding) - terms
    if saved is not None and case.training:
        saved = rules.updated(saved, x.detach(), case.momentum)
    return result.spikes, v, saved, grads


def check(case: Case, rules: NormReference) -> Outcome:
    """Compare an engine's call with the reference's."""
    try:
        spikes, v, saved, grads = observe(case)
    except REFUSALS as error:
        return refused(error)
    followed = spikes.detach() > 0
    try:
        expected, expected_v, expected_kept, expected_grads = expect(case, rules, followed)
    except Undecided:
        return Outcome(TIE, "a rounding decides on a gradient")
    difference, narrow = Comparison(), WIDE["float64" if case.dtype == "float64" else "float32"]
    difference.same("spikes", spikes, expected)
    if v is not None:
        difference.near("state v", v, expected_v, narrow)
    if saved is not None and expected_kept is not None:
        for name, got, wanted in zip(("mean", "variance"), saved, expected_kept):
            difference.near(f"running {name}", got, wanted, narrow)
    if difference.differences:
        return difference.outcome()
    return compare_gradients(
        grads,
        {name: grad for name, grad in expected_grads.items() if name in grads},
        lambda name: WIDE[case.dtype],
        lambda number: expect(case, rules, followed, number)[3],
    )


def alike(first: Case, case: Case) -> Case:
    """Return a case with the options that the kernels of the first are compiled for."""
    return replace(
        case,
        neuron=first.neuron,
        dtype=first.dtype,
        parameters=first.parameters,
        residual=first.residual,
        margin=first.margin,
        return_state=first.return_state,
        bits=first.bits,
    )


TARGET = Target(cases(), check, NormReference, NORM_MUTATIONS, alike)
