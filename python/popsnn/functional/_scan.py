"""Scan: an elementwise neuron over the time axis."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple

import torch
from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from .._internal.dispatch import Operator
from ..surrogate import Surrogate, resolve, spike
from ._parts import distinct, stack, tensors
from .neuron import Fire, Inputs, Neuron, Parameters, States

BACKENDS = ("auto", "torch", "cuda")
SPIKES = ("float", "int8", "bits")


class ScanOutput(NamedTuple):
    """Outputs of `scan`: see there."""

    spikes: Tensor | None
    membrane: Tensor | None
    state: States


def scan(
    operation: str,
    neuron: Neuron,
    current: Inputs,
    state: States | None,
    parameters: dict[str, PerNeuron],
    *,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    smooth: bool = False,
    membrane: bool = True,
    return_state: bool = True,
    spikes: str = "float",
    backend: str = "auto",
) -> ScanOutput:
    """Run a neuron over its input current, or its currents.

    Parameters
    ----------
    operation : str
        Name for error messages.
    neuron : Neuron
    current : float Tensor [T, B, ...]
        Three dimensions at least. One step x[t] of a sequence is x[t : t + 1], with a `state`. A
        neuron of several inputs takes a tuple of currents in the order of `neuron.inputs`, alike in
        shape, type and device.
    state : tuple of Tensor [B, ...], optional
        The neuron's states before the first step; default zeros.
    parameters : dict of float or Tensor
        The neuron's parameters by name; tensors must broadcast to [B, ...].
    surrogate : Surrogate, optional
        Default `SuperSpike()`.
    grad_threshold : float, optional
        No gradient passes a silent neuron whose membrane lies below; default: it passes all.
    smooth : bool
        Put the surrogate's primitive in place of the spike; the torch engine alone has it.
    membrane : bool
        Whether to return the membrane of every step, which costs memory as the spikes do.
    return_state : bool
        Whether to return the states after the last step; else `state` is empty.
    spikes : {"float", "int8", "bits"}
        The spikes' form. "float" is the current's type and the one that has a gradient; "bits" is
        uint8 [T, ceil(N / 8)] over the N = B * ... neurons of a step, lowest bit first.
    backend : {"auto", "torch", "cuda"}
        "auto" takes the kernels for CUDA tensors of float32, bfloat16 and float16 wherever they
        can run, else the reference. A backend that is named runs or raises with the reason.

    Returns
    -------
    ScanOutput
        `spikes` [T, B, ...] (None where the neuron has none), `membrane` [T, B, ...] or None, and
        `state`, a tuple of [B, ...]. States are float32 where the current has 16 bits.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, ...], currents are not as many as the neuron's
        inputs or not alike, or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    first = check_currents(operation, neuron, current)
    checks.choice(operation, "spikes", spikes, SPIKES)
    neuron.translation()
    check_shapes(operation, neuron, first, state, parameters)
    surrogate = resolve(surrogate)
    engine = SCAN.choose(operation, backend, neuron, current, surrogate=surrogate, smooth=smooth)
    out = engine.run(
        neuron,
        current,
        state,
        parameters,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        smooth=smooth,
        membrane=membrane,
        return_state=return_state,
        spikes=spikes,
    )
    return ScanOutput(*out)


def _reference(
    neuron: Neuron,
    current: Inputs,
    state: States | None,
    parameters: dict[str, PerNeuron],
    *,
    surrogate: Surrogate,
    grad_threshold: float | None,
    smooth: bool,
    membrane: bool,
    return_state: bool,
    spikes: str,
) -> ScanOutput:
    fire = firing(surrogate, grad_threshold, smooth)
    first = current[0] if isinstance(current, tuple) else current
    dtype = state_dtype(first.dtype)
    begun = first_states(neuron, state, first, dtype)
    values = in_order(neuron, parameters, begun)
    states = begun
    trace: list[States] = []
    for x in time_steps(current, dtype):
        states = neuron.advance(x, states, values, fire)
        trace.append(states)
    out = v = None
    if neuron.spiking:
        out = _as(spikes, stack([s[-1] for s in trace], first).to(first.dtype))
    if membrane or not neuron.spiking:
        v = stack([s[neuron.membrane] for s in trace], first).to(first.dtype)
    return ScanOutput(out, v, distinct(states, (*begun, *(state or ()))) if return_state else ())


def time_steps(current: Inputs, dtype: torch.dtype) -> Iterable[Inputs]:
    """Return what each step takes of currents [T, B, ...]."""
    if isinstance(current, tuple):
        return zip(*(each.to(dtype) for each in current))
    return current.to(dtype)


def first_states(
    neuron: Neuron, state: States | None, current: Tensor, dtype: torch.dtype
) -> States:
    """Return the states that a scan of `current` [T, B, ...] begins with; without any zeros."""
    if state is not None:
        return tuple(value.to(dtype) for value in state)
    shape, device = current.shape[1:], current.device
    return tuple(torch.zeros(shape, dtype=dtype, device=device) for _ in neuron.states)


def in_order(neuron: Neuron, parameters: dict[str, PerNeuron], states: States) -> Parameters:
    """Return the neuron's parameters as a step takes them: tensors as the states, in its order."""
    return tensors((parameters[name] for name in neuron.parameters), states[0])


SCAN = Operator(_reference)


def state_dtype(dtype: torch.dtype) -> torch.dtype:
    """Return the type of the states for a current of type `dtype`."""
    return torch.float32 if dtype in (torch.bfloat16, torch.float16) else dtype


def firing(surrogate: Surrogate, grad_threshold: float | None, smooth: bool = False) -> Fire:
    """Return what makes spikes of membranes and thresholds, with the surrogate's gradient."""

    def fire(v: Tensor, threshold: PerNeuron) -> Tensor:
        fired = v >= threshold
        active = None if grad_threshold is None else fired | (v >= grad_threshold)
        return spike(v - threshold, fired, active, surrogate=surrogate, smooth=smooth)

    return fire


def _as(form: str, spikes: Tensor) -> Tensor:
    """Return spikes [T, B, ...] in one of `SPIKES`."""
    if form == "float":
        return spikes
    if form == "int8":
        return spikes.to(torch.int8)
    return pack_bits(spikes)


def pack_bits(spikes: Tensor) -> Tensor:
    """Return spikes [T, ...] of 0 and 1 as bits: uint8 [T, ceil(N / 8)], lowest bit first."""
    flat = spikes.detach().flatten(1).to(torch.uint8)  # [T, N]
    flat = torch.nn.functional.pad(flat, (0, -flat.shape[1] % 8))
    weights = 2 ** torch.arange(8, device=flat.device)
    return (flat.unflatten(1, (-1, 8)) * weights).sum(-1).to(torch.uint8)


def unpack_bits(bits: Tensor, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    """Return the spikes [T, *shape] that `bits` uint8 [T, ceil(N / 8)] holds, N = prod(shape)."""
    bit_numbers = torch.arange(8, device=bits.device)
    flat = (bits.unsqueeze(-1) >> bit_numbers & 1).flatten(1)  # [T, 8 * ceil(N / 8)]
    size = torch.Size(shape).numel()
    return flat[:, :size].to(dtype).unflatten(1, shape)


def check_current(
    operation: str, current: Tensor, shape: str = "[T, B, N, ...]", name: str = "current"
) -> None:
    """Raise TypeError or ValueError where `current` is no float tensor of the shape.

    Two dimensions are refused: one time step [B, N] would be taken for N samples of B steps.
    """
    if not isinstance(current, Tensor) or not current.is_floating_point():
        got = current.dtype if isinstance(current, Tensor) else type(current).__name__
        raise TypeError(f"{operation}: {name}: expected a float tensor, got {got}")
    if current.dim() < 3:
        hint = "" if current.dim() < 2 else ": one step x of a batch is x[None]"
        raise ValueError(
            f"{operation}: {name}: expected shape {shape}, got {tuple(current.shape)}{hint}"
        )


def check_currents(
    operation: str, neuron: Neuron, current: Inputs, shape: str = "[T, B, N, ...]"
) -> Tensor:
    """Return the first current of a neuron; raise where it does not take such currents."""
    names = neuron.inputs
    if len(names) == 1:
        check_current(operation, current, shape)  # type: ignore[arg-type]
        return current  # type: ignore[return-value]
    wanted = f"a tuple of {len(names)} tensors ({', '.join(names)})"
    if not isinstance(current, tuple):
        got = type(current).__name__
        raise TypeError(f"{operation}: current: expected {wanted}, got {got}")
    if len(current) != len(names):
        raise ValueError(f"{operation}: current: expected {wanted}, got {len(current)}")
    fields = getattr(current, "_fields", names)
    if tuple(fields) != names:
        raise ValueError(f"{operation}: current: expected {wanted}, got ({', '.join(fields)})")
    first = current[0]
    for name, each in zip(names, current):
        check_current(operation, each, shape, f"current {name}")
        like = f"as the current {names[0]}"
        if each.shape != first.shape:
            raise ValueError(
                f"{operation}: current {name}: expected shape {tuple(first.shape)} {like}, got "
                f"{tuple(each.shape)}"
            )
        if each.dtype != first.dtype:
            raise TypeError(
                f"{operation}: current {name}: expected {first.dtype} {like}, got {each.dtype}"
            )
        if each.device != first.device:
            raise ValueError(
                f"{operation}: current {name}: expected device {first.device} {like}, got "
                f"{each.device}"
            )
    return first


def check_shapes(
    operation: str,
    neuron: Neuron,
    current: Tensor,
    state: Any,
    parameters: dict[str, PerNeuron],
) -> None:
    """Raise where states or parameters do not go with `current` [T, B, ...]."""
    if state is not None and not isinstance(state, (tuple, list)):
        got = type(state).__name__
        if isinstance(state, Tensor):
            got = f"one tensor of shape {tuple(state.shape)}"
        raise TypeError(
            f"{operation}: state: expected a tuple of {len(neuron.states)} tensors "
            f"({', '.join(neuron.states)}), got {got}"
        )
    if state is not None and len(state) != len(neuron.states):
        raise ValueError(
            f"{operation}: state: expected {len(neuron.states)} tensors "
            f"({', '.join(neuron.states)}), got {len(state)}"
        )
    shape = current.shape[1:]
    for name, each in zip(neuron.states, state or ()):
        if not isinstance(each, Tensor):
            raise TypeError(
                f"{operation}: state {name}: expected a tensor, got {type(each).__name__}"
            )
        if each.shape != shape:
            raise ValueError(
                f"{operation}: state {name}: expected shape {tuple(shape)}, got {tuple(each.shape)}"
            )
    for name in neuron.parameters:
        if name not in parameters:
            raise ValueError(f"{operation}: parameters: expected {name} among them, got none")
        value = parameters[name]
        if isinstance(value, Tensor) and not _fits(value.shape, shape):
            raise ValueError(
                f"{operation}: {name}: expected a shape that broadcasts to {tuple(shape)}, "
                f"got {tuple(value.shape)}"
            )


def _fits(shape: torch.Size, target: torch.Size) -> bool:
    return len(shape) <= len(target) and all(
        a in (1, b) for a, b in zip(reversed(shape), reversed(target))
    )
