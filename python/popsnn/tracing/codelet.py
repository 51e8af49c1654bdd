"""The codelet of a traced neuron: its header, and what the planner has to know of it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Dict, Iterable, Optional

from .._internal.files import whole_file
from .._internal.paths import cache_folder
from .._internal.spec import ModelSpec
from .expression import Expression, in_order
from .source import Fused, neuron_source
from .step import TracedStep

# Bundles of a worker for one operation on values in registers, as in codelets/common/cycles.hpp;
# any other takes 1. What the chip has no instruction for is a call and a polynomial.
LIBRARY = dict.fromkeys(("sin", "cos", "atan", "erf", "log1p", "expm1", "floor"), 30)
BUNDLES: Dict[str, int] = {
    "constant": 0,
    "value": 0,
    "slope": 0,
    "fma": 2,
    "fire": 2,
    "div": 3,
    "sqrt": 4,
    "exp": 2,
    "log": 2,
    "tanh": 2,
    "sigmoid": 2,
    "softplus": 8,
    "pow": 6,
    **LIBRARY,
}


def model_spec(
    step: TracedStep, name: str, membrane: str, derivative: Optional[str] = None
) -> ModelSpec:
    """Return a neuron's description, whose header is written to the user's cache.

    Parameters
    ----------
    step : TracedStep
        Of a neuron that spikes.
    name : str
        Of the neuron.
    membrane : str
        The state that is the membrane.
    derivative : str, optional
        C++ that returns the surrogate's derivative at `u`, from its `parameter`; default: that of a
        surrogate which codelets have.

    Raises
    ------
    OSError
        Where the header cannot be written.
    """
    text = neuron_source(step, "NAME", membrane, least=0)
    if derivative is not None:
        arguments = "[[maybe_unused]] float u, [[maybe_unused]] float parameter"
        shape = f"struct NAME_shape {{ static float derivative({arguments}) {{ {derivative} }} }};"
        text = f"{shape}\n" + re.sub(r"\bh\(", "h.template of<NAME_shape>(", text)
    struct = f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    header = (
        '// Made by python/popsnn/tracing/codelet.py.\n#pragma once\n#include "functions.hpp"\n'
        f"namespace popsnn {{\n{text.replace('NAME', struct)}\n}}  // namespace popsnn\n"
    )
    path = cache_folder("neurons") / f"{struct}.hpp"
    if not _holds(path, header):
        with whole_file(name, path) as partial:
            partial.write_text(header, encoding="utf-8")
    assert step.fires is not None
    adjoint = (*step.grad_inputs, *step.grad_states, *step.grad_parameters)
    learnt = sum(grad is not None for grad in step.grad_parameters)
    return ModelSpec(
        f"popsnn::{struct}",
        str(path),
        len(step.states) - 1,  # the spikes follow from the others
        len(step.parameters) + 1,  # and the gradient threshold
        len(step.parameters),
        step=_bundles(step, step.after[:-1]),
        fires=_bundles(step, step.fires) + 1,
        near=_bundles(step, step.fires[:1]) + 1,
        grad=_bundles(step, (each for each in adjoint if each is not None)) + learnt,
        membrane=step.states.index(membrane),
        adjoint=True,
    )


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_text(encoding="utf-8") == text
    except OSError:
        return False


def _bundles(step: TracedStep, outputs: Iterable[Expression]) -> int:
    """Return what a worker issues for expressions; `slope` is counted with the surrogate."""
    fused = Fused(step.expressions)
    used = in_order([fused.of(each) for each in outputs])
    return sum(BUNDLES.get(each.operation, 1) for each in used)
