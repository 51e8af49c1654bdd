"""Random elementwise neurons: `lif`, `li`, `synaptic_lif`, `adaptive_lif`, and `nn.Spiking`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Callable, Dict, Optional

import torch
from hypothesis import strategies as st
from torch import Tensor

from popsnn import functional, neurons, nn
from popsnn.functional import unpack_bits

from .. import kernels
from ..description import FEW_NEURONS, any_neuron
from ..neurons import STATE_CLASSES, Currents, Output, compare, leaf, loss_of
from ..outcome import REFUSALS, Outcome, refused
from ..references.mutations import SCANS
from ..references.neuron import Reference
from ..references.scan import PARAMETERS, STATES
from ..target import Target

FUNCTIONS = {
    "lif": functional.lif,
    "li": functional.li,
    "synaptic": functional.synaptic_lif,
    "alif": functional.adaptive_lif,
}
NEURONS = {
    "lif": neurons.LIF,
    "synaptic": neurons.SynapticLIF,
    "alif": neurons.AdaptiveLIF,
}
FORMS = ("number", "scalar", "last", "channel", "full")
SMALL = ((1, 1), (2, 1), (1, 3), (2, 5), (3, 2, 7), (4, 16), (2, 3, 4, 5), (1, 127))
LARGE = (*SMALL, (3, 333), (1, 2048), (2, 5000), (1, 13001), (5, 4, 32, 32), (1, 40000))


@dataclass(frozen=True)
class Case(Currents):
    """Neurons without weights.

    Parameters
    ----------
    spikes : str
        Their form.
    transposed : bool
        How the currents lie.
    module : bool
        Whether a module runs them, which returns spikes alone; its tensor parameters are learnt.
    """

    spikes: str = "float"
    transposed: bool = False
    module: bool = False


@st.composite
def cases(draw: Any) -> Case:
    """Draw a case; a CPU's kernels have few options."""
    backend = draw(st.sampled_from((kernels.ENGINE, "torch")))
    kind = draw(st.sampled_from(("lif", "li", "synaptic", "alif")))
    shape = draw(st.sampled_from(LARGE if backend == "cuda" else SMALL))
    exact = draw(st.booleans())
    lengths = (1, 2, 3, 5, 8) if exact else (1, 2, 7, 16, 31, 33, 64, 100, 257)
    steps = draw(st.sampled_from(lengths))
    number = len(PARAMETERS[kind])
    if backend == "host":
        neuron = draw(st.sampled_from(FEW_NEURONS))
        forms = (draw(st.sampled_from(("number", "last"))),) * number
        asked = draw(st.booleans())
        module = kind != "li" and draw(st.booleans())
        membrane, return_state, spikes = asked and not module, asked, "float"
        dtype = "float32" if kind != "lif" else draw(st.sampled_from(("float32", "bfloat16")))
    else:
        neuron = draw(any_neuron())
        forms = tuple(draw(st.sampled_from(FORMS)) for _ in range(number))
        membrane, return_state = draw(st.booleans()), draw(st.booleans())
        spikes = draw(st.sampled_from(("float", "float", "int8", "bits")))
        module = kind != "li" and spikes == "float" and not membrane
        dtypes = ("float32", "bfloat16", "float16")
        dtype = draw(st.sampled_from(dtypes if backend == "cuda" else (*dtypes, "float64")))
    return Case(
        kind=kind,
        neuron=neuron,
        shape=shape,
        steps=steps,
        backend=backend,
        dtype=dtype,
        forms=forms,
        margin=draw(st.sampled_from((None, 0.0, 0.5))),
        state=draw(st.booleans()),
        membrane=membrane,
        return_state=return_state,
        split=draw(st.integers(0, steps - 1)) if return_state and draw(st.booleans()) else 0,
        values=draw(st.integers(0, 2**31 - 1)),
        exact=exact,
        spikes=spikes if kind != "li" else "float",
        transposed=draw(st.booleans()),
        module=module,
    )


def module_of(case: Case, leaves: Dict[str, Tensor], arguments: Dict[str, Any]) -> Any:
    """Return the module of a case; its parameters take the place of the leaves."""
    names = PARAMETERS[case.kind]
    learn = [name for name in names if name in leaves]
    layer = nn.Spiking(
        NEURONS[case.kind](arguments["reset"], arguments["detach_reset"]),
        parameters={name: arguments[name] for name in names},
        learn=learn,
        surrogate=arguments["surrogate"],
        grad_threshold=arguments["grad_threshold"],
        backend=arguments["backend"],
    )
    leaves.update((name, getattr(layer, name)) for name in learn)
    return layer


def observe(case: Case) -> Output:
    """Run the case on its engine."""
    device = torch.device("cpu") if case.backend == "torch" else kernels.install()
    leaves: Dict[str, Tensor] = {}
    arguments = case.arguments(case.parameters(), device, leaves)
    if case.spiking:
        arguments["spikes"] = case.spikes
    x = leaf(leaves, "x", case.currents(), device, case.torch_dtype)
    inputs = x.transpose(0, -1).contiguous().transpose(0, -1) if case.transposed else x
    state: Any = None
    if case.state:
        named = {
            name: leaf(leaves, f"state {name}", value, device, case.state_dtype)
            for name, value in case.states().items()
        }
        state = STATE_CLASSES[case.kind](**named) if case.spiking else named["v"]
    call: Callable[..., Any] = partial(FUNCTIONS[case.kind], **arguments)
    if case.module:
        call = partial(module_of(case, leaves, arguments), return_state=True)
    outs = []
    for chunk in case.pieces:
        out = call(inputs[chunk], state)
        out = functional.ScanOutput(out[0], None, out[1]) if case.module else out
        state = out.state
        outs.append(out)
    end: Optional[Dict[str, Tensor]] = None
    if not case.spiking:
        end = {"v": state}
    elif case.return_state:
        end = {name: getattr(state, name) for name in STATES[case.kind]}
    membrane = None
    if outs[0].membrane is not None:
        membrane = torch.cat([out.membrane for out in outs])
    spikes = torch.cat([out.spikes for out in outs]) if case.spiking else None
    differentiable = case.spikes == "float"
    loss = loss_of(case, spikes if differentiable else None, membrane, end)
    if loss.requires_grad:
        loss.backward()
    if spikes is not None and case.spikes == "bits":
        spikes = unpack_bits(spikes, case.shape, torch.float32)
    grads = {name: value.grad for name, value in leaves.items()}
    return Output(spikes, membrane, end, grads, differentiable)


def check(case: Case, rules: Reference) -> Outcome:
    """Compare an engine's neurons with the reference's."""
    try:
        output = observe(case)
    except REFUSALS as error:
        return refused(error)
    if case.spiking and (output.membrane is None) == case.membrane:
        return Outcome("bad", "membrane: not as asked for")
    return compare(case, rules, output)


def alike(first: Case, case: Case) -> Case:
    """Return a case with the options that the kernels of the first are compiled for."""
    made = replace(
        first,
        shape=case.shape,
        steps=case.steps,
        state=case.state,
        split=case.split if first.return_state else 0,
        values=case.values,
        exact=case.exact,
        transposed=case.transposed,
    )
    return made.decidable()


TARGET = Target(cases(), check, Reference, SCANS, alike)
