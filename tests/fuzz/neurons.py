"""Neurons of `popsnn.functional` over currents: what `scans` and `recurrent` have in common."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

import torch
from torch import Tensor

from popsnn import functional, surrogate

from .description import Neuron, Numbers, lowest
from .gradients import compare_gradients
from .late import Late
from .outcome import TIE, Comparison, Outcome
from .references.neuron import Options, Reference, Undecided
from .references.scan import PARAMETERS, STATES, ScanResult, rest, run

WIDE = {"float32": 2e-4, "float64": 1e-9, "bfloat16": 1e-2, "float16": 2e-3}  # of outputs
# Of a value, by the type that weights are rounded to: their products carry gradients of that type.
ROUNDING = {None: 2.0**-21, "float32": 2.0**-21, "bfloat16": 2.0**-9, "float16": 2.0**-12}
# Of gradients that sum a Sigmoid's derivative as kernels of 16 bits have it: within 2^-10 of its
# largest value, and sums may cancel.
NARROW_SIGMOID = 8 * 2.0**-10
Kind = TypeVar("Kind", bound="Currents")
NARROW = ("x", "before")  # of the currents' type
FEW_MEMBRANES = 2000
MOST_EXACT_STEPS = 8  # whose sums float32 holds
STATE_CLASSES = {
    "lif": functional.LIFState,
    "alif": functional.AdaptiveLIFState,
    "synaptic": functional.SynapticLIFState,
}


@dataclass(frozen=True)
class Currents:
    """Neurons, their currents [T, *shape], and what is asked of them.

    Parameters
    ----------
    backend : str
        "torch", "cuda" on a GPU or "host" for its kernels on the CPU.
    forms : tuple of str
        Of the parameters: "number", "scalar" [], "last" [N], "channel" or "full".
    split : int
        Step before which a second call begins, or 0.
    weight_dtype : str, optional
        What recurrent weights are rounded to; None: float32, as they are.
    late : Late, optional
        Delays of recurrent spikes.
    """

    kind: str
    neuron: Neuron
    shape: Tuple[int, ...]
    steps: int = 1
    backend: str = "torch"
    dtype: str = "float32"
    forms: Tuple[str, ...] = ("number",) * 4
    margin: Optional[float] = None
    state: bool = False
    membrane: bool = True
    return_state: bool = True
    split: int = 0
    values: int = 0
    exact: bool = True
    weight_dtype: Optional[str] = None
    late: Optional[Late] = None

    @property
    def device(self) -> str:
        """The device of the numbers and of the reference: large sums take a GPU's float64."""
        return "cuda" if self.backend == "cuda" else "cpu"

    @property
    def torch_dtype(self) -> torch.dtype:
        """The type of the currents."""
        return getattr(torch, self.dtype)

    @property
    def state_dtype(self) -> torch.dtype:
        """The type of states and parameters."""
        return torch.float64 if self.dtype == "float64" else torch.float32

    @property
    def spiking(self) -> bool:
        """Whether the output is spikes."""
        return self.kind != "li"

    @property
    def pieces(self) -> List[slice]:
        """The steps of each call."""
        cuts = [0, self.split, self.steps] if self.split else [0, self.steps]
        return [slice(a, b) for a, b in zip(cuts, cuts[1:])]

    @property
    def made_surrogate(self) -> surrogate.Surrogate:
        """The surrogate of popsnn."""
        name, *numbers = self.neuron.surrogate
        made: surrogate.Surrogate = getattr(surrogate, name)(*numbers)
        return made

    @property
    def narrow_sigmoid(self) -> bool:
        """Whether kernels compute a Sigmoid's derivative in fewer bits."""
        narrow = self.dtype in ("bfloat16", "float16") and self.backend != "torch"
        return narrow and self.neuron.surrogate[0] == "Sigmoid"

    @property
    def evaluates(self) -> bool:
        """Whether a module in evaluation rounds delays that are learnt."""
        return False

    @property
    def carried(self) -> Optional[str]:
        """The type of the gradients that recurrent weights carry back."""
        return self.weight_dtype

    def decidable(self: Kind) -> Kind:
        """Return the case, of exact numbers where roundings would decide it.

        An engine does not tell which of its membranes reach the gradient threshold or a
        Rectangle's edge, and one of many lies within a rounding of them.
        """
        edges = self.margin is not None or self.neuron.surrogate[0] == "Rectangle"
        few = self.steps * math.prod(self.shape) < FEW_MEMBRANES
        inexact = self.late is not None and not self.late.exact
        if self.exact or few or not edges or inexact:
            return self
        steps = min(self.steps, MOST_EXACT_STEPS)
        return replace(self, exact=True, steps=steps, split=min(self.split, steps - 1))

    def currents(self) -> Tensor:
        """Return x [T, *shape], which its type holds."""
        numbers = Numbers(self.values, self.exact, self.device)
        x = numbers.normal(0.25, 0.6, 8, self.steps, *self.shape)
        return x.to(self.torch_dtype).double()

    def parameters(self) -> Dict[str, Tensor]:
        """Return the parameters, float64 that float32 holds."""
        numbers = Numbers(self.values + 1, self.exact, self.device)
        bounds = {"threshold": (0.5, 1.5, 4), "kappa": (0, 1, 4)}
        result = {}
        for name, form in zip(PARAMETERS[self.kind], self.forms):
            result[name] = numbers.between(*bounds.get(name, (0, 1, 2)), *self._extent(form))
        return result

    def _extent(self, form: str) -> Tuple[int, ...]:
        if form in ("number", "scalar"):
            return ()
        if form == "channel" and len(self.shape) > 2:
            return (self.shape[1], *(1,) * len(self.shape[2:]))
        return self.shape if form == "full" else self.shape[-1:]

    def states(self) -> Dict[str, Tensor]:
        """Return the states before the first step."""
        if not self.state:
            return rest(self.kind, list(self.shape), self.device)
        numbers = Numbers(self.values + 2, self.exact, self.device)
        made = {"s": numbers.chance(0.3, *self.shape).double()}
        for name in ("v", "a", "i"):
            made[name] = numbers.between(-1, 1, 8, *self.shape)
        return {name: made[name] for name in STATES[self.kind]}

    def line(self) -> Dict[str, Tensor]:
        """Return the steps of delays, and the spikes before those of the states."""
        if self.late is None:
            return {}
        neurons = self.shape[-1]
        shape = self.late.shape(neurons, neurons)
        made = {"delay": self.late.steps(self.values + 4, self.exact, self.device, *shape)}
        if self.late.before:
            numbers = Numbers(self.values + 5, True, self.device)
            made["before"] = numbers.chance(0.4, self.late.maximum, *self.shape).double()
        return made

    def weights(self, name: str, shape: Sequence[int]) -> Tensor:
        """Return the loss's weights of an output, float64 that 8 bits hold."""
        numbers = Numbers(self.values ^ zlib.crc32(name.encode()), True, self.device)
        return numbers.between(-1, 1, 8, *shape)

    def options(self, parameters: Dict[str, Tensor]) -> Options:
        """Return what the reference takes."""
        grad_threshold = None
        if self.margin is not None and self.spiking:
            grad_threshold = lowest(parameters["threshold"]) - self.margin
        own = self.neuron
        return Options(self.kind, own.reset, own.detach_reset, *own.surrogate, grad_threshold)

    def arguments(
        self, parameters: Dict[str, Tensor], device: torch.device, leaves: Dict[str, Tensor]
    ) -> Dict[str, Any]:
        """Return the keyword arguments of the function of popsnn; tensors are leaves."""
        made: Dict[str, Any] = {}
        for (name, value), form in zip(parameters.items(), self.forms):
            if form == "number":
                made[name] = float(value)
            else:
                made[name] = leaf(leaves, name, value, device, self.state_dtype)
        if self.spiking:
            options = self.options(parameters)
            made.update(
                reset=options.reset,
                detach_reset=options.detach_reset,
                surrogate=self.made_surrogate,
                grad_threshold=options.grad_threshold,
                membrane=self.membrane,
                return_state=self.return_state or self.split > 0,
            )
        return {**made, "backend": "torch" if self.backend == "torch" else "cuda"}


def leaf(
    leaves: Dict[str, Tensor], name: str, value: Tensor, device: torch.device, dtype: torch.dtype
) -> Tensor:
    """Return a copy of the value that requires a gradient, and enter it into `leaves`."""
    leaves[name] = value.to(device, dtype, copy=True).requires_grad_()
    return leaves[name]


@dataclass
class Output:
    """Results of a case's calls, chunk after chunk; None was not asked for."""

    spikes: Optional[Tensor]
    membrane: Optional[Tensor]
    end: Optional[Dict[str, Tensor]]
    grads: Dict[str, Optional[Tensor]]
    differentiable: bool = True  # the spikes


def loss_of(
    case: Currents,
    spikes: Optional[Tensor],
    membrane: Optional[Tensor],
    end: Optional[Dict[str, Tensor]],
    rounded: Callable[[Tensor], Tensor] = lambda weights: weights,
) -> Tensor:
    """Return the loss of all outputs, float64; `rounded` maps its weights."""
    total = torch.zeros((), dtype=torch.float64, device=case.device)
    terms = {"spikes": spikes, "membrane": membrane}
    terms.update({f"end {name}": value for name, value in (end or {}).items()})
    for name, values in terms.items():
        if values is not None:
            total = total + (values.double() * rounded(case.weights(name, values.shape))).sum()
    return total


def expect(
    case: Currents,
    rules: Reference,
    followed: Optional[Tensor],
    asked: Output,
    weight: Optional[Tensor] = None,
    shaken: int = 0,
) -> Tuple[ScanResult, Dict[str, Tensor]]:
    """Return what the reference says, and its gradients of all leaves.

    Raises
    ------
    Undecided
        Where a rounding decides on a gradient.
    """
    numbers = Numbers(case.values + shaken, False, case.device)
    leaves: Dict[str, Tensor] = {}

    def made(name: str, value: Tensor) -> Tensor:
        if shaken and not case.exact:
            value = numbers.shaken(value, 2.0**-21)
        return leaf(leaves, name, value, torch.device(case.device), torch.float64)

    def rounded(weights: Tensor) -> Tensor:
        return numbers.shaken(weights, 2.0**-21) if shaken and case.exact else weights

    def carried(grad: Tensor) -> Tensor:
        return numbers.shaken(grad, ROUNDING[case.carried])

    x = made("x", case.currents())
    states = {name: made(f"state {name}", value) for name, value in case.states().items()}
    parameters = {name: made(name, value) for name, value in case.parameters().items()}
    weight = None if weight is None else made("recurrent_weight", weight)
    # Exact as they are: a rounding of steps may be another step.
    line = {
        name: leaf(leaves, name, value, value.device, torch.float64)
        for name, value in case.line().items()
    }
    delay = None if case.late is None else case.late.rules(line["delay"])
    if delay is not None and case.evaluates:
        delay = rules.in_evaluation(delay)
    result = run(
        rules,
        case.options(case.parameters()),
        x,
        states,
        parameters,
        weight=weight,
        delay=delay,
        line=line.get("before"),
        followed=followed,
        carried=carried if shaken else None,
    )
    membrane = None if asked.membrane is None else result.membrane
    end = None if asked.end is None else result.end
    spikes = result.spikes if asked.differentiable else None
    # Exact numbers decide on thresholds and edges: what is rounded there is the gradient alone.
    loss = loss_of(case, spikes, membrane, end, rounded)
    if loss.requires_grad:
        loss.backward()
    grads = {
        name: torch.zeros_like(value) if value.grad is None else value.grad
        for name, value in leaves.items()
        if name in asked.grads
    }
    return result, grads


def compare(
    case: Currents,
    rules: Reference,
    output: Output,
    weight: Optional[Tensor] = None,
    tolerance: float = 3e-4,
) -> Outcome:
    """Compare the outputs and gradients with the reference's; `tolerance` is of gradients."""
    followed = None
    if not case.exact and output.spikes is not None:
        followed = output.spikes.detach() > 0
    try:
        result, grads = expect(case, rules, followed, output, weight)
    except Undecided:
        return Outcome(TIE, "a rounding decides on a gradient")
    difference = Comparison()
    if case.spiking:
        difference.same("spikes", output.spikes, result.spikes)
    wide = WIDE[case.dtype]
    if output.membrane is not None:
        difference.near("membrane", output.membrane, result.membrane, wide)
    for name, value in result.end.items() if output.end is not None else ():
        difference.near(f"state {name}", output.end[name], value, WIDE["float32"])
    if difference.differences:
        return difference.outcome()
    for name in NARROW:
        grad = grads.get(name)
        if grad is not None and float(grad.abs().max()) > torch.finfo(case.torch_dtype).max:
            return Outcome(TIE, "a gradient is beyond its type")
    tolerance = max(tolerance, NARROW_SIGMOID if case.narrow_sigmoid else 0.0)
    return compare_gradients(
        output.grads,
        grads,
        lambda name: max(tolerance, 3 * wide if name in NARROW else 0.0),
        lambda number: expect(case, rules, followed, output, weight, number)[1],
    )
