"""Random recurrent layers: every strategy of the kernels, from rest and from states."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import pytest
import torch
from hypothesis import strategies as st
from tests.cuda.recurrent.runs import every_step, gather_always
from torch import Tensor

from popsnn import functional, neurons, nn
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.portable import launch as portable_launch
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.resident import octet, pair
from popsnn.cuda.recurrent.resident import taps as resident_taps
from popsnn.cuda.recurrent.step import launch as step_launch
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.cuda.recurrent.streamed import taps as streamed_taps

from .. import kernels
from ..description import FEW_NEURONS, Numbers, any_neuron
from ..expect import CARRIED
from ..late import KINDS, SPREADS, WHOLE, lates
from ..neurons import STATE_CLASSES, WIDE, Currents, Output, compare, leaf, loss_of
from ..outcome import BAD, REFUSALS, Outcome, refused
from ..references.delay_mutations import DELAYS
from ..references.mutations import RECURRENT
from ..references.neuron import Reference
from ..references.scan import PARAMETERS, STATES
from ..target import Target

NEURONS = {"lif": neurons.LIF, "alif": neurons.AdaptiveLIF}
FUNCTIONS = {"lif": functional.recurrent_lif, "alif": functional.recurrent_adaptive_lif}
# Each as it is on a GPU where layers are large; a CPU takes it for small layers too.
STRATEGIES = (
    "registers", "streamed", "async", "gathered", "clusters", "octet", "pairs", "portable", "step",
    "own",
)  # fmt: skip
LATE_STRATEGIES = tuple(name for name in STRATEGIES if name not in ("gathered", "step"))
# Products of a step by taps, of any spread; what else spreads over several steps is refused.
OF_EACH_WEIGHT = ("registers", "streamed", "async", "own")
GPU_STRATEGIES = ("own", "own", "gathered")
FEW_ACTIVE = 3  # neurons, above which a layer leaves gathering for streaming
GPU_NEURONS = (
    1, 3, 17, 64, 65, 130, 255, 256, 257, 400, 512, 513, 777, 1000, 1024, 1025, 1500, 2000, 2304,
    2944, 3000, 3072, 3073, 3500,
)  # fmt: skip
GPU_BATCHES = (
    1, 2, 3, 5, 8, 9, 16, 17, 31, 32, 33, 48, 64, 65, 80, 96, 97, 100, 128, 130, 200, 256,
)  # fmt: skip
# What weights of 16 bits carry is rounded.
GRADIENT = {"float32": 3e-4, None: 3e-4, **CARRIED}
NARROW = ("bfloat16", "float16")
MOST_GPU_SYNAPSES = 1025  # neurons with a delay for each weight, of which the reference has D + 1


@dataclass(frozen=True)
class Case(Currents):
    """Neurons [B, N] with recurrent weights.

    Parameters
    ----------
    columns : bool
        Whether the weights lie by columns.
    fraction : float
        Of the weights that are not zero.
    strategy : str
        Of the kernels; on a GPU "own" or "gathered".
    module : str
        "training" or "evaluation" of a module, which returns spikes alone, or "" for a function.
    """

    columns: bool = False
    fraction: float = 1.0
    strategy: str = "own"
    module: str = ""

    @property
    def evaluates(self) -> bool:
        """Whether a module in evaluation rounds delays that are learnt."""
        return self.module == "evaluation"

    @property
    def whole(self) -> bool:
        """Whether delays are whole in this pass."""
        return self.late is None or self.late.spread in WHOLE or self.evaluates

    @property
    def refused(self) -> bool:
        """Whether the kernels have no such delays."""
        synaptic = self.late is not None and self.late.kind == "synaptic"
        return not (self.whole or synaptic or self.backend == "torch")

    @property
    def carried(self) -> Optional[str]:
        """The type of the gradients that weights carry back: taps of several steps take float32."""
        return self.weight_dtype if self.whole else None

    def weight(self) -> Tensor:
        """Return the weights [N, N], which 8 bits hold where exact and their type else."""
        neurons = self.shape[-1]
        numbers = Numbers(self.values + 3, self.exact, self.device)
        deviation = 0.15 if self.exact else (0.06 * neurons + 3) ** -0.5
        weight = numbers.normal(0.0, deviation, 16, neurons, neurons)
        narrow = torch.float16 if self.weight_dtype == "float16" else torch.bfloat16
        return (weight * numbers.chance(self.fraction, neurons, neurons)).to(narrow).double()

    def laid_weight(self) -> Tensor:
        """Return the weights as they lie in memory."""
        return self.weight().t().contiguous().t() if self.columns else self.weight()


@st.composite
def cases(draw: Any) -> Case:
    """Draw a case, small for a CPU's kernels, whose threads take turns."""
    backend = draw(st.sampled_from((kernels.ENGINE, kernels.ENGINE, "torch")))
    kind = draw(st.sampled_from(("lif", "lif", "alif")))
    delays = draw(st.sampled_from((None, None, None, *KINDS)))
    neurons, batch, steps, strategy = 9, 3, 3, "own"
    if backend == "cuda":
        most = MOST_GPU_SYNAPSES if delays == "synaptic" else GPU_NEURONS[-1]
        neurons = draw(st.sampled_from([count for count in GPU_NEURONS if count <= most]))
        batch = draw(st.sampled_from(GPU_BATCHES))
        long = neurons <= 600 and batch <= 100
        steps = draw(st.sampled_from((1, 2, 3, 5, 8, 20, 40) if long else (1, 2, 3, 5, 8)))
        strategy = draw(st.sampled_from(GPU_STRATEGIES)) if delays is None else "own"
    else:
        every = {None: STRATEGIES, "synaptic": OF_EACH_WEIGHT}.get(delays, LATE_STRATEGIES)
        strategy = draw(st.sampled_from(every)) if backend == "host" else "own"
        neurons = draw(st.sampled_from((3, 8, 9, 17, 24, 40, 72)))
        batches = (1, 3, 8, 9, 17, 33, 65) if neurons > 24 else (1, 5, 9, 33, 64, 65, 97, 100, 130)
        batch = draw(st.sampled_from(batches))
        lengths = (1, 2, 3, 5, 11) if batch * neurons > 150 else (1, 2, 3, 5, 11, 20)
        steps = draw(st.sampled_from((1, 2, 3) if batch * neurons > 600 else lengths))
    exact = steps <= 8 and draw(st.booleans())
    late = None
    if delays is not None:
        whole = backend != "torch" and delays != "synaptic"
        late = draw(lates(exact, (delays,), (*WHOLE, *WHOLE, *SPREADS) if whole else SPREADS))
    narrow = strategy in ("clusters", "octet", "pairs", "portable")
    weight_dtypes = NARROW if narrow else (None, *NARROW)
    forms = ("number", "last") if backend == "host" else ("number", "scalar", "last")
    few = st.sampled_from(FEW_NEURONS[:3])
    state, module = draw(st.booleans()), draw(st.sampled_from(("", "", "training", "evaluation")))
    if module and late is not None:  # its state has both
        late = replace(late, before=state, learn=late.spread != "none")
    steps = 1 if strategy == "step" else steps
    wide = ("float32",) * (4 if backend == "host" else 2)  # a CPU compiles each kernel again
    return Case(
        kind=kind,
        neuron=draw(few if backend == "host" else any_neuron()),
        shape=(batch, neurons),
        steps=steps,
        backend=backend,
        dtype=draw(st.sampled_from((*wide, *NARROW))),
        forms=(draw(st.sampled_from(forms)),) * len(PARAMETERS[kind]),
        margin=draw(st.sampled_from((None, 0.0, 0.5))),
        state=state,
        membrane=draw(st.booleans()) and not module,
        return_state=draw(st.booleans()),
        split=draw(st.sampled_from((0, 0, draw(st.integers(0, steps - 1))))),
        values=draw(st.integers(0, 2**31 - 1)),
        exact=exact,
        weight_dtype=draw(st.sampled_from(weight_dtypes)),
        late=late,
        columns=strategy == "step" or draw(st.booleans()),
        fraction=draw(st.sampled_from((1.0, 0.2, 0.02))),
        strategy=strategy,
        module=module,
    )


@contextmanager
def strategy_of(case: Case) -> Iterator[None]:
    """Let small layers take the case's strategy."""
    half = -(-case.shape[-1] // 32) * 16
    with pytest.MonkeyPatch.context() as patch:
        if case.strategy not in ("own", "clusters"):
            patch.setattr(cluster, "in_clusters", lambda *_: False)
        if case.strategy in ("streamed", "async"):
            patch.setattr(resident, "fits", lambda *_: False)
            patch.setattr(resident_taps, "fits", lambda *_: False)
            patch.setattr(recurrent_ops, "choose_portable", lambda *_: "streamed")
            count = 1 if case.columns else 8  # one block for several tiles, or teams of blocks
            patch.setattr(streamed_launch, "multiprocessors", lambda _: count)
        if case.strategy in ("async", "portable"):
            for user in (recurrent_ops, streamed_launch, streamed_taps):
                patch.setattr(user, "has_copy_engine", lambda _: False)
        if case.backend == "host":  # as many as `recurrent_ops` has
            have = 20 if case.strategy == "octet" else 8
            patch.setattr(portable_launch, "multiprocessors", lambda _: have)
        if case.strategy == "gathered":
            gather_always(patch, FEW_ACTIVE if case.values % 4 == 0 else case.shape[-1])
        elif case.strategy == "clusters":
            patch.setattr(cluster, "FEWEST_STEPS", 1)
        elif case.strategy == "octet":
            patch.setattr(octet, "TILE_NEURONS", half if case.columns else 2048)
            patch.setattr(recurrent_ops, "multiprocessors", lambda _: 20)
        elif case.strategy == "pairs":
            patch.setattr(resident, "MOST_QUADS", 1)
            patch.setattr(pair, "TILE_NEURONS", half if case.columns else 1024)
        elif case.strategy == "step":
            patch.setattr(step_launch, "most_samples", every_step)
        yield


Call = Callable[[Tensor, Any, Optional[Tensor]], Tuple[Any, Any, Optional[Tensor]]]


def function_of(case: Case, leaves: Dict[str, Tensor], device: torch.device) -> Call:
    """Return a call of x, states and spikes before them, which returns an output and the next."""
    arguments = case.arguments(case.parameters(), device, leaves)
    rounded = torch.float32 if case.weight_dtype is None else getattr(torch, case.weight_dtype)
    weight = leaf(leaves, "recurrent_weight", case.laid_weight(), device, torch.float32)
    late, delay = case.late, None
    if late is not None:
        value = case.line()["delay"]
        steps = value.to(device, case.state_dtype)
        if late.learn:
            steps = leaf(leaves, "delay", value, device, case.state_dtype)
        delay = late.of(steps)

    def call(x: Tensor, state: Any, before: Optional[Tensor]) -> Any:
        out = FUNCTIONS[case.kind](
            x, weight, state, weight_dtype=rounded, delay=delay, before=before, **arguments
        )
        if late is not None and out.state is not None:
            first = torch.zeros_like(out.spikes[:1]) if state is None else state.s[None]
            spikes = torch.cat([first.to(out.spikes.dtype), out.spikes])[:-1]
            before = functional.last_steps(spikes, before, late.maximum)
        return out, out.state, before

    return call


def module_of(case: Case, leaves: Dict[str, Tensor], device: torch.device) -> Call:
    """Return what `function_of` does, of a module; its parameters take the place of the leaves."""
    arguments = case.arguments(case.parameters(), device, leaves)
    rounded = torch.float32 if case.weight_dtype is None else getattr(torch, case.weight_dtype)
    names, late, delay = PARAMETERS[case.kind], case.late, None
    learn = [name for name in names if name in leaves]
    if late is not None:
        steps = case.line()["delay"]
        delay = late.of_layer("", steps)
    layer = nn.RecurrentSpiking(
        NEURONS[case.kind](arguments["reset"], arguments["detach_reset"]),
        case.shape[-1],
        parameters={name: arguments[name] for name in names},
        learn=learn,
        delay=delay,
        weight_dtype=rounded,
        surrogate=arguments["surrogate"],
        grad_threshold=arguments["grad_threshold"],
        backend=arguments["backend"],
    ).to(device)
    layer.train(not case.evaluates)
    layer.recurrent_weight = torch.nn.Parameter(case.laid_weight().to(device, torch.float32))
    leaves.update((name, getattr(layer, name)) for name in (*learn, "recurrent_weight"))
    if delay is not None:
        with torch.no_grad():
            delay.steps.copy_(steps)
        if isinstance(delay.steps, torch.nn.Parameter):
            leaves["delay"] = delay.steps

    def call(x: Tensor, state: Any, before: Optional[Tensor]) -> Any:
        if delay is not None and state is not None:
            if before is None:
                before = x.new_zeros((delay.maximum, *x.shape[1:]))
            state = nn.DelayedState(state, before)
        spikes, state = layer(x, state, True)
        if delay is not None:
            state, before = state
        return functional.ScanOutput(spikes, None, state), state, before

    return call


def observe(case: Case) -> Output:
    """Run the case on its engine."""
    device = torch.device("cpu") if case.backend == "torch" else kernels.install()
    leaves: Dict[str, Tensor] = {}
    call = (module_of if case.module else function_of)(case, leaves, device)
    x = leaf(leaves, "x", case.currents(), device, case.torch_dtype)
    state: Any = None
    if case.state:
        state = STATE_CLASSES[case.kind](
            **{
                name: leaf(leaves, f"state {name}", value, device, case.state_dtype)
                for name, value in case.states().items()
            }
        )
    before = None
    if case.late is not None and case.late.before:
        before = leaf(leaves, "before", case.line()["before"], device, case.torch_dtype)
    outs = []
    for piece in case.pieces:
        out, state, before = call(x[piece], state, before)
        outs.append(out)
    end = None
    if case.return_state:
        end = {name: getattr(state, name) for name in STATES[case.kind]}
    membrane = None
    if outs[0].membrane is not None:
        membrane = torch.cat([out.membrane for out in outs])
    spikes = torch.cat([out.spikes for out in outs])
    loss_of(case, spikes, membrane, end).backward()
    grads = {name: value.grad for name, value in leaves.items()}
    return Output(spikes, membrane, end, grads)


def check(case: Case, rules: Reference) -> Outcome:
    """Compare an engine's layer with the reference's."""
    try:
        with strategy_of(case):
            output = observe(case)
    except REFUSALS as error:
        outcome = refused(error)
        of_delays = ": delay: expected" in outcome.detail
        return outcome if of_delays == case.refused else Outcome(BAD, f"refused: {outcome.detail}")
    if case.refused:
        return Outcome(BAD, "delay: not refused")
    if (output.membrane is None) == case.membrane:
        return Outcome(BAD, "membrane: not as asked for")
    tolerance = GRADIENT[case.carried]
    if (
        case.late is not None and case.split and case.dtype in NARROW
    ):  # spikes before a chunk, and so their gradients
        tolerance = max(tolerance, 3 * WIDE[case.dtype])
    return compare(case, rules, output, case.weight(), tolerance)


def alike(first: Case, case: Case) -> Case:
    """Return a case with the options that the kernels of the first are compiled for."""
    one_step = first.strategy == "step"
    late = first.late
    if late is not None:
        late = replace(late, before=case.state)
    made = replace(
        first,
        shape=case.shape,
        steps=1 if one_step else case.steps,
        state=case.state,
        split=0 if one_step else case.split,
        values=case.values,
        exact=case.exact and (late is None or late.exact),
        late=late,
        columns=one_step or case.columns,
        fraction=case.fraction,
    )
    return made.decidable()


TARGET = Target(cases(), check, Reference, {**RECURRENT, **DELAYS}, alike)
