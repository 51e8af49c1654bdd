"""A linear map of compacted spikes and the neurons that it drives."""

from __future__ import annotations

from typing import Iterable, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from .._internal import checks
from .._internal.checks import PerNeuron
from .._internal.compaction import Kept, begins, keep
from ..spikes import SpikeTensor
from ..surrogate import Surrogate, resolve, spike
from ._delays import (
    DelaySteps,
    RecurrentProduct,
    check_before,
    check_delay,
    delayed_products,
    last_steps,
)
from ._parts import distinct, stack, tensors
from .neuron import LIF, Neuron, Parameters, States

MOST_STEPS = 0xFFFFFFFF  # of a sequence: the hash of a capacity counts them in 32 bits


class SparseState(NamedTuple):
    """State after a step: `v`, `s` [B, N], the last input `x` [B, M], and the `step` count.

    Spikes are 0 or 1.

    `more` holds a neuron's states other than `v` and `s`, each [B, N], in the neuron's order. A
    layer with delays of up to D steps has the last D `inputs` [D, B, M], `x` the last of them, and
    one with recurrent delays the D `spikes` [D, B, N] before `s`; both are oldest first.
    """

    v: Tensor
    s: Tensor
    x: Tensor
    step: int
    more: tuple[Tensor, ...] = ()
    inputs: Tensor | None = None
    spikes: Tensor | None = None

    @classmethod
    def at_rest(
        cls, weight: Tensor, batch: int, more: int = 0, inputs: int = 0, spikes: int = 0
    ) -> SparseState:
        """Return the state of B samples before the first step of a layer of weight [N, M].

        `inputs` and `spikes` are the maximum of its delays and of its recurrent delays, or 0.
        """
        neurons, sources = weight.shape
        v, s, *others = (weight.new_zeros(batch, neurons) for _ in range(2 + more))
        return cls(
            v,
            s,
            weight.new_zeros(batch, sources),
            0,
            tuple(others),
            weight.new_zeros(inputs, batch, sources) if inputs else None,
            weight.new_zeros(spikes, batch, neurons) if spikes else None,
        )

    def ordered(self, neuron: Neuron) -> States:
        """Return the states in the neuron's order."""
        more = iter(self.more)
        own = {"v": self.v, "s": self.s}
        return tuple(own[name] if name in own else next(more) for name in neuron.states)

    def detach(self) -> SparseState:
        """Return the same state off the autograd graph, to cut the gradient between chunks."""
        more = tuple(tensor.detach() for tensor in self.more)
        lines = (None if line is None else line.detach() for line in (self.inputs, self.spikes))
        return SparseState(
            self.v.detach(), self.s.detach(), self.x.detach(), self.step, more, *lines
        )

    def check(
        self,
        operation: str,
        weight: Tensor,
        batch: int,
        more: int = 0,
        steps: int = 0,
        delay: DelaySteps | None = None,
        recurrent_delay: DelaySteps | None = None,
    ) -> None:
        """Raise where no `steps` of B samples of a layer of weight [N, M] can begin with this."""
        neurons, inputs = weight.shape
        if len(self.more) != more:
            raise ValueError(
                f"{operation}: state.more: expected the neuron's {more} states other than v and s, "
                f"got {len(self.more)}"
            )
        fields = [("v", self.v, neurons), ("s", self.s, neurons), ("x", self.x, inputs)]
        fields += [(f"more[{i}]", tensor, neurons) for i, tensor in enumerate(self.more)]
        for name, value, size in fields:
            checks.rank(operation, f"state.{name}", value, f"[B, {size}]", 2)
            if tuple(value.shape) != (batch, size):
                raise ValueError(
                    f"{operation}: state.{name}: expected shape {(batch, size)}, "
                    f"got {tuple(value.shape)}"
                )
            if value.dtype != weight.dtype or value.device != weight.device:
                raise ValueError(
                    f"{operation}: state.{name}: expected {weight.dtype} on {weight.device} as "
                    f"the weights are, got {value.dtype} on {value.device}"
                )
        for name, line, of, size in (
            ("inputs", self.inputs, delay, inputs),
            ("spikes", self.spikes, recurrent_delay, neurons),
        ):
            if line is None and of is not None:
                raise ValueError(
                    f"{operation}: state.{name}: expected shape {(of.maximum, batch, size)} for "
                    f"delays of up to {of.maximum} steps, got None"
                )
            check_before(operation, f"state.{name}", line, of, batch, size, weight)
        checks.integer(operation, "state.step", self.step, 0, MOST_STEPS)
        if self.step + steps > MOST_STEPS:
            raise ValueError(
                f"{operation}: state.step: expected at most {MOST_STEPS - steps} before {steps} "
                f"more steps, got {self.step}"
            )


class SparseLIFOutput(NamedTuple):
    """`spikes` (T, B, N), `membrane` [T, B, N], and the `state` to go on from."""

    spikes: SpikeTensor
    membrane: Tensor
    state: SparseState


class SparseLIOutput(NamedTuple):
    """`membrane` [T, B, N], and the `state` to go on from; its `s` is zero."""

    membrane: Tensor
    state: SparseState


def sparse_lif(
    x: SpikeTensor,
    weight: Tensor,
    bias: Tensor | None = None,
    state: SparseState | None = None,
    *,
    recurrent_weight: Tensor | None = None,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    gain: float = 1.0,
    delay: int | DelaySteps = 0,
    recurrent_delay: DelaySteps | None = None,
    reset: str = "zero",
    detach_reset: bool = True,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    capacity: int | None = None,
    seed: int = 0,
    layer: int = 0,
    smooth: bool = False,
) -> SparseLIFOutput:
    """Run a linear map and LIF neurons on compacted spikes.

    Parameters
    ----------
    x : SpikeTensor (T, B, M)
    weight : float Tensor [N, M]
    bias : float Tensor [N], optional
    state : SparseState, optional
        Default: at rest, no spikes, step 0. A sequence in time chunks, each from the state
        that the chunk before left, gives bit for bit what it gives in one run.
    recurrent_weight : float Tensor [N, N], optional
        From the spikes of the step before that the capacity kept; default: no recurrence.
    gain : float
        Scales the current, recurrent part and bias included.
    delay : {0, 1} or DelaySteps
        Steps by which the input is late: one number, or those of a `DelaySteps` of up to D steps.
    recurrent_delay : DelaySteps, optional
        Steps by which the layer's own spikes are late, in addition to the one that they take.
    capacity : int, optional
        Capacity of the output; default N.
    seed, layer : int
        Parts of the hash that chooses the spikes that a capacity keeps.
    beta, threshold, reset, detach_reset, surrogate, grad_threshold, smooth
        As in `lif`; tensors have shape [N].

    Raises
    ------
    TypeError, ValueError
        Where shapes do not fit or an option is out of range.
    """
    name = "functional.sparse_lif"
    checks.reset(name, reset)
    learnt = isinstance(threshold, nn.Parameter) or getattr(threshold, "requires_grad", False)
    if not learnt:  # one that is may come to lie below
        checks.grad_threshold(name, grad_threshold, threshold)
    return sparse_neurons(
        x,
        weight,
        bias,
        state,
        neuron=LIF(reset, detach_reset),
        parameters=(beta, threshold),
        recurrent_weight=recurrent_weight,
        gain=gain,
        delay=delay,
        recurrent_delay=recurrent_delay,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        capacity=capacity,
        seed=seed,
        layer=layer,
        smooth=smooth,
        operation=name,
    )


def sparse_neurons(
    x: SpikeTensor,
    weight: Tensor,
    bias: Tensor | None = None,
    state: SparseState | None = None,
    *,
    neuron: Neuron,
    parameters: Parameters,
    recurrent_weight: Tensor | None = None,
    gain: float = 1.0,
    delay: int | DelaySteps = 0,
    recurrent_delay: DelaySteps | None = None,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    capacity: int | None = None,
    seed: int = 0,
    layer: int = 0,
    smooth: bool = False,
    operation: str = "functional.sparse_neurons",
) -> SparseLIFOutput:
    """Run a linear map and neurons of any kind on compacted spikes.

    Parameters
    ----------
    neuron : Neuron
        One that spikes.
    parameters : tuple of float or Tensor [N]
        Its parameters, in its order.
    operation : str
        Name for error messages.
    x and all others
        As in `sparse_lif`.

    Raises
    ------
    TypeError, ValueError
        Where shapes do not fit or an option is out of range.
    """
    if not neuron.spiking:
        raise ValueError(f"{operation}: neuron: expected one that spikes, got {neuron}")
    if len(neuron.inputs) > 1:
        raise ValueError(
            f"{operation}: neuron: expected one of one input, the product of one weight, got "
            f"{neuron} of {len(neuron.inputs)} ({', '.join(neuron.inputs)})"
        )
    others = [k for k, name in enumerate(neuron.states) if name not in ("v", "s")]
    size = weight.shape[0]
    if recurrent_delay is not None:
        check_delay(operation, "recurrent_delay", recurrent_delay, size, size)
        if recurrent_weight is None:
            raise ValueError(
                f"{operation}: recurrent_delay: expected None without recurrent weights, got "
                f"{recurrent_delay.kind} delays"
            )
    currents, state, after = _inputs(
        operation, x, weight, bias, state, delay, len(others), recurrent_delay
    )
    if recurrent_weight is not None and tuple(recurrent_weight.shape) != (size, size):
        raise ValueError(
            f"{operation}: recurrent_weight: expected shape {(size, size)} for {size} neurons, "
            f"got {tuple(recurrent_weight.shape)}"
        )
    list_capacity = (
        size if capacity is None else checks.integer(operation, "capacity", capacity, 1, size)
    )
    surrogate = resolve(surrogate)
    checks.integer(operation, "seed", seed, 0, 0xFFFFFFFF)
    checks.integer(operation, "layer", layer, 0, 0xFFFFFFFF)
    steps, batch = x.shape[:2]
    begin = begins(seed, layer, state.step, steps, batch, size)
    lists: list[Kept] = []

    def fire(v: Tensor, threshold: PerNeuron) -> Tensor:
        fired = v >= threshold
        subthreshold = ~fired if grad_threshold is None else ~(fired | (v < grad_threshold))
        kept = keep(fired, subthreshold, list_capacity, begin[len(lists)])
        lists.append(kept)
        active = kept.fired | kept.subthreshold
        return spike(v - threshold, kept.fired, active, surrogate=surrogate, smooth=smooth)

    states = begun = state.ordered(neuron)
    values = tensors(parameters, weight)
    membrane: list[Tensor] = []
    spikes: list[Tensor] = []
    product = None
    if recurrent_weight is not None:
        product = RecurrentProduct(recurrent_weight, recurrent_delay, state.spikes)
    for current in currents:
        if product is not None:
            current = current + product(states[-1])
        states = neuron.advance(gain * current, states, values, fire)
        membrane.append(states[neuron.membrane])
        spikes.append(states[-1])

    none = weight.new_zeros(steps, batch, size)
    masks = none.bool()
    counts = torch.zeros(steps, batch, 2, dtype=torch.int32, device=weight.device)
    out = SpikeTensor.from_masks(
        stack(spikes, none),
        stack([kept.fired for kept in lists], masks),
        stack([kept.subthreshold for kept in lists], masks),
        stack([kept.dropped for kept in lists], counts),
        list_capacity,
    )
    states = distinct(states, begun)
    if recurrent_delay is not None:
        fired = torch.stack([begun[-1], *spikes][:-1]) if spikes else none
        after = after._replace(spikes=last_steps(fired, state.spikes, recurrent_delay.maximum))
    after = after._replace(
        v=states[neuron.membrane], s=states[-1], more=tuple(states[k] for k in others)
    )
    return SparseLIFOutput(out, stack(membrane, none), after)


def sparse_li(
    x: SpikeTensor,
    weight: Tensor,
    bias: Tensor | None = None,
    state: SparseState | None = None,
    *,
    beta: PerNeuron = 0.9,
    gain: float = 1.0,
    delay: int | DelaySteps = 0,
) -> SparseLIOutput:
    """Run a linear map and leaky integrators on compacted spikes.

    Parameters
    ----------
    x : SpikeTensor (T, B, M)
    weight : float Tensor [N, M]
    bias : float Tensor [N], optional
    state, beta, gain, delay
        As in `sparse_lif`.

    Raises
    ------
    TypeError, ValueError
        Where shapes do not fit or an option is out of range.
    """
    currents, state, after = _inputs("functional.sparse_li", x, weight, bias, state, delay)
    v = state.v
    membrane: list[Tensor] = []
    for current in currents:
        v = beta * v + gain * current
        membrane.append(v)
    steps, batch = x.shape[:2]
    out = stack(membrane, weight.new_zeros(steps, batch, weight.shape[0]))
    v, s = distinct((v, state.s), (state.v, state.s))
    return SparseLIOutput(out, after._replace(v=v, s=s))


def _inputs(
    name: str,
    x: object,
    weight: Tensor,  # [N, M]
    bias: Tensor | None,  # [N]
    state: SparseState | None,
    delay: int | DelaySteps,
    more: int = 0,  # states of the neuron other than v and s
    recurrent_delay: DelaySteps | None = None,
) -> tuple[Iterable[Tensor], SparseState, SparseState]:
    """Return the input's current of each step [B, N], the first state, and `x`, `inputs`, `step`.

    The last are those of the state after all steps, in the first state.
    """
    if not isinstance(x, SpikeTensor):
        got = type(x).__name__
        hint = ": SpikeTensor.from_dense makes one" if isinstance(x, Tensor) else ""
        raise TypeError(f"{name}: x: expected a SpikeTensor, got a {got}{hint}")
    if weight.dim() != 2 or weight.shape[1] != x.size:
        raise ValueError(
            f"{name}: weight: expected shape [N, {x.size}] for x of {x.size} neurons, "
            f"got {tuple(weight.shape)}"
        )
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise ValueError(
            f"{name}: bias: expected shape {(weight.shape[0],)}, got {tuple(bias.shape)}"
        )
    delays = None
    if isinstance(delay, DelaySteps):
        delays = check_delay(name, "delay", delay, x.size, weight.shape[0])
    else:
        checks.integer(name, "delay", delay, 0, 1)
    batch = x.shape[1]
    if state is None:
        state = SparseState.at_rest(weight, batch, more)
    elif not isinstance(state, SparseState):
        raise TypeError(f"{name}: state: expected a SparseState, got {type(state).__name__}")
    else:
        state.check(name, weight, batch, more, x.shape[0], delays, recurrent_delay)
    dense = x.to_dense(weight.dtype)
    extended = torch.cat([state.x.unsqueeze(0), dense])  # [1 + T, B, M]
    after = state._replace(x=extended[-1], step=state.step + x.shape[0])
    if delays is not None:
        after = after._replace(inputs=last_steps(dense, state.inputs, delays.maximum))
        return delayed_products(dense, weight, bias, delays, state.inputs), state, after
    late = extended[:-1] if delay else dense
    # A product for each step, of memory of its own: how a library rounds one over all the steps
    # depends on how many there are, and of a slice on how it is aligned.
    return (linear(step.clone(), weight, bias) for step in late), state, after
